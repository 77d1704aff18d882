"""Changes that no field is named for: columns, rows given twice, values of another kind, members of nothing."""

from collections.abc import Iterator

import pytest

from tests.audit.mutation.hands import Hand
from tests.audit.mutation.odd import odd
from tests.audit.mutation.run import Run, Tried, parties
from tests.audit.prairie import chain

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("prairie")]

FARMS = 5


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    folder = chain(FARMS)
    pins = (folder / "pins.json").read_bytes()
    return {name: Run(name, party, pins) for name, party in parties(folder).items() if name in ("farm", "refiner")}


def tried(run: Run, what: str, ending: str, hand: Hand, place: str = "") -> Iterator[Tried]:
    found = [one for one in odd(run.files) if one.what == what and one.path.endswith(ending) and place in one.place]
    assert found
    yield from (run.tried(one, hand) for one in found[:2])


@pytest.mark.parametrize(
    ("name", "what", "ending", "hand", "place", "outcome"),
    [
        ("refiner", "other kind", "2026-07-01.json", Hand.OWN_KEY, "lines/2/outgoing_bu", "found"),
        ("refiner", "other kind", "2026-07-01.json", Hand.OWN_KEY, "lines/2/outgoing/lost", "found"),
        ("farm", "row doubled", "records/unit.csv", Hand.BAGGED, "", "told"),
        ("farm", "row doubled", "records/national_default.csv", Hand.STRANGER, "", "told"),
        ("farm", "member added", "soybeans-v1.leaves.json", Hand.BAGGED, "", "found"),
        ("farm", "column dropped", "records/harvest.csv", Hand.BAGGED, "bushels", "found"),
        ("farm", "cells exchanged", "records/operation.csv", Hand.BAGGED, "", "found"),
    ],
)
def test_what_no_field_is_named_for_is_found_or_told(
    name: str, what: str, ending: str, hand: Hand, place: str, outcome: str, runs: dict[str, Run]
) -> None:
    assert {one.outcome for one in tried(runs[name], what, ending, hand, place)} == {outcome}
