"""A farm's verdict through the portfolio is the verdict on its book, whoever wrote the Parquet."""

import shutil
from pathlib import Path
from typing import Final

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from provender.portfolio.checking import MISSING, VERDICT, check
from provender.portfolio.export import export_books
from provender.portfolio.jobs import Done, open_portfolio, read_result, run
from provender.practices.assess import Assessment, assess
from provender.practices.evaluate import RECORDS
from provender.practices.verdict import Verdict
from provender.records.book import RecordBook
from provender.records.folder import load_book
from tests.practices.season import Rows, book_of, clean_season
from tests.practices.seasons import seasons

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
BOOKS: Final = ("bluestem-farm", "basswood")
EACH: Final = 6
DRAWS: Final = (settings.default.max_examples if settings.default else 40) // 20
ANSWER: Final = {Verdict.MET: True, Verdict.NOT_MET: False, Verdict.NOT_SHOWN: None}


@pytest.fixture(scope="module")
def books() -> dict[str, RecordBook]:
    return {name: load_book(EXAMPLES / name) for name in BOOKS}


@pytest.fixture(scope="module")
def exported(books: dict[str, RecordBook], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("portfolio") / "p"
    export_books(books.items(), root)
    return root


@pytest.fixture
def portfolio(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "p"))


def judged(root: Path, out: Path) -> tuple[Done, pl.DataFrame]:
    done = run("check", open_portfolio(root), check, out)
    return done, read_result(out, VERDICT).collect()


def answers(assessment: Assessment) -> dict[tuple[str, str, str], dict[str, object]]:
    """Return what `provender check` says, in the words of the portfolio's columns."""
    found = {}
    for one in assessment.intervals:
        row: dict[str, object] = {}
        missing: list[str] = []
        for practice in one.practices:
            row[str(practice.practice)] = ANSWER[practice.implementation]
            row[practice.practice + RECORDS] = ANSWER[practice.records]
            for finding in practice.findings:
                row[finding.requirement] = ANSWER[finding.verdict]
                missing += [f"{finding.requirement}: {record}" for record in finding.missing]
        row[MISSING] = sorted(set(missing))
        found[one.farm_id, one.unit_id, one.harvest_id] = row
    return found


def differences(verdicts: pl.DataFrame, assessment: Assessment) -> list[str]:
    expected = answers(assessment)
    rows = {(r["farm_id"], r["unit_id"], r["harvest_id"]): r for r in verdicts.iter_rows(named=True)}
    if rows.keys() != expected.keys():
        return [f"{sorted(rows)} against {sorted(expected)}"]
    return [
        f"{key} {name}: {rows[key][name]} against {value}"
        for key, row in expected.items()
        for name, value in row.items()
        if (sorted(rows[key][name]) if name == MISSING else rows[key][name]) != value
    ]


def test_every_example_is_judged_as_its_book(portfolio: Path, books: dict[str, RecordBook], tmp_path: Path) -> None:
    _, verdicts = judged(portfolio, tmp_path / "out")
    for book in books.values():
        mine = verdicts.filter(pl.col("farm_id").is_in(book.farm_ids)) if verdicts.height else verdicts
        assert differences(mine, assess(book)) == []
    assert verdicts.height > 10


@settings(max_examples=DRAWS, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(seasons(), min_size=EACH, max_size=EACH))
def test_random_books_are_judged_as_their_books(tmp_path_factory: pytest.TempPathFactory, drawn: list[Rows]) -> None:
    """A few books a run, hundreds with the deep profile; many in each portfolio, as farms of their own."""
    named = [(f"B{number}", renamed(book_of(rows), f"F{number}")) for number, rows in enumerate(drawn)]
    folder = tmp_path_factory.mktemp("random")
    export_books(named, folder / "p")
    _, verdicts = judged(folder / "p", folder / "out")
    for number, (_, book) in enumerate(named):
        mine = verdicts.filter(pl.col("farm_id") == f"F{number}") if verdicts.height else verdicts
        assert differences(mine, assess(book)) == [], number


def renamed(book: RecordBook, farm: str) -> RecordBook:
    """Return a book as that of another farm."""
    to = pl.when(pl.col("farm_id").is_not_null()).then(pl.lit(farm)).alias("farm_id")
    frames = {kind: frame.with_columns(to) for kind, frame in book.frames.items()}
    return RecordBook(frames, book.incomplete_rows.with_columns(to), book.problems, files=book.files)


def test_a_season_that_lacks_nothing_has_no_missing_record_and_one_without_a_soil_test_says_so() -> None:
    whole, lacking = clean_season(), {**clean_season(), "soil_test": []}
    assert check(book_of(whole))[VERDICT][MISSING].to_list() == [[]]
    (missing,) = check(book_of(lacking))[VERDICT][MISSING].to_list()
    assert any("soil_test" in one for one in missing)
