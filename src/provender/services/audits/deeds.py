"""What people say in the deeds of an audit, each declared once: forms, calls of the API and services are made of it.

Those of an engagement, a visited site and a finding are the core's: ``provender.audit``.
"""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar

from provender.audit.findings import in_line
from provender.audit.package.layout import Part
from provender.audit.programme import NotNeeded
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.sample import Extent
from provender.audit.statement.opinion import Way, read_part
from provender.audit.statement.statement import Assurance, Opinion
from provender.exact import Amount
from provender.problem import Place, Problem
from provender.rule.crops import Crop
from provender.schema import Day, Name, Text, declared, field, view
from provender.services.refused import RefusedError

Said = Mapping[str, Any]
"""What somebody says, as plain JSON."""
T = TypeVar("T")


class Mark(StrEnum):
    """What became of a line."""

    DONE = "done"
    NOT_NEEDED = "not needed"
    OPEN = "open"
    """Opened again."""


@view
class Opening:
    """What an audit is about: an audit that is to be opened says it, and one that is open."""

    role: AuditRole = field("As what", help="In which role the party is audited.")
    number: str = field("Your number for the audit")
    harvest_year: int = field("Harvest year")
    covered_first: date = field("First day covered")
    covered_last: date = field("Last day covered")
    due_on: date = field(
        "Statement agreed for", help="As agreed with the party; the rule's own yearly day stands beside it."
    )


@declared
class Committed:
    """A side's own commitment to its part of the seed."""

    commitment: Text = field(
        "Your commitment", help="As “provender audit seed” shows it. Without one the server makes your part."
    )


@declared
class PartOpened:
    """What opens the audited party's commitment."""

    secret: Text = field("The secret behind your commitment")


@declared
class SeedOpened:
    """What opens the seed, and how many farms are drawn."""

    seed: Text = field(
        "The secret behind your commitment", help="Blank where you made no commitment of your own.", default=""
    )
    without_party: bool = field(
        "The party does not open its part", help="It is recorded as its refusal.", default=False
    )
    size: int | None = field("Farms to draw", help="Blank for the least the rule allows.", default=None)


@declared
class Borrowed:
    """A completed audit that stands for a drawn farm's, wholly or in part (2100.040(b)(2))."""

    farm: Name = field("Drawn farm")
    extent: Extent = field("The borrowed audit stands for")
    borrowed_audit: Text = field("Statement of the borrowed audit", help="Its number or hash.")
    verifier: Text = field("Verifier that completed it")
    reason: Text = field("Why you accept it")
    still_to_do: Text = field("Still to be audited", help="For a part: what is audited all the same.", default="")


@declared
class Failed:
    """A drawn farm that failed: farms next in line join the sample (interpretation 56)."""

    farm: Name = field("Farm that failed")
    reason: Text = field("What failed", help="Name the finding.")
    more: int | None = field("Farms to add", help="Blank for as many as were drawn in its stratum.", default=None)


@declared
class LineMark:
    """What became of a line of the work program, what was seen, and where it shows."""

    state: Mark = field("Result")
    reason: NotNeeded | None = field(
        "Why not needed", help="The package must show it when the statement is signed.", default=None
    )
    note: Text = field("What was seen")
    evidence: Text = field("Evidence", help="File, photograph or document number.", default="")


@declared
class PackageAsked:
    """A package to ask for, and what may be absent from it."""

    what: Name = field("Package of")
    absent: tuple[Part, ...] = field(
        "May be absent",
        help="You decide this, never the audited party. It stands in the package with your reason.",
        default=(),
    )
    reason: Text = field("Your reason", default="")


@declared
class PackageToMake(PackageAsked):
    """A package to ask for, to be recomputed here or taken away."""

    recompute: bool = field("Recompute it here", help="Else it is made to be downloaded.", default=False)


@declared
class Visited:
    """A site of the party, or a drawn farm by its code, that was audited."""

    farm: Text = field("Drawn farm", help="Or leave it and name a site.", default="")
    site: Text = field("Site", default="")
    way: Way = field("How")
    on: Day = field("Day")
    by: Text = field("By")
    seen: Text = field("What was seen", long=True)


@declared
class Words:
    """What people say in a statement; party, days, sample, findings and accreditation come from the audit."""

    lead_verifier: Text = field("Lead verifier")
    independent_reviewer: Text = field("Independent reviewer", help="Somebody who took no part in the audit.")
    crops: tuple[Crop, ...] = field("Crops")
    objectives: Text = field("Objectives", long=True)
    criteria: tuple[Text, ...] = field("Criteria", help="One per line. Keep the line that names the rule.")
    assurance: Assurance = field("Assurance")
    materiality_pct: Amount = field("Materiality (%)")
    materiality: Text = field("How it was applied")
    opinion: Opinion = field("Opinion")
    basis: Text = field("Basis of the opinion", help="For a qualified opinion, what is excepted.", long=True)


def read_said(cls: type[T], said: Said, place: str, cite: str = "") -> T:
    """Read what somebody says in a deed; texts of several lines become one line.

    Raises:
        RefusedError: with the field of each part that is missing or cannot be read.
    """
    found, unread = read_part(cls, on_one_line(said))
    if unread:
        remedy = "Complete or correct it."
        raise RefusedError(
            Problem(Place(place, column=name), words, remedy, cite, code=f"no_{name}") for name, words in unread
        )
    made: T = found
    return made


def on_one_line(said: Said) -> dict[str, Any]:
    """Return what is said with each text on one line, as statements print it."""
    return {name: in_line(value) if isinstance(value, str) else value for name, value in said.items()}
