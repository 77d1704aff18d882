"""2100.051: reduced till (a), no-till (b), and what the records of both must show (c).

The sentences of codes that ``REASONS`` below does not have stand in ``verdicts.words``, with those of every section.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from provender.rule.crops import Practice
from provender.standards import stir
from provender.standards.season import BUSHELS, UNIT_LIES, Season
from provender.standards.standard import Against, Finding, Missing, Part, Shown, none_of, recorded, requires

REASONS: Final[Mapping[str, str]] = {
    "below_published_least": "The recorded value is below the published least; it counts only with evidence.",
    "burned": "Residue was burned.",
    "burning_without_day": "A pass that burns has no date, so it may lie in this interval.",
    "disturbs_full_width": "The pass disturbs the full width of the ground.",
    "inverts_soil": "The pass uses a primary inversion implement.",
    "implied_harvest_pass": "The crop entry proves the pass of the combine, which counts at the list's value.",
    "no_harvest_pass": "No harvest pass is recorded.",
    "not_logged": "The STIR as recorded and by published values are on different sides of the limit; speed and depth "
    "logged by the machine decide.",
    "stand_changes_stir": "The passes of the stand that was given up are above the limit by themselves, or nobody can "
    "tell.",
    "stir_over_limit": "The STIR of the interval is above the limit; this pass is among the largest.",
    "stir_unknown": "The operation is not in the list, and its tools, speed and depth are not all recorded.",
}
"""What the codes of this file say."""

reduced_till: Final = partial(requires, practices=(Practice.reduced_till,))
no_till: Final = partial(requires, practices=(Practice.no_till,))
records: Final = partial(requires, practices=(Practice.reduced_till, Practice.no_till), part=Part.RECORDS)


# (a) Reduced till.


@reduced_till(
    "2100.051(a)(1)",
    "All passes of the crop interval together have a STIR of at most 80.",
    remedy="Check speed and depth of the passes with the largest STIR.",
)
def reduced_till_stir_within_limit(season: Season) -> Iterator[Finding]:
    """The sum counts every operation of the interval, also of fallow: from the harvest before to this crop's own.

    ``_stir_at_most`` says which value of a pass counts.
    """
    yield from _stir_at_most(season, season.law.reduced_till_stir_max)


@reduced_till("2100.051(a)(2)", "No primary inversion implement, such as a moldboard plow, is used.")
def reduced_till_no_primary_inversion(season: Season) -> Iterator[Finding]:
    """By type and by name: one moldboard plow of the published list is coded as mixing (interpretation 8)."""
    yield from none_of(season.all_passes, "primary_inversion", "inverts_soil")


@reduced_till("2100.051(a)(3)", "Residue is not burned.", name="reduced_till_residue_not_burned")
def residue_not_burned(season: Season) -> Iterator[Finding]:
    """By the passes and by the producer's answer: a missing row shows nothing (interpretation 2).

    An undated fire may have been in any interval.
    """
    for one in season.passes:
        if one.group == "burning":
            yield Against("operation", one.id, "burned")
    for one in season.undated_passes:
        if one.group == "burning":
            yield Missing("operation", "day", one.id, "burning_without_day")
    yield from season.answered_no("residue_burned")


# (b) No-till.


@no_till(
    "2100.051(b)(1)",
    "No pass disturbs the full width of the ground between two harvests.",
    remedy="Claim reduced till instead, if its limit of STIR holds.",
)
def no_till_no_full_width_disturbance(season: Season) -> Iterator[Finding]:
    """No-till forbids full-width disturbance at any depth, whatever the STIR (interpretations 8, 12)."""
    yield from none_of(season.all_passes, "full_width", "disturbs_full_width")


@no_till(
    "2100.051(b)(1)",
    "All passes of the crop interval together have a STIR of at most 20.",
    remedy="Claim reduced till instead, or check speed and depth of the passes with the largest STIR.",
)
def no_till_stir_within_limit(season: Season) -> Iterator[Finding]:
    """The limit holds whether or not there was strip tillage or injection (interpretation 8).

    The recorded value counts where the machine logged every pass; else the published one must be on the same side.
    """
    yield from _stir_at_most(season, season.law.no_till_stir_max)


no_till("2100.051(b)(2)", "Residue is not burned.", name="no_till_residue_not_burned")(residue_not_burned)


# What (a) and (b) ask alike.


def _stir_at_most(season: Season, limit: int) -> Iterator[Finding]:
    """Judge the STIR of the interval by recorded and by published values (interpretations 3, 10, 66).

    Known passes above the limit by both readings: not met. On different sides: as recorded where the machine logged
    speed and depth of every pass, else nobody can tell.
    """
    interval = season.stir
    unlogged = [one for one in season.passes if one.works_ground and not stir.is_logged(one)]
    shown = {
        each.one: Shown("operation", each.one.id, each.recorded.value, limit, "STIR")
        if each.one is not season.harvest_pass
        else Shown("harvest", each.one.id, each.recorded.value, limit, "STIR", "implied_harvest_pass")
        for each in interval.points
        if each.recorded.value is not None
    }
    if interval.recorded > limit and ((season.passes and not unlogged) or interval.published > limit):
        for one, _ in interval.largest_above(limit):
            row = shown.pop(one)
            yield Against(row.kind, row.row, "stir_over_limit", row.observed, limit, "STIR")
        yield from shown.values()
        return
    for one in interval.unknown:
        yield Missing("operation", "operation", one.id, "stir_unknown")
    if not interval.unknown and not interval.is_decided(limit):
        for one in unlogged:
            yield from (Missing("operation", column, one.id, "not_logged") for column in ("speed_mph", "depth_in"))
    yield from season.all_passes.show_complete()
    yield from shown.values()
    yield from _failed_stands_over_limit(season, limit)


def _failed_stands_over_limit(season: Season, limit: int) -> Iterator[Missing]:
    """Hold the passes of stands that were given up against the limit alone (interpretations 66, 81).

    The interval begins with the termination; what was done before it withholds the practice only where it exceeds the
    limit by itself, or where nobody can tell.
    """
    before = [one for one in season.season_passes if one not in season.passes]
    interval = stir.IntervalStir(before)
    is_logged = all(stir.is_logged(one) for one in before if one.works_ground)
    if interval.unknown or interval.recorded > limit or not (is_logged or interval.is_decided(limit)):
        for stand in season.failed_stands:
            yield Missing("harvest", "termination_record", stand.harvest_id, "stand_changes_stir")


# (c) Records. They show a thing or do not yet: nothing here can be not met.


records("2100.051(c)(1)", UNIT_LIES, name="records_tillage_unit")(Season.where_unit_lies)


@records("2100.051(c)(2)", "The records list all field operations of the interval.")
def records_tillage_all_operations(season: Season) -> Iterator[Finding]:
    """A list without planting or harvest is not that of all operations, though a crop entry proves the latter."""
    if season.harvest_pass is not None:
        yield Missing("operation", reason="no_harvest_pass")
    yield from season.all_passes.show_complete()


@records("2100.051(c)(3)", "Depth, width and average speed of each disturbing operation are recorded.")
def records_tillage_depth_width_speed(season: Season) -> Iterator[Finding]:
    """What only drives or flies over the ground has none of them, hand work a depth alone; zero is not recorded."""
    if not season.passes:
        yield Missing("operation", reason="no_pass")
    for one in season.passes:
        by_hand = one.listed is not None and one.listed.by_hand
        measures = ("depth_in",) if by_hand else ("depth_in", "width_ft", "speed_mph")
        lacks: list[Finding] = []
        for column in measures if one.works_ground else ():
            if not getattr(one.row, column):
                if column != "depth_in" or not one.tools:
                    lacks.append(Missing("operation", column, one.id))
            elif stir.is_below_least(one, column):
                lacks.append(Missing("operation", column, one.id, "below_published_least"))
        yield from lacks or [Shown("operation", one.id)]


@records("2100.051(c)(4)", "The equipment of each operation is recorded.")
def records_tillage_equipment(season: Season) -> Iterator[Finding]:
    """Maker, model or the farm's own name of the implement."""
    if not season.passes:
        yield Missing("operation", "equipment", reason="no_pass")
    for one in season.passes:
        if one.row.equipment is None:
            yield Missing("operation", "equipment", one.id)
        else:
            yield Shown("operation", one.id)


@records("2100.051(c)(5)", "The date of each operation is recorded.")
def records_tillage_dates(season: Season) -> Iterator[Finding]:
    """An undated pass of the unit leaves all its intervals open."""
    if not season.passes:
        yield Missing("operation", "day", reason="no_pass")
    for one in season.undated_passes:
        yield Missing("operation", "day", one.id, "pass_without_day")
    yield from recorded(season.passes, "day")


records("2100.051(c)(6)", BUSHELS, name="records_tillage_bushels")(Season.bushels_known)
