"""Rows that contradict other rows, told one by one: place, cause, remedy (2100.051(c)(2), 2100.053(a)(1), (e)(3))."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import polars as pl

from provender.catalog.names import at_once
from provender.exact import show
from provender.practices.implied_passes import FAR
from provender.practices.load_nutrients import WHOLLY_OFF
from provender.practices.prepared_book import PreparedBook
from provender.problem import Place, Problem, Weight
from provender.records.kind import seeded_after_harvest
from provender.rule.law import rule_version

_KIND: Final = {"planting": "Planting", "cover_crop": "Cover crop", "nutrient_application": "Nutrient application"}


def contradictions(loaded: PreparedBook, judged: pl.DataFrame) -> list[Problem]:
    """Return a problem for each row of the judged intervals that another row, or the catalogue, contradicts.

    ``judged`` is the result of ``evaluate``.
    """
    if judged.is_empty():
        return []
    days = judged.select("interval_key", "last_day", "unit_id", "harvest_id")
    return [*_after_harvest(loaded), *_without_pass(loaded, days), *_against_product(loaded, days), *_over_plan(judged)]


def _after_harvest(loaded: PreparedBook) -> Iterator[Problem]:
    names = ("farm_id", "harvest_id")
    last = loaded.book["harvest"].lazy().select(*names, "last_day")
    both = loaded.book["cover_crop"].lazy().join(last, on=names, how="inner")
    late = at_once(both.filter(pl.col("seeded_on") > pl.col("last_day")).sort("farm_id", "cover_id"))
    for row in late.iter_rows(named=True):
        what = (row["cover_id"], row["seeded_on"], row["harvest_id"], row["last_day"])
        if found := seeded_after_harvest(_place(row, "cover_crop"), *what):
            yield found


def _without_pass(loaded: PreparedBook, days: pl.DataFrame) -> Iterator[Problem]:
    far = loaded.implied.lazy().filter(pl.col("days_off") > 0)
    rows = far.join(days.lazy(), on="interval_key", how="inner").sort("interval_key", "day", "key")
    for row in at_once(rows).iter_rows(named=True):
        within = rule_version(row["last_day"]).implied_pass_days
        if row["days_off"] <= within:
            continue
        nearest = "none is recorded" if row["days_off"] >= FAR else f"the nearest lies {row['days_off']} days off"
        lower = _KIND[row["kind"]].lower()
        if row["day"] is None:
            cause = (
                f"{row['unit_id']}: {lower} {row['key']} says {row['what']}, and names no day, so that nobody can tell "
                "which field operation was that pass."
            )
            remedy = "Write the day and the method of this row."
        else:
            cause = (
                f"{row['unit_id']}: {lower} {row['key']} says {row['what']} on {row['day']}, and no field operation "
                f"within {within} days can be that pass ({nearest})."
            )
            remedy = "Record the pass among the field operations, or correct the day or the method of this row."
        yield Problem(_place(row, row["kind"]), cause, remedy, "2100.051(c)(2)", Weight.CONFIRM, "pass_missing")


def _against_product(loaded: PreparedBook, days: pl.DataFrame) -> Iterator[Problem]:
    of_interest = (pl.col("off_analysis_pct") > 0).fill_null(value=False) | pl.col("synthetic_differs")
    of_interest |= pl.col("under_label") | pl.col("mined_asked")
    rows = loaded.applications.lazy().filter(of_interest).drop("unit_id", "harvest_id")
    told = at_once(rows.join(days.lazy(), on="interval_key").sort("application_id"))
    for row in told.iter_rows(named=True):
        name = f"{row['unit_id']}: application {row['application_id']} of {row['product']}"
        place = _place(row, "nutrient_application")
        if (row["off_analysis_pct"] or 0) > rule_version(row["last_day"]).analysis_difference_pct_max:
            by = "" if row["off_analysis_pct"] >= WHOLLY_OFF else f" by {show(row['off_analysis_pct'])} %"
            cause = f"{name}: the pounds typed differ{by} from what the product's analysis gives at its rate."
            remedy = "Correct the pounds, the rate or the product."
            yield Problem(place, cause, remedy, "2100.053(e)(3)", Weight.CONFIRM, "off_analysis")
        if row["synthetic_differs"]:
            cause = f"{name}: the row denies what the fertilizer list says of this product's nitrogen."
            remedy = "Leave the answer about synthetic N blank, or correct the product."
            yield Problem(place, cause, remedy, "2100.053(e)(4)", Weight.CONFIRM, "synthetic_differs")
        elif row["mined_asked"]:
            cause = f"{name}: the row says that this nitrate is not synthetic, and the rule does not define the word."
            remedy = "Confirm that it was mined; answer yes about synthetic N if it was made."
            yield Problem(place, cause, remedy, "2100.053(b)(1)", Weight.CONFIRM, "mined_nitrate")
        if row["under_label"]:
            cause = f"{name}: {row['inhibitor']} went on below the least rate of its label."
            remedy = "Correct the rate; a label with another least rate goes into inhibitor_acceptance.label_rate."
            yield Problem(place, cause, remedy, "2100.053(b)(1)", Weight.CONFIRM, "under_label")


def _over_plan(judged: pl.DataFrame) -> Iterator[Problem]:
    for row in judged.filter("n_over_plan").iter_rows(named=True):
        applied, planned = show(row["n_all_lb_per_ac"]), show(row["planned_n_lb_per_ac"])
        cause = f"{row['unit_id']}, {row['harvest_id']}: {applied} lb N/ac went on and the budget planned {planned}."
        if row["source_fertilizer_n"] is not None:
            cause += f" Of its sources, commercial fertilizer and starter bring {show(row['source_fertilizer_n'])}."
        remedy = "Correct the applications or the budget: a plan that was not followed shows nothing."
        place = Place(row["budget_file"] or "nutrient_budget", row=row["budget_row"] or 0, column="planned_n_lb_per_ac")
        yield Problem(place, cause, remedy, "2100.053(a)(1)", Weight.CONFIRM, "over_plan")


def _place(row: Mapping[str, Any], kind: str) -> Place:
    return Place(row["source_file"] or kind, row=row["source_row"] or 0)
