"""A result is of one job over one portfolio; damage is told by file; the report sums up what was found."""

import contextlib
import json
import random
import re
import shutil
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl
import pytest

from bench.nation.build import build
from bench.nation.judge import ALSO, judge
from provender.cli import app
from provender.portfolio import jobs
from provender.portfolio.claims import FINDING, claims, claims_and_problems
from provender.portfolio.custody import CLAIM, MOVEMENT, ORIGIN, PERIOD, REPORT, STATEMENT, TICKET
from provender.portfolio.export import export_books
from provender.portfolio.farm_jobs import FARM, VERDICT, check
from provender.portfolio.frames import FrameBook
from provender.portfolio.jobs import open_portfolio, read_result, run
from provender.portfolio.layout import FAILURES, MARK, NAME, row_count, write_manifest
from provender.portfolio.report import county_map, overview, report_page
from provender.problem import ProblemsError
from provender.records.folder import load_book
from tests.portfolio.test_claims import DAY, frame, honest, square
from tests.portfolio.world import EXAMPLES, PART, farm, rewrite
from tests.rows import CaseRows
from tests.standards.season import clean_season, with_row

ROWS: Final = CaseRows(__file__)

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("two")
    for name, of in (("a", "F1"), ("b", "F2")):
        export_books([(of, farm(of))], folder / name)
    # The second lies elsewhere, so that nothing of it stands in the way of the first one's partitions.
    for path in list((folder / "b").rglob("part-0.parquet")):
        if PART in str(path):
            place = Path(str(path).replace("state=KS", "state=NE"))
            place.parent.mkdir(parents=True)
            path.rename(place)
    return folder


@pytest.fixture
def two(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "two"))


def named(book: FrameBook) -> dict[str, pl.DataFrame]:
    """Return the names of farms: what a job finds is not what decides whose a folder is."""
    return {VERDICT: book["farm"].select("farm_id")}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(job: str, root: Path, out: Path) -> str:
    """Run a job that is refused before anything is written; return why."""
    before = files(out)
    with pytest.raises(ProblemsError) as caught:
        run(job, open_portfolio(root), named, out)
    assert files(out) == before
    (problem,) = caught.value.problems
    assert problem.code == "other_result"
    assert "another folder" in problem.remedy
    return problem.cause


def test_no_portfolio_or_job_clears_or_writes_over_what_another_wrote(two: Path) -> None:
    out = two / "out"
    run("check", open_portfolio(two / "a"), named, out)
    assert str(two / "a") in refused("check", two / "b", out)
    assert "`portfolio check`" in refused("plan", two / "a", out)
    assert set(read_result(out, VERDICT).collect()["farm_id"]) == {"F1"}
    again = run("check", open_portfolio(two / "a"), named, out)
    assert (len(again.made), len(again.stood)) == (0, len(open_portfolio(two / "a").partitions))
    assert "lies in the portfolio" in refused("check", two / "a", two / "a" / "verdicts")
    assert "lies in the portfolio" in refused("check", two / "b", two / "b")
    shutil.copytree(two / "a" / "operation", two / "mine")
    assert "written by no job" in refused("check", two / "a", two / "mine")


def test_a_portfolio_is_itself_by_any_path_and_what_moved_goes(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = two / "out"
    run("check", open_portfolio(two / "a"), named, out)
    monkeypatch.chdir(two)
    (two / "link").symlink_to(two / "a")
    assert run("check", open_portfolio(Path("a")), named, Path("out")).made == ()
    assert run("check", open_portfolio(Path("link")), named, out).made == ()
    for path in (two / "a").rglob("state=KS"):
        path.rename(path.with_name("state=NE"))
    run("check", open_portfolio(two / "a"), named, out)
    assert not (out / PART).exists()
    assert (out / PART.replace("KS", "NE")).is_dir()


def test_a_result_without_its_mark_is_nobodys(two: Path) -> None:
    out = two / "out"
    run("check", open_portfolio(two / "a"), named, out)
    mark = (out / MARK).read_bytes()
    (out / MARK).unlink()
    assert "says of no job" in refused("check", two / "a", out)
    (out / MARK).write_bytes(mark)
    assert run("check", open_portfolio(two / "a"), named, out).made == ()
    (out / MARK).write_text("{")
    assert "it does not name" in refused("check", two / "a", out)


def command(*arguments: object) -> int:
    try:
        return app.call(["portfolio", *map(str, arguments)])
    except SystemExit as ended:
        return int(ended.code or 0)


def test_a_broken_file_is_told_and_not_sealed(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = two / "a" / "operation" / PART / "part-0.parquet"
    sealed, whole = (two / "a" / NAME).read_bytes(), path.read_bytes()
    for broken in (b"", b"PAR1", whole[: len(whole) // 2], whole[:-4] + b"TEXT", whole[:-8] + b"\xff\xff\xff\x7fPAR1"):
        path.write_bytes(broken)
        assert command("validate", two / "a", "--seal", "--out", two / "told") != 0
        said = capsys.readouterr()
        assert f"operation/{PART}/part-0.parquet" in said.err
        assert "Traceback" not in said.err + said.out
        assert (two / "a" / NAME).read_bytes() == sealed
    path.write_bytes(whole)
    assert command("validate", two / "a", "--seal", "--out", two / "told") == 0
    assert json.loads((two / "a" / NAME).read_bytes())["files"] == json.loads(sealed)["files"]
    assert command("validate", two / "nowhere", "--seal") != 0
    assert not (two / "nowhere").exists()


def test_a_footer_that_is_none_is_an_error_and_no_endless_work(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    long = b"\x49\xf1\xff\xff\xff\xff\xff\xff\xff\x7f" + bytes(9)
    for footer in (b"\x1c" * 60_000, long, b"\x1b" + b"\xff" * 8 + b"\x7f\x11"):
        path.write_bytes(b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1")
        with pytest.raises(ValueError, match="out of specification"):
            row_count(path)
    pl.DataFrame({"a": range(25)}).write_parquet(path, row_group_size=10)
    assert row_count(path) == 25
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(ValueError, match="must end with PAR1"):
        row_count(path)


def test_two_farms_under_one_name_in_two_partitions_are_told_as_double_keys(two: Path) -> None:
    for kind in ("farm", "unit", "harvest", "operation"):
        other = two / "b" / kind / PART.replace("KS", "NE") / "part-0.parquet"
        rows = pl.read_parquet(other, hive_partitioning=False).with_columns(farm_id=pl.lit("F1"))
        if kind == "farm":
            rows = rows.with_columns(pl.lit("Somebody Else").alias("name"))
        if kind == "operation":
            rows = rows.with_columns(pl.col("day").dt.offset_by("-1d"))
        place = two / "a" / kind / PART.replace("KS", "NE")
        place.mkdir(parents=True)
        rows.write_parquet(place / "part-0.parquet")
    assert command("validate", two / "a", "--seal", "--out", two / "told") == 1
    told = pl.read_parquet(two / "told" / "problem.parquet")
    assert {"farm_in_two_partitions", "double_key"} <= set(told["code"])
    places = told.filter(code="double_key")
    assert {name.split("/")[0] for name in places["file"]} == {"farm", "operation"}
    assert all("state=NE" in row["file"] + row["cause"] for row in places.iter_rows(named=True))
    assert all("state=KS" in row["file"] + row["cause"] for row in places.iter_rows(named=True))
    run("check", open_portfolio(two / "a"), check, two / "out")
    assert set(read_result(two / "out", VERDICT).collect()["no_till"]) == {None}
    assert jobs.result_files(two / "out", VERDICT)


SEED: Final = 20261123
LEAST: Final = 4
"""Bytes before the first page."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return two farms with the same season and field, and the books of those who bought."""
    root = tmp_path_factory.mktemp("damaged") / "p"
    report = ("F1", "corn", 2025, "O1", 1, 9_000, 2_900_000, DAY, "d", "F1")
    rows: dict[str, list[Any]] = {
        CLAIM: honest(9), ORIGIN: [(f"O{number}", f"F{number}") for number in range(9)], REPORT: [report],
        TICKET: [("coop", "T1", "O1", 500)], MOVEMENT: [("coop", "corn", 2025, 1, DAY, 5, 0, "coop")],
        PERIOD: [("coop", DAY, DAY, "coop")],
        STATEMENT: [("coop", DAY, DAY, "corn", 2025, 1, 0, 5, 0, 5, "coop")],
    }  # fmt: skip
    books = [("one", farm("F1")), ("two", farm("F2"))]
    export_books(books, root, custody={name: frame(name, of) for name, of in rows.items()})
    field = pl.Series("geometry", [square(-96, 39)] * 2)
    rewrite(root, "unit", lambda rows: rows.with_columns(field))
    write_manifest(root)
    return root


@pytest.fixture
def root(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "p"))


def pages_end(path: Path) -> int:
    tail = path.read_bytes()[-8:]
    return path.stat().st_size - 8 - int.from_bytes(tail[:4], "little")


def damage(path: Path, at: int, count: int) -> None:
    """Turn over the bytes of pages; the footer stays as it is, and so does what a new manifest says of the file."""
    data = bytearray(path.read_bytes())
    for place in range(at, min(at + count, pages_end(path))):
        data[place] ^= 0x5A
    path.write_bytes(data)


def damaged(root: Path, data_set: str) -> str:
    path = next((root / data_set).rglob("*.parquet"))
    damage(path, LEAST, pages_end(path))
    write_manifest(root)
    return path.relative_to(root).as_posix()


def ran(root: Path, job: str) -> int:
    to = root.with_name("result")
    where: dict[str, list[str]] = {
        "claims": ["--out", f"{to}.parquet"], "book": ["--out", f"{to}.parquet"], "report": ["--to", f"{to}.html"],
        "import": ["--farm", "F1", "--into", str(to)],
    }  # fmt: skip
    return command(job, root, *where.get(job, ["--out", str(to)]), "--json")


def told(text: str) -> dict[str, str]:
    """Return the remedies of files that cannot be read, by file."""
    problems = [one for one in json.loads(text)["problems"] if one["code"] == "unreadable_file"]
    return {one["file"] if "file" in one else one["place"]["file"]: one["remedy"] for one in problems}


@ROWS
def test_every_job_names_damaged_files(
    root: Path, capsys: pytest.CaptureFixture[str], job: str, data_sets: list[str]
) -> None:
    inside = {damaged(root, one) for one in data_sets}
    assert ran(root, job) == 1
    remedies = told(capsys.readouterr().out)
    assert remedies.keys() == inside
    assert all(one.startswith("Get it again") for one in remedies.values())
    # What stands already tells it again.
    if job in ("check", "intensity"):
        assert ran(root, job) == 1
        assert told(capsys.readouterr().out).keys() == inside


def test_outlines_alone_that_are_damaged_are_told(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = next((root / "unit").rglob("*.parquet"))
    sound = path.read_bytes()
    names = [name for name in pl.read_parquet_schema(path) if name != "geometry"]
    for at in range(LEAST, pages_end(path), 8):
        damage(path, at, 8)
        try:
            pl.read_parquet(path, columns=names, hive_partitioning=False)
        except FAILURES:
            path.write_bytes(sound)
            continue
        try:
            pl.read_parquet(path, columns=["geometry"], hive_partitioning=False)
        except FAILURES:
            break
        path.write_bytes(sound)
    assert path.read_bytes() != sound
    write_manifest(root)
    assert ran(root, "validate") == 1
    assert list(told(capsys.readouterr().out)) == [path.relative_to(root).as_posix()]


@pytest.mark.parametrize("count", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_no_damage_ends_a_search(root: Path, count: int) -> None:
    """Some of these make the reader panic, which is no ``Exception``; others give other values, which hashes show."""
    dice = random.Random(SEED)
    files = [next((root / name).rglob("*.parquet")) for name in (CLAIM, REPORT, "farm", "unit")]
    failed = 0
    for number in range(count):
        path = files[number % len(files)]
        sound = path.read_bytes()
        damage(path, dice.randrange(LEAST, pages_end(path)), 16)
        with contextlib.suppress(*FAILURES):
            pl.read_parquet(path, hive_partitioning=False)
            failed -= 1
        failed += 1
        _, problems = claims_and_problems(open_portfolio(root))
        assert problems, (SEED, number)
        path.write_bytes(sound)
    assert failed > count // 4


HOSTILE: Final = "</script><img src=x onerror=alert(1)>{{data}}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    ticket = {"ticket_id": "T9", "buyer": HOSTILE, "day": "2025-10-22", "crop": "corn", "net_bushels": "700"}
    rows = with_row(clean_season(), "scale_ticket", **ticket)
    books = [("a", load_book(EXAMPLES / "bluestem-farm")), ("b", farm("F1", rows)), ("c", farm("F2", rows))]
    export_books(books, folder / "p")
    with pytest.raises(SystemExit) as ended:
        app.call(["portfolio", "report", str(folder / "p"), "--to", str(folder / "r.html"), "--xlsx",
                  str(folder / "r.xlsx"), "--as-of", "2026-02-01"])  # fmt: skip
    assert not ended.value.code
    return folder


def data(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])  # type: ignore[no-any-return]


def test_the_page_sums_up_what_the_jobs_found_and_neither_obeys_nor_asks_anybody(made: Path) -> None:
    page = (made / "r.html").read_text(encoding="utf-8")
    rows = data(page)["counties"]
    farms = read_result(made / "p-results" / "intensity", FARM).collect()
    corn = farms.row(by_predicate=(pl.col("farm_id") == "BLUESTEM") & (pl.col("crop") == "corn"), named=True)
    mine = [row for row in rows if row["county"] == "Pottawatomie" and row["crop"] == "corn"]
    assert sum(int(row["ci_product"]) for row in mine) == pytest.approx(corn["ci_g_per_bu"] * corn["bushels"], rel=1e-5)
    assert sum(row["fields"] for row in rows) == 14
    assert sum(row["no_till_met"] for row in rows if row["county"] == "Shawnee") == 2
    assert all(row[f"no_till_{end}"] >= 0 for row in rows for end in ("met", "not", "open"))
    assert "Pottawatomie, KS" in page
    assert (made / "r.xlsx").stat().st_size > 5_000
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert "&lt;/script&gt;&lt;img" in page
    assert HOSTILE in data(page)["claims"][0]["message"]
    assert not re.search(r'(src|href)="?(https?:)?//|@import|url\(', page)
    assert "@media print" in page


@pytest.mark.slow
@pytest.mark.browser
def test_on_a_phone_every_cell_is_in_sight_with_its_heading(made: Path, browser: "Browser") -> None:
    with browser.new_page(viewport={"width": 390, "height": 844}) as page:
        page.goto((made / "r.html").as_uri())
        right = "cells => Math.max(...cells.map(cell => cell.getBoundingClientRect().right))"
        for table in ("practices", "gaps", "claims", "findings"):
            assert page.eval_on_selector_all(f"#{table} td", right) <= 390, table
        cell = page.locator("#gaps td").first
        told = cell.evaluate("cell => getComputedStyle(cell, '::before').content")
        assert "what is not shown" in told
        page.select_option("#crop", "corn")
        assert cell.evaluate("cell => cell.dataset.label") == "what is not shown"


def test_each_requirement_counts_once_and_no_farm_has_a_page_too(made: Path, tmp_path: Path) -> None:
    found = overview(made / "p-results" / "check", made / "p-results" / "intensity", claims(open_portfolio(made / "p")))
    keys = [(row["state"], row["crop"], row["requirement"]) for row in found.gaps]
    assert len(keys) == len(set(keys)) > 5
    assert all(row["fields"] <= found.total("fields") for row in found.gaps)
    (tmp_path / "none").mkdir()
    empty = overview(tmp_path / "none", tmp_path / "none", pl.DataFrame(schema=FINDING))
    page = report_page(empty, title="Nothing & nobody", as_of=date(2026, 1, 1), source="")
    assert "Nothing &amp; nobody" in page
    assert "No county" in county_map([])


def test_all_planted_faults_are_found_and_nothing_else(tmp_path: Path) -> None:
    planted = build(tmp_path / "p", 7, farms=150, each=1, states=("KS",))
    outcome = judge(tmp_path / "p", tmp_path / "out", planted)
    assert len(planted) >= 34
    assert set(ALSO) <= set(planted)
    assert [line for line in outcome.lines if line.found != line.planted] == []
    assert outcome.false_alarms == ()
