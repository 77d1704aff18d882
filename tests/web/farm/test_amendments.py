"""A signed report whose records changed: what reopens it and what does not, and how every page tells of it."""

import re
from datetime import date, timedelta
from typing import Any
from urllib.parse import quote_plus

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import escape

from provender.database.actor import today
from provender.records.kind import KINDS
from provender.services.clients import NAMED, Urgency, client_progress, farm_steps, progress_of
from provender.services.farm.book import Edit, change_book, farm_book_of, key_of
from provender.services.farm.verdicts import count_gaps
from provender.services.reports import drafts
from provender.services.reports.drafts import DraftState, ReportState, draft_of, standings_of
from tests.web.cast import Cast
from tests.web.farm.test_signing import correct_bushels, producer, registered, signed
from tests.web.farm_season import fill_season
from tests.web.producer_keys import Producer
from tests.web.replayed import replayed

__all__ = ["producer", "registered", "signed"]


@pytest.fixture
def amended(signed: Producer) -> Producer:
    """Return the producer after the corn of 2025 was signed and its bushels were corrected."""
    replayed("the corn of 2025 is amended", lambda: correct_bushels(signed.cast))
    (corn,) = [one for one in standings_of(farm_book_of(signed.cast.farm)) if one.crop == "corn"]
    assert corn.state is ReportState.AMENDED
    return signed


def test_the_list_of_things_tells_of_the_amendment_as_the_overview_does_and_says_no_more_than_is_true(
    amended: Producer,
) -> None:
    handle = amended.cast.farm.handle
    overview = amended.client.get(reverse("organisation", args=(handle,))).context["next_steps"]
    page = amended.client.get(reverse("farm_todo", args=(handle,)))
    text = page.content.decode()
    assert "Sign an amendment of the report on field corn 2025" in {one.words for one in overview}
    assert "Sign an amendment of the report on field corn 2025" in text
    assert "an amendment replaces it" in text
    for step in overview:
        waits = re.fullmatch("Do what (.*) still needs", step.words)
        assert (f"until {waits[1]} can be signed" if waits else step.words) in text
    (corn,) = [one for one in page.context["lists"] if one["draft"].crop == "corn"]
    assert not corn["things"]
    assert f"{corn['done']} of {corn['whole']} records are there; the signature is missing" in text
    assert "<h1>To do before you can sign</h1>" in text, "another report still lacks something"
    assert page.context["blocked"] is any(one["blocked"] for one in page.context["lists"])
    known: dict[str, Any] = {}
    for part in page.context:
        known |= part.flatten()  # type: ignore[union-attr]
    alone = render_to_string("farm/todo.html", {**known, "lists": [corn], "blocked": False})
    assert "<h1>To do</h1>" in alone, "what only waits for its signature can be signed"

    day = date_format(today(), "DATE_FORMAT")
    report = amended.client.get(reverse("farm_report", args=(handle, "corn", 2025))).content.decode()
    for each in (report, text):
        assert f"What changed since version 1 was signed on {day}:" in each
        assert re.search(rf"N40-2025</a> \({day}\)", each)

    steps = farm_steps(amended.cast.farm)
    first = next(at for at, one in enumerate(steps) if one.words.startswith("Sign an amendment"))
    later = [one.words for one in steps[:first] if not one.words.startswith(("Correct the record", "Make a signing"))]
    assert later == [], "an amendment comes before what keeps no report back"


def test_a_consultant_s_home_tells_of_the_amendment_and_opens_what_it_names(amended: Producer) -> None:
    cast = amended.cast
    said = "An amendment of the report on field corn 2025 waits for its signature."
    home = cast.client("consultant").get(reverse("home"))
    (parts,) = [parts for one, _, parts in home.context["memberships"] if one.handle == cast.farm.handle]
    where = {part.words: part.href for part in parts}
    assert where[said] == reverse("farm_report", args=(cast.farm.handle, "corn", 2025))
    unsaid = next(words for words in where if words.startswith("What "))
    asked = count_gaps(farm_book_of(cast.farm))["unsaid"]
    query = "&".join(f"unit={one}" for one in asked[:NAMED])
    assert where[unsaid] == f"{reverse('farm_claims', args=(cast.farm.handle,))}?{query}#asked"
    for words, href in where.items():
        assert f'<a href="{escape(href)}">{words}' in home.content.decode()
    progress = client_progress(cast.farm, today())
    assert progress.words == " ".join(where)
    assert progress.parts[0].words.split(" ", 1)[1].startswith("things stand before the signatures of ")
    assert [*where].index(said) < [*where].index(unsaid), "a signature that waits comes before a question"
    assert "Every practice" not in progress.words, "what is done is nothing that a client needs"


def test_a_claim_that_the_records_contradict_is_told_alike_everywhere_and_also_once_all_is_signed(
    cast: Cast,
) -> None:
    fill_season(cast)
    handle, harvest, cover = cast.farm.handle, KINDS["harvest"], KINDS["cover_crop"]
    farm = farm_book_of(cast.farm)
    like = farm.texts(cover, next(iter(farm.of(cover)))) or {}
    edits = [
        Edit(cover.name, "X1", {**like, "cover_id": "X1", "unit_id": "G35", "harvest_id": "G35-2025",
                                "termination_method": "tillage"}),
        Edit(harvest.name, "G35-2025", {**(farm.texts(harvest, "G35-2025") or {}), "claims": "cover_crop"}),
    ]  # fmt: skip
    change_book(cast.book, edits, reason="it was disked", actor=cast.actor("owner"))
    words = "Correct the record, or stop claiming cover crop on G35"
    farm = farm_book_of(cast.farm)
    assert farm_steps(cast.farm)[0].words == words
    assert progress_of(cast.farm).parts[0].words == f"{words}."
    assert progress_of(cast.farm).urgency is Urgency.BY_DAY
    assert progress_of(cast.farm).why == "Claims against the records: 1"
    assert "Every practice" not in progress_of(cast.farm).words
    page = cast.client().get(reverse("farm_todo", args=(handle,)))
    assert words in [step.words for step in page.context["more"]]
    for one in page.context["lists"]:
        assert words not in [thing.words for thing, *_ in one["things"]], "no carbon intensity rests on a tick"
        assert one["blocked"] == bool(one["draft"].in_the_way) or "Make a signing key" in str(one["things"])


def test_an_amendment_names_the_very_row_that_reopened_the_report(signed: Producer) -> None:
    cast, handle = signed.cast, signed.cast.farm.handle
    row = {"soil_test_id": "T1", "unit_id": "N40", "sampled_on": "2024-03-20"}
    edits = [Edit("soil_test", "T1", row), Edit("soil_test", "T2", {**row, "soil_test_id": "T2", "unit_id": "G35"})]
    change_book(cast.book, edits, reason="forgotten", actor=cast.actor("owner"))
    (corn,) = [one for one in standings_of(farm_book_of(cast.farm)) if one.crop == "corn"]
    assert corn.is_news
    words = f"Added to {KINDS['soil_test'].label}: T1"
    assert corn.reopened_by == f"The records say something else by now: {words}.", (
        "and not the test of a unit that the report does not rest on"
    )
    back = quote_plus(reverse("farm_todo", args=(handle,)))
    link = f'<a href="{reverse("farm_row", args=(handle, "soil_test"))}?row=T1&amp;next={back}">{words}</a>'
    assert link in signed.client.get(reverse("farm_report", args=(handle, "corn", 2025))).content.decode()
    assert link in signed.client.get(reverse("farm_todo", args=(handle,))).content.decode()
    assert words in " ".join(step.why for step in farm_steps(cast.farm))


def test_an_amendment_names_what_was_changed_and_what_was_removed(amended: Producer) -> None:
    cast = amended.cast
    (corn,) = [one for one in standings_of(farm_book_of(cast.farm)) if one.crop == "corn"]
    assert corn.is_news
    assert {one.day for one in draft_of(farm_book_of(cast.farm), "corn", 2025).reopened_by} == {today()}
    assert f"Changed in {KINDS['harvest'].label}: N40-2025" in corn.reopened_by
    change_book(cast.book, [Edit("bushel_total", "BT1", None)], reason="gone", actor=cast.actor("owner"))
    found = [one.words for one in draft_of(farm_book_of(cast.farm), "corn", 2025).reopened_by]
    assert f"Removed from {KINDS['bushel_total'].label}: BT1" in found
    assert corn.reopened_by.endswith(f" (and {len(found) - 1} more).")


NEXT = {"harvest_id": "N40-2027", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}
RYE = {
    "cover_id": "RYE", "unit_id": "N40", "harvest_id": "N40-2027", "seeded_on": "2026-10-20", "seeded_acres": "40",
    "method": "drilled",
}  # fmt: skip
SPECIES = {"cover_id": "RYE", "species": "Cereal Rye, Winter", "rate_lb_per_ac": "50"}
PASS = {"operation_id": "O1", "unit_id": "N40", "operation": "Sprayer, post emergence"}


def write(signed: Producer, *edits: Edit) -> None:
    change_book(signed.cast.book, list(edits), reason="typed", actor=signed.cast.actor("owner"))


def corn(signed: Producer) -> DraftState:
    (found,) = [one for one in standings_of(farm_book_of(signed.cast.farm)) if one.crop == "corn"]
    assert found.is_news == draft_of(farm_book_of(signed.cast.farm), "corn", 2025).is_news
    return found


def entry(**more: str) -> Edit:
    return Edit("harvest", "N40-2027", {**NEXT, **more})


def test_a_cover_and_the_crop_that_follows_it_reopen_no_report_of_an_earlier_year(signed: Producer) -> None:
    write(signed, entry(), Edit("cover_crop", "RYE", RYE))
    assert (corn(signed).state, corn(signed).reopened_by) == (ReportState.SIGNED, "")
    sown = key_of(KINDS["cover_species"], SPECIES)
    write(signed, Edit("cover_species", sown, SPECIES))
    assert corn(signed).state is ReportState.SIGNED
    write(signed, Edit("cover_crop", "RYE", {**RYE, "terminated_on": "2027-04-20"}))
    assert corn(signed).state is ReportState.SIGNED
    write(signed, Edit("planting", "P9", {"planting_id": "P9", "harvest_id": "N40-2027", "planted_on": "2027-05-01"}))
    assert corn(signed).state is ReportState.SIGNED
    write(signed, entry(ending="harvested", first_day="2027-10-01", last_day="2027-10-02", bushels="2000"))
    assert corn(signed).state is ReportState.SIGNED
    gone = ("planting", "P9"), ("cover_species", sown), ("cover_crop", "RYE"), ("harvest", "N40-2027")
    write(signed, *(Edit(kind, key, None) for kind, key in gone))
    assert corn(signed).state is ReportState.SIGNED


def test_a_pass_reopens_the_report_of_the_interval_it_may_lie_in(signed: Producer) -> None:
    for day, unit, reopens in (
        ("2024-10-02", "N40", True),  # the day on which the harvest before began, and the interval with it
        ("2025-04-20", "N40", True),
        ("2025-09-26", "N40", True),  # the last day of harvest
        ("2025-09-27", "N40", False),
        ("", "N40", True),  # of no known day: it may have been any
        ("2025-04-20", "B50", False),
    ):
        write(signed, Edit("operation", "O1", {**PASS, "unit_id": unit, "day": day}))
        assert corn(signed).is_news is reopens, (day, unit)
        write(signed, Edit("operation", "O1", None))
        assert not corn(signed).is_news, "what was added and removed again leaves the records as they were signed"


def test_a_pass_corrected_into_the_interval_and_one_removed_from_it_reopen_the_report(signed: Producer) -> None:
    write(signed, Edit("operation", "O1", {**PASS, "day": "2026-04-20"}))
    assert not corn(signed).is_news
    write(signed, Edit("operation", "O1", {**PASS, "day": "2025-04-20"}))
    assert corn(signed).reopened_by.endswith("Added to Field operations: O1.")
    write(signed, Edit("operation", "O1", None))
    write(signed, Edit("operation", "N40-06", None))
    assert corn(signed).reopened_by.endswith("Removed from Field operations: N40-06.")


def test_an_entry_that_turns_out_to_end_in_the_interval_reopens_the_report(signed: Producer) -> None:
    write(signed, entry())
    assert not corn(signed).is_news
    write(signed, entry(ending="terminated", first_day="2025-05-01", last_day="2025-05-01"))
    assert corn(signed).is_news


def test_seed_that_came_later_reopens_no_report(signed: Producer, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = {"purchase_id": "S9", "species": "Cereal Rye, Winter", "pounds": "2000", "supplier": "Co-op"}
    day = date.fromisoformat(draft_of(farm_book_of(signed.cast.farm), "corn", 2025).document["made_on"])
    later = day + timedelta(days=300)
    monkeypatch.setattr(drafts, "today", lambda: later)
    for days, reopens in ((0, True), (1, False), (200, False)):
        received = (day + timedelta(days=days)).isoformat()
        write(signed, Edit("seed_purchase", "S9", {**seed, "received_on": received}))
        assert corn(signed).is_news is reopens, received


def test_a_row_of_no_report_that_moves_a_verdict_of_one_reopens_it(signed: Producer) -> None:
    """Seed is weighed over the whole farm: what is sown on another field on an early day is missing on this one."""
    cover = {**RYE, "unit_id": "B50", "harvest_id": "B50-2025", "seeded_on": "2024-10-01", "seeded_acres": "50"}
    sown = {**SPECIES, "rate_lb_per_ac": "900"}
    write(signed, Edit("cover_crop", "RYE", cover), Edit("cover_species", key_of(KINDS["cover_species"], sown), sown))
    assert corn(signed).is_news
    assert corn(signed).reopened_by == "The records say something else by now."
