"""A crop in the ground: what it asks for stands on To do with its day, apart from what a signature waits for.

Its season ends with no harvest on every page, its year is one that somebody sees, and what a cover crop lacks opens the
very row and field that lacks it. A year without a crop is shown as empty, with the form that adds its crop.
"""

import re
from datetime import date
from html import unescape
from typing import Any

import pytest
from django.test import Client

from provender.records.kind import KINDS
from provender.services.clients import Urgency, client_progress, farm_steps, progress_of
from provender.services.farm import growing
from provender.services.farm.book import Edit, FarmBook, farm_book_of
from provender.services.farm.field_says import before_crop, empty_years
from provender.services.farm.sown import NO_SOWER, SHOWS_PASS, gap_row, pass_of, sowing_questions
from provender.services.farm.verdicts import lacks_of, verdicts_of
from provender.services.reports.checklist import left_of
from provender.standards.standard import Verdict
from provender.verdicts.words import REASONS, Standing, requirements_of
from tests.web.cast import Cast
from tests.web.farm_season import at, change, keep_pages, put, seen
from tests.web.producer_keys import Producer
from tests.web.replayed import replayed

NEXT = {"harvest_id": "N40-next", "unit_id": "N40", "crop": "corn", "ending": "not_yet"}
RYE = {"cover_id": "RYE", "unit_id": "N40", "harvest_id": "N40-next", "seeded_on": "2025-10-10", "seeded_acres": "",
       "method": "drilled"}  # fmt: skip
MIX = {"cover_id": "RYE", "species": "Cereal Rye, Winter", "as_typed": "cereal rye"}


@pytest.fixture
def fall(season: Cast, monkeypatch: pytest.MonkeyPatch) -> Cast:
    on(monkeypatch, date(2025, 11, 28))
    return season


def on(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    monkeypatch.setattr(growing, "today", lambda: day)


def sow(cast: Cast, **changed: str) -> FarmBook:
    """Sow the cover and the crop after it: made once, as the book is judged once then."""
    edits = (Edit("harvest", "N40-next", NEXT), Edit("cover_crop", "RYE", {**RYE, **changed}),
             Edit("cover_species", "RYE/Cereal Rye, Winter", MIX))  # fmt: skip
    if changed:
        return put(cast, *edits)

    def made() -> None:
        put(cast, *edits)
        keep_pages(cast)

    replayed("sown", made)
    return farm_book_of(cast.farm)


def page_of(client: Client, cast: Cast, name: str, **asked: str) -> str:
    answer = client.get(at(cast, name), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def asked(asks: tuple[growing.GrowingAsk, ...]) -> dict[tuple[str, str], growing.GrowingAsk]:
    return {(one.kind, one.column): one for one in asks}


def practices(farm: FarmBook) -> dict[str, dict[str, Any]]:
    (one,) = growing.growing_of(farm)
    return {each["practice"]: each for each in one["practices"]}


def lack(kind: str, column: str, *rows: str, reason: str = "", asked_by: str = "") -> dict[str, Any]:
    """Return what is missing as ``lacks_of`` has it, as far as its form asks."""
    return {"kind": kind, "column": column, "reason": reason, "rows": list(rows), "asked_by": asked_by}


def test_what_comes_later_is_not_missing(fall: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    farm = sow(fall)
    (one,) = growing.growing_views(farm)
    now, later = asked(one.asks), asked(one.later)
    photograph = now["cover_crop", "established_photo"]
    assert (photograph.when, photograph.day) == (growing.When.BY, date(2026, 6, 30))
    assert now["cover_species", "rate_lb_per_ac"].when is growing.When.NOW
    assert now["cover_crop", "seeded_acres"].when is growing.When.NOW
    assert {("cover_crop", "terminated_on"), ("planting", "planted_on")} <= later.keys()
    whole = {(ask.kind, ask.why) for ask in one.later if not ask.column}
    assert not {(ask.kind, ask.why) for ask in one.asks} & whole
    on(monkeypatch, date(2026, 3, 1))
    (one,) = growing.growing_views(farm)
    end = asked(one.asks)["cover_crop", "terminated_on"]
    assert (end.when, end.until, end.day) == (growing.When.BY, "in spring", date(2026, 6, 30))
    on(monkeypatch, date(2026, 7, 1))
    (one,) = growing.growing_views(farm)
    assert asked(one.asks)["cover_crop", "terminated_on"].when is growing.When.NOW
    assert asked(one.asks)["planting", "planted_on"].when is growing.When.NOW
    ended = change(fall, "cover_crop", "RYE", terminated_on="2026-04-20", termination_method="herbicide")
    on(monkeypatch, date(2026, 4, 1))
    (one,) = growing.growing_views(ended)
    assert asked(one.asks)["cover_crop", "established_photo"].day == date(2026, 4, 20), "photographed before its end"
    for day, when in ((date(2026, 4, 20), growing.When.BY), (date(2026, 4, 21), growing.When.NOW)):
        on(monkeypatch, day)
        (one,) = growing.growing_views(ended)
        assert asked(one.asks)["cover_crop", "established_photo"].when is when


def test_to_do_has_it_once_and_signatures_wait_no_longer(fall: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    client = fall.client()
    before = [(one.name, one.things) for one in left_of(farm_book_of(fall.farm))]
    page = page_of(client, fall, "farm_todo")
    assert "What grows now" not in page
    assert re.search(r'cover_crop/row/\?row=[^"]*#id_established_photo"', page), "a thing opens the very field"
    assert not [one for one in farm_steps(fall.farm) if "growing" in one.words]
    farm = sow(fall)
    assert [(one.name, one.things) for one in left_of(farm)] == before
    needs, looked, real = growing.needs_of(growing.growing_views(farm)), [], growing._grows

    def counted(farm: FarmBook, one: dict[str, Any], unsaid: set[str]) -> growing.GrowingCrop:
        looked.append(farm)
        return real(farm, one, unsaid)

    monkeypatch.setattr(growing, "_grows", counted)
    page = page_of(client, fall, "farm_todo")
    assert len(looked) == 1
    assert f"What grows now: {needs.things} things" in page
    section = page[page.index('id="growing"') :]
    assert "Due by Jun 30, 2026" in section
    assert "Say what field corn 2026 claims on N40" in section
    assert "termination date" in section[section.index("What comes later") :]
    (step,) = [one for one in farm_steps(fall.farm) if "growing crops" in one.words]
    assert (step.page, f"these {needs.things} things" in step.why) == ("farm_todo", True)
    assert "The first is due by 2026-06-30." in step.why
    # The question what it claims opens at it, and comes back.
    (href,) = re.findall(r'href="([^"]*claims/[^"]*)"', page.partition("What else")[0])
    assert href.endswith("#asked")
    path = unescape(href).partition("#")[0]
    (row,) = re.findall(r'<tr id="asked".*?</tr>', client.get(path).content.decode(), re.DOTALL)
    assert "N40-next" in row
    sent = {"crop": "N40-next", "nothing": "N40-next", "seen": farm_book_of(fall.farm).version}
    assert client.post(path, sent)["Location"].endswith("/farm/todo/")


def test_a_claim_that_the_records_of_a_growing_crop_speak_against_is_told(fall: Cast) -> None:
    sow(fall, terminated_on="2026-04-14", termination_method="tillage")
    (one,) = growing.growing_views(change(fall, "harvest", "N40-next", claims="cover_crop"))
    assert [each.practice for each in one.wrong] == ["cover_crop"]
    page = page_of(fall.client(), fall, "farm_todo")
    assert "stop claiming cover crop" in page
    assert "claims on N40" not in page, "it says what it claims"


def test_a_client_whose_crops_grow_has_something_to_do(fall: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    before = progress_of(fall.farm)
    needs = growing.needs_of(growing.growing_views(sow(fall)))
    assert needs.things > 1
    assert needs.day == date(2026, 6, 30)
    after = progress_of(fall.farm)
    assert after.things == before.things + needs.things
    assert "Do what the growing crops ask for." in after.words
    far, near = date(2026, 5, 1), date(2026, 6, 18)
    assert client_progress(fall.farm, far).urgency == after.urgency != Urgency.NOTHING
    on(monkeypatch, near)
    found = client_progress(fall.farm, near)
    assert (found.urgency, found.days) == (Urgency.BY_DAY, 12)
    assert found.why.startswith("Growing crops: due in 12 days, ")
    assert found.words.count("Do what the growing crops ask for.") == 1


def test_what_a_growing_crop_lacks_is_told_and_what_speaks_against_it_too(season: Cast) -> None:
    before = verdicts_of(farm_book_of(season.farm))
    change(season, "harvest", "N40-next", **NEXT)
    farm = change(season, "cover_crop", "RYE", **{**RYE, "seeded_acres": "40"})
    (one,) = growing.growing_of(farm)
    assert (one["unit_id"], one["crop_label"], one["harvest_year"]) == ("N40", "Field corn", 2026)
    cover = practices(farm)["cover_crop"]
    lacks = {(each["kind"], each["column"]) for each in lacks_of(requirements_of(one, cover))}
    assert {("cover_crop", "terminated_on"), ("cover_species", ""), ("planting", "planted_on")} <= lacks
    assert ("cover_crop", "seeded_on") not in lacks, "its day is there and only waits for the planting"
    assert cover["implementation"] == Verdict.NOT_SHOWN
    found = practices(farm)
    stands = {name: found[name]["standing"] for name in ("no_till", "cover_crop")}
    assert stands["cover_crop"] == Standing.NOT_SHOWN != stands["no_till"], "what nobody claims is not counted"
    found = practices(change(season, "harvest", "N40-next", claims="no_till"))
    assert [found[name]["standing"] for name in stands] == [Standing.NOT_SHOWN, Standing.NOT_CLAIMED]
    farm = change(season, "cover_crop", "RYE", terminated_on="2026-04-14", termination_method="tillage")
    assert practices(farm)["cover_crop"]["implementation"] == Verdict.NOT_MET
    assert verdicts_of(farm)["intervals"] == before["intervals"], "no verdict comes of a crop that is not harvested"


def test_the_year_of_a_crop_to_come_is_that_of_what_was_done_for_it(season: Cast) -> None:
    planted = {"planting_id": "P9", "harvest_id": "N40-next", "planted_on": "2028-04-20"}
    gone = ("planting", "P9"), ("cover_crop", "RYE"), ("harvest", "N40-2025"), ("harvest", "N40-2024")
    for edits, year in (
        ([Edit("harvest", "N40-next", NEXT)], 2026),  # the year after the field's last harvest
        ([Edit("cover_crop", "RYE", {**RYE, "seeded_on": "2026-09-10"})], 2027),
        ([Edit("cover_crop", "RYE", {**RYE, "seeded_on": "2026-03-10"})], 2026),
        ([Edit("planting", "P9", planted), Edit("cover_crop", "RYE", RYE)], 2028),
        ([Edit(kind, key, None) for kind, key in gone], None),
    ):
        assert [one.year for one in growing.growing_crops(put(season, *edits))] == [year]


@pytest.mark.slow
def test_its_season_ends_with_no_harvest_and_the_pages_of_practices_show_it_so(fall: Cast) -> None:
    (one,) = growing.growing_seasons(sow(fall))
    assert one["last_day"] is None
    assert [event["what"] for event in one["events"]] == ["End of the crop before (corn)", "Cover crop seeded"]
    client = fall.client()
    pages = {name: page_of(client, fall, name) for name in (
        "farm", "farm_claims", "farm_plan", "farm_intensity", "farm_season", "farm_reports")}  # fmt: skip
    for name, page in pages.items():
        assert ("not harvested yet" in page, "N40" in page) == (True, True), name
    assert at(fall, "farm_crop", crop="N40-next") in pages["farm"]
    assert "Field corn 2026" in pages["farm"]
    page = page_of(client, fall, "farm_crop", crop="N40-next")
    for words in ("Not harvested yet", "Termination date", "(after the harvest)"):
        assert words in page
    season = page_of(client, fall, "farm_season", year="2026")
    assert "<h1>Season 2026</h1>" in season
    assert at(fall, "farm_season", unit="N40") in season
    assert "Cover crop seeded" in page_of(client, fall, "farm_season", unit="N40")
    page = page_of(client, fall, "farm_season", year="2031")
    assert "No records of 2031." in page
    assert "<h1>Season 2025</h1>" not in page
    assert "No records of" not in page_of(client, fall, "farm_season", year="2025")
    sent = {"crop": "N40-next", "claim": "N40-next/cover_crop", "seen": str(farm_book_of(fall.farm).version)}
    assert client.post(at(fall, "farm_claims"), sent).status_code == 302
    assert farm_book_of(fall.farm).of(KINDS["harvest"])["N40-next"]["claims"] == "cover_crop"


@pytest.mark.slow
def test_a_crop_entry_without_a_verdict_says_why(season: Cast) -> None:
    client = season.client()
    said = {
        "N40-a": ({"ending": "fallow"}, "lay fallow"),
        "N40-b": ({"ending": "harvested"}, "no day of harvest"),
        "N40-c": ({"ending": "harvested", "last_day": "2020-10-01", "first_day": "2020-10-01"}, "before the rule"),
        "N40-d": ({"ending": "not_yet", "crop": "wheat"}, "corn, soybeans"),
    }
    put(season, *(Edit("harvest", name, {**NEXT, "harvest_id": name, **row}) for name, (row, _) in said.items()))
    for name, (_, why) in said.items():
        assert why in page_of(client, season, "farm_crop", crop=name), name
    assert client.get(at(season, "farm_crop", crop="never")).status_code == 404


OF = {"unit_id": "N40", "harvest_id": "N40-next"}
SEEDED = {**RYE, "seeded_acres": "40"}


@pytest.fixture
def covered(season: Cast) -> Cast:
    edits = Edit("harvest", "N40-next", NEXT), Edit("cover_crop", "RYE", SEEDED)
    replayed("a cover without its species", lambda: bool(put(season, *edits)))
    return season


def test_a_gap_opens_the_row_that_lacks_or_says_it_and_a_new_one_names_its_cover(covered: Cast) -> None:
    assert gap_row(farm_book_of(covered.farm), OF, lack("cover_species", "rate_lb_per_ac")) == ("", {"cover_id": "RYE"})
    farm = put(covered, Edit("cover_species", "RYE/Cereal Rye, Winter", MIX))
    rate = lack("cover_species", "rate_lb_per_ac", "RYE/Cereal Rye, Winter")
    mix = next(key for key, row in farm.of(KINDS["cover_species"]).items() if row["cover_id"] == "RYE")
    assert gap_row(farm, OF, rate) == (mix, {})
    farm = change(covered, "cover_crop", "RYE", terminated_on="2025-09-01")
    assert gap_row(farm, OF, lack("cover_crop", "terminated_on", "RYE", reason="days_contradict")) == ("RYE", {})
    before = {"unit_id": "N40", "harvest_id": "N40-2025"}
    given_up = lack("planting", "planted_on", reason="stand_not_planted", asked_by="N40-next")
    assert gap_row(farm, before, given_up) == ("", {"harvest_id": "N40-next"}), "the stand that lacks it, not this crop"


def test_every_form_that_a_finding_opens_is_that_of_the_row_it_names_by_its_reason(fall: Cast) -> None:
    farm = sow(fall)
    for one in [*verdicts_of(farm)["intervals"], *growing.growing_of(farm)]:
        for each in lacks_of(one["requirements"].values()):
            key, given = gap_row(farm, one, each)
            rows = farm.of(KINDS[each["kind"]])
            assert (key in rows) if key else set(given) <= set(KINDS[each["kind"]].fields), each
    used = {*growing.OF_CROPS_BEFORE, *growing.NEXT_PASS, *SHOWS_PASS, NO_SOWER} - {""}
    assert used <= REASONS.keys()


PLANTER, DRILL = "N40-04", "N40-01"


def sowing(cast: Cast, client: Client) -> str:
    """Return what To do asks about what was sown."""
    page = client.get(at(cast, "farm_todo")).content.decode()
    return unescape(page.partition('id="sowing"')[2].partition("</section>")[0])


def test_what_the_farm_sows_with_is_what_it_sowed_such_a_thing_with_last(season: Cast) -> None:
    heavy = "Drill, heavy, direct seed, dbl disk opnr"
    farm = change(season, "operation", "K45-02", operation=heavy)
    assert pass_of(farm, "cover_crop", RYE) == {"unit_id": "N40", "day": "2025-10-10", "operation": heavy}
    assert not sowing_questions(
        put(season, Edit("harvest", "N40-next", NEXT), Edit("cover_crop", "RYE", {**SEEDED, "method": "aerial"}))
    )
    beans = {"harvest_id": "N40-2025", "planted_on": "2025-06-09"}
    assert pass_of(farm, "planting", beans)["operation"].startswith("Planter")


def test_a_pass_alone_offers_what_it_sowed_and_two_days_that_differ_are_asked_about(season: Cast) -> None:
    assert not sowing_questions(farm_book_of(season.farm)), "a season that fits asks nothing"
    planter = farm_book_of(season.farm).texts(KINDS["operation"], PLANTER) or {}
    change(season, "operation", PLANTER, day="2025-05-05")
    said = sowing(season, season.client())
    assert "planting N40-P1 is of Apr 23, 2025, and pass N40-04 of a planter or drill is of May 5, 2025" in said
    gone = Edit("planting", "N40-P1", None), Edit("cover_crop", "N40-C1", None)
    farm, client = put(season, Edit("operation", PLANTER, {**planter, "day": "2025-04-23"}), *gone), season.client()
    assert {one.sower.key: one.adds for one in sowing_questions(farm) if one.sower} == {
        PLANTER: ("planting", {"harvest_id": "N40-2025", "planted_on": "2025-04-23"}),
        DRILL: ("cover_crop", {"unit_id": "N40", "harvest_id": "N40-2025", "seeded_on": "2024-10-08"}),
    }
    link = re.search(r'<a href="([^"]*)">Add the planting</a>', sowing(season, client))
    assert link
    form = client.get(link[1]).context["form"]
    assert (form["harvest_id"].value(), form["planted_on"].value()) == ("N40-2025", "2025-04-23")


@pytest.mark.slow
def test_what_is_signed_is_asked_about_no_more_and_this_year_is(registered: Producer) -> None:
    cast, client = registered.cast, registered.client
    first = farm_book_of(cast.farm).texts(KINDS["operation"], PLANTER) or {}
    change(cast, "operation", "X9", **{**first, "operation_id": "X9", "unit_id": "W35", "day": "2025-05-15"})

    def steps() -> list[str]:
        return [one.words for one in farm_steps(cast.farm) if one.anchor == "sowing"]

    assert "X9" in sowing(cast, client), "before it is signed"
    assert steps() == ["Answer 1 question"]
    assert registered.sign().status_code == 200
    assert sowing_questions(farm_book_of(cast.farm)), "the rows say what they said"
    assert not steps()
    planted = {"planting_id": "P26", "harvest_id": "N40-next", "planted_on": "2026-04-20"}
    put(cast, Edit("harvest", "N40-next", NEXT), Edit("planting", "P26", planted))
    asks = sowing(cast, client)
    assert ("P26" in asks, "X9" in asks) == (True, False)


TO_COME = {"unit_id": "N40", "crop": "corn", "ending": "not_yet"}


def test_an_entry_to_come_is_of_the_year_of_its_cover(season: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    farm = farm_book_of(season.farm)
    for seeded, year in ((date(2030, 7, 1), 2031), (date(2030, 6, 30), 2030), (date(2030, 10, 5), 2031)):
        assert growing.year_to_come(farm, "N40", seeded_on=seeded) == year
    for month, year in ((10, 2040), (11, 2041)):
        on(monkeypatch, date(2040, month, 20))
        assert growing.year_to_come(farm, "N40") == year


@pytest.mark.slow
def test_a_year_that_is_none_is_told_and_two_crops_to_come_of_two_years_are_no_repeat(season: Cast) -> None:
    client, where = season.client(), at(season, "farm_row", "harvest")
    for wrong in ("next", "20311", "1979"):
        page = client.post(where, {**TO_COME, **seen(season), "harvest_year": wrong})
        assert "harvest_year" in page.context["form"].errors, wrong
    for year in ("2031", "2032"):
        assert client.post(where, {**TO_COME, **seen(season), "harvest_year": year}).status_code == 302, year
    again = client.post(where, {**TO_COME, **seen(season), "harvest_id": "ELSE", "harvest_year": "2032"})
    assert again.status_code == 200, "one without a year in its name may be either"
    assert "already" in again.content.decode()


CORN = {"harvest_id": "N40-2027", "unit_id": "N40", "crop": "corn", "ending": "not_yet"}


def empty(cast: Cast) -> list[tuple[str, str]]:
    return [(one.unit_id, one.words) for one in empty_years(farm_book_of(cast.farm))]


def test_a_year_that_lay_fallow_is_entered_and_work_without_a_crop_is_not_nothing(season: Cast) -> None:
    assert not empty(season)
    change(season, "harvest", "N40-2027", **CORN)
    assert empty(season) == [("N40", "2026: nothing entered")]
    change(season, "operation", "X", operation_id="X", unit_id="N40", day="2026-05-01", operation="Sprayer, kill crop")
    assert empty(season) == [("N40", "2026: no crop entered")]
    for key, ending in (("N40-2026", "fallow"), ("N40-2026", "prevented"), ("rest", "fallow")):
        change(season, "harvest", key, harvest_id=key, unit_id="N40", crop="other", ending=ending)
        assert not empty(season), "and of a name without a year nobody knows which it is"
        change(season, "harvest", key)
    put(season, Edit("harvest", "N40-2027", None), Edit("operation", "X", None))
    change(season, "harvest", "N40-2029", **{**CORN, "harvest_id": "N40-2029"})
    years = empty_years(farm_book_of(season.farm))
    assert [one.year for one in before_crop(years, "N40", 2029)] == [2026, 2027, 2028]
    assert not before_crop(years, "N40", 2025)
    assert not before_crop(years, "N40", None)
    change(season, "harvest", "old", harvest_id="old", unit_id="N40", crop="corn", ending="harvested",
           first_day="1925-10-01", last_day="1925-10-01")  # fmt: skip
    assert len(empty(season)) <= 10, "an old slip asks for no more"
