"""The requirements of cover crops, read plainly from the rule and the readings."""

import datetime as dt
from collections.abc import Callable

from provender.catalog.plants import find_species
from tests.standards.oracle_interval import Interval, both
from tests.standards.oracle_practices import none_is
from tests.standards.oracle_rows import Answer, Row, first_day, flag, group, in_fall, in_season, years_before


def every_cover(one: Interval, rule: Callable[[Row], Answer]) -> Answer:
    """Ask the same of every cover crop."""
    return both(*(rule(row) for row in one.covers)) if one.covers else None


def seeded_in_fall(one: Interval, row: Row) -> Answer:
    """Judge the seeding day of one cover."""
    day, planted = row["seeded_on"], one.first_planting
    if day is None:
        return None
    before = None if planted is None else years_before(planted, 1) < day < planted
    return both(in_fall(day), before)


def ended_in_spring(one: Interval, row: Row) -> Answer:
    """Judge the day of termination of one cover."""
    day = row["terminated_on"]
    answer = ended_by_day(one, row, day)
    return None if answer and green_differs(one, row) else answer


def green_differs(one: Interval, row: Row) -> bool:
    """Tell whether the answer on planting green contradicts the days."""
    green, day, planted = row["planted_green"], row["terminated_on"], one.first_planting
    if green and row["termination_method"] == "winter_kill":
        return True
    if green is None or day is None or planted is None:
        return False
    return bool(day < planted if green else day > planted)


def ended_by_day(one: Interval, row: Row, day: dt.date | None) -> Answer:
    """Judge the day by itself."""
    if row["termination_method"] == "winter_kill":
        planted = one.first_planting
        if day is None:
            return True
        if row["seeded_on"] is None or not row["seeded_on"] < day <= one.closes:
            return None
        cold = day.month in (10, 11, 12, 1) and (planted is None or day <= planted)
        return True if cold or in_season(day, (2, 1), (6, 30)) else None
    if day is None:
        return None
    if not in_season(day, (2, 1), (6, 30)):
        return False
    in_order = row["seeded_on"] is not None and row["seeded_on"] < day <= one.closes
    return True if in_order else None


def with_legume(one: Interval, answer: Answer) -> Answer:
    """Ask only where a legume stands, or may."""
    if not one.covers:
        return None
    ids = [row["cover_id"] for row in one.covers]
    mixes = {key: [s for s in one.book["cover_species"] if s["cover_id"] == key] for key in ids}
    kinds = [find_species(s["species"]) for mix in mixes.values() for s in mix]
    if any(kind is not None and kind.legume for kind in kinds):
        return answer
    if None in kinds or any(not mix for mix in mixes.values()):
        return True if answer else None
    return True


def legume_adjusted(one: Interval) -> Answer:
    """Judge the adjustment of planned N."""
    budget = one.budget
    if budget is None or budget["n_adjustment_lb_per_ac"] is None or not one.plan_in_time:
        return with_legume(one, answer=None)
    taken, planned_n, need = (
        budget[name] for name in ("n_adjustment_lb_per_ac", "planned_n_lb_per_ac", "synthetic_n_need_lb_per_ac")
    )
    if taken > 0:
        shows = True if planned_n == 0 else None if None in (planned_n, need) else planned_n <= max(need - taken, 0)
        return with_legume(one, answer=shows)
    if one.crop["crop"] == "soybeans":
        return with_legume(one, answer=True)
    available = budget["legume_n_lb_per_ac"]
    return with_legume(one, answer=None if available is None else available == 0)


def cover_on_whole_unit(one: Interval) -> Answer:
    """Hold the acres of the covers against the unit's, within three percent."""
    if not one.covers or one.unit["acres"] is None:
        return None
    acres = [row["seeded_acres"] for row in one.covers]
    if any(a is not None and a * 100 > one.unit["acres"] * 103 for a in acres):
        return None
    if sum(a for a in acres if a is not None) * 100 >= one.unit["acres"] * 97:
        return True
    return None if None in acres else False


def cover_unused(one: Interval) -> Answer:
    """Judge grazing and harvest of the cover."""
    if not one.covers:
        return None
    uses = [row for row in [*one.season_passes, *one.undated_passes] if group(row) in ("grazing", "hay")]
    since, planted = one.cover_seeded, one.last_planting
    for row in uses:
        if row["day"] and since and planted and since < row["day"] <= planted:
            return False
    if any(row["termination_method"] in ("grazing", "mechanical_harvest") for row in one.covers):
        return False
    doubtful = [
        row
        for row in uses
        if row["day"] is None or not ((since and row["day"] <= since) or (planted and row["day"] > planted))
    ]
    grazed, harvested = one.declared("cover_grazed"), one.declared("cover_harvested")
    if grazed or harvested:
        return False
    return None if grazed is None or harvested is None or doubtful else True


def residue_stays(one: Interval) -> Answer:
    """Judge the passes between termination and the last planting."""
    if not one.covers:
        return None
    ended, planted = one.covers_ended, one.last_planting
    flags = [
        flag(row, "full_width")
        for row in one.season_passes
        if ended and planted is not None and min(ended) <= row["day"] <= planted
    ]
    known = one.operations_complete and len(ended) == len(one.covers) and planted is not None
    return none_is(flags, complete=known)


def cover_ended_by(one: Interval) -> Answer:
    """Judge how the cover ended: a full-width pass while it stood ended it (interpretation 63)."""
    if not one.covers:
        return None
    methods = [row["termination_method"] for row in one.covers]
    allowed = both(
        *(
            None if m in (None, "other") else m in ("winter_kill", "herbicide", "roller_crimper", "mowing")
            for m in methods
        )
    )
    ended, planted = one.covers_ended, one.last_planting
    worked_in = [
        row["seeded_on"] + dt.timedelta(7 if row["method"] == "broadcast_incorporated" else 0)
        for row in one.covers
        if row["seeded_on"]
    ]
    flags = [
        flag(row, "full_width")
        for row in one.season_passes
        if worked_in and ended and planted and min(worked_in) < row["day"] < min(ended) and row["day"] <= planted
    ]
    return both(allowed, none_is(flags, complete=True))


def followed_by_this_crop(one: Interval, cover: Row) -> Answer:
    """Tell whether no crop was planted after a cover and harvested before this one."""
    other = one.before_season
    if other is None or other["ending"] != "harvested" or not first_day(other):
        return True
    cut, seeded = first_day(other), cover["seeded_on"]
    if seeded is None and cover["terminated_on"] is None:
        return None
    wintered = seeded is not None and cut is not None and cut.year > seeded.year
    if not wintered and (cover["terminated_on"] is None or cover["terminated_on"] >= cut):
        return True
    if other["planted"] is None or cover["seeded_on"] is None:
        return None
    return bool(other["planted"] <= cover["seeded_on"])


def cover_not_fertilized(one: Interval) -> Answer:
    """Judge fertilizer on the cover (interpretation 17)."""
    if not one.covers:
        return None
    rows = [*one.applications, *one.on_standing_cover]
    if any(row["intended_for"] == "cover_crop" for row in rows) or one.declared("cover_fertilized"):
        return False
    ended, since = one.covers_ended, one.cover_seeded

    def may_lie_on_cover(row: Row) -> bool:
        day = row["day"]
        if day is None:
            return True
        return not ((since is not None and day < since) or (ended and day > max(ended)))

    def unsaid(row: Row) -> bool:
        return row["intended_for"] == "other" or (row["intended_for"] is None and not one.names_crop(row))

    unclear = [row for row in one.applications if unsaid(row) and may_lie_on_cover(row)]
    unclear += [row for row in one.on_standing_cover if unsaid(row)]
    if unclear or one.misplaced or one.lost_applications or one.declared("cover_fertilized") is None:
        return None
    return True
