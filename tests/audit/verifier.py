"""A verifier and its statement, sound in every part, for tests to spoil one part at a time."""

from dataclasses import replace
from datetime import date
from typing import Any

from provender.audit.programme import Role
from provender.audit.statement import statement as statements

IAF = statements.Membership(
    forum=statements.Forum.IAF, first=date(2010, 5, 1), last=date(2025, 12, 31), source="member list, seen 2025-06-02"
)
SUCCESSOR = statements.Membership(
    forum=statements.Forum.SUCCESSOR, first=date(2026, 1, 1), source="member list, seen 2026-03-02"
)
ACCREDITATION = statements.Accreditation(
    verifier="Verity LLC", verifier_id="verity", standard="ISO 14065:2020", body="An Accreditor", number="VV-12",
    first=date(2024, 3, 1), last=date(2027, 2, 28), memberships=(IAF, SUCCESSOR),
)  # fmt: skip
STATEMENT = statements.VerificationStatement(
    number="ST-14",
    audited="elevator",
    audited_name="Prairie Elevator",
    role=Role.FIRST_POINT,
    verifier="verity",
    verifier_name="Verity LLC",
    lead_verifier="V. Moss",
    independent_reviewer="R. Lind",
    accreditation=ACCREDITATION,
    objectives="Find out whether mass balance and CI records meet the rule.",
    scope="All sites, corn and soybeans.",
    criteria=("7 CFR part 2100, 90 FR 5512", "ISO 14064-3:2019"),
    crops=("corn", "soybeans"),
    covered_first=date(2025, 10, 1),
    covered_last=date(2026, 9, 30),
    issued_on=date(2026, 11, 20),
    assurance=statements.Assurance.REASONABLE,
    materiality_pct=5_000,
    materiality="Applied to claimed bushels of each CI.",
    farms=51,
    sampled=8,
    sample_hash="ab" * 32,
    opinion=statements.Opinion.FAVOURABLE,
    basis="The records support the claims in all material respects.",
)


def statement(**changes: object) -> statements.VerificationStatement:
    """Return the sound statement with some parts changed."""
    changed: dict[str, Any] = changes
    return replace(STATEMENT, **changed)
