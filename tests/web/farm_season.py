"""A whole season in the cast's book: the example farm that ships, written as its owner would."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from provender.database.models.farm import Change, rows_of
from provender.records.folder import load_book, written_row
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, FarmBook, change_book, farm_book_of, key_of
from provender.services.farm.files import store_upload
from provender.services.farm.folder import FILE
from provender.services.precompute import KEPT
from tests.web.cast import Cast
from tests.web.replayed import replayed

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "bluestem-farm"
CROP: Final = "G70-2025"
FEW: Final = ("N40", "W35", "K45", "G70", "G35", "P20")
"""Half of the example's fields, with all of its crops: a book of them is judged and shown in half the time."""
OF_FEW: Final[Mapping[str, Mapping[str, str]]] = {
    "bushels": {"BT1": "12580", "BT3": "2262", "SALE1": "8000", "SALE2": "4580", "SALE4": "2250"},
    "acres": {"FSA-corn": "75", "FSA-soybeans": "45"},
    "farm_ci_g_per_bu": {"RUN-N40": "6427.62", "RUN-W35": "6427.62", "RUN-K45": "6100"},
}
"""By column and key what other rows say of a farm that has these fields alone."""


def fill_season(
    cast: Cast, called: Mapping[str, str] = MappingProxyType({}), *, fields: tuple[str, ...] = ()
) -> Change:
    """Put the rows of the example into the book, in place of the row the cast begins with.

    Args:
        cast: whose book.
        called: by a text of the example, the one that stands in its cells instead.
        fields: ``FEW``; all fields without it.
    """
    return replayed(("season", cast.book.pk, tuple(called.items()), fields), lambda: _filled(cast, called, fields))


def _filled(cast: Cast, called: Mapping[str, str], fields: tuple[str, ...]) -> Change:
    edits = [Edit("harvest", "h1", None)]
    named: set[str] = set()
    for name, rows in _rows_of_the_example(fields):
        kind = KINDS[name]
        for row in rows:
            texts = {one: called.get(text, text) for one, text in row.items()}
            edits.append(Edit(name, key_of(kind, texts), texts))
            named |= {row["boundary"]} if name == "unit" else {row["file"]} if name == "evidence" else set()
    paths = [path for path in sorted((EXAMPLE / "boundaries").glob("*.geojson")) if path.name in named]
    edits += [Edit(FILE, f"boundaries/{path.name}", {"text": path.read_text(encoding="utf-8")}) for path in paths]
    actor = cast.actor("owner")
    for path in (path for path in sorted((EXAMPLE / "evidence").iterdir()) if path.name in named):
        stored = store_upload(cast.book.organisation, path.name, path.read_bytes(), actor=actor)
        edits.append(Edit(FILE, f"evidence/{path.name}", {"sha256": stored.sha256, "upload": stored.handle}))
    change = change_book(cast.book, edits, reason="the season of 2025", actor=actor)
    keep_pages(cast)
    return change


def keep_pages(cast: Cast) -> None:
    """Make what pages show of the book, as the server's own thread does: played back, it need not be made again."""
    for make in KEPT:
        make(farm_book_of(cast.farm))


@cache
def _rows_of_the_example(fields: tuple[str, ...]) -> tuple[tuple[str, tuple[dict[str, str], ...]], ...]:
    """Read the example once a process: hundreds of tests begin with it."""
    book = load_book(EXAMPLE)
    every = {
        name: [dict(zip(kind.typed_fields, written_row(row, kind.typed_fields), strict=True)) for row in book[name]]
        for name, kind in KINDS.items()
    }
    if fields:
        every = _of_fields(every, fields)
    return tuple((name, tuple(rows)) for name, rows in every.items())


def _of_fields(every: dict[str, list[dict[str, str]]], fields: tuple[str, ...]) -> dict[str, list[dict[str, str]]]:
    """Leave out the other fields, whatever names them, and whatever names that."""
    gone = {"unit": {row["unit_id"] for row in every["unit"]} - {*fields}}
    before = 0
    while before != (before := sum(map(len, gone.values()))):
        for name, kind in KINDS.items():
            columns = [(column, field.refers) for column, field in kind.typed_fields.items() if field.refers]
            mine = gone.setdefault(name, set())
            for row in every[name]:
                if any(row[column] in gone.get(to, ()) for column, to in columns):
                    mine.add(key_of(kind, row))
    return {
        name: [_of_few(key, row) for row in rows if (key := key_of(KINDS[name], row)) not in gone[name]]
        for name, rows in every.items()
    }


def _of_few(key: str, row: dict[str, str]) -> dict[str, str]:
    return row | {column: texts[key] for column, texts in OF_FEW.items() if key in texts}


def claim_covers(cast: Cast) -> None:
    """Tick the cover crop on each crop of the season of which nothing is said."""
    said = {run["harvest_id"] for run in rows_of(cast.book)["calculator_run"].values()}
    edits = [
        Edit("harvest", key, {**row, "claims": "cover_crop"})
        for key, row in rows_of(cast.book)["harvest"].items() if key not in said and not row["claims"]
    ]  # fmt: skip
    change_book(cast.book, edits, reason="ticked", actor=cast.actor("owner"))


def put(cast: Cast, *edits: Edit, part: str = "owner") -> FarmBook:
    """Write rows into the farm's book, and return it as it stands then."""
    change_book(cast.book, list(edits), reason="typed", actor=cast.actor(part))
    return farm_book_of(cast.farm)


def change(cast: Cast, kind: str, key: str, **changed: str) -> FarmBook:
    """Correct some columns of a row, or add one; take it out where no column is named."""
    texts = farm_book_of(cast.farm).texts(KINDS[kind], key) or {}
    return put(cast, Edit(kind, key, {**texts, **changed} if changed else None))


def correct_bushels(cast: Cast) -> None:
    """Put twenty bushels more on one unit, in the harvest, the average of the runs and the tickets."""
    rows = rows_of(cast.book)
    total, harvest = rows["bushel_total"]["BT1"], {**rows["harvest"]["N40-2025"], "bushels": "7320"}
    harvests = {**rows["harvest"], "N40-2025": harvest}
    runs = {key: dict(row) for key, row in rows["calculator_run"].items() if row["crop"] == "corn"}
    bushels = {key: Decimal(str(harvests[str(row["harvest_id"])]["bushels"])) for key, row in runs.items()}
    grams = sum((bushels[key] * Decimal(str(row["ci_g_per_bu"])) for key, row in runs.items()), Decimal())
    average = str((grams / sum(bushels.values())).quantize(Decimal("0.01")))
    runs["RUN-N40"]["yield_bu_per_ac"] = "183"
    edits = [Edit("calculator_run", key, {**row, "farm_ci_g_per_bu": average}) for key, row in runs.items()]
    edits.append(Edit("harvest", "N40-2025", harvest))
    edits.append(Edit("bushel_total", "BT1", {**total, "bushels": str(int(str(total["bushels"])) + 20)}))
    change_book(cast.book, edits, reason="ticket found", actor=cast.actor("owner"))


def at(cast: Cast, name: str, *more: object, **asked: object) -> str:
    """Return the address of a page of the farm."""
    found = reverse(name, args=(cast.farm.handle, *more))
    return f"{found}?{urlencode(asked)}" if asked else found


def seen(cast: Cast) -> dict[str, str]:
    """Return what a form sends about the version of the book that it shows."""
    return {"seen_version": str(farm_book_of(cast.farm).version)}
