"""What passes between the server and the process that makes a package: plain data and the folder it lies in."""

from dataclasses import dataclass, field
from datetime import date
from typing import Final

from provender.audit.package.write import Allowance
from provender.problem import Problem

ENTITY: Final = "entity"
WHOLE: Final = "audit"
BOOK, DOCUMENTS, STATEMENTS = "entity/book.jsonl", "entity/documents", "entity/statements"
FARMS: Final = "farms"
PINS: Final = "pins"
SAMPLE, FINDINGS = "sample.json", "findings.jsonl"


@dataclass(frozen=True, slots=True)
class Order:
    """A package that a verifier asks for.

    Attributes:
        what: ``entity`` (the party's period), ``audit`` (all of it), or the code of a farm.
        verify: it is to be recomputed, not taken away.
        name: file name of the zip.
        verifier: code of the verifier.
        role: in which role the party is audited.
        first, last: the days the audit covers.
        day: today.
        allowances: what may be absent, each with the verifier's reason.
        farms: codes of the farms laid out.
        absent: drawn farms that are not, because they let the verifier in no longer or not yet.
    """

    what: str
    verify: bool
    name: str
    verifier: str
    role: str
    first: date
    last: date
    day: date
    allowances: tuple[Allowance, ...] = ()
    farms: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """What the audit keeps of a package.

    Attributes:
        what: as ordered.
        subject: kind of package.
        mark: the hash that stands for all of it.
        files: how many it holds.
        first, last: the days its records cover, ISO.
        allowed: what was allowed to be absent, with the reason.
        absent: as ordered.
    """

    what: str
    subject: str
    mark: str
    files: int
    first: str
    last: str
    allowed: tuple[dict[str, str], ...] = ()
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PackageResult:
    """What became of an order."""

    made: Made | None = None  # the package; None where none could be made
    found: str = ""  # text of ``Verification.as_json``; empty without a recomputation
    problems: tuple[Problem, ...] = field(default=())  # why there is none
