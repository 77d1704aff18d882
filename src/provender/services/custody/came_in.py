"""What came into an organisation's stock over some days, kept until something moves."""

from datetime import date
from typing import Final

from django.core.cache import cache

from provender.custody.queries.incoming import CameIn, came_in, days_meant
from provender.database.store.custody_lists import steps_watermark
from provender.services.custody.context import READER, CustodyContext

KEPT_SECONDS: Final = 3600


def came_in_of(context: CustodyContext, first: date | None = None, last: date | None = None) -> CameIn:
    """Return what came in for an organisation, kept until something moves; days as ``days_meant`` takes them."""
    span = days_meant(context.periods, context.today, first, last)
    name = f"custody-came-in-{context.id}-{span.start}-{span.end}-{steps_watermark(context.id)}"
    stored: CameIn | None = cache.get(name)
    if stored is None:
        with READER.reading() as facts:
            facts.know_events(context.id)
            stored = came_in(facts, context.id, span)
        cache.set(name, stored, KEPT_SECONDS)
    return stored
