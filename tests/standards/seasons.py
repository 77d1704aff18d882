"""Seasons made by changing a clean one: what people do, forget and mistype around each threshold."""

from typing import Final

from hypothesis import strategies as st

from tests.standards.season import Rows, cases_in, changed, clean_season, with_row, without

CELLS: Final = [(one["kind"], one["row"], one["column"], one["texts"]) for one in cases_in("cells.jsonl")]
"""Kind, row of the clean season, column, texts to try: around limits, on borders, blank, contradictory."""
ROWS: Final = [(one["kind"], one["cells"]) for one in cases_in("rows.jsonl")]

REMOVABLE: Final = (
    ("harvest", 0), ("operation", 0), ("operation", 2), ("operation", 4), ("declaration", 0), ("planting", 0),
    ("cover_crop", 0), ("cover_species", 0), ("seed_purchase", 0), ("nutrient_application", 0),
    ("nutrient_application", 1), ("nutrient_budget", 0), ("budget_source", 5), ("soil_test", 0),
    ("inhibitor_purchase", 0), ("inhibitor_acceptance", 0),
)  # fmt: skip

Change = tuple[str, str, int, dict[str, str]]

_CELL = st.sampled_from(CELLS).flatmap(
    lambda one: st.sampled_from(one[3]).map(lambda text: ("cell", one[0], one[1], {one[2]: text}))
)
_MORE = st.sampled_from(ROWS).map(lambda one: ("row", one[0], 0, one[1]))
_NOTHING: Final[dict[str, str]] = {}
_LESS = st.sampled_from(REMOVABLE).map(lambda one: ("less", one[0], one[1], _NOTHING))
CHANGE: Final = st.one_of(_CELL, _CELL, _MORE, _LESS)


def apply(rows: Rows, change: Change) -> Rows:
    """Make one change; a row added under a name that is taken is left out."""
    how, kind, at, cells = change
    if how == "cell":
        return changed(rows, kind, at, **cells)
    if how == "less":
        return without(rows, kind, at)
    key = next(iter(cells))
    simple = kind not in ("cover_species", "inhibitor_acceptance", "operation_tool")
    if simple and key != "state" and any(one.get(key) == cells[key] for one in rows.get(kind, [])):
        return rows
    return with_row(rows, kind, **cells) if not any(_same(one, cells, kind) for one in rows.get(kind, [])) else rows


def _same(one: dict[str, str], other: dict[str, str], kind: str) -> bool:
    keys = {"cover_species": ("cover_id", "species"), "inhibitor_acceptance": ("state", "inhibitor")}
    return all(one.get(name) == other.get(name) for name in keys.get(kind, tuple(other)[:2]))


@st.composite
def seasons(draw: st.DrawFn, most: int = 5) -> Rows:
    """Draw a season of one unit, changed in at most so many ways."""
    rows = clean_season(draw(st.sampled_from(("corn", "corn", "soybeans", "sorghum"))))
    rows["unit"].append({"unit_id": "S80", "acres": "80", "county_fips": "20177"})
    for change in draw(st.lists(CHANGE, max_size=most)):
        rows = apply(rows, change)
    return rows


def put_together(many: list[Rows]) -> Rows:
    """Put several seasons into one set of rows, each as a farm of its own: F0, F1 ..."""
    merged: Rows = {}
    for number, rows in enumerate(many):
        for kind, of in rows.items():
            merged.setdefault(kind, []).extend({**one, "farm_id": f"F{number}"} for one in of)
    return merged
