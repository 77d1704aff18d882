"""Nitrogen of one crop: how much went on, and how much before and after the crop may have emerged (2100.053(d)(1)).

Amounts are whole thousandths of a pound per acre. Traces feed no crop and count nowhere (interpretation 21); nitrogen
is synthetic for sure, surely not, or may be.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from functools import cached_property
from typing import NamedTuple

from provender.exact import sum_of_known
from provender.records.book import grouped
from provender.records.kinds.nutrients import InSeasonTest
from provender.standards.season import Season
from provender.standards.standard import WHOLE
from provender.standards.unit import Application


class Timing(NamedTuple):
    """Synthetic nitrogen of the zone that decides; what went on part of the unit counts in full before emergence."""

    before: int  # what surely went on before, in the zone that got the most
    after: int  # what surely went on after, in the zone that got the least
    possibly_after: int  # the same with what may have: in the days of emergence, without a day, or on part of the unit


class Nitrogen:
    """The nitrogen of one season, each amount looked up when somebody asks for it."""

    def __init__(self, season: Season) -> None:
        self.season, self.law = season, season.law

    @cached_property
    def synthetic(self) -> tuple[Application, ...]:
        """Return the applications that are synthetic nitrogen for sure."""
        return tuple(one for one in self.season.may_be_synthetic if one.synthetic)

    @property
    def for_crop(self) -> tuple[Application, ...]:
        """Return all applications but those that were meant for a cover crop, where one is on record."""
        has_cover = bool(self.season.covers)
        return tuple(one for one in self.season.applications if not has_cover or one.intended_for != "cover_crop")

    @property
    def need(self) -> int | None:
        """Return the crop's need for synthetic nitrogen by its budget."""
        return self.season.budget.synthetic_n_need_lb_per_ac if self.season.budget else None

    def planned(self, nutrient: str = "n") -> int | None:
        """Return what the budget plans of ``n``, ``p2o5`` or ``k2o``."""
        planned: int | None = getattr(self.season.budget, f"planned_{nutrient}_lb_per_ac", None)
        return planned

    @property
    def from_bags(self) -> int | None:
        """Return what the budget has from commercial fertilizer and starter; None unless it says so of every source."""
        present = {row.source: row.n_lb_per_ac for row in self.season.sources.values() if row.present}
        bags = [of for source, of in present.items() if source in ("commercial_fertilizer", "starter")]
        return sum_of_known(bags) if bags and None not in present.values() else None

    def over_unit(self, applications: Iterable[Application], nutrient: str = "n") -> int:
        """Add up known pounds for each acre of the unit: fewer than recorded where only a part of it was treated."""
        found, acres = 0, self.season.acres
        for one in applications:
            n, treated = one.pounds(nutrient) or 0, one.treated_acres
            if acres and treated is not None and treated < acres:
                n = (2 * n * treated + acres) // (2 * acres)
            found += n
        return found

    def is_far_over(self, applied: int, planned: int | None) -> bool:
        """Tell whether far more went on than was planned; traces are none (interpretation 21)."""
        if planned is None:
            return False
        is_beyond_share = applied * WHOLE > planned * self.law.applied_n_of_plan_pct_max
        return is_beyond_share and applied > planned + self.law.trace_n_season_lb_per_ac

    def is_over_plan(self, nutrient: str) -> bool:
        """Tell whether far more of ``n``, ``p2o5`` or ``k2o`` went on than was planned in all."""
        return self.is_far_over(self.over_unit(self.for_crop, nutrient), self.planned(nutrient))

    @property
    def is_planned_over_need(self) -> bool:
        """Tell whether far more synthetic nitrogen is planned than needed: a share of a tiny need says nothing.

        It is what the budget has from fertilizer and starter; where that is not known, all that it plans.
        """
        planned = self.planned() if self.from_bags is None else self.from_bags
        return planned is not None and self.is_far_over(planned, self.need)

    @property
    def is_over_sources(self) -> bool:
        """Tell whether far more synthetic nitrogen went on than the budget has from fertilizer and starter."""
        return self.is_far_over(self.over_unit(self.synthetic), self.from_bags)

    # Before and after emergence (interpretations 24, 64).

    @cached_property
    def emergence(self) -> tuple[date, date] | None:
        """Return the first and last day on which the crop may have emerged; None where its planting is not known.

        Emergence is no required record. Seen on every planting, it is a border of its days; not if it was seen sooner
        after planting than any crop emerges.
        """
        first, last, soonest = self.season.first_planting, self.season.last_planting, self.law.emergence_days_earliest
        if first is None or last is None:
            return None
        days = [(one.planted_on or first, one.emerged_on) for one in self.season.plantings]
        seen = [day for planted, day in days if day is not None and (day - planted).days >= soonest]
        if len(seen) == len(days):
            return min(seen), max(seen)
        return first + timedelta(days=soonest), last + timedelta(days=self.law.emergence_days_latest)

    @cached_property
    def timing(self) -> Timing:
        """Return what went on before and after emergence; what only may be synthetic went on possibly after."""
        emerges_from, emerged_by = self.emergence or (date.min, date.max)
        before, after, possibly_after = [], [], []
        for zone in self.zones:
            sure = [(one, one.day) for one in zone if one.synthetic and one.day is not None]
            before.append(sum(one.n or 0 for one, day in sure if day < emerges_from))
            after.append(sum(one.n or 0 for one, day in sure if day > emerged_by and not self.is_on_part(one)))
            possibly_after.append(sum(one.n or 0 for one in zone) - before[-1])
        return Timing(max(before), min(after), min(possibly_after))

    def is_on_part(self, one: Application) -> bool:
        """Tell whether an application names no zone and went on part of the unit, or nobody can tell."""
        acres, treated = self.season.acres, one.treated_acres
        return treated is not None and (acres is None or treated < acres) and one.zone is None

    @property
    def zones(self) -> list[tuple[Application, ...]]:
        """Return what is or may be synthetic on each area of the unit, all of it without zones (interpretation 64).

        Where the zones do not cover the unit the rest of it is one more, which only what names no zone has fed.
        """
        by_zone = grouped((one.zone, one) for one in self.season.applications)
        everywhere = by_zone.pop(None, ())
        acres = sum(max(one.treated_acres or 0 for one in of) for of in by_zone.values())
        found = [(*everywhere, *of) for of in by_zone.values()]
        if not by_zone or self.season.acres is None or acres < self.season.acres:
            found.append(everywhere)
        return [tuple(one for one in zone if one.synthetic is not False) for zone in found]

    @cached_property
    def documented(self) -> int:
        """Return the reductions that tests of the season document."""
        return sum(self._reduction(test) for test in self.season.rows_of_crop(InSeasonTest))

    @property
    def left_out(self) -> int:
        """Return the documented reductions that count: at most what the applications lack of the plan."""
        if (planned := self.planned()) is None:
            return self.documented
        fed = self.over_unit(one for one in self.for_crop if not one.trace)
        return min(self.documented, max(planned - fed, 0))

    def _reduction(self, test: InSeasonTest) -> int:
        """Return what a test left out, if it has a result and was taken between planting and harvest.

        A sample names its laboratory, scouting needs none. It was taken before the planned day of what it reduced, and
        that day lies after any on which the crop has surely not emerged (interpretation 64).
        """
        planted, tested, planned = self.season.first_planting, test.tested_on, test.planned_on
        if planted is None or tested is None or planned is None or test.result is None:
            return 0
        closes_on, sprouts = self.season.closes_on, planted + timedelta(days=self.law.emergence_days_earliest)
        is_documented = test.what == "scouting" or test.laboratory is not None
        is_in_season = planted <= tested <= closes_on and tested < planned
        counts = is_documented and is_in_season and sprouts <= planned <= closes_on
        return int(test.n_reduction_lb_per_ac or 0) if counts else 0
