"""``portfolio check --recheck``: the verdicts of some farms of the user's own data, held against the law itself.

Most farms are judged in columns, a second computation of the law. Random farms are judged anew, one season at a time,
from the records as they are now, and every verdict of the result is compared.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import polars as pl

from provender.portfolio import jobs
from provender.portfolio.farm_jobs import VERDICT
from provender.portfolio.frame_book import FrameBook
from provender.portfolio.judging import ANSWERS, assessed, part_of, verdicts_by_law
from provender.portfolio.layout import Portfolio
from provender.standards.standard import REQUIREMENTS

_KEY: Final = ("farm_id", "unit_id", "harvest_id")
_COMPARED: Final = (*ANSWERS, *REQUIREMENTS)
_WORDS: Final = {True: "met", False: "not met", None: "not shown"}
NO_VERDICT: Final = "no verdict"


class Difference(NamedTuple):
    """A verdict of the result that is not the law's."""

    farm_id: str
    unit_id: str
    harvest_id: str
    name: str  # of the requirement or practice; empty where one of the two has no verdict on the crop
    found: str  # in the result
    by_law: str

    def __str__(self) -> str:
        """Say it in one line."""
        where = f"{self.farm_id} {self.unit_id} {self.harvest_id}:{f' {self.name}:' if self.name else ''}"
        return f"{where} {self.found} in the result, {self.by_law} judged alone"


class Recheck(NamedTuple):
    """What came of it."""

    farms: int
    intervals: int
    verdicts: int
    differences: tuple[Difference, ...]


def recheck(portfolio: Portfolio, out: Path, count: int, seed: str) -> Recheck:
    """Judge so many random farms of a portfolio by the law and hold the verdicts of a result against it.

    Args:
        portfolio: the records.
        out: the folder of the result of ``check``.
        count: how many farms; all where there are fewer.
        seed: the same farms are drawn for the same seed.
    """
    named = jobs.read_records(portfolio, "farm", ["farm_id"])["farm_id"].drop_nulls().unique().sort().to_list()
    chosen = sorted(Random(seed).sample(named, min(count, len(named))))  # noqa: S311 - no secret is drawn
    found = {_key(row): row for row in _result_of(out, chosen).iter_rows(named=True)}
    farms, expected = 0, dict[tuple[str, ...], Mapping[str, Any]]()
    for book in _books_of(portfolio, chosen):
        farms += book["farm"]["farm_id"].n_unique()
        for some in assessed(book):
            expected |= {_key(row): row for row in verdicts_by_law(some).iter_rows(named=True)}
    both = sorted(found.keys() | expected.keys())
    differences = tuple(one for key in both for one in _differences(key, found.get(key), expected.get(key)))
    return Recheck(farms, len(both), len(both) * len(_COMPARED), differences)


def _key(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(row[name] for name in _KEY)


def _result_of(out: Path, farms: list[str]) -> pl.DataFrame:
    rows = jobs.read_result(out, VERDICT)
    if not rows.collect_schema().names():
        return pl.DataFrame(schema=dict.fromkeys((*_KEY, *_COMPARED), pl.String))
    return rows.filter(pl.col("farm_id").is_in(farms)).select(*_KEY, *_COMPARED).collect()


def _books_of(portfolio: Portfolio, farms: list[str]) -> Iterator[FrameBook]:
    """Read the chosen farms where they are judged; batches with none of them are not read."""
    asked = pl.DataFrame({"farm_id": farms})
    for partition in portfolio.partitions:
        for batch in jobs.batches(portfolio, partition):
            if asked.filter(batch.farms.meant(pl.col("farm_id"))).is_empty():
                continue
            book = jobs.read_batch(portfolio, partition, batch)
            mine = sorted(set(farms).intersection(book["farm"]["farm_id"]))
            yield part_of(book, pl.col("farm_id").is_in(mine))


def _differences(
    key: tuple[str, ...], found: Mapping[str, Any] | None, expected: Mapping[str, Any] | None
) -> Iterator[Difference]:
    farm, unit, entry = key
    if found is None or expected is None:
        told = ("a verdict" if row else NO_VERDICT for row in (found, expected))
        yield Difference(farm, unit, entry, "", *told)
        return
    for name in _COMPARED:
        if found[name] is not expected[name]:
            yield Difference(farm, unit, entry, name, _WORDS[found[name]], _WORDS[expected[name]])
