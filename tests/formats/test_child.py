"""Whatever a file does to its reader, it ends as a problem of that file."""

import datetime as dt
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.formats.child import Limits, parse_limited, parse_many
from provender.formats.parsed import READERS, WorkbookFile, decode_parsed, find, grouped, result_type
from provender.problem import Place, Problem, Weight
from provender.schema import read, write
from tests.formats.conftest import Write
from tests.formats.told import codes


def test_a_sound_file_comes_back_typed_problems_name_the_file_as_people_know_it_and_readers_are_known(
    write: Write,
) -> None:
    parsed = parse_limited("spreadsheet", write("a.csv", "field,acres\nN40,80.25\n"))
    assert isinstance(parsed.result, WorkbookFile)
    assert [line.cells for line in parsed.result.sheets[0].lines] == [("field", "acres"), ("N40", "80.25")]
    assert parsed.problems == ()
    parsed = parse_limited("sniff", write("3f2a9c", b"\0closed"), name="job 5.agdata")
    assert [problem.place.file for problem in parsed.problems] == ["job 5.agdata"]
    with pytest.raises(KeyError):
        parse_limited("astrology", write("a.csv", "a"))


@pytest.mark.parametrize("name", READERS)
def test_every_reader_is_found_and_declares_its_result(name: str) -> None:
    assert result_type(find(name)) is not None


def test_missing_empty_and_special_files_are_refused_without_a_child(write: Write, tmp_path: Path) -> None:
    paths = (tmp_path / "none.csv", write("empty.csv", ""), tmp_path, Path("/dev/zero"))
    found = parse_many("spreadsheet", [(path, path.name) for path in paths])
    assert [codes(each) for each in found] == [["no_file"], ["empty_file"], ["no_file"], ["no_file"]]


SMALL, HUGE = "a,b\n1,2\n", "1,2,3,4,5,6,7,8\n" * 1_000_000
MEMORY = {"reading_too_big", "reading_failed"}  # where the memory runs out is the system's choice


@pytest.mark.parametrize(
    ("text", "limits", "told"),
    [
        (SMALL, Limits(file_bytes=8), set()),
        (SMALL, Limits(file_bytes=7), {"file_too_big"}),
        (SMALL, Limits(wall_seconds=0), {"reading_too_slow"}),
        (SMALL * 999, Limits(result_bytes=9), {"reading_too_big"}),
        (HUGE, Limits(address_bytes=200 * 2**20), MEMORY),
        (SMALL, Limits(address_bytes=2**20), MEMORY),
    ],
    ids=["at the size", "over the size", "on the wall", "a long answer", "memory", "too little to start"],
)
def test_a_file_beyond_a_limit_is_refused_and_one_at_it_is_read(
    write: Write, text: str, limits: Limits, told: set[str]
) -> None:
    parsed = parse_limited("spreadsheet", write("a.csv", text), limits=limits)
    assert bool(parsed.problems) is bool(told)
    assert set(codes(parsed)[:1]) <= told
    assert (parsed.result is None) is bool(told)


def test_a_file_that_costs_its_child_the_life_does_not_cost_the_others_theirs(write: Write) -> None:
    small = write("small.csv", SMALL)
    huge = write("huge.csv", HUGE)
    files = [(small, "first.csv"), (huge, "huge.csv"), (small, "last.csv")]
    first, killed, last = parse_many("spreadsheet", files, limits=Limits(cpu_seconds=1))
    assert isinstance(first.result, WorkbookFile)
    assert codes(killed) == ["reading_too_slow"]
    assert killed.problems[0].place.file == "huge.csv"
    assert isinstance(last.result, WorkbookFile)


def test_a_module_in_the_working_folder_is_not_imported(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a.csv", "a,b\n1,2\n")
    write("json.py", "raise SystemExit('taken over')")
    monkeypatch.chdir(path.parent)
    assert parse_limited("spreadsheet", path).problems == ()


def test_no_reader_brings_the_column_engine_into_the_child() -> None:
    modules = sorted({target.partition(":")[0] for target in READERS.values()})
    code = (
        f"import sys, {', '.join(modules)}; print([name for name in ('polars', 'dataframely') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.strip() == "[]"


@dataclass(frozen=True, slots=True)
class Crossing:
    text: str
    number: int
    place: float | None
    day: dt.date
    moment: dt.datetime | None
    weight: Weight
    names: tuple[str, ...]
    pair: tuple[int, str]
    by_name: dict[str, tuple[int, ...]]
    problem: Problem


@given(
    st.builds(
        Crossing,
        st.text(),
        st.integers(),
        st.none() | st.floats(allow_nan=False, allow_infinity=False),
        st.dates(),
        st.none() | st.datetimes(),
        st.sampled_from(Weight),
        st.lists(st.text()).map(tuple),
        st.tuples(st.integers(), st.text()),
        st.dictionaries(st.text(), st.lists(st.integers()).map(tuple)),
        st.builds(Problem, st.builds(Place, st.text()), st.text(), st.text(), weight=st.sampled_from(Weight)),
    )
)
def test_a_result_crosses_processes_unchanged(value: Crossing) -> None:
    assert read(Crossing, write(value, whole=True)) == value


@pytest.mark.parametrize(
    "data", [{}, {"result": 3, "problems": []}, {"result": {"file": 1, "sheets": []}, "problems": []}]
)
def test_an_answer_of_another_shape_is_refused(data: dict[str, object]) -> None:
    with pytest.raises((TypeError, KeyError, ValueError)):
        decode_parsed(WorkbookFile, data)


def test_a_value_that_cannot_cross_is_refused_and_problems_that_say_the_same_are_joined() -> None:
    with pytest.raises(TypeError, match="cannot cross"):
        write(object(), whole=True)
    same = [Problem(Place("f", row=row), "no unit.", "Add it.") for row in (3, 5, 9)]
    (joined,) = grouped(same)
    assert (joined.place.row, joined.cause) == (3, "no unit. The same holds for 2 more: row 5, 9.")
