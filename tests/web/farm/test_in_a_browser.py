"""The farm in a real browser: its key, of which no request carries what is secret, a field that is drawn, the map.

What a season out of machine files costs a person on the pages, counted by the events that the pages see.

A farm of four fields hands in boundaries, a terminal's card, a laboratory's list and a short workbook of declarations.
Nothing is counted by hand: clicks, keys and choices are those that Chromium delivers to the page, and cells of the
workbook those that are filled in. The calculator is USDA's own and is not played.
"""

import json
import re
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from bench import burden
from provender.database.models.farm import ProducerKey, ReportVersion
from provender.formats.template import short_workbook
from provender.report.typ import TYP
from provender.services.reports.drafts import envelope_of, versions_of
from provender.signing.jws import check
from provender.signing.keys import PublicKey, decode_base64url
from tests.web.cast import Cast
from tests.web.story.farm import READING
from tests.web.story.stage import Desk, Stage, raise_curtain
from tests.web.watch import TOLD_ON, Watched, Window, watching

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PHRASE = "harvest rain gravel owl"

SPY = """
const { exportKey, wrapKey } = SubtleCrypto.prototype;
SubtleCrypto.prototype.wrapKey = async function (format, key, ...rest) {
  const jwk = await exportKey.call(this, "jwk", key);
  await window.tellTheTest(jwk.d);
  return wrapKey.call(this, format, key, ...rest);
};
"""

"""Reads the private key inside the page, so that the test knows what must never leave it."""


class Ear:
    def __init__(self, page: Page) -> None:
        self.heard: list[str] = []
        page.on("request", self._hear)

    def _hear(self, request: Request) -> None:
        self.heard.append(f"{request.method} {request.url} {request.headers} {request.post_data or ''}")

    def carried(self, secret: str) -> list[str]:
        return [text for text in self.heard if secret in text]


@pytest.fixture(params=TOLD_ON)
def window(request: pytest.FixtureRequest, farm_stage: tuple[str, Cast], browser: Browser) -> Iterator[Watched]:
    base, cast = farm_stage
    size: Window = request.param
    with watching(browser, base, cast.person("owner"), window=size) as found:
        yield found


def test_a_key_signs_and_nothing_secret_leaves_the_page(farm_stage: tuple[str, Cast], window: Watched) -> None:
    _, cast = farm_stage
    page, ear = window.page, Ear(window.page)
    secrets: list[str] = []

    def tell(secret: str) -> None:
        secrets.append(secret)

    page.expose_function("tellTheTest", tell)
    page.add_init_script(SPY)
    window.open(reverse("farm_key", args=(cast.farm.handle,)))
    page.get_by_label("New passphrase", exact=True).fill(PHRASE)
    page.get_by_label("New passphrase again").fill(PHRASE)
    page.get_by_role("button", name="Make and register the key").click()
    expect(page.get_by_text("is registered. Tell your buyers")).to_be_visible(timeout=60_000)
    window.keep("farm-key-made")
    window.open(reverse("farm_report", args=(cast.farm.handle, "corn", 2025)))
    page.get_by_label("I am the farm producer and attest").check()
    page.get_by_label("Passphrase").fill(PHRASE)
    page.get_by_role("button", name="Sign the report").click()
    expect(page.get_by_text("is signed and kept")).to_be_visible(timeout=60_000)
    window.keep("farm-report-signed")
    assert window.axe() == []
    key = ProducerKey.objects.get()
    (version,) = versions_of(cast.book, "corn", 2025)
    pinned = {key.fingerprint: PublicKey.from_jwk(key.public)}
    assert check(envelope_of(version), pinned, typ=TYP).valid
    (secret,) = secrets
    _nowhere(ear, key, secret)


def _nowhere(ear: Ear, key: ProducerKey, secret: str) -> None:
    """Hold every request and every stored text against the private key in each of its spellings, and the passphrase."""
    raw = decode_base64url(secret)
    assert len(raw) == 32
    kept = json.dumps([key.public, key.sealed, key.statement])
    versions = "".join(version.document + version.signature for version in ReportVersion.objects.all())
    for spelling in (secret, raw.hex(), PHRASE, "MC4CAQAwBQYDK2Vw"):
        assert ear.carried(spelling) == []
        assert spelling not in kept + versions
    assert len([text for text in ear.heard if text.startswith("POST")]) == 3
    assert raw not in decode_base64url(key.sealed["sealed"])


@pytest.mark.slow
@pytest.mark.parametrize(("first", "again", "words"), [("short", "short", "at least 12"), (PHRASE, "else", "differ")])
def test_a_poor_passphrase_makes_no_key(
    farm_stage: tuple[str, Cast], browser: Browser, first: str, again: str, words: str
) -> None:
    base, cast = farm_stage
    with watching(browser, base, cast.person("owner")) as window:
        window.open(reverse("farm_key", args=(cast.farm.handle,)))
        window.page.get_by_label("New passphrase", exact=True).fill(first)
        window.page.get_by_label("New passphrase again").fill(again)
        window.page.get_by_role("button", name="Make and register the key").click()
        expect(window.page.locator("[data-told]")).to_contain_text(words)
    assert not ProducerKey.objects.exists()


READ_MS = 90_000


@pytest.mark.slow
@pytest.mark.parametrize("size", TOLD_ON)
def test_a_field_is_drawn_measured_and_kept(farm_stage: tuple[str, Cast], browser: Browser, size: Window) -> None:
    base, cast = farm_stage
    with watching(browser, base, cast.people["owner"], window=size) as window:
        page = window.page
        window.open(reverse("farm_draw", args=(cast.farm.handle,)))
        ground = page.locator("#map")
        for x, y in ((60, 60), (200, 60), (200, 200)):
            ground.click(position={"x": x, "y": y})
        ground.click(position={"x": 60, "y": 200})
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("#drawn")).to_have_text("3 corners")
        assert len(page.get_by_role("textbox", name="Corners").input_value().splitlines()) == 3
        page.get_by_label("Management unit").fill("DRAWN")
        window.look("draw-three-corners")
        page.get_by_role("button", name="Measure and look").click()
        expect(page.get_by_role("heading", name="Look before it is written")).to_be_visible(timeout=READ_MS)
        window.look("draw-measured")
        if page.get_by_label("I have looked").count():
            page.get_by_label("I have looked").check()
        page.get_by_role("button", name="Write").click()
        window.open(reverse("farm_map", args=(cast.farm.handle,)))
        expect(page.get_by_role("cell", name="DRAWN")).to_be_visible()
        window.look("map-with-drawn")


@pytest.mark.slow
def test_a_field_on_the_map_opens_its_page(farm_stage: tuple[str, Cast], browser: Browser) -> None:
    base, cast = farm_stage
    with watching(browser, base, cast.people["owner"], window="laptop") as window:
        window.open(reverse("farm_map", args=(cast.farm.handle,)))
        window.look("map")
        window.page.locator("#map path.leaflet-interactive").first.click()
        expect(window.page).to_have_url(re.compile("/farm/crop/"))


FIELDS: Final = 4

AS_OF: Final = date(2026, 11, 21)


def hands_in(desk: Desk, files: list[Path], words: dict[str, str], did: burden.Burden) -> None:
    page, read = desk.page, did.reads
    desk.go("Upload files")
    read(page.locator("main").inner_text())
    page.locator("input[type=file]").set_input_files(files)
    desk.press("Read the files")
    expect(page.get_by_role("heading", name="Look before it is written")).to_be_visible(timeout=READING)
    read(page.locator("main").inner_text())
    asked = page.locator("section[aria-labelledby=questions] form")
    if words and asked.count():
        for typed, name in words.items():
            control = asked.locator(".question").filter(has_text=re.compile(f"^.*'{typed}'")).get_by_label("Answer")
            if control.count():
                control.fill(name) if control.evaluate("one => one.tagName") == "INPUT" else control.select_option(name)
        asked.get_by_role("button", name="Use these answers").click()
        expect(page.get_by_role("heading", name="Look before it is written")).to_be_visible(timeout=READING)
    read(page.locator("main").inner_text())
    looked = page.locator("main [name=looked]")
    if looked.count():
        looked.check()
    page.get_by_role("button", name=re.compile(r"^Write \d+ rows?$")).first.click()
    desk.sees("heading", "Farm records")
    read(page.locator("main").inner_text())


@pytest.mark.slow
def test_a_season_out_of_machine_files_costs_few_values_on_the_pages(
    live_server: LiveServer, browser: Browser, tmp_path: Path
) -> None:
    stage = Stage(live_server.url, browser, "laptop", tmp_path)
    raise_curtain(stage)
    files = [tmp_path / name for name in ("fields.geojson", "card.zip", "soil.csv")]
    for path, write in zip(files, (burden.outlines, burden.card, burden.laboratory), strict=True):
        write(path, FIELDS)
    person = burden.Person(tmp_path, stage.did["farm"])
    with stage.at_desk_of("farm") as desk:
        desk.go("Farm records")
        desk.press("Open the record book")
        words = {"planter": "Planter, double disk opnr", "applicator": burden.APPLICATOR, "combine": burden.HARVEST}
        hands_in(desk, files, words, person.did)
        short = tmp_path / "season.xlsx"
        short.write_bytes(short_workbook(as_of=AS_OF))
        person.fills(short, {"Short declarations": burden.ANSWERS})
        hands_in(desk, [short], {}, person.did)
        desk.reads("4 of 8 met")
    did = person.did
    sys.stdout.write(
        f"{FIELDS} fields on the pages: {did.values} values, {did.characters} characters, {did.clicks} clicks, "
        f"{did.confirmations} ticks: {did.minutes} minutes by the keystroke-level model, "
        f"{did.whole_minutes} with reading and waiting.\n{did.table()}\n"
    )
    assert did.clicks > 0
    assert did.words > 0
    assert did.waited > 0
    assert did.values <= burden.MOST_VALUES["machine and laboratory files"]
    assert did.minutes <= burden.MOST_MINUTES
