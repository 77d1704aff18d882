"""What papers state of serials changing hands, beside what books say of it (2100.032(a))."""

from collections.abc import Iterator

from provender.custody.documents.read import SaleSlip, Transfer
from provender.custody.queries.claims import Claim, back_of


def claims_of_transfer(source: int, one: Transfer) -> Iterator[Claim]:
    """Return the changes of hands that a transfer document states; a foreign one has no serials to compare."""
    for line in one.lines:
        if line.origin:
            span = (line.start, line.start + line.bushels)
            yield Claim(source, "document", one.number, line.origin, *span, one.seller, one.buyer, one.day)


def claims_of_slip(source: int, one: SaleSlip) -> Iterator[Claim]:
    """Return the serials that a slip assigns."""
    for span in one.spans:
        if one.returned:
            back = (one.returned_by, one.seller)
            yield Claim(source, "return", back_of(one.returned), one.origin, *span, *back, one.day)
        yield Claim(source, "slip", one.number, one.origin, *span, one.seller, one.buyer, one.day)
