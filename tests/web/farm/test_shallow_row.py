"""A depth below the published least leads from the crop's page to the very pass that says it."""

from urllib.parse import quote

from django.urls import reverse

from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book, latest
from provender.services.farm.sown import shallow_row
from provender.services.farm.verdicts import verdicts_of
from tests.web.cast import Cast
from tests.web.farm_season import fill_season


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
