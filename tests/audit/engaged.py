"""An audit that was engaged for and done in every part, for tests to leave out one part at a time."""

from dataclasses import replace
from typing import Any, Final

from provender.audit.programme import Role
from provender.audit.statement.opinion import required_lines, scope_of
from provender.audit.statement.statement import VerificationStatement
from tests.audit.verifier import ACCREDITATION, statement

ENGAGEMENT: Final[dict[str, Any]] = {
    "engaged_by": "Prairie Elevator",
    "engaged_on": "2026-03-02",
    "addressee": "The board of Prairie Elevator and its buyers",
    "party_responsibility": "The elevator keeps its books and states its claims.",
    "verifier_responsibility": "The verifier states an opinion on the claims.",
    "impartiality": "R. Lind looked for ties on 2026-02-20 and saw none.",
    "team": [
        {"name": "V. Moss", "part": "lead verifier", "competence": "Ten audits of grain books; judged by R. Lind."},
        {"name": "R. Lind", "part": "independent reviewer", "competence": "Twenty audits; judged by the board."},
    ],
    "risks": [
        {"risk": "Claims without grain", "cite": "2100.040(a)(2)(i)", "level": "high", "response": "Bins measured."}
    ],
    "sampling_plan": "Eight of 51 farms by the draw; every ticket of each.",
    "procedures": [
        {"cite": cite, "procedure": "Recomputed and tied out", "evidence": "Package and tickets",
         "result": "All of it agrees"}
        for cite in ("2100.040(a)(2)(i)", "2100.040(a)(2)(ii)", "2100.040(b)(3)(i)", "2100.040(b)(3)(ii)")
    ],
    "reviewed_on": "2026-11-18",
    "later_facts": "The verifier looks into it and adds what it means to the statement.",
    "retention_years": 10,
}  # fmt: skip


def answered(role: Role = Role.FIRST_POINT) -> list[dict[str, str]]:
    """Return every line of a role's programme, answered."""
    return [
        {"line": item.line, "cite": item.cite, "answer": "done", "by": "V. Moss", "on": "2026-10-20"}
        for item in required_lines(role)
    ]


WORK: Final[dict[str, Any]] = {
    "lines": answered(),
    "sites": [{"site": "North", "way": "visit", "on": "2026-10-20", "by": "V. Moss", "seen": "Bins and scale."}],
    "farms": [
        {"farm": number, "way": "visit", "on": "2026-10-21", "by": "V. Moss"} for number in range(1, 9)
    ],
    "records": [
        {"what": "period statement", "first": "2025-10-01", "last": "2026-03-31", "sha256": "cd" * 32},
        {"what": "period statement", "first": "2026-04-01", "last": "2026-09-30", "sha256": "ef" * 32},
    ],
    "quantities": [
        {"crop": "corn", "harvest_year": 2025, "ci_g_per_bu": "6000.00", "bushels": "100000"},
        {"crop": "soybeans", "harvest_year": 2025, "ci_g_per_bu": "11000.00", "bushels": "20000", "pounds": "900"},
    ],
}  # fmt: skip
FINDING: Final = {
    "number": "1", "severity": "minor", "cite": "2100.034(d)", "stage": "resolved", "resolution": "stands",
    "effect_bushels": "", "effect_g_co2e": "", "bearing": "no misstatement",
}  # fmt: skip


def engaged(**changes: object) -> VerificationStatement:
    """Return a favourable statement with every part, some of them changed."""
    whole = {
        "accreditation": replace(ACCREDITATION, scope="Environmental information: feedstock carbon intensity"),
        "engagement": ENGAGEMENT, "work": WORK, "findings": (FINDING,),
    }  # fmt: skip
    one = statement(**{**whole, "package_mark": "12" * 32, **changes})
    return one if "scope" in changes else replace(one, scope=scope_of(one))
