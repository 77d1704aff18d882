"""The farms behind a first point's incoming lots, as this server's custody book has them (2100.040(a)(3)(i)).

Amounts and CI come from the lots of the covered days; place and acres from the farms' reports, which the first point
keeps. A farm that one of these is not known of stops the whole list: it could never be drawn.
"""

import json
from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from django.core.cache import cache

from provender.audit.sampling.incoming import CITE, incoming_farms, listed
from provender.audit.sampling.population import Population, freeze
from provender.custody.model.entities import Opinion, Verification
from provender.custody.model.store_view import StoreView
from provender.database.actor import Actor
from provender.database.models import Audit, CustodyStep, ReportVersion
from provender.database.store.custody import SqlStore
from provender.problem import ProblemsError, refuse

LOTS: Final = "incoming lots"
KEPT_SECONDS: Final = 24 * 3600


def population_from_lots(audit: Audit) -> Population:
    """Gather the farms of an audit.

    Raises:
        ProblemsError: nobody supplied anything, or place or acres of a farm are not known; one problem per farm.
    """
    with SqlStore(Actor(None, "audit")).reading() as facts:
        found = incoming_farms(facts, audit.audited.handle, audit.covered_first, audit.covered_last)
    rows, problems = listed(found, reports_of(farm for farm, _ in found), LOTS)
    if problems:
        raise ProblemsError(problems)
    if not rows:
        cause = f"No farm supplied {audit.audited} from {audit.covered_first} to {audit.covered_last}."
        raise refuse(LOTS, cause, "Check the covered days of this audit.", cite=CITE, code="no_farms")
    return freeze(rows)


def reports_of(farms: Iterable[str]) -> list[dict[str, Any]]:
    """Return every report version of these farms that is kept here."""
    rows = ReportVersion.objects.filter(book__organisation__handle__in=set(farms)).order_by("id")
    return [json.loads(text) for text in rows.values_list("document", flat=True)]


def farms_behind(party: str) -> set[str]:
    """Return the farms whose crop a party ever took in."""
    with SqlStore(Actor(None, "audit")).reading() as facts:
        return {farm for farm, _ in incoming_farms(facts, party)}


def first_handled(party: str) -> date | None:
    """Return the day on which a party first took in reduced-CI crop or product, None before.

    It is looked for again only when the party has moved something since.
    """
    name = f"first-handled-{party}-{CustodyStep.objects.filter(party=party).count()}"
    kept: tuple[date | None] | None = cache.get(name)
    if kept is None:
        with SqlStore(Actor(None, "audit")).reading() as facts:
            kept = (first_day(facts, party),)
        cache.set(name, kept, KEPT_SECONDS)
    return kept[0]


def first_day(facts: StoreView, party: str) -> date | None:
    """Return the first day of a party's incoming claims in a book, None before."""
    return min((one.day for one in facts.steps(party) if one.came and one.after.owner == party), default=None)


def contracted_until(party: str) -> date | None:
    """Return the last day covered by a party's contract for its first audit, None without (interpretation 46)."""
    with SqlStore(Actor(None, "audit")).reading() as facts:
        stated = facts.many(Verification, party)
    return max((one.end for one in stated if one.opinion is Opinion.FIRST_AUDIT_CONTRACTED), default=None)
