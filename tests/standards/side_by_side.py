"""Both engines of subpart F side by side: ``practices`` in columns, ``standards`` one season at a time. Transitional.

``python -m tests.standards.side_by_side SEED COUNT`` compares them on so many random and damaged seasons (``make
verdicts``). It goes with ``practices``.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import monotonic
from typing import Final

from provender.practices.assess import assess
from provender.practices.explain import IntervalVerdict
from provender.practices.operation_wide import INHIBITOR, SEED
from provender.practices.requirement import REQUIREMENTS as OLD
from provender.practices.rows_against import MOST, rows_against
from provender.practices.verdict import Verdict as OldVerdict
from provender.records.book import RecordBook
from provender.records.kind import KINDS
from provender.records.reading import TextTable, read_table
from provender.rule.crops import Practice
from provender.standards.judge import IntervalJudged, judge
from provender.standards.standard import Against, Finding, Missing, Verdict
from tests.standards.damage import Damage, hit, owned_by, tables, two_units
from tests.standards.season import Rows, clean_season, evidence, files_of
from tests.standards.seasons import CELLS, REMOVABLE, ROWS, Change, apply, put_together

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
"""Rows beside those of ``tests.standards.seasons``: control, evidence that contradicts itself, tools, more crops."""


RESTS_MORE: Final[Mapping[str, str]] = {
    "cover_crop": "A cover that could not be read may hold the legume or prove the pass that contradicts the rest.",
    "cover_species": "A species that could not be read may be the legume that the budget does not name.",
    "evidence": "Another record of the same file may say that it is another kind of thing, so that it shows nothing.",
    "farm": "The State of a unit without a county is the farm's: it decides what the State accepts.",
    "harvest": "Covers before a crop are those that name its entries.",
    "inhibitor_acceptance": "The State's row gives the least rate of the label.",
    "nutrient_application": "An application put into the ground proves a pass that the list may lack.",
    "operation": "A pass that spreads manure contradicts a budget without it.",
    "planting": "A cover killed by winter is dead before planting; a stand that was given up had been planted.",
    "unit": "Pounds over the unit, and the State, are by its acres and county.",
}
"""Kinds on which a requirement of ``standards`` rests and the list of the older engine forgot, each with why."""
RESTS_LESS: Final[Mapping[str, str]] = {
    "budget_source": "The order of days, a soil test and the share after emergence ask no source.",
    "control": "Asked for a whole list alone: more nitrogen only adds to a share that is reached.",
    "cover_species": "Days, acres, method and use of a cover ask for no species.",
    "declaration": "Asked for a whole list alone: more nitrogen only adds to a share that is reached.",
    "evidence": "A budget that rests on a soil test asks for no opinion.",
    "expert_opinion": "A budget that rests on a soil test asks for no opinion.",
    "farm": "The State is that of the unit's county.",
    "harvest of any unit": "Seed is summed by the rows of covers, whatever crop of another unit they name.",
    "unit of any unit": "Seed is summed by the acres of its covers.",
    "nutrient_budget": "Without a legume the budget is not asked.",
    "operation": "A cover whose days are unknown is held against no pass.",
    "operation_tool": "Tools decide full width where the farm denies it of an unlisted implement, and blank depth.",
    "planting": "Asked where a cover stood with the crop before, or ground lay open in the fall.",
    "producer": "Without a row of control nobody asks who the producers are.",
}
"""Kinds that the list of the older engine names, and that are not asked on this crop, each with why."""
FINER: Final[Mapping[tuple[str, str], str]] = {
    ("split_post_emergence_share", "planting.emerged_on"): "Named where nitrogen lies in the days of emergence alone.",
    ("split_post_emergence_share", "nutrient_budget.synthetic_n_need_lb_per_ac"): "Named where it is what decides.",
    ("split_post_emergence_share", "nutrient_application"): "Without any application that record lacks first.",
    ("cover_crop_seeded_in_fall", "cover_crop.seeded_on"): "With its day on record the planting is what lacks.",
    (
        "cover_crop_legume_n_adjusted",
        "nutrient_budget.planned_n_lb_per_ac and synthetic_n_need_lb_per_ac",
    ): "While nothing says what is taken off that is what lacks.",
    ("inhibitor_with_all_synthetic_n", "nutrient_application.n_lb_per_ac"): "Whether one went on asks no pounds.",
    ("nutrients_budget_basis", "soil_test.sampled_on"): "Without a basis the budget is what lacks.",
    ("nutrients_budget_basis", "nutrient_budget.made_on"): "Without its day nobody can tell how old the test was.",
    ("records_nutrients_soil_test", "nutrient_budget.made_on"): "Without its day nobody can tell how old the test was.",
    ("records_nutrients_soil_test", "soil_test.sampled_on"): "With its day on record that of the budget lacks.",
    ("records_nutrients_budget", "budget_source"): "Without a budget that record lacks, not its sources.",
    ("records_cover_seed", "seed_purchase"): "A rate, day or area that is blank is named in its own row.",
    ("no_fall_none_in_fall", "planting.planted_on"): "Named where nitrogen of the fall hangs on it.",
    ("no_fall_none_in_fall", "nutrient_application.synthetic_n"): "Named where the day lies in the fall.",
}
"""Gaps that the older engine names generally and ``standards`` where they decide, by requirement and column."""
NAMED_BETTER: Final = (
    "cover_before_harvest", "end_contradicted", "harvest_pass_elsewhere", "log_before_harvest", "planted_after_end",
    "planted_before_start", "ticket_before_harvest",
)  # fmt: skip
"""Reasons of rows that contradict the end of a crop; the older engine withholds and names nothing."""
NO_ROW_BEFORE: Final = ("declaration", "nutrient_budget")
"""Where no single row broke a rule the older engine named none; what speaks against it now is what says so."""
MENDED: Final = (
    "cover_crop_before_this_crop", "cover_crop_not_fertilized", "cover_crop_on_whole_unit",
    "cover_crop_terminated_in_spring", "cover_crop_termination_method", "inhibitor_recognised",
    "inhibitor_with_all_synthetic_n", "no_fall_first_n_at_planting", "no_fall_none_in_fall",
    "nutrients_budget_all_sources", "nutrients_budget_basis", "nutrients_budget_before_application",
    "nutrients_records_agree", "records_cover_seeding", "records_nutrients_applications", "records_nutrients_content",
    "split_in_two_applications", "split_post_emergence_share",
)  # fmt: skip
"""Requirements whose wrong answers were mended in both: what lacks is said by ``standards`` alone since then."""
FARM_WIDE: Final = {"records_cover_seed": SEED, "records_inhibitor_bought": INHIBITOR}
"""Sums over the farm, and the kinds of which the older engine counts an unreadable row of any unit as unclear."""


@dataclass(frozen=True)
class Difference:
    """One point in which the engines differ on one crop."""

    what: str  # verdict, rows, missing, interval; rests more, rests less
    name: str  # of the requirement or practice
    detail: str  # what each says, or the kind of record
    where: str  # farm and crop entry

    def __str__(self) -> str:
        return f"{self.where}: {self.what} of {self.name}: {self.detail}"

    @property
    def is_judged(self) -> bool:
        """Tell whether it was settled, in favor of ``standards``."""
        if self.what == "rows":
            only_old, only_new = self.detail.split(", only new ")
            kinds = re.findall(r"'(\w+) ", only_new)
            return only_old == "only old []" and bool(kinds) and set(kinds) <= set(NO_ROW_BEFORE)
        if self.what == "missing":
            if self.name in MENDED or self.detail.endswith(tuple(f"({reason})" for reason in NAMED_BETTER)):
                return True
            words = self.detail.partition(": ")[2].partition(" (")[0].partition(",")[0]
            return (self.name, words.rstrip(".")) in FINER
        return self.detail in {"rests more": RESTS_MORE, "rests less": RESTS_LESS}.get(self.what, {})


def differences(book: RecordBook) -> Iterator[Difference]:
    """Yield every point in which the engines differ on a book.

    What the answers would be had every row been read is compared apart from what withholds them where some were not.
    """
    read = replace(book, incomplete_rows=book.incomplete_rows.clear())
    assessed = assess(read)
    old = {(one.farm_id, one.harvest_id): one for one in assessed.intervals}
    new = {(one.farm_id, one.harvest_id): one for one in judge(read)}
    for key in sorted(old.keys() ^ new.keys()):
        yield Difference("interval", "", "only old" if key in old else "only new", " ".join(key))
    for key in sorted(old.keys() & new.keys()):
        pair = Pair(old[key], new[key], " ".join(key))
        rows = {name: {(row.kind, row.row) for row in of} for name, of in rows_against(assessed, old[key]).items()}
        yield from (*pair.requirements(), *pair.rows(rows), *pair.practices())
    if book.incomplete_rows.height:
        yield from _withheld(book, new)


def _withheld(book: RecordBook, read: Mapping[tuple[str, str], IntervalJudged]) -> Iterator[Difference]:
    """Compare what withholds each answer that would be *met* had every row been read."""
    new = {(one.farm_id, one.harvest_id): one for one in judge(book)}
    damaged: dict[str, set[str]] = {}
    for kind, farm in book.incomplete_rows.select("kind", "farm_id").iter_rows():
        damaged.setdefault(farm, set()).add(kind)
    for one in assess(book).intervals:
        key = one.farm_id, one.harvest_id
        for name, said in new[key].requirements.items():
            if read[key].requirements[name].verdict is not Verdict.MET:
                continue
            of_old = {kind for kind in OLD[name].rests_on if one.facts.get(f"damaged_{kind}")}
            if name in FARM_WIDE and OldVerdict.of(one.facts[name]) is not OldVerdict.MET:
                of_farm = damaged.get(one.farm_id, set()).intersection(FARM_WIDE[name]) - of_old
                of_old |= {f"{kind} of any unit" for kind in of_farm if said.verdict is Verdict.MET}
            of_new = {found.kind for found in said.findings if _is_unread(found)}
            for what, kinds in (("rests more", of_new - of_old), ("rests less", of_old - of_new)):
                yield from (Difference(what, name, kind, " ".join(key)) for kind in sorted(kinds))


Gap = tuple[str, frozenset[str]]


def gap_of(words: str) -> Gap:
    """Return kind and columns of a gap of the older engine; no columns where it names a whole record."""
    plain = re.sub(r"\([^()]*\)", "", words).strip()
    kind, _, rest = plain.partition(".")
    parts = re.split(r", (?:or |and )?| and | or | with ", rest) if rest else []
    return kind.split(" ", 1)[0], frozenset(part.split(" ", 1)[0].strip() for part in parts if part.strip())


def _is_same(gap: Gap, kind: str, column: str) -> bool:
    """Tell whether a gap is what lacks; ``kind.column`` among its columns names another kind.

    A record that is not there at all lacks none of its columns by itself: the older engine names them one by one.
    """
    own, columns = gap
    return (kind == own and (not columns or not column or column in columns)) or f"{kind}.{column}" in columns


class Pair:
    """What both engines say of one crop."""

    def __init__(self, old: IntervalVerdict, new: IntervalJudged, where: str) -> None:
        self.old, self.new, self.where = old, new, where
        self.gaps = {found.requirement: found.missing for practice in old.practices for found in practice.findings}

    def requirements(self) -> Iterator[Difference]:
        """Compare verdicts and what lacks."""
        for name, one in self.new.requirements.items():
            told = OldVerdict.of(self.old.facts[name])
            if Verdict(told) is not one.verdict:
                yield self._differ("verdict", name, f"old {told}, new {one.verdict}")
            elif one.verdict is Verdict.NOT_SHOWN:
                yield from self._missing(name, one.findings)

    def _missing(self, name: str, found: Sequence[Finding]) -> Iterator[Difference]:
        gaps = self.gaps[name]
        said = {(each.kind, each.column): each for each in found if isinstance(each, Missing)}
        for words in gaps:
            if not any(_is_same(gap_of(words), *pair) for pair in said):
                yield self._differ("missing", name, f"only old: {words}")
        for pair, each in said.items():
            if not any(_is_same(gap_of(words), *pair) for words in gaps):
                yield self._differ("missing", name, f"only new: {each.kind}.{each.column} ({each.reason})")

    def rows(self, told: dict[str, set[tuple[str, str]]]) -> Iterator[Difference]:
        """Hold the rows that speak against a requirement; the older engine names the first six."""
        for name, one in self.new.requirements.items():
            if one.verdict is Verdict.NOT_MET and self.old.facts[name] is False:
                said = {(found.kind, found.row) for found in one.findings if isinstance(found, Against)}
                named = told.get(name, set())
                if named != said and not (len(named) == MOST and named < said):
                    only_old = sorted(f"{kind} {row}" for kind, row in named - said)
                    only_new = sorted(f"{kind} {row}" for kind, row in said - named)
                    yield self._differ("rows", name, f"only old {only_old}, only new {only_new}")

    def practices(self) -> Iterator[Difference]:
        """Compare the verdicts of practices, and of which harvest the crop is."""
        for practice in Practice:
            told, said = self.old[practice], self.new[practice]
            for part in ("implementation", "records"):
                if getattr(told, part) != getattr(said, part):
                    detail = f"{part}: old {getattr(told, part)}, new {getattr(said, part)}"
                    yield self._differ("verdict", practice, detail)
        years = self.old.harvest_year, self.new.harvest_year
        if years[0] != years[1] or set(self.old.harvest_ids) != set(self.new.harvest_ids):
            yield self._differ("interval", "", f"{years} {self.old.harvest_ids} {self.new.harvest_ids}")

    def _differ(self, what: str, name: str, detail: str) -> Difference:
        return Difference(what, name, detail, self.where)


def _is_unread(found: Finding) -> bool:
    return isinstance(found, Missing) and found.reason == "row_unreadable"


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
        plain = re.sub(r"'[^']*'", "'..'", found.detail)
        kind: tuple[str, ...] = ("settled" if found.is_judged else "open", found.what, found.name, plain)
        often[kind] += 1
        example.setdefault(kind, str(found))
    for kind, times in sorted(often.items(), key=lambda one: (one[0][0], -one[1])):
        sys.stdout.write(f"{times:6} {' | '.join(kind)}\n       e.g. {example[kind]}\n")
    open_ = sum(times for kind, times in often.items() if kind[0] == "open")
    sys.stdout.write(f"{count} farms by seed {seed} in {monotonic() - began:.0f} s: {open_} differences open\n")
    return 1 if open_ else 0


if __name__ == "__main__":
    sys.exit(main())
