"""What books side by side can show, and the paragraph that each kind is about."""

from enum import StrEnum
from typing import Final

from provender.frozen import frozen
from provender.quantity import show


class DiscrepancyKind(StrEnum):
    """What books side by side can show."""

    DOUBLE_SALE = "double_sale"
    OVERLAP = "overlap"
    BROKEN_CHAIN = "broken_chain"
    LINK_NOT_SHOWN = "link_not_shown"
    """No fault: the books that may hold a link between two claims were not given."""
    SHORTFALL_DIFFERS = "shortfall_differs"
    """No fault of either: a book that did not know of a sale took sold bushels for unsold when a report shrank."""
    CHANGED_LATER = "changed_later"
    """No fault: bushels were sold before their report's change, for an earlier day, was entered anywhere."""
    SECOND_ORIGIN = "second_origin"
    REPORTS_DIFFER = "reports_differ"
    SAME_TICKET = "same_ticket"
    SAME_FIELD = "same_field"
    MISSING_COUNTERPART = "missing_counterpart"
    CIRCULAR_TRADE = "circular_trade"
    UNBALANCED_PERIOD = "unbalanced_period"
    LEGS_DIFFER = "legs_differ"
    IN_DISPUTE = "in_dispute"
    ORIGIN_DIFFERS = "origin_differs"
    LOOK_ALIKE = "look_alike"
    ONE_FOR_TWO = "one_for_two"
    """One name, key, number or id behind two parties."""
    STATEMENTS_DIFFER = "statements_differ"
    LATE_TICKET = "late_ticket"
    BOOK_REWRITTEN = "book_rewritten"


CITES: Final = {
    DiscrepancyKind.DOUBLE_SALE: "2100.032(a)",
    DiscrepancyKind.OVERLAP: "2100.032(a)",
    DiscrepancyKind.BROKEN_CHAIN: "2100.032(a)",
    DiscrepancyKind.LINK_NOT_SHOWN: "2100.032(a)",
    DiscrepancyKind.SHORTFALL_DIFFERS: "2100.032(a)",
    DiscrepancyKind.CHANGED_LATER: "2100.031(c)",
    DiscrepancyKind.SECOND_ORIGIN: "2100.031(c)",
    DiscrepancyKind.REPORTS_DIFFER: "2100.031(c)",
    DiscrepancyKind.SAME_TICKET: "2100.031(b)",
    DiscrepancyKind.SAME_FIELD: "2100.031(c)",
    DiscrepancyKind.MISSING_COUNTERPART: "2100.032(a)(1)",
    DiscrepancyKind.CIRCULAR_TRADE: "2100.032(a)",
    DiscrepancyKind.UNBALANCED_PERIOD: "2100.034(d)",
    DiscrepancyKind.LEGS_DIFFER: "2100.032(a)(1)",
    DiscrepancyKind.IN_DISPUTE: "2100.032(a)",
    DiscrepancyKind.ORIGIN_DIFFERS: "2100.032(a)(1)",
    DiscrepancyKind.LOOK_ALIKE: "2100.032(a)",
    DiscrepancyKind.ONE_FOR_TWO: "2100.032(a)",
    DiscrepancyKind.STATEMENTS_DIFFER: "2100.032(b)(2)",
    DiscrepancyKind.LATE_TICKET: "2100.031(b)",
    DiscrepancyKind.BOOK_REWRITTEN: "2100.032(a)",
}


@frozen
class Discrepancy:
    """One thing that does not fit.

    Attributes:
        kind: what it is.
        bushels: at stake, thousandths.
        said: in whole sentences.
    """

    kind: DiscrepancyKind
    bushels: int
    said: str

    def as_json(self) -> dict[str, object]:
        """Return plain data for machines."""
        return {
            "kind": str(self.kind),
            "bushels": show(self.bushels),
            "message": self.said,
            "cite": CITES[self.kind],
        }
