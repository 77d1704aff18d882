"""An audit of an elevator with eight farms in Chromium: opened, drawn, recomputed, visited, stated, signed, printed."""

import json
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.urls import reverse
from playwright.sync_api import Browser
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from provender.audit.statement.statement import Forum
from provender.database.actor import today
from provender.database.models.accounts import Person
from provender.database.models.audits import Audit
from provender.demo.farms import COOP
from provender.demo.loading import VERIFIER, load_demo
from provender.services.audits.audits import sample_of
from provender.services.audits.programme import items_of
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit.engaged import ENGAGEMENT
from tests.web.packaging import TOLD, answers_every_line, asked_when_told, closed_periods, packed_here
from tests.web.story.stage import Desk, Stage, day
from tests.web.watch import watching

__all__ = ["packed_here"]

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]
FARMS = 8
TEAM = [{"name": name, "part": "member", "competence": "Twenty audits."} for name in ("Vic", "Rae")]


def brings(desk: Desk, content: object) -> None:
    """Choose a JSON file in the first field for files."""
    file = {"name": "file.json", "mimeType": "application/json", "buffer": json.dumps(content).encode()}
    desk.page.locator("main input[type=file]").first.set_input_files(file)  # type: ignore[arg-type]


def saved(desk: Desk, link: str) -> bytes:
    with desk.page.expect_download() as download:
        desk.press(link)
    return Path(download.value.path()).read_bytes()


def typed(value: object) -> str:
    """Return what a field of several lines is typed as; anything else as text."""
    if isinstance(value, list):
        return "\n".join(" | ".join(row.values()) if isinstance(row, dict) else row for row in value)
    return str(value)


def states(desk: Desk) -> None:
    for crop in ("corn", "soybeans"):
        desk.page.locator(f"main [name=crops][value={crop}]").check()
    desk.fill(lead_verifier="Vic", independent_reviewer="Rae", assurance="reasonable", opinion="favourable")
    desk.fill(objectives="Whether claims and mass balance meet the rule.", basis="All of it recomputes.")
    desk.enter("Save the draft", materiality_pct="5", materiality="On claimed bushels of each CI.")
    desk.reads("Ready to be signed")


@pytest.mark.usefixtures("packed_here")
def test_an_elevator_with_eight_farms_is_audited(
    live_server: LiveServer, browser: Browser, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.UPLOAD_FOLDER = tmp_path / "uploads"
    list(load_demo(FARMS))
    asked_when_told(monkeypatch)
    key = SigningKey.generate()
    first, last = closed_periods(COOP, today())
    with watching(browser, live_server.url, Person.objects.get(email="vic@verifier.example")) as window:
        desk = Desk(Stage(live_server.url, browser, "laptop", tmp_path), window, "verifier")

        def at(name: str) -> None:
            assert window.open(reverse(name, args=(VERIFIER, audit.handle))) == 200

        assert window.open(reverse("audit_accreditation", args=(VERIFIER,))) == 200
        desk.fill(body="An accreditor", number="T-1", scope="Carbon intensity of grain and oilseed feedstocks")
        desk.fill(memberships_forum=Forum.SUCCESSOR, memberships_first=day(-320), memberships_source="Its list")
        desk.enter("Save", first=day(-300), last=day(300))
        assert window.open(reverse("audit_key", args=(VERIFIER,))) == 200
        brings(desk, key.public.export())
        desk.enter("Register", reason="The example's key is known to all.")
        assert window.open(reverse("audits", args=(VERIFIER,))) == 200
        opening = {"audited": COOP, "role": "first point of aggregation", "number": "E-8", "harvest_year": "2025"}
        desk.enter("Open the audit", **opening, covered_first=first.isoformat(), covered_last=last.isoformat())
        audit = Audit.objects.get(number="E-8")

        at("audit_sample")
        desk.press("Freeze the farms")
        desk.reads(f"Farms frozen: {FARMS}")
        desk.press("Open and draw")
        desk.reads("Farms drawn:")
        drawn: list[str] = sample_of(audit)["sample"]
        for place in [{"farm": farm} for farm in drawn] + [{"site": site} for site in ("north", "south")]:
            at("audit_engagement")
            desk.enter("Log it", **place, way="visit", on=day(), by="Vic", seen="Records, fields and bins.")
        agreed: dict[str, Any] = {**ENGAGEMENT, "team": TEAM, "engaged_on": day(-400), "reviewed_on": TOLD}
        desk.enter("Save", **{name: typed(value) for name, value in agreed.items()})

        at("audit_package")
        desk.enter("Recompute here", what="entity")
        desk.page.get_by_role("heading", name="Recomputation", exact=True).wait_for()
        answers_every_line(f"/audits/{audit.handle}")
        at("audit_work")
        desk.reads(f"0 of {len(items_of(audit))} lines open")

        at("audit_statement")
        states(desk)
        where = reverse("audit_statement_file", args=(VERIFIER, audit.handle, "json"))
        brings(desk, sign(json.loads(window.page.request.get(live_server.url + where).body()), key))
        desk.press("Take it in")
        desk.reads("Signed. Prairie Cooperative Elevator")
        window.look("elevator-audited")
        pages = pypdfium2.PdfDocument(saved(desk, "PDF"))
    text = " ".join("\n".join(page.get_textpage().get_text_bounded() for page in pages).split())
    for words in ("Favorable", "Prairie Cooperative Elevator", f"{len(drawn)} of {FARMS}", "Vic", "Rae"):
        assert words in text, words
    assert not [farm for farm in drawn if farm in text], "a statement names no farm"
