"""The day agreed for a statement is held against the rule's last day: a page says by how many days it is too late."""

from datetime import timedelta
from typing import Final

import pytest

from provender.audit.programme import Role as AuditRole
from provender.database.actor import today
from provender.database.models import Audit
from provender.services.audits.audits import Opening, open_audit
from provender.services.audits.standing import (
    agreed_said,
    cycle_of,
    day_said,
    days_past_rule,
    state_of,
)
from provender.services.dashboard import endings
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody

LATE: Final = 22


@pytest.fixture
def audit(cast: Cast) -> Audit:
    """Open an audit of the mill, which owes a statement every year."""
    fill_custody(cast)
    last, day = cycle_of(cast.mill, today()).due_on, timedelta(days=1)
    assert last is not None
    opening = Opening(
        role=AuditRole.FIRST_POINT, number="V-2", harvest_year=today().year - 1, covered_first=today() - 30 * day,
        covered_last=today() - day, due_on=last + LATE * day,
    )  # fmt: skip
    return open_audit(cast.verifier, cast.mill, opening, actor=cast.actor("verifier_in"))


def test_days_after_the_last_one_by_the_rule_are_counted_and_an_agreed_day_is_told_from_it(audit: Audit) -> None:
    assert state_of(audit, audit.due_on + timedelta(days=1)) == "Past the agreed day"
    assert state_of(audit, audit.due_on) == "Agreed day is near"
    cycle = cycle_of(audit.audited, today())
    assert cycle.due_on is not None
    for apart, late in ((-1, 0), (0, 0), (1, 1), (22, 22)):
        audit.due_on = cycle.due_on + timedelta(days=apart)
        assert days_past_rule(audit, cycle) == late
    said = {0: "today", 1: "1 day from now", 12: "12 days from now", -1: "1 day ago", -3: "3 days ago"}
    for apart, words in said.items():
        audit.due_on = today() + timedelta(days=apart)
        assert agreed_said(audit, today()) == f"{day_said(audit.due_on)}, {words}"


def test_an_audit_of_a_farm_has_no_yearly_day(cast: Cast) -> None:
    assert days_past_rule(cast.audit, cycle_of(cast.farm, today())) == 0


def test_the_overview_of_the_audited_names_each_day_and_none_stands_for_another(cast: Cast, audit: Audit) -> None:
    """Within sixty days three days stand beside each other: agreed, by the rule, last one covered."""
    due = cycle_of(cast.mill, today()).due_on
    assert due is not None
    near = due - timedelta(days=10)
    found = {one.what: one.last for one in endings(cast.mill, near)}
    assert found["Your yearly statement: due by the rule"] == due
    assert found[f"Audit by {cast.verifier}: statement agreed for"] == audit.due_on
    assert not [what for what in found if "tatement" in what and ":" not in what]
