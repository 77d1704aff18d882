"""By which trade somebody has a title: what a return may take back is what came by the trade it names, and no other."""

from typing import Final

from provender.custody.model.lots import Lot
from provender.custody.model.store_view import StoreView

TRADES: Final = frozenset({"purchase", "assign", "sale", "document"})
"""Movements by which title passes, and which a return may name."""
_BACK: Final = frozenset({"return", "reject", "correct"})


def trade_of(facts: StoreView, lot: Lot) -> str:
    """Return the trade by which the owner of a lot has it now; empty for what it grew, declared or was given.

    All serials of a lot have gone one way, so its first speaks for it. Whatever takes a trade back (or takes that back)
    restores what stood before it.
    """
    trades: list[str] = []
    before: dict[str, list[str]] = {}
    for step in facts.steps_of(lot.origin):
        if step.after.by != step.movement or not step.after.start <= lot.start < step.after.stop:
            continue
        before.setdefault(step.movement, trades)
        if step.type in TRADES:
            trades = [*trades, step.movement]
        elif step.type in _BACK:
            posted = facts.posted(step.movement)
            trades = before.get(getattr(posted.request, "movement", ""), []) if posted else []
        elif step.type in ("slip", "share"):
            trades = []
    return trades[-1] if trades else ""
