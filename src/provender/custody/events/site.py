"""Closing a site: from its day on nothing comes to lie there, and nothing is sold from there (interpretation 37)."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache, partial
from typing import Final

from provender.custody.events.campaign import Conversion
from provender.custody.events.rules import MovementDraft, closed_sites, entity_of, require, site_of
from provender.custody.model.amounts import FORMS, show_amount, unit_of
from provender.custody.model.entities import SiteClosure
from provender.custody.model.event import Event, Party, event
from provender.custody.model.grain_book import GrainEntry, grain_group, stock_on
from provender.custody.model.lots import LIVE, Lot
from provender.custody.model.statuses import Refusal, Status
from provender.custody.model.store_view import Decision, StoreView
from provender.plain import field
from provender.wire import Name, Text


@event("close_site", title="Close a site", verb="Close the site")
class CloseSiteEvent(Event):
    """Closes a site: nothing is stored there, sold from there or moved there from the day on.

    No grain and no claims may lie there by then. Its book is kept, and what was entered in error before the day can
    still be put right. To open the site again, take this entry back.
    """

    entity: Name = field("Entity", help="Whose site.", party=Party.ENTERS)
    site: Name = field("Site", help="Which of its sites.", choices="sites")
    reason: Text = field("Reason", help="In words.", default="")


def decide_close_site(facts: StoreView, request: CloseSiteEvent) -> Decision:
    """Close a site at which nothing lies any more."""
    entity = entity_of(facts, request.entity)
    site = site_of(facts, entity, request.site)
    before = closed_sites(facts, entity.id).get(site)
    require(before is None, Status.ALREADY_ANSWERED, f"{site} is closed since {before.closed if before else ''}.")
    draft = MovementDraft(request)
    draft.state(closure_of(facts, request))
    return draft.outcome(f"{site} is closed from {request.day} on.")


def closure_of(facts: StoreView, request: CloseSiteEvent) -> SiteClosure:
    """Return what a closing states, or refuse it.

    Raises:
        Refusal: SITE_IN_USE, naming what lies there or came there on a later day.
    """
    for form in FORMS:
        claims = facts.amount_in(request.entity, request.site, form)
        said = f"Claims on {show_amount(claims, unit_of(form))} of {form} lie at {request.site}."
        require(not claims, Status.SITE_IN_USE, said)
        entries = facts.many(GrainEntry, grain_group(request.entity, request.site, form))
        grain = stock_on(entries, request.day) or 0
        said = f"{request.site} holds {show_amount(grain, unit_of(form))} of {form} by its tickets."
        require(grain <= 0, Status.SITE_IN_USE, said)
        late = [one for one in entries if one.day > request.day and one.amount and not one.void]
        said = f"Ticket {late[0].number} of {request.site} is of {late[0].day}." if late else ""
        require(not late, Status.SITE_IN_USE, said)
    for step in facts.steps(request.entity, request.day + timedelta(days=1)):
        late_step = any(_lies_at(lot, request.entity, request.site) for lot in (step.before, step.after))
        require(not late_step, Status.SITE_IN_USE, f"Entry {step.movement} of {step.day} moves claims there.")
    for lot in facts.live_at(request.entity, request.site):
        raise Refusal(Status.SITE_IN_USE, f"Claims of {lot.by} are in dispute and lie at {request.site}.")
    return SiteClosure(request.entity, request.site, request.day, request.id)


def _lies_at(lot: Lot | None, house: str, site: str) -> bool:
    return lot is not None and (lot.custodian, lot.site) == (house, site) and lot.state in LIVE


_BACK: Final = frozenset({"reject", "return", "correct", "settle"})
"""Acts by which another party gives something back: it lies at the closed site all the same, and an alert says so."""


def check_sites(facts: StoreView, request: Event, outcome: Decision) -> None:
    """Refuse what would come to lie at a closed site, be sold from there, or be entered in its books on a later day.

    Raises:
        Refusal: SITE_CLOSED.
    """
    wrong = next(_at_closed_sites(facts, request, outcome), "")
    require(not wrong, Status.SITE_CLOSED, wrong)


def _at_closed_sites(facts: StoreView, request: Event, outcome: Decision) -> Iterator[str]:
    closings = cache(partial(closed_sites, facts))
    for lot in _lots_in_question(facts, request, outcome):
        if found := closings(lot.custodian).get(lot.site):
            yield f"{lot.site} is closed since {found.closed}."
    for record in outcome.records:
        if isinstance(record, GrainEntry) and not record.void and record.amount:
            found = closings(record.entity).get(record.site)
            if found and _since(found, record.day) and not _stands(facts, record):
                yield f"{record.site} is closed since {found.closed}, and {record.number} is of {record.day}."
        if isinstance(record, Conversion) and not record.void:
            house = record.batch.partition("/")[0]
            for site, found in closings(house).items():
                if _since(found, record.end) and record.batch.startswith(f"{house}/{site}/"):
                    yield f"{site} is closed since {found.closed}, and the batch ends on {record.end}."


def _lots_in_question(facts: StoreView, request: Event, outcome: Decision) -> list[Lot]:
    """Return what a movement puts somewhere by its own choice, and what it takes that only a running site gives."""
    enters = getattr(request, request.entered_by(), "")
    moved = [lot for lot in outcome.opened if lot.by == request.id]
    came = [lot for lot in moved if lot.site and lot.state in LIVE]
    taken = [lot.parent for lot in moved if lot.parent] if not getattr(request, "from_closed", True) else []
    chosen = [lot for lot in came if request.type not in _BACK or lot.custodian == enters]
    return [*facts.lots_named(taken).values(), *chosen]


def _since(closing: SiteClosure, day: date) -> bool:
    return closing.closed is not None and closing.closed <= day


def _stands(facts: StoreView, entry: GrainEntry) -> bool:
    """Tell whether an entry was in the book before: what is stated anew of it, such as its claim, moves no grain."""
    held = facts.one(GrainEntry, entry.key)
    return held is not None and not held.void


def lying_at_closed(facts: StoreView, entity: str, day: date) -> Iterator[tuple[str, int, str]]:
    """Yield what lies at closed sites: in a sentence, the bushels of claims in thousandths, and what closed the site.

    Others gave it back, or the scale said of earlier days later on.
    """
    for site, closing in closed_sites(facts, entity).items():
        for form in FORMS:
            lots = facts.lots_in(entity, site, form)
            grain = stock_on(facts.many(GrainEntry, grain_group(entity, site, form)), day) or 0
            lies = max(sum(lot.amount for lot in lots), grain)
            if lies > 0:
                shown = f"{show_amount(lies, unit_of(form))} of {form}"
                said = f"{site} is closed since {closing.closed}, and {shown} lie there: move or release them."
                yield said, sum(lot.crop_amount for lot in lots), closing.by
