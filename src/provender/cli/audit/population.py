"""``provender audit population``: the list of supplying farms from the first point's own book (2100.040(a)(3)(i))."""

import csv
import io
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from provender.audit.sampling.minimum import minimum_farms
from provender.audit.sampling.population import FarmCrop, Population, freeze
from provender.cli.audit.files import read_bytes, stop, write_new
from provender.cli.output import Json, parse_day, print_json
from provender.custody.book_file import open_book
from provender.problem import ProblemsError, refuse

if TYPE_CHECKING:
    from provender.audit.sampling.incoming import FarmCropKey, SupplyingFarm


def population(
    book: Annotated[Path, typer.Argument(help="The first point's custody book (.jsonl).")],
    out: Annotated[Path, typer.Option("--out", help="The list to write, .csv, for `provender audit sample --farms`.")],
    report: Annotated[list[Path] | None, typer.Option(help="A farm's report, or a folder of them; repeat.")] = None,
    first: Annotated[
        date | None, typer.Option(parser=parse_day, metavar="DAY", help="First day of the period.")
    ] = None,
    last: Annotated[date | None, typer.Option(parser=parse_day, metavar="DAY", help="Last day of the period.")] = None,
    as_json: Json = False,
) -> None:
    """List every farm whose crop came in, with what it supplied here, and freeze the list under its hash."""
    from provender.audit.sampling.incoming import incoming_farms

    try:
        with open_book(book) as opened:
            found = incoming_farms(opened.store, opened.entity, first, last)
        rows = _listed(found, report or (), book.name)
        write_new(out, _csv(rows))
    except ProblemsError as refused:
        raise stop(refused, as_json=as_json) from None
    _tell(freeze(rows), out, as_json=as_json)


def _listed(found: "Mapping[FarmCropKey, SupplyingFarm]", reports: Iterable[Path], file: str) -> list[FarmCrop]:
    """Return the rows; a farm that cannot be listed could never be drawn, so it refuses the whole list."""
    from provender.audit.sampling.incoming import CITE, listed

    rows, problems = listed(found, _documents(reports), file)
    if problems:
        raise ProblemsError(problems)
    if not rows:
        raise refuse(file, "No farm's crop came in.", "Check the book and the days.", cite=CITE)
    return rows


def _documents(given: Iterable[Path]) -> list[dict[str, Any]]:
    from provender.audit.package.collect import json_files
    from provender.audit.package.farm_section import read_report

    read = (read_report(path.name, read_bytes(path)) for path in json_files(given))
    return [dict(one.document) for one in read if one is not None]


def _csv(rows: Iterable[FarmCrop]) -> bytes:
    from provender.audit.sampling.farm_list import FARM_COLUMNS

    out = io.StringIO()
    writer = csv.DictWriter(out, list(FARM_COLUMNS), lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(row.document() for row in rows)
    return out.getvalue().encode()


def _tell(frozen: Population, out: Path, *, as_json: bool) -> None:
    count = len(frozen.farms)
    if as_json:
        data = {"file": str(out), "farms": count, "minimum": minimum_farms(count), "population_hash": frozen.sha256}
        print_json(data)
        return
    words = (
        f"{count} farms, {len(frozen.rows)} rows in {out}; at least {minimum_farms(count)} to be audited "
        f"[7 CFR 2100.040(a)(3)(ii)].\nFrozen as {frozen.sha256}.\n"
        "Give list and hash to the verifier, who then commits a seed."
    )
    Console().print(words, markup=False, highlight=False, soft_wrap=True)
