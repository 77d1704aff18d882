"""``provender evidence``: whether each file of evidence is there and unchanged, and the recording of its hash."""

from typing import Annotated

import typer

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Book, Json, print_json, print_problems, print_whole

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

    from provender.report.supporting import evidence_index, record_hashes

    written = record_hashes(book) if record else 0
    rows, problems = evidence_index(book)
    if json:
        print_json({"recorded": written, "evidence": rows, "problems": [one.as_json() for one in problems]})
    else:
        table = Table("evidence", "file", "what it is", "standing")
        for row in rows:
            what = str(row["what"]).replace("_", " ")
            table.add_row(row["evidence_id"], row["file"], what, row["standing"] or "there, unchanged")
        print_whole(table)
        print_problems(problems)
    well = not problems and all(row["standing"] is None for row in rows)
    raise typer.Exit(ALL_WELL if well else SOMETHING_TO_LOOK_AT)
