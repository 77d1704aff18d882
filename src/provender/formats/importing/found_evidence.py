"""What the book has and no row names: photographs by field and day, papers of tests, tests of budgets, harvest years.

A check asks what a row names. What lies there under the same field, in the right days and with the same values is
named by the row that needs it: at once where nothing else can be meant, by a person's nod where it is a judgement.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from provender.formats.parsed import doubt, note
from provender.problem import Place, Problem, listed
from provender.records.book import days_of, year_of, year_of_load
from provender.rule.law import latest_whole

Row = Mapping[str, Any]
READ: Final = ("cover_crop", "evidence", "soil_test", "nutrient_budget", "harvest", "scale_ticket")
"""Kinds of record that are looked at."""
_FOUND: Final[Mapping[str, str]] = {
    "cover_crop": "photographs of the field from the time of its cover crop show that it was established",
    "soil_test": "the laboratory's file is the paper of a typed test with the same values",
    "scale_ticket": "tickets that say no harvest year were taken to be of the last harvest of their crop before them",
    "nutrient_budget": "a budget that names no basis was taken to rest on the field's latest soil test before it",
}
_STANDS: Final = timedelta(days=300)
"""How long a cover stands at most whose end is not recorded."""
_TO_THE_LABORATORY: Final = timedelta(days=21)
"""From the day of a sample, which the farm knows, to the day on which the laboratory had it."""
_VALUES: Final = ("ph", "organic_matter_pct", "nitrate_n_ppm", "p_ppm", "k_ppm")
_ENOUGH: Final = 2


@dataclass(frozen=True, slots=True)
class FoundLink:
    """What a row is to name."""

    kind: str  # of the row
    row: Row
    values: Mapping[str, object]  # of its columns, which are blank
    cause: str  # what is named and for which row, in words
    is_judgement: bool  # a person says so first


def links_found(rows: Mapping[str, Iterable[Row]]) -> Iterator[FoundLink]:
    """Yield what rows of one farm or several are to name, by their kinds (``READ``)."""
    photographs = [row for row in rows["evidence"] if row["what"] == "photograph" and row["taken_on"] is not None]
    for cover in rows["cover_crop"]:
        if found := _photograph_of(cover, photographs):
            cause = (
                f"{found['evidence_id']} of {found['taken_on']} for {cover['unit_id']}, seeded on {cover['seeded_on']}"
            )
            values = {"established_photo": str(found["evidence_id"])}
            # While nobody says when the cover ended, a late picture may show the crop that followed it.
            yield FoundLink("cover_crop", cover, values, cause, is_judgement=cover["terminated_on"] is None)
    tests = list(rows["soil_test"])
    for test in tests:
        if test["evidence"] is None and (twin := _same_sample(test, tests)):
            cause = f"{twin['soil_test_id']} for {test['soil_test_id']} of {test['unit_id']}"
            yield FoundLink("soil_test", test, {"evidence": str(twin["evidence"])}, cause, is_judgement=True)
    harvests = list(rows["harvest"])
    for load in rows["scale_ticket"]:
        own = (row for row in harvests if row["farm_id"] == load["farm_id"])
        year = None if load["harvest_year"] is not None else year_of_load(load, own, _year, guess=True)
        if year is not None:
            cause = f"{year} for {load['ticket_id']} of {load['day']}"
            yield FoundLink("scale_ticket", load, {"harvest_year": year}, cause, is_judgement=load["unit_id"] is None)
    units = {(row["farm_id"], row["harvest_id"]): row["unit_id"] for row in harvests}
    for budget in rows["nutrient_budget"]:
        unit = units.get((budget["farm_id"], budget["harvest_id"]))
        if found := _test_of(budget, unit, tests):
            cause = f"{found['soil_test_id']} of {found['sampled_on']} for {unit}, budget of {budget['made_on']}"
            values = {"soil_test_id": str(found["soil_test_id"]), "basis": "soil_test"}
            yield FoundLink("nutrient_budget", budget, values, cause, is_judgement=True)


def links_told(links: Iterable[FoundLink], *, accept: bool) -> Iterator[Problem]:
    """Say once a kind what rows are to name; a judgement waits for a person's nod."""
    groups: dict[tuple[str, bool], list[FoundLink]] = {}
    for link in links:
        groups.setdefault((link.kind, link.is_judgement), []).append(link)
    for (kind, is_judgement), found in groups.items():
        place = Place(f"{kind}.csv", column=next(iter(found[0].values)))
        cause = f"{_FOUND[kind]}: {listed((one.cause for one in found), 9)}."
        if is_judgement:
            remedy = "Confirm it." if accept else "Confirm it with --accept, or name another in the row."
            yield doubt(place, cause, remedy, "evidence_found")
        else:
            yield note(place, cause, "Nothing, if that is right.", "evidence_found")


def _year(entry: Row) -> int | None:
    return year_of(*days_of(entry))


def _photograph_of(cover: Row, photographs: Iterable[Row]) -> Row | None:
    first: date | None = cover["seeded_on"]
    if cover["established_photo"] is not None or first is None:
        return None
    last = cover["terminated_on"] or first + _STANDS
    fits = [
        row
        for row in photographs
        if _alike(row, cover, "farm_id", "unit_id") and row["unit_id"] is not None and first < row["taken_on"] <= last
    ]
    return max(fits, key=lambda row: (row["taken_on"], row["evidence_id"]), default=None)


def _alike(one: Row, other: Row, *names: str) -> bool:
    return all(one[name] == other[name] for name in names)


def _same_sample(test: Row, tests: Iterable[Row]) -> Row | None:
    """Return the one test of the field that has a paper and says the same of one sample; None for none or several."""
    fits = []
    for one in tests:
        apart = (one["sampled_on"] - test["sampled_on"]) if one["sampled_on"] and test["sampled_on"] else None
        both = [name for name in _VALUES if one[name] is not None and test[name] is not None]
        is_near = apart is not None and -timedelta(days=1) <= apart <= _TO_THE_LABORATORY
        same = len(both) >= _ENOUGH and _alike(one, test, "farm_id", "unit_id", *both)
        if one is not test and one["evidence"] is not None and is_near and same:
            fits.append(one)
    return fits[0] if len({row["evidence"] for row in fits}) == 1 else None


def _test_of(budget: Row, unit: str | None, tests: Iterable[Row]) -> Row | None:
    """Return the latest test of a budget's field within the years that the rule allows, where it names no basis."""
    made: date | None = budget["made_on"]
    if made is None or unit is None or budget["soil_test_id"] is not None or budget["basis"] not in (None, "soil_test"):
        return None
    oldest = made - timedelta(days=365 * latest_whole("soil_test_max_years"))
    fits = [
        row
        for row in tests
        if row["unit_id"] == unit and row["farm_id"] == budget["farm_id"]
        and row["sampled_on"] is not None and oldest <= row["sampled_on"] <= made
    ]  # fmt: skip
    return max(fits, key=lambda row: (row["sampled_on"], row["evidence"] is not None), default=None)
