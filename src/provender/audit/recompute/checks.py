"""Recomputation: what a check of a package answers, and the table of checks (2100.040, .051(d), .053(f)).

A check reads a package and computes something again from its records alone. It answers with a ``CheckResult``: how
many claims it computed again, every ``Difference``, and what it could not judge and why. "Nothing to compute" is never
"all well": an outcome settles its paragraphs only if it computed at least one claim and everything agreed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from provender.problem import ProblemsError
from provender.quantity import CI_SCALE, SCALE, half_even, show
from provender.rule.cite import Cite

Files = Mapping[str, bytes]
"""A package: content by path, as ``provender.signing.bags.Bag`` gives it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A claim that does not recompute.

    Attributes:
        code: stable name, such as ``stir_differs``.
        cite: the paragraph it touches, such as ``2100.051(b)(1)``.
        place: where it stands, as a person would look it up: farm, unit, interval, lot, document.
        claimed: the claimed value with its unit; empty where nothing was claimed.
        recomputed: the value computed again; empty where there should be none.
        effect_bushels: thousandths of a bushel whose claim depends on it; None where nobody can say.
        effect_g_co2e: whole grams CO2e by which the claim is too good (positive) or too bad; None where nobody can say.
        about: what it is about, from the whole to the part, such as a report and its unit, or a party whose book it
            is: by this it is seen to follow from another difference.
    """

    code: str
    cite: str
    place: str
    claimed: str
    recomputed: str
    effect_bushels: int | None = None
    effect_g_co2e: int | None = None
    about: tuple[tuple[str, ...], ...] = field(default=(), compare=False)

    def of(self, *about: tuple[str, ...]) -> "Difference":
        """Return the difference with what it is about."""
        return replace(self, about=about)

    def __post_init__(self) -> None:
        Cite.parse(self.cite)

    def __str__(self) -> str:
        """Write the difference as one line."""
        effect = "" if self.effect_bushels is None else f" Effect: {show(self.effect_bushels, group=True)} bu"
        grams = "" if self.effect_g_co2e is None else f", {self.effect_g_co2e:,} g CO2e"
        claimed, again = self.claimed or "nothing", self.recomputed or "nothing"
        return f"{self.place}: claimed {claimed}, recomputed {again} [7 CFR {self.cite}].{effect}{grams}"

    def as_json(self) -> dict[str, Any]:
        """Return plain data; bushels as decimal text."""
        return {
            "code": self.code,
            "cite": self.cite,
            "place": self.place,
            "claimed": self.claimed,
            "recomputed": self.recomputed,
            "effect_bushels": None if self.effect_bushels is None else show(self.effect_bushels),
            "effect_g_co2e": None if self.effect_g_co2e is None else str(self.effect_g_co2e),
        }


def effect_g_co2e(bushels: int, claimed_ci: int, recomputed_ci: int) -> int:
    """Return by how many whole grams a claim is too good.

    Args:
        bushels: thousandths of a bushel.
        claimed_ci: hundredths of g CO2e/bu.
        recomputed_ci: the same, computed again.
    """
    return half_even(bushels * (recomputed_ci - claimed_ci), 10 ** (SCALE + CI_SCALE))


class State(StrEnum):
    """What recomputation says of a paragraph, best first."""

    SETTLED = "settled"
    """Computed again, and everything agrees."""
    OPEN = "open"
    """Nothing was computed, or not all of it could be."""
    DIFFERS = "differs"
    """At least one claim does not recompute."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The answer of one check.

    Attributes:
        check: its name.
        cites: the paragraphs it speaks to.
        computed: how many claims were computed again.
        differences: those that do not agree.
        not_shown: what could not be judged, each with its reason, as sentences.
    """

    check: str
    cites: tuple[str, ...]
    computed: int
    differences: tuple[Difference, ...] = ()
    not_shown: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """Settled, open, or differs."""
        if self.differences:
            return State.DIFFERS
        return State.OPEN if self.not_shown or not self.computed else State.SETTLED

    def as_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "check": self.check,
            "cites": list(self.cites),
            "state": str(self.state),
            "computed": self.computed,
            "differences": [one.as_json() for one in self.differences],
            "not_shown": list(self.not_shown),
        }


@dataclass(frozen=True, slots=True)
class Check:
    """One recomputation: its name, the paragraphs it speaks to, and where it lives (``module:function``)."""

    name: str
    cites: tuple[str, ...]
    lives_in: str

    def find(self) -> Callable[[Files], CheckResult]:
        """Import the function: package -> outcome."""
        module, _, function = self.lives_in.partition(":")
        found: Callable[[Files], CheckResult] = getattr(import_module(module), function)
        return found


_REPORT: Final = "provender.audit.recompute.reports"
_EVIDENCE: Final = "provender.audit.recompute.evidence"
_CROSS: Final = "provender.audit.recompute.across"
_CUSTODY: Final = "provender.audit.recompute.custody_books"
_PAPERS: Final = "provender.audit.recompute.papers"

CHECKS: Final[tuple[Check, ...]] = (
    Check("sample", ("2100.040(a)(3)(ii)", "2100.040(a)(3)(iii)"), "provender.audit.recompute.sample:recompute"),
    Check("records", ("2100.051(c)", "2100.052(b)", "2100.053(e)"), f"{_REPORT}:records"),
    Check("stir", ("2100.051",), f"{_REPORT}:stir"),
    Check("verdicts", ("2100.051", "2100.052", "2100.053", "2100.040(b)(3)(i)"), f"{_REPORT}:verdicts"),
    Check("calculator runs", ("2100.020(a)", "2100.031(c)(2)(i)"), f"{_REPORT}:runs"),
    Check("same inputs, same CI", ("2100.031(c)(2)(i)",), f"{_CROSS}:same_inputs"),
    Check(
        "weighted average",
        ("2100.020(b)", "2100.020(c)", "2100.031(c)(2)(ii)", "2100.040(b)(3)(ii)"),
        f"{_REPORT}:average",
    ),
    Check("completeness", ("2100.020",), f"{_REPORT}:completeness"),
    Check("attestation", ("2100.031(c)(3)",), f"{_REPORT}:attestation"),
    Check("report", ("2100.031(c)(1)", "2100.031(a)"), f"{_REPORT}:report"),
    Check("signatures", ("2100.031(c)(3)",), "provender.audit.recompute.signatures:recompute"),
    Check("evidence", ("2100.031(a)", "2100.031(c)(2)(i)"), f"{_EVIDENCE}:hashes"),
    Check("evidence index", ("2100.051(c)", "2100.030(d)"), "provender.audit.recompute.evidence_days:recompute"),
    Check("photographs", ("2100.052(b)(5)",), f"{_EVIDENCE}:photos"),
    Check("one origin", ("2100.031(c)", "2100.032(a)"), f"{_CROSS}:one_origin"),
    Check("copies in other hands", ("2100.032(b)(1)",), f"{_CROSS}:copies"),
    Check("book", ("2100.032(a)", "2100.034(b)"), f"{_CUSTODY}:book"),
    Check("lots", ("2100.032(a)",), f"{_CUSTODY}:lots"),
    Check(
        "balances",
        ("2100.034(c)", "2100.034(d)", "2100.034(d)(1)(ii)", "2100.034(d)(1)(iv)"),
        f"{_PAPERS}:periods",
    ),
    Check(
        "transfers",
        (
            "2100.032(a)(1)(i)",
            "2100.032(a)(1)(ii)",
            "2100.032(a)(1)(iii)",
            "2100.032(a)(1)(iv)",
            "2100.032(c)(2)",
            "2100.032(c)(3)",
            "2100.033",
        ),
        f"{_PAPERS}:transfers",
    ),
    Check("book and papers", ("2100.032(a)", "2100.034(c)"), "provender.audit.recompute.book_heads:recompute"),
    Check("papers kept", ("2100.032(b)",), f"{_PAPERS}:kept"),
    Check("papers signed", ("2100.032(a)",), f"{_PAPERS}:signed"),
    Check("statements", ("2100.032(b)(2)", "2100.032(c)(1)"), "provender.audit.recompute.statements:recompute"),
    Check("farms and entity", ("2100.040(a)(2)(ii)", "2100.031(b)"), f"{_CUSTODY}:farms"),
    Check("population", ("2100.040(a)(3)(i)",), f"{_CUSTODY}:population"),
    Check("nothing left out", ("2100.030(d)", "2100.040(b)(1)"), "provender.audit.recompute.silence:recompute"),
    Check(
        "plausible",
        ("2100.040(e)(1)", "2100.040(f)"),
        "provender.audit.recompute.plausible:recompute",
    ),
    Check("origin ids", ("2100.031(c)", "2100.032(b)(1)"), "provender.audit.recompute.origins:recompute"),
    Check("accreditation", ("2100.041",), "provender.audit.recompute.accredited:recompute"),
    Check("days", ("2100.030(d)", "2100.031(c)", "2100.034(c)"), "provender.audit.recompute.day_order:recompute"),
    Check("days of keys", ("2100.031(c)(3)",), "provender.audit.recompute.key_days:recompute"),
    Check("timestamps", ("2100.030(d)",), "provender.audit.recompute.timestamps:recompute"),
    Check("transparency logs", ("2100.030(d)",), "provender.audit.recompute.logs:recompute"),
    Check("verifier's decisions", ("2100.040(b)(2)",), "provender.audit.recompute.decisions:recompute"),
)
"""Every recomputation, in the order in which a verifier reads the results."""


def spoiled() -> tuple[type[BaseException], ...]:
    """Return what a document makes of a check that looks deeper into it than ``shape`` did."""
    from polars.exceptions import PanicException, PolarsError  # the help of a verb needs no frames

    unfit = ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError
    return *unfit, PolarsError, PanicException, ProblemsError


def recompute(files: Files, checks: Iterable[Check] = CHECKS) -> list[CheckResult]:
    """Run the checks on a package; one that finds its input unusable says so and stops no other.

    What cannot be computed again is a difference: a package must not become clean by being unreadable.
    """
    from provender.audit.package.contents import PackageContents  # the checks need it; it needs what is declared above

    with TemporaryDirectory() as folder:
        return recompute_case(PackageContents(files, Path(folder)), checks)


def recompute_case(case: Files, checks: Iterable[Check] = CHECKS) -> list[CheckResult]:
    """Run the checks on a package that is taken apart already: a ``PackageContents``."""
    return [_run(check, case) for check in checks]


def _run(check: Check, case: Files) -> CheckResult:
    try:
        return check.find()(case)
    except ProblemsError as refused:
        whole = {str(problem): problem for problem in refused.problems}
        faults = tuple(
            Difference(
                "not_recomputed", one.cite or check.cites[0], f"{check.name}: {one.place}", "a whole file", one.cause
            )
            for one in whole.values()
        )
        return CheckResult(check.name, check.cites, 0, faults, tuple(whole))
    except spoiled() as wrong:
        said = f"A document in the package is not of the form it claims ({type(wrong).__name__}: {wrong})."
        fault = Difference("not_recomputed", check.cites[0], check.name, "documents that can be read", said)
        return CheckResult(check.name, check.cites, 0, (fault,), (said,))


def state_of(outcomes: Iterable[CheckResult], cite: str) -> State:
    """Return the worst state among the outcomes that speak to a paragraph or to what lies below it."""
    asked = Cite.parse(cite)
    order = list(State)
    states = [one.state for one in outcomes for text in one.cites if Cite.parse(text).within(asked)]
    return max(states, key=order.index, default=State.OPEN)
