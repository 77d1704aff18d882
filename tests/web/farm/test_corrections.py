"""Whoever corrects a row sees what would change before it is saved, hears what it moved, and comes back.

What rests on a correction is asked about; an earlier state is put back as a new change; what a row rules out is said
wherever the farm looks.
"""

import pytest
from django.http import HttpResponse
from django.test import Client

from provender.database.models.farm import rows_of
from provender.records.kind import KINDS
from provender.services.clients import farm_steps
from provender.services.farm.book import Edit, farm_book_of
from provender.services.farm.sown import gap_row
from provender.services.farm.verdicts import count_gaps, lacks_of, told_against, verdicts_of
from provender.services.reports.change_report import removal_of
from provender.services.reports.checklist import standings_of
from provender.verdicts.words import Standing, requirements_of
from tests.web.api.test_calls import data, get
from tests.web.cast import Cast
from tests.web.farm_season import CROP, at, change, keep_pages, put, seen
from tests.web.producer_keys import Producer
from tests.web.replayed import replayed

ROW = "N40-01"
PLOW = {"operation": "Plow, moldboard", "depth_in": "8"}


def typed(cast: Cast, key: str = ROW, kind: str = "operation", **changed: str) -> tuple[str, dict[str, str]]:
    """Return where a row is corrected, and what its form sends."""
    said = farm_book_of(cast.farm).texts(KINDS[kind], key) or {}
    sent = {**said, **seen(cast), "reason_for_change": "the log says so", **changed}
    return at(cast, "farm_row", kind, row=key), sent


def stands(cast: Cast, key: str = ROW) -> str:
    return str(rows_of(cast.book)["operation"][key]["operation"])


def text_of(page: HttpResponse) -> str:
    return " ".join(page.content.decode().split())


def test_a_correction_on_which_verdicts_rest_is_asked_about_and_saved_by_its_page(season: Cast) -> None:
    client, before = season.client(), stands(season)
    where, sent = typed(season, **PLOW)
    asked = client.post(where, sent)
    assert asked.status_code == 200
    assert stands(season) == before, "asking writes nothing"
    text = text_of(asked)  # type: ignore[arg-type]
    assert "N40, field corn 2025: No-till, met → <strong>not met</strong>" in text
    assert "would no longer fit the records" in text
    assert "Field corn 2025, open model (an estimate): " in text
    assert f"{before} → {PLOW['operation']}" in text
    again = client.post(where, {**dict(asked.context["kept"]), "looked": "no"})
    assert again.context["form"]["operation"].value() == PLOW["operation"], "what was typed is still there"
    assert stands(season) == before
    assert client.post(where, {**dict(asked.context["kept"]), "looked": "yes"}).status_code == 302
    assert stands(season) == PLOW["operation"]


def test_what_nothing_rests_on_and_what_is_new_is_saved_at_once_and_what_was_overtaken_refused(season: Cast) -> None:
    client, kind = season.client(), KINDS["operation"]
    where, stale = typed(season, **PLOW)
    assert client.post(*typed(season, note="a word more")).status_code == 302, "no verdict changes"
    refused = client.post(where, stale)
    assert refused.context["form"].errors
    assert "kept" not in refused.context
    like = farm_book_of(season.farm).texts(kind, ROW) or {}
    new = {**like, **PLOW, "operation_id": "N40-77", **seen(season)}
    assert client.post(at(season, "farm_row", kind.name), new).status_code == 302
    assert stands(season, "N40-77") == PLOW["operation"]


def test_a_report_that_a_change_would_overtake_is_named(signed: Producer) -> None:
    cast, client = signed.cast, signed.client
    goes = data(get(f"/records/kinds/operation/removal?key={ROW}", cast.token_secret))
    assert goes["reports"] == [
        {"report": "Field corn 2025", "version": 1, "after": "an amendment would wait for its signature"}
    ]
    where, sent = typed(cast, note="a word more")
    asked = client.post(where, sent)
    said = "Field corn 2025, version 1: <strong>an amendment would wait for its signature"
    assert said in text_of(asked)  # type: ignore[arg-type]
    assert client.post(where, {**dict(asked.context["kept"]), "looked": "yes"}).status_code == 302
    assert not removal_of(farm_book_of(cast.farm), KINDS["operation"], ROW).reports, "an amendment waits already"
    (again,) = client.get(at(cast, "farm_row_put_back", "operation", row=ROW, version=2)).context["removal"].reports
    assert again.after == "says again what was signed"


def offers(client: Client, cast: Cast) -> list[str]:
    table = client.get(at(cast, "farm_row", "harvest", row=CROP)).context["history"]
    return [cell.href for row in table.cells for cell in row if cell.text == "Put back …"]


def messages(page: object) -> list[str]:
    return [str(message) for message in page.context["messages"]]  # type: ignore[attr-defined]


def test_an_earlier_state_is_put_back_as_a_new_change_onto_what_was_seen(season: Cast) -> None:
    client, version = season.client(), farm_book_of(season.farm).version
    where, sent = typed(season, CROP, "harvest", bushels="")
    bushels = str(rows_of(season.book)["harvest"][CROP]["bushels"])
    assert "kept" in client.post(where, sent).context, "a carbon intensity goes: it is asked about"
    assert client.post(where, {**sent, "looked": "yes"}).status_code == 302
    (back,) = offers(client, season)
    assert back == at(season, "farm_row_put_back", "harvest", row=CROP, version=version), "each state but today's"
    reader = season.client("reader")
    assert (offers(reader, season), reader.get(back).status_code) == ([], 403)
    asked = client.get(back)
    assert f"nothing → {bushels}" in asked.content.decode()
    assert rows_of(season.book)["harvest"][CROP]["bushels"] == "", "asking writes nothing"
    assert client.post(back, {"seen": version}).status_code == 409
    assert rows_of(season.book)["harvest"][CROP]["bushels"] == ""
    for row, none in ((CROP, 999), (CROP, "x"), (CROP, 0), ("none", version)):
        assert client.get(at(season, "farm_row_put_back", "harvest", row=row, version=none)).status_code == 404
    done = client.post(back, {"seen": asked.context["seen"]}, follow=True)
    assert rows_of(season.book)["harvest"][CROP]["bushels"] == bushels
    assert f"says again what it said in version {version}." in messages(done)[0]
    reasons = [row[2].text for row in done.context["history"].cells]
    assert (reasons[0].endswith(f"put back as of version {version}"), len(reasons)) == (True, 3)


def test_who_fills_in_a_blank_is_not_asked_and_a_step_says_of_which_harvest_it_is(season: Cast) -> None:
    bushels = str(rows_of(season.book)["harvest"][CROP]["bushels"])
    before = change(season, "harvest", CROP, bushels="")
    where, sent = typed(season, CROP, "harvest", bushels=bushels)
    done, intensity = messages(season.client().post(where, sent, follow=True))
    left, earlier = (sum(of.things for of in standings_of(one)) for one in (farm_book_of(season.farm), before))
    assert left < earlier
    assert f"is saved. Left to do before the signatures: {left} (until now: {earlier})." in done
    assert intensity.startswith("CI of Sorghum 2025 by USDA FD-CIC runs: not shown → ")

    def told() -> list[str]:
        return [one.why for one in farm_steps(season.farm) if one.page in ("farm_claims", "farm_crop", "farm")]

    assert told()
    assert not [why for why in told() if "about the harvest of" in why]
    change(season, "harvest", "N40-2026", harvest_id="N40-2026", unit_id="N40", crop="corn", ending="harvested",
           first_day="2026-10-01", last_day="2026-10-02", bushels="7000", claims="none")  # fmt: skip
    assert [why for why in told() if why.startswith("This is about the harvest of 2025. ")]


UNIT, ENTRY, WHY = "G35", "G35-2025", "The cover crop was ended by tillage."


def standing(cast: Cast) -> str:
    intervals = verdicts_of(farm_book_of(cast.farm))["intervals"]
    found = next(one for one in intervals if one["harvest_id"] == ENTRY)
    return str(next(one["standing"] for one in found["practices"] if one["practice"] == "cover_crop"))


@pytest.fixture
def tilled(season: Cast) -> Cast:
    """Return the cast after the cover of a field of which nothing is said was tilled under."""
    assert farm_steps(season.farm)[0].words == f"Say what {UNIT} claims"
    assert standing(season) == Standing.NOT_SHOWN
    farm, kind = farm_book_of(season.farm), KINDS["cover_crop"]
    like = farm.texts(kind, next(iter(farm.of(kind)))) or {}
    row = {**like, "cover_id": "X1", "unit_id": UNIT, "harvest_id": ENTRY, "termination_method": "tillage"}

    def till() -> None:
        put(season, Edit(kind.name, "X1", row))
        keep_pages(season)

    replayed("a cover tilled under", till)
    assert standing(season) == Standing.RULED_OUT
    return season


def test_what_the_records_rule_out_is_grey_with_its_reason_beside_it_and_asked_on(tilled: Cast) -> None:
    farm = farm_book_of(tilled.farm)
    assert (UNIT, "Cover crop") in {one[:2] for one in told_against(verdicts_of(farm)["intervals"], Standing.RULED_OUT)}
    matrix = tilled.client().get(at(tilled, "farm")).context["matrix"]
    noted = {(cell.text, cell.note) for row in matrix.cells if row[0].text == UNIT for cell in row}
    said = next(note for text, note in noted if text == "Cannot be met" and note.startswith(WHY))
    assert said.startswith(f"{WHY} It rests on X1 (")
    assert "buried" not in said, "the matrix has space for one reason"
    step = farm_steps(tilled.farm)[0]
    assert step.words == f"Say what {UNIT} claims"
    assert "Cover crop" in step.why.partition(f"What cannot be met on {UNIT}: ")[2]
    assert not count_gaps(change(tilled, "harvest", ENTRY, claims="none"))["unsaid"]
    assert standing(tilled) == Standing.NOT_CLAIMED


@pytest.mark.slow
def test_the_page_of_the_field_says_it_open_with_what_must_hold_and_could_be_done_and_links_to_the_row(
    tilled: Cast,
) -> None:
    page = tilled.client().get(at(tilled, "farm_crop", crop=ENTRY)).content.decode()
    part = page.partition('aria-labelledby="cover_crop"')[2].partition("</section>")[0]
    open_part = part.partition("<details")[0]
    for words in (WHY, "cannot meet", "It is ended by winter kill", "correct it", "Say what this field claims"):
        assert words in open_part
    assert "not-met" not in open_part, "red is for claims that the records contradict"
    rests = part.partition("It rests on: Cover crops: ")[2].partition("</p>")[0]
    assert f"{at(tilled, 'farm_row', 'cover_crop')}?row=X1&amp;" in rests
    assert ">X1 (" in rests


def test_a_finding_about_a_shallow_pass_leads_to_the_pass(season: Cast) -> None:
    said = {"depth_in": "0.1", "known_by": "typed_in_season", "evidence": ""}
    passes = farm_book_of(season.farm).of(KINDS["operation"]).items()
    farm = put(season, *(Edit("operation", key, {**row, **said}) for key, row in passes if row["operation"]))
    found = [
        (crop, lack)
        for crop in verdicts_of(farm)["intervals"] for practice in crop["practices"]
        for lack in lacks_of(requirements_of(crop, practice)) if lack["reason"] == "below_published_least"
    ]  # fmt: skip
    assert found
    for crop, lack in found:
        key, given = gap_row(farm, crop, lack)
        assert (farm.of(KINDS["operation"])[key]["unit_id"], given) == (crop["unit_id"], {})
