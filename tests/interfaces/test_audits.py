"""What a service of audits returns, the API answers and the page shows: the same values at each door, view by view."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from datetime import date
from typing import Any, Final, NamedTuple

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape
from pytest_django import DjangoDbBlocker, Settings

from provender.audit.sampling.population import Population
from provender.database.actor import Actor
from provender.database.choices import Right
from provender.database.models.accounts import Membership, Organisation, Person
from provender.database.models.audits import Audit, AuditEntry, VerifierKey
from provender.demo.farms import COOP
from provender.demo.loading import VERIFIER, begin_audit
from provender.paper.tables import safe
from provender.schema import all_views, write
from provender.services.accounts.grants import open_grants
from provender.services.audits import audits, programme, sample, standing, statement
from provender.services.audits.audits import HARVESTS, findings_of, population_of
from provender.services.audits.standing import agreed_said, happened, rule_said
from provender.signing.keys import SigningKey
from tests.web.api.test_calls import description
from tests.web.audit.test_api import Program
from tests.web.demo_once import Demo, demo
from tests.web.standing import Standing
from tests.web.standing import standing as once

__all__ = ["demo"]

ALL: Final = "limit=500"
pytestmark = pytest.mark.xdist_group("demo")


class Doors(NamedTuple):
    """The doors of a verifier and of the party that it audits, and the audit of both."""

    program: Program
    browser: Client
    audit: Audit
    today: date

    def table(self, page: str, name: str) -> list[dict[str, str]]:
        content = self.browser.get(f"/o/{VERIFIER}/{page}", {"save": "csv", "table": name}).content
        return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))

    def page(self, page: str) -> str:
        return self.browser.get(f"/o/{VERIFIER}/{page}").content.decode()


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
    browser = Client()
    browser.force_login(person_of_the_firm())
    return Doors(program, browser, audit, timezone.localdate())


class Case(NamedTuple):
    """What a service returns of an audit, one view or several, and where it is answered and shown.

    Attributes:
        views: names of the views.
        call: that answers it.
        view: what the service returns.
        page: that shows it.
        says: what the page holds: texts, or the rows of its table.
        table: name and headings, if it is one.
    """

    views: str
    call: str
    view: Callable[[Doors], Any]
    page: str
    says: Callable[[Any, Doors], Iterable[Any]]
    table: tuple[str, ...] = ()


def day(of: date | None) -> str:
    assert of
    return date_format(of, "DATE_FORMAT")


def frozen(audit: Audit) -> Population:
    found = population_of(audit)
    assert found
    return found


def entries_of(audit: Audit) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(audit=audit).order_by("pk")


def keys_of(doors: Doors) -> list[Any]:
    firm = doors.audit.verifier
    return [audits.KEYS.view(firm, key) for key in VerifierKey.objects.filter(organisation=firm).order_by("pk")]


def parties_of(doors: Doors) -> list[standing.PartyView]:
    return [standing.party_view(grant, doors.today) for grant in open_grants(doors.audit.verifier, doors.today)]


CASES: Final = {
    "an audit": Case(
        "AuditView", "/audits/{0}", lambda on: standing.audit_view(on.audit, on.today), "audits/",
        lambda one, on: [(one.number, one.audited, one.role, one.state, agreed_said(on.audit, on.today))],
        ("audits", "Audit", "Party", "As", "State", "Statement agreed for"),
    ),
    "the steps of an audit": Case(
        "StandingView AuditStep", "/audits/{0}/standing", lambda on: standing.standing_of(on.audit, on.today),
        "audits/{0}/", lambda one, _: [
            f", {one.days_left} days from now", f"open until {day(one.access_until)}",
            *(text for step in one.steps for text in (step.step, step.stands)),
        ],
    ),
    "the entries of an audit": Case(
        "EntryView", f"/audits/{{0}}/entries?{ALL}", lambda on: list(map(standing.entry_view, entries_of(on.audit))),
        "audits/{0}/", lambda _, on: map(happened, entries_of(on.audit)),
    ),
    "findings": Case(
        "FindingView", f"/audits/{{0}}/findings?{ALL}",
        lambda on: [programme.finding_view(finding) for finding in findings_of(on.audit)], "audits/{0}/findings/",
        lambda all_of_them, _: [
            (one.number, one.severity.capitalize(), one.text, one.owner, day(one.due)) for one in all_of_them
        ],
        ("findings", "No.", "Weight", "What was found", "Must answer", "Due"),
    ),
    "everything said about a finding": Case(
        "FindingWholeView", "/audits/{0}/findings/1",
        lambda on: programme.finding_whole(*programme.finding_named(on.audit, "1")), "audits/{0}/findings/1/",
        lambda one, _: (one.subject, one.text, one.owner),
    ),
    "the frozen farms": Case(
        "PopulationView", "/audits/{0}/population", lambda on: sample.population_view(frozen(on.audit)),
        "audits/{0}/sample/", lambda one, _: [one.sha256],
    ),
    "the drawn farms": Case(
        "DrawnFarmView", f"/audits/{{0}}/sample/farms?{ALL}", lambda on: sample.drawn_farm_views(on.audit),
        "audits/{0}/sample/", lambda farms, _: [
            (one.name, one.stratum, f"{one.risk['score']} {one.risk['band']}", "Open" if one.lets_in else "Not let in")
            for one in farms
        ],
        ("drawn farms", "Farm", "Stratum", "Risk", "Access"),
    ),
    "the work program": Case(
        "WorkLineView MarkView", f"/audits/{{0}}/work?{ALL}", lambda on: programme.work_lines(on.audit),
        "audits/{0}/work/", lambda lines, _: [
            *(text for one in lines for text in (f"line-{one.line}", one.text)),
            *(one.mark.note for one in lines if one.mark),
        ],
    ),
    "when something can be seen": Case(
        "Visit", f"/audits/{{0}}/work/calendar?{ALL}",
        lambda on: programme.calendar_of(on.audit, on.today),
        "audits/{0}/work/", lambda visits, _: [one.label for one in visits],
    ),
    "who lets the verifier in": Case(
        "PartyView", f"/verifier/parties?{ALL}", parties_of, "audits/",
        lambda parties, _: [(one.name, one.rhythm.alert.capitalize()) for one in parties if one.rhythm],
        ("parties", "Party", "Yearly audit"),
    ),
    "the yearly cycle of a party": Case(
        "Rhythm", "/rhythm", lambda on: standing.cycle_of(on.audit.audited, on.today), "audits/{0}/",
        lambda one, _: [f"{rule_said(one)}: {one.alert}"],
    ),
    "the accreditation": Case(
        "AccreditationView Doubt", "/verifier/accreditation",
        lambda on: audits.accreditation_view(on.audit.verifier, on.today), "audits/accreditation/",
        lambda one, _: [one.shown["body"], one.shown["number"]],
    ),
    "the keys of a verifier, the one that signs first": Case(
        "", f"/verifier/keys?{ALL}", keys_of, "audits/key/",
        lambda keys, _: [
            (safe(one.fingerprint), one.by, "signs" if one.signs else "replaced") for one in reversed(keys)
        ],
        ("keys", "Key", "By", "Now"),
    ),
    "the engagement": Case(
        "EngagementView", "/audits/{0}/engagement",
        lambda on: statement.EngagementView(said=statement.engagement_of(on.audit)), "audits/{0}/engagement/",
        lambda one, _: [text for text in one.said.values() if one.said == ENGAGED],
    ),
    "the visits": Case(
        "SeenView", f"/audits/{{0}}/visits?{ALL}", lambda on: list(statement.seen_in(on.audit)),
        "audits/{0}/engagement/", lambda visits, on: [
            visits[0].site, statement.farms_drawn(on.audit)[visits[1].farm], "Scale and tickets.",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_service_call_and_page_say_the_same(doors: Doors, name: str) -> None:
    case = CASES[name]
    shown, page = case.view(doors), case.page.format(doors.audit.handle)
    assert shown
    program = Program(COOP) if case.call == "/rhythm" else doors.program
    answered = program.reads(case.call.format(doors.audit.handle))
    assert (answered["items"] if isinstance(shown, list) else answered) == write(shown, whole=True)
    said = list(case.says(shown, doors))
    assert said
    if case.table:
        table, *heads = case.table
        assert said == [tuple(row[head] for head in heads) for row in doors.table(page, table)]
    else:
        text = doors.page(page)
        assert [one for one in said if one not in text and escape(one) not in text] == []


def test_every_frozen_farm_stands_on_the_page_and_a_line_is_marked(doors: Doors) -> None:
    assert any(line.mark for line in programme.work_lines(doors.audit))
    population = population_of(doors.audit)
    assert population is not None
    assert len(doors.table(f"audits/{doors.audit.handle}/sample/", "farms")) == len(population.rows)


def test_page_and_api_open_audits_of_the_same_harvests_with_numbers_that_can_be_kept(doors: Doors) -> None:
    properties = description()["components"]["schemas"]["AuditIn"]["properties"]
    assert properties["number"]["maxLength"] == Audit._meta.get_field("number").max_length
    described, page = properties["harvest_year"], doors.page("audits/")
    assert (described["minimum"], described["maximum"]) == HARVESTS
    assert f'min="{HARVESTS[0]}"' in page
    assert f'max="{HARVESTS[1]}"' in page


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
