"""The farm-level CI: the bushel-weighted average over every bushel of a crop and harvest year (2100.020(c)).

Exact: hundredths of g CO2e/bu times thousandths of a bushel are whole numbers; the quotient is rounded once, half
even, to hundredths. Conventional bushels enter with the national default (2100.020(b)). Where a unit with bushels
has no CI, or conventional bushels have no default, there is no average: what is missing is named instead.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from provender.exact import CI_SCALE, SCALE, half_even, show
from provender.intensity.harvests import CITE, AcresReport, BushelCount, Disagreement, UnitHarvest, in_bu
from provender.rule.crops import Crop
from provender.standards.standard import WHOLE

_PRODUCT_SCALE: Final = CI_SCALE + SCALE
_GROUP: Final = ("farm", "crop", "harvest_year")


@dataclass(frozen=True, slots=True)
class Share:
    """The bushels of one unit, or of conventional crop."""

    unit: str  # identifier of the unit
    bushels: int | None  # thousandths of a bushel harvested; null where not recorded
    # the unit's CI in hundredths; null where there is none. Not read for conventional crop.
    ci_g_per_bu: int | None = None
    conventional: bool = False  # no practice credited: the national default counts


@dataclass(frozen=True, slots=True)
class WorkedRow:
    """One line of the working: bushels (thousandths) times CI (hundredths) is the product (hundred-thousandths g)."""

    unit: str
    conventional: bool
    bushels: int
    ci_g_per_bu: int
    product: int


@dataclass(frozen=True, slots=True)
class FarmAverage:
    """The average with its working."""

    rows: tuple[WorkedRow, ...]  # every share that counts, in the order given; empty where something is missing
    bushels: int  # their sum, thousandths of a bushel
    product: int  # sum of the products, hundred-thousandths of a gram CO2e
    ci_g_per_bu: int | None  # the quotient, rounded once half even to hundredths; null where something is missing
    missing: tuple[str, ...] = ()  # whole sentences: what has to be added before there is an average

    def as_json(self) -> dict[str, object]:
        """Return the working as plain data, quantities as decimal text."""
        return {
            "rows": [
                {
                    "unit": row.unit,
                    "conventional": row.conventional,
                    "bushels": show(row.bushels),
                    "ci_g_per_bu": show(row.ci_g_per_bu, CI_SCALE, places=CI_SCALE),
                    "product_g": show(row.product, _PRODUCT_SCALE),
                }
                for row in self.rows
            ],
            "bushels": show(self.bushels),
            "product_g": show(self.product, _PRODUCT_SCALE),
            "ci_g_per_bu": None if self.ci_g_per_bu is None else show(self.ci_g_per_bu, CI_SCALE, places=CI_SCALE),
            "missing": list(self.missing),
        }


def _no_share(share: Share, national_default: int | None) -> str | None:
    """Say what a share lacks, or None. A share without bushels weighs nothing and lacks nothing else."""
    if share.bushels is None:
        return f"The bushels harvested from {share.unit} are not recorded."
    if share.bushels < 0:
        return f"The bushels of {share.unit} are below zero."
    if share.bushels == 0:
        return None
    if share.conventional and national_default is None:
        return f"{share.unit} is conventional and the calculator's national default CI has not been entered."
    if not share.conventional and share.ci_g_per_bu is None:
        return f"{share.unit} has no CI from the calculator."
    return None


def farm_average(shares: Iterable[Share], national_default: int | None) -> FarmAverage:
    """Average the CI over all bushels of one farm, crop and harvest year.

    Args:
        shares: every unit and all conventional bushels; nothing may be left out (2100.020).
        national_default: the calculator's default for the crop in hundredths; null where not entered.
    """
    every = tuple(shares)
    missing = [gap for share in every if (gap := _no_share(share, national_default)) is not None]
    rows = []
    for share in every:
        ci = national_default if share.conventional else share.ci_g_per_bu
        if share.bushels and share.bushels > 0 and ci is not None:
            rows.append(WorkedRow(share.unit, share.conventional, share.bushels, ci, share.bushels * ci))
    bushels, product = sum(row.bushels for row in rows), sum(row.product for row in rows)
    if not missing and not bushels:
        missing.append("There are no bushels to average over.")
    if missing:
        return FarmAverage((), 0, 0, None, tuple(missing))
    return FarmAverage(tuple(rows), bushels, product, half_even(product, bushels))


# Is the whole harvest in the average? Acres, bushels and yields held against other records (interpretations 26 to 28).
#
# Leaving out a field with a high CI, or moving bushels to a field with a low one, makes a farm CI better than it
# is. These tests compare totals; the rule gives no tolerance, so a difference is a finding however small, and a
# parameter may say otherwise. Acres, bushels and yields are whole thousandths.

UNSIGNED: Final = frozenset(
    {"acres_unexplained", "bushels_unexplained", "nothing_counted", "count_below_zero", "unit_bushels_missing",
     "unit_acres_missing", "acres_beyond_unit", "harvest_undated", "bushels_not_harvested", "moisture_unknown",
     "use_not_shown", "crop_not_named"}
)  # fmt: skip
"""Findings under which nobody knows that the whole harvest is in the average (interpretations 60, 84, 85)."""
OPEN: Final = frozenset({"no_counted_bushels", *UNSIGNED})
"""Findings under which the whole harvest is not shown."""


def nothing_counted(reports: Sequence[AcresReport], counts: Sequence[BushelCount], crop: Crop) -> list[Disagreement]:
    """Return a finding where neither acres were reported nor bushels counted anywhere but in these records."""
    reported = any(one.crop is crop and not one.explains for one in reports)
    if reported or any(one.crop is crop and not one.explains for one in counts):
        return []
    cause = "Neither an acreage report nor bushels that count are on file: nothing shows that the whole harvest is in."
    remedy = "Add the acreage report (FSA-578), scale tickets, settlements or bin measurements; a monitor is no count."
    return [Disagreement("nothing_counted", CITE, crop.label, cause, "nothing", "one of the two", None, remedy)]


def _acres(value: int) -> str:
    return f"{show(value, group=True)} ac"


def _units_of_crop(units: Iterable[UnitHarvest], crop: Crop) -> list[UnitHarvest]:
    return [unit for unit in units if unit.crop is crop]


def _gap(crop: Crop, what: str, units: Sequence[UnitHarvest]) -> Disagreement:
    """Say that a total cannot be tested because units lack a value."""
    named = ", ".join(unit.unit for unit in units)
    cause = f"The {what} of {named} are not recorded, so the total cannot be tested."
    alone = units[0].unit if len(units) == 1 else ""
    remedy = f"Record the {what} of each unit."
    return Disagreement(f"unit_{what}_missing", CITE, crop.label, cause, "", "", None, remedy, alone)


def acres_complete(
    units: Sequence[UnitHarvest], reports: Sequence[AcresReport], crop: Crop, *, allowance_pct: int = 0
) -> list[Disagreement]:
    """Hold the acres of all units of a crop against every report of its acres.

    Args:
        units: every unit of the farm in the harvest year, conventional ones too.
        reports: acres reported elsewhere, any crop.
        crop: the crop tested.
        allowance_pct: share of the reported acres (thousandths of a percent) beyond which a difference that nothing
            explains keeps the report from being signed.

    Returns:
        A finding for each report that differs: ``acres_unexplained`` beyond the allowance, else ``acres_differ``; one
        where there is no report or a unit has no acres. The
        effect is the difference in acres at the mean yield of the units, rounded half even.
    """
    mine = _units_of_crop(units, crop)
    reported = [report for report in reports if report.crop is crop and not report.explains]
    explained = sum(report.acres for report in reports if report.crop is crop and report.explains)
    if not mine and not reported:
        return []
    gaps = [unit for unit in mine if unit.acres is None]
    if gaps:
        return [_gap(crop, "acres", gaps)]
    total = sum(unit.acres or 0 for unit in mine)
    if not reported:
        cause = "No report of acres from elsewhere is on file, so nothing shows that every field is in the average."
        remedy = "Add the acreage report (FSA-578) or the crop insurance acres."
        return [Disagreement("no_reported_acres", CITE, crop.label, cause, _acres(total), "not shown", None, remedy)]
    harvested = sum(unit.bushels or 0 for unit in mine)
    findings = []
    for report in reported:
        off = report.acres - explained - total
        if not off:
            continue
        beyond = abs(off) > report.acres * allowance_pct // WHOLE
        more = "more" if off > 0 else "fewer"
        cause = f"{report.source} reports {_acres(abs(off))} {more} than the units have."
        effect = half_even(abs(off) * harvested, total) if total else None
        remedy = "Add the fields that are missing." if off > 0 else "Correct the acres, or explain the difference."
        findings.append(
            Disagreement(
                "acres_unexplained" if beyond else "acres_differ", CITE, crop.label, cause, _acres(total),
                _acres(report.acres - explained), effect, remedy,
            )
        )  # fmt: skip
    return findings


def explained(reports: Sequence[AcresReport], counts: Sequence[BushelCount], crop: Crop) -> tuple[str, ...]:
    acres = (f"{_acres(one.acres)} of the reported acres: {one.source}" for one in reports if one.explains)
    bushels = (f"{in_bu(one.bushels)} {one.what}" for one in counts if one.explains and one.crop is crop)
    return (*acres, *bushels)


def scaled_to(values: Sequence[int], total: int) -> list[int]:
    """Scale whole numbers to a total, exactly: the largest remainders take what rounding down leaves over."""
    whole = sum(values)
    if not whole:
        return [0 for _ in values]
    parts = [divmod(value * total, whole) for value in values]
    left = total - sum(part for part, _ in parts)
    largest = sorted(range(len(values)), key=lambda index: (-parts[index][1], index))[:left]
    return [part + (index in largest) for index, (part, _) in enumerate(parts)]


def bushels_complete(units: Sequence[UnitHarvest], counts: Sequence[BushelCount], crop: Crop) -> list[Disagreement]:
    """Hold the bushels of all units of a crop against what was weighed, measured in bins, fed and kept for seed.

    Args:
        units: every unit of the farm in the harvest year, conventional ones too.
        counts: everything that the harvest became, any crop; together they are the whole harvest.
        crop: the crop tested.

    Returns:
        A finding where the totals differ (``bushels_unexplained`` beyond the allowances of all counts together, else
        ``bushels_differ``) with the units scaled to what was counted, where nothing was counted, or where a unit has no
        bushels.
    """
    mine = _units_of_crop(units, crop)
    counted = [count for count in counts if count.crop is crop]
    gaps = [unit for unit in mine if unit.bushels is None]
    recorded, total = sum(unit.bushels or 0 for unit in mine), sum(count.bushels for count in counted)
    if gaps:
        return [_gap(crop, "bushels", gaps)]
    if all(count.explains for count in counted):
        return [_uncounted(crop, recorded)] if mine else []
    if total < 0:
        return [_below_zero(crop)]
    return [_differing(crop, mine, counted, recorded)] if total != recorded else []


def _uncounted(crop: Crop, recorded: int) -> Disagreement:
    cause = (
        "No tickets, bin measurements, feed or seed that count are on file, so nothing shows that every bushel is in."
    )
    remedy = "Add scale tickets and settlements, bin measurements, bushels fed and kept for seed."
    return Disagreement("no_counted_bushels", CITE, crop.label, cause, in_bu(recorded), "not shown", None, remedy)


def _below_zero(crop: Crop) -> Disagreement:
    cause = "The counted bushels are below zero: more stock from before the harvest than everything counted."
    remedy = "Check the stock on hand before the harvest."
    return Disagreement("count_below_zero", CITE, crop.label, cause, "", "", None, remedy)


def _differing(crop: Crop, units: Sequence[UnitHarvest], counted: Sequence[BushelCount], recorded: int) -> Disagreement:
    total = sum(count.bushels for count in counted)
    off = total - recorded
    listed = ", ".join(f"{count.what} {in_bu(count.bushels)}" for count in counted)
    cause = f"The units' bushels are {in_bu(abs(off))} {'fewer' if off > 0 else 'more'} than counted ({listed})."
    scaled = scaled_to([unit.bushels or 0 for unit in units], total)
    shown = "; ".join(
        f"{unit.unit} {show(unit.bushels, group=True)} to {in_bu(new)}"
        for unit, new in zip(units, scaled, strict=True) if unit.bushels
    )  # fmt: skip
    remedy = f"Scale the units to the counted total ({shown}), or add the bushels that are missing."
    beyond = abs(off) > sum(count.allowance for count in counted)
    code = "bushels_unexplained" if beyond else "bushels_differ"
    return Disagreement(code, CITE, crop.label, cause, in_bu(recorded), in_bu(total), abs(off), remedy)


@dataclass(frozen=True, slots=True)
class YieldLimits:
    """When a yield is out of line, in whole percent of the yield it is compared with. Ours, not the rule's."""

    sisters_most: int = 150
    sisters_least: int = 50
    county_most: int = 175
    county_least: int = 40


DEFAULT_LIMITS: Final = YieldLimits()


def _per_acre(bushels: int, acres: int) -> str:
    return f"{show(half_even(bushels * 10**SCALE, acres), group=True)} bu/ac"


def _out_of_line(bushels: int, acres: int, other: tuple[int, int], limits: tuple[int, int]) -> int:
    """Return 1 above the most, -1 below the least, 0 between; exact, the limits themselves are in line.

    ``other`` is the bushels and acres compared with: bushels/acres against percent x other/other acres.
    """
    mine, theirs = bushels * other[1] * 100, acres * other[0]
    least, most = limits
    return (mine > most * theirs) - (mine < least * theirs)


def yields_in_line(
    units: Sequence[UnitHarvest],
    crop: Crop,
    *,
    county_yields: Mapping[str, int] = MappingProxyType({}),
    limits: YieldLimits = DEFAULT_LIMITS,
) -> list[Disagreement]:
    """Hold each unit's yield against the farm's other units of the crop together, and against the county's yield.

    Args:
        units: every unit of the farm in the harvest year, conventional ones too. Units without acres or bushels,
            or with zero acres, are skipped here; ``acres_complete`` and ``bushels_complete`` name them.
        crop: the crop tested.
        county_yields: by unit, bushels per acre of its county (thousandths); a unit without one is not compared.
        limits: percent of the other yield above or below which a unit is a finding.

    Returns:
        One finding per unit and comparison. The effect is all bushels of the unit.
    """
    known = [
        (unit.unit, unit.bushels, unit.acres)
        for unit in _units_of_crop(units, crop)
        if unit.bushels is not None and unit.acres
    ]
    findings = []
    for name, bushels, acres in known:
        comparisons = []
        others = (sum(one[1] for one in known) - bushels, sum(one[2] for one in known) - acres)
        if others[1]:
            comparisons.append(("sisters", others, (limits.sisters_least, limits.sisters_most)))
        if name in county_yields:
            bounds = (limits.county_least, limits.county_most)
            comparisons.append(("county", (county_yields[name], 10**SCALE), bounds))
        for what, other, bounds in comparisons:
            side = _out_of_line(bushels, acres, other, bounds)
            if side:
                findings.append(_yield_finding(name, what, side, (bushels, acres), other))
    return findings


def _yield_finding(unit: str, what: str, side: int, own: tuple[int, int], other: tuple[int, int]) -> Disagreement:
    whom = "the farm's other units of the crop" if what == "sisters" else "the county"
    return Disagreement(
        f"yield_{'above' if side > 0 else 'below'}_{what}",
        CITE,
        unit,
        f"The yield is far {'above' if side > 0 else 'below'} that of {whom}.",
        _per_acre(*own),
        _per_acre(*other),
        own[0],
        "Check acres and bushels against tickets or the yield log, and note the reason if they are right.",
        unit,
    )


# May the crop be sold as reduced-CI crop? Practices on some field, and a CI below the national average (2100.002).

DEFINITION: Final = '2100.002 "reduced-carbon intensity crop"'
NO_PRACTICE: Final = "No unit of this crop has a practice credited, so none of it is reduced-CI crop."
REMEDY: Final = "Sell it without a claim, or add the records that show a practice."


def _ci(value: int) -> str:
    return f"{show(value, CI_SCALE, places=CI_SCALE)} g CO2e/bu"


def reduced_ci_findings(
    crop: Crop, shares: Sequence[Share], average: FarmAverage, national_default: int | None
) -> list[Disagreement]:
    """Warn where a crop is no reduced-CI crop (interpretation 31); a CI not below the national one is not refused.

    Args:
        crop: the crop.
        shares: what went into the average.
        average: the farm-level CI; without a CI nothing is compared.
        national_default: the calculator's default in hundredths; null where not entered, then not compared.

    Returns:
        ``no_practice`` where no unit with bushels has a practice credited; ``not_below_national`` where the farm CI
        is equal to or above the default. The effect is all bushels.
    """
    findings = []
    bushels = average.bushels or None
    if not any(share.bushels and not share.conventional for share in shares):
        findings.append(Disagreement("no_practice", DEFINITION, crop.label, NO_PRACTICE, "", "", bushels, REMEDY))
    if average.ci_g_per_bu is None or national_default is None or average.ci_g_per_bu < national_default:
        return findings
    findings.append(
        Disagreement(
            "not_below_national",
            DEFINITION,
            crop.label,
            "The farm CI is not below the national default, so the crop has no reduced CI to sell.",
            _ci(average.ci_g_per_bu),
            f"below {_ci(national_default)}",
            bushels,
            "Check the unit CIs; a buyer may have no use for this claim.",
        )
    )
    return findings
