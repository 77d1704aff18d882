"""The calculator's printouts that a signed report carries along, by the hashes it names (2100.031(c)(2)(i))."""

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from provender.paper.pdf import Attachment
from provender.signing.hashes import sha256_hex

Printouts: TypeAlias = Callable[[str, str], bytes]
"""Gives the content of a file by its name and SHA-256; empty where it is not at hand."""
MEDIA: Final = {
    ".pdf": "application/pdf", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".csv": "text/csv",
    ".txt": "text/plain", ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}  # fmt: skip
_ELSE: Final = "application/octet-stream"


def no_printout(file: str, sha256: str) -> bytes:  # noqa: ARG001 - as a source of printouts is asked
    """Have no printout at hand."""
    return b""


def printouts(report: Mapping[str, Any], content_of: Printouts) -> list[Attachment]:
    """Return the printouts of the runs behind a report, each once, in the order of the units.

    Only content with the hash that the report names is carried: another file under the same name is not its printout.
    """
    found: dict[str, Attachment] = {}
    for unit in report["units"]:
        for run in unit["runs"]:
            for one in run["evidence"]:
                name, digest = str(one.get("file") or ""), str(one.get("sha256") or "").lower()
                if digest and digest not in found:
                    content = content_of(name, digest)
                    if sha256_hex(content) == digest:
                        found[digest] = _attachment(len(found) + 1, name, content, one["evidence_id"])
    return list(found.values())


def _attachment(number: int, file: str, content: bytes, evidence_id: str) -> Attachment:
    ending = PurePath(file).suffix.lower()
    ending = ending if ending in MEDIA else ""
    name, words = f"calculator-printout-{number}{ending}", f"Printout of the calculator, {evidence_id}"
    return Attachment(name, content, MEDIA.get(ending, _ELSE), words)
