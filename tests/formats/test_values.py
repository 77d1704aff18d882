"""Numbers, days and units mean one thing or are refused."""

import contextlib
import datetime as dt
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.days import DayTextError, orders_of, read_day
from provender.formats.units import KINDS_OF_UNIT, UnitError, canonical, convert, number_out, read_number


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("2026-05-14", "", "2026-05-14"),
        ("2026/5/14", "", "2026-05-14"),
        ("20260514", "", "2026-05-14"),
        ("2026-05-14T13:05:00Z", "", "2026-05-14"),
        ("5/14/2026", "", "2026-05-14"),
        ("14.05.2026", "", "2026-05-14"),
        ("5/5/2026", "", "2026-05-05"),
        ("3/4/2026", "mdy", "2026-03-04"),
        ("3/4/2026", "dmy", "2026-04-03"),
        ("3/4/26", "mdy", "2026-03-04"),
        ("8/16/2022 2:33 PM", "", "2022-08-16"),
        ("14-May-2026", "", "2026-05-14"),
        ("May 14, 2026", "", "2026-05-14"),
        ("Sept 3rd, 2026", "", "2026-09-03"),
        ("14 May 2026", "", "2026-05-14"),
        ("May-14-2026", "", "2026-05-14"),
        ("14-May-26", "", "2026-05-14"),
        ("Thursday, May 14, 2026", "", "2026-05-14"),
        ("3/14/26", "", "2026-03-14"),
        ("46156", "", "2026-05-14"),
        ("46156.5", "", "2026-05-14"),
    ],
)
def test_a_day_that_can_be_one_day_is_read(text: str, order: str, day: str) -> None:
    assert read_day(text, order) == dt.date.fromisoformat(day)


@pytest.mark.parametrize(
    ("text", "order", "cause"),
    [
        ("3/4/2026", "", "can be two days"),
        ("14/5/2026", "mdy", "no day of the calendar"),
        ("2026-02-30", "", "no day of the calendar"),
        ("13/13/2026", "", "no day of the calendar"),
        ("soon", "", "not a date"),
        ("99999", "", "not a date"),
        ("12345", "", "not a date"),
        ("5 Mayor 2026", "", "not a date"),
        ("", "", "not a date"),
        ("5 Foo 2026", "", "not a date"),
        ("٣/٤/٢٠٢٦", "", "not a date"),
    ],
)
def test_a_day_that_can_be_two_or_none_is_refused(text: str, order: str, cause: str) -> None:
    with pytest.raises(DayTextError, match=cause) as refused:
        read_day(text, order)
    assert refused.value.remedy


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("80.25", ".", "80.25"),
        ("1,234.5", ".", "1234.5"),
        ("1.234,5", ",", "1234.5"),
        ("80,25", ",", "80.25"),
        ("-3", ".", "-3"),
        ("$4.10", ".", "4.10"),
        (".5", ".", "0.5"),
        ("5.", ".", "5"),
        ("1 234,5", ",", "1234.5"),
        ("1,234", ".", "1234"),
        ("1,234", ",", "1.234"),
    ],
)
def test_a_number_is_read_by_the_stated_decimal_sign(text: str, decimal: str, value: str) -> None:
    assert read_number(text, decimal) == Fraction(value)


@pytest.mark.parametrize(
    "text", ["", "-", ".", ",", "12,34", "1.2.3", "1e5", "twelve", "12 34", "0x10", "nan", "inf", "١٢", "12_000", "--5"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(DayTextError, match="not a number"):
        read_number(text)


@pytest.mark.parametrize("text", ["<0.5", "> 100"])
def test_a_limit_is_not_taken_for_a_value(text: str) -> None:
    with pytest.raises(DayTextError, match="limit"):
        read_number(text)


@given(st.text(max_size=20), st.sampled_from([".", ","]))
def test_no_text_ends_in_another_error(text: str, decimal: str) -> None:
    for attempt in (lambda: read_number(text, decimal), lambda: read_day(text), lambda: read_day(text, "mdy")):
        with contextlib.suppress(DayTextError):
            attempt()


@pytest.mark.parametrize(
    ("value", "text", "lost"),
    [("66.72605", "66.726", True), ("0.0005", "0", True), ("0.0015", "0.002", True), ("2.5", "2.5", False)],
)
def test_digits_that_are_not_kept_are_rounded_half_to_even_and_told(value: str, text: str, lost: bool) -> None:
    assert number_out(Fraction(value)) == (text, lost)


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "result"),
    [
        (1, "kg", "lb", Fraction(100_000_000, 45_359_237)),
        (1, "ton", "lb", 2000),
        (1, "Tonnes", "lb", 1000 / Fraction("0.45359237")),
        (254, "cm", "in", 100),
        (1, "ha", "acres", Fraction(10_000) / Fraction("4046.8564224")),
        (3, "%", "ppm", 30_000),
        (5, "mg/kg", "ppm", 5),
        (Fraction("1.609344"), "km/h", "mph", 1),
        (28, "lbs per acre", "lb/ac", 28),
        (1, "gal/ac", "qt/ac", 4),
        (128, "fl oz/ac", "gal/ac", 1),
        (60, "lbs/bu", "lb/bu", 60),
    ],
)
def test_units_of_one_kind_convert_exactly(value: Fraction, unit: str, wanted: str, result: Fraction) -> None:
    assert convert(Fraction(value), unit, wanted) == result


def test_a_day_tells_in_which_order_it_can_be_read_and_a_unit_how_it_is_spelled() -> None:
    assert number_out(convert(Fraction(1), "kg/ha", "lb/ac"))[0] == "0.892"
    assert all(canonical(unit) == unit for units in KINDS_OF_UNIT.values() for unit in units)
    assert orders_of("3/14/2026") == {"mdy"}
    assert orders_of("14/3/2026") == {"dmy"}
    assert orders_of("3/4/2026") == {"mdy", "dmy"}
    assert "ymd" in orders_of("2026-03-04")


@pytest.mark.parametrize(
    ("unit", "wanted"), [("lb/ac", "ppm"), ("ppm", "lb/ac"), ("bu", "lb"), ("furlong", "ft"), ("", "lb"), ("lb", "ph")]
)
def test_units_of_different_kinds_are_refused(unit: str, wanted: str) -> None:
    with pytest.raises(UnitError):
        convert(Fraction(1), unit, wanted)


@given(st.fractions(), st.sampled_from(sorted(KINDS_OF_UNIT)), st.data())
def test_a_conversion_and_its_reverse_leave_the_value(value: Fraction, kind: str, data: st.DataObject) -> None:
    one, other = (data.draw(st.sampled_from(sorted(KINDS_OF_UNIT[kind]))) for _ in range(2))
    assert convert(convert(value, one, other), other, one) == value
