"""The season as a list before it happens: by which day each record is due that a practice rests on.

Nothing is judged here: the days follow from what the book has already. A record without a day is due before the next
step of the season, which nobody has dated yet.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from provender.days import years_after
from provender.records.book import RecordBook
from provender.report.deliveries import CITE as DELIVERED
from provender.report.deliveries import SOLD, deliveries
from provender.rule.crops import Crop
from provender.rule.law import RuleVersion, rule_version


@dataclass(frozen=True, slots=True)
class Due:
    """A record that is due."""

    day: date | None  # by which; None where the step it goes with has no day yet
    farm: str  # whose; no unit where it is about the whole farm
    unit: str  # whose; no unit where it is about the whole farm
    what: str  # the record and what to do, as a sentence
    cite: str  # the paragraph that asks for it
    keeps: bool = False  # until its day something is kept: nothing is done by then, and nothing is late after it

    @property
    def whose(self) -> str:
        """The unit, or the farm where it is about the whole of it."""
        return self.unit or self.farm

    def days_left(self, as_of: date) -> int | None:
        """Return the days until then, below zero once it is late."""
        return None if self.day is None else (self.day - as_of).days


def due_records(book: RecordBook, as_of: date) -> tuple[Due, ...]:
    """Return what is due on every unit, the earliest first and what has no day last."""
    law = rule_version(as_of)
    rows = _Rows(book)
    found = []
    for unit in book["unit"].iter_rows(named=True):
        key = unit["farm_id"], unit["unit_id"]
        found += [*_tests(rows, key, law), *_photographs(rows, key), *_inhibitors(rows, key), *_declarations(rows, key)]
    found += [one for one in _kept(book, law.retention_years) if one.day is None or one.day >= as_of]
    found += [Due(one.sold_on, one.farm, "", one.words, DELIVERED) for one in deliveries(book) if not one.given_on]
    return tuple(sorted(found, key=lambda one: (one.day is None, one.day or as_of, one.farm, one.unit)))


def _kept(book: RecordBook, years: int) -> Iterator[Due]:
    """Yield until when the records of a harvest are kept: the years run from the farm's own last sale of it (47)."""
    sales: dict[tuple[str, str, int], list[date | None]] = {}
    for row in book["sale"].iter_rows(named=True):
        if row["disposition"] in SOLD:
            sales.setdefault((row["farm_id"], str(row["crop"]), row["harvest_year"]), []).append(row["day"])
    for (farm, crop, year), days in sorted(sales.items()):
        dated = [day for day in days if day is not None]
        until = None
        what = f"Enter the day of each sale of {crop} {year}: its records are kept {years} years from the last one."
        if len(dated) == len(days):
            sold = max(dated)
            until = years_after(sold, years)
            what = (
                f"Keep all records of {crop} {year} until then: {years} years from the last sale recorded, on {sold}."
            )
        yield Due(until, farm, "", what, "2100.030(d)", keeps=True)


class _Rows:
    """Rows of a book by unit and by crop entry, put in order once: each unit asks for them several times."""

    def __init__(self, book: RecordBook) -> None:
        self._of: dict[str, dict[tuple[str, str], list[dict[str, Any]]]] = {}
        for kind in ("harvest", "soil_test", "cover_crop", "nutrient_application"):
            by_unit = self._of.setdefault(kind, {})
            for row in book[kind].iter_rows(named=True):
                by_unit.setdefault((row["farm_id"], row["unit_id"]), []).append(row)
        self.declared = set(book["declaration"].select("farm_id", "harvest_id").iter_rows())
        self.made: dict[tuple[str, str], list[date]] = {}
        for farm, entry, day in book["nutrient_budget"].select("farm_id", "harvest_id", "made_on").iter_rows():
            if day is not None:
                self.made.setdefault((farm, entry), []).append(day)

    def of(self, kind: str, key: tuple[str, str]) -> list[dict[str, Any]]:
        """Return the rows of a unit."""
        return self._of[kind].get(key, [])


def _begun(rows: _Rows, key: tuple[str, str]) -> date | None:
    """Return the end of the last crop that has one: what comes after is the season that is planned."""
    return max((row["last_day"] for row in rows.of("harvest", key) if row["last_day"]), default=None)


def _tests(rows: _Rows, key: tuple[str, str], law: RuleVersion) -> Iterator[Due]:
    cite, begun = "2100.053(a)(2)", _begun(rows, key)
    made = (day for row in rows.of("harvest", key) for day in rows.made.get((row["farm_id"], row["harvest_id"]), ()))
    if begun is not None and any(day > begun for day in made):
        return
    sampled = max((row["sampled_on"] for row in rows.of("soil_test", key) if row["sampled_on"]), default=None)
    if sampled is None:
        yield Due(None, *key, "Take a soil test before the next nutrient budget is made.", cite)
        return
    last = years_after(sampled, law.soil_test_max_years)
    what = f"Make the next nutrient budget by this day, or sample again: the soil was sampled on {sampled}."
    yield Due(last, *key, what, cite)


def _photographs(rows: _Rows, key: tuple[str, str]) -> Iterator[Due]:
    for row in rows.of("cover_crop", key):
        if row["established_photo"] is None:
            seeded = f" seeded on {row['seeded_on']}" if row["seeded_on"] else ""
            what = f"Photograph the cover crop{seeded} before it is terminated."
            yield Due(row["terminated_on"], *key, what, "2100.052(c)")


def _inhibitors(rows: _Rows, key: tuple[str, str]) -> Iterator[Due]:
    begun = max((row["first_day"] for row in _finished(rows, key)), default=None)
    for row in rows.of("nutrient_application", key):
        if row["inhibitor"] is None and row["day"] and (begun is None or row["day"] > begun):
            what = f"Say which nitrification inhibitor went with {row['product']}, or none."
            yield Due(row["day"], *key, what, "2100.053(b)(1)")


def _finished(rows: _Rows, key: tuple[str, str]) -> Iterable[dict[str, Any]]:
    """Return crops that a declaration closed."""
    of_unit = rows.of("harvest", key)
    return (row for row in of_unit if (row["farm_id"], row["harvest_id"]) in rows.declared and row["first_day"])


def _declarations(rows: _Rows, key: tuple[str, str]) -> Iterator[Due]:
    law = {str(crop) for crop in Crop}
    harvests = rows.of("harvest", key)
    first = min((row["last_day"] for row in harvests if row["last_day"]), default=None)
    for row in harvests:
        day = row["last_day"] if row["last_day"] != first else None  # the first crop only begins an interval
        if (
            (row["farm_id"], row["harvest_id"]) not in rows.declared
            and day
            and row["crop"] in law
            and row["ending"] == "harvested"
        ):
            what = f"Declare the season of {row['harvest_id']}: passes, nutrients, burning."
            yield Due(day, *key, what, "2100.051(c)(2)")
