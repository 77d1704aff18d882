"""Versions of a report under one origin: what an amendment replaces and what it changes (interpretations 34, 35)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from provender.problem import Place, Problem, ProblemsError, refuse
from provender.records.folder import load_book, write_csv
from provender.records.kind import KINDS
from provender.records.reading import column_names, parse_csv, read_csv_table, read_table
from provender.report.attestation import CITE, Delivery, deliveries
from provender.report.document import Edition
from provender.report.supporting import Leaves
from provender.report.typ import TYP
from provender.report.typ import TYPE as DOCUMENT
from provender.rule.crops import Practice
from provender.signing.canonical import document_hash, is_hash, read_json
from provender.signing.jws import MEANING, Status, check
from provender.signing.merkle import roots_over
from provender.whole_file import write_together, write_whole

__all__ = ["Delivery", "deliveries_of", "record_delivery"]


KEY: Final = ("farm_id", "crop", "harvest_year")
_SHOWN: Final = (
    ("total_bushels", "Total bushels"),
    ("farm_ci_g_per_bu", "Farm CI, g CO2e/bu"),
    ("label", "Status"),
)


def next_edition(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> Edition:
    """Return the edition under which ``later`` replaces ``earlier``.

    Raises:
        ProblemsError: the two are not of one farm, crop and harvest year, or the later was made before the earlier.
    """
    if origin_key(earlier) != origin_key(later):
        cause = "The report to be replaced is of another farm, crop or harvest year."
        raise ProblemsError([Problem(Place("report"), cause, "Name the report of this origin.", "2100.031(c)")])
    if later["made_on"] < earlier["made_on"]:
        cause = f"The report to be replaced was made on {earlier['made_on']}, after this one of {later['made_on']}."
        remedy = "Make it on that day or later: versions come in the order of their days."
        raise ProblemsError([Problem(Place("report"), cause, remedy, "2100.031(c)", code="version_before")])
    edition = earlier["edition"]
    return Edition(
        version=edition["version"] + 1,
        replaces=document_hash(earlier),
        changes=tuple(changes(earlier, later)),
        origin_id=edition["origin_id"],
        salt=edition["salt"],
    )


def origin_key(report: Mapping[str, Any]) -> tuple[str, str, int]:
    """Return farm, crop and harvest year of a report."""
    return report["farm"]["farm_id"], report["crop"], report["harvest_year"]


def changes(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> list[str]:
    """Say in sentences what an amendment changes: totals, units, and practices credited."""
    found = [
        f"{label}: {earlier[name]} becomes {later[name]}." for name, label in _SHOWN if earlier[name] != later[name]
    ]
    before = {unit["unit_id"]: unit for unit in earlier["units"]}
    after = {unit["unit_id"]: unit for unit in later["units"]}
    found += [f"Unit {unit} is no longer in the report." for unit in before if unit not in after]
    found += [f"Unit {unit} is new in the report." for unit in after if unit not in before]
    for unit in before.keys() & after.keys():
        for name, label in (
            ("acres", "acres"),
            ("bushels", "bushels"),
            ("ci_g_per_bu", "CI"),
            ("used", "practices in the CI"),
        ):
            if before[unit][name] != after[unit][name]:
                found.append(
                    f"Unit {unit}, {label}: {_value_text(before[unit][name])} becomes {_value_text(after[unit][name])}."
                )
    return sorted(found)


def _value_text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(Practice(one).label if one in set(Practice) else one for one in value) or "none"
    return "none" if value is None else str(value)


# The file that opens a report's roots: its secret, and the leaf of every row by name (2100.030(d), .031(a)).
#
# The report's buyers hold the roots; the farm keeps this file beside the report and hands it to the verifier with the
# records. Whoever has it can tell which row was changed, dropped or added since; whoever has it not learns nothing of
# the rows, and can still be shown one of them with its salt.

_TYPE: Final = "report-record-leaves"
_FORMAT: Final = 1
ENDING: Final = ".leaves.json"


@dataclass(frozen=True, slots=True)
class Opening:
    """What opens the roots of one report."""

    key: tuple[str, str, int]  # farm, crop and harvest year; version: of the report
    version: int
    secret: str  # from which the salts follow
    leaves: Leaves  # of every row; empty where only the secret is handed over

    def fits(self, records: Mapping[str, Mapping[str, str]]) -> bool:
        """Tell whether the leaves are those of a report's roots."""
        return {unit: roots_over(kinds) for unit, kinds in self.leaves.items()} == records


_MEMBERS: Final = frozenset({"type", "format", "farm_id", "crop", "harvest_year", "version", "secret", "leaves"})
"""All that an opening may hold."""


def leaves_document(report: Mapping[str, Any], secret: str, leaves: Leaves) -> dict[str, Any]:
    """Return the opening of a report as plain data."""
    farm, crop, year = origin_key(report)
    return {
        "type": _TYPE, "format": _FORMAT, "farm_id": farm, "crop": crop, "harvest_year": year,
        "version": report["edition"]["version"], "secret": secret, "leaves": leaves,
    }  # fmt: skip


def read_leaves(data: object) -> Opening | None:
    """Read an opening; None where the data is none, or holds what no opening has: nobody signs this file."""
    if (
        not isinstance(data, Mapping)
        or (data.get("type"), data.get("format")) != (_TYPE, _FORMAT)
        or data.keys() - _MEMBERS
    ):
        return None
    farm, crop, year, version = (data.get(name) for name in ("farm_id", "crop", "harvest_year", "version"))
    secret, leaves = data.get("secret"), data.get("leaves")
    if not (isinstance(farm, str) and isinstance(crop, str) and type(year) is int and type(version) is int):
        return None
    if not isinstance(secret, str) or not _are_leaves(leaves):
        return None
    return Opening((farm, crop, year), version, secret, leaves)  # type: ignore[arg-type]  # asked just before


def _are_leaves(value: object) -> bool:
    """Tell whether a value maps unit to kind to label to a hash in hexadecimal."""
    if not isinstance(value, Mapping):
        return False
    groups = [
        group for kinds in value.values() for group in (kinds.values() if isinstance(kinds, Mapping) else (None,))
    ]
    return all(
        isinstance(group, Mapping) and all(isinstance(one, str) and is_hash(one) for one in group.values())
        for group in groups
    )


# Writing into a book folder that the report was given to a buyer (2100.031(c)): one row of ``report_delivery.csv``.

KIND: Final = "report_delivery"


def deliveries_of(folder: Path) -> tuple[Delivery, ...]:
    """Return every buyer of a book's reduced-CI crop with the first delivery of the report to them."""
    return deliveries(load_book(folder))


def record_delivery(folder: Path, buyer: str, how: str, day: date, *, evidence: str = "") -> list[Delivery]:
    """Write that a buyer has the report, once for each crop and year it bought without one on file; return these.

    Args:
        folder: the record book.
        buyer: as a sale names it; case and spaces aside.
        how: one of the words of the column.
        day: of the delivery.
        evidence: ids of a receipt, where there is one.

    Raises:
        ProblemsError: the book cannot be read, no sale names the buyer, or all its deliveries are on file.
    """
    book = load_book(folder)
    every = deliveries(book)
    mine = [one for one in every if _plain(one.buyer) == _plain(buyer)]
    if not mine:
        known = ", ".join(sorted({one.buyer for one in every})) or "nobody"
        cause = f"No sale as reduced-CI crop names {buyer}; the buyers are {known}."
        remedy = "Record the sale, or write the buyer's name as the sale does."
        raise refuse("buyer", cause, remedy, cite=CITE, code="no_such_buyer")
    open_ = [one for one in mine if one.given_on is None]
    if not open_:
        given = "; ".join(f"{one.crop} {one.harvest_year} on {one.given_on}" for one in mine)
        cause = f"The deliveries to {mine[0].buyer} are on file: {given}."
        raise refuse("buyer", cause, "There is nothing to record.", cite=CITE, code="already_delivered")
    paper = {"evidence": evidence} if evidence else {}
    rows = [{"farm_id": one.farm, "sale_id": one.sale, "day": day.isoformat(), "how": how} | paper for one in open_]
    _append(folder / f"{KIND}.csv", rows, {row["delivery_id"] for row in book[KIND]})
    return open_


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def _append(path: Path, rows: list[dict[str, str]], used: set[str]) -> None:
    """Write rows under the ones there; a heading that stands there keeps its order, and lines keep what they say."""
    kind, known = KINDS[KIND], column_names(KINDS[KIND])
    columns = [name for name in kind.typed_fields if name in ("farm_id", "delivery_id", *rows[0])]
    table = read_csv_table(path, path.name) if path.is_file() else None
    heading = list(table.heading) if table else columns
    # A person's table may be headed with labels: a column stands under its label as under its name.
    means = [known.get(one.casefold(), "") for one in heading]
    more = [name for name in columns if name not in means]
    heading, means = heading + more, means + more
    lines = [heading] + [[*cells, *[""] * (len(heading) - len(cells))] for _, cells in (table.rows if table else ())]
    number = 0
    for row in rows:
        while f"D{(number := number + 1)}" in used:
            pass
        said = {**row, "delivery_id": f"D{number}"}
        lines.append([said.get(name, "") for name in means])
    text = write_csv(lines)
    assert_read(text, path.name, rows, len(used))
    write_whole(path, text.encode())


def assert_read(text: str, name: str, rows: list[dict[str, str]], before: int) -> None:
    """Refuse what would not be read again row for row, before it replaces the file.

    Raises:
        ProblemsError: a row of before, or one of the new ones, would be lost.
    """
    kind = KINDS[KIND]
    read = read_table(kind, parse_csv(text, name), farm_id=rows[0]["farm_id"]).rows
    given = {(one["sale_id"], str(one["day"]), one["how"]) for one in read}
    if len(read) < before + len(rows) or any((one["sale_id"], one["day"], one["how"]) not in given for one in rows):
        cause = f"{name} would not be read with the new delivery in it; nothing was written."
        remedy = "Mend what `provender check` says of that table, then record the delivery again."
        raise refuse(name, cause, remedy, cite=CITE, code="delivery_unwritten")


# The files of a report: JSON and PDF side by side, both or neither, and never over a signed report.

_REQUIRED: Final = frozenset(
    {"type", "label", "edition", "farm", "producer", "crop", "harvest_year", "total_bushels", "farm_ci_g_per_bu",
     "units", "attestation"}
)  # fmt: skip
"""Parts without which a document cannot be read as a report."""


def stem(report: Mapping[str, Any], state: str) -> str:
    """Return the name of a report's files: farm, crop, year, version, and what it is unless it is signed."""
    parts = (report["farm"]["farm_id"], report["crop"], str(report["harvest_year"]), f"v{report['edition']['version']}")
    name = "-".join(parts) if state == "signed" else "-".join((*parts, state))
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)


def write_both(
    folder: Path, name: str, json: bytes, pdf: bytes, *, signed: bool, leaves: bytes = b""
) -> tuple[Path, Path]:
    """Write both files of a report, or neither; return their paths.

    What opens the report's roots (``leaves_file``) lies beside them and stays with the farm.

    Raises:
        ProblemsError: another signed report stands under this name, or the folder cannot be written.
    """
    targets = folder / f"{name}.json", folder / f"{name}.pdf"
    if signed and targets[0].is_file() and targets[0].read_bytes() != json:
        cause = "Another signed report of this version stands here already."
        remedy = "Name it with --amends to make the next version, or choose another folder."
        raise ProblemsError([Problem(Place(str(targets[0])), cause, remedy, "2100.031(c)", code="signed_before")])
    opening = {folder / f"{name}{ENDING}": leaves} if leaves else {}
    try:
        # A JSON without its PDF, or the other way round, would pass for a whole report.
        write_together({targets[0]: json, targets[1]: pdf, **opening})
    except OSError as error:
        cause = f"The report cannot be written: {error.strerror}."
        raise refuse(str(folder), cause, "Choose another folder.") from None
    return targets


def read_report(path: Path) -> dict[str, Any]:
    """Read a report from its JSON file, signed or not.

    Raises:
        ProblemsError: the file cannot be read, holds no Biofuel Feedstock Report, or was changed after it was signed.
    """
    content = read_file(path)
    report = document_of(content, str(path))
    if content is not report:
        status = check(content, {}, typ=TYP).status
        # Whether the key is known to somebody is not the question here.
        if status is not Status.SIGNER_UNKNOWN:
            raise refuse(str(path), *MEANING[status], code=str(status))
    return report


def read_file(path: Path) -> object:
    """Read a JSON file somebody handed over.

    Raises:
        ProblemsError: it cannot be read, or is not JSON.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise refuse(str(path), f"The file cannot be read: {error.strerror}.", "Check the path.") from None
    return read_json(raw, file=str(path))


def document_of(content: object, file: str) -> dict[str, Any]:
    """Return the report inside an envelope, or the report itself.

    Raises:
        ProblemsError: it is no Biofuel Feedstock Report.
    """
    inside = content.get("document", content) if isinstance(content, dict) else None
    if not isinstance(inside, dict) or not inside.keys() >= _REQUIRED or inside["type"] != DOCUMENT:
        raise refuse(file, "This is no Biofuel Feedstock Report.", "Name the JSON that `provender report` wrote.")
    return inside
