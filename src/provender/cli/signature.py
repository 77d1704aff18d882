"""``provender signature``: is a signed report or paper whole, and is its signer one you have pinned?"""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Json, print_json
from provender.problem import ProblemsError, refuse
from provender.signing.jws import MEANING, Checked, check, read_revocation

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def signature(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A signed report, or a trader's signed paper, as JSON.")],
    pinned: Annotated[
        list[Path] | None, typer.Option("--pinned", help="A public key you hold to be the signer's; may be repeated.")
    ] = None,
    revoked: Annotated[
        list[Path] | None, typer.Option("--revoked", help="A signed revocation of a pinned key; may be repeated.")
    ] = None,
    json: Json = False,
) -> None:
    """Check the signature of a Biofuel Feedstock Report, or of a paper of the chain: a slip, a transfer document.

    A statement, a notice, a consent and a refiner's figures are such papers, too. Exit status 0 only when a pinned key
    that stands signed it; of a report, only when the report may be official.
    """
    from provender.cli.keys import read_public
    from provender.custody.documents.sign import TYPS
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
        print_json({"file": str(file), **data})
    else:
        _print(Console(), data)
    raise typer.Exit(ALL_WELL if checked.valid and not doubts else SOMETHING_TO_LOOK_AT)


def _paper_type(content: object) -> str:
    """Return the type of a paper of the chain; empty for anything else."""
    from provender.custody.documents.sign import TYPS

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


def _print(console: Console, data: dict[str, Any]) -> None:
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
