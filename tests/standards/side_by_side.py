"""Both engines of subpart F side by side: ``practices`` in columns, ``standards`` one season at a time. Transitional.

``python -m tests.standards.side_by_side SEED COUNT`` compares them on so many random and damaged seasons (``make
verdicts``). It goes with ``practices``.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from time import monotonic
from typing import Final

from provender.practices.assess import assess
from provender.practices.explain import IntervalVerdict
from provender.practices.requirement import REQUIREMENTS as OLD
from provender.practices.requirement import Part as OldPart
from provender.practices.rows_against import MOST, rows_against
from provender.practices.verdict import Verdict as OldVerdict
from provender.records.book import RecordBook
from provender.records.kind import KINDS
from provender.records.reading import TextTable, read_table
from provender.rule.crops import Practice
from provender.standards.judge import IntervalJudged, judge
from provender.standards.standard import Against, Missing, Verdict
from tests.practices.season import Rows, clean_season, evidence, files_of
from tests.practices.seasons import CELLS, REMOVABLE, ROWS, Change, apply, put_together
from tests.practices.test_damage import Damage, hit, owned_by, tables, two_units

UNREAD: Final = "a row that could not be read"
BATCH: Final = 50
"""Farms that are judged together: the columns take hardly longer for many than for one."""

MORE: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    *(
        ("control", {"control_id": f"K{at}", "unit_id": "N40", "producer_id": "W1", "since": day, "evidence": file})
        for at, (day, file) in enumerate(
            (("2024-12-01", ""), ("2024-12-01", "E7"), ("2025-05-01", "E1"), ("2024-10-02", ""), ("", ""))
        )
    ),
    ("evidence", evidence("E8", "log.zip", "photograph", "2024-11-01")),
    ("evidence", evidence("E10", "note.txt", "machine_file", "2025-06-03", unit_id="N40")),
    ("evidence", evidence("E11", "statement.pdf", "form", "2024-12-01", unit_id="N40")),
    ("operation_tool", {"operation_id": "O4", "tool_no": "1", "tillage_type": "lifting", "depth_in": "4",
                        "surface_pct": "40"}),
    ("operation_tool", {"operation_id": "O4", "tool_no": "2", "tillage_type": "mixing", "surface_pct": "100"}),
    ("operation", {"operation_id": "O8", "unit_id": "N40", "day": "2025-05-20", "operation": "Home-made thing",
                   "speed_mph": "5", "full_width": "no", "known_by": "machine", "evidence": "E10"}),
    ("operation_tool", {"operation_id": "O8", "tool_no": "1", "tillage_type": "mixing", "depth_in": "2",
                        "surface_pct": "100"}),
    ("operation", {"operation_id": "O9", "unit_id": "N40", "day": "2025-05-05", "operation": "Disk, tandem heavy "
                   "primary op."}),
    ("harvest", {"harvest_id": "H23", "unit_id": "N40", "crop": "corn", "ending": "harvested",
                 "first_day": "2023-10-20", "bushels": "7000"}),
    ("harvest", {"harvest_id": "H25s", "unit_id": "N40", "crop": "corn", "use": "silage", "ending": "harvested",
                 "first_day": "2025-09-10"}),
    ("planting", {"planting_id": "P9", "harvest_id": "H25f", "planted_on": "2025-04-26"}),
    ("planting", {"planting_id": "P8", "harvest_id": "H25b", "planted_on": "2025-10-30"}),
)  # fmt: skip
"""Rows beside those of ``tests.practices.seasons``: control, evidence that contradicts itself, tools, more crops."""


@dataclass(frozen=True)
class Difference:
    """One point in which the engines differ on one crop."""

    what: str  # verdict, rows, missing or interval
    name: str  # of the requirement or practice
    detail: str  # what each says
    where: str  # farm and crop entry
    is_damaged: bool = False  # some row of the farm could not be read

    def __str__(self) -> str:
        return f"{self.where}: {self.what} of {self.name}: {self.detail}"


def differences(book: RecordBook) -> Iterator[Difference]:
    """Yield every point in which the engines differ on a book."""
    damaged = set(book.incomplete_rows["farm_id"])
    for found in _differences(book):
        yield replace(found, is_damaged=found.where.split(" ", 1)[0] in damaged)


def _differences(book: RecordBook) -> Iterator[Difference]:
    assessed = assess(book)
    old = {(one.farm_id, one.harvest_id): one for one in assessed.intervals}
    new = {(one.farm_id, one.harvest_id): one for one in judge(book)}
    for key in sorted(old.keys() ^ new.keys()):
        yield Difference("interval", "", "only old" if key in old else "only new", " ".join(key))
    for key in sorted(old.keys() & new.keys()):
        where = " ".join(key)
        yield from _verdicts(old[key], new[key], where)
        rows = {name: [(row.kind, row.row) for row in of] for name, of in rows_against(assessed, old[key]).items()}
        yield from _rows(old[key], rows, new[key], where)
        yield from _missing(old[key], new[key], where)


def _verdicts(old: IntervalVerdict, new: IntervalJudged, where: str) -> Iterator[Difference]:
    told = {name: OldVerdict.of(old.facts[name]) for name in OLD}
    told |= {f"{one}": old[one].implementation for one in Practice}
    told |= {f"{one} records": old[one].records for one in Practice}
    said = {name: one.verdict for name, one in new.requirements.items()}
    said |= {f"{one}": new[one].implementation for one in Practice}
    said |= {f"{one} records": new[one].records for one in Practice}
    for name in sorted(told.keys() | said.keys()):
        if told.get(name) != said.get(name):
            yield Difference("verdict", name, f"old {told.get(name)}, new {said.get(name)}", where)
    years = old.harvest_year, new.harvest_year
    if years[0] != years[1] or set(old.harvest_ids) != set(new.harvest_ids):
        yield Difference("interval", "", f"{years} {old.harvest_ids} {new.harvest_ids}", where)


def _rows(
    old: IntervalVerdict, told: dict[str, list[tuple[str, str]]], new: IntervalJudged, where: str
) -> Iterator[Difference]:
    """Hold the rows that speak against a requirement; the old engine names the first six."""
    for name, one in new.requirements.items():
        if one.verdict is not Verdict.NOT_MET or old.facts.get(name) is not False or OLD[name].part is OldPart.RECORDS:
            continue
        said = {(found.kind, found.row) for found in one.findings if isinstance(found, Against)}
        named = set(told.get(name, ()))
        if named != said and not (len(named) == MOST and named < said):
            only_old = sorted(f"{kind} {row}" for kind, row in named - said)
            only_new = sorted(f"{kind} {row}" for kind, row in said - named)
            yield Difference("rows", name, f"only old {only_old}, only new {only_new}", where)


Gap = tuple[str, frozenset[str]]


def gap_of(words: str) -> Gap:
    """Return kind and columns of a gap of the old engine; no columns where it names a whole record."""
    if words.endswith(f"({UNREAD})"):
        return words.split(" ", 1)[0], frozenset({UNREAD})
    plain = re.sub(r"\([^()]*\)", "", words).strip()
    kind, _, rest = plain.partition(".")
    parts = re.split(r", (?:or |and )?| and | or | with ", rest) if rest else []
    return kind.split(" ", 1)[0], frozenset(part.split(" ", 1)[0].strip() for part in parts if part.strip())


def _is_same(gap: Gap, kind: str, column: str) -> bool:
    """Tell whether a gap is what lacks; ``kind.column`` among its columns names another kind."""
    own, columns = gap
    others = {part for part in columns if "." in part}
    return (kind == own and (not columns or column in columns)) or f"{kind}.{column}" in others


def _missing(old: IntervalVerdict, new: IntervalJudged, where: str) -> Iterator[Difference]:
    told = {found.requirement: found.missing for practice in old.practices for found in practice.findings}
    for name, one in new.requirements.items():
        if one.verdict is not Verdict.NOT_SHOWN or old.facts.get(name, False) is not None:
            continue
        said = {
            (found.kind, UNREAD if found.reason == "row_unreadable" else found.column): found
            for found in one.findings
            if isinstance(found, Missing)
        }
        gaps = {words: gap_of(words) for words in told[name]}
        for words, gap in gaps.items():
            if not any(_is_same(gap, *pair) for pair in said):
                yield Difference("missing", name, f"only old: {words}", where)
        for pair, found in said.items():
            if not any(_is_same(gap, *pair) for gap in gaps.values()):
                yield Difference("missing", name, f"only new: {found.kind}.{found.column} ({found.reason})", where)


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
    seasons = [random_season(chance, 14 if at % 3 == 0 else 5) for at in range(count)]
    return _read(map(tables, seasons), put_together(seasons))


def damaged_book(chance: Random, count: int) -> RecordBook:
    """Return a book of so many farms of two units each, some of whose cells and rows nobody can read."""
    seasons = [two_units(random_season(chance, 3), random_season(chance, 2)) for _ in range(count)]
    made = []
    for of_farm in map(tables, seasons):
        for _ in range(chance.randint(1, 3)):
            how = chance.choice(("cell", "cell", "cell", "cell", "column", "heading", "row", "ragged", "twice"))
            kind = chance.choice(sorted(of_farm))
            of_farm[kind] = hit(of_farm[kind], Damage(kind, how, chance.randint(0, 12), chance.randint(0, 12)))
        made.append(of_farm)
    return _read(made, put_together(seasons))


def _read(farms: Iterable[dict[str, TextTable]], rows: Rows) -> RecordBook:
    readings = []
    for at, of_farm in enumerate(farms):
        for kind, table in of_farm.items():
            named = owned_by(f"F{at}", replace(table, file=f"F{at}-{table.file}"))
            readings.append((kind, read_table(KINDS[kind], named, farm_id=f"F{at}")))
    return RecordBook.from_readings(readings, files=files_of(rows))


def random_differences(seed: int, count: int) -> Iterator[Difference]:
    """Yield the differences on so many farms, half of them damaged."""
    for at in range(0, count, BATCH):
        chance = Random(f"{seed}-{at}")
        make = damaged_book if at // BATCH % 2 else random_book
        for found in differences(make(chance, min(BATCH, count - at))):
            yield replace(found, where=f"{make.__name__} {seed}-{at} {found.where}")


def main() -> int:
    """Compare the engines and list each kind of difference with how often it is found, and one example."""
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    began, often, example = monotonic(), Counter[tuple[str, ...]](), dict[tuple[str, ...], str]()
    for found in random_differences(seed, count):
        kind = (
            "damaged" if found.is_damaged else "sound",
            found.what,
            found.name,
            re.sub(r"'[^']*'", "'..'", found.detail),
        )
        often[kind] += 1
        example.setdefault(kind, str(found))
    for kind, times in sorted(often.items(), key=lambda one: (one[0][0], -one[1])):
        sys.stdout.write(f"{times:6} {' | '.join(kind)}\n       e.g. {example[kind]}\n")
    sys.stdout.write(f"{count} farms by seed {seed} in {monotonic() - began:.0f} s: {often.total()} differences\n")
    return 1 if often else 0


if __name__ == "__main__":
    sys.exit(main())
