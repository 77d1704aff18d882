"""7 CFR 2100.052: the cover crop practice, paragraph by paragraph.

Readings of what the text leaves open: docs/interpretations 2, 13, 15 to 20, 59 and 63. A cover crop belongs to the
production crop that follows it (15), so that every cover here is one before the season's crop. Windows and numbers are
named as in ``rule/data/parameters.toml``, with their defaults; a State may set its own windows.

The sentences of codes that ``REASONS`` below does not have stand in the ``REASONS`` of ``season`` (lists of passes and
applications, declaration), ``supply`` (seed), ``evidence`` (files) and ``tillage`` (``burned``).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import partial, wraps
from itertools import chain
from typing import Final

from provender.days import years_after
from provender.rule.law import Crop, Practice, RuleVersion
from provender.standards import evidence, standard
from provender.standards.season import Cover, Pass, Season
from provender.standards.standard import (
    OTHER,
    WHOLE,
    Against,
    Finding,
    Look,
    Missing,
    Part,
    Shown,
    Verdict,
    blanks,
    earliest,
    none_of,
    verdict,
)
from provender.standards.supply import enough_cover_seed
from provender.standards.tillage import residue_not_burned

requires: Final = partial(standard.requires, practices=(Practice.cover_crop,))
records: Final = partial(requires, part=Part.RECORDS)

REASONS: Final[Mapping[str, str]] = {
    "other_is_no_answer": "Other is no answer: name what it was.",
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
    "ended_by_harvest": "The cover crop was ended by harvest.",
    "ended_by_burning": "The cover crop was ended by burning.",
    "tilled_while_standing": "A pass tilled the cover crop under before it was ended.",
    "width_not_decided": "The operations list does not say whether this pass works the full width.",
    "ended_out_of_spring": "The cover crop was not ended in the spring.",
    "days_contradict": "The day does not lie between seeding and harvest, or not in winter or spring.",
    "used_by_pass": "A pass grazed the cover crop or mowed it for hay.",
    "use_may_be_of_cover": "A pass grazed or mowed hay, and the days do not say whether the cover crop stood.",
    "residue_buried": "A pass buried the residue of the cover crop before planting.",
    "residue_burned": "Residue of the cover crop was burned.",
    "cover_fertilized": "The cover crop was fertilized.",
    "meant_for_which_crop": "Nothing says for which crop this went on while the cover stood.",
    "fits_no_crop": "The application has no day and names no crop of this field.",
}
"""What is said for each reason, of ``Against`` and ``Missing``."""


def where_covered(look: Look) -> Look:
    """Ask where a cover crop is on record; where none is, that alone is missing (interpretation 4)."""

    @wraps(look)
    def ask(season: Season, law: RuleVersion) -> Iterator[Finding]:
        if season.covers:
            yield from look(season, law)
        else:
            yield Missing("cover_crop")

    return ask


def of_each_cover(look: Callable[[Season, RuleVersion, Cover], Iterator[Finding]]) -> Look:
    """Ask the same of every cover crop: each must hold by itself."""

    @wraps(look)
    def ask(season: Season, law: RuleVersion) -> Iterator[Finding]:
        for cover in season.covers:
            yield from look(season, law, cover)

    return where_covered(ask)


# (a)(1) Species, seedbed preparation, rates, date, depth and method of seeding are consistent with soil and site.


@requires("2100.052(a)(1)", "Species, seedbed, rate, date, depth and method of seeding fit soil and site.")
@of_each_cover
def cover_crop_suits_site(_season: Season, _law: RuleVersion, cover: Cover) -> Iterator[Finding]:
    """The producer states it and names by whose guidance; a yes without a source shows nothing."""
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
@where_covered
def cover_crop_on_whole_unit(season: Season, law: RuleVersion) -> Iterator[Finding]:
    """A unit is managed alike: a cover on part of it is none (interpretation 13). All seedings are added up.

    They may lack ``boundary_difference_pct_max`` (3 %) of the unit's acres. One seeding of more acres than the unit has
    is of another unit, or mistyped.
    """
    acres, covers = season.acres, season.covers
    for cover in covers:
        if season.is_beyond_unit(cover.seeded_acres):
            yield Missing("cover_crop", "seeded_acres", cover.id, "more_acres_than_unit")
    seeded = sum(cover.seeded_acres or 0 for cover in covers)
    unknown = [one for cover in covers for one in blanks(cover, "seeded_acres")]
    if acres is None:
        yield from (*blanks(season.unit, "acres"), *unknown)
    elif seeded * WHOLE >= acres * (WHOLE - law.boundary_difference_pct_max):
        yield from (Shown("cover_crop", cover.id, seeded, acres, "acres") for cover in covers)
    elif unknown:
        yield from unknown
    else:
        yield from (Against("cover_crop", cover.id, "on_part_of_unit", seeded, acres, "acres") for cover in covers)


# (a)(2) With a legume, alone or in a mix, a nutrient budget shows its nitrogen and takes it off the plan.


def with_legume(look: Look) -> Look:
    """Ask where a species of the mix is a legume, or may be.

    Without a legume there is nothing to show. A species that nobody knows may be one: then what a legume would ask for
    is missing where it is not there, and fails nothing.
    """

    @wraps(look)
    def ask(season: Season, law: RuleVersion) -> Iterator[Finding]:
        mixed = [pair for cover in season.covers for pair in zip(cover.mix, cover.species, strict=True)]
        unknown = [
            *(Missing("cover_species", "", "", "no_species_recorded") for cover in season.covers if not cover.mix),
            *(Missing("cover_species", "species", row.id, "species_not_listed") for row, one in mixed if one is None),
        ]
        if any(one is not None and one.legume for _, one in mixed):
            yield from look(season, law)
        elif not unknown:
            yield from (Shown("cover_species", row.id, reason="no_legume") for row, _ in mixed)
        else:
            found = list(look(season, law))
            is_met = verdict(found) is Verdict.MET
            yield from found if is_met else (*unknown, *(one for one in found if isinstance(one, Missing)))

    return where_covered(ask)


def _budget_missing(season: Season) -> Iterator[Missing]:
    """Yield why no plan was there: a budget for a crop is written while it grows at the latest."""
    if season.budget is None:
        yield Missing("nutrient_budget")
    elif not season.plan_in_time:
        yield Missing("nutrient_budget", "made_on", season.budget.id, "budget_after_harvest")


@requires("2100.052(a)(2)(i)", "With a legume, a nutrient budget shows the nitrogen the cover crop makes available.")
@with_legume
def cover_crop_legume_budget(season: Season, _law: RuleVersion) -> Iterator[Finding]:
    """The budget was made before the first day of harvest and says how much; zero is an answer."""
    yield from _budget_missing(season)
    budget = season.budget
    if budget is not None and budget.legume_n_lb_per_ac is None:
        yield Missing("nutrient_budget", "legume_n_lb_per_ac", budget.id)
    elif budget is not None:
        yield Shown("nutrient_budget", budget.id, budget.legume_n_lb_per_ac, unit="lb N/ac")


@requires(
    "2100.052(a)(2)(ii)",
    "With a legume, planned nitrogen for the crop that follows is adjusted for it.",
    remedy="Take the legume's nitrogen off the plan, in the budget.",
)
@with_legume
def cover_crop_legume_n_adjusted(season: Season, _law: RuleVersion) -> Iterator[Finding]:
    """What is planned is at most the need without what is taken off, or nothing is planned.

    Nothing taken off is an adjustment before soybeans (interpretation 19); elsewhere only if the legume gives nothing.
    """
    yield from _budget_missing(season)
    if (budget := season.budget) is None:
        return
    taken, planned, need = budget.n_adjustment_lb_per_ac, budget.planned_n_lb_per_ac, budget.synthetic_n_need_lb_per_ac
    gives = budget.legume_n_lb_per_ac
    if taken is None:
        yield Missing("nutrient_budget", "n_adjustment_lb_per_ac", budget.id, "zero_is_an_answer")
    elif not season.plan_in_time:
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
@of_each_cover
def cover_crop_seeded_in_fall(season: Season, law: RuleVersion, cover: Cover) -> Iterator[Finding]:
    """Fall is ``cover_seeding_window``, 1 August to 31 December unless the State sets another (interpretation 16).

    It is the one of the year before this crop's first planting.
    """
    day, planted = cover.seeded_on, season.first_planting
    fall = law.window("cover_seeding_window", season.state or "")
    yield from blanks(cover, "seeded_on")
    if planted is None:
        yield Missing("planting", "planted_on")
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
@of_each_cover
def cover_crop_before_this_crop(season: Season, _law: RuleVersion, cover: Cover) -> Iterator[Finding]:
    """The crop is seeded immediately after the cover (interpretations 15, 63).

    A cover that stood over winter with the crop before, or ended before that crop was harvested, belongs to it if that
    crop was planted later; where nobody knows which came first, it may be the cover itself, such as rye cut in spring.
    """
    other, seeded = season.season_before, cover.seeded_on
    if other is None or other.ending != "harvested" or other.first_day is None:
        yield Shown("harvest", season.harvest.harvest_id)
        return
    wintered_with_it = seeded is not None and other.first_day.year > seeded.year
    ended_before_it = cover.terminated_on is not None and cover.terminated_on < other.first_day
    if seeded is None and cover.terminated_on is None:
        yield Missing("cover_crop", "seeded_on", cover.id)
    elif not (wintered_with_it or ended_before_it):
        yield Shown("cover_crop", cover.id, cover.terminated_on, other.first_day)
    elif other.planted_on is None or seeded is None:
        yield Missing("planting", "planted_on", reason="may_be_of_crop_before")
    elif other.planted_on > seeded:
        yield Against("cover_crop", cover.id, "other_crop_between", seeded, other.planted_on)
    else:
        yield Shown("cover_crop", cover.id, seeded, other.planted_on)


# (a)(4) Seeding as early and ending as late as practical is advice: it cannot fail.

# (a)(5) Ended by winter kill, or in the spring by herbicide or without disturbing the soil.

ALLOWED_ENDS: Final = ("winter_kill", "herbicide", "roller_crimper", "mowing")
OTHER_ENDS: Final[Mapping[str, str]] = {
    "tillage": "ended_by_tillage",
    "grazing": "ended_by_grazing",
    "mechanical_harvest": "ended_by_harvest",
    "burning": "ended_by_burning",
}
"""Reasons by the method of termination that is recorded."""


@requires(
    "2100.052(a)(5)",
    "It is ended by winter kill, herbicide, roller crimper or mowing.",
    remedy="A cover that was tilled under earns no credit, whatever its row says; check the days of the passes.",
)
@where_covered
def cover_crop_termination_method(season: Season, law: RuleVersion) -> Iterator[Finding]:
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
            yield Against("cover_crop", cover.id, OTHER_ENDS[method], method)
    days_after = {"broadcast_incorporated": law.cover_incorporation_days}
    sown = [(cover.seeded_on, days_after.get(cover.method or "", 0)) for cover in season.covers]
    standing_from = earliest(day + timedelta(days=days + 1) for day, days in sown if day is not None)
    if standing_from is not None and season.covers_ended:
        last = min(season.covers_ended) - timedelta(days=1)
        for one in _passes_until_planting(season, standing_from, last):
            if one.full_width is None:
                yield Missing("operation", "full_width", one.id, "width_not_decided")
            elif one.full_width:
                yield Against("operation", one.id, "tilled_while_standing", one.day)
    yield from season.all_passes.whole()


def _passes_until_planting(season: Season, first: date, last: date = date.max) -> tuple[Pass, ...]:
    """Return the passes between two days that are no later than the last planting; none where that is unknown."""
    planted = season.last_planting
    until = date.min if planted is None else min(last, planted)
    return tuple(one for one in season.season_passes if one.day is not None and first <= one.day <= until)


@requires("2100.052(a)(5)", "It is ended in the spring, unless winter killed it.")
@of_each_cover
def cover_crop_terminated_in_spring(season: Season, law: RuleVersion, cover: Cover) -> Iterator[Finding]:
    """Spring is ``cover_termination_window``, 1 February to 30 June; (a)(6) permits an end after planting.

    A cover that winter killed was seen dead in ``winter_kill_window``, 1 October to 30 June, no later than the first
    planting; the day need not be known here: residue, (a)(7), and the records, (b)(6), ask for it. A day that is not
    after seeding and within this crop's season says that a date is wrong: it shows nothing (interpretation 16).
    """
    day, planted, green = cover.terminated_on, season.first_planting, cover.planted_green
    is_killed = cover.termination_method == "winter_kill"
    # On the day of planting both answers on planting green can be true.
    is_against = planted is not None and day is not None and (day < planted if green else day > planted)
    if green is not None and (is_against or (green and is_killed)):
        yield Missing("cover_crop", "planted_green", cover.id, "planted_green_differs")
    spring = law.window("cover_termination_window", season.state or "")
    winter = law.window("winter_kill_window", season.state or "")
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
@where_covered
def cover_crop_not_harvested_or_grazed(season: Season, _law: RuleVersion) -> Iterator[Finding]:
    """The producer answers both, and all passes are listed: a missing row shows nothing (interpretation 2).

    From the day after the first seeding to the last planting no pass grazes or makes hay.
    """
    for cover in season.covers:
        if cover.termination_method in ("grazing", "mechanical_harvest"):
            yield Against("cover_crop", cover.id, OTHER_ENDS[cover.termination_method])
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
    yield from season.all_passes.whole()


def _is_outside(day: date | None, first: date | None, last: date | None) -> bool:
    """Tell whether a day surely lies before the first or after the last of some days."""
    return day is not None and ((first is not None and day < first) or (last is not None and day > last))


@requires("2100.052(a)(7)", "Residue stays on the surface from termination to planting.")
@where_covered
def cover_crop_residue_stays(season: Season, _law: RuleVersion) -> Iterator[Finding]:
    """No full-width pass from the first termination to the last planting, both days included; all passes are listed.

    After winter kill too (interpretations 18, 63). What works the residue after planting is told to the verifier.
    """
    yield from (Missing("cover_crop", "terminated_on", one.id) for one in season.covers if one.terminated_on is None)
    if season.last_planting is None:
        yield Missing("planting", "planted_on")
    ended = min(season.covers_ended, default=date.max)
    over_residue = replace(season.all_passes, rows=_passes_until_planting(season, ended))
    yield from none_of(
        over_residue,
        breaks=lambda one: "residue_buried" if one.full_width else "",
        unclear=lambda one: "full_width" if one.full_width is None else "",
    )


@requires("2100.052(a)(7)", "Its residue is not burned.")
@where_covered
def cover_crop_residue_not_burned(season: Season, _law: RuleVersion) -> Iterator[Finding]:
    """The producer answers; no pass of the interval burns and no cover was ended by fire (interpretation 2)."""
    for cover in season.covers:
        if cover.termination_method == "burning":
            yield Against("cover_crop", cover.id, "residue_burned", cover.terminated_on)
    yield from residue_not_burned(season)


# (a)(8) Not fertilized.


@requires("2100.052(a)(8)", "The cover crop is not fertilized.")
@where_covered
def cover_crop_not_fertilized(season: Season, _law: RuleVersion) -> Iterator[Finding]:
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
        if one.intended_for == OTHER or (one.intended_for is None and not season.names_crop(one)):
            yield Missing("nutrient_application", "intended_for", one.id, "meant_for_which_crop")
    yield from season.applications_misplaced()
    for lost in season.lost_applications:
        yield Missing("nutrient_application", "day", lost.id, "fits_no_crop")
    yield from season.answered_no("cover_fertilized")


# (b) Records. They show a thing or do not yet: nothing here can be not met.


@records("2100.052(b)(1)", "Cover-crop seed bought or kept is enough for the area seeded across the operation.")
@where_covered
def records_cover_seed(season: Season, _law: RuleVersion) -> Iterator[Finding]:
    """Species by species across the farm, on every day up to this harvest; own seed counts with a paper (19, 59)."""
    yield from enough_cover_seed(season)


@records("2100.052(b)(2)", "The records show the unit, where it lies and its acres.")
def records_cover_unit(season: Season, _law: RuleVersion) -> Iterator[Finding]:
    """Acres, county and a boundary, FSA field or legal description."""
    yield from season.where_unit_lies()


@records("2100.052(b)(3)", "Seeding date, method and rate are recorded.")
@of_each_cover
def records_cover_seeding(_season: Season, _law: RuleVersion, cover: Cover) -> Iterator[Finding]:
    """Every seeding with the rate of every species of its mix; seeding nothing is no rate."""
    yield from _recorded(cover, "seeded_on", "method")
    if not cover.mix:
        yield Missing("cover_species", "rate_lb_per_ac", reason="no_species_recorded")
    for one in cover.mix:
        if one.rate_lb_per_ac:
            yield Shown("cover_species", one.id, one.rate_lb_per_ac, unit="lb/ac")
        else:
            yield Missing("cover_species", "rate_lb_per_ac", one.id)


def _recorded(cover: Cover, *columns: str) -> Iterator[Finding]:
    for column in columns:
        lacks: list[Finding] = [*blanks(cover, column)]
        yield from lacks or [Shown("cover_crop", cover.id, getattr(cover, column))]


@records("2100.052(b)(4)", "The acres seeded are recorded, so that they add up across the operation.")
@of_each_cover
def records_cover_acres(_season: Season, _law: RuleVersion, cover: Cover) -> Iterator[Finding]:
    """Every seeding has its acres; a report adds them up."""
    yield from _recorded(cover, "seeded_acres")


@records("2100.052(b)(5)", "A photograph shows the cover crop established.")
@of_each_cover
def records_cover_photograph(season: Season, _law: RuleVersion, cover: Cover) -> Iterator[Finding]:
    """The file is needed, of this unit alone, unchanged, taken between seeding and termination (interpretation 59).

    One without place and time is weaker, not a failure (20).
    """
    lacks: list[Finding] = [*evidence.why_not_shown(season.rows, cover, evidence.PHOTO)]
    yield from lacks or [Shown("cover_crop", cover.id)]


@records("2100.052(b)(6)", "Termination date and method are recorded.")
@of_each_cover
def records_cover_termination(_season: Season, _law: RuleVersion, cover: Cover) -> Iterator[Finding]:
    """For winter kill, the day on which it was seen dead."""
    yield from _recorded(cover, "terminated_on", "termination_method")


@records("2100.052(b)(7)", "The records show the bushels harvested from the unit.")
def records_cover_bushels(season: Season, _law: RuleVersion) -> Iterator[Finding]:
    """The bushels of the production crop that follows the cover (interpretation 15)."""
    yield from season.bushels_known()


# (c) is for the verifier: establishment is seen on site, by video, remote sensing, or a stamped photograph.
