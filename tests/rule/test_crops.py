import pytest

from provender.rule.crops import NUTRIENTS, TILLAGE, Crop, Practice, claimable
from provender.rule.paragraphs import paragraph

# 2100.012 read line by line into a grid, apart from the table of the package.
GRID = {
    "no_till": "corn soybeans sorghum",
    "reduced_till": "corn soybeans sorghum",
    "cover_crop": "corn soybeans sorghum",
    "nitrification_inhibitor": "corn soybeans sorghum",
    "no_fall_application": "corn",
    "split_in_season": "corn sorghum",
}


@pytest.mark.parametrize("crop", Crop)
@pytest.mark.parametrize("practice", Practice)
def test_a_crop_claims_a_practice_exactly_where_2100_012_lists_it(crop: Crop, practice: Practice) -> None:
    assert (practice in claimable(crop)) is (str(crop) in GRID[practice].split())


def test_practices_come_in_the_order_of_the_list_of_practices() -> None:
    order = list(Practice)
    for crop in Crop:
        assert list(claimable(crop)) == sorted(claimable(crop), key=order.index)


def test_every_crop_and_practice_cites_a_paragraph_that_exists() -> None:
    for cite in (*(crop.cite for crop in Crop), *(one.cite for one in Practice)):
        assert paragraph(cite).answers


def test_every_crop_and_practice_has_a_label() -> None:
    assert [crop.label for crop in Crop] == ["Field corn", "Soybeans", "Sorghum"]
    assert all(practice.label for practice in Practice)


def test_tillage_cover_and_nutrients_share_out_the_practices() -> None:
    assert {Practice.cover_crop} | TILLAGE | NUTRIENTS == set(Practice)
    assert not TILLAGE & NUTRIENTS
