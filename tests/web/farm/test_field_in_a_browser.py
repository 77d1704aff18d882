"""The field page on a phone in Chromium: recorded without a network, sent once, nothing lost or overwritten."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Geolocation, Locator, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from provender.database.models.accounts import Person
from provender.database.models.farm import Change, rows_of
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book
from tests.web.cast import Cast, make_cast
from tests.web.farm_season import FEW, fill_season
from tests.web.watch import AXE, PHONE, RULES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

STORY: Final = "Everything is sent"
PATIENCE_MS: Final = 30_000
"""Two cores may be shared by many, and the first page of a process loads all of them."""
HERE: Final[Geolocation] = {"latitude": 39.123456, "longitude": -96.654321, "accuracy": 8}


class Phone:
    """A phone in somebody's hand, and the farm's server behind the network."""

    def __init__(self, context: BrowserContext, page: Page, base: str, cast: Cast) -> None:
        self.context, self.page, self.base, self.cast = context, page, base, cast

    def sign_in(self, person: Person) -> None:
        client = Client()
        client.force_login(person)
        name = settings.SESSION_COOKIE_NAME
        self.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": self.base}])

    def open(self) -> None:
        self.page.goto(f"{self.base}{reverse('field')}#{self.cast.farm.handle}")

    def says(self, words: str) -> None:
        expect(self.page.locator("#state")).to_contain_text(words, timeout=PATIENCE_MS)

    def network(self, *, on: bool) -> None:
        self.context.set_offline(not on)

    def records_a_pass(self, unit: str, day: str) -> None:
        page = self.page
        page.get_by_role("button", name=KINDS["operation"].label).click()
        expect(page.locator("#place")).to_contain_text("known within 8 m")
        form = page.locator("#form form")
        form.locator("[name=unit_id]").select_option(unit)
        form.locator("[name=day]").fill(day)
        form.locator("[name=operation]").fill("Planter, double disk opnr")
        page.get_by_role("button", name="Keep on this phone").click()
        expect(page.locator("#told")).to_contain_text("Kept on this phone: field operations")

    def takes_a_photograph(self, path: Path, unit: str) -> None:
        page = self.page
        page.get_by_role("button", name="Take a photograph").click()
        page.locator("#form [name=file]").set_input_files(path)
        page.locator("#form [name=unit_id]").select_option(unit)
        page.locator("#form [name=note]").fill("Rye has come up")
        page.get_by_role("button", name="Keep on this phone").click()
        expect(page.locator("#told")).to_contain_text("Kept on this phone: photograph")

    def states(self) -> list[str]:
        return [str(one.get_attribute("data-state")) for one in self.page.locator("#queue > li").all()]

    def wait_for(self, *states: str) -> None:
        expected = " ".join(states)
        shown = "said => [...document.querySelectorAll('#queue > li')].map(one => one.dataset.state).join(' ') === said"
        self.page.wait_for_function(shown, arg=expected)

    def drafts(self, expected: int) -> None:
        # Playwright takes a promise for a yes: the page itself waits for what its store answers.
        wait = """async expected => {
            const held = async () => (await window.provenderField.store.mine('drafts')).length;
            for (let tries = 0; tries < 100 && (await held()) !== expected; tries += 1) {
                await new Promise(done => setTimeout(done, 50));
            }
            return held();
        }"""
        assert self.page.evaluate(wait, expected) == expected

    def rows(self, kind: str) -> dict[str, dict[str, object]]:
        return {key: dict(row) for key, row in rows_of(self.cast.book).get(kind, {}).items()}


@pytest.fixture
def phone(live_server: LiveServer, browser: Browser) -> Iterator[Phone]:
    cast = make_cast()
    fill_season(cast, fields=FEW)
    context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, geolocation=HERE, permissions=["geolocation"],
        timezone_id="America/Chicago",
    )  # fmt: skip
    found = Phone(context, context.new_page(), live_server.url, cast)
    found.page.set_default_timeout(PATIENCE_MS)
    stopped: list[str] = []
    found.page.on("pageerror", lambda error: stopped.append(str(error)))
    found.page.on("console", lambda line: stopped.append(line.text) if "Content Security" in line.text else None)
    found.sign_in(cast.person("owner"))
    found.open()
    found.says("ready for the field")
    yield found
    context.close()
    assert stopped == []


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "rye.jpg"
    out = io.BytesIO()
    Image.new("RGB", (640, 480), "green").save(out, "JPEG")
    path.write_bytes(out.getvalue())
    return path


SEALED: Final = """async () => {
  const all = async (name, store) => new Promise((done) => {
    const asked = indexedDB.open(name);
    asked.onsuccess = () => {
      const rows = asked.result.transaction(store).objectStore(store).getAll();
      rows.onsuccess = () => { asked.result.close(); done(rows.result); };
    };
  });
  const text = (row) => [...new Uint8Array(row.body.sealed)].map((one) => String.fromCharCode(one)).join("");
  const deeds = await all("provender-field", "deeds");
  const books = await all("provender-field", "books");
  const [key] = await all("provender-field-keys", "keys");
  let taken = "";
  try { await crypto.subtle.exportKey("raw", key.key); taken = "taken out"; } catch { taken = "stays"; }
  const open = JSON.stringify(deeds) + JSON.stringify(books);
  return { open, sealed: [...deeds, ...books].map(text).join(""), taken };
}"""
"""Reads what the phone keeps, and tries to take the key out."""


def test_what_waits_sealed_without_a_network_is_seen_by_its_account_alone(phone: Phone, picture: Path) -> None:
    passes, evidence = set(phone.rows("operation")), set(phone.rows("evidence"))
    phone.network(on=False)
    phone.open()
    phone.page.reload()
    phone.says("No network")
    phone.records_a_pass("G70", "2025-05-02")
    phone.records_a_pass("N40", "2025-05-03")
    phone.takes_a_photograph(picture, "G70")
    phone.page.reload()
    phone.wait_for("waiting", "waiting", "waiting")
    assert not phone.page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1")
    found = phone.page.evaluate(SEALED)
    assert found["taken"] == "stays"
    for words in ("G70", "Planter", "2025-05-02"):
        assert words not in found["open"] + found["sealed"]
    phone.context.clear_cookies()
    phone.network(on=True)
    phone.says("The sign-in has ended")
    expect(phone.page.get_by_role("link", name="Sign in to send")).to_be_visible()
    phone.wait_for("waiting", "waiting", "waiting")
    phone.sign_in(phone.cast.person("writer"))
    phone.open()
    phone.page.reload()
    phone.says("You are Writer")
    assert phone.states() == []
    assert set(phone.rows("operation")) == passes
    phone.context.clear_cookies()
    phone.sign_in(phone.cast.person("owner"))
    phone.page.reload()
    phone.says("You are Owner")
    phone.wait_for("sent", "sent", "sent")
    expect(phone.page.locator("#count")).to_have_text(STORY)
    made = [phone.rows("operation")[key] for key in phone.rows("operation") if key not in passes]
    assert [(row["unit_id"], row["day"]) for row in made] == [("G70", "2025-05-02"), ("N40", "2025-05-03")]
    (photo,) = [row for key, row in phone.rows("evidence").items() if key not in evidence]
    assert photo["unit_id"] == "G70"
    assert photo["taken_on"], "the phone's own day, as the file says none"
    assert str(photo["note"]).startswith("Rye has come up The file claims no position")
    assert "The phone claims a position" in str(photo["note"])
    texts = [change.text for change in Change.objects.filter(book=phone.cast.book).order_by("number")][-3:]
    reasons = [json.loads(text)["reason"] for text in texts]
    assert [one for one in reasons if "at 39.12346, -96.65432 within 8 m" not in one] == []
    phone.page.goto(phone.base + reverse("home"))
    phone.page.get_by_role("button", name="Sign out").click()
    phone.page.wait_for_url("**/account/login/**")
    phone.network(on=False)
    phone.open()
    phone.says("No network")
    assert phone.page.evaluate("window.provenderField.store.keyOf('any')") is None, "signing out takes the key along"


@pytest.mark.slow
def test_what_is_damaged_holds_nothing_else_up_and_its_owner_may_throw_it_away(phone: Phone) -> None:
    phone.network(on=False)
    phone.records_a_pass("G70", "2025-05-02")
    phone.page.evaluate(
        """async () => {
          const { store } = window.provenderField;
          const [row] = await store.mine("deeds");
          await store.mark("deeds", row.id, { body: { ...row.body, iv: new Uint8Array(12) } });
        }"""
    )
    phone.records_a_pass("N40", "2025-05-03")
    phone.network(on=True)
    phone.wait_for("sent", "shut")
    expect(phone.page.locator("#queue")).to_contain_text("cannot be opened with this phone's key")
    phone.page.get_by_role("button", name="Throw it away").click()
    phone.wait_for("sent")


@pytest.mark.slow
def test_a_row_that_changed_meanwhile_is_shown_and_not_overwritten(phone: Phone) -> None:
    key = next(iter(phone.rows("operation")))
    before = phone.rows("operation")[key]
    phone.network(on=False)
    _correct(phone, key, "1.75")
    theirs = {**{name: str(text) for name, text in before.items()}, "note": "Somebody else's words"}
    change_book(phone.cast.book, [Edit("operation", key, theirs)], reason="meanwhile", actor=phone.cast.actor("writer"))
    phone.network(on=True)
    phone.wait_for("conflict")
    assert phone.rows("operation")[key]["note"] == "Somebody else's words"
    item = phone.page.locator("#queue > li")
    expect(item).to_contain_text("was changed on the server after this phone had seen it")
    expect(item).to_contain_text("on the server Somebody else's words")
    item.get_by_role("button", name="Write mine over it").click()
    phone.wait_for("sent")
    assert phone.rows("operation")[key]["depth_in"] == "1.75"


def _correct(phone: Phone, key: str, depth: str) -> None:
    page = phone.page
    page.locator("#rows").select_option(json.dumps(["operation", key], separators=(",", ":")))
    page.locator("#form [name=depth_in]").fill(depth)
    page.locator("#form [name=why]").fill("Read from the gauge")
    page.get_by_role("button", name="Keep on this phone").click()
    expect(page.locator("#told")).to_contain_text("Kept")


@pytest.mark.slow
def test_a_refused_row_says_why_and_is_mended(phone: Phone) -> None:
    phone.network(on=False)
    phone.records_a_pass("G70", "2025-05-02")
    edits = [Edit("unit", "G70", None)]
    change_book(phone.cast.book, edits, reason="sold", actor=phone.cast.actor("writer"))
    phone.network(on=True)
    phone.wait_for("refused")
    expect(phone.page.locator("#queue > li")).to_contain_text("the book has no 'G70' among its management units now")
    phone.page.get_by_role("button", name="Open and mend it").click()
    phone.page.locator("#form [name=unit_id]").select_option("N40")
    phone.page.get_by_role("button", name="Keep on this phone").click()
    phone.wait_for("sent")
    assert list(phone.rows("operation").values())[-1]["unit_id"] == "N40"


@pytest.mark.slow
def test_an_answer_that_is_lost_on_its_way_leads_to_one_row(phone: Phone) -> None:
    before = len(phone.rows("operation"))
    lost: list[int] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    phone.page.route(re.compile(r"/farm/field/$"), lose)
    phone.records_a_pass("G70", "2025-05-02")
    expect(phone.page.locator("#state")).to_contain_text("No network")
    phone.wait_for("waiting")
    assert lost == [200]
    assert len(phone.rows("operation")) == before + 1
    phone.page.get_by_role("button", name="Send now").click()
    phone.wait_for("sent")
    assert len(phone.rows("operation")) == before + 1


@pytest.mark.slow
def test_what_is_typed_even_the_moment_a_form_opens_outlives_a_reload_and_the_page_is_accessible(phone: Phone) -> None:
    page = phone.page
    phone.network(on=False)
    types = """label => {
        new MutationObserver((_, watch) => {
            const note = document.querySelector('#form [name=note]');
            if (!note) return;
            watch.disconnect();
            note.value = 'Wet in the low corner';
            note.dispatchEvent(new Event('input', { bubbles: true }));
        }).observe(document.getElementById('form'), { childList: true });
        [...document.querySelectorAll('#kinds button')].find(one => one.textContent === label).click();
    }"""
    page.evaluate(types, KINDS["operation"].label)
    phone.drafts(1)
    page.evaluate(AXE.read_text())
    found = page.evaluate("rules => axe.run({runOnly: {type: 'tag', values: rules}})", RULES)
    assert [(one["id"], one["nodes"][0]["target"]) for one in found["violations"]] == []
    page.reload()
    phone.says("No network")
    page.get_by_role("button", name=KINDS["operation"].label).click()
    expect(page.locator("#form [name=note]")).to_have_value("Wet in the low corner")


def _begins(phone: Phone, kind: str) -> Locator:
    first = phone.page.get_by_role("button", name=KINDS[kind].label, exact=True)
    if first.count():
        first.click()
    else:
        phone.page.locator("#more").select_option(kind)
    return phone.page.locator("#form form")


@pytest.mark.slow
def test_nothing_is_kept_while_what_is_needed_is_blank(phone: Phone) -> None:
    phone.network(on=False)
    form = _begins(phone, "cover_crop")
    phone.page.get_by_role("button", name="Keep on this phone").click()
    expect(form).to_contain_text("Management unit: fill it in.")
    expect(form).to_contain_text("Crop entry that follows: fill it in.")
    expect(form.locator("[name=unit_id]")).to_be_focused()
    expect(phone.page.locator("#told")).to_have_text("Nothing is kept yet: fill in what is needed.")
    assert phone.states() == []
    form.locator("[name=unit_id]").select_option("G70")
    form.locator("[name=harvest_id]").select_option("G70-2025")
    form.locator("[name=seeded_on]").fill("2024-10-09")
    phone.page.get_by_role("button", name="Keep on this phone").click()
    phone.wait_for("waiting")


@pytest.mark.slow
def test_the_day_is_today_and_the_acres_are_the_fields_until_somebody_says_otherwise(phone: Phone) -> None:
    phone.page.clock.set_fixed_time("2026-11-28T03:00:00Z")
    form = _begins(phone, "cover_crop")
    expect(form.locator("[name=seeded_on]")).to_have_value("2026-11-27")
    acres = {key: str(row["acres"]) for key, row in phone.rows("unit").items()}
    for unit in ("G70", "N40"):
        form.locator("[name=unit_id]").select_option(unit)
        expect(form.locator("[name=seeded_acres]")).to_have_value(acres[unit])
    form.locator("[name=seeded_acres]").fill("12")
    form.locator("[name=unit_id]").select_option("G70")
    expect(form.locator("[name=seeded_acres]")).to_have_value("12")
    expect(_begins(phone, "operation").locator("[name=day]")).to_have_value("2026-11-27")


@pytest.mark.slow
def test_the_crop_to_come_is_added_on_the_way_and_the_species_after_it(phone: Phone) -> None:
    page = phone.page
    phone.network(on=False)
    form = _begins(phone, "cover_crop")
    form.locator("[name=unit_id]").select_option("G70")
    form.locator("[name=method]").select_option("drilled")
    page.get_by_role("link", name="Add the crop entry").click()
    expect(page.locator("#form-title")).to_have_text(KINDS["harvest"].label)
    expect(form.locator("[name=unit_id]")).to_have_value("G70")
    form.locator("[name=harvest_id]").fill("G70-2027")
    form.locator("[name=crop]").select_option("corn")
    form.locator("[name=ending]").select_option("not_yet")
    page.get_by_role("button", name="Keep on this phone").click()
    expect(page.locator("#form-title")).to_have_text(KINDS["cover_crop"].label)
    expect(form.locator("[name=harvest_id]")).to_have_value("G70-2027")
    expect(form.locator("[name=method]")).to_have_value("drilled")
    page.get_by_role("button", name="Keep on this phone").click()
    phone.network(on=True)
    phone.wait_for("sent", "sent")
    (key,) = [key for key, row in phone.rows("cover_crop").items() if row["harvest_id"] == "G70-2027"]
    page.get_by_role("button", name="Add the species").click()
    expect(form.locator("[name=cover_id]")).to_have_value(key)
    form.locator("[name=species]").fill("Cereal Rye, Winter")
    page.get_by_role("button", name="Keep on this phone").click()
    phone.wait_for("sent", "sent", "sent")
    assert "Cereal Rye, Winter" in [
        row["species"] for row in phone.rows("cover_species").values() if row["cover_id"] == key
    ]


@pytest.mark.slow
def test_a_listed_name_is_found_by_words_in_any_order_and_in_spanish_without_a_network(phone: Phone) -> None:
    page = phone.page
    phone.network(on=False)
    form = _begins(phone, "operation")
    told = form.locator("[data-unlisted]")
    form.locator("[name=operation]").press_sequentially("field cultivator 6-12 in sw")
    expect(told).to_contain_text("Of the list:")
    expect(told.get_by_role("button").first).to_contain_text("Cultivator, field 6-12 in sweeps: STIR")
    told.get_by_role("button").first.click()
    expect(form.locator("[name=operation]")).to_have_value("Cultivator, field 6-12 in sweeps")
    form.locator("[name=operation]").fill("the field cultivator, with sweeps")
    form.locator("[name=operation]").press("Tab")
    expect(told.get_by_role("button").first).to_contain_text("Cultivator, field 6-12 in sweeps: STIR")
    form = _begins(phone, "cover_species")
    form.locator("[name=species]").fill("winter cereal")
    form.locator("[name=species]").press("Tab")
    expect(told.get_by_role("button").first).to_have_text(re.compile("Cereal Rye"))
    form.locator("[name=species]").fill("")
    form.locator("[name=species]").press_sequentially("trebol encarnado")
    told.get_by_role("button").first.click()
    expect(form.locator("[name=species]")).to_have_value("Clover, Crimson")
    form = _begins(phone, "nutrient_application")
    form.locator("[name=product]").fill("UAN")
    form.locator("[name=product]").press("Tab")
    expect(told.get_by_role("button")).to_have_text(["UAN 28: 28-0-0", "UAN 30: 30-0-0", "UAN 32: 32-0-0"])
    page.get_by_role("button", name="Close").click()


@pytest.mark.slow
def test_a_second_planting_is_asked_about_once_it_is_sent_and_waits_for_the_answer(phone: Phone) -> None:
    page, before = phone.page, len(phone.rows("planting"))
    phone.network(on=False)
    form = _begins(phone, "planting")
    form.locator("[name=harvest_id]").select_option("G70-2025")
    form.locator("[name=planted_on]").fill("2025-06-01")
    page.get_by_role("button", name="Keep on this phone").click()
    phone.network(on=True)
    phone.wait_for("asked")
    expect(page.locator("#queue > li")).to_contain_text("G70-2025 has a row of planting and emergence already")
    expect(page.locator("#queue > li")).to_contain_text("Asks you")
    assert len(phone.rows("planting")) == before
    page.get_by_role("button", name="Open and mend it").click()
    expect(form.locator("[name=planted_on]")).to_have_value("2025-06-01")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="It is right as it is").click()
    phone.wait_for("sent")
    assert len(phone.rows("planting")) == before + 1
