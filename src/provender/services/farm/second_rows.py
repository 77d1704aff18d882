"""Rows that somebody types or a program sends beside one of their crop: asked about before they are written.

The question is that of an import (``records.another_row``); who writes the row says that both are meant.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from provender.problem import Place, Problem
from provender.records import KINDS, Kind
from provender.records.another_row import another_row, asks, near
from provender.records.cells import CellError, read_cell
from provender.services.farm.book import FARM, Edit, FarmBook, texts_of


def second_rows(farm: FarmBook, edits: Iterable[Edit]) -> list[Problem]:
    """Return what is asked of new rows beside those of the book, and beside one another, each at its edit's number."""
    found = []
    stand: dict[str, dict[str, Mapping[str, object]]] = {}
    for at, edit in enumerate(edits):
        kind = KINDS.get(edit.kind)
        if kind is None or not asks(kind):
            continue
        rows = stand.setdefault(kind.name, dict(farm.of(kind)))
        if edit.row is None:
            rows.pop(edit.key, None)
            continue
        texts = {**{name: str(text or "") for name, text in edit.row.items()}, FARM: farm.farm_id}
        alike = [row for row in rows.values() if near(kind, row) == near(kind, texts)]
        asked = another_row(
            kind, _typed(kind, texts), (_typed(kind, {**texts_of(kind, row), FARM: farm.farm_id}) for row in alike)
        )
        if asked and edit.key not in rows:
            found.append(replace(asked, place=Place(f"edits.{at}", column=kind.key_columns[-1])))
        rows[edit.key] = texts
    return found


def _typed(kind: Kind, texts: Mapping[str, str]) -> dict[str, object]:
    """Return a row as values; what cannot be read says nothing."""
    found: dict[str, object] = {}
    for name, field in kind.typed_fields.items():
        try:
            found[name] = read_cell(texts.get(name, ""), field)
        except CellError:
            found[name] = None
    return found
