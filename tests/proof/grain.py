"""Grain and acres that leave by a word or a blank, and blanks that would switch a check off (2100.020, .002)."""

from typing import Final

from tests.proof import changes as c
from tests.proof.outcome import NO, TOLD, YES, Cases

_RUN, _PRACTICE, _LAND = "2100.031(c)(3)(iii)", "2100.031(c)(3)(ii)", "2100.031(c)(3)(vii)"
SOUTH: Final = 3
"""The harvest of the unit without a practice: leaving it out would better the mean."""


def _south(**cells: str) -> c.Change:
    """Change its entry, and leave of its bushels only what the entry itself says."""
    return c.both(c.of("harvest", SOUTH, **cells), c.less("reported_acres"), c.of("bushel_total", bushels="8000"))


def _wet(moisture: str, dry: str, **cells: str) -> c.Change:
    """Write a moisture on the credited unit, and count and run what it is as dry corn."""
    counted = (
        c.of("bushel_total", bushels=str(float(dry) + 1500)),
        c.of("calculator_run", yield_bu_per_ac=cells.pop("a")),
    )
    return c.both(c.of("harvest", 1, moisture_pct=moisture, **cells), *counted)


def _run(**cells: str) -> c.Change:
    return c.of("calculator_run", 0, **cells)


def _land(unit: str, year: str, use: str) -> c.Change:
    return c.more("land_use", unit_id=unit, year=year, land_use=use)


def _of_no_bushel(bushels: str, total: str) -> c.Change:
    """Harvest nothing, or a thousandth, where the practice was."""
    per_acre = "0" if bushels == "0" else "0.001"
    return c.both(
        c.of("harvest", 1, bushels=bushels), c.of("bushel_total", bushels=total), _run(yield_bu_per_ac=per_acre)
    )


_IDLE: Final = {"tillage": "conventional", "cover_crop": "no", "n_timing": "as_usual", "inhibitor": "no"}
GRAIN: Final[Cases] = {
    "grain: use other": (c.of("harvest", SOUTH, use="other"), YES, ""),
    "grain: use blank": (c.of("harvest", SOUTH, use=""), YES, ""),
    "grain: use seed": (c.of("harvest", SOUTH, use="seed"), YES, ""),
    "grain: use other, and left out of the tickets": (_south(use="other"), NO, "1,500 bu more than counted"),
    "grain: a harvest without a day": (_south(first_day="", last_day=""), NO, (_RUN, "has no date")),
    "grain: a harvest with its last day alone": (c.of("harvest", SOUTH, first_day=""), YES, ""),
    "grain: terminated, with bushels": (_south(ending="terminated"), NO, (_RUN, "and says terminated")),
    "grain: of a crop that nobody named": (_south(crop="other"), NO, (_RUN, "names no crop")),
    "grain: forage without a paper": (_south(use="forage"), NO, (_RUN, "no measure with a paper shows it")),
    "grain: forage without a measure": (_south(use="forage", bushels="", evidence="E9"), NO, (_RUN, "no measure")),
    "grain: forage with both": (_south(use="forage", evidence="E9"), YES, ""),
    "grain: silage without a paper": (_south(use="silage"), NO, (_RUN, "no measure with a paper shows it")),
    "grain: a harvest that nobody can read": (c.of("harvest", SOUTH, bushels="15oo"), NO, "could not be read"),
    "grain: bushels at 25 %, entered as grain": (c.of("harvest", 1, moisture_pct="25"), NO, "fewer than counted"),
    "grain: the same, run and counted dry": (
        _wet("25", "7100.591", a="177.515"), TOLD, "8,000 bu at 25 % are 7,100.591 bu at 15.5 %",
    ),
    "grain: at 15.5 %": (c.of("harvest", 1, moisture_pct="15.5"), YES, ""),
    "grain: at 15.501 %": (c.of("harvest", 1, moisture_pct="15.501"), TOLD, "are 7,999.905 bu at 15.5 %"),
    "grain: high moisture without one": (
        c.of("harvest", 1, use="high_moisture"), NO, (_RUN, "The moisture of H25 is not recorded"),
    ),
    "grain: 41.2 acres of 40": (
        c.both(c.of("harvest", 1, harvested_acres="41.2"), c.of("reported_acres", acres="53.2"),
               _run(acres="41.2", yield_bu_per_ac="194.17")), YES, "",
    ),
    "grain: 41.201 acres of 40": (
        c.both(c.of("harvest", 1, harvested_acres="41.201"), c.of("reported_acres", acres="53.201"),
               _run(acres="41.201", yield_bu_per_ac="194.17")), NO, (_RUN, "41.201 acres were harvested on N40"),
    ),
    "grain: a unit without acres": (
        c.both(c.of("unit", 1, acres=""), c.of("harvest", SOUTH, harvested_acres="12")), NO,
        (_RUN, "The acres of S12 are not recorded"),
    ),
    "grain: acres that became something else": (
        c.reported("other", "8", "60"), NO, (_RUN, "8 ac more than the units have"),
    ),
    "grain: no bushel under the practice": (_of_no_bushel("0", "1500"), NO, (_PRACTICE, "No bushel of this crop")),
    "grain: a run that enters no practice": (_run(**_IDLE), NO, (_PRACTICE, "No bushel of this crop")),
    "land: in reserve in the year of the harvest": (
        _land("S12", "2025", "conservation_reserve"), NO, (_LAND, "S25 was harvested on it"),
    ),
    "land: in reserve in the year of the crop before": (
        _land("N40", "2024", "conservation_reserve"), NO, (_LAND, "H24 was harvested on it"),
    ),
    "land: in reserve in a year without a crop": (_land("S12", "2023", "conservation_reserve"), YES, ""),
    "land: of a use that nobody named, and the answer no": (c.of("land_use", land_use="other"), YES, ""),
    "land: of a use that nobody named, and no answer": (
        c.both(c.of("land_use", land_use="other"), c.of("declaration", land_converted="")), NO,
        (_LAND, "Nobody answered"),
    ),
    "land: of no named use beside what was cropland, and no answer": (
        c.both(_land("N40", "2025", "other"), c.of("declaration", land_converted="")), NO, (_LAND, "N40 was other"),
    ),
    "blank: the yield of the run": (_run(yield_bu_per_ac=""), NO, (_RUN, "does not show the yield")),
    "blank: the acres of the run": (_run(acres=""), NO, (_RUN, "The acres entered")),
    "blank: the crop of the run": (_run(crop=""), NO, (_RUN, "The crop entered")),
    "blank: the county of run and unit": (
        c.both(_run(county_fips=""), c.of("unit", county_fips="")), NO, (_RUN, "The county entered"),
    ),
    "blank: the farm CI printed": (_run(farm_ci_g_per_bu=""), NO, (_RUN, "does not show the farm CI")),
    "blank: another farm CI": (_run(farm_ci_g_per_bu="4847.40"), NO, (_RUN, "is not the bushel-weighted average")),
    "blank: the national default, where no unit needs it": (
        c.both(c.less("national_default"), c.less("harvest", SOUTH), c.of("bushel_total", bushels="8000"),
               c.of("reported_acres", acres="40")), NO, (_RUN, "is not entered, so nothing is held"),
    ),
    "blank: the moisture, without tickets": (c.less("bushel_total"), NO, (_RUN, "nothing shows that its bushels")),
}  # fmt: skip
