"""``provender demo``: the main jobs on the examples, from nothing to the documents."""

import contextlib
import io
import json as json_text
import os
import secrets
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Column, Table

from provender.cli import output
from provender.cli.app import call
from provender.cli.custody.book import in_column
from provender.cli.output import console
from provender.custody.book_file import BookFile
from provender.custody.documents.build import marked, period_document
from provender.custody.model.entities import Entity
from provender.demo.farms import FARMS
from provender.exact import parse, show
from provender.formats.child import parse_limited
from provender.problem import ProblemsError, refuse
from provender.signing.jws import sign

if TYPE_CHECKING:
    from provender.custody.reconcile.discrepancies import Discrepancy
    from provender.demo.chain import Chain, Papers
    from provender.demo.farms import Report
    from provender.formats.boundaries import Boundaries
    from provender.formats.work import FieldYield
    from provender.records.book import RecordBook
    from provender.records.kind import Record

MARK: Final = ".made-by-provender-demo"
_DEFAULT_OUT: Final = Path("out/demo")

Out = Annotated[Path, typer.Option("--out", metavar="DIR", file_okay=False, help="Where the demonstration writes.")]


def _fresh_folder(folder: Path) -> Path:
    """Return an empty folder; one that an earlier demonstration made is emptied, any other is left alone.

    Raises:
        ProblemsError: something else is there, or it cannot be written.
    """
    if folder.exists():
        if not (folder / MARK).is_file():
            cause = "Something is there already that no demonstration made."
            raise refuse(str(folder), cause, "Choose another folder with --out.", code="not_a_demo")
        shutil.rmtree(folder)
    try:
        folder.mkdir(parents=True)
        (folder / MARK).touch()
    except OSError as error:
        raise refuse(str(folder), f"It cannot be written: {error.strerror}.", "Choose another with --out.") from None
    return folder


@dataclass(slots=True)
class Steps:
    """Verbs run one after the other."""

    quiet: bool = False  # print nothing of them (``--json``)
    done: list[dict[str, Any]] = field(default_factory=list)  # each with its arguments and exit status

    def say(self, text: str) -> None:
        if not self.quiet:
            typer.secho(f"\n{text}", bold=True)

    def run(self, *arguments: str | Path, into: Path | None = None) -> int:
        """Run one verb, its screen output into a file where one is named, and return its exit status.

        A refusal is printed and is status 2, as at the command line.
        """
        words = [str(one) for one in arguments]
        if not self.quiet:
            typer.echo(f"$ provender {shlex.join(words)}" + (f" > {into}" if into else ""))
            sys.stdout.flush()
        with contextlib.ExitStack() as stack:
            if into is not None:
                stack.enter_context(contextlib.redirect_stdout(stack.enter_context(into.open("w", encoding="utf-8"))))
            elif self.quiet:
                stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            if self.quiet:
                stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
            status = _status(words)
        self.done.append({"arguments": words, "status": status})
        return status


def _status(words: list[str]) -> int:
    try:
        return call(words)
    except SystemExit as left:
        return int(left.code or 0)


def _tell_files(steps: Steps, where: str, book: Path, folder: Path, **said: str) -> None:
    """Tell what a demonstration wrote beside its book, for people or as JSON with what else it says."""
    made = (path for path in folder.rglob("*") if path.is_file() and path.name != MARK and book not in path.parents)
    files = sorted(map(str, made))
    if steps.quiet:
        output.print_json({**said, "book": str(book), "steps": steps.done, "files": files})
        return
    steps.say(f"The records are in {where}; written from them:")
    for name in files:
        typer.echo(f"  {name}")


# ``provender demo farm``: the main job on the Bluestem example, from records to a signed report.

DAY: Final = "2025-12-20"
"""The day on which the example's producer makes her reports; another with ``--as-of``."""

_NOT_USDA: Final = "The calculator runs of the example are made up; no number of it is USDA's."
EXPECTED: Final = {"plan": {output.ALL_WELL}, "keys": {output.ALL_WELL}, "signature": {output.ALL_WELL}}
_OTHERWISE: Final = {output.ALL_WELL, output.SOMETHING_TO_LOOK_AT}


def farm(out: Out = _DEFAULT_OUT, as_of: output.AsOf = None, json: output.Json = False) -> None:
    """Report a made-up Kansas farm, from its records to a signature."""
    folder = _fresh_folder(out / "farm")
    day = as_of.isoformat() if as_of else DAY
    book = shutil.copytree(output.example("bluestem-farm"), folder / "book")
    steps = Steps(quiet=json)
    well = _judge_and_quantify(steps, book, folder)
    well &= _report(steps, book, folder, day)
    _end(steps, day, book, folder)
    raise typer.Exit(output.ALL_WELL if well else output.SOMETHING_TO_LOOK_AT)


def _run(steps: Steps, *arguments: str | Path, into: Path | None = None) -> bool:
    return steps.run(*arguments, into=into) in EXPECTED.get(str(arguments[0]), _OTHERWISE)


def _judge_and_quantify(steps: Steps, book: Path, folder: Path) -> bool:
    steps.say("Which practice standards does each unit meet, and what is missing?")
    tables = ("--csv", folder / "practices.csv", "--xlsx", folder / "practices.xlsx")
    well = _run(steps, "check", book, "--matrix", folder / "practices.svg", *tables, into=folder / "check.txt")
    well &= _run(
        steps, "check", book, "--unit", "G70", "--buildup", folder / "stir-G70.svg", into=folder / "check-G70.txt"
    )
    steps.say(f"What is the carbon intensity of each crop? {_NOT_USDA}")
    well &= _run(steps, "intensity", book, "--chart", folder / "ci.svg", "--xlsx", folder / "ci.xlsx")
    steps.say("The same by the open model: an estimate.")
    well &= _run(steps, "intensity", book, "--calculator", "argonne-2021", "--chart", folder / "ci-estimate.svg")
    steps.say("What would other practices do to unit K45? An estimate.")
    return well & _run(steps, "plan", book, "--unit", "K45", "--csv", folder / "plan-K45.csv")


def _report(steps: Steps, book: Path, folder: Path, day: str) -> bool:
    steps.say("The producer makes her key, and signs the report on corn.")
    secret = folder / "key" / "passphrase.txt"
    secret.parent.mkdir()
    secret.touch(mode=0o600)
    secret.write_text(secrets.token_urlsafe(24) + "\n", encoding="utf-8")
    key = ("--passphrase-file", secret)
    well = _run(steps, "keys", "new", folder / "key" / "ada", *key)
    sign = ("--key", folder / "key" / "ada.key.pem", *key)
    reports, day_option = folder / "reports", ("--as-of", day)
    well &= _run(steps, "report", book, "--crop", "corn", "--out", reports, *sign, *day_option)
    steps.say("Her buyer, who holds her public key, checks the signature.")
    corn = reports / "BLUESTEM-corn-2025-v1.json"
    well &= _run(steps, "signature", corn, "--pinned", folder / "key" / "ada.public.json")
    steps.say("Sorghum cannot be signed: a unit was pasture in 2025. The reason is told, and a DRAFT printed.")
    well &= _run(steps, "report", book, "--crop", "sorghum", "--out", reports, *sign, *day_option)
    steps.say("Soybeans rest on a beta version of the calculator: PRELIMINARY on every page.")
    well &= _run(steps, "report", book, "--crop", "soybeans", "--out", reports, *day_option)
    steps.say("Reports by the open model: ESTIMATE on every page.")
    return well & _run(
        steps, "report", book, "--calculator", "argonne-2021", "--out", folder / "estimates", *day_option
    )


def _end(steps: Steps, day: str, book: Path, folder: Path) -> None:
    from provender.cli.check import print_matrix
    from provender.report.verdict_tables import screens
    from provender.services.farm.check import judged

    if not steps.quiet:
        steps.say("Practice standards by management unit")
        print_matrix(console(), screens(judged(book).intervals))
    _tell_files(steps, f"{book} (README.md there tells each unit's story)", book, folder, as_of=day)
    if not steps.quiet:
        typer.echo(_NOT_USDA)


# ``provender demo basswood``: the main job on a real boundary and a real yield log, with operations entered by hand.
#
# The real harvest is of 2012, before the rule; its day is moved to 2025, and everything printed says so.

_BASSWOOD_DAY: Final = "2025-12-20"
BOUNDARY: Final = "boundary.shp"
YIELD_LOG: Final = "2012-basswood.txt"
FIELD: Final = "basswood.geojson"
HARVEST: Final = "BASSWOOD-2025"
YEAR: Final = 2025
_MOVED: Final = (
    "Real boundary and bushels of 2012; the season is moved to 2025 and its operations were entered by hand."
)

Samples = Annotated[
    Path | None,
    typer.Option("--samples", metavar="DIR", file_okay=False, help="The folder with the boundary and the yield log."),
]


def basswood(
    samples: Samples = None, out: Out = _DEFAULT_OUT, as_of: output.AsOf = None, json: output.Json = False
) -> None:
    """Report a real Iowa field, from its boundary and yield log; operations by hand."""
    from provender.records.folder import BOUNDARIES, save_book

    boundary, log = real_input(_folder(samples))
    folder = _fresh_folder(out / "basswood")
    book = folder / "book"
    save_book(joined(boundary, log), book)
    (book / BOUNDARIES).mkdir()
    (book / BOUNDARIES / FIELD).write_text(boundary.fields[0].geojson + "\n", encoding="utf-8")
    steps = Steps(quiet=json)
    steps.say(_MOVED)
    acres, bushels = show(boundary.fields[0].acres), show(log.dry_bushels, group=True)
    wet = show(log.wet_bushels, group=True)
    if not json:
        typer.echo(f"{BOUNDARY}: {acres} acres on the ellipsoid.")
        typer.echo(f"{YIELD_LOG}: {wet} wet bushels, {bushels} at 15.5 % moisture.")
    day = as_of.isoformat() if as_of else _BASSWOOD_DAY
    statuses = [
        steps.run("check", book, "--matrix", folder / "practices.svg"),
        steps.run("intensity", book, "--calculator", "argonne-2021", "--chart", folder / "ci.svg"),
        steps.run("report", book, "--calculator", "argonne-2021", "--out", folder / "reports", "--as-of", day),
    ]
    input_ = {"acres": acres, "wet_bushels": show(log.wet_bushels), "dry_bushels": show(log.dry_bushels)}
    _tell_files(steps, str(book), book, folder, as_of=day, **input_, moved=_MOVED)
    # An estimate cannot be official, so a status of 1 is what these verbs should say.
    raise typer.Exit(output.ALL_WELL if max(statuses) <= output.SOMETHING_TO_LOOK_AT else output.SOMETHING_TO_LOOK_AT)


def _folder(samples: Path | None) -> Path:
    """Return the folder that holds the two files.

    Raises:
        ProblemsError: no folder is named, or the files are not in it.
    """
    named = samples or (Path(os.environ["PROVENDER_SAMPLES"]) if os.environ.get("PROVENDER_SAMPLES") else None)
    if named is None:
        cause = "The field's files may not be copied into this project, and no folder is named that holds them."
        raise refuse(
            "--samples", cause, "Name it with --samples or PROVENDER_SAMPLES; see examples/basswood/README.md."
        )
    for place in (named, named / "yield"):
        if (place / BOUNDARY).is_file() and (place / YIELD_LOG).is_file():
            return place
    cause = f"There is no {BOUNDARY} with a {YIELD_LOG} here."
    raise refuse(str(named), cause, "See examples/basswood/README.md for where they are from.", code="no_samples")


def real_input(folder: Path) -> "tuple[Boundaries, FieldYield]":
    """Read boundary and yield log, each in a limited child process.

    Raises:
        ProblemsError: one of them cannot be used, with every reason.
    """
    from provender.formats.boundaries import Boundaries
    from provender.formats.work import YieldLog

    outline = parse_limited("boundaries", folder / BOUNDARY)
    if not isinstance(outline.result, Boundaries) or not outline.result.fields:
        raise ProblemsError(outline.problems)
    log = parse_limited("yield_log", folder / YIELD_LOG, boundary=outline.result.fields[0].geojson)
    if not isinstance(log.result, YieldLog):
        raise ProblemsError(log.problems)
    output.print_problems((*outline.problems, *log.problems))
    (field,) = log.result.fields
    return outline.result, field


def joined(boundary: "Boundaries", log: "FieldYield") -> "RecordBook":
    """Return the hand-entered book with the real acres, boundary and bushels in it."""
    from provender.records.book import RecordBook
    from provender.records.folder import load_book
    from provender.records.kinds.cover import CoverCrop
    from provender.records.kinds.farm import Unit
    from provender.records.kinds.season import Harvest

    book = load_book(output.example("basswood"))
    acres = boundary.fields[0].acres
    real: dict[str, Any] = {
        "bushels": log.dry_bushels,
        "harvested_acres": acres,
        "moisture_pct": log.base_moisture_pct,
        "first_day": log.first_day.replace(year=YEAR),
        "last_day": log.last_day.replace(year=YEAR),
    }
    changed: dict[str, Sequence[Record]] = {
        "unit": [replace(row, acres=acres, boundary=FIELD) for row in book.every(Unit)],
        "cover_crop": [replace(row, seeded_acres=acres) for row in book.every(CoverCrop)],
        "harvest": [replace(row, **real) if row.harvest_id == HARVEST else row for row in book.every(Harvest)],
    }
    return RecordBook.of({**book.records, **changed}, files=book.files)


# ``provender demo chain``: 51 made-up farms to two refiners over a year, with every book and document.

SEED: Final = 2100
_NOT_REAL: Final = (
    "Everything is made up: farms, keys, calculator runs, verifier. Keys are derived from names and prove nothing."
)


def chain(
    out: Out = _DEFAULT_OUT,
    seed: Annotated[int, typer.Option("--seed", help="Another seed makes another year.")] = SEED,
    farms: Annotated[int, typer.Option("--farms", min=5, max=FARMS, help="Fewer farms are quicker.")] = FARMS,
    json: output.Json = False,
) -> None:
    """Follow bushels from 51 made-up farms over an elevator and a crusher to two refiners."""
    from provender.demo.chain import build_chain, figures_of, kept_books
    from provender.demo.farms import COOP, signed_reports

    folder = _fresh_folder(out / "chain")
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
        findings = _compare(folder, books)
    _pictures(folder, made)
    figures = figures_of(made, reports, papers, findings)
    (folder / "figures.json").write_text(json_text.dumps(figures, indent=1) + "\n", encoding="utf-8")
    _tell(folder, figures, findings, as_json=json)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if findings else output.ALL_WELL)


def _farms(folder: Path, seed: int, farms: int, reports: "list[Report]") -> None:
    """Write every farm's record book as a verifier asks for it: records, fields, evidence, reports."""
    from provender.demo.farms import amended_records, boundary, farm_evidence, farm_id, farm_records, second_printout
    from provender.records.book import RecordBook
    from provender.records.folder import BOUNDARIES, EVIDENCE, save_book

    first = farm_records(seed, farms)
    amended = amended_records(first)
    evidence, (row, again) = farm_evidence(seed, farms), second_printout(amended)
    named = {one.farm: [] for one in reports}  # type: dict[str, list[tuple[str, dict[str, Any]]]]
    for one in reports:
        versions = (one.envelope, one.amended)
        named[one.farm] += [(f"{one.crop}-v{at}", made) for at, made in enumerate(versions, 1) if made]
        named[one.farm] += [(f"{one.crop}-v{at}.leaves", made) for at, made in enumerate(one.openings, 1)]
    for number in range(farms):
        farm, late = farm_id(number), number == 1
        records = amended if late else first  # the second farm amends: its book is what its last version says
        mine = {kind: [row for row in rows if row.farm_id == farm] for kind, rows in records.items()}
        where = folder / "farms" / farm
        save_book(RecordBook.of(mine), where)
        shapes = {row["boundary"]: boundary(number, place, row["acres"]) for place, row in enumerate(mine["unit"])}
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
    from provender.custody.documents.receive import sign_document
    from provender.demo.chain import QUARTERS, TRADERS
    from provender.demo.farms import demo_key

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
    from provender.audit.statement.held import statement_pdf
    from provender.demo.chain import LANDOWNER, TRADERS, VERIFIER, pinned_keys, sample_of, seed_parts, verification
    from provender.demo.farms import demo_key

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
    copyfile(output.example("prairie-chain") / "README.md", folder / "README.md")


def _compare(folder: Path, books: dict[str, BookFile]) -> "list[Discrepancy]":
    """Lay the four books, all documents and all reports side by side."""
    from provender.cli.custody.reconcile import gather
    from provender.custody.documents.receive import Pinned
    from provender.custody.reconcile.books import reconcile
    from provender.custody.reconcile.gathered import ReconcileInput

    gathered, pinned = ReconcileInput(), Pinned()
    for name, book in books.items():
        gathered.add_book(f"{name}.jsonl", book.store, book.store.events(), name)
        pinned.add_book(book.store)
    for kind in ("reports", "slips", "transfers", "statements"):
        for path in sorted((folder / kind).glob("*.json")):
            gather(gathered, path, pinned)
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


def _figure_text(figure: object) -> str:
    """Return a figure for people: an amount with its thousands apart, yes or no."""
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    return show(parse(str(figure)), group=True)


def _tell(folder: Path, figures: dict[str, Any], findings: "list[Discrepancy]", *, as_json: bool) -> None:
    if as_json:
        output.print_json({"folder": str(folder), **figures})
        return
    console = Console()
    columns = (Column(), Column(justify="right"))
    table = Table(*columns, title="The chain in figures", show_header=False, title_justify="left")
    for name in (
        "farms", "reports", "slips", "transfer_documents", "events", "periods_closed", "equations", "bushels_grown",
        "every_serial_accounted_for", "findings",
    ):  # fmt: skip
        table.add_row(name.replace("_", " "), _figure_text(figures[name]))
    for state, bushels in figures["bushels_by_state"].items():
        table.add_row(f"bushels {state.replace('_', ' ')}", _figure_text(bushels))
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
        f"  provender custody reconcile {folder}/books/*.jsonl {folder}/{{reports,slips,transfers}}/*.json",
        _NOT_REAL,
    ):
        typer.echo(line)


# ``provender demo``: the main jobs on the examples, from nothing to the documents.

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
for demonstration in (farm, basswood, chain):
    app.command()(demonstration)


@app.callback()
def demonstrations() -> None:
    """Run the main jobs on the examples, from records to documents."""
