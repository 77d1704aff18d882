"""Handing files in and drawing a field as a person does it, on a laptop and on a phone."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, FilePayload, expect

from tests.web.cast import Cast
from tests.web.importing import table
from tests.web.watch import TOLD_ON, Window, watching

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]
READ_MS = 90_000


@pytest.mark.parametrize("size", TOLD_ON)
def test_rows_are_seen_corrected_and_written(farm_stage: tuple[str, Cast], browser: Browser, size: Window) -> None:
    base, cast = farm_stage
    rows = (
        {"operation_id": "P1", "unit_id": "G70", "day": "2025-04-14", "operation": "Sprayer, kill crop"},
        {"operation_id": "P2", "unit_id": "G70", "day": "soon", "operation": "Sprayer, kill crop"},
    )
    files: list[FilePayload] = [
        {"name": "operation.csv", "mimeType": "text/csv", "buffer": table("operation", *rows).encode()},
        {"name": "sheet of others.csv", "mimeType": "text/csv", "buffer": b"What,How much\nthis,1\n"},
    ]
    with watching(browser, base, cast.people["owner"], window=size) as window:
        page = window.page
        window.open(reverse("farm_imports", args=(cast.farm.handle,)))
        page.get_by_label("Files", exact=True).set_input_files(files)
        page.get_by_role("button", name="Read the files").click()
        expect(page.get_by_role("heading", name="Look before it is written")).to_be_visible(timeout=READ_MS)
        window.look("import")
        page.get_by_role("link", name="Complete P1").click()
        window.look("import-row")
        page.go_back()
        page.get_by_label("Date", exact=True).fill("2025-05-01")
        page.get_by_role("button", name="Read these rows again").first.click()
        expect(page.get_by_role("button", name="Write 2 rows")).to_be_visible(timeout=READ_MS)
        # A sheet that nobody can place asks before anything is written: the box is a required one.
        page.get_by_label("I have looked").check()
        page.get_by_role("button", name="Write 2 rows").click()
        expect(page.get_by_text("2 rows are written")).to_be_visible()


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


def test_a_field_on_the_map_opens_its_page(farm_stage: tuple[str, Cast], browser: Browser) -> None:
    base, cast = farm_stage
    with watching(browser, base, cast.people["owner"], window="laptop") as window:
        window.open(reverse("farm_map", args=(cast.farm.handle,)))
        window.look("map")
        window.page.locator("#map path.leaflet-interactive").first.click()
        expect(window.page).to_have_url(re.compile("/farm/crop/"))
