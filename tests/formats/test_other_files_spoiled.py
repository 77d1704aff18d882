"""Short workbooks, papers and other people's lists, spoiled in many ways: no exception, every row accounted for."""

from fuzz.other_files import faults


def test_spoiled_files_of_others_raise_nothing_and_every_row_has_a_fate() -> None:
    assert list(faults(20261122, 25)) == []
