"""What others' deeds and coming days say to an organisation, in words, and where it does something about them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.audit.findings.log import Deed
from provender.custody.events.registration import ContractEvent
from provender.custody.events.registry import read_posted
from provender.custody.events.sale import AcceptEvent
from provender.custody.model.entities import ContractKind
from provender.custody.model.event import Event
from provender.database.choices import NewsKind, Role
from provender.database.models import (
    Audit,
    CustodyContract,
    CustodyEvent,
    CustodyPeriod,
    CustodyRecord,
    LogRow,
    Organisation,
)
from provender.database.store.custody_lists import names_of
from provender.database.store.custody_rows import POSTED
from provender.services.audits.lookup import findings_naming
from provender.services.custody.sealed_signing import KEYS

BEFORE: Final = (30, 7, 0)
"""Days before a period ends on which it is told; once more after it ended."""
OF_EVENT: Final[Mapping[str, tuple[str, str]]] = {
    "sale": ("A delivery from {who}", "custody_incoming"),
    "return": ("A return from {who}", "custody_incoming"),
    "slip": ("A sale slip from {who}", "custody_incoming"),
    "accept": ("{who} accepted your delivery", "custody_sales"),
    "reject": ("{who} sent your delivery back", "custody_sales"),
    "purchase": ("{who} entered a purchase from you", "farm_sales"),
    "purchase_pending": ("{who} entered a purchase from you", "farm_sales"),
    "contract": ("{who} put a contract with you on file", "custody_partners"),
}
"""By type of event: what it says to a party that did not enter it, and the page."""
OF_DEED: Final[Mapping[str, tuple[NewsKind, str, str]]] = {
    f"audit: finding {Deed.RAISED}": (NewsKind.ASKED, "{who} raised a finding", "audits_of_us"),
    f"audit: finding {Deed.REOPENED}": (NewsKind.ASKED, "{who} opened a finding again", "audits_of_us"),
    f"audit: finding {Deed.CHANGED}": (NewsKind.ASKED, "{who} changed a finding", "audits_of_us"),
    f"audit: finding {Deed.RESOLVED}": (NewsKind.ARRIVED, "{who} settled a finding", "audits_of_us"),
    f"audit: finding {Deed.RESPONDED}": (NewsKind.ARRIVED, "{who} answered a finding", "audits"),
    "audit: statement signed": (NewsKind.ARRIVED, "{who} signed the statement of your audit", "audits_of_us"),
    "open audit": (NewsKind.ASKED, "{who} opened an audit of your books", "audits_of_us"),
    "receive reading": (NewsKind.ARRIVED, "{who} lets you read", "grants"),
}
"""By deed in the log, of a finding with what was done: kind, words, page."""
OF_KEY: Final[Mapping[bool, str]] = {
    True: "{who} signs with another key, which the one before named: put it into your contract",
    False: "{who} signs with another key, of which the one before says nothing: compare it by telephone",
}
"""By whether the key before named the next one: what a buyer is told."""
FINDING: Final = "audit: finding"
NOTICE: Final = "notice"
NEAR: Final = 2
"""How many lines apart the same deed may stand in the logs of those it concerns."""
DEEDS: Final = (POSTED, FINDING, KEYS.deed, *(one for one in OF_DEED if not one.startswith(FINDING)))


@dataclass(frozen=True, slots=True)
class Told:
    """One thing an organisation is to be told.

    Attributes:
        organisation: its key.
        kind: of what.
        source: names what it comes from, the same whenever that is read.
        says: in a sentence.
        page: the name of the page where something is done about it.
        about: the entry or finding, where its reader may open it; of an acceptance the delivery.
        query: what the page's address asks for besides.
    """

    organisation: int
    kind: NewsKind
    source: str
    says: str
    page: str
    about: str = ""
    query: tuple[tuple[str, str], ...] = ()


def of_log(rows: Iterable[LogRow]) -> Iterator[Told]:
    """Yield what rows of the log say to their organisations: deeds of others, never its own."""
    posted: list[LogRow] = []
    for row in rows:
        if row.deed == KEYS.deed:
            yield from _of_key(row)
        elif row.deed != POSTED:
            yield from _of_deed(row)
        elif (row.new or {}).get("type") in OF_EVENT:
            posted.append(row)
    events = CustodyEvent.objects.filter(name__in={row.about for row in posted})
    texts = dict(events.values_list("name", "text"))
    for row in posted:
        yield from _of_event(row, texts.get(row.about))


def _of_event(row: LogRow, text: str | None) -> Iterator[Told]:
    """Yield what an entry says to the organisation in whose log it stands; a house where grain only lies is no party.

    An acceptance names the delivery and not its seller, and a contract its other party without asking it: from the
    own line of whoever entered it, that one is told.
    """
    if text is None or row.organisation is None:
        return
    event = read_posted(json.loads(text))
    who = str(getattr(event, event.entered_by() or "actor"))
    told: Organisation | None = row.organisation
    if row.organisation.handle == who:
        told = _named_beside(event)
    elif row.organisation.handle not in event.principals():
        told = None
    if told is None or told.handle == who:
        return
    words, page = OF_EVENT[event.type]
    said = words.format(who=names_of([who]).get(who, who))
    # Whoever stands in no entry may not open it and does not learn its id either: its own delivery names an acceptance.
    about = event.id if told.handle in event.parties() else str(getattr(event, "movement", ""))
    yield Told(told.pk, NewsKind.ARRIVED, f"log {row.pk}", said, page, about)


def _named_beside(event: Event) -> Organisation | None:
    """Return the organisation of this server that an entry is about and in whose log it does not stand, or None."""
    if isinstance(event, ContractEvent):
        return Organisation.objects.filter(handle=event.counterparty).first()
    return _seller_of(event.movement) if isinstance(event, AcceptEvent) else None


def _seller_of(delivery: str) -> Organisation | None:
    """Return the organisation of this server that made a delivery; None where it is somebody else's."""
    text = CustodyEvent.objects.filter(name=delivery).values_list("text", flat=True).first()
    giver = getattr(read_posted(json.loads(text)), "giver", "") if text else ""
    return Organisation.objects.filter(handle=giver).first() if giver else None


def _of_deed(row: LogRow) -> Iterator[Told]:
    """Yield what an audit's or a door's line of the log says, unless the organisation's own people did it."""
    own = row.organisation
    if own is None or (row.actor is not None and own.memberships.filter(person=row.actor).exists()):
        return
    audit, _, rest = row.about.rpartition(", ")
    done, _, number = rest.partition(" ")
    name = f"{row.deed} {done}" if row.deed == FINDING else row.deed
    if name in OF_DEED:
        kind, words, page = OF_DEED[name]
        if page == "audits" and not own.roles.filter(role=Role.VERIFIER).exists():
            page = "audits_of_us"  # another party that the finding names answered it
        said = words.format(who=row.about if row.deed == "receive reading" else _firm_of(row))
        query = _finding_at(own, audit, number, page) if row.deed == FINDING else ()
        yield Told(own.pk, kind, f"log {row.pk}", said, page, f"{audit} {number}".strip() or row.about, query)


def _finding_at(own: Organisation, audit: str, number: str, page: str) -> tuple[tuple[str, str], ...]:
    """Return audit and number of a finding, by which its page is found; nothing where several could be meant.

    The log of a party that a finding of another's audit names says whose it is by the verifier alone.
    """
    led = Audit.objects.filter(verifier=own) if page == "audits" else Audit.objects.filter(audited=own)
    found = [one.handle for one in led.filter(number=audit)]
    if not found and page != "audits":
        found = [
            one.handle for one, each in findings_naming(own) if str(one.verifier) == audit and each.number == number
        ]
    return (("audit", found[0]), ("finding", number)) if len(found) == 1 else ()


def _firm_of(row: LogRow) -> str:
    """Return for whom the actor of a row acted: another organisation in whose log the same deed stands, its own first.

    A finding may stand in three logs: the verifier's, the audited party's and that of a party which it names.
    """
    near = LogRow.objects.filter(pk__gte=row.pk - NEAR, pk__lte=row.pk + NEAR, deed=row.deed, actor=row.actor)
    if row.deed == FINDING:
        near = near.filter(about__endswith=row.about.rpartition(", ")[2])
    beside = near.exclude(organisation=row.organisation).exclude(organisation=None).select_related("organisation")
    firms = [other.organisation for other in beside if other.organisation is not None]
    own = (firm for firm in firms if firm.memberships.filter(person=row.actor).exists())
    return str(next(own, firms[0] if firms else row.actor or "provender"))


def _of_key(row: LogRow) -> Iterator[Told]:
    """Yield what a replaced key says to the buyers that its holder has a contract with: they pin its keys.

    Whoever put a contract on file that the holder knows nothing of is told nothing.
    """
    if row.organisation is None or not (row.old or {}).get("fingerprint"):
        return
    own = CustodyContract.objects.filter(entity=row.organisation.handle, role=ContractKind.RECIPIENT)
    buyers = Organisation.objects.filter(handle__in=own.values_list("counterparty", flat=True))
    said = OF_KEY[bool((row.new or {}).get("by rotation"))].format(who=row.organisation)
    for buyer in buyers:
        yield Told(buyer.pk, NewsKind.ARRIVED, f"log {row.pk}", said, "custody_partners", row.about)


def of_records(rows: Iterable[CustodyRecord]) -> Iterator[Told]:
    """Yield what holders are told of changed reports, once for each entry that changed one."""
    found = [row for row in rows if row.kind == NOTICE]
    holders = Organisation.objects.filter(handle__in={row.group for row in found})
    keys = dict(holders.values_list("handle", "pk"))
    for row in found:
        if row.group in keys:
            said = "A report behind bushels of yours changed"
            yield Told(keys[row.group], NewsKind.CHANGED, f"entry {row.stated_by_id}", said, "custody_checks")


def of_periods(organisation: Organisation, today: date) -> Iterator[Told]:
    """Yield which open periods of an organisation end soon or have ended, on the days of ``BEFORE`` and after."""
    for one in CustodyPeriod.objects.filter(entity=organisation.handle, closed=None):
        left = (one.end - today).days
        reached = [days for days in BEFORE if left <= days]
        if not reached:
            continue
        step = "past" if left < 0 else str(min(reached))
        said = f"Your period ended on {one.end}" if left < 0 else f"Your period ends on {one.end}"
        source, query = f"period {one.start} {step}", (("start", str(one.start)),)
        yield Told(organisation.pk, NewsKind.PERIOD, source, said, "custody_period", str(one.start), query)
