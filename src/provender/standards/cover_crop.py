"""7 CFR 2100.052: the cover crop practice, paragraph by paragraph.

Readings of what the text leaves open: docs/interpretations 2, 13, 15 to 20, 59 and 63. A cover crop belongs to the
production crop that follows it (15), so that every cover here is one before the season's crop. Windows and numbers are
named as in ``rule/data/parameters.toml``, with their defaults; a State may set its own windows.

The sentences of codes that ``REASONS`` below does not have stand in ``verdicts.words``, with those of every section.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from itertools import chain
from typing import Final

from provender.days import years_after
from provender.rule.crops import Crop, Practice
from provender.standards import evidence, standard
from provender.standards.season import BUSHELS, UNIT_LIES, Season
from provender.standards.standard import OTHER, WHOLE, Against, Finding, Missing, Part, Shown, blanks, none_of, recorded
from provender.standards.supply import enough_cover_seed
from provender.standards.tillage import residue_not_burned
from provender.standards.unit import Pass

REASONS: Final[Mapping[str, str]] = {
    "planted_green_differs": "Planted green, and the days of termination and planting, contradict each other.",
    "does_not_fit_site": "The cover crop does not fit soil and site.",
    "on_part_of_unit": "The cover crop stood on part of the field only.",
    "species_not_listed": "The cover crop list does not have this species, so it may be a legume.",
    "no_legume": "No species of the mix is a legume, so nothing is asked here.",
    "no_species_recorded": "No species is recorded, so there may be a legume.",
    "budget_after_harvest": "The budget was not made before the harvest, so it shows nothing.",
    "zero_is_an_answer": "The budget does not say what it takes off for the legume; zero is an answer.",
    "shows_adjustment": "Planned nitrogen and the crop's need show the adjustment.",
    "legume_not_taken_off": "The budget does not take off the nitrogen of the legume.",
    "seeded_out_of_fall": "The cover crop was not seeded in the fall.",
    "seeded_for_other_year": "The cover crop was not seeded in the year before this crop was planted.",
    "other_crop_between": "Another crop was harvested between the cover crop and this one.",
    "may_be_of_crop_before": "A cover that ended before the crop before was harvested may belong to that crop.",
    "ended_by_tillage": "The cover crop was ended by tillage.",
    "ended_by_grazing": "The cover crop was ended by grazing.",
    "ended_by_mechanical_harvest": "The cover crop was ended by harvest.",
    "ended_by_burning": "The cover crop was ended by burning.",
    "tilled_while_standing": "A pass tilled the cover crop under before it was ended.",
    "width_not_decided": "The operations list does not say whether this pass works the full width.",
    "ended_out_of_spring": "The cover crop was not ended in the spring.",
    "days_contradict": "The day does not lie between seeding and harvest, or not in winter or spring.",
    "used_by_pass": "A pass grazed the cover crop or mowed it for hay.",
    "use_may_be_of_cover": "A pass grazed or mowed hay, and the days do not say whether the cover crop stood.",
    "residue_buried": "A pass buried the residue of the cover crop before planting.",
    "cover_fertilized": "The cover crop was fertilized.",
    "meant_for_which_crop": "Nothing says for which crop this went on while the cover stood.",
}
"""What is said for each reason, of ``Against`` and ``Missing``."""


def where_covered(season: Season, found: Iterator[Finding]) -> Iterator[Finding]:
    """Ask where a cover crop is on record; where none is, that alone is missing (interpretation 4)."""
    yield from found if season.covers else [Missing("cover_crop")]


requires: Final = partial(standard.requires, practices=(Practice.cover_crop,), given=where_covered)
records: Final = partial(requires, part=Part.RECORDS)


# (a)(1) Species, seedbed preparation, rates, date, depth and method of seeding are consistent with soil and site.


@requires("2100.052(a)(1)", "Species, seedbed, rate, date, depth and method of seeding fit soil and site.")
def cover_crop_suits_site(season: Season) -> Iterator[Finding]:
    """The producer states it and names by whose guidance; a yes without a source shows nothing."""
    for cover in season.covers:
        if cover.suits_site is False:
            yield Against("cover_crop", cover.id, "does_not_fit_site")
        elif cover.suits_site is None:
            yield Missing("cover_crop", "suits_site", cover.id)
        elif cover.suits_site_source is None:
            yield Missing("cover_crop", "suits_site_source", cover.id)
        else:
            yield Shown("cover_crop", cover.id)


@requires(
    "2100.052(a)(1)",
    "The cover crop stands on the whole unit.",
    remedy="Split the unit where the cover ends, with the bushels of each part.",
)
def cover_crop_on_whole_unit(season: Season) -> Iterator[Finding]:
    """A unit is managed alike: a cover on part of it is none (interpretation 13). All seedings are added up.

    They may lack ``boundary_difference_pct_max`` (3 %) of the unit's acres. One seeding of more acres than the unit has
    is of another unit, or mistyped.
    """
    acres, covers = season.acres, season.covers
    yield from season.beyond_unit(covers, "seeded_acres")
    seeded = sum(cover.seeded_acres or 0 for cover in covers)
    unknown = [one for cover in covers for one in blanks(cover, "seeded_acres")]
    if acres is None:
        yield from (*blanks(season.unit, "acres"), *unknown)
    elif seeded * WHOLE >= acres * (WHOLE - season.law.boundary_difference_pct_max):
        yield from (Shown("cover_crop", cover.id, seeded, acres, "acres") for cover in covers)
    elif unknown:
        yield from unknown
    else:
        yield from (Against("cover_crop", cover.id, "on_part_of_unit", seeded, acres, "acres") for cover in covers)


# (a)(2) With a legume, alone or in a mix, a nutrient budget shows its nitrogen and takes it off the plan.


def with_legume(season: Season, found: Iterator[Finding]) -> Iterator[Finding]:
    """Ask where a species of the mix is a legume, or may be.

    Without a legume there is nothing to show. A species that nobody knows may be one: then what a legume would ask for
    is missing where it is not there, and fails nothing.
    """
    mixed = [pair for cover in season.covers for pair in zip(cover.mix, cover.species, strict=True)]
    unknown = [
        *(Missing("cover_species", "", "", "no_species_recorded") for cover in season.covers if not cover.mix),
        *(Missing("cover_species", "species", row.id, "species_not_listed") for row, one in mixed if one is None),
    ]
    if not season.covers or any(one is not None and one.legume for _, one in mixed):
        yield from where_covered(season, found)
    elif not unknown:
        yield from (Shown("cover_species", row.id, reason="no_legume") for row, _ in mixed)
    else:
        asked = list(found)
        is_met = standard.verdict(asked) is standard.Verdict.MET
        yield from asked if is_met else (*unknown, *(one for one in asked if isinstance(one, Missing)))


def _no_plan(season: Season) -> list[Missing]:
    """Return why no plan was there: a budget for a crop is written while it grows at the latest."""
    budget, first = season.budget, season.harvest.first_day
    if budget is None:
        return [Missing("nutrient_budget")]
    is_late = budget.made_on is None or first is None or budget.made_on >= first
    return [Missing("nutrient_budget", "made_on", budget.id, "budget_after_harvest")] if is_late else []


@requires(
    "2100.052(a)(2)(i)",
    "With a legume, a nutrient budget shows the nitrogen the cover crop makes available.",
    given=with_legume,
)
def cover_crop_legume_budget(season: Season) -> Iterator[Finding]:
    """The budget was made before the first day of harvest and says how much; zero is an answer."""
    budget = season.budget
    yield from _no_plan(season)
    if budget is not None and budget.legume_n_lb_per_ac is None:
        yield Missing("nutrient_budget", "legume_n_lb_per_ac", budget.id)
    elif budget is not None:
        yield Shown("nutrient_budget", budget.id, budget.legume_n_lb_per_ac, unit="lb N/ac")


@requires(
    "2100.052(a)(2)(ii)",
    "With a legume, planned nitrogen for the crop that follows is adjusted for it.",
    remedy="Take the legume's nitrogen off the plan, in the budget.",
    given=with_legume,
)
def cover_crop_legume_n_adjusted(season: Season) -> Iterator[Finding]:
    """What is planned is at most the need without what is taken off, or nothing is planned.

    Nothing taken off is an adjustment before soybeans (interpretation 19); elsewhere only if the legume gives nothing.
    """
    yield from (no_plan := _no_plan(season))
    if (budget := season.budget) is None:
        return
    taken, planned, need = budget.n_adjustment_lb_per_ac, budget.planned_n_lb_per_ac, budget.synthetic_n_need_lb_per_ac
    gives = budget.legume_n_lb_per_ac
    if taken is None:
        yield Missing("nutrient_budget", "n_adjustment_lb_per_ac", budget.id, "zero_is_an_answer")
    elif no_plan:
        return
    elif taken == 0 and gives != 0 and season.crop is not Crop.soybeans:
        yield from blanks(budget, "legume_n_lb_per_ac")
        if gives is not None:
            yield Against("nutrient_budget", budget.id, "legume_not_taken_off", 0, gives, "lb N/ac")
    elif 0 in (taken, planned):
        yield Shown("nutrient_budget", budget.id, 0, unit="lb N/ac")
    elif planned is None or need is None:
        yield from blanks(budget, "planned_n_lb_per_ac", "synthetic_n_need_lb_per_ac", reason="shows_adjustment")
    elif planned > (most := max(need - taken, 0)):
        yield Against("nutrient_budget", budget.id, "legume_not_taken_off", planned, most, "lb N/ac")
    else:
        yield Shown("nutrient_budget", budget.id, planned, most, "lb N/ac")


# (a)(3) Seeded in the fall, into an established crop too. That species and dates "should not" hurt yield is advice.


@requires("2100.052(a)(3)", "The cover crop is seeded in the fall, before the production crop.")
def cover_crop_seeded_in_fall(season: Season) -> Iterator[Finding]:
    """Fall is ``cover_seeding_window``, 1 August to 31 December unless the State sets another (interpretation 16).

    It is the one of the year before this crop's first planting.
    """
    fall, planted = season.window("cover_seeding_window"), season.first_planting
    if planted is None:
        yield Missing("planting", "planted_on")
    for cover in season.covers:
        day = cover.seeded_on
        yield from blanks(cover, "seeded_on")
        if day is not None and not fall.contains(day):
            yield Against("cover_crop", cover.id, "seeded_out_of_fall", day, str(fall))
        elif day is not None and planted is not None and not years_after(planted, -1) < day < planted:
            yield Against("cover_crop", cover.id, "seeded_for_other_year", day, planted)
        elif day is not None:
            yield Shown("cover_crop", cover.id, day)


@requires(
    "2100.052(b)(7)",
    "No other crop is harvested between the cover crop and this one.",
    remedy="The cover crop belongs to the crop that was harvested after it; name that crop entry in its row.",
)
def cover_crop_before_this_crop(season: Season) -> Iterator[Finding]:
    """The crop is seeded immediately after the cover (interpretations 15, 63).

    A cover that stood over winter with the crop before, or ended before that crop was harvested, belongs to it if that
    crop was planted later; where nobody knows which came first, it may be the cover itself, such as rye cut in spring.
    """
    other = season.season_before
    if other is None or other.ending != "harvested" or other.first_day is None:
        yield Shown("harvest", season.harvest.harvest_id)
        return
    for cover in season.covers:
        seeded, ended = cover.seeded_on, cover.terminated_on
        is_wintered_with_it = seeded is not None and other.first_day.year > seeded.year
        is_ended_before_it = ended is not None and ended < other.first_day
        if seeded is None and ended is None:
            yield Missing("cover_crop", "seeded_on", cover.id)
        elif not (is_wintered_with_it or is_ended_before_it):
            yield Shown("cover_crop", cover.id, ended, other.first_day)
        elif other.planted_on is None or seeded is None:
            yield Missing("planting", "planted_on", reason="may_be_of_crop_before")
        elif other.planted_on > seeded:
            yield Against("cover_crop", cover.id, "other_crop_between", seeded, other.planted_on)
        else:
            yield Shown("cover_crop", cover.id, seeded, other.planted_on)


# (a)(4) Seeding as early and ending as late as practical is advice: it cannot fail.

# (a)(5) Ended by winter kill, or in the spring by herbicide or without disturbing the soil.

ALLOWED_ENDS: Final = ("winter_kill", "herbicide", "roller_crimper", "mowing")


@requires(
    "2100.052(a)(5)",
    "It is ended by winter kill, herbicide, roller crimper or mowing.",
    remedy="A cover that was tilled under earns no credit, whatever its row says; check the days of the passes.",
)
def cover_crop_termination_method(season: Season) -> Iterator[Finding]:
    """Full-width tillage of a living cover ended it, whatever day and method are recorded (interpretation 63).

    Within ``cover_incorporation_days`` (7) a pass works in seed that was broadcast to be incorporated: it ends nothing.
    """
    for cover in season.covers:
        method = cover.termination_method
        if method in (None, OTHER):
            yield from blanks(cover, "termination_method")
        elif method in ALLOWED_ENDS:
            yield Shown("cover_crop", cover.id, method)
        else:
            yield Against("cover_crop", cover.id, f"ended_by_{method}", method)
    days_after = {"broadcast_incorporated": season.law.cover_incorporation_days}
    sown = [(cover.seeded_on, days_after.get(cover.method or "", 0)) for cover in season.covers]
    standing_from = min((day + timedelta(days=days + 1) for day, days in sown if day is not None), default=None)
    if season.last_planting is None:
        yield Missing("planting", "planted_on")
    if standing_from is not None and season.covers_ended:
        last = min(season.covers_ended) - timedelta(days=1)
        for one in _passes_until_planting(season, standing_from, last):
            if one.full_width is None:
                yield Missing("operation", "full_width", one.id, "width_not_decided")
            elif one.full_width:
                yield Against("operation", one.id, "tilled_while_standing", one.day)
    yield from season.all_passes.show_complete()


def _passes_until_planting(season: Season, first: date, last: date = date.max) -> tuple[Pass, ...]:
    """Return the passes between two days that are no later than the last planting; none where that is unknown."""
    planted = season.last_planting
    until = date.min if planted is None else min(last, planted)
    return tuple(one for one in season.season_passes if one.day is not None and first <= one.day <= until)


@requires("2100.052(a)(5)", "It is ended in the spring, unless winter killed it.")
def cover_crop_terminated_in_spring(season: Season) -> Iterator[Finding]:
    """Spring is ``cover_termination_window``, 1 February to 30 June; (a)(6) permits an end after planting.

    A cover that winter killed was seen dead in ``winter_kill_window``, 1 October to 30 June, no later than the first
    planting; the day need not be known here: residue, (a)(7), and the records, (b)(6), ask for it. A day that is not
    after seeding and within this crop's season says that a date is wrong: it shows nothing (interpretation 16).
    """
    spring, winter = season.window("cover_termination_window"), season.window("winter_kill_window")
    planted = season.first_planting
    for cover in season.covers:
        day, green = cover.terminated_on, cover.planted_green
        is_killed = cover.termination_method == "winter_kill"
        # On the day of planting both answers on planting green can be true.
        is_against = planted is not None and day is not None and (day < planted if green else day > planted)
        if green is not None and (is_against or (green and is_killed)):
            yield Missing("cover_crop", "planted_green", cover.id, "planted_green_differs")
        if day is None and is_killed:
            yield Shown("cover_crop", cover.id, "winter_kill")
        elif day is None:
            yield Missing("cover_crop", "terminated_on", cover.id)
        elif not spring.contains(day) and not is_killed:
            yield Against("cover_crop", cover.id, "ended_out_of_spring", day, str(spring))
        elif cover.seeded_on is None or not cover.seeded_on < day <= season.closes_on:
            yield Missing("cover_crop", "terminated_on", cover.id, "days_contradict")
        elif spring.contains(day) or (winter.contains(day) and (planted is None or day <= planted)):
            yield Shown("cover_crop", cover.id, day)
        else:
            yield Missing("cover_crop", "terminated_on", cover.id, "days_contradict")


# (a)(6) Planting green is permitted.

# (a)(7) Neither harvested nor grazed; residue stays on the surface and is not burned.

USES_OF_COVER: Final = ("grazing", "hay")
"""Groups of the operations list."""


@requires("2100.052(a)(7)", "It is neither grazed nor mechanically harvested.")
def cover_crop_not_harvested_or_grazed(season: Season) -> Iterator[Finding]:
    """The producer answers both, and all passes are listed: a missing row shows nothing (interpretation 2).

    From the day after the first seeding to the last planting no pass grazes or makes hay.
    """
    for cover in season.covers:
        if cover.termination_method in ("grazing", "mechanical_harvest"):
            yield Against("cover_crop", cover.id, f"ended_by_{cover.termination_method}")
    seeded, planted = season.cover_first, season.last_planting
    since = seeded + timedelta(days=1) if seeded else None
    for one in chain(season.season_passes, season.undated_passes):
        if one.group not in USES_OF_COVER or _is_outside(one.day, since, planted):
            continue
        if one.day and since and planted:
            yield Against("operation", one.id, "used_by_pass", one.day)
        elif one.day is None:
            yield Missing("operation", "day", one.id, "use_may_be_of_cover")
        elif since is None:
            yield Missing("cover_crop", "seeded_on", reason="use_may_be_of_cover")
        else:
            yield Missing("planting", "planted_on", reason="use_may_be_of_cover")
    yield from season.answered_no("cover_grazed")
    yield from season.answered_no("cover_harvested")
    yield from season.all_passes.show_complete()


def _is_outside(day: date | None, first: date | None, last: date | None) -> bool:
    """Tell whether a day surely lies before the first or after the last of some days."""
    return day is not None and ((first is not None and day < first) or (last is not None and day > last))


@requires("2100.052(a)(7)", "Residue stays on the surface from termination to planting.")
def cover_crop_residue_stays(season: Season) -> Iterator[Finding]:
    """No full-width pass from the first termination to the last planting, both days included; all passes are listed.

    After winter kill too (interpretations 18, 63). What works the residue after planting is told to the verifier.
    """
    yield from (Missing("cover_crop", "terminated_on", one.id) for one in season.covers if one.terminated_on is None)
    if season.last_planting is None:
        yield Missing("planting", "planted_on")
    ended = min(season.covers_ended, default=date.max)
    over_residue = replace(season.all_passes, rows=_passes_until_planting(season, ended))
    yield from none_of(over_residue, "full_width", "residue_buried")


@requires("2100.052(a)(7)", "Its residue is not burned.")
def cover_crop_residue_not_burned(season: Season) -> Iterator[Finding]:
    """The producer answers; no pass of the interval burns and no cover was ended by fire (interpretation 2)."""
    for cover in season.covers:
        if cover.termination_method == "burning":
            yield Against("cover_crop", cover.id, "ended_by_burning", cover.terminated_on)
    yield from residue_not_burned(season)


# (a)(8) Not fertilized.


@requires("2100.052(a)(8)", "The cover crop is not fertilized.")
def cover_crop_not_fertilized(season: Season) -> Iterator[Finding]:
    """Starter or sidedress for the cash crop is not fertilizer on the cover (interpretation 17).

    The producer answers, and whatever went on from the first seeding to the last termination, before the last harvest
    too, says for which crop.
    """
    first, last = season.cover_first, max(season.covers_ended, default=None)
    for one in chain(season.applications, season.on_standing_cover):
        if one.intended_for == "cover_crop":
            yield Against("nutrient_application", one.id, "cover_fertilized", one.day)
    may_lie_on_cover = (one for one in season.applications if not _is_outside(one.day, first, last))
    for one in chain(may_lie_on_cover, season.on_standing_cover):
        if one.intended_for == OTHER or (one.intended_for is None and not one.names_crop):
            yield Missing("nutrient_application", "intended_for", one.id, "meant_for_which_crop")
    yield from season.applications_misplaced()
    for lost in season.lost_applications:
        yield Missing("nutrient_application", "day", lost.id, "belongs_to_no_crop")
    yield from season.answered_no("cover_fertilized")


# (b) Records. They show a thing or do not yet: nothing here can be not met.


@records("2100.052(b)(1)", "Cover-crop seed bought or kept is enough for the area seeded across the operation.")
def records_cover_seed(season: Season) -> Iterator[Finding]:
    """Species by species across the farm, on every day up to this harvest; own seed counts with a paper (19, 59)."""
    yield from enough_cover_seed(season)


records("2100.052(b)(2)", UNIT_LIES, name="records_cover_unit", given=None)(Season.where_unit_lies)


@records("2100.052(b)(3)", "Seeding date, method and rate are recorded.")
def records_cover_seeding(season: Season) -> Iterator[Finding]:
    """Every seeding with the rate of every species of its mix; seeding nothing is no rate."""
    yield from recorded(season.covers, "seeded_on", "method")
    for cover in season.covers:
        if not cover.mix:
            yield Missing("cover_species", "rate_lb_per_ac", reason="no_species_recorded")
        for one in cover.mix:
            if one.rate_lb_per_ac:
                yield Shown("cover_species", one.id, one.rate_lb_per_ac, unit="lb/ac")
            else:
                yield Missing("cover_species", "rate_lb_per_ac", one.id)


@records("2100.052(b)(4)", "The acres seeded are recorded, so that they add up across the operation.")
def records_cover_acres(season: Season) -> Iterator[Finding]:
    """Every seeding has its acres; a report adds them up."""
    yield from recorded(season.covers, "seeded_acres")


@records("2100.052(b)(5)", "A photograph shows the cover crop established.")
def records_cover_photograph(season: Season) -> Iterator[Finding]:
    """The file is needed, of this unit alone, unchanged, taken between seeding and termination (interpretation 59).

    Without a day it shows nothing (83); without a place it is weaker (20).
    """
    for cover in season.covers:
        lacks: list[Finding] = [*evidence.why_not_shown(season.rows, cover, evidence.PHOTO)]
        yield from lacks or [Shown("cover_crop", cover.id)]


@records("2100.052(b)(6)", "Termination date and method are recorded.")
def records_cover_termination(season: Season) -> Iterator[Finding]:
    """For winter kill, the day on which it was seen dead."""
    yield from recorded(season.covers, "terminated_on", "termination_method")


# The bushels are those of the production crop that follows the cover (interpretation 15).
records("2100.052(b)(7)", BUSHELS, name="records_cover_bushels", given=None)(Season.bushels_known)


# (c) is for the verifier: establishment is seen on site, by video, remote sensing, or a stamped photograph.
