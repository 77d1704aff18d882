"""What is told beside the thresholds of subpart F; at, under, over and missing: ``conformance/verdicts``."""

from dataclasses import replace
from datetime import date

import pytest

from provender.practices.assess import assess
from provender.practices.facts import facts
from provender.practices.nutrients import inhibitor_with_all_synthetic_n
from provender.practices.operation_wide import sufficiency
from provender.practices.prepared_book import load
from provender.rule.law import rule_version
from tests.practices.season import book_of, changed, clean_season, verdict_of


@pytest.mark.parametrize(("pounds", "told"), [("40", False), ("40.001", True), ("39.999", False), ("", False)])
def test_more_than_a_quarter_of_the_need_before_emergence_is_told_and_not_judged(pounds: str, *, told: bool) -> None:
    rows = changed(clean_season(), "nutrient_application", 0, n_lb_per_ac=pounds)
    assert ("n_early_share" in {one.code for one in assess(book_of(rows)).problems}) is told
    assert verdict_of(rows, "split_post_emergence_share") is (True if pounds else None)


@pytest.mark.parametrize("need", ["", "0"])
def test_without_a_need_there_is_no_share(need: str) -> None:
    rows = changed(clean_season(), "nutrient_budget", synthetic_n_need_lb_per_ac=need)
    assert verdict_of(rows, "split_post_emergence_share") is None
    assert verdict_of(rows, "split_in_season") is not True


@pytest.mark.parametrize(
    ("pct", "pounds", "answer"),
    [
        (100_000, "30", False),
        (81_250, "30", True),
        (81_251, "30", False),
        (81_249, "30", True),
        (81_250, "", None),
    ],
)
def test_a_text_that_asks_for_a_part_of_the_nitrogen_is_held_against_the_pounds(
    pct: int, pounds: str, *, answer: bool | None
) -> None:
    """30 lb go on without an inhibitor and 130 with one, which is 81.25 % of 160."""
    rows = changed(clean_season(), "nutrient_application", 0, n_lb_per_ac=pounds, inhibitor="none", inhibitor_rate="")
    loaded = load(book_of(rows))
    law = replace(rule_version(date(2025, 10, 21)), inhibitor_pct_required=pct)
    found = facts(loaded, law, sufficiency(loaded)).select(inhibitor_with_all_synthetic_n(law)).to_series()
    assert found.to_list()[-1:] == [answer]
