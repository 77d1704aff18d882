"""The steps that the table of addresses cannot open, with real bodies and states, against the whole cast.

An import that asks and one that is ready, a report and a slip to sign, papers and movements of a trader, an audit with
a package, findings from its result, a statement to sign and one that is signed, farms to draw from, one-time codes, a
log with a signed head. Whoever may do a step gets through it with what is sent, and it is written: so nobody else, for
whom nothing is written, is kept out by the body alone.
"""

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.draw import commitment
from provender.custody.documents.build import SLIP, TRANSFER
from provender.custody.documents.consents import NAME as CONSENT
from provender.custody.documents.consents import NOTICE
from provender.custody.documents.receive import TYPS
from provender.database.models.accounts import ReadGrant
from provender.database.models.audits import Audit, EntryKind
from provender.database.models.farm import BookImport, ReportVersion, SignedSlip
from provender.services import background, transparency
from provender.services.audits import package_worker, packages, sample
from provender.services.audits.audits import SeedOpened, entries, statement_of
from provender.services.custody.documents import KEYS
from provender.services.imports import job, worker
from provender.signing.jws import register, sign
from provender.signing.keys import SigningKey
from provender.signing.transparency import sign_head
from tests.web.audit.test_pages import WORDS, as_file, asked, later, led, reopen
from tests.web.cast import PARTS, Cast, make_cast, open_audit
from tests.web.custody.asking import fields_on, file_of
from tests.web.custody.test_api import amend_report
from tests.web.custody.test_papers_signed_here import give_back
from tests.web.custody_season import Season, days_ago, fill_custody
from tests.web.farm.test_selling import fields as sold
from tests.web.farm_season import FEW, fill_season
from tests.web.importing import file, hand_in, table
from tests.web.packaging import finished
from tests.web.producer_keys import SEALED, Producer, post
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
    unsigned: Audit  # a second audit
    draft: dict[str, Any]  # its statement
    signed: Audit  # a third audit, whose statement is signed and has a fact found later
    later: int
    notice: str  # number of the mill's notice about a report that changed
    ahead: Audit  # of the mill, whose farms are not frozen yet
    drawn: Audit  # of the mill, whose sample is drawn
    frozen: Audit  # of the mill, whose farms are frozen
    mark: str  # of the farm's report in the log, under a signed head

    def ask(self, name: str, *more: object, at: str = "farm", query: str = "") -> str:
        """Return an address at the farm, the mill, or the verifier's first audit."""
        if at == "audit":
            return led(self.cast, name, *more) + query
        return reverse(name, args=(getattr(self.cast, at).handle, *more)) + query

    def paper(self, kind: str) -> str:
        """Return the address of a paper of the mill that can be signed."""
        name, query = {
            TRANSFER: ("custody_document", "?sale=sale-mill"),
            CONSENT: ("custody_consent", "?act=back-9"),
            NOTICE: ("custody_notice", f"?number={self.notice}"),
        }[kind]
        return self.ask(name, at="mill", query=query)


def _made() -> Stage:
    cast = make_cast()
    fill_season(cast, fields=FEW)
    season = fill_custody(cast)
    notice = _traded_on(cast)
    producer = Producer(cast.client(), cast, SigningKey.generate())
    assert producer.register().status_code == 200
    assert producer.sign().status_code == 200
    at_the_mill = reverse("custody_key", args=(cast.mill.handle,))
    assert post(cast.client(), at_the_mill, key_of_the_mill(cast, producer.key)).status_code == 200
    _report_behind_the_lots(cast)
    slip = _sold(producer)
    vic, key = cast.client("verifier_in"), SigningKey.generate()
    vic.post(reverse("audit_key", args=(cast.verifier.handle,)), {"file": as_file(key.public.export()), "reason": ""})
    page = finished(vic, vic.post(led(cast, "audit_package"), asked(cast)))
    vic.get(led(cast, "audit_package"))
    assert page.status_code in (200, 302)
    (result,), (package,) = entries(cast.audit, EntryKind.RESULT), entries(cast.audit, EntryKind.ASKED)
    unsigned, draft = _drafted(cast, vic, "V-2")
    signed, number = _signed_elsewhere(cast, vic, key)
    asks = hand_in(cast, file("operation.csv", ASKS)).handle
    ready, lost = (hand_in(cast, file("unit.csv", UNIT)).handle for _ in range(2))
    by = cast.actor("verifier_in")
    ahead, frozen, drawn = (
        open_audit(cast.verifier, cast.mill, AuditRole.FIRST_POINT, actor=by, number=f"M-{of}", of=of)
        for of in (2024, 2025, 2026)
    )
    for one in (frozen, drawn):
        sample.freeze_farms(one, actor=by)
    sample.commit_seed(drawn, SeedOpened(), actor=by)
    owner = cast.person("owner")
    TOTP.activate(owner, generate_totp_secret())
    RecoveryCodes.activate(owner)
    transparency.keep_head(
        sign_head(transparency.head_to_sign("log", timezone.localdate()), SigningKey.generate()), actor=by
    )
    mark = transparency.leaves_of(cast.farm)[0].mark
    return Stage(
        cast, season, producer, slip, asks, ready, lost, result.number, package.number, key, unsigned, draft, signed,
        number, notice, ahead, drawn, frozen, mark,
    )  # fmt: skip


def _traded_on(cast: Cast) -> str:
    """Let the mill give a part of a delivery back, and owe its buyer a notice; return the number of that."""
    amend_report(cast)
    give_back(cast)
    page = cast.client().get(reverse("custody_notices", args=(cast.mill.handle,)))
    (number,) = set(re.findall(r"custody/notice/\?number=([^\"&]+)", page.content.decode()))
    return str(number)


def _report_behind_the_lots(cast: Cast) -> None:
    """Keep a report of the soybeans that the mill bought, as the corn's says it."""
    kept = ReportVersion.objects.get()
    said = json.loads(kept.document)
    said |= {"crop": "soybeans", "farm": {**said["farm"], "farm_id": cast.farm.handle}}
    ReportVersion.objects.create(
        book=kept.book, crop="soybeans", harvest_year=2025, number=1, book_head=kept.book_head,
        document=json.dumps(said), document_hash=kept.document_hash, actor=kept.actor, at=kept.at,
    )  # fmt: skip


def key_of_the_mill(cast: Cast, key: SigningKey) -> dict[str, object]:
    """Return what registers a key with which its holder signs for the mill, whatever became of the one before."""
    said = register(cast.mill.handle, KEYS.signer, key, on=timezone.localdate())
    return {"sealed": SEALED, "statement": said, "lost": "yes"}


def signed_paper(kind: str) -> "Body":
    """Return what the owner's page sends once it has signed a paper."""

    def body(stage: Stage) -> dict[str, object]:
        owner, where = stage.cast.client(), stage.paper(kind)
        said: dict[str, object] = {"fields": fields_on(owner, where)}
        asked = json.loads(post(owner, where, said).content)
        signature = sign(json.loads(asked["document"]), stage.producer.key, typ=TYPS[kind])["signature"]
        return {**said, "sha256": asked["sha256"], "signature": signature}

    return body


def sent_back(kind: str) -> "Body":
    """Return the file of a paper that was signed elsewhere."""

    def body(stage: Stage) -> dict[str, object]:
        document = file_of(stage.cast.client(), stage.paper(kind))
        return {"file": as_file(sign(document, stage.producer.key, typ=TYPS[kind]))}

    return body


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


def _drafted(cast: Cast, vic: Client, number: str) -> tuple[Audit, dict[str, Any]]:
    """Open an audit of the farm without a package, and draft its statement, which says that nothing can be said."""
    made = reopen(cast, number)
    at = (cast.verifier.handle, made.handle)
    assert vic.post(reverse("audit_statement", args=at), {**WORDS, "opinion": "disclaimed"}).status_code == 302
    return made, json.loads(vic.get(reverse("audit_statement_file", args=(*at, "json"))).content)


def _signed_elsewhere(cast: Cast, vic: Client, key: SigningKey) -> tuple[Audit, int]:
    """Sign the statement of a further audit, and add a fact found later."""
    second, draft = _drafted(cast, vic, "V-3")
    at = (cast.verifier.handle, second.handle)
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
OWNER: Final = frozenset({"owner"})
NOBODY: Final = frozenset[str]()
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
    well: frozenset[str] = frozenset({"200", "302"})
    refused: frozenset[str] = frozenset({"403", "404"})  # how those are answered who are known
    writes: bool = True  # what is sent; else a text to sign is asked for alone


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


def paper_at(kind: str) -> Where:
    return lambda stage: stage.paper(kind)


def of_audit(name: str, which: str, *more: str) -> Where:
    return lambda stage: reverse(name, args=(stage.cast.verifier.handle, getattr(stage, which).handle, *more))


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
    Step("answered", farm("farm_import_answer", "asks"), WRITE, body=lambda _: {"answer-0": "N40"}),
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
        body=lambda stage: stage.producer.body("corn", 2025), well=frozenset({"200", "409"}), writes=False,
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
    # Papers of a trader, signed here and elsewhere, and its key
    Step(
        "key", mill("custody_key"), OWNER, as_json=True, refused=frozenset({"403", "404", "409"}),
        body=lambda stage: key_of_the_mill(stage.cast, SigningKey.generate()),
    ),
    Step("consent", paper_at(CONSENT), SEE - {"reviewer"}),
    Step("notice", paper_at(NOTICE), SEE - {"reviewer"}),
    *(
        Step(f"{kind} signed here", paper_at(kind), OWNER, body=signed_paper(kind),
             as_json=True, refused=frozenset({"403", "404", "409"}))
        for kind in (TRANSFER, CONSENT, NOTICE)
    ),
    *(
        Step(f"{kind} signed elsewhere", paper_at(kind), WRITE, body=sent_back(kind))
        for kind in (TRANSFER, CONSENT, NOTICE)
    ),
    # The sample of a trader's audit
    Step(
        "part committed", of_audit("audit_sample", "ahead"), VERIFIER, VERIFIER,
        body=lambda _: {"do": "commit", "commitment": commitment("secret of the verifier's own")},
    ),
    Step("farms frozen", of_audit("audit_sample", "ahead"), VERIFIER, VERIFIER, body=lambda _: {"do": "freeze"}),
    Step("sample drawn", of_audit("audit_sample", "frozen"), VERIFIER, VERIFIER, body=lambda _: {"do": "draw"}),
    Step(
        "sampled farm failed", of_audit("audit_sample", "drawn"), VERIFIER, VERIFIER,
        body=lambda stage: {"do": "failure", "farm": stage.cast.farm.handle, "reason": "Nobody opened."},
    ),
    Step("sample's file", of_audit("audit_sample_file", "drawn"), VERIFIER, VERIFIER),
    # One-time codes, the owner's own
    Step("codes shown", lambda _: reverse("mfa_view_recovery_codes"), OWNER, NOBODY),
    Step("codes saved", lambda _: reverse("mfa_download_recovery_codes"), OWNER, NOBODY),
    Step("codes switched off", lambda _: reverse("mfa_deactivate_totp"), OWNER, NOBODY, body=lambda _: {}),
    # The log of what was signed
    Step("proof", farm("transparency_proof", "mark"), SEE),
    Step("head", farm("transparency_head"), SEE),
    # An audit: package, findings from its result, statement
    Step("package's work", audit("audit_package_work", "package"), VERIFIER, VERIFIER),
    Step("package's progress", audit("audit_package_progress", "package"), VERIFIER, VERIFIER),
    Step("package's file", audit("audit_package_file", "package"), VERIFIER, VERIFIER),
    Step("result", audit("audit_result", "result"), VERIFIER, VERIFIER),
    Step("finding from result", audit("audit_finding_from", "result", 0), VERIFIER, VERIFIER, body=lambda _: {}),
    Step("statement's file", of_audit("audit_statement_file", "unsigned", "json"), VERIFIER, VERIFIER),
    Step(
        "statement signed", of_audit("audit_statement_sign", "unsigned"), VERIFIER, VERIFIER,
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


WROTE: Final = re.compile(r'\b(?:INSERT INTO|UPDATE|DELETE FROM) (?!"?(?:django_session|usersessions))')


def do(step: Step, stage: Stage, part: str) -> tuple[str, bool]:
    """Do a step as one of the cast, and undo what it wrote; return the answer, and whether it wrote anything."""
    client, person = Client(), stage.cast.people[part]
    if person is not None:
        client.force_login(person)
        session = client.session
        session.update(
            {  # as once the password was typed again, before codes are shown
                AUTHENTICATION_METHODS_SESSION_KEY: [
                    {"method": "password", "at": time.time(), "reauthenticated": True}
                ],
                f"{AUTHENTICATION_METHODS_SESSION_KEY}_user": str(person.pk),
            }
        )
        session.save()
    where = step.where(stage)
    with transaction.atomic(), files_kept():
        sent: Any = {} if step.body is None else step.body(stage)
        if step.as_json:
            sent = {"data": json.dumps(sent), "content_type": "application/json"}
        elif step.body is not None:
            sent = {"data": sent}
        with CaptureQueriesContext(connection) as asked:
            response: Any = (client.get if step.body is None else client.post)(where, **sent)
            b"".join(getattr(response, "streaming_content", ()))
        transaction.set_rollback(True)
    return word(response), any(WROTE.search(one["sql"]) for one in asked.captured_queries)


def expected(step: Step, part: str) -> frozenset[str]:
    if part == "anonymous":
        return frozenset({"login"})
    if part in step.through:
        return step.well
    return step.refused if part in step.known else frozenset({"404"})


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name.replace(" ", "_"))
def test_only_whoever_may_gets_through_a_step_and_nothing_is_written_of_anybody_else(step: Step, stage: Stage) -> None:
    got = {part: do(step, stage, part) for part in PARTS}
    wrong = {part: answer for part, answer in got.items() if answer[0] not in expected(step, part)}
    assert not wrong, f"{wrong} of {got}"
    if step.body is not None:
        writers = {part for part, (_, wrote) in got.items() if wrote}
        assert writers == (step.through if step.writes else NOBODY)


def test_a_verifier_whose_access_has_ended_is_a_stranger_at_every_step(stage: Stage) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    with transaction.atomic():
        ReadGrant.objects.filter(verifier=stage.cast.verifier).update(
            first_day=yesterday - timedelta(days=9), last_day=yesterday
        )
        own = {step.name for step in STEPS if step.through == VERIFIER}
        got = {step.name: do(step, stage, "verifier_in")[0] for step in STEPS}
        transaction.set_rollback(True)
    assert {name for name, answer in got.items() if name not in own and answer != "404"} == set()
    assert got["package's file"] == "403", "what holds the party's records is handed out no longer"
