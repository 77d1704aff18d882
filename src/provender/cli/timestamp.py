"""``provender timestamp``: ask for a trusted timestamp of a file, take the answer, and say what it proves."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from provender.cli.audit.files import read_bytes, stop, write_new
from provender.cli.output import Json, print_json
from provender.problem import ProblemsError
from provender.signing.timestamps import SYSTEM_ROOTS, Proof, prove, query, read_roots

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Prove on which day a file existed (RFC 3161).")

File = Annotated[Path, typer.Argument(help="The document: a report, a statement, a frozen list, a book.")]
Roots = Annotated[Path, typer.Option(help="Root certificates you trust, PEM; else those of this system.")]


def beside(file: Path, ending: str) -> Path:
    """Return the name of a file that belongs to another."""
    return file.with_name(f"{file.name}.{ending}")


@app.command()
def request(file: File) -> None:
    """Write the query FILE.tsq, to send to a timestamping authority; nothing is sent from here."""
    try:
        write_new(beside(file, "tsq"), query(read_bytes(file)))
    except ProblemsError as refused:
        raise stop(refused, as_json=False) from None
    words = f"Written: {beside(file, 'tsq')}. Send it to an authority, and take the answer with `timestamp attach`."
    Console().print(words, markup=False, soft_wrap=True)


@app.command()
def attach(
    file: File,
    answer: Annotated[Path, typer.Argument(help="What the authority answered, .tsr.")],
    roots: Roots = SYSTEM_ROOTS,
    as_json: Json = False,
) -> None:
    """Check the answer and lay it beside the document as FILE.tsr."""
    try:
        content = read_bytes(answer)
        found = prove(read_bytes(file), content, read_roots(read_bytes(roots), roots.name), file=answer.name)
        write_new(beside(file, "tsr"), content)
    except ProblemsError as refused:
        raise stop(refused, as_json=as_json) from None
    _tell(found, as_json=as_json)


@app.command()
def check(file: File, roots: Roots = SYSTEM_ROOTS, as_json: Json = False) -> None:
    """Say on which day a document is proved to have existed, by the answer beside it."""
    try:
        if not beside(file, "tsr").exists():
            read_bytes(file)
            _tell(None, as_json=as_json)
            return
        content = read_bytes(beside(file, "tsr"))
        found = prove(read_bytes(file), content, read_roots(read_bytes(roots), roots.name), file=f"{file.name}.tsr")
    except ProblemsError as refused:
        raise stop(refused, as_json=as_json) from None
    _tell(found, as_json=as_json)


def _tell(found: Proof | None, *, as_json: bool) -> None:
    if as_json:
        at, by = (found.at.isoformat(), found.authority) if found else (None, "")
        print_json({"proved_on": str(found.on) if found else None, "at": at, "authority": by})
        return
    words = (
        f"Proved to exist on {found.on} ({found.authority})." if found else "Day stated by the signer: no timestamp."
    )
    Console().print(words, markup=False, soft_wrap=True)
