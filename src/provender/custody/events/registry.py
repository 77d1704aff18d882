"""The one door: what every type of event is, and the pure decision over it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import Any, Final, NamedTuple, get_args

from provender import schema
from provender.custody.events import (
    closing,
    corrections,
    farm_trade,
    grain,
    outside,
    parties,
    plant,
    processing,
    reports,
    trade,
)
from provender.custody.events.closing import check_sites
from provender.custody.events.rules import check_flows, require
from provender.custody.model.event import Event, Refusal, Status, digest_of, read_fields
from provender.custody.model.store_view import Decision, StoreView
from provender.exact import Scaled
from provender.rule.law import NotInForceError, rule_version

# Whether a request could be read back from a book: one check of every field, whatever made the request.
#
# Requests come from JSON, from documents, from files of tickets and from code. A field's type says what it may hold
# (``provender.schema``, ``provender.exact``); a request that holds something else would be posted today and refused by
# every later reading of the book.

Check = Callable[[Any], None]
"""Raises TypeError or ValueError with the reason for a value that its type does not know."""
_SURE: Final = 10**14
"""Whole units of an amount up to which nothing has to be tried: below what ``quantity.parse`` reads."""
_YEAR: Final = "harvest_year"


def check_fields(request: Event) -> None:
    """Refuse a request with a field that a book could not hold.

    Raises:
        Refusal: FIELD_UNREADABLE, naming the field; HARVEST_YEAR_NOT_POSSIBLE.
    """
    name, asked = "", _asked_of(type(request))
    try:
        if asked.plain(request):
            for name, unsaid, check in asked.others:
                if (value := getattr(request, name)) is not unsaid:
                    check(value)
        else:
            for name, check in asked.all.items():
                check(getattr(request, name))
    except (TypeError, ValueError) as wrong:
        raise Refusal(Status.FIELD_UNREADABLE, f"{name}: {wrong}.") from None


class _Asked(NamedTuple):
    """What the fields of a class are asked."""

    texts: Callable[[Any], tuple[Any, ...]]  # gets the texts that are asked nothing but to be readable
    filled: Callable[[Any], tuple[Any, ...]]  # gets those of them that may not be empty
    # the other fields, what each holds where nothing is said of it, and what it is asked otherwise
    others: tuple[tuple[str, object, Check], ...]
    all: Mapping[str, Check]  # what every field is asked, in their order

    def plain(self, request: Event) -> bool:
        """Tell at one glance whether all texts are short and without anything that has to be looked at, as most are."""
        try:
            together = "".join(self.texts(request))
        except TypeError:
            return False
        plain = together.isascii() and together.isprintable() and len(together) <= schema.NAME_MAX
        return plain and " " not in together and "*" not in together and "" not in self.filled(request)


@schema.once
def _asked_of(cls: type[Any]) -> _Asked:
    hints, checks = schema.types_of(cls), checks_of(cls)
    texts = {
        each.name: schema.is_required(each) for each in fields(cls) if schema.wire_of(hints[each.name]) in schema.TYPED
    }
    unsaid = {each.name: each.default for each in fields(cls)}
    others = tuple((name, unsaid[name], check) for name, check in checks.items() if name not in texts)
    # The id stands in front once more: the getter of one name alone would give no tuple.
    filled = attrgetter("id", *(name for name, required in texts.items() if required))
    return _Asked(attrgetter(*texts), filled, others, checks)


def check_years(request: Event) -> None:
    """Refuse harvests of years that the rule does not know, or that lie ahead; 0 means that the paper does not say.

    Trade calls a crop by the year it is sold in, too: that of the next year is not ahead.
    """
    if not _names_years(type(request)):
        return
    for year in _years(request):
        said = f"It says {year}, and the event is of {request.day}."
        possible = year == 0 or (_under_the_rule(year) and year <= request.day.year + 1)
        require(possible, Status.HARVEST_YEAR_NOT_POSSIBLE, said)


def _years(request: Event) -> Iterator[int]:
    if hasattr(request, _YEAR):
        # A request that chooses lots may leave the year out; one that brings crop in may not.
        yield getattr(request, _YEAR) or (0 if _may_leave_out(type(request)) else -1)
    for line in getattr(request, "lines", ()):
        yield line.harvest_year


@schema.once
def _names_years(cls: type[Any]) -> bool:
    return not {_YEAR, "lines"}.isdisjoint(each.name for each in fields(cls))


@schema.once
def _may_leave_out(cls: type[Any]) -> bool:
    return not next(schema.is_required(each) for each in fields(cls) if each.name == _YEAR)


@cache
def _under_the_rule(year: int) -> bool:
    """Tell whether a crop of a year may have been harvested under the rule: some stands into the next year."""
    try:
        rule_version(date(year + 1, 12, 31))
    except (NotInForceError, ValueError):
        return False
    return True


@schema.once
def checks_of(cls: type[Any]) -> Mapping[str, Check]:
    """Return what each field of a declared class is asked."""
    hints = schema.types_of(cls)
    asked = {each.name: _check_of(hints[each.name], filled=schema.is_required(each)) for each in fields(cls)}
    return {name: check for name, check in asked.items() if check}


def _check_of(kind: Any, *, filled: bool = False) -> Check | None:  # noqa: ANN401 - a type
    wire = schema.wire_of(kind)
    if wire is not None:
        return _of_wire(wire, filled=filled, optional=NoneType in get_args(kind))
    if schema.is_tuple(kind):
        return _of_members(get_args(kind))
    if isinstance(kind, type) and is_dataclass(kind):
        return _of_parts(kind)
    return None


def _of_wire(wire: schema.Wire, *, filled: bool, optional: bool) -> Check:
    if wire in schema.TYPED:
        return _text(wire, filled=filled)
    if wire is schema.DAY:
        return _day(optional=optional)

    scaled = isinstance(wire, Scaled)

    def check(value: Any) -> None:  # noqa: ANN401 - of the wire's type
        if scaled and type(value) is int and -_SURE < value < _SURE:
            return  # such amounts are written and read back digit for digit
        if not (optional and value is None) and wire.read(wire.write(value)) != value:
            raise ValueError(f"{value!r} is not read back as it is")

    return check


def _text(wire: schema.Wire, *, filled: bool) -> Check:
    read = wire.read

    def check(value: Any) -> None:  # noqa: ANN401 - a text, one hopes
        if value and read(value) is value:
            return  # nearly every text
        if read(value) != value:
            raise ValueError(f"{value!r} is not written as {schema.clean_text(value)!r}")
        if filled and not value:
            raise ValueError("it is empty")

    return check


def _day(*, optional: bool) -> Check:
    def check(value: Any) -> None:  # noqa: ANN401 - a day, one hopes
        if type(value) is date and value.year in schema.YEARS:
            return  # such a day is written and read back as it is
        if not (optional and value is None) and schema.DAY.read(schema.DAY.write(value)) != value:
            raise ValueError(f"{value!r} is not read back as it is")

    return check


def _of_members(inside: tuple[Any, ...]) -> Check | None:
    many = inside[-1] is Ellipsis
    asked = [_check_of(inside[0])] if many else [_check_of(each) for each in inside]
    if not any(asked):
        return None

    def check(value: Any) -> None:  # noqa: ANN401 - a tuple
        for place, member in enumerate(value):
            of_member = asked[0] if many else asked[place]
            if of_member:
                of_member(member)

    return check


def _of_parts(cls: type[Any]) -> Check:
    asked = checks_of(cls)

    def check(value: Any) -> None:  # noqa: ANN401 - of the class
        for name, of_part in asked.items():
            try:
                of_part(getattr(value, name))
            except (TypeError, ValueError) as wrong:
                raise ValueError(f"{name}: {wrong}") from None

    return check


Decide = Callable[[StoreView, Any], Decision]

DECISIONS: Final[Mapping[type[Event], Decide]] = {
    parties.EntityEvent: parties.decide_entity,
    closing.CloseSiteEvent: closing.decide_close_site,
    parties.ContractEvent: parties.decide_contract,
    parties.StatementEvent: parties.decide_statement,
    parties.PeriodEvent: parties.decide_period,
    reports.ReportEvent: reports.decide_report,
    reports.SuspendEvent: reports.decide_standing,
    reports.ReinstateEvent: reports.decide_standing,
    reports.WithdrawEvent: reports.decide_withdraw,
    outside.NoticeEvent: outside.decide_notice,
    farm_trade.ShareEvent: farm_trade.decide_share,
    farm_trade.SlipEvent: farm_trade.decide_slip,
    farm_trade.PurchaseEvent: farm_trade.decide_purchase,
    farm_trade.PendingEvent: farm_trade.decide_pending,
    farm_trade.AssignEvent: farm_trade.decide_assign,
    farm_trade.StorageEvent: farm_trade.decide_storage,
    outside.OpeningEvent: outside.decide_opening,
    outside.DocumentEvent: outside.decide_document,
    grain.ReceiptEvent: grain.decide_grain,
    grain.ShipmentEvent: grain.decide_grain,
    grain.MeasurementEvent: grain.decide_grain,
    trade.SaleEvent: trade.decide_sale,
    trade.AcceptEvent: trade.decide_accept,
    trade.RejectEvent: trade.decide_reject,
    trade.MoveEvent: trade.decide_move,
    plant.YieldEvent: plant.decide_yield,
    processing.ProcessEvent: processing.decide_process,
    plant.CrushEvent: plant.decide_crush,
    plant.ConvertEvent: plant.decide_convert,
    processing.TrueUpEvent: processing.decide_true_up,
    processing.ReleaseEvent: processing.decide_release,
    processing.LossEvent: processing.decide_loss,
    processing.RetireEvent: processing.decide_retire,
    corrections.ReturnEvent: corrections.decide_return,
    corrections.CorrectEvent: corrections.decide_correct,
    trade.SettleEvent: trade.decide_settle,
    closing.CloseEvent: closing.decide_close,
}
"""Every type of event and what decides it, in the order of the reference page."""

TYPES: Final[Mapping[str, type[Event]]] = {event.type: event for event in DECISIONS}


def read_event(raw: object) -> Event:
    """Read one event from a JSON object.

    Raises:
        Refusal: LINE_UNREADABLE, TYPE_UNKNOWN, FIELD_UNKNOWN, FIELD_MISSING or FIELD_UNREADABLE.
    """
    # A look at whether something is a mapping goes through all that may be one; nearly every event is a dict.
    if type(raw) is not dict and not isinstance(raw, Mapping):
        raise Refusal(Status.LINE_UNREADABLE, "It is JSON, but no object in braces.")
    plain = dict(raw)
    if "type" not in plain:
        raise Refusal(Status.FIELD_MISSING, "Missing: type.")
    said = plain.pop("type")
    cls = TYPES.get(str(said))
    if cls is None:
        raise Refusal(Status.TYPE_UNKNOWN, f"It says {said!r}.")
    return read_fields(cls, plain)


def read_posted(raw: object) -> Event:
    """Read an event that stands in a book; what its fields hold was asked when it was entered.

    Raises:
        Refusal: as ``read_event``, but not for what a text, a day or a number holds.
    """
    with schema.as_stored():
        return read_event(raw)


def decide(facts: StoreView, request: Event) -> Decision:
    """Answer a request on the facts of a store. Reads only; the same facts give the same answer."""
    try:
        _check_identity(facts, request)
        outcome = DECISIONS[type(request)](facts, request)
        check_flows(facts, request, outcome)
        check_sites(facts, request, outcome)
    except Refusal as refused:
        return Decision(refused.status, refused.message)
    return outcome


def _check_identity(facts: StoreView, request: Event) -> None:
    """Refuse what no book could hold, a repeat, an id that is taken, and days before the rule."""
    check_fields(request)
    known = facts.posted(request.id)
    if known is not None:
        same = known.digest == digest_of(request)
        raise Refusal(Status.EXISTS if same else Status.ID_HAS_OTHER_CONTENT, f"Event {request.id}.")
    try:
        rule_version(request.day)
    except NotInForceError as early:
        raise Refusal(Status.RULE_NOT_IN_FORCE, str(early)) from None
    check_years(request)
