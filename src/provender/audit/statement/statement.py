"""The verification statement: what was verified, against what, for which days, with what result (2100.032(c)(1)).

The rule asks every seller to hand on proof of verification and says nothing about its form; the parts here follow what
ISO 14065 and ISO 14064-3 have such a statement hold. A statement that comes to light to be wrong is never edited: an
addendum under its hash says what was found later and whether the statement still stands.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from provender.audit.findings import Severity, Stage
from provender.audit.outcome import known_in
from provender.audit.programme import Role
from provender.audit.sampling.population import ListReader, minimum_farms
from provender.custody.model.grain import plain_name
from provender.days import says, says_something, years_after
from provender.exact import SCALE, Amount, show
from provender.problem import Place, Problem, Weight
from provender.records.field import ColumnKind, Field
from provender.rule.crops import Crop
from provender.rule.law import RuleVersion
from provender.schema import Day, Text, declared, field, read, view, write

ACCREDITATION_CITE: Final = "2100.041"
STANDARD: Final = "ISO 14065"


class Forum(StrEnum):
    """Whose members may accredit."""

    IAF = "IAF"
    """International Accreditation Forum, to the end of 2025."""
    SUCCESSOR = "Global Accreditation Cooperation Incorporated"
    """From 1 January 2026."""


_FORUM_ENDS: Final = date(2025, 12, 31)
_SUCCESSOR_STARTS: Final = date(2026, 1, 1)
_TRANSITION_ENDS: Final = date(2026, 12, 31)


@declared
class Membership:
    """The accreditation body's place in a forum."""

    forum: Forum = field("The body is a member of")
    first: Day = field("Member since")
    last: Day | None = field("Member until", help="Blank while it lasts.", default=None)
    source: Text = field("Where this was looked up", help="Such as: the forum's list of members, and the day.")

    def holds(self, day: date) -> bool:
        """Tell whether it counts on a day; each forum only in its own time."""
        in_time = day <= _FORUM_ENDS if self.forum is Forum.IAF else day >= _SUCCESSOR_STARTS
        return in_time and self.first <= day and (self.last is None or day <= self.last)

    def carried_over(self, day: date) -> bool:
        """Tell whether a place held at the Forum's end still speaks for the body in the year after."""
        kept = self.forum is Forum.IAF and self.first <= _FORUM_ENDS and (self.last is None or self.last >= _FORUM_ENDS)
        return kept and _SUCCESSOR_STARTS <= day <= _TRANSITION_ENDS


@declared
class Suspension:
    """Days on which an accreditation was suspended."""

    first: Day = field("Suspended from")
    last: Day | None = field("Suspended until", help="Blank while it lasts.", default=None)


@declared
class Certificate:
    """What a verifier shows of its accreditation to ISO 14065 (2100.041)."""

    standard: Text = field("Standard", example=f"{STANDARD}:2020")
    # Empty where nobody said.
    scope: Text = field("Scope", help="In the words of the certificate.", default="")
    body: Text = field("Accreditation body")
    number: Text = field("Number of the certificate")
    first: Day = field("Valid from")
    last: Day = field("Valid until")
    memberships: tuple[Membership, ...] = field("Places of the body in forums")
    suspended: tuple[Suspension, ...] = field("Suspensions", default=())


@declared
class Accreditation(Certificate):
    """The certificate of a verifier."""

    verifier: Text = field("Verifier")
    verifier_id: Text = field("Its id", help="Empty where nobody said.", default="")

    def document(self) -> dict[str, Any]:
        """Return plain data; a scope and an id that nobody said are left out."""
        said = write(self, whole=True)
        return {name: value for name, value in said.items() if value or name not in ("scope", "verifier_id")}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Accreditation":
        """Read what ``document`` wrote, or another verifier's words of this kind: more may be said.

        Raises:
            KeyError, TypeError, ValueError: it is no accreditation.
        """
        places = [known_in(Membership, one) for one in data["memberships"]]
        return read(cls, known_in(cls, data) | {"memberships": places})


def check_accreditation(shown: Accreditation, day: date) -> list[Problem]:
    """Return what stands against a verifier's accreditation on a day; nothing when it holds."""
    problems = []

    def tell(cause: str, remedy: str, code: str, weight: Weight = Weight.ERROR) -> None:
        problems.append(
            Problem(Place(f"accreditation of {shown.verifier}"), cause, remedy, ACCREDITATION_CITE, weight, code)
        )

    if shown.standard.split(":")[0].strip() != STANDARD:
        cause = f"The verifier is accredited to {shown.standard or 'nothing'}, not to {STANDARD}."
        tell(cause, "Show the certificate for the right standard.", "other_standard")
    if not shown.body.strip() or not shown.number.strip():
        tell("The accreditation body or the certificate's number is missing.", "State both.", "no_certificate")
    if not shown.first <= day <= shown.last:
        cause = f"The accreditation runs from {shown.first} to {shown.last}; {day} lies outside."
        tell(cause, "Show an accreditation that covers the day.", "not_accredited_on_day")
    if any(one.first <= day and (one.last is None or day <= one.last) for one in shown.suspended):
        tell(f"The accreditation was suspended on {day}.", "Ask the accreditation body.", "suspended_on_day")
    if any(one.holds(day) for one in shown.memberships):
        return problems
    if any(one.carried_over(day) for one in shown.memberships):
        cause = f"{shown.body} was a member of the IAF when it ended; its place in the successor is not shown."
        tell(cause, "Look it up in the successor's list and add it.", "membership_to_confirm", Weight.CONFIRM)
    else:
        forum = Forum.IAF if day <= _FORUM_ENDS else Forum.SUCCESSOR
        cause = f"Nothing shows that {shown.body or 'the body'} was a member of the {forum} on {day}."
        tell(cause, "Look the body up in the member list and state day and source.", "body_not_member")
    return problems


# The list of accreditation bodies in the forums that a verifier keeps: whose members may accredit (2100.041).
#
# What a statement says of its accreditation body is the word of whoever wrote it. The forums publish their members; a
# verifier keeps that list as CSV and holds statements against it. A body with two names has two rows.

FORUM_COLUMNS: Final = {
    "forum": Field(ColumnKind.CHOICE, "Forum", options=tuple(Forum), required=True),
    "body": Field(ColumnKind.TEXT, "Accreditation body", required=True),
    "first": Field(ColumnKind.DAY, "Member since", required=True),
    "last": Field(ColumnKind.DAY, "Member until"),
    "source": Field(ColumnKind.TEXT, "Source"),
}
_FORUMS: Final = {
    "iaf": Forum.IAF,
    "international accreditation forum": Forum.IAF,
    "global accreditation cooperation incorporated": Forum.SUCCESSOR,
    "global accreditation cooperation": Forum.SUCCESSOR,
}


@dataclass(frozen=True, slots=True)
class ForumList:
    """Places of bodies in forums, by the name of the body as ``plain_name`` spells it."""

    members: tuple[tuple[str, Membership], ...]

    def of(self, body: str) -> tuple[Membership, ...]:
        return tuple(place for name, place in self.members if name == plain_name(body))


def read_forums(raw: bytes, file: str) -> ForumList:
    """Read a list of forum members.

    Args:
        raw: CSV in UTF-8 with the columns ``forum``, ``body``, ``first``, ``last``, ``source``; ``last`` is empty while
            the membership lasts.
        file: what to call it in problems.

    Raises:
        ProblemsError: it is no such list, or a row cannot be read.
    """
    reader = ListReader(file, FORUM_COLUMNS, ACCREDITATION_CITE, {"forum": _FORUMS}, whole=True)
    rows = reader.rows(raw)
    reader.refuse_errors()
    places = (
        (plain_name(row["body"]), Membership(forum=Forum(row["forum"]), first=row["first"], last=row["last"],
                                             source=row["source"] or ""))
        for _, row in rows
    )  # fmt: skip
    return ForumList(tuple(places))


# Whether a verifier is independent of a party and of the farms behind it, by the ties that are known.
#
# An organisation that prepared a farm's records, or has members in common with it, verifies neither the farm nor its
# buyer (2100.002, interpretation 55). Ties are declared beside a statement, or counted by a server; what follows from
# them is said here alone.

INDEPENDENCE_CITE: Final = '2100.002 "third-party verifier"'
_ANOTHER: Final = "Hire another verifier, who has nothing to do with them."


@dataclass(frozen=True, slots=True)
class Ties:
    """What binds a verifying organisation to others, by their names or ids."""

    prepared_records_of: frozenset[str] = frozenset()  # whose records it, or anyone working for it, prepared or typed
    members_in_common_with: frozenset[str] = frozenset()  # who shares a person with it
    advises: frozenset[str] = frozenset()  # whom it advises on the matter it verifies
    owns_or_owned_by: frozenset[str] = frozenset()  # with whom it shares ownership


def check_independence(
    verifier: str, audited: str, suppliers: Iterable[str], ties: Ties, names: Mapping[str, str] | None = None
) -> list[Problem]:
    """Return what makes a verifier dependent on the audited party or on a farm that supplies it (interpretation 55).

    Args:
        verifier: by its name, or by an id that ``names`` tells; the others alike.
        audited: the party.
        suppliers: farms that it buys from.
        ties: of the verifier.
        names: what people call each id; without one an id is the name.
    """
    called = names or {}
    who, buyer = called.get(verifier, verifier), called.get(audited, audited)
    place, problems = Place(f"independence of {who}"), []
    for party in dict.fromkeys([audited, *suppliers]):
        name = called.get(party, party)
        behind = "" if party == audited else f" {name} supplies {buyer}."
        if party == verifier:
            cause = f"{who} cannot verify itself."
            problems.append(Problem(place, cause, _ANOTHER, INDEPENDENCE_CITE, code="verifies_itself"))
            continue  # what binds it to itself says nothing more
        for parties, code, cause in (
            (ties.members_in_common_with, "members_in_common", f"{who} and {name} have a member in common."),
            (ties.advises, "advises", f"{who} advises {name}."),
            (ties.prepared_records_of, "prepared_records", f"{who} prepared records of {name}."),
            (ties.owns_or_owned_by, "shared_ownership", f"{who} and {name} share ownership."),
        ):
            if party in parties:
                problems.append(Problem(place, cause + behind, _ANOTHER, INDEPENDENCE_CITE, code=code))
    return problems


KIND: Final = "provender/verification-statement"
ADDENDUM_KIND: Final = "provender/verification-addendum"
CITE: Final = "2100.032(c)(1)"
FILE: Final = "verification statement"


class Assurance(StrEnum):
    """How sure the verifier is."""

    REASONABLE = "reasonable"
    LIMITED = "limited"


class Opinion(StrEnum):
    """The result, best first."""

    FAVOURABLE = "favourable"
    QUALIFIED = "qualified"
    """Favourable but for what ``basis`` names."""
    ADVERSE = "adverse"
    DISCLAIMED = "disclaimed"
    """The verifier could not form one."""

    @property
    def words(self) -> str:
        """Return it as people write it; what is signed keeps the spelling of the first statements."""
        return "favorable" if self is Opinion.FAVOURABLE else str(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationStatement:
    """A verification statement. Texts are whole sentences; empty only where said."""

    number: str  # the verifier's own
    audited: str  # id of the audited party; audited_name: its name; role: as which it was audited
    audited_name: str
    role: Role
    also: tuple[Role, ...] = ()  # its roles besides, whose lines were answered too
    verifier: str  # id of the verifier's organisation; verifier_name: its name
    verifier_name: str
    # two people
    lead_verifier: str
    independent_reviewer: str
    accreditation: Accreditation  # what the verifier showed, for the day of issue
    objectives: str  # what was to be found out, and where the audit ended
    scope: str  # what was to be found out, and where the audit ended
    criteria: tuple[str, ...]  # what was verified against: rule version, calculator version, standards
    crops: tuple[str, ...]  # crops or products covered
    covered_first: date  # the days whose claims are covered, both included
    covered_last: date  # the days whose claims are covered, both included
    issued_on: date  # the day
    assurance: Assurance  # reasonable or limited
    materiality_pct: Amount  # share of the claimed bushels or grams above which an error matters, in percent
    materiality: str  # how that was applied
    farms: int | None = None  # farms in the population, None where no farms are sampled
    # farms audited or borrowed, None likewise; who they are is a business secret and stands only in the sample file,
    # whose hash is sample_hash
    sampled: int | None = None
    sample_hash: str = ""
    draw: tuple[str, ...] = ()  # what whoever rests on the sample is told of its draw (``draw_notes``)
    package_mark: str = ""  # hash that stands for the verification package, empty without one
    findings: tuple[Mapping[str, Any], ...] = ()  # every finding as ``Finding.public`` gives it
    opinion: Opinion  # the result; basis: why, and for a qualified opinion what is excepted
    basis: str
    # as ``Engagement`` and ``Work`` are written; None where the statement does not say
    engagement: Mapping[str, Any] | None = None
    # as ``Engagement`` and ``Work`` are written; None where the statement does not say
    work: Mapping[str, Any] | None = None
    excepted: tuple[str, ...] = ()  # what a qualified opinion made with this program leaves out, in sentences

    @property
    def roles(self) -> tuple[Role, ...]:
        return tuple(dict.fromkeys((self.role, *self.also)))

    def covers(self, day: date, crop: str) -> bool:
        """Tell whether claims of a day and crop fall under the statement, whatever its opinion."""
        return self.covered_first <= day <= self.covered_last and crop in self.crops

    def document(self) -> dict[str, Any]:
        """Return plain data for signing and printing: days as ISO text, the percentage as decimal text.

        Parts that a statement may lack are left out where nothing is said.
        """
        said = {name: value for name, value in write(self, whole=True).items() if value or name not in _MAY_LACK}
        return {"kind": KIND, **said, "accreditation": self.accreditation.document()}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "VerificationStatement":
        """Read what ``document`` wrote, or another verifier's statement of this kind.

        What decides what a statement vouches for must be there; the rest may be left out, and more may be said.

        Raises:
            KeyError, TypeError, ValueError: it is no statement.
        """
        if data["kind"] != KIND:
            raise ValueError(f"{data['kind']!r} is no verification statement")
        blank = dict.fromkeys(_UNSAID, "") | {"criteria": [], "findings": [], "materiality_pct": "0"}
        shown = Accreditation.read(data["accreditation"])
        plain = {**blank, **known_in(cls, data), "accreditation": shown.document()}
        # Another verifier may say in its own form what it was engaged for and did.
        own = {name: plain.pop(name) for name in ("engagement", "work") if name in plain}
        return replace(read(cls, plain), **own)


_UNSAID: Final = (
    "audited_name", "verifier_name",
    "lead_verifier", "independent_reviewer", "objectives", "scope", "materiality", "basis",
)  # fmt: skip
"""Texts that a statement made elsewhere may leave out."""
_MAY_LACK: Final = frozenset({"also", "draw", "engagement", "work", "excepted"})
"""Parts that a statement made elsewhere may lack."""
TEXTS: Final = (
    "number",
    "audited",
    "audited_name",
    "verifier",
    "verifier_name",
    "lead_verifier",
    "independent_reviewer",
    "objectives",
    "scope",
    "materiality",
    "basis",
)


def check_statement(one: VerificationStatement) -> list[Problem]:
    """Return what is wrong or missing in a statement, its accreditation on the day of issue included."""
    return [*_gaps(one), *_holder(one), *_sampled(one), *check_accreditation(one.accreditation, one.issued_on)]


def _holder(one: VerificationStatement) -> Iterator[Problem]:
    """Yield that the accreditation is another's, as far as the statement says whose it is."""
    shown = one.accreditation
    for what, said, held in (
        ("id", one.verifier, shown.verifier_id),
        ("name", plain_name(one.verifier_name), plain_name(shown.verifier)),
    ):
        if said and held and said != held:
            cause = f"The {what} of the verifier is {said}; the accreditation shown is that of {held}."
            yield _fault(one, cause, "Show the verifier's own certificate.", "accreditation_of_other", "2100.041")


def _gaps(one: VerificationStatement) -> Iterator[Problem]:
    blank = [name for name in TEXTS if not says(str(getattr(one, name)))]
    if blank := [*blank, *(name for name in ("criteria", "crops") if not getattr(one, name))]:
        cause = f"The statement does not say: {', '.join(blank).replace('_', ' ')}."
        yield _fault(one, cause, "Fill it in.", "incomplete")
    if strange := sorted(set(one.crops) - {str(crop) for crop in Crop}):
        cause = f"{', '.join(strange)}: no crop of 2100.011."
        yield _fault(one, cause, "Name corn, soybeans or sorghum.", "other_crop")
    if one.verifier == one.audited:
        cause = f"{one.audited} cannot verify itself."
        yield _fault(one, cause, "Hire a third-party verifier.", "verifies_itself")
    reviewer = one.independent_reviewer.strip().casefold()
    if reviewer and one.lead_verifier.strip().casefold() == reviewer:
        cause = "Lead verifier and independent reviewer are one person."
        yield _fault(one, cause, "Have the audit reviewed by somebody who took no part in it.", "not_reviewed")
    if not 0 < one.materiality_pct < 100 * 10**SCALE:
        cause = "No materiality is stated: the share from which errors matter."
        if one.materiality_pct:
            cause = f"A materiality of {show(one.materiality_pct)} % is none."
        yield _fault(one, cause, "State a share above 0 and below 100 %.", "no_materiality")
    if not one.covered_first <= one.covered_last <= one.issued_on:
        cause = f"Covered {one.covered_first} to {one.covered_last}, issued {one.issued_on}: these days do not fit."
        yield _fault(one, cause, "Cover days that have passed, first before last.", "days_do_not_fit")
    against = [
        str(finding["number"])
        for finding in one.findings
        if finding["severity"] == Severity.MAJOR
        and (finding["stage"] != Stage.RESOLVED or finding["resolution"] == "stands")
    ]
    if one.opinion is Opinion.FAVOURABLE and against:
        cause = f"The opinion is favorable, but major findings stand: {', '.join(against)}."
        yield _fault(one, cause, "Resolve them, or qualify the opinion.", "opinion_against_findings")


def _sampled(one: VerificationStatement) -> Iterator[Problem]:
    sample = one.farms, one.sampled, one.sample_hash, one.draw
    if Role.FIRST_POINT not in one.roles and sample == (None, None, "", ()):
        return
    least = minimum_farms(one.farms or 0)
    if not one.farms or one.sampled is None or not one.sample_hash:
        cause = "The audit of a first point names its farms, the sample and the sample file."
        yield _fault(one, cause, "Add them: `provender audit sample` makes the file.", "no_sample")
    elif not least <= one.sampled <= one.farms:
        cause = f"{one.sampled} of {one.farms} farms were audited; at least {least} are needed."
        yield _fault(one, cause, "Draw and audit the rest of the sample.", "sample_too_small")


def _fault(one: VerificationStatement, cause: str, remedy: str, code: str, cite: str = CITE) -> Problem:
    return Problem(Place(f"{FILE} {one.number}".strip()), cause, remedy, cite, code=code)


class LaterEffect(StrEnum):
    """What a fact found later does to a statement."""

    STANDS = "stands"
    """It changes nothing that the opinion rests on."""
    REPLACED = "replaced"
    """Another statement, named in the addendum, takes its place from the addendum's day."""
    WITHDRAWN = "withdrawn"
    """The statement no longer speaks for anything from the addendum's day."""


def addendum(statement_hash: str, on: date, text: str, effect: LaterEffect, replaced_by: str = "") -> dict[str, Any]:
    """Return the document of a fact found later, to be signed by the same verifier.

    Raises:
        ValueError: no sentence, or a replacement without the hash of the new statement (and only then).
    """
    if not says_something(text) or (effect is LaterEffect.REPLACED) != bool(replaced_by):
        raise ValueError("say what was found, and name the new statement where one replaces this")
    return {
        "kind": ADDENDUM_KIND,
        "statement": statement_hash,
        "on": on.isoformat(),
        "text": text,
        "effect": str(effect),
        "replaced_by": replaced_by,
    }


def favourable(problems: list[Problem], one: VerificationStatement) -> bool:
    """Tell whether buyers may rely on a statement: no error found, and favourable or qualified."""
    sound = not any(problem.weight is Weight.ERROR for problem in problems)
    return sound and vouches(one)


def vouches(one: VerificationStatement) -> bool:
    """Tell whether a statement vouches for anything; what it says against itself rests on nobody's papers."""
    return one.opinion in (Opinion.FAVOURABLE, Opinion.QUALIFIED)


# The yearly rhythm of audits: when the next statement is due, and which days no statement covers (2100.040).
#
# First points, intermediaries and refiners are audited annually. A year is counted from anniversary to anniversary: the
# first statement is due one year after the entity first handled reduced-CI crop, each next one a year after the last
# was issued. Until the first is due, a contract for the audit stands in (interpretation 46). Covered periods should
# meet; a day on which the entity handled reduced-CI crop and that no favourable statement covers is named.

_CITES: Final = {
    Role.FIRST_POINT: "2100.040(a)(1)",
    Role.INTERMEDIARY: "2100.040(c)(1)",
    Role.PROCESSOR: "2100.040(c)(1)",
    Role.REFINER: "2100.040(f)(1)",
}
SOON_DAYS: Final = 90
"""How long before the due day to remind: time to hire a verifier and make the package."""


class Alert(StrEnum):
    """How an entity stands, worst last."""

    NOT_NEEDED = "not needed"
    """A farm, or an entity that has handled no reduced-CI crop yet."""
    ON_TIME = "on time"
    DUE_SOON = "due soon"
    NO_CONTRACT = "no contract"
    """First year, no statement yet, and no contract for the first audit."""
    OVERDUE = "overdue"


@dataclass(frozen=True, slots=True)
class Entity:
    """What the rhythm needs to know of an audited party."""

    name: str  # for people
    role: Role  # farms have no rhythm of their own
    handles_since: date | None  # first day it took in reduced-CI crop or product, None before
    contract_until: date | None = None  # last day for which a contract for the first audit is shown, None without


@view
class Rhythm:
    """Where a party stands in the yearly rhythm of audits; ``uncovered`` are first and last days without statement."""

    role: Role = field("As")
    alert: Alert = field("Yearly audit")
    due_on: date | None = field("Yearly statement due by the rule")
    last_statement: str = field("Last statement")
    uncovered: tuple[tuple[date, date], ...] = field("Days no statement covers")
    cite: str = field("Paragraph")


def rhythm(entity: Entity, statements: Iterable[VerificationStatement], as_of: date, rule: RuleVersion) -> Rhythm:
    """Judge one entity on a day; only sound, favourable statements about it and issued by then count.

    The statements are those it received about itself, checked (``check_statement``).
    """
    counting = sorted(
        (one for one in statements if favourable([], one) and one.issued_on <= as_of and one.role is not Role.FARM),
        key=lambda one: one.issued_on,
    )
    since = entity.handles_since
    if entity.role is Role.FARM or since is None or since > as_of:
        return Rhythm(
            role=entity.role, alert=Alert.NOT_NEEDED, due_on=None, last_statement="", uncovered=(),
            cite=_CITES.get(entity.role, ""),
        )  # fmt: skip
    last = counting[-1] if counting else None
    due = years_after(last.issued_on if last else since, rule.audit_interval_years)
    return Rhythm(
        role=entity.role, alert=_alert(entity, last, due, as_of), due_on=due,
        last_statement=last.number if last else "",
        uncovered=uncovered_days(since, as_of, [(one.covered_first, one.covered_last) for one in counting]),
        cite=_CITES[entity.role],
    )  # fmt: skip


def _alert(entity: Entity, last: VerificationStatement | None, due: date, as_of: date) -> Alert:
    if as_of > due:
        return Alert.OVERDUE
    if last is None and (entity.contract_until is None or entity.contract_until < as_of):
        return Alert.NO_CONTRACT
    return Alert.DUE_SOON if due - as_of <= timedelta(days=SOON_DAYS) else Alert.ON_TIME


def uncovered_days(since: date, until: date, covered: Iterable[tuple[date, date]]) -> tuple[tuple[date, date], ...]:
    """Return the stretches from ``since`` to ``until``, both included, that no span covers."""
    gaps = []
    at = since
    for first, last in sorted(covered):
        if first > until:
            break
        if first > at:
            gaps.append((at, first - timedelta(days=1)))
        at = max(at, last + timedelta(days=1))
    if at <= until:
        gaps.append((at, until))
    return tuple(gaps)


_AUDIT_CYCLE_CITE: Final = "2100.040"
_PARTY_COLUMNS: Final = {
    "id": Field(ColumnKind.KEY, "Id", required=True),
    "name": Field(ColumnKind.TEXT, "Name"),
    "role": Field(ColumnKind.CHOICE, "Role", options=tuple(Role), required=True),
    "handles_since": Field(ColumnKind.DAY, "Handles grain since"),
    "contract_until": Field(ColumnKind.DAY, "Contract with a verifier until"),
}


def read_entities(path: Path) -> tuple[dict[str, Entity], list[Problem]]:
    """Read parties by id; ``handles_since`` and ``contract_until`` may be blank.

    Raises:
        ProblemsError: a row cannot be used: a party left out would never be overdue.
    """
    roles = {plain_name(role): str(role) for role in Role}
    reader = ListReader(path.name, _PARTY_COLUMNS, _AUDIT_CYCLE_CITE, {"role": roles}, whole=True)
    rows = reader.rows(path)
    reader.refuse_errors()
    for number, row in rows:
        if [each["id"] for _, each in rows].count(row["id"]) > 1:
            reader.tell(number, "id", f"The id {row['id']} stands twice.", "Keep one row for each.", "double_row")
    reader.refuse_errors()
    return {
        row["id"]: Entity(row["name"] or "", Role(row["role"]), row["handles_since"], row["contract_until"])
        for _, row in rows
    }, reader.problems
