"""Papers and counts behind a report, and grain and acres that leave by a word or a blank.

A name without a file, a file exchanged, of another unit, kind or day, no paper: of each case the paragraph that
refuses it stands first among what is said (2100.020, .002, .031). Blanks would switch a check off. Sentences of the
readings are gone through by hand, each with the hostile change, its honest neighbor and the gap."""

from typing import Final

from tests.proof import changes as c
from tests.proof.outcome import NO, NO_TILL, TOLD, YES, Cases

_PHOTO: Final = "2100.052(b)(5)"
_SEED: Final = "2100.052(b)(1)"
_BOUGHT: Final = "Cover-crop seed bought or kept is enough"
_SOIL: Final = "2100.053(e)(2)"
_INHIBITOR: Final = "2100.053(b)(1)"
_RUN: Final = "2100.031(c)(3)(iii)"
_TOOL: Final = "2100.031(c)(2)(i)"
_NO_COUNT: Final = "Neither an acreage report"
_UNHASHED: Final = "no SHA-256 of the file"


def _e(row: int, **cells: str) -> c.Change:
    return c.of("evidence", row, **cells)


def _ticketed(**cells: str) -> c.Change:
    """Change the paper of the tickets, and leave no acreage report beside them."""
    return c.both(_e(c.TICKETS, **cells), c.less("reported_acres"))


def _two_units() -> c.Change:
    """Let rows of two units name one photograph."""
    cover = c.like("cover_crop", cover_id="C9", unit_id="S12", harvest_id="S25")
    return c.both(_e(c.COVER, unit_id=""), cover)


PAPERS: Final[Cases] = {
    "photograph: a name without a file": (
        _e(c.COVER, file="gone.jpg"), NO, (_PHOTO, "is not there", "the file gone.jpg of E1 is not"),
    ),
    "photograph: no hash on record": (_e(c.COVER, sha256=""), NO, (_PHOTO, _UNHASHED)),
    "photograph: exchanged": (_e(c.COVER, sha256="ab" * 32), NO, (_PHOTO, "changed or exchanged")),
    "photograph: an invoice": (_e(c.COVER, what="invoice"), NO, (_PHOTO, "is filed as invoice")),
    "photograph: of another unit": (_e(c.COVER, unit_id="S12"), NO, (_PHOTO, "belongs to unit S12")),
    "photograph: one for two units": (_two_units(), NO, (_PHOTO, "rows of several units name it")),
    "photograph: before seeding": (_e(c.COVER, taken_on="2024-10-08"), NO, (_PHOTO, "E1 is of 2024-10-08")),
    "photograph: of the day of seeding": (_e(c.COVER, taken_on="2024-10-09"), YES, ""),
    "photograph: of the day of termination": (_e(c.COVER, taken_on="2025-04-16"), YES, ""),
    "photograph: after termination": (_e(c.COVER, taken_on="2025-04-17"), NO, (_PHOTO, "2025-04-17")),
    "photograph: of no day": (_e(c.COVER, taken_on=""), NO, (_PHOTO, "it has no day")),
    "photograph: none named": (c.of("cover_crop", established_photo=""), NO, _PHOTO),
    "seed: file deleted": (_e(c.SEED, file="gone.pdf"), NO, (_SEED, "is not there")),
    "seed: a photograph as invoice": (c.of("seed_purchase", evidence="E1"), NO, (_SEED, "is filed as photograph")),
    "seed: a name that names nothing": (
        c.of("seed_purchase", evidence="E77"), NO, (_SEED, "E77 is the name of no evidence record"),
    ),
    "seed: one sound paper beside a broken one": (c.of("seed_purchase", evidence="E77; E3"), YES, ""),
    "seed: no paper": (c.of("seed_purchase", evidence=""), NO, (_SEED, _BOUGHT)),
    "seed: no day": (c.of("seed_purchase", received_on=""), NO, (_SEED, _BOUGHT)),
    "seed: no supplier": (c.of("seed_purchase", supplier=""), NO, (_SEED, _BOUGHT)),
    "seed: received after seeding": (c.of("seed_purchase", received_on="2024-10-10"), NO, (_SEED, _BOUGHT)),
    "seed: paper of another year": (_e(c.SEED, taken_on="2026-09-20"), NO, (_SEED, "2026-09-20")),
    "soil test: no report": (c.of("soil_test", evidence=""), NO, _SOIL),
    "soil test: report older than sample": (
        _e(c.SOIL, taken_on="2023-11-04"), NO, (_SOIL, "cannot have been made"),
    ),
    "soil test: exchanged": (_e(c.SOIL, sha256="cd" * 32), NO, (_SOIL, "changed or exchanged")),
    "inhibitor: no day": (c.of("inhibitor_purchase", received_on=""), NO, _INHIBITOR),
    "inhibitor: no supplier": (c.of("inhibitor_purchase", supplier=""), NO, _INHIBITOR),
    "inhibitor: no paper": (c.of("inhibitor_purchase", evidence=""), NO, _INHIBITOR),
    "inhibitor: received after it was used": (c.of("inhibitor_purchase", received_on="2025-04-29"), NO, _INHIBITOR),
    "inhibitor: file deleted": (_e(c.INHIBITOR, file="gone.pdf"), NO, (_INHIBITOR, "is not there")),
    "printout: none": (c.of("calculator_run", evidence=""), NO, (_RUN, "No printout of this run is on file")),
    "printout: names nothing": (c.of("calculator_run", evidence="E77"), NO, (_RUN, "E77")),
    "printout: file deleted": (_e(c.RUN, file="gone.pdf"), NO, (_RUN, "is not there")),
    "printout: exchanged": (_e(c.RUN, sha256="ef" * 32), NO, (_RUN, "changed or exchanged")),
    "printout: no hash on record": (_e(c.RUN, sha256=""), NO, (_RUN, _UNHASHED)),
    "printout: of another unit": (_e(c.RUN, unit_id="S12"), NO, (_RUN, "E2 belongs to unit S12")),
    "printout: older than the run": (_e(c.RUN, taken_on="2025-12-18"), NO, (_RUN, "cannot have been made")),
    "printout: a photograph of rye": (c.of("calculator_run", evidence="E1"), NO, (_RUN, "photograph")),
    "harvest: counted nowhere": (
        c.both(c.less("reported_acres"), c.less("bushel_total")), NO,
        (_RUN, _NO_COUNT, "nothing shows that the whole harvest is in"),
    ),
    "harvest: no acreage report": (c.less("reported_acres"), YES, ""),
    "harvest: no count, and a moisture": (c.both(c.less("bushel_total"), c.dry()), YES, ""),
    "harvest: no count and no moisture": (c.less("bushel_total"), NO, (_RUN, "nothing shows that its bushels are dry")),
    "harvest: counted by a paper of no named kind, and no acreage report": (
        _ticketed(what="other"), NO, (_RUN, "which counts nothing"),
    ),
    "seed: a paper of no named kind": (_e(c.SEED, what="other"), NO, (_SEED, "is filed as other")),
    "soil test: a paper of no named kind": (_e(c.SOIL, what="other"), NO, _SOIL),
    "inhibitor: a paper of no named kind": (_e(c.INHIBITOR, what="other"), NO, _INHIBITOR),
    "harvest: tickets and acres that no paper shows": (
        c.both(c.of("bushel_total", evidence=""), c.of("reported_acres", evidence="")), NO, (_RUN, _NO_COUNT),
    ),
    "harvest: measured bins that no paper shows, and no acreage report": (
        c.both(c.of("bushel_total", what="bin_measurement", evidence=""), c.less("reported_acres")), NO,
        (_RUN, "no evidence is named"),
    ),
    "harvest: counted by a yield log, and no acreage report": (
        _ticketed(what="machine_file"), NO, (_RUN, "which counts nothing"),
    ),
    "harvest: tickets of the year before, and no acreage report": (
        _ticketed(taken_on="2024-11-03"), NO, (_RUN, "before the first day of this harvest"),
    ),
    "harvest: a count whose file is gone, and no acreage report": (
        _ticketed(file="gone.pdf"), NO, (_RUN, "gone.pdf of E9 is not there"),
    ),
    "harvest: tickets 1.1 % short": (c.of("bushel_total", bushels="9395"), NO, (_RUN, "more than counted")),
    "harvest: 3.2 % of the acres missing": (c.of("reported_acres", acres="53.7"), NO, (_RUN, "more than the units")),
    "harvest: feed without evidence": (
        c.counted("fed", "500", "9000", evidence=""), NO, (_RUN, "no evidence is named"),
    ),
    "harvest: feed by a file that is gone": (
        c.counted("fed", "500", "9000", evidence="E77"), NO, (_RUN, "E77 is the name of no evidence record"),
    ),
    "calculator: GREET 2024": (
        c.of("calculator_run", calculator="GREET", version="2024"), NO, (_TOOL, "The result is UNLISTED"),
    ),
    "calculator: FD-CIC 2025 beta 0.9 as final": (
        c.of("calculator_run", calculator="FD-CIC", version="2025 beta 0.9"), NO, (_TOOL, "UNLISTED"),
    ),
    "calculator: a listed beta as final": (
        c.of("calculator_run", version="made up 9.9 beta"), NO, (_TOOL, "The result is PRELIMINARY"),
    ),
}  # fmt: skip


_PRACTICE, _LAND = "2100.031(c)(3)(ii)", "2100.031(c)(3)(vii)"
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


_FIRE: Final = "Burn residue"
_WITHOUT: Final = c.both(c.less("cover_crop"), c.less("cover_species"))
_NO_COVER: Final = c.of("calculator_run", cover_crop="no")


def _given_up(day: str, crop: str = "corn") -> c.Change:
    """Say that a stand was given up on a day, with the adjuster's form."""
    return c.more("harvest", harvest_id="H25f", unit_id="N40", crop=crop, ending="terminated", first_day=day,
                  termination_record="adjuster form 12")  # fmt: skip


def _disked(*story: c.Change) -> c.Change:
    """Disk in November before a crop whose cover is not claimed."""
    disk = c.a_pass("2024-11-15", "Disk, tandem heavy primary op.", "6", "6", "30")
    return c.both(disk, _NO_COVER, *story)


_WHEAT: Final = c.more("planting", planting_id="P0", harvest_id="H25f", planted_on="2024-11-16")
_DRILL: Final = c.more("operation", operation_id="O8", unit_id="N40", day="2024-11-16", equipment="drill",
                       operation="Drill or airseeder, double disk")  # fmt: skip

READINGS: Final[Cases] = {
    "66 disked in the fall": (_disked(), NO, NO_TILL),
    "66 disked before a stand that nobody planted": (_disked(_given_up("2024-12-12")), NO, NO_TILL),
    "66 disked before wheat that nobody planted": (_disked(_given_up("2025-04-12", "wheat")), NO, NO_TILL),
    "66 disked before wheat given up after the corn was planted": (
        _disked(_given_up("2025-05-12", "wheat")), NO, NO_TILL,
    ),
    "66 disked before wheat that was planted": (
        _disked(_given_up("2025-04-12", "wheat"), _WHEAT, _DRILL, _WITHOUT), YES, "",
    ),
    "66 disked before wheat that a pass planted": (
        _disked(_given_up("2025-04-12", "wheat"), _DRILL, _WITHOUT), YES, "",
    ),
    "66 the same with a cover drilled before the wheat": (
        _disked(_given_up("2025-04-12", "wheat"), _WHEAT, _DRILL), NO, NO_TILL,
    ),
    "66 given up before it was planted": (c.both(_given_up("2025-04-20"), _NO_COVER), NO, NO_TILL),
    "66 the crop given up before records began": (
        c.of("harvest", ending="terminated", first_day="2024-08-02", last_day="", bushels="", crop="corn",
             termination_record="adjuster form 11"), YES, "",
    ),
    "66 burned before the stand that failed": (
        c.both(c.replanted(), _NO_COVER, c.more("operation", operation_id="O8", unit_id="N40", day="2025-04-15",
               equipment="torch", operation=_FIRE)), TOLD, "fire before a stand that was given up in 1 row",
    ),
}  # fmt: skip
