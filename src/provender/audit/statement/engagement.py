"""What an audit was engaged for and what was done in it: the parts of a statement beside party, days and opinion.

ISO 14064-3 and ISO 14065 ask a verification body to keep and to state them. ``Engagement`` is what people say;
``Work`` is what the audit's own papers say: answered lines, places seen, amounts that closed periods bear out.
"""

from collections.abc import Iterator
from dataclasses import MISSING, fields
from enum import StrEnum
from typing import Any, Final

from provender.plain import declared, field, infos, part, read
from provender.quantity import Bushels, Ci, Gallons, Pounds
from provender.said import says
from provender.wire import Day, Fault, Text, UnreadableError, Whole


class Level(StrEnum):
    """How large a risk of misstatement is."""

    LOW = "low"
    MIDDLE = "middle"
    HIGH = "high"


class Way(StrEnum):
    """How a place was audited."""

    VISIT = "visit"
    VIDEO = "video"
    RECORDS = "records"
    EXEMPT = "exempt"
    """A drawn farm for which a completed audit stands (2100.040(b)(2))."""


class Answer(StrEnum):
    """How a line of the work programme was answered."""

    DONE = "done"
    NOT_NEEDED = "not needed"
    RECOMPUTED = "recomputed"
    """Recomputation of the package settled it."""


@part
class TeamMember:
    """Somebody who took part in the audit or reviewed it."""

    name: Text = field("Name")
    part: Text = field("Part in the audit", help="Such as lead verifier, agronomist, independent reviewer.")
    competence: Text = field("Competence", help="Training and experience for this part, and who judged it.")


@part
class AssessedRisk:
    """A risk that the party's claims are misstated, and what the audit does about it."""

    risk: Text = field("Risk")
    cite: Text = field("Paragraph", help="Of the assertion it threatens.")
    level: Level = field("Level")
    response: Text = field("Response of the audit")


@part
class Procedure:
    """What was done to test an assertion, and on what evidence."""

    cite: Text = field("Paragraph", help="Of the assertion that is tested.")
    procedure: Text = field("What was done")
    evidence: Text = field("Evidence")
    result: Text = field("Result")


@declared
class Engagement:
    """What verifier and client agreed on, who audited, and how the audit was planned and reviewed."""

    engaged_by: Text = field("Engaged by", help="Who hired the verifier.")
    engaged_on: Day = field("Engaged on")
    addressee: Text = field("Addressed to", help="Who the opinion is written for.")
    party_responsibility: Text = field("Responsibility of the audited party")
    verifier_responsibility: Text = field("Responsibility of the verifier")
    impartiality: Text = field("Impartiality", help="Which threats were looked for, by whom, and what came of it.")
    team: tuple[TeamMember, ...] = field("Team", help="With the competence of each.")
    risks: tuple[AssessedRisk, ...] = field("Risk assessment", help="Of the party as a whole, by assertion.")
    sampling_plan: Text = field("Sampling plan", help="What was sampled, how much of it, and why that is enough.")
    procedures: tuple[Procedure, ...] = field("Evidence procedures", help="At least one for each assertion.")
    reviewed_on: Day = field("Reviewed on", help="Day on which the independent reviewer agreed.")
    later_facts: Text = field("Facts discovered later", help="What the verifier does when one comes to light.")
    retention_years: Whole = field("Papers are kept for (years)", help="From the day of issue, at least five.")


@part
class SeenPlace:
    """A site of the audited party that was audited."""

    site: Text = field("Site")
    way: Way = field("How")
    on: Day = field("Day")
    by: Text = field("By")
    seen: Text = field("What was seen")


@part
class SeenFarm:
    """A farm of the sample that was audited; it goes by its place in the sample file, which alone names it."""

    farm: int = field("Place in the sample", help="Counted from 1, in the order of the sample file.")
    way: Way = field("How")
    on: Day = field("Day")
    by: Text = field("By")
    borrowed: Text = field("Audit that stands for it", default="")


@part
class AnsweredLine:
    """A line of the work programme and its answer."""

    line: Text = field("Line")
    cite: Text = field("Paragraph")
    answer: Answer = field("Answer")
    by: Text = field("By")
    on: Day = field("Day")
    reason: Text = field("Reason", help="Why the line is not needed.", default="")


@part
class Quantity:
    """An amount that was verified: what came in under one CI."""

    crop: Text = field("Crop")
    harvest_year: Whole = field("Harvest year")
    ci_g_per_bu: Ci = field("CI")
    bushels: Bushels = field("Bushels", help="Crop equivalents over all forms.")
    pounds: Pounds = field("Pounds", help="Of product among it.", default=0)
    gallons: Gallons = field("Gallons", help="Of fuel, for a refiner.", default=0)


@part
class Record:
    """A record of the audited party that bears amounts out: the statement of a closed period, a report."""

    what: Text = field("Record", help="Such as period statement or report.")
    first: Day = field("First day")
    last: Day = field("Last day")
    sha256: Text = field("SHA-256")


@declared
class Work:
    """What the audit's own papers say."""

    lines: tuple[AnsweredLine, ...] = field("Work program", default=())
    sites: tuple[SeenPlace, ...] = field("Sites", default=())
    farms: tuple[SeenFarm, ...] = field("Farms", default=())
    records: tuple[Record, ...] = field("Records", default=())
    quantities: tuple[Quantity, ...] = field("Verified quantities", default=())
    differences: int = field("Differences of recomputation that are no finding yet", default=0)


LISTS: Final = {"team": TeamMember, "risks": AssessedRisk, "procedures": Procedure}
"""What an engagement holds several of, by the name of its field."""


def read_part(cls: type[Any], raw: object) -> tuple[Any, tuple[tuple[str, str], ...]]:
    """Return a part as its class, or None with what keeps it from being read: (name of the field, sentence)."""
    try:
        return read(cls, raw), ()
    except UnreadableError as wrong:
        return None, tuple((str(fault.path[0]) if fault.path else "", _sentence(cls, fault)) for fault in wrong.faults)


def _sentence(cls: type[Any], fault: Fault) -> str:
    if not fault.path:
        return f"{cls.__name__} cannot be read: {fault.reason}."
    known = infos(cls).get(str(fault.path[0]))
    label = known.label if known else str(fault.path[0])
    inside = [f"line {step + 1}" if isinstance(step, int) else step.replace("_", " ") for step in fault.path[1:]]
    where = ", ".join((label, *inside))
    if fault.kind == "missing" or fault.reason == "it is empty":
        return f"{where}: nothing is said."
    return f"{where}: {fault.reason}."


def says_nothing(part: Any, *before: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - Engagement, Work or a line of theirs
    """Yield where a required text names nothing, such as a dash or *TBD*: (name of the field, sentence)."""
    for one in fields(part):
        value, label = getattr(part, one.name), infos(type(part))[one.name].label
        if isinstance(value, tuple):
            for number, line in enumerate(value, start=1):
                told = (words for _, words in says_nothing(line, *before, label, f"line {number}"))
                yield from ((one.name, words) for words in told)
        elif type(value) is str and one.default is MISSING and not says(value):
            yield one.name, f"{', '.join((*before, label))}: {value!r} says nothing."


def blank_engagement() -> dict[str, Any]:
    """Return an engagement to fill in: every field, nothing chosen."""
    return {name: [dict.fromkeys(infos(LISTS[name]), "")] if name in LISTS else "" for name in infos(Engagement)}
