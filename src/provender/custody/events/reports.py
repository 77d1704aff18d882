"""Which serials bear the bushels that a report lost (interpretation 35): the order, and what a book cannot know.

Unsold serials come first: the farm's own, then a landowner's share, each from the highest serial down. Then what was
sold, the latest first: claims by the day their holder acquired them, and serials that a sale slip signed away but
nobody has purchased here by the day of the slip. A slip to a party whose book is elsewhere counts like any other.

A book sees only the slips it was given. What it takes for unsold, the farm may have sold to a party elsewhere; then the
shortfall falls on somebody in truth, and this book does not show it. That is said as a doubt (``doubts``).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import pairwise
from typing import Final

from provender.custody.events import rules
from provender.custody.events.footing import Footed, about_of, footing_of
from provender.custody.model import event as events
from provender.custody.model import lots as serials
from provender.custody.model.balances import used_up
from provender.custody.model.entities import GROWERS, Entity, Period, Role, period_of
from provender.custody.model.event import event
from provender.custody.model.store_view import Decision, StoreView
from provender.exact import CI_SCALE, Bushels, Ci, Serials, show
from provender.problem import Place, Problem, Weight, counted
from provender.schema import Code, Name, Text, Whole, declared, field

_CODE: Final = "unsold_not_shown"
"""The doubt: bushels were taken as unsold, and no slip shows that nobody else bought them."""


@dataclass(frozen=True, slots=True)
class Borne:
    """Who bears missing bushels."""

    unsold: tuple[serials.Piece, ...] = ()  # pieces that a grower has and no slip signs away, as far as this book knows
    sold: tuple[serials.Piece, ...] = ()  # pieces that a slip signed away or a trader holds

    @property
    def pieces(self) -> tuple[serials.Piece, ...]:
        return (*self.unsold, *self.sold)

    @property
    def bushels(self) -> int:
        return sum(piece.crop_amount for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class QuestionedBushels(events.Record, kind="doubted", key="event/holder", group="holder"):
    """Bushels that a book took for unsold when a report shrank, told to each holder of claims on that report."""

    event: str  # the report's new version
    holder: str  # whom it concerns
    origin: str  # whose serials
    day: date  # the day of the new version
    bushels: int  # thousandths taken for unsold


def doubts(store: StoreView, holder: str) -> list[Problem]:
    """Return what a holder should ask, since its book cannot know whether bushels were unsold (interpretation 35)."""
    found = []
    for one in store.many(QuestionedBushels, holder):
        amount = serials.show_amount(one.bushels, serials.BUSHEL)
        cause = f"{amount} missing since {one.day} were taken as unsold: this book has no slip of them to anybody."
        remedy = "Ask the farm for its slips to other buyers; release without claim what of the shortfall is yours."
        place = Place(one.event, column="bushels")
        found.append(Problem(place, cause, remedy, "2100.032(a)", Weight.CONFIRM, _CODE))
    return found


def _doubted(
    origin: serials.Origin, event: str, day: date, borne: Borne, lots: Iterable[serials.Lot]
) -> list[QuestionedBushels]:
    """Return the doubt for each holder of claims that a wrong guess would have spared; none where none was made."""
    bushels = sum(piece.crop_amount for piece in borne.unsold)
    growers = {origin.issuer, *(piece.lot.owner for piece in borne.unsold)}
    holders = sorted({lot.owner for lot in lots if lot.state in serials.LIVE} - growers) if bushels else []
    return [QuestionedBushels(event, holder, origin.id, day, bushels) for holder in holders]


def _who_bears(store: StoreView, origin: serials.Origin, lots: Sequence[serials.Lot], bushels: int) -> Borne:
    """Return who bears so many missing bushels, in the order of the reading.

    The lots are the current ones of the origin, lowest first.
    """
    found = []
    for pieces in _in_order(store, origin, lots):
        taken: list[serials.Piece] = []
        for piece in pieces:
            if bushels <= 0:
                break
            taken.append(_top(piece, bushels))
            bushels -= taken[-1].crop_amount
        found.append(tuple(taken))
    return Borne(*found)


def named(lots: Sequence[serials.Lot], spans: Iterable[serials.Span]) -> Borne:
    """Return what can still move among serials that a wider book found to bear the shortfall."""
    live = [lot for lot in lots if lot.state in serials.LIVE]
    pieces = (serials.part(lot, *span) for span in spans for lot in live if lot.start < span[1] and span[0] < lot.stop)
    return Borne(sold=tuple(pieces))


def _in_order(
    store: StoreView, origin: serials.Origin, lots: Sequence[serials.Lot]
) -> tuple[list[serials.Piece], list[serials.Piece]]:
    live = [lot for lot in lots if lot.state in serials.LIVE]
    growers = {name for name in {lot.owner for lot in live} if _grows(store, origin, name)}
    signed = sorted(
        (span, slip.day, slip.giver) for slip in store.many(serials.Slip, origin.id) for span in slip.open_spans
    )
    free: list[serials.Piece] = []
    sold: list[tuple[date, int, serials.Piece]] = []
    for lot in live:
        if lot.owner not in growers:
            sold.append((lot.acquired, lot.start, serials.part(lot, lot.start, lot.stop)))
            continue
        mine = [
            (day, serials.overlaps([span], [(lot.start, lot.stop)]))
            for span, day, giver in signed
            if giver == lot.owner
        ]
        sold += [(day, span[0], serials.part(lot, *span)) for day, spans in mine for span in spans]
        left = serials.subtract_spans([(lot.start, lot.stop)], (span for _, spans in mine for span in spans))
        free += [serials.part(lot, *span) for span in left]
    free.sort(key=lambda one: (one.lot.owner != origin.issuer, -one.start))
    sold.sort(key=lambda one: one[:2], reverse=True)
    return free, [piece for _, _, piece in sold]


def _grows(store: StoreView, origin: serials.Origin, name: str) -> bool:
    """Tell whether somebody's serials are a grower's own, which count as sold only where a slip signs them away."""
    if name == origin.issuer:
        return True
    holder = store.one(Entity, name)
    return origin.source is serials.OriginKind.REPORT and holder is not None and holder.may(GROWERS)


def _top(piece: serials.Piece, bushels: int) -> serials.Piece:
    """Return the upper end of a piece, at most so many bushels; the rest keeps its share of a product, rounded down."""
    start = max(piece.start, piece.stop - bushels)
    if start == piece.start:
        return piece
    kept = piece.product * (start - piece.start) // piece.crop_amount
    return serials.Piece(piece.lot, start, piece.stop, piece.product - kept)


# What an amended or withdrawn report does to bushels already sold (interpretation 35).
#
# Downward only: a worse carbon intensity or fewer bushels reach every claim that can still move; a better one reaches
# what the farm has not sold. Missing bushels are taken from unsold serials first, then from what was sold, the latest
# first (``shortfall``); what then lacks went into claims already ended, and their last holders get a notice. Nothing
# posted is changed: a closed period keeps its statement and gets a restatement beside it.


class NoticeKind(StrEnum):
    """Why a holder is told."""

    WORSE_CI = "worse_ci"
    FEWER_BUSHELS = "fewer_bushels"
    WITHDRAWN = "withdrawn"
    SUSPENDED = "suspended"
    REINSTATED = "reinstated"
    SHORTFALL = "shortfall"
    """The claim ended (retired, sold outside) before the report changed."""


@dataclass(frozen=True, slots=True)
class Notice(events.Record, kind="notice", key="number", group="holder"):
    """Tells a holder that a report behind its claims changed."""

    number: str  # event and running number
    holder: str  # who is told
    origin: str  # whose serials
    start: int  # first serial
    stop: int  # the serial after the last
    day: date  # the day of the change
    reason: NoticeKind  # why
    said: str  # in words
    change: NoticeKind  # what changed in the report; not the reason itself for a shortfall


class ReportChange:
    """One change of a report in the making: what it writes, and whom it tells."""

    def __init__(self, event: events.Event, origin: serials.Origin) -> None:
        self.request = event
        self.origin = origin
        self.draft = rules.MovementDraft(event)
        self.notices = 0

    def tell(
        self, holder: str, start: int, stop: int, reason: NoticeKind, said: str, change: NoticeKind | None = None
    ) -> None:
        """State a notice, unless the holder is the farm or sender itself, who made the change."""
        if holder == self.origin.issuer:
            return
        self.notices += 1
        number = f"{self.request.id}/notice/{self.notices}"
        day, origin = self.request.day, self.origin.id
        self.draft.state(Notice(number, holder, origin, start, stop, day, reason, said, change or reason))


def check_holders(store: StoreView, origin: serials.Origin, event: events.Event) -> None:
    """Refuse a change dated in a period that one of the holders has closed: it is entered in the open one.

    Raises:
        Refusal: PERIOD_CLOSED. A day for which a holder has declared no period yet is no obstacle.
    """
    for lot in store.lots_at(origin.id, *origin.span):
        holder = store.one(Entity, lot.owner)
        period = period_of(store.many(Period, lot.owner), event.day) if lot.state in serials.LIVE else None
        if holder is not None and period is not None:
            rules.require(
                period.closed is None,
                events.Status.PERIOD_CLOSED,
                f"{holder.name} closed {period.start} to {period.end}.",
            )


def check_later(store: StoreView, origin: serials.Origin, event: events.Event) -> None:
    """Refuse a change dated before the last movement of a claim it may reach."""
    for lot in store.lots_at(origin.id, *origin.span):
        rules.require(
            lot.state not in serials.LIVE or lot.since <= event.day, events.Status.NOT_HELD_YET, rules.lot_location(lot)
        )


def amend(
    store: StoreView,
    event: events.Event,
    origin: serials.Origin,
    version: serials.Version,
    bear: Sequence[serials.Span] = (),
    sold: Sequence[serials.Span] = (),
) -> Decision:
    """Enter the next version of a report and carry it as far down the chain as it may reach.

    Args:
        store: the store.
        event: the event.
        origin: as it stands.
        version: the new version.
        bear: the serials that bear missing bushels, where a wider book found them; else this book finds them.
        sold: serials that a better carbon intensity does not reach, where a wider book knows that others had them.
    """
    change = ReportChange(event, origin)
    before = origin.current
    lots = store.lots_at(origin.id, *origin.span)
    missing = before.bushels - version.bushels
    borne = named(lots, bear) if bear else _who_bears(store, origin, lots, missing)
    pieces: list[tuple[serials.Piece, dict[str, object]]] = [
        (piece, {"state": serials.LotState.VOID, "by": event.id, "since": event.day}) for piece in borne.pieces
    ]
    for piece in borne.pieces:
        said = f"{serials.show_amount(piece.crop_amount, serials.BUSHEL)} are no longer in the report."
        change.tell(piece.lot.owner, piece.start, piece.stop, NoticeKind.FEWER_BUSHELS, said)
    _shorten_slips(store, change, borne.pieces)
    touched = {piece.lot.id for piece in borne.pieces}
    untouched = [*(serials.whole(lot) for lot in lots if lot.id not in touched), *serials.rests(borne.pieces)]
    pieces += _reached(change, untouched, version.ci, sold)
    write_pieces(change.draft, pieces)
    ended = [piece for piece in untouched if piece.lot.state is serials.LotState.RETIRED]
    _tell_worse(change, ended, before, version)
    if bear:
        ended = [
            serials.part(one.lot, *span) for one in ended for span in serials.overlaps([(one.start, one.stop)], bear)
        ]
    _tell_short(change, ended, max(missing - borne.bushels, 0))
    issued = origin.issued + max(0, -missing)
    after = replace(origin, versions=(*origin.versions, version), issued=issued)
    if missing < 0:
        # Numbers once void stay void, so new ones follow the last.
        change.draft.enter(rules.lot_as_grown(origin, version, origin.issued, issued))
    doubt = _doubted(origin, event.id, event.day, borne, lots)
    change.draft.state(after, *doubt)
    unsold = serials.show_amount(sum(piece.crop_amount for piece in borne.unsold), serials.BUSHEL)
    more = f" {unsold} were taken as unsold: no slip here shows otherwise." if doubt else ""
    told = f"Version {version.number} of {origin.id}; {counted(change.notices, 'notice')} to holders.{more}"
    return change.draft.outcome(told, details=(("taken_as_unsold", unsold),) if doubt else ())


def _reached(
    change: ReportChange, untouched: Sequence[serials.Piece], ci: int, sold: Sequence[serials.Span]
) -> Iterator[tuple[serials.Piece, dict[str, object]]]:
    """Yield the pieces that the version's carbon intensity reaches: a worse one all, a better one the issuer's own."""
    for piece in untouched:
        lot = piece.lot
        if lot.state not in serials.LIVE or ci == lot.ci:
            continue
        if ci > lot.ci:
            said = f"CI {show(lot.ci, CI_SCALE)} becomes {show(ci, CI_SCALE)}."
            change.tell(lot.owner, piece.start, piece.stop, NoticeKind.WORSE_CI, said)
            yield piece, {"ci": ci}
        elif lot.owner == change.origin.issuer:
            spans = serials.subtract_spans([(piece.start, piece.stop)], sold)
            for span in spans:
                yield serials.part(lot, *span), {"ci": ci}


def _shorten_slips(store: StoreView, change: ReportChange, cut: Sequence[serials.Piece]) -> None:
    """Take serials that are void now out of the slips that assign them, and tell those who were to have them."""
    gone = [(piece.start, piece.stop) for piece in cut]
    slips = store.many(serials.Slip, change.origin.id) if gone else ()
    for slip in slips:
        for start, stop in serials.overlaps(slip.open_spans, gone):
            said = f"{serials.show_amount(stop - start, serials.BUSHEL)} of slip {slip.id} are no longer in the report."
            change.tell(slip.taker, start, stop, NoticeKind.FEWER_BUSHELS, said)
    change.draft.state(*used_up(slips, gone))


def write_pieces(draft: rules.MovementDraft, pieces: Sequence[tuple[serials.Piece, dict[str, object]]]) -> None:
    """Write several changes to parts of the same lots in one go, so that each lot ends once."""
    by_lot: dict[str, list[tuple[serials.Piece, dict[str, object]]]] = {}
    for piece, changes in pieces:
        by_lot.setdefault(piece.lot.id, []).append((piece, changes))
    for parts in by_lot.values():
        draft.alter_each(parts)


def _tell_worse(
    change: ReportChange, ended: Iterable[serials.Piece], before: serials.Version, version: serials.Version
) -> None:
    """Tell those who retired claims at a carbon intensity that is worse now, the latest first."""
    for piece in _latest(ended):
        lot = piece.lot
        if version.ci > before.ci and version.ci > lot.ci:
            said = f"Retired at CI {show(lot.ci, CI_SCALE)}; the report now says {show(version.ci, CI_SCALE)}."
            change.tell(lot.owner, piece.start, piece.stop, NoticeKind.SHORTFALL, said, NoticeKind.WORSE_CI)


def _tell_short(change: ReportChange, ended: Iterable[serials.Piece], short: int) -> None:
    """Tell those who retired claims on bushels that are missing and nobody else can bear, the latest first."""
    for piece in _latest(ended):
        if short <= 0:
            break
        start = max(piece.start, piece.stop - short)
        said = f"{serials.show_amount(piece.stop - start, serials.BUSHEL)} retired are no longer in the report."
        change.tell(piece.lot.owner, start, piece.stop, NoticeKind.SHORTFALL, said, NoticeKind.FEWER_BUSHELS)
        short -= piece.stop - start


def _latest(pieces: Iterable[serials.Piece]) -> list[serials.Piece]:
    return sorted(pieces, key=lambda one: (one.lot.since, one.start), reverse=True)


@declared
class StandingEvent(events.Event):
    """Fields of the events that suspend, reinstate or withdraw a report."""

    origin: Code = field("Origin", help="The origin's id.")
    reason: Text = field("Reason", help="In words.", default="")


@event("withdraw", events.RestsOn.NEWS, everyone=True)
class WithdrawEvent(StandingEvent):
    """Withdraws a report: every claim on it that can still move ends."""


def decide_withdraw(store: StoreView, event: WithdrawEvent) -> Decision:
    origin = rules.record_of(store, serials.Origin, event.origin)
    rules.require(
        origin.standing is not serials.ReportStanding.WITHDRAWN,
        events.Status.ALREADY_ANSWERED,
        "It was withdrawn before.",
    )
    check_holders(store, origin, event)
    check_later(store, origin, event)
    change = ReportChange(event, origin)
    lots = store.lots_at(origin.id, *origin.span)
    live = [serials.whole(lot) for lot in lots if lot.state in serials.LIVE]
    if live:
        change.draft.move(live, state=serials.LotState.VOID)
    for lot in lots:
        if lot.state in serials.LIVE:
            change.tell(lot.owner, lot.start, lot.stop, NoticeKind.WITHDRAWN, "The report was withdrawn.")
        elif lot.state is serials.LotState.RETIRED:
            said = "The report was withdrawn after these claims were retired."
            change.tell(lot.owner, lot.start, lot.stop, NoticeKind.SHORTFALL, said, NoticeKind.WITHDRAWN)
    change.draft.state(replace(origin, standing=serials.ReportStanding.WITHDRAWN))
    return change.draft.outcome(f"{origin.id} is withdrawn; {counted(change.notices, 'notice')}.")


# Farm reports become origins (2100.031(c)): one per farm, crop and harvest year, in versions (interpretation 34).

_CI_MAX_G_PER_BU = 10_000_000
"""100,000 g CO2e per bushel, several times any crop's: beyond it the unit is wrong."""


@event("report", events.RestsOn.SIGNATURE, speaker="entity")
class ReportEvent(events.PaperEvent):
    """A farm's signed report, or a later version of it. It makes the origin ``farm/crop/year``, or its blinded id."""

    entity: Name = field("Entity", help="The farm.", party=events.Party.ENTERS)
    crop: Text = field("Crop", help="`corn`, `soybeans` or `sorghum`.", choices="crops")
    harvest_year: Whole = field("Harvest year", help="Year of harvest.", folded=True)
    bushels: Bushels = field("Bushels", help="The whole harvest of the crop and year.")
    ci: Ci = field("Carbon intensity", help="The farm-level carbon intensity.")
    version: Whole = field("Version", help="1, 2, ...; a later one amends.", default=1)
    salt: Text = field(
        "Salt", help="The secret that blinds the origin's id; it stands in the report.", asked=False, default=""
    )
    report: Text = field("Report", help="Hash of the signed report.", asked=False, default="")
    spans: tuple[Serials, ...] = field(
        "Spans",
        help=(
            "For a later version with fewer bushels, the serials that bear them where a book that holds more parties "
            "found them; left out, this book finds them by the order of interpretation 35."
        ),
        folded=True,
        example=[["0", "500"]],
        default=(),
    )
    sold: tuple[Serials, ...] = field(
        "Sold",
        help=(
            "For a later version with a better carbon intensity, serials that others had when it came, where a book "
            "that holds more parties knows of them: they keep the worse one, though this book sees them with the "
            "farm."
        ),
        default=(),
    )

    def locks(self) -> tuple[str, ...]:
        """Return the farm for a first version; everybody for a later one, which may reach any holder."""
        return (self.entity,) if self.version == 1 else (events.EVERYONE,)

    @property
    def origin(self) -> str:
        """Return the id of the origin. Raises ValueError: the salt is too short."""
        return serials.origin_id(self.entity, self.crop, self.harvest_year, self.salt)


@dataclass(frozen=True, slots=True)
class ReportPaper(events.Record, kind="report_paper", key="sha256"):
    """Of which farm, crop, harvest year and version a signed report is, by its hash: one paper is one report."""

    sha256: str
    version: str


def check_ci(ci: int) -> None:
    """Refuse a carbon intensity that no crop has; a soil that stores carbon may bring it below zero."""
    possible = -_CI_MAX_G_PER_BU < ci < _CI_MAX_G_PER_BU
    rules.require(possible, events.Status.CI_NOT_POSSIBLE, f"It says {show(ci, CI_SCALE)} g CO2e/bu.")


def decide_report(store: StoreView, event: ReportEvent) -> Decision:
    """Make an origin of the farm's bushels, or enter the next version of its report."""
    farm = rules.entity_of(store, event.entity)
    rules.require(Role.FARM in farm.roles, events.Status.ROLE_NOT_ALLOWED, f"{farm.name} is no farm.")
    rules.check_crop(event.crop)
    rules.check_amounts((event.bushels, serials.BUSHEL))
    check_ci(event.ci)
    try:
        origin = event.origin
    except ValueError as short:
        raise events.Refusal(events.Status.FIELD_UNREADABLE, f"salt: {short}.") from None
    name = serials.origin_name(farm.id, event.crop, event.harvest_year)
    known = store.many(serials.Origin, name)
    paper = ReportPaper(event.report, f"{name}, version {event.version}")
    other = store.one(ReportPaper, paper.sha256) if event.report else None
    may_know = bool(store.owner) or (other is not None and other.version.startswith(f"{farm.id}/"))
    said = f"The paper of this hash is the report {other.version}." if other and may_know else ""
    rules.require(other in (None, paper), events.Status.DOCUMENT_SEEN, said)
    checked = (paper,) if footing_of(store, event) is events.Footing.CHECKED else ()
    _check_spans(known[0] if known else None, event)
    if known:
        check_holders(store, known[0], event)
    else:
        rules.require(event.version == 1, events.Status.VERSION_OUT_OF_ORDER, "The book has no version 1.")
        first = _first(store, event, origin)
        return replace(first, records=(*first.records, *checked))
    same = known[0]
    replaces = _shows_other(store, same, event)
    second = (event.version == 1 and not replaces) or (bool(event.salt) and same.id != origin)
    rules.require(not second, events.Status.SECOND_ORIGIN, f"{same.id}, version {same.current.number}.")
    follows = replaces or (event.version == same.current.number + 1 and event.day >= same.current.day)
    last = f"The last one is {same.current.number} of {same.current.day}."
    rules.require(follows, events.Status.VERSION_OUT_OF_ORDER, last)
    rules.require(same.standing is not serials.ReportStanding.WITHDRAWN, events.Status.REPORT_WITHDRAWN)
    check_later(store, same, event)
    version = serials.Version(event.version, event.day, event.bushels, event.ci, event.report, by=event.id)
    amended = amend(store, event, same, version, event.spans, event.sold)
    return replace(amended, records=(*amended.records, *checked))


def _shows_other(store: StoreView, origin: serials.Origin, event: ReportEvent) -> bool:
    """Tell whether it is the signed paper of the version in force, which was typed in otherwise: the paper counts."""
    typed = store.one(Footed, about_of(event)) if origin.version == event.version else None
    if typed is None or typed.footing is not events.Footing.TYPED:
        return False
    return footing_of(store, event) is events.Footing.CHECKED


def _check_spans(origin: serials.Origin | None, event: ReportEvent) -> None:
    """Refuse serials to bear missing bushels that overlap, are not the report's, or are more than it lacks."""
    spans = sorted(event.spans)
    upward = all(start < stop for start, stop in spans) and all(one[1] <= other[0] for one, other in pairwise(spans))
    within = not spans or (spans[0][0] >= 0 and origin is not None and spans[-1][1] <= origin.issued)
    missing = max(0, origin.current.bushels - event.bushels) if origin else 0
    said = f"{serials.show_amount(missing, serials.BUSHEL)} are missing."
    rules.require(upward and within and serials.length(spans) <= missing, events.Status.SPAN_NOT_POSSIBLE, said)


def _first(store: StoreView, event: ReportEvent, origin: str) -> Decision:
    seen = store.one(serials.Origin, origin)
    came = store.lots_at(origin, *seen.span) if seen else ()
    _check_seen(event, seen, came)
    draft = rules.MovementDraft(event)
    version = serials.Version(1, event.day, event.bushels, event.ci, event.report, by=event.id)
    made = serials.Origin(
        id=origin,
        form=event.crop,
        issuer=event.entity,
        crop=event.crop,
        harvest_year=event.harvest_year,
        source=serials.OriginKind.REPORT,
        number="",
        standing=serials.ReportStanding.SUSPENDED if seen and seen.is_doubtful else serials.ReportStanding.ACTIVE,
        versions=(version,),
        issued=event.bushels,
    )
    draft.state(made)
    for span in serials.subtract_spans([(0, event.bushels)], ((lot.start, lot.stop) for lot in came)):
        draft.enter(rules.lot_as_grown(made, version, *span))
    return draft.outcome(
        f"Origin {origin}: {serials.show_amount(event.bushels, serials.BUSHEL)}.", details=(("origin", origin),)
    )


def _check_seen(event: ReportEvent, seen: serials.Origin | None, came: Sequence[serials.Lot]) -> None:
    """Refuse a report that what came of it on traders' documents before contradicts.

    A party may buy of a farm whose bushels it had from others: those stay where they are, the rest lies with the farm.
    """
    if seen is None:
        return
    same = (seen.source, seen.crop, seen.harvest_year) == (serials.OriginKind.DOCUMENT, event.crop, event.harvest_year)
    rules.require(same, events.Status.DOCUMENT_SEEN, f"Origin {seen.id}.")
    rules.require(seen.standing is not serials.ReportStanding.WITHDRAWN, events.Status.REPORT_WITHDRAWN)
    issued, reported = show(seen.issued, group=True), show(event.bushels, group=True)
    beyond = f"{seen.id}: serials up to {issued} came on documents, the report has {reported}."
    rules.require(seen.issued <= event.bushels, events.Status.OUTSIDE_ORIGIN, beyond)
    better = next((lot for lot in came if lot.ci < event.ci), None)
    said = f"{rules.lot_location(better)} came at {show(better.ci, CI_SCALE)} g CO2e/bu." if better else ""
    rules.require(better is None, events.Status.CI_DIFFERS, said)


@event("suspend", events.RestsOn.NEWS, everyone=True)
class SuspendEvent(StandingEvent):
    """Suspends a report: its claims rest where they are."""


@event("reinstate", events.RestsOn.NEWS, everyone=True)
class ReinstateEvent(StandingEvent):
    """Ends a suspension."""


def decide_standing(store: StoreView, event: SuspendEvent | ReinstateEvent) -> Decision:
    origin = rules.record_of(store, serials.Origin, event.origin)
    to = serials.ReportStanding.SUSPENDED if isinstance(event, SuspendEvent) else serials.ReportStanding.ACTIVE
    rules.require(origin.standing is not to, events.Status.ALREADY_ANSWERED, f"The report is {to}.")
    rules.require(origin.standing is not serials.ReportStanding.WITHDRAWN, events.Status.REPORT_WITHDRAWN)
    change = ReportChange(event, origin)
    suspended = to is serials.ReportStanding.SUSPENDED
    kind = NoticeKind.SUSPENDED if suspended else NoticeKind.REINSTATED
    said = "The report is suspended: these claims rest." if suspended else "The report is in force again."
    for lot in store.lots_at(origin.id, *origin.span):
        if lot.state in serials.LIVE or lot.state is serials.LotState.RETIRED:
            change.tell(lot.owner, lot.start, lot.stop, kind, said)
    change.draft.state(replace(origin, standing=to))
    return change.draft.outcome(f"The report behind {origin.id} is {to}.")
