"""Root causes first: of many differences, those that others follow from, each with what follows folded under it.

One changed event of a book shows in every paper, balance and copy after it. What can be a cause of what stands in one
table, from the event itself down to the sums. Under a cause go only differences of the tables' later steps that are
about the same report, unit or book; whatever the table does not name stands by itself, so nothing is folded that may
have a cause of its own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from provender.audit.recompute.checks import Difference

STEPS: Final[tuple[tuple[str, ...], ...]] = (
    # A row, a line or a file is another one than was sealed or signed.
    ("record_changed:", "record_unreadable", "book_seal", "book_unreadable"),
    # An event is another one than its other papers say.
    ("entered_otherwise", "entry_not_in_book"),
    ("book_changed_since",),
    ("book_",),
    ("copy_differs:records", "report_differs:records"),
    ("report_differs:fact", "copy_differs:fact"),
    ("report_differs:stir", "copy_differs:stir"),
    ("period_records_changed",),
    ("transfer_differs:yield_lb_per_bu", "copies_differ:yield_lb_per_bu"),
    ("report_differs:verdict", "copy_differs:verdict"),
    ("report_differs:unit", "copy_differs:unit"),
    ("transfer_differs:ci_g_per_bu", "copies_differ:ci_g_per_bu"),
    ("transfer_differs:", "copies_differ:", "slip_differs:", "lots_", "legs_differ", "double_sale",
     "missing_counterpart", "overlap", "broken_chain", "booked_otherwise", "product_exceeded"),
    ("report_differs:average", "copy_differs:average"),
    ("report_differs:practices", "report_differs:totals", "report_differs:evidence_grades", "report_differs:report",
     "copy_differs:practices", "copy_differs:totals", "copy_differs:evidence_grades", "copy_differs:report"),
    ("report_differs:attestation", "copy_differs:attestation"),
    ("balance_differs:", "balances_differ", "unbalanced_period"),
)  # fmt: skip
"""Beginnings of codes, causes before what follows from them."""
TOGETHER: Final = frozenset({"book_changed_since", "period_records_changed"})
"""What says of one book, once for each paper, that it is another one: the first stands for all of them."""
OF_PAPERS: Final = ("transfer_differs:", "copies_differ:", "slip_differs:", "balance_differs:")
"""What many papers of one book repeat: the same value for the same other value."""
MISSING: Final = ":missing"
"""A paper of which a book knows nothing has that as its own cause, unless the book itself is another one."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A difference that leads, and those that follow from it."""

    leading: Difference
    follows: tuple[Difference, ...] = ()


def causes_of(differences: Iterable[Difference]) -> list[Cause]:
    """Fold differences under their causes, keeping the order in which the causes were given."""
    given = list(differences)
    under: dict[int, list[int]] = {}
    for place in sorted(range(len(given)), key=lambda one: (_step(given[one]), one)):
        leader = next((one for one in under if _leads(given[one], given[place])), None)
        under.setdefault(place if leader is None else leader, [])
        if leader is not None:
            under[leader].append(place)
    return [Cause(given[one], tuple(given[each] for each in sorted(under[one]))) for one in sorted(under)]


def _step(one: Difference) -> int:
    """Return the step of a difference; what stands by itself is before all of them."""
    steps = (number for number, codes in enumerate(STEPS) if any(one.code.startswith(code) for code in codes))
    return next(steps, -1)


def _leads(cause: Difference, one: Difference) -> bool:
    before, after = _step(cause), _step(one)
    if min(before, after) < 0 or not _share(cause.about, one.about):
        return False
    if one.code.endswith(MISSING) and not cause.code.startswith(("book_", "entered")):
        return False
    repeated = one.code.startswith(OF_PAPERS) and (cause.claimed, cause.recomputed) == (one.claimed, one.recomputed)
    return before < after or (cause.code == one.code and (one.code in TOGETHER or repeated))


def _share(some: tuple[tuple[str, ...], ...], others: tuple[tuple[str, ...], ...]) -> bool:
    """Tell whether two differences are about the same thing, or one about a part of what the other is about."""
    return any(a[: len(b)] == b[: len(a)] for a in some for b in others)
