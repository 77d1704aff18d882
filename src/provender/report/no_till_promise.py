"""The no-till promise of 2100.031(c)(3)(vi), followed parcel by parcel through the years (interpretation 14).

What is known of a year comes from the ``tillage_history`` records and from the book's own verdicts. Where they disagree
the parcel was tilled: nobody tills by a slip of the pen, and a row that says otherwise is the producer's word.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import polars as pl

from provender.practices.assess import Assessment
from provender.problem import Place, Problem, Weight
from provender.rule.crops import Practice
from provender.rule.parameters import parameters
from provender.rule.version import RuleVersion

PROMISE: Final = "2100.031(c)(3)(vi)"
SEPARATOR: Final = ";"
"""Between the parcels of a unit that lies on several."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A parcel tilled more often than the promise allows.

    Attributes:
        parcel: which land.
        years: the tilled harvest years of those the promise looks back on, in order.
        promised: whether they lie after the first claim under the rule; earlier years are history, shown and no breach
            (interpretation 65).
    """

    parcel: str
    years: tuple[int, ...]
    promised: bool


def parcels(parcel_id: str | None) -> tuple[str, ...]:
    """Return the parcels that a unit names, in its order: none, one, or several set apart by semicolons."""
    return tuple(one.strip() for one in (parcel_id or "").split(SEPARATOR) if one.strip())


def history(assessment: Assessment, farm_id: str) -> Mapping[tuple[str, int], bool]:
    """Return for each parcel and harvest year of which something is known whether it was no-till."""
    found: dict[tuple[str, int], bool] = {}
    book = assessment.book
    for row in book.rows_of("tillage_history", farm_id):
        _learn(found, parcels(row["parcel_id"]), row["harvest_year"], kept=row["tillage"] == "no_till")
    if not assessment.verdicts.is_empty():
        answer = str(Practice.no_till)
        judged = assessment.verdicts.filter((pl.col("farm_id") == farm_id) & pl.col(answer).is_not_null())
        for of_unit, year, kept in judged.select("parcel_id", "harvest_year", answer).iter_rows():
            _learn(found, parcels(of_unit), year, kept=kept)
    return found


def _learn(found: dict[tuple[str, int], bool], of: Iterable[str], year: int, *, kept: bool) -> None:
    for parcel in of:
        found[parcel, year] = found.get((parcel, year), True) and kept


def breaches(assessment: Assessment, farm_id: str, last_year: int, law: RuleVersion) -> tuple[Breach, ...]:
    """Return every parcel of a farm tilled too often in the years that end with ``last_year``, by its name."""
    known = history(assessment, farm_id)
    first_year = last_year - law.no_till_promise_of_years + 1
    under_rule = parameters().start.year
    allowed = law.no_till_promise_of_years - law.no_till_promise_years
    found = []
    for parcel in sorted({parcel for parcel, _ in known}):
        of_parcel = {year: kept for (name, year), kept in known.items() if name == parcel}
        years = tuple(sorted(year for year, kept in of_parcel.items() if first_year <= year <= last_year and not kept))
        claimed = min((year for year, kept in of_parcel.items() if kept and year >= under_rule), default=last_year)
        after = tuple(year for year in years if year > claimed)
        if len(after) > allowed:
            found.append(Breach(parcel, after, promised=True))
        elif len(years) > allowed:
            found.append(Breach(parcel, years, promised=False))
    return tuple(found)


def tilled_by_history(assessment: Assessment, farm_id: str, year: int, of_units: Iterable[str]) -> Iterator[Problem]:
    """Tell of units called no-till whose parcel the farm's own tillage history calls tilled in the same harvest year.

    A parcel on which other units lie, or from which another crop was cut that year, may have been tilled for those.
    """
    book, wanted = assessment.book, set(of_units)
    lie_on: dict[str, set[str]] = {}
    for row in book.rows_of("unit", farm_id):
        for parcel in parcels(row["parcel_id"]):
            lie_on.setdefault(parcel, set()).add(row["unit_id"])
    cut = Counter(row["unit_id"] for row in book.rows_of("harvest", farm_id) if assessment.harvest_year(row) == year)
    for row in book.rows_of("tillage_history", farm_id):
        for parcel in parcels(row["parcel_id"]):
            units = lie_on.get(parcel, set())
            alone = bool(units) and units <= wanted and all(cut[unit] == 1 for unit in units)
            if alone and row["harvest_year"] == year and row["tillage"] != "no_till":
                cause = f"{', '.join(sorted(units))}: the tillage history calls parcel {parcel} tilled in {year}."
                remedy = "Correct the history, or add the pass that tilled it to the field operations."
                place = Place(row.get("source_file") or "tillage_history", row=row.get("source_row") or 0)
                yield Problem(place, cause, remedy, "2100.051(b)(1)", Weight.CONFIRM, "tilled_by_history")


def promise_problems(assessment: Assessment) -> tuple[Problem, ...]:
    """Tell of every promise that is broken by the last harvest of its farm, claimed or not that year."""
    last = {one.farm_id: one for one in sorted(assessment.intervals, key=lambda one: one.harvest_year)}
    found = []
    for farm_id, one in sorted(last.items()):
        law = one.rule
        for breach in breaches(assessment, farm_id, one.harvest_year, law):
            if breach.promised:
                years = ", ".join(map(str, breach.years))
                kept, of = law.no_till_promise_years, law.no_till_promise_of_years
                cause = f"Parcel {breach.parcel} was tilled in {years}: no-till was promised in {kept} of {of} years."
                remedy = "Correct the year if it is wrong; else tell your buyer, and claim no no-till on it."
                place = Place("unit", column="parcel_id")
                found.append(Problem(place, cause, remedy, PROMISE, Weight.CONFIRM, "no_till_promise_broken"))
    return tuple(found)
