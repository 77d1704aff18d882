"""What passes between the server and the process that makes a package: plain data and the folder it lies in."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.audit.package.write import Allowance

ENTITY: Final = "entity"
WHOLE: Final = "audit"
BOOK, DOCUMENTS, STATEMENTS = "entity/book.jsonl", "entity/documents", "entity/statements"
FARMS: Final = "farms"
PINS: Final = "pins"
SAMPLE, FINDINGS = "sample.json", "findings.jsonl"


@dataclass(frozen=True, slots=True)
class Order:
    """A package that a verifier asks for."""

    what: str  # ``entity`` (the party's period), ``audit`` (all of it), or the code of a farm
    verify: bool  # it is to be recomputed, not taken away
    name: str  # file name of the zip
    verifier: str  # code of the verifier
    role: str  # in which role the party is audited
    first: date  # the days the audit covers
    last: date  # the days the audit covers
    day: date  # today
    allowances: tuple[Allowance, ...] = ()  # what may be absent, each with the verifier's reason
    farms: tuple[str, ...] = ()  # codes of the farms laid out
    absent: tuple[str, ...] = ()  # drawn farms that are not, because they let the verifier in no longer or not yet

    @property
    def allowed(self) -> list[dict[str, str]]:
        """What may be absent, with the reason."""
        return [{"part": str(one.part), "reason": one.reason} for one in self.allowances]
