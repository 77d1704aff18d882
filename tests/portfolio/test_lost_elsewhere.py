"""A file that is lost from one partition may have held rows of a farm that is judged in another."""

import json
from pathlib import Path
from typing import Final

import polars as pl
import pytest

from provender.cli.app import call
from provender.portfolio.checking import VERDICT, check
from provender.portfolio.importing import read_farm
from provender.portfolio.jobs import open_portfolio, read_result, run
from provender.portfolio.layout import Partition
from provender.portfolio.manifest import write_manifest
from provender.portfolio.validating import validate
from provender.portfolio.whereabouts import batch
from tests.portfolio.test_strange import FIRST, PART, no_till, plowed, rewrite, root

__all__ = ["root"]
OTHER: Final = "harvest_year=2025/state=NE"


@pytest.fixture
def plow(root: Path) -> Path:
    """Return the file of another partition that alone says that the first farm was plowed."""
    path = root / "operation" / PART / "part-0.parquet"
    rows = pl.read_parquet(path, hive_partitioning=False)
    other = root / "operation" / OTHER / "x.parquet"
    other.parent.mkdir(parents=True)
    plowed("F1")(rows).tail(1).write_parquet(other)
    for kind in ("farm", "unit"):
        beside = root / kind / OTHER / "x.parquet"
        beside.parent.mkdir(parents=True)
        one = pl.read_parquet(root / kind / PART / "part-0.parquet", hive_partitioning=False).filter(~FIRST)
        one.write_parquet(beside)
    assert no_till(root) == [("F1", False), ("F2", True)]
    return other


@pytest.mark.parametrize("how", ["gone", "cut", "no farms"])
def test_rows_of_another_partition_that_are_lost_spoil_and_a_result_of_before_does_not_stand(
    root: Path, plow: Path, how: str
) -> None:
    rows = pl.read_parquet(plow, hive_partitioning=False)
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
    assert spoiled.filter((pl.col("kind") == "operation") & pl.col("unit_id").is_null()).height


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
    farms = root / "farm" / PART / "part-0.parquet"
    known = pl.read_parquet(farms, hive_partitioning=False)
    more = [known.head(1).with_columns(pl.lit(name).alias("farm_id")) for name in ("A1", "Z9")]
    pl.concat([known, *more]).write_parquet(farms)
    write_manifest(root)
    portfolio, there = open_portfolio(root), Partition(2025, "NE")
    assert set(batch(portfolio, there, None, None).farms.away) == {"A1", "F1", "F2", "Z9"}
    assert set(batch(portfolio, there, "B", "G").farms.away) == {"F1", "F2"}


@pytest.mark.parametrize("column", [pl.lit("POLYGON EMPTY"), pl.lit(7), pl.struct(pl.lit(1).alias("x"))])
def test_outlines_that_are_no_wkb_are_told_and_nothing_breaks(
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
