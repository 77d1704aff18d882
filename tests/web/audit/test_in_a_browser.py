"""The verifier's pages of a first point's audit in Chromium, on a laptop and a phone: sample, package, result, key."""

import json
from pathlib import Path
from typing import Final

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from provender.audit.programme import Role as AuditRole
from provender.custody.events.registry import read_event
from provender.custody.model.event import Status
from provender.custody.store import post
from provender.database.actor import Actor
from provender.database.models.accounts import Organisation, Person
from provender.database.models.audits import Audit, EntryKind
from provender.database.models.farm import Upload
from provender.database.store.custody import SqlStore
from provender.demo.cast import VERIFIER
from provender.demo.loading import load_demo
from provender.demo.parties import COOP
from provender.services.audits import packages
from provender.services.audits.records import entries
from provender.services.background import ALIVE
from provender.services.farm.files import path_of
from provender.signing.keys import SigningKey
from tests.web.cast import open_audit
from tests.web.packaging import asked_when_told, finished
from tests.web.watch import TOLD_ON, Window, watching

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]

INSIDE: Final = """[...document.querySelectorAll('.panel .chip')].every(
  chip => chip.getBoundingClientRect().right <= chip.closest('.panel').getBoundingClientRect().right)"""
PAGES: Final = ("audit", "audit_sample", "audit_work", "audit_package", "audit_findings", "audit_statement")
FARMS: Final = 6
BY: Final = Actor(None, "test")


def at(audit: Audit, name: str, *more: object) -> str:
    return reverse(name, args=(VERIFIER, audit.handle, *more))


@pytest.fixture
def audit(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Audit:
    """Return an audit of the elevator: sample redrawn, a recomputation with a difference, a package refused."""
    asked_when_told(monkeypatch)
    list(load_demo(FARMS))
    verifier, coop = (Organisation.objects.get(handle=handle) for handle in (VERIFIER, COOP))
    vic = Person.objects.get(email="vic@verifier.example")
    made = open_audit(verifier, coop, AuditRole.FIRST_POINT, actor=Actor(vic, "test"))
    client = Client()
    client.force_login(vic)
    client.post(at(made, "audit_sample"), {"do": "freeze"})
    client.post(at(made, "audit_sample"), {"do": "draw"})
    farm = json.loads(client.get(at(made, "audit_sample_file")).content)["sample"][0]
    client.post(at(made, "audit_sample"), {"do": "failure", "failed": farm, "reason": "Finding 1"})
    spared = {"absent": ["evidence"], "reason": "First audit"}
    # A statement that nobody has on file: the one thing in which a recomputation of the example differs.
    stated = {
        "type": "statement", "id": "unseen", "day": "2026-12-30", "entity": COOP, "verifier": "Nobody", "number": "N-1",
        "start_day": "2026-01-01", "end_day": "2026-12-31", "crops": ["corn"], "opinion": "favourable", "scope": "All.",
    }  # fmt: skip
    assert post(SqlStore(BY), read_event(stated)).status is Status.POSTED
    finished(client, client.post(at(made, "audit_package"), {"what": "entity", "recompute": "yes", **spared}))
    finished(client, client.post(at(made, "audit_package"), {"what": "entity", "download": "yes", **spared}))
    for upload in Upload.objects.filter(organisation__handle=farm):
        path_of(upload.sha256).unlink(missing_ok=True)
    finished(client, client.post(at(made, "audit_package"), {"what": farm, "recompute": "yes"}))
    return made


@pytest.mark.parametrize("size", TOLD_ON)
def test_a_first_points_audit_is_accessible_and_never_scrolls_sideways(
    audit: Audit,
    live_server: LiveServer,
    browser: Browser,
    size: Window,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vic = Person.objects.get(email="vic@verifier.example")
    result = entries(audit, EntryKind.RESULT)[0]
    whole, taken, refused = (one for one in entries(audit, EntryKind.ASKED) if "what" in json.loads(one.text))
    assert whole.number < taken.number < refused.number
    assert [one["code"] for one in json.loads(result.text)["differences"]] == ["statement_missing"]
    where = {name: at(audit, name) for name in PAGES}
    where |= {"result": at(audit, "audit_result", result.number), "key": reverse("audit_key", args=(VERIFIER,))}
    where |= {"taken": at(audit, "audit_package_work", taken.number)}
    where |= {"refused": at(audit, "audit_package_work", refused.number)}
    key = tmp_path / "key.jwk"
    key.write_text(json.dumps(SigningKey.generate().public.export()))
    with watching(browser, live_server.url, vic, window=size) as window:
        for name, page in where.items():
            assert window.open(page) == 200, name
            assert ("There is no package" in window.page.content()) is (name == "refused"), name
            window.keep(f"first-point-{name}")
            assert window.axe() == [], name
            assert not window.too_wide(), name
            assert window.page.evaluate(INSIDE), f"{name}: a mark runs out of its card"
        window.open(where["key"])
        window.page.get_by_label("Public key or rotation statement").set_input_files(key)
        window.page.get_by_label("Why the key in use is replaced").fill("The machine it lay on is gone.")
        window.page.get_by_role("button", name="Register").click()
        window.page.get_by_text("is registered").wait_for()
        monkeypatch.setattr(packages, "spawn", lambda _, folder: (folder / ALIVE).touch())
        window.open(where["audit_package"])
        window.page.get_by_role("button", name="Recompute here").click()
        window.page.get_by_text("Ask for the package once more").wait_for()
        window.keep("first-point-lost")
        assert window.axe() == []
        assert not window.too_wide()
