"""``provender audit request``, ``package`` and ``pins``: what a verifier asks for, in one file."""

import re
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from provender.audit.package.keys import Pin, pins_document
from provender.audit.package.layout import Part
from provender.audit.package.write import Allowance, Header, PackageRequest, Subject, make_package, open_package
from provender.cli import output
from provender.cli.keys import open_key, read_public
from provender.problem import refuse
from provender.signing.jws import sign

Pinned = Annotated[
    list[str] | None,
    typer.Option(
        "--pin",
        metavar="PARTY=FILE[@FIRST..LAST]",
        help="A party's public key file, and the days on which it signs where you know them; repeat.",
    ),
]
_DAYS: Final = re.compile(r"(?P<file>.+)@(?P<first>\d{4}-\d\d-\d\d)?\.\.(?P<last>\d{4}-\d\d-\d\d)?")
Files = list[Path] | None


def _pins(texts: list[str] | None, source: str = "") -> list[Pin]:
    found = []
    for text in texts or ():
        party, equals, file = text.partition("=")
        if not equals:
            raise typer.BadParameter(f"{text!r} is not PARTY=FILE.")
        within = _DAYS.fullmatch(file)
        first, last = (
            output.parse_day(within[name]) if within and within[name] else None for name in ("first", "last")
        )
        found.append(Pin(party, read_public(Path(within["file"] if within else file)), source, first, last))
    return found


def _wanted(texts: list[str] | None) -> list[tuple[Part, str]]:
    found = []
    for text in texts or ():
        part, _, below = text.partition(":")
        if part not in set(Part):
            raise typer.BadParameter(f"{part!r} is no part; use one of: {', '.join(Part)}.")
        found.append((Part(part), below))
    return found


@output.stopping
def pins(
    out: Annotated[Path, typer.Argument(help="The list to write, .json.")],
    pin: Pinned = None,
    source: Annotated[str, typer.Option(help="Where the binding stands, such as a supply contract.")] = "",
) -> None:
    """Write a list of pinned keys, for `provender verify --pinned`."""
    output.write_document(out, pins_document(_pins(pin, source)))


@output.stopping
def package(
    book: Annotated[Path, typer.Argument(help="A record book folder, or an entity's custody book (.jsonl).")],
    out: Annotated[Path, typer.Option("--out", help="The package to write: .zip, else a new folder.")],
    report: Annotated[Files, typer.Option(help="Farm: a report or a folder of them; else BOOK/reports.")] = None,
    document: Annotated[Files, typer.Option(help="Entity: a document given or received, or a folder.")] = None,
    statement: Annotated[Files, typer.Option(help="Entity: a verification statement, or a folder.")] = None,
    farm: Annotated[Files, typer.Option("--farm", help="Whole audit: the package of a sampled farm; repeat.")] = None,
    sample: Annotated[Path | None, typer.Option(help="Whole audit: the sample file.")] = None,
    findings: Annotated[Path | None, typer.Option(help="Whole audit: the findings so far.")] = None,
    pin: Pinned = None,
    key_statement: Annotated[Files, typer.Option(help="What a key said of itself: `keys rotate`, `revoke`.")] = None,
    log_proof: Annotated[Files, typer.Option(help="Proof from a log (`provender log prove`), or a folder.")] = None,
    request: Annotated[Path | None, typer.Option(help="The verifier's signed request.")] = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--leave-out", metavar="PART[:PATH]", help="Leave out what the request allows; repeat."),
    ] = None,
    first: Annotated[date | None, output.day_option("First day covered.")] = None,
    last: Annotated[date | None, output.day_option("Last day covered.")] = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Make the verification package of a farm, of an entity's period, or of a whole audit."""
    from provender.audit.package import collect

    days = (first, last) if first and last else None
    if book.is_dir():
        content = collect.collect_farm(book, report or [book / "reports"])
    else:
        content = collect.collect_entity(book, document or (), statement or (), days)
    if sample is not None:
        content = collect.collect_audit(content, [open_package(path) for path in farm or ()], sample, findings)
    collect.with_keys(content, _pins(pin), key_statement or ())
    collect.with_log_proofs(content, log_proof or ())
    envelope = output.read_document(request) if request is not None else None
    asked = _request(envelope)
    collect.leave_out(content, _wanted(without), asked.allowances if asked else ())
    collect.with_index(content)
    header = collect.header_of(content, first or content.first, last or content.last, as_of or output.today())
    mark = make_package(out, header, content.files, envelope, zipped=out.suffix.lower() == ".zip")
    _tell(header, out, mark, len(content.files), as_json=as_json)


def _request(envelope: dict[str, Any] | None) -> PackageRequest | None:
    try:
        return PackageRequest.read(envelope["document"]) if envelope else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None  # ``make_package`` refuses it with the reason


def _tell(header: Header, out: Path, mark: str, count: int, *, as_json: bool) -> None:
    if as_json:
        output.print_json({"package": str(out), "mark": mark, "files": count, **header.document()})
        return
    console = Console()
    words = f"{header.subject} of {header.audited_name}, {header.first} to {header.last}: {count} files in {out}."
    console.print(words, markup=False, highlight=False, soft_wrap=True)
    for one in header.left_out:
        console.print(f"Left out: {one.path} ({one.reason}).", markup=False, highlight=False, soft_wrap=True)
    console.print(f"Hash of the whole package: {mark}", markup=False, highlight=False, soft_wrap=True)


@output.stopping
def request(
    out: Annotated[Path, typer.Argument(help="The signed request to write, .json.")],
    verifier: Annotated[str, typer.Option(help="Your id, as it stands in lists of pinned keys.")],
    audited: Annotated[str, typer.Option(help="Id of the party that is asked.")],
    first: Annotated[date, output.day_option("First day to cover.")],
    last: Annotated[date, output.day_option("Last day to cover.")],
    key: Annotated[Path, typer.Option("--key", help="Your private key, NAME.key.pem.")],
    subject: Annotated[Subject, typer.Option(help="Kind of package.")] = Subject.FARM_REPORT,
    allow: Annotated[
        list[str] | None, typer.Option(metavar="PART[:PATH]=REASON", help="What may be left out, and why; repeat.")
    ] = None,
    passphrase_file: output.PassphraseFile = None,
    as_of: output.AsOf = None,
) -> None:
    """Ask a party for a package. Without --allow nothing may be left out; only the verifier's leave counts."""
    if verifier == audited:
        cause = f"{audited} cannot ask itself: only the verifier says what may be left out."
        raise refuse("--verifier", cause, "Name the verifier.", cite="2100.040")
    if first > last:
        raise refuse("--last", f"{last} is before {first}.", "Check the days.", cite="2100.030(d)")
    allowed = tuple(_allowance(text) for text in allow or ())
    asked = PackageRequest(verifier, audited, subject, first, last, allowed, as_of or output.today())
    output.write_document(out, sign(asked.document(), open_key(key, passphrase_file)))
    words = f"Signed: {out}. {audited} uses it with `provender audit package --request`."
    Console().print(words, markup=False, highlight=False, soft_wrap=True)


def _allowance(text: str) -> Allowance:
    what, _, reason = text.partition("=")
    part, _, below = what.partition(":")
    if part not in set(Part) or not reason.strip():
        cause = f"{text!r} is not PART[:PATH]=REASON."
        raise refuse("--allow", cause, f"Say which part and why; parts are {', '.join(Part)}.", cite="2100.030(d)")
    return Allowance(Part(part), below, reason.strip())
