"""``provender check``: which practice standards each unit meets, with paragraph, working and what is missing."""

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from provender.cli.harvests import judged, nothing_to_judge
from provender.cli.money import NAMES, PerPoint, Point, Premium
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.cli.tables import Csv, Xlsx, console, print_table, save, write_file
from provender.problem import ProblemsError, Weight, refuse

if TYPE_CHECKING:
    from provender.practices.assess import Assessment
    from provender.practices.explain import IntervalVerdict, PracticeVerdict
    from provender.services.farm.money import Price

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
    premium: Premium = "",
    per_point: PerPoint = "",
    point: Point = "1",
    csv: Csv = None,
    xlsx: Xlsx = None,
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Judge every practice standard on every unit of a record book; of several books, say what each needs next.

    Exit status 0 when every practice that a unit's crop may claim is met and nothing is wrong with the records;
    of a crop with ticks, every practice that is ticked.
    """
    from provender.services.farm.money import price_of

    price = price_of(premium, per_point, point, names=NAMES)
    if map_file is not None and len(books) > 1:
        raise refuse("--map", "A map shows the fields of one farm.", "Name one record book.")
    if len(books) > 1 or price is not None:
        raise typer.Exit(_farms(books, year, price, csv=csv, xlsx=xlsx, as_of=as_of or today(), json=json))
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
    from provender.cli.check_farms import as_data as line_data
    from provender.cli.check_farms import farms_table
    from provender.cli.progress import each
    from provender.services.farm.many import farm_line, in_order

    lines = in_order([farm_line(book, year, as_of, price) for book in each(books, "books")])
    table = farms_table(lines, price)
    if json:
        print_json({"as_of": as_of.isoformat(), "farms": [line_data(one, price) for one in lines]})
    else:
        print_table(console(), table)
        if price is not None:
            console().print(str(price), markup=False)
    save([table], csv=csv, xlsx=xlsx, title="Farms", as_of=as_of)
    done = all(one.done for one in lines)
    return ALL_WELL if done else SOMETHING_TO_LOOK_AT


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
    from provender.cli.check_tables import matrix, requirements
    from provender.intensity.reduced_ci import crops_without_practice
    from provender.practices.deliveries import delivery_notes
    from provender.report.no_till_promise import promise_problems
    from provender.report.plausible import contradictions_of_book

    assessment = judged(book)
    impossible = contradictions_of_book(assessment, as_of or today())
    reminders = delivery_notes(assessment.book)
    warnings = (*promise_problems(assessment), *crops_without_practice(assessment), *impossible, *reminders)
    assessment = replace(assessment, problems=(*assessment.problems, *warnings))
    chosen = tuple(
        one for one in assessment.intervals if unit in ("", one.unit_id) and year in (None, one.harvest_year)
    )
    if (unit or year is not None) and not chosen:
        raise _nothing_chosen(assessment, unit, year)
    if not chosen:
        assessment = replace(assessment, problems=(*assessment.problems, nothing_to_judge()))
    if json:
        print_json(as_data(assessment, chosen, as_of.isoformat() if as_of else None))
    else:
        _print(assessment, chosen, whole=bool(unit))
    save([matrix(chosen), requirements(chosen)], csv=csv, xlsx=xlsx, title="Practice standards", as_of=as_of or today())
    _draw(assessment, chosen, unit, pictures, as_of or today())
    raise typer.Exit(_status(assessment, chosen))


def _draw(
    assessment: "Assessment", chosen: "tuple[IntervalVerdict, ...]", unit: str, pictures: Pictures, as_of: date
) -> None:
    """Write the pictures that were asked for."""
    from provender.report.farm_charts import build_up_svg, matrix_svg

    farm = ", ".join(assessment.book.farm_ids)
    if pictures.matrix is not None:
        write_file(pictures.matrix, matrix_svg(chosen, farm=farm).encode())
    if pictures.map is not None:
        from provender.formats.importing.foreign import outlines_of
        from provender.formats.importing.incoming_files import Choices
        from provender.report.gap_map import gap_map_page, gap_map_svg

        outlines = outlines_of(assessment.book, Choices(as_of=as_of))
        made = gap_map_page if pictures.map.suffix.lower() in (".html", ".htm") else gap_map_svg
        write_file(pictures.map, made(chosen, outlines, farm=farm).encode())
    if pictures.build_up is not None:
        write_file(pictures.build_up, build_up_svg(assessment, _one_interval(chosen, unit)).encode())


def _nothing_chosen(assessment: "Assessment", unit: str, year: int | None) -> ProblemsError:
    """Return a refusal that names what was asked for wrongly: the unit, the year, or both together."""
    units = dict.fromkeys(one.unit_id for one in assessment.intervals)
    years = dict.fromkeys(str(one.harvest_year) for one in assessment.intervals if unit in ("", one.unit_id))
    if unit and unit not in units:
        have = ", ".join(units) or "none"
        return refuse("--unit", f"The book holds no unit {unit!r} with a verdict; it has: {have}.", "Choose one.")
    have = ", ".join(years) or "none"
    of = f" of unit {unit}" if unit else ""
    return refuse("--year", f"The book holds no harvest{of} of {year}; it has: {have}.", "Choose one of these years.")


def _one_interval(chosen: "tuple[IntervalVerdict, ...]", unit: str) -> "IntervalVerdict":
    """Return the crop interval to draw: the last one of the unit that was chosen."""
    if not unit:
        raise typer.BadParameter("--buildup draws one unit: name it with --unit.")
    return chosen[-1]


def _print(assessment: "Assessment", chosen: "tuple[IntervalVerdict, ...]", *, whole: bool) -> None:
    from provender.cli.check_tables import print_matrix, print_summary, print_to_do, print_unit

    out = console()
    for state in dict.fromkeys(one.rule.state for one in chosen if one.rule.state):
        out.print(f"These verdicts are {state}.", markup=False)
    print_summary(out, chosen)
    print_matrix(out, chosen)
    for one in chosen:
        print_unit(out, one, whole=whole)
    print_problems(assessment.problems)
    if chosen:
        print_to_do(out, chosen)


def _status(assessment: "Assessment", chosen: "tuple[IntervalVerdict, ...]") -> int:
    from provender.practices.verdict import Verdict

    unmet = any(p.implementation is not Verdict.MET for one in chosen for p in one.practices if p.asked)
    wrong = any(problem.weight is not Weight.NOTE for problem in assessment.problems)
    return SOMETHING_TO_LOOK_AT if unmet or wrong or not chosen else ALL_WELL


def as_data(assessment: "Assessment", chosen: "tuple[IntervalVerdict, ...]", as_of: str | None) -> dict[str, Any]:
    """Return the verdicts as JSON data."""
    return {
        "as_of": as_of,
        "intervals": [
            {
                "farm_id": one.farm_id,
                "unit_id": one.unit_id,
                "harvest_id": one.harvest_id,
                "crop": str(one.crop),
                "harvest_year": one.harvest_year,
                "rule": one.rule.id,
                "warning": one.rule.warning,
                "rule_state": one.rule.state,
                "practices": {str(p.practice): _practice(p) for p in one.practices},
            }
            for one in chosen
        ],
        "problems": [problem.as_json() for problem in assessment.problems],
    }


def _practice(found: "PracticeVerdict") -> dict[str, Any]:
    return {
        "claimable": found.claimable,
        "standing": str(found.standing),
        "implementation": str(found.implementation),
        "records": str(found.records),
        "missing": list(found.missing) if found.asked else [],
        "requirements": {
            one.requirement: {
                "cite": one.cite, "part": str(one.part), "verdict": str(one.verdict), "observed": one.observed,
                "limit": one.limit, "gap": one.gap, "missing": list(one.missing),
            }
            for one in found.findings
        },
    }  # fmt: skip
