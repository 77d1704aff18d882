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
from operator import attrgetter
from typing import ClassVar, Final, Self, TypeVar, dataclass_transform

from provender import schema
from provender.exact import Bushels, Ci, Pounds, Rate
from provender.signing.canonical import canonical_json, document_hash, sha256_hex

# What an event rests on, and how far that carries a claim (2100.032(a), interpretation 87).


class Footing(StrEnum):
    """What stands behind an entry, the strongest first."""

    def __new__(cls, value: str, label: str = "") -> Self:
        """Give the member its words beside its value."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        return member

    label: str

    OWN = "own_entry", "entered by the party itself"
    CHECKED = "checked_paper", "signed paper, checked against a key that a contract pins"
    ON_FILE = "paper_on_file", "paper on file, whose signature nobody can check here"
    TYPED = "typed", "typed in, no paper in the book"

    @property
    def verifies(self) -> bool:
        """Tell whether claims may go on that rest on it."""
        return self is not Footing.TYPED


def weakest(found: Iterable[Footing]) -> Footing:
    """Return the weakest of some footings; of none that of one's own entry."""
    order = list(Footing)
    return max(found, key=order.index, default=Footing.OWN)


class RestsOn(StrEnum):
    """Why an event needs a footing, or why it needs none: each type of event says one of these."""

    SIGNATURE = "It stands for another party's signature: that party's paper is its footing."
    SCALE = "It stands for a measurement at the scale of whom it names: that party's own entry is its footing."
    EVIDENCE = "Nobody signs it: evidence in the book is its footing."
    CONSENT = "Without the other party's signed paper the bushels are in dispute, so nothing rests on it."
    OWN_ACT = "It says what the one who enters it did, agreed or declared: nobody else's word stands behind it."
    BATCH = "It rests on the plant's own batch records."
    LATER_PAPER = "Nothing is claimed by it alone: the slip that follows is what counts."
    NEWS = "It takes from claims or ends what did: nobody has more by it than the report gives."
    FILE = "It is itself what shows something: the program makes it from the file."


# Every answer a book can give, in order of precedence: the first that applies is the answer.
#
# A request that breaks several conditions is answered with the one that stands first here, in every store. The table of
# cases (``tests/custody/ladders.jsonl``) holds at least one row for each, in the same order, against every store.


class Status(StrEnum):
    """The answer to one request. ``POSTED`` and ``EXISTS`` are no refusals."""

    def __new__(
        cls, value: str, cause: str = "", advice: str = "", fields: str = "", remedy: str = "", cite: str = ""
    ) -> Self:
        """Give the member the cells of its row."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.cause, member.advice, member.remedy, member.cite = cause, advice, remedy, cite
        member.fields = tuple(fields.split())
        return member

    cause: str  # what is wrong
    advice: str  # what to do, in a few words; beside the cause wherever there is no form
    fields: tuple[str, ...]  # of the event, the likeliest first; without any it is about the event as a whole
    remedy: str  # what to do at a form, where the advice is not enough
    cite: str  # the paragraph

    LINE_UNREADABLE = "line_unreadable", "The line is not one JSON object.", "Write one event a line."
    TYPE_UNKNOWN = "type_unknown", "No event has this type.", "The page on custody events lists the types."
    FIELD_UNKNOWN = "field_unknown", "The event has a field that its type does not know.", "Correct or remove it."
    FIELD_MISSING = "field_missing", "A field of the event is missing.", "Add it."
    FIELD_UNREADABLE = "field_unreadable", "A field cannot be read.", "Write it as its help and its example say."
    EXISTS = "exists", "The same event is in the book already.", "Nothing was changed."
    ID_HAS_OTHER_CONTENT = "id_has_other_content", "Another event has this id.", "Give the new one an id of its own."
    RULE_NOT_IN_FORCE = "rule_not_in_force", "The day is before the rule was in force.", "Check the day.", "day"
    DAY_AHEAD = "day_ahead", "The day is still to come.", "Enter it on that day, or correct the day.", "day"
    HARVEST_YEAR_NOT_POSSIBLE = ("harvest_year_not_possible",
        "No crop of this harvest year can be there: it lies ahead, or before the rule.", "", "harvest_year lines",
        "Write the year of its harvest, such as 2025.", "2100.031(c)")  # fmt: skip
    ENTITY_NOT_FOUND = ("entity_not_found", "The book does not know this entity.", "Register it first.",
        "taker counterparty giver custodian")  # fmt: skip
    PARTIES_ARE_ONE = "parties_are_one", "Seller and buyer are the same.", "Use a move between sites.", "taker giver"
    ROLE_NOT_ALLOWED = ("role_not_allowed", "The entity's roles do not allow this.", "Check its roles in 2100.010.",
        "", "", "2100.010")  # fmt: skip
    SITE_NOT_FOUND = ("site_not_found", "The entity has no such site, or has several: name one of them.", "",
        "site to_site", "Name one of its sites, or add the site under Partners and sites.")  # fmt: skip
    RECORD_NOT_FOUND = ("record_not_found", "The event names a record that the book does not have.", "",
        "slip pending movement origin number", "Choose one that the book has, or enter it first.")  # fmt: skip
    PARTIES_DIFFER = ("parties_differ", "The record named is about other parties or another crop.", "",
        "slip pending movement origin", "Choose one between these two parties and of this crop.")  # fmt: skip
    NOT_CORRECTABLE = ("not_correctable", "An event of this type cannot be taken back.", "Enter what replaces it.",
        "movement")  # fmt: skip
    ALREADY_ANSWERED = ("already_answered", "This was answered before: accepted, used, voided or corrected.", "",
        "slip movement number", "Look at the movements: nothing is left to do here.")  # fmt: skip
    PAPER_NOT_SHOWN = ("paper_not_shown",
        "The signed paper of the other party is missing, or does not show that it agrees.", "", "paper movement",
        "Ask the other party for its signed paper over these serials, and take it in with `receive`.",
        "2100.032(a)")  # fmt: skip
    CROP_NOT_COVERED = ("crop_not_covered", "2100.011 lists field corn, soybeans and sorghum only.", "", "crop",
        "Other crops move without a claim: enter them as tickets.", "2100.011")  # fmt: skip
    FORM_NOT_POSSIBLE = ("form_not_possible", "This product is not made from that input.", "", "output form",
        "Choose an output that this input can become.")  # fmt: skip
    FORM_CARRIES_NO_CLAIM = ("form_carries_no_claim", "A co-product carries no claim.", "List it without one.",
        "output form")  # fmt: skip
    AMOUNT_NOT_POSITIVE = ("amount_not_positive", "The amount must be above zero.", "", "bushels amount pounds",
        "Type the amount in the unit of the form, or leave it out where lots are named.")  # fmt: skip
    AMOUNT_TOO_LARGE = ("amount_too_large", "The amount is beyond what one origin can hold.", "Check the unit.",
        "bushels amount pounds")  # fmt: skip
    SPAN_NOT_POSSIBLE = ("span_not_possible", "Serial ranges must run upward and may not overlap each other.", "",
        "lots spans", "Write the first serial, then the one after the last, each range once.")  # fmt: skip
    CI_NOT_POSSIBLE = "ci_not_possible", "The carbon intensity is not a possible one.", "Check the unit.", "ci"
    DATES_REVERSED = "dates_reversed", "The last day is before the first.", "Check both.", "end_day"
    PERIOD_TOO_LONG = ("period_too_long", "A mass balance time period is longer than the rule allows.", "", "end_day",
        "Choose an earlier last day.", "2100.034(b)")  # fmt: skip
    PERIOD_NOT_CONTINUOUS = ("period_not_continuous", "The period must begin on the day after the last one ends.", "",
        "start_day", "Begin the period on that day.", "2100.034(b)")  # fmt: skip
    PERIOD_DECLARED_LATE = ("period_declared_late",
        "A period that has begun already takes the borders and the policy of the rhythm.", "", "start_day",
        "Declare it with exactly these; the next one that has not begun may differ.", "2100.034(b)")  # fmt: skip
    PERIOD_NOT_DECLARED = ("period_not_declared", "No mass balance time period covers the day.", "Declare it first.",
        "day", "", "2100.034(b)")  # fmt: skip
    PERIOD_CLOSED = ("period_closed", "The period of this day is closed.", "Date the correction in the open period.",
        "day")  # fmt: skip
    CLOSE_OUT_OF_ORDER = "close_out_of_order", "An earlier period is still open.", "Close it first.", "day"
    PERIOD_NOT_ENDED = ("period_not_ended", "The period has not ended.", "Close it on its last day or later.",
        "closed_on")  # fmt: skip
    OPENING_TOO_LATE = ("opening_too_late", "Opening stock is declared once, before the first period begins.", "",
        "day", "Take the stock in by its documents instead.")  # fmt: skip
    SECOND_ORIGIN = ("second_origin", "The farm has a report for this crop and harvest year.", "Enter a new version.",
        "", "", "2100.031(c)")  # fmt: skip
    VERSION_OUT_OF_ORDER = ("version_out_of_order", "Versions of a report go up by one, each dated after the last.",
        "", "", "Enter the missing version first.")  # fmt: skip
    YIELD_BEYOND_BOUNDS = ("yield_beyond_bounds",
        "So much product of a bushel is beyond what its form can give, and no file is named that shows it.", "",
        "rate pounds lines evidence",
        "Check the units; if they are right, name as `evidence` the SHA-256 of the file that shows it.",
        "2100.033(a)(2)")  # fmt: skip
    YIELDS_OVERLAP = ("yields_overlap", "Another yield of this kind covers some of these days.", "", "start_day",
        "Choose days that no other yield of this plant and output covers.")  # fmt: skip
    YIELD_NOT_FOUND = ("yield_not_found", "The plant has no yield for this output.", "Record it first.", "output", "",
        "2100.033(a)")  # fmt: skip
    YIELD_OUT_OF_DATE = ("yield_out_of_date", "The plant's yields do not cover the day.", "", "day",
        "Record a yield for these days, or choose a day that one covers.", "2100.033(a)")  # fmt: skip
    DOCUMENT_SEEN = ("document_seen", "A document of this number was taken in before, by another event.", "",
        "number", "Ask the sender for a document with a number of its own.")  # fmt: skip
    TICKET_DIFFERS = ("ticket_differs",
        "The site has a ticket of this number: another event's, or with another amount or day.", "", "tickets number",
        "Compare the ticket with the site's list, and void it there if it was entered wrong.")  # fmt: skip
    TICKET_USED = ("ticket_used", "This ticket stands behind another purchase.", "", "tickets number",
        "Name another ticket, or take the other purchase back.")  # fmt: skip
    TICKETS_BELOW_CLAIM = ("tickets_below_claim", "What was weighed is less grain than the claim.", "",
        "tickets bushels", "Add the tickets that are missing, or buy what they show.")  # fmt: skip
    TITLE_NOT_AT_DELIVERY = ("title_not_at_delivery", "Under delayed price, title passes on the day of delivery.", "",
        "delivered", "Choose the day of delivery, or other terms.")  # fmt: skip
    OUTSIDE_ORIGIN = ("outside_origin", "These serials are not part of the origin.", "", "lots spans",
        "Name serials that the report has.")  # fmt: skip
    OUTSIDE_MOVEMENT = ("outside_movement", "These serials were not part of the movement named.", "", "lots",
        "Name serials that came with that movement.")  # fmt: skip
    REPORT_WITHDRAWN = ("report_withdrawn", "The farm's report was withdrawn.", "Its bushels carry no claim.", "",
        "Release them without claim.")  # fmt: skip
    REPORT_SUSPENDED = "report_suspended", "The farm's report is suspended.", "Wait until it is reinstated."
    SERIALS_ASSIGNED = ("serials_assigned", "The farm has assigned these serials to another sale slip.", "", "spans",
        "Choose serials that are free.")  # fmt: skip
    BROKEN_CHAIN = ("broken_chain", "The book saw these serials with another holder than the one who gives them.", "",
        "", "Ask the sender how the serials came to them; both books must agree.")  # fmt: skip
    CHAIN_NOT_SHOWN = ("chain_not_shown", "This book does not show how these serials came to the one who gives them.",
        "", "",
        "Take in first the sale slip of the farm, or the document by which their last holder sold them.")  # fmt: skip
    CI_DIFFERS = ("ci_differs", "The book knows these serials at another carbon intensity.", "", "",
        "Ask the sender for a document at the carbon intensity of the report.")  # fmt: skip
    NOT_HELD = ("not_held", "The seller does not hold these serials.", "", "lots",
        "Somebody else has them now: open the trace, and choose other lots.", "2100.032(a)")  # fmt: skip
    IN_TRANSIT = "in_transit", "These serials are in transit.", "Accept them first.", "lots"
    IN_DISPUTE = ("in_dispute", "These serials are in dispute: they were taken back without the other party's paper.",
        "", "lots",
        "Settle it with the other party's signed paper, take your own entry back, or release them without claim.",
        "2100.032(a)")  # fmt: skip
    OTHER_FORM = ("other_form", "The giver holds these serials in another form.", "", "form",
        "Name the form they have, or choose other lots.")  # fmt: skip
    OTHER_SITE = ("other_site", "The giver holds these serials at another site.", "", "site",
        "Name the site where they lie, or move them first.")  # fmt: skip
    UNVERIFIED = ("unverified", "A verification or a signed paper is missing, so this may not go on as reduced-CI.",
        "", "", "Take in what is missing: the supplier's verification statement, or the paper that `alerts` names.",
        "2100.032(b)")  # fmt: skip
    NOT_HELD_YET = ("not_held_yet", "The giver had no title to this on that day.", "", "day",
        "Choose a day on which the giver had them.")  # fmt: skip
    OUTSIDE_CI_RANGE = ("outside_ci_range", "The stock within the carbon intensities asked for is too small.", "",
        "ci_max ci_min lots", "Widen the range, or sell less.")  # fmt: skip
    EXCEEDS_STOCK = ("exceeds_stock", "The seller does not hold that much.", "", "bushels pounds amount",
        "Choose a smaller amount.", "2100.034(d)")  # fmt: skip
    LOTS_NOT_NAMED = "lots_not_named", "No sale policy covers the day.", "Name the lots.", "lots"
    PENDING_TOO_LATE = ("pending_too_late", "A purchase is assigned in its own period or the next one.", "", "day",
        "This grain stays without a claim.")  # fmt: skip
    EXCEEDS_PENDING = ("exceeds_pending", "More is assigned than was bought with CI pending.", "", "bushels",
        "Assign what is pending at most.")  # fmt: skip
    BEYOND_CROP = ("beyond_crop", "The crop used does not support that much product at the yield given.", "", "",
        "Compare the product with the crop used and the yield.", "2100.033(a)")  # fmt: skip
    NO_PRODUCT = ("no_product", "The amount is too small to give any product.", "", "bushels pounds",
        "Process more at once.")  # fmt: skip
    BEYOND_CROP_CRUSHED = ("beyond_crop_crushed", "The plant crushed less crop than the claims use up.", "",
        "bushels crop_crushed", "Process less, or correct the figures of the campaign.")  # fmt: skip
    BEYOND_ACTUAL_PRODUCT = ("beyond_actual_product", "The claims exceed the share of the product actually made.", "",
        "bushels product_made", "Process less, or correct the figures of the campaign.")  # fmt: skip
    NOTHING_TO_ADJUST = ("nothing_to_adjust", "No claim of this campaign is left to adjust.", "", "campaign",
        "Look at the campaign's claims: they stand at the final yield or have left.")  # fmt: skip
    NO_GRAIN_BOOK = "no_grain_book", "The site has no record of grain.", "Enter tickets or a measurement.", "site"
    CLAIMS_EXCEED_GRAIN = ("claims_exceed_grain", "Claims would exceed the grain at the site.", "", "bushels surplus",
        "Enter the tickets or the measurement that show the grain, also at the destination, or claim less.",
        "2100.034(d)")  # fmt: skip
    SITE_IN_USE = ("site_in_use", "Grain or claims lie at the site, or came there later.", "", "site movement",
        "Move, sell or release it and enter the tickets out, or choose a later day.", "2100.032(a)")  # fmt: skip
    SITE_CLOSED = ("site_closed", "The site is closed: nothing is stored there, sold from there or moved there.", "",
        "to_site site number movement",
        "Name another site, or open this one again: take the entry back that closed it.", "2100.032(a)")  # fmt: skip
    POSTED = "posted", "Done."

    @property
    def sentence(self) -> str:
        return f"{self.cause} {self.advice}".rstrip()

    @property
    def well(self) -> bool:
        """Tell whether the request stands in the book."""
        return self in (Status.POSTED, Status.EXISTS)

    @property
    def rank(self) -> int:
        """Return the place in the order of precedence, from 0."""
        return _PRECEDENCE[self]


_PRECEDENCE: Final = {status: number for number, status in enumerate(Status)}


class Refusal(Exception):  # noqa: N818 - a refusal is an answer, not an error of the program
    """Ends a decision with a status other than ``POSTED``; caught where the decision began.

    Attributes:
        status: the answer.
        detail: the particulars, as whole sentences; may be empty.
    """

    def __init__(self, status: Status, detail: str = "") -> None:
        super().__init__(status, detail)
        self.status = status
        self.detail = detail

    @property
    def message(self) -> str:
        """Return the sentence of the status and the particulars."""
        return f"{self.status.sentence} {self.detail}".strip()


def _values_of(names: str) -> Callable[[object], str]:
    """Return what gives the values of fields named so, with slashes between them; nothing of none."""
    if "/" not in names:
        return attrgetter(names) if names else lambda _: ""
    values = attrgetter(*names.split("/"))
    return lambda record: "/".join(map(str, values(record)))


class Record:
    """A statement of fact, found by kind and key; a later one with the same key replaces it.

    A class of records names its kind and, with slashes between them, the fields that records of it are found by and
    those they are listed by; without any of the latter all of them are one group.
    """

    __slots__ = ()
    kind: ClassVar[str]
    found_by: ClassVar[Callable[[object], str]]
    listed_by: ClassVar[Callable[[object], str]]

    def __init_subclass__(cls, kind: str = "", key: str = "", group: str = "") -> None:
        """Note them; a class with slots is made twice, the second time without saying them."""
        if kind:
            cls.kind, cls.found_by, cls.listed_by = kind, _values_of(key), _values_of(group)

    @property
    def key(self) -> str:
        """Return what the record is found by within its kind."""
        return type(self).found_by(self)

    @property
    def group(self) -> str:
        """Return what records of the kind are listed by."""
        return type(self).listed_by(self)


T = TypeVar("T")
E = TypeVar("E", bound="Event")

EVERYONE: Final = "*"
"""In place of parties: the request may touch lots of anybody, so no other request may run beside it."""
_STATUS: Final = {"unknown": (Status.FIELD_UNKNOWN, "Unknown"), "missing": (Status.FIELD_MISSING, "Missing")}


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


@schema.declared
class Event:
    """An event as asked for."""

    type: ClassVar[str]
    title: ClassVar[str] = ""
    verb: ClassVar[str] = ""
    means: ClassVar[str] = ""
    reaches_everyone: ClassVar[bool] = False
    correctable: ClassVar[bool] = False
    rests_on: ClassVar[RestsOn]
    speaker: ClassVar[str] = ""
    by_program: ClassVar[frozenset[str]] = frozenset()
    """Fields that nobody types: only the program writes them, from a file that it has read."""

    id: schema.Id = schema.field(
        "Id", help="The event's own name, unique in the book; a repeat of the same event changes nothing.", asked=False
    )
    day: schema.Day = schema.field(
        "Day", help="The day it took place: title date for a purchase or sale, the day of acceptance for a receipt."
    )
    actor: schema.Text = schema.field("Actor", help="Who entered it.", asked=False, default="")

    @classmethod
    def entered_by(cls) -> str:
        """Return the field that names who enters the event; empty where that is decided otherwise."""
        return next((name for name, party in roles_of(cls).items() if party is Party.ENTERS), "")

    def last_day(self) -> date:
        """Return the last day that it names as one that was: its own, or that of a ticket."""
        tickets: tuple[Ticket, ...] = (*getattr(self, "tickets", ()), *getattr(self, "destination", ()))
        return max([self.day, *(one.day for one in tickets if one.day)])

    def word_of(self) -> str:
        """Return whose word or measurement it is; empty where that is whoever enters it."""
        return str(getattr(self, self.speaker)) if self.speaker else ""

    def parties(self) -> tuple[str, ...]:
        """Return everybody it names as a party, sorted."""
        return self._named(*Party)

    def principals(self) -> tuple[str, ...]:
        """Return the parties between whom it is agreed, sorted."""
        return self._named(Party.ENTERS, Party.CHANGES, Party.READS)

    def locks(self) -> tuple[str, ...]:
        """Return whose books the request touches, sorted, for the store to lock."""
        return (EVERYONE,) if self.reaches_everyone else self.parties()

    def only_reads(self) -> tuple[str, ...]:
        """Return those of the parties whose facts it asks and whose stock it leaves as it is."""
        return self._named(Party.READS)

    def _named(self, *wanted: Party) -> tuple[str, ...]:
        names = {getattr(self, name) for name, party in roles_of(type(self)).items() if party in wanted}
        return tuple(sorted(names - {""}))


@schema.once
def roles_of(cls: type[Event]) -> Mapping[str, Party]:
    """Return the fields of an event that name a party, and what each does."""
    return {name: Party(info.party) for name, info in schema.infos(cls).items() if info.party}


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(schema.field,))
def event(
    name: str,
    rests_on: RestsOn,
    *,
    speaker: str = "",
    title: str = "",
    verb: str = "",
    everyone: bool = False,
    correctable: bool = False,
) -> Callable[[type[E]], type[E]]:
    """Declare a type of event.

    Args:
        name: its ``type``.
        rests_on: why it needs a footing, or none.
        speaker: the field that names whose signature or measurement it stands for; empty where it is nobody else's.
        title: of the page where people enter it; empty where they do not.
        verb: on the button there.
        everyone: whether it may touch lots of anybody.
        correctable: whether one of it can be taken back.

    Raises:
        TypeError: a field has no words, is read without a rule for texts that people type, or two parties enter it.
    """

    def declare(cls: type[E]) -> type[E]:
        made = schema.declared(cls)
        bare = [each.name for each in fields(made) if schema.types_of(made)[each.name] in (str, int, date)]
        entering = [party for party in roles_of(made).values() if party is Party.ENTERS]
        if bare or len(entering) > 1:
            raise TypeError(f"{cls.__name__}: {', '.join(bare) or 'two parties enter it'}")
        made.type, made.title, made.verb, made.reaches_everyone = name, title, verb, everyone
        made.correctable, made.rests_on, made.speaker = correctable, rests_on, speaker
        made.means = re.sub(r"\s+", " ", inspect.cleandoc(cls.__doc__ or "").replace("``", "`"))
        return made

    return declare


@schema.declared
class PaperEvent(Event):
    """Fields of the events that a signed paper makes. The program writes them when it has checked the signature."""

    by_program: ClassVar[frozenset[str]] = frozenset({"signed_by"})
    signed_by: schema.Name = schema.field(
        "Signed by",
        help="Fingerprint of the key by which the paper is signed; nobody types it.",
        asked=False,
        default="",
    )


@schema.part
class Ticket:
    """A scale ticket as a purchase or sale names it."""

    number: schema.Name = schema.field("Number", example="T-1001", help="Printed on the ticket, unique for the site.")
    bushels: Bushels = schema.field("Bushels", example="950.25", help="Net; pounds for a product.")
    day: schema.Day | None = schema.field(
        "Day", example="2026-10-05", help="The day of the scale; the day of the event without it.", default=None
    )


@schema.part
class Range:
    """Serials of an origin, named by someone who wants exactly these."""

    origin: schema.Code = schema.field("Origin", example="3f9ac2d1", help="Whose serials.")
    start: Bushels = schema.field("Start", example="0", help="The first serial.")
    stop: Bushels = schema.field("Stop", example="500", help="The serial after the last.")
    pounds: Pounds = schema.field(
        "Pounds of product",
        help=("Of a product, how much they carry, where that is less than they would support; 0 for all of it."),
        default=0,
    )


@schema.part
class Coproduct:
    """A co-product of a campaign, listed without a claim."""

    form: schema.Text = schema.field("Form", example="soybean_meal", help="Such as `soybean_meal`.", choices="forms")
    pounds: Pounds = schema.field("Pounds of product", example="44000")


@schema.part
class DocumentLine:
    """One line of a transfer document from outside."""

    crop: schema.Text = schema.field("Crop", example="corn", help="The crop behind the claim.", choices="crops")
    harvest_year: schema.Whole = schema.field(
        "Harvest year", example=2025, help="Year of harvest; 0 where the document does not say.", folded=True
    )
    ci: Ci = schema.field("Carbon intensity", example="29150.37")
    form: schema.Text = schema.field("Form", example="corn", help="The crop or the product sold.", choices="forms")
    bushels: Bushels = schema.field("Bushels", example="1000", help="Crop, or crop used for the product.")
    pounds: Pounds = schema.field("Pounds of product", help="Of the product; 0 for the crop.", default=0)
    origin: schema.Code = schema.field("Origin", help="Blinded id, empty on a document without serials.", default="")
    start: Bushels = schema.field("Start", help="First serial; 0 on a document without serials.", default=0)
    rate: Rate = schema.field(
        "Yield", unit="lb per bu, or per lb", help="The supplier's yield; 0 takes pounds over bushels.", default=0
    )


def ticket_amounts(tickets: Iterable[Ticket], unit: str) -> list[tuple[int, str]]:
    return [(ticket.bushels, unit) for ticket in tickets]


def read_fields(cls: type[T], raw: object) -> T:
    """Read a JSON object into an event, field by field.

    Raises:
        Refusal: FIELD_UNKNOWN, FIELD_MISSING or FIELD_UNREADABLE, in this order, naming the field.
    """
    try:
        return schema.read(cls, raw)
    except schema.UnreadableError as wrong:
        raise _refusal(wrong.faults) from None


def _refusal(faults: tuple[schema.Fault, ...]) -> Refusal:
    """Return the refusal of what cannot be read: its first fault, with those of the same kind beside it."""
    first = faults[0]
    if first.kind == "unreadable":
        return Refusal(Status.FIELD_UNREADABLE, f"{first.where}: {first.reason}.".removeprefix(": "))
    beside = [each.where for each in faults if (each.kind, each.path[:-1]) == (first.kind, first.path[:-1])]
    status, word = _STATUS[first.kind]
    return Refusal(status, f"{word}: {', '.join(beside)}.")


# The hash of an event's content: equal for every layout of the same content.


def plain_event(event: Event) -> dict[str, object]:
    """Return an event as the JSON object that ``read_event`` reads, in the order of its fields, defaults left out."""
    plain = schema.write(event)
    return {"type": event.type, **{name: plain[name] for name in schema.infos(type(event)) if name in plain}}


def digest_of(event: Event) -> str:
    """Return the SHA-256 of an event; who entered it is no part of its content."""
    plain = plain_event(event)
    plain.pop("actor", None)
    return document_hash(plain)


def written(event: Event) -> tuple[str, str]:
    """Return an event in canonical JSON, as a store keeps it, and its digest."""
    text = canonical_json(plain_event(event))
    return text.decode(), digest_of(event) if event.actor else sha256_hex(text)
