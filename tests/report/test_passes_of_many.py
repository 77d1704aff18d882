"""The passes of a farm are the same whether its book kept their names as it was loaded, or was too large for that."""

import pytest

from provender.practices import prepared_book
from provender.practices.assess import assess
from provender.report.passes import farm_passes
from tests.practices.season import book_of, clean_season


def test_a_farm_of_few_passes_and_one_of_many_are_told_the_same_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    few = assess(book_of(clean_season()))
    monkeypatch.setattr(prepared_book, "FEW", 0)
    many = assess(book_of(clean_season()))
    assert "operation_id" in few.loaded.operations.columns
    assert "operation_id" not in many.loaded.operations.columns
    told = farm_passes(few, "F1")
    assert told
    assert farm_passes(many, "F1") == told
