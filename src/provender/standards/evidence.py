"""What a file is worth: whether it may show a fact, and how a row is known by it (interpretations 59, 62).

A name is not evidence. A file shows something when it is there, is the one that was recorded, is of the right kind and
unit, and can have been made on its day.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from provender.records.book import FarmRows, grouped
from provender.records.kind import BASES, KINDS, Record
from provender.records.kinds.farm import Evidence
from provender.records.kinds.season import Harvest
from provender.rule.law import latest_whole
from provender.standards.standard import Missing

PAPERS: Final = ("invoice", "receipt", "seed_tag", "contract", "form", "ticket")
"""What may show a purchase, or a named substitute of one; ``other`` names no kind and shows nothing (reading 85)."""
PAPER_DAYS: Final = "purchase_paper_days_max"
"""By how many days a paper may differ: a purchase is of no one harvest, so that the latest number holds."""
ONE_THING: Final = ("photograph", "printout", "machine_file")
"""What is nothing else: a file under one of these and under another word is told of twice, and one is wrong."""


class Fault(StrEnum):
    """Why evidence that a row names shows nothing, in the order in which it is looked at; ``REASONS`` says each."""

    NOTHING = "nothing"
    MISSING = "missing"
    UNHASHED = "unhashed"
    CHANGED = "changed"
    TWO_KINDS = "two_kinds"
    KIND = "kind"
    UNIT = "unit"
    SHARED = "shared"
    UNDATED = "undated"
    DAY = "day"


@dataclass(frozen=True)
class EvidenceRule:
    """A fact that needs a file."""

    kind: str  # of the record
    column: str  # which names the evidence
    whats: tuple[str, ...]  # kinds of evidence that can show it
    cite: str  # the paragraph
    what: str  # what is needed, in words
    is_of_one_unit: bool = False  # a file without a unit counts only for one unit
    not_before: str = ""  # the column with the first possible day; empty for no border
    not_after: str = ""  # the column with the last possible day; empty for no border
    near: str = ""  # the column with a day from which a paper may differ by some days only; empty for none
    needs_day: bool = False  # one without a day shows nothing (interpretation 83)


PHOTO: Final = EvidenceRule(
    "cover_crop", "established_photo", ("photograph",), "2100.052(b)(5)",
    "a photograph of this unit, taken between seeding and termination", is_of_one_unit=True, not_before="seeded_on",
    not_after="terminated_on", needs_day=True,
)  # fmt: skip
SEED: Final = EvidenceRule(
    "seed_purchase", "evidence", PAPERS, "2100.052(b)(1)", "the paper of the purchase, or a note on own seed",
    near="received_on",
)  # fmt: skip
SOIL: Final = EvidenceRule(
    "soil_test", "evidence", ("laboratory_report", "form"), "2100.053(e)(2)",
    "the laboratory's report, not older than the sample", not_before="sampled_on",
)  # fmt: skip
OPINION: Final = EvidenceRule(
    "expert_opinion", "evidence", ("form", "contract", "laboratory_report"), "2100.053(a)(2)",
    "the written opinion", near="given_on",
)  # fmt: skip
INHIBITOR: Final = EvidenceRule(
    "inhibitor_purchase", "evidence", PAPERS, "2100.053(b)(1)", "the paper of the purchase", near="received_on"
)
PRINTOUT: Final = EvidenceRule(
    "calculator_run", "evidence", ("printout",), "2100.031(c)(2)(i)",
    "the calculator's printout, screenshot or workbook, not older than the run", not_before="run_on",
)  # fmt: skip
NEEDS: Final = (PHOTO, SEED, SOIL, OPINION, INHIBITOR, PRINTOUT)


class Link(NamedTuple):
    """One piece of evidence that a row names."""

    name: str
    record: Evidence | None  # None where no evidence record bears the name
    fault: Fault | None  # None where it counts


def content_of(record: Evidence) -> str | None:
    """Return the hash on record, as hashes are compared."""
    return record.sha256.strip().lower() if record.sha256 is not None else None


def evidence_by_name(rows: FarmRows) -> Mapping[str, tuple[Evidence, Fault | None]]:
    """Return every evidence record of a farm with what is wrong with it whatever it is to show."""

    def look() -> Iterator[tuple[str, tuple[Evidence, Fault | None]]]:
        called = grouped((content_of(record), record.what) for record in rows[Evidence])
        for record in rows[Evidence]:
            held = rows.files.hash_of(rows.farm_id, record.file, record.sha256)
            fault = None if held == content_of(record) else Fault.CHANGED
            if not held or not record.sha256:
                fault = Fault.UNHASHED if held else Fault.MISSING
            # Other says that nobody said what the file is, which contradicts nothing.
            words = {*called[content_of(record)]} - {"other", None}
            if fault is None and len(words) > 1 and words & set(ONE_THING):
                fault = Fault.TWO_KINDS
            yield record.evidence_id, (record, fault)

    return rows.once("evidence_by_name", lambda: dict(look()))


def names_in(cell: str | None) -> list[str]:
    """Return the names of evidence in a cell, set apart by semicolons."""
    return [name for part in (cell or "").split(";") if (name := part.strip())]


def links(rows: FarmRows, cell: str | None) -> Iterator[Link]:
    """Yield the evidence that a cell names."""
    for name in names_in(cell):
        record, fault = evidence_by_name(rows).get(name, (None, Fault.NOTHING))
        yield Link(name, record, fault)


def sound(rows: FarmRows, cell: str | None) -> Iterator[Evidence]:
    """Yield the records of the evidence that a cell names whose file is there and unchanged."""
    for link in links(rows, cell):
        if link.fault is None and link.record is not None:
            yield link.record


def judged_links(rows: FarmRows, row: Record, need: EvidenceRule) -> Iterator[Link]:
    """Yield the evidence that a row names for a fact, each with why it does not show it."""
    for link in links(rows, getattr(row, need.column)):
        fault, record = link.fault, link.record
        if fault is None and record is not None:
            fault = _unfit(record, row, need)
            if fault is None and need.is_of_one_unit and _is_shared(rows, record, need):
                fault = Fault.SHARED
            fault = fault or _fault_of_day(record.taken_on, row, need)
        yield link._replace(fault=fault)


def why_not_shown(rows: FarmRows, row: Record, need: EvidenceRule) -> Iterator[Missing]:
    """Yield what is missing where no evidence that a row names shows the fact; nothing where some does."""
    found = list(judged_links(rows, row, need))
    if all(link.fault is not None for link in found):
        reasons = dict.fromkeys(f"evidence_{link.fault}" for link in found) or {"evidence_not_named": None}
        for reason in reasons:
            yield Missing(need.kind, need.column, row.id, reason)


def _unfit(record: Evidence, row: Record, need: EvidenceRule) -> Fault | None:
    """Return what of kind and unit speaks against sound evidence."""
    unit_id = getattr(row, "unit_id", None)
    if record.what not in need.whats:
        return Fault.KIND
    return None if None in (record.unit_id, unit_id) or record.unit_id == unit_id else Fault.UNIT


def _is_shared(rows: FarmRows, record: Evidence, need: EvidenceRule) -> bool:
    """Tell whether rows of several units rest on one record without a unit, or on one picture."""
    units = rows.once(("units_resting", need), lambda: grouped(_units_resting(rows, need)))
    is_stretched = record.unit_id is None and len(set(units[record.evidence_id, None])) > 1
    return is_stretched or len(set(units["", content_of(record)])) > 1


def _units_resting(rows: FarmRows, need: EvidenceRule) -> Iterator[tuple[tuple[str, str | None], object]]:
    """Yield name and content of the records on which rows rest, each with the unit of the row."""
    for row in rows[KINDS[need.kind].row]:
        for record in sound(rows, getattr(row, need.column)):
            if _unfit(record, row, need) is None:  # what shows nothing takes it from nobody
                unit_id = getattr(row, "unit_id", None)
                yield (record.evidence_id, None), unit_id
                yield ("", content_of(record)), unit_id


def _fault_of_day(taken_on: date | None, row: Record, need: EvidenceRule) -> Fault | None:
    """Tell what speaks against the day of evidence; a paper without a day takes the day of its row."""
    if taken_on is None:
        return Fault.UNDATED if need.needs_day else None
    first, last, near = (getattr(row, name) if name else None for name in (need.not_before, need.not_after, need.near))
    is_off = (
        (first is not None and taken_on < first)
        or (last is not None and taken_on > last)
        or (near is not None and abs((taken_on - near).days) > latest_whole(PAPER_DAYS))
    )
    return Fault.DAY if is_off else None


# How a row is known: a property of the evidence that it names, not a word in a column (interpretation 62).

THIRD_PARTY, MACHINE, _, TYPED = BASES
LOGGED: Final = (THIRD_PARTY, MACHINE)
_LOG: Final = "machine_file"
_PAPERS: Final = ("invoice", "receipt", "usda_record")


@dataclass(frozen=True)
class Holds:
    """What can hold the rows of a kind."""

    day: str  # the column that says when it happened; a log is not older, a paper not further away than papers may be
    papers: tuple[str, ...] = _PAPERS  # kinds of evidence under which a row is known by a third party
    logs: tuple[str, ...] = (_LOG,)  # kinds of evidence under which it is known by a machine


HOLDS: Final[Mapping[str, Holds]] = {
    "operation": Holds("day"),
    "cover_crop": Holds("seeded_on", logs=(_LOG, "photograph")),
    "nutrient_application": Holds("day"),
    "declaration": Holds("made_on", papers=(), logs=()),
    "planting": Holds("planted_on"),
    "nutrient_budget": Holds("made_on", papers=(*_PAPERS, "contract", "laboratory_report"), logs=()),
    "harvest": Holds("first_day", papers=(*_PAPERS, "ticket", "contract")),
}
"""Kinds whose rows are graded; a declaration is the producer's own word, whatever it says."""


class Grade(NamedTuple):
    """How a row is known."""

    known_by: str | None  # no stronger than its evidence; None where the row does not say
    is_evidenced: bool  # some evidence that it names is there, unchanged and of this unit


def grade(rows: FarmRows, row: Record) -> Grade:
    """Return how a row is known by the evidence that it names."""
    said, unit_id = row.known_by, getattr(row, "unit_id", None)
    if not row.evidence:
        return Grade(TYPED if said in LOGGED else said, is_evidenced=False)
    if unit_id is None and (harvest_id := getattr(row, "harvest_id", None)) is not None:
        unit_id = next((entry.unit_id for entry in rows.naming(Harvest, "harvest_id", harvest_id)), None)
    found = [one for one in sound(rows, row.evidence) if unit_id is None or one.unit_id in (None, unit_id)]
    if said not in LOGGED:
        return Grade(said, bool(found))
    holds = HOLDS[row.kind_name]
    day = getattr(row, holds.day)
    # By how many days each is younger than the row; one of them without a day is taken for of the same.
    days = [(one, (one.taken_on - day).days if one.taken_on and day else 0) for one in found]
    if said == THIRD_PARTY and any(
        one.what in holds.papers and abs(off) <= latest_whole(PAPER_DAYS) for one, off in days
    ):
        return Grade(THIRD_PARTY, is_evidenced=True)
    logs = [one for one, off in days if one.what in holds.logs and off >= 0]
    is_logged = any(one.what != _LOG or _may_be_log(rows, one) for one in logs)
    return Grade(MACHINE if is_logged else TYPED, bool(found))


def _may_be_log(rows: FarmRows, record: Evidence) -> bool:
    """Tell whether a file may be a machine's log; one that was left out of a package is what its record says."""

    def look() -> bool:
        # Readers of files load much: only a row that names a machine's log asks for them.
        from provender.formats.detect import HEAD, is_paper_or_photograph

        head = rows.files.content_of(rows.farm_id, record.file, content_of(record))[:HEAD]
        return not head or not is_paper_or_photograph(head, record.file)

    return rows.once(("may_be_log", record.file, content_of(record)), look)
