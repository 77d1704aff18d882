"""Rows that are part of another: the species of a cover crop, the tools of a pass. Their whole shows them."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse

from provender.records import KINDS, Kind
from provender.records.groups import kinds_in_groups
from provender.services.farm.book import FARM, FarmBook, texts_of
from provender.web.access import Access
from provender.web.inputs import heading

MIX: Final = "cover_species"
MIX_OF: Final = "cover_crop"


def parts_of_row(
    access: Access, farm: FarmBook, kind: Kind, key: str, *, words: Callable[[Kind, str, str], str], back: str
) -> list[dict[str, Any]]:
    """Return each kind whose rows are part of a row, with those there are, and the form that adds one.

    Args:
        access: the open door.
        farm: the book.
        kind: of the row.
        key: the row.
        words: writes what a row says in a column as pages say it.
        back: the page to return to once a part is saved.
    """
    found = []
    for part in (one for _, kinds in kinds_in_groups() for one in kinds):
        column = _column_of(part, kind)
        if column:
            address = reverse("farm_row", args=(access.organisation.handle, part.name))
            rows = [
                {"facts": _facts(part, column, row, words), "href": f"{address}?{urlencode({'row': at, 'next': back})}"}
                for at, row in farm.of(part).items()
                if row.get(column) == key
            ]
            adds = f"{address}?{urlencode({column: key, 'next': back})}"
            found.append({"kind": part, "rows": rows, "adds": adds})
    return found


def _column_of(part: Kind, whole: Kind) -> str:
    """Return the column by which a row of one kind is part of a row of another; empty where it is none."""
    named = (name for name in part.key_columns if name != FARM and part.fields[name].refers == whole.name)
    return next(named, "") if len(part.key_columns) > len(whole.key_columns) else ""


def _facts(
    part: Kind, column: str, row: Mapping[str, object], words: Callable[[Kind, str, str], str]
) -> list[tuple[str, str]]:
    texts = texts_of(part, row)
    return [
        (heading(part.fields[name]), words(part, name, text))
        for name, text in texts.items()
        if text and name not in (FARM, column)
    ]


def mixes(farm: FarmBook) -> dict[str, str]:
    """Return the species of each cover crop with their rates, in one line."""
    found: dict[str, list[str]] = {}
    for row in farm.of(KINDS[MIX]).values():
        texts = texts_of(KINDS[MIX], row)
        rate = f" ({texts['rate_lb_per_ac']} lb/ac)" if texts["rate_lb_per_ac"] else ""
        found.setdefault(texts["cover_id"], []).append(f"{texts['species']}{rate}")
    return {cover: "; ".join(species) for cover, species in found.items()}
