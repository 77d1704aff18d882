"""What happens to grain whose report is suspended happens all the same: it is lost, moved and measured (reading 34)."""

import pytest

from provender.custody.model.store_view import Store
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, bought, ev, posted, serials, status

RESTING = [
    *CAST, *REPORTS, *bought("c", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north"),
    ev("suspend", "s", "2026-01-06", origin=ADA_SOY),
]  # fmt: skip
NAMED = {"lots": [serials(ADA_SOY, 0, 10)]}
SOME = {"bushels": "10"}


@pytest.mark.parametrize("how", [NAMED, SOME], ids=["named", "by policy"])
@pytest.mark.parametrize(
    ("event", "answer"),
    [
        (ev("loss", "e", "2026-01-07", entity="coop", crop="soybeans"), "posted"),
        (ev("move", "e", "2026-01-07", entity="coop", crop="soybeans", site="north", to_site="south"), "posted"),
        (ev("sale", "e", "2026-01-07", giver="coop", taker="mill", crop="soybeans"), "report_suspended"),
        (ev("retire", "e", "2026-01-07", entity="fuel", crop="soybeans", fuel="f", batch="b", gallons="1"), ""),
    ],
)
def test_suspended_claims_are_lost_and_moved_but_go_to_nobody(
    store: Store, event: Event, answer: str, how: Event
) -> None:
    posted(store, RESTING)
    if answer:
        assert status(store, {**event, **how}) == answer
    else:
        assert status(store, {**event, **how}) in ("report_suspended", "exceeds_stock")


def test_a_site_whose_report_is_suspended_is_measured_and_shares_its_loss(store: Store) -> None:
    posted(store, RESTING)
    place = {"entity": "coop", "site": "north"}
    posted(store, [
        ev("measurement", "m", "2026-01-08", **place, form="soybeans", amount="99", number="M"),
        ev("loss", "l", "2026-01-08", **place, crop="soybeans", bushels="1", shared=True),
    ])  # fmt: skip
