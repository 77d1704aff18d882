"""``provender evidence``: whether each file of evidence is there and unchanged, and the recording of its hash."""

from pathlib import Path
from typing import Annotated, Any

import typer

from provender.cli.harvests import Book
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Json, print_json, print_problems, print_whole

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def evidence(
    book: Book,
    record: Annotated[
        bool, typer.Option("--record", help="Write the SHA-256 of files that have none on record into evidence.csv.")
    ] = False,
    json: Json = False,
) -> None:
    """List the evidence of a record book: which files are there and hold what was recorded (2100.030(d)).

    A hash on record is never written over: a file that was changed stays told. Exit status 1 when a file is missing,
    changed or without a hash.
    """
    from rich.table import Table

    from provender.practices.evidence_links import evidence_states
    from provender.practices.evidence_problems import evidence_problems
    from provender.practices.prepared_book import load
    from provender.records.folder import load_book

    if record:
        _record(book)
    loaded = load(load_book(book))
    rows = list(evidence_states(loaded.book).iter_rows(named=True))
    problems = evidence_problems(loaded)
    if json:
        shown = [{name: row[name] for name in ("evidence_id", "file", "what", "standing")} for row in rows]
        print_json({"evidence": shown, "problems": [one.as_json() for one in problems]})
    else:
        table = Table("evidence", "file", "what it is", "standing")
        for row in rows:
            standing = row["standing"] or "there, unchanged"
            table.add_row(row["evidence_id"], row["file"], str(row["what"]).replace("_", " "), standing)
        print_whole(table)
        print_problems(problems)
    well = not problems and all(row["standing"] is None for row in rows)
    raise typer.Exit(ALL_WELL if well else SOMETHING_TO_LOOK_AT)


def _record(book: Path) -> None:
    """Write the hashes of files into the rows that have none."""
    import polars as pl

    from provender.records.folder import frame_to_csv, load_book
    from provender.records.kind import KINDS

    loaded = load_book(book)
    frame = loaded["evidence"]
    found: list[Any] = [
        row["sha256"] or loaded.files.hash_of(row["farm_id"], row["file"]) or None
        for row in frame.iter_rows(named=True)
    ]
    if found != frame["sha256"].to_list():
        changed = frame.with_columns(pl.Series("sha256", found, pl.String))
        (book / "evidence.csv").write_text(frame_to_csv(KINDS["evidence"], changed), encoding="utf-8", newline="")
