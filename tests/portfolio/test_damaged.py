"""Files whose footer is sound and whose pages are not: every job names them, with a remedy, and goes on without."""

import contextlib
import json
import random
import shutil
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from provender.cli.app import call
from provender.portfolio.claims import claims_and_problems
from provender.portfolio.custody import CLAIM, MOVEMENT, ORIGIN, PERIOD, REPORT, STATEMENT, TICKET
from provender.portfolio.export import HELD, export_books
from provender.portfolio.jobs import open_portfolio
from provender.portfolio.layout import FAILURES, write_manifest
from tests.portfolio.test_claims import DAY, frame, honest, square
from tests.portfolio.world import farm, rewrite

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
    try:
        return call(["portfolio", job, str(root), *where.get(job, ["--out", str(to)]), "--json"])
    except SystemExit as ended:
        return int(ended.code or 0)


def told(text: str) -> dict[str, str]:
    """Return the remedies of files that cannot be read, by file."""
    problems = [one for one in json.loads(text)["problems"] if one["code"] == "unreadable_file"]
    return {one["file"] if "file" in one else one["place"]["file"]: one["remedy"] for one in problems}


@pytest.mark.parametrize(
    ("job", "data_set"),
    [
        ("check", "operation"), ("check", HELD), ("intensity", "harvest"), ("plan", "unit"), ("sister", "planting"),
        ("sample", "unit"), ("claims", CLAIM), ("claims", ORIGIN), ("claims", REPORT), ("claims", TICKET),
        ("claims", "farm"), ("claims", "harvest"), ("claims", "unit"), ("book", MOVEMENT), ("book", PERIOD),
        ("book", STATEMENT), ("report", "harvest"), ("report", REPORT), ("import", "unit"), ("validate", "unit"),
        ("validate", CLAIM),
    ],
)  # fmt: skip
def test_every_job_names_a_damaged_file_and_goes_on(
    root: Path, capsys: pytest.CaptureFixture[str], job: str, data_set: str
) -> None:
    inside = damaged(root, data_set)
    assert ran(root, job) == 1
    remedies = told(capsys.readouterr().out)
    assert list(remedies) == [inside]
    assert remedies[inside].startswith("Get it again")
    # What stands already tells it again.
    if job in ("check", "intensity", "plan", "sister", "sample"):
        assert ran(root, job) == 1
        assert list(told(capsys.readouterr().out)) == [inside]


@pytest.mark.parametrize("lost", ["damaged", "cut", "gone"])
def test_no_first_point_has_a_list_while_claims_are_missing(
    root: Path, capsys: pytest.CaptureFixture[str], lost: str
) -> None:
    path = root / CLAIM / "part-0.parquet"
    if lost == "damaged":
        damaged(root, CLAIM)
    elif lost == "cut":
        path.write_bytes(path.read_bytes()[:-9])
    else:
        path.unlink()
    assert ran(root, "sample") == 2
    assert CLAIM in (words := capsys.readouterr().err)
    assert "no first point has a list" in words


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


def test_no_damage_ends_a_search(root: Path) -> None:
    """Some of these make the reader panic, which is no ``Exception``; others give other values, which hashes show."""
    dice = random.Random(SEED)
    files = [next((root / name).rglob("*.parquet")) for name in (CLAIM, REPORT, "farm", "unit")]
    failed = 0
    for number in range(40):
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
    assert failed > 10
