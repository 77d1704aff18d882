"""What a package shows of the audit that it is of, and where a statement says otherwise (interpretation 90).

``provender.audit.recompute.facts`` makes the facts of a package; a server keeps them as plain data beside the result of
the recomputation. Here no package is read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from provender.audit.programme import NotNeeded, Role, practices_of, reasons_for
from provender.audit.statement import opinion
from provender.audit.statement.statement import CITE, FILE, Opinion, VerificationStatement
from provender.exact import Bushels, parse, show
from provender.problem import Place, Problem, Weight, counted, listed
from provender.rule.crops import Cite, Practice

ROLE: Final = "2100.040"
SAMPLED: Final = "2100.040(a)(3)(i)"
FARM_REPORT: Final = "farm report"
"""As ``provender.audit.package.write.Subject`` calls a farm's package."""
_NAMED: Final = 3


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
    roles: tuple[Role, ...] = ()  # the party's
    sites: tuple[str, ...] = ()  # of the party; units of a farm. None where it only trades
    crops: tuple[str, ...] = ()  # that came in or were grown
    harvest_years: tuple[int, ...] = ()  # of them
    practices: tuple[Practice, ...] = ()  # that some farm's report counts
    supports: tuple[NotNeeded, ...] = ()  # for which reasons lines need no answer
    supplied: tuple[Supplied, ...] = ()  # by farms
    closings: tuple[Closed, ...] = ()  # periods that were closed
    records: tuple[str, ...] = ()  # hashes of balances of closed periods, or of reports
    sample_hash: str = ""  # of the farm sample in it; empty without one

    def closed_on(self, first: date, last: date) -> date | None:
        """Return the last day on which a period was closed that touches some days; None where none was."""
        touching = [one.closed_on for one in self.closings if one.start <= last and one.end >= first]
        return max(touching, default=None)


def against_package(one: VerificationStatement, work: opinion.Work, facts: PackageFacts) -> Iterator[Problem]:
    """Yield where a statement says of party, role, days, crops, sites and lines what the package does not show."""
    yield from _party(one, facts)
    yield from _roles(one, facts)
    yield from _sites(one, work, facts)
    yield from _not_needed(one, work, facts)


def _party(one: VerificationStatement, facts: PackageFacts) -> Iterator[Problem]:
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


def _roles(one: VerificationStatement, facts: PackageFacts) -> Iterator[Problem]:
    shown = " and ".join(facts.roles) or "party without a role"
    if strange := [role for role in one.roles if role not in facts.roles]:
        cause = f"{one.audited} is audited as {' and '.join(strange)}; the package shows a {shown}."
        yield problem(cause, "Audit it as what it is.", "other_role", ROLE)
    if left := [role for role in facts.roles if role not in one.roles]:
        cause = f"The package shows that {one.audited} is a {' and '.join(left)} too; it was not audited as that."
        yield problem(cause, "Name the role under `also`, and answer its lines.", "role_left_out", ROLE)


def _sites(one: VerificationStatement, work: opinion.Work, facts: PackageFacts) -> Iterator[Problem]:
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
        whole = one.opinion is Opinion.FAVOURABLE
        cause = f"Nobody audited {listed(left, _NAMED)}, by visit, video or records."
        weight = Weight.ERROR if whole else Weight.CONFIRM
        yield problem(cause, "Audit each site of the books.", "site_not_seen", weight=weight)


def _not_needed(one: VerificationStatement, work: opinion.Work, facts: PackageFacts) -> Iterator[Problem]:
    """Yield each line that is called not needed for a reason that the package does not bear out."""
    asked = {item.line: item for item in opinion.required_lines(*one.roles)}
    for row in work.lines:
        item = asked.get(row.line)
        if row.answer is not opinion.Answer.NOT_NEEDED or item is None or row.reason not in reasons_for(item):
            continue
        claimed = practices_of(Cite.parse(item.cite)) & set(facts.practices)
        if row.reason not in facts.supports or (row.reason == NotNeeded.NO_PRACTICE and claimed):
            cause = f"{item.cite} is called not needed because {row.reason}; the package does not show that."
            yield problem(cause, "Do what the line asks.", "reason_not_shown", item.cite)


def population_differs(sample: Mapping[str, Any], facts: PackageFacts) -> Iterator[Problem]:
    """Yield where the farms of a sample are not those that supplied by the book, or not with their bushels."""
    drawn = {(str(row["farm_id"]), str(row["crop"])): parse(str(row["bushels"])) for row in sample["population"]}
    booked = {(row.farm, row.crop): row.bushels for row in facts.supplied}
    if drawn == booked:
        return
    farms, there = ({farm for farm, _ in rows} for rows in (booked, drawn))
    wrong = sorted({key for key in {*drawn, *booked} if drawn.get(key) != booked.get(key)})
    each = ((" ".join(key), _said(booked.get(key)), _said(drawn.get(key))) for key in wrong)
    told = listed((f"{key}: {right} by the book, {said} in the sample" for key, right, said in each), _NAMED, "; ")
    cause = f"By its book {facts.audited} has {counted(len(farms), 'supplying farm')}; the sample was drawn from "
    cause += f"{len(there)}. {told}."
    yield problem(
        cause, "Draw from the farms that supplied: `provender audit population`.", "other_population", SAMPLED
    )


def _said(bushels: int | None) -> str:
    return "nothing" if bushels is None else f"{show(bushels, group=True)} bu"


def problem(cause: str, remedy: str, code: str, cite: str = CITE, weight: Weight = Weight.ERROR) -> Problem:
    """Return what stands against a statement."""
    return Problem(Place(FILE), cause, remedy, cite, weight, code)
