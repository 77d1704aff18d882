"""The day agreed for a statement is held against the rule's last day: a page says by how many days it is too late."""

from datetime import timedelta
from typing import Final

import pytest
from django.urls import reverse

from provender.audit.programme.items import Role as AuditRole
from provender.database.actor import today
from provender.database.models import Audit
from provender.services.audits.audits import Opening, open_audit
from provender.services.audits.standing import cycle_of, days_past_rule
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


@pytest.mark.parametrize(("apart", "late"), [(-1, 0), (0, 0), (1, 1), (22, 22)])
def test_days_after_the_last_one_by_the_rule_are_counted(audit: Audit, apart: int, late: int) -> None:
    cycle = cycle_of(audit.audited, today())
    assert cycle.due_on is not None
    audit.due_on = cycle.due_on + timedelta(days=apart)
    assert days_past_rule(audit, cycle) == late


def test_an_audit_of_a_farm_has_no_yearly_day(cast: Cast) -> None:
    assert days_past_rule(cast.audit, cycle_of(cast.farm, today())) == 0


def test_both_sides_and_the_list_say_how_many_days_too_late_the_agreed_day_is(cast: Cast, audit: Audit) -> None:
    vic, here = cast.client("verifier_in"), cast.verifier.handle
    home = vic.get(reverse("audit", args=(here, audit.handle))).content.decode()
    assert f", {LATE} days after " in home
    note = f"{LATE} days after the rule&#x27;s last day"
    assert note in vic.get(reverse("audits", args=(here,))).content.decode()
    ours = cast.client().get(reverse("audit_of_us", args=(cast.mill.handle, audit.handle))).content.decode()
    assert note in ours
