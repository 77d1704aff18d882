"""A yield log gives the bushels that an independent sum gives, to the last digit."""

import datetime as dt
from fractions import Fraction
from pathlib import Path
from typing import Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from provender.exact import half_even, show
from provender.formats.boundaries import Boundaries
from provender.formats.child import parse_limited
from provender.formats.detect import sniff
from provender.formats.parsed import Parsed
from provender.formats.yield_points import COLUMNS, Point, frame_of, points_of, read_point
from provender.formats.yield_points import ROW as FIRST
from provender.formats.yield_sums import total
from provender.formats.yields import YieldLog, crop_of, read_yield_log, usual_base
from provender.problem import Place, Problem
from tests.formats.conftest import Write
from tests.formats.told import codes
from tests.formats.workbooks import shapes, zipped


def line(
    *,
    flow: str = "10",
    time: int = 1347998285,
    interval: str = "1",
    moisture: str = "15.5",
    field: str = "F0:N40",
    load: str = "L0",
    grain: str = "CORN",
    number: int = 1,
) -> str:
    told = f"{flow},{time},{interval},74,240,{moisture},33,{number},2007713498"
    return f'-93.277204,41.537132,{told},"{field}","{load}","{grain}",7,0,896.2'


def read(write: Write, *lines: str, **options: int | str) -> Parsed[YieldLog]:
    return read_yield_log(write("log.txt", "\n".join(lines) + "\n"), "log.txt", **options)  # type: ignore[arg-type]  # by name


def log_of(parsed: Parsed[YieldLog]) -> YieldLog:
    assert parsed.result is not None
    return parsed.result


@pytest.mark.parametrize(
    ("moisture", "dry"),
    [("15.4", "10"), ("15.5", "10"), ("15.6", "9.988"), ("0", "10"), ("25.5", "8.817"), ("99", "0.118")],
)
def test_560_pounds_of_corn_are_ten_wet_bushels_and_never_more_dry_ones(write: Write, moisture: str, dry: str) -> None:
    log = log_of(read(write, line(flow="56", interval="10", moisture=moisture)))
    assert (show(log.wet_bushels), show(log.dry_bushels)) == ("10", dry)


@pytest.mark.parametrize(("grain", "pounds"), [("CORN", 56), ("Soybeans", 60), ("MILO", 56), ("Grain Sorghum", 56)])
def test_each_crop_has_its_bushel(write: Write, grain: str, pounds: int) -> None:
    log = log_of(read(write, line(flow=str(pounds), moisture="5", grain=grain)))
    assert (log.wet_bushels, log.dry_bushels) == (1000, 1000)


def test_a_grain_nobody_knows_is_told_and_not_counted_unless_its_bushel_is_stated(write: Write) -> None:
    oats = line(flow="32", grain="OATS", moisture="14")
    parsed = read(write, oats)
    assert (parsed.result, codes(parsed)) == (None, ["unknown_grain"])
    assert log_of(read(write, oats, pounds_per_bushel=32, base_moisture_pct=14_000)).dry_bushels == 1000


def test_fields_and_loads_are_kept_apart_and_fields_added_exactly(write: Write) -> None:
    thirds = [line(flow="0.1", load=f"L{number}", number=number) for number in range(3)]
    parsed = read(write, *thirds, line(flow="56", field="F1:S40"))
    log = log_of(parsed)
    assert [(load.field, load.load, load.points) for load in log.loads] == [
        ("F0:N40", "L0", 1),
        ("F0:N40", "L1", 1),
        ("F0:N40", "L2", 1),
        ("F1:S40", "L0", 1),
    ]
    assert [load.wet_bushels for load in log.loads] == [2, 2, 2, 1000]
    assert [field.wet_bushels for field in log.fields] == [5, 1000]
    assert log.wet_bushels == 1005


def test_acres_are_distance_times_swath_moisture_is_weighted_by_weight_and_a_double_counts_once(write: Write) -> None:
    log = log_of(read(write, *(line(number=number) for number in range(353))))
    assert log.logged_acres == half_even(353 * 74 * 240 * 1000, 144 * 43_560)
    log = log_of(read(write, line(flow="30", moisture="14"), line(flow="10", moisture="18", number=2)))
    assert show(log.loads[0].moisture_pct) == "15"
    parsed = read(write, line(flow="56"), line(flow="56"))
    assert (log_of(parsed).wet_bushels, codes(parsed)) == (1000, ["doubled_points"])


@pytest.mark.parametrize(
    ("seconds", "day"), [(1347948000, "2012-09-18"), (1347947999, "2012-09-17"), (1348034399, "2012-09-18")]
)
def test_the_day_is_the_farms_and_not_greenwichs(write: Write, seconds: int, day: str) -> None:
    assert str(log_of(read(write, line(time=seconds))).loads[0].first_day) == day


def test_points_outside_the_boundary_are_counted_and_flagged(write: Write) -> None:
    ring = "[[-93.28,41.53],[-93.27,41.53],[-93.27,41.54],[-93.28,41.54],[-93.28,41.53]]"
    near = f'{{"type":"Polygon","coordinates":[{ring}]}}'
    far = near.replace("41.5", "44.5")
    assert read(write, line(flow="56"), boundary=near).problems == ()
    parsed = read(write, line(flow="56"), boundary=far)
    load = log_of(parsed).loads[0]
    assert (codes(parsed), load.outside_points, load.outside_dry_bushels) == (["points_outside"], 1, 1000)


LIMITS: Final[dict[str, tuple[tuple[object, ...], tuple[object, ...]]]] = {
    "flow": (("0", "500"), ("-1", "500.001", "lots", "1e3", "")),
    "moisture": (("99",), ("99.001", "-0.1")),
    "interval": (("60",), ("61",)),
    "time": ((315964800,), (315964799, 4102444801)),
}
BAD = ("1,2,3", line() + ",1", line().replace("-93.277204", "-193.2"), line().replace("41.537132", "nan"))


@pytest.mark.parametrize(
    "bad",
    [*(line(**{name: value}) for name, (_, over) in LIMITS.items() for value in over), *BAD],  # type: ignore[arg-type]
)
def test_a_row_that_cannot_be_is_told_and_the_others_counted(write: Write, bad: str) -> None:
    parsed = read(write, line(flow="56"), bad)
    assert (log_of(parsed).wet_bushels, codes(parsed)) == (1000, ["unreadable_point"])
    assert parsed.problems[0].place.row == 2


def test_a_row_at_the_limit_is_counted(write: Write) -> None:
    for name, (good, _) in LIMITS.items():
        for value in good:
            assert read(write, line(**{name: value})).problems == (), (name, value)  # type: ignore[arg-type]


def test_many_bad_rows_are_summed_up_after_the_first_ten_and_another_kind_of_file_is_refused(write: Write) -> None:
    parsed = read(write, line(), *["1,2,3"] * 500)
    assert codes(parsed) == ["unreadable_point"] * 10 + ["unreadable_points"]
    assert "500 rows in all" in parsed.problems[-1].cause
    assert codes(read(write, "field,acres", "N40,80")) == ["no_points"]
    assert codes(read_yield_log(write("card.zip", zipped({"JD-Data/log/a.jdl": b"x"})), "card.zip")) == [
        "unreadable_deere_gen4"
    ]


def test_the_usual_moistures_are_those_of_the_rule() -> None:
    assert {crop: usual_base(crop) for crop in ("corn", "soybeans", "sorghum", "oats")} == {
        "corn": 15_500,
        "soybeans": 13_000,
        "sorghum": 14_000,
        "oats": 0,
    }
    assert crop_of('"Maize"') == "corn"


TEXTS = ("serial", "field", "load", "grain")
LABELS = [{"interval": "CYCLES", "grain": "CROP"}.get(name, name.upper()) for name in COLUMNS]


def shape_of(*lines: str, kind: str = "N") -> dict[str, bytes]:
    """Return the shapefile of some lines."""
    wide = {"longitude": 6, "latitude": 6, "flow": 2, "moisture": 1, "altitude": 1}
    columns = [
        (label, "C", 20) if name in TEXTS else (label, kind, 20, wide.get(name, 0))
        for name, label in zip(COLUMNS, LABELS, strict=True)
    ]
    rows = [line.replace('"', "").split(",") for line in lines]
    cells = [[one if name in TEXTS else float(one) for name, one in zip(COLUMNS, row, strict=True)] for row in rows]
    return shapes(columns, [((float(row[0]), float(row[1])), each) for row, each in zip(rows, cells, strict=True)])


@pytest.mark.parametrize(("kind", "power"), [("N", False), ("F", False), ("F", True)])
def test_the_table_of_a_shapefile_gives_the_bushels_of_the_same_text(write: Write, kind: str, *, power: bool) -> None:
    rows = [line(flow=f"{at}.25", number=at, interval="3", moisture="17.3") for at in range(1, 40)]
    parts = shape_of(*rows, kind=kind)
    if power:  # as ArcGIS writes numbers
        parts["y.dbf"] = parts["y.dbf"].replace(b"2.25".rjust(20), b"2.25000000000e+000".rjust(20))
        assert b"e+000" in parts["y.dbf"]
    parsed = read_yield_log(write("y.zip", zipped(parts)), "y.zip")
    assert codes(parsed) == ["assumed_wgs84"]
    assert log_of(parsed).loads == log_of(read(write, *(row.replace('"', "") for row in rows))).loads


def test_a_shapefile_whose_points_have_no_area_names_what_lacks(write: Write) -> None:
    data = zipped(shapes([("YIELD", "N", 9, 3)], [((-93, 42), [200.5])]))
    parsed = read_yield_log(write("y.zip", data), "y.zip")
    assert codes(parsed) == ["assumed_wgs84", "no_area", "no_points"]
    assert "distance and width" in parsed.problems[1].cause


FLOWS = st.tuples(st.integers(0, 500_000_000), st.integers(0, 60_000), st.integers(0, 99_000_000))


@given(st.lists(FLOWS, min_size=1, max_size=30))
def test_sums_are_exact_however_many_digits_there_are(points: list[tuple[int, int, int]]) -> None:
    made = [
        Point(
            -93.0, 42.0, flow, 10**9 + number, interval, 74, 240, moisture, dt.date(2026, 10, 1), "s", "f", "l", "CORN"
        )
        for number, (flow, interval, moisture) in enumerate(points)
    ]
    log, unknown = total(frame_of(enumerate(made)).with_columns(outside=pl.lit(value=False)))
    assert log is not None
    assert not unknown
    pounds = [
        (Fraction(flow, 10**6) * Fraction(interval, 1000), Fraction(moisture, 10**6))
        for flow, interval, moisture in points
    ]
    wet = sum((weight for weight, _ in pounds), Fraction()) / 56
    dry = sum((weight * min(Fraction(1), (100 - m) / Fraction("84.5")) for weight, m in pounds), Fraction()) / 56
    assert log.wet_bushels == half_even(wet.numerator * 1000, wet.denominator)
    assert log.dry_bushels == half_even(dry.numerator * 1000, dry.denominator)
    assert log.dry_bushels <= log.wet_bushels


NUMBERS = st.one_of(
    *(st.sampled_from(["1", "1.5", " 2.50 ", "+3", ".5", "5.", "-1", "1,5", "1e1", "", "nan", "501", "0.1234567"]),),
    st.decimals(0, 99, places=6).map(str),
)
CELLS = st.tuples(
    *(st.sampled_from(["-93.2", "-93.25 ", "200", "x", "-9e1"]), st.sampled_from(["41.5", "+41", "-91", "41.5000"])),
    *(NUMBERS, st.sampled_from(["1347998285", "1347998285.0", "7", " 1347998286"]), NUMBERS, NUMBERS, NUMBERS, NUMBERS),
    *(st.just("33"), st.sampled_from(["1", "2"]), st.just("9"), st.sampled_from(["F0", ' "F0" ', "é"]), st.just("L")),
    *(st.sampled_from(["CORN", "Corn "]), st.just("7"), st.just("0"), st.just("896")),
)


@given(st.lists(CELLS, min_size=1, max_size=12))
def test_rows_read_by_columns_are_those_read_one_by_one(rows: list[tuple[str, ...]]) -> None:
    cells = pl.DataFrame(rows, dict.fromkeys(COLUMNS, pl.String), orient="row").with_row_index(FIRST, 1)
    found, problems = points_of(cells, COLUMNS, "f")
    read = [(number, read_point(row, Place("f", row=number))) for number, row in enumerate(rows, start=1)]
    assert problems == [each for _, each in read if isinstance(each, Problem)]
    assert_frame_equal(found, frame_of([(number, each) for number, each in read if isinstance(each, Point)]))


@pytest.mark.parametrize("spoiled", ['"', "\r", "\x00", ',"a', '"b"c', '"d""e"'])
def test_a_text_that_is_not_plain_loses_no_row(write: Write, spoiled: str) -> None:
    parsed = read(write, line(flow="56"), line(number=2) + spoiled, line(number=3))
    told = [each for each in parsed.problems if each.code in ("unreadable_point", "unreadable_rows", "zero_bytes")]
    assert log_of(parsed).loads[0].points + len(told) >= 3 or codes(parsed) == ["unreadable_rows"]


@given(st.lists(st.text(max_size=12), max_size=20))
def test_no_row_whatever_ends_in_an_error(cells: list[str]) -> None:
    padded = (cells + [""] * 17)[:17]
    for row in (cells, padded):
        assert isinstance(read_point(row, Place("f", row=1)), (Point, Problem))


@pytest.mark.samples
@pytest.mark.parametrize("name", ["2012-basswood.txt", "2012-basswood.shp"])
def test_the_iowa_log_gives_2921_77_wet_and_2858_48_dry_bushels(samples: Path, name: str) -> None:
    parsed = parse_limited("yield_log", samples / "yield" / name)
    log = parsed.result
    assert isinstance(log, YieldLog)
    assert (show(log.wet_bushels), show(log.dry_bushels), show(log.logged_acres)) == ("2921.773", "2858.478", "23.883")
    (load,) = log.loads
    assert (show(load.pounds), load.points, load.crop) == ("163619.29", 4240, "corn")
    assert (load.first_day, load.last_day) == (dt.date(2012, 9, 18), dt.date(2012, 9, 19))


@pytest.mark.samples
def test_the_iowa_log_stays_within_its_boundary_but_for_the_headland(samples: Path) -> None:
    field = parse_limited("boundaries", samples / "yield" / "boundary.shp").result
    assert isinstance(field, Boundaries)
    parsed = parse_limited("yield_log", samples / "yield" / "2012-basswood.txt", boundary=field.fields[0].geojson)
    log = parsed.result
    assert isinstance(log, YieldLog)
    assert [problem.code for problem in parsed.problems] == ["points_outside"]
    assert (log.loads[0].outside_points, log.dry_bushels) == (21, 2_858_478)


ROW = '-93.258294,39.296978,{flow},{time},1,24.00,288.00,9.67,1,1,213647360,"F1: C1N","L1: ","Soybeans"'


@pytest.mark.parametrize("more", ["", ',"F9891RRN"', ',"F9891RRN",1381.17'])
def test_text_of_yield_editor_is_read_with_fourteen_to_sixteen_columns(write: Write, more: str) -> None:
    rows = [ROW.format(flow="6.00", time=971213672 + number) + more for number in range(600)]
    path = write("field.txt", "\n".join(rows) + "\n")
    assert sniff(path, path.name).reader == "yield_log"
    log = read_yield_log(path, path.name).result
    assert log is not None
    # 600 seconds at 6 lb/s are 60 bushels of soybeans; no grain is written up above its weight.
    assert (log.wet_bushels, log.dry_bushels) == (60_000, 60_000)
    assert [(each.crop, each.first_day.year) for each in log.fields] == [("soybeans", 2000)]


def test_a_log_whose_clock_tells_no_day_is_refused_with_the_reason(write: Write) -> None:
    path = write("field.txt", ROW.format(flow="6.00", time=24538654) + ',"DK 616"\n')
    (told,) = read_yield_log(path, path.name).problems
    assert told.code == "no_points"
    assert "GPS time 24538654" in told.cause


@pytest.mark.samples
def test_a_real_file_of_yield_editor_gives_the_bushels_of_its_flow(samples: Path) -> None:
    path = samples / "yield" / "yield-editor" / "sample1_first4000.txt"
    log = read_yield_log(path, path.name).result
    assert log is not None
    assert (log.fields[0].points, log.wet_bushels) == (4_000, 519_090)
