"""What a season out of machine files costs a person on the pages, counted by the events that the pages see.

A farm of four fields hands in boundaries, a terminal's card, a laboratory's list and a short workbook of declarations.
Nothing is counted by hand: clicks, keys and choices are those that Chromium delivers to the page, and cells of the
workbook those that are filled in. The calculator is USDA's own and is not played.
"""

import re
import sys
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from bench.burden import (
    ANSWERS,
    APPLICATOR,
    HARVEST,
    MOST_MINUTES,
    MOST_VALUES,
    Burden,
    Person,
    card,
    laboratory,
    outlines,
)
from provender.formats.template import short_workbook
from tests.web.story.farm import READING
from tests.web.story.stage import Desk, Stage, raise_curtain

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]

FIELDS: Final = 4
AS_OF: Final = date(2026, 11, 21)


def hands_in(desk: Desk, files: list[Path], words: dict[str, str], did: Burden) -> None:
    """Upload files, answer what names mean, look, and write."""
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


def test_a_season_out_of_machine_files_costs_few_values_on_the_pages(
    live_server: LiveServer, browser: Browser, tmp_path: Path
) -> None:
    stage = Stage(live_server.url, browser, "laptop", tmp_path)
    raise_curtain(stage)
    files = [tmp_path / name for name in ("fields.geojson", "card.zip", "soil.csv")]
    for path, write in zip(files, (outlines, card, laboratory), strict=True):
        write(path, FIELDS)
    person = Person(tmp_path, stage.did["farm"])
    with stage.at_desk_of("farm") as desk:
        desk.go("Farm records")
        desk.press("Open the record book")
        words = {"planter": "Planter, double disk opnr", "applicator": APPLICATOR, "combine": HARVEST}
        hands_in(desk, files, words, person.did)
        short = tmp_path / "season.xlsx"
        short.write_bytes(short_workbook(as_of=AS_OF))
        person.fills(short, {"Short declarations": ANSWERS})
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
    assert did.values <= MOST_VALUES["machine and laboratory files"]
    assert did.minutes <= MOST_MINUTES
