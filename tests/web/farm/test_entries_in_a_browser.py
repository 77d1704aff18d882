"""The crop entry of imported rows on a laptop and on a phone: shown, chosen from a list, added, written."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, FilePayload, expect

from tests.web.cast import Cast
from tests.web.importing import read_here
from tests.web.watch import TOLD_ON, Window, watching

__all__ = ["read_here"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.usefixtures("read_here"),
]
READ_MS = 90_000
ROWS = b"Field,Crop,Date Planted\nG70,Sorghum,4/28/2025\nG70,,\nG70,Soybeans,5/3/2026\nG70,Soybeans,5/9/2026\n"


@pytest.mark.parametrize("size", TOLD_ON)
def test_a_list_of_plantings_finds_its_crops(farm_stage: tuple[str, Cast], browser: Browser, size: Window) -> None:
    base, cast = farm_stage
    files: list[FilePayload] = [{"name": "planting.csv", "mimeType": "text/csv", "buffer": ROWS}]
    with watching(browser, base, cast.people["owner"], window=size) as window:
        page = window.page
        window.open(reverse("farm_imports", args=(cast.farm.handle,)))
        page.get_by_label("Files", exact=True).set_input_files(files)
        page.get_by_role("button", name="Read the files").click()
        expect(page.get_by_role("heading", name="Which crop is it?")).to_be_visible(timeout=READ_MS)
        window.look("import-entries")
        page.get_by_role("button", name="Add this crop").click()
        expect(page.get_by_text("is added with these rows")).to_be_visible(timeout=READ_MS)
        page.get_by_label("Crop entry", exact=True).select_option(index=1)
        page.get_by_role("button", name="Read these rows again").click()
        expect(page.get_by_role("heading", name="Rows that stay out")).to_be_hidden(timeout=READ_MS)
        expect(page.get_by_text("the only one that fits by field, crop and day").first).to_be_visible()
        window.look("import-entries-chosen")
        page.get_by_label("I have looked").check()
        page.get_by_role("button", name="Write").click()
        expect(page.get_by_text("rows are written")).to_be_visible()
