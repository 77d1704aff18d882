"""Where a unit lies: a boundary that is there and agrees, FSA farm, tract and field, or words of the law (1.10)."""

import json
from dataclasses import replace
from functools import wraps
from pathlib import Path

import pytest
from shapely import from_geojson

from provender.formats import child
from provender.formats.boundaries import Boundaries, read_boundaries
from provender.formats.geometry import acres_of
from provender.formats.importing.foreign import drawn
from provender.portfolio.export import outlines
from provender.records.book import HeldFiles, RecordBook
from provender.records.folder import save_book
from provender.report import plausibility as remembered
from provender.report.document import build
from provender.report.signing import refusals
from provender.report.supporting import record_hashes
from provender.signing.canonical import sha256_hex
from provender.verdicts.assess import assess
from tests.report.official import DAY, official_rows, quantified
from tests.standards.season import Rows, book_of, changed, square, verdict_of

REAL = child._converse
FIELD, LAW = "4711-1203-2", "NE1/4 of section 12, T11S R15E"
IOWA = {"west": -93.6, "south": 42.0}


def placed(**cells: str) -> Rows:
    return changed(official_rows(), "unit", 0, **cells)


def codes(book: RecordBook) -> set[str]:
    """Return why the report of a book may not be signed, by code."""
    judged = assess(book)
    return {one.code for one in refusals(build(judged, quantified(judged), as_of=DAY))}


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({}, set()),
        ({"boundary": "gone.geojson"}, {"unit_without_place"}),
        ({"boundary": "gone.geojson", "fsa_field": FIELD}, set()),
        ({"boundary": "gone.geojson", "legal_description": LAW}, set()),
        ({"boundary": "gone.geojson", "fsa_field": "4711-1203"}, {"unit_without_place"}),
        ({"boundary": "gone.geojson", "legal_description": "behind the barn"}, {"unit_without_place"}),
        ({"boundary": "", "fsa_field": "farm 4711, tract 1203, field 2A"}, set()),
        ({"boundary": "", "legal_description": LAW}, set()),
        ({"boundary": ""}, {"records_incomplete"}),
        ({"boundary": "", "fsa_field": "4711-1203"}, {"records_incomplete"}),
        ({"boundary": "", "legal_description": "home place"}, {"records_incomplete"}),
    ],
)
def test_a_place_is_a_boundary_with_its_file_or_words_that_lead_there(cells: dict[str, str], told: set[str]) -> None:
    assert codes(book_of(placed(**cells))) == told


@pytest.mark.parametrize(
    ("outline", "told"),
    [
        (square(40), set()),
        (square(20), {"boundary_contradicted"}),
        (square(80), {"boundary_contradicted"}),
        (square(40, **IOWA), {"boundary_contradicted"}),
        ("no outline at all", {"unit_without_place"}),
        ('{"type": "FeatureCollection", "features": []}', {"unit_without_place"}),
    ],
)
@pytest.mark.parametrize("on_disk", [True, False])
def test_books_on_disk_and_server_are_alike(outline: str, told: set[str], tmp_path: Path, *, on_disk: bool) -> None:
    book = book_of(official_rows())
    if on_disk:
        save_book(book, tmp_path)
        for name, text in (("n40.geojson", outline), ("s.geojson", square(12))):
            (tmp_path / "boundaries").mkdir(exist_ok=True)
            (tmp_path / "boundaries" / name).write_text(text)
        book = replace(book, folder=tmp_path)
    else:
        drawn = {("F1", "n40.geojson"): outline.encode, ("F1", "s.geojson"): square(12).encode}
        book = replace(book, boundaries=HeldFiles(drawn))
    assert codes(book) == told


def both_fields(names: tuple[str, str], acres: tuple[float, float] = (40, 12), west: float = -95.6) -> str:
    fields = [json.loads(square(size, west=west)) for size, west in zip(acres, (-95.7, west), strict=True)]
    features = [one | {"properties": {"name": name}} for one, name in zip(fields, names, strict=True)]
    return json.dumps({"type": "FeatureCollection", "features": features})


@pytest.mark.parametrize(
    ("names", "acres", "told"),
    [
        (("N40", "S12"), (40, 12), set()),
        (("n40 ", "south"), (40, 12), set()),
        (("N40", "S12"), (20, 12), {"boundary_contradicted"}),
        (("East", "West"), (28, 12), set()),
        (("East", "West"), (40, 12), {"boundary_contradicted"}),
    ],
)
def test_of_a_file_with_several_fields_a_unit_has_its_own(
    names: tuple[str, str], acres: tuple[float, float], told: set[str], tmp_path: Path
) -> None:
    text = both_fields(names, acres)
    book = book_of(placed(boundary="farm.geojson"))
    kept = HeldFiles({("F1", "farm.geojson"): text.encode, ("F1", "s.geojson"): square(12).encode})
    assert codes(replace(book, boundaries=kept)) == told
    save_book(book, tmp_path)
    (tmp_path / "boundaries").mkdir(exist_ok=True)
    (tmp_path / "boundaries" / "farm.geojson").write_text(text)
    saved = replace(book, folder=tmp_path)
    unit = book["unit"][0]
    (shape,) = {outlines(tmp_path, book["unit"][:1])["N40"], from_geojson(drawn(saved, unit, {}))}
    mine = acres[0] if names[0].strip().casefold() == "n40" else sum(acres)
    assert abs(acres_of(shape) - mine * 1000) < 50


@pytest.mark.parametrize(
    ("names", "west", "told"),
    [
        (("N40", "S12"), -95.6, set()),
        (("N40", "South"), -95.6, set()),
        (("N40", "S12"), -95.7, {"boundary_shared"}),
        (("East", "West"), -95.6, {"boundary_shared", "boundary_contradicted"}),
        (("N40", "West"), -95.6, {"boundary_shared"}),
    ],
)
def test_units_of_one_file_are_twins_on_shared_ground(names: tuple[str, str], west: float, told: set[str]) -> None:
    text = both_fields(names, west=west)
    rows = changed(placed(boundary="farm.geojson"), "unit", 1, boundary="farm.geojson")
    book = replace(book_of(rows), boundaries=HeldFiles({("F1", "farm.geojson"): text.encode}))
    assert codes(book) & {"boundary_shared", "boundary_contradicted"} == told


@pytest.mark.parametrize("name", ["../n40.geojson", "/etc/hostname", "boundaries"])
def test_a_name_that_leads_out_of_the_folder_is_no_place(name: str, tmp_path: Path) -> None:
    (tmp_path / "boundaries").mkdir()
    (tmp_path / "n40.geojson").write_text(square(40))
    book = replace(book_of(placed(boundary=name)), folder=tmp_path)
    assert codes(book) == {"unit_without_place"}


ODD = ["..", ".", "../..", "x" * 300, "x" * 300 + ".geojson", "x." + "y" * 300, "/", " "]


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("on_disk", [True, False])
def test_a_name_that_no_disk_takes_stops_nothing(name: str, tmp_path: Path, *, on_disk: bool) -> None:
    book = book_of(placed(boundary=name, legal_description=LAW))
    (tmp_path / "boundaries").mkdir()
    kept = HeldFiles({("F1", name): "{}".encode})
    assert codes(replace(book, folder=tmp_path) if on_disk else replace(book, boundaries=kept)) == set()
    bare = book_of(placed(boundary=name))
    told = codes(replace(bare, folder=tmp_path) if on_disk else replace(bare, boundaries=kept))
    assert told == ({"records_incomplete"} if not name.strip() else {"unit_without_place"})


@pytest.mark.parametrize("name", ["..", "x" * 300, "x" * 300 + ".geojson"])
def test_outlines_that_others_keep_are_read_by_their_content_under_any_name(name: str) -> None:
    kept = HeldFiles({("F1", name): square(40).encode, ("F1", "s.geojson"): square(12).encode})
    assert codes(replace(book_of(placed(boundary=name)), boundaries=kept)) == set()


def test_outlines_that_others_keep_are_never_read_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    @wraps(read_boundaries)
    def here(*_: object, **__: object) -> None:
        raise AssertionError("read in the process that answers everybody")

    monkeypatch.setattr("provender.formats.boundaries.read_boundaries", here)
    monkeypatch.setattr(child, "_converse", REAL)
    drawn = {("F1", "n40.geojson"): square(21).encode, ("F1", "s.geojson"): square(12).encode}
    book = replace(book_of(official_rows()), boundaries=HeldFiles(drawn))
    assert codes(book) == {"boundary_contradicted"}


def test_what_was_read_once_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = {("F1", "n40.geojson"): square(19).encode, ("F1", "s.geojson"): square(13).encode}
    book = replace(book_of(official_rows()), boundaries=HeldFiles(drawn))
    first = codes(book)
    monkeypatch.setattr("provender.formats.child.parse_many", None)
    assert codes(book) == first == {"boundary_contradicted"}


@pytest.mark.parametrize("requirement", ["records_tillage_unit", "records_cover_unit", "records_nutrients_unit"])
def test_the_records_name_a_place(requirement: str) -> None:
    for cells, answer in (({}, True), ({"boundary": ""}, None), ({"boundary": "", "fsa_field": FIELD}, True)):
        assert verdict_of(placed(**cells), requirement) is answer


NAME = "home.geojson"
KEY = ("farm", NAME)


class Held(dict[str, str]):
    """A memory that loses nothing."""

    put = dict.__setitem__


@pytest.fixture(autouse=True)
def _process_that_knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_known", {})


def content(west: float = -93.6) -> bytes:
    return square(40, west=west, south=42.0).encode()


def outline(memory: Held | None, text: bytes | None = None) -> Boundaries | None:
    files = HeldFiles({KEY: lambda: content() if text is None else text}, memory)
    return remembered.outlines_of(RecordBook.of({}, boundaries=files), "farm", [NAME])[NAME]


def another_process(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Forget what this process knows; return where each child that is started from now on is written down."""
    started: list[str] = []
    converse = child._converse

    def counted(request: str, *more: object) -> object:
        started.append(request)
        return converse(request, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(remembered, "_known", {})
    monkeypatch.setattr(child, "_converse", counted)
    return started


def test_what_is_kept_needs_no_child_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Held()
    first = outline(memory)
    assert first is not None
    assert len(memory) == 1
    started = another_process(monkeypatch)
    assert outline(memory) == first
    assert started == []
    assert outline(memory, b"no outline") is None
    started = another_process(monkeypatch)
    assert outline(memory, b"no outline") is None
    assert started == []


def test_without_a_keeper_each_process_reads_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    first = outline(None)
    started = another_process(monkeypatch)
    assert outline(None) == first
    assert len(started) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"fields": 7}', json.dumps({"other": []})])
def test_what_is_kept_and_cannot_be_understood_is_read_anew(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    memory = Held()
    first = outline(memory)
    memory.update(dict.fromkeys(memory, text))
    started = another_process(monkeypatch)
    assert outline(memory) == first
    assert len(started) == 1
    assert set(memory.values()) != {text}, "what was outline anew is kept in its place"


def test_another_file_of_the_same_name_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Held()
    first = outline(memory)
    started = another_process(monkeypatch)
    moved = content(-93.5)
    assert outline(memory, moved) != first
    assert len(started) == 1


HEADING = "evidence_id,unit_id,what,file,taken_on,sha256"
ROWS = (
    'E1,,ticket,"a, b.pdf",2025-10-01,',
    "E2,,ticket,,2025-10-01,",
    "E3,,ticket,c.pdf,the first of May,",
    "E4,,ticket,gone.pdf,2025-10-01,",
    f"E5,,ticket,c.pdf,2025-10-01,{'ab' * 32}",
)


def folder_with(tmp_path: Path, text: str) -> Path:
    (tmp_path / "farm.csv").write_text("farm_id,name\nF1,Ada\n")
    (tmp_path / "evidence.csv").write_text(text)
    for name in ("a, b.pdf", "c.pdf"):
        for place in (tmp_path, tmp_path / "evidence"):
            place.mkdir(exist_ok=True)
            (place / name).write_bytes(name.encode())
    return tmp_path


def test_hashes_are_written_where_blank_also_into_a_table_without_the_column_and_once_a_file(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "\n".join([HEADING, *ROWS, ""]))
    assert record_hashes(folder) == 2
    lines = (folder / "evidence.csv").read_text().splitlines()
    first, unreadable_day = ROWS[0] + sha256_hex(b"a, b.pdf"), ROWS[2] + sha256_hex(b"c.pdf")
    assert lines == [HEADING, first, ROWS[1], unreadable_day, *ROWS[3:]]
    assert record_hashes(folder) == 0
    assert (folder / "evidence.csv").read_text().splitlines() == lines
    folder = folder_with(tmp_path, "evidence_id,what,file\nE1,ticket,c.pdf\nE2,nonsense,c.pdf\n")
    assert record_hashes(folder) == 1
    lines = (folder / "evidence.csv").read_text().splitlines()
    assert lines == ["evidence_id,what,file,sha256", f"E1,ticket,c.pdf,{sha256_hex(b'c.pdf')}", "E2,nonsense,c.pdf,"]
    rows = "E1,photograph,c.pdf,N1\nE2,photograph,c.pdf,N2\nE3,ticket,a.pdf,\n"
    folder = folder_with(tmp_path, f"evidence_id,what,file,unit_id\n{rows}")
    (folder / "evidence" / "a.pdf").write_bytes(b"a")
    assert record_hashes(folder) == 1
    assert [line.count(sha256_hex(b"c.pdf")) for line in (folder / "evidence.csv").read_text().splitlines()] == [0] * 4
