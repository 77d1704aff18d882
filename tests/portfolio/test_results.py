"""The folder of a result is of one job over one portfolio; and a manifest lists only files that can be counted."""

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from provender.cli import app
from provender.portfolio import jobs
from provender.portfolio.export import export_books
from provender.portfolio.farm_jobs import VERDICT, check
from provender.portfolio.jobs import open_portfolio, read_result, run
from provender.portfolio.layout import MAGIC, MARK, NAME, row_groups
from provender.problem import ProblemsError
from tests.portfolio.world import PART, farm


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


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(job: str, root: Path, out: Path) -> str:
    """Run a job that is refused before anything is written; return why."""
    before = files(out)
    with pytest.raises(ProblemsError) as caught:
        run(job, open_portfolio(root), check, out)
    assert files(out) == before
    (problem,) = caught.value.problems
    assert problem.code == "other_result"
    assert "another folder" in problem.remedy
    return problem.cause


def test_two_portfolios_and_two_jobs_do_not_clear_away_each_others_results(two: Path) -> None:
    out = two / "out"
    run("check", open_portfolio(two / "a"), check, out)
    assert str(two / "a") in refused("check", two / "b", out)
    assert "`portfolio check`" in refused("plan", two / "a", out)
    assert set(read_result(out, VERDICT).collect()["farm_id"]) == {"F1"}
    again = run("check", open_portfolio(two / "a"), check, out)
    assert (len(again.made), len(again.stood)) == (0, len(open_portfolio(two / "a").partitions))


def test_a_portfolio_is_itself_by_whatever_path_and_what_moved_in_it_goes(
    two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = two / "out"
    run("check", open_portfolio(two / "a"), check, out)
    monkeypatch.chdir(two)
    (two / "link").symlink_to(two / "a")
    assert run("check", open_portfolio(Path("a")), check, Path("out")).made == ()
    assert run("check", open_portfolio(Path("link")), check, out).made == ()
    for path in (two / "a").rglob("state=KS"):
        path.rename(path.with_name("state=NE"))
    run("check", open_portfolio(two / "a"), check, out)
    assert not (out / PART).exists()
    assert (out / PART.replace("KS", "NE")).is_dir()


def test_a_result_without_its_mark_is_nobodys(two: Path) -> None:
    out = two / "out"
    run("check", open_portfolio(two / "a"), check, out)
    mark = (out / MARK).read_bytes()
    (out / MARK).unlink()
    assert "says of no job" in refused("check", two / "a", out)
    (out / MARK).write_bytes(mark)
    assert run("check", open_portfolio(two / "a"), check, out).made == ()
    (out / MARK).write_text("{")
    assert "it does not name" in refused("check", two / "a", out)


def test_data_that_no_job_wrote_is_not_written_over(two: Path) -> None:
    assert "lies in the portfolio" in refused("check", two / "a", two / "a" / "verdicts")
    assert "lies in the portfolio" in refused("check", two / "b", two / "b")
    shutil.copytree(two / "a" / "operation", two / "mine")
    assert "written by no job" in refused("check", two / "a", two / "mine")


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


def test_a_folder_that_is_not_there_is_not_made_by_sealing_it(tmp_path: Path) -> None:
    assert command("validate", tmp_path / "nowhere", "--seal") != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "footer",
    [b"\x1c" * 60_000, b"\x49\xf1\xff\xff\xff\xff\xff\xff\xff\x7f" + bytes(9), b"\x1b" + b"\xff" * 8 + b"\x7f\x11"],
)
def test_a_footer_that_is_none_is_an_error_and_no_endless_work(tmp_path: Path, footer: bytes) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(MAGIC + footer + len(footer).to_bytes(4, "little") + MAGIC)
    with pytest.raises(ValueError, match="no footer"):
        row_groups(path)


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
