"""``provender custody reconcile``: books and documents of any number of entities side by side."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from provender.cli.custody.documents import signed_bytes
from provender.cli.keys import read_public
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Json, print_json, print_problems, today, write_file
from provender.custody.documents.build import SLIP
from provender.exact import show, ticket_key
from provender.problem import Place, Problem, ProblemsError, Weight
from provender.signing.canonical import hash_file, read_json

if TYPE_CHECKING:
    from provender.custody.book_file import BookLine
    from provender.custody.documents.receive import Pinned
    from provender.custody.model.entities import Entity
    from provender.custody.reconcile.discrepancies import Discrepancy
    from provender.custody.reconcile.gathered import ReconcileInput
    from provender.custody.store import MemoryStore
    from provender.services.custody.balances import Directory


# What reads a book and what compares books is imported when one is read.

if TYPE_CHECKING:
    Seen = Callable[[str, MemoryStore, str], None]


@dataclass(slots=True)
class BookRead:
    """What one file of events says."""

    gathered: "ReconcileInput"  # what is compared
    pinned: "Pinned"  # the keys that it pins
    entities: "Sequence[Entity]" = ()  # everybody whom it knows
    problems: Sequence[Problem] = ()  # why there is none of that


def read_book(path: Path, seen: "Seen | None" = None) -> BookRead:
    """Read a sealed book, or a file of events as `custody run` takes it; a problem is handed back, not raised.

    ``seen`` gets its name, store and owner (empty: everybody in it).
    """
    from provender.custody.documents.receive import Pinned
    from provender.custody.reconcile.gathered import ReconcileInput
    from provender.custody.store import many_at_once

    found = BookRead(ReconcileInput(), Pinned())
    try:
        with many_at_once():
            _read(found, path, seen)
    except ProblemsError as refused:
        found.problems = refused.problems
    return found


def _read(found: BookRead, path: Path, seen: "Seen | None") -> None:
    from provender.custody.book_file import open_book
    from provender.custody.store import MemoryStore, run_lines

    if _is_book(path):
        with open_book(path) as opened:
            _take(found, path.name, opened.store, opened.entity, seen, opened.lines)
            found.problems = opened.problems  # a last line that was only half written
        return
    store = MemoryStore()
    with path.open(encoding="utf-8", errors="replace") as lines:
        for _ in run_lines(store, lines):
            pass
    _take(found, path.name, store, "", seen)


def _is_book(path: Path) -> bool:
    """Tell it by the first bytes; ProblemsError where there are none to be had."""
    with suppress(OSError), path.open("rb") as stream:
        if stream.read(len(_BOOK)) == _BOOK:
            return True
    return signed_bytes(path).startswith(_BOOK)


_BOOK: Final = b'{"book"'


def _take(
    found: BookRead, name: str, store: "MemoryStore", owner: str, seen: "Seen | None", lines: "Sequence[BookLine]" = ()
) -> None:
    from provender.custody.model.entities import Entity

    found.gathered.add_book(name, store, store.events(), owner, lines)
    found.pinned.add_book(store)
    found.entities = store.many(Entity, "")
    if seen:
        seen(name, store, owner)


_SHOWN: Final = 50
Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE.pdf", help="Also write all with a picture of the trade: FILE.pdf or .html."),
]


def reconcile_files(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILES...", help="Books, event files, documents as JSON or PDF, record book folders."),
    ],
    key: Annotated[
        list[Path] | None, typer.Option("--key", help="Public key of somebody you know; repeat for several.")
    ] = None,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Lay books and documents side by side: double sales, second origins, broken chains, missing counterparts.

    A folder of books and documents stands for all of them. Signatures are checked against the keys that the books'
    contracts pin and those named with --key. Exit status 1 when something does not fit, the most bushels first.
    """
    from provender.custody.store import many_at_once

    if report and report.suffix not in (".pdf", ".html"):
        raise typer.BadParameter(f"{str(report)!r} is neither FILE.pdf nor FILE.html.")
    with many_at_once():
        gathered, known, problems = _gathered(files, key or ())
        from provender.custody.reconcile.books import reconcile

        found = reconcile(gathered)
    if report:
        from provender.services.custody.balances import network_report, report_html, report_pdf

        made = network_report(today(), gathered.names, found, problems, gathered.claims, known)
        write_file(report, report_pdf(made) if report.suffix == ".pdf" else report_html(made).encode())
    if as_json:
        rows, told = ([one.as_json() for one in each] for each in (found, problems))
        print_json({"files": gathered.names, "findings": rows, "problems": told})
    else:
        _show(found, len(gathered.names))
        print_problems(problems)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if found or problems else ALL_WELL)


def _gathered(files: "Sequence[Path]", keys: "Sequence[Path]") -> "tuple[ReconcileInput, Directory, list[Problem]]":
    """Read books and documents; return what they say, who stands in them, and what could not be read."""
    from provender.custody.documents.receive import Pinned
    from provender.custody.reconcile.gathered import put_together
    from provender.services.custody.balances import Directory

    known, pinned = Directory(), Pinned(named={read_public(one).fingerprint for one in keys})
    problems: list[Problem] = []
    # Books first, since they pin the keys that documents are signed with.
    paths = sorted(_all(files), key=lambda one: one.suffix in (".json", ".pdf"))

    def parts() -> "Iterator[ReconcileInput]":
        for path in filter(is_book, paths):
            book = read_book(path)
            known.add(book.entities)
            pinned.add(book.pinned)
            problems.extend(book.problems)
            yield book.gathered

    gathered = put_together(parts())
    for path in paths:
        try:
            problems += [] if is_book(path) else gather(gathered, path, pinned)
        except ProblemsError as refused:
            problems += refused.problems
    _hold_papers(gathered, [path for path in paths if is_book(path)])
    return gathered, known, problems


def _hold_papers(gathered: "ReconcileInput", books: "Sequence[Path]") -> None:
    """Hold papers against the books of their parties, each of which is opened once more for it."""
    from provender.custody.documents.consents import parties_of
    from provender.custody.reconcile.books import paper_discrepancies

    for place, path in enumerate(books):
        mine = gathered.owners[place]
        about = [(gathered.names[source], one) for source, one in gathered.papers
                 if mine & parties_of(one)]  # fmt: skip

        def held(
            name: str, store: "MemoryStore", owner: str, about: "list[tuple[str, Mapping[str, Any]]]" = about
        ) -> None:
            del owner
            for paper, document in about:
                gathered.held.extend(paper_discrepancies(paper, document, name, store))

        if about:
            read_book(path, held)


def _all(files: "Sequence[Path]") -> "Iterator[Path]":
    """Yield files, and of a folder that holds books those and the documents beside them; other folders are records."""
    for path in files:
        inside = sorted(path.iterdir()) if path.is_dir() else []
        if any(one.suffix == ".jsonl" for one in inside):
            yield from (one for one in inside if one.suffix in (".jsonl", ".json", ".pdf"))
        else:
            yield path


def is_book(path: Path) -> bool:
    """Tell whether a file is a book or a file of events."""
    return path.suffix == ".jsonl" and not path.is_dir()


def _show(found: "Sequence[Discrepancy]", files: int) -> None:
    if not found and not files:
        typer.echo("Nothing was compared: none of the files could be read.")
        return
    if not found:
        typer.echo(f"Nothing found in {files} {'file' if files == 1 else 'files'}.")
        return
    many = "1 finding" if len(found) == 1 else f"{len(found)} findings, the most bushels first,"
    typer.echo(f"{many} in {files} {'file' if files == 1 else 'files'}:")
    for one in found[:_SHOWN]:
        # In one line, however long: origins are copied into other commands.
        typer.echo(f"{show(one.bushels, group=True)} bu, {one.kind.replace('_', ' ')}: {one.said}")
    if len(found) > _SHOWN:
        typer.echo(f"{len(found) - _SHOWN} more; --json lists them all.")


def gather(gathered: "ReconcileInput", path: Path, pinned: "Pinned") -> list[Problem]:
    """Add what one document or record book says."""
    from provender.custody.documents.read import document_of, type_of
    from provender.custody.documents.receive import signature_of, signature_problem

    if path.is_dir():
        return _records(gathered, path)
    data = read_json(signed_bytes(path), file=path.name)
    found, inner = signature_of(data, pinned), document_of(data)
    if isinstance(inner, dict) and "kind" in inner and "type" not in inner:
        return _statement(gathered, path.name, data, pinned)
    told = signature_problem(found.status, path.name) if found else None
    if told and told.weight is Weight.ERROR:
        return [told]
    kid = found.kid if found else ""
    return [*([told] if told else []), *_document(gathered, path.name, type_of(data), inner, kid, pinned)]


def _statement(gathered: "ReconcileInput", name: str, envelope: object, pinned: "Pinned") -> list[Problem]:
    """Add a verifier's statement: what books say of it is held against it."""
    from provender.audit.statement.papers import receive
    from provender.custody.documents.receive import signature_problem
    from provender.services.custody.figures import statement_event
    from provender.signing.jws import check

    found = check(envelope, {})
    statement = receive(envelope, {}, as_of=today()).statement
    if statement is None or found.key is None:
        cause = "It is no verification statement that is signed, or parts of it cannot be read."
        return [Problem(Place(name), cause, "Ask the verifier for it.", "2100.032(b)(2)")]
    if pinned.knows(statement.verifier, found.kid, statement.issued_on):
        found = check(envelope, {found.kid: found.key})
    gathered.show_statement(statement_event(statement, today(), signed_by=found.kid), name)
    told = signature_problem(found.status, name)
    return [told] if told else []


def _document(
    gathered: "ReconcileInput", name: str, kind: str, inner: object, kid: str, pinned: "Pinned"
) -> list[Problem]:
    from provender.custody.documents.read import read_report, read_slip, read_transfer
    from provender.custody.reconcile.books import HELD_AGAINST_BOOKS, SPOILED
    from provender.report.typ import TYPE as REPORT

    if kind in HELD_AGAINST_BOOKS and isinstance(inner, dict):
        try:
            gathered.add_paper(name, inner, kid)
        except SPOILED as wrong:
            cause = f"It is not of the form it claims ({type(wrong).__name__}: {wrong})."
            return [Problem(Place(name), cause, "Ask the sender for a correct document.", "2100.032(a)")]
        return []
    if kind == SLIP:
        slip, problems = read_slip(inner, name)
        if slip:
            gathered.add_slip(name, slip, kid)
        return problems
    if kind == REPORT:
        report, problems = read_report(inner, name)
        if report and isinstance(inner, dict):
            gathered.add_report(name, report, inner["edition"]["origin_id"], kid)
        return problems
    transfer, problems = read_transfer(inner, name)
    if transfer:
        gathered.add_transfer(name, transfer, kid)
        if transfer.proof:  # whoever took the document in was told what is doubtful of it
            _statement(gathered, name, transfer.proof, pinned)
        gathered.add_mark(transfer.seller, inner if isinstance(inner, dict) else {})
    return problems


def _records(gathered: "ReconcileInput", folder: Path) -> list[Problem]:
    """Add a farm's record book: whose field each boundary is, and which tickets it counts (interpretation 34)."""
    from provender.records.folder import harvested, load_book

    book = load_book(folder)
    bushels = harvested(book)
    for row in book["unit"]:
        file = folder / "boundaries" / str(row["boundary"] or "")
        if row["boundary"] and file.is_file():
            grown = bushels.get((row["farm_id"], row["unit_id"]), 0)
            gathered.fields[f"with the boundary {hash_file(file)[:16]}"][row["farm_id"]] = grown
    for row in book["scale_ticket"]:
        held = gathered.tickets[row["buyer"], ticket_key(row["ticket_id"])]
        held[row["farm_id"]] = row["net_bushels"] or 0
    gathered.names.append(folder.name)
    return list(book.problems)
