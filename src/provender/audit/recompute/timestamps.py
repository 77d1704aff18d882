"""Trusted timestamps of a package: which documents are proved to have existed, and on which day (interpretation 75).

An answer of an authority lies beside its document as ``NAME.tsr``. It is about the bytes of that file, or about the
same document in canonical form, so that laying JSON out anew takes no proof away. What the answer chains to are the
roots of the verifier, judged as of the moment that was stamped.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import HELD, ROOTS, PackageContents
from provender.audit.package.layout import KEYS, STAMP, Part, part_of
from provender.audit.package.stamps import stamped
from provender.audit.shape import inside
from provender.problem import ProblemsError
from provender.report.leaves_file import ENDING
from provender.signing.timestamps import UNPROVED, Proof, read_roots

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

CITE: Final = "2100.030(d)"
_DATED: Final = frozenset({Part.REPORTS, Part.DOCUMENTS, Part.STATEMENTS, Part.SAMPLE, Part.BOOK, Part.KEYS})
_DAYS: Final = ("made_on", "closed_on", "issued_on", "signed_on", "drawn_on", "on", "day")


@dataclass(frozen=True, slots=True)
class DocumentDay:
    """A document, the day it states, and the day on which it is proved to have existed.

    Attributes:
        path: the file.
        stated: the day in it; None where it has none.
        proof: None where it is the signer's word alone.
    """

    path: str
    stated: date | None
    proof: Proof | None

    def __str__(self) -> str:
        """Write it as one line."""
        stated = f", stated {self.stated}" if self.stated else ""
        if self.proof is None:
            return f"{self.path}: day stated by the signer{f', {self.stated}' if self.stated else ''}"
        return f"{self.path}: proved to exist on {self.proof.on} ({self.proof.authority}){stated}"

    def as_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "file": self.path,
            "stated_on": str(self.stated) if self.stated else None,
            "proved_on": str(self.proof.on) if self.proof else None,
            "at": self.proof.at.isoformat() if self.proof else None,
            "authority": self.proof.authority if self.proof else None,
        }


def days_of(case: PackageContents) -> tuple[DocumentDay, ...]:
    """Return every document of a package that people date, with what proves its day."""
    return case.once(_judged)[0]


def recompute(case: PackageContents) -> CheckResult:
    """Check every answer of an authority against the file beside it and the verifier's roots."""
    _, differences, told, computed = case.once(_judged)
    return CheckResult("timestamps", (CITE,), computed, tuple(differences), tuple(told))


def _judged(case: PackageContents) -> tuple[tuple[DocumentDay, ...], list[Difference], list[str], int]:
    differences: list[Difference] = []
    told: list[str] = []
    days = []
    stamps = [path for path in case if path.endswith(STAMP)]
    roots = _roots(case, told) if stamps else []
    for path in case:
        if _is_dated(path):
            stamp = f"{path}{STAMP}"
            proof = _proof(case, path, roots, differences, told) if stamp in case else None
            days.append(DocumentDay(path, _stated(case, path), proof))
    for day in days:
        differences += _before(day)
    for path in stamps:
        if path.removesuffix(STAMP) not in case:
            words = (f"a timestamp of {path.removesuffix(STAMP)}", "there is no such file")
            differences.append(Difference("timestamp_of_nothing", CITE, path, *words))
    return tuple(days), differences, told, len(stamps)


def _is_dated(path: str) -> bool:
    signed = path.endswith((".json", ".jsonl")) and not path.endswith(ENDING)
    return signed and path != KEYS and (part_of(path) in _DATED or path.startswith(HELD))


def _roots(case: PackageContents, told: list[str]) -> "list[Certificate]":
    try:
        return read_roots(case.get(ROOTS, b""))
    except ProblemsError as refused:
        told += [f"{one.cause} {one.remedy}" for one in refused.problems]
        return []


def _proof(
    case: PackageContents, path: str, roots: "list[Certificate]", differences: list[Difference], told: list[str]
) -> Proof | None:
    """Return what an answer proves; other bytes than these are a difference, another root is for the verifier."""
    proof, wrong = stamped(case, path, roots)
    if proof is not None:
        return proof
    chained = [problem for problem in wrong if problem.code == UNPROVED]
    if chained:
        told.append(f"{path}: {chained[0].cause} Give the root of its authority with --roots, if you trust it.")
    else:
        differences.append(Difference(wrong[0].code, CITE, path, "stamped by an authority", wrong[0].cause))
    return None


def _stated(case: PackageContents, path: str) -> date | None:
    if not path.endswith(".json"):
        return None
    data = case.json(path)
    document: Mapping[str, Any] = inside(data) if isinstance(data, dict) else {}
    for name in _DAYS:
        try:
            return date.fromisoformat(str(document[name]))
        except (KeyError, ValueError):
            continue
    return None


def _before(day: DocumentDay) -> Iterator[Difference]:
    """Yield a document that existed before the day it states; a day is given for the clocks of two places."""
    if day.proof and day.stated and day.proof.on < day.stated - timedelta(days=1):
        words = (f"made on {day.stated}", f"it existed on {day.proof.on} already")
        yield Difference("stated_after_proof", CITE, day.path, *words)
