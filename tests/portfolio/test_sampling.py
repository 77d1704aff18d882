"""Samples of all first points at once: each is the draw of its own list, and no farm gets lost on the way to it."""

import datetime as dt
import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from provender.audit.sampling.population import FarmCrop, freeze, minimum_farms
from provender.audit.sampling.sample import SampleRequest, draw_sample
from provender.audit.sampling.seed import Frozen, Opened, Side, commitment
from provender.cli import app
from provender.portfolio.custody import CLAIM, ORIGIN, REPORT, SCHEMAS
from provender.portfolio.export import export_books
from provender.portfolio.jobs import open_portfolio
from provender.portfolio.sampling import supplied
from tests.portfolio.world import farm

FARMS: Final = 12
WORDS: Final = "a secret of more than twenty-two letters"
DAY: Final = dt.date(2026, 1, 5)


def portfolio(root: Path, *, with_books: int = FARMS) -> Path:
    """Write farms that sold to an elevator each and to a mill every third, told by both sides, and a resale."""
    farms = [f"F{number:02}" for number in range(FARMS)]
    claims, origins, reports = [], [], []
    for number, name in enumerate(farms):
        origin = f"O{number}"
        origins.append((origin, name))
        reports.append((name, "corn", 2025, origin, 1, 8_000_000, 500_000 + number, DAY, "d", name))
        told: list[tuple[Any, ...]] = [("sale", f"a{number}", origin, 0, 5_000_000 + number, name, "coop", DAY)]
        if number % 3 == 0:
            told.append(("sale", f"b{number}", origin, 6_000_000, 8_000_000, name, "mill", DAY))
        told.append(("sale", f"c{number}", origin, 0, 1_000_000, "coop", "refiner", DAY))
        claims += [(source, *row) for row in told for source in (row[5], row[6])]
    # A neighbour who bought corn is no first point.
    claims.append(("F00", "sale", "x", "O0", 5_500_000, 5_600_000, "F00", "F01", DAY))
    frames = {name: pl.DataFrame(rows, schema=dict(SCHEMAS[name]), orient="row")
              for name, rows in ((CLAIM, claims), (ORIGIN, origins), (REPORT, reports))}  # fmt: skip
    export_books([(name, farm(name)) for name in farms[:with_books]], root, custody=frames)
    return root


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return portfolio(tmp_path_factory.mktemp("sampling") / "p")


def call(*words: object) -> tuple[int, dict[str, Any]]:
    shown = io.StringIO()
    with redirect_stdout(shown), redirect_stderr(io.StringIO()):
        try:
            status = app.call(["portfolio", "sample", *map(str, words), "--json"])
        except SystemExit as ended:
            status = int(ended.code or 0)
    text = shown.getvalue()
    return status, json.loads(text) if text.startswith("{") else {}


def test_what_came_in_from_the_farm_counts_once_and_resales_do_not(root: Path) -> None:
    rows = supplied(open_portfolio(root))
    assert rows.group_by("entity").len().sort("entity").rows() == [("coop", 12), ("mill", 4)]
    assert rows.filter(pl.col("entity") == "coop")["bushels"].to_list() == [5_000_000 + n for n in range(FARMS)]


def test_every_first_point_is_frozen_and_drawn_as_alone(root: Path, tmp_path: Path) -> None:
    out, secret = tmp_path / "out", tmp_path / "secret.json"
    secret.write_text(json.dumps({"secret": WORDS}))
    code, told = call(root, "--out", out)
    assert (code, told["first_points"]) == (0, 2)
    promised = f"verifier={commitment(WORDS)}"
    assert call(root, "--out", out, "--year", 2025, "--commitment", promised, "--as-of", "2026-02-01")[0] == 0
    code, told = call(root, "--out", out, "--frozen", out / "frozen.json", "--open", f"verifier={secret}")
    assert (code, sorted(told["drawn"])) == (0, ["coop", "mill"])
    drawn = pl.read_parquet(out / "draw.parquet")
    points = json.loads((out / "frozen.json").read_text())["first_points"]
    for entity, count in (("coop", 12), ("mill", 4)):
        rows = [
            FarmCrop(f"F{n:02}", "corn", "20177", 5_000_000 + n if entity == "coop" else 2_000_000, 500_000 + n, 40_000)
            for n in range(0, FARMS, 1 if entity == "coop" else 3)
        ]
        alone = draw_sample(SampleRequest(freeze(rows), frozen=Frozen.read(points[entity]),
                                          opened=Opened({Side.VERIFIER: WORDS})))  # fmt: skip
        mine = drawn.filter(pl.col("entity") == entity)
        assert mine["farm_id"].to_list() == alone.farm_ids
        assert len(alone.farm_ids) >= minimum_farms(count)
    strata = pl.read_parquet(out / "stratum.parquet")
    assert strata.select("entity", "name", "farms").rows() == [("coop", "crop corn", 12), ("mill", "crop corn", 4)]


def test_nobody_draws_without_a_seed_or_from_other_lists(root: Path, tmp_path: Path) -> None:
    out, secret = tmp_path / "out", tmp_path / "secret.json"
    secret.write_text(json.dumps({"secret": WORDS}))
    call(root, "--out", out, "--year", 2025, "--commitment", f"verifier={commitment(WORDS)}")
    frozen = json.loads((out / "frozen.json").read_text())
    assert call(root, "--out", out, "--frozen", out / "frozen.json")[0] == 2
    frozen["first_points"]["mill"]["population_hash"] = "0" * 64
    (out / "forged.json").write_text(json.dumps(frozen))
    assert call(root, "--out", out, "--frozen", out / "forged.json", "--open", f"verifier={secret}")[0] == 2
    del frozen["first_points"]["mill"]
    (out / "short.json").write_text(json.dumps(frozen))
    assert call(root, "--out", out, "--frozen", out / "short.json", "--open", f"verifier={secret}")[0] == 2
    assert call(root, "--out", out, "--commitment", f"verifier={commitment(WORDS)}")[0] == 2


def test_a_first_point_with_a_farm_that_nobody_can_place_has_no_list(tmp_path: Path) -> None:
    root = portfolio(tmp_path / "p", with_books=FARMS - 1)  # F11 sold to the elevator only
    code, told = call(root, "--out", tmp_path / "out")
    assert (code, told["first_points"], told["without_a_list"]) == (1, 1, 1)
    assert pl.read_parquet(tmp_path / "out" / "first_point.parquet")["entity"].to_list() == ["mill"]


def test_a_beacon_needs_a_day_after_that_of_freezing(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    beacon = ("--beacon", "drand", "--beacon-round", "7", "--as-of", "2026-02-01")
    for on, status in (("", 2), ("2026-02-01", 2), ("2026-02-02", 0)):
        told = call(root, "--out", out, "--year", 2025, *beacon, *(("--beacon-on", on) if on else ()))
        assert told[0] == status, on
        assert (out / "frozen.json").exists() is (status == 0), on
