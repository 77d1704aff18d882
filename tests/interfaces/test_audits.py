"""What a service of audits returns, the API answers, view by view; recorded answers hold what pages show of it."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import date
from typing import Any, Final, NamedTuple

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from provender.audit.sampling.population import Population
from provender.database.actor import Actor
from provender.database.choices import Right
from provender.database.models.accounts import Membership, Organisation, Person
from provender.database.models.audits import Audit, VerifierKey
from provender.demo.farms import COOP
from provender.demo.loading import VERIFIER, begin_audit
from provender.schema import all_views, write
from provender.services.accounts.grants import open_grants
from provender.services.audits import audits, programme, sample, standing, statement
from provender.services.audits.audits import findings_of, population_of
from provender.signing.keys import SigningKey
from tests.web.audit.test_api import Program
from tests.web.demo_once import Demo, demo
from tests.web.standing import Standing
from tests.web.standing import standing as once

__all__ = ["demo"]

ALL: Final = "limit=500"
pytestmark = pytest.mark.xdist_group("demo")


class Doors(NamedTuple):
    """The program of a verifier and the audit that it has begun."""

    program: Program
    audit: Audit
    today: date


def person_of_the_firm() -> Person:
    firm = Organisation.objects.get(handle=VERIFIER)
    return Membership.objects.filter(organisation=firm, right=Right.MANAGE).order_by("pk")[0].person


ENGAGED: Final = {"engaged_by": "Prairie Cooperative Elevator", "sampling_plan": "Every drawn farm, and both sites."}


def _begun() -> tuple[Audit, Program]:
    """Begin the audit of the example; say who engaged the verifier and what it saw."""
    organisations = {each.handle: each for each in Organisation.objects.all()}
    audit = begin_audit(organisations, VERIFIER, timezone.localdate(), actor=Actor(person_of_the_firm(), "test"))
    program, base = Program(VERIFIER), f"/audits/{audit.handle}"
    program.does("/verifier/keys", {"shown": SigningKey.generate().public.export(), "reason": "Known to all."})
    program.does(f"{base}/engagement", ENGAGED)
    seen = {"way": "visit", "on": timezone.localdate().isoformat(), "by": "Vic", "seen": "Scale and tickets."}
    for where in ({"site": "north"}, {"farm": next(iter(statement.farms_drawn(audit)))}):
        program.does(f"{base}/visits", {**seen, **where})
    return audit, program


@pytest.fixture(scope="module")
def begun(demo: Demo, django_db_blocker: DjangoDbBlocker) -> Iterator[Standing[tuple[Audit, Program]]]:
    with once(django_db_blocker, demo.uploads, _begun) as made:
        yield made


@pytest.fixture
def doors(begun: Standing[tuple[Audit, Program]], settings: Settings, db: None) -> Doors:
    audit, program = deepcopy(begun.lend(settings))
    return Doors(program, audit, timezone.localdate())


class Case(NamedTuple):
    """What a service returns of an audit, one view or several, and the call that answers it."""

    views: str
    call: str
    view: Callable[[Doors], Any]


def frozen(audit: Audit) -> Population:
    found = population_of(audit)
    assert found
    return found


def keys_of(on: Doors) -> list[Any]:
    firm = on.audit.verifier
    return [audits.KEYS.view(firm, key) for key in VerifierKey.objects.filter(organisation=firm).order_by("pk")]


CASES: Final = {
    "an audit": Case("AuditView", "/audits/{0}", lambda on: standing.audit_view(on.audit, on.today)),
    "the steps of an audit": Case(
        "StandingView AuditStep", "/audits/{0}/standing", lambda on: standing.standing_of(on.audit, on.today)
    ),
    "the entries of an audit": Case(
        "EntryView", f"/audits/{{0}}/entries?{ALL}", lambda on: list(map(standing.entry_view, on.audit.entries.all()))
    ),
    "findings": Case(
        "FindingView", f"/audits/{{0}}/findings?{ALL}",
        lambda on: list(map(programme.finding_view, findings_of(on.audit))),
    ),
    "everything said about a finding": Case(
        "FindingWholeView", "/audits/{0}/findings/1",
        lambda on: programme.finding_whole(*programme.finding_named(on.audit, "1")),
    ),
    "the frozen farms": Case(
        "PopulationView", "/audits/{0}/population", lambda on: sample.population_view(frozen(on.audit))
    ),
    "the drawn farms": Case(
        "DrawnFarmView", f"/audits/{{0}}/sample/farms?{ALL}", lambda on: sample.drawn_farm_views(on.audit)
    ),
    "the work program": Case(
        "WorkLineView MarkView", f"/audits/{{0}}/work?{ALL}", lambda on: programme.work_lines(on.audit)
    ),
    "when something can be seen": Case(
        "Visit", f"/audits/{{0}}/work/calendar?{ALL}", lambda on: programme.calendar_of(on.audit, on.today)
    ),
    "who lets the verifier in": Case(
        "PartyView", f"/verifier/parties?{ALL}",
        lambda on: [standing.party_view(each, on.today) for each in open_grants(on.audit.verifier, on.today)],
    ),
    "the yearly cycle of a party": Case(
        "Rhythm", "/rhythm", lambda on: standing.cycle_of(on.audit.audited, on.today)
    ),
    "the accreditation": Case(
        "AccreditationView Doubt", "/verifier/accreditation",
        lambda on: audits.accreditation_view(on.audit.verifier, on.today),
    ),
    "the keys of a verifier": Case("", f"/verifier/keys?{ALL}", keys_of),
    "the engagement": Case(
        "EngagementView", "/audits/{0}/engagement",
        lambda on: statement.EngagementView(said=statement.engagement_of(on.audit)),
    ),
    "the visits": Case("SeenView", f"/audits/{{0}}/visits?{ALL}", lambda on: list(statement.seen_in(on.audit))),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_service_and_call_say_the_same(doors: Doors, name: str) -> None:
    case = CASES[name]
    shown = case.view(doors)
    assert shown
    program = Program(COOP) if case.call == "/rhythm" else doors.program
    answered = program.reads(case.call.format(doors.audit.handle))
    assert (answered["items"] if isinstance(shown, list) else answered) == write(shown, whole=True)


def test_the_audit_of_these_cases_has_a_marked_line(doors: Doors) -> None:
    assert any(line.mark for line in programme.work_lines(doors.audit))


ASKED: Final[frozenset[str]] = frozenset({"Opening"})
"""Views that a caller sends."""
ELSEWHERE: Final = frozenset({
    "PackageChoiceView", "PackageView", "ProgressView", "ResultLineView", "ResultView", "DifferenceView",
    "DraftView", "LaterView",
})  # fmt: skip
"""Views that need a package at work or a signed statement: ``tests/web/audit/test_api.py`` walks through them."""


def test_every_view_of_audits_has_a_case() -> None:
    cased = {view for case in CASES.values() for view in case.views.split()}
    views = {view.__name__ for view in all_views() if "audit" in view.__module__}
    assert views == cased | ASKED | ELSEWHERE
