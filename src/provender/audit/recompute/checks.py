"""Recomputation: what a check of a package answers, and the table of checks (2100.040, .051(d), .053(f)).

A check reads a package, computes something again from its records alone, and yields its answers.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from polars.exceptions import PanicException

from provender.audit.outcome import Check, CheckResult, Difference, Files
from provender.audit.package.contents import PackageContents, ReportFile
from provender.audit.package.custody_section import PaperFile
from provender.audit.recompute import cross_party, custody_books, days, evidence, papers, reports, statements
from provender.problem import ProblemsError

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


SPOILED: Final[tuple[type[BaseException], ...]] = (Exception, PanicException)
"""What a document makes of a check that looks deeper into it than its form was asked: a stranger's file ends none."""


def recompute(files: Files, checks: Iterable[Check] = CHECKS) -> list[CheckResult]:
    """Run the checks on a package; one that finds its input unusable says so and stops no other.

    What cannot be computed again is a difference: a package must not become clean by being unreadable.
    """
    with TemporaryDirectory() as folder:
        return recompute_case(PackageContents(files, Path(folder)), checks)


def recompute_case(case: Files, checks: Iterable[Check] = CHECKS) -> list[CheckResult]:
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
    except SPOILED as wrong:
        said = f"A document in the package is not of the form it claims ({type(wrong).__name__}: {wrong})."
        place = ": ".join(filter(None, (check.name, _file_of(wrong, case))))
        fault = Difference("not_recomputed", check.cites[0], place, "documents that can be read", said)
        return CheckResult(check.name, check.cites, 0, (fault,), (said,))


def _file_of(wrong: BaseException, case: Files) -> str:
    """Return the file that a check had in hand when it ended; empty where none is known."""
    found, step = "", wrong.__traceback__
    while step is not None:
        for value in step.tb_frame.f_locals.values():
            path = value.path if isinstance(value, ReportFile | PaperFile) else value
            found = path if isinstance(path, str) and path in case else found
        step = step.tb_next
    return found


# Root causes first: of many differences, those that others follow from, each with what follows folded under it.
#
# One changed event of a book shows in every paper, balance and copy after it. What can be a cause of what stands in one
# table, from the event itself down to the sums. Under a cause go only differences of the tables' later steps that are
# about the same report, unit or book; whatever the table does not name stands by itself, so nothing is folded that may
# have a cause of its own.

STEPS: Final[tuple[tuple[str, ...], ...]] = (
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
TOGETHER: Final = frozenset({"book_changed_since", "period_records_changed"})
"""What says of one book, once for each paper, that it is another one: the first stands for all of them."""
OF_PAPERS: Final = ("transfer_differs:", "copies_differ:", "slip_differs:", "balance_differs:")
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
    return next((number for number, codes in enumerate(STEPS) if code.startswith(codes)), -1)


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
    if one.code in TOGETHER:
        return [("together", one.code)]
    repeats = one.code.startswith(OF_PAPERS) and not one.code.endswith(MISSING)
    return [("value", one.code, one.claimed, one.recomputed)] if repeats else []
