"""What cannot be in the records behind a report: unreadable rows, impossible amounts, days and places."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, cast

from provender import __version__
from provender.catalog.places import find_county, is_placed_in_words
from provender.days import says
from provender.exact import CI_SCALE, show
from provender.intensity.harvests import GRAIN_USES, NO_GRAIN, CropUnits, crop_units
from provender.problem import Place, Problem, Weight
from provender.records.book import EvidenceFiles, HeldFiles, Memory, RecordBook, file_inside, grouped, year_of_load
from provender.records.folder import BOUNDARIES
from provender.records.kind import KINDS, IncompleteRow
from provender.records.kinds.farm import Unit
from provender.report.attestation import SOLD, WITH_CI, tilled_by_history
from provender.report.supporting import evidence_named
from provender.rule.crops import Practice
from provender.rule.law import RuleVersion
from provender.signing.canonical import sha256_hex
from provender.standards.evidence import names_in
from provender.standards.judge import IntervalJudged
from provender.standards.standard import WHOLE
from provender.verdicts.assess import Assessment

if TYPE_CHECKING:
    from provender.formats.boundaries import Boundaries


# Rows that nobody can read, of kinds that refuse a report by what they say: they refuse it too (interpretation 2).
#
# Otherwise a slip of the pen would be worth more than the sale, the load or the pasture that it hides.

_CITES: Final[Mapping[str, str]] = {
    "harvest": "2100.020",
    "sale": "2100.031(b)",
    "scale_ticket": "2100.020",
    "bushel_total": "2100.020",
    "reported_acres": "2100.020",
    "national_default": "2100.020(b)",
    "control": "2100.031(c)(3)(i)",
    "enrolment": "2100.031(c)(3)(v)",
    "tillage_history": "2100.031(c)(3)(vi)",
    "land_use": "2100.031(c)(3)(vii)",
}
"""What is read only where a report is made; a row of any other kind spoils the verdicts themselves."""


def _unread_rows(assessment: Assessment, q: CropUnits) -> Iterator[Problem]:
    """Tell of each kind of which a row that may be of this crop, year and its credited units could not be read."""
    units = [unit.unit_id for unit in q.units if unit.credited]
    first_of_kind: dict[str, IncompleteRow] = {}
    for lost in assessment.book.incomplete_rows:
        name = lost.kind
        is_of_unit = name in ("scale_ticket", "harvest") or lost.unit_id is None or lost.unit_id in units
        is_of_year = name == "tillage_history" or lost.harvest_year in (None, q.harvest_year)
        is_of_crop = lost.crop in (None, str(q.crop))
        if lost.farm_id == q.farm_id and name in _CITES and is_of_unit and is_of_year and is_of_crop:
            first_of_kind.setdefault(name, lost)
    for name, row in first_of_kind.items():
        kind = KINDS[name]
        cause = f"A row of {kind.label.lower()} could not be read, so nobody knows what it says of this crop."
        remedy = "Correct it as its own problem says, or remove it."
        place = Place(row.file or kind.name, row=row.row or 0)
        yield Problem(place, cause, remedy, _CITES[kind.name], Weight.CONFIRM, "row_unread")


# Amounts, days and places that cannot be: each refuses an official signature in words (2100.020, .031(b), (c)).
#
# What is only unusual is a finding elsewhere; here stands what no field, calculator or sale can have been.

_IN_STORAGE: Final = "in_storage"


class _Laws:
    """The text that each unit of a report is held to: the day of its own harvest chooses it (interpretation 1)."""

    def __init__(self, intervals: Sequence[IntervalJudged]) -> None:
        in_order = sorted(intervals, key=lambda one: one.last_day)
        self.of_farm = in_order[-1].rule
        self._of_harvest = {entry: one.rule for one in in_order for entry in one.harvest_ids}
        self._of_unit = {one.unit_id: one.rule for one in in_order}

    def of_harvest(self, harvest_id: str) -> RuleVersion:
        return self._of_harvest.get(harvest_id, self.of_farm)

    def of_unit(self, unit_id: str) -> RuleVersion:
        return self._of_unit.get(unit_id, self.of_farm)


def contradictions(assessment: Assessment, q: CropUnits, as_of: date) -> tuple[Problem, ...]:
    """Return what cannot be in the records behind one report, made on a day.

    Args:
        assessment: the book, judged.
        q: the farm, crop and harvest year.
        as_of: the day of the report.
    """
    intervals = assessment.of(q.farm_id, q.crop, q.harvest_year)
    if not intervals:
        return ()
    laws = _Laws(intervals)
    first, last = _first_day(assessment, q), max(one.last_day for one in intervals)
    return (
        *_made_too_early(as_of, last),
        *_intensities(assessment, q, laws),
        *_yields(assessment, q, laws),
        *_moistures(assessment, q, laws),
        *_run_days(assessment, q, last, as_of),
        *_days_ahead(assessment, q, as_of),
        *_county(assessment, q),
        *_sales(assessment, q, first, laws.of_farm),
        *_tickets(assessment, q, first, laws.of_farm),
        *_unclear_tickets(assessment, q, first, as_of),
        *_reserves(assessment, q),
        *_places(assessment, q, laws),
        *_emergence(assessment, q, laws),
        *tilled_by_history(
            assessment,
            q.farm_id,
            q.harvest_year,
            [unit.unit_id for unit in q.units if Practice.no_till in unit.credited],
        ),
        *_unread_rows(assessment, q),
    )


def _first_day(assessment: Assessment, q: CropUnits) -> date:
    """Return the first day of the harvest.

    Where an entry states only its last day, grain left before that, and none before its planting or its year.
    """
    planted = {row["harvest_id"]: row["planted_on"] for row in _of_harvests(assessment, q, "planting")}
    year = date(q.harvest_year, 1, 1)
    days = (row["first_day"] or planted.get(row["harvest_id"]) for row in _of_harvests(assessment, q, "harvest"))
    return min((day or year for day in days), default=year)


def contradictions_of_book(assessment: Assessment, as_of: date) -> tuple[Problem, ...]:
    """Return the same for every harvest of a book by the runs it holds, each once."""
    found = (
        one
        for farm_id, crop, harvest_year in assessment.harvests
        for one in contradictions(assessment, crop_units(assessment, farm_id, crop, harvest_year), as_of)
    )
    return tuple(dict.fromkeys(found))


def _row_problem(row: Mapping[str, Any] | None, kind: str, cause: str, remedy: str, cite: str, code: str) -> Problem:
    place = Place(kind) if row is None else Place(row.get("source_file") or kind, row=row.get("source_row") or 0)
    return Problem(place, cause, remedy, cite, Weight.CONFIRM, code)


def _rows_of(assessment: Assessment, q: CropUnits, kind: str) -> Sequence[Mapping[str, Any]]:
    return assessment.book.rows_of(kind, q.farm_id)


def _of_harvests(assessment: Assessment, q: CropUnits, kind: str) -> Iterator[Mapping[str, Any]]:
    wanted = {entry for unit in q.units for entry in unit.harvest_ids}
    return (row for row in _rows_of(assessment, q, kind) if row["harvest_id"] in wanted)


def _made_too_early(as_of: date, last: date) -> Iterator[Problem]:
    if as_of < last:
        cause = f"The report is dated {as_of}, and the harvest it reports ended on {last}."
        remedy = "Make the report after the harvest, or correct the days of the harvest."
        yield _row_problem(None, "report", cause, remedy, "2100.020", "report_before_harvest")


def _intensities(assessment: Assessment, q: CropUnits, laws: _Laws) -> Iterator[Problem]:
    """Tell of values that are grams in name only: kilograms for grams is the usual slip."""
    if q.is_estimate:
        return
    default, law = q.national_default, laws.of_farm
    if default is not None and not law.national_default_min <= default <= law.national_default_max:
        cause = f"A national default of {_ci(default)} g CO2e/bu is no such value of {q.crop.label} in this unit."
        remedy = "Enter grams per bushel, as the printout shows them."
        yield _row_problem(None, "national_default", cause, remedy, "2100.020(b)", "ci_far_from_unit")
        return
    for row in _of_harvests(assessment, q, "calculator_run"):
        ci = row["ci_g_per_bu"]
        if ci is None or not default:
            continue
        law = laws.of_harvest(row["harvest_id"])
        tiny = abs(ci) * WHOLE < law.ci_of_default_pct_min * default
        if tiny or abs(ci) * WHOLE > law.ci_of_default_pct_max * default:
            cause = f"Run {row['run_id']} gives {_ci(ci)} g CO2e/bu beside a national default of {_ci(default)}."
            remedy = "Enter grams per bushel (a kilogram is 1,000 of them), or check the printout."
            yield _row_problem(row, "calculator_run", cause, remedy, "2100.020(a)", "ci_far_from_unit")


def _ci(value: int) -> str:
    return show(value, CI_SCALE, group=True)


def _yields(assessment: Assessment, q: CropUnits, laws: _Laws) -> Iterator[Problem]:
    for unit in q.units:
        most, limit = _most(q, laws.of_unit(unit.unit_id))
        if unit.acres and unit.bushels is not None and unit.bushels * 1000 > most * unit.acres:
            per_acre = show(unit.bushels * 1000 // unit.acres)
            amounts = f"{show(unit.bushels)} bu on {show(unit.acres)} acres"
            cause = f"{unit.unit_id}: {amounts} are {per_acre} bu/ac: above {limit}."
            yield _row_problem(
                None, "harvest", cause, "Correct bushels or acres.", "2100.020(a)(3)", "yield_impossible"
            )
    for kind, column, what in (
        ("nutrient_budget", "yield_goal_bu_per_ac", "a yield goal"),
        ("calculator_run", "yield_bu_per_ac", "a yield"),
    ):
        for row in _of_harvests(assessment, q, kind):
            most, limit = _most(q, laws.of_harvest(row["harvest_id"]))
            if row[column] is not None and row[column] > most:
                cause = f"{row['harvest_id']}: {what} of {show(row[column])} bu/ac is above {limit}."
                yield _row_problem(row, kind, cause, "Correct it.", "2100.020(a)(3)", "yield_impossible")


def _most(q: CropUnits, law: RuleVersion) -> tuple[int, str]:
    """Return the highest yield that a text takes, thousandths of a bushel an acre, and the same in words."""
    most: int = getattr(law, f"{q.crop}_yield_max")
    return most, f"{show(most)} bu/ac, more than any {q.crop.label} on record"


def _moistures(assessment: Assessment, q: CropUnits, laws: _Laws) -> Iterator[Problem]:
    for row in _of_harvests(assessment, q, "harvest"):
        law = laws.of_harvest(row["harvest_id"])
        least, most = law.grain_moisture_pct_min, law.grain_moisture_pct_max
        moisture = row["moisture_pct"]
        if moisture is not None and row["use"] in (None, *GRAIN_USES) and not least <= moisture <= most:
            cause = f"{row['harvest_id']}: no dry grain has {show(moisture)} % moisture."
            remedy = "Correct the moisture; wet grain is recorded as high_moisture."
            yield _row_problem(row, "harvest", cause, remedy, "2100.020(a)(3)", "moisture_impossible")


_RESERVED: Final = ("conservation_reserve", "forest", "wetland", "rangeland")
"""Uses of land that gives no cash crop; pasture may be sprayed out and planted in one year."""
_MOWN: Final = ("hay", "alfalfa")
"""What is cut from such land all the same."""


def _reserves(assessment: Assessment, q: CropUnits) -> Iterator[Problem]:
    """Tell of land that is called reserve in a year in which the book has a crop of it (2100.031(c)(3)(vii))."""
    units = {unit.unit_id for unit in q.units}
    called = {
        (row["unit_id"], row["year"]): row
        for row in _rows_of(assessment, q, "land_use")
        if row["unit_id"] in units and row["land_use"] in _RESERVED
    }
    for crop in _rows_of(assessment, q, "harvest") if called else ():
        row = called.get((crop["unit_id"], assessment.harvest_year(crop)))
        if row is not None and crop["ending"] == "harvested" and crop["crop"] not in _MOWN:
            land = str(row["land_use"]).replace("_", " ")
            cause = f"{row['unit_id']} is called {land} in {row['year']}, and {crop['harvest_id']} was harvested on it."
            remedy = "Correct the use of the land, or the crop entry."
            yield _row_problem(row, "land_use", cause, remedy, "2100.031(c)(3)(vii)", "crop_on_reserve")


def _run_days(assessment: Assessment, q: CropUnits, last: date, as_of: date) -> Iterator[Problem]:
    ends = {row["harvest_id"]: row["last_day"] or row["first_day"] for row in _of_harvests(assessment, q, "harvest")}
    for row in _of_harvests(assessment, q, "calculator_run"):
        day, cut = row["run_on"] or _paper_day(assessment, row), ends.get(row["harvest_id"]) or last
        if day is None:
            cause = f"Run {row['run_id']} has no day, and neither has its printout."
            yield _row_problem(
                row, "calculator_run", cause, "Enter the day of the run.", "2100.020(a)(3)", "run_undated"
            )
        elif day < cut or day > as_of:
            why = f"the harvest ended on {cut}" if day < cut else f"the report is of {as_of}"
            cause = f"Run {row['run_id']} is dated {day}, and {why}."
            remedy = "Run the calculator with the harvest's yield, or correct the day."
            yield _row_problem(row, "calculator_run", cause, remedy, "2100.020(a)(3)", "run_day_impossible")


def _paper_day(assessment: Assessment, run: Mapping[str, Any]) -> date | None:
    names = names_in(run["evidence"])
    papers = assessment.book.rows_of("evidence", run["farm_id"])
    return max((one["taken_on"] for one in papers if one["evidence_id"] in names and one["taken_on"]), default=None)


def _emergence(assessment: Assessment, q: CropUnits, laws: _Laws) -> Iterator[Problem]:
    """Tell of a crop that came up before any can: what went on since would count as given after emergence."""
    for row in _of_harvests(assessment, q, "planting"):
        planted, seen = row["planted_on"], row["emerged_on"]
        least = laws.of_harvest(row["harvest_id"]).emergence_days_earliest
        if planted and seen and (seen - planted).days < least:
            cause = f"{row['planting_id']} was planted on {planted}, and {seen} is a day on which no crop is up."
            remedy = "Correct the day of planting or that of emergence."
            yield _row_problem(row, "planting", cause, remedy, "2100.053(d)(1)", "emergence_impossible")


def _days_ahead(assessment: Assessment, q: CropUnits, as_of: date) -> Iterator[Problem]:
    """Tell of statements and papers that would have been made after the report that rests on them.

    A book goes on after a report: what its later rows name is no paper of the report.
    """
    for row in _of_harvests(assessment, q, "declaration"):
        if row["made_on"] is not None and row["made_on"] > as_of:
            cause = f"The declaration of {row['harvest_id']} is dated {row['made_on']}, and the report {as_of}."
            yield _row_problem(row, "declaration", cause, "Correct its day.", "2100.031", "day_ahead")
    late = [
        row for row in _rows_of(assessment, q, "evidence") if row["taken_on"] is not None and row["taken_on"] > as_of
    ]
    named = evidence_named(assessment, q, as_of) if late else frozenset()
    for row in late:
        if row["evidence_id"] in named:
            cause = f"Evidence {row['evidence_id']} is dated {row['taken_on']}, and the report {as_of}."
            yield _row_problem(row, "evidence", cause, "Correct its day.", "2100.031", "day_ahead")


def _county(assessment: Assessment, q: CropUnits) -> Iterator[Problem]:
    for row in _rows_of(assessment, q, "farm"):
        county = find_county(row["county_fips"] or "")
        if not row["county_fips"] and not (row["county"] and row["state"]):
            cause = "The farm names no county and State."
            yield _row_problem(
                row, "farm", cause, "Enter the county's FIPS code.", "2100.031(c)(1)", "farm_without_county"
            )
        elif row["county_fips"] and county is None:
            cause = f"No county has the FIPS code {row['county_fips']}."
            yield _row_problem(row, "farm", cause, "Correct the code.", "2100.031(c)(1)", "county_contradicted")
        elif county is not None:
            named, state = _plain(row["county"]), (row["state"] or "").strip().upper()
            other = named and named not in (_plain(county.name), _plain(county.long_name))
            if other or (state and state != county.state):
                said = ", ".join(part for part in (row["county"], row["state"]) if part)
                cause = f"FIPS code {county.fips} is {county.name}, {county.state}, and the farm says {said}."
                remedy = "Correct the county's name, the State or the code."
                yield _row_problem(row, "farm", cause, remedy, "2100.031(c)(1)", "county_contradicted")


def _plain(name: str | None) -> str:
    letters = "".join(letter for letter in (name or "").lower() if letter.isalnum())
    return letters.removesuffix("county").removesuffix("parish").replace("saint", "st")


def _sales(assessment: Assessment, q: CropUnits, first: date, law: RuleVersion) -> Iterator[Problem]:
    mine = [
        row
        for row in _rows_of(assessment, q, "sale")
        if row["crop"] == q.crop and row["harvest_year"] == q.harvest_year
    ]
    cite = "2100.031(b)"
    for row in mine:
        if row["disposition"] == WITH_CI and not says(row["buyer"]):
            cause = f"Sale {row['sale_id']} as reduced-CI crop names no buyer."
            yield _row_problem(row, "sale", cause, "Name the purchasing entity.", cite, "sale_without_buyer")
        if row["disposition"] == WITH_CI and row["day"] is None:
            cause = f"Sale {row['sale_id']} as reduced-CI crop has no date."
            yield _row_problem(row, "sale", cause, "Give the date of the transaction.", cite, "sale_without_day")
        if row["disposition"] in SOLD and row["day"] is not None and row["day"] < first:
            cause = f"Sale {row['sale_id']} is dated {row['day']}, before the first day of this harvest, {first}."
            remedy = "Correct the day, or the harvest year that the crop is of."
            yield _row_problem(row, "sale", cause, remedy, cite, "sale_before_harvest")
    yield from _oversold(mine, [unit.bushels for unit in q.units], _cut(assessment, q), law)


def _cut(assessment: Assessment, q: CropUnits) -> dict[str, list[int | None]]:
    """Return the bushels of every harvest of the crop and year as they were cut, by use: wet grain and silage too."""
    found: dict[str, list[int | None]] = {}
    for row in _rows_of(assessment, q, "harvest"):
        of_year = assessment.harvest_year(row) == q.harvest_year
        if row["crop"] == q.crop and row["ending"] == "harvested" and of_year:
            found.setdefault(row["use"] or "", []).append(row["bushels"])
    return found


def _oversold(
    sales: Iterable[Mapping[str, Any]],
    reported: list[int | None],
    cut: Mapping[str, list[int | None]],
    law: RuleVersion,
) -> Iterator[Problem]:
    """Hold claims against the report's bushels, and all that is gone against all that was cut.

    A claim beyond the report is of no crop. What is sold, fed or lost may have been silage or wet grain, which the
    report leaves out or converts, and may differ as tickets may. What lies in storage may be sold yet.
    """
    rows = list(sales)
    claimed = sum(row["bushels"] for row in rows if row["disposition"] == WITH_CI)
    if None not in reported and claimed > sum(one or 0 for one in reported):
        yield _beyond(claimed, "sold as reduced-CI crop", sum(one or 0 for one in reported))
        return
    silage_unknown = any(None in cut.get(use, []) for use in NO_GRAIN)
    total = sum(one or 0 for use in cut.values() for one in use)
    if any(None in of_use for use, of_use in cut.items() if use not in NO_GRAIN):
        return
    sold = sum(row["bushels"] for row in rows if row["disposition"] in SOLD)
    # How many bushels silage is nobody knows: then nobody knows how much was fed of it.
    left = (_IN_STORAGE, "fed") if silage_unknown else (_IN_STORAGE,)
    gone = sum(row["bushels"] for row in rows if row["disposition"] not in left)
    if (gone - total) * WHOLE > total * law.bushel_total_difference_pct_max:
        yield _beyond(*((sold, "sold") if sold > total else (gone, "sold, used or lost")), total)


def _beyond(amount: int, what: str, total: int) -> Problem:
    cause = f"{show(amount, group=True)} bu are {what} of a harvest of {show(total, group=True)} bu."
    remedy = "Correct the sales or the harvest; what is more than the report holds is sold without a claim."
    return _row_problem(None, "sale", cause, remedy, "2100.031(b)", "sold_beyond_harvest")


def _tickets(assessment: Assessment, q: CropUnits, first: date, law: RuleVersion) -> Iterator[Problem]:
    """Hold the loads that name this crop and year against its harvest: none before its first day, none beyond it."""
    entries = assessment.book.rows_of("harvest", q.farm_id)
    mine = [
        row
        for row in _rows_of(assessment, q, "scale_ticket")
        if row["crop"] == q.crop and year_of_load(row, entries, assessment.harvest_year) == q.harvest_year
    ]
    for row in mine:
        if row["day"] is not None and row["day"] < first:
            cause = f"Ticket {row['ticket_id']} is of {row['day']}, before the first day of this harvest, {first}."
            remedy = "Correct the day, or the harvest year that the load is of."
            yield _row_problem(row, "scale_ticket", cause, remedy, "2100.031(b)", "ticket_before_harvest")
    weighed = _most_weighed(mine, _rows_of(assessment, q, "sale"))
    # Nobody weighs silage as bushels.
    uses = _cut(assessment, q).items()
    cut = [one for use, of_use in uses for one in of_use if one is not None or use not in NO_GRAIN]
    total = sum(bushels for bushels in cut if bushels is not None)
    if None not in cut and (weighed - total) * WHOLE > total * law.bushel_total_difference_pct_max:
        cause = f"The scale tickets weigh {show(weighed, group=True)} bu of a harvest of {show(total, group=True)} bu."
        remedy = "Correct the units' bushels, or the crop and year of the tickets."
        yield _row_problem(None, "scale_ticket", cause, remedy, "2100.020", "tickets_beyond_harvest")


def _unclear_tickets(assessment: Assessment, q: CropUnits, first: date, as_of: date) -> Iterator[Problem]:
    """Tell of loads that may be of this harvest and do not say it, or name a crop or year that their unit did not grow.

    Such a load is in no total and proves no day; a blank would take it out of every check (interpretations 85, 86).
    """
    units, grown = {unit.unit_id for unit in q.units}, _grown(assessment, q)
    entries = assessment.book.rows_of("harvest", q.farm_id)
    for each in _rows_of(assessment, q, "scale_ticket"):
        row = {**each, "harvest_year": year_of_load(each, entries, assessment.harvest_year)}
        crop, year, day, unit_id = (row[name] for name in ("crop", "harvest_year", "day", "unit_id"))
        ticket = f"Ticket {row['ticket_id']}"
        blank = [name for name in ("day", "crop", "harvest_year", "net_bushels") if row[name] is None]
        may_be_of_it = (
            crop in (None, q.crop) and year in (None, q.harvest_year) and (unit_id is None or unit_id in units)
        )
        in_time = day is None or year is not None or first <= day <= as_of
        named = grown.get(unit_id, set())
        if blank and may_be_of_it and in_time:
            what = ", ".join(KINDS["scale_ticket"].fields[name].label.lower() for name in blank)
            cause, remedy = f"{ticket} does not say: {what}.", "Enter it as the ticket prints it."
            yield _row_problem(row, "scale_ticket", cause, remedy, "2100.020", "ticket_unclear")
        elif (
            crop and unit_id in units and year in {one for _, one in named} and not named & {(crop, year), (crop, None)}
        ):
            cause = f"{ticket} names {crop} of {year}, and {unit_id} gave none in that year."
            remedy = "Correct the crop, the year or the unit of the load."
            yield _row_problem(row, "scale_ticket", cause, remedy, "2100.020", "ticket_of_other_crop")
        elif crop == q.crop and day is not None and first <= day and year is not None and day.year < year:
            cause = f"{ticket} is of {day}, and names the harvest of {year}."
            remedy = "Correct the day, or the harvest year that the load is of."
            yield _row_problem(row, "scale_ticket", cause, remedy, "2100.020", "ticket_before_its_year")


def _grown(assessment: Assessment, q: CropUnits) -> dict[str, set[tuple[str, int | None]]]:
    """Return the crops that each unit gave, with their harvest years."""
    found: dict[str, set[tuple[str, int | None]]] = defaultdict(set)
    for row in _rows_of(assessment, q, "harvest"):
        if row["ending"] == "harvested":
            found[row["unit_id"]].add((row["crop"], assessment.harvest_year(row)))
    return found


def _most_weighed(tickets: Iterable[Mapping[str, Any]], sales: Iterable[Mapping[str, Any]]) -> int:
    """Return the most that was weighed once: at one scale, or at those of all buyers together.

    Grain that goes over the farm's scale into a bin goes over the elevator's when it is sold.
    """
    buyers = {_name(row["buyer"]) for row in sales}
    weighed: dict[str, int] = {}
    for row in tickets:
        scale = _name(row["buyer"])
        key = "" if scale in buyers else scale
        weighed[key] = weighed.get(key, 0) + (row["net_bushels"] or 0)
    return max(weighed.values(), default=0)


def _name(text: str | None) -> str:
    return " ".join((text or "").split()).casefold()


def _places(assessment: Assessment, q: CropUnits, laws: _Laws) -> Iterator[Problem]:
    """Hold outlines against acres and county; a boundary whose file is not there is a name, and no place (59)."""
    wanted = {unit.unit_id for unit in q.units if unit.credited}
    rows = [row for row in _rows_of(assessment, q, "unit") if row["unit_id"] in wanted and row["boundary"]]
    outlines = outlines_of(assessment.book, q.farm_id, [row["boundary"] for row in rows])
    grown = {unit.unit_id for unit in q.units}
    shared = _twins_of(outlines, [row for row in _rows_of(assessment, q, "unit") if row["unit_id"] in grown])
    for row in rows:
        if twins := shared.get(row["unit_id"]):
            cause = (
                f"{row['unit_id']} and {', '.join(twins)} bear one boundary, {row['boundary']}: one field is not two."
            )
            yield _row_problem(row, "unit", cause, "Give each unit its own.", "2100.051(c)(1)", "boundary_shared")
        found = outlines.get(row["boundary"])
        if found is not None:
            yield from _outline(row, found, laws.of_unit(row["unit_id"]))
        elif not is_placed_in_words(row["fsa_field"], row["legal_description"]):
            cause = f"{row['unit_id']}: the boundary {row['boundary']} is a name: no file with areas bears it."
            remedy = "Import or draw the boundary, or give the unit's FSA farm, tract and field or legal description."
            yield _row_problem(row, "unit", cause, remedy, "2100.051(c)(1)", "unit_without_place")


def _outline(row: Mapping[str, Any], found: "Boundaries", law: RuleVersion) -> Iterator[Problem]:
    from shapely import from_geojson
    from shapely.ops import unary_union

    from provender.formats.boundaries import county_doubts, of_unit

    mine = of_unit(found, row["unit_id"], row["name"])
    measured, cite = sum(one.acres for one in mine), "2100.051(c)(1)"
    stated = row["acres"]
    if stated and abs(measured - stated) * WHOLE > law.boundary_contradiction_pct_min * stated:
        cause = f"{row['unit_id']}: the boundary measures {show(measured)} acres and the unit has {show(stated)}."
        yield _row_problem(row, "unit", cause, "Correct the acres or the boundary.", cite, "boundary_contradicted")
    shape = unary_union([from_geojson(one.geojson) for one in mine])
    for doubt in county_doubts(shape, row["unit_id"], row["county_fips"] or "", Place(row["boundary"])):
        if doubt.code == "other_county":
            yield _row_problem(row, "unit", doubt.cause, doubt.remedy, cite, "boundary_contradicted")


# The areas of a book's boundary files: of a folder read at once, of what others keep in a limited process.
#
# What lies on a server was uploaded by strangers under names of their own: its bytes are read by a child that may fail,
# under a name of ours. An answer is remembered by the hash of the file, since starting a child takes a second: by this
# process, and by whoever keeps the files where they can (``book.Memory``).

_REMEMBERED: Final = 256
_LETTERS: Final = 2**20
"""Of outlines longer than this the answer is not remembered."""
_PASSING: Final = frozenset({"reading_too_slow", "reading_stopped"})
"""Said of a machine that was busy, not of a file."""
_ENDING: Final = re.compile(r"\.[A-Za-z0-9]{1,12}")
_SHAPE: Final = "outlines-1"
"""Name and shape of what is remembered; another shape takes another number."""
_known: "dict[tuple[str, str], Boundaries | None]" = {}


def outlines_of(book: RecordBook, farm_id: str, names: Iterable[str]) -> "dict[str, Boundaries | None]":
    """Return the areas of each boundary file; None where no such file is there, or none can be read out of it.

    Args:
        book: in a folder, or one whose files somebody keeps.
        farm_id: whose files.
        names: as the units write them.
    """
    if book.folder is None:
        contents = {name: book.boundaries.content_of(farm_id, name) for name in dict.fromkeys(names)}
        held = {name: content for name, content in contents.items() if content}
        return _kept_outlines(held, _memory_of(book.boundaries))
    inside = book.folder / BOUNDARIES
    paths = {name: path for name in dict.fromkeys(names) if (path := file_inside(inside, name)) is not None}
    if not paths:
        return {}
    # Reading outlines takes a geometry library: only books with outlines need it.
    from provender.formats.boundaries import read_boundaries

    return {name: read_boundaries(path, name).result for name, path in paths.items()}


def read_ahead(book: RecordBook) -> None:
    """Read the boundary files of all farms of a book at once, where each report would start a child for its own."""
    named = [(row.farm_id, row.boundary) for row in book.every(Unit) if row.boundary is not None][:_REMEMBERED]
    contents = {f"{farm}/{name}": book.boundaries.content_of(farm, name) for farm, name in named}
    _kept_outlines({name: content for name, content in contents.items() if content}, _memory_of(book.boundaries))


def _twins_of(outlines: "Mapping[str, Boundaries | None]", units: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the other units whose areas of one file are the same as a unit's, or overlap them, by unit.

    One file may draw a whole farm: each unit then has its own areas of it.
    """
    of_file = grouped((row["boundary"], row) for row in units)
    several = {name: (found, rows) for name, rows in of_file.items() if len(rows) > 1 and (found := outlines.get(name))}
    if not several:
        return {}
    from shapely import from_geojson
    from shapely.ops import unary_union

    from provender.formats.boundaries import ground_shared, of_unit

    twins: dict[str, list[str]] = {}
    for found, bearing in several.values():
        areas = [of_unit(found, row["unit_id"], row["name"]) for row in bearing]
        shapes = [unary_union([from_geojson(one.geojson) for one in mine]) for mine in areas]
        for (one, left), (other, right) in combinations(zip(bearing, shapes, strict=True), 2):
            if left.intersects(right) and ground_shared(left, right) is not None:
                twins.setdefault(one["unit_id"], []).append(other["unit_id"])
                twins.setdefault(other["unit_id"], []).append(one["unit_id"])
    return twins


def _memory_of(files: EvidenceFiles) -> Memory | None:
    return files.memory if isinstance(files, HeldFiles) else None


def _kept_outlines(contents: dict[str, bytes], memory: Memory | None) -> "dict[str, Boundaries | None]":
    keys = {name: (sha256_hex(content), _ending(name)) for name, content in contents.items()}
    by_key = {keys[name]: content for name, content in contents.items()}
    found = {key: _known[key] for key in by_key if key in _known}
    found |= _recalled(by_key.keys() - found.keys(), memory)
    found |= _read({key: content for key, content in by_key.items() if key not in found}, memory)
    return {name: found[key] for name, key in keys.items()}


def _recalled(keys: Iterable[tuple[str, str]], memory: Memory | None) -> "dict[tuple[str, str], Boundaries | None]":
    """Return what the keeper of the files remembers of some."""
    from provender.formats.boundaries import Boundaries
    from provender.formats.parsed import decode

    found: dict[tuple[str, str], Boundaries | None] = {}
    for key in keys:
        text = memory.get(_memory_key(key)) if memory is not None else None
        if text is None:
            continue
        # What cannot be understood was written by another program, and is read anew.
        with suppress(ValueError):
            said = json.loads(text)
            found[key] = None if said is None else cast("Boundaries", decode(Boundaries, said))
            _remember(key, found[key])
    return found


def _memory_key(key: tuple[str, str]) -> str:
    return f"{_SHAPE}-{__version__}-{key[0]}{key[1]}"


def _read(contents: dict[tuple[str, str], bytes], memory: Memory | None) -> "dict[tuple[str, str], Boundaries | None]":
    """Read files in a limited child, all in one, and remember what it answered."""
    from provender.formats.boundaries import Boundaries
    from provender.formats.child import parse_many
    from provender.formats.parsed import encode

    if not contents:
        return {}
    with TemporaryDirectory() as folder:
        files = [(Path(folder) / f"boundary{number}{ending}", f"boundary{ending}")
                 for number, (_, ending) in enumerate(contents)]  # fmt: skip
        for (path, _), content in zip(files, contents.values(), strict=True):
            path.write_bytes(content)
        answers = parse_many("boundaries", files)
    found = {}
    for key, answer in zip(contents, answers, strict=True):
        result = found[key] = answer.result if isinstance(answer.result, Boundaries) else None
        length = sum(len(one.geojson) for one in result.fields) if result else 0
        if length <= _LETTERS and not any(one.code in _PASSING for one in answer.problems):
            _remember(key, result)
            if memory is not None:
                memory.put(_memory_key(key), json.dumps(None if result is None else encode(result)))
    return found


def _remember(key: tuple[str, str], result: "Boundaries | None") -> None:
    _known[key] = result
    for earliest in list(_known)[: max(0, len(_known) - _REMEMBERED)]:
        _known.pop(earliest, None)


def _ending(name: str) -> str:
    """Return the ending of a name where it is one: letters and digits that tell a reader what the file may be."""
    ending = Path(name).suffix
    return ending.lower() if _ENDING.fullmatch(ending) else ""
