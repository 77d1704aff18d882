"""An import that brings no row says what is kept instead of writing nothing, and a heading with its unit is read."""

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from provender.database.models.farm import BookImport
from provender.services.imports.request import ImportResult
from tests.web.cast import Cast
from tests.web.farm_season import fill_season
from tests.web.importing import file, hand_in, read_here, wait

__all__ = ["read_here"]

pytestmark = pytest.mark.usefixtures("read_here")


def page_of(cast: Cast, handle: str) -> str:
    return cast.client().get(reverse("farm_import", args=(cast.farm.handle, handle))).content.decode()


def test_an_import_without_rows_says_what_it_keeps(cast: Cast) -> None:
    fill_season(cast)
    rejected = hand_in(cast, file("planting.csv", "planting_id,harvest_id,planted_on\nP9,G70-2025,gold\n"))
    assert not wait(rejected).rows
    page = page_of(cast, rejected.handle)
    assert "Keep 1 row to be corrected</button>" in page
    assert "Write 0" not in page


@pytest.mark.parametrize(
    ("kept", "button"),
    [(1, "Keep 1 file as evidence"), (2, "Keep 2 files as evidence"), (0, "Write what is settled")],
)
def test_files_that_bring_no_row_are_kept_as_evidence(cast: Cast, kept: int, button: str) -> None:
    files = {f"evidence/{at}.pdf": at for at in range(kept)}
    found = ImportResult((), {"rejected/unit.csv": None}, (), files, (), (), (), (), ())
    shown = render_to_string(
        "farm/import_write.html", {"found": found, "organisation": cast.farm, "begun": BookImport(handle="x")}
    )
    assert f">{button}</button>" in shown


APPLIED = "Field,Date,Product,{rate},Method\nG70,2025-05-21,Urea,{amount},broadcast\n"


@pytest.mark.parametrize(
    ("heading", "amount", "taken"),
    [
        ("Rate (lb/ac)", "100", ("100", "lb/ac")),
        ("Rate [gal/ac]", "10", ("10", "gal/ac")),
        ("Rate (kg/ha)", "112", ("99.924", "lb/ac")),
        ("N (lb/ac)", "46", None),
    ],
)
def test_a_heading_says_the_unit_of_its_column(
    cast: Cast, heading: str, amount: str, taken: tuple[str, str] | None
) -> None:
    fill_season(cast)
    begun = hand_in(cast, file("applied.csv", APPLIED.format(rate=heading, amount=amount)))
    found = wait(begun)
    assert [one.cause for one in found.problems if "cannot be turned" in one.cause] == []
    (row,) = [row.texts for row in found.rows if row.kind == "nutrient_application"]
    if taken:
        assert (row["rate"], row["rate_unit"]) == taken
    else:
        assert row["n_lb_per_ac"] == amount


def test_ambiguous_products_are_asked_with_their_grades(cast: Cast) -> None:
    fill_season(cast)
    text = APPLIED.format(rate="Rate (gal/ac)", amount="10").replace("Urea", "UAN")
    begun = hand_in(cast, file("applied.csv", text))
    assert '<option value="UAN 32">UAN 32 (32-0-0)</option>' in page_of(cast, begun.handle)
