"""What other programs write: types, names and files of their own; what cannot be read spoils, and nothing is lost.

A book in columns takes and refuses exactly what the same book in rows does, however many rows it has.
"""

import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.portfolio import layout
from provender.portfolio.export import export_books
from provender.portfolio.export import footer as geo_footer
from provender.portfolio.farm_jobs import VERDICT, check, judge_batch
from provender.portfolio.frames import MANY, FrameBook, frame_of, is_key, schema_of
from provender.portfolio.jobs import open_portfolio, read_result, run
from provender.portfolio.layout import NAME, write_manifest
from provender.portfolio.reading import read_column, read_farms
from provender.portfolio.validating import import_farm
from provender.problem import ProblemsError, Weight
from provender.records.book import RecordBook
from provender.records.field import KEY_PATTERN, TEXT_MAX, ColumnKind, Field
from provender.records.folder import load_book
from provender.records.kind import KINDS, IncompleteRow, Record
from provender.standards.judge import judge
from tests.portfolio.world import FIRST, PART, Change, file_of, no_till, rewrite, told
from tests.records.test_checks import row_of
from tests.standards.season import answers, book_of, changed, clean_season, with_row

SEASON: Final = clean_season()

SOURCES: Final = ("source_file", "source_sheet", "source_row")


def test_a_clean_portfolio_is_met_without_problems_and_each_type_is_tried(root: Path) -> None:
    assert no_till(root, sealed=False) == {"F1": True, "F2": True}
    assert told(root).height == 0
    assert sorted(name for names in AT_ONCE for name in names) == sorted(TYPES)


TYPES: Final[dict[str, Change]] = {
    "narrow": lambda f: f.with_columns(pl.col(pl.Int64).cast(pl.Int32)),
    "floats of pandas": lambda f: f.with_columns(pl.col(pl.Int64).cast(pl.Float64)),
    "decimals": lambda f: f.with_columns(pl.col(pl.Int64).cast(pl.Decimal(38, 0))),
    "whole numbers as text": lambda f: f.with_columns(pl.col(pl.Int64).cast(pl.String)),
    "timestamps": lambda f: f.with_columns(pl.col(pl.Date).cast(pl.Datetime("us", "UTC"))),
    "days as text": lambda f: f.with_columns(pl.col(pl.Date).cast(pl.String)),
    "plain text": lambda f: f.with_columns(pl.col(pl.Enum).cast(pl.String)) if f.select(pl.col(pl.Enum)).width else f,
    "dictionaries": lambda f: f.with_columns(pl.col(pl.String).cast(pl.Categorical)),
    "bytes": lambda f: f.with_columns(pl.col(pl.String).cast(pl.Binary)),
    "numbers for answers": lambda f: f.with_columns(pl.col(pl.Boolean).cast(pl.Int8)),
    "words for answers": lambda f: f.with_columns(
        pl.when(pl.col(pl.Boolean)).then(pl.lit("Yes")).when(~pl.col(pl.Boolean)).then(pl.lit("no")).name.keep()
    ) if f.select(pl.col(pl.Boolean)).width else f,
    "null columns dropped to nothing": lambda f: f.with_columns(
        pl.lit(None).alias(name) for name in f.columns if f[name].null_count() == f.height
    ),
    "small letters": lambda f: f.rename(str.upper),
    "a column of its own and an index": lambda f: f.with_columns(
        pl.lit("ours").alias("loaded_by"), pl.lit(0).alias("__index_level_0__")
    ),
    "padded text": lambda f: f.with_columns(pl.col(pl.String) + " "),
}  # fmt: skip


@pytest.fixture(scope="module")
def before(two_farms: Path) -> FrameBook:
    return read_farms(two_farms, list(layout.files(two_farms)))


AT_ONCE: Final = (
    ("dictionaries", "narrow", "timestamps", "numbers for answers"),
    ("bytes", "floats of pandas", "days as text", "words for answers"),
    ("padded text", "plain text", "decimals"),
    ("whole numbers as text", "null columns dropped to nothing"),
    ("small letters", "a column of its own and an index"),
)

"""Of each kind of column one change, so that a reading tells of several."""


@pytest.mark.parametrize("names", AT_ONCE, ids=", ".join)
def test_other_types_say_the_same(root: Path, before: FrameBook, names: tuple[str, ...]) -> None:
    files = list(layout.files(root))
    for path in root.rglob("*.parquet"):
        rows = pl.read_parquet(path, hive_partitioning=False)
        for name in names:
            rows = TYPES[name](rows)
        rows.write_parquet(path)
    after = read_farms(root, files)
    assert {problem.code for problem in after.problems} <= {"unknown_column"}
    assert after.incomplete_rows.height == 0
    assert [kind for kind in KINDS if not after[kind].drop(SOURCES).equals(before[kind].drop(SOURCES))] == []


def spoil(column: str, value: object) -> Change:
    """Put a value into the first row of the first farm."""
    first = pl.int_range(pl.len()) == 0
    return lambda f: f.with_columns(pl.when(first).then(pl.lit(value)).otherwise(pl.col(column)).alias(column))


def test_a_bad_cell_poisons_its_interval_and_is_told_with_its_place(root: Path) -> None:
    rewrite(root, "operation", lambda f: spoil("depth_in", "deep")(f.with_columns(pl.col("depth_in").cast(pl.String))))
    write_manifest(root)
    assert no_till(root, sealed=False) == {"F1": None, "F2": True}
    row = told(root).row(0, named=True)
    assert (row["file"], row["row"], row["column"]) == (f"operation/{PART}/part-0.parquet", 1, "depth_in")
    assert "deep" in row["cause"]
    assert row["remedy"]


NOBODY = pl.lit(None, pl.String).alias("farm_id")


@pytest.mark.parametrize(
    ("kind", "change", "met", "code"),
    [
        ("operation", lambda f: pl.concat([f, f.head(1).with_columns(NOBODY)]), None, "blank_required"),
        ("farm", lambda f: f.filter(pl.col("farm_id") == "F1"), True, "unknown_farm"),
    ],
    ids=["a row of no farm", "a farm without its row"],
)
def test_a_row_of_nobody_poisons_whoever_it_may_be_of(
    root: Path, kind: str, change: Change, met: bool | None, code: str
) -> None:
    rewrite(root, kind, change)
    write_manifest(root)
    assert no_till(root, sealed=False) == {"F1": met, "F2": None}
    assert code in set(told(root)["code"])


@pytest.mark.parametrize("change", [
    lambda f: f.drop("depth_in"),
    lambda f: f.rename({"depth_in": "depth_inch"}),
    lambda f: f.with_columns(pl.col("depth_in") / 1000.0 + 0.5),
    lambda f: f.with_columns(
        (pl.col("depth_in") / 1000).cast(pl.Decimal(18, 3)) + pl.lit("0.001").cast(pl.Decimal(18, 3))
    ),
    lambda f: f.with_columns(pl.col("day").cast(pl.Datetime) + pl.duration(hours=7)),
    lambda f: f.with_columns(pl.col("day").cast(pl.Int32)),
    lambda f: f.drop("farm_id"),
], ids=["missing", "misnamed", "inches", "decimal inches", "time of day", "day numbers", "no farms"])  # fmt: skip
def test_a_column_nobody_can_read_poisons_what_rests_on_it(root: Path, change: Change) -> None:
    rewrite(root, "operation", change)
    book = read_farms(root, list(layout.files(root)))
    spoiled = book.incomplete_rows.filter(
        (pl.col("kind") == "operation") & pl.col("unit_id").is_null() | (pl.col("unit_id") == "N40")
    )
    assert set(spoiled["farm_id"]) == {"F1", "F2"}
    assert any(problem.weight is Weight.ERROR and problem.remedy for problem in book.problems)


def test_lost_rows_lost_files_and_broken_files_poison(root: Path) -> None:
    whole = file_of(root, "operation").read_bytes()
    rewrite(root, "operation", lambda f: f.filter(pl.col("operation_id") != "O4"))
    assert no_till(root, sealed=False) == {"F1": None, "F2": None}
    assert "rows_missing" in set(told(root)["code"])
    file_of(root, "operation").unlink()
    assert no_till(root, sealed=False) == {"F1": None, "F2": None}
    file_of(root, "operation").write_bytes(whole[: len(whole) // 2])
    assert no_till(root, sealed=False) == {"F1": None, "F2": None}
    assert "unreadable_file" in set(told(root)["code"])
    file_of(root, "operation").write_bytes(whole)
    assert no_till(root, sealed=False) == {"F1": True, "F2": True}


def test_rows_that_a_book_could_not_read_poison_and_a_second_book_of_a_farm_is_refused(tmp_path: Path) -> None:
    book = book_of(changed(SEASON, "operation", 1, depth_in="deep"))
    export_books([("one", book)], tmp_path / "p")
    assert no_till(tmp_path / "p", sealed=False) == {"F1": None}
    with pytest.raises(ProblemsError, match="already"):
        export_books([("one", book_of(SEASON)), ("two", book_of(SEASON))], tmp_path / "q")
    assert not (tmp_path / "q").exists()


def test_a_farm_comes_back_as_its_book_with_what_could_not_be_read(tmp_path: Path) -> None:
    book = book_of(changed(with_row(SEASON, "sale", sale_id="S1", crop="corn", harvest_year="2024",
                                    disposition="fed", bushels="7"), "operation", 1, depth_in="deep"))  # fmt: skip
    export_books([("one", book)], tmp_path / "p")
    import_farm(open_portfolio(tmp_path / "p"), "F1", tmp_path / "b")
    # The files of evidence come from the farm: a portfolio has their hashes alone.
    back = replace(load_book(tmp_path / "b"), files=book.files)
    assert [row["harvest_year"] for row in back["sale"]] == [2024]
    assert [*map(answers, judge(back))] == [*map(answers, judge(book))]
    with pytest.raises(ProblemsError, match="no farm"):
        import_farm(open_portfolio(tmp_path / "p"), "F9", tmp_path / "c")


@pytest.mark.parametrize(("name", "plain"), [("Z9", set()), ("f1", {"F2"})])
def test_a_row_of_a_farm_that_is_not_there_may_be_of_any(root: Path, name: str, plain: set[str]) -> None:
    """Columns then judge nothing; under a name that looks like a farm's it is of that farm alone."""
    stray = {"farm_id": pl.lit(name), "operation_id": pl.lit("X")}
    rewrite(root, "operation", lambda f: pl.concat([f, f.filter(FIRST).head(1).with_columns(**stray)]))
    book = read_farms(root, [(one.data_set, one.inside) for one in open_portfolio(root).files])
    assert set(judge_batch(book).plain["farm"]["farm_id"]) == plain


def test_a_killed_job_goes_on_and_changed_input_is_judged_again(root: Path) -> None:
    out = root.with_name("out")
    done = run("check", open_portfolio(root), check, out)
    assert (len(done.made), len(done.stood)) == (1, 0)
    folder = out / PART
    folder.rename(folder.with_name("_making-state=KS"))  # as a kill leaves it
    assert read_result(out, VERDICT).collect().height == 0
    assert len(run("check", open_portfolio(root), check, out).made) == 1
    assert len(run("check", open_portfolio(root), check, out).stood) == 1
    lineage = json.loads((folder / "lineage.json").read_text())
    assert lineage["job"] == "check"
    assert {path for path, _ in lineage["inputs"]} == {
        p["path"] for p in json.loads((root / NAME).read_text())["files"]
    }
    rewrite(root, "operation", spoil("depth_in", 30_000))
    assert len(run("check", open_portfolio(root), check, out).made) == 1


def test_units_are_geoparquet_and_fiboa(root: Path) -> None:
    path = file_of(root, "unit")
    metadata = pl.read_parquet_metadata(path)
    frame = pl.read_parquet(path, hive_partitioning=False)
    assert json.loads(metadata["geo"])["version"] == "1.1.0"
    schemas = json.loads(metadata["collection"])["schemas"]["provender-portfolio"]
    assert any("fiboa.org/specification/v0.3.0" in uri for uri in schemas)
    assert frame.columns[:5] == ["farm_id", "id", "collection", "geometry", "metrics:area"]
    assert frame.schema["metrics:area"] == pl.Float32
    assert all(name.startswith("provender:") for name in frame.columns if name not in frame.columns[:8])
    assert "ARROW:schema" not in metadata
    assert geo_footer(frame)["geo"] == metadata["geo"]


DOUBLE: Final = pl.Series([b"\xff\xfe", b"17", None])


def read(kind: str, column: str, raw: pl.Series) -> tuple[list[Any], list[bool]]:
    """Return the values of a column, and which of its cells could not be read."""
    field, dtype = KINDS[kind].fields[column], schema_of(KINDS[kind])[column]
    value, bad = read_column(raw.alias(column), field, dtype)
    return value.to_list(), [False] * raw.len() if bad is None else bad.to_list()


def test_answers_as_numbers_are_read_and_what_a_float_or_no_text_may_hide_is_told() -> None:
    for dtype in (pl.Float16, pl.Float32, pl.Float64, pl.Decimal(3, 0), pl.Decimal(5, 2), pl.UInt64):
        raw = pl.Series([1, 0, None, 2]).cast(dtype)
        told = read("declaration", "all_operations_listed", raw)
        assert told == ([True, False, None, None], [False] * 3 + [True]), dtype
    raw = pl.Series([1.0, float("nan"), float("inf"), 0.5])
    assert read("declaration", "all_operations_listed", raw) == ([True, None, None, None], [False, True, True, True])
    assert read("harvest", "bushels", raw.head(3)) == ([1, None, None], [False, True, True])
    for dtype, bits in ((pl.Float16, 11), (pl.Float32, 24), (pl.Float64, 53)):
        most = 2**bits
        raw = pl.Series([most - 1, most, -most, None]).cast(dtype)
        assert read("harvest", "bushels", raw) == ([most - 1, None, None, None], [False, True, True, False])
    columns = {"unit": ("farm_id", "name"), "harvest": ("crop", "bushels", "last_day"),
               "declaration": ("all_operations_listed",), "sale": ("harvest_year",)}  # fmt: skip
    for kind, column in ((kind, column) for kind, of in columns.items() for column in of):
        values, bad = read(kind, column, DOUBLE)
        assert (values[0], bad[0], bad[2]) == (None, True, False), (kind, column)


def test_numbers_are_years_names_and_counties_where_a_column_has_those() -> None:
    raw = pl.Series(["2024", "2025"]).cast(pl.Decimal(10, 3))
    assert read("sale", "harvest_year", raw) == ([2024, 2025], [False, False])
    assert read("harvest", "bushels", raw) == ([None, None], [True, True])
    assert read("unit", "unit_id", pl.Series([17, 4])) == (["17", "4"], [False, False])
    # A blank among whole numbers makes a data frame write floats; what is required has no blanks.
    assert read("evidence", "unit_id", pl.Series([17.0, None])) == (["17", None], [False, False])
    assert read("evidence", "unit_id", pl.Series([17.5, 4.0])) == ([None, None], [True, True])
    assert read("unit", "unit_id", pl.Series([17.0, 4.0])) == ([None, None], [True, True])
    assert read("unit", "county_fips", pl.Series([1001, 20177])) == (["01001", "20177"], [False, False])
    assert read("farm", "county_fips", pl.Series([8001.0, None])) == (["08001", None], [False, False])


LONGEST = 80

PYTHON_TYPES: Final = {
    ColumnKind.KEY: pl.String,
    ColumnKind.TEXT: pl.String,
    ColumnKind.CHOICE: pl.Enum,
    ColumnKind.QUANTITY: pl.Int64,
    ColumnKind.WHOLE: pl.Int64,
    ColumnKind.DAY: pl.Date,
    ColumnKind.YES_NO: pl.Boolean,
}


@pytest.mark.parametrize("name", KINDS)
def test_each_column_is_kept_as_it_is_declared(name: str) -> None:
    kind = KINDS[name]
    schema = schema_of(kind)
    assert schema == frame_of(kind, []).schema
    assert list(schema) == list(kind.columns)
    assert all(isinstance(dtype, PYTHON_TYPES[kind.columns[column].kind]) for column, dtype in schema.items())


@given(st.lists(st.none() | st.text("aÄ½٣ ._:/#()-\n\t!\x00", max_size=LONGEST + 2) | st.text(max_size=4), max_size=20))
def test_letters_and_length_apart_say_what_the_pattern_of_a_name_says(texts: list[str | None]) -> None:
    names = pl.Series("name", texts, pl.String)
    quick = names.to_frame().select(is_key(pl.col("name"))).to_series()
    assert quick.to_list() == names.str.contains(KEY_PATTERN).to_list()


@pytest.mark.parametrize("letter", ["a", "ß", "½", "農"])
@pytest.mark.parametrize(("length", "may"), [(LONGEST - 1, True), (LONGEST, True), (LONGEST + 1, False)])
def test_a_name_has_eighty_letters_at_most_whatever_bytes_they_take(letter: str, length: int, *, may: bool) -> None:
    names = pl.DataFrame({"name": [letter * length]})
    assert names.select(is_key(pl.col("name"))).item() is may
    assert names["name"].str.contains(KEY_PATTERN).item() is may


def passes(units: list[str]) -> FrameBook:
    """Return passes over some units as a book; the farm has N40 and S40."""
    owned = [row_of("unit", farm_id=farm, unit_id=unit) for farm, unit in (("F1", "N40"), ("F1", "S40"), ("F2", "W40"))]
    count = len(units)
    given = {
        "farm_id": ["F1"] * count, "operation_id": [f"O{place}" for place in range(count)], "unit_id": units,
        "operation": ["Plow, moldboard"] * count, "source_row": range(count),
    }  # fmt: skip
    schema = schema_of(KINDS["operation"])
    made = pl.DataFrame([pl.Series(name, given.get(name, [None] * count), of) for name, of in schema.items()])
    farms = frame_of(KINDS["farm"], [row_of("farm", farm_id=farm, name=farm) for farm in ("F1", "F2")])
    return FrameBook.of_frames({"farm": farms, "unit": frame_of(KINDS["unit"], owned), "operation": made})


def test_of_many_rows_every_one_that_names_what_is_not_there_is_told() -> None:
    units = [*["N40"] * MANY, "N41", "N41", *["S40"] * MANY, "N41"]
    book = passes(units)
    assert {one.code for one in book.problems} == {"unknown_reference"}
    assert [one.place.row for one in book.problems] == [MANY, MANY + 1, 2 * MANY + 2]


@pytest.mark.parametrize("wrong", [0, MANY // 2, MANY])
def test_a_name_that_is_none_is_found_among_many_rows_wherever_it_stands(wrong: int) -> None:
    units = ["N40"] * (MANY + 1)
    units[wrong] = "!"
    book = passes(units)
    assert [(one.code, one.place.column) for one in book.problems] == [("out_of_bounds", "unit_id")]
    assert book["operation"].height == MANY


# Random rows, in which much is wrong: what is told of them in columns is what is told in rows.

NAMES: Final = ("A", "B", "C", "D")


def cell(found: Field, chance: Random) -> Any:  # noqa: ANN401 - of any column
    """Return what may stand in a column, at its bounds or just beyond them now and then, or nothing."""
    if chance.random() < (0.01 if found.required else 0.3):
        return None
    match found.kind:
        case ColumnKind.KEY:
            return chance.choice(NAMES) if chance.random() < 0.97 else chance.choice(("!", "", "a" * (LONGEST + 1)))
        case ColumnKind.TEXT:
            return chance.choice(("Disk", "fall chisel", "Aerial seeding", "x"))
        case ColumnKind.CHOICE:
            return chance.choice(found.options)
        case ColumnKind.YES_NO:
            return chance.random() < 0.5
        case ColumnKind.DAY:
            return chance.choice((date(2026, 5, 1), found.least, found.most))
        case _:
            return 1 if found.least is None else chance.choice((found.least, found.most))


def spoiled(found: Field, chance: Random) -> Any:  # noqa: ANN401 - of any column
    """Return what may not stand in a column, where there is such a thing."""
    if found.kind is ColumnKind.TEXT and not found.internal:
        return chance.choice(("", "x" * (TEXT_MAX + 1)))
    if found.least is None:
        return cell(found, chance)
    step = timedelta(days=1) if found.kind is ColumnKind.DAY else 1
    return chance.choice((found.least - step, found.most + step))


def random_row(kind: str, chance: Random) -> Record:
    row = {name: cell(found, chance) for name, found in KINDS[kind].columns.items()}
    if chance.random() < 0.2:
        name = chance.choice(list(row))
        row[name] = spoiled(KINDS[kind].columns[name], chance)
    return KINDS[kind].row_of(row | {"farm_id": chance.choice(("F1", "F2"))})


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 12))])
def test_in_columns_the_same_is_told_marked_and_kept_as_in_rows(seed: int) -> None:
    chance = Random(seed)
    records = {}
    for kind in KINDS:
        rows = [random_row(kind, chance) for _ in range(chance.randrange(9))]
        records[kind] = [*rows, *chance.sample(rows, min(len(rows), chance.randrange(3)))]
    marks = [IncompleteRow("operation", "F1", None, None, name) for name in chance.sample(NAMES, 2)] * 2
    in_rows = RecordBook.of(records, incomplete_rows=marks)
    frames = {kind: frame_of(KINDS[kind], rows) for kind, rows in records.items() if rows}
    in_columns = FrameBook.of_frames(frames, incomplete_rows=marks).as_records()
    assert {one.code for one in in_rows.problems} == {"out_of_bounds", "double_key", "unknown_reference"}
    assert in_columns.problems == in_rows.problems
    assert in_columns.incomplete_rows == in_rows.incomplete_rows
    assert in_columns.records == in_rows.records
    assert FrameBook.of_book(in_rows).as_records() == in_columns
