"""The farms an audit sample is drawn from: distinct farms, frozen and hashed before anyone knows the seed.

A farm supplies one or several crops to the first point of aggregation; each is one ``FarmCrop`` row with what
2100.040(a)(3)(i) asks for: place, kind and amount of crop, CI. Two crops are two rows and one farm: what is counted,
drawn and visited is the farm, never the row and never the field.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from math import isqrt
from pathlib import Path
from typing import Any, Final

from provender.audit.outcome import inside, rows_of, scaled
from provender.custody.model.grain import plain_name
from provender.custody.model.lots import Origin, OriginKind
from provender.custody.model.store_view import CustodyStep, StoreView, root_of
from provender.days import iso_day
from provender.exact import CI_SCALE, SCALE, Amount, Bushels, Ci, show
from provender.formats.parsed import TextRow
from provender.formats.spreadsheet import read_delimited
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.records.field import ColumnKind, Field
from provender.records.reading import CellError, read_cell
from provender.report.typ import TYPE
from provender.rule.crops import Crop
from provender.schema import write
from provender.signing.canonical import document_hash
from provender.signing.jws import MEANING, Status, check

CROPS: Final = tuple(str(crop) for crop in Crop)


@dataclass(frozen=True, slots=True, order=True)
class FarmCrop:
    """One crop that one farm supplied to this first point of aggregation."""

    farm_id: str  # the farm, as the first point's books name it
    crop: str  # ``corn``, ``soybeans`` or ``sorghum``
    county_fips: str  # five digits, state first
    bushels: Bushels  # supplied to this first point, above zero
    ci_g_per_bu: Ci
    acres: Amount  # above zero
    first_year: bool | None = None  # the farm supplies reduced-CI crop for the first time; None when nobody said
    earlier_findings: int | None = None  # findings of earlier audits that concern the farm; None when nobody said
    # share of credited bushels on facts typed after harvest, in percent (interpretation 57); None when nobody said
    late_evidence_pct: Amount | None = None

    def __post_init__(self) -> None:
        if not self.farm_id.isprintable() or not self.farm_id.strip() or self.crop not in CROPS:
            raise ValueError(f"{self.farm_id!r}, {self.crop!r} is no farm with a crop of 2100.011")
        if min(self.bushels, self.acres) <= 0:
            raise ValueError(f"farm {self.farm_id}: bushels and acres are above zero")

    def document(self) -> dict[str, Any]:
        """Return the row as it is hashed: numbers as decimal text, facts that nobody stated left out."""
        found: dict[str, Any] = write(self)
        return found


@dataclass(frozen=True, slots=True)
class Farm:
    """A distinct farm with all crops it supplied, in the order of their names."""

    farm_id: str
    crops: tuple[FarmCrop, ...]

    @property
    def acres(self) -> int:
        """Acres of all its crops, whole thousandths: its size."""
        return sum(row.acres for row in self.crops)

    @property
    def bushels(self) -> int:
        """Bushels of all its crops, whole thousandths."""
        return sum(row.bushels for row in self.crops)

    @property
    def county_fips(self) -> str:
        """The county of its largest delivery; a farm has one place (interpretation 32)."""
        return max(self.crops, key=lambda row: (row.bushels, row.crop)).county_fips

    @property
    def state_fips(self) -> str:
        """The first two digits of its county."""
        return self.county_fips[:2]


@dataclass(frozen=True)
class Population:
    """All rows, sorted, and the farms they make. Build it with ``freeze``."""

    rows: tuple[FarmCrop, ...]
    farms: tuple[Farm, ...] = field(repr=False)

    @cached_property
    def sha256(self) -> str:
        """Hash of the sorted rows as canonical JSON: the same for any order, spacing or trailing zero of the input."""
        return document_hash([row.document() for row in self.rows])


def freeze(rows: Iterable[FarmCrop]) -> Population:
    """Sort the rows and gather them into distinct farms.

    Raises:
        ValueError: the same farm and crop stands there twice; the amounts would count double.
    """
    ordered = tuple(sorted(rows, key=lambda row: (row.farm_id, row.crop)))
    by_farm: dict[str, list[FarmCrop]] = defaultdict(list)
    for row in ordered:
        if by_farm[row.farm_id] and by_farm[row.farm_id][-1].crop == row.crop:
            raise ValueError(f"farm {row.farm_id} has two rows for {row.crop}")
        by_farm[row.farm_id].append(row)
    return Population(ordered, tuple(Farm(farm_id, tuple(own)) for farm_id, own in by_farm.items()))


def minimum_farms(farms: int) -> int:
    """Return the smallest sample allowed, in farms; exact for any size, since the root is an integer root.

    No factor, discount, fixed floor or percentage of another scheme applies: the square root is the rule's floor.

    Raises:
        ValueError: the number of farms is negative.
    """
    root = isqrt(farms)
    return root + (root * root < farms)


# The list of supplying farms, from a first point's own book: who its incoming lots come from (2100.040(a)(3)(i)).
#
# A lot keeps the farm, crop and year whose serials it carries, so the list follows the grain, not the invoices: a share
# that a landowner sold counts for the farm that grew it (interpretation 50), a claim assigned after delivery for the
# farm of its report, and what the farm sold elsewhere does not count here (interpretation 52). Place, size and the
# share of late evidence stand in the farm's report.

CITE = "2100.040(a)(3)(i)"
FarmCropKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SupplyingFarm:
    """What one farm supplied of one crop."""

    bushels: int  # thousandths, over all harvest years
    ci: int  # hundredths of g CO2e/bu, of the harvest year with most of these bushels, in the report's last version
    harvest_year: int  # that year


def incoming_by_year(
    store: StoreView, entity: str, first: date | None = None, last: date | None = None
) -> dict[tuple[str, str, int], tuple[int, int]]:
    """Return bushels and CI by farm, crop and year of what a first point took in from growers, by its purchases.

    Corrected purchases do not count. Nor does what whoever farms beside its trade sold it or sent back to it.

    Args:
        store: its book, replayed.
        entity: the first point.
        first: only movements from this day on; all without.
        last: only movements up to this day; all without.
    """
    sums: dict[tuple[str, str, int], tuple[int, int]] = {}
    for step in store.steps(entity):
        if step.after.owner != entity or not step.came or (first and step.day < first) or (last and step.day > last):
            continue
        origin = store.one(Origin, step.after.origin)
        if origin is None or origin.source is not OriginKind.REPORT or not _from_grower(store, step):
            continue
        key = (origin.issuer, origin.crop, origin.harvest_year)
        before, _ = sums.get(key, (0, 0))
        sums[key] = (before + step.after.crop_amount, origin.current.ci)
    return sums


def incoming_farms(
    store: StoreView, entity: str, first: date | None = None, last: date | None = None
) -> dict[FarmCropKey, SupplyingFarm]:
    """Return by farm and crop what a first point took in from growers; see ``incoming_by_year``."""
    sums = incoming_by_year(store, entity, first, last)
    found: dict[FarmCropKey, SupplyingFarm] = {}
    for (farm, crop, year), (bushels, ci) in sorted(sums.items(), key=lambda one: one[1][0]):
        earlier = found.get((farm, crop))
        found[farm, crop] = SupplyingFarm(bushels + (earlier.bushels if earlier else 0), ci, year)
    return found


_BUYS: Final = frozenset({"purchase", "assign", "share"})
"""How a grower's bushels come to another, in its own words: whoever sells them further does so by a sale."""


def _from_grower(store: StoreView, step: CustodyStep) -> bool:
    """Tell whether a step is a purchase that stands, or one that was taken back and entered again."""
    posted = store.posted(step.movement)
    if posted is None or posted.corrected_by or step.before is None or step.before.owner == step.after.owner:
        return False
    return root_of(store, posted).event.type in _BUYS


def listed(
    found: Mapping[FarmCropKey, SupplyingFarm], reports: Iterable[Mapping[str, Any]], file: str
) -> tuple[list[FarmCrop], list[Problem]]:
    """Put place, size and evidence of the farms' reports beside what they supplied.

    Args:
        found: by farm and crop.
        reports: report documents, any versions in any order; of each farm, crop and year the last version counts.
        file: where problems are placed.

    Returns:
        The rows, sorted; a farm without a report, or whose report names no county or acres, is a problem and no row.
    """
    latest = {(farm, crop, year): one for farm, crop, year, one in _by_version(reports)}
    rows: list[FarmCrop] = []
    problems: list[Problem] = []
    for (farm, crop), one in sorted(found.items()):
        document = latest.get((farm, crop, one.harvest_year))
        acres = scaled(document.get("total_acres"), SCALE) if document else None
        county = str(document["farm"].get("county_fips") or "") if document else ""
        if document is None or not acres or not county:
            what = "its report is not here" if document is None else "its report names no county or no acres"
            cause = f"{farm} supplied {crop} of {one.harvest_year}, but {what}."
            remedy = "Give the report that the farm sent (--report)."
            problems.append(Problem(Place(file, column=farm), cause, remedy, CITE, code="report_missing"))
            continue
        rows.append(FarmCrop(farm, crop, county, one.bushels, one.ci, acres, late_evidence_pct=_late(document)))
    return rows, problems


def _by_version(reports: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str, int, Mapping[str, Any]]]:
    ours = (one for one in reports if one.get("type") == TYPE)
    for one in sorted(ours, key=lambda each: int(each["edition"]["version"])):
        yield str(one["farm"]["farm_id"]), str(one["crop"]), int(one["harvest_year"]), one


def _late(document: Mapping[str, Any]) -> int | None:
    grades = document.get("evidence_grades") or ()
    return next((scaled(one["percent"], SCALE) for one in grades if one["grade"] == "typed_after_harvest"), None)


# Which farms were audited before: by the signed statement about this point of an earlier year, and its sample.

_BEFORE_CITE: Final = "2100.040(a)(3)(iii)"
FILE: Final = "audited before"
_SEEN: Final = frozenset({"visit", "video", "records"})
"""How a statement says that a farm itself was audited, not exempted for another audit."""
Judge = Callable[[Mapping[str, Any]], Iterable[Problem]]
"""Tells what stands against a signed statement: its signer, its accreditation."""


@dataclass(frozen=True, slots=True)
class Proof:
    """That farms of a point were audited in an earlier year."""

    statement: Mapping[str, Any]  # the signed envelope
    sample: Mapping[str, Any]  # the sample file that it names, without its own proofs


def bare(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sample file without the proofs in it: what a statement's ``sample_hash`` is of.

    So a file that proves something next year carries no file of the year before it.
    """
    left = {name: value for name, value in sample.items() if name != "proofs"}
    return left | {"earlier": [bare(one) for one in rows_of(left.get("earlier"))]} if left.get("earlier") else left


def sample_hash(sample: Mapping[str, Any]) -> str:
    """Return the hash by which a statement names a sample file."""
    return document_hash(bare(sample))


def pair_proofs(files: Iterable[Mapping[str, Any]]) -> list[Proof]:
    """Put signed statements and sample files together by the hash that the statement names.

    Raises:
        ProblemsError: a statement's sample is not among them, or a sample is named by none.
    """
    given = list(files)
    samples = {sample_hash(one): one for one in given if "signature" not in one and "frozen" in one}
    signed = [one for one in given if "signature" in one]
    named = [str(inside(one).get("sample_hash")) for one in signed]
    if len(samples) + len(signed) < len(given) or samples.keys() != set(named):
        cause = "A statement without the sample that it names, or a sample that no signed statement names, is no proof."
        raise _refuse(cause, "Give last year's signed statement and the sample file that it rests on.", "no_proof")
    return [Proof(one, bare(samples[name])) for one, name in zip(signed, named, strict=True)]


def years_shown(proofs: Sequence[Proof], point: str, year: int, day: date) -> dict[str, tuple[int, ...]]:
    """Return farm -> years in which an audit of a point saw it, before a year and as known on a day.

    Raises:
        ProblemsError: a statement is not signed or its signature does not fit; it or its sample is of another point,
            of this or a coming year, or rests on another sample; it was issued after the day; it names a farm that
            was not drawn.
    """
    years: dict[str, set[int]] = {}
    for proof in proofs:
        of = _year(proof, point, year, day)
        for farm in _seen(proof):
            years.setdefault(farm, set()).add(of)
    return {farm: tuple(sorted(own)) for farm, own in sorted(years.items())}


def _year(proof: Proof, point: str, year: int, day: date) -> int:
    """Return the year of a proof that can stand; errors as ``years_shown``."""
    said, sample = inside(proof.statement), proof.sample
    status = check(proof.statement, {}).status
    if status is not Status.SIGNER_UNKNOWN:
        cause, remedy = MEANING[status]
        raise _refuse(f"The statement {said.get('number')}: {cause}", remedy, "proof_not_signed")
    frozen = sample.get("frozen")
    points = {said.get("audited"), frozen.get("audited") if isinstance(frozen, Mapping) else None}
    if points != {point}:
        cause = f"The proof is of {', '.join(sorted(map(str, points)))}, not of {point}."
        raise _refuse(cause, "Give the statement of this very point.", "proof_of_other_point")
    if said.get("sample_hash") != sample_hash(sample):
        cause = f"The statement {said.get('number')} rests on another sample than the file beside it."
        raise _refuse(cause, "Give the file that it names.", "proof_of_other_sample")
    of, issued = sample.get("year"), iso_day(said.get("issued_on"))
    if not isinstance(of, int) or of >= year or issued is None or issued > day:
        cause = f"The proof is of {of}, issued on {issued}; the audit is of {year}, its farms frozen on {day}."
        raise _refuse(cause, "Only an audit of an earlier year counts.", "proof_not_before")
    return of


def _seen(proof: Proof) -> Iterable[str]:
    drawn = proof.sample.get("sample")
    work = inside(proof.statement).get("work")
    for row in rows_of(work.get("farms") if isinstance(work, Mapping) else None):
        at = row.get("farm")
        if not isinstance(drawn, list) or not isinstance(at, int) or not 0 < at <= len(drawn):
            raise _refuse(f"Farm {at} of the statement was not drawn.", "Ask its verifier.", "proof_of_other_sample")
        if row.get("way") in _SEEN:
            yield str(drawn[at - 1])


def judge_proof(proof: Proof, judge: Judge) -> None:
    """Make sure that a proof is signed by an accredited verifier.

    Raises:
        ProblemsError: with what stands against the statement.
    """
    if against := list(judge(proof.statement)):
        raise ProblemsError(against)


def _refuse(cause: str, remedy: str, code: str) -> ProblemsError:
    return refuse(FILE, cause, remedy, cite=_BEFORE_CITE, code=code)


# Lists that people keep as CSV beside their books: here the supplying farms, elsewhere parties and members of forums.


@dataclass(slots=True)
class ListReader:
    """Reads one list, and tells everything that is wrong with it by row and column."""

    file: str  # what to call it in problems
    columns: Mapping[str, Field]
    cite: str  # the paragraph that its problems cite
    names: Mapping[
        str, Mapping[str, str]
    ]  # by column: how people write a choice, as ``plain_name`` spells it, and what it is
    whole: bool = False  # every column must be there, though its cells may be blank
    problems: list[Problem] = field(default_factory=list)
    damaged: set[int] = field(default_factory=set)  # numbers of rows that cannot be used

    def tell(self, row: int, column: str, cause: str, remedy: str, code: str, weight: Weight = Weight.ERROR) -> None:
        place = Place(self.file, row=row, column=column)
        self.problems.append(Problem(place, cause, remedy, self.cite, weight, code))
        if weight is Weight.ERROR:
            self.damaged.add(row)

    def refuse_errors(self) -> None:
        """Raise everything that was told, where an error is among it.

        Raises:
            ProblemsError: the list cannot be used.
        """
        if any(problem.weight is Weight.ERROR for problem in self.problems):
            raise ProblemsError(self.problems)

    def rows(self, source: Path | bytes) -> list[tuple[int, dict[str, Any]]]:
        """Return the rows with their numbers; what cannot be read in one is told and left out of it.

        Raises:
            ProblemsError: there is no such file, or nothing in it.
        """
        try:
            data = source if isinstance(source, bytes) else source.read_bytes()
        except OSError as trouble:
            cause, remedy = f"The file cannot be opened ({trouble.strerror}).", "Check the name of the file."
            raise refuse(self.file, cause, remedy, cite=self.cite, code="no_file") from None
        sheet, problems = read_delimited(data, self.file)
        self.problems += problems
        if sheet is None or not sheet.lines:
            cause, remedy = "There are no rows in this file.", f"Write a heading ({', '.join(self.columns)}) and rows."
            raise ProblemsError([*problems, Problem(Place(self.file), cause, remedy, self.cite, code="empty_file")])
        head, *lines = sheet.lines
        where = self._head(head)
        if not lines:
            self.tell(0, "", "The list has a heading but no row.", "List all of them.", "no_rows")
        return [(line.number, self._row(line, where, len(head.cells))) for line in lines]

    def _head(self, line: TextRow) -> dict[str, int]:
        """Find the columns; report missing and doubled ones, and note unknown ones."""
        names = [cell.strip().casefold() for cell in line.cells]
        for name in dict.fromkeys(names):
            if name in self.columns and names.count(name) > 1:
                cause = f"Column {name} stands there twice."
                self.tell(line.number, name, cause, "Keep one of the two.", "double_column")
            if name and name not in self.columns:
                cause = f"Column {name} is not used here."
                self.tell(line.number, name, cause, "Nothing to do.", "unknown_column", Weight.NOTE)
        for name, found in self.columns.items():
            if (found.required or self.whole) and name not in names:
                remedy = f"Add it; the columns are {', '.join(self.columns)}."
                self.tell(line.number, name, f"Column {name} is missing.", remedy, "missing_column")
        return {name: names.index(name) for name in self.columns if name in names}

    def _row(self, line: TextRow, where: Mapping[str, int], width: int) -> dict[str, Any]:
        """Read one row; what cannot be read is reported and left out."""
        values: dict[str, Any] = {}
        if any(cell.strip() for cell in line.cells[width:]):
            cause, remedy = "The row has more cells than the heading.", "Put a text with a comma in quotation marks."
            self.tell(line.number, "", cause, remedy, "ragged_row")
        for name, index in where.items():
            text = line.cell(index)
            try:
                known = self.names.get(name, {}).get(plain_name(text))
                values[name] = known or read_cell(text, self.columns[name])
            except CellError as wrong:
                self.tell(line.number, name, f"{wrong.cause}.", wrong.remedy, f"unreadable_{name}")
                continue
            if values[name] is None and self.columns[name].required:
                self.tell(line.number, name, f"{self.columns[name].label} is blank.", "Fill it in.", "blank_required")
        return values


# The list a sample starts from, as CSV: supplying farms with their crops.

_FIPS_DIGITS: Final = 5

FARM_COLUMNS: Final[Mapping[str, Field]] = {
    "farm_id": Field(ColumnKind.KEY, "Farm", required=True),
    "county_fips": Field(ColumnKind.TEXT, "County, five digits", required=True),
    "crop": Field(ColumnKind.CHOICE, "Crop", options=CROPS, required=True),
    "bushels": Field(ColumnKind.QUANTITY, "Bushels supplied", unit="bushels", scale=SCALE, required=True),
    "ci_g_per_bu": Field(ColumnKind.QUANTITY, "CI", unit="g CO2e/bu", scale=CI_SCALE, required=True),
    "acres": Field(ColumnKind.QUANTITY, "Acres of the crop", unit="acres", scale=SCALE, required=True),
    "first_year": Field(ColumnKind.YES_NO, "Supplies for the first time"),
    "earlier_findings": Field(ColumnKind.WHOLE, "Findings of earlier audits"),
    "late_evidence_pct": Field(ColumnKind.QUANTITY, "Bushels on late evidence", unit="percent", scale=SCALE),
}
_OTHER_NAMES: Final[Mapping[str, str]] = {
    "field corn": "corn",
    "maize": "corn",
    "soybean": "soybeans",
    "grain sorghum": "sorghum",
    "milo": "sorghum",
}


def _bounds(reader: ListReader, number: int, row: Mapping[str, Any]) -> None:
    for name in ("bushels", "acres"):
        value = row.get(name)
        if value is not None and value <= 0:
            cause = f"{FARM_COLUMNS[name].label}: {show(value)} is not above zero."
            reader.tell(number, name, cause, "Correct it, or leave out a farm that supplied nothing.", "not_above_zero")
    late, findings = row.get("late_evidence_pct"), row.get("earlier_findings")
    if late is not None and not 0 <= late <= 100 * 10**SCALE:
        cause = f"{show(late)} is no share in percent."
        reader.tell(number, "late_evidence_pct", cause, "Write 0 to 100.", "out_of_bounds")
    if findings is not None and findings < 0:
        reader.tell(number, "earlier_findings", f"{findings} is below zero.", "Write 0 or more.", "out_of_bounds")


def _county(reader: ListReader, number: int, text: str) -> str:
    digits = text.zfill(_FIPS_DIGITS)
    if not (digits.isascii() and digits.isdigit() and len(digits) == _FIPS_DIGITS) or digits.startswith("00"):
        cause = f"{text!r} is no county number."
        reader.tell(number, "county_fips", cause, "Write five digits, state first, such as 19153.", "unreadable_county")
    elif digits != text:
        cause = f"County {text} has lost its leading zero; it was read as {digits}."
        reader.tell(number, "county_fips", cause, "Format the column as text.", "leading_zero", Weight.NOTE)
    return digits


def read_farms(path: Path, name: str = "") -> tuple[Population, list[Problem]]:
    """Read the list of supplying farms, one row for each farm and crop, and freeze it.

    Returns:
        The population, and notes; bushels are those supplied to this first point.

    Raises:
        ProblemsError: anything in the list cannot be used, or there is no row.
    """
    reader = ListReader(name or path.name, FARM_COLUMNS, CITE, {"crop": _OTHER_NAMES})
    found: dict[tuple[str, str], tuple[int, FarmCrop]] = {}
    for number, row in reader.rows(path):
        _bounds(reader, number, row)
        county = _county(reader, number, str(row["county_fips"])) if row.get("county_fips") else ""
        if number in reader.damaged or any(one.required and name not in row for name, one in FARM_COLUMNS.items()):
            continue
        values: dict[str, Any] = {**row, "county_fips": county}
        made = FarmCrop(**values)
        key = (made.farm_id, made.crop)
        if key in found:
            cause = f"Farm {made.farm_id} already has a row for {made.crop} (row {found[key][0]})."
            reader.tell(number, "crop", cause, "Add the amounts up in one row.", "double_row")
        found.setdefault(key, (number, made))
    _one_county(reader, found)
    reader.refuse_errors()
    return freeze(made for _, made in found.values()), reader.problems


def _one_county(reader: ListReader, found: Mapping[tuple[str, str], tuple[int, FarmCrop]]) -> None:
    counties: dict[str, str] = {}
    for number, made in found.values():
        if counties.setdefault(made.farm_id, made.county_fips) != made.county_fips:
            cause = f"Farm {made.farm_id} stands in two counties; the county of its largest delivery counts."
            reader.tell(number, "county_fips", cause, "A farm has one place; correct it.", "two_counties", Weight.NOTE)
