"""What other programs write: types, names and files of their own; what cannot be read spoils, and nothing is lost."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from provender.portfolio import layout
from provender.portfolio.export import export_books
from provender.portfolio.export import footer as geo_footer
from provender.portfolio.farm_jobs import VERDICT, check, judge_batch
from provender.portfolio.frames import FrameBook, schema_of
from provender.portfolio.jobs import open_portfolio, read_result, run
from provender.portfolio.layout import NAME, write_manifest
from provender.portfolio.reading import read_column, read_farms
from provender.portfolio.validating import import_farm
from provender.problem import ProblemsError, Weight
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.standards.judge import judge
from tests.portfolio.world import FIRST, PART, Change, file_of, no_till, rewrite, told
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
