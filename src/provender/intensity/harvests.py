"""What a record book says of the harvests of one crop and year (2100.020): bushels that count, units, defaults.

Every bushel that left a unit is in the average, at the moisture of dry grain. A use that nobody named is grain; only
what was cut as silage or forage leaves it, and only by a measure and a paper (interpretations 26, 84, 85).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from provender.catalog.materials import BUSHEL_LB
from provender.days import says
from provender.exact import show
from provender.problem import Place, Problem
from provender.records.book import HARVESTED, FarmRows, RecordBook
from provender.rule.crops import Crop, Practice
from provender.rule.law import RuleVersion, governing_version
from provender.standards.standard import WHOLE

if TYPE_CHECKING:
    from provender.intensity.calculator import UnitCI

CITE: Final = "2100.020"
GRAIN_USES: Final = ("grain", "seed", "other")
"""Uses whose bushels are in the average; a use that is not recorded is one too, and ``other`` is no answer."""
_HIGH_MOISTURE: Final = "high_moisture"
_SILAGE: Final = "silage"
NO_GRAIN: Final = (_SILAGE, "forage")
"""Uses whose bushels are no bushels of grain, and often are not counted."""
_CONVERTED: Final = "converted"
OTHER: Final = "other"
SOLD: Final = ("scale_tickets", "settlements")
"""Counts in standard bushels: the scale's moisture is taken off on them."""
Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A disagreement between a claim and the records, or between two claims."""

    code: str  # stable name for machines, such as ``acres_differ``
    cite: str  # the paragraph it touches, such as ``2100.020``
    subject: str  # the unit, crop or run it is about, as a person would name it
    cause: str  # what does not agree, as a sentence
    claimed: str  # the claimed value as text with its unit; empty where nothing was claimed
    expected: str  # the value it should have, likewise
    effect_bushels: int | None  # thousandths of a bushel whose CI depends on it; null where nobody can say
    remedy: str  # what to do
    unit_id: str = ""  # the unit it is about; empty where it is about several or none
    row: str = ""  # the key of the record it is about, of the kind that its code names; empty where it is about none

    def as_json(self) -> dict[str, object]:
        """Return plain data; bushels stay whole thousandths."""
        return {name: value for name, value in asdict(self).items() if value or name not in ("unit_id", "row")}


def of_run(  # noqa: PLR0913 - all that a finding on a run says
    run: str,
    unit: str,
    code: str,
    cause: str,
    remedy: str,
    shown: tuple[str, str],
    bushels: int | None,
    *,
    cite: str = CITE,
) -> Disagreement:
    """Return a finding on a calculator run; ``shown`` is what it claims and what is expected."""
    return Disagreement(code, cite, f"run {run}, unit {unit}", cause, *shown, bushels, remedy, unit, run)


@dataclass(frozen=True, slots=True)
class UnitHarvest:
    """One unit of one farm, crop and harvest year; thousandths, null where not recorded."""

    unit: str
    crop: Crop
    acres: int | None
    bushels: int | None


@dataclass(frozen=True, slots=True)
class AcresReport:
    """Acres of a crop reported elsewhere, such as FSA-578 or crop insurance; thousandths.

    ``explains``: not a report, but reported acres that were not harvested as grain, with evidence.
    """

    crop: Crop
    acres: int
    source: str
    explains: bool = False
    what: str = ""  # what became of explained acres


@dataclass(frozen=True, slots=True)
class BushelCount:
    """Bushels of a crop counted elsewhere: tickets, bin measurement, fed, kept for seed. Thousandths.

    What still lies in storage when the tickets are counted adds to them. Older crop that left through the same scale is
    a negative count. ``explains``: a use of the crop and no count of its own; ``allowance``: by how many bushels such a
    count may be off.
    """

    crop: Crop
    bushels: int
    what: str
    explains: bool = False
    allowance: int = 0


@dataclass(frozen=True, slots=True)
class Harvests:
    """The entries of one crop and harvest year."""

    rows: tuple[Row, ...]  # every entry that was harvested
    counted: tuple[tuple[Row, int | None], ...]  # those in the average, each with its standard bushels
    left_out: tuple[Row, ...]  # those cut as something else than grain
    findings: tuple[Disagreement, ...]  # what is said of single entries


def in_bu(thousandths: int) -> str:
    """Write an amount with its unit, as in ``1,234.5 bu``."""
    return f"{show(thousandths, group=True)} bu"


def law_of(row: Row) -> RuleVersion | None:
    """Return the text that governs an entry; None where none does."""
    return governing_version(row["last_day"] or row["first_day"])


def harvests_of(rows: Iterable[Row], crop: Crop, year: int, year_of: Callable[[Row], int | None]) -> Harvests:
    """Sort a farm's crop entries into what is in the average of a crop and year and what is not.

    Args:
        rows: every row of ``harvest``.
        crop: the crop of the average.
        year: its harvest year.
        year_of: the harvest year of a row, None without a day.
    """
    mine = [row for row in rows if row["crop"] == crop]
    harvested = [row for row in mine if row["ending"] == HARVESTED]
    of_year = [row for row in harvested if year_of(row) == year]
    left_out = [row for row in of_year if _is_left_out(row)]
    counted = [(row, _standard_bushels(row, crop)) for row in of_year if row not in left_out]
    findings = [
        *(_undated(row, crop) for row in harvested if year_of(row) is None),
        *(_not_harvested(row) for row in mine if _has_bushels_of_none(row) and year_of(row) in (None, year)),
        *(_left_out(row, crop) for row in left_out),
        *(_converted(row, crop, bushels) for row, bushels in counted if bushels != row["bushels"]),
    ]
    return Harvests(tuple(of_year), tuple(counted), tuple(left_out), tuple(findings))


def _is_left_out(row: Row) -> bool:
    law = law_of(row)
    return row["use"] in NO_GRAIN or (
        row["use"] == _HIGH_MOISTURE and law is not None and law.high_moisture_handling != _CONVERTED
    )


def at_basis_moisture(bushels: int, moisture_pct: int, basis_pct: int) -> int:
    """Return the bushels, at the basis moisture, of the same dry matter; rounded down, and never more than measured.

    Bushels in thousandths, moistures in thousandths of a percent.
    """
    return min(bushels, bushels * (WHOLE - moisture_pct) // (WHOLE - basis_pct))


def _standard_bushels(row: Row, crop: Crop) -> int | None:
    bushels, moisture, law = row["bushels"], row["moisture_pct"], law_of(row)
    if bushels is None or moisture is None or law is None:
        return bushels  # type: ignore[no-any-return]
    return at_basis_moisture(bushels, moisture, law.basis_moisture_pct(crop))


def _of_entry(
    row: Row, code: str, cause: str, remedy: str, claimed: str, expected: str, *, cite: str = CITE
) -> Disagreement:
    """Return what is said of a crop entry; its bushels depend on it."""
    entry = row["harvest_id"]
    return Disagreement(code, cite, entry, cause, claimed, expected, row["bushels"], remedy, row["unit_id"], entry)


def _undated(row: Row, crop: Crop) -> Disagreement:
    cause = f"The harvest of {row['unit_id']} has no date, so it belongs to no harvest year and is in no average."
    return _of_entry(row, "harvest_undated", cause, "Record the last day of the harvest.", "", crop.label)


def _has_bushels_of_none(row: Row) -> bool:
    return row["ending"] != HARVESTED and bool(row["bushels"])


def _not_harvested(row: Row) -> Disagreement:
    said = str(row["ending"]).replace("_", " ")
    cause = f"{row['harvest_id']} of {row['unit_id']} gives {in_bu(row['bushels'])} and says {said}, not harvested."
    remedy = "Write that it was harvested, or take the bushels out."
    return _of_entry(row, "bushels_not_harvested", cause, remedy, in_bu(row["bushels"]), said)


def _left_out(row: Row, crop: Crop) -> Disagreement:
    use, bushels, acres = str(row["use"]).replace("_", " "), row["bushels"], row["harvested_acres"]
    amount = f"{show(bushels)} bu" if bushels is not None else f"{show(acres)} acres" if acres is not None else ""
    cause = f"The {use} harvest {row['harvest_id']} of {row['unit_id']} is not in the farm's bushels of grain."
    law = law_of(row)
    if row["use"] == _SILAGE and law is not None and law.silage_handling == _CONVERTED:
        cause += " No record says how many bushels of grain it is: record the conversion as a harvest of grain."
    remedy = "Nothing to do, unless the use is wrong."
    return _of_entry(row, f"{row['use']}_left_out", cause, remedy, amount, crop.label, cite="2100.011")


def _converted(row: Row, crop: Crop, bushels: int | None) -> Disagreement:
    law, measured = law_of(row), row["bushels"]
    basis = law.basis_moisture_pct(crop) if law else 0
    wet, dry = f"{in_bu(measured)} at {show(row['moisture_pct'])} %", f"{in_bu(bushels or 0)} at {show(basis)} %"
    cause = f"The bushels of {row['harvest_id']} are counted as dry {crop.label}: {wet} are {dry}."
    remedy = "Nothing to do where bushels and moisture are those of the same load; else correct one of them."
    found = _of_entry(row, "bushels_converted", cause, remedy, wet, dry, cite="2100.020(a)(3)")
    return replace(found, effect_bushels=measured - (bushels or 0))


# What keeps a report from being signed, beside the totals of acres and bushels: grain and acres that left by a word or
# a blank.


def moisture_asked(found: Harvests, counts: Sequence[BushelCount], crop: Crop) -> Iterator[Disagreement]:
    """Ask for the moisture of bushels that nobody shows to be dry (interpretation 84).

    Tickets and settlements are in standard bushels, and what they say of the harvest is dry, but what the entry itself
    calls wet.
    """
    weighed = any(one.crop is crop and one.what.replace(" ", "_") in SOLD for one in counts)
    for row, bushels in found.counted:
        wet = row["use"] == _HIGH_MOISTURE
        if bushels and row["moisture_pct"] is None and law_of(row) is not None and (wet or not weighed):
            cause = f"The moisture of {row['harvest_id']} is not recorded, and nothing shows that its bushels are dry."
            remedy = "Record the moisture of these bushels, or add scale tickets or settlements with their paper."
            wet_or_dry = in_bu(bushels), "a moisture"
            yield _of_entry(row, "moisture_unknown", cause, remedy, *wet_or_dry, cite="2100.020(a)(3)")


def unshown_uses(
    found: Harvests,
    totals: Sequence[AcresReport | BushelCount],
    unit_acres: Mapping[str, int | None],
    crop: Crop,
    is_papered: Callable[[Row], bool],
) -> Iterator[Disagreement]:
    """Tell of what left the average as silage, forage or wet grain without a measure and a paper (interpretation 26).

    An entry has both by its own acres or bushels and the evidence that it names; or explained acres or bushels of
    silage cover all such entries.
    """
    rest = [row for row in found.left_out if not (is_papered(row) and (row["harvested_acres"] or row["bushels"]))]
    acres = [row["harvested_acres"] or unit_acres.get(row["unit_id"]) for row in rest]
    bushels = [row["bushels"] for row in rest]
    of_silage = [one for one in totals if one.crop is crop and one.what == _SILAGE]
    cut = sum(one.acres for one in of_silage if isinstance(one, AcresReport))
    fed = sum(one.bushels for one in of_silage if isinstance(one, BushelCount))
    if _covers(cut, acres) or _covers(fed, bushels):
        return
    for row in rest:
        use = str(row["use"]).replace("_", " ")
        cause = f"{row['harvest_id']} left {row['unit_id']} as {use}, and no measure with a paper shows it."
        remedy = "Record its acres or bushels and name the paper that shows them; or write the use that it had."
        yield _of_entry(row, "use_not_shown", cause, remedy, use, crop.label)


def _covers(total: int, parts: Sequence[int | None]) -> bool:
    return None not in parts and sum(one or 0 for one in parts) <= total


def unnamed_crops(
    rows: Iterable[Row], year: int, year_of: Callable[[Row], int | None], is_papered: Callable[[Row], bool], crop: Crop
) -> Iterator[Disagreement]:
    """Tell of a harvest whose crop nobody named and no paper shows: it may be of this crop (interpretation 85)."""
    for row in rows:
        if row["crop"] == OTHER and row["ending"] == HARVESTED and year_of(row) in (None, year) and not is_papered(row):
            cause = f"{row['harvest_id']} of {row['unit_id']} names no crop: nothing shows that it was no {crop.label}."
            remedy = "Name the crop; or add the acreage report, or name on this entry the paper that shows the crop."
            yield _of_entry(row, "crop_not_named", cause, remedy, OTHER, crop.label)


def runs_without_harvest(
    runs: Iterable[Row], rows: Iterable[Row], found: Harvests, crop: Crop, year: int,
    year_of: Callable[[Row], int | None],
) -> Iterator[Disagreement]:  # fmt: skip
    """Tell of calculator runs of this crop whose harvest is not in the average, or is that of another unit.

    A word there took it out; what a run is of is its unit, and a crop entry that does not fit contradicts it.
    """
    entries = {row["harvest_id"]: row for row in rows}
    counted = {row["harvest_id"] for row, _ in found.counted}
    for run in runs:
        entry = entries.get(run["harvest_id"])
        if entry is not None and run["harvest_id"] in counted and entry["unit_id"] != run["unit_id"]:
            cause = f"Run {run['run_id']} is of {run['unit_id']}, and its harvest {run['harvest_id']} of another unit."
            remedy = "Name the crop entry of the unit that was run, or correct the unit."
            yield of_run(
                run["run_id"], run["unit_id"], "run_unit_differs", cause, remedy, (run["unit_id"], entry["unit_id"]),
                entry["bushels"],
            )  # fmt: skip
        if run["crop"] != crop or entry is None or run["harvest_id"] in counted or year_of(entry) not in (None, year):
            continue
        cause = f"Run {run['run_id']} is of {crop.label}, and its harvest {run['harvest_id']} is not in the average."
        remedy = "Correct crop, use, ending or day of the harvest, or withdraw the run."
        shown = crop.label, str(entry["crop"]).replace("_", " ")
        yield of_run(
            run["run_id"], run["unit_id"], "run_without_harvest", cause, remedy, shown, entry["bushels"]
        )  # fmt: skip


def bushels_of_load(load: Row, law: RuleVersion) -> int:
    """Return the standard bushels of a ticket: those printed, dried where they are no more than its wet pounds.

    Where they are fewer, the elevator took its shrink off.
    """
    printed, pounds, moisture = (load.get(name) for name in ("net_bushels", "net_lb", "moisture_pct"))
    if printed is None or pounds is None or moisture is None:
        return printed or 0
    wet = pounds * 1000 // BUSHEL_LB[load["crop"]]
    is_wet = abs(printed - wet) * 1000 <= wet
    return at_basis_moisture(printed, moisture, law.basis_moisture_pct(load["crop"])) if is_wet else int(printed)


def unit_harvests(found: Harvests, crop: Crop, unit_acres: Mapping[str, int | None]) -> Iterator[UnitHarvest]:
    """Yield the harvest of each unit: bushels of all its entries, and their acres, or else the unit's own."""
    by_unit: dict[str, list[tuple[Row, int | None]]] = {}
    for row, bushels in found.counted:
        by_unit.setdefault(row["unit_id"], []).append((row, bushels))
    for unit, entries in by_unit.items():
        cut = [row["harvested_acres"] for row, _ in entries]
        carried = [bushels for _, bushels in entries]
        yield UnitHarvest(
            unit,
            crop,
            sum(cut) if all(cut) else unit_acres.get(unit),
            None if None in carried else sum(one for one in carried if one is not None),
        )


def acres_of_units(
    found: Harvests, unit_acres: Mapping[str, int | None], law: RuleVersion | None
) -> Iterator[Disagreement]:
    """Hold the acres harvested on each unit, whatever the use, against those of the unit.

    More than the unit has, beyond what two measurements of one field may differ, is an error; fewer is only told.
    """
    by_unit: dict[str, list[Row]] = {}
    for row in found.rows:
        by_unit.setdefault(row["unit_id"], []).append(row)
    for unit, entries in by_unit.items():
        cut = [row["harvested_acres"] for row in entries]
        known, whole = sum(one for one in cut if one), unit_acres.get(unit)
        off = 0 if whole is None or law is None else whole * law.boundary_difference_pct_max
        if known and not whole:
            cause = f"The acres of {unit} are not recorded, so nothing holds the {show(known)} acres harvested on it."
            remedy, code = "Record the acres of the unit.", "unit_acres_missing"
        elif whole and known * WHOLE > whole * WHOLE + off:
            cause = f"{show(known)} acres were harvested on {unit}, which has {show(whole)}."
            remedy, code = "Correct the acres harvested or the acres of the unit.", "acres_beyond_unit"
        elif whole and all(cut) and known * WHOLE < whole * WHOLE - off:
            cause = f"{show(known)} of the {show(whole)} acres of {unit} were harvested."
            remedy, code = "Nothing to do where the rest gave no crop; else add its harvest.", "acres_below_unit"
        else:
            continue
        yield Disagreement(
            code, "2100.020(a)(4)", unit, cause, f"{show(known)} ac", "" if whole is None else f"{show(whole)} ac",
            None, remedy, unit, entries[0]["harvest_id"],
        )  # fmt: skip


# The units of a crop: what grew on each, and which practices the verdicts credit there.


class JudgedPractice(Protocol):
    """The verdict on one practice."""

    @property
    def records(self) -> str:
        """Return whether its record requirements are ``met``."""


class JudgedCrop(Protocol):
    """What is asked of a judged crop interval, whichever way it was judged: portfolios judge in columns."""

    @property
    def unit_id(self) -> str:
        """Return its unit."""

    @property
    def harvest_ids(self) -> tuple[str, ...]:
        """Return the crop entries whose records belong to it."""

    @property
    def rule(self) -> RuleVersion:
        """Return the text that governs it."""

    @property
    def credited(self) -> tuple[Practice, ...]:
        """Return the practices whose implementation is met."""

    @property
    def county_fips(self) -> str | None:
        """Return the county of its unit."""

    def __getitem__(self, practice: Practice) -> JudgedPractice:
        """Return the verdict on one practice."""


class JudgedBook(Protocol):
    """What is asked of a judged book."""

    @property
    def book(self) -> RecordBook:
        """Return the records."""

    def rows(self, farm_id: str, /) -> FarmRows:
        """Return the rows of a farm, with what its evidence is worth."""

    def of(self, farm_id: str, crop: Crop, harvest_year: int, /) -> Sequence[JudgedCrop]:
        """Return the intervals of one farm, crop and harvest year."""

    def harvest_year(self, row: Mapping[str, Any], /) -> int | None:
        """Return the harvest year of a row of ``harvest``."""


def practices_behind(used: Iterable[Practice], *, conventional: bool, has_ci: bool) -> str:
    """Say which practices the CI of a unit rests on: page, paper and command line say it alike."""
    if conventional:
        return "none: national default"
    if not has_ci:
        return "no CI yet"
    names = ", ".join(practice.label for practice in used)
    return names or "none entered"


@dataclass(frozen=True, slots=True)
class UnitResult:
    """One unit of the crop: what is credited, its CI, its bushels."""

    unit_id: str  # the management unit
    harvest_ids: tuple[str, ...]  # its entries of the crop in the year
    county_fips: str | None  # its county
    acres: int | None  # thousandths; None where not recorded
    bushels: int | None  # thousandths; None where not recorded
    credited: tuple[Practice, ...]  # practices whose implementation is met in every entry
    records_met: bool  # whether their record requirements are met too (interpretation 6)
    result: "UnitCI | None"  # the calculator's answer; None for conventional crop
    # the practices behind its CI, as entered in the calculator: a farm producer may enter less than the records show.
    # None without a CI, whatever a printout claims.
    used: tuple[Practice, ...] = ()

    @property
    def behind_ci(self) -> str:
        """Say which practices its CI rests on, as page, paper and command line do."""
        has_ci = self.result is not None and self.result.ci_g_per_bu is not None
        return practices_behind(self.used, conventional=self.conventional, has_ci=has_ci)

    @property
    def conventional(self) -> bool:
        """Return whether no practice is credited, so that the national default counts."""
        return not self.credited


def unit_results(intervals: Iterable[JudgedCrop], harvests: Sequence[UnitHarvest]) -> tuple[UnitResult, ...]:
    """Join the harvests that count with the practices credited on their units; no calculator is asked."""
    by_unit: dict[str, list[JudgedCrop]] = {}
    for one in intervals:
        by_unit.setdefault(one.unit_id, []).append(one)
    return tuple(_unit(harvest, by_unit.get(harvest.unit, [])) for harvest in harvests)


def _unit(harvest: UnitHarvest, intervals: Sequence[JudgedCrop]) -> UnitResult:
    sets = [frozenset(one.credited) for one in intervals]
    shared = reduce(frozenset.intersection, sets) if sets else frozenset()
    credited = tuple(practice for practice in Practice if practice in shared)
    return UnitResult(
        harvest.unit,
        tuple(entry for one in intervals for entry in one.harvest_ids),
        intervals[0].county_fips if intervals else None,
        harvest.acres,
        harvest.bushels,
        credited,
        all(one[practice].records == "met" for one in intervals for practice in credited),
        None,
    )


# The national default of a calculator's version, as somebody entered it.


DefaultKey = tuple[str, str, Crop]


def national_defaults(rows: Iterable[Row], file: str) -> tuple[Mapping[DefaultKey, int], list[Problem]]:
    """Return the default of each calculator, version and crop, by rows of ``national_default`` with their source.

    One without a source is refused; of one entered twice, equal values stand and differing ones are all refused.
    """
    found: dict[DefaultKey, int] = {}
    disputed: set[DefaultKey] = set()
    problems = []
    for number, row in enumerate(rows, start=1):
        tool, version, crop = row["calculator"], row["version"], Crop(row["crop"])
        key = (tool, version, crop)
        name = f"The national default CI of {crop.label} in {tool} {version}"
        cause = remedy = ""
        if not says(row["source"]):
            cause, remedy = f"{name} has no source.", "Name the printout or page it was read from."
        elif key in found:
            cause, remedy = f"{name} is entered twice.", "Keep one row."
            if found[key] != row["ci_g_per_bu"]:
                disputed.add(key)
        else:
            found[key] = row["ci_g_per_bu"]
        if cause:
            problems.append(
                Problem(Place(file, "", number), cause, remedy, cite="2100.020(b)", code="national_default")
            )
    return MappingProxyType({key: ci for key, ci in found.items() if key not in disputed}), problems


def latest_version(runs: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Return the calculator and version that count among those of the runs of a crop."""
    return max(runs, default=("USDA FD-CIC", "none entered"))


@dataclass(frozen=True, slots=True)
class CropUnits:
    """The units of one farm, crop and harvest year, each with its bushels and credited practices."""

    farm_id: str  # the key of the report
    crop: Crop  # the key of the report
    harvest_year: int  # the key of the report
    units: tuple[UnitResult, ...]  # every unit of the crop, credited or conventional
    national_default: int | None  # hundredths of g CO2e/bu, or None where none was entered

    @property
    def is_estimate(self) -> bool:
        """Return whether CI and default are an open model's."""
        return False


def crop_units(judged: JudgedBook, farm: str, crop: Crop, harvest_year: int) -> CropUnits:
    """Return the units of a crop, and the default of the version whose runs count; no CI is made."""
    book = judged.book
    found = harvests_of(book.rows_of("harvest", farm), crop, harvest_year, judged.harvest_year)
    acres = {row["unit_id"]: row["acres"] for row in book.rows_of("unit", farm)}
    units = unit_results(judged.of(farm, crop, harvest_year), tuple(unit_harvests(found, crop, acres)))
    mine = {row["harvest_id"] for row, _ in found.counted}
    runs = (row for row in book.rows_of("calculator_run", farm) if row["harvest_id"] in mine)
    version = latest_version((row["calculator"], row["version"]) for row in runs)
    entered = (row for row in book.rows_of("national_default", farm) if row["crop"] == crop)
    defaults, _ = national_defaults(entered, "national_default.csv")
    return CropUnits(farm, crop, harvest_year, units, defaults.get((*version, crop)))
