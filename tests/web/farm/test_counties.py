"""A county stands by its name in lists and facts of records; a file keeps the code."""

from django.urls import reverse

from provender.database.models.farm import BookKind
from provender.services.farm.book import Edit, change_book, open_book
from tests.web.cast import Cast
from tests.web.custody_season import BY


def test_counties_of_records_are_named_and_saved_by_their_code(cast: Cast) -> None:
    book = open_book(cast.farm, BookKind.FARM, actor=BY)
    rows = {"HQ": "19169", "odd": "99999"}
    edits = [Edit("unit", name, {"unit_id": name, "acres": "80", "county_fips": code}) for name, code in rows.items()]
    change_book(book, edits, reason="typed", actor=BY)
    client, where = cast.client("owner"), reverse("farm_kind", args=(cast.farm.handle, "unit"))
    page = client.get(where).content.decode()
    assert "Story County, Iowa" in page
    assert "19169" not in page
    assert "99999" in page, "a code that is no county stays as it was typed"
    saved = b"".join(client.get(where, {"save": "csv", "table": "unit"})).decode()
    assert "19169" in saved
    row = (
        cast.client("reader").get(reverse("farm_row", args=(cast.farm.handle, "unit")), {"row": "HQ"}).content.decode()
    )
    assert "Story County, Iowa" in row
