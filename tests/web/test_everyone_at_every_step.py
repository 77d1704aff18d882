"""The steps that the table of addresses cannot open, with real bodies and states, against the whole cast.

An import that asks and one that is ready, a report and a slip to sign, papers and movements of a trader, an audit with
a package, findings from its result, a statement to sign and one that is signed. Whoever may do a step gets through it
with what is sent, so that nobody else is kept out by the body alone.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from provender.custody.documents.build import SLIP
from provender.custody.documents.receive import TYPS
from provender.database.models.accounts import ReadGrant
from provender.database.models.audits import Audit, EntryKind
from provender.database.models.farm import BookImport, SignedSlip
from provender.services import background
from provender.services.audits import package_worker, packages
from provender.services.audits.audits import entries, statement_of
from provender.services.imports import job, worker
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.web.audit.test_pages import WORDS, as_file, asked, later, led, opening
from tests.web.cast import PARTS, Cast, make_cast
from tests.web.custody_season import Season, days_ago, fill_custody
from tests.web.farm.test_selling import fields as sold
from tests.web.farm_season import FEW, fill_season
from tests.web.importing import file, hand_in, table
from tests.web.packaging import finished
from tests.web.producer_keys import Producer, post
from tests.web.standing import Standing, standing
from tests.web.test_everyone_at_every_address import word

# What the module shares is costly: one worker makes it.
pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("steps")]
UNIT: Final = table("unit", {"unit_id": "N99", "acres": "40", "state": "IA", "county": "Story"})
ASKS: Final = "operation_id,unit_id,day,operation\nO1,north 41,5/4/2026,disk\n"


@dataclass(frozen=True)
class Stage:
    """What stands before the steps."""

    cast: Cast
    season: Season  # of the mill
    producer: Producer  # of the farm, whose corn of 2025 is signed
    slip: str  # a signed sale slip
    asks: str  # an import with questions
    ready: str  # an import that can be written
    lost: str  # one to be read again
    result: int  # of the package
    package: int  # asked for and made
    key: SigningKey  # the verifier's, registered
    draft: dict[str, Any]  # the statement of the first audit
    signed: Audit  # a second audit, whose statement is signed and has a fact found later
    later: int

    def ask(self, name: str, *more: object, at: str = "farm", query: str = "") -> str:
        """Return an address at the farm, the mill, or the verifier's first audit."""
        if at == "audit":
            return led(self.cast, name, *more) + query
        return reverse(name, args=(getattr(self.cast, at).handle, *more)) + query


def _made() -> Stage:
    cast = make_cast()
    fill_season(cast, fields=FEW)
    season = fill_custody(cast)
    producer = Producer(cast.client(), cast, SigningKey.generate())
    assert producer.register().status_code == 200
    assert producer.sign().status_code == 200
    slip = _sold(producer)
    vic, key = cast.client("verifier_in"), SigningKey.generate()
    vic.post(reverse("audit_key", args=(cast.verifier.handle,)), {"file": as_file(key.public.export()), "reason": ""})
    page = finished(vic, vic.post(led(cast, "audit_package"), asked(cast)))
    vic.get(led(cast, "audit_package"))
    assert page.status_code in (200, 302)
    (result,), (package,) = entries(cast.audit, EntryKind.RESULT), entries(cast.audit, EntryKind.ASKED)
    assert vic.post(led(cast, "audit_statement"), WORDS).status_code == 302
    draft = json.loads(vic.get(led(cast, "audit_statement_file", "json")).content)
    signed, number = _signed_elsewhere(cast, vic, key)
    asks = hand_in(cast, file("operation.csv", ASKS)).handle
    ready, lost = (hand_in(cast, file("unit.csv", UNIT)).handle for _ in range(2))
    return Stage(
        cast, season, producer, slip, asks, ready, lost, result.number, package.number, key, draft, signed, number
    )  # fmt: skip


def _sold(producer: Producer) -> str:
    where = reverse("farm_slip_sign", args=(producer.cast.farm.handle,))
    assert post(producer.client, where, signed_slip(producer)).status_code == 200
    return str(SignedSlip.objects.get().handle)


def signed_slip(producer: Producer) -> dict[str, object]:
    where, body = reverse("farm_slip_sign", args=(producer.cast.farm.handle,)), {"fields": sold(producer.cast)}
    told = json.loads(post(producer.client, where, body).content)
    return {
        **body,
        "sha256": told["sha256"],
        "signature": sign(json.loads(told["document"]), producer.key, typ=TYPS[SLIP])["signature"],
    }


def _signed_elsewhere(cast: Cast, vic: Client, key: SigningKey) -> tuple[Audit, int]:
    """Sign the statement of a second audit, and add a fact found later."""
    from provender.services.audits.audits import open_audit

    second = open_audit(cast.verifier, cast.farm, opening(), actor=cast.actor("verifier_in"))
    at = (cast.verifier.handle, second.handle)
    assert vic.post(reverse("audit_statement", args=at), WORDS).status_code == 302
    draft = json.loads(vic.get(reverse("audit_statement_file", args=(*at, "json"))).content)
    vic.post(reverse("audit_statement_sign", args=at), {"file": as_file(sign(draft, key))})
    envelope = statement_of(second)
    assert envelope is not None
    vic.post(reverse("audit_statement_later", args=at), {"file": as_file(sign(later(cast, envelope), key))})
    (entry,) = entries(second, EntryKind.ADDENDUM)
    return second, entry.number


@pytest.fixture(scope="module")
def made(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Standing[Stage]]:
    """Make the stage once; what a process beside the server does, this one does."""

    def at_once(module: str, folder: Any, **_: bool) -> None:  # noqa: ANN401 - a path
        {one.__name__: one for one in (worker, package_worker)}[module].main(folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(background, "_limit_self", lambda *_: None)
        patch.setattr(job, "spawn", at_once)
        patch.setattr(packages, "spawn", at_once)
        with standing(django_db_blocker, tmp_path_factory.mktemp("steps"), _made) as found:
            yield found


@pytest.fixture
def stage(made: Standing[Stage], settings: Settings) -> Stage:
    return made.lend(settings)


MEMBERS: Final = frozenset({"owner", "writer", "reader", "consultant"})
SEE: Final = MEMBERS | {"verifier_in", "reviewer"}
WRITE: Final = MEMBERS - {"reader"}
SIGN: Final = frozenset({"owner", "writer"})
VERIFIER: Final = frozenset({"verifier_in"})
Where = Callable[[Stage], str]
Body = Callable[[Stage], Any]


@dataclass(frozen=True)
class Step:
    """One step: where, what is sent, who gets through; ``known`` are told that they may not, all others nothing."""

    name: str
    where: Where
    through: frozenset[str]
    known: frozenset[str] = SEE
    body: Body | None = None  # None for a page that is looked at
    as_json: bool = False
    well: frozenset[str] = field(default=frozenset({"200", "302"}))


def farm(name: str, *more: str, query: str = "") -> Where:
    return lambda stage: stage.ask(name, *(getattr(stage, one, one) for one in more), query=query)


def mill(name: str, query: str = "") -> Where:
    return lambda stage: stage.ask(name, at="mill", query=query)


def audit(name: str, *more: object) -> Where:
    return lambda stage: stage.ask(name, *(getattr(stage, str(one), one) for one in more), at="audit")


def ours(name: str, *more: object) -> Where:
    return lambda stage: reverse(
        name, args=(stage.cast.farm.handle, stage.signed.handle, *(getattr(stage, str(one), one) for one in more))
    )


def attempt(stage: Stage) -> dict[str, str]:
    return {"attempt": str(BookImport.objects.get(handle=stage.ready).attempt), "looked": "yes"}


def ticket_file(_stage: Stage) -> dict[str, object]:
    content = b"ticket,date,gross,tare\n1,2026-01-02,80000,26000\n"
    return {"file": SimpleUploadedFile("tickets.csv", content), "site": "north"}


def paper(_stage: Stage) -> dict[str, object]:
    return {"file": SimpleUploadedFile("paper.pdf", b"%PDF-1.7 of the bin"), "on_file": "on", "site": "north"}


STEPS: Final = (
    # An import
    Step("seen", farm("farm_import", "asks"), WRITE),
    Step("progress", farm("farm_import_progress", "ready"), WRITE),
    Step("begun", farm("farm_imports"), WRITE, body=lambda _: {"files": [file("u.csv", UNIT)]}),
    Step("answered", farm("farm_import_answer", "asks"), WRITE, body=lambda _: {"answer-0": "dmy"}),
    Step("read again", farm("farm_import_again", "lost"), WRITE, body=lambda _: {}),
    Step("written", farm("farm_import_write", "ready"), WRITE, body=attempt),
    Step("given up", farm("farm_import_give_up", "asks"), WRITE, body=lambda _: {}),
    # A row
    Step("row taken out", farm("farm_row_remove", "unit", query="?row=G70"), WRITE),
    # A report and a slip
    Step("report", farm("farm_report", "corn", "2025"), SEE),
    Step("report's file", farm("farm_report_file", "corn", "2025", "1", "pdf"), SEE),
    Step("crop", farm("farm_crop", query="?crop=G70-2025"), SEE),
    Step(
        "report to sign", farm("farm_report_sign", "corn", "2025"), SIGN, as_json=True,
        body=lambda stage: stage.producer.body("corn", 2025), well=frozenset({"200", "409"}),
    ),
    Step("slip's file", farm("farm_slip_file", "slip", "pdf"), SEE - {"reviewer"}),
    Step(
        "slip to sign", farm("farm_slip_sign"), SIGN, as_json=True,
        body=lambda stage: {"fields": sold(stage.cast)},
    ),
    # A trader's papers and movements
    Step("document", mill("custody_document", "?sale=sale-mill"), SEE - {"reviewer"}),
    Step("movement", mill("custody_movement", "?id=sale-mill"), SEE - {"reviewer"}),
    Step("period", mill("custody_period", f"?start={days_ago(60)}"), SEE),
    Step("statement", mill("custody_statement", f"?start={days_ago(150)}"), SEE),
    Step("tickets", mill("custody_tickets"), WRITE, body=ticket_file),
    Step("paper on file", mill("custody_receive"), WRITE, body=paper),
    Step(
        "sale", lambda stage: stage.ask("custody_enter", "sale", at="mill"), WRITE,
        body=lambda stage: {
            "id": "sale-step", "day": days_ago(1), "taker": stage.cast.elevator.handle, "crop": "soybeans",
            "bushels": "100", "site": "north",
        },
    ),
    # An audit: package, findings from its result, statement
    Step("package's work", audit("audit_package_work", "package"), VERIFIER, VERIFIER),
    Step("package's progress", audit("audit_package_progress", "package"), VERIFIER, VERIFIER),
    Step("package's file", audit("audit_package_file", "package"), VERIFIER, VERIFIER),
    Step("result", audit("audit_result", "result"), VERIFIER, VERIFIER),
    Step("finding from result", audit("audit_finding_from", "result", 0), VERIFIER, VERIFIER, body=lambda _: {}),
    Step("statement's file", audit("audit_statement_file", "json"), VERIFIER, VERIFIER),
    Step(
        "statement signed", audit("audit_statement_sign"), VERIFIER, VERIFIER,
        body=lambda stage: {"file": as_file(sign(stage.draft, stage.key))},
    ),
    Step("our statement", ours("audit_of_us_statement", "json"), SEE),
    Step("our later fact", ours("audit_of_us_later", "later"), SEE),
)  # fmt: skip


@contextmanager
def files_kept() -> Iterator[None]:
    """Undo what a step does to the files of imports."""
    folder = Path(django_settings.UPLOAD_FOLDER) / job.FOLDER
    with TemporaryDirectory() as aside:
        shutil.copytree(folder, Path(aside) / "kept")
        yield
        shutil.rmtree(folder)
        shutil.copytree(Path(aside) / "kept", folder)


def do(step: Step, stage: Stage, part: str) -> str:
    """Do a step as one of the cast, and undo what it wrote."""
    client, person = Client(), stage.cast.people[part]
    if person is not None:
        client.force_login(person)
    where = step.where(stage)
    with transaction.atomic(), files_kept():
        if step.body is None:
            response = client.get(where)
        elif step.as_json:
            response = client.post(where, json.dumps(step.body(stage)), content_type="application/json")
        else:
            response = client.post(where, step.body(stage))
        transaction.set_rollback(True)
    b"".join(getattr(response, "streaming_content", ()))
    return word(response)


def expected(step: Step, part: str) -> frozenset[str]:
    if part == "anonymous":
        return frozenset({"login"})
    if part in step.through:
        return step.well
    return frozenset({"403", "404"}) if part in step.known else frozenset({"404"})


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name.replace(" ", "_"))
def test_only_whoever_may_gets_through_a_step(step: Step, stage: Stage) -> None:
    got = {part: do(step, stage, part) for part in PARTS}
    wrong = {part: answer for part, answer in got.items() if answer not in expected(step, part)}
    assert not wrong, f"{wrong} of {got}"


def test_a_verifier_whose_access_has_ended_is_a_stranger_at_every_step(stage: Stage) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    with transaction.atomic():
        ReadGrant.objects.filter(verifier=stage.cast.verifier).update(
            first_day=yesterday - timedelta(days=9), last_day=yesterday
        )
        own = {step.name for step in STEPS if step.through == VERIFIER}
        got = {step.name: do(step, stage, "verifier_in") for step in STEPS}
        transaction.set_rollback(True)
    assert {name for name, answer in got.items() if name not in own and answer != "404"} == set()
    assert got["package's file"] == "403", "what holds the party's records is handed out no longer"
