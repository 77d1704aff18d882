"""Portfolios judge as single books do: columns, with what they hand over, held against the law (``make verdicts``).

``python -m tests.standards.side_by_side SEED COUNT`` compares every verdict on so many random and damaged seasons.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple

from provender.portfolio import farm_jobs
from provender.portfolio.frames import FrameBook
from provender.records.book import RecordBook
from provender.records.kind import KINDS
from provender.records.reading import TextTable, read_table
from provender.standards.judge import judge
from provender.verdicts.assess import Assessment
from tests.standards.damage import Damage, hit, owned_by, tables, two_units
from tests.standards.season import Rows, cases_in, clean_season, files_of
from tests.standards.seasons import CELLS, REMOVABLE, ROWS, Change, apply, put_together

BATCH: Final = 50
"""Farms that are judged together: the columns take hardly longer for many than for one."""

MORE: Final = [(one["kind"], one["cells"]) for one in cases_in("more_rows.jsonl")]
"""Rows beside those of ``seasons``: control, evidence that contradicts itself, tools, more crops."""


@dataclass(frozen=True)
class Difference:
    """One column in which both ways differ on one crop."""

    name: str  # of the requirement, practice or number; empty where one of the two has no verdict on the crop
    detail: str  # what each says
    where: str  # farm, unit and crop entry

    def __str__(self) -> str:
        return f"{self.where}: {self.name}: {self.detail}"


class Compared(NamedTuple):
    """What came of comparing a book."""

    differences: tuple[Difference, ...]
    plain: int  # intervals that columns judged
    handed_over: int  # intervals that the law judged both times


def compare(book: RecordBook) -> Compared:
    """Hold the verdicts of a portfolio against those of the law on the book itself, column by column."""
    batch = farm_jobs.judge_batch(FrameBook.of_book(book))
    frames = [farm_jobs.verdicts_in_columns(batch), *map(farm_jobs.verdicts_by_law, farm_jobs.assessed(batch.others))]
    found = {_key(row): row for frame in frames for row in frame.iter_rows(named=True)}
    law = {_key(row): row for row in farm_jobs.verdicts_by_law(Assessment(book, judge(book))).iter_rows(named=True)}
    plain = set(batch.plain["farm"]["farm_id"])
    differences = tuple(_differences(found, law))
    judged = sum(key[0] in plain for key in found)
    return Compared(differences, judged, len(found) - judged)


_Key = tuple[str, str, str]
_Verdicts = dict[_Key, dict[str, Any]]


def _key(row: dict[str, Any]) -> _Key:
    return row["farm_id"], row["unit_id"], row["harvest_id"]


def _differences(found: _Verdicts, law: _Verdicts) -> Iterator[Difference]:
    for key in sorted(found.keys() ^ law.keys()):
        yield Difference("", "only in columns" if key in found else "only by the law", " ".join(key))
    for key in sorted(found.keys() & law.keys()):
        one, other = found[key], law[key]
        names = [name for name in farm_jobs.VERDICTS if one[name] != other[name]]
        for name in names if names == [farm_jobs.MISSING] else (name for name in names if name != farm_jobs.MISSING):
            yield Difference(name, f"{one[name]}, the law {other[name]}", " ".join(key))


# Random and damaged seasons by seed.


def random_season(chance: Random, most: int) -> Rows:
    """Return a season of one unit, changed in at most so many ways."""
    rows = clean_season(chance.choice(("corn", "corn", "soybeans", "sorghum")))
    rows["unit"].append({"unit_id": "S80", "acres": "80", "county_fips": "20177"})
    rows["producer"] = [{"producer_id": "W1", "name": "A. Farmer", "operational_control": "yes"}]
    for _ in range(chance.randint(0, most)):
        rows = apply(rows, _random_change(chance))
    return rows


def _random_change(chance: Random) -> Change:
    how = chance.choice(("cell", "cell", "row", "less"))
    if how == "cell":
        kind, at, column, texts = chance.choice(CELLS)
        return "cell", kind, at, {column: chance.choice(texts)}
    if how == "row":
        kind, cells = chance.choice((*ROWS, *MORE, *MORE))
        return "row", kind, 0, dict(cells)
    kind, at = chance.choice(REMOVABLE)
    return "less", kind, at, {}


def random_book(chance: Random, count: int) -> RecordBook:
    """Return a book of so many farms, each a random season; a farm in three is full of trouble."""
    seasons = [random_season(chance, 14 if at % 5 == 0 else at % 3) for at in range(count)]
    return _read(map(tables, seasons), put_together(seasons))


def two_unit_book(chance: Random, count: int) -> RecordBook:
    """Return a book of so many farms of two units each, every row of which can be read."""
    seasons = [two_units(random_season(chance, 2), random_season(chance, 1)) for _ in range(count)]
    for rows in seasons:  # what was bought for one unit is enough for both
        for kind, column in (("seed_purchase", "pounds"), ("inhibitor_purchase", "amount")):
            for one in rows.get(kind, ()):
                one[column] = f"{one[column]}0" if one.get(column, "").isdigit() else one.get(column, "")
    return _read(map(tables, seasons), put_together(seasons))


def damaged_book(chance: Random, count: int) -> RecordBook:
    """Return a book of so many farms of two units each, some of whose cells and rows nobody can read."""
    return whole_and_damaged(chance, count)[1]


def whole_and_damaged(chance: Random, count: int) -> tuple[RecordBook, RecordBook]:
    """Return so many farms of two units each as they were, and with cells and rows that nobody can read."""
    seasons = [two_units(random_season(chance, 3), random_season(chance, 2)) for _ in range(count)]
    made = []
    for of_farm in map(tables, seasons):
        for _ in range(chance.randint(1, 3)):
            how = chance.choice(("cell", "cell", "cell", "cell", "column", "heading", "row", "ragged", "twice"))
            kind = chance.choice(sorted(of_farm))
            of_farm[kind] = hit(of_farm[kind], Damage(kind, how, chance.randint(0, 12), chance.randint(0, 12)))
        made.append(of_farm)
    rows = put_together(seasons)
    return _read(map(tables, seasons), rows), _read(made, rows)


def _read(farms: Iterable[dict[str, TextTable]], rows: Rows) -> RecordBook:
    readings = []
    for at, of_farm in enumerate(farms):
        for kind, table in of_farm.items():
            named = owned_by(f"F{at}", replace(table, file=f"F{at}-{table.file}"))
            readings.append((kind, read_table(KINDS[kind], named, farm_id=f"F{at}")))
    return RecordBook.from_readings(readings, files=files_of(rows))


def random_comparisons(seed: int, count: int) -> Iterator[Compared]:
    """Compare so many farms: in turn fifty of one unit, of two units, and of two units with damage."""
    for at in range(0, count, BATCH):
        chance = Random(f"{seed}-{at}")
        make = (random_book, two_unit_book, damaged_book)[at // BATCH % 3]
        found = compare(make(chance, min(BATCH, count - at)))
        where = f"{make.__name__} {seed}-{at} "
        yield found._replace(differences=tuple(replace(one, where=where + one.where) for one in found.differences))


def main() -> int:
    """List each kind of difference with how often it is found, and one example."""
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    began, often, example = monotonic(), Counter[tuple[str, str]](), dict[tuple[str, str], str]()
    plain = handed_over = 0
    for found in random_comparisons(seed, count):
        plain, handed_over = plain + found.plain, handed_over + found.handed_over
        for one in found.differences:
            kind = one.name, re.sub(r"\d+|'[^']*'", "..", one.detail)
            often[kind] += 1
            example.setdefault(kind, str(one))
    for kind, times in often.most_common():
        sys.stdout.write(f"{times:6} {' | '.join(kind)}\n       e.g. {example[kind]}\n")
    sys.stdout.write(
        f"{count} farms by seed {seed} in {monotonic() - began:.0f} s: {plain} crops judged in columns, "
        f"{handed_over} handed over, {often.total()} differences\n"
    )
    return 1 if often else 0


if __name__ == "__main__":
    sys.exit(main())
