"""What an organisation does next, for its overview: a farm, a trader of the chain of custody, a verifier."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.formats import date_format

from provender.custody.model.periods import Period
from provender.database.actor import today
from provender.database.models import Audit, CustodyContract, Role, VerifierKey
from provender.database.store.audits import accreditation_of, statement_of
from provender.database.store.custody_lists import in_transit_to, open_pending, open_slips, sales_behind
from provender.services.audits.standing import open_grants
from provender.services.custody.context import READER, CustodyContext, context_of
from provender.services.expiry import Ending
from provender.services.farm.next_steps import NextStep, farm_steps
from provender.services.glance import Tile
from provender.services.search import Found
from provender.web.access import Access
from provender.web.navigation import TRADING

AHEAD: Final = timedelta(days=30)
"""So many days before something ends, its successor is asked for."""
MOST: Final = 5
"""Audits that the overview names."""


class StepLink(NamedTuple):
    """One thing to do: where it is done, what it is, and why."""

    href: str
    words: str
    why: str


def next_steps(access: Access) -> list[StepLink]:
    """Return what the organisation does next, the first thing first."""
    steps = [*farm_steps(access.organisation), *trade_steps(access), *verifier_steps(access)]
    return [StepLink(address(access, step), step.words, step.why) for step in steps]


def address(access: Access, step: NextStep | Tile | Ending | Found) -> str:
    """Return where a thing is done, or a number comes from."""
    query = f"?{urlencode(step.query)}" if step.query else ""
    return f"{_at(access, step.page, *step.about)}{query}"


def trade_steps(access: Access) -> list[NextStep]:
    """Return what comes next in the organisation's book of custody; nothing for one that trades nothing."""
    if not access.organisation.roles.filter(role__in=TRADING).exists():
        return []
    desk = _desk(access)
    if desk is None:
        why = "It keeps every bushel with a claim: what came in, what was sold, what is left."
        return [NextStep("custody_stock", "Open the book", why)]
    return [*_incoming(desk), *_periods(desk), *_contracts(desk)]


def _desk(access: Access) -> CustodyContext | None:
    return context_of(access.organisation, actor=access.actor, today=today())


def _at(access: Access, view: str, *more: object) -> str:
    return reverse(view, args=(access.organisation.handle, *more))


def _incoming(desk: CustodyContext) -> Iterator[NextStep]:
    where = "custody_incoming"
    sent = in_transit_to(desk.id)
    with READER.reading() as facts:
        sales = sales_behind(facts, sent)
    if deliveries := len(set(sales.values())):
        yield NextStep(where, f"Accept {_count(deliveries, 'delivery', 'deliveries')}", "They are on their way to you.")
    if not desk.buys_from_farms:
        return
    if slips := len(open_slips(desk.id)):
        yield NextStep(where, f"Buy {_count(slips, 'sale slip')}", "Farms have assigned you bushels of their reports.")
    if pending := len(open_pending(desk.id)):
        yield NextStep(
            where, f"Assign slips to {_count(pending, 'purchase')}", "They were bought before their farm's report came."
        )


def _periods(desk: CustodyContext) -> Iterator[NextStep]:
    ended = [one for one in desk.periods if one.closed is None and one.end < desk.today]
    for one in ended[:1]:
        why = "It has ended. Enter the measured stock, then close it."
        query = (("start", str(one.start)),)
        yield NextStep("custody_period", f"Close the period {_days(one)}", why, query=query)
    last = max((one.end for one in desk.periods), default=None)
    declare = "custody_periods"
    if last is None or last < desk.today:
        why = "Purchases and sales need an open one, declared before it begins."
        yield NextStep(declare, "Declare a mass balance time period", why)
    elif last - desk.today < AHEAD:
        yield NextStep(declare, "Declare the next period", f"This one ends on {date_format(last, 'DATE_FORMAT')}.")


def _days(period: Period) -> str:
    return " to ".join(date_format(day, "DATE_FORMAT") for day in (period.start, period.end))


def _contracts(desk: CustodyContext) -> Iterator[NextStep]:
    if not CustodyContract.objects.filter(entity=desk.id).exists():
        why = "You buy from and sell to those you have a contract with."
        yield NextStep("custody_partners", "Put your contracts on file", why)


def verifier_steps(access: Access) -> list[NextStep]:
    """Return what comes next for a verifier; nothing for others."""
    if not access.organisation.roles.filter(role=Role.VERIFIER).exists():
        return []
    return [*_ready(access), *_audits(access, today())]


def _ready(access: Access) -> Iterator[NextStep]:
    if accreditation_of(access.organisation) is None:
        why = "An audit opens only under an accreditation to ISO 14065."
        yield NextStep("audit_accreditation", "Enter your accreditation", why)
    if not VerifierKey.objects.filter(organisation=access.organisation).exists():
        why = "Your statements are taken in under it; its private half stays on your machine."
        yield NextStep("audit_key", "Register your signing key", why)


def _audits(access: Access, day: date) -> Iterator[NextStep]:
    mine = Audit.objects.filter(verifier=access.organisation).select_related("audited").order_by("due_on")
    running = [one for one in mine if statement_of(one) is None]
    for one in running[:MOST]:
        due = f"The statement {'was' if one.due_on < day else 'is'} due on {date_format(one.due_on, 'DATE_FORMAT')}."
        yield NextStep("audit", f"Audit {one.audited}", due, (one.handle,))
    if running:
        return
    if parties := len(open_grants(access.organisation, day)):
        why = f"{_count(parties, 'party lets', 'parties let')} you in today."
        yield NextStep("audits", "Open an audit", why)
    else:
        why = f"A party does so under Verifier access, with your code {access.organisation.handle}."
        yield NextStep("grants", "Have somebody let you in", why)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"
