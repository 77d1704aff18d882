"""Verdicts as tables and lines for people: the matrix of practices, every requirement, and what is missing."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from provender.cli.tables import print_table
from provender.paper.table import Cell, Column, Table, year_cell
from provender.practices.explain import Finding, IntervalVerdict, PracticeVerdict
from provender.practices.to_do import in_words, lacking, summaries, to_do
from provender.practices.verdict import Verdict
from provender.rule.crops import Practice

MARKS: Final = {Verdict.MET: "met", Verdict.NOT_MET: "NOT MET", Verdict.NOT_SHOWN: "not shown"}
STYLES: Final = {Verdict.MET: "green", Verdict.NOT_MET: "bold red", Verdict.NOT_SHOWN: "yellow"}
SHORT: Final = {
    Practice.no_till: "No-till",
    Practice.reduced_till: "Reduced",
    Practice.cover_crop: "Cover",
    Practice.nitrification_inhibitor: "Inhibitor",
    Practice.no_fall_application: "No fall N",
    Practice.split_in_season: "Split N",
}
"""Headings for narrow screens; the legend gives the rule's words."""

MOST_THINGS: Final = 10
NOT_CLAIMABLE: Final = "-"
NOT_CLAIMED: Final = "not claimed"
RECORDS_OPEN: Final = "*"
LEGEND: Final = (
    ("NOT MET", "the records show that the standard was not kept"),
    ("not shown", "the records do not say, and what is not shown earns nothing"),
    (f"met{RECORDS_OPEN}", "met, but its record requirements are open: no official report until they are closed"),
    (NOT_CLAIMED, "the farm claims other practices here, or none: nothing is missing or wrong"),
    (NOT_CLAIMABLE, "this crop may not claim the practice (2100.012)"),
)
_REQUIREMENT_COLUMNS: Final = (
    "unit", "crop entry", "crop", "harvest year", "practice", "part", "what must hold", "7 CFR", "verdict", "observed",
    "limit", "gap", "missing", "remedy",
)  # fmt: skip


def matrix_cell(found: PracticeVerdict) -> Cell:
    """Return the verdict on one practice as a cell."""
    if not found.claimable:
        return Cell(NOT_CLAIMABLE, saved="may not be claimed", style="dim")
    if not found.asked:
        return Cell(NOT_CLAIMED, saved=NOT_CLAIMED, style="dim")
    verdict = found.implementation
    if verdict is Verdict.MET and found.records is not Verdict.MET:
        return Cell(MARKS[verdict] + RECORDS_OPEN, saved="met, records open", style=STYLES[verdict])
    return Cell(MARKS[verdict], saved=str(verdict), style=STYLES[verdict])


def matrix(chosen: Sequence[IntervalVerdict]) -> Table:
    """Return all verdicts as one table: a row per crop entry, a column per practice."""
    columns = [Column(name) for name in ("unit", "crop entry", "crop", "harvest year")]
    columns += [Column(practice.label, SHORT[practice]) for practice in Practice]
    rows: list[list[Cell | str]] = [
        [
            one.unit_id,
            one.harvest_id,
            one.crop.label,
            year_cell(one.harvest_year),
            *(matrix_cell(p) for p in one.practices),
        ]
        for one in chosen
    ]
    return Table("practices", columns, rows)


def screens(chosen: Sequence[IntervalVerdict]) -> Iterator[Table]:
    """Yield the matrix crop by crop, without the practices the crop may not claim, so that it fits a narrow screen."""

    def key(one: IntervalVerdict) -> tuple[str, str, int]:
        return one.farm_id, one.crop.label, one.harvest_year

    several_farms = len({one.farm_id for one in chosen}) > 1
    for (farm, crop, year), group in groupby(sorted(chosen, key=key), key=key):
        rows = list(group)
        shown = [p.practice for p in rows[0].practices if p.claimable]
        twice = len({one.unit_id for one in rows}) < len(rows)
        yield Table(
            f"{crop} {year}",
            [Column("Unit"), *(Column(practice.label, SHORT[practice]) for practice in shown)],
            [
                [one.harvest_id if twice else one.unit_id, *(matrix_cell(one[practice]) for practice in shown)]
                for one in rows
            ],
            caption=f"{crop} {year}, farm {farm}" if several_farms else f"{crop} {year}",
        )


def requirements(chosen: Iterable[IntervalVerdict]) -> Table:
    """Return every requirement of every practice that may be claimed: the whole working, for a file."""
    rows: list[list[Cell | str]] = [
        [
            one.unit_id, one.harvest_id, one.crop.label, year_cell(one.harvest_year), practice.practice.label,
            str(found.part), found.says, found.cite, str(found.verdict), found.observed, found.limit, found.gap,
            "; ".join(in_words(name) for name in found.missing), found.remedy,
        ]
        for one in chosen for practice in one.practices if practice.claimable for found in practice.findings
    ]  # fmt: skip
    return Table("requirements", [Column(name) for name in _REQUIREMENT_COLUMNS], rows)


def print_matrix(out: Console, chosen: Sequence[IntervalVerdict]) -> None:
    """Write the matrix crop by crop, and the legend of the marks it uses."""
    used = set()
    for table in screens(chosen):
        print_table(out, table)
        out.print()
        used |= {cell.text for row in table.cells for cell in row[1:]}
    for mark, meaning in LEGEND:
        if mark in used:
            _line(out, 2, Text.assemble((f"{mark}: ", "bold"), meaning))


def print_unit(out: Console, one: IntervalVerdict, *, whole: bool) -> None:
    """Write what one unit fails by, lacks and could do, practices with the same reasons together; or all working."""
    shown = [p for p in one.practices if p.claimable and (whole or (p.asked and _open(p)))]
    if not shown:
        return
    out.print()
    out.print(Text(f"{one.unit_id}, {one.crop.label} {one.harvest_year}", style="bold"))
    alike: dict[object, list[PracticeVerdict]] = {}
    for practice in shown:
        key = practice.practice if whole else (matrix_cell(practice), _broken(practice), tuple(lacking(practice)))
        alike.setdefault(key, []).append(practice)
    for group in alike.values():
        _print_practices(out, group, whole=whole)


def _open(practice: PracticeVerdict) -> bool:
    return practice.implementation is not Verdict.MET or practice.records is not Verdict.MET


def _broken(practice: PracticeVerdict) -> tuple[Finding, ...]:
    return tuple(one for one in practice.findings if one.verdict is Verdict.NOT_MET)


def _print_practices(out: Console, group: Sequence[PracticeVerdict], *, whole: bool) -> None:
    practice, mark = group[0], matrix_cell(group[0])
    names = ", ".join(one.practice.label for one in group)
    _line(out, 2, Text.assemble(f"{names}: ", (mark.text, mark.style)))
    for found in practice.findings if whole else _broken(practice):
        _print_finding(out, found)
    if practice.implementation is Verdict.NOT_MET and not whole:
        return  # no record would help
    for name, cite in lacking(practice).items():
        _line(out, 4, Text.assemble(("missing ", "yellow"), f"{name} ", (f"[{cite}]", "dim")))


def _line(out: Console, indent: int, text: Text) -> None:
    out.print(Padding(text, (0, 0, 0, indent), expand=False))


def _print_finding(out: Console, found: Finding) -> None:
    numbers = "; ".join(part for part in (found.observed, found.limit, found.gap) if part)
    text = Text.assemble(
        (f"{MARKS[found.verdict]} ", STYLES[found.verdict]), (f"{found.cite} ", "dim"), found.says,
        (f" {numbers}." if numbers else "", "bold"),
    )  # fmt: skip
    _line(out, 4, text)
    if found.remedy and found.verdict is Verdict.NOT_MET:
        _line(out, 6, Text(found.remedy, style="italic"))


def print_summary(out: Console, chosen: Sequence[IntervalVerdict]) -> None:
    """Write each harvest year in one line, above everything."""
    for year in summaries(chosen):
        out.print(Text(str(year), style="bold"))
    out.print()


def print_to_do(out: Console, chosen: Sequence[IntervalVerdict]) -> None:
    """Write what to do, the record that most verdicts wait for first."""
    things = to_do(chosen)
    out.print()
    if not things:
        out.print(Text("What to do: no record is missing that would decide a practice.", style="bold"))
        return
    out.print(Text("What to do:", style="bold"))
    for thing in things[:MOST_THINGS]:
        count = len(thing.settles)
        waits = (
            f"{count} verdict{'' if count == 1 else 's'} wait{'s' if count == 1 else ''} on {', '.join(thing.units)}"
        )
        _line(out, 2, Text.assemble(f"{thing.record}: ", (waits, "bold"), (f" [{thing.cite}]", "dim")))
    if len(things) > MOST_THINGS:
        _line(out, 2, Text(f"and {len(things) - MOST_THINGS} more records, each told at its unit above"))
