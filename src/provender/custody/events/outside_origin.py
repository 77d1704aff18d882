"""What enters a book from outside: origins that no report of it made, and their serials (interpretation 45)."""

from dataclasses import replace

from provender.custody.events.rules import lot_as_grown
from provender.custody.model.event import DocumentLine
from provender.custody.model.lots import Lot
from provender.custody.model.origins import Origin, OriginKind, ReportStanding, Version


def entering(origin: Origin, line: DocumentLine, span: tuple[int, int], product: int, rate: int) -> Lot:
    """Return serials as they enter this store; who holds them where is for the caller to say."""
    grown = lot_as_grown(origin, origin.current, *span)
    return replace(
        grown,
        crop=line.crop,
        harvest_year=line.harvest_year,
        form=line.form,
        ci=line.ci,
        product=product,
        rate=rate,
    )


def foreign_origin(
    name: str, issuer: str, line: DocumentLine, source: OriginKind, number: str, version: Version
) -> Origin:
    """Return the origin of what no report of this book made; nothing of it is issued yet."""
    return Origin(
        id=name,
        form=line.form,
        issuer=issuer,
        crop=line.crop,
        harvest_year=line.harvest_year,
        source=source,
        number=number,
        standing=ReportStanding.ACTIVE,
        versions=(version,),
        issued=0,
    )
