"""A signed report whose records changed: overview, list of things and a consultant's home tell it alike."""

import re
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
from provender.services.farm.book import Edit, change_book, farm_book_of
from provender.services.farm.verdicts import count_gaps
from provender.services.reports.drafts import ReportState, draft_of, standings_of
from tests.web.cast import Cast
from tests.web.farm.test_signing import correct_bushels, producer, registered
from tests.web.farm_season import fill_season
from tests.web.producer_keys import Producer

__all__ = ["producer", "registered"]


@pytest.fixture
def amended(registered: Producer) -> Producer:
    """Return the producer after the corn of 2025 was signed and its bushels were corrected."""
    assert registered.sign().status_code == 200
    correct_bushels(registered.cast)
    (corn,) = [one for one in standings_of(farm_book_of(registered.cast.farm)) if one.crop == "corn"]
    assert corn.state is ReportState.AMENDED
    return registered


def test_the_list_of_things_tells_of_the_amendment_as_the_overview_does(amended: Producer) -> None:
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


def test_an_amendment_names_the_very_row_that_reopened_the_report(registered: Producer) -> None:
    assert registered.sign().status_code == 200
    cast, handle = registered.cast, registered.cast.farm.handle
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
    assert link in registered.client.get(reverse("farm_report", args=(handle, "corn", 2025))).content.decode()
    assert link in registered.client.get(reverse("farm_todo", args=(handle,))).content.decode()
    assert words in " ".join(step.why for step in farm_steps(cast.farm))


def test_an_amendment_says_since_which_signature_and_on_which_day_each_row_changed(amended: Producer) -> None:
    handle, day = amended.cast.farm.handle, date_format(today(), "DATE_FORMAT")
    since = f"What changed since version 1 was signed on {day}:"
    for where in (reverse("farm_report", args=(handle, "corn", 2025)), reverse("farm_todo", args=(handle,))):
        text = amended.client.get(where).content.decode()
        assert since in text
        assert re.search(rf"N40-2025</a> \({day}\)", text)
    (corn,) = [one for one in standings_of(farm_book_of(amended.cast.farm)) if one.crop == "corn"]
    assert corn.is_news
    assert {one.day for one in draft_of(farm_book_of(amended.cast.farm), "corn", 2025).reopened_by} == {today()}


def test_the_head_of_the_list_and_its_counts_never_say_more_than_is_true(amended: Producer) -> None:
    page = amended.client.get(reverse("farm_todo", args=(amended.cast.farm.handle,)))
    (corn,) = [one for one in page.context["lists"] if one["draft"].crop == "corn"]
    assert not corn["things"]
    text = page.content.decode()
    assert f"{corn['done']} of {corn['whole']} records are there; the signature is missing" in text
    assert "<h1>To do before you can sign</h1>" in text, "another report still lacks something"
    assert page.context["blocked"] is any(one["blocked"] for one in page.context["lists"])
    known: dict[str, Any] = {}
    for part in page.context:
        known |= part.flatten()  # type: ignore[union-attr]
    alone = render_to_string("farm/todo.html", {**known, "lists": [corn], "blocked": False})
    assert "<h1>To do</h1>" in alone, "what only waits for its signature can be signed"


def test_an_amendment_names_what_was_changed_and_what_was_removed(amended: Producer) -> None:
    cast = amended.cast
    (corn,) = [one for one in standings_of(farm_book_of(cast.farm)) if one.crop == "corn"]
    assert f"Changed in {KINDS['harvest'].label}: N40-2025" in corn.reopened_by
    change_book(cast.book, [Edit("bushel_total", "BT1", None)], reason="gone", actor=cast.actor("owner"))
    found = [one.words for one in draft_of(farm_book_of(cast.farm), "corn", 2025).reopened_by]
    assert f"Removed from {KINDS['bushel_total'].label}: BT1" in found
    assert corn.reopened_by.endswith(f" (and {len(found) - 1} more).")


def test_an_amendment_comes_before_what_keeps_no_report_back(amended: Producer) -> None:
    steps = farm_steps(amended.cast.farm)
    first = next(at for at, one in enumerate(steps) if one.words.startswith("Sign an amendment"))
    later = [one.words for one in steps[:first] if not one.words.startswith(("Correct the record", "Make a signing"))]
    assert later == []
