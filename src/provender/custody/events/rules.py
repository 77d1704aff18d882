"""What the decisions share: checks that end in a refusal, and the draft of what a movement writes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from provender.custody.model.entities import Entity, Period, Role, SiteClosure, last_closed, period_of
from provender.custody.model.event import Event, Range, Record, Refusal, Status
from provender.custody.model.lots import (
    FORMS,
    POUND,
    SPAN_MAX,
    Lot,
    LotState,
    Origin,
    Piece,
    ReportStanding,
    Version,
    rests,
    show_amount,
)
from provender.custody.model.store_view import Decision, R, StoreView, flow_of, with_before
from provender.rule.crops import Crop

_CROPS: Final = frozenset(Crop)
_POSTED: Final = Status.POSTED.sentence


def require(condition: bool, status: Status, detail: str | Callable[[], str] = "") -> None:
    """Refuse unless a condition holds; a detail that costs time is a function, asked only then.

    Raises:
        Refusal: it does not.
    """
    if not condition:
        raise Refusal(status, detail if isinstance(detail, str) else detail())


def entity_of(store: StoreView, name: str) -> Entity:
    found = store.one(Entity, name)
    if found is None:
        raise Refusal(Status.ENTITY_NOT_FOUND, f"{name!r} is not registered.")
    return found


def parties_of(
    store: StoreView, giver: str, taker: str, roles: tuple[frozenset[Role], frozenset[Role]], said: str
) -> tuple[Entity, Entity]:
    """Return giver and taker of a trade, or refuse parties that are one, or whose roles do not allow it."""
    one, other = entity_of(store, giver), entity_of(store, taker)
    require(one.id != other.id, Status.PARTIES_ARE_ONE)
    require(one.may(roles[0]) and other.may(roles[1]), Status.ROLE_NOT_ALLOWED, said)
    return one, other


def record_of(store: StoreView, kind: type[R], key: str) -> R:
    found = store.one(kind, key)
    if found is None:
        raise Refusal(Status.RECORD_NOT_FOUND, f"There is no {kind.kind} {key!r}.")
    return found


def closed_sites(store: StoreView, entity: str) -> dict[str, SiteClosure]:
    return {one.site: one for one in store.many(SiteClosure, entity) if one.closed is not None}


def closings_by_custodian(store: StoreView) -> Callable[[str], Mapping[str, SiteClosure]]:
    """Return what gives a custodian's closings in force by site; each is asked for once."""
    known: dict[str, Mapping[str, SiteClosure]] = {}

    def closings(custodian: str) -> Mapping[str, SiteClosure]:
        if custodian not in known:
            known[custodian] = closed_sites(store, custodian)
        return known[custodian]

    return closings


def site_of(store: StoreView, entity: Entity, named: str) -> str:
    """Return the site named, or the only one there is that is not closed; refuse otherwise.

    One that is closed for a coming day counts among those there are, before and after it: it is to be named.
    """
    if named in entity.sites:
        return named
    if not named and len(entity.sites) == 1:
        return entity.sites[0]
    shut = closed_sites(store, entity.id) if not named and entity.sites else {}
    running = [site for site in entity.sites if site not in shut or shut[site].ahead]
    if shut and len(running) == 1:
        return running[0]
    known = ", ".join(entity.sites) or "none"
    raise Refusal(Status.SITE_NOT_FOUND, f"{entity.name} has these sites: {known}.")


def home_of(store: StoreView, entity: Entity, named: str) -> str:
    """Return where something comes back to: the site named, the only one, or none for those without sites."""
    return site_of(store, entity, named) if named or entity.sites else ""


def check_crop(crop: str) -> None:
    require(crop in _CROPS, Status.CROP_NOT_COVERED, f"{crop!r} is not listed.")


def check_amounts(*amounts: tuple[int, str]) -> None:
    """Refuse amounts of nothing, then amounts that no origin holds."""
    for amount, unit in amounts:
        if amount <= 0:
            require(condition=False, status=Status.AMOUNT_NOT_POSITIVE, detail=_stated_amount(amount, unit))
    for amount, unit in amounts:
        if amount > SPAN_MAX * (64 if unit == POUND else 1):
            require(condition=False, status=Status.AMOUNT_TOO_LARGE, detail=_stated_amount(amount, unit))


def _stated_amount(amount: int, unit: str) -> str:
    return f"It says {show_amount(amount, unit)}."


def open_period(store: StoreView, entity: Entity, day: date) -> Period | None:
    """Return the open period of an entity that holds the day; None for those who keep no balance.

    Whoever kept one keeps its closed periods, whatever its roles are now.

    Raises:
        Refusal: no period is declared for the day, or it is closed.
    """
    periods = store.many(Period, entity.id)
    period = period_of(periods, day)
    if not entity.keeps_balance and period is None:
        last = last_closed(periods)
        shut = last is not None and day <= last.end
        require(not shut, Status.PERIOD_CLOSED, f"{entity.name} closed {last.start} to {last.end}." if last else "")
        return None
    if period is None:
        raise Refusal(Status.PERIOD_NOT_DECLARED, f"{entity.name}, {day}.")
    require(period.closed is None, Status.PERIOD_CLOSED, lambda: f"{entity.name}, {period.start} to {period.end}.")
    return period


def check_former(store: StoreView, seller: Entity, day: date, sale: Event) -> None:
    """Refuse a day on which a seller cannot take back what it sold, as ``open_period`` does.

    A seller that sold by document and declared no period here keeps its book elsewhere, where its periods are.
    """
    if sale.type != "document" or store.many(Period, seller.id):
        open_period(store, seller, day)


def check_standing(origin: Origin) -> None:
    if origin.standing is ReportStanding.WITHDRAWN:
        raise Refusal(Status.REPORT_WITHDRAWN, f"Origin {origin.id}.")
    if origin.standing is ReportStanding.SUSPENDED:
        raise Refusal(Status.REPORT_SUSPENDED, f"Origin {origin.id}.")


def show_span(start: int, stop: int) -> str:
    return f"bushels {show_amount(start, '').strip()} to {show_amount(stop, '').strip()}"


def check_ranges(lots: Sequence[Range]) -> None:
    """Refuse serial ranges that run downward, are empty, or overlap."""
    if not lots:
        return
    last: dict[str, int] = {}
    for one in sorted(lots, key=lambda lot: (lot.origin, lot.start)):
        if not (0 <= one.start < one.stop and one.pounds >= 0 and one.start >= last.get(one.origin, 0)):
            require(condition=False, status=Status.SPAN_NOT_POSSIBLE, detail=f"{show_span(one.start, one.stop)}.")
        last[one.origin] = one.stop


def lot_location(lot: Lot) -> str:
    state = {LotState.HELD: "held by", LotState.UNVERIFIED: "held unverified by", LotState.IN_TRANSIT: "on the way to"}
    state[LotState.DISPUTED] = "in dispute with"
    place = state.get(lot.state, f"{lot.state} by")
    return f"{lot.origin}, {show_span(lot.start, lot.stop)}: {place} {lot.owner} as {lot.form} since {lot.since}."


class MovementDraft:
    """What a movement is about to write: lots ended and opened, records stated."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.ended: list[str] = []
        self.opened: list[Lot] = []
        self.records: list[Record] = []

    def _open(self, lot: Lot, changes: dict[str, Any]) -> Lot:
        made = lot.changed({**changes, "id": f"{self.event.id}/{len(self.opened) + 1}"})
        self.opened.append(made)
        return made

    def enter(self, lot: Lot) -> Lot:
        """Open a lot whose serials enter the store with this movement."""
        return self._open(lot, {"parent": "", "by": self.event.id, "since": self.event.day})

    def move(self, pieces: Sequence[Piece], **changes: Any) -> list[Lot]:  # noqa: ANN401 - fields of Lot
        """End the lots that pieces belong to; open the pieces changed, dated and marked with this movement."""
        dated = {"by": self.event.id, "since": self.event.day, **changes}
        return self.alter_each([(piece, dated) for piece in pieces])

    def alter_each(self, changed: Sequence[tuple[Piece, Mapping[str, Any]]]) -> list[Lot]:
        """End the lots that pieces belong to; open each piece with its changes, and the rests as they were.

        Pieces of one lot belong in one call: a lot ends once. Without ``by`` and ``since`` among the changes the lots
        still count as the last movement left them: for a new CI or a verification that arrives, which move nothing.
        """
        made = [
            self._open(
                piece.lot,
                {"parent": piece.lot.id, "start": piece.start, "stop": piece.stop, "product": piece.product, **changes},
            )
            for piece, changes in changed
        ]
        pieces = [piece for piece, _ in changed]
        self.ended.extend(dict.fromkeys([piece.lot.id for piece in pieces]))
        for rest in rests(pieces):
            lost: dict[str, Any] = {"state": LotState.LOST, "since": self.event.day}
            empty = rest.lot.is_product and not rest.product
            span: dict[str, Any] = {
                "parent": rest.lot.id,
                "start": rest.start,
                "stop": rest.stop,
                "product": rest.product,
            }
            self._open(rest.lot, {**span, **lost} if empty else span)
        return made

    def state(self, *records: Record) -> None:
        self.records.extend(records)

    def outcome(self, detail: str, *, corrected: str = "", details: Iterable[tuple[str, str]] = ()) -> Decision:
        return Decision(
            status=Status.POSTED,
            message=f"{_POSTED} {detail}".strip(),
            ended=tuple(self.ended),
            opened=tuple(self.opened),
            records=tuple(self.records),
            corrected=corrected,
            details=tuple(details),
        )


def check_form(form: str, crop: str) -> None:
    """Refuse a form that does not come from the crop, or that carries no claim."""
    known = FORMS.get(form)
    require(known is not None and known.crop == crop, Status.FORM_NOT_POSSIBLE, f"{form!r} from {crop}.")
    require(FORMS[form].claims, Status.FORM_CARRIES_NO_CLAIM, f"{form!r}.")


def lot_as_grown(origin: Origin, version: Version, start: int, stop: int) -> Lot:
    """Return serials of an origin as its issuer holds them when a version of the report is signed."""
    return Lot(
        id="",
        parent="",
        origin=origin.id,
        crop=origin.crop,
        harvest_year=origin.harvest_year,
        start=start,
        stop=stop,
        owner=origin.issuer,
        custodian=origin.issuer,
        site="",
        form=origin.crop,
        product=0,
        rate=0,
        ci=version.ci,
        state=LotState.HELD,
        since=version.day,
        acquired=version.day,
        titled=version.day,
        supplier="",
        batch="",
        by="",
    )


# What no movement may do, whatever its own decision asked: move a closed balance, take what was not there yet.
#
# Every store keeps the same again by itself when it writes: the one in memory by ``flows_against``, a database by its
# triggers (``provender.database.guards``). So a mistake of one decision stays a refusal (2100.034(b) to (d)).


def check_flows(store: StoreView, event: Event, outcome: Decision) -> None:
    """Refuse a movement that would change what a closed period left, or takes a claim from before its day.

    Raises:
        Refusal: PERIOD_CLOSED or NOT_HELD_YET.
    """
    if not outcome.opened:
        return
    moved = with_before(outcome.opened, store.lots_named(outcome.ended))
    if wrong := flows_against(store, event, moved):
        raise Refusal(*min(wrong, key=lambda pair: pair[0].rank))


def flows_against(store: StoreView, event: Event, moved: Iterable[tuple[Lot | None, Lot]]) -> list[tuple[Status, str]]:
    """Return why a movement may not be written: for each flow into or out of a stock that is against the rules.

    ``moved`` has each lot it opened, behind the one it was cut from.
    """
    day, closed, wrong = event.day, dict[str, Period | None](), list[tuple[Status, str]]()
    for before, after in moved:
        left, came = flow_of(before, after)
        source = before if left else None
        for lot in (source, after if came else None):
            if lot is None:
                continue
            if (owner := lot.owner) not in closed:
                closed[owner] = last_closed(store.many(Period, owner))
            last = closed[owner]
            if last is not None and day <= last.end:
                wrong.append((Status.PERIOD_CLOSED, f"{owner}, {last.start} to {last.end}."))
        if source is not None and source.since > day:
            wrong.append((Status.NOT_HELD_YET, lot_location(source)))
    return wrong


# By which trade somebody has a title: what a return may take back is what came by the trade it names, and no other.

TRADES: Final = frozenset({"purchase", "assign", "sale", "document"})
"""Movements by which title passes, and which a return may name."""
_BACK: Final = frozenset({"return", "reject", "correct"})


def trade_of(store: StoreView, lot: Lot) -> str:
    """Return the trade by which the owner of a lot has it now; empty for what it grew, declared or was given."""
    return next(reversed(trades_of(store, lot)), "")


def trades_of(store: StoreView, lot: Lot, before_trade: str = "") -> list[str]:
    """Return the trades that stand by which a lot came to its owner, oldest first, perhaps those before one of them.

    All serials of a lot have gone one way, so its first speaks for it. Whatever takes a trade back (or takes that back)
    restores what stood before it.
    """
    trades: list[str] = []
    before: dict[str, list[str]] = {}
    for step in store.steps_of(lot.origin):
        if before_trade and step.movement == before_trade:
            break
        if step.after.by != step.movement or not step.after.start <= lot.start < step.after.stop:
            continue
        before.setdefault(step.movement, trades)
        if step.type in TRADES:
            trades = [*trades, step.movement]
        elif step.type in _BACK:
            posted = store.posted(step.movement)
            trades = before.get(getattr(posted.event, "movement", ""), []) if posted else []
        elif step.type in ("slip", "share"):
            trades = []
    return trades
