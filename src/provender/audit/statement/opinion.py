"""What stands against a favourable opinion that is made with this program (interpretation 74).

A statement that somebody else signed is read with what it states (``receive``); here is what a verifier must have done
and said before this program lets an opinion be called favourable. A qualified opinion names each gap it leaves.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, Final

from provender import exact, schema
from provender.audit.findings import Bearing, Resolution, Stage
from provender.audit.programme import TASK, Item, NotNeeded, Role, assertions_of, programme, reasons_for, roles_in
from provender.audit.statement.statement import CITE, FILE, Opinion, VerificationStatement, check_statement
from provender.days import says, says_something
from provender.problem import Place, Problem, Weight, counted
from provender.rule.crops import Cite
from provender.rule.law import NotInForceError, rule_version

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


@schema.part
class TeamMember:
    """Somebody who took part in the audit or reviewed it."""

    name: schema.Text = schema.field("Name")
    part: schema.Text = schema.field(
        "Part in the audit", help="Such as lead verifier, agronomist, independent reviewer."
    )
    competence: schema.Text = schema.field(
        "Competence", help="Training and experience for this part, and who judged it."
    )


@schema.part
class AssessedRisk:
    """A risk that the party's claims are misstated, and what the audit does about it."""

    risk: schema.Text = schema.field("Risk")
    cite: schema.Text = schema.field("Paragraph", help="Of the assertion it threatens.")
    level: Level = schema.field("Level")
    response: schema.Text = schema.field("Response of the audit")


@schema.part
class Procedure:
    """What was done to test an assertion, and on what evidence."""

    cite: schema.Text = schema.field("Paragraph", help="Of the assertion that is tested.")
    procedure: schema.Text = schema.field("What was done")
    evidence: schema.Text = schema.field("Evidence")
    result: schema.Text = schema.field("Result")


@schema.declared
class Engagement:
    """What verifier and client agreed on, who audited, and how the audit was planned and reviewed."""

    engaged_by: schema.Text = schema.field("Engaged by", help="Who hired the verifier.")
    engaged_on: schema.Day = schema.field("Engaged on")
    addressee: schema.Text = schema.field("Addressed to", help="Who the opinion is written for.", long=True)
    party_responsibility: schema.Text = schema.field("Responsibility of the audited party", long=True)
    verifier_responsibility: schema.Text = schema.field("Responsibility of the verifier", long=True)
    impartiality: schema.Text = schema.field(
        "Impartiality", help="Which threats were looked for, by whom, and what came of it.", long=True
    )
    team: tuple[TeamMember, ...] = schema.field("Team", help="With the competence of each.")
    risks: tuple[AssessedRisk, ...] = schema.field("Risk assessment", help="Of the party as a whole, by assertion.")
    sampling_plan: schema.Text = schema.field(
        "Sampling plan", help="What was sampled, how much of it, and why that is enough.", long=True
    )
    procedures: tuple[Procedure, ...] = schema.field("Evidence procedures", help="At least one for each assertion.")
    reviewed_on: schema.Day = schema.field("Reviewed on", help="Day on which the independent reviewer agreed.")
    later_facts: schema.Text = schema.field(
        "Facts discovered later", help="What the verifier does when one comes to light.", long=True
    )
    retention_years: schema.Whole = schema.field(
        "Papers are kept for (years)", help="From the day of issue, at least five."
    )


@schema.part
class SeenPlace:
    """A site of the audited party that was audited."""

    site: schema.Text = schema.field("Site")
    way: Way = schema.field("How")
    on: schema.Day = schema.field("Day")
    by: schema.Text = schema.field("By")
    seen: schema.Text = schema.field("What was seen")


@schema.part
class SeenFarm:
    """A farm of the sample that was audited; it goes by its place in the sample file, which alone names it."""

    farm: int = schema.field("Place in the sample", help="Counted from 1, in the order of the sample file.")
    way: Way = schema.field("How")
    on: schema.Day = schema.field("Day")
    by: schema.Text = schema.field("By")
    borrowed: schema.Text = schema.field("Audit that stands for it", default="")


@schema.part
class AnsweredLine:
    """A line of the work programme and its answer."""

    line: schema.Text = schema.field("Line")
    cite: schema.Text = schema.field("Paragraph")
    answer: Answer = schema.field("Answer")
    by: schema.Text = schema.field("By")
    on: schema.Day = schema.field("Day")
    reason: schema.Text = schema.field("Reason", help=f"Why it is not needed: {'; '.join(NotNeeded)}.", default="")


@schema.part
class Quantity:
    """An amount that was verified: what came in under one CI."""

    crop: schema.Text = schema.field("Crop")
    harvest_year: schema.Whole = schema.field("Harvest year")
    ci_g_per_bu: exact.Ci = schema.field("CI")
    bushels: exact.Bushels = schema.field("Bushels", help="Crop equivalents over all forms.")
    pounds: exact.Pounds = schema.field("Pounds", help="Of product among it.", default=0)
    gallons: exact.Gallons = schema.field("Gallons", help="Of fuel, for a refiner.", default=0)


@schema.part
class Record:
    """A record of the audited party that bears amounts out: the statement of a closed period, a report."""

    what: schema.Text = schema.field("Record", help="Such as period statement or report.")
    first: schema.Day = schema.field("First day")
    last: schema.Day = schema.field("Last day")
    sha256: schema.Text = schema.field("SHA-256")


@schema.declared
class Work:
    """What the audit's own papers say."""

    lines: tuple[AnsweredLine, ...] = schema.field("Work program", default=())
    sites: tuple[SeenPlace, ...] = schema.field("Sites", default=())
    farms: tuple[SeenFarm, ...] = schema.field("Farms", default=())
    records: tuple[Record, ...] = schema.field("Records", default=())
    quantities: tuple[Quantity, ...] = schema.field("Verified quantities", default=())
    differences: int = schema.field("Differences of recomputation that are no finding yet", default=0)


LISTS: Final = {"team": TeamMember, "risks": AssessedRisk, "procedures": Procedure}
"""What an engagement holds several of, by the name of its field."""


def read_part(cls: type[Any], raw: object) -> tuple[Any, tuple[tuple[str, str], ...]]:
    """Return a part as its class, or None with what keeps it from being read: (name of the field, sentence)."""
    try:
        return schema.read(cls, raw), ()
    except schema.UnreadableError as wrong:
        return None, tuple((str(fault.path[0]) if fault.path else "", _sentence(cls, fault)) for fault in wrong.faults)


def _sentence(cls: type[Any], fault: schema.Fault) -> str:
    if not fault.path:
        return f"{cls.__name__} cannot be read: {fault.reason}."
    known = schema.infos(cls).get(str(fault.path[0]))
    label = known.label if known else str(fault.path[0])
    inside = [f"line {step + 1}" if isinstance(step, int) else step.replace("_", " ") for step in fault.path[1:]]
    where = ", ".join((label, *inside))
    if fault.kind == "missing" or fault.reason == "it is empty":
        return f"{where}: nothing is said."
    return f"{where}: {fault.reason}."


_NUMBERED: Final = re.compile(r"[A-Z]{2,}\W*\d{3,}")
"""How a standard is named, such as ISO 14064-3."""
SENTENCES: Final = frozenset(
    {"party_responsibility", "verifier_responsibility", "impartiality", "sampling_plan", "later_facts", "competence",
     "risk", "response", "procedure", "evidence", "result", "seen"}
)  # fmt: skip
"""Texts that say what was done or found: one word is none."""


def says_nothing(part: Any, *before: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - Engagement, Work or a line of theirs
    """Yield where a required text says nothing, such as *TBD* or *fine*: (name of the field, sentence)."""
    for one in fields(part):
        value, label = getattr(part, one.name), schema.infos(type(part))[one.name].label
        if isinstance(value, tuple):
            for number, line in enumerate(value, start=1):
                told = (words for _, words in says_nothing(line, *before, label, f"line {number}"))
                yield from ((one.name, words) for words in told)
        elif (
            type(value) is str
            and one.default is MISSING
            and not (says_something if one.name in SENTENCES else says)(value)
        ):
            yield one.name, f"{', '.join((*before, label))}: {value!r} says nothing."


def blank_engagement() -> dict[str, Any]:
    """Return an engagement to fill in: every field, nothing chosen."""
    return {
        name: [dict.fromkeys(schema.infos(LISTS[name]), "")] if name in LISTS else ""
        for name in schema.infos(Engagement)
    }


PERIOD: Final = "period statement"
_BALANCED: Final = (Role.FIRST_POINT, Role.INTERMEDIARY, Role.PROCESSOR)
"""Roles that run a mass balance: closed periods bear their amounts out (2100.034)."""
_NAMED: Final = 3
"""So many gaps of one kind are named, the rest are counted."""
_HEX: Final = frozenset("0123456789abcdef")
_HEX_LONG: Final = 64


def check_signing(one: VerificationStatement) -> list[Problem]:
    """Return what stands against signing a statement by itself; an error keeps it from being signed."""
    problems = [*check_statement(one), *_words(one)]
    gaps = gaps_of(one)
    if one.opinion is Opinion.FAVOURABLE:
        return problems + gaps
    if one.opinion is Opinion.QUALIFIED and list(one.excepted) != exceptions(one):
        cause = "The opinion is qualified, but the statement does not name each thing it leaves out."
        listed = " ".join(exceptions(one)) or "nothing is left out, so say favorable or list nothing"
        problems.append(_problem(cause, f"State as excepted: {listed}", "exceptions_not_named"))
    return problems


def criteria_of(day: date) -> tuple[str, ...]:
    """Return what every audit of a day is held against; none where the rule was not in force."""
    try:
        return (f"7 CFR part 2100, {rule_version(day).citation}",)
    except NotInForceError:
        return ()


def scope_of(one: VerificationStatement) -> str:
    """Return the scope in words: it says nothing beyond the other parts of the statement."""
    work, _ = read_part(Work, one.work or {})
    sites = list(dict.fromkeys(row.site for row in work.sites)) if work else []
    parts = [
        f"{one.audited_name} as {' and '.join(one.roles)}", " and ".join(one.crops),
        f"{one.covered_first} to {one.covered_last}", f"at {', '.join(sites)}" if sites else "",
        f"with {one.sampled} of {one.farms} supplying farms" if one.farms is not None else "",
    ]  # fmt: skip
    return f"{', '.join(filter(None, parts))}."


def _words(one: VerificationStatement) -> Iterator[Problem]:
    """Yield texts that say nothing, and what the rule or the other parts fix and the statement says otherwise."""
    for name in ("objectives", "materiality", "basis"):
        if says(text := str(getattr(one, name))) and not says_something(text):
            cause = f"{name.capitalize()}: {text!r} says nothing."
            yield _problem(cause, "Write a sentence.", "says_nothing")
    if bare := [text for text in one.criteria if not (says_something(text) or _NUMBERED.search(text))]:
        yield _problem(f"No criterion: {', '.join(map(repr, bare))}.", "Name the standard.", "says_nothing")
    if left := [text for text in criteria_of(one.covered_last) if text not in one.criteria]:
        cause = f"The criteria do not name {left[0]!r}, the rule of the covered days."
        yield _problem(cause, "Write it as it stands here.", "rule_not_named", "2100.040")
    if says(one.scope) and one.scope != scope_of(one):
        cause = f"The scope says other than the parts of the statement: {one.scope!r}."
        yield _problem(cause, f"Leave it empty, or write: {scope_of(one)}", "other_scope")
    most = _most_material(one.covered_last)
    if one.materiality_pct > most:
        cause = f"A materiality of {exact.show(one.materiality_pct)} % is above {exact.show(most)} %."
        yield _problem(cause, f"State {exact.show(most)} % or less.", "materiality_too_large")


def _most_material(day: date) -> int:
    try:
        return rule_version(day).materiality_pct_max
    except NotInForceError:
        return 0


def exceptions(one: VerificationStatement) -> list[str]:
    """Return the sentences by which a qualified opinion names what it leaves out."""
    return [problem.cause for problem in gaps_of(one)]


def gaps_of(one: VerificationStatement) -> list[Problem]:
    """Return what a favourable opinion still needs; nothing when it can be given."""
    engagement, unsaid = read_part(Engagement, one.engagement or {})
    work, unread = read_part(Work, one.work or {})
    problems = [
        _problem(f"Engagement: {words}", "Say it; nothing is filled in for you.", f"no_{name}")
        for name, words in unsaid
    ]
    problems += [_problem(f"Work: {words}", "Take it from the audit's papers.", f"no_{name}") for name, words in unread]
    parts = (("Engagement", engagement), ("Work", work))
    blank = [(name, f"{of}: {words}") for of, part in parts if part is not None for name, words in says_nothing(part)]
    problems += [_problem(words, "Write what it was.", f"no_{name}") for name, words in blank]
    problems += _own_papers(one)
    if engagement is not None:
        problems += [*_agreed(one, engagement), *_people(one, engagement, work), *_procedures(one, engagement)]
    if work is not None:
        problems += [*_lines(one, work), *_places(one, work), *_farms(one, work), *_records(one, work)]
        problems += [*_quantities(one, work), *misstatements(one, work)]
    if engagement is not None and work is not None:
        problems += days_of_work(one, engagement, work)
    return problems


def _problem(cause: str, remedy: str, code: str, cite: str = CITE) -> Problem:
    return Problem(Place(FILE), cause, remedy, cite, Weight.ERROR, code)


def _own_papers(one: VerificationStatement) -> Iterator[Problem]:
    if not says(one.accreditation.scope):
        cause = "The accreditation does not say its scope."
        yield _problem(cause, "Enter the scope as the certificate has it.", "no_scope_of_accreditation", "2100.041")
    if not (says(one.accreditation.verifier) and says(one.accreditation.verifier_id)):
        cause = "The accreditation does not say the name and the id of its holder."
        yield _problem(cause, "Enter both as the certificate has them.", "no_holder", "2100.041")
    if not one.package_mark:
        cause = f"No package of {one.audited_name} was recomputed: nothing that the statement says was held against it."
        yield _problem(cause, "Ask for one, and recompute it (--package).", "no_package", "2100.030(d)")


def _agreed(one: VerificationStatement, said: Engagement) -> Iterator[Problem]:
    try:
        least = rule_version(one.covered_last).retention_years
    except NotInForceError as wrong:
        yield _problem(str(wrong), "Cover days on which the rule was in force.", "no_rule_then", "2100.040")
        return
    if said.retention_years < least:
        cause = f"Papers are kept for {said.retention_years} years."
        yield _problem(cause, f"Keep them for {least} or more; ten is usual.", "retention_too_short", "2100.030(d)")
    for name, label in (("team", "team"), ("risks", "risk assessment"), ("procedures", "evidence procedures")):
        if not getattr(said, name):
            yield _problem(f"Engagement: {label}: nothing is said.", "Write at least one line.", f"no_{name}")


def _people(one: VerificationStatement, said: Engagement, work: Work | None) -> Iterator[Problem]:
    team = {_name(each.name) for each in said.team}
    for name, who in ((one.lead_verifier, "lead verifier"), (one.independent_reviewer, "independent reviewer")):
        if said.team and says(name) and _name(name) not in team:
            cause = f"The competence of the {who}, {name}, is not stated."
            yield _problem(cause, "Name everybody in the team with part and competence.", "no_competence", "2100.041")
    took_part = {_name(by) for by, _ in deeds(work)} if work else set()
    # Who marks a line of the program may enter what others saw.
    seen = [row.by for row in work.sites] if work else []
    seen += [row.by for row in work.farms if row.way is not Way.EXEMPT] if work else []
    if team and (others := dict.fromkeys(by for by in seen if _name(by) not in team)):
        named = "; ".join(list(others)[:_NAMED])
        cause = f"The competence of {len(others)} who saw sites or farms is not stated: {named}."
        yield _problem(cause, "Name everybody in the team, as the work names them.", "no_competence", "2100.041")
    if _name(one.independent_reviewer) in took_part:
        cause = f"{one.independent_reviewer} reviews the audit and took part in it."
        yield _problem(cause, "Have it reviewed by somebody who took no part.", "reviewer_took_part")


def deeds(work: Work) -> list[tuple[str, date]]:
    """Return who did what on which day; a farm that another audit stands for was seen by nobody here."""
    deeds = [(row.by, row.on) for row in work.lines] + [(row.by, row.on) for row in work.sites]
    return deeds + [(row.by, row.on) for row in work.farms if row.way is not Way.EXEMPT]


def _name(text: str) -> str:
    return " ".join(text.split()).casefold()


def _procedures(one: VerificationStatement, said: Engagement) -> Iterator[Problem]:
    cited = {}
    for text in [*(row.cite for row in said.procedures), *(row.cite for row in said.risks)]:
        try:
            cited[text] = Cite.parse(text)
        except ValueError as wrong:
            yield _problem(f"{text!r}: {wrong}", "Write it like 2100.040(a)(2)(i).", "unknown_paragraph")
    tested = [cited[row.cite] for row in said.procedures if row.cite in cited]
    for assertion in assertions_of(*one.roles):
        if said.procedures and not any(cite.within(Cite.parse(assertion)) for cite in tested):
            cause = f"No evidence procedure tests {assertion}."
            yield _problem(cause, "Say what was done, and on what evidence.", "assertion_not_tested", assertion)


@cache
def required_lines(*roles: Role) -> tuple[Item, ...]:
    """Return the lines of the work programme that an audit of a party in its roles answers."""
    return tuple(programme(roles_in(*roles)))


def _lines(one: VerificationStatement, work: Work) -> Iterator[Problem]:
    asked = {item.line: item for item in required_lines(*one.roles)}
    answered = {row.line: row for row in work.lines}
    if len(answered) != len(work.lines) or answered.keys() - asked.keys():
        cause = "Lines of the work program stand there twice, or belong to another program."
        yield _problem(cause, "Take the lines of `provender audit statement draft`.", "other_programme")
    by_machine = [row for row in work.lines if row.answer is Answer.RECOMPUTED]
    wrong = [row for row in by_machine if row.line in asked and asked[row.line].kind == TASK]
    if by_machine and (wrong or not one.package_mark):
        cause = "Recomputation is named as the answer of a task for people, or no package was recomputed."
        yield _problem(cause, "Answer the task, or recompute a package.", "not_recomputed")
    not_needed = [row for row in work.lines if row.answer is Answer.NOT_NEEDED and row.line in asked]
    spared = [(row, reasons_for(asked[row.line])) for row in not_needed]
    if bare := [row.cite for row, may in spared if row.reason not in may]:
        named = ", ".join(bare[:_NAMED])
        lines = counted(len(bare), "line of the work program is", "lines of the work program are")
        cause = f"{lines} called not needed without a reason that counts there, such as {named}."
        can = next((may for row, may in spared if row.reason not in may and may), ())
        remedy = f"Answer them; a line of {bare[0]} is always needed." if not can else f"Answer them, or say: {can[0]}."
        yield _problem(cause, remedy, "line_without_reason", "2100.040")
    left = [item for line, item in asked.items() if line not in answered]
    if left:
        named = "; ".join(f"{item.cite}: {item.text.rstrip('.')}" for item in left[:_NAMED])
        lines = f"{counted(len(asked), 'line')} of the work program {'is' if len(left) == 1 else 'are'}"
        cause = f"{len(left)} of {lines} not answered, such as {named.rstrip('?')}."
        yield _problem(cause, "Answer each line: done, or not needed with the reason.", "line_unanswered", "2100.040")


def _places(one: VerificationStatement, work: Work) -> Iterator[Problem]:
    if not work.sites or any(row.way is Way.EXEMPT for row in work.sites):
        cause = f"The visit log names no site of {one.audited_name} that was audited, or leaves one out."
        yield _problem(cause, "Log site, day, way and what was seen.", "no_site_seen")


def _farms(one: VerificationStatement, work: Work) -> Iterator[Problem]:
    drawn = range(1, (one.sampled or 0) + 1)
    seen = [row.farm for row in work.farms]
    if len(set(seen)) != len(seen) or set(seen) - set(drawn):
        cause = "A farm is named twice, or is not in the sample."
        yield _problem(cause, "Name each drawn farm once.", "farm_not_drawn")
    if left := [str(farm) for farm in drawn if farm not in seen]:
        words = f"Farms {', '.join(left)} of the sample are" if len(left) > 1 else f"Farm {left[0]} of the sample is"
        remedy = "Audit them by visit, video or records, or exempt them with the audit that stands for theirs."
        yield _problem(f"{words} neither audited nor exempted.", remedy, "farm_not_audited", "2100.040(b)(2)")
    for row in work.farms:
        if row.way is Way.EXEMPT and not says(row.borrowed):
            cause = f"Farm {row.farm} of the sample is exempted, and no audit is named that stands for its own."
            yield _problem(cause, "Name the completed audit of the year.", "no_borrowed_audit", "2100.040(b)(2)")


def _records(one: VerificationStatement, work: Work) -> Iterator[Problem]:
    if any(len(row.sha256) != _HEX_LONG or not set(row.sha256) <= _HEX for row in work.records):
        yield _problem("The hash of a record is none.", "Take it from the record.", "no_hash")
    if not work.records:
        cause = "No record stands behind the verified quantities."
        yield _problem(cause, "Name the period statements with their hashes.", "no_records", "2100.034(c)")
    elif set(one.roles) & set(_BALANCED):
        periods = sorted((row.first, row.last) for row in work.records if row.what == PERIOD)
        if missing := _uncovered(one.covered_first, one.covered_last, periods):
            cause = f"No period statement covers {missing[0]} to {missing[1]}."
            remedy = "Have the periods closed and name their statements, or cover other days."
            yield _problem(cause, remedy, "period_not_closed", "2100.034(c)")


def _uncovered(first: date, last: date, periods: Iterable[tuple[date, date]]) -> tuple[date, date] | None:
    at = first
    for start, end in periods:
        if start > at:
            break
        at = max(at, end + timedelta(days=1))
    return (at, last) if at <= last else None


def _quantities(one: VerificationStatement, work: Work) -> Iterator[Problem]:
    if not any(row.bushels > 0 for row in work.quantities):
        cause = "No quantity was verified."
        yield _problem(cause, "State bushels of each crop, harvest year and CI.", "no_quantities")
    keys = [(row.crop, row.harvest_year, row.ci_g_per_bu) for row in work.quantities]
    amounts = [amount for row in work.quantities for amount in (row.bushels, row.pounds, row.gallons, row.ci_g_per_bu)]
    if len(set(keys)) != len(keys) or any(amount < 0 for amount in amounts):
        cause = "A quantity stands there twice, or an amount is below zero."
        yield _problem(cause, "Keep one line for each crop, harvest year and CI.", "quantity_twice")
    if strange := sorted({row.crop for row in work.quantities} - set(one.crops)):
        cause = f"Quantities of {', '.join(strange)} were verified; the statement does not cover them."
        yield _problem(cause, "Cover the crop, or leave its quantities out.", "other_crop_verified")


def misstatements(one: VerificationStatement, work: Work) -> Iterator[Problem]:
    """Yield what is not judged, and that uncorrected misstatements together reach the materiality."""
    if work.differences:
        open_ones = counted(
            work.differences, "difference of the recomputation is", "differences of the recomputation are"
        )
        cause = f"{open_ones} open: no finding deals with {'it' if work.differences == 1 else 'them'}."
        yield _problem(cause, "Make each a finding, and judge it.", "difference_open")
    for row in one.findings:
        number = str(row.get("number"))
        if not row.get("bearing"):
            cause = f"Nobody said whether finding {number} bears on misstatement."
            yield _problem(cause, "Judge it: misstatement with bushels or grams, or none.", "no_bearing")
        elif row["bearing"] == Bearing.MISSTATEMENT and not _mended(row):
            amounts = [_amount(row.get(name)) for name in ("effect_bushels", "effect_g_co2e")]
            if None in amounts or not any(amounts):
                cause = f"Finding {number} is a misstatement, and nobody said how large in numbers."
                yield _problem(cause, "State bushels or grams.", "misstatement_unmeasured")
    for wrong, claimed, unit in uncorrected(one, work):
        if wrong * 100 * 10**exact.SCALE >= claimed * one.materiality_pct and wrong:
            cause = (
                f"Uncorrected misstatements sum to {exact.show(wrong, group=True)} "
                f"of {exact.show(claimed, group=True)} {unit}; "
                f"the materiality is {exact.show(one.materiality_pct)} %."
            )
            yield _problem(cause, "Have them corrected, or do not call the opinion favorable.", "material_misstatement")


def uncorrected(one: VerificationStatement, work: Work) -> tuple[tuple[int, int, str], tuple[int, int, str]]:
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
            yield _problem(f"{then} on {after} is before {first} on {day}.", "Check the days.", code)


def days_of_work(one: VerificationStatement, said: Engagement, work: Work) -> Iterator[Problem]:
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
