"""Amounts, days and places that cannot be: each refuses an official signature in words (2100.020, .031(b), (c)).

What is only unusual is a finding elsewhere; here stands what no field, calculator or sale can have been.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from provender.catalog.counties import find_county
from provender.intensity.book_facts import GRAIN_USES, SILAGE
from provender.intensity.calculator import Label
from provender.intensity.quantify import Quantification, quantify
from provender.practices.assess import Assessment
from provender.practices.deliveries import WITH_CI
from provender.practices.due import SOLD
from provender.practices.explain import IntervalVerdict
from provender.practices.prepared_book import is_placed_in_words
from provender.problem import Place, Problem, Weight
from provender.quantity import CI_SCALE, show
from provender.report.no_till_promise import tilled_by_history
from provender.report.of_one_crop import evidence_named
from provender.report.outlines import outlines_of, twins_of
from provender.report.unread import unread_rows
from provender.rule.crops import Practice
from provender.rule.version import RuleVersion
from provender.said import says

if TYPE_CHECKING:
    from provender.formats.boundaries import Boundaries

IN_STORAGE: Final = "in_storage"
_WHOLE_PCT: Final = 100_000


class _Laws:
    """The text that each unit of a report is held to: the day of its own harvest chooses it (interpretation 1)."""

    def __init__(self, intervals: Sequence[IntervalVerdict]) -> None:
        in_order = sorted(intervals, key=lambda one: one.facts["last_day"])
        self.of_farm = in_order[-1].rule
        self._of_harvest = {entry: one.rule for one in in_order for entry in one.harvest_ids}
        self._of_unit = {one.unit_id: one.rule for one in in_order}

    def of_harvest(self, harvest_id: str) -> RuleVersion:
        return self._of_harvest.get(harvest_id, self.of_farm)

    def of_unit(self, unit_id: str) -> RuleVersion:
        return self._of_unit.get(unit_id, self.of_farm)


def contradictions(assessment: Assessment, q: Quantification, as_of: date) -> tuple[Problem, ...]:
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
    first, last = _first_day(assessment, q), max(one.facts["last_day"] for one in intervals)
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
        *_places(assessment, q, laws),
        *_emergence(assessment, q, laws),
        *tilled_by_history(assessment, q.farm_id, q.harvest_year, _no_tilled(q)),
        *unread_rows(assessment, q),
    )


def _no_tilled(q: Quantification) -> list[str]:
    return [unit.unit_id for unit in q.units if Practice.no_till in unit.credited]


def _first_day(assessment: Assessment, q: Quantification) -> date | None:
    """Return the first day of the harvest; None where an entry states only its last, since grain left before it."""
    days = [row["first_day"] for row in _of_harvests(assessment, q, "harvest")]
    return None if None in days else min(days, default=None)


def contradictions_of_book(assessment: Assessment, as_of: date) -> tuple[Problem, ...]:
    """Return the same for every harvest of a book by the runs it holds, each once."""
    found = (
        one
        for farm_id, crop, harvest_year in assessment.harvests
        for one in contradictions(assessment, quantify(assessment, farm_id, crop, harvest_year), as_of)
    )
    return tuple(dict.fromkeys(found))


def _told(row: Mapping[str, Any] | None, kind: str, cause: str, remedy: str, cite: str, code: str) -> Problem:
    place = Place(kind) if row is None else Place(row.get("source_file") or kind, row=row.get("source_row") or 0)
    return Problem(place, cause, remedy, cite, Weight.CONFIRM, code)


def _rows(assessment: Assessment, q: Quantification, kind: str) -> Sequence[Mapping[str, Any]]:
    return assessment.book.rows_of(kind, q.farm_id)


def _of_harvests(assessment: Assessment, q: Quantification, kind: str) -> Iterator[Mapping[str, Any]]:
    wanted = {entry for unit in q.units for entry in unit.harvest_ids}
    return (row for row in _rows(assessment, q, kind) if row["harvest_id"] in wanted)


def _made_too_early(as_of: date, last: date) -> Iterator[Problem]:
    if as_of < last:
        cause = f"The report is dated {as_of}, and the harvest it reports ended on {last}."
        remedy = "Make the report after the harvest, or correct the days of the harvest."
        yield _told(None, "report", cause, remedy, "2100.020", "report_before_harvest")


def _intensities(assessment: Assessment, q: Quantification, laws: _Laws) -> Iterator[Problem]:
    """Tell of values that are grams in name only: kilograms for grams is the usual slip."""
    if q.label is Label.ESTIMATE:
        return
    default, law = q.national_default, laws.of_farm
    if default is not None and not law.national_default_min <= default <= law.national_default_max:
        cause = f"A national default of {_ci(default)} g CO2e/bu is no such value of {q.crop.label} in this unit."
        remedy = "Enter grams per bushel, as the printout shows them."
        yield _told(None, "national_default", cause, remedy, "2100.020(b)", "ci_far_from_unit")
        return
    for row in _of_harvests(assessment, q, "calculator_run"):
        ci = row["ci_g_per_bu"]
        if ci is None or not default:
            continue
        law = laws.of_harvest(row["harvest_id"])
        tiny = abs(ci) * 100_000 < law.ci_of_default_pct_min * default
        if tiny or abs(ci) * 100_000 > law.ci_of_default_pct_max * default:
            cause = f"Run {row['run_id']} gives {_ci(ci)} g CO2e/bu beside a national default of {_ci(default)}."
            remedy = "Enter grams per bushel (a kilogram is 1,000 of them), or check the printout."
            yield _told(row, "calculator_run", cause, remedy, "2100.020(a)", "ci_far_from_unit")


def _ci(value: int) -> str:
    return show(value, CI_SCALE, group=True)


def _yields(assessment: Assessment, q: Quantification, laws: _Laws) -> Iterator[Problem]:
    for unit in q.units:
        most, limit = _most(q, laws.of_unit(unit.unit_id))
        if unit.acres and unit.bushels is not None and unit.bushels * 1000 > most * unit.acres:
            per_acre = show(unit.bushels * 1000 // unit.acres)
            amounts = f"{show(unit.bushels)} bu on {show(unit.acres)} acres"
            cause = f"{unit.unit_id}: {amounts} are {per_acre} bu/ac: above {limit}."
            yield _told(None, "harvest", cause, "Correct bushels or acres.", "2100.020(a)(3)", "yield_impossible")
    for kind, column, what in (
        ("nutrient_budget", "yield_goal_bu_per_ac", "a yield goal"),
        ("calculator_run", "yield_bu_per_ac", "a yield"),
    ):
        for row in _of_harvests(assessment, q, kind):
            most, limit = _most(q, laws.of_harvest(row["harvest_id"]))
            if row[column] is not None and row[column] > most:
                cause = f"{row['harvest_id']}: {what} of {show(row[column])} bu/ac is above {limit}."
                yield _told(row, kind, cause, "Correct it.", "2100.020(a)(3)", "yield_impossible")


def _most(q: Quantification, law: RuleVersion) -> tuple[int, str]:
    """Return the highest yield that a text takes, thousandths of a bushel an acre, and the same in words."""
    most: int = getattr(law, f"{q.crop}_yield_max")
    return most, f"{show(most)} bu/ac, more than any {q.crop.label} on record"


def _moistures(assessment: Assessment, q: Quantification, laws: _Laws) -> Iterator[Problem]:
    for row in _of_harvests(assessment, q, "harvest"):
        law = laws.of_harvest(row["harvest_id"])
        least, most = law.grain_moisture_pct_min, law.grain_moisture_pct_max
        moisture = row["moisture_pct"]
        if moisture is not None and row["use"] in (None, *GRAIN_USES) and not least <= moisture <= most:
            cause = f"{row['harvest_id']}: no dry grain has {show(moisture)} % moisture."
            remedy = "Correct the moisture; wet grain is recorded as high_moisture."
            yield _told(row, "harvest", cause, remedy, "2100.020(a)(3)", "moisture_impossible")


def _run_days(assessment: Assessment, q: Quantification, last: date, as_of: date) -> Iterator[Problem]:
    ends = {row["harvest_id"]: row["last_day"] or row["first_day"] for row in _of_harvests(assessment, q, "harvest")}
    for row in _of_harvests(assessment, q, "calculator_run"):
        day, cut = row["run_on"] or _paper_day(assessment, row), ends.get(row["harvest_id"]) or last
        if day is None:
            cause = f"Run {row['run_id']} has no day, and neither has its printout."
            yield _told(row, "calculator_run", cause, "Enter the day of the run.", "2100.020(a)(3)", "run_undated")
        elif day < cut or day > as_of:
            why = f"the harvest ended on {cut}" if day < cut else f"the report is of {as_of}"
            cause = f"Run {row['run_id']} is dated {day}, and {why}."
            remedy = "Run the calculator with the harvest's yield, or correct the day."
            yield _told(row, "calculator_run", cause, remedy, "2100.020(a)(3)", "run_day_impossible")


def _paper_day(assessment: Assessment, run: Mapping[str, Any]) -> date | None:
    """Return the latest day of the papers that a run names."""
    names = {one.strip() for one in (run["evidence"] or "").split(";")}
    papers = assessment.book.rows_of("evidence", run["farm_id"])
    return max((one["taken_on"] for one in papers if one["evidence_id"] in names and one["taken_on"]), default=None)


def _emergence(assessment: Assessment, q: Quantification, laws: _Laws) -> Iterator[Problem]:
    """Tell of a crop that came up before any can: what went on since would count as given after emergence."""
    for row in _of_harvests(assessment, q, "planting"):
        planted, seen = row["planted_on"], row["emerged_on"]
        least = laws.of_harvest(row["harvest_id"]).emergence_days_earliest
        if planted and seen and (seen - planted).days < least:
            cause = f"{row['planting_id']} was planted on {planted}, and {seen} is a day on which no crop is up."
            remedy = "Correct the day of planting or that of emergence."
            yield _told(row, "planting", cause, remedy, "2100.053(d)(1)", "emergence_impossible")


def _days_ahead(assessment: Assessment, q: Quantification, as_of: date) -> Iterator[Problem]:
    """Tell of statements and papers that would have been made after the report that rests on them.

    A book goes on after a report: what its later rows name is no paper of the report.
    """
    for row in _of_harvests(assessment, q, "declaration"):
        if row["made_on"] is not None and row["made_on"] > as_of:
            cause = f"The declaration of {row['harvest_id']} is dated {row['made_on']}, and the report {as_of}."
            yield _told(row, "declaration", cause, "Correct its day.", "2100.031", "day_ahead")
    late = [row for row in _rows(assessment, q, "evidence") if row["taken_on"] is not None and row["taken_on"] > as_of]
    named = evidence_named(assessment, q, as_of) if late else frozenset()
    for row in late:
        if row["evidence_id"] in named:
            cause = f"Evidence {row['evidence_id']} is dated {row['taken_on']}, and the report {as_of}."
            yield _told(row, "evidence", cause, "Correct its day.", "2100.031", "day_ahead")


def _county(assessment: Assessment, q: Quantification) -> Iterator[Problem]:
    for row in _rows(assessment, q, "farm"):
        county = find_county(row["county_fips"] or "")
        if not row["county_fips"] and not (row["county"] and row["state"]):
            cause = "The farm names no county and State."
            yield _told(row, "farm", cause, "Enter the county's FIPS code.", "2100.031(c)(1)", "farm_without_county")
        elif row["county_fips"] and county is None:
            cause = f"No county has the FIPS code {row['county_fips']}."
            yield _told(row, "farm", cause, "Correct the code.", "2100.031(c)(1)", "county_contradicted")
        elif county is not None:
            named, state = _plain(row["county"]), (row["state"] or "").strip().upper()
            other = named and named not in (_plain(county.name), _plain(county.long_name))
            if other or (state and state != county.state):
                said = ", ".join(part for part in (row["county"], row["state"]) if part)
                cause = f"FIPS code {county.fips} is {county.name}, {county.state}, and the farm says {said}."
                remedy = "Correct the county's name, the State or the code."
                yield _told(row, "farm", cause, remedy, "2100.031(c)(1)", "county_contradicted")


def _plain(name: str | None) -> str:
    letters = "".join(letter for letter in (name or "").lower() if letter.isalnum())
    return letters.removesuffix("county").removesuffix("parish").replace("saint", "st")


def _sales(assessment: Assessment, q: Quantification, first: date | None, law: RuleVersion) -> Iterator[Problem]:
    mine = [
        row for row in _rows(assessment, q, "sale") if row["crop"] == q.crop and row["harvest_year"] == q.harvest_year
    ]
    cite = "2100.031(b)"
    for row in mine:
        if row["disposition"] == WITH_CI and not says(row["buyer"]):
            cause = f"Sale {row['sale_id']} as reduced-CI crop names no buyer."
            yield _told(row, "sale", cause, "Name the purchasing entity.", cite, "sale_without_buyer")
        if row["disposition"] == WITH_CI and row["day"] is None:
            cause = f"Sale {row['sale_id']} as reduced-CI crop has no date."
            yield _told(row, "sale", cause, "Give the date of the transaction.", cite, "sale_without_day")
        if first and row["disposition"] in SOLD and row["day"] is not None and row["day"] < first:
            cause = f"Sale {row['sale_id']} is dated {row['day']}, before the first day of this harvest, {first}."
            remedy = "Correct the day, or the harvest year that the crop is of."
            yield _told(row, "sale", cause, remedy, cite, "sale_before_harvest")
    yield from _oversold(mine, [unit.bushels for unit in q.units], _cut(assessment, q), law)


def _cut(assessment: Assessment, q: Quantification) -> dict[str, list[int | None]]:
    """Return the bushels of every harvest of the crop and year as they were cut, by use: wet grain and silage too."""
    found: dict[str, list[int | None]] = {}
    for row in _rows(assessment, q, "harvest"):
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
    silage_unknown = None in cut.get(SILAGE, [])
    total = sum(one or 0 for use in cut.values() for one in use)
    if any(None in of_use for use, of_use in cut.items() if use != SILAGE):
        return
    sold = sum(row["bushels"] for row in rows if row["disposition"] in SOLD)
    # How many bushels silage is nobody knows: then nobody knows how much was fed of it.
    left = (IN_STORAGE, "fed") if silage_unknown else (IN_STORAGE,)
    gone = sum(row["bushels"] for row in rows if row["disposition"] not in left)
    if (gone - total) * _WHOLE_PCT > total * law.bushel_total_difference_pct_max:
        yield _beyond(*((sold, "sold") if sold > total else (gone, "sold, used or lost")), total)


def _beyond(amount: int, what: str, total: int) -> Problem:
    cause = f"{show(amount, group=True)} bu are {what} of a harvest of {show(total, group=True)} bu."
    remedy = "Correct the sales or the harvest; what is more than the report holds is sold without a claim."
    return _told(None, "sale", cause, remedy, "2100.031(b)", "sold_beyond_harvest")


def _tickets(assessment: Assessment, q: Quantification, first: date | None, law: RuleVersion) -> Iterator[Problem]:
    """Hold the loads that name this crop and year against its harvest: none before its first day, none beyond it."""
    mine = [
        row
        for row in _rows(assessment, q, "scale_ticket")
        if row["crop"] == q.crop and row["harvest_year"] == q.harvest_year
    ]
    for row in mine:
        if first and row["day"] is not None and row["day"] < first:
            cause = f"Ticket {row['ticket_id']} is of {row['day']}, before the first day of this harvest, {first}."
            remedy = "Correct the day, or the harvest year that the load is of."
            yield _told(row, "scale_ticket", cause, remedy, "2100.031(b)", "ticket_before_harvest")
    weighed = _most_weighed(mine, _rows(assessment, q, "sale"))
    # Nobody weighs silage as bushels.
    cut = [one for use, of_use in _cut(assessment, q).items() for one in of_use if use != SILAGE or one is not None]
    total = sum(bushels for bushels in cut if bushels is not None)
    if None not in cut and (weighed - total) * _WHOLE_PCT > total * law.bushel_total_difference_pct_max:
        cause = f"The scale tickets weigh {show(weighed, group=True)} bu of a harvest of {show(total, group=True)} bu."
        remedy = "Correct the units' bushels, or the crop and year of the tickets."
        yield _told(None, "scale_ticket", cause, remedy, "2100.020", "tickets_beyond_harvest")


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


def _places(assessment: Assessment, q: Quantification, laws: _Laws) -> Iterator[Problem]:
    """Hold outlines against acres and county; a boundary whose file is not there is a name, and no place (59)."""
    wanted = {unit.unit_id for unit in q.units if unit.credited}
    rows = [row for row in _rows(assessment, q, "unit") if row["unit_id"] in wanted and row["boundary"]]
    outlines = outlines_of(assessment.book, q.farm_id, [row["boundary"] for row in rows])
    grown = {unit.unit_id for unit in q.units}
    shared = twins_of(outlines, [row for row in _rows(assessment, q, "unit") if row["unit_id"] in grown])
    for row in rows:
        if twins := shared.get(row["unit_id"]):
            cause = (
                f"{row['unit_id']} and {', '.join(twins)} bear one boundary, {row['boundary']}: one field is not two."
            )
            yield _told(row, "unit", cause, "Give each unit its own.", "2100.051(c)(1)", "boundary_shared")
        found = outlines.get(row["boundary"])
        if found is not None:
            yield from _outline(row, found, laws.of_unit(row["unit_id"]))
        elif not is_placed_in_words(row):
            cause = f"{row['unit_id']}: the boundary {row['boundary']} is a name: no file with areas bears it."
            remedy = "Import or draw the boundary, or give the unit's FSA farm, tract and field or legal description."
            yield _told(row, "unit", cause, remedy, "2100.051(c)(1)", "unit_without_place")


def _outline(row: Mapping[str, Any], found: "Boundaries", law: RuleVersion) -> Iterator[Problem]:
    from shapely import from_geojson
    from shapely.ops import unary_union

    from provender.formats.boundaries import county_doubts, of_unit

    mine = of_unit(found, row["unit_id"], row["name"])
    measured, cite = sum(one.acres for one in mine), "2100.051(c)(1)"
    stated = row["acres"]
    if stated and abs(measured - stated) * 100_000 > law.boundary_contradiction_pct_min * stated:
        cause = f"{row['unit_id']}: the boundary measures {show(measured)} acres and the unit has {show(stated)}."
        yield _told(row, "unit", cause, "Correct the acres or the boundary.", cite, "boundary_contradicted")
    shape = unary_union([from_geojson(one.geojson) for one in mine])
    for doubt in county_doubts(shape, row["unit_id"], row["county_fips"] or "", Place(row["boundary"])):
        if doubt.code == "other_county":
            yield _told(row, "unit", doubt.cause, doubt.remedy, cite, "boundary_contradicted")
