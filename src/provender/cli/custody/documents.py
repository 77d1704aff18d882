"""Documents of a custody book: make and sign what the buyer gets, receive what a seller sends."""

import json as json_text
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from provender.cli import output
from provender.cli.custody.book import BookPath
from provender.cli.custody.views import On, Since, owner_of
from provender.cli.keys import open_key, read_public
from provender.cli.output import AsOf, Json, print_json, print_problems, read_bytes, read_document, today, write_file
from provender.custody.book_file import BookFile, open_book
from provender.custody.documents import build
from provender.paper.pdf import MARK, attached_json
from provender.problem import Problem, refuse
from provender.signing.canonical import read_json, sha256_hex
from provender.whole_file import write_together

if TYPE_CHECKING:
    from provender.custody.documents.receive import Answered, ReceivedDocument
    from provender.signing.keys import SigningKey


Kind = Literal["transfer", "slip", "period", "restatement", "notice", "consent"]


def document(
    book: BookPath,
    kind: Annotated[
        Kind, typer.Argument(metavar="transfer|slip|period|restatement|notice|consent", help="Which document.")
    ],
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The sale, slip, first day of the period, or the event that changed a report."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for the PDF and the JSON.")],
    key: Annotated[Path | None, typer.Option("--key", help="Sign with this key (`provender keys new`).")] = None,
    passphrase_file: Annotated[Path | None, typer.Option("--passphrase-file", help="File with its passphrase.")] = None,
    proof: Annotated[Path | None, typer.Option("--proof", help="Your verifier's signed statement, to attach.")] = None,
    to: Annotated[str, typer.Option("--to", help="For a notice: which holder is told.")] = "",
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Make a transfer document, a farm's sale slip, a period's statement or a notice, as PDF and signed JSON.

    A restatement says what a closed period's statement would have said, had the reports been known as they stand now.
    A notice tells a party with a book of its own that a report behind its bushels was amended, suspended or withdrawn.
    """
    from provender.custody.documents.print import document_pdf
    from provender.custody.documents.receive import sign_document

    day = as_of or output.today()
    attached = read_document(proof) if proof else None
    with open_book(book) as opened:
        made = _make(opened, kind, name, day, proof=attached, to=to)
    envelope, fingerprint = None, ""
    if key is not None:
        private = open_key(key, passphrase_file)
        envelope, fingerprint = sign_document(made, private), private.fingerprint
    out.mkdir(parents=True, exist_ok=True)
    # A notice's file carries its number: the name of the event may hold a farm's, which the receiver may not learn.
    stem = f"{kind}-{made['number'] if kind == 'notice' else name}".replace("/", "_")
    files = {"json": out / f"{stem}.json", "pdf": out / f"{stem}.pdf"}
    text = json_text.dumps(envelope or made, indent=1, ensure_ascii=False)
    pdf = document_pdf(made, envelope=envelope, fingerprint=fingerprint)
    write_together({files["json"]: f"{text}\n".encode(), files["pdf"]: pdf})
    if as_json:
        output.print_json(
            {"document": made, "signed": envelope is not None, **{key: str(one) for key, one in files.items()}}
        )
    else:
        state = "signed" if envelope else "NOT SIGNED"
        typer.echo(f"{state}\n  {files['pdf']}\n  {files['json']}")
        for warning in made.get("warnings", ()):
            typer.echo(f"note: {warning}", err=True)


def _make(
    book: BookFile, kind: Kind, name: str, day: date, *, proof: Mapping[str, object] | None, to: str
) -> dict[str, Any]:
    from provender.custody.documents.consents import consent_document, notice_document

    if kind == "transfer":
        return build.marked(build.transfer_document(book.store, name, as_of=day, proof=proof), book.lines)
    if kind == "consent":
        return consent_document(book.store, book.entity, name, as_of=day)
    if kind == "notice":
        return notice_document(book.store, book.entity, name, to, as_of=day)
    if kind == "slip":
        return build.slip_document(book.store, name, as_of=day)
    if kind == "restatement":
        return build.restatement_document(book.store, book.entity, output.parse_day(name), as_of=day)
    return build.marked(build.period_document(book.store, book.entity, output.parse_day(name)), book.lines)


def receive(
    book: BookPath,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A document of any kind, as JSON or as the PDF that carries it.")
    ],
    site: Annotated[str, typer.Option(help="At which of your sites it lies.")] = "",
    verifier_key: Annotated[
        Path | None, typer.Option("--verifier-key", help="Public key of the seller's verifier, as you know it.")
    ] = None,
    in_transit: Annotated[bool, typer.Option("--in-transit", help="Only note it; accept it later.")] = False,
    demonstration: Annotated[
        bool, typer.Option("--demonstration", help="The book is a demonstration: take reports of the examples.")
    ] = False,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Check a document's signature, chain and serials against everything in the book, and enter it.

    Without a verification statement that you can check, what is received is held unverified. Exit status 1 when the
    document was not entered, or is held unverified.
    """
    from provender.custody.documents.receive import enter_document, open_document
    from provender.services.custody.book_entry import post_dated
    from provender.services.custody.figures import proven_by

    day = as_of or output.today()
    raw = read_json(signed_bytes(file), file=file.name)
    with open_book(book) as opened:
        incoming = open_document(raw, opened.store, opened.entity, file.name, demonstration=demonstration)
        problems = list(incoming.problems)
        answers: list[Answered] = []
        output.print_problems(opened.problems)
        if incoming.content is not None and not problems:
            proven, doubts = proven_by(
                incoming,
                opened.store,
                opened.entity,
                day=day,
                file=file.name,
                given=read_public(verifier_key) if verifier_key else None,
                remedy="Name the verifier's public key with --verifier-key.",
            )
            problems += doubts
            answers = enter_document(
                incoming, opened.store, lambda event: post_dated(opened.store, opened.post, event, output.today()),
                day=day, site=site, accept=not in_transit, proven=proven,
            )  # fmt: skip
    _tell(incoming, answers, problems, as_json=as_json)
    unverified = any(("state", "unverified") in one.outcome.details for one in answers)
    well = answers and all(one.outcome.status.well for one in answers) and not unverified
    raise typer.Exit(output.ALL_WELL if well else output.SOMETHING_TO_LOOK_AT)


def put_on_file(
    book: BookPath,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Such as a verifier's PDF, or a bin sheet.")],
    as_of: output.AsOf = None,
) -> None:
    """Put a file on record that nobody can check here, and lay it beside the book.

    A statement, a document or opening stock that names its hash then rests on a paper on file. What names it already is
    shown by it.
    """
    from provender.audit.package.layout import kept_folder
    from provender.services.custody.book_entry import put_file_on_record

    raw = read_bytes(file)
    digest = sha256_hex(raw)
    with open_book(book) as opened:
        outcome = put_file_on_record(opened, file.name, digest, as_of or output.today(), output.today())
    if not outcome.status.well:
        raise refuse(file.name, outcome.message, "See the statuses of the reference.", code=str(outcome.status))
    write_file(kept_folder(book) / f"{digest[:8]}-{file.name}", raw)
    typer.echo(f"{digest}\n{outcome.message}")


def signed_bytes(path: Path) -> bytes:
    """Read a document's JSON: the file itself, or what lies inside the PDF that prints it.

    Raises:
        ProblemsError: it cannot be opened, or is a PDF that carries no document.
    """
    raw = read_bytes(path)
    if not raw.startswith(MARK):
        return raw
    inside = attached_json(raw)
    if not inside:
        remedy = "Ask the sender for the JSON file, or for the signed PDF just as the program wrote it."
        raise refuse(path.name, "The PDF carries no signed document inside.", remedy, code="pdf_without_document")
    return inside[0]


def _tell(incoming: "ReceivedDocument", answers: "list[Answered]", problems: list[Problem], *, as_json: bool) -> None:
    signature = str(incoming.signature) if incoming.signature else "none: a document from outside"
    if as_json:
        rows = [
            {"id": one.event.id, "type": one.event.type, "status": str(one.outcome.status)}
            | {"message": one.outcome.message, "facts": dict(one.outcome.details)}
            for one in answers
        ]
        head = {"document": incoming.kind, "signature": signature, "fingerprint": incoming.fingerprint}
        output.print_json({**head, "problems": [one.as_json() for one in problems], "answers": rows})
        return
    typer.echo(f"signature: {signature}")
    for one in answers:
        typer.echo(f"{one.event.id}: {one.outcome.status}. {one.outcome.message}")
    output.print_problems(problems)


# ``provender custody figures``: what a refiner retired into fuel over a year, and what stands behind it.

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


Certification = Annotated[
    str, typer.Option("--certification", metavar="NUMBER, DAY, ISSUER", help="Certification that the refiner names.")
]
PurchaserCertificate = Annotated[
    str,
    typer.Option("--purchaser-certificate", metavar="NUMBER, DAY, ISSUER", help="Certificate of the fuel's purchaser."),
]


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
    certification: Certification = "",
    purchaser_certificate: PurchaserCertificate = "",
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Sum up what a refiner retired into fuel in a year.

    Bushels, mean CI with its sum and divisor, range, and what stands behind each lot. Figures a refiner may need for
    45ZCF-GREET and has to keep for 45Z; no text at hand says what is accepted. Statements that are kept beside the book
    are found there.
    """
    from provender.audit.package.layout import kept_folder
    from provender.custody.documents.refiner_figures import figures_text
    from provender.services.custody.figures import certificates_of, days_of, energy_of
    from provender.services.custody.figures import figures as figures_of

    day = as_of or today()
    days = days_of(year, since, on, day)
    kept = sorted(kept_folder(book).glob("*.json"))
    papers = [read_document(path) for path in (*(report or ()), *kept, *(statement or ()))]
    energy = energy_of(gallons_per_bu, btu_per_gallon, energy_source)
    named = certificates_of({"certification": certification, "purchaser_certificate": purchaser_certificate})
    with open_book(book) as opened:
        print_problems(opened.problems)
        owner = owner_of(book, opened.store, opened.entity)
        made = figures_of(
            opened.store, owner, days, as_of=day, reports=papers, energy=energy,
            mark=lambda made: build.marked({**made, **named}, opened.lines),
        )  # fmt: skip
    if out:
        _write(made, out / f"figures-{days[0]}-{days[1]}", open_key(key, passphrase_file) if key else None)
    if as_json:
        print_json(made)
    elif not out:
        typer.echo(figures_text(made))


def _write(made: dict[str, Any], stem: Path, private: "SigningKey | None") -> None:
    """Write the figures as PDF, CSV and JSON beside each other, signed where there is a key."""
    from provender.custody.documents.receive import sign_document
    from provender.services.custody.figures import figures_pdf, lots_csv

    envelope = sign_document(made, private) if private else None
    text = json_text.dumps(envelope or made, indent=1, ensure_ascii=False)
    files = {
        stem.with_suffix(".pdf"): figures_pdf(made, envelope, private.fingerprint if private else ""),
        stem.with_suffix(".csv"): lots_csv(made), stem.with_suffix(".json"): f"{text}\n".encode(),
    }  # fmt: skip
    write_together(files)
    for path in files:
        typer.echo(f"saved {path}", err=True)
