"""The version of the rule that governs a crop: chosen by the day of harvest, passed as an argument everywhere."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cache
from typing import Any, Final, Self, get_type_hints

from provender.rule.parameters import (
    NotInForceError,
    Parameters,
    ParametersError,
    parameters,
    read_state_windows,
)
from provender.rule.season import Season

LATER_RULE: Final = "later rule in force, text not loaded"
NOT_SHOWN: Final = "not shown to be the rule in force"
NOT_CURRENT: Final = f"under the interim text, {NOT_SHOWN}"
"""The state of a harvest after the last day up to which the text has been read (interpretation 67)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleVersion:
    """Every number the results depend on, as in force for one harvest.

    Amounts are whole units of the scale of their parameter: percent, lb N/ac in thousandths, STIR in ten-thousandths,
    years, months, days and passes in ones. ``parameters().by_name`` has label, unit and citation of each by the same
    name. Equal versions give equal verdicts, so a version is a key of caches.

    Attributes:
        id: stable name of the text that governs the harvest, such as ``interim-2025``.
        citation: where that text was published.
        read_up_to: the last day up to which somebody has read what is in force.
        later_rule_in_force: the harvest falls under a later rule whose text is not loaded (interpretation 1).
        state_windows: (State, name of a window, window) set by States.
    """

    id: str
    citation: str
    read_up_to: date
    later_rule_in_force: bool
    state_windows: tuple[tuple[str, str, Season], ...]

    no_till_stir_max: int
    reduced_till_stir_max: int
    stir_scale_max: int
    intensive_tillage_passes_flag: int
    no_till_promise_years: int
    no_till_promise_of_years: int
    land_conversion_after: date
    retention_years: int
    period_max_months: int
    audit_interval_years: int
    cover_seeding_window: Season
    cover_termination_window: Season
    winter_kill_window: Season
    cover_incorporation_days: int
    fall_n_window: Season
    soil_test_max_years: int
    inhibitor_pct_required: int
    planting_window_days_before: int
    planting_grace_days_after: int
    split_post_emergence_pct_min: int
    split_pre_emergence_pct_max: int
    emergence_days_earliest: int
    emergence_days_latest: int
    analysis_difference_pct_max: int
    applied_n_of_plan_pct_max: int
    implied_pass_days: int
    harvest_over_new_year_days: int
    trace_n_pass_lb_per_ac: int
    trace_n_season_lb_per_ac: int
    boundary_difference_pct_max: int
    reported_acres_difference_pct_max: int
    bushel_total_difference_pct_max: int
    bin_difference_pct_max: int
    national_default_min: int
    national_default_max: int
    ci_of_default_pct_min: int
    ci_of_default_pct_max: int
    corn_yield_max: int
    soybeans_yield_max: int
    sorghum_yield_max: int
    grain_moisture_pct_min: int
    grain_moisture_pct_max: int
    boundary_contradiction_pct_min: int
    sister_yield_pct_max: int
    silage_handling: str
    high_moisture_handling: str
    corn_moisture_pct: int
    soybeans_moisture_pct: int
    sorghum_moisture_pct: int
    soybean_oil_lb_per_bu_max: int
    ground_grain_lb_per_bu_max: int
    corn_starch_lb_per_bu_max: int
    surplus_at_close: str
    statement_carries_months: int
    purchase_paper_days_max: int

    @classmethod
    def of(cls, table: Parameters, harvest_day: date) -> Self:
        """Build the version in force on a day from a table of parameters.

        Raises:
            NotInForceError: the day is before the rule.
            ParametersError: table and class do not name the same parameters of the same types.
        """
        if harvest_day < table.start:
            raise NotInForceError(
                f"A crop harvested on {harvest_day} is not covered: 7 CFR part 2100 is in force from {table.start}. "
                "Check the harvest date; a crop harvested earlier cannot be sold as reduced-CI crop under this rule."
            )
        types = get_type_hints(cls)
        names = set(PARAMETER_NAMES)
        if names != set(table.by_name):
            raise ParametersError(f"table and RuleVersion differ in {', '.join(sorted(names ^ set(table.by_name)))}")
        values: dict[str, Any] = {name: table.by_name[name].on(harvest_day) for name in PARAMETER_NAMES}
        if wrong := [name for name, value in values.items() if not isinstance(value, types[name])]:
            raise ParametersError(f"not of the type RuleVersion declares: {', '.join(wrong)}")
        text = table.text_on(harvest_day)
        return cls(
            id=text.id,
            citation=text.citation,
            read_up_to=table.read_up_to,
            later_rule_in_force=harvest_day > table.read_up_to,
            state_windows=table.state_windows,
            **values,
        )

    @property
    def warning(self) -> str:
        """Return the sentence that screen and paper print for a harvest under a later rule; empty otherwise."""
        return LATER_RULE if self.later_rule_in_force else ""

    @property
    def state(self) -> str:
        """Return that the text is not shown to be the rule in force on the day of the harvest; empty where it is.

        A state of its own beside official, estimate and preliminary: whoever reads a result reads this first.
        """
        if not self.later_rule_in_force:
            return ""
        return NOT_CURRENT if self.id.startswith("interim") else f"under the text {self.id}, {NOT_SHOWN}"

    def window(self, name: str, state: str = "") -> Season:
        """Return a window of the year for a State: the State's own, else the default; print it with the result.

        Raises:
            KeyError: no parameter of that name is a window.
        """
        own = [season for of, window, season in self.state_windows if of == state and window == name]
        default = getattr(self, name, None)
        if not isinstance(default, Season):
            raise KeyError(name)
        return own[-1] if own else default

    def with_state_windows(self, table: Mapping[str, Mapping[str, tuple[str, str]]]) -> "RuleVersion":
        """Return the version with windows that a user adds, by State and name; later ones win.

        Raises:
            ParametersError: no such window, or not a month and day.
        """
        return replace(self, state_windows=(*self.state_windows, *read_state_windows(table, parameters().by_name)))

    def basis_moisture_pct(self, crop: str) -> int:
        """Return the moisture, in thousandths of a percent, at which bushels of a crop are counted.

        Raises:
            AttributeError: the crop is not one of 2100.011.
        """
        found: int = getattr(self, f"{crop}_moisture_pct")
        return found


_HEAD: Final = ("id", "citation", "read_up_to", "later_rule_in_force", "state_windows")
PARAMETER_NAMES: Final = tuple(one.name for one in fields(RuleVersion) if one.name not in _HEAD)


@cache
def rule_version(harvest_day: date) -> RuleVersion:
    """Return the version of the rule that governs a crop harvested on a day (interpretation 1).

    Raises:
        NotInForceError: the harvest is older than the rule.
    """
    return RuleVersion.of(parameters(), harvest_day)
