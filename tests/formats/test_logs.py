"""Points that machines log: what was applied becomes applications, what was harvested the bushels of an exact sum."""

import datetime as dt
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from provender.days import hours_by_sun
from provender.exact import half_even, parse, show
from provender.formats.boundaries import read_boundaries
from provender.formats.detect import sniff
from provender.formats.isoxml.passes import MachineData, MachinePass
from provender.formats.parsed import Parsed, Problems
from provender.formats.point_columns import columns_of, layer_of
from provender.formats.point_totals import read_applied, read_yield_log, total
from provender.formats.work import FieldYield, YieldLog, crop_of, usual_base
from provender.formats.yield_points import AMOUNTS, COLUMNS, SCHEMA, points_of
from provender.formats.yield_points import ROW as FIRST
from provender.problem import Place
from provender.records.folder import load_book
from tests.formats.test_intake import ACCEPTED, brought
from tests.formats.test_intake import codes as told
from tests.formats.workbooks import Write, codes, geopackage, shapes, zipped
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)


def line(
    *, flow: str = "10", time: int = 1347998285, interval: str = "1", moisture: str = "15.5", field: str = "F0:N40",
    load: str = "L0", grain: str = "CORN", number: int = 1,
) -> str:  # fmt: skip
    told = f"{flow},{time},{interval},74,240,{moisture},33,{number},2007713498"
    return f'-93.277204,41.537132,{told},"{field}","{load}","{grain}",7,0,896.2'


def read(write: Write, *lines: str, **options: str) -> Parsed[YieldLog]:
    return read_yield_log(write("log.txt", "\n".join(lines) + "\n"), "log.txt", **options)


def field_of(parsed: Parsed[YieldLog]) -> FieldYield:
    assert parsed.result is not None
    (found,) = parsed.result.fields
    return found


def test_560_pounds_of_corn_are_ten_wet_bushels_and_never_more_dry_ones(write: Write) -> None:
    dried = {"15.4": "10", "15.5": "10", "15.6": "9.988", "0.1": "10", "25.5": "8.817", "99": "0.118"}
    for moisture, dry in dried.items():
        log = field_of(read(write, line(flow="56", interval="10", moisture=moisture)))
        assert (show(log.wet_bushels), show(log.dry_bushels)) == ("10", dry)
    for grain, pounds in {"CORN": 56, "Soybeans": 60, "MILO": 56, "Grain Sorghum": 56}.items():
        log = field_of(read(write, line(flow=str(pounds), moisture="5", grain=grain)))
        assert (log.wet_bushels, log.dry_bushels) == (1000, 1000), grain
    usual = {"corn": 15_500, "soybeans": 13_000, "sorghum": 14_000, "oats": 0}
    assert {crop: usual_base(crop) for crop in usual} == usual
    assert crop_of('"Maize"') == "corn"
    parsed = read(write, line(flow="32", grain="OATS", moisture="14"))  # nobody knows its bushel
    assert (parsed.result, codes(parsed)) == (None, ["unknown_grain"])


def test_fields_are_kept_apart_acres_are_distance_times_swath_and_moisture_weighted(write: Write) -> None:
    thirds = [line(flow="0.1", load=f"L{number}", number=number) for number in range(3)]
    parsed = read(write, *thirds, line(flow="56", field="F1:S40"))
    assert parsed.result is not None
    fields = [(field.field, field.points, field.wet_bushels) for field in parsed.result.fields]
    assert fields == [("F0:N40", 3, 5), ("F1:S40", 1, 1000)]
    log = field_of(read(write, *(line(number=number) for number in range(353))))
    assert log.logged_acres == half_even(353 * 74 * 240 * 1000, 144 * 43_560)
    log = field_of(read(write, line(flow="30", moisture="14"), line(flow="10", moisture="18", number=2)))
    assert show(log.moisture_pct) == "15"
    parsed = read(write, line(flow="56"), line(flow="56"))
    assert (field_of(parsed).wet_bushels, codes(parsed)) == (1000, ["doubled_points"])


def test_the_day_is_the_farms_and_points_outside_the_boundary_are_counted_and_flagged(write: Write) -> None:
    for seconds, day in ((1347948000, "2012-09-18"), (1347947999, "2012-09-17"), (1348034399, "2012-09-18")):
        assert str(field_of(read(write, line(time=seconds))).first_day) == day
    ring = "[[-93.28,41.53],[-93.27,41.53],[-93.27,41.54],[-93.28,41.54],[-93.28,41.53]]"
    near = f'{{"type":"Polygon","coordinates":[{ring}]}}'
    far = near.replace("41.5", "44.5")
    assert read(write, line(flow="56"), boundary=near).problems == ()
    parsed = read(write, line(flow="56"), boundary=far)
    load = field_of(parsed)
    assert (codes(parsed), load.outside_points, load.outside_dry_bushels) == (["points_outside"], 1, 1000)


LIMITS: Final[dict[str, tuple[tuple[object, ...], tuple[object, ...]]]] = {
    "flow": (("0", "500"), ("-1", "500.001", "lots", "1e3", "")), "moisture": (("99",), ("99.001", "-0.1")),
    "interval": (("60",), ("61",)), "time": ((315964800,), (315964799, 4102444801)),
}  # fmt: skip
BAD = ("1,2,3", line() + ",1", line().replace("-93.277204", "-193.2"), line().replace("41.537132", "nan"))


def test_a_row_beyond_a_limit_is_told_and_many_are_summed_up_after_the_first_ten(write: Write) -> None:
    over = [line(**{name: value}) for name, (_, bad) in LIMITS.items() for value in bad]  # type: ignore[arg-type]
    for bad in (*over, *BAD):
        parsed = read(write, line(flow="56"), bad)
        assert (field_of(parsed).wet_bushels, codes(parsed)) == (1000, ["unreadable_point"]), bad
        assert parsed.problems[0].place.row == 2
    for name, (good, _) in LIMITS.items():
        for value in good:
            assert read(write, line(**{name: value})).problems == (), (name, value)  # type: ignore[arg-type]
    parsed = read(write, line(), *["1,2,3"] * 500)
    assert codes(parsed) == ["unreadable_point"] * 10 + ["unreadable_points"]
    assert "500 rows in all" in parsed.problems[-1].cause
    assert codes(read(write, "field,acres", "N40,80")) == ["no_points"]
    assert codes(read_yield_log(write("card.zip", zipped({"JD-Data/log/a.jdl": b"x"})), "card.zip")) == [
        "unreadable_deere_gen4"
    ]


TEXTS = ("serial", "field", "load", "grain")
LABELS = [{"interval": "CYCLES", "grain": "CROP"}.get(name, name.upper()) for name in COLUMNS]


def shape_of(*lines: str, kind: str = "N") -> dict[str, bytes]:
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
    assert field_of(parsed) == field_of(read(write, *(row.replace('"', "") for row in rows)))


FLOWS = st.tuples(st.integers(0, 500_000_000), st.integers(0, 60_000), st.integers(0, 99_000_000))


@given(st.lists(FLOWS, min_size=1, max_size=30))
def test_sums_are_exact_however_many_digits_there_are(points: list[tuple[int, int, int]]) -> None:
    made = [
        {"longitude": -93.0, "latitude": 42.0, "weight": flow * interval, "time": 10**9 + number, "moisture": moisture,
         "square_inches": 74 * 240, "day": dt.date(2026, 10, 1), "field": "f", "load": "l", "grain": "CORN"}
        for number, (flow, interval, moisture) in enumerate(points)
    ]  # fmt: skip
    found, unknown = total(pl.DataFrame(made, SCHEMA).with_columns(outside=pl.lit(value=False)))
    log = field_of(Parsed(found))
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


def expected_point(number: int, row: Sequence[str]) -> tuple[object, ...]:
    said = dict(zip(COLUMNS, row, strict=True))
    try:
        read = {name: parse(said[name], scale) for name, (scale, *_) in AMOUNTS.items()}
        x, y = float(said["longitude"]), float(said["latitude"])
    except ValueError:
        return ()
    within = (least * 10**scale <= read[name] <= most * 10**scale for name, (scale, least, most, _) in AMOUNTS.items())
    day = (dt.datetime.fromtimestamp(read["time"], dt.UTC) + dt.timedelta(hours=hours_by_sun(x))).date()
    amounts = (read["flow"] * read["interval"], read["moisture"], read["distance"] * read["swath"])
    texts = (said[name].strip(' "') for name in ("field", "grain", "status"))
    sound = all(within) and abs(x) <= 180 and abs(y) <= 90
    return (number, x, y, read["time"], *amounts, day, *texts) if sound else ()


@given(st.lists(CELLS, min_size=1, max_size=12))
def test_rows_read_by_columns_are_those_read_number_by_number(rows: list[tuple[str, ...]]) -> None:
    cells = pl.DataFrame(rows, dict.fromkeys(COLUMNS, pl.String), orient="row").with_row_index(FIRST, 1)
    found = points_of(cells, problems := Problems(Place("f")))
    read = [expected_point(number, row) for number, row in enumerate(rows, start=1)]
    assert [each.place.row for each in problems.found] == [at for at, each in enumerate(read, start=1) if not each]
    names = [name for name in SCHEMA if name not in ("serial", "load", "pass", "gps", "pdop", "altitude", "variety")]
    assert found.select(names).rows() == [each for each in read if each]


@pytest.mark.samples
@pytest.mark.parametrize("name", ["2012-basswood.txt", "2012-basswood.shp"])
def test_the_iowa_log_gives_2921_77_wet_and_2858_48_dry_bushels(samples: Path, name: str) -> None:
    parsed = read_yield_log(samples / "yield" / name, name)
    assert isinstance(parsed.result, YieldLog)
    (log,) = parsed.result.fields
    assert (show(log.wet_bushels), show(log.dry_bushels), show(log.logged_acres)) == ("2921.773", "2858.478", "23.883")
    assert (log.points, log.crop) == (4240, "corn")
    assert (log.first_day, log.last_day) == (dt.date(2012, 9, 18), dt.date(2012, 9, 19))


@pytest.mark.samples
def test_the_iowa_log_stays_within_its_boundary_but_for_the_headland(samples: Path) -> None:
    field = read_boundaries(samples / "yield" / "boundary.shp", "boundary.shp").result
    assert field is not None
    name = "2012-basswood.txt"
    parsed = read_yield_log(samples / "yield" / name, name, boundary=field.fields[0].geojson)
    assert isinstance(parsed.result, YieldLog)
    (log,) = parsed.result.fields
    assert [problem.code for problem in parsed.problems] == ["points_outside"]
    assert (log.outside_points, log.dry_bushels) == (21, 2_858_478)


ROW = '-93.258294,39.296978,{flow},{time},1,24.00,288.00,9.67,1,1,213647360,"F1: C1N","L1: ","Soybeans"'


@pytest.mark.parametrize("more", ["", ',"F9891RRN"', ',"F9891RRN",1381.17'])
def test_text_of_yield_editor_is_read_with_fourteen_to_sixteen_columns(write: Write, more: str) -> None:
    rows = [ROW.format(flow="6.00", time=971213672 + number) + more for number in range(600)]
    path = write("field.txt", "\n".join(rows) + "\n")
    assert sniff(path, path.name).reader == "yield_log"
    log = field_of(read_yield_log(path, path.name))
    # 600 seconds at 6 lb/s are 60 bushels of soybeans; no grain is written up above its weight.
    assert (log.wet_bushels, log.dry_bushels) == (60_000, 60_000)
    assert (log.crop, log.first_day.year) == ("soybeans", 2000)


def test_a_log_whose_clock_tells_no_day_or_whose_points_have_no_area_says_what_lacks(write: Write) -> None:
    path = write("field.txt", ROW.format(flow="6.00", time=24538654) + ',"DK 616"\n')
    (told,) = read_yield_log(path, path.name).problems
    assert told.code == "no_points"
    assert "GPS time 24538654" in told.cause
    data = zipped(shapes([("YIELD", "N", 9, 3)], [((-93, 42), [200.5])]))
    parsed = read_yield_log(write("y.zip", data), "y.zip")
    assert codes(parsed) == ["assumed_wgs84", "no_area", "no_points"]
    assert "distance and width" in parsed.problems[1].cause


@pytest.mark.samples
def test_a_real_file_of_yield_editor_gives_the_bushels_that_flowed_with_the_header_down(samples: Path) -> None:
    path = samples / "yield" / "yield-editor" / "sample1_first4000.txt"
    log = field_of(read_yield_log(path, path.name))
    assert (log.points, log.wet_bushels) == (3_815, 509_103)


WEST, SOUTH = -95.7, 39.0
STEP_M: Final = 3.0
WGS84: Final = 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]'  # noqa: E501 - one word
Rows = Sequence[Mapping[str, Any]]


def spots(count: int) -> list[tuple[float, float]]:
    """Return positions three meters apart, northward."""
    return [(WEST, SOUTH + at * STEP_M / (6_371_000 * math.pi / 180)) for at in range(count)]


def applied(count: int = 40, **more: str) -> list[dict[str, str]]:
    """Return rows of an as-applied log: three meters of a boom of 60 feet, the rate varies, the last ten are off."""
    return [
        {"AppliedRate": "0" if at >= count - 10 else f"{14 + at % 7}.{at % 4}25", "Distance": "9.842520",
         "SwathWidth": "60", "Product": "UAN 32", "IsoTime": f"2026-06-02T15:00:{at % 60:02d}Z", **more}
        for at in range(count)
    ]  # fmt: skip


def without(rows: Rows, *names: str) -> list[dict[str, Any]]:
    return [{name: cell for name, cell in row.items() if name not in names} for row in rows]


def expected(rows: Rows, feet: Decimal = Decimal(1)) -> tuple[int, int]:
    """Return the mean rate and the acres in thousandths, by hand in decimals."""
    acres = [Decimal(row["Distance"]) * feet * Decimal(row["SwathWidth"]) * feet / 43_560 for row in rows]
    on = [Decimal(row["AppliedRate"]) > 0 for row in rows]
    total = sum((Decimal(row["AppliedRate"]) * each for row, each in zip(rows, acres, strict=True)), Decimal())
    area = sum((each for each, yes in zip(acres, on, strict=True) if yes), Decimal())
    mean, whole = (int((each * 1000).quantize(Decimal(1), ROUND_HALF_EVEN)) for each in (total / area, area))
    return mean, whole


def csv_of(rows: Rows, headings: Mapping[str, str] | None = None) -> str:
    named = headings or {}
    lines = [",".join(["Longitude", "Latitude", *(named.get(each, each) for each in rows[0])])]
    for (x, y), row in zip(spots(len(rows)), rows, strict=True):
        lines.append(",".join([f"{x:.9f}", f"{y:.9f}", *row.values()]))
    return "\n".join(lines) + "\n"


def shape_zip(rows: Rows, *, prj: bool = True, beside: Mapping[str, bytes] | None = None) -> bytes:
    numbers = {name: value.replace(".", "").isdigit() for name, value in rows[0].items()}
    columns = [(name, "N", 20, 6) if is_number else (name, "C", 20) for name, is_number in numbers.items()]
    parts = shapes(columns, [(spot, [*row.values()]) for spot, row in zip(spots(len(rows)), rows, strict=True)], "log")
    return zipped({**parts, **({"log.prj": WGS84.encode()} if prj else {}), **(beside or {})})


def geojson_of(rows: Rows) -> str:
    features = [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": spot}, "properties": dict(row)}
        for spot, row in zip(spots(len(rows)), rows, strict=True)
    ]
    return json.dumps({"type": "FeatureCollection", "features": features})


def logged(path: Path, rows: Rows) -> Path:
    named = [(shapely.Point(spot), [*row.values()]) for spot, row in zip(spots(len(rows)), rows, strict=True)]
    return geopackage(path, [*rows[0]], named)


def passes(parsed: Parsed[MachineData]) -> tuple[MachinePass, ...]:
    assert parsed.result is not None, parsed.problems
    return parsed.result.passes


UNITS: Final = {"AppliedRate": "AppliedRate (gal/ac)", "Distance": "Distance(ft)", "SwathWidth": "Swth Wdth(ft)"}


@pytest.mark.parametrize("how", ["csv", "shapefile", "geojson", "geopackage"])
def test_what_was_applied_is_area_times_rate_whatever_the_format(write: Write, tmp_path: Path, how: str) -> None:
    named = UNITS if how == "csv" else {"AppliedRate": "Rt_Apd_Liq"}
    rows = [{named.get(name, name): text for name, text in row.items()} for row in applied()]
    match how:
        case "csv":
            path = write("log.csv", csv_of(rows))
        case "shapefile":
            path = write("log.zip", shape_zip(rows))
        case "geojson":
            path = write("log.geojson", geojson_of(rows))
        case _:
            path = logged(tmp_path / "log.gpkg", rows)
    assert sniff(path, path.name).reader == "applied_points"
    parsed = read_applied(path, path.name)
    (found,) = passes(parsed)
    assert ((found.applied[0].rate, found.acres), found.applied[0].unit) == (expected(applied()), "gal/ac")
    assert (found.applied[0].product, found.day, found.points) == ("UAN 32", date(2026, 6, 2), 30)
    assert codes(parsed) == ([] if how == "csv" else ["units_assumed", "units_assumed"])


def test_each_product_and_day_is_a_pass_and_meters_are_told_by_the_way_between_points(write: Write) -> None:
    rows = [*applied(), *applied(IsoTime="2026-06-04T15:00:00Z"), *applied(Product="AMS")]
    parsed = read_applied(write("log.csv", csv_of(rows, UNITS)), "log.csv")
    assert [(one.day.day, one.applied[0].product) for one in passes(parsed)] == [
        (2, "UAN 32"),
        (4, "UAN 32"),
        (2, "AMS"),
    ]
    rows = applied(Distance="3", SwathWidth="18.288")
    parsed = read_applied(write("log.csv", csv_of(rows, {"AppliedRate": "Rt Apd Liq(gal/ac)"})), "log.csv")
    (found,) = passes(parsed)
    assert (found.applied[0].rate, found.acres) == expected(rows, 1 / Decimal("0.3048"))
    assert codes(parsed) == ["units_assumed"]
    assert "in m as the points lie apart" in parsed.problems[0].cause


def test_the_list_of_units_beside_a_shapefile_is_read(write: Write) -> None:
    told = {"DataAttributes": [{"Name": name, "Unit": unit} for name, unit in
            (("AppliedRate", "l1ha-1"), ("DISTANCE", "ft"), ("SWATHWIDTH", "ft"))]}  # fmt: skip
    rows = [
        {"AppliedRate"[:10] if k == "AppliedRate" else k.upper() if k != "IsoTime" else k: v for k, v in row.items()}
        for row in applied()
    ]
    beside = json.dumps(told).replace("AppliedRate", "AppliedRat").encode()
    parsed = read_applied(write("log.zip", shape_zip(rows, beside={"log-Deere-Metadata.json": beside})), "log.zip")
    (found,) = passes(parsed)
    liters = Decimal(expected(applied())[0]) * Decimal("0.10690663")
    assert abs(found.applied[0].rate - liters) <= 1
    assert codes(parsed) == []


@ROWS
def test_what_cannot_be_totalled_is_refused_by_name(write: Write, change: dict[str, str | None], code: str) -> None:
    kept = [{k: change.get(k, v) for k, v in row.items() if change.get(k, v) is not None} for row in applied()]
    parsed = read_applied(write("log.csv", csv_of(kept, UNITS)), "log.csv")
    assert parsed.result is None
    assert code in codes(parsed)


def test_rows_that_cannot_be_read_are_named_and_points_of_two_units_told_apart(write: Write) -> None:
    lines = csv_of(applied(), UNITS).splitlines()
    lines[3] = lines[3].replace("16.225", "sixteen")
    lines.append(lines[5])
    parsed = read_applied(write("log.csv", "\n".join(lines)), "log.csv")
    assert sorted(codes(parsed)) == ["doubled_points", "unreadable_points"]
    assert passes(parsed)[0].points == 29
    rows = applied(80)
    middle = SOUTH + 35 * STEP_M / (6_371_000 * math.pi / 180) + 0.000001
    outlines = bands({"SOUTH": (38.99, middle), "NORTH": (middle, 39.1)})
    parsed = read_applied(write("log.csv", csv_of(rows, UNITS)), "log.csv", outlines=outlines)
    found = {one.field: (one.applied[0].rate, one.acres) for one in passes(parsed)}
    assert found == {"SOUTH": expected(rows[:36]), "NORTH": expected(rows[36:])}


def test_a_rate_without_a_unit_an_acre_and_a_log_without_a_product_are_asked_for(write: Write) -> None:
    rows = without(applied(), "Product")
    named = {k: v for k, v in UNITS.items() if k != "AppliedRate"}
    parsed = read_applied(write("log.csv", csv_of(rows, named)), "log.csv")
    assert codes(parsed) == ["no_rate_unit", "no_product"]
    assert passes(parsed)[0].applied[0].unit == ""
    for unit, taken in (("gal", False), ("mph", False), ("gal/ac", True), ("l/ha", True)):
        parsed = read_applied(write("a.csv", csv_of(applied(), {"AppliedRate": f"Applied Rate ({unit})"})), "a.csv")
        assert ("no_rate_unit" in codes(parsed)) is not taken
        assert bool(parsed.result and parsed.result.passes) is taken


@pytest.mark.parametrize(("headings", "what"), [
    ("Longitude,Latitude,EC_SH,EC_DP", "conductivity"), ("Longitude,Latitude,Rt_Apd_Ct_,Variety", "planting"),
    ("Longitude,Latitude,AppliedRate,Variety", "planting"), ("Longitude,Latitude,TargetRate", "planned"),
])  # fmt: skip
def test_other_points_are_named_for_what_they_are_and_leave_no_mark(book: Path, headings: str, what: str) -> None:
    row = ",".join(["-95.7", "39.0", *["1"] * (headings.count(",") - 1)])
    plan = brought(book, "points.csv", f"{headings}\n{row}\n", ACCEPTED)
    assert told(plan) == [f"points_of_{what}"]
    assert plan.files == {}


def test_unit_and_product_that_a_person_says_fill_what_the_log_lacks(book: Path) -> None:
    rows = without(applied(), "Product")
    named = {k: v for k, v in UNITS.items() if k != "AppliedRate"}
    said = replace(ACCEPTED, units={"": "HOME80"}, kind="nutrient_application",
                   constants={"product": "UAN 32", "rate_unit": "gal/ac"})  # fmt: skip
    brought(book, "sidedress.csv", csv_of(rows, named), said)
    (row,) = load_book(book)["nutrient_application"]
    assert (row["product"], row["rate"], row["rate_unit"]) == ("UAN 32", expected(applied())[0], "gal/ac")


def rows_written(book: Path) -> dict[str, int]:
    kept = load_book(book)
    return {kind: len(kept[kind]) for kind in ("nutrient_application", "operation", "harvest")}


def test_a_log_saved_or_exported_once_more_under_another_name_adds_nothing(book: Path) -> None:
    said = replace(ACCEPTED, units={"": "HOME80"})
    rows = [{**row, "Machine": "Hagie"} for row in applied()]
    text = csv_of(rows, UNITS)
    heading, *lines = text.splitlines()
    brought(book, "sidedress.csv", text, said)
    before = rows_written(book)
    assert before["nutrient_application"] == 1
    for name, again in (
        ("side dress final.csv", text),
        ("shuffled.csv", "\n".join([heading, *reversed(lines), ""])),
    ):
        brought(book, name, again, said)
        assert rows_written(book) == before, name
    log = [line(flow="56", number=at) for at in range(1, 6)]
    brought(book, "corn.txt", "\n".join([*log, ""]), said)
    (cut,) = (row for row in load_book(book)["harvest"] if row["bushels"])
    for end, order in (("\r\n", 1), ("\n", -1)):
        brought(book, f"corn{order}.txt", end.join([*log[::order], ""]), said)
        (now,) = (row for row in load_book(book)["harvest"] if row["bushels"])
        assert now["bushels"] == cut["bushels"], order


def bands(ends: Mapping[str, tuple[float, float]]) -> dict[str, str]:
    """Return outlines that lie one above the other, by their latitudes."""
    rings = {name: [[-96, a], [-95, a], [-95, b], [-96, b], [-96, a]] for name, (a, b) in ends.items()}
    return {name: json.dumps({"type": "Polygon", "coordinates": [ring]}) for name, ring in rings.items()}


@pytest.mark.parametrize(("shared", "fields"), [(2, {"SOUTH": 38, "NORTH": 32}), (40, {"SOUTH": 40, "": 30})])
def test_points_inside_several_outlines_are_asked_about(write: Write, shared: int, fields: dict[str, int]) -> None:
    rows = applied(80)
    step = STEP_M / (6_371_000 * math.pi / 180)
    first = 38 if shared == 2 else 80
    ends = {"SOUTH": (38.99, SOUTH + (first - 0.5) * step), "NORTH": (SOUTH + (first - shared - 0.5) * step, 39.1)}
    parsed = read_applied(write("log.csv", csv_of(rows, UNITS)), "log.csv", outlines=bands(ends))
    assert {one.field: one.points for one in passes(parsed)} == fields
    assert [one.code for one in parsed.problems if one.code == "points_in_several"] == ["points_in_several"]


def harvest(count: int = 60, **more: str) -> list[dict[str, str]]:
    return [
        {"Moisture": f"{15 + at % 5}.25", "Distance": "9.842520", "SwathWidth": "30",
         "IsoTime": f"2026-10-02T15:00:{at:02d}Z",
         "Crop": "Corn", **{k: v.format(180 + at % 11) for k, v in more.items()}}
        for at in range(count)
    ]  # fmt: skip


def bushels(rows: Rows, column: str, weigh: str) -> int:
    """Return dry bushels in thousandths, by hand in decimals."""
    total = Decimal(0)
    for row in rows:
        acres = Decimal(row["Distance"]) * Decimal(row["SwathWidth"]) / 43_560
        kept = min(Decimal(1), (100 - Decimal(row["Moisture"])) / (100 - Decimal("15.5")))
        value = Decimal(row[column]) * acres
        total += {"dry": value, "wet": value * kept, "wet_lb": value / 56 * kept, "dry_lb": value / 56}[weigh]
    return int((total * 1000).quantize(Decimal(1), ROUND_HALF_EVEN))


@ROWS
@pytest.mark.parametrize("prj", [True, False])
def test_yields_of_two_systems_are_bushels_by_area(write: Write, column: str, weigh: str, prj: bool) -> None:
    rows = harvest(60, **{column: "{}.5" if weigh in ("dry", "wet") else "{}00.5"})
    path = write("y.zip", shape_zip(rows, prj=prj))
    assert sniff(path, path.name).reader == "yield_log"
    parsed = read_yield_log(path, path.name)
    assert parsed.result is not None
    # Each point's weight is rounded to a millionth of a pound before the sum.
    assert abs(field_of(parsed).dry_bushels - bushels(rows, column, weigh)) <= 1
    assert set(codes(parsed)) == {"units_assumed", *([] if prj else ["assumed_wgs84"])}


def test_an_export_of_sms_names_its_units_and_headings_are_known_cut_and_whole(write: Write) -> None:
    named = UNITS | {"Moisture": "Moisture(%)", "Y": "Yld Vol(Dry)(bu/ac)"}
    rows = harvest(Y="{}.5")
    path = write("y.csv", csv_of(rows, named))
    assert sniff(path, path.name).reader == "yield_log"
    parsed = read_yield_log(path, path.name)
    assert codes(parsed) == []
    assert parsed.result is not None
    assert field_of(parsed).dry_bushels == bushels(rows, "Y", "dry")
    assert columns_of(["Rt Apd Liq()(l/ha)"])["rate"].unit == "l/ha"
    assert columns_of(["Rt_Apd_Liq"])["rate"].unit == "gal/ac"
    assert columns_of(["Rate Applied (l/ha)"])["rate"].unit == "l/ha"
    assert layer_of(columns_of(["Yld Mass(Wet)(lb/ac)", "Moisture(%)"])) == "harvest"
    assert layer_of(columns_of(["Elevation"])) == "elevation"
    assert layer_of(columns_of(["remarks"])) == ""


def test_wet_mass_counts_before_dry_bushels_and_a_crops_number_is_asked_about(write: Write) -> None:
    rows = harvest(VRYIELDVOL="{}.5", WetMass="{}00.5")
    parsed = read_yield_log(write("y.zip", shape_zip(rows)), "y.zip")
    assert parsed.result is not None
    assert abs(field_of(parsed).dry_bushels - bushels(rows, "WetMass", "wet_lb")) <= 1
    parsed = read_yield_log(
        write("y.zip", shape_zip([{**row, "Crop": "174"} for row in harvest(VRYIELDVOL="60.5")])), "y.zip"
    )
    assert "crop_number" in codes(parsed)
    assert parsed.result is not None
    assert field_of(parsed).crop == "soybeans"


@pytest.mark.parametrize(("column", "code", "counted"), [
    ("WetMass", "no_moisture", False), ("Yld_Vol_We", "no_moisture", False), ("YIELD", "dry_assumed", True),
    ("DRY_BU_AC", "", True),
])  # fmt: skip
def test_wet_grain_without_moisture_is_not_dry(write: Write, column: str, code: str, *, counted: bool) -> None:
    rows = without(harvest(60, **{column: "{}.5"}), "Moisture")
    parsed = read_yield_log(write("y.csv", csv_of(rows)), "y.csv")
    assert ({"no_moisture", "dry_assumed"} & set(codes(parsed))) == ({code} if code else set())
    assert (parsed.result is not None) is counted


@pytest.mark.parametrize("unit", ["ft", "mph"])
def test_an_area_in_feet_is_no_area(write: Write, unit: str) -> None:
    whole = applied()
    bare = without(applied(), "Distance")
    for rows, code in ((whole, ""), (bare, "no_area")):
        named = {"Area": f"Area ({unit})"}
        parsed = read_applied(write("a.csv", csv_of([{**row, "Area": "0.1"} for row in rows], named)), "a.csv")
        assert ("no_area" in codes(parsed)) is bool(code)
        assert bool(parsed.result and parsed.result.passes) is not bool(code)
    logged = without(harvest(DRY_BU_AC="{}.5"), "Distance")
    area = csv_of([{**row, "Area": "0.1"} for row in logged], {"Area": f"Area ({unit})"})
    assert "no_area" in codes(read_yield_log(write("y.csv", area), "y.csv"))


MARKS: Final = [
    ("Area Count", "On", "Off"), ("AreaCount", "1", "0"), ("Header Status", "33", "0"), ("HEADER_STA", "Down", "UP"),
    ("Work State", "true", "false"), ("Recording", "Yes", "No"), ("Excluded", "", "Yes"), ("Header Up", "0", "1.0"),
    ("Area Counted", "On", "Off"), ("Filtered", "", "x"), ("Pass Status", "Working", "Headland turn"),
    ("Valid", "TRUE", "FALSE"), ("Section State", "1", "0"), ("Record Status", "Recording", "Not recording"),
]  # fmt: skip


@pytest.mark.parametrize(("heading", "on", "off"), MARKS)
def test_points_marked_as_not_counted_give_nothing(write: Write, heading: str, on: str, off: str) -> None:
    def marked(rows: Rows) -> list[dict[str, Any]]:
        return [{**row, heading: off if at < 20 else on} for at, row in enumerate(rows)]

    grown = harvest(60, DRY_BU_AC="{}.5")
    parsed = read_yield_log(write("y.csv", csv_of(marked(grown))), "y.csv")
    field = field_of(parsed)
    assert (field.points, field.dry_bushels) == (40, bushels(grown[20:], "DRY_BU_AC", "dry"))
    assert "20 of 60 points" in next(one.cause for one in parsed.problems if one.code == "points_not_counted")
    spread = applied()
    applied_found = read_applied(write("a.csv", csv_of(marked(spread), UNITS)), "a.csv")
    (found,) = passes(applied_found)
    assert (found.applied[0].rate, found.acres) == expected(spread[20:])
    for all_off, read_file in ((grown, read_yield_log), (spread, read_applied)):
        text = csv_of([{**row, heading: off} for row in all_off], UNITS)
        parsed_off = read_file(write("off.csv", text), "off.csv")
        assert (parsed_off.result, [one for one in codes(parsed_off) if one != "units_assumed"]) == (
            None,
            ["no_points"],
        )


def test_a_mark_nobody_knows_a_day_without_hour_and_a_unit_off_the_ground_are_asked_about(write: Write) -> None:
    rows = harvest(60, DRY_BU_AC="{}.5")
    parsed = read_yield_log(write("y.csv", csv_of([{**row, "Area Count": "Maybe"} for row in rows])), "y.csv")
    assert ("unknown_mark" in codes(parsed), field_of(parsed).points) == (True, 60)
    held = [{**row, "AreaCount": at >= 20} for at, row in enumerate(rows)]
    assert field_of(read_yield_log(write("y.geojson", geojson_of(held)), "y.geojson")).points == 40
    rows = [{**row, "IsoTime": "2026-06-03"} for row in applied()]
    spread = read_applied(write("a.csv", csv_of(rows, {"IsoTime": "GPSDate"})), "a.csv")
    assert "day_at_greenwich" in codes(spread)
    spread = read_applied(write("log.csv", csv_of(applied(Distance="3"), UNITS)), "log.csv")
    assert codes(spread) == ["unit_against_ground"]
    path = write("soil.csv", "Longitude,Latitude,pH,OM,EC\n-95.7,39,6.4,3.1,0.2\n")
    assert sniff(path, path.name).reader == "spreadsheet"


@pytest.mark.parametrize(("status", "counted", "told"), [
    ("33", 2, []), ("1", 2, []), ("0", 1, ["points_not_counted"]), ("", 2, []), ("32", 2, ["unknown_mark"]),
])  # fmt: skip
def test_the_header_status_says_which_points_count(write: Write, status: str, counted: int, told: list[str]) -> None:
    parsed = read(write, line(flow="56"), line(flow="56", number=2).replace(",33,2,", f",{status},2,"))
    log = field_of(parsed)
    assert (log.wet_bushels, log.points, codes(parsed)) == (1000 * counted, counted, told)


def test_moisture_0_is_a_sensor_that_does_not_read_and_no_dry_grain(write: Write) -> None:
    wet = [line(flow="56", moisture="25.5", number=at) for at in range(1, 4)]
    for zero in (line(flow="56", moisture="0", number=9), line(flow="56", moisture="0.00", number=9)):
        parsed = read(write, zero, *wet)
        assert (show(field_of(parsed).dry_bushels), codes(parsed)) == ("3.527", ["moisture_not_read"])
        assert (show(field_of(parsed).moisture_pct), "25.5 %" in str(parsed.problems[0])) == ("25.5", True)
    still = read(write, line(flow="0", moisture="0", number=9), *wet)
    assert (codes(still), field_of(still).wet_bushels) == ([], 3000)
    other = read(write, line(flow="56", moisture="0", field="F1:S80"), *wet)
    assert (codes(other), field_of(other).field) == (["no_moisture"], "F0:N40")
    assert (read(write, line(flow="56", moisture="0")).result, codes(read(write, line(moisture="0")))) == (
        None, ["no_moisture"],
    )  # fmt: skip


@pytest.mark.samples
@pytest.mark.parametrize(("name", "told", "dry", "acres"), [
    ("sms_area_count_off.csv", "points_not_counted", "10.909", "0.182"),
    ("moisture_zero_at_start.csv", "moisture_not_read", "51.641", "0.273"),
])  # fmt: skip
def test_what_others_stumbled_over_is_counted_right(samples: Path, name: str, told: str, dry: str, acres: str) -> None:
    parsed = read_yield_log(samples / "field_reports" / f"yield_{name}", name)
    assert (show(field_of(parsed).dry_bushels), show(field_of(parsed).logged_acres)) == (dry, acres)
    assert codes(parsed) == ["day_order", told]


def test_an_evening_at_greenwich_is_the_day_before(write: Write) -> None:
    for heading, text, day in (
        ("UTCTime", "2026-06-03T02:30:00", 2), ("GPSTime", "2026-06-03 02:30:00", 2),
        ("UTC_Time", "6/3/2026 2:30:00 AM", 2), ("IsoTime", "2026-06-03T02:30:00", 3),
        ("LocalTime", "6/3/2026 2:30:00 AM", 3),
    ):  # fmt: skip
        rows = [{**row, "IsoTime": text, "AppliedRate": "14.5"} for row in applied()]
        unique = [{**row, "Product": f"UAN {at // 20 + 28}"} for at, row in enumerate(rows)]
        parsed = read_applied(write("a.csv", csv_of(unique, {"IsoTime": heading})), "a.csv")
        assert parsed.result is not None
        assert {one.day for one in parsed.result.passes} == {date(2026, 6, day)}, heading
