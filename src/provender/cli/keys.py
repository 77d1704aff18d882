"""``provender keys`` and ``provender signature``: the key that signs documents, and signatures checked."""

import json
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table

from provender.cli import output
from provender.custody.model.lots import origin_id, origin_name
from provender.problem import ProblemsError, refuse
from provender.signing.canonical import MAX_BYTES, document_hash, read_json
from provender.signing.jws import MEANING, Checked, check, read_revocation
from provender.signing.jws import register as registration
from provender.signing.jws import revoke as revocation
from provender.signing.jws import rotate as rotation
from provender.signing.keys import PublicKey, SigningKey

_PRIVATE_END: Final = ".key.pem"
_PUBLIC_END: Final = ".public.json"
_MAX_KEY_BYTES: Final = 16 * 1024

app = typer.Typer(
    help="Make, show, hand out and change the key that signs documents.", no_args_is_help=True, add_completion=False
)

PrivateFile = Annotated[Path, typer.Argument(metavar="KEY", help="The private key, NAME.key.pem.")]


def _read_passphrase(file: Path | None, *, new: bool = False) -> str:
    """Return the passphrase from a file, or ask for it unseen; a new one is asked for twice.

    Raises:
        ProblemsError: the file cannot be read or is empty.
    """
    if file is None:
        answer: str = typer.prompt("Passphrase", hide_input=True, confirmation_prompt=new, err=True)
        return answer
    lines = _read(file).decode("utf-8", "replace").splitlines()
    if not lines or not lines[0]:
        raise refuse(str(file), "The passphrase file is empty.", "Write the passphrase on its first line.")
    return lines[0]


def open_key(path: Path, passphrase_file: Path | None) -> SigningKey:
    """Open a sealed key for signing; the passphrase never comes from the command line.

    Raises:
        ProblemsError: the file is not there, is no key, or does not open.
    """
    pem = _read(path)
    return SigningKey.unseal(pem, _read_passphrase(passphrase_file), file=str(path))


def read_public(path: Path) -> PublicKey:
    """Read a public key file.

    Raises:
        ProblemsError: the file is not there or holds no Ed25519 public key.
    """
    return PublicKey.from_jwk(read_json(_read(path), file=str(path)), file=str(path))


@app.command()
def new(
    name: Annotated[Path, typer.Argument(metavar="NAME", help="Where; NAME.key.pem and NAME.public.json are written.")],
    passphrase_file: output.PassphraseFile = None,
    *,
    as_json: output.Json = False,
) -> None:
    """Make a key: a private file under a passphrase, and a public one for your buyers."""
    private, public = _targets(name)
    key = _create(private, public, _read_passphrase(passphrase_file, new=True))
    _print(key.public, {"private_file": str(private), "public_file": str(public)}, as_json=as_json)
    if not as_json:
        Console().print(
            f"Hand out {public} and tell the fingerprint by telephone or in the contract. "
            f"Keep {private} and its passphrase to yourself; nobody can recover either.",
            markup=False,
            highlight=False,
        )


@app.command()
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A public key, NAME.public.json.")],
    *,
    as_json: output.Json = False,
) -> None:
    """Show the fingerprint of a public key, to compare with its owner."""
    _print(read_public(file), {"public_file": str(file)}, as_json=as_json)


@app.command()
def public(
    key: PrivateFile,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write it here; stdout without it.")] = None,
    passphrase_file: output.PassphraseFile = None,
    *,
    as_json: output.Json = False,
) -> None:
    """Write the public half of a private key again."""
    opened = open_key(key, passphrase_file).public
    if out is None:
        output.print_json(opened.export())
        return
    output.write_new(out, _public_text(opened).encode())
    _print(opened, {"public_file": str(out)}, as_json=as_json)


@app.command()
def rotate(
    key: PrivateFile,
    name: Annotated[Path, typer.Argument(metavar="NEW_NAME", help="Where the new key goes, as for `keys new`.")],
    passphrase_file: output.PassphraseFile = None,
    as_of: output.AsOf = None,
    *,
    as_json: output.Json = False,
) -> None:
    """Make a new key that takes over, with a statement signed by both; it opens with the same passphrase."""
    passphrase = _read_passphrase(passphrase_file)
    old = SigningKey.unseal(_read(key), passphrase, file=str(key))
    private, public_file = _targets(name)
    statement = name.with_name(f"{name.name}.rotation.json")
    _refuse_existing(statement)
    day = as_of or output.today()
    fresh = _create(private, public_file, passphrase)
    output.write_new(statement, f"{json.dumps(rotation(old, fresh, on=day), indent=2)}\n".encode())
    files = {"private_file": str(private), "public_file": str(public_file), "statement_file": str(statement)}
    _print(fresh.public, {**files, "replaces": old.fingerprint, "on": day.isoformat()}, as_json=as_json)


@app.command()
def revoke(
    key: PrivateFile,
    reason: Annotated[str, typer.Option("--reason", help="Why, such as: the laptop was stolen.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the statement goes.")],
    passphrase_file: output.PassphraseFile = None,
    as_of: output.AsOf = None,
    *,
    as_json: output.Json = False,
) -> None:
    """Write the statement that takes a key out of use from a day on; give it to whoever pinned the key."""
    if not reason.strip():
        raise refuse("--reason", "No reason is given.", "Say why the key is taken out of use.", code="no_reason")
    signer, day = open_key(key, passphrase_file), as_of or output.today()
    statement = revocation(signer, on=day, reason=reason.strip())
    output.write_new(out, f"{json.dumps(statement, indent=2)}\n".encode())
    _print(signer.public, {"statement_file": str(out), "revoked_from": day.isoformat()}, as_json=as_json)


@app.command()
def register(
    key: PrivateFile,
    organisation: Annotated[str, typer.Option("--organisation", help="The farm's code on the server.")],
    producer: Annotated[str, typer.Option("--producer", help="The producer's identifier in the record book.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the statement goes.")],
    passphrase_file: output.PassphraseFile = None,
    as_of: output.AsOf = None,
    *,
    as_json: output.Json = False,
) -> None:
    """Write the statement that puts a key on file at a server, signed by the key; hand it in on the same day."""
    signer, day = open_key(key, passphrase_file), as_of or output.today()
    statement = registration(organisation, producer, signer, on=day)
    output.write_new(out, f"{json.dumps(statement, indent=2)}\n".encode())
    _print(signer.public, {"statement_file": str(out), "on": day.isoformat()}, as_json=as_json)


@app.command("sign")
def sign_file(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The unsigned report, transfer document or statement (JSON).")
    ],
    key: Annotated[Path, typer.Option("--key", help="The private key, NAME.key.pem.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the signed file goes.")],
    passphrase_file: output.PassphraseFile = None,
    *,
    as_json: output.Json = False,
) -> None:
    """Sign a document that a server made: the key stays on this machine, the signed file goes back to the server."""
    from provender.custody.documents.receive import TYPS, sign_document
    from provender.report.print import signed_json
    from provender.report.signing import salt_of, sign_report
    from provender.report.versions import document_of

    content = read_json(_read(file, MAX_BYTES), file=str(file))
    if isinstance(content, dict) and content.get("type") in TYPS:
        signer = open_key(key, passphrase_file)
        output.write_new(out, f"{json.dumps(sign_document(content, signer), indent=1, ensure_ascii=False)}\n".encode())
        _print(signer.public, {"signed_document": str(out), "sha256": document_hash(content)}, as_json=as_json)
        return
    report = document_of(content, str(file))
    signer = open_key(key, passphrase_file)
    edition = report["edition"]
    if not edition["salt"]:
        of = report["farm"]["farm_id"], report["crop"], report["harvest_year"]
        salt = salt_of(signer, origin_name(*of))
        report = {**report, "edition": {**edition, "salt": salt, "origin_id": origin_id(*of, salt)}}
    output.write_new(out, signed_json(sign_report(report, signer, fingerprint_on_file=None)))
    _print(signer.public, {"signed_report": str(out), "sha256": document_hash(report)}, as_json=as_json)


def _create(private: Path, public_file: Path, passphrase: str) -> SigningKey:
    key = SigningKey.generate()
    _refuse_existing(private, public_file)
    output.write_new(private, key.seal(passphrase), mode=0o600)
    output.write_new(public_file, _public_text(key.public).encode())
    return key


def _public_text(key: PublicKey) -> str:
    return json.dumps(key.export(), indent=2) + "\n"


def _targets(name: Path) -> tuple[Path, Path]:
    targets = name.with_name(name.name + _PRIVATE_END), name.with_name(name.name + _PUBLIC_END)
    _refuse_existing(*targets)
    return targets


def _refuse_existing(*paths: Path) -> None:
    """A key that is overwritten is lost, and with it every signature still to come under its name."""
    for path in paths:
        if path.exists():
            raise refuse(str(path), "This file exists already, and a key is never overwritten.", "Choose another name.")


def _read(path: Path, most: int = _MAX_KEY_BYTES) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(most)
    except OSError as error:
        raise refuse(str(path), f"The file cannot be read: {error.strerror}.", "Check the path.") from None


def _print(key: PublicKey, files: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        output.print_json({"fingerprint": key.fingerprint, "short": key.short, **files})
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_row("fingerprint", key.short)
    table.add_row("in full", key.fingerprint)
    for name, value in files.items():
        table.add_row(name.replace("_", " "), value)
    Console().print(table, markup=False, highlight=False, soft_wrap=True)


# ``provender signature``: is a signed report or paper whole, and is its signer one you have pinned?

signature_app = typer.Typer(rich_markup_mode=None, add_completion=False)


@signature_app.command()
def signature(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A signed report, or a trader's signed paper, as JSON.")],
    pinned: Annotated[
        list[Path] | None, typer.Option("--pinned", help="A public key you hold to be the signer's; may be repeated.")
    ] = None,
    revoked: Annotated[
        list[Path] | None, typer.Option("--revoked", help="A signed revocation of a pinned key; may be repeated.")
    ] = None,
    json: output.Json = False,
) -> None:
    """Check the signature of a Biofuel Feedstock Report, or of a paper of the chain: a slip, a transfer document.

    A statement, a notice, a consent and a refiner's figures are such papers, too. Exit status 0 only when a pinned key
    that stands signed it; of a report, only when the report may be official.
    """
    from provender.custody.documents.receive import TYPS
    from provender.report.typ import TYP
    from provender.report.versions import read_file

    keys = {key.fingerprint: key for key in map(read_public, pinned or ())}
    content = read_file(file)
    ended = dict(_revocation(path, keys) for path in revoked or ())
    paper = _paper_type(content)
    checked = check(content, keys, revoked=ended, typ=TYPS[paper] if paper else TYP)
    document, doubts = (None, []) if paper else _inside(checked, str(file))
    data = _as_data(checked, document, doubts)
    if paper and checked.document is not None:
        data["paper"] = {"type": paper, "number": str(checked.document.get("number") or "")}
    if json:
        output.print_json({"file": str(file), **data})
    else:
        _print_checked(Console(), data)
    raise typer.Exit(output.ALL_WELL if checked.valid and not doubts else output.SOMETHING_TO_LOOK_AT)


def _paper_type(content: object) -> str:
    """Return the type of a paper of the chain; empty for anything else."""
    from provender.custody.documents.receive import TYPS

    document = content.get("document") if isinstance(content, dict) else None
    kind = document.get("type") if isinstance(document, dict) else None
    return kind if isinstance(kind, str) and kind in TYPS else ""


def _revocation(path: Path, keys: dict[str, Any]) -> tuple[str, date]:
    from provender.report.versions import read_file

    found = read_revocation(read_file(path), keys)
    if found is None:
        raise refuse(str(path), "No pinned key signed this revocation.", "Pin the key that it revokes with --pinned.")
    return found


def _inside(checked: Checked, file: str) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the signed report, and why it should not have been signed: another program may have signed anything."""
    from provender.report.signing import refusals
    from provender.report.versions import document_of

    if checked.document is None:
        return None, []
    try:
        document = document_of(checked.document, file)
        return document, [problem.cause for problem in refusals(document)]
    except ProblemsError as refused:
        return None, [problem.cause for problem in refused.problems]
    except (KeyError, TypeError):
        return None, ["A part of the report is missing or of another kind than `provender report` writes."]


def _as_data(checked: Checked, document: dict[str, Any] | None, doubts: list[str]) -> dict[str, Any]:
    means, remedy = MEANING[checked.status]
    data: dict[str, Any] = {
        "status": str(checked.status), "means": means, "remedy": remedy, "key": checked.kid,
        "key_short": checked.key.short if checked.key else "", "hash_of_document_and_signature": checked.hash,
        "countersigned_on": checked.proved_on.isoformat() if checked.proved_on else None, "doubts": doubts,
    }  # fmt: skip
    if document is not None:
        data["report"] = {
            "farm": document["farm"]["name"], "producer": document["producer"]["name"], "crop": document["crop"],
            "harvest_year": document["harvest_year"], "version": document["edition"]["version"],
            "total_bushels": document["total_bushels"], "farm_ci_g_per_bu": document["farm_ci_g_per_bu"],
        }  # fmt: skip
    return data


def _print_checked(console: Console, data: dict[str, Any]) -> None:
    lines = [f"{str(data['status']).replace('_', ' ').upper()}: {data['means']} {data['remedy']}".rstrip()]
    if data["key"]:
        lines.append(f"  key {data['key_short']} ({data['key']})")
    if "report" in data:
        one = data["report"]
        lines.append(
            f"  {one['farm']}, {one['producer']}: {one['crop']} {one['harvest_year']}, version {one['version']}, "
            f"{one['total_bushels']} bu at {one['farm_ci_g_per_bu']} g CO2e/bu"
        )
    if "paper" in data:
        lines.append(f"  {data['paper']['type']} {data['paper']['number']}")
    lines += [f"  doubt: {text}" for text in data["doubts"]]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
