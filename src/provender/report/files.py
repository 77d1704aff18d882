"""The files of a report: JSON and PDF side by side, both or neither, and never over a signed report."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from provender.problem import Place, Problem, ProblemsError, refuse
from provender.report.leaves_file import ENDING
from provender.report.typ import TYP
from provender.report.typ import TYPE as DOCUMENT
from provender.signing.canonical import read_json
from provender.signing.jws import MEANING, Status, check

REQUIRED: Final = frozenset(
    {"type", "label", "edition", "farm", "producer", "crop", "harvest_year", "total_bushels", "farm_ci_g_per_bu",
     "units", "attestation"}
)  # fmt: skip
"""Parts without which a document cannot be read as a report."""


def stem(report: Mapping[str, Any], state: str) -> str:
    """Return the name of a report's files: farm, crop, year, version, and what it is unless it is signed."""
    parts = (report["farm"]["farm_id"], report["crop"], str(report["harvest_year"]), f"v{report['edition']['version']}")
    name = "-".join(parts) if state == "signed" else "-".join((*parts, state))
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)


def write_both(
    folder: Path, name: str, json: bytes, pdf: bytes, *, signed: bool, leaves: bytes = b""
) -> tuple[Path, Path]:
    """Write both files of a report, or neither; return their paths.

    What opens the report's roots (``leaves_file``) lies beside them and stays with the farm.

    Raises:
        ProblemsError: another signed report stands under this name, or the folder cannot be written.
    """
    targets = folder / f"{name}.json", folder / f"{name}.pdf"
    if signed and targets[0].is_file() and targets[0].read_bytes() != json:
        cause = "Another signed report of this version stands here already."
        remedy = "Name it with --amends to make the next version, or choose another folder."
        raise ProblemsError([Problem(Place(str(targets[0])), cause, remedy, "2100.031(c)", code="signed_before")])
    placed: list[Path] = []
    contents = dict(zip(targets, (json, pdf), strict=True)) | ({folder / f"{name}{ENDING}": leaves} if leaves else {})
    parts = {target: target.with_name(f"{target.name}.part") for target in contents}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for target, part in parts.items():
            part.write_bytes(contents[target])
        for target, part in parts.items():
            part.replace(target)
            placed.append(target)
    except OSError as error:
        # A JSON without its PDF, or the other way round, would pass for a whole report.
        for path in (*parts.values(), *placed):
            path.unlink(missing_ok=True)
        cause = f"The report cannot be written: {error.strerror}."
        raise refuse(str(folder), cause, "Choose another folder.") from None
    return targets


def read_report(path: Path) -> dict[str, Any]:
    """Read a report from its JSON file, signed or not.

    Raises:
        ProblemsError: the file cannot be read, holds no Biofuel Feedstock Report, or was changed after it was signed.
    """
    content = read_file(path)
    report = document_of(content, str(path))
    if content is not report:
        status = check(content, {}, typ=TYP).status
        # Whether the key is known to somebody is not the question here.
        if status is not Status.SIGNER_UNKNOWN:
            raise refuse(str(path), *MEANING[status], code=str(status))
    return report


def read_file(path: Path) -> object:
    """Read a JSON file somebody handed over.

    Raises:
        ProblemsError: it cannot be read, or is not JSON.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise refuse(str(path), f"The file cannot be read: {error.strerror}.", "Check the path.") from None
    return read_json(raw, file=str(path))


def document_of(content: object, file: str) -> dict[str, Any]:
    """Return the report inside an envelope, or the report itself.

    Raises:
        ProblemsError: it is no Biofuel Feedstock Report.
    """
    inside = content.get("document", content) if isinstance(content, dict) else None
    if not isinstance(inside, dict) or not inside.keys() >= REQUIRED or inside["type"] != DOCUMENT:
        raise refuse(file, "This is no Biofuel Feedstock Report.", "Name the JSON that `provender report` wrote.")
    return inside
