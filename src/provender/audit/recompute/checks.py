"""Recomputation: what a check of a package answers, and the table of checks (2100.040, .051(d), .053(f)).

A check reads a package, computes something again from its records alone, and answers with a ``CheckResult``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from provender.audit.outcome import CheckResult, Difference, Files
from provender.problem import ProblemsError


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
    from provender.audit.package.contents import PackageContents  # it reads frames; the help of a verb needs none

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
