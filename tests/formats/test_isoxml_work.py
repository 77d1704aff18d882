"""Work that task data tells in ways that mislead: holes, totals, products, implements, damage, clocks, sections.

Each card has a field of 45.478 acres in Iowa and a machine that works 9 m wide and 2 m a second from 8 in the morning
of 4 May 2026: 300 records are 1.33 acres.
"""

import struct
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import pytest

from provender.formats.isoxml.passes import Applied, MachineData, MachinePass, read_isoxml
from provender.formats.parsed import Parsed
from provender.records.folder import load_book
from provender.records.kinds.nutrients import NutrientApplication
from tests.formats.test_intake import ACCEPTED, brought

DAY: Final = 16_925
MORNING_MS: Final = 28_800_000
FIELD: Final = ((42.0, -93.6), (42.0, -93.595), (42.004, -93.595), (42.004, -93.6))
HOLE: Final = ((42.001, -93.599), (42.001, -93.598), (42.002, -93.598), (42.002, -93.599))
OTHER_HOLE: Final = ((42.0025, -93.597), (42.0025, -93.596), (42.0033, -93.596), (42.0033, -93.597))
FAR: Final = tuple((north + 1, east) for north, east in HOLE)
CLASSES: Final = {"tractor": 0, "disk": 2, "drill": 4, "cart": 5, "sprayer": 6}
SECTIONS: Final = (
    '<DET A="DET-{n}1" B="2" C="4" D="left" E="1" F="1"/><DET A="DET-{n}2" B="3" C="3" D="bin" E="2" F="1"/>'
)
Channels = Sequence[tuple[int, str]]
Said = dict[int, list[tuple[int, int]]]


def device(number: int, name: str) -> str:
    whole = f'<DET A="DET-{number}" B="1" C="1" D="whole" E="0" F="0"/>{SECTIONS.format(n=number)}'
    return f'<DVC A="DVC-{number}" B="{name}" D="{CLASSES[name] << 49:016X}">{whole}</DVC>'


def line(kind: int, corners: Iterable[tuple[float, float]]) -> str:
    points = "".join(f'<PNT A="2" C="{north}" D="{east}"/>' for north, east in corners)
    return f'<LSG A="{kind}">{points}</LSG>'


BORDER: Final = f'<PLN A="1">{line(1, FIELD)}</PLN>'


def log(said: Said, *, count: int = 300, days: Sequence[int] = (), gps: Sequence[int] = ()) -> list[bytes]:
    """Return records a second apart, each with what it says; days and GPS days a record, the last one repeated."""
    records = []
    for at in range(count):
        values = said.get(at, [])
        day = days[min(at, len(days) - 1)] if days else DAY
        utc = struct.pack("<IH", MORNING_MS + 5 * 3_600_000 + at * 1000, gps[min(at, len(gps) - 1)]) if gps else b""
        head = struct.pack("<IHiiB", MORNING_MS + at * 1000, day, 420_005_000 + round(at * 179.867), -935_995_000, 4)
        records.append(head + utc + bytes([len(values)]) + b"".join(struct.pack("<Bi", *each) for each in values))
    return records


def card(
    folder: Path,
    devices: Sequence[str] = ("disk",),
    *,
    task: str = "",
    before: str = "",
    border: str = BORDER,
    channels: Channels = (),
    content: bytes = b"",
    gps: bool = False,
) -> Parsed[MachineData]:
    made = "".join(device(at, name) for at, name in enumerate(devices, start=1))
    logged = '<TLG A="TLG00001"/>' if channels else ""
    text = f'<ISO11783_TaskData VersionMajor="4"><PFD A="PFD-1" C="N40" D="160000">{border}</PFD>{before}{made}'
    text += f'<TSK A="TSK-1" B="Work" E="PFD-1" G="4">{task}{logged}</TSK></ISO11783_TaskData>'
    values = "".join(f'<DLV A="{ddi:04X}" B="" C="{element}"/>' for ddi, element in channels)
    universal = ' H="" I=""' if gps else ""
    with zipfile.ZipFile(folder / "card.zip", "w") as packed:
        packed.writestr("TASKDATA/TASKDATA.XML", text)
        if channels:
            packed.writestr("TASKDATA/TLG00001.XML", f'<TIM A="" D="4"><PTN A="" B="" D=""{universal}/>{values}</TIM>')
            packed.writestr("TASKDATA/TLG00001.BIN", content)
    return read_isoxml(folder / "card.zip", "card.zip")


def passes(parsed: Parsed[MachineData]) -> list[MachinePass]:
    assert parsed.result is not None
    return list(parsed.result.passes)


def codes(parsed: Parsed[MachineData]) -> list[str]:
    return [each.code for each in parsed.problems]


BORDERS: Final = {
    "a hole by itself": (BORDER + f'<PLN A="1">{line(2, HOLE)}</PLN>', 43_204, []),
    "two": (BORDER + f'<PLN A="1">{line(2, HOLE)}</PLN><PLN A="1">{line(2, OTHER_HOLE)}</PLN>', 41_385, []),
    "before the border": (f'<PLN A="1">{line(2, HOLE)}</PLN>{BORDER}', 43_204, []),
    "in one polygon": (f'<PLN A="1">{line(1, FIELD)}{line(2, HOLE)}</PLN>', 43_204, []),
    "two parts in one polygon": (f'<PLN A="1">{line(1, FIELD)}{line(1, FAR)}</PLN>', 47_717, []),
    "outside of it": (BORDER + f'<PLN A="1">{line(2, FAR)}</PLN>', 45_478, ["hole_outside"]),
    "no position": (BORDER + '<PLN A="1"><LSG A="2"><PNT A="2" C="x" D="1"/></LSG></PLN>', None, ["bad_geometry"]),
    "no outline": ("", None, ["no_outline"]),
}


@pytest.mark.parametrize(("border", "acres", "told"), BORDERS.values(), ids=BORDERS)
def test_holes_are_holes_wherever_they_stand(tmp_path: Path, border: str, acres: int | None, told: list[str]) -> None:
    parsed = card(tmp_path, border=border)
    assert parsed.result is not None
    assert [each.acres for each in parsed.result.boundaries.fields] == ([] if acres is None else [acres])
    assert [each for each in codes(parsed) if each != "task_without_log"] == told


def interval(
    day: int, square_metres: int, *more: tuple[int, int], clock: str = "08:00:00", to: str = "10:00:00"
) -> str:
    values = "".join(f'<DLV A="{ddi:04X}" B="{value}" C="DET-1"/>' for ddi, value in ((0x74, square_metres), *more))
    return f'<TIM A="2026-05-{day:02}T{clock}" B="2026-05-{day:02}T{to}" D="4">{values}</TIM>'


STRETCHES: Final = {
    "one": ([interval(4, 150_000, (0x75, 16_000_000))], {4: 37_066}, []),
    "two days": ([interval(4, 90_000), interval(5, 60_000)], {4: 22_239, 5: 14_826}, []),
    "twice on a day": ([interval(4, 40_000), interval(4, 30_000)], {4: 17_297}, []),
    "rising": ([interval(4, 60_000), interval(5, 90_000)], {4: 14_826, 5: 22_239}, ["totals_rise"]),
    "counted on past the field": ([interval(4, 90_000), interval(5, 150_000)], {4: 22_239, 5: 14_826}, ["totals_rise"]),
    "counted on by their time": (
        [interval(4, 20_000, (119, 7_000)), interval(5, 50_000, (119, 14_000))],
        {4: 4_942, 5: 7_413},
        ["totals_rise"],
    ),
    "by Greenwich's clock": ([interval(5, 40_000, clock="01:00:00Z", to="02:00:00Z")], {4: 9_884}, []),
    "nothing": ([interval(4, 0)], {}, ["task_without_log"]),
    "planned": ([interval(4, 40_000).replace('D="4"', 'D="1"')], {}, ["task_without_log"]),
    "none": ([], {}, ["task_without_log"]),
}


@pytest.mark.parametrize(("stretches", "acres", "told"), STRETCHES.values(), ids=STRETCHES)
def test_totals_alone_are_passes(tmp_path: Path, stretches: list[str], acres: dict[int, int], told: list[str]) -> None:
    parsed = card(tmp_path, task="".join(stretches))
    found = passes(parsed)
    assert {each.day.day: each.acres for each in found} == acres
    assert codes(parsed) == told
    assert {(each.machine, str(each.practice), each.depth_in, each.points) for each in found} <= {
        ("disk", "tillage", None, 0)
    }


def test_totals_count_on_days_that_no_log_has_and_under_the_machine_that_the_task_names(tmp_path: Path) -> None:
    stretches = interval(4, 90_000) + interval(5, 60_000) + '<DAN A="0" C="DVC-2"/>'
    parsed = card(
        tmp_path,
        ["tractor", "disk"],
        task=stretches,
        channels=[(67, "DET-2")],
        content=b"".join(log({0: [(0, 9_000)]})),
    )
    assert [(each.machine, each.day.day, each.acres) for each in passes(parsed)] == [
        ("disk", 4, 1_330),
        ("disk", 5, 14_826),
    ]


def test_what_was_applied_in_all_makes_a_rate_over_the_area(tmp_path: Path) -> None:
    task = '<PAN A="PDT-1" E="DET-1"/>' + interval(4, 40_000, (80, 3_000))
    (found,) = passes(card(tmp_path, ["sprayer"], task=task, before='<PDT A="PDT-1" B="UAN 32"/>'))
    # 3,000 l on 4 ha are 750 l/ha.
    assert found.applied == (Applied("UAN 32", 80_180, "gal/ac"),)
    parts = "".join(f'<DLV A="0050" B="1500" C="DET-1{number}"/>' for number in (1, 2))
    for whole in ("", '<DLV A="0050" B="3000" C="DET-1"/>'):
        more = interval(4, 40_000).replace("</TIM>", f"{whole}{parts}</TIM>")
        task = f'<PAN A="PDT-1" E="DET-1"/>{more}'
        (found,) = passes(card(tmp_path, ["sprayer"], task=task, before='<PDT A="PDT-1" B="UAN 32"/>'))
        assert found.applied == (Applied("UAN 32", 80_180, "gal/ac"),)


def test_a_tractors_log_is_the_work_of_its_machine_and_planned_tasks_are_told(tmp_path: Path) -> None:
    task, content = '<DAN A="0" C="DVC-2"/>', b"".join(log({0: [(0, 9_000)]}))
    (found,) = passes(card(tmp_path, ["tractor", "disk"], task=task, channels=[(67, "DET-1")], content=content))
    assert (found.machine, str(found.practice), found.acres) == ("disk", "tillage", 1_330)
    planned = '<TSK A="TSK-9" B="Spray later" G="1"/><PDT A="PDT-1" B="UAN 32"/>'
    parsed = card(tmp_path, ["disk", "drill"], task=interval(4, 10) + '<DAN A="0" C="DVC-2"/>', before=planned)
    assert codes(parsed) == ["machine_without_log", "planned_task", "product_without_task"]
    told = " ".join(each.cause for each in parsed.problems)
    assert all(each in told for each in ("'drill'", "Spray later", "UAN 32"))


PRODUCTS: Final = (
    '<PDT A="PDT-1" B="UAN 32"/><PDT A="PDT-2" B="Glyphosate 4.5"/><PDT A="PDT-3" B="Instinct NXTGEN"/>'
    '<PDT A="PDT-4" B="Tank mix" F="2" G="1000"><PRN A="PDT-1" B="980"/><PRN A="PDT-3" B="20"/></PDT>'
    '<PDT A="PDT-5" B="Some mix" F="2"><PRN A="PDT-1" B="9"/><PRN A="PDT-2" B="1"/></PDT>'
)
SPRAYED: Final = ((67, "DET-1"), (141, "DET-1"), (2, "DET-1"))
SPRAY: Final = {0: [(0, 9_000), (1, 1), (2, 1_870_000)], 150: [(2, 3_740_000)]}
EVEN: Final = {0: [(0, 9_000), (1, 1), (2, 1_870_000)]}


def allocated(
    product: int, since: str = "", until: str = "", *, kind: int = 4, mode: str = "", element: str = "DET-1"
) -> str:
    stop = f' B="2026-05-04T{until}"' if until else ""
    stamp = f'<ASP A="2026-05-04T{since}"{stop} D="{kind}"/>' if since else ""
    return f'<PAN A="PDT-{product}" E="{element}"{mode}>{stamp}</PAN>'


def applied(product: str, rate: int, acres: int | None = None, **more: object) -> Applied:
    return Applied(product, rate, "gal/ac" if rate else "", acres=acres, **more)  # type: ignore[arg-type]


TOGETHER: Final = ["products_together"]
SUMMER: Final = '<TIM A="2026-05-04T13:00:00Z" D="4"/>'
TURN: Final = [applied("UAN 32", 19_992, 667), applied("Glyphosate 4.5", 39_983, 663, part=1)]
MIXED: Final = [applied("UAN 32", 19_992, is_shared=True), applied("Glyphosate 4.5", 19_992, is_shared=True)]
HELD: Final = [applied("UAN 32", 19_992, is_shared=True), applied("Instinct NXTGEN", 19_992, is_shared=True)]


ALLOCATIONS: Final = {
    "in turn": ([allocated(1, "08:00:00", "08:02:30"), allocated(2, "08:02:30", "08:05:00")], SPRAY, TURN, []),
    "until the next": ([allocated(1, "07:00:00"), allocated(2, "08:02:30")], SPRAY, TURN, []),
    "by Greenwich's clock": (
        [allocated(1, "13:00:00Z", "14:02:30Z"), allocated(2, "14:02:30Z")],
        SPRAY,
        TURN,
        ["products_at_greenwich"],
    ),
    "in summer time": ([allocated(1, "13:00:00Z"), allocated(2, "13:02:30Z"), SUMMER], SPRAY, TURN, []),
    "filled up": (
        [allocated(1, "08:00:00", "08:02:30"), allocated(1, "08:02:30")],
        EVEN,
        [applied("UAN 32", 19_992)],
        [],
    ),
    "then nothing": ([allocated(1, "08:00:00", "08:02:30")], SPRAY, [TURN[0], applied("", 39_983, 663, part=1)], []),
    "planned": ([allocated(1), allocated(2, "08:02:30", kind=1)], EVEN, [applied("UAN 32", 19_992)], []),
    "emptied": ([allocated(1), allocated(2, mode=' D="2"')], EVEN, [applied("UAN 32", 19_992)], []),
    "of a bin": ([allocated(1, element="DET-12")], EVEN, [applied("UAN 32", 19_992)], []),
    "of any element": ([allocated(1, element="")], EVEN, [applied("UAN 32", 19_992)], []),
    "with an inhibitor": ([allocated(1), allocated(3)], EVEN, HELD, TOGETHER),
    "with a herbicide": ([allocated(1), allocated(2)], EVEN, MIXED, TOGETHER),
    "a mixture": ([allocated(4)], EVEN, [applied("UAN 32", 19_592), applied("Instinct NXTGEN", 400)], []),
    "one without shares": ([allocated(5)], EVEN, MIXED, TOGETHER),
    "no rate": ([allocated(1)], {0: EVEN[0][:2]}, [applied("UAN 32", 0)], []),
    "none": ([], EVEN, [applied("", 19_992)], []),
}


@pytest.mark.parametrize(("task", "said", "expected", "told"), ALLOCATIONS.values(), ids=ALLOCATIONS)
def test_each_product_goes_on_its_own_part_or_is_asked(
    tmp_path: Path, task: list[str], said: Said, expected: list[Applied], told: list[str]
) -> None:
    parsed = card(
        tmp_path, ["sprayer"], task="".join(task), before=PRODUCTS, channels=SPRAYED, content=b"".join(log(said))
    )
    (found,) = passes(parsed)
    assert (found.acres, list(found.applied)) == (1_330, expected)
    assert [each for each in codes(parsed) if each != "product_without_task"] == told


def test_two_implements_of_one_log_are_two_passes_and_a_cart_rides_along(tmp_path: Path) -> None:
    channels = [
        (67, "DET-1"),
        (52, "DET-1"),
        (67, "DET-2"),
        (141, "DET-2"),
        (57, "DET-2"),
        (397, "DET-3"),
        (67, "DET-4"),
        (2, "DET-4"),
    ]
    said = [(0, 3_000), (1, 120), (2, 4_000), (3, 1), (4, 40), (5, 2_000), (6, 3_000), (7, 1_870_000)]
    content = b"".join(log({0: said, 150: [(3, 0)]}))
    found = passes(card(tmp_path, ["disk", "drill", "tractor", "cart"], channels=channels, content=content))
    assert [(each.machine, each.width_ft, each.depth_in, each.acres, each.rides_along) for each in found] == [
        ("disk", 9_843, 4_724, 222, False),
        ("drill", 13_123, 1_575, 297, False),
        ("cart", 9_843, None, 222, True),
    ]
    assert [len(each.applied) for each in found] == [0, 0, 1]


WIDE: Final = {0: [(0, 9_000), (1, 1)]}
DISKED: Final = ((67, "DET-1"), (141, "DET-1"))
DISKING: Final = log(WIDE)


def damaged(folder: Path, content: bytes) -> tuple[list[tuple[str, int, int | None]], list[str]]:
    parsed = card(folder, channels=DISKED, content=content)
    return [(str(each.day), each.points, each.acres) for each in passes(parsed)], [
        each.cause for each in parsed.problems if each.code == "bad_log"
    ]


@pytest.mark.parametrize("filling", [b"\0", b"\xff"])
@pytest.mark.parametrize("length", [6, 15, 16, 400])
def test_what_fills_a_log_up_is_nothing(tmp_path: Path, filling: bytes, length: int) -> None:
    assert damaged(tmp_path, b"".join(DISKING) + filling * length) == ([("2026-05-04", 300, 1_330)], [])


@pytest.mark.parametrize("byte", range(16))
@pytest.mark.parametrize("change", ["lost", "doubled"])
def test_a_byte_lost_or_doubled_costs_a_record_or_two(tmp_path: Path, byte: int, change: str) -> None:
    whole, at = b"".join(DISKING), len(b"".join(DISKING[:145])) + byte
    content = whole[:at] + (whole[at + 1 :] if change == "lost" else whole[at : at + 1] + whole[at:])
    found, told = damaged(tmp_path, content)
    ((day, points, acres),) = found
    assert day == "2026-05-04"
    assert acres == pytest.approx(1_330, abs=10)
    assert 298 <= points <= 300
    assert not told if points == 300 else any(f"in record {number};" in told[0] for number in (145, 146, 147))


def test_midnight_may_end_the_day_before_and_zeros_between_records_are_told(tmp_path: Path) -> None:
    clocks = [86_398_000, 86_399_000, 86_400_000]
    night = [struct.pack("<I", clock) + each[4:] for clock, each in zip(clocks, log(WIDE, count=3), strict=True)]
    after = [struct.pack("<IH", number * 1000, DAY + 1) + DISKING[2][6:] for number in range(1, 5)]
    found, told = damaged(tmp_path, b"".join([*night, *after]))
    assert ([(day, points) for day, points, _ in found], told) == ([("2026-05-04", 2), ("2026-05-05", 5)], [])
    gap = b"".join([*DISKING[:100], bytes(32), *DISKING[100:]])
    assert damaged(tmp_path, gap)[0] == [("2026-05-04", 300, 1_330)]
    (other,) = log({}, count=1, days=[9_000])
    found, told = damaged(tmp_path, b"".join([*DISKING[:100], other, *DISKING[101:]]))
    assert (found, len(told)) == ([("2026-05-04", 299, 1_330)], 1)
    assert damaged(tmp_path, b"")[0] == []


TWO_YEARS: Final = DAY - 730
WORKED: Final = interval(4, 10)


CLOCKS: Final = {
    "never set at the start": ([0] * 10 + [DAY], [], "", "2026-05-04", ["clock_wrong"]),
    "two years late": ([TWO_YEARS] * 10 + [DAY], [], "", "2026-05-04", ["clock_wrong"]),
    "years ahead": ([DAY + 3_000] * 10 + [DAY], [], "", "2026-05-04", ["clock_wrong"]),
    "lost in between": ([DAY] * 200 + [0], [], "", "2026-05-04", ["clock_wrong"]),
    "of the task's day": ([DAY + 900] * 200 + [DAY], [], WORKED, "2026-05-04", ["clock_wrong"]),
    "never set, with the task's day": ([0], [], WORKED, "2026-05-04", ["clock_wrong"]),
    "another day than the task's": ([TWO_YEARS], [], WORKED, "2024-05-04", ["clock_wrong"]),
    "GPS tells": ([0], [DAY], "", "2026-05-04", ["clock_wrong"]),
    "GPS tells of two years": ([TWO_YEARS], [DAY], "", "2026-05-04", ["clock_wrong"]),
    "GPS agrees": ([DAY], [DAY], "", "2026-05-04", []),
    "weeks that count anew": ([DAY], [DAY - 7 * 1024], "", "2026-05-04", []),
    "no GPS": ([DAY], [0xFFFF], "", "2026-05-04", []),
    "nothing tells": ([0], [], "", None, ["clock_wrong"]),
}


@pytest.mark.parametrize(("days", "gps", "task", "expected", "told"), CLOCKS.values(), ids=CLOCKS)
def test_a_wrong_clock_is_set_by_what_knows_the_day_or_nothing_is_read(
    tmp_path: Path, days: list[int], gps: list[int], task: str, expected: str | None, told: list[str]
) -> None:
    content = b"".join(log(WIDE, days=days, gps=gps))
    parsed = card(tmp_path, channels=DISKED, content=content, gps=bool(gps), task=task)
    logged = [each for each in passes(parsed) if each.points]
    assert [(str(each.day), each.acres) for each in logged] == ([] if expected is None else [(expected, 1_330)])
    assert codes(parsed) == told


ON: Final = 0b01_00_01
OFF: Final = 0b10_11_00


STATES: Final = {
    "condensed": ([(161, "DET-1")], {0: [(1, ON)], 150: [(1, 0)]}, 667),
    "the second sixteen": ([(162, "DET-1")], {0: [(1, ON)], 150: [(1, OFF)]}, 667),
    "both": ([(161, "DET-1"), (162, "DET-1")], {0: [(1, 0), (2, ON)], 150: [(2, 0)]}, 667),
    "the whole is off": ([(161, "DET-1"), (141, "DET-1")], {0: [(1, ON), (2, 1)], 150: [(2, 0)]}, 667),
    "all sections are off": ([(161, "DET-1"), (141, "DET-1")], {0: [(1, ON), (2, 1)], 150: [(1, 0)]}, 667),
    "a whole that says nothing": ([(161, "DET-1"), (141, "DET-1")], {0: [(1, ON)]}, 1_330),
    "a section": ([(141, "DET-1"), (141, "DET-11")], {0: [(1, 1), (2, 1)], 150: [(2, 0)]}, 667),
    "what it is part of": ([(141, "DET-1"), (141, "DET-11")], {0: [(1, 1), (2, 1)], 150: [(1, 0)]}, 667),
    "an empty bin": ([(141, "DET-1"), (141, "DET-12")], {0: [(1, 1), (2, 0)]}, 1_330),
    "an error is not on": ([(141, "DET-1")], {0: [(1, 2)]}, None),
}


@pytest.mark.parametrize(("states", "said", "acres"), STATES.values(), ids=STATES)
def test_a_section_makes_it_work(tmp_path: Path, states: list[tuple[int, str]], said: Said, acres: int | None) -> None:
    content = b"".join(log({at: [*([(0, 9_000)] if at == 0 else []), *values] for at, values in said.items()}))
    (found,) = passes(card(tmp_path, channels=[(67, "DET-1"), *states], content=content))
    assert found.acres == acres


ROWS: Final = {
    "seed is no nutrient": (["drill"], "Rye seed", 7, ["drill"], [], "seed_sown"),
    "a variety without a rate": (["drill"], "P1197", 0, ["drill"], [], "seed_sown"),
    "starter through a drill": (["drill"], "UAN 32", 2, ["drill"], [("UAN 32", 19_992)], ""),
    "a rate that nobody knows": (["sprayer"], "UAN 32", 0, ["sprayer"], [("UAN 32", None)], ""),
    "a herbicide": (["sprayer"], "Glyphosate", 2, ["sprayer"], [], "sprayed_product"),
    "a spreader": (["cart"], "UAN 32", 2, ["cart"], [("UAN 32", 19_992)], ""),
    "a cart behind a disk": (["cart", "disk"], "UAN 32", 2, ["disk"], [("UAN 32", 19_992)], ""),
}


@pytest.mark.parametrize(("devices", "product", "rated", "passes", "nutrients", "told"), ROWS.values(), ids=ROWS)
def test_what_machines_did_and_put_on_are_rows(
    book: Path, devices: list[str], product: str, rated: int, passes: list[str], nutrients: list[object], told: str
) -> None:
    channels = [(67, f"DET-{at}") for at in range(1, len(devices) + 1)] + [(rated or 141, "DET-1")]
    values = [*((at, 9_000) for at in range(len(devices))), (len(devices), 1_870_000 if rated else 1)]
    before = f'<PDT A="PDT-1" B="{product}"/>'
    content = b"".join(log({0: values}))
    card(book.parent, devices, task=allocated(1), before=before, channels=channels, content=content)
    plan = brought(book, "copy.zip", (book.parent / "card.zip").read_bytes(), ACCEPTED)
    kept = load_book(book)
    assert [row["operation"] for row in kept["operation"]] == passes
    assert [(row["product"], row["rate"]) for row in kept["nutrient_application"]] == nutrients
    assert not told or told in [each.code for each in plan.problems]


INHIBITED: Final = {
    "allocated together": ([1, 3], [("UAN 32", 19_992, "Instinct NXTGEN", None)]),
    "with its share": ([4], [("UAN 32", 19_592, "Instinct NXTGEN", 400)]),
    "two fertilizers": ([1, 6], [("UAN 32", None, None, None), ("MAP", None, None, None)]),
    "two with it": ([1, 6, 3], [("UAN 32", None, "Instinct NXTGEN", None), ("MAP", None, "Instinct NXTGEN", None)]),
    "with a herbicide": ([1, 2], [("UAN 32", None, None, None)]),
}


@pytest.mark.parametrize(("products", "rows"), INHIBITED.values(), ids=INHIBITED)
def test_an_inhibitor_goes_with_its_fertilizer_alone(book: Path, products: list[int], rows: list[object]) -> None:
    task, before = "".join(map(allocated, products)), PRODUCTS + '<PDT A="PDT-6" B="MAP"/>'
    card(book.parent, ["sprayer"], task=task, before=before, channels=SPRAYED, content=b"".join(log(EVEN)))
    brought(book, "copy.zip", (book.parent / "card.zip").read_bytes(), ACCEPTED)
    found = load_book(book).every(NutrientApplication)
    applied = [(row.product, row.rate, row.inhibitor, row.inhibitor_rate) for row in found]
    assert sorted(applied, key=str) == sorted(rows, key=str)
