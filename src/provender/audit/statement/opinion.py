"""What stands against a favourable opinion that is made with this program (interpretation 74).

A statement that somebody else signed is read with what it states (``receive``); here is what a verifier must have done
and said before this program lets an opinion be called favourable. A qualified opinion names each gap it leaves.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import Any, Final, get_args

from provender import exact
from provender.audit import programme as work_programme
from provender.audit.findings import Bearing, Resolution, Stage
from provender.audit.statement import statement
from provender.days import says, says_something
from provender.exact import Bushels
from provender.problem import Place, Problem, Weight, counted, listed
from provender.rule.crops import Cite, Practice
from provender.rule.law import NotInForceError, rule_version
from provender.schema import (
    Day,
    Fault,
    Text,
    UnreadableError,
    Whole,
    declared,
    field,
    infos,
    is_required,
    is_tuple,
    part,
    read,
    types_of,
)
from provender.signing.canonical import is_hash

# What an audit was engaged for and what was done in it: the parts of a statement beside party, days and opinion.
#
# ISO 14064-3 and ISO 14065 ask a verification body to keep and to state them. ``Engagement`` is what people say;
# ``Work`` is what the audit's own papers say: answered lines, places seen, amounts that closed periods bear out.


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
    addressee: Text = field("Addressed to", help="Who the opinion is written for.", long=True)
    party_responsibility: Text = field("Responsibility of the audited party", long=True)
    verifier_responsibility: Text = field("Responsibility of the verifier", long=True)
    impartiality: Text = field(
        "Impartiality", help="Which threats were looked for, by whom, and what came of it.", long=True
    )
    team: tuple[TeamMember, ...] = field("Team", help="With the competence of each.")
    risks: tuple[AssessedRisk, ...] = field("Risk assessment", help="Of the party as a whole, by assertion.")
    sampling_plan: Text = field(
        "Sampling plan", help="What was sampled, how much of it, and why that is enough.", long=True
    )
    procedures: tuple[Procedure, ...] = field("Evidence procedures", help="At least one for each assertion.")
    reviewed_on: Day = field("Reviewed on", help="Day on which the independent reviewer agreed.")
    later_facts: Text = field(
        "Facts discovered later", help="What the verifier does when one comes to light.", long=True
    )
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
    reason: Text = field("Reason", help=f"Why it is not needed: {'; '.join(work_programme.NotNeeded)}.", default="")


@part
class Quantity:
    """An amount that was verified: what came in under one CI."""

    crop: Text = field("Crop")
    harvest_year: Whole = field("Harvest year")
    ci_g_per_bu: exact.Ci = field("CI")
    bushels: exact.Bushels = field("Bushels", help="Crop equivalents over all forms.")
    pounds: exact.Pounds = field("Pounds", help="Of product among it.", default=0)
    gallons: exact.Gallons = field("Gallons", help="Of fuel, for a refiner.", default=0)


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


LISTS: Final = {name: get_args(kind)[0] for name, kind in types_of(Engagement).items() if is_tuple(kind)}
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


_NUMBERED: Final = re.compile(r"[A-Z]{2,}\W*\d{3,}")
"""How a standard is named, such as ISO 14064-3."""
_TEXTS: Final = frozenset(
    {"party_responsibility", "verifier_responsibility", "impartiality", "sampling_plan", "later_facts", "competence",
     "risk", "response", "procedure", "evidence", "result", "seen"}
)  # fmt: skip
"""Texts that say what was done or found: one word is none."""


def says_nothing(said: Any, *before: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - Engagement, Work or a line of theirs
    """Yield where a required text says nothing, such as *TBD* or *fine*: (name of the field, sentence)."""
    for one in fields(said):
        value, label = getattr(said, one.name), infos(type(said))[one.name].label
        if isinstance(value, tuple):
            for number, line in enumerate(value, start=1):
                told = (words for _, words in says_nothing(line, *before, label, f"line {number}"))
                yield from ((one.name, words) for words in told)
        elif type(value) is str and is_required(one) and not (says_something if one.name in _TEXTS else says)(value):
            yield one.name, f"{', '.join((*before, label))}: {value!r} says nothing."


def to_fill_in(cls: type[Any]) -> dict[str, Any]:
    """Return an engagement or accreditation to fill in: every field, nothing chosen, null where that is an answer."""
    filled: dict[str, Any] = {}
    for name, kind in types_of(cls).items():
        inside = get_args(kind)
        filled[name] = [to_fill_in(inside[0])] if is_tuple(kind) else None if NoneType in inside else ""
    return filled


PERIOD: Final = "period statement"
_BALANCED: Final = (work_programme.Role.FIRST_POINT, work_programme.Role.INTERMEDIARY, work_programme.Role.PROCESSOR)
"""Roles that run a mass balance: closed periods bear their amounts out (2100.034)."""
_NAMED: Final = 3
"""So many gaps of one kind are named, the rest are counted."""
_CONTRADICTIONS: Final = frozenset(
    {"no_package", "no_holder", "no_rule_then", "reviewer_took_part", "unknown_paragraph", "other_programme",
     "not_recomputed", "line_without_reason", "farm_not_drawn", "no_borrowed_audit", "no_hash", "quantity_twice",
     "other_crop_verified", "crop_not_verified", "record_of_other_days", "work_before_engagement",
     "site_seen_too_early", "days_of_work_do_not_fit"}
)  # fmt: skip
"""What no opinion that vouches for something can leave out: buyers rely on a qualified one too, and these are no work
that was left undone but what cannot be, or nothing to hold the statement against."""


def check_signing(one: statement.VerificationStatement) -> list[Problem]:
    """Return what stands against signing a statement by itself; an error keeps it from being signed."""
    problems = [*statement.check_statement(one), *_words(one)]
    if not statement.vouches(one):
        return problems
    qualified, gaps = one.opinion is statement.Opinion.QUALIFIED, gaps_of(one)
    left = exceptions(one) if qualified else []
    if list(one.excepted) != left:
        cause = f"The opinion is {one.opinion.words}; what the statement leaves out is not what it names as excepted."
        named = " ".join(left) or "nothing is left out, so list nothing"
        problems.append(problem(cause, f"State as excepted: {named}", "exceptions_not_named"))
    return problems + [gap for gap in gaps if not qualified or gap.code in _CONTRADICTIONS]


def criteria_of(day: date) -> tuple[str, ...]:
    """Return what every audit of a day is held against; none where the rule was not in force."""
    try:
        return (f"7 CFR part 2100, {rule_version(day).citation}",)
    except NotInForceError:
        return ()


def scope_of(one: statement.VerificationStatement) -> str:
    """Return the scope in words: it says nothing beyond the other parts of the statement."""
    work, _ = read_part(Work, one.work or {})
    sites = list(dict.fromkeys(row.site for row in work.sites)) if work else []
    parts = [
        f"{one.audited_name} as {' and '.join(one.roles)}", " and ".join(one.crops),
        f"{one.covered_first} to {one.covered_last}", f"at {', '.join(sites)}" if sites else "",
        f"with {one.sampled} of {one.farms} supplying farms" if one.farms is not None else "",
    ]  # fmt: skip
    return f"{', '.join(filter(None, parts))}."


def _words(one: statement.VerificationStatement) -> Iterator[Problem]:
    """Yield texts that say nothing, and what the rule or the other parts fix and the statement says otherwise."""
    for name in ("objectives", "materiality", "basis"):
        if says(text := str(getattr(one, name))) and not says_something(text):
            cause = f"{name.capitalize()}: {text!r} says nothing."
            yield problem(cause, "Write a sentence.", "says_nothing")
    if bare := [text for text in one.criteria if not (says_something(text) or _NUMBERED.search(text))]:
        yield problem(f"No criterion: {', '.join(map(repr, bare))}.", "Name the standard.", "says_nothing")
    if left := [text for text in criteria_of(one.covered_last) if text not in one.criteria]:
        cause = f"The criteria do not name {left[0]!r}, the rule of the covered days."
        yield problem(cause, "Write it as it stands here.", "rule_not_named", "2100.040")
    if says(one.scope) and one.scope != scope_of(one):
        cause = f"The scope says other than the parts of the statement: {one.scope!r}."
        yield problem(cause, f"Leave it empty, or write: {scope_of(one)}", "other_scope")
    try:
        most = rule_version(one.covered_last).materiality_pct_max
    except NotInForceError:
        most = 0
    if one.materiality_pct > most:
        cause = f"A materiality of {exact.show(one.materiality_pct)} % is above {exact.show(most)} %."
        yield problem(cause, f"State {exact.show(most)} % or less.", "materiality_too_large")


def exceptions(one: statement.VerificationStatement) -> list[str]:
    """Return the sentences by which a qualified opinion names what it leaves out."""
    return [problem.cause for problem in gaps_of(one) if problem.code not in _CONTRADICTIONS]


def gaps_of(one: statement.VerificationStatement) -> list[Problem]:
    """Return what a favourable opinion still needs; nothing when it can be given."""
    engagement, unsaid = read_part(Engagement, one.engagement or {})
    work, unread = read_part(Work, one.work or {})
    say = "Say it; nothing is filled in for you."
    problems = [problem(f"Engagement: {words}", say, f"no_{name}") for name, words in unsaid]
    problems += [problem(f"Work: {words}", "Take it from the audit's papers.", f"no_{name}") for name, words in unread]
    parts = (("Engagement", engagement), ("Work", work))
    blank = [(name, f"{of}: {words}") for of, part in parts if part is not None for name, words in says_nothing(part)]
    problems += [problem(words, "Write what it was.", f"no_{name}") for name, words in blank]
    problems += _own_papers(one)
    if engagement is not None:
        problems += [*_agreed(one, engagement), *_people(one, engagement, work), *_procedures(one, engagement)]
    if work is not None:
        problems += [*_lines(one, work), *_seen(one, work), *_records(one, work)]
        problems += [*_quantities(one, work), *misstatements(one, work)]
    if engagement is not None and work is not None:
        problems += days_of_work(one, engagement, work)
    return problems


def problem(cause: str, remedy: str, code: str, cite: str = statement.CITE, weight: Weight = Weight.ERROR) -> Problem:
    """Return what stands against a statement."""
    return Problem(Place(statement.FILE), cause, remedy, cite, weight, code)


def _own_papers(one: statement.VerificationStatement) -> Iterator[Problem]:
    if not says(one.accreditation.scope):
        cause = "The accreditation does not say its scope."
        yield problem(cause, "Enter the scope as the certificate has it.", "no_scope_of_accreditation", "2100.041")
    if not (says(one.accreditation.verifier) and says(one.accreditation.verifier_id)):
        cause = "The accreditation does not say the name and the id of its holder."
        yield problem(cause, "Enter both as the certificate has them.", "no_holder", "2100.041")
    if not one.package_mark:
        cause = f"No package of {one.audited_name} was recomputed: nothing that the statement says was held against it."
        yield problem(cause, "Ask for one, and recompute it (--package).", "no_package", "2100.030(d)")


def _agreed(one: statement.VerificationStatement, said: Engagement) -> Iterator[Problem]:
    try:
        least = rule_version(one.covered_last).retention_years
    except NotInForceError as wrong:
        yield problem(str(wrong), "Cover days on which the rule was in force.", "no_rule_then", "2100.040")
        return
    if said.retention_years < least:
        cause = f"Papers are kept for {said.retention_years} years."
        yield problem(cause, f"Keep them for {least} or more; ten is usual.", "retention_too_short", "2100.030(d)")
    for name in LISTS:
        if not getattr(said, name):
            cause = f"Engagement: {infos(Engagement)[name].label}: nothing is said."
            yield problem(cause, "Write at least one line.", f"no_{name}")


def _people(one: statement.VerificationStatement, said: Engagement, work: Work | None) -> Iterator[Problem]:
    team = {_name(each.name) for each in said.team}
    for name, who in ((one.lead_verifier, "lead verifier"), (one.independent_reviewer, "independent reviewer")):
        if said.team and says(name) and _name(name) not in team:
            cause = f"The competence of the {who}, {name}, is not stated."
            yield problem(cause, "Name everybody in the team with part and competence.", "no_competence", "2100.041")
    took_part = {_name(by) for by, _ in deeds(work)} if work else set()
    # Who marks a line of the program may enter what others saw.
    seen = [row.by for row in work.sites] if work else []
    seen += [row.by for row in work.farms if row.way is not Way.EXEMPT] if work else []
    if team and (others := dict.fromkeys(by for by in seen if _name(by) not in team)):
        named = "; ".join(list(others)[:_NAMED])
        cause = f"The competence of {len(others)} who saw sites or farms is not stated: {named}."
        yield problem(cause, "Name everybody in the team, as the work names them.", "no_competence", "2100.041")
    if _name(one.independent_reviewer) in took_part:
        cause = f"{one.independent_reviewer} reviews the audit and took part in it."
        yield problem(cause, "Have it reviewed by somebody who took no part.", "reviewer_took_part")


def deeds(work: Work) -> list[tuple[str, date]]:
    """Return who did what on which day; a farm that another audit stands for was seen by nobody here."""
    deeds = [(row.by, row.on) for row in work.lines] + [(row.by, row.on) for row in work.sites]
    return deeds + [(row.by, row.on) for row in work.farms if row.way is not Way.EXEMPT]


def _name(text: str) -> str:
    return " ".join(text.split()).casefold()


def _procedures(one: statement.VerificationStatement, said: Engagement) -> Iterator[Problem]:
    cited = {}
    for text in [*(row.cite for row in said.procedures), *(row.cite for row in said.risks)]:
        try:
            cited[text] = Cite.parse(text)
        except ValueError as wrong:
            yield problem(f"{text!r}: {wrong}", "Write it like 2100.040(a)(2)(i).", "unknown_paragraph")
    tested = [cited[row.cite] for row in said.procedures if row.cite in cited]
    for assertion in work_programme.assertions_of(*one.roles):
        if said.procedures and not any(cite.within(Cite.parse(assertion)) for cite in tested):
            cause = f"No evidence procedure tests {assertion}."
            yield problem(cause, "Say what was done, and on what evidence.", "assertion_not_tested", assertion)


@cache
def required_lines(*roles: work_programme.Role) -> tuple[work_programme.Item, ...]:
    """Return the lines of the work programme that an audit of a party in its roles answers."""
    return tuple(work_programme.programme(work_programme.roles_in(*roles)))


def _lines(one: statement.VerificationStatement, work: Work) -> Iterator[Problem]:
    asked = {item.line: item for item in required_lines(*one.roles)}
    answered = {row.line: row for row in work.lines}
    if len(answered) != len(work.lines) or answered.keys() - asked.keys():
        cause = "Lines of the work program stand there twice, or belong to another program."
        yield problem(cause, "Take the lines of `provender audit statement draft`.", "other_programme")
    by_machine = {row.line for row in work.lines if row.answer is Answer.RECOMPUTED}
    wrong = any(item.kind == work_programme.TASK for line, item in asked.items() if line in by_machine)
    if by_machine and (wrong or not one.package_mark):
        cause = "Recomputation is named as the answer of a task for people, or no package was recomputed."
        yield problem(cause, "Answer the task, or recompute a package.", "not_recomputed")
    not_needed = [row for row in work.lines if row.answer is Answer.NOT_NEEDED and row.line in asked]
    spared = [(row, work_programme.reasons_for(asked[row.line])) for row in not_needed]
    if bare := [row.cite for row, may in spared if row.reason not in may]:
        named = ", ".join(bare[:_NAMED])
        lines = counted(len(bare), "line of the work program is", "lines of the work program are")
        cause = f"{lines} called not needed without a reason that counts there, such as {named}."
        can = next((may for row, may in spared if row.reason not in may and may), ())
        remedy = f"Answer them; a line of {bare[0]} is always needed." if not can else f"Answer them, or say: {can[0]}."
        yield problem(cause, remedy, "line_without_reason", "2100.040")
    if left := [item for line, item in asked.items() if line not in answered]:
        named = "; ".join(f"{item.cite}: {item.text.rstrip('.')}" for item in left[:_NAMED])
        lines = f"{counted(len(asked), 'line')} of the work program {'is' if len(left) == 1 else 'are'}"
        cause = f"{len(left)} of {lines} not answered, such as {named.rstrip('?')}."
        yield problem(cause, "Answer each line: done, or not needed with the reason.", "line_unanswered", "2100.040")


def _seen(one: statement.VerificationStatement, work: Work) -> Iterator[Problem]:
    if not work.sites or any(row.way is Way.EXEMPT for row in work.sites):
        cause = f"The visit log names no site of {one.audited_name} that was audited, or leaves one out."
        yield problem(cause, "Log site, day, way and what was seen.", "no_site_seen")
    drawn = range(1, (one.sampled or 0) + 1)
    seen = [row.farm for row in work.farms]
    if len(set(seen)) != len(seen) or set(seen) - set(drawn):
        cause = "A farm is named twice, or is not in the sample."
        yield problem(cause, "Name each drawn farm once.", "farm_not_drawn")
    if left := [str(farm) for farm in drawn if farm not in seen]:
        words = f"Farms {', '.join(left)} of the sample are" if len(left) > 1 else f"Farm {left[0]} of the sample is"
        remedy = "Audit them by visit, video or records, or exempt them with the audit that stands for theirs."
        yield problem(f"{words} neither audited nor exempted.", remedy, "farm_not_audited", "2100.040(b)(2)")
    for row in work.farms:
        if row.way is Way.EXEMPT and not says(row.borrowed):
            cause = f"Farm {row.farm} of the sample is exempted, and no audit is named that stands for its own."
            yield problem(cause, "Name the completed audit of the year.", "no_borrowed_audit", "2100.040(b)(2)")


def _records(one: statement.VerificationStatement, work: Work) -> Iterator[Problem]:
    if not all(is_hash(row.sha256) for row in work.records):
        yield problem("The hash of a record is none.", "Take it from the record.", "no_hash")
    if not work.records:
        cause = "No record stands behind the verified quantities."
        yield problem(cause, "Name the period statements with their hashes.", "no_records", "2100.034(c)")
    periods = [(row.first, row.last) for row in work.records if row.what == PERIOD]
    if beyond := [each for each in periods if each[1] < one.covered_first or each[0] > one.covered_last]:
        cause = f"The period statement {beyond[0][0]} to {beyond[0][1]} is of other days than those covered."
        yield problem(cause, "Take its quantities out.", "record_of_other_days", "2100.034(c)")
    if work.records and set(one.roles) & set(_BALANCED):
        for first, last in statement.uncovered_days(one.covered_first, one.covered_last, periods)[:1]:
            cause = f"No period statement covers {first} to {last}."
            remedy = "Have the periods closed and name their statements, or cover other days."
            yield problem(cause, remedy, "period_not_closed", "2100.034(c)")


def _quantities(one: statement.VerificationStatement, work: Work) -> Iterator[Problem]:
    if not any(row.bushels > 0 for row in work.quantities):
        cause = "No quantity was verified."
        yield problem(cause, "State bushels of each crop, harvest year and CI.", "no_quantities")
    keys = [(row.crop, row.harvest_year, row.ci_g_per_bu) for row in work.quantities]
    amounts = [amount for row in work.quantities for amount in (row.bushels, row.pounds, row.gallons, row.ci_g_per_bu)]
    if len(set(keys)) != len(keys) or any(amount < 0 for amount in amounts):
        cause = "A quantity stands there twice, or an amount is below zero."
        yield problem(cause, "Keep one line for each crop, harvest year and CI.", "quantity_twice")
    if strange := sorted({row.crop for row in work.quantities} - set(one.crops)):
        cause = f"Quantities of {', '.join(strange)} were verified; the statement does not cover them."
        yield problem(cause, "Cover the crop, or leave its quantities out.", "other_crop_verified")
    if bare := sorted(set(one.crops) - {row.crop for row in work.quantities}) if work.quantities else []:
        cause = f"The statement covers {', '.join(bare)}, and no quantity of it was verified."
        yield problem(cause, "Verify it, or leave the crop out.", "crop_not_verified")


def misstatements(one: statement.VerificationStatement, work: Work) -> Iterator[Problem]:
    """Yield what is not judged, and that uncorrected misstatements together reach the materiality."""
    if work.differences:
        left = counted(work.differences, "difference of the recomputation is", "differences of the recomputation are")
        cause = f"{left} open: no finding deals with {'it' if work.differences == 1 else 'them'}."
        yield problem(cause, "Make each a finding, and judge it.", "difference_open")
    for row in one.findings:
        number = str(row.get("number"))
        if not row.get("bearing"):
            cause = f"Nobody said whether finding {number} bears on misstatement."
            yield problem(cause, "Judge it: misstatement with bushels or grams, or none.", "no_bearing")
        elif row["bearing"] == Bearing.MISSTATEMENT and not _mended(row):
            amounts = [_amount(row.get(name)) for name in ("effect_bushels", "effect_g_co2e")]
            if None in amounts or not any(amounts):
                cause = f"Finding {number} is a misstatement, and nobody said how large in numbers."
                yield problem(cause, "State bushels or grams.", "misstatement_unmeasured")
    for wrong, claimed, unit in uncorrected(one, work):
        if wrong * 100 * 10**exact.SCALE >= claimed * one.materiality_pct and wrong:
            sums = f"{exact.show(wrong, group=True)} of {exact.show(claimed, group=True)} {unit}"
            cause = f"Uncorrected misstatements sum to {sums}; the materiality is {exact.show(one.materiality_pct)} %."
            yield problem(cause, "Have them corrected, or do not call the opinion favorable.", "material_misstatement")


def uncorrected(one: statement.VerificationStatement, work: Work) -> tuple[tuple[int, int, str], tuple[int, int, str]]:
    """Return what uncorrected misstatements sum to, and of how much, in thousandths of bushels and of g CO2e."""
    left = [row for row in one.findings if row.get("bearing") == Bearing.MISSTATEMENT and not _mended(row)]
    bushels, grams = (sum(_amount(row.get(name)) or 0 for row in left) for name in ("effect_bushels", "effect_g_co2e"))
    whole = sum(row.bushels for row in work.quantities)
    emitted = sum(row.bushels * row.ci_g_per_bu for row in work.quantities) // 10**exact.CI_SCALE
    return (bushels, whole, "bushels"), (grams, emitted, "g CO2e")


def _mended(row: Any) -> bool:  # noqa: ANN401 - a finding as a statement tells it
    return row.get("stage") == Stage.RESOLVED and row.get("resolution") in (Resolution.CORRECTED, Resolution.EXPLAINED)


def _amount(text: object) -> int | None:
    """Return an amount, 0 where nothing is said; None where what is said is no number: that is not nothing."""
    try:
        return abs(exact.parse(str(text))) if text else 0
    except ValueError:
        return None


Ordered = tuple[str, date | None, str, date | None]
"""What comes first with its day, and what comes after it with its day; None where nobody says the day."""


def out_of_order(pairs: Iterable[Ordered], code: str) -> Iterator[Problem]:
    """Yield the pairs whose second day is before the first, each once."""
    for first, day, then, after in dict.fromkeys(pairs):
        if day is not None and after is not None and after < day:
            yield problem(f"{then} on {after} is before {first} on {day}.", "Check the days.", code)


def days_of_work(one: statement.VerificationStatement, said: Engagement, work: Work) -> Iterator[Problem]:
    """Yield where engagement, work, review and issue are not in that order, or a site was seen before the period."""
    done = [day for _, day in deeds(work)]
    first = [("the engagement", said.engaged_on, "Work done", min(done))] if done else []
    yield from out_of_order(first, "work_before_engagement")
    start = ("the first covered day", one.covered_first)
    yield from out_of_order(((*start, f"The visit to {row.site}", row.on) for row in work.sites), "site_seen_too_early")
    review, last = ("The review", said.reviewed_on), ("the last covered day", one.covered_last)
    pairs: list[Ordered] = [(*last, *review), ("the engagement", said.engaged_on, *review)]
    pairs += [("work done", max(done), *review)] if done else []
    pairs += [("the review", said.reviewed_on, "The issue", one.issued_on)]
    yield from out_of_order(pairs, "days_of_work_do_not_fit")


# What a package shows of the audit that it is of, and where a statement says otherwise (interpretation 90).

_ROLE: Final = "2100.040"
FARM_REPORT: Final = "farm report"
"""As ``provender.audit.package.write.Subject`` calls a farm's package."""


@dataclass(frozen=True, slots=True)
class Supplied:
    """What a farm supplied of a crop, by the book."""

    farm: str
    crop: str
    bushels: Bushels


@dataclass(frozen=True, slots=True)
class Closed:
    """A period of the party and the day on which it was closed."""

    start: date
    end: date
    closed_on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageFacts:
    """Whose package it is, as what book and records show the party, and on which days; all within its days."""

    audited: str  # id of the party; audited_name: its name
    audited_name: str
    subject: str  # kind of package
    first: date  # the days it covers, both included
    last: date
    made_on: date  # the day on which it was made, by its own word
    own_keys: bool  # it was recomputed with keys that the verifier pinned itself
    asked_by: str = ""  # the verifier whose request lies in it; empty without one
    roles: tuple[work_programme.Role, ...] = ()  # the party's
    sites: tuple[str, ...] = ()  # of the party; units of a farm. None where it only trades
    crops: tuple[str, ...] = ()  # that came in or were grown
    harvest_years: tuple[int, ...] = ()  # of them
    practices: tuple[Practice, ...] = ()  # that some farm's report counts
    supports: tuple[work_programme.NotNeeded, ...] = ()  # for which reasons lines need no answer
    supplied: tuple[Supplied, ...] = ()  # by farms
    closings: tuple[Closed, ...] = ()  # periods that were closed
    records: tuple[str, ...] = ()  # hashes of balances of closed periods, or of reports
    sample_hash: str = ""  # of the farm sample in it; empty without one

    def closed_on(self, first: date, last: date) -> date | None:
        """Return the last day on which a period was closed that touches some days; None where none was."""
        touching = [one.closed_on for one in self.closings if one.start <= last and one.end >= first]
        return max(touching, default=None)


def against_package(one: statement.VerificationStatement, work: Work, facts: PackageFacts) -> Iterator[Problem]:
    """Yield where a statement says of party, role, days, crops, sites and lines what the package does not show."""
    yield from _party(one, facts)
    yield from _roles(one, facts)
    yield from _sites(one, work, facts)
    yield from _not_needed(one, work, facts)


def _party(one: statement.VerificationStatement, facts: PackageFacts) -> Iterator[Problem]:
    if facts.audited != one.audited:
        cause = f"The package is {facts.audited}'s; {one.audited} is audited."
        yield problem(cause, "Show the audited party's.", "package_of_another")
        return
    if facts.audited_name != one.audited_name:
        cause = f"The audited party is called {one.audited_name!r}; the package calls it {facts.audited_name!r}."
        yield problem(cause, "Write the name as the books have it.", "other_name")
    of_farm = facts.subject == FARM_REPORT
    covers = facts.first <= one.covered_first and one.covered_last <= facts.last
    # A farm's records run from one harvest to the next, whatever the days that its audit covers.
    if not covers and not (of_farm and facts.first <= one.covered_last and one.covered_first <= facts.last):
        cause = f"The package covers {facts.first} to {facts.last}; the statement {one.covered_first} to "
        cause += f"{one.covered_last}."
        yield problem(cause, "Show a package of these days, or cover its days.", "package_of_other_days")
    if strange := sorted(set(one.crops) - set(facts.crops)):
        cause = f"The package shows no {' and no '.join(strange)}."
        yield problem(cause, "Cover the crops that came in.", "crop_not_in_package")
    if facts.asked_by and facts.asked_by != one.verifier:
        cause = f"The package was asked for by {facts.asked_by}; {one.verifier} states the opinion."
        yield problem(cause, "Ask for a package of your own.", "package_of_other_verifier", weight=Weight.CONFIRM)


def _roles(one: statement.VerificationStatement, facts: PackageFacts) -> Iterator[Problem]:
    shown = " and ".join(facts.roles) or "party without a role"
    if strange := [role for role in one.roles if role not in facts.roles]:
        cause = f"{one.audited} is audited as {' and '.join(strange)}; the package shows a {shown}."
        yield problem(cause, "Audit it as what it is.", "other_role", _ROLE)
    if left := [role for role in facts.roles if role not in one.roles]:
        cause = f"The package shows that {one.audited} is a {' and '.join(left)} too; it was not audited as that."
        yield problem(cause, "Name the role under `also`, and answer its lines.", "role_left_out", _ROLE)


def _sites(one: statement.VerificationStatement, work: Work, facts: PackageFacts) -> Iterator[Problem]:
    seen = [row.site for row in work.sites]
    if not facts.sites:
        cause = "The books name no site; the visit log cannot be held against them."
        yield problem(cause, "Confirm where the party works.", "no_site_in_books", weight=Weight.CONFIRM)
    elif strange := [site for site in dict.fromkeys(seen) if site not in facts.sites]:
        cause = f"No site of the books: {', '.join(strange)}. They name {listed(facts.sites, _NAMED)}."
        yield problem(cause, "Log the sites that the books name.", "other_site")
    # A farm's units are many: which of them are looked at, the verifier decides.
    left = [site for site in facts.sites if site not in seen]
    if seen and left and facts.subject != FARM_REPORT:
        cause = f"Nobody audited {listed(left, _NAMED)}, by visit, video or records."
        weight = Weight.ERROR if one.opinion is statement.Opinion.FAVOURABLE else Weight.CONFIRM
        yield problem(cause, "Audit each site of the books.", "site_not_seen", weight=weight)


def _not_needed(one: statement.VerificationStatement, work: Work, facts: PackageFacts) -> Iterator[Problem]:
    """Yield each line that is called not needed for a reason that the package does not bear out."""
    asked = {item.line: item for item in required_lines(*one.roles)}
    for row in work.lines:
        item = asked.get(row.line)
        if row.answer is not Answer.NOT_NEEDED or item is None or row.reason not in work_programme.reasons_for(item):
            continue
        claimed = work_programme.practices_of(Cite.parse(item.cite)) & set(facts.practices)
        if row.reason not in facts.supports or (row.reason == work_programme.NotNeeded.NO_PRACTICE and claimed):
            cause = f"{item.cite} is called not needed because {row.reason}; the package does not show that."
            yield problem(cause, "Do what the line asks.", "reason_not_shown", item.cite)
