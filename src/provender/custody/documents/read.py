"""Reading documents that came from somebody else: every field checked, every fault a Problem, nothing raised."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, TypeVar

from provender.custody.book_file import seal
from provender.custody.documents.build import SLIP, TRANSFER
from provender.custody.events.registry import TYPES
from provender.custody.events.reports import ReportEvent
from provender.custody.model.event import DocumentLine, Footing
from provender.custody.model.lots import FORMS, Span, origin_id, unit_of
from provender.exact import CI_SCALE, RATE_SCALE, SCALE, parse, show
from provender.problem import Place, Problem
from provender.report.typ import TYPE as REPORT
from provender.rule.crops import Crop
from provender.schema import NAME_MAX, clean_code, clean_text, small_whole, typed_day
from provender.signing.canonical import document_hash

T = TypeVar("T")
FOREIGN: Final = "foreign-transfer-document"
"""A 2100.032(c) document of a seller without this program, written down by the buyer."""
_CITE: Final = "2100.032(c)"
_MAX_LINES: Final = 10_000
_MAX_TEXT: Final = 500
_REMEDY: Final = "Ask the sender for a correct document."


@dataclass(frozen=True, slots=True)
class Transfer:
    """A transfer document as read."""

    number: str  # the seller's number of it
    seller: str  # the seller's id
    buyer: str  # the buyer's id
    day: date  # the title date
    lines: tuple[DocumentLine, ...]  # what was sold
    foreign: bool  # without serials, from outside this program
    verification: str  # ``favourable``, ``first_audit_contracted`` or ``none``, by the seller's word
    statement: Mapping[str, object]  # the statement's particulars as the seller gives them; empty without
    proof: Mapping[str, object] | None  # the verifier's signed statement, None when it is not attached
    digest: str  # SHA-256 of the document
    footing: Footing  # the weakest that its claims rest on, by the seller's word


@dataclass(frozen=True, slots=True)
class SaleSlip:
    """A farm's sale slip as read; see ``documents.slip_document``.

    ``returned`` and ``returned_by`` name an earlier slip and its buyer, who gave the serials back to the farm.
    """

    number: str
    seller: str
    buyer: str
    day: date
    origin: str
    spans: tuple[Span, ...]
    returned: str = ""
    returned_by: str = ""


class Fields:
    """The fields of one JSON object; faults are collected, and a stand-in lets the reading go on."""

    def __init__(self, data: object, file: str, problems: list[Problem], path: str = "") -> None:
        self.data: Mapping[str, object] = data if isinstance(data, Mapping) else {}
        self.file, self.problems, self.path = file, problems, path
        if not isinstance(data, Mapping):
            self.fault(path or "document", "is not an object")

    def fault(self, name: str, cause: str, remedy: str = _REMEDY) -> None:
        """Note what is wrong with a field."""
        place = Place(self.file, column=f"{self.path}.{name}" if self.path and name else name or self.path)
        self.problems.append(Problem(place, f"The field {cause}.", remedy, _CITE, code="document_field"))

    def text(self, name: str, *, needed: bool = True) -> str:
        found = self.data.get(name, "")
        try:
            text = clean_text(found)
        except (TypeError, ValueError) as wrong:
            self.fault(name, f"must be a text: {wrong}")
            return ""
        if len(text) > _MAX_TEXT or (needed and not text):
            self.fault(name, f"must be a text of 1 to {_MAX_TEXT} characters")
            return ""
        return text

    def code(self, name: str) -> str:
        """Return the code of an origin, in which letter case tells no two apart."""
        text = self.text(name)
        return clean_code(text) if text else ""

    def name(self, name: str) -> str:
        """Return a text by which something is found: a party, a number."""
        text = self.text(name)
        if len(text) > NAME_MAX:
            self.fault(name, f"must be a name of at most {NAME_MAX} characters")
            return ""
        return text

    def day(self, name: str) -> date:
        """Return a day written 2026-01-31."""
        return self._read(name, typed_day, date.min, "is no day of this age such as 2026-01-31")

    def number(self, name: str, scale: int = SCALE, *, needed: bool = True) -> int:
        """Return a decimal text as a whole number of its scale; 0 where it may be left out."""
        if self.data.get(name) is None and not needed:
            return 0
        said = "must be decimal text: {wrong}"
        return self._read(name, lambda raw: parse(raw if isinstance(raw, str) else "", scale), 0, said)

    def whole(self, name: str, *, needed: bool = True) -> int:
        return self._read(name, small_whole, 0, "must be a whole number") if needed or name in self.data else 0

    def _read(self, name: str, reader: Callable[[object], T], stand_in: T, said: str) -> T:
        try:
            return reader(self.data.get(name))
        except (TypeError, ValueError) as wrong:
            self.fault(name, said.format(wrong=wrong))
            return stand_in

    def part(self, name: str) -> "Fields":
        return Fields(self.data.get(name), self.file, self.problems, f"{self.path}.{name}".strip("."))

    def rows(self, name: str) -> list["Fields"]:
        found = self.data.get(name)
        if not isinstance(found, list) or not found or len(found) > _MAX_LINES:
            self.fault(name, f"must be a list of 1 to {_MAX_LINES:,} entries")
            return []
        path = f"{self.path}.{name}".strip(".")
        return [Fields(one, self.file, self.problems, f"{path}[{place}]") for place, one in enumerate(found)]


def read_transfer(data: object, file: str) -> tuple[Transfer | None, list[Problem]]:
    """Read a transfer document, ours or one from outside; its sums must agree with its lines."""
    problems: list[Problem] = []
    doc = Fields(data, file, problems)
    foreign = doc.data.get("type") == FOREIGN
    if not foreign and doc.data.get("type") != TRANSFER:
        doc.fault("type", f"is neither {TRANSFER} nor {FOREIGN}")
    lines = [_line(row, doc, foreign=foreign) for row in doc.rows("lines")]
    form = doc.text("form", needed=not foreign)
    if not problems and not foreign:
        _check_sums(doc, lines, form)
    proven = doc.part("verification") if "verification" in doc.data else Fields({}, file, problems)
    seller, buyer = doc.part("seller").name("id"), doc.part("buyer").name("id")
    number, day = doc.name("number"), doc.day("title_date")
    footing = _footing(doc)
    digest = _digest(doc)
    if problems:
        return None, problems
    statement, proof = proven.data.get("statement"), proven.data.get("proof")
    return Transfer(
        number=number,
        seller=seller,
        buyer=buyer,
        day=day,
        lines=tuple(lines),
        foreign=foreign,
        verification=str(proven.data.get("status", "none")),
        statement=statement if isinstance(statement, Mapping) else {},
        proof=proof if isinstance(proof, Mapping) else None,
        digest=digest,
        footing=footing,
    ), []


def _footing(doc: Fields) -> Footing:
    """Return the weakest footing that a document names; a document from outside this program names none."""
    told = doc.part("rests_on").text("weakest") if "rests_on" in doc.data else Footing.OWN
    if told not in list(Footing):
        doc.fault("rests_on", f"{told!r} is none of {', '.join(Footing)}")
        return Footing.TYPED
    return Footing(told)


def _digest(doc: Fields) -> str:
    """Return the document's hash; a number no signature can cover is a fault of the document."""
    try:
        return document_hash(doc.data)
    except (TypeError, ValueError) as wrong:
        doc.fault("", f"cannot be hashed: {wrong}")
        return ""


def _line(row: Fields, doc: Fields, *, foreign: bool) -> DocumentLine:
    crop = row.text("crop") if "crop" in row.data else doc.text("crop")
    form = row.text("form") if "form" in row.data else doc.text("form", needed=False) or crop
    if crop not in set(Crop):
        row.fault("crop", f"{crop!r} is not field corn, soybeans or sorghum")
    if form not in FORMS:
        row.fault("form", f"{form!r} is no form of a crop that this program knows")
    product = form in FORMS and unit_of(form) == "lb"
    start, stop = row.number("start", needed=not foreign), row.number("stop", needed=not foreign)
    bushels = row.number("crop_used_bu")
    if not foreign and (start < 0 or stop - start != bushels):
        row.fault("crop_used_bu", "is not the length of the serial range")
    if bushels <= 0:
        row.fault("crop_used_bu", "must be above zero")
    return DocumentLine(
        crop=crop,
        harvest_year=row.whole("harvest_year", needed=not foreign),
        ci=row.number("ci_g_per_bu", CI_SCALE),
        form=form,
        bushels=bushels,
        pounds=row.number("product_lb") if product else 0,
        origin="" if foreign else row.code("origin"),
        start=0 if foreign else start,
        rate=row.number("yield_lb_per_bu", RATE_SCALE, needed=not foreign) if product else 0,
    )


def _check_sums(doc: Fields, lines: list[DocumentLine], form: str) -> None:
    """Hold the totals and the amounts per CI against the lines: a printed total that differs is a forgery or a slip."""
    sold = sum(line.pounds or line.bushels for line in lines)
    if doc.number("amount") != sold:
        doc.fault("amount", f"differs from its lines, which add up to {show(sold)}")
    used = sum(line.bushels for line in lines)
    if doc.number("crop_used_bu") != used:
        doc.fault("crop_used_bu", f"differs from its lines, which add up to {show(used)}")
    if any(line.form != form for line in lines):
        doc.fault("form", "differs from the form of a line")
    stated = {row.number("ci_g_per_bu", CI_SCALE): row.number("amount") for row in doc.rows("cis")}
    found: dict[int, int] = {}
    for line in lines:
        found[line.ci] = found.get(line.ci, 0) + (line.pounds or line.bushels)
    if stated != found:
        doc.fault("cis", "differs from the carbon intensities of the lines")


def read_slip(data: object, file: str) -> tuple[SaleSlip | None, list[Problem]]:
    problems: list[Problem] = []
    doc = Fields(data, file, problems)
    if doc.data.get("type") != SLIP:
        doc.fault("type", f"is not {SLIP}")
    spans = tuple((row.number("start"), row.number("stop")) for row in doc.rows("spans"))
    if sum(stop - start for start, stop in spans) != doc.number("bushels"):
        doc.fault("bushels", "differs from the serial ranges")
    parties = doc.part("seller").name("id"), doc.part("buyer").name("id")
    back = doc.part("returned") if "returned" in doc.data else None
    earlier = (back.text("slip"), back.text("buyer")) if back else ("", "")
    slip = SaleSlip(doc.name("number"), *parties, doc.day("day"), doc.code("origin"), spans, *earlier)
    return (None, problems) if problems else (slip, [])


def read_report(data: object, file: str) -> tuple[ReportEvent | None, list[Problem]]:
    """Read a Biofuel Feedstock Report as its event; only an official one carries claims (2100.032(b)(1))."""
    problems: list[Problem] = []
    doc = Fields(data, file, problems)
    if doc.data.get("type") != REPORT:
        doc.fault("type", f"is not {REPORT}")
        return None, problems
    edition = doc.part("edition")
    crop, year, version = doc.text("crop"), doc.whole("harvest_year"), edition.whole("version")
    farm, salt, named = doc.part("farm").name("farm_id"), edition.text("salt"), edition.text("origin_id")
    found = ReportEvent(
        id=f"report-{farm}-{crop}-{year}-v{version}", day=doc.day("made_on"), entity=farm, crop=crop, harvest_year=year,
        bushels=doc.number("total_bushels"), ci=doc.number("farm_ci_g_per_bu", CI_SCALE), version=version, salt=salt,
        report=_digest(doc),
    )  # fmt: skip
    problems += _official(doc.data, file)
    try:
        if salt and origin_id(farm, crop, year, salt) != named:
            edition.fault("origin_id", "is not the blinded name of this farm, crop and harvest year")
    except ValueError as short:
        edition.fault("salt", f"cannot be used: {short}")
    return (None, problems) if problems else (found, [])


def _official(data: Mapping[str, object], file: str) -> list[Problem]:
    from provender.report.signing import refusals  # brings the records: a book without reports needs none of them

    try:
        return refusals(data)
    except (KeyError, TypeError, AttributeError):
        cause = "The report lacks parts that every report of this kind has."
        return [Problem(Place(file), cause, _REMEDY, "2100.031(c)", code="report_incomplete")]


def document_of(raw: object) -> object:
    return raw["document"] if isinstance(raw, Mapping) and "document" in raw else raw


def type_of(raw: object) -> str:
    """Return the type that a document or envelope claims; empty when it claims none."""
    inner = document_of(raw)
    found = inner.get("type") if isinstance(inner, Mapping) else None
    return found if isinstance(found, str) else ""


# The file of what a party entered into a book that many share: a header, and a sealed line for each entry.

OWN_TYPES: Final[Mapping[str, str]] = {
    name: field for name, event in TYPES.items() if (field := event.entered_by()) != ""
}
"""Types of events that one party enters, with the field that names it."""
_FORMAT: Final = 1


def header_of(party: str) -> dict[str, object]:
    return {"entries": "provender custody", "format": _FORMAT, "entity": party}


def head_before(party: str) -> str:
    """Return what the seal of the first entry goes over."""
    return seal("", header_of(party))
