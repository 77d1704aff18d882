"""A package verified: opened, recomputed, and what only people can do (2100.040)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from provender.audit.fieldwork import FieldPriority, places_of, practices_in
from provender.audit.outcome import CheckResult, Difference, State
from provender.audit.package.contents import (
    CALCULATORS,
    FORUMS,
    ROOTS,
    TODAY,
    PackageContents,
    roles_of,
    with_verifiers_files,
)
from provender.audit.package.keys import Pins, read_pins
from provender.audit.package.write import Header, Package, open_package
from provender.audit.programme import TASK, Item, Role
from provender.audit.programme import programme as make_programme
from provender.audit.recompute.checks import SPOILED, Cause, causes_of, recompute_case
from provender.audit.recompute.days import DocumentDay, Logged, days_of, logged
from provender.audit.recompute.evidence import evidence_of
from provender.audit.recompute.facts import facts_of
from provender.audit.statement.accreditation import read_forums
from provender.audit.statement.facts import PackageFacts
from provender.problem import Place as Spot
from provender.problem import Problem
from provender.rule.calculators import packaged_calculators
from provender.rule.law import parameters
from provender.schema import write
from provender.signing.timestamps import read_roots, system_roots

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verification:
    """A package verified."""

    header: Header  # what it says of itself
    outcomes: tuple[CheckResult, ...]  # one per check, in the order of the table
    problems: tuple[Problem, ...]  # of the package itself: parts missing, files left out without leave
    tasks: tuple[Item, ...]  # what only people can do, for the party's roles and the practices that count
    roles: tuple[Role, ...] = ()  # in which the party is audited
    roles_asked: bool = False  # the verifier named them; else they are what the package shows
    places: tuple[FieldPriority, ...] = ()  # the ground to look at, most at stake first
    ignored: tuple[str, ...] = ()  # files that a system left in the package on its way
    days: tuple[DocumentDay, ...] = ()  # every dated document, with the day it states and what proves that it existed
    # the index of the evidence: file, hash, what it supports with its day and paragraph, what it answers
    evidence: tuple[Mapping[str, Any], ...] = ()
    logged: tuple[Logged, ...] = ()  # every document that stands in a transparency log, with whose and since when
    facts: PackageFacts | None = (
        None  # what it shows of the audit, for the statement; None where a document spoils that
    )

    @property
    def differences(self) -> list[Difference]:
        """Every difference, the most bushels first; those whose effect nobody can say at the end."""
        return by_stake(one for outcome in self.outcomes for one in outcome.differences)

    @property
    def causes(self) -> list[Cause]:
        """The differences that lead, each with those that follow from it."""
        return causes_of(self.differences)

    @property
    def not_shown(self) -> list[tuple[str, str]]:
        """What could not be judged, each sentence once, with the first check that says it."""
        first = {f"Ignored, left by a system on the way: {name}": "package" for name in self.ignored}
        for outcome in self.outcomes:
            for why in outcome.not_shown:
                first.setdefault(why, outcome.check)
        return [(check, why) for why, check in first.items()]

    @property
    def clean(self) -> bool:
        """Whether nothing differs and the package is complete."""
        return not self.problems and not any(outcome.differences for outcome in self.outcomes)

    def as_json(self) -> dict[str, Any]:
        return {
            "package": self.header.document(),
            "clean": self.clean,
            "roles": [str(role) for role in self.roles],
            "roles_from": "verifier" if self.roles_asked else "package",
            "problems": [one.as_json() for one in self.problems],
            "differences": [one.as_json() for one in self.differences],
            "causes": self._causes_by_place(),
            "checks": [one.as_json() for one in self.outcomes],
            "documents": [one.as_json() for one in self.days],
            "logged": [one.as_json() for one in self.logged],
            "evidence": [dict(one) for one in self.evidence],
            "facts": write(self.facts, whole=True) if self.facts else None,
            "needs_eyes": {
                "not_shown": [{"check": check, "why": why} for check, why in self.not_shown],
                "places": [one.document() for one in self.places],
                "tasks": [item.document() for item in self.tasks],
            },
        }

    def _causes_by_place(self) -> list[dict[str, Any]]:
        """Return each leading difference by its place in ``differences``, with the places of those that follow."""
        places = {one: place for place, one in enumerate(self.differences)}
        return [
            {"difference": places[cause.leading], "follows": [places[one] for one in cause.follows]}
            for cause in self.causes
        ]


@dataclass(frozen=True, slots=True)
class Verified:
    """What verifying gave, and the files it rests on: those of the package with what the verifier brought."""

    found: Verification
    files: Mapping[str, bytes]


def verify_package(
    package: Path,
    *,
    pinned: bytes | None = None,
    pinned_name: str = "",
    held: Sequence[tuple[str, bytes]] = (),
    roles: Iterable[Role] = (),
    lists: Mapping[str, bytes] | None = None,
    today: date | None = None,
) -> Verified:
    """Open a package and recompute everything in it.

    Args:
        package: folder or zip.
        pinned: the verifier's list of pinned keys.
        pinned_name: what to call it.
        held: name and content of signed documents as other parties hold them.
        roles: in which the party is audited; those the package shows where none is given.
        lists: the verifier's own lists by their paths in ``contents``: calculators beside the packaged ones, members of
            accreditation forums, and certificates that timestamps must chain to (those of this system otherwise).
        today: his day, ahead of which nothing is made.

    Raises:
        ProblemsError: the package, the list of keys or another list cannot be used.
    """
    pins = read_pins(pinned, pinned_name, own=True) if pinned is not None else Pins()
    _check_lists(lists or {})
    opened = open_package(package, pins)
    copies = {f"{number}-{name}": content for number, (name, content) in enumerate(held)}
    own = {ROOTS: system_roots(), **(lists or {}), **({TODAY: today.isoformat().encode()} if today else {})}
    files = with_verifiers_files(opened.files, pinned, copies, own)
    outcomes, places, days, evidence, in_logs, facts = judged(files)
    problems = tuple(_problems(opened, own_keys=pins.own))
    asked = tuple(roles)
    used = asked or roles_of(opened.header, opened.files)
    found = Verification(
        opened.header, outcomes, problems, tasks(used, outcomes, places), used, bool(asked), places,
        opened.files.ignored, days, evidence, in_logs, *facts,
    )  # fmt: skip
    return Verified(found, files)


def _check_lists(lists: Mapping[str, bytes]) -> None:
    """Refuse a list of the verifier's that is none: what nobody can read must not pass for one that knows nothing."""
    if FORUMS in lists:
        read_forums(lists[FORUMS], "the list of forum members")
    if CALCULATORS in lists:
        packaged_calculators().with_list(lists[CALCULATORS], "the list of calculators")
    if lists.get(ROOTS):
        read_roots(lists[ROOTS])


def judged(
    files: Mapping[str, bytes],
) -> tuple[
    tuple[CheckResult, ...], tuple[FieldPriority, ...], tuple[DocumentDay, ...],
    tuple[Mapping[str, Any], ...], tuple[Logged, ...], tuple[PackageFacts, ...],
]:  # fmt: skip
    """Recompute files, and say which ground to look at, what proves days, what evidence and the whole show."""
    with TemporaryDirectory() as folder:
        case = PackageContents(files, Path(folder))
        outcomes = tuple(recompute_case(case))
        places, days = _unless_spoiled(places_of, case), _unless_spoiled(days_of, case)
        shown = _unless_spoiled(evidence_of, case), _unless_spoiled(logged, case), _unless_spoiled(facts_of, case)
        return outcomes, places, days, *shown


def _unless_spoiled(make: Callable[[PackageContents], tuple[T, ...]], case: PackageContents) -> tuple[T, ...]:
    """Return what a function makes of a case; nothing where a document spoils it, which the checks have said."""
    try:
        return make(case)
    except SPOILED:
        return ()


def _problems(opened: Package, *, own_keys: bool) -> list[Problem]:
    """Return what is wrong with the package itself.

    Who signed the request matters where it allows anything, and only with keys to tell by.
    """
    asks = own_keys and opened.request is not None and opened.request.allowances
    found = [one for one in opened.problems if asks or one.code != "signature_signer_unknown"]
    known = [text.id for text in parameters().texts]
    # Every number of the rule is dated and chosen by the day of harvest: an earlier text judges what it governed.
    if opened.header.rule_version not in known:
        cause = f"The package was made under rule version {opened.header.rule_version!r}; loaded: {', '.join(known)}."
        remedy = "Verify it with the version of provender that made it."
        found.append(Problem(Spot(opened.files.name), cause, remedy, "2100.020", code="other_rule_version"))
    return found


def by_stake(found: Iterable[Difference]) -> list[Difference]:
    """Sort differences by bushels at stake, then by grams, then by place; repeats of one difference stand once."""
    return sorted(
        dict.fromkeys(found),
        key=lambda one: (
            one.effect_bushels is None,
            -(one.effect_bushels or 0),
            -abs(one.effect_g_co2e or 0),
            one.place,
            one.code,
        ),
    )


def tasks(
    roles: Sequence[Role], outcomes: Sequence[CheckResult], places: Iterable[FieldPriority] = ()
) -> tuple[Item, ...]:
    """Return the work that no recomputation replaces; where places tell which practices count, only theirs."""
    items = make_programme(roles, outcomes, practices_in(places))
    return tuple(item for item in items if item.kind == TASK and item.state is State.OPEN)
