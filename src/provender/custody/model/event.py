"""What all events have in common: how they are declared, who is a party to them, and how they are read.

An event is one JSON object. Each type is a frozen dataclass beside the function that decides it; each of its fields is
declared once, with its type, its words and its party. Forms, the API, the reference page and the command line follow
from these declarations.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from datetime import date
from enum import StrEnum
from typing import ClassVar, Final, TypeVar, dataclass_transform

from provender.custody.model.statuses import Refusal, Status
from provender.plain import declared, field, infos, part, read
from provender.quantity import Bushels, Ci, Pounds, Rate
from provender.wire import Day, Fault, Id, Name, Text, UnreadableError, Whole, once, types_of

T = TypeVar("T")
E = TypeVar("E", bound="Event")

EVERYONE: Final = "*"
"""In place of parties: the request may touch lots of anybody, so no other request may run beside it."""
_STATUS: Final = {
    "unknown": (Status.FIELD_UNKNOWN, "Unknown"),
    "missing": (Status.FIELD_MISSING, "Missing"),
}


class Party(StrEnum):
    """What the party named in a field does in an event."""

    ENTERS = "enters"
    """It enters the event."""
    CHANGES = "changes"
    """Its stock changes."""
    READS = "reads"
    """Its facts are asked and its stock stays as it is: several events may ask them at once."""
    HOSTS = "hosts"
    """The goods lie or are processed with it, so its books are touched; what is agreed is between the others."""


_EVERY: Final = tuple(Party)
_AGREEING: Final = (Party.ENTERS, Party.CHANGES, Party.READS)
_ASKED: Final = (Party.READS,)
_ENTERING: Final = (Party.ENTERS,)


@declared
class Event:
    """An event as asked for."""

    type: ClassVar[str]
    title: ClassVar[str] = ""
    verb: ClassVar[str] = ""
    means: ClassVar[str] = ""
    reaches_everyone: ClassVar[bool] = False

    id: Id = field(
        "Id",
        help="The event's own name, unique in the book; a repeat of the same event changes nothing.",
        asked=False,
    )
    day: Day = field(
        "Day", help="The day it took place: title date for a purchase or sale, the day of acceptance for a receipt."
    )
    actor: Text = field("Actor", help="Who entered it.", asked=False, default="")

    @classmethod
    def entered_by(cls) -> str:
        """Return the field that names who enters the event; empty where that is decided otherwise."""
        return next(iter(_fields_of(cls)[_ENTERING]), "")

    def parties(self) -> tuple[str, ...]:
        """Return everybody it names as a party, sorted."""
        return self._named(_EVERY)

    def principals(self) -> tuple[str, ...]:
        """Return the parties between whom it is agreed, sorted."""
        return self._named(_AGREEING)

    def locks(self) -> tuple[str, ...]:
        """Return whose books the request touches, sorted, for the store to lock."""
        return (EVERYONE,) if self.reaches_everyone else self.parties()

    def only_reads(self) -> tuple[str, ...]:
        """Return those of the parties whose facts it asks and whose stock it leaves as it is."""
        return self._named(_ASKED)

    def _named(self, wanted: tuple[Party, ...]) -> tuple[str, ...]:
        names = {getattr(self, name) for name in _fields_of(type(self))[wanted]}
        names.discard("")
        return tuple(sorted(names)) if names else ()


@once
def _fields_of(cls: type[Event]) -> Mapping[tuple[Party, ...], tuple[str, ...]]:
    roles = roles_of(cls).items()
    asked = (_EVERY, _AGREEING, _ASKED, _ENTERING)
    return {wanted: tuple(name for name, party in roles if party in wanted) for wanted in asked}


@once
def roles_of(cls: type[Event]) -> Mapping[str, Party]:
    """Return the fields of an event that name a party, and what each does."""
    return {name: Party(info.party) for name, info in infos(cls).items() if info.party}


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def event(name: str, *, title: str = "", verb: str = "", everyone: bool = False) -> Callable[[type[E]], type[E]]:
    """Declare a type of event.

    Args:
        name: its ``type``.
        title: of the page where people enter it; empty where they do not.
        verb: on the button there.
        everyone: whether it may touch lots of anybody.

    Raises:
        TypeError: a field has no words, is read without a rule for texts that people type, or two parties enter it.
    """

    def declare(cls: type[E]) -> type[E]:
        made = declared(cls)
        bare = [each.name for each in fields(made) if types_of(made)[each.name] in (str, int, date)]
        entering = [party for party in roles_of(made).values() if party is Party.ENTERS]
        if bare or len(entering) > 1:
            raise TypeError(f"{cls.__name__}: {', '.join(bare) or 'two parties enter it'}")
        made.type, made.title, made.verb, made.reaches_everyone = name, title, verb, everyone
        made.means = re.sub(r"\s+", " ", inspect.cleandoc(cls.__doc__ or "").replace("``", "`"))
        return made

    return declare


@part
class Ticket:
    """A scale ticket as a purchase or sale names it."""

    number: Name = field("Number", example="T-1001", help="Printed on the ticket, unique for the site.")
    bushels: Bushels = field("Bushels", example="950.25", help="Net; pounds for a product.")
    day: Day | None = field(
        "Day", example="2026-10-05", help="The day of the scale; the day of the event without it.", default=None
    )


@part
class Range:
    """Serials of an origin, named by someone who wants exactly these."""

    origin: Text = field("Origin", example="3f9ac2d1", help="Whose serials.")
    start: Bushels = field("Start", example="0", help="The first serial.")
    stop: Bushels = field("Stop", example="500", help="The serial after the last.")
    pounds: Pounds = field(
        "Pounds of product",
        help=("Of a product, how much they carry, where that is less than they would support; 0 for all of it."),
        default=0,
    )


@part
class Coproduct:
    """A co-product of a campaign, listed without a claim."""

    form: Text = field("Form", example="soybean_meal", help="Such as `soybean_meal`.", choices="forms")
    pounds: Pounds = field("Pounds of product", example="44000")


@part
class DocumentLine:
    """One line of a transfer document from outside."""

    crop: Text = field("Crop", example="corn", help="The crop behind the claim.", choices="crops")
    harvest_year: Whole = field(
        "Harvest year", example=2025, help="Year of harvest; 0 where the document does not say.", folded=True
    )
    ci: Ci = field("Carbon intensity", example="29150.37")
    form: Text = field("Form", example="corn", help="The crop or the product sold.", choices="forms")
    bushels: Bushels = field("Bushels", example="1000", help="Crop, or crop used for the product.")
    pounds: Pounds = field("Pounds of product", help="Of the product; 0 for the crop.", default=0)
    origin: Text = field("Origin", help="Blinded id, empty on a document without serials.", default="")
    start: Bushels = field("Start", help="First serial; 0 on a document without serials.", default=0)
    rate: Rate = field(
        "Yield", unit="lb per bu, or per lb", help="The supplier's yield; 0 takes pounds over bushels.", default=0
    )


def ticket_amounts(tickets: Iterable[Ticket], unit: str) -> list[tuple[int, str]]:
    """Return the amounts of tickets with their unit, to be checked with the others."""
    return [(ticket.bushels, unit) for ticket in tickets]


def read_fields(cls: type[T], raw: object) -> T:
    """Read a JSON object into an event, field by field.

    Raises:
        Refusal: FIELD_UNKNOWN, FIELD_MISSING or FIELD_UNREADABLE, in this order, naming the field.
    """
    try:
        return read(cls, raw)
    except UnreadableError as wrong:
        raise _refusal(wrong.faults) from None


def _refusal(faults: tuple[Fault, ...]) -> Refusal:
    """Return the refusal of what cannot be read: its first fault, with those of the same kind beside it."""
    first = faults[0]
    if first.kind == "unreadable":
        return Refusal(Status.FIELD_UNREADABLE, f"{first.where}: {first.reason}.".removeprefix(": "))
    beside = [each.where for each in faults if (each.kind, each.path[:-1]) == (first.kind, first.path[:-1])]
    status, word = _STATUS[first.kind]
    return Refusal(status, f"{word}: {', '.join(beside)}.")
