"""A package verified: opened, recomputed, and what only people can do (2100.040)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from polars.exceptions import PanicException

from provender.audit.fieldwork import FieldPriority, places_of, practices_in
from provender.audit.outcome import Check, CheckResult, Difference, Files, State, rows_of
from provender.audit.package import contents
from provender.audit.package.custody_section import EntityBook, PaperFile, books, closed_balances
from provender.audit.package.layout import AS_AUDITED, Pins, read_pins
from provender.audit.package.write import Header, Package, Subject, open_package
from provender.audit.programme import TASK, Item, NotNeeded, Role
from provender.audit.programme import programme as make_programme
from provender.audit.recompute import cross_party, custody_books, days, evidence, papers, reports, statements
from provender.audit.recompute.days import DocumentDay, Logged, days_of, logged
from provender.audit.recompute.evidence import evidence_of
from provender.audit.sampling.population import incoming_farms, sample_hash
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.statement.opinion import Closed, PackageFacts, Supplied
from provender.audit.statement.statement import read_forums
from provender.custody.events.closing import Closing, ProcessEvent
from provender.custody.events.trade import SaleEvent
from provender.custody.model.entities import Contract, ContractKind, Entity
from provender.custody.model.store_view import CustodyStep
from provender.problem import Place as Spot
from provender.problem import Problem, ProblemsError
from provender.rule.calculators import packaged_calculators
from provender.rule.crops import Crop, Practice
from provender.rule.law import parameters
from provender.schema import write
from provender.signing.timestamps import read_roots, system_roots

CHECKS: Final[tuple[Check, ...]] = (
    statements.sample, reports.records, reports.stir, reports.verdicts, reports.runs, cross_party.same_inputs,
    reports.average, reports.completeness, reports.attestation, reports.report, papers.signatures, evidence.hashes,
    evidence.indexed, evidence.photos, cross_party.one_origin, cross_party.copies, custody_books.book,
    custody_books.lots, papers.periods, papers.transfers, papers.book_heads, papers.kept, papers.signed,
    statements.statements, custody_books.farms, custody_books.population, cross_party.missing_parts,
    custody_books.plausibility, custody_books.origins, statements.accreditation, days.order, days.of_keys,
    days.timestamps, days.logs, statements.decisions,
)  # fmt: skip
"""Every recomputation, in the order in which a verifier reads the results."""


_SPOILED: Final[tuple[type[BaseException], ...]] = (Exception, PanicException)
"""What a document makes of a check that looks deeper into it than its form was asked: a stranger's file ends none."""


def recompute(files: Files, checks: Iterable[Check] = CHECKS) -> list[CheckResult]:
    """Run the checks on a package; one that finds its input unusable says so and stops no other.

    What cannot be computed again is a difference: a package must not become clean by being unreadable.
    """
    with TemporaryDirectory() as folder:
        return _recompute_case(contents.PackageContents(files, Path(folder)), checks)


def _recompute_case(case: Files, checks: Iterable[Check] = CHECKS) -> list[CheckResult]:
    """Run the checks on a package that is taken apart already: a ``PackageContents``."""
    return [_run(check, case) for check in checks]


def _run(check: Check, case: Files) -> CheckResult:
    try:
        return check(case)
    except ProblemsError as refused:
        whole = {str(problem): problem for problem in refused.problems}
        faults = tuple(
            Difference(
                "not_recomputed", one.cite or check.cites[0], f"{check.name}: {one.place}", "a whole file", one.cause
            )
            for one in whole.values()
        )
        return CheckResult(check.name, check.cites, 0, faults, tuple(whole))
    except _SPOILED as wrong:
        said = f"A document in the package is not of the form it claims ({type(wrong).__name__}: {wrong})."
        place = ": ".join(filter(None, (check.name, _file_of(wrong, case))))
        fault = Difference("not_recomputed", check.cites[0], place, "documents that can be read", said)
        return CheckResult(check.name, check.cites, 0, (fault,), (said,))


def _file_of(wrong: BaseException, case: Files) -> str:
    """Return the file that a check had in hand when it ended, or the one that it always reads; empty without either."""
    in_hand, always, step = "", "", wrong.__traceback__
    while step is not None:
        frame, step = step.tb_frame, step.tb_next
        for value in frame.f_locals.values():
            path = value.path if isinstance(value, contents.ReportFile | PaperFile) else value
            in_hand = path if isinstance(path, str) and path in case else in_hand
        for value in map(frame.f_globals.get, frame.f_code.co_names):
            always = value if isinstance(value, str) and value in case else always
    return in_hand or always


# Root causes first: of many differences, those that others follow from, each with what follows folded under it.
#
# One changed event of a book shows in every paper, balance and copy after it. What can be a cause of what stands in one
# table, from the event itself down to the sums. Under a cause go only differences of the tables' later steps that are
# about the same report, unit or book; whatever the table does not name stands by itself, so nothing is folded that may
# have a cause of its own.

_STEPS: Final[tuple[tuple[str, ...], ...]] = (
    # A row, a line or a file is another one than was sealed or signed.
    ("record_changed:", "record_unreadable", "book_seal", "book_unreadable"),
    # An event is another one than its other papers say.
    ("entered_otherwise", "entry_not_in_book"),
    ("book_changed_since",),
    ("book_",),
    ("copy_differs:records", "report_differs:records"),
    ("report_differs:fact", "copy_differs:fact"),
    ("report_differs:stir", "copy_differs:stir"),
    ("period_records_changed",),
    ("transfer_differs:yield_lb_per_bu", "copies_differ:yield_lb_per_bu"),
    ("report_differs:verdict", "copy_differs:verdict"),
    ("report_differs:unit", "copy_differs:unit"),
    ("transfer_differs:ci_g_per_bu", "copies_differ:ci_g_per_bu"),
    ("transfer_differs:", "copies_differ:", "slip_differs:", "lots_", "legs_differ", "double_sale",
     "missing_counterpart", "overlap", "broken_chain", "booked_otherwise", "product_exceeded"),
    ("report_differs:average", "copy_differs:average"),
    ("report_differs:practices", "report_differs:totals", "report_differs:evidence_grades", "report_differs:report",
     "copy_differs:practices", "copy_differs:totals", "copy_differs:evidence_grades", "copy_differs:report"),
    ("report_differs:attestation", "copy_differs:attestation"),
    ("balance_differs:", "balances_differ", "unbalanced_period"),
)  # fmt: skip
"""Beginnings of codes, causes before what follows from them."""
_TOGETHER: Final = frozenset({"book_changed_since", "period_records_changed"})
"""What says of one book, once for each paper, that it is another one: the first stands for all of them."""
_OF_PAPERS: Final = ("transfer_differs:", "copies_differ:", "slip_differs:", "balance_differs:")
"""What many papers of one book repeat: the same value for the same other value."""
MISSING: Final = ":missing"
"""A paper of which a book knows nothing has that as its own cause, unless the book itself is another one."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A difference that leads, and those that follow from it."""

    leading: Difference
    follows: tuple[Difference, ...] = ()


def causes_of(differences: Iterable[Difference]) -> list[Cause]:
    """Fold differences under their causes, keeping the order in which the causes were given."""
    given = list(differences)
    steps = [_step(one.code) for one in given]
    leaders = _Leaders()
    under: dict[int, list[int]] = {}
    for place in sorted(range(len(given)), key=lambda one: (steps[one], one)):
        leader = leaders.first(given[place], steps[place]) if steps[place] >= 0 else None
        under.setdefault(place if leader is None else leader, [])
        if leader is not None:
            under[leader].append(place)
        elif steps[place] >= 0:
            leaders.add(given[place], place, steps[place])
    return [Cause(given[one], tuple(given[each] for each in sorted(under[one]))) for one in sorted(under)]


@cache
def _step(code: str) -> int:
    """Return the step of a code; what stands by itself is before all of them."""
    return next((number for number, codes in enumerate(_STEPS) if code.startswith(codes)), -1)


_About = tuple[str, ...]
_Key = tuple[str, ...]
_Found = tuple[int, int, int]
"""A leader: its rank among leaders, its step, its place among the differences."""


@dataclass(slots=True)
class _Leaders:
    """Leading differences by what they are about, so that a hundred thousand differences are folded in one pass.

    They come in the order of their steps: the first of those that are about a thing is of the earliest step.
    """

    whole: dict[_About, dict[_Key, _Found]] = field(default_factory=dict)
    """By exactly what they are about."""
    within: dict[_About, dict[_Key, _Found]] = field(default_factory=dict)
    """By that and by each whole of which it is a part."""
    rank: int = 0

    def add(self, one: Difference, place: int, step: int) -> None:
        """Enter the next leader."""
        self.rank += 1
        found = self.rank, step, place
        for about in one.about:
            prefixes = (about[:length] for length in range(len(about) + 1))
            for named in (self.whole.setdefault(about, {}), *(self.within.setdefault(part, {}) for part in prefixes)):
                for key in _keys(one):
                    named.setdefault(key, found)

    def first(self, one: Difference, step: int) -> int | None:
        """Return the first that a difference follows from: about the same, or one about a part of the other."""
        found: list[_Found] = []
        for about in one.about:
            wholes = (self.whole.get(about[:length], {}) for length in range(len(about)))
            for named in (self.within.get(about, {}), *wholes):
                earlier = named.get(_OF_BOOK if one.code.endswith(MISSING) else _ANY)
                found += [earlier] if earlier and earlier[1] < step else []
                found += [named[key] for key in _alike(one) if key in named]
        return min(found)[2] if found else None


_ANY: Final[_Key] = ("any",)
_OF_BOOK: Final[_Key] = ("of a book",)


def _keys(one: Difference) -> list[_Key]:
    """Return under what a leader is looked up."""
    return [_ANY, *([_OF_BOOK] if one.code.startswith(("book_", "entered")) else []), *_alike(one)]


def _alike(one: Difference) -> list[_Key]:
    """Return what a difference shares with the others of its step that the first of them stands for."""
    if one.code in _TOGETHER:
        return [("together", one.code)]
    repeats = one.code.startswith(_OF_PAPERS) and not one.code.endswith(MISSING)
    return [("value", one.code, one.claimed, one.recomputed)] if repeats else []


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
    own = {
        contents.ROOTS: system_roots(),
        **(lists or {}),
        **({contents.TODAY: today.isoformat().encode()} if today else {}),
    }
    files = contents.with_verifiers_files(opened.files, pinned, copies, own)
    outcomes, places, days, evidence, in_logs, facts = judged(files)
    problems = tuple(_problems(opened, own_keys=pins.own))
    asked = tuple(roles)
    used = asked or contents.roles_of(opened.header, opened.files)
    found = Verification(
        opened.header, outcomes, problems, tasks(used, outcomes, places), used, bool(asked), places,
        opened.files.ignored, days, evidence, in_logs, *facts,
    )  # fmt: skip
    return Verified(found, files)


def _check_lists(lists: Mapping[str, bytes]) -> None:
    """Refuse a list of the verifier's that is none: what nobody can read must not pass for one that knows nothing."""
    if contents.FORUMS in lists:
        read_forums(lists[contents.FORUMS], "the list of forum members")
    if contents.CALCULATORS in lists:
        packaged_calculators().with_list(lists[contents.CALCULATORS], "the list of calculators")
    if lists.get(contents.ROOTS):
        read_roots(lists[contents.ROOTS])


def judged(
    files: Mapping[str, bytes],
) -> tuple[
    tuple[CheckResult, ...], tuple[FieldPriority, ...], tuple[DocumentDay, ...],
    tuple[Mapping[str, Any], ...], tuple[Logged, ...], tuple[PackageFacts, ...],
]:  # fmt: skip
    """Recompute files, and say which ground to look at, what proves days, what evidence and the whole show."""
    with TemporaryDirectory() as folder:
        case = contents.PackageContents(files, Path(folder))
        outcomes = tuple(_recompute_case(case))
        places, days = _unless_spoiled(places_of, case), _unless_spoiled(days_of, case)
        shown = _unless_spoiled(evidence_of, case), _unless_spoiled(logged, case), _unless_spoiled(_facts_of, case)
        return outcomes, places, days, *shown


def _unless_spoiled(
    make: Callable[[contents.PackageContents], tuple[T, ...]], case: contents.PackageContents
) -> tuple[T, ...]:
    """Return what a function makes of a case; nothing where a document spoils it, which the checks have said."""
    try:
        return make(case)
    except _SPOILED:
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


# What a package shows of the audit that it is of, for the statement that rests on it (interpretation 90).

_OF_PROVIDERS = (ContractKind.SERVICE_PROVIDER, ContractKind.SUBCONTRACTOR)


def _facts_of(case: contents.PackageContents) -> tuple[PackageFacts, ...]:
    """Return what a package shows; nothing where it has no header that can be read."""
    head = case.header
    if head is None:
        return ()
    sample = case.object(SAMPLE)
    about: dict[str, Any] = {
        "audited": head.audited, "audited_name": head.audited_name, "subject": str(head.subject), "first": head.first,
        "last": head.last, "made_on": head.made_on, "own_keys": case.pins.own,
        "asked_by": case.request.verifier if case.request else "",
        "practices": _practices(case.all_reports), "sample_hash": sample_hash(sample) if sample else "",
    }  # fmt: skip
    if head.subject is Subject.FARM_REPORT:
        return (PackageFacts(**about, **_of_farm(case, head)),)
    found = books(case).get(head.audited)
    return (PackageFacts(**about, **(_of_book(case, head, found) if found else {})),)


def _practices(reports: Iterable[contents.ReportFile]) -> tuple[Practice, ...]:
    used = {
        str(name) for one in reports for unit in rows_of(one.document.get("units")) for name in unit.get("used") or ()
    }
    return tuple(one for one in Practice if one in used)


def _of_farm(case: contents.PackageContents, head: Header) -> dict[str, Any]:
    # An amended report is no record any more: what it replaced is history.
    reports = [one for farm in case.farms if farm.farm_id == head.audited for one in farm.latest]
    units = {str(row["unit_id"]) for farm in case.farms for row in farm.rows("unit")}
    return {
        "roles": (Role.FARM,), "sites": tuple(sorted(units)),
        "supports": (NotNeeded.NO_PRACTICE,) if _practices(reports) else (),
        "crops": tuple(sorted({one.key[1] for one in reports})),
        "harvest_years": tuple(sorted({one.key[2] for one in reports})),
        "records": tuple(sorted({one.digest for one in reports})),
    }  # fmt: skip


def _of_book(case: contents.PackageContents, head: Header, found: EntityBook) -> dict[str, Any]:
    store, entity = found.store, found.store.one(Entity, found.entity)
    supplied = incoming_farms(store, found.entity, head.first, head.last)
    steps = [one for one in store.steps(found.entity) if head.first <= one.day <= head.last]
    came = [one.after for one in steps if one.after.owner == found.entity]
    closed = store.many(Closing, found.entity)
    return {
        "roles": tuple(_roles(found, head, entity, supplied=bool(supplied))),
        "sites": entity.sites if entity else (),
        "crops": tuple(sorted({lot.crop for lot in came})),
        "harvest_years": tuple(sorted({lot.harvest_year for lot in came})),
        "supports": tuple(_supports(case, found, head, steps, supplied=bool(supplied))),
        "supplied": tuple(Supplied(*key, one.bushels) for key, one in sorted(supplied.items())),
        "closings": tuple(Closed(one.start, one.end, one.closed_on) for one in closed),
        "records": tuple(sorted(closed_balances(case, found.entity))),
    }


def _processed(found: EntityBook, head: Header) -> bool:
    own = (one for one in found.requests if isinstance(one, ProcessEvent) and one.entity == found.entity)
    return any(head.first <= one.day <= head.last for one in own)


def _roles(found: EntityBook, head: Header, entity: Entity | None, *, supplied: bool) -> Iterator[Role]:
    """Yield in which roles a book shows its party: as entered and as it acts, a first point where farms sold to it."""
    entered = {AS_AUDITED[one] for one in (entity.roles if entity else ()) if one in AS_AUDITED} - {Role.FARM}
    roles = entered - ({Role.FIRST_POINT} if not supplied and len(entered) > 1 else set())
    roles |= {Role.FIRST_POINT} if supplied or not roles else set()
    roles |= {Role.PROCESSOR} if _processed(found, head) else set()
    yield from (role for role in Role if role in roles)


def _supports(
    case: contents.PackageContents, found: EntityBook, head: Header, steps: list[CustodyStep], *, supplied: bool
) -> Iterator[NotNeeded]:
    """Yield for which reasons lines need not be answered, by what the book does not show in the days of the package."""
    contracts = found.store.many(Contract, found.entity)
    ours = [one for one in found.requests if isinstance(one, SaleEvent) and one.giver == found.entity]
    crops = set(map(str, Crop))
    if _practices(case.all_reports):  # reports that count none show nothing of what farms claim
        yield NotNeeded.NO_PRACTICE
    if not supplied:
        yield NotNeeded.NO_FARM
    if not _processed(found, head):
        yield NotNeeded.NO_PROCESSING
    if all(lot.form in crops for one in steps for lot in (one.before, one.after) if lot is not None):
        yield NotNeeded.NO_PRODUCT
    if not any(head.first <= one.day <= head.last for one in ours):
        yield NotNeeded.NO_SALE
    if not any(one.role in _OF_PROVIDERS for one in contracts):
        yield NotNeeded.NO_PROVIDER
