"""The package against the plain reading, answer by answer, on seasons that people could have had."""

from typing import Any, Final

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from provender.practices.evaluate import ROOMS, evaluate
from provender.practices.prepared_book import load
from provender.practices.requirement import REQUIREMENTS, of_practice
from provender.records.book import RecordBook
from provender.rule.crops import Crop, Practice, claimable
from tests.practices import oracle
from tests.practices.season import Rows, book_of, changed, clean_season
from tests.practices.seasons import CELLS, REMOVABLE, ROWS, apply, put_together, seasons

assert ROOMS  # importing them registers the requirements
EXAMPLES: Final = settings.default.max_examples if settings.default else 60
ANSWERS: Final = (*oracle.ORACLE, *oracle.PRACTICES)


def differences(book: RecordBook) -> list[str]:
    """Name every answer in which package and oracle differ; where rows are damaged the package may withhold."""
    ours: dict[str, dict[str, dict[str, Any]]] = {}
    for row in evaluate(load(book)).iter_rows(named=True):
        ours.setdefault(row["farm_id"], {})[row["harvest_id"]] = row
    damaged = set(book.incomplete_rows["farm_id"])
    found = []
    for farm, rows in oracle.by_farm(book).items():
        read, judged = oracle.read(rows), ours.get(farm, {})
        if set(read) != set(judged):
            found.append(f"{farm}: {sorted(read)} against {sorted(judged)}")
            continue
        for harvest, answers in read.items():
            for name in ANSWERS:
                package, plain = judged[harvest][name], answers[name]
                withheld = farm in damaged and package is None and plain is True
                if package is not plain and not withheld:
                    found.append(f"{farm} {harvest} {name}: package {package}, oracle {plain}")
    return found


def test_the_oracle_reads_every_requirement_and_every_practice() -> None:
    assert set(oracle.ORACLE) == set(REQUIREMENTS)
    for practice in Practice:
        crops, names = oracle.PRACTICES[practice]
        assert {str(crop) for crop in Crop if practice in claimable(crop)} == set(crops)
        assert set(names) == {one.name for one in of_practice(practice) if one.part == "implementation"}


def test_package_and_oracle_agree_on_every_single_change_of_a_clean_season() -> None:
    def base(crop: str) -> Rows:
        rows = clean_season(crop)
        rows["unit"].append({"unit_id": "S80", "acres": "80", "county_fips": "20177"})
        return rows

    many = [base("corn"), base("soybeans"), base("sorghum")]
    many += [changed(base("corn"), kind, at, **{column: text}) for kind, at, column, texts in CELLS for text in texts]
    many += [apply(base("corn"), ("row", kind, 0, cells)) for kind, cells in ROWS[::7]]
    many += [apply(base("corn"), ("less", kind, at, {})) for kind, at in REMOVABLE]
    assert differences(book_of(put_together(many))) == []


@settings(max_examples=EXAMPLES // 3)
@given(st.lists(seasons(), min_size=5, max_size=5))
def test_package_and_oracle_agree_on_seasons_changed_in_several_ways(many: list[Rows]) -> None:
    found = differences(book_of(put_together(many)))
    for one in found:
        note(one)
    assert not found


@settings(max_examples=EXAMPLES // 6)
@given(st.lists(seasons(most=14), min_size=5, max_size=5))
def test_package_and_oracle_agree_on_seasons_full_of_trouble(many: list[Rows]) -> None:
    assert differences(book_of(put_together(many))) == []


@pytest.mark.parametrize("practice", list(Practice))
@pytest.mark.parametrize("crop", list(Crop))
def test_the_clean_season_meets_exactly_what_its_crop_may_claim(crop: Crop, practice: Practice) -> None:
    answers = oracle.read(oracle.by_farm(book_of(clean_season(crop)))["F1"])["H25"]
    assert answers[practice] is (practice in claimable(crop))
