"""Faults that a search by equal names passes over: spellings, folders, units of measurement; and honest oddities."""

import datetime as dt
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
import shapely

from provender.cli.app import call
from provender.portfolio.claims import claims, claims_and_problems
from provender.portfolio.custody import CLAIM, MOVEMENT, ORIGIN, REPORT, TICKET, custody_problems, table
from provender.portfolio.export import export_books
from provender.portfolio.farm_jobs import VERDICT, check
from provender.portfolio.frames import frame_of, records_in
from provender.portfolio.jobs import batch, batches, open_portfolio, read_batch, read_result, run
from provender.portfolio.layout import Partition, write_manifest
from provender.portfolio.reading import of_names, read_farms
from provender.portfolio.validating import import_farm, misplaced, overlaps, read_farm, validate
from provender.records.book import RecordBook
from provender.records.folder import load_book
from provender.records.kind import KINDS
from tests.portfolio.test_claims import BUSHEL, DAY, claim, frame, honest
from tests.portfolio.world import FIRST, PART, Change, codes, farm, file_of, no_till, rewrite, rows_of, told
from tests.standards.season import book_of, clean_season, with_row


def plowed(farm: str, day: dt.date | None = dt.date(2025, 4, 1)) -> Change:
    def change(rows: pl.DataFrame) -> pl.DataFrame:
        more = rows.tail(1).with_columns(
            pl.lit("Plow, moldboard").cast(rows.schema["operation"]).alias("operation"),
            pl.lit("XX").alias("operation_id"), pl.lit(day, pl.Date).alias("day"),
            pl.lit(farm).alias("farm_id"),
        )  # fmt: skip
        return pl.concat([rows, more])

    return change


def test_names_that_look_alike_are_alike_and_others_are_not() -> None:
    same = ["F1", "f1 ", "\uff26\uff11", " F 1", "Fl", "FI", "F\u200b1"]
    assert of_names(pl.Series(same)).unique().to_list() == ["f1"]
    assert of_names(pl.Series(["KS\u201310", "\u041aS-1O", "ks-10"])).n_unique() == 1
    assert of_names(pl.Series(["F1", "F2", "F-1", "F11"])).n_unique() == 4


SPELLED: Final[dict[str, tuple[str, ...]]] = {
    "A1": ("A1 ", " A1"), "B1": ("b1",), "C1": ("\uff23\uff11",), "D1": ("Dl",), "E1": (),
}  # fmt: skip


def test_a_pass_under_another_spelling_of_the_farm_is_never_passed_over(tmp_path: Path) -> None:
    root = tmp_path / "p"
    export_books([(name, farm(name)) for name in SPELLED], root)
    for name in (each for of in SPELLED.values() for each in of):
        rewrite(root, "operation", plowed(name))
    for units in (3, 100_000):
        assert no_till(root, units) == {"A1": False, "B1": None, "C1": None, "D1": None, "E1": True}
    spelled = told(root).filter(code="farm_spelled_otherwise")["cause"].to_list()
    assert [name for name in SPELLED if any(f"looks like '{name}'" in one for one in spelled)] == ["B1", "C1", "D1"]


ODD_DAYS: Final = {
    dt.date(1979, 12, 31): None, dt.date(1980, 1, 1): True, dt.date(2025, 4, 1): False, dt.date(2100, 1, 1): True,
    dt.date(2100, 1, 2): None, None: None,
}  # fmt: skip


def test_a_plowing_of_an_odd_day_leaves_no_till_open(tmp_path: Path) -> None:
    names = [f"A{at}" for at in range(len(ODD_DAYS))]
    export_books([(name, farm(name)) for name in names], tmp_path / "p")
    for name, day in zip(names, ODD_DAYS, strict=True):
        rewrite(tmp_path / "p", "operation", plowed(name, day))
    assert no_till(tmp_path / "p") == dict(zip(names, ODD_DAYS.values(), strict=True))


def test_a_farm_in_two_partitions_is_judged_once_with_all_its_rows(root: Path) -> None:
    whole = {"F1": True, "F2": True}
    for kind in ("operation", "unit", "farm", "harvest"):
        path = file_of(root, kind)
        rows = pl.read_parquet(path, hive_partitioning=False)
        other = root / kind / "harvest_year=2025/state=NE"
        other.mkdir(parents=True)
        half = kind == "operation"
        mine = rows.filter(FIRST)
        (mine.tail(2) if half else mine).write_parquet(other / "x.parquet")
        last = pl.int_range(pl.len()).over("farm_id") >= pl.len().over("farm_id") - 2
        (rows.filter(~(FIRST & last)) if half else rows).write_parquet(path)
    assert no_till(root) == whole
    assert no_till(root, units=1) == whole
    assert {"farm_in_two_partitions"} <= codes(root)
    import_farm(open_portfolio(root), "F1", root.with_name("b"))
    assert len(load_book(root.with_name("b"))["operation"]) == len(book_of(clean_season())["operation"])


def test_rows_said_in_two_partitions_count_once_and_what_one_says_twice_stays_twice(root: Path) -> None:
    path = file_of(root, "operation")
    rows = pl.read_parquet(path, hive_partitioning=False)
    other = root / "operation/harvest_year=2024/state=KS/part-0.parquet"
    other.parent.mkdir(parents=True)
    # Another spelling by blanks is the farm's own name.
    pl.concat([rows.filter(FIRST), rows.filter(FIRST).head(2)]).with_columns(
        (" " + pl.col("farm_id")).alias("farm_id")
    ).write_parquet(other)
    twice = pl.concat([rows, rows.filter(FIRST).tail(1), rows.filter(~FIRST).head(3)])
    twice.write_parquet(path)
    portfolio = open_portfolio(root)
    home = next(one for one in portfolio.partitions if one.harvest_year == 2025)
    whole = batch(portfolio, home, None, None)
    paths = [(one.data_set, one.inside) for one in portfolio.partitions[home]]
    told = read_farms(root, paths, whole.farms, guests=whole.guests).problems
    # Told are what one partition says twice (two, one, the neighbour's three), not what both say.
    repeated = sorted(one.cause.split()[2] for one in told if one.code == "double_key")
    assert repeated == ["O1", "O1", "O2", "O2", "O3", "O5"]


def test_a_change_in_the_other_partition_is_judged_again(root: Path) -> None:
    rows = rows_of(root, "operation")
    other = root / "operation/harvest_year=2024/state=KS"
    other.mkdir(parents=True)
    rows.filter(FIRST).write_parquet(other / "part-0.parquet")
    assert no_till(root) == {"F1": True, "F2": True}
    rewrite(root, "operation", plowed("F1"), "harvest_year=2024/state=KS")
    assert no_till(root) == {"F1": False, "F2": True}


def moved(root: Path, to: str) -> None:
    for path in list(root.rglob("part-0.parquet")):
        place = Path(str(path).replace(PART, to))
        place.parent.mkdir(parents=True, exist_ok=True)
        path.rename(place)


FOLDERS: Final[dict[str, set[str]]] = {
    "harvest_year=2019/state=KS": {"other_year"}, "harvest_year=2025/state=ME": {"other_state"},
    "harvest_year=last/state=KS": {"unreadable_partition"},
    "harvest_year=2025/state=Kansas": {"unreadable_partition", "other_state"},
    "harvest_year=2025.0/state=KS": set(), "HARVEST_YEAR=2025/STATE=ks": set(), "harvest%5Fyear=2025/state=KS": set(),
    "state=KS": set(), "harvest_year=2025/state=KS/county=20161": set(),
    "harvest_year=__HIVE_DEFAULT_PARTITION__/state=__HIVE_DEFAULT_PARTITION__": set(),
}  # fmt: skip


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_are_read_as_others_write_them_or_told(root: Path, folder: str) -> None:
    moved(root, folder)
    write_manifest(root)
    portfolio = open_portfolio(root)
    (partition,) = portfolio.partitions
    (book,) = (read_batch(portfolio, partition, one) for one in batches(portfolio, partition))
    assert (book["operation"].height, book.incomplete_rows.height) == (10, 0)
    told = (*portfolio.problems, *book.problems, *misplaced(portfolio))
    assert {one.code for one in told} == FOLDERS[folder]


def test_what_lies_in_the_folder_of_another_year_and_state_is_told_and_judged_all_the_same(root: Path) -> None:
    moved(root, "harvest_year=2019/state=ME")
    assert codes(root) == {"other_year", "other_state"}
    assert no_till(root) == {"F1": True, "F2": True}


def test_what_lies_among_the_data_and_is_not_read_is_told(root: Path) -> None:
    path = file_of(root, "operation")
    path = path.rename(path.with_suffix(".PARQUET"))
    (root / "operation").rename(root / "Operation")
    assert no_till(root) == {"F1": True, "F2": True}
    path = root / "Operation" / PART / "part-0.PARQUET"
    path.rename(path.with_suffix(".parq"))
    assert no_till(root) == {"F1": None, "F2": None}
    assert "file_not_read" in codes(root)


def test_columns_that_say_something_else_are_told(root: Path) -> None:
    other = (pl.lit(2019).alias("harvest_year"), pl.lit("NE").alias("state"))
    rewrite(root, "operation", lambda f: f.with_columns(other))
    acres = pl.col("provender:acres")
    rewrite(root, "unit", lambda f: f.with_columns((acres // 1000).cast(pl.Decimal(18, 3))))
    assert codes(root) >= {"other_harvest_year", "other_state", "unreadable_quantity"}
    rewrite(root, "unit", lambda f: f.with_columns(-acres.cast(pl.Int64)))
    assert "out_of_bounds" in codes(root)


FIELD: Final = shapely.box(-96, 39, -95.996, 39.004)


def shared(root: Path) -> int:
    return overlaps(open_portfolio(root)).filter(pl.col("crop_year") == 2025).height


def drawn(*shapes: shapely.Geometry) -> Change:
    return lambda f: f.with_columns(pl.Series("geometry", [bytes(shapely.to_wkb(one)) for one in shapes]))


def in_metres(root: Path) -> None:
    """Say of the outlines that their coordinates are those of another system."""
    crs = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": {"crs": "EPSG:26914"}}}
    rows_of(root, "unit").write_parquet(file_of(root, "unit"), metadata={"geo": json.dumps(crs)})


def test_outlines_of_other_axes_and_acres_of_another_unit_are_told(root: Path) -> None:
    swapped = shapely.box(39, -96, 39.004, -95.996)
    rewrite(root, "unit", drawn(FIELD, swapped))
    assert codes(root) == {"outline_elsewhere"}
    rewrite(root, "unit", drawn(FIELD, shapely.box(-97, 39, -96.996, 39.004)))
    assert codes(root) == set()
    rewrite(root, "unit", lambda f: f.with_columns((pl.col("provender:acres") / 1000).round(0)))
    assert codes(root) == {"acres_of_another_unit"}
    rewrite(root, "unit", lambda f: f.with_columns((pl.col("provender:acres") * 1000).cast(pl.Int64)))
    in_metres(root)
    assert codes(root) == {"other_coordinates"}
    _, problems = claims_and_problems(open_portfolio(root))
    assert [one.code for one in problems] == ["other_coordinates"]


def test_outlines_of_geopandas_are_compared_and_go_back_into_a_book(root: Path) -> None:
    """It marks WKB as an extension of Arrow's, and keeps no prefix of ours unless told to."""
    kind = pl.Extension("geoarrow.wkb", pl.Binary, '{"crs": null}')
    named = pl.lit("u.geojson").alias("provender:boundary")

    def change(rows: pl.DataFrame) -> pl.DataFrame:
        outlined = drawn(FIELD, FIELD)(rows).with_columns(named).with_columns(pl.col("geometry").ext.to(kind))
        return outlined.rename(lambda name: name.removeprefix("provender:"))

    rewrite(root, "unit", change)
    path = file_of(root, "unit")
    assert isinstance(pl.read_parquet_schema(path)["geometry"], pl.BaseExtension)
    assert codes(root) == set()
    assert shared(root) == 1
    import_farm(open_portfolio(root), "F1", root.with_name("book"))
    assert (root.with_name("book") / "boundaries" / "u.geojson").is_file()


def test_outlines_are_found_under_any_spelling_of_their_column(root: Path) -> None:
    name = "Provender:GEOMETRY"
    swapped = shapely.box(39, -96, 39.004, -95.996)
    rewrite(root, "unit", lambda f: drawn(FIELD, swapped)(f).rename({"geometry": name}))
    assert "outline_elsewhere" in codes(root)
    rewrite(root, "unit", lambda f: drawn(FIELD, FIELD)(f.drop(name)).rename({"geometry": name}))
    assert "outline_elsewhere" not in codes(root)
    assert shared(root) == 1


@pytest.mark.parametrize(("year", "bushels", "pairs"), [(2025, 7_000, 1), (2024, 7_000, 0), (2025, None, 1)])
def test_a_field_of_two_farms_counts_in_one_year(root: Path, year: int, bushels: int | None, pairs: int) -> None:
    rewrite(root, "unit", drawn(FIELD, FIELD))
    this = (pl.col("farm_id") == "F2") & (pl.col("last_day").dt.year() == 2025)
    day = pl.when(this).then(pl.lit(dt.date(year, 10, 3))).otherwise("last_day").alias("last_day")
    grown = pl.when(this).then(pl.lit(bushels, pl.Int64)).otherwise("bushels").alias("bushels")
    rewrite(root, "harvest", lambda f: f.with_columns(day, grown))
    write_manifest(root)
    assert shared(root) == pairs


def over_new_year(frame: pl.DataFrame, cuts: list[tuple[dt.date, dt.date]], *, of: pl.Expr) -> pl.DataFrame:
    """Let farms cut the corn of 2025 on other days, in one row or several."""
    corn = of & (pl.col("last_day").dt.year() == 2025)
    parts = [
        frame.filter(corn).with_columns(
            pl.lit(first).alias("first_day"), pl.lit(last).alias("last_day"),
            (pl.col("harvest_id") + "-" * at).alias("harvest_id"),
        )
        for at, (first, last) in enumerate(cuts)
    ]  # fmt: skip
    return pl.concat([frame.filter(~corn), *parts])


NEW_YEAR: Final = [
    [(dt.date(2025, 12, 28), dt.date(2026, 1, 3))],
    [(dt.date(2025, 12, 28), dt.date(2025, 12, 29)), (dt.date(2026, 1, 3), dt.date(2026, 1, 3))],
]


@pytest.mark.parametrize("cuts", NEW_YEAR, ids=["one row", "two rows"])
def test_a_field_of_two_farms_is_seen_over_new_year(root: Path, cuts: list[tuple[dt.date, dt.date]]) -> None:
    rewrite(root, "unit", drawn(FIELD, FIELD))
    rewrite(root, "harvest", lambda f: over_new_year(f, cuts, of=~FIRST))
    write_manifest(root)
    found = overlaps(open_portfolio(root)).filter(pl.col("crop_year") >= 2025)
    assert found["crop_year"].to_list() == [2025]


def with_harvests(book: RecordBook, harvest: pl.DataFrame) -> RecordBook:
    return replace(book, records={**book.records, "harvest": records_in(KINDS["harvest"], harvest)})


@pytest.mark.parametrize("cuts", NEW_YEAR, ids=["one row", "two rows"])
def test_a_harvest_over_new_year_is_of_the_year_it_began(tmp_path: Path, cuts: list[tuple[dt.date, dt.date]]) -> None:
    book = book_of(clean_season())
    harvest = over_new_year(frame_of(KINDS["harvest"], book["harvest"]), cuts, of=pl.lit(value=True))
    export_books([("one", with_harvests(book, harvest))], tmp_path / "p")
    assert (tmp_path / "p" / "harvest" / PART).is_dir()
    assert codes(tmp_path / "p") == set()


def test_a_crop_after_another_in_the_new_year_lies_in_the_folder_that_its_check_expects(tmp_path: Path) -> None:
    book = book_of(clean_season())
    corn = over_new_year(frame_of(KINDS["harvest"], book["harvest"]), NEW_YEAR[1], of=pl.lit(value=True))
    day = pl.lit(dt.date(2026, 1, 2))
    wheat = corn.head(1).with_columns(
        day.alias("first_day"), day.alias("last_day"), pl.lit("wheat").cast(corn["crop"].dtype).alias("crop"),
        pl.lit("WHEAT").alias("harvest_id"),
    )  # fmt: skip
    export_books([("one", with_harvests(book, pl.concat([corn, wheat])))], tmp_path / "p")
    assert codes(tmp_path / "p") == set()


def test_a_unit_drawn_twice_lies_on_both_places(root: Path) -> None:
    there = shapely.box(-95, 39, -94.996, 39.004)
    rewrite(root, "unit", lambda f: drawn(there, FIELD, FIELD)(pl.concat([f.filter(FIRST), f])))
    write_manifest(root)
    assert shared(root) == 1


def said(tmp_path: Path, custody: dict[str, list[Any]]) -> list[str]:
    export_books([], tmp_path / "p", custody={name: frame(name, rows) for name, rows in custody.items()})
    return claims(open_portfolio(tmp_path / "p"), part=50)["message"].to_list()


def report(name: str, origin: str = "O1", year: int = 2025, crop: str = "corn") -> tuple[Any, ...]:
    return (name, crop, year, origin, 1, 9 * BUSHEL, 2_900_000, DAY, "d", name)


def test_a_renamed_farm_has_no_second_origin(tmp_path: Path) -> None:
    rows = [report("KS-10"), report("ks-1O ", "O2", crop="Corn"), report("KS-11", "O3")]
    assert said(tmp_path, {REPORT: rows}) == ["KS-10 (also ks-1O), corn 2025 has 2 origins: O1, O2."]


def test_farms_with_records_of_their_own_are_farms_of_their_own_whatever_they_look_like(tmp_path: Path) -> None:
    reports = [report("F10"), report("FIO", "O2"), report("f1o", "O3")]
    rows = {REPORT: frame(REPORT, reports)}
    export_books([("a", farm("F10")), ("b", farm("FIO"))], tmp_path / "two", custody=rows)
    assert not [one for one in claims(open_portfolio(tmp_path / "two"))["message"] if "origins" in one]
    export_books([("a", farm("F10"))], tmp_path / "one", custody=rows)
    told = [one for one in claims(open_portfolio(tmp_path / "one"))["message"] if "origins" in one]
    assert told == ["F10 (also FIO, f1o), corn 2025 has 3 origins: O1, O2, O3."]


def test_a_ticket_typed_anew_is_the_same_and_one_of_another_season_or_place_is_not(tmp_path: Path) -> None:
    for at, (place, ticket, year, found) in enumerate((
        ("Coop East", "T1", 2025, 1), ("coop  east", "t1 ", 2025, 1), ("Coop East", "T1", 2024, 0),
        ("Mill", "T1", 2025, 0),
    )):  # fmt: skip
        reports = [report("F1"), report("F2", "O2", year)]
        tickets = [("Coop East", "T1", "O1", 500), (place, ticket, "O2", 400)]
        assert len(said(tmp_path / str(at), {REPORT: reports, TICKET: tickets})) == found


def weighed(name: str) -> RecordBook:
    ticket = {"ticket_id": "T9", "buyer": "Coop", "day": "2025-10-22", "crop": "corn", "net_bushels": "700"}
    return farm(name, with_row(clean_season(), "scale_ticket", **ticket))


def told_tickets(root: Path) -> list[str]:
    return [one for one in claims(open_portfolio(root))["message"] if one.startswith("Ticket")]


@pytest.mark.parametrize(
    ("name", "farms", "found"),
    [
        ("f1o", ["F10"], False),
        ("F10\u200b", ["F10"], False),
        ("F11", ["F10"], True),
        # It may be either's, so nobody can say that it is the one whose ticket it shows.
        ("f1o", ["F10", "FIO"], True),
    ],
)
def test_a_ticket_of_a_farm_spelled_twice_is_one(tmp_path: Path, name: str, farms: list[str], found: bool) -> None:
    books = [(one, weighed(one) if one == "F10" else farm(one)) for one in farms]
    export_books(books, tmp_path / "p")
    more = pl.col("farm_id") == "F10"
    to = pl.lit(name).alias("farm_id")
    rewrite(tmp_path / "p", "scale_ticket", lambda f: pl.concat([f, f.filter(more).with_columns(to)]))
    both = " and ".join(sorted(f"{one} corn 0" for one in ("F10", name)))
    assert told_tickets(tmp_path / "p") == [f"Ticket T9 of Coop stands behind {both}."] * found


def test_farms_with_records_that_look_alike_are_two_behind_a_ticket(tmp_path: Path) -> None:
    export_books([("one", weighed("F10")), ("two", weighed("FIO"))], tmp_path / "p")
    assert told_tickets(tmp_path / "p") == ["Ticket T9 of Coop stands behind F10 corn 0 and FIO corn 0."]


@pytest.mark.parametrize(
    ("year", "name", "found"), [(2025, "F3", 2), (2025, "f1", 1), (2024, "F3", 2), (2024, "f1", 1), (2023, "F3", 1)]
)
def test_a_ticket_of_two_farms_hides_none_of_a_third(tmp_path: Path, year: int, name: str, found: int) -> None:
    """Two farms of this season show a ticket; last year one of them and somebody's book showed one of that number."""
    custody = {REPORT: frame(REPORT, [report(name, "O3", year)]), TICKET: frame(TICKET, [("coop", "t9", "O3", 500)])}
    export_books([("one", weighed("F1")), ("two", weighed("F2"))], tmp_path / "p", custody=custody)
    before = pl.lit(dt.date(2024, 10, 20)).alias("day")
    rewrite(tmp_path / "p", "scale_ticket", lambda f: pl.concat([f, f.filter(FIRST).with_columns(before)]))
    assert len(told_tickets(tmp_path / "p")) == found


def test_rows_of_custody_that_nobody_can_use_are_left_out_and_told(tmp_path: Path) -> None:
    rows = honest(20)
    rows += [claim("x", "O3", span, ("F3", "elsewhere")) for span in ((250, 200), (-5, 10))]
    rows += [claim("y", "O4", (100, 200), ("F4", "elsewhere")) | {"start": None}]
    moves = [("coop", "corn", 2025, 1, DAY, -5, 0, "coop"), ("coop", "corn", 2025, 1, DAY, 5, 0, "coop")]
    roots = [(f"O{number}", f"F{number}") for number in range(20)]
    assert said(tmp_path, {CLAIM: rows, ORIGIN: roots, MOVEMENT: moves}) == []
    portfolio = open_portfolio(tmp_path / "p")
    assert table(portfolio, MOVEMENT).collect().height == 1
    told = list(custody_problems(portfolio))
    assert [(one.code, one.cause.split()[0]) for one in told] == [("unusable_rows", "3"), ("unusable_rows", "1")]
    path = tmp_path / "p" / CLAIM / "part-0.parquet"
    whole = pl.read_parquet(path)
    whole.with_columns(pl.col(pl.String).cast(pl.Categorical)).rename(str.upper).write_parquet(path)
    assert table(open_portfolio(tmp_path / "p"), CLAIM).collect().height == len(rows) - 3
    whole.drop("stop").write_parquet(path)
    assert "unreadable_file" in [one.code for one in custody_problems(open_portfolio(tmp_path / "p"))]


OTHER: Final = "harvest_year=2025/state=NE"


@pytest.fixture
def plow(root: Path) -> Path:
    """Return the file of another partition that alone says that the first farm was plowed."""
    rows = rows_of(root, "operation")
    other = root / "operation" / OTHER / "x.parquet"
    other.parent.mkdir(parents=True)
    plowed("F1")(rows).tail(1).write_parquet(other)
    for kind in ("farm", "unit"):
        beside = root / kind / OTHER / "x.parquet"
        beside.parent.mkdir(parents=True)
        rows_of(root, kind).filter(~FIRST).write_parquet(beside)
    write_manifest(root)
    return other


@pytest.mark.parametrize("how", ["gone", "cut", "no farms"])
def test_lost_rows_of_another_partition_spoil_and_no_older_result_stands(root: Path, plow: Path, how: str) -> None:
    rows = pl.read_parquet(plow, hive_partitioning=False)
    if how == "gone":
        assert no_till(root, sealed=False) == {"F1": False, "F2": True}
    if how == "gone":
        plow.unlink()
    elif how == "cut":
        plow.write_bytes(plow.read_bytes()[:-20])
    else:
        rows.drop("farm_id").write_parquet(plow)
    portfolio = open_portfolio(root)
    done = run("check", portfolio, check, root.with_name("out"))
    assert done.stood == ()
    found = read_result(root.with_name("out"), VERDICT).collect()
    assert dict(found.select("farm_id", "no_till").iter_rows()) == {"F1": None, "F2": None}
    spoiled = read_farm(portfolio, "F1")[0].incomplete_rows
    assert any(row.kind == "operation" and row.unit_id is None for row in spoiled)


def test_a_partition_that_is_lost_whole_spoils_too(root: Path, plow: Path) -> None:
    for path in root.rglob(f"*/{OTHER}/*.parquet"):
        path.unlink()
    run("check", open_portfolio(root), check, root.with_name("out"))
    found = read_result(root.with_name("out"), VERDICT).collect()
    assert set(found.filter(pl.col("farm_id") == "F1")["no_till"]) == {None}


def test_a_batch_carries_only_the_names_between_its_own_borders(root: Path, plow: Path) -> None:
    rows = pl.read_parquet(plow, hive_partitioning=False)
    names = ["A1", "F1", "Z9"]
    pl.concat([rows.with_columns(pl.lit(name).alias("farm_id")) for name in names]).write_parquet(plow)
    farms = file_of(root, "farm")
    known = pl.read_parquet(farms, hive_partitioning=False)
    more = [known.head(1).with_columns(pl.lit(name).alias("farm_id")) for name in ("A1", "Z9")]
    pl.concat([known, *more]).write_parquet(farms)
    write_manifest(root)
    portfolio, there = open_portfolio(root), Partition(2025, "NE")
    assert set(batch(portfolio, there, None, None).farms.away) == {"A1", "F1", "F2", "Z9"}
    assert set(batch(portfolio, there, "B", "G").farms.away) == {"F1", "F2"}


@pytest.mark.parametrize("column", [pl.lit("POLYGON EMPTY"), pl.struct(pl.lit(1).alias("x"))])
def test_outlines_that_are_no_wkb_are_told(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], column: pl.Expr
) -> None:
    rewrite(root, "unit", lambda f: f.with_columns(column.alias("geometry")))
    write_manifest(root)
    told = validate(open_portfolio(root), tmp_path / "told")[1].filter(pl.col("code") == "outlines_unread")
    assert told["column"].to_list() == ["geometry"]
    assert "WKB" in told["remedy"][0]
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(call(["portfolio", "claims", str(root), "--out", str(tmp_path / "c.parquet"), "--json"]))
    assert ended.value.code == 1
    assert [one["code"] for one in json.loads(capsys.readouterr().out)["problems"]] == ["outlines_unread"]
