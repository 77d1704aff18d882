"""Damaged files earn no more than the clean ones, and a unit without records nothing (interpretations 2, 3)."""

from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from provender.practices.evaluate import ROOMS, evaluate
from provender.practices.prepared_book import load
from provender.practices.requirement import REQUIREMENTS
from provender.records.book import RecordBook
from provender.records.kind import KINDS
from provender.records.reading import TableRead, TextTable, read_table
from provender.rule.crops import Crop, Practice, claimable
from provender.standards.standard import Verdict
from tests.standards.season import Rows, book_of, changed, clean_season, intervals, with_row
from tests.standards.seasons import seasons

assert ROOMS  # importing them registers the requirements
ANSWERS: Final = (*REQUIREMENTS, *(str(one) for one in Practice), *(f"{one}_records" for one in Practice))
EXAMPLES: Final = settings.default.max_examples if settings.default else 60
GARBAGE: Final = "\x00\x01"


@dataclass(frozen=True)
class Damage:
    """One blow to one table: ``how`` and where, counted round the table's size."""

    kind: str
    how: str
    row: int
    column: int


DAMAGE: Final = st.builds(
    Damage,
    st.sampled_from(sorted(clean_season())),
    st.sampled_from(("cell", "cell", "cell", "cell", "column", "heading", "row", "ragged", "twice")),
    st.integers(0, 12),
    st.integers(0, 12),
)


def tables(rows: Rows) -> dict[str, TextTable]:
    """Return the rows as tables with only the columns that anybody filled in."""
    made = {}
    for kind, of in rows.items():
        used = [name for name in KINDS[kind].typed_fields if any(one.get(name) for one in of)]
        lacking = [name for name in KINDS[kind].typed_fields if name not in used]
        heading = (*used, *lacking)
        cells = tuple((i, tuple(one.get(name, "") for name in heading)) for i, one in enumerate(of, start=2))
        made[kind] = TextTable(f"{kind}.csv", "", heading, cells)
    return made


def hit(table: TextTable, blow: Damage) -> TextTable:
    """Return the table damaged: a cell nobody can read, a column or heading gone wrong, a row cut or doubled."""
    rows = [list(cells) for _, cells in table.rows]
    heading = list(table.heading)
    if not rows:
        return table
    used = [i for i in range(len(heading)) if any(cells[i] for cells in rows)]
    column, row = used[blow.column % len(used)], rows[blow.row % len(rows)]
    match blow.how:
        case "cell":
            row[column] = GARBAGE
        case "column":
            for one in rows:
                one[column] = GARBAGE
        case "heading":
            heading[column] = "Colunm"
        case "row":
            row[:] = [GARBAGE] * len(heading)
        case "ragged":
            row.append("12")
        case "twice":
            other = list(row)
            column = next(i for i in (column, *reversed(used)) if not heading[i].endswith("_id"))
            other[column] = "5" if other[column] != "5" else "6"
            rows.append(other)
    numbered = tuple((i, tuple(cells)) for i, cells in enumerate(rows, start=2))
    return TextTable(table.file, table.sheet, tuple(heading), numbered)


def judged(made: dict[str, TextTable]) -> dict[str, dict[str, Any]]:
    """Read and judge the tables of one farm, by crop entry."""
    readings: list[tuple[str, TableRead]] = [
        (kind, read_table(KINDS[kind], table, farm_id="F1")) for kind, table in made.items()
    ]
    verdicts = evaluate(load(RecordBook.from_readings(readings)))
    return {row["harvest_id"]: row for row in verdicts.iter_rows(named=True)}


def gains(clean: dict[str, TextTable], damaged: dict[str, TextTable]) -> list[str]:
    """Name what is met in the damaged records and was not in the clean ones."""
    before, after = judged(clean), judged(damaged)
    return [
        f"{harvest} {name}: {before.get(harvest, {}).get(name)} became met"
        for harvest, row in after.items()
        for name in ANSWERS
        if row[name] is True and before.get(harvest, {}).get(name) is not True
    ]


def two_units(first: Rows, second: Rows) -> Rows:
    """Put the rows of a second unit beside the first, on one farm with one store of seed and inhibitor."""
    shared = ("farm", "evidence", "inhibitor_acceptance", "seed_purchase", "inhibitor_purchase")
    both: Rows = {kind: [dict(one) for one in of] for kind, of in first.items()}
    for kind, of in second.items():
        if kind not in shared:
            both.setdefault(kind, []).extend({k: _renamed(k, text) for k, text in one.items()} for one in of)
    return both


def _renamed(column: str, text: str) -> str:
    own = column.endswith("_id") and text
    return f"{text}-2" if own else text


@settings(max_examples=EXAMPLES // 2)
@given(seasons(most=3), seasons(most=2), st.lists(DAMAGE, min_size=1, max_size=3))
def test_no_answer_becomes_met_when_records_are_damaged(first: Rows, second: Rows, blows: list[Damage]) -> None:
    clean = tables(two_units(first, second))
    damaged = dict(clean)
    for blow in blows:
        if blow.kind in damaged:
            damaged[blow.kind] = hit(damaged[blow.kind], blow)
    found = gains(clean, damaged)
    for one in found:
        note(one)
    assert not found


def owned_by(farm: str, table: TextTable) -> TextTable:
    """Return a table with another farm's number in it."""
    rows = (
        (number, tuple(farm if name == "farm_id" else cell for name, cell in zip(table.heading, cells, strict=False)))
        for number, cells in table.rows
    )
    return replace(table, rows=tuple(rows))


def judged_together(farms: dict[str, dict[str, TextTable]]) -> dict[str, list[dict[str, Any]]]:
    """Judge many farms at once, which takes hardly longer than one: the crop entries of each."""
    readings = []
    for farm, made in farms.items():
        for kind, table in made.items():
            readings.append((kind, read_table(KINDS[kind], owned_by(farm, table), farm_id=farm)))
    verdicts = evaluate(load(RecordBook.from_readings(readings)))
    found: dict[str, list[dict[str, Any]]] = {}
    for row in verdicts.iter_rows(named=True):
        found.setdefault(row["farm_id"], []).append(row)
    return found


def test_every_single_unreadable_cell_of_a_clean_season_costs_and_never_earns() -> None:
    clean = tables(clean_season())
    best = judged(clean)["H25"]
    damaged = {
        f"{kind}-{column}": clean | {kind: hit(table, Damage(kind, "cell", 0, column))}
        for kind, table in clean.items()
        for column, name in enumerate(table.heading)
        if name != "farm_id" and any(cells[column] for _, cells in table.rows)
    }
    after = judged_together({"clean": clean} | damaged)
    assert [{name: row[name] for name in ANSWERS} for row in after["clean"]] == [{name: best[name] for name in ANSWERS}]
    costly = 0
    for farm, rows in after.items():
        for row in rows:
            assert all(row[name] is not True or best[name] is True for name in ANSWERS), farm
        costly += not any(all(row[name] == best[name] for name in ANSWERS) for row in rows)
    assert costly > len(damaged) // 3


@pytest.mark.parametrize(("kind", "row"), [("operation", 0), ("operation", 4), ("nutrient_application", 1)])
def test_a_row_without_a_readable_unit_spoils_its_kind_on_the_whole_farm(kind: str, row: int) -> None:
    clean = tables(clean_season())
    unit = clean[kind].heading.index("unit_id")
    after = judged(clean | {kind: hit(clean[kind], Damage(kind, "cell", row, unit))})["H25"]
    lost = {"operation": Practice.no_till, "nutrient_application": Practice.nitrification_inhibitor}[kind]
    assert after[lost] is not True


EMPTY_HANDED: Final = [
    one.name
    for one in REQUIREMENTS.values()
    # Where the unit lies and how large it is stands in its own row.
    if one.name
    not in ("records_tillage_unit", "records_cover_unit", "records_nutrients_unit", "records_nutrients_acres")
]


def bare_unit(*kinds: str) -> Rows:
    """Return a farm whose unit has only rows of these kinds."""
    rows = clean_season()
    return {kind: of for kind, of in rows.items() if kind in ("farm", "unit", *kinds)}


def test_a_unit_with_no_rows_at_all_has_no_verdict_and_so_no_credit() -> None:
    assert evaluate(load(book_of(bare_unit()))).is_empty()


def test_a_unit_without_rows_beside_a_unit_with_all_of_them_gets_nothing_from_it() -> None:
    rows = with_row(clean_season(), "unit", unit_id="S80", acres="80", county_fips="20177", boundary="s80.geojson")
    rows = with_row(
        rows, "harvest", harvest_id="S25", unit_id="S80", crop="corn", ending="harvested", last_day="2025-10-20"
    )
    judged_rows = {row["harvest_id"]: row for row in evaluate(load(book_of(rows))).iter_rows(named=True)}
    assert [name for name in Practice if judged_rows["S25"][name] is True] == []
    assert [name for name in EMPTY_HANDED if judged_rows["S25"][name] is True] == []


@pytest.mark.parametrize(
    "kinds", [("harvest",), ("harvest", "declaration"), ("declaration",), ("harvest", "soil_test")]
)
def test_a_unit_with_only_a_harvest_or_a_declaration_is_met_in_no_practice(kinds: tuple[str, ...]) -> None:
    verdicts = evaluate(load(book_of(bare_unit(*kinds))))
    for row in verdicts.iter_rows(named=True):
        assert not [name for name in Practice if row[name] is True or row[f"{name}_records"] is True]


def test_a_declaration_alone_shows_only_that_nothing_was_burned() -> None:
    verdicts = evaluate(load(book_of(bare_unit("harvest", "declaration"))))
    row = verdicts.row(0, named=True)
    met = {name for name, one in REQUIREMENTS.items() if row[name] is True and one.part == "implementation"}
    assert met == {"no_till_residue_not_burned", "reduced_till_residue_not_burned"}


def test_damage_on_one_unit_hides_what_it_took_from_the_common_store_of_inhibitor() -> None:
    short = changed(two_units(clean_season(), clean_season()), "inhibitor_purchase", amount="20")
    clean = tables(short)
    inhibitor = clean["nutrient_application"].heading.index("inhibitor")
    damaged = clean | {"nutrient_application": hit(clean["nutrient_application"], Damage("", "cell", 3, inhibitor))}
    assert judged(clean)["H25"]["records_inhibitor_bought"] is None
    assert judged(damaged)["H25"]["records_inhibitor_bought"] is None


# The package against the plain reading, answer by answer, on seasons that people could have had.

assert ROOMS  # importing them registers the requirements


@pytest.mark.parametrize("practice", list(Practice))
@pytest.mark.parametrize("crop", list(Crop))
def test_the_clean_season_meets_exactly_what_its_crop_may_claim(crop: Crop, practice: Practice) -> None:
    (one,) = intervals(clean_season(crop))
    assert (one[practice].implementation is Verdict.MET) is (practice in claimable(crop))
