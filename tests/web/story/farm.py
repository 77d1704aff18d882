"""The farmer: hands in a season, finds what is missing and fills it in, signs the report, signs a sale slip."""

import csv
import json
import re
from pathlib import Path
from typing import Final

from openpyxl import load_workbook
from playwright.sync_api import expect

from provender.records.kind import KINDS
from tests.web.story.stage import PATIENCE, ROOT, Desk, Stage

EXAMPLE: Final = ROOT / "examples" / "bluestem-farm"
PHRASE: Final = "harvest rain gravel owl"
MISSING: Final = "N40-P1"
"""The planting of unit N40: somebody forgot to write it down, and found the note later."""
SOLD: Final = "12000"
READING: Final = 4 * PATIENCE
"""Milliseconds that reading the files may take: it is done beside the server, on cores that many share."""
HEADINGS: Final = 3
"""The row of a sheet of the template with the names of its columns."""


def tell(stage: Stage) -> None:
    with stage.at_desk_of("farm") as desk:
        hand_in_a_season(desk)
        fix_what_is_missing(desk)
        look_around(desk)
        sign_the_report(desk)
        sell_to_the_elevator(desk)


def hand_in_a_season(desk: Desk) -> None:
    desk.shot("farm-overview")
    desk.go("Farm records")
    desk.press("Open the record book")
    desk.go("Upload files")
    with desk.page.expect_download() as download:
        desk.press("Download the template")
    workbook = desk.stage.folder / "season.xlsx"
    download.value.save_as(workbook)
    fill_the_template(workbook)
    outlines = lay_outlines_together(desk.stage.folder / "fields.geojson")
    evidence = sorted((EXAMPLE / "evidence").iterdir())
    desk.page.locator("input[type=file]").set_input_files([workbook, outlines, *evidence])
    desk.press("Read the files")
    expect(desk.page.get_by_role("heading", name="Look before it is written")).to_be_visible(timeout=READING)
    desk.shot("farm-import")
    looked = desk.page.locator("main [name=looked]")
    if looked.count():
        looked.check()
    desk.page.get_by_role("button", name=re.compile(r"^Write \d+ rows?$")).first.click()
    desk.sees("heading", "Farm records")


def lay_outlines_together(path: Path) -> Path:
    """Write all outlines into one file, as a farm's mapping program exports them."""
    files = sorted((EXAMPLE / "boundaries").glob("*.geojson"))
    features: list[object] = []
    for one in files:
        found = json.loads(one.read_text(encoding="utf-8"))
        features += found.get("features", [found])
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
    return path


def fill_the_template(path: Path) -> None:
    """Type the example's rows into the workbook, the planting that somebody forgot left out."""
    book = load_workbook(path)
    for kind in KINDS.values():
        source = EXAMPLE / f"{kind.name}.csv"
        if not source.exists():
            continue
        sheet = book[kind.label if kind.label in book.sheetnames else kind.name]
        columns = {str(cell.value): cell.column for cell in sheet[HEADINGS]}
        rows = csv.DictReader(source.read_text(encoding="utf-8").splitlines())
        kept = [row for row in rows if MISSING not in row.values()]
        for number, row in enumerate(kept, HEADINGS + 1):
            for name, text in row.items():
                # Names and outlines of the units come with the boundary files.
                given = "" if kind.name == "unit" and name in ("name", "boundary") else text
                sheet.cell(number, columns[name], given or None)
    book.save(path)


def fix_what_is_missing(desk: Desk) -> None:
    """Follow the matrix to the gap, the gap to the form, and come back to a practice that is met."""
    page = desk.page
    desk.go("Farm records")
    desk.shot("farm-matrix")
    page.get_by_role("link", name="N40").first.click()
    section = page.locator("section[aria-labelledby=split_in_season]")
    expect(section).to_contain_text("Not shown")
    desk.shot("farm-missing", "section[aria-labelledby=split_in_season]")
    section.get_by_role("link", name="Planting").first.click()
    desk.fill(planting_id=MISSING, harvest_id="N40-2025", planted_on="2025-04-23", acres="40", emerged_on="2025-05-05")
    desk.shot("farm-form")
    desk.press("Add the row")
    desk.stands()
    desk.go("Farm records")
    page.get_by_role("link", name="N40").first.click()
    expect(section).to_contain_text("Met")
    expect(section).not_to_contain_text("Not shown")


def look_around(desk: Desk) -> None:
    desk.go("Season")
    desk.page.locator("main").get_by_role("link", name="N40").first.click()
    desk.shot("farm-season")
    desk.go("Map")
    desk.shot("farm-map")
    desk.go("Plan")
    desk.shot("farm-plan")


def sign_the_report(desk: Desk) -> None:
    page = desk.page
    desk.go("Reports")
    desk.press("Signing key")
    page.get_by_label("New passphrase", exact=True).fill(PHRASE)
    page.get_by_label("New passphrase again").fill(PHRASE)
    desk.shot("farm-key")
    desk.press("Make and register the key")
    expect(page.get_by_text("is registered. Tell your buyers")).to_be_visible(timeout=PATIENCE)
    desk.go("Reports")
    page.locator("main").get_by_role("link", name=re.compile("corn", re.IGNORECASE)).first.click()
    desk.shot("farm-report")
    page.get_by_label("I am the farm producer and attest").check()
    page.get_by_label("Passphrase").fill(PHRASE)
    desk.shot("farm-attest", "form[data-signs]")
    desk.press("Sign the report")
    expect(page.get_by_text("is signed and kept")).to_be_visible(timeout=PATIENCE)


def sell_to_the_elevator(desk: Desk) -> None:
    page = desk.page
    desk.go("Sales")
    page.get_by_label("Buyer's code").fill(desk.stage.codes["elevator"])
    page.get_by_label("Bushels", exact=True).fill(SOLD)
    page.get_by_label("Passphrase").fill(PHRASE)
    desk.shot("farm-slip", "section[aria-labelledby=slip]")
    desk.press("Sign the slip")
    expect(page.get_by_text("its serials are assigned to Kaw Valley Elevator")).to_be_visible(timeout=PATIENCE)
    desk.shot("farm-sales")
