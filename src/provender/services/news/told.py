"""What others' deeds and coming days say to an organisation, in words, and where it does something about them."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from logging import getLogger
from typing import Final, NamedTuple, TypeVar

from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Max, Min, Model, QuerySet
from django.utils import timezone

from provender.audit.findings import Deed
from provender.custody.events.parties import ContractEvent
from provender.custody.events.registry import read_posted
from provender.custody.events.trade import AcceptEvent
from provender.custody.model.entities import ContractKind
from provender.custody.model.event import Event
from provender.database.actor import at_the_place_of, today
from provender.database.choices import NewsKind, Role
from provender.database.models import accounts
from provender.database.models.audits import Audit
from provender.database.models.custody import CustodyContract, CustodyEvent, CustodyPeriod, CustodyRecord
from provender.database.store.custody import POSTED
from provender.database.store.custody_lists import names_of
from provender.services.audits.programme import findings_naming
from provender.services.custody.context import TRADING
from provender.services.custody.documents import KEYS
from provender.services.refused import refusal

_BEFORE: Final = (30, 7, 0)
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
_NEAR: Final = 2
"""How many lines apart the same deed may stand in the logs of those it concerns."""
_DEEDS: Final = (POSTED, FINDING, KEYS.deed, *(one for one in OF_DEED if not one.startswith(FINDING)))


@dataclass(frozen=True, slots=True)
class Notification:
    """One thing an organisation is to be told."""

    organisation: int  # its key
    kind: NewsKind  # of what
    source: str  # names what it comes from, the same whenever that is read
    says: str  # in a sentence
    page: str  # the name of the page where something is done about it
    about: str = ""  # the entry or finding, where its reader may open it; of an acceptance the delivery
    query: tuple[tuple[str, str], ...] = ()  # what the page's address asks for besides


def of_log(rows: Iterable[accounts.LogRow]) -> Iterator[Notification]:
    """Yield what rows of the log say to their organisations: deeds of others, never its own."""
    posted: list[accounts.LogRow] = []
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


def _of_event(row: accounts.LogRow, text: str | None) -> Iterator[Notification]:
    """Yield what an entry says to the organisation in whose log it stands; whoever only stores grain is no party.

    An acceptance names the delivery and not its seller, and a contract its other party without asking it: from the
    own line of whoever entered it, that one is told.
    """
    if text is None or row.organisation is None:
        return
    event = read_posted(json.loads(text))
    who = str(getattr(event, event.entered_by() or "actor"))
    told: accounts.Organisation | None = row.organisation
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
    yield Notification(told.pk, NewsKind.ARRIVED, f"log {row.pk}", said, page, about)


def _named_beside(event: Event) -> accounts.Organisation | None:
    """Return the organisation of this server that an entry is about and in whose log it does not stand, or None."""
    if isinstance(event, ContractEvent):
        return accounts.Organisation.objects.filter(handle=event.counterparty).first()
    return _seller_of(event.movement) if isinstance(event, AcceptEvent) else None


def _seller_of(delivery: str) -> accounts.Organisation | None:
    """Return the organisation of this server that made a delivery; None where it is somebody else's."""
    text = CustodyEvent.objects.filter(name=delivery).values_list("text", flat=True).first()
    giver = getattr(read_posted(json.loads(text)), "giver", "") if text else ""
    return accounts.Organisation.objects.filter(handle=giver).first() if giver else None


def _of_deed(row: accounts.LogRow) -> Iterator[Notification]:
    """Yield what an audit's or a visit's line of the log says, unless the organisation's own people did it."""
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
        yield Notification(own.pk, kind, f"log {row.pk}", said, page, f"{audit} {number}".strip() or row.about, query)


def _finding_at(own: accounts.Organisation, audit: str, number: str, page: str) -> tuple[tuple[str, str], ...]:
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


def _firm_of(row: accounts.LogRow) -> str:
    """Return for whom the actor of a row acted: another organisation in whose log the same deed stands, its own first.

    A finding may stand in three logs: the verifier's, the audited party's and that of a party which it names.
    """
    near = accounts.LogRow.objects.filter(
        pk__gte=row.pk - _NEAR, pk__lte=row.pk + _NEAR, deed=row.deed, actor=row.actor
    )
    if row.deed == FINDING:
        near = near.filter(about__endswith=row.about.rpartition(", ")[2])
    beside = near.exclude(organisation=row.organisation).exclude(organisation=None).select_related("organisation")
    firms = [other.organisation for other in beside if other.organisation is not None]
    own = (firm for firm in firms if firm.memberships.filter(person=row.actor).exists())
    return str(next(own, firms[0] if firms else row.actor or "provender"))


def _of_key(row: accounts.LogRow) -> Iterator[Notification]:
    """Yield what a replaced key says to the buyers that its holder has a contract with: they pin its keys.

    Whoever put a contract on file that the holder knows nothing of is told nothing.
    """
    if row.organisation is None or not (row.old or {}).get("fingerprint"):
        return
    own = CustodyContract.objects.filter(entity=row.organisation.handle, role=ContractKind.RECIPIENT)
    buyers = accounts.Organisation.objects.filter(handle__in=own.values_list("counterparty", flat=True))
    said = OF_KEY[bool((row.new or {}).get("by rotation"))].format(who=row.organisation)
    for buyer in buyers:
        yield Notification(buyer.pk, NewsKind.ARRIVED, f"log {row.pk}", said, "custody_partners", row.about)


def of_records(rows: Iterable[CustodyRecord]) -> Iterator[Notification]:
    """Yield what holders are told of changed reports, once for each entry that changed one."""
    found = [row for row in rows if row.kind == NOTICE]
    holders = accounts.Organisation.objects.filter(handle__in={row.group for row in found})
    keys = dict(holders.values_list("handle", "pk"))
    for row in found:
        if row.group in keys:
            said = "A report behind bushels of yours changed"
            yield Notification(keys[row.group], NewsKind.CHANGED, f"entry {row.stated_by_id}", said, "custody_checks")


def _of_periods(organisation: accounts.Organisation, today: date) -> Iterator[Notification]:
    """Yield which open periods of an organisation end soon or have ended, on the days of ``_BEFORE`` and after."""
    for one in CustodyPeriod.objects.filter(entity=organisation.handle, closed=None):
        left = (one.end - today).days
        reached = [days for days in _BEFORE if left <= days]
        if not reached:
            continue
        step = "past" if left < 0 else str(min(reached))
        said = f"Your period ended on {one.end}" if left < 0 else f"Your period ends on {one.end}"
        source, query = f"period {one.start} {step}", (("start", str(one.start)),)
        yield Notification(organisation.pk, NewsKind.PERIOD, source, said, "custody_period", str(one.start), query)


# Reading the log and the book for news, once for each organisation and deed, and putting what goes out in the outbox.
#
# Transactions of several writers end in another order than their rows are numbered. A row is therefore looked for until
# it is older than the longest transaction; what was told before is told no second time.

AT_ONCE: Final = 500
_LONGEST: Final = timedelta(minutes=10)
"""A transaction that writes for longer is not waited for."""
LOG, RECORDS = "log", "records"
Row = TypeVar("Row", bound=Model)

_log = getLogger(__name__)


class Reading:
    """Reads a table on from where it stopped, and remembers which of its young rows were read."""

    def __init__(self, table: str, model: type[Model], at: str) -> None:
        self._table, self._rows, self._at = table, model._default_manager, at  # noqa: SLF001 - Django has no other name
        self._read: set[int] = set()

    def fresh(self) -> list[int]:
        """Return the keys of rows not read yet, at most ``AT_ONCE``: new ones, and older ones that came late."""
        mark = self._mark().read_up_to
        self._read = {pk for pk in self._read if pk > mark}
        high = max(self._read, default=mark)
        behind = self._rows.filter(pk__gt=mark, pk__lte=high)
        late = behind.count() != len(self._read)
        found = [pk for pk in behind.values_list("pk", flat=True) if pk not in self._read] if late else []
        return [*found, *self._rows.filter(pk__gt=high).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]]

    def done(self, keys: list[int]) -> None:
        """Note that rows were told; move the mark past those that are old enough."""
        self._read.update(keys)
        if not self._read:
            return
        mark, high = self._mark(), max(self._read)
        since = timezone.now() - (timedelta() if connection.vendor == "sqlite" else _LONGEST)  # one writer at a time
        young = self._rows.filter(**{"pk__gt": mark.read_up_to, "pk__lte": high, f"{self._at}__gt": since})
        passed = (young.aggregate(first=Min("pk"))["first"] or high + 1) - 1
        if passed > mark.read_up_to:
            accounts.NewsMark.objects.filter(pk=mark.pk, read_up_to__lt=passed).update(read_up_to=passed)

    def _mark(self) -> accounts.NewsMark:
        """Return how far the table was read; at first to its end: what was there before is no news."""
        found = accounts.NewsMark.objects.filter(table=self._table).first()
        if found is None:
            end = self._rows.aggregate(end=Max("pk"))["end"] or 0
            found, _ = accounts.NewsMark.objects.get_or_create(table=self._table, defaults={"read_up_to": end})
        return found


class Gatherer:
    """Reads log and book for news."""

    def __init__(self) -> None:
        self._log = Reading(LOG, accounts.LogRow, "at")
        self._records = Reading(RECORDS, CustodyRecord, "stated_by__at")

    def round(self) -> int:
        """Tell what is new; return how many rows were read."""
        return self._of_log() + self._of_records()

    def _of_log(self) -> int:
        keys = self._log.fresh()
        found = accounts.LogRow.objects.filter(pk__in=keys, deed__in=_DEEDS, organisation__isnull=False)
        _send_notifications(_each(of_log, found.select_related("organisation", "actor")))
        self._log.done(keys)
        return len(keys)

    def _of_records(self) -> int:
        keys = self._records.fresh()
        _send_notifications(_each(of_records, CustodyRecord.objects.filter(pk__in=keys, kind=NOTICE)))
        self._records.done(keys)
        return len(keys)


def _each(words: Callable[[Iterable[Row]], Iterator[Notification]], rows: Iterable[Row]) -> Iterator[Notification]:
    """Yield what rows say; where one of them cannot be read, the others are told one by one.

    One row must not keep everybody's news back for good. A database that fails is another matter: it is read again.
    """
    rows = list(rows)
    try:
        yield from list(words(rows))
    except DatabaseError:
        raise
    except Exception:  # noqa: BLE001 - each row by itself tells which it was
        for row in rows:
            try:
                yield from list(words([row]))
            except DatabaseError:
                raise
            except Exception:  # noqa: BLE001 - ours; told in the log
                _log.exception("a row could not be told", extra={"row": row.pk})


def look_at_periods() -> int:
    """Tell which periods end soon, each organisation by the day of its place; return how many things were told."""
    open_now = CustodyPeriod.objects.filter(closed=None).values("entity")
    told = 0
    for organisation in accounts.Organisation.objects.filter(handle__in=open_now):
        at_the_place_of(organisation)
        try:
            told += _send_notifications(_of_periods(organisation, today()))
        except Exception:  # noqa: BLE001 - ours; the periods of others are told all the same
            _log.exception("periods could not be told", extra={"organisation": organisation.pk})
        finally:
            timezone.deactivate()
    return told


def _send_notifications(things: Iterable[Notification]) -> int:
    """Write what was not told before, each with what has to go out, whole or not at all; return how many."""
    return sum(_tell(one) for one in things)


def _tell(one: Notification) -> bool:
    if accounts.News.objects.filter(organisation=one.organisation, source=one.source).exists():
        return False
    try:
        with transaction.atomic():
            news = accounts.News.objects.create(
                organisation_id=one.organisation, kind=one.kind, source=one.source, says=one.says, about=one.about,
                page=one.page, query=[list(each) for each in one.query], at=timezone.now(),
            )  # fmt: skip
            _put_out(news)
    except IntegrityError:
        return False  # another process told it a moment ago
    return True


def _put_out(news: accounts.News) -> None:
    hooks = accounts.Hook.objects.filter(organisation=news.organisation, ended_at=None)
    choices = accounts.NewsChoice.objects.filter(
        membership__organisation=news.organisation, membership__person__is_active=True
    )
    sendings = [accounts.Sending(news=news, hook=one, next_at=news.at) for one in hooks if news.kind in one.kinds]
    sendings += [
        accounts.Sending(news=news, membership=one.membership, next_at=news.at)
        for one in choices.select_related("membership")
        if news.kind in one.sent
    ]
    accounts.Sending.objects.bulk_create(sendings)


# What a member wants shown and sent, and what is new to them.

_MOST: Final = 99
"""New things beyond that are not counted."""
_OF_ROLES: Final = {"farm": frozenset({Role.FARM}), "custody": frozenset(TRADING)}
"""By the first word of a page's name, the roles to which it opens; any other page opens to everybody."""
_INSTEAD: Final = {
    "custody_incoming": "farm_sales", "custody_sales": "farm_sales", "custody_partners": "farm_sales",
    "custody_period": "farm_sales", "custody_checks": "farm_reports", "farm_sales": "custody_sales",
}  # fmt: skip
"""Where an organisation does something about it that does not have the page: a farm has none of a trader's."""


class Notice(NamedTuple):
    """One thing an organisation was told."""

    number: int  # its place among all
    mark: str  # its name outside
    kind: NewsKind  # of what
    at: datetime  # when
    organisation: str  # the code of whom it was told
    name: str  # of the organisation
    says: str  # in a sentence
    about: str  # the entry or finding
    page: str  # the name of the page where something is done about it
    query: tuple[tuple[str, str], ...]  # what the page's address asks for besides


def notice_of(row: accounts.News) -> Notice:
    """Return news as interfaces show them, with a page that the organisation has today."""
    held = {one.role for one in row.organisation.roles.all()}
    page = next((one for one in (row.page, _INSTEAD.get(row.page, "")) if one and _opens(one, held)), "notices")
    query = tuple((name, value) for name, value in row.query) if page == row.page else ()
    return Notice(
        row.pk, row.handle, NewsKind(row.kind), row.at, row.organisation.handle, row.organisation.name, row.says,
        row.about, page, query,
    )  # fmt: skip


def _opens(page: str, held: Collection[str]) -> bool:
    needed = _OF_ROLES.get(page.partition("_")[0])
    return needed is None or any(role in needed for role in held)


def choice_of(membership: accounts.Membership) -> accounts.NewsChoice:
    """Return what a member wants: everything shown and nothing sent, where they never chose."""
    found = accounts.NewsChoice.objects.filter(membership=membership).first()
    return found or accounts.NewsChoice(membership=membership, shown=list(NewsKind.values))


@transaction.atomic
def choose(membership: accounts.Membership, *, shown: Iterable[str], sent: Iterable[str]) -> None:
    """Keep what a member wants shown on the page and sent by mail.

    Raises:
        RefusedError: a kind is unknown.
    """
    wanted = {"shown": sorted(set(shown)), "sent": sorted(set(sent))}
    for column, kinds in wanted.items():
        if not set(kinds) <= set(NewsKind.values):
            remedy = f"Choose from {', '.join(NewsKind.values)}."
            raise refusal("kinds_unknown", "There is no such kind of notice.", remedy, column=column)
    accounts.NewsChoice.objects.update_or_create(membership=membership, defaults=wanted)


def news_for(membership: accounts.Membership) -> QuerySet[accounts.News]:
    """Return what a member wants shown, the newest first."""
    return all_news(membership.organisation).filter(kind__in=choice_of(membership).shown)


def all_news(organisation: accounts.Organisation) -> QuerySet[accounts.News]:
    """Return everything an organisation was told, the newest first."""
    return (
        accounts.News.objects.filter(organisation=organisation)
        .select_related("organisation")
        .prefetch_related("organisation__roles")
    )


def unseen(membership: accounts.Membership) -> int:
    """Count what came since the member looked, up to ``_MOST`` and one more."""
    choice = choice_of(membership)
    fresh = accounts.News.objects.filter(
        organisation=membership.organisation_id, kind__in=choice.shown, pk__gt=choice.seen
    )
    return len(fresh.values_list("pk")[: _MOST + 1])


def look(membership: accounts.Membership, newest: int) -> None:
    """Note that a member has seen everything up to one piece of news."""
    made, _ = accounts.NewsChoice.objects.get_or_create(
        membership=membership, defaults={"shown": list(NewsKind.values)}
    )
    accounts.NewsChoice.objects.filter(pk=made.pk, seen__lt=newest).update(seen=newest)
