"""What a service of audits returns, the API answers and the page shows: the same values at each door, view by view."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from datetime import date
from typing import Any, Final, NamedTuple

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape
from pytest_django import DjangoDbBlocker, Settings

from provender.database.actor import Actor
from provender.database.choices import Right
from provender.database.models import Audit, AuditEntry, VerifierKey
from provender.database.models.accounts import Membership, Organisation, Person
from provender.database.store.audits import findings_of, population_of
from provender.demo.cast import VERIFIER
from provender.demo.loading import begin_audit
from provender.demo.parties import COOP
from provender.paper.tables import safe
from provender.schema import all_views, write
from provender.services.accounts.grants import open_grants
from provender.services.audits import audits, findings, programme, sample, standing, statement
from provender.services.audits.audits import HARVESTS
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

    @property
    def base(self) -> str:
        """Return the address of the audit in the API."""
        return f"/audits/{self.audit.handle}"

    def table(self, page: str, name: str) -> list[dict[str, str]]:
        """Return a table of a page as it is saved."""
        content = self.browser.get(f"/o/{VERIFIER}/{page}", {"save": "csv", "table": name}).content
        return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))

    def page(self, page: str) -> str:
        """Return a page as a browser gets it."""
        return self.browser.get(f"/o/{VERIFIER}/{page}").content.decode()


def person_of_the_firm() -> Person:
    firm = Organisation.objects.get(handle=VERIFIER)
    return Membership.objects.filter(organisation=firm, right=Right.MANAGE).order_by("pk")[0].person


def _begun() -> tuple[Audit, Program]:
    organisations = {each.handle: each for each in Organisation.objects.all()}
    audit = begin_audit(organisations, VERIFIER, timezone.localdate(), actor=Actor(person_of_the_firm(), "test"))
    program = Program(VERIFIER)
    program.does("/verifier/keys", {"shown": SigningKey.generate().public.export(), "reason": "Known to all."})
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


def whole(views: Iterable[object]) -> list[Any]:
    """Return views as the API answers a list of them."""
    return [write(view, whole=True) for view in views]


def test_an_audit(doors: Doors) -> None:
    shown = standing.audit_view(doors.audit, doors.today)
    assert doors.program.reads(doors.base) == write(shown, whole=True)
    row = next(row for row in doors.table("audits/", "audits") if row["Audit"] == shown.number)
    assert (row["Party"], row["As"], row["State"]) == (shown.audited, shown.role, shown.state)
    assert row["Statement agreed for"] == agreed_said(doors.audit, doors.today)
    assert row["Statement agreed for"].startswith(date_format(shown.due_on, "DATE_FORMAT"))


def test_the_steps_of_an_audit(doors: Doors) -> None:
    shown = standing.standing_of(doors.audit, doors.today)
    assert doors.program.reads(f"{doors.base}/standing") == write(shown, whole=True)
    page = doors.page(f"audits/{doors.audit.handle}/")
    assert [step.step for step in shown.steps if step.step not in page or step.stands not in page] == []
    assert f", {shown.days_left} days from now" in page
    assert shown.access_until is not None
    assert f"open until {date_format(shown.access_until, 'DATE_FORMAT')}" in page


def test_the_entries_of_an_audit(doors: Doors) -> None:
    entries = AuditEntry.objects.filter(audit=doors.audit).order_by("pk")
    assert doors.program.reads(f"{doors.base}/entries?{ALL}")["items"] == whole(map(standing.entry_view, entries))
    page = doors.page(f"audits/{doors.audit.handle}/")
    assert [entry for entry in entries if escape(happened(entry)) not in page] == []


def test_a_finding(doors: Doors) -> None:
    shown = [findings.finding_view(finding) for finding in findings_of(doors.audit)]
    assert doors.program.reads(f"{doors.base}/findings?{ALL}")["items"] == whole(shown)
    rows = doors.table(f"audits/{doors.audit.handle}/findings/", "findings")
    assert [(row["No."], row["Weight"], row["What was found"], row["Must answer"], row["Due"]) for row in rows] == [
        (view.number, view.severity.capitalize(), view.text, view.owner, date_format(view.due, "DATE_FORMAT"))
        for view in shown
    ]


def test_everything_said_about_a_finding(doors: Doors) -> None:
    shown = findings.finding_whole(*programme.finding_named(doors.audit, "1"))
    assert doors.program.reads(f"{doors.base}/findings/1") == write(shown, whole=True)
    page = doors.page(f"audits/{doors.audit.handle}/findings/1/")
    assert [text for text in (shown.subject, shown.text, shown.owner) if escape(text) not in page] == []


def test_the_frozen_farms(doors: Doors) -> None:
    population = population_of(doors.audit)
    assert population is not None
    shown = sample.population_view(population)
    assert doors.program.reads(f"{doors.base}/population") == write(shown, whole=True)
    assert len(doors.table(f"audits/{doors.audit.handle}/sample/", "farms")) == len(shown.rows)
    assert shown.sha256 in doors.page(f"audits/{doors.audit.handle}/sample/")


def test_the_drawn_farms(doors: Doors) -> None:
    shown = sample.drawn_farm_views(doors.audit)
    assert shown
    assert doors.program.reads(f"{doors.base}/sample/farms?{ALL}")["items"] == whole(shown)
    rows = doors.table(f"audits/{doors.audit.handle}/sample/", "drawn farms")
    assert [(row["Farm"], row["Stratum"], row["Risk"], row["Access"]) for row in rows] == [
        (
            view.name,
            view.stratum,
            f"{view.risk['score']} {view.risk['band']}",
            "Open" if view.lets_in else "Not let in",
        )
        for view in shown
    ]


def test_the_work_programme(doors: Doors) -> None:
    shown = programme.work_lines(doors.audit)
    assert any(view.mark for view in shown)
    assert doors.program.reads(f"{doors.base}/work?{ALL}")["items"] == whole(shown)
    page = doors.page(f"audits/{doors.audit.handle}/work/")
    assert [view.line for view in shown if f"line-{view.line}" not in page or escape(view.text) not in page] == []
    assert [view.line for view in shown if view.mark and escape(view.mark.note) not in page] == []


def test_when_something_can_be_seen(doors: Doors) -> None:
    _, calendar = programme.items_of(doors.audit)
    shown = [programme.visit_view(visit, doors.today) for visit in calendar]
    assert shown
    assert doors.program.reads(f"{doors.base}/work/calendar?{ALL}")["items"] == whole(shown)
    page = doors.page(f"audits/{doors.audit.handle}/work/")
    assert [view.label for view in shown if escape(view.label) not in page] == []


def test_who_lets_the_verifier_in(doors: Doors) -> None:
    shown = [standing.party_view(grant, doors.today) for grant in open_grants(doors.audit.verifier, doors.today)]
    assert doors.program.reads(f"/verifier/parties?{ALL}")["items"] == whole(shown)
    yearly = [view for view in shown if view.rhythm]
    assert [(row["Party"], row["Yearly audit"]) for row in doors.table("audits/", "parties")] == [
        (view.name, view.rhythm.alert.capitalize()) for view in yearly if view.rhythm
    ]


def test_the_yearly_cycle_of_a_party(doors: Doors) -> None:
    shown = standing.cycle_of(doors.audit.audited, doors.today)
    assert Program(COOP).reads("/rhythm") == write(shown, whole=True)
    assert f"{rule_said(shown)}: {shown.alert}" in doors.page(f"audits/{doors.audit.handle}/")


def test_the_accreditation(doors: Doors) -> None:
    shown = audits.accreditation_view(doors.audit.verifier, doors.today)
    assert shown.shown is not None
    assert doors.program.reads("/verifier/accreditation") == write(shown, whole=True)
    page = doors.page("audits/accreditation/")
    assert [text for text in (shown.shown["body"], shown.shown["number"]) if escape(text) not in page] == []


def test_the_keys_of_a_verifier(doors: Doors) -> None:
    keys = VerifierKey.objects.filter(organisation=doors.audit.verifier).order_by("pk")
    shown = [audits.KEYS.view(doors.audit.verifier, key) for key in keys]
    assert doors.program.reads(f"/verifier/keys?{ALL}")["items"] == whole(shown)
    rows = doors.table("audits/key/", "keys")
    assert [(row["Key"], row["By"], row["Now"]) for row in rows] == [
        (safe(view.fingerprint), view.by, "signs" if view.signs else "replaced") for view in reversed(shown)
    ], "the page begins with the key that signs"


def test_the_engagement(doors: Doors) -> None:
    said = {"engaged_by": "Prairie Cooperative Elevator", "sampling_plan": "Every drawn farm, and both sites."}
    doors.program.does(f"{doors.base}/engagement", said)
    shown = statement.EngagementView(said=statement.engagement_of(doors.audit))
    assert shown.said == said
    assert doors.program.reads(f"{doors.base}/engagement") == write(shown, whole=True)
    page = doors.page(f"audits/{doors.audit.handle}/engagement/")
    assert [text for text in said.values() if escape(text) not in page] == []


def test_the_visits(doors: Doors) -> None:
    farm, name = next(iter(statement.farms_drawn(doors.audit).items()))
    seen = {"way": "visit", "on": doors.today.isoformat(), "by": "Vic", "seen": "Scale and tickets."}
    for where in ({"site": "north"}, {"farm": farm}):
        doors.program.does(f"{doors.base}/visits", {**seen, **where})
    shown = statement.seen_in(doors.audit)
    assert [(view.site, view.farm) for view in shown] == [("north", ""), ("", farm)]
    assert doors.program.reads(f"{doors.base}/visits?{ALL}")["items"] == whole(shown)
    page = doors.page(f"audits/{doors.audit.handle}/engagement/")
    assert [text for text in ("north", name, "Scale and tickets.") if escape(text) not in page] == []


def test_page_and_api_open_audits_of_the_same_harvests(doors: Doors) -> None:
    described = description()["components"]["schemas"]["AuditIn"]["properties"]["harvest_year"]
    page = doors.page("audits/")
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
CASES: Final[dict[Callable[[Doors], None], tuple[type[Any], ...]]] = {
    test_an_audit: (standing.AuditView,),
    test_the_steps_of_an_audit: (standing.StandingView, standing.AuditStep),
    test_the_entries_of_an_audit: (standing.EntryView,),
    test_a_finding: (findings.FindingView,),
    test_everything_said_about_a_finding: (findings.FindingWholeView,),
    test_the_frozen_farms: (sample.PopulationView,),
    test_the_drawn_farms: (sample.DrawnFarmView,),
    test_the_work_programme: (programme.WorkLineView, programme.MarkView),
    test_when_something_can_be_seen: (programme.VisitView,),
    test_who_lets_the_verifier_in: (standing.PartyView,),
    test_the_yearly_cycle_of_a_party: (standing.CycleView,),
    test_the_accreditation: (audits.AccreditationView, audits.Doubt),
    test_the_engagement: (statement.EngagementView,),
    test_the_visits: (statement.SeenView,),
}


def test_every_view_of_audits_has_a_case() -> None:
    cased = {view.__name__ for views in CASES.values() for view in views}
    views = {view.__name__ for view in all_views() if view.__module__.startswith("provender.services.audits.")}
    assert views == cased | ASKED | ELSEWHERE
