"""What to look at, what to keep until when, and the manual of the documented system."""

from collections.abc import Callable
from typing import Final, TypeVar

from django.core.cache import cache

from provender.custody.queries.alerts import Alert, weight
from provender.custody.queries.alerts import alerts as find_alerts
from provender.custody.queries.manual import manual as write_manual
from provender.custody.queries.retention import retention as find_retention
from provender.database.models import LogRow
from provender.database.store.custody_lists import steps_watermark
from provender.database.store.custody_rows import POSTED
from provender.database.store.custody_view import SqlFacts
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.views import KeepView, keep_view

KEPT_SECONDS: Final = 3600
MANUAL_TYPE: Final = "text/markdown"
T = TypeVar("T")


def _kept(context: CustodyContext, what: str, mark: int | str, compute: Callable[[SqlFacts], T]) -> T:
    """Return what was computed from the whole of a party's book, again only when something changed."""
    name = f"custody-{what}-{context.id}-{mark}-{context.today}"
    stored: T | None = cache.get(name)
    if stored is None:
        with READER.reading() as facts:
            stored = compute(facts)
        cache.set(name, stored, KEPT_SECONDS)
    return stored


def alerts(context: CustodyContext) -> list[Alert]:
    """Return what to look at today, those with most bushels at stake first."""

    def look(facts: SqlFacts) -> list[Alert]:
        facts.know_steps(context.id)  # every sum over periods asks for them anew
        return list(find_alerts(facts, context.entity, context.today))

    return sorted(_kept(context, "alerts", touched(context), look), key=weight)


def touched(context: CustodyContext) -> str:
    """Return a mark that moves with everything posted that names the party, moves lots it had, or may touch anybody.

    Contracts, tickets and statements raise and end alerts too, and make no step of their own: the log has them. What
    others trade among themselves does not move it.
    """
    named = LogRow.objects.filter(organisation=context.organisation, deed=POSTED)
    everybody = LogRow.objects.filter(organisation=None, deed=POSTED)
    last = [rows.order_by("-id").values_list("id", flat=True).first() or 0 for rows in (named, everybody)]
    return f"{last[0]}-{last[1]}-{steps_watermark(context.id)}"


def retention(context: CustodyContext) -> list[KeepView]:
    """Return what must be kept until when, newest first (2100.030(d))."""
    kept = _kept(
        context,
        "retention",
        steps_watermark(context.id),
        lambda facts: list(find_retention(facts.steps(context.id), context.id)),
    )
    return [keep_view(keep, context.today) for keep in reversed(kept)]


def manual(context: CustodyContext) -> tuple[str, str]:
    """Return the manual as of today: the name of its file, and its text (2100.032(a))."""
    with READER.reading() as facts:
        return f"chain-of-custody-{context.today}.md", write_manual(facts, context.entity, context.today)
