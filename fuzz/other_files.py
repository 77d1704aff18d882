"""Files that other people write, spoiled: short workbooks, papers, laboratories' and elevators' lists.

What must hold of each: no exception, every row that came in counted, and nothing that could not be read left unsaid.
"""

import io
import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import typst
import xlsxwriter

from fuzz import systems
from fuzz.case import direct
from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.plan import ImportPlan, plan_import
from provender.formats.template_layout import SHEETS
from provender.records.folder import write_csv

AS_OF: Final = date(2026, 11, 21)
NASTY: Final = (
    "", " ", "x", "no", "all", "N40", "N40; N40", "=", "= yes", "N40 = maybe; Z9", "2026-02-31",
    "13/13/2026", "#REF!", "1e999", "-5",
    "\u202eN40", "N40\n", "a" * 5000, ";;;", "=1+1", "\U0001f600", "0", "NaN", "12.5.1",
)  # fmt: skip
TICKETS: Final = (
    ("Tkt Nbr", "Loc", "Ship Date", "I/O", "Name ID", "Cmdty", "Gross Wt", "Tare Wt", "Net Wt", "Moist", "Net Qty"),
    ("1", "AMES", "9/14/2026", "I", "SMITH", "YC", "78420", "27180", "51240", "15.2", "915"),
    ("1", "AMES", "9/14/2026", "I", "SMITH", "YC", "78420", "27180", "51240", "15.2", "85"),
)
SOIL: Final = (
    ("Lab No", "Cust No", "Field ID", "Date Recd", "Date Rept", "B Depth", "E Depth", "1:1 Soil pH", "Olsen P ppm P"),
    ("700001", "24832", "N40", "3/14/2026", "3/16/2026", "0", "6", "6.4", "14"),
)
INVOICE: Final = (
    ("Item", "Description", "Analysis", "Qty", "UOM", "Price", "Invoice date"),
    ("1", "N-Serve", "", "30", "GAL", "98.00", "3/14/2026"),
    ("2", "Annual ryegrass seed 50 lb", "", "44", "BAG", "14.50", "3/14/2026"),
    ("3", "UAN 32", "32-0-0", "12.5", "TON", "310.00", "3/14/2026"),
    ("4", "Urea with N-Serve", "46-0-0", "(3)", "TON", "", ""),
)
_RING: Final = [[-95.7, 39.0], [-95.69, 39.0], [-95.69, 39.01], [-95.7, 39.0]]
HISTORY: Final = (
    ("CSBID", "CSBACRES", "CDL2022", "CDL2023", "CDL2024", "unit_id", "WKT"),
    ("1", "40.1", "1", "5", "176", "N40", ""),
    ("2", "40.1", "1", "5.0", "141", "", "POLYGON((-95.7 39,-95.69 39,-95.69 39.01,-95.7 39))"),
)
RUNS: Final = (
    ("Field", "County", "Crop", "Yield", "Acres", "CI"),
    ("N40", "Shawnee, KS", "Corn", "180.5", "40", "24210.33"),
)


def _spoiled(rows: tuple[tuple[str, ...], ...], random: Random) -> list[list[str]]:
    found = [list(row) for row in rows]
    for _ in range(random.randrange(1, 6)):
        row = random.choice(found)
        if row and random.random() < 0.8:
            row[random.randrange(len(row))] = random.choice(NASTY)
        else:
            row[random.randrange(len(row) + 1) :] = [random.choice(NASTY)] * random.randrange(3)
    return found


def short_file(random: Random) -> tuple[str, bytes, str]:
    """Return a short workbook whose cells are examples and nasty texts in any place."""
    stream = io.BytesIO()
    with xlsxwriter.Workbook(
        stream, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    ) as book:
        for sheet in SHEETS:
            if random.random() < 0.15:
                continue
            page = book.add_worksheet(sheet.name)
            for at, part in enumerate(sheet.parts):
                texts = [part.label, part.example, random.choice([part.example, *NASTY]), random.choice(NASTY)]
                for along, text in enumerate(texts):
                    row, column = (1 + along, at) if sheet.shape == "list" else (1 + at, along)
                    page.write_string(row, column, text if random.random() < 0.9 else random.choice(NASTY))
            if sheet.shape == "grid":
                page.write_string(len(sheet.parts) + 1, 0, random.choice(["all", "N40", *NASTY]))
                page.write_string(len(sheet.parts) + 1, 1, random.choice(["x", *NASTY]))
        if not book.worksheets():
            book.add_worksheet(SHEETS[0].name)
    return "season.xlsx", stream.getvalue(), ""


def paper_file(random: Random) -> tuple[str, bytes, str]:
    """Return a printout as PDF, spoiled in its cells or cut and turned over in its bytes."""
    rows = _spoiled(RUNS, random)
    width = max(len(row) for row in rows) or 1
    cells = ", ".join(_quoted(cell) for row in rows for cell in [*row, *[""] * (width - len(row))])
    data = bytearray(typst.compile(f"#table(columns: {width}, {cells})".encode()))
    for _ in range(random.randrange(4)):
        data[random.randrange(len(data))] = random.randrange(256)
    cut = len(data) if random.random() < 0.7 else random.randrange(5, len(data))
    return "printout.pdf", bytes(data[:cut]), "calculator_run"


def _quoted(text: str) -> str:
    plain = "".join(sign for sign in text if sign.isprintable()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


def invoice_file(random: Random) -> tuple[str, bytes, str]:
    """Return an invoice, as a list or printed, spoiled; some have no heading left."""
    rows = _spoiled(INVOICE, random)
    if random.random() < 0.7:
        return "invoice.csv", write_csv(rows).encode("utf-8", "replace"), ""
    width = max(map(len, rows)) or 1
    cells = ", ".join(_quoted(text) for row in rows for text in [*row, *[""] * (width - len(row))])
    page = "#set page(width: 60cm, height: auto)\nInvoice No: 7 Date: 3/14/2026\n\n"
    return "invoice.pdf", typst.compile(f"{page}#table(columns: {width}, {cells})".encode()), ""


def history_file(random: Random) -> tuple[str, bytes, str]:
    """Return Crop Sequence Boundaries, as text with outlines or as GeoJSON, spoiled."""
    rows = _spoiled(HISTORY, random)
    if random.random() < 0.6:
        return "csb.csv", write_csv(rows).encode("utf-8", "replace"), ""
    features = [
        {"type": "Feature", "properties": dict(zip(rows[0], row, strict=False)),
         "geometry": {"type": random.choice(("Polygon", "Point", "MultiPolygon")), "coordinates": [_RING]}}
        for row in rows[1:]
    ]  # fmt: skip
    return "csb.geojson", json.dumps({"type": "FeatureCollection", "features": features}).encode(), ""


def list_file(random: Random) -> tuple[str, bytes, str]:
    """Return an elevator's or a laboratory's list, spoiled."""
    name, rows = random.choice([("tickets.csv", TICKETS), ("soil.csv", SOIL)])
    return name, write_csv(_spoiled(rows, random)).encode("utf-8", "replace"), random.choice(["", "", "scale_ticket"])


MAKERS: Final[tuple[Callable[[Random], tuple[str, bytes, str]], ...]] = (
    *(short_file, short_file, paper_file, list_file),
    *(invoice_file, history_file),
    *systems.MAKERS,
)


def run(seed: int, number: int, folder: Path) -> tuple[ImportPlan, str]:
    """Import one spoiled file into a small book; what it raises is a fault."""
    random = Random(f"{seed} {number}")
    book = folder / "book"
    book.mkdir()
    (book / "farm.csv").write_text("farm_id,name\nF1,Bluestem\n")
    (book / "unit.csv").write_text("unit_id,acres\nN40,40\n")
    (book / "harvest.csv").write_text("harvest_id,unit_id,crop,ending,last_day\nH26,N40,corn,harvested,2026-10-20\n")
    name, data, kind = random.choice(MAKERS)(random)
    (folder / name).write_bytes(data)
    choices = Choices(as_of=AS_OF, kind=kind, accept=True, harvest_year=2026, parse=direct)
    return plan_import([folder / name], ImportBook.in_folder(book), choices), name


def faults(seed: int, count: int) -> Iterator[str]:
    """Run many; yield what does not hold, with how to see it again."""
    for number in range(count):
        with TemporaryDirectory() as folder:
            plan, name = run(seed, number, Path(folder))
        for each in plan.counts:
            went = each.added + each.completed + each.replaced + each.same + each.waiting + each.rejected
            if went != each.rows:
                yield f"{name}, seed {seed}, case {number}: {each.rows} rows, {went} accounted for in {each}"
        if any(each.rejected for each in plan.counts) and not plan.problems:
            yield f"{name}, seed {seed}, case {number}: rows stay out and nothing says why"
        if not plan.counts and not plan.problems:
            yield f"{name}, seed {seed}, case {number}: nothing came in and nothing says why"
