"""``provender custody figures``: what a refiner retired into fuel over a year, and what stands behind it."""

import json as json_text
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from provender.cli.audit.files import read_document
from provender.cli.custody.book import BookPath
from provender.cli.custody.views import On, Since, owner_of
from provender.cli.keys import open_key
from provender.cli.output import AsOf, Json, print_json, print_problems, today
from provender.cli.tables import write_file
from provender.custody.book_file import open_book

if TYPE_CHECKING:
    from provender.signing.keys import SigningKey

Year = Annotated[int | None, typer.Option("--year", help="A calendar year; or --since and --on.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Write PDF, CSV and JSON there.")]
Key = Annotated[Path | None, typer.Option("--key", help="Sign with this key (`provender keys new`).")]
Secret = Annotated[Path | None, typer.Option("--passphrase-file", help="File with its passphrase.")]
Reports = Annotated[
    list[Path] | None, typer.Option("--report", help="A signed farm report: its calculator is named. Repeat it.")
]
Statements = Annotated[
    list[Path] | None,
    typer.Option("--statement", help="A seller's signed verification statement: its hash is given. Repeat it."),
]
Gallons = Annotated[str, typer.Option("--gallons-per-bu", help="The plant's own yield, for figures by energy.")]
Btu = Annotated[str, typer.Option("--btu-per-gallon", help="Lower heating value of its fuel, as the plant states it.")]
Source = Annotated[str, typer.Option("--energy-source", help="Who says so, for the paper.")]


def figures(
    book: BookPath,
    *,
    year: Year = None,
    since: Since = None,
    on: On = None,
    out: Out = None,
    key: Key = None,
    passphrase_file: Secret = None,
    report: Reports = None,
    statement: Statements = None,
    gallons_per_bu: Gallons = "",
    btu_per_gallon: Btu = "",
    energy_source: Source = "",
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Sum up what a refiner retired into fuel in a year.

    Bushels, mean CI with its sum and divisor, range, and what stands behind each lot. Figures a refiner may need for
    45ZCF-GREET and has to keep for 45Z; no text at hand says what is accepted. Statements that are kept beside the book
    are found there.
    """
    from provender.audit.package.layout import kept_folder
    from provender.custody.documents.build import marked
    from provender.custody.documents.refiner_figures import figures_text
    from provender.services.custody.figures import days_of, energy_of
    from provender.services.custody.figures import figures as figures_of

    day = as_of or today()
    days = days_of(year, since, on, day)
    kept = sorted(kept_folder(book).glob("*.json"))
    papers = [read_document(path) for path in (*(report or ()), *kept, *(statement or ()))]
    energy = energy_of(gallons_per_bu, btu_per_gallon, energy_source)
    with open_book(book) as opened:
        print_problems(opened.problems)
        owner = owner_of(book, opened.store, opened.entity)
        mark = partial(marked, lines=opened.lines)
        made = figures_of(opened.store, owner, days, as_of=day, mark=mark, reports=papers, energy=energy)
    if out:
        _write(made, out / f"figures-{days[0]}-{days[1]}", open_key(key, passphrase_file) if key else None)
    if as_json:
        print_json(made)
    elif not out:
        typer.echo(figures_text(made))


def _write(made: dict[str, Any], stem: Path, private: "SigningKey | None") -> None:
    """Write the figures as PDF, CSV and JSON beside each other, signed where there is a key."""
    from provender.custody.documents.sign import sign_document
    from provender.services.custody.figures import figures_pdf, lots_csv

    envelope = sign_document(made, private) if private else None
    text = json_text.dumps(envelope or made, indent=1, ensure_ascii=False)
    write_file(stem.with_suffix(".pdf"), figures_pdf(made, envelope, private.fingerprint if private else ""))
    write_file(stem.with_suffix(".csv"), lots_csv(made))
    write_file(stem.with_suffix(".json"), f"{text}\n".encode())
