"""What verdicts amount to: how many crops of a year are ready, and which records would decide most."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from provender.practices.explain import IntervalVerdict, PracticeVerdict
from provender.practices.requirement import Part
from provender.practices.verdict import Verdict
from provender.records.field import starting_small
from provender.records.kind import KINDS, Kind

_NAME: Final = re.compile(r"[a-z]+(?:[_.][a-z]+)+")
_WITH: Final = re.compile(r"with ([a-z_]+)")
"""What is asked for beside a column, of another one of its row."""


@dataclass(frozen=True, slots=True)
class YearSummary:
    """A harvest year in numbers."""

    year: int  # the harvest year
    crops: int  # crops that were judged
    ready: int  # those with a practice that is met, its records too
    open: int  # practices that are met and whose records are open
    unshown: int  # practices that are not shown, and that the records show as not met
    unmet: int  # practices that are not shown, and that the records show as not met
    asked: int  # practices of which anything is asked: what is not claimed is none of them

    def __str__(self) -> str:
        """Say it in one line."""
        if not self.asked:
            return f"{self.year}: No practice is claimed."
        said = [f"{self.ready} of {self.crops} crops have a practice met with its records"]
        numbers = ((self.open, "met with records open"), (self.unshown, "not shown"), (self.unmet, "not met"))
        said += [f"{number} practice{'' if number == 1 else 's'} {what}" for number, what in numbers if number]
        return f"{self.year}: {'; '.join(said)}."


@dataclass(frozen=True, slots=True)
class ToDo:
    """A record that would decide something."""

    record: str  # its name, such as ``planting.emerged_on``, with what is asked of it
    cite: str  # the first paragraph that asks for it
    # unit and practice of each verdict that waits for it, in the order of the book
    settles: tuple[tuple[str, str], ...]

    @property
    def units(self) -> tuple[str, ...]:
        """Return the units, once each."""
        return tuple(dict.fromkeys(unit for unit, _ in self.settles))


def ready(one: IntervalVerdict) -> bool:
    """Return whether a crop has a practice that is met, with its records."""
    return any(p.implementation is Verdict.MET and p.records is Verdict.MET for p in one.practices if p.claimable)


def settled(one: IntervalVerdict) -> bool:
    """Return whether a crop waits for nothing: it is ready, or nothing is claimed on it."""
    return ready(one) or not any(practice.asked for practice in one.practices)


def summaries(chosen: Iterable[IntervalVerdict]) -> tuple[YearSummary, ...]:
    """Return each harvest year in numbers, the earliest first."""
    by_year: dict[int, list[IntervalVerdict]] = {}
    for one in chosen:
        by_year.setdefault(one.harvest_year, []).append(one)
    return tuple(_summary(year, by_year[year]) for year in sorted(by_year))


def _summary(year: int, crops: Sequence[IntervalVerdict]) -> YearSummary:
    practices = [practice for one in crops for practice in one.practices if practice.asked]
    return YearSummary(
        year,
        len(crops),
        sum(ready(one) for one in crops),
        sum(each.implementation is Verdict.MET and each.records is not Verdict.MET for each in practices),
        sum(each.implementation is Verdict.NOT_SHOWN for each in practices),
        sum(each.implementation is Verdict.NOT_MET for each in practices),
        len(practices),
    )


def to_do(chosen: Iterable[IntervalVerdict]) -> tuple[ToDo, ...]:
    """Return each missing record once, the one that most verdicts wait for first; none that no record would mend."""
    found: dict[str, tuple[str, list[tuple[str, str]]]] = {}
    for one in chosen:
        for practice in one.practices:
            if not practice.asked or practice.implementation is Verdict.NOT_MET:
                continue
            for record, cite in lacking(practice).items():
                found.setdefault(record, (cite, []))[1].append((one.unit_id, practice.practice.label))
    things = [ToDo(record, cite, tuple(settles)) for record, (cite, settles) in found.items()]
    return tuple(sorted(things, key=lambda thing: -len(thing.settles)))


def lacking(practice: PracticeVerdict) -> dict[str, str]:
    """Return each record that would close a gap once, with the first paragraph that asks for it.

    What an implementation lacks comes before what its records lack; a record that is missing whole stands for its
    columns.
    """
    parts = {one.part for one in practice.findings if one.missing}
    first = Part.IMPLEMENTATION if Part.IMPLEMENTATION in parts else Part.RECORDS
    found: dict[str, str] = {}
    for one in practice.findings:
        for name in one.missing if one.part is first else ():
            found.setdefault(name, one.cite)
    whole = tuple(f"{name.split(' ')[0]}." for name in found if "." not in name.split(" ")[0])
    return {name: cite for name, cite in found.items() if not name.startswith(whole)}


def missing_record(record: str) -> dict[str, str]:
    """Split a missing record, such as ``declaration.residue_burned (yes or no)``, into kind, column and words."""
    head = record.split(" ", 1)[0]
    kind_name, _, column = head.partition(".")
    kind = KINDS[kind_name]
    column = column.rstrip(",")
    said = record.removeprefix(head).strip()
    beside = _WITH.fullmatch(said)
    said = f"({_small(_heading(beside[1], kind))})" if beside else _by_headings(said, kind, small=True)
    label = kind.fields[column].label if column in kind.fields else ""
    return {"kind": kind_name, "kind_label": kind.label, "column": column, "label": label, "said": said}


def in_words(record: str) -> str:
    """Return a missing record by the headings that a person sees, such as ``Soil tests: Sampled on``."""
    first = record.split(" ", 1)[0].rstrip(",")
    kind = KINDS.get(first.partition(".")[0])
    if kind is None:  # a whole sentence, such as of rows that cannot be read
        return record
    return _heading(first, kind) + _by_headings(record.removeprefix(first), kind)


def _by_headings(text: str, kind: Kind, *, small: bool = False) -> str:
    """Return a text with the names of columns in it as headings; ``kind`` has those that name no kind of their own.

    With ``small`` those begin as words inside a sentence do.
    """
    start = _small if small else str
    return _NAME.sub(lambda found: start(_heading(found[0], kind)), text)


def _small(label: str) -> str:
    """Write a label inside a sentence; abbreviations stay as they are."""
    return label if ":" in label else starting_small(label)


def _heading(name: str, kind: Kind) -> str:
    of, dot, column = name.rpartition(".")
    within = KINDS.get(of, kind)
    if name in KINDS:
        return KINDS[name].label
    label = within.fields[column].label if column in within.fields else column.replace("_", " ")
    return f"{within.label}: {label}" if dot else label
