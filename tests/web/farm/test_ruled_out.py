"""What a saved row rules out or leaves too shallow: said in words wherever the farm looks, with that row."""

from urllib.parse import quote

import pytest
from django.urls import reverse

from provender.practices.explain import Standing
from provender.practices.requirement import REQUIREMENTS, Part
from provender.practices.why_not import WHY_NOT
from provender.records.kind import KINDS
from provender.services.clients import farm_steps
from provender.services.farm.book import Edit, change_book, farm_book_of, latest
from provender.services.farm.sown import shallow_row
from provender.services.farm.verdicts import count_gaps, told_against, verdicts_of
from tests.web.cast import Cast
from tests.web.farm_season import fill_season
from tests.web.replayed import replayed

UNIT, CROP, WHY = "G35", "G35-2025", "The cover crop was ended by tillage."


def standing(cast: Cast) -> str:
    intervals = verdicts_of(farm_book_of(cast.farm))["intervals"]
    found = next(one for one in intervals if one["harvest_id"] == CROP)
    return str(next(one["standing"] for one in found["practices"] if one["name"] == "cover_crop"))


@pytest.fixture
def tilled(cast: Cast) -> Cast:
    """Return the cast after the cover of a field of which nothing is said was tilled under."""
    fill_season(cast)
    assert farm_steps(cast.farm)[0].words == f"Say what {UNIT} claims"
    assert standing(cast) == Standing.NOT_SHOWN
    farm, kind = farm_book_of(cast.farm), KINDS["cover_crop"]
    like = farm.texts(kind, next(iter(farm.of(kind)))) or {}
    row = {**like, "cover_id": "X1", "unit_id": UNIT, "harvest_id": CROP, "termination_method": "tillage"}
    edits, actor = [Edit(kind.name, "X1", row)], cast.actor("owner")
    replayed("a cover tilled under", lambda: change_book(cast.book, edits, reason="it was disked", actor=actor))
    assert standing(cast) == Standing.RULED_OUT
    return cast


def test_every_requirement_of_the_implementation_says_why_it_is_not_met() -> None:
    assert set(WHY_NOT) == {one.name for one in REQUIREMENTS.values() if one.part is Part.IMPLEMENTATION}


def test_what_the_records_rule_out_is_grey_with_its_reason_beside_it(tilled: Cast) -> None:
    farm = farm_book_of(tilled.farm)
    assert (UNIT, "Cover crop") in {one[:2] for one in told_against(verdicts_of(farm)["intervals"], Standing.RULED_OUT)}
    matrix = tilled.client().get(reverse("farm", args=(tilled.farm.handle,))).context["matrix"]
    noted = {(cell.text, cell.chip, cell.note) for row in matrix.cells if row[0].text == UNIT for cell in row}
    said = next(note for text, _, note in noted if text == "Cannot be met" and note.startswith(WHY))
    assert said.startswith(f"{WHY} It rests on X1 (")
    assert "buried" not in said, "the matrix has room for one reason"


def test_the_page_of_the_field_says_it_open_with_what_must_hold_and_could_be_done_and_links_to_the_row(
    tilled: Cast,
) -> None:
    page = tilled.client().get(f"{reverse('farm_crop', args=(tilled.farm.handle,))}?crop={CROP}").content.decode()
    part = page.partition('aria-labelledby="cover_crop"')[2].partition("</section>")[0]
    open_part = part.partition("<details")[0]
    for words in (WHY, "cannot meet", "It is ended by winter kill", "correct it", "Say what this field claims"):
        assert words in open_part
    assert "not-met" not in open_part, "red is for claims that the records contradict"
    link = part.partition("It rests on: ")[2].partition("</p>")[0]
    assert f"{reverse('farm_row', args=(tilled.farm.handle, 'cover_crop'))}?row=X1&amp;" in link
    assert ">X1 (" in link


def test_the_overview_asks_on_what_the_field_claims_and_says_why(tilled: Cast) -> None:
    step = farm_steps(tilled.farm)[0]
    assert step.words == f"Say what {UNIT} claims"
    assert "Cover crop" in step.why.partition(f"What cannot be met on {UNIT}: ")[2]
    harvest = KINDS["harvest"]
    texts = farm_book_of(tilled.farm).texts(harvest, CROP) or {}
    none = [Edit(harvest.name, CROP, {**texts, "claims": "none"})]
    change_book(tilled.book, none, reason="none", actor=tilled.actor("owner"))
    assert not count_gaps(farm_book_of(tilled.farm))["unsaid"]
    assert standing(tilled) == Standing.NOT_CLAIMED


def test_the_page_of_a_crop_with_a_shallow_pass_leads_to_the_pass(cast: Cast) -> None:
    fill_season(cast)
    said = {"depth_in": "0.1", "known_by": "typed_in_season", "evidence": ""}
    passes = [(key, {**row, **said}) for key, row in latest(cast.book).of(KINDS["operation"]).items()]
    edits = [Edit("operation", key, row) for key, row in passes if row["operation"]]
    change_book(cast.book, edits, reason="typed", actor=cast.actor("owner"))
    farm = latest(cast.book)
    short = [
        (one, record["said"])
        for one in verdicts_of(farm)["intervals"] for practice in one["practices"]
        for finding in practice["findings"] for record in finding["missing"]
        if record["said"].startswith("(below the published least")
    ]  # fmt: skip
    assert short
    crop = short[0][0]
    key = shallow_row(farm, crop["unit_id"])
    assert farm.of(KINDS["operation"])[key]["unit_id"] == crop["unit_id"]
    page = cast.client("owner").get(reverse("farm_crop", args=(cast.farm.handle,)), {"crop": crop["harvest_id"]})
    assert page.status_code == 200
    assert f"row={quote(key)}" in page.content.decode()
