"""``provender check``: which practice standards each unit meets, with paragraph, working and what is missing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from provender.cli import output
from provender.cli.output import Csv, Xlsx, console, each, print_table, save, write_file
from provender.problem import refuse

if TYPE_CHECKING:
    from provender.paper.tables import Table
    from provender.services.farm.check import Checked
    from provender.services.farm.due import Price
    from provender.standards.judge import IntervalJudged, RequirementJudged


app = typer.Typer(rich_markup_mode=None, add_completion=False)


@dataclass(frozen=True, slots=True)
class Pictures:
    """Where the pictures go that were asked for."""

    matrix: Path | None
    map: Path | None
    build_up: Path | None


@app.command()
def check(
    books: Annotated[list[Path], typer.Argument(metavar="BOOK...", help="A record book folder; several: a line each.")],
    unit: Annotated[str, typer.Option("--unit", help="Only this management unit, with its whole working.")] = "",
    year: Annotated[int | None, typer.Option("--year", help="Only this harvest year.")] = None,
    matrix_file: Annotated[
        Path | None, typer.Option("--matrix", metavar="FILE.svg", dir_okay=False, help="Draw the practice matrix.")
    ] = None,
    map_file: Annotated[
        Path | None,
        typer.Option("--map", metavar="FILE.svg|.html", dir_okay=False, help="Draw the fields by what they lack."),
    ] = None,
    buildup: Annotated[
        Path | None,
        typer.Option("--buildup", metavar="FILE.svg", dir_okay=False, help="Draw how STIR builds up; needs --unit."),
    ] = None,
    premium: output.Premium = "",
    per_point: output.PerPoint = "",
    point: output.Point = "1",
    csv: Csv = None,
    xlsx: Xlsx = None,
    as_of: output.AsOf = None,
    json: output.Json = False,
) -> None:
    """Judge every practice standard on every unit of a record book; of several books, say what each needs next.

    Exit status 0 when every practice that a unit's crop may claim is met and nothing is wrong with the records;
    of a crop with ticks, every practice that is ticked.
    """
    price = None
    if premium or per_point:
        from provender.services.farm.due import price_of

        price = price_of(premium, per_point, point, names=output.NAMES)
    if map_file is not None and len(books) > 1:
        raise refuse("--map", "A map shows the fields of one farm.", "Name one record book.")
    if len(books) > 1 or price is not None:
        raise typer.Exit(_farms(books, year, price, csv=csv, xlsx=xlsx, as_of=as_of or output.today(), json=json))
    pictures = Pictures(matrix_file, map_file, buildup)
    _one_book(books[0], unit, year, pictures, csv=csv, xlsx=xlsx, as_of=as_of, json=json)


def _farms(
    books: list[Path],
    year: int | None,
    price: "Price | None",
    *,
    csv: Path | None,
    xlsx: Path | None,
    as_of: date,
    json: bool,
) -> int:
    """Print one line a farm, sorted by what to do next."""
    from provender.cli.plan_tables import as_data as line_data
    from provender.cli.plan_tables import farms_table
    from provender.services.farm.due import farm_line, sort_by_due_day

    lines = sort_by_due_day([farm_line(book, year, as_of, price) for book in each(books, "books")])
    table = farms_table(lines, price)
    if json:
        output.print_json({"as_of": as_of.isoformat(), "farms": [line_data(one, price) for one in lines]})
    else:
        print_table(console(), table)
        if price is not None:
            console().print(str(price), markup=False)
    save([table], csv=csv, xlsx=xlsx, title="Farms", as_of=as_of)
    done = all(one.done for one in lines)
    return output.ALL_WELL if done else output.SOMETHING_TO_LOOK_AT


def _one_book(
    book: Path,
    unit: str,
    year: int | None,
    pictures: Pictures,
    *,
    csv: Path | None,
    xlsx: Path | None,
    as_of: date | None,
    json: bool,
) -> None:
    """Judge one book and print or save what comes of it."""
    from provender.report.verdict_tables import matrix, requirements
    from provender.services.farm.check import check_book, totals_table

    day = as_of or output.today()
    checked = check_book(book, unit, year, day)
    if json:
        output.print_json(checked.as_json(as_of.isoformat() if as_of else None))
    else:
        _print(checked, whole=bool(unit))
    if csv or xlsx:
        totals = [] if unit else [totals_table(checked.totals)]
        tables = [matrix(checked.chosen), requirements(checked.chosen), *totals]
        save(tables, csv=csv, xlsx=xlsx, title="Practice standards", as_of=day)
    if pictures.matrix or pictures.map or pictures.build_up:
        _draw(checked, unit, pictures, day)
    raise typer.Exit(output.ALL_WELL if checked.is_done else output.SOMETHING_TO_LOOK_AT)


def _draw(checked: "Checked", unit: str, pictures: Pictures, as_of: date) -> None:
    from provender.report.season import build_up_svg, matrix_svg

    if pictures.matrix is not None:
        write_file(pictures.matrix, matrix_svg(checked.chosen, farm=checked.farm).encode())
    if pictures.map is not None:
        from provender.formats.importing.foreign import outlines_of
        from provender.formats.importing.incoming_files import Choices
        from provender.report.season import gap_map_page, gap_map_svg

        outlines = outlines_of(checked.assessment.book, Choices(as_of=as_of))
        made = gap_map_page if pictures.map.suffix.lower() in (".html", ".htm") else gap_map_svg
        write_file(pictures.map, made(checked.chosen, outlines, farm=checked.farm).encode())
    if pictures.build_up is not None:
        if not unit:
            raise typer.BadParameter("--buildup draws one unit: name it with --unit.")
        write_file(pictures.build_up, build_up_svg(checked.chosen[-1], headed=True).encode())


def _print(checked: "Checked", *, whole: bool) -> None:
    from provender.report.verdict_tables import screens, to_do_lines
    from provender.services.farm.check import EXPLAINED, totals_table
    from provender.verdicts.words import summaries

    out = console()
    for state in checked.states:
        out.print(f"These verdicts are {state}.", markup=False)
    for year in summaries(checked.chosen):
        out.print(Text(str(year), style="bold"))
    out.print()
    if checked.totals:
        print_table(out, totals_table(checked.totals))
        _line(out, 2, Text(EXPLAINED, style="dim"))
        out.print()
    print_matrix(out, screens(checked.chosen))
    for one in checked.chosen:
        _print_unit(out, one, whole=whole)
    output.print_problems(checked.problems)
    if checked.chosen:
        _print_to_do(out, to_do_lines(checked.chosen))


# Verdicts on the screen: the matrix with its legend, what each unit fails by and lacks, and what to do.

_MOST_THINGS: Final = 10


def print_matrix(out: Console, screens: "Iterable[Table]") -> None:
    """Write the matrix crop by crop, and the legend of the marks it uses."""
    from provender.report.verdict_tables import LEGEND

    used = set()
    for table in screens:
        print_table(out, table)
        out.print()
        used |= {cell.text for row in table.cells for cell in row[1:]}
    for mark, meaning in LEGEND:
        if mark in used:
            _line(out, 2, Text.assemble((f"{mark}: ", "bold"), meaning))


def _print_unit(out: Console, one: "IntervalJudged", *, whole: bool) -> None:
    """Write what one unit fails by, lacks and could do; or all of its working."""
    from provender.report.verdict_tables import alike_practices, broken, matrix_cell
    from provender.standards.standard import Verdict
    from provender.verdicts.words import lacking

    groups = alike_practices(one, whole=whole)
    if not groups:
        return
    out.print()
    out.print(Text(f"{one.unit_id}, {one.crop.label} {one.harvest_year}", style="bold"))
    for group in groups:
        practice, mark = group[0], matrix_cell(group[0])
        names = ", ".join(each.practice.label for each in group)
        _line(out, 2, Text.assemble(f"{names}: ", (mark.text, mark.style)))
        for found in practice.requirements if whole else broken(practice):
            _print_finding(out, one, found)
        # Where the standard was not kept no record would help.
        is_lost = practice.implementation is Verdict.NOT_MET and not whole
        for record in () if is_lost else lacking(practice):
            _line(out, 4, Text.assemble(("missing ", "yellow"), f"{record} ", (f"[{record.cite}]", "dim")))


def _line(out: Console, indent: int, text: Text) -> None:
    out.print(Padding(text, (0, 0, 0, indent), expand=False))


def _print_finding(out: Console, one: "IntervalJudged", found: "RequirementJudged") -> None:
    from provender.report.verdict_tables import MARKS, STYLES
    from provender.verdicts import words

    numbers = "; ".join(filter(None, words.numbers(found)))
    text = Text.assemble(
        (f"{MARKS[found.verdict]} ", STYLES[found.verdict]), (f"{found.requirement.cite} ", "dim"),
        found.requirement.says, (f" {numbers}." if numbers else "", "bold"),
    )  # fmt: skip
    _line(out, 4, text)
    if remedy := words.remedy(one, found):
        _line(out, 6, Text(remedy, style="italic"))


def _print_to_do(out: Console, things: Sequence[tuple[str, str, str]]) -> None:
    """Write what to do, the record that most verdicts wait for first."""
    out.print()
    if not things:
        out.print(Text("What to do: no record is missing that would decide a practice.", style="bold"))
        return
    out.print(Text("What to do:", style="bold"))
    for record, waits, cite in things[:_MOST_THINGS]:
        _line(out, 2, Text.assemble(f"{record}: ", (waits, "bold"), (f" [{cite}]", "dim")))
    if len(things) > _MOST_THINGS:
        _line(out, 2, Text(f"and {len(things) - _MOST_THINGS} more records, each told at its unit above"))
