"""``provender rule``: what each paragraph says, what answers it, and how much of the rule is answered."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from provender.cli.output import WRONGLY_CALLED, AsOf, Csv, Json, Xlsx, print_json, print_whole, save, today
from provender.rule import paragraphs as law_paragraphs
from provender.rule.crops import Cite
from provender.rule.law import LATER_RULE, NotInForceError, Parameter, parameters, parameters_of

if TYPE_CHECKING:
    from provender.paper.tables import Cell
    from provender.paper.tables import Table as SavedTable

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Read the rule paragraph by paragraph.")

_ANSWERED_BY: Final = {
    law_paragraphs.AnswerKind.requirement: "the requirement",
    law_paragraphs.AnswerKind.record: "the record",
    law_paragraphs.AnswerKind.document: "the document",
    law_paragraphs.AnswerKind.procedure: "the procedure",
}
_HEADINGS: Final = {
    law_paragraphs.AnswerKind.requirement: "require-\nment",
    law_paragraphs.AnswerKind.record: "record",
    law_paragraphs.AnswerKind.document: "docu-\nment",
    law_paragraphs.AnswerKind.procedure: "proce-\ndure",
    law_paragraphs.AnswerKind.below: "below",
    law_paragraphs.AnswerKind.reason: "reason",
}
Grouped = dict[str, tuple[law_paragraphs.Paragraph, ...]]
_NUMBERS_WIDTH: Final = 64
"""What the coverage table needs beside its titles."""


@app.command("calculators")
def print_calculators(
    *,
    also: Annotated[
        Path | None, typer.Option("--calculators", metavar="FILE.toml", help="A list beside the packaged one.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the calculators and versions that are known, with their status and who says so."""
    from provender.rule.calculators import known_calculators

    known = known_calculators(also)
    # A version may stand under several names.
    found = list({id(one): one for one in known.versions.values()}.values())
    if as_json:
        print_json(
            [
                {"calculator": one.calculator, "version": one.version, "status": str(one.status),
                 "example": one.example, "source": one.source, "listed_by": one.listed_by.as_json()}
                for one in found
            ]
        )  # fmt: skip
        return
    table = Table("calculator", "version", "status", "listed by", "source")
    for one in found:
        status = f"{one.status}, made up" if one.example else str(one.status)
        table.add_row(one.calculator, one.version, status, one.listed_by.name, one.source)
    print_whole(table)
    console = Console()
    for source in known.sources:
        line = f"{source.name}, by {source.supplier}, read up to {source.read_up_to}; SHA-256 {source.sha256}"
        console.print(line, highlight=False, soft_wrap=True)


@app.command("coverage")
def print_coverage(*, csv: Csv = None, xlsx: Xlsx = None, as_of: AsOf = None, as_json: Json = False) -> None:
    """Count what answers the paragraphs, section by section."""
    counted = law_paragraphs.coverage()
    open_, partly = law_paragraphs.not_modelled(), law_paragraphs.answered_in_part()
    save([_saved_coverage(counted)], csv=csv, xlsx=xlsx, title="Coverage of 7 CFR part 2100", as_of=as_of or today())
    if as_json:
        print_json(_coverage_json(counted, open_, partly))
        return
    console = Console()
    console.print(_coverage_table(counted, console.width))
    console.print("A paragraph counts under each kind of answer it has. Below: it introduces the paragraphs under it.")
    _write_reasons(console, "paragraphs have no answer but a reason:", open_)
    _write_reasons(console, "paragraphs have an answer, and a reason why it is not whole:", partly)


def _write_reasons(console: Console, heading: str, by_reason: Grouped) -> None:
    console.print(f"\n{sum(map(len, by_reason.values()))} {heading}", highlight=False)
    for name, group in by_reason.items():
        where = ", ".join(str(one.cite) for one in group)
        console.print(Padding(Text(f"{len(group)}  {law_paragraphs.reasons()[name]}"), (0, 0, 0, 2)))
        console.print(Padding(Text(where), (0, 0, 0, 5)))


def _reasons_json(by_reason: Grouped) -> object:
    return {
        name: {"reason": law_paragraphs.reasons()[name], "paragraphs": [str(one.cite) for one in group]}
        for name, group in by_reason.items()
    }


def _coverage_json(counted: tuple[law_paragraphs.SectionCoverage, ...], open_: Grouped, partly: Grouped) -> object:
    return {
        "paragraphs": sum(one.paragraphs for one in counted),
        "sections": [
            {
                "section": one.section.number,
                "title": one.section.title,
                "subpart": one.section.subpart,
                "paragraphs": one.paragraphs,
                "answers": {str(kind): number for kind, number in one.by_kind.items()},
                "not_modelled": one.not_modelled,
            }
            for one in counted
        ],
        "not_modelled": _reasons_json(open_),
        "answered_in_part": _reasons_json(partly),
    }


def _saved_coverage(counted: tuple[law_paragraphs.SectionCoverage, ...]) -> "SavedTable":
    from provender.paper.tables import Column, amount
    from provender.paper.tables import Table as SavedTable

    columns = [Column(name) for name in ("section", "title", "subpart", "paragraphs", *law_paragraphs.AnswerKind)]
    rows: list[list[Cell | str]] = [
        [
            one.section.number, one.section.title, one.section.subpart, amount(one.paragraphs, 0),
            *(amount(one.by_kind[kind], 0) for kind in law_paragraphs.AnswerKind),
        ]
        for one in counted
    ]  # fmt: skip
    return SavedTable("coverage", columns, rows)


def _coverage_table(counted: tuple[law_paragraphs.SectionCoverage, ...], width: int) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("section", no_wrap=True)
    table.add_column("title", max_width=max(width - _NUMBERS_WIDTH, 8), no_wrap=True, overflow="ellipsis")
    for heading in ("all", *_HEADINGS.values()):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in counted:
        numbers = (str(number or "") for number in one.by_kind.values())
        table.add_row(one.section.number, one.section.title, str(one.paragraphs), *numbers)
    totals = (str(sum(one.by_kind[kind] for one in counted)) for kind in law_paragraphs.AnswerKind)
    table.add_section()
    table.add_row("all", "", str(sum(one.paragraphs for one in counted)), *totals, style="bold", end_section=True)
    return table


@app.command("show")
def print_paragraph(
    citation: Annotated[str, typer.Argument(help='Such as "2100.051(b)(1)" or \'2100.002 "crop interval"\'.')],
    *,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Show what a paragraph says, how strongly it binds, its numbers, and what answers it.

    With --as-of the numbers are those for a crop harvested on that day.
    """
    try:
        found = law_paragraphs.paragraphs().get(Cite.parse(citation))
        problem = f"7 CFR part 2100 has no paragraph {citation}."
    except ValueError as wrong:
        found, problem = None, str(wrong)
    if found is None:
        near = ", ".join(str(one) for one in law_paragraphs.nearest(citation))
        typer.echo(f"{problem} The nearest: {near}." if near else problem, err=True)
        raise typer.Exit(WRONGLY_CALLED)
    below = law_paragraphs.children(found.cite)
    if as_json:
        print_json({"as_of": as_of.isoformat() if as_of else None, **_paragraph_json(found, below)})
    else:
        _write_paragraph(Console(), found, below, as_of)


def _value(one: Parameter, day: date | None) -> str:
    try:
        value = one.show(one.on(day) if day else one.history[-1].value)
    except NotInForceError:
        return f"none on {day}, the rule is in force from {one.history[0].start}"
    return value if one.unit in ("word", "day", "month and day") else f"{value} {one.unit}"


def _paragraph_json(one: law_paragraphs.Paragraph, below: tuple[law_paragraphs.Paragraph, ...]) -> dict[str, object]:
    return {
        "cite": str(one.cite),
        "section": next(section.title for section in law_paragraphs.sections() if section.number == one.cite.section),
        "summary": one.summary,
        "force": str(one.force),
        "subjects": [str(subject) for subject in one.subjects],
        "parameters": [
            {
                "name": number.name,
                "label": number.label,
                "kind": str(number.kind),
                "reading": number.reading or None,
                "unit": number.unit,
                "values": [{"start": dated.start, "value": number.show(dated.value)} for dated in number.history],
            }
            for number in parameters_of(one.cite)
        ],
        "answers": [{"kind": str(answer.kind), "name": answer.name} for answer in one.answers],
        "children": [str(child.cite) for child in below],
        "read_up_to": parameters().read_up_to,
    }


def _answer(answer: law_paragraphs.Answer, *, alone: bool) -> str:
    if answer.kind is law_paragraphs.AnswerKind.below:
        return "the paragraphs below it"
    if answer.kind is law_paragraphs.AnswerKind.reason:
        return f"{'nothing' if alone else 'not wholly'}: {law_paragraphs.reasons()[answer.name]}"
    return f"{_ANSWERED_BY[answer.kind]} {answer.name}"


def _write_paragraph(
    console: Console, one: law_paragraphs.Paragraph, below: tuple[law_paragraphs.Paragraph, ...], day: date | None
) -> None:
    title = next(section.title for section in law_paragraphs.sections() if section.number == one.cite.section)
    for_whom = ", ".join(one.subjects)
    lines = Table(box=None, show_header=False, pad_edge=False)
    lines.add_column(no_wrap=True, style="bold")
    lines.add_column()
    lines.add_row("says", Text(one.summary))
    lines.add_row("force", Text(f"{one.force}, for: {for_whom}" if for_whom else str(one.force)))
    for number in parameters_of(one.cite):
        source = f"interpretation {number.reading}" if number.reading else "the rule's own"
        lines.add_row("number", Text(f"{number.label}: {_value(number, day)} ({number.name}; {source})"))
    for answer in one.answers:
        lines.add_row("answered by", Text(_answer(answer, alone=len(one.answers) == 1)))
    for child in below:
        lines.add_row("below", Text(f"{child.cite}  {child.summary}"))
    console.print(Text(f"{one.cite.full}  {title}", style="bold"))
    console.print(lines)
    text = parameters()
    console.print(f"Summary in our words; text of {text.citation}, read up to {text.read_up_to}.", highlight=False)
    if text.later_start is not None and (day is None or day >= text.later_start):
        later = f"Harvests from {text.later_start} on fall under {text.later_citation}: {LATER_RULE}."
        console.print(later, highlight=False)
