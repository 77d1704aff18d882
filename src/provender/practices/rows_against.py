"""Which rows of the records speak against a requirement: each pass, application or cover by its key and its day.

The verdict counts them; whoever is to correct one must find it. Asked of one farm, for what is not met alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Final

import polars as pl

from provender.catalog.names import at_once
from provender.exact import STIR_SCALE, show
from provender.practices.assess import Assessment
from provender.practices.explain import IntervalVerdict
from provender.practices.facts_cover import USE_OF_BIOMASS, judged_covers
from provender.practices.facts_nutrients import nitrogen_rows, on_standing_cover, placed_in_time
from provender.practices.facts_tillage import USE_OF_COVER, judged_passes
from provender.practices.requirement import REQUIREMENTS
from provender.rule.law import RuleVersion

MOST: Final = 6
"""Rows that are named; who corrects these sees the others next."""
_PASS: Final = (
    "operation_id", "interval_key", "crop_key", "day", "is_full_width", "is_inversion", "is_burning", "op_group",
    "stir_recorded",
)  # fmt: skip
_SPREAD: Final = (
    "application_id", "interval_key", "day", "product", "counts", "carries", "inhibited", "accepted", "_fall", "_early",
    "_cover_meant",
)  # fmt: skip
_COVER: Final = (
    "cover_id", "interval_key", "seeded_on", "terminated_on", "termination_method", "_suits", "_fall", "_spring",
    "_method", "_own_crop",
)  # fmt: skip
Row = Mapping[str, Any]
_Groups = Mapping[Any, Sequence[Row]]


@dataclass(frozen=True, slots=True)
class RowAgainst:
    """A row that speaks against a requirement."""

    kind: str  # of record
    row: str  # its key
    day: date | None  # it was done, or None where it is not recorded
    name: str  # of the operation or product; of anything else its key
    amount: str = ""  # what it adds to a sum, with its unit, or empty

    @property
    def words(self) -> str:
        """Say it: what, on which day, how much."""
        return f"{self.name}{f' {self.amount}' if self.amount else ''}{f' ({self.day})' if self.day else ''}"


def rows_against(judged: Assessment, one: IntervalVerdict) -> Mapping[str, tuple[RowAgainst, ...]]:
    """Return by requirement the rows that keep it from being met on a crop; none where no single row does."""
    season = _Season(judged, one)
    found = {name: tuple(_OF[name](season)) for name in REQUIREMENTS if name in _OF and one.facts[name] is False}
    return {name: rows[:MOST] for name, rows in found.items() if rows}


class _Season:
    """The rows of one crop, each kind fetched when a requirement asks for it."""

    def __init__(self, judged: Assessment, one: IntervalVerdict) -> None:
        self.judged, self.facts, self.law = judged, one.facts, one.rule
        self.key = one.facts["interval_key"]

    def passes(self, says: Callable[[Row], Any], *, of_crop: bool = False) -> Iterator[RowAgainst]:
        """Yield the passes of the interval, or all since the crop before ended, that a condition holds of."""
        place = "crop_key" if of_crop else "interval_key"
        return (self.named(row) for row in _passes(self.judged, place).get(self.key, ()) if says(row))

    def named(self, row: Row, amount: str = "") -> RowAgainst:
        """Return a pass by the name of its operation."""
        names = self.judged.once("operation_names", "", lambda: _operations(self.judged))
        return RowAgainst("operation", row["operation_id"], row["day"], names[row["operation_id"]], amount)

    def applied(self, says: Callable[[Row], Any], *, earlier: bool = False) -> Iterator[RowAgainst]:
        """Yield the applications that a condition holds of; ``earlier``, those on a cover before the last crop too."""
        rows = _spread(self.judged, self.law).get(self.key, ())
        if earlier and (before := _on_earlier_cover(self.judged, self.law).get(self.key, ())):
            rows = _by_day([*rows, *before])
        for row in rows:
            if says(row):
                name = row["product"] or row["application_id"]
                yield RowAgainst("nutrient_application", row["application_id"], row["day"], name)

    def covers(self, says: Callable[[Row], Any], *, day: str = "seeded_on") -> Iterator[RowAgainst]:
        """Yield the covers that a condition holds of, by the day that it is about."""
        for row in _covers(self.judged, self.law).get(self.key, ()):
            if says(row):
                yield RowAgainst("cover_crop", row["cover_id"], row[day], row["cover_id"])

    def declared(self, *answers: str) -> Iterator[RowAgainst]:
        """Yield the declarations in which the producer says yes to what must not be."""
        of = self.judged.loaded.declarations.filter(pl.col("interval_key") == self.key)
        for row in of.select("harvest_id", "made_on", *answers).iter_rows(named=True):
            if any(row[one] and self.facts[one] for one in answers):
                yield RowAgainst("declaration", row["harvest_id"], row["made_on"], row["harvest_id"])

    def budgets(self) -> Iterator[RowAgainst]:
        """Yield the nutrient budgets of the crop."""
        of = self.judged.loaded.budgets.filter(pl.col("interval_key") == self.key)
        for key, day in of.select("budget_id", "budget_made_on").iter_rows():
            yield RowAgainst("nutrient_budget", key, day, key)


def _by_day(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (row["day"] is None, row["day"] or date.min))


def _grouped(rows: Iterable[Row], place: str) -> _Groups:
    """Return rows by the interval that they are placed in: a farm asks some dozens of times for a few of many."""
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(row[place], []).append(row)
    return found


def _operations(judged: Assessment) -> dict[str, str]:
    rows = judged.book["operation"].select("operation_id", "operation", "as_typed")
    return {key: name or typed or key for key, name, typed in rows.iter_rows()}


def _passes(judged: Assessment, place: str) -> _Groups:
    """Return the passes of a farm by day; a book of very many farms keeps no names of its passes."""
    if "operation_id" not in judged.loaded.operations.columns:
        return {}

    def made() -> _Groups:
        rows = judged.once("passes_judged", "", lambda: judged_passes(judged.loaded, *_PASS).rows(named=True))
        return _grouped(_by_day(rows), place)

    return judged.once(f"passes_by_{place}", "", made)


def _nitrogen(judged: Assessment, law: RuleVersion) -> pl.DataFrame:
    return judged.once("nitrogen_of_" + law.id, "", lambda: nitrogen_rows(judged.loaded, law))


def _spread(judged: Assessment, law: RuleVersion) -> _Groups:
    """Return the applications placed in the interval of their crop, by day."""

    def made() -> _Groups:
        placed = placed_in_time(_nitrogen(judged, law), law)
        return _grouped(_by_day(at_once(placed.select(_SPREAD)).rows(named=True)), "interval_key")

    return judged.once("applications_of_" + law.id, "", made)


def _on_earlier_cover(judged: Assessment, law: RuleVersion) -> _Groups:
    """Return the applications on a cover that stood before the last crop, as those of the crop that it is for."""

    def made() -> _Groups:
        before = on_standing_cover(judged.loaded, _nitrogen(judged, law), law)
        placed = before.with_columns(interval_key="of_cover", _early=False)
        return _grouped(at_once(placed.select(_SPREAD)).rows(named=True), "interval_key")

    return judged.once("applications_before_of_" + law.id, "", made)


def _covers(judged: Assessment, law: RuleVersion) -> _Groups:
    def made() -> _Groups:
        return _grouped(at_once(judged_covers(judged.loaded, law).select(_COVER)).rows(named=True), "interval_key")

    return judged.once("covers_of_" + law.id, "", made)


def _over_limit(limit: str) -> Callable[[_Season], Iterator[RowAgainst]]:
    """Name the passes with the largest STIR: the fewest without which the sum would hold."""

    def largest(season: _Season) -> Iterator[RowAgainst]:
        all_passes = _passes(season.judged, "interval_key").get(season.key, ())
        mine = [row for row in all_passes if row["stir_recorded"]]
        over = sum(row["stir_recorded"] for row in mine) - getattr(season.law, limit)
        for row in sorted(mine, key=lambda row: -row["stir_recorded"]):
            if over <= 0:
                return
            over -= row["stir_recorded"]
            yield season.named(row, f"STIR {show(row['stir_recorded'], STIR_SCALE)}")

    return largest


def _burned(season: _Season) -> Iterator[RowAgainst]:
    yield from season.passes(lambda row: row["is_burning"])
    yield from season.declared("residue_burned")


def _between(first: date | None, day: date | None, last: date | None) -> bool:
    return first is not None and day is not None and last is not None and first <= day <= last


def _ended(season: _Season) -> Iterator[RowAgainst]:
    """Name the covers that ended in a way that does not count, and the passes that tilled one under."""
    yield from season.covers(lambda row: row["_method"] is False, day="terminated_on")
    facts = season.facts
    yield from season.passes(
        lambda row: row["is_full_width"] and _between(facts["incorporated_by"], row["day"], facts["planted_last"])
        and facts["incorporated_by"] < row["day"] < (facts["terminated_on"] or date.min),
        of_crop=True,
    )  # fmt: skip


def _buried(season: _Season) -> Iterator[RowAgainst]:
    facts = season.facts
    return season.passes(
        lambda row: row["is_full_width"] and _between(facts["terminated_on"], row["day"], facts["planted_last"]),
        of_crop=True,
    )


def _used(season: _Season) -> Iterator[RowAgainst]:
    facts = season.facts
    yield from season.covers(lambda row: row["termination_method"] in USE_OF_BIOMASS, day="terminated_on")
    yield from season.passes(
        lambda row: row["op_group"] in USE_OF_COVER and row["day"] != facts["seeded_on"]
        and _between(facts["seeded_on"], row["day"], facts["planted_last"]),
        of_crop=True,
    )  # fmt: skip
    yield from season.declared("cover_grazed", "cover_harvested")


def _cover_burned(season: _Season) -> Iterator[RowAgainst]:
    yield from season.covers(lambda row: row["termination_method"] == "burning", day="terminated_on")
    yield from _burned(season)


def _cover_fed(season: _Season) -> Iterator[RowAgainst]:
    yield from season.applied(lambda row: row["_cover_meant"], earlier=True)
    yield from season.declared("cover_fertilized")


def _before_budget(season: _Season) -> Iterator[RowAgainst]:
    made = season.facts["budget_made_on"]
    yield from season.applied(lambda row: row["day"] and not row["day"] >= made)
    yield from season.budgets()


def _first_nitrogen(season: _Season) -> Iterator[RowAgainst]:
    """Name what went on too early; where nothing did, the first that went on, which was too late."""
    early = [*season.applied(lambda row: row["counts"] and row["_early"])]
    first = season.facts["n_first_day"]
    return iter(early) if early else season.applied(lambda row: row["counts"] and row["day"] == first)


def _before_emergence(season: _Season) -> Iterator[RowAgainst]:
    emerges = season.facts["emerges_from"]
    return season.applied(lambda row: row["counts"] and emerges and row["day"] and row["day"] < emerges)


@cache
def _false(answer: str, day: str = "seeded_on") -> Callable[[_Season], Iterator[RowAgainst]]:
    return lambda season: season.covers(lambda row: row[answer] is False, day=day)


_OF: Final[Mapping[str, Callable[[_Season], Iterator[RowAgainst]]]] = {
    "no_till_no_full_width_disturbance": lambda season: season.passes(lambda row: row["is_full_width"]),
    "no_till_stir_within_limit": _over_limit("no_till_stir_max"),
    "reduced_till_stir_within_limit": _over_limit("reduced_till_stir_max"),
    "reduced_till_no_primary_inversion": lambda season: season.passes(lambda row: row["is_inversion"]),
    "no_till_residue_not_burned": _burned,
    "reduced_till_residue_not_burned": _burned,
    "cover_crop_suits_site": _false("_suits"),
    "cover_crop_on_whole_unit": lambda season: season.covers(lambda _: True),
    "cover_crop_legume_n_adjusted": _Season.budgets,
    "cover_crop_seeded_in_fall": _false("_fall"),
    "cover_crop_before_this_crop": _false("_own_crop", "terminated_on"),
    "cover_crop_termination_method": _ended,
    "cover_crop_terminated_in_spring": _false("_spring", "terminated_on"),
    "cover_crop_not_harvested_or_grazed": _used,
    "cover_crop_residue_stays": _buried,
    "cover_crop_residue_not_burned": _cover_burned,
    "cover_crop_not_fertilized": _cover_fed,
    "nutrients_budget_before_application": _before_budget,
    "nutrients_budget_all_sources": _Season.budgets,
    "nutrients_budget_basis": _Season.budgets,
    "inhibitor_with_all_synthetic_n": lambda season: season.applied(
        lambda row: row["counts"] and row["inhibited"] is False
    ),
    "inhibitor_recognised": lambda season: season.applied(lambda row: row["counts"] and row["accepted"] is False),
    "no_fall_first_n_at_planting": _first_nitrogen,
    "no_fall_none_in_fall": lambda season: season.applied(lambda row: row["carries"] and row["_fall"], earlier=True),
    "split_in_two_applications": lambda season: season.applied(lambda row: row["counts"] is not False),
    "split_post_emergence_share": _before_emergence,
}
"""By requirement of the implementation, the rows that speak against it."""
