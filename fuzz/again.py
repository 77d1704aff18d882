"""A season that comes in once more, as other files, in another order or with one row more: nothing is new but that row.

Of people's files many name no record, so that their identifiers are left out as well.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from fuzz.case import direct
from provender.formats.columns import own_key
from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.plan import ImportPlan, plan_import, write_plan
from provender.formats.template_layout import sheet_name
from provender.problem import Weight
from provender.records.folder import write_csv
from provender.records.kind import KINDS
from tests.formats.workbooks import xlsx_of
from tests.standards.season import Rows, clean_season
from tests.standards.seasons import CELLS, REMOVABLE, ROWS, apply

CHOICES: Final = Choices(as_of=date(2026, 11, 21), accept=True, parse=direct)
NEW: Final[Mapping[str, dict[str, str]]] = {
    "harvest": {
        "unit_id": "N40",
        "crop": "oats",
        "ending": "harvested",
        "first_day": "2021-07-20",
        "last_day": "2021-07-21",
        "bushels": "900",
    },
    "operation": {"unit_id": "N40", "day": "2021-07-01", "operation": "Sprayer, post emergence"},
    "nutrient_application": {
        "unit_id": "N40",
        "day": "2021-07-02",
        "product": "Urea",
        "rate": "50",
        "rate_unit": "lb/ac",
        "method": "broadcast",
    },
    "soil_test": {"unit_id": "N40", "sampled_on": "2021-07-03", "laboratory": "State lab", "p_ppm": "20"},
    "seed_purchase": {"species": "Hairy Vetch", "received_on": "2021-07-04", "supplier": "Seed house", "pounds": "90"},
    "inhibitor_purchase": {
        "product": "Instinct",
        "received_on": "2021-07-05",
        "supplier": "Co-op",
        "amount": "5",
        "amount_unit": "gal",
    },
}
"""By kind, a sound row that no season has."""
NAMED: Final = frozenset({"farm", "unit", "evidence", "expert_opinion"})
"""Kinds whose records have a name in everybody's files."""


def drawn(random: Random) -> Rows:
    """Return a season changed in a few ways."""
    rows = clean_season(random.choice(("corn", "corn", "soybeans", "sorghum")))
    rows["unit"].append({"unit_id": "S80", "acres": "80", "county_fips": "20177"})
    for _ in range(random.randrange(6)):
        kind, at, column, texts = random.choice(CELLS)
        more, cells = random.choice(ROWS)
        less, place = random.choice(REMOVABLE)
        cell = ("cell", kind, at, {column: random.choice(texts)})
        rows = apply(rows, random.choice([cell, cell, ("row", more, 0, cells), ("less", less, place, {})]))
    return rows


def without_names(rows: Rows) -> Rows:
    """Return a season as people keep it: without identifiers; who names a crop says its field, crop and year."""
    entries = {one["harvest_id"]: _entry(one) for one in rows.get("harvest", ())}
    gone = {own_key(kind) for name, kind in KINDS.items() if name not in NAMED} - {""}
    found: Rows = {}
    for name, of_kind in rows.items():
        kind, left = KINDS[name], gone - {"harvest_id"} if name != "harvest" else gone
        if set(kind.key_columns) & left - {own_key(kind)}:
            continue  # a part of a record that nothing names
        found[name] = [
            {
                column: entries.get(text, text) if column == "harvest_id" else text
                for column, text in one.items()
                if column not in left
            }
            for one in of_kind
        ]
    return found


def _entry(row: dict[str, str]) -> str:
    day = row.get("last_day") or row.get("first_day") or ""
    return " ".join(filter(None, (row["unit_id"], row["crop"], day[:4])))


def written(rows: Rows, folder: Path, mark: str, *, workbook: bool) -> list[Path]:
    """Write a season as one workbook or as a CSV file a kind."""
    tables: dict[str, list[list[str]]] = {}
    for kind, of_kind in rows.items():
        columns = [name for name in KINDS[kind].typed_fields if any(one.get(name) for one in of_kind)]
        if of_kind:
            tables[kind] = [columns, *([one.get(name, "") for name in columns] for one in of_kind)]
    if workbook:
        path = folder / f"season{mark}.xlsx"
        path.write_bytes(xlsx_of({sheet_name(KINDS[kind]): of for kind, of in tables.items()}))
        return [path]
    for kind, of in tables.items():
        (folder / f"{kind}{mark}.csv").write_text(write_csv(of), encoding="utf-8")
    return [folder / f"{kind}{mark}.csv" for kind in tables]


def again(rows: Rows, random: Random, folder: Path) -> Iterator[str]:
    """Import a season into an empty book, then in other shapes; yield what does not hold."""
    bare, workbook = random.random() < 0.6, random.random() < 0.5
    rows = without_names(rows) if bare else rows
    book = folder / "book"
    first = plan_import(written(rows, folder, "", workbook=workbook), ImportBook.in_folder(book), CHOICES)
    write_plan(first)
    yield from (f"first: {one}" for one in lost(first))
    if not first.book.farm_id:
        return
    shuffled = {kind: random.sample(of, len(of)) for kind, of in random.sample(list(rows.items()), len(rows))}
    kind, many = random.choice(list(NEW)), random.choice([name for name in NEW if rows.get(name)])
    row = NEW[kind] if bare else {own_key(KINDS[kind]): "NEW1", **NEW[kind]}
    ways = {
        "renamed": (rows, workbook, _NONE),
        "in the other format": (rows, not workbook, _NONE),
        "shuffled": (shuffled, workbook, _NONE),
        "with one row more": ({**rows, kind: _inserted(rows.get(kind, []), row, random)}, workbook, {kind: 1}),
    }
    if bare and many != "harvest" and not any(one.kind == many for one in first.book.rejected):
        twice = _inserted(rows[many], random.choice(rows[many]), random)
        ways["with one row twice"] = ({**rows, many: twice}, workbook, {many: 1})
    for at, (how, (sent, as_workbook, new)) in enumerate(ways.items()):
        said = replace(CHOICES, twins="each") if "twice" in how else CHOICES
        paths = written(sent, folder, f"_v{at}", workbook=as_workbook)
        plan = plan_import(paths, ImportBook.in_folder(book), said)
        shape = f"{'without' if bare else 'with'} names, {'workbook' if as_workbook else 'CSV'}"
        yield from (f"{how} ({shape}): {fault}" for fault in (*lost(plan), *brought(plan, first, new)))


_NONE: Final[Mapping[str, int]] = {}


def _inserted(rows: list[dict[str, str]], row: dict[str, str], random: Random) -> list[dict[str, str]]:
    at = random.randint(0, len(rows))
    return [*rows[:at], row, *rows[at:]]


def lost(plan: ImportPlan) -> Iterator[str]:
    """Yield every table of which not every row has a fate."""
    for one in plan.counts:
        went = one.added + one.completed + one.replaced + one.same + one.waiting + one.rejected
        if went != one.rows:
            yield f"{one.rows} rows, {went} accounted for in {one}"


def brought(plan: ImportPlan, first: ImportPlan, new: Mapping[str, int]) -> Iterator[str]:
    """Yield what an import changes, asks or rejects beside new rows, so many by kind, where one was written before."""
    added: Counter[str] = Counter()
    for one in plan.counts:
        added[one.kind] += one.added
        if one.completed or one.replaced or one.waiting:
            yield f"not what the book has: {one}"
    if +added != Counter(new):
        yield f"added {+added}, not {dict(new)}"
    for kind in KINDS:
        before, now = first.book.table(kind).text(), plan.book.table(kind).text()
        if not now.startswith(before):
            yield f"{kind} changed:\n{before}\n{now}"
    rejected, before_rejected = Counter(_rejected(plan)), Counter(_rejected(first))
    if rejected != before_rejected:
        yield f"rejected more: {rejected - before_rejected}, fewer: {before_rejected - rejected}"
    asked = {one.code for one in first.problems}
    if more := [str(one) for one in plan.problems if one.weight is not Weight.NOTE and one.code not in asked]:
        yield f"asked anew: {more}"


def _rejected(plan: ImportPlan) -> Iterator[tuple[str, frozenset[tuple[str, str]]]]:
    return ((one.kind, frozenset(cell for cell in one.cells if cell[1])) for one in plan.book.rejected)


def faults(seed: int, count: int) -> Iterator[str]:
    """Bring many seasons in again; yield what does not hold, with how to see it again."""
    for number in range(count):
        random = Random(f"{seed} again {number}")
        with TemporaryDirectory() as folder:
            for fault in again(drawn(random), random, Path(folder)):
                yield f"seed {seed}, season {number}, {fault}"
