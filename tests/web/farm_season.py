"""A whole season in the cast's book: the example farm that ships, written as its owner would."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from provender.database.models.farm import Change
from provender.database.store.record_books import rows_of
from provender.records.folder import load_book, written_row
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book, key_of
from provender.services.farm.files import store_upload
from provender.services.farm.folder import FILE
from tests.web.cast import Cast
from tests.web.replayed import replayed

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "bluestem-farm"
CROP: Final = "G70-2025"


def fill_season(cast: Cast, called: Mapping[str, str] = MappingProxyType({})) -> Change:
    """Put every row of the example into the book, in place of the row the cast begins with.

    Args:
        cast: whose book.
        called: by a text of the example, the one that stands in its cells instead.
    """
    return replayed(("season", cast.book.pk, tuple(called.items())), lambda: _filled(cast, called))


def _filled(cast: Cast, called: Mapping[str, str]) -> Change:
    edits = [Edit("harvest", "h1", None)]
    for name, rows in _rows_of_the_example():
        kind = KINDS[name]
        for row in rows:
            texts = {one: called.get(text, text) for one, text in row.items()}
            edits.append(Edit(name, key_of(kind, texts), texts))
    paths = sorted((EXAMPLE / "boundaries").glob("*.geojson"))
    edits += [Edit(FILE, f"boundaries/{path.name}", {"text": path.read_text(encoding="utf-8")}) for path in paths]
    actor = cast.actor("owner")
    for path in sorted((EXAMPLE / "evidence").iterdir()):
        stored = store_upload(cast.book.organisation, path.name, path.read_bytes(), actor=actor)
        edits.append(Edit(FILE, f"evidence/{path.name}", {"sha256": stored.sha256, "upload": stored.handle}))
    return change_book(cast.book, edits, reason="the season of 2025", actor=actor)


@cache
def _rows_of_the_example() -> tuple[tuple[str, tuple[dict[str, str], ...]], ...]:
    """Read the example once a process: hundreds of tests begin with it."""
    book = load_book(EXAMPLE)
    return tuple(
        (
            name,
            tuple(
                dict(zip(kind.typed_fields, written_row(row, kind.typed_fields), strict=True))
                for row in book[name].iter_rows(named=True)
            ),
        )
        for name, kind in KINDS.items()
    )


def claim_covers(cast: Cast) -> None:
    """Tick the cover crop on each crop of the season of which nothing is said."""
    said = {run["harvest_id"] for run in rows_of(cast.book)["calculator_run"].values()}
    edits = [
        Edit("harvest", key, {**row, "claims": "cover_crop"})
        for key, row in rows_of(cast.book)["harvest"].items() if key not in said and not row["claims"]
    ]  # fmt: skip
    change_book(cast.book, edits, reason="ticked", actor=cast.actor("owner"))
