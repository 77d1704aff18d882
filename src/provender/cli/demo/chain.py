"""``provender demo chain``: 51 made-up farms to two refiners over a year, with every book and document."""

import json as json_text
from collections.abc import Mapping
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Column, Table

from provender.cli.custody.book import in_column
from provender.cli.demo.steps import DEFAULT_OUT, Out, fresh_folder
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Json, example, print_json
from provender.custody.book_file import BookFile
from provender.custody.documents.build import marked, period_document
from provender.custody.model.entities import Entity
from provender.demo.parties import FARMS
from provender.exact import parse, show
from provender.signing.jws import sign

if TYPE_CHECKING:
    from provender.custody.reconcile.discrepancies import Discrepancy
    from provender.demo.chain import Chain, Papers
    from provender.demo.farms import Report

SEED: Final = 2100
NOT_REAL: Final = (
    "Everything is made up: farms, keys, calculator runs, verifier. Keys are derived from names and prove nothing."
)


def chain(
    out: Out = DEFAULT_OUT,
    seed: Annotated[int, typer.Option("--seed", help="Another seed makes another year.")] = SEED,
    farms: Annotated[int, typer.Option("--farms", min=5, max=FARMS, help="Fewer farms are quicker.")] = FARMS,
    json: Json = False,
) -> None:
    """Follow bushels from 51 made-up farms over an elevator and a crusher to two refiners."""
    from provender.demo.chain import build_chain, figures_of, kept_books
    from provender.demo.farms import signed_reports
    from provender.demo.parties import COOP

    folder = fresh_folder(out / "chain")
    reports = list(signed_reports(seed, farms))
    made = build_chain(seed, reports)
    _farms(folder, seed, farms, reports)
    _papers(folder / "reports", {f"{one.farm}-{one.crop}-v1": one.envelope for one in reports})
    _papers(folder / "reports", {f"{one.farm}-{one.crop}-v2": one.amended for one in reports if one.amended})
    lines = (json_text.dumps(event, ensure_ascii=False) + "\n" for event in made.events)
    (folder / "events.jsonl").write_text("".join(lines), encoding="utf-8")
    with kept_books(made, reports, folder / "books") as (books, papers):
        _documents(folder, books, papers)
        _audited(folder, books[COOP], reports)
        findings = _compare(books, papers, reports)
    _pictures(folder, made)
    figures = figures_of(made, reports, papers, findings)
    (folder / "figures.json").write_text(json_text.dumps(figures, indent=1) + "\n", encoding="utf-8")
    _tell(folder, figures, findings, as_json=json)
    raise typer.Exit(SOMETHING_TO_LOOK_AT if findings else ALL_WELL)


def _farms(folder: Path, seed: int, farms: int, reports: "list[Report]") -> None:
    """Write every farm's record book as a verifier asks for it: records, fields, evidence, reports."""
    import polars as pl

    from provender.demo.farms import amended_frames, boundary, farm_evidence, farm_frames, farm_id, second_printout
    from provender.records.book import RecordBook
    from provender.records.folder import BOUNDARIES, EVIDENCE, save_book

    first = farm_frames(seed, farms)
    amended = amended_frames(first)
    evidence, (row, again) = farm_evidence(seed, farms), second_printout(amended)
    named = {one.farm: [] for one in reports}  # type: dict[str, list[tuple[str, dict[str, Any]]]]
    for one in reports:
        versions = (one.envelope, one.amended)
        named[one.farm] += [(f"{one.crop}-v{at}", made) for at, made in enumerate(versions, 1) if made]
        named[one.farm] += [(f"{one.crop}-v{at}.leaves", made) for at, made in enumerate(one.openings, 1)]
    for number in range(farms):
        farm, late = farm_id(number), number == 1
        frames = amended if late else first  # the second farm amends: its book is what its last version says
        mine = {kind: frame.filter(pl.col("farm_id") == farm) for kind, frame in frames.items()}
        where = folder / "farms" / farm
        save_book(RecordBook.from_frames(mine), where)
        fields = mine["unit"].select("boundary", "acres").iter_rows()
        shapes = {name: boundary(number, place, acres) for place, (name, acres) in enumerate(fields)}
        _files(where / BOUNDARIES, {name: (json_text.dumps(one) + "\n").encode() for name, one in shapes.items()})
        _files(where / EVIDENCE, {**evidence[farm], **({str(row["file"]): again} if late else {})})
        _papers(where / "reports", dict(named[farm]))


def _files(folder: Path, named: Mapping[str, bytes]) -> None:
    folder.mkdir(exist_ok=True)
    for name, content in named.items():
        (folder / name).write_bytes(content)


def _papers(folder: Path, named: dict[str, Any]) -> None:
    folder.mkdir(exist_ok=True, parents=True)
    for name, envelope in named.items():
        text = json_text.dumps(envelope, indent=1, ensure_ascii=False)
        (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def _documents(folder: Path, books: dict[str, BookFile], papers: "Papers") -> None:
    """Write all documents as signed JSON; as PDF the first slip and period, and the first transfer of each seller."""
    from provender.custody.documents.print import document_pdf
    from provender.custody.documents.sign import sign_document
    from provender.demo.chain import QUARTERS, TRADERS
    from provender.demo.parties import demo_key

    _papers(folder / "slips", papers.slips)
    _papers(folder / "transfers", papers.transfers)
    periods = {
        f"{name}-{start}": sign_document(
            marked(period_document(books[name].store, name, start), books[name].lines), demo_key(name)
        )
        for name in TRADERS
        for start, _ in QUARTERS
    }
    _papers(folder / "periods", periods)
    for name in TRADERS:
        own = {key: one for key, one in periods.items() if key.startswith(name)}
        _papers(folder / "papers" / name, {**papers.held.get(name, {}), **own})
    first = {one["document"]["seller"]["id"]: name for name, one in reversed(papers.transfers.items())}
    for where, name, envelope in (
        *(("transfers", name, papers.transfers[name]) for name in first.values()),
        ("slips", *next(iter(papers.slips.items()))),
        ("periods", *next(iter(periods.items()))),
    ):
        document: dict[str, Any] = envelope["document"]
        signer = document["entity"]["id"] if where == "periods" else document["seller"]["id"]
        pdf = document_pdf(document, envelope=envelope, fingerprint=demo_key(signer).fingerprint)
        (folder / where / f"{name}.pdf").write_bytes(pdf)


def _audited(folder: Path, elevator: BookFile, reports: "list[Report]") -> None:
    """Write public keys, the verifier's list of them, its statement about the elevator, and how to repeat the audit."""
    from provender.audit.statement.print import statement_pdf
    from provender.demo.chain import LANDOWNER, TRADERS, VERIFIER
    from provender.demo.parties import demo_key
    from provender.demo.verification import pinned_keys, sample_of, seed_parts, verification

    sample = sample_of(elevator.store, reports)
    one = verification(sample, elevator)
    _papers(folder, {"frozen": sample["frozen"], **seed_parts()})
    signer = demo_key(VERIFIER)
    envelope = sign(one.document(), signer)
    _papers(folder / "statements", {"verification": envelope})
    (folder / "statements" / "verification.pdf").write_bytes(statement_pdf(one, envelope, signer.fingerprint))
    farms = list(dict.fromkeys(report.farm for report in reports))
    parties = (*farms, LANDOWNER, *TRADERS, VERIFIER)
    _papers(folder / "keys", {f"{name.split(' (')[0]}.public": demo_key(name).public.export() for name in parties})
    _papers(folder, {"pins": pinned_keys(farms)})
    copyfile(example("prairie-chain") / "README.md", folder / "README.md")


def _compare(books: dict[str, BookFile], papers: "Papers", reports: "list[Report]") -> "list[Discrepancy]":
    """Lay the four books, all documents and all reports side by side."""
    from provender.custody.documents.read import read_report, read_transfer
    from provender.custody.reconcile.books import reconcile
    from provender.custody.reconcile.gathered import Gathered

    gathered = Gathered()
    for name, book in books.items():
        gathered.add_book(f"{name}.jsonl", book.store, book.store.events(), name)
    for number, envelope in papers.transfers.items():
        transfer, _ = read_transfer(envelope["document"], f"{number}.json")
        if transfer:
            gathered.add_transfer(f"{number}.json", transfer)
    for one in reports:
        report, _ = read_report(one.envelope["document"], f"{one.farm}.json")
        if report:
            gathered.add_report(f"{one.farm}-{one.crop}.json", report, one.origin)
    return reconcile(gathered)


def _pictures(folder: Path, made: "Chain") -> None:
    from provender.custody.queries.claims import claims_of_book
    from provender.custody.queries.trace import chain_picture, stock_picture
    from provender.demo.chain import QUARTERS, TRADERS
    from provender.paper.svg import headed

    claims = list(claims_of_book(0, made.store, made.store.events()))
    title = "From farms to fuel, bushels in 2026"
    (folder / "chain.svg").write_text(headed(chain_picture(made.store, claims, title=title)), encoding="utf-8")
    for name in TRADERS:
        entity = made.store.one(Entity, name)
        words = f"Stock of {entity.name if entity else name} by carbon intensity"
        picture = stock_picture(made.store.steps(name), name, title=words, until=QUARTERS[-1][1])
        (folder / f"stock-{name}.svg").write_text(headed(picture), encoding="utf-8")


def _words(figure: object) -> str:
    """Return a figure for people: an amount with its thousands apart, yes or no."""
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    return show(parse(str(figure)), group=True)


def _tell(folder: Path, figures: dict[str, Any], findings: "list[Discrepancy]", *, as_json: bool) -> None:
    if as_json:
        print_json({"folder": str(folder), **figures})
        return
    console = Console()
    columns = (Column(), Column(justify="right"))
    table = Table(*columns, title="The chain in figures", show_header=False, title_justify="left")
    for name in (
        "farms", "reports", "slips", "transfer_documents", "events", "periods_closed", "equations", "bushels_grown",
        "every_serial_accounted_for", "findings",
    ):  # fmt: skip
        table.add_row(name.replace("_", " "), _words(figures[name]))
    for state, bushels in figures["bushels_by_state"].items():
        table.add_row(f"bushels {state.replace('_', ' ')}", _words(bushels))
    console.print(table)
    heads = (Column("entity"), *(Column(name, justify="right") for name in ("incoming bu", "outgoing bu", "CIs")))
    houses = Table(*heads, title="Over four periods", title_justify="left")
    for one in figures["entities"]:
        amounts = (in_column(one[name]) for name in ("incoming_bu", "outgoing_bu"))
        houses.add_row(one["name"], *amounts, str(one["carbon_intensities"]))
    console.print(houses)
    for finding in findings:
        console.print(f"{finding.kind}: {finding.said}", markup=False, highlight=False, soft_wrap=True)
    for line in (
        f"{folder}/chain.svg and stock-*.svg are the pictures, books/ the four books, transfers/ slips/ periods/ the",
        f"documents, farms/ the record books. {folder}/README.md audits the elevator step by step. Go on with:",
        f"  provender custody run {folder}/events.jsonl --json",
        f"  provender custody balance {folder}/books/prairie-coop.jsonl",
        f"  provender custody reconcile {folder}/books/*.jsonl {folder}/transfers/*.json",
        NOT_REAL,
    ):
        typer.echo(line)
