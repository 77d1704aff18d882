"""7 CFR 2100.053: nutrient management, paragraph by paragraph, and the three practices that rest on it.

Readings of what the text leaves open: docs/interpretations 2, 4, 19, 21 to 25, 59 and 64. Controlled release
fertilizers, which (a) names, are no practice of 2100.012 (7). ``season.may_be_synthetic`` are the applications that are
or may be synthetic nitrogen. A trace is none of them: less than ``trace_n_pass_lb_per_ac`` (2 lb N/ac) in a pass, and
``trace_n_season_lb_per_ac`` (4) in a season, that rides along with something else (21).

Windows and numbers are named as in ``rule/data/parameters.toml``, with their defaults; a State may set its own windows.
The sentences of codes that ``REASONS`` below does not have stand in ``verdicts.words``, with those of every section.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import partial
from itertools import chain
from typing import Final

from provender.catalog.materials import ORGANIC
from provender.days import years_after
from provender.records.kind import KINDS
from provender.records.kinds.nutrients import N_SOURCES, ExpertOpinion, NutrientBudget
from provender.rule.crops import Practice
from provender.standards import evidence, standard, supply
from provender.standards.nitrogen import Nitrogen
from provender.standards.season import BUSHELS, UNIT_LIES, Season
from provender.standards.standard import OTHER, WHOLE, Against, Finding, Missing, Part, Shown, blanks, recorded
from provender.standards.supply import inhibitor_of
from provender.standards.unit import UNNAMED, Application

INHIBITOR, NO_FALL, SPLIT = Practice.nitrification_inhibitor, Practice.no_fall_application, Practice.split_in_season
POUNDS_OF_N: Final = "lb N/ac"
NUTRIENTS: Final = ("n", "p2o5", "k2o")

REASONS: Final[Mapping[str, str]] = {
    "before_budget": "Nutrients went on before the budget was made.",
    "made_after_application": "The budget was made after the first nutrients went on.",
    "budgets_of_one_day": "Two budgets of one day say different things, and nothing shows which one is the plan.",
    "same_day_as_budget": "Budget and first application are of one day: nothing shows which came first.",
    "source_not_answered": "The budget does not answer for this source; none is an answer.",
    "source_went_on": "A source that the budget calls none went on.",
    "legume_not_named": "The cover crop has a legume, and the budget names neither legume nor green manure.",
    "manure_not_budgeted": "Manure went on, and the budget calls it none.",
    "manure_not_declared": "Manure went on, and the declaration says that none did.",
    "irrigation_not_budgeted": "The irrigation water carried nitrogen, and the budget calls it none.",
    "fertilizer_not_budgeted": "Synthetic nitrogen went on, and the budget calls fertilizer and starter none.",
    "off_analysis": "The pounds recorded differ from what the product's analysis gives at its rate.",
    "synthetic_denied": "The row denies what the fertilizer list, or the product's name, says of its nitrogen.",
    "far_over_plan": "Far more of this nutrient went on than was planned.",
    "need_below_plan": "Far more synthetic nitrogen is planned than the need that is stated.",
    "no_acres_treated": "What went on no acre did not go on; leave the acres blank for the whole unit.",
    "one_application_only": "Synthetic nitrogen went on in one application only, which splits nothing.",
    "part_without_zone": "It went on part of the unit, and no zone says on which.",
    "far_over_sources": "Far more synthetic nitrogen went on than the budget has from fertilizer and starter.",
    "sampled_after_budget": "The soil was sampled after the budget was made.",
    "soil_test_too_old": "The soil test was too old when the budget was made.",
    "no_result": "A soil test without results for nitrogen, phosphorus or potassium supports nothing.",
    "expert_of_other_field": "The expert works on another crop or practice than this one.",
    "opinion_after_budget": "The opinion was given after the budget was made.",
    "work_not_of_field": "Nothing shows that the expert's work is the crop or the practice.",
    "no_synthetic_nitrogen": "No synthetic nitrogen went on.",
    "synthetic_not_decided": "The fertilizer list does not say whether its nitrogen is synthetic.",
    "without_inhibitor": "Synthetic nitrogen went on without an inhibitor.",
    "refused_by_state": "The State does not accept the inhibitor.",
    "acceptance_not_known": "Nothing shows that the State's fertilizer official accepts the inhibitor.",
    "before_window": "Synthetic nitrogen went on too long before planting.",
    "after_planting": "The first synthetic nitrogen went on too long after planting.",
    "in_fall": "Synthetic nitrogen went on in the fall.",
    "far_over_need": "Far more synthetic nitrogen went on than the crop needs.",
    "emergence_not_known": "An application falls into the days in which the crop may have emerged.",
    "too_little_after_emergence": "Too little nitrogen went on after emergence.",
    "content_not_known": "The product is in the fertilizer list with its rate, or N, P and K are recorded.",
}
"""What is said for each reason, of ``Against`` and ``Missing``."""


def with_synthetic_n(season: Season, found: Iterator[Finding]) -> Iterator[Finding]:
    """Ask where synthetic nitrogen went on: a practice about nothing earns nothing (interpretation 4).

    Where none is recorded and the list is not whole, what else is missing is told at once.
    """
    if season.may_be_synthetic:
        yield from season.applications_misplaced()
        yield from found
    elif season.all_applications.is_complete:
        yield Against("declaration", season.all_applications.answer, "no_synthetic_nitrogen")
    else:
        yield Missing("nutrient_application")
        yield from (one for one in found if isinstance(one, Missing))


requires: Final = partial(standard.requires, practices=(INHIBITOR, NO_FALL, SPLIT))
inhibitor: Final = partial(standard.requires, practices=(INHIBITOR,), given=with_synthetic_n)
no_fall: Final = partial(standard.requires, practices=(NO_FALL,), given=with_synthetic_n)
split: Final = partial(standard.requires, practices=(SPLIT,), given=with_synthetic_n)
records: Final = partial(requires, part=Part.RECORDS)


# (a)(1) A planned nutrient budget, yield goal and applications of N-P-K, made before any of it is carried out.

PLAN: Final = (
    "yield_goal_bu_per_ac", "planned_n_lb_per_ac", "planned_p2o5_lb_per_ac", "planned_k2o_lb_per_ac",
    "removal_n_lb_per_ac", "removal_p2o5_lb_per_ac", "removal_k2o_lb_per_ac",
)  # fmt: skip


@requires(
    "2100.053(a)(1)",
    "The nutrient budget with yield goal, planned N-P-K and removals is made before the first nutrient goes on.",
    remedy="A budget made afterwards cannot be credited this year; make next year's before the first application.",
)
def nutrients_budget_before_application(season: Season) -> Iterator[Finding]:
    """Made on a day before the first N, P or K for the crop; one day cannot say which came first (reading 25)."""
    budget, first = season.budget, min(filter(None, (one.day for one in season.applications)), default=None)
    made = budget.made_on if budget else None
    if budget is None:
        yield Missing("nutrient_budget")
    elif made is None:
        yield Missing("nutrient_budget", "made_on", budget.id)
    elif first is not None and first < made:
        yield Against("nutrient_budget", budget.id, "made_after_application", made, first)
        early = (one for one in season.applications if one.day is not None and one.day < made)
        yield from (Against("nutrient_application", one.id, "before_budget", one.day, made) for one in early)
    elif first == made:
        yield Missing("evidence", reason="same_day_as_budget")
    elif first is not None:
        yield Shown("nutrient_budget", budget.id, made, first)
    if budget is not None:
        yield from blanks(budget, *PLAN)
    for other in season.rows_of_crop(NutrientBudget):
        if budget is not None and other.made_on == made and plan_of(other) != plan_of(budget):
            yield Missing("nutrient_budget", "made_on", other.id, "budgets_of_one_day")
    if first is None:
        yield Missing("nutrient_application")
    yield from (Missing("nutrient_application", "day", one.id) for one in season.applications if one.day is None)
    yield from season.all_applications.show_complete()


def plan_of(budget: NutrientBudget) -> dict[str, object]:
    """Return what of a budget is the plan itself: two of one day that plan something else show no plan."""
    about = ("farm_id", "budget_id", "harvest_id", "made_on", "known_by", "evidence", "note")
    return {name: getattr(budget, name) for name in KINDS["nutrient_budget"].typed_fields if name not in about}


@requires(
    "2100.053(a)(1)",
    "The budget says for every source of nutrients how much, or none.",
    remedy="Correct the budget, the declaration or the applications: they contradict each other.",
)
def nutrients_budget_all_sources(season: Season) -> Iterator[Finding]:
    """A source that went on and that budget or declaration calls none makes the budget wrong (interpretation 25)."""
    budget, manure = season.budget, season.answer("manure_applied")
    yield from season.applications_misplaced()
    if manure.value is False and season.is_manured:
        yield Against("declaration", manure.row, "manure_not_declared")
    if budget is None:
        yield Missing("nutrient_budget")
    else:
        yield from (Against("nutrient_budget", budget.id, reason) for reason in _sources_denied(season))
        yield from _sources_missing(season, budget)
    for row in season.sources.values():
        if row.present and row.n_lb_per_ac is None:
            yield Missing("budget_source", "n_lb_per_ac", row.id)
        elif row.present is not None:
            yield Shown("budget_source", row.id, row.n_lb_per_ac, unit=POUNDS_OF_N)
    for name in ("manure_applied", "irrigation_n"):
        answer = season.answer(name)
        yield Missing("declaration", name) if answer.value is None else Shown("declaration", answer.row)


def _sources_missing(season: Season, budget: NutrientBudget) -> Iterator[Missing]:
    for source in N_SOURCES:
        if source not in season.sources or season.sources[source].present is None:
            yield Missing("budget_source", "present", f"{budget.id}/{source}", "source_not_answered")


def _sources_denied(season: Season) -> Iterator[str]:
    """Yield why the budget is wrong: what applications, passes, covers and the declaration name and it calls none."""
    none = {source for source, row in season.sources.items() if row.present is False}
    went_on = {one.source for one in season.applications} - {""}
    if went_on & none or (UNNAMED in went_on and {*ORGANIC, "other_organic", "irrigation_water"} <= none):
        yield "source_went_on"
    legume = any(one is not None and one.legume for cover in season.covers for one in cover.species)
    if legume and {"legume_crop", "green_manure"} <= none:
        yield "legume_not_named"
    if "manure" in none and (season.answer("manure_applied").value or season.is_manured):
        yield "manure_not_budgeted"
    if "irrigation_water" in none and season.answer("irrigation_n").value:
        yield "irrigation_not_budgeted"
    applied = sum(one.n or 0 for one in season.applications if one.synthetic)
    if applied > 0 and {"commercial_fertilizer", "starter"} <= none:
        yield "fertilizer_not_budgeted"


@requires("2100.053(a)(1)", "Applications agree with their products and rates, and with the budget.")
def nutrients_records_agree(season: Season) -> Iterator[Finding]:
    """Records that contradict each other show neither amount; a budget that was not followed is no plan (25).

    Pounds that nobody knows, and acres of none, agree with nothing.
    """
    if not season.applications:
        yield Missing("nutrient_application")
    if season.budget is None:
        yield Missing("nutrient_budget")
    else:
        yield from _plan_not_followed(Nitrogen(season), season.budget.id)
    yield from season.applications_misplaced()
    for one in season.applications:
        faults: list[Finding] = [*season.beyond_unit([one], "treated_acres"), *_pounds_missing([one], *NUTRIENTS)]
        if one.treated_acres == 0:
            faults.append(Missing("nutrient_application", "treated_acres", one.id, "no_acres_treated"))
        most = season.law.analysis_difference_pct_max
        off = (nutrient for nutrient in NUTRIENTS if one.difference_from_product(nutrient) > most)
        faults += (Missing("nutrient_application", f"{nutrient}_lb_per_ac", one.id, "off_analysis") for nutrient in off)
        if one.is_denied_synthetic:
            faults.append(Missing("nutrient_application", "synthetic_n", one.id, "synthetic_denied"))
        yield from faults or [Shown("nutrient_application", one.id, one.n, unit=POUNDS_OF_N)]


def _plan_not_followed(nitrogen: Nitrogen, budget: str) -> Iterator[Missing]:
    """Yield where far more went on than was planned in all, or from commercial fertilizer and starter, or is needed."""
    for nutrient in NUTRIENTS:
        if nitrogen.is_over_plan(nutrient):
            yield Missing("nutrient_budget", f"planned_{nutrient}_lb_per_ac", budget, "far_over_plan")
    if nitrogen.is_planned_over_need:
        yield Missing("nutrient_budget", "synthetic_n_need_lb_per_ac", budget, "need_below_plan")
    if nitrogen.is_over_sources:
        yield Missing("budget_source", "n_lb_per_ac", budget, "far_over_sources")


# (a)(2) Based on current soil test results, or on the opinion of an expert of the kinds named.


@requires(
    "2100.053(a)(2)",
    "The budget rests on a soil test no older than two years, or on the opinion of an agricultural expert.",
    remedy="Sample the unit again, or have an expert of the kinds the rule names write an opinion.",
)
def nutrients_budget_basis(season: Season) -> Iterator[Finding]:
    """Exactly two years (``soil_test_max_years``) before the budget is not too old; a later sample is no basis."""
    budget = season.budget
    if budget is None:
        yield Missing("nutrient_budget")
    elif budget.basis is None:
        yield Missing("nutrient_budget", "basis", budget.id)
    elif budget.basis == "soil_test":
        yield from _soil_tested(season)
    else:
        yield from _expert_of_field(season, season.opinion, budget)


RESULTS: Final = ("nitrate_n_ppm", "p_ppm", "k_ppm")
"""What of a soil test is a result about nutrients; pH and organic matter alone are none."""


def _soil_tested(season: Season) -> Iterator[Finding]:
    """Show the soil test of this unit that the budget names, by its day and a result.

    Results that are all zero look like a form that was only filled in.
    """
    test, budget = season.soil_test, season.budget
    if test is None or budget is None:
        yield Missing("soil_test")
        return
    made = budget.made_on
    if test.sampled_on is None:
        yield Missing("soil_test", "sampled_on", test.id)
    elif made is None:
        yield Missing("nutrient_budget", "made_on", budget.id)
    elif test.sampled_on > made:
        yield Against("nutrient_budget", budget.id, "sampled_after_budget", test.sampled_on, made)
    elif made > years_after(test.sampled_on, season.law.soil_test_max_years):
        yield Against("nutrient_budget", budget.id, "soil_test_too_old", test.sampled_on, made)
    else:
        yield Shown("soil_test", test.id, test.sampled_on, made)
    if not any((getattr(test, name) or 0) > 0 for name in RESULTS):
        yield Missing("soil_test", "p_ppm", test.id, "no_result")


OF_THE_PRACTICE: Final = ("field_crops", "soil_fertility", "nutrient_management")
"""Work that is related to nutrients on every feedstock crop, beside that on the crop itself."""


def _expert_of_field(season: Season, opinion: ExpertOpinion | None, budget: NutrientBudget) -> Iterator[Finding]:
    """Show an expert of the kinds named, of this crop or of nutrients, whose opinion is no later than the budget.

    What the expert works on is chosen from a list; a specialty in free words is for eyes.
    """
    if opinion is None:
        yield Missing("expert_opinion")
        return
    yield from blanks(opinion, "employer", "given_on")
    given, made = opinion.given_on, budget.made_on
    if given is not None and made is None:
        yield Missing("nutrient_budget", "made_on", budget.id)
    elif given is not None and made is not None and given > made:
        yield Against("nutrient_budget", budget.id, "opinion_after_budget", given, made)
    if opinion.expert is None or opinion.works_on in (None, OTHER):
        yield Missing("expert_opinion", "works_on", opinion.id, "work_not_of_field")
    elif opinion.works_on not in (season.crop, *OF_THE_PRACTICE):
        yield Against("nutrient_budget", budget.id, "expert_of_other_field", opinion.works_on)
    else:
        yield Shown("expert_opinion", opinion.id, given, made)


# Tissue testing "may be used" for adjusting the plan: a permission.

# (b)(1) An inhibitor with all synthetic nitrogen, defined by AAPFCO and accepted by the State.


def _is_accepted(season: Season, one: Application) -> bool | None:
    """Tell whether the State accepts an inhibitor, by its own name or else by its active ingredient.

    Of several rows a refusal stands; a yes without its source says nothing.
    """
    for rows in supply.said_by_state(season, inhibitor_of(season, one).name, one.unit_id):
        if any(row.accepted is False for row in rows):
            return False
        if rows and all(row.accepted and row.source is not None for row in rows):
            return True
    return None


def _not_decided(applications: Iterable[Application]) -> Iterator[Missing]:
    for one in applications:
        if one.synthetic is None:
            yield Missing("nutrient_application", "synthetic_n", one.id, "synthetic_not_decided")


@inhibitor(
    "2100.053(b)(1)",
    "A nitrification inhibitor goes on with all synthetic nitrogen, starter and phosphorus products included.",
)
def inhibitor_with_all_synthetic_n(season: Season) -> Iterator[Finding]:
    """One pass without it breaks *all*, and every application is listed (interpretation 22).

    A later text that asks for less than all is held against the pounds.
    """
    kept, without, doubts = list[Application](), list[Application](), [*_not_decided(season.may_be_synthetic)]
    for one in season.may_be_synthetic:
        found = inhibitor_of(season, one)
        if found.went_on is None:
            doubts.append(Missing("nutrient_application", found.missing_column, one.id, found.reason))
        elif one.synthetic:
            (kept if found.went_on else without).append(one)
    with_it = sum(one.n or 0 for one in kept)
    pounds, enough = with_it + sum(one.n or 0 for one in without), not without
    if season.law.inhibitor_pct_required < WHOLE:
        doubts += _pounds_missing(season.may_be_synthetic, "n")
        enough = bool(doubts) or with_it * WHOLE >= pounds * season.law.inhibitor_pct_required
    if not enough:
        for one in without:
            yield Against("nutrient_application", one.id, "without_inhibitor", with_it, pounds, POUNDS_OF_N)
    yield from doubts
    yield from (Shown("nutrient_application", one.id, with_it, pounds, POUNDS_OF_N) for one in kept)
    yield from season.all_applications.show_complete()


@inhibitor("2100.053(b)(1)", "The inhibitor is one the national association defines and the State accepts.")
def inhibitor_recognised(season: Season) -> Iterator[Finding]:
    """Unknown to the State's list is not shown, never met (interpretation 22)."""
    yield from _not_decided(season.may_be_synthetic)
    for one in season.may_be_synthetic:
        accepted = _is_accepted(season, one)
        if accepted is None:
            yield Missing("inhibitor_acceptance", row=one.id, reason="acceptance_not_known")
        elif one.synthetic and not accepted:
            yield Against("nutrient_application", one.id, "refused_by_state")
        elif one.synthetic:
            yield Shown("nutrient_application", one.id)


# (b)(2) is reserved.

# (c)(1) The first synthetic nitrogen within 30 days before planting, or at planting.


@no_fall("2100.053(c)(1)", "The first synthetic nitrogen goes on within 30 days before planting, or at planting.")
def no_fall_first_n_at_planting(season: Season) -> Iterator[Finding]:
    """The first planting counts on replants (interpretation 23).

    The nitrogen may go on ``planting_window_days_before`` (30) days before that planting, and
    ``planting_grace_days_after`` (7) days after it.
    Which one was the first is known when every application is listed, with its day, and none is in doubt.
    """
    planted, law = season.first_planting, season.law
    doubts = [*_not_decided(season.may_be_synthetic)]
    doubts += (Missing("nutrient_application", "day", one.id) for one in season.may_be_synthetic if one.day is None)
    yield from doubts
    yield from season.all_applications.show_complete()
    if planted is None:
        yield Missing("planting", "planted_on")
        return
    days = {one.id: (one.day - planted).days for one in Nitrogen(season).synthetic if one.day is not None}
    window, grace, first = law.planting_window_days_before, law.planting_grace_days_after, min(days.values(), default=0)
    for key, after in days.items():
        if -after > window:
            yield Against("nutrient_application", key, "before_window", -after, window, "days")
        elif after == first and after <= grace:
            yield Shown("nutrient_application", key, after, grace, "days")
        elif after == first and not doubts and season.all_applications.is_complete:
            yield Against("nutrient_application", key, "after_planting", after, grace, "days")


# (c)(2) No synthetic nitrogen in the fall on fallow or cover, that of phosphorus fertilizers included.


@no_fall(
    "2100.053(c)(2)",
    "No synthetic nitrogen goes on fallow ground or a cover crop in the fall, phosphorus products included.",
)
def no_fall_none_in_fall(season: Season) -> Iterator[Finding]:
    """Fall is ``fall_n_window``, 1 August to 31 December unless the State sets another (interpretation 23).

    Fallow is what lies before the first planting; a cover stands from its first seeding to its last termination, in the
    crop before too. Every application since the crop before ended is listed, so that the days of all crops of the unit
    are needed. A trace breaks this one: it is a reading of *all* and *first* alone (interpretation 82).
    """
    fall, planted = season.window("fall_n_window"), season.first_planting
    since, until = season.cover_first, max(season.covers_ended, default=None)
    on_cover = [one for one in season.on_standing_cover if one.carries_synthetic_n is not False]
    for one in (*(one for one in season.applications if one.carries_synthetic_n is not False), *on_cover):
        stood = since is not None and until is not None and one.day is not None and since <= one.day <= until
        on_open_ground = one in on_cover or stood or (None if planted is None or one.day is None else one.day < planted)
        if one.day is None:
            yield Missing("nutrient_application", "day", one.id)
        elif not fall.contains(one.day) or on_open_ground is False:
            yield Shown("nutrient_application", one.id, one.day)
        elif on_open_ground is None:
            yield Missing("planting", "planted_on")
        elif one.carries_synthetic_n is None:
            yield from _not_decided([one])
        else:
            yield Against("nutrient_application", one.id, "in_fall", one.day, str(fall))
    yield from season.borders_missing()
    yield from season.all_applications.show_complete()


# (d)(1) A split is two applications or more, the preamble says, the first at planting and the rest in season.


@split("2100.053(d)(1)", "Synthetic nitrogen goes on in at least two applications.")
def split_in_two_applications(season: Season) -> Iterator[Finding]:
    """One alone splits nothing, however late, and what goes on in one day is one (interpretation 80).

    Where zones are recorded each of them is split; what went on part of a unit without a zone may have missed the rest.
    """
    nitrogen = Nitrogen(season)
    for zone in nitrogen.zones:
        doubts = {one: [*_not_decided([one]), *blanks(one, "day")] for one in zone}
        for one in filter(nitrogen.is_on_part, zone):
            doubts[one].append(Missing("nutrient_application", "zone", one.id, "part_without_zone"))
        sure = [one for one in zone if not doubts[one]]
        days = {one.day for one in sure}
        if len(days) > 1:
            yield from (Shown("nutrient_application", one.id, one.day) for one in sure)
        elif len(days) + len(zone) - len(sure) > 1:
            yield from chain.from_iterable(doubts.values())
        elif season.all_applications.is_complete:
            named = [("nutrient_application", one.id) for one in zone]
            for kind, row in named or [("declaration", season.all_applications.answer)]:
                yield Against(kind, row, "one_application_only")
        else:
            yield from season.all_applications.show_complete()


# (d)(1) At least 75 percent of the crop's need for synthetic nitrogen after emergence; what is left out after a test
# counts. That nutrients "should be timed" to uptake is advice.


@split("2100.053(d)(1)", "At least 75 % of the crop's synthetic nitrogen need goes on after emergence.")
def split_post_emergence_share(season: Season) -> Iterator[Finding]:
    """The share, ``split_post_emergence_pct_min``, is of the need that the budget states (interpretations 24, 64).

    Documented reductions count as if applied, beside something that was. The need is that of the State's land-grant
    university, and its guide is named. Where zones are recorded, the one with the least after emergence decides.
    """
    budget, nitrogen = season.budget, Nitrogen(season)
    emerged, unknown = nitrogen.emergence, [*_split_unknown(season, nitrogen)]
    if budget is None or emerged is None or unknown:
        yield from unknown
    else:
        need, left_out = nitrogen.need, nitrogen.left_out
        _, after, possible = nitrogen.timing
        share = (need or 0) * season.law.split_post_emergence_pct_min
        amounts = (after + left_out, -(-share // WHOLE), POUNDS_OF_N)
        dated = [(one.id, one.day) for one in nitrogen.synthetic if one.day is not None]
        is_short = possible == 0 or (need is not None and (possible + left_out) * WHOLE < share)
        if is_short and season.all_applications.is_complete:
            early = [("nutrient_application", key) for key, day in dated if day < emerged[0]]
            for kind, row in early or [("nutrient_budget", budget.id)]:
                yield Against(kind, row, "too_little_after_emergence", *amounts)
            return
        if need and after > 0 and (after + left_out) * WHOLE >= share:
            yield from (Shown("nutrient_application", key, *amounts) for key, day in dated if day > emerged[1])
            return
        if not need:
            yield Missing("nutrient_budget", "synthetic_n_need_lb_per_ac", budget.id)
        if possible > after:
            yield from _not_surely_after(nitrogen, *emerged)
    yield from _not_decided(season.may_be_synthetic)
    yield from season.all_applications.missing


def _not_surely_after(nitrogen: Nitrogen, first: date, last: date) -> Iterator[Missing]:
    """Yield what leaves open whether an application counts: its day, its zone, or the day of emergence."""
    for one in nitrogen.synthetic:
        if one.day is None:
            yield Missing("nutrient_application", "day", one.id)
        elif one.day > last and nitrogen.is_on_part(one):
            yield Missing("nutrient_application", "zone", one.id, "part_without_zone")
        elif first <= one.day <= last:
            yield Missing("planting", "emerged_on", reason="emergence_not_known")


def _split_unknown(season: Season, nitrogen: Nitrogen) -> Iterator[Missing]:
    """Yield what leaves the share unknown, whatever the amounts."""
    budget = season.budget
    if budget is None:
        yield Missing("nutrient_budget")
    elif budget.need_source is None:
        yield Missing("nutrient_budget", "need_source", budget.id)
    elif nitrogen.is_far_over(nitrogen.over_unit(nitrogen.synthetic), nitrogen.need):
        yield Missing("nutrient_budget", "synthetic_n_need_lb_per_ac", budget.id, "far_over_need")
    elif nitrogen.is_planned_over_need:
        yield Missing("nutrient_budget", "synthetic_n_need_lb_per_ac", budget.id, "need_below_plan")
    yield from _pounds_missing(season.may_be_synthetic, "n")
    if season.first_planting is None:
        yield Missing("planting", "planted_on")


# (d)(2) is reserved.

# (e) Records. They show a thing or do not yet: nothing here can be not met.


@records(
    "2100.053(e)(1)",
    "The budget shows a yield goal and all sources of N-P-K, and an opinion it is based on is on file.",
)
def records_nutrients_budget(season: Season) -> Iterator[Finding]:
    """Yield goal, plan, removals, each source answered, and the file of the opinion where one is the basis."""
    budget = season.budget
    if budget is None:
        yield Missing("nutrient_budget")
        return
    lacks: list[Finding] = [*blanks(budget, *PLAN), *_sources_missing(season, budget)]
    if budget.basis == "expert_opinion":
        given = season.opinion
        lacks += evidence.why_not_shown(season.rows, given, evidence.OPINION) if given else [Missing("expert_opinion")]
    yield from lacks or [Shown("nutrient_budget", budget.id)]


@records("2100.053(e)(2)", "A soil test within two years of the budget is on file, with laboratory, method and date.")
def records_nutrients_soil_test(season: Season) -> Iterator[Finding]:
    """An expert's opinion may be the basis of the budget, but results are still asked for (interpretation 25).

    In-season samples "should" be provided too.
    """
    for found in _soil_tested(season):
        yield Missing("soil_test", "sampled_on", reason=found.reason) if isinstance(found, Against) else found
    if (test := season.soil_test) is not None:
        yield from blanks(test, "laboratory", "method")
        yield from evidence.why_not_shown(season.rows, test, evidence.SOIL)


@records("2100.053(e)(3)", "Date, method and pounds of N-P-K of each application are recorded.")
def records_nutrients_applications(season: Season) -> Iterator[Finding]:
    """Pounds per acre typed, or computed from product and rate; all applications are listed."""
    if not season.applications:
        yield Missing("nutrient_application")
    for one in season.applications:
        lacks: list[Finding] = [*blanks(one, "day", "method"), *_pounds_missing([one], *NUTRIENTS)]
        yield from lacks or [Shown("nutrient_application", one.id, one.day)]
    yield from season.all_applications.show_complete()


def _pounds_missing(applications: Iterable[Application], *nutrients: str) -> Iterator[Missing]:
    for one in applications:
        unknown = (nutrient for nutrient in nutrients if one.pounds(nutrient) is None)
        yield from (Missing("nutrient_application", f"{nutrient}_lb_per_ac", one.id) for nutrient in unknown)


@records("2100.053(e)(4)", "Source, type and nutrient content of what was supplied are recorded.")
def records_nutrients_content(season: Season) -> Iterator[Finding]:
    """A product of the fertilizer list brings its analysis along."""
    if not season.applications:
        yield Missing("nutrient_application", "product")
    yield from season.applications_misplaced()
    for one in season.applications:
        lacks: list[Finding] = [*_not_decided([one])]
        if any(_pounds_missing([one], *NUTRIENTS)):
            lacks.append(Missing("nutrient_application", "product", one.id, "content_not_known"))
        yield from lacks or [Shown("nutrient_application", one.id)]


records("2100.053(e)(5)", UNIT_LIES, name="records_nutrients_unit")(Season.where_unit_lies)


@records("2100.053(e)(6)", "The planting date is recorded.")
def records_nutrients_planting(season: Season) -> Iterator[Finding]:
    """Every planting: on replants the first one is needed as well (interpretation 23)."""
    if season.first_planting is None:
        yield Missing("planting", "planted_on")
    else:
        yield from (Shown("planting", one.id, one.planted_on) for one in season.plantings)


@records("2100.053(e)(7)", "The acres under the practice are recorded, so that they add up across the operation.")
def records_nutrients_acres(season: Season) -> Iterator[Finding]:
    """The acres of the unit; a report adds them up."""
    yield from recorded([season.unit], "acres", unit="acres")


records("2100.053(e)(8)", BUSHELS, name="records_nutrients_bushels")(Season.bushels_known)


@records(
    "2100.053(b)(1)",
    "Inhibitor bought is enough for the nitrogen treated across the operation.",
    practices=(INHIBITOR,),
)
def records_inhibitor_bought(season: Season) -> Iterator[Finding]:
    """Rate times acres treated against quantity bought, product by product across the farm (interpretation 22).

    A farm whose inhibitor comes only inside its fertilizer has nothing to buy beside it.
    """
    if not season.may_be_synthetic:
        yield Missing("nutrient_application")
    for one in season.may_be_synthetic:
        if not one.inhibitor_rate and not inhibitor_of(season, one).comes_inside:
            yield Missing("nutrient_application", "inhibitor_rate", one.id)
    yield from supply.enough_inhibitor(season)


# (f) is for the verifier: the budget accounts for all known sources, inhibitors went on with 100 percent of synthetic
# nitrogen, and management records show the timing.
