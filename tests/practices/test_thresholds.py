"""What is told beside the thresholds of subpart F; at, under, over and missing: ``conformance/verdicts``."""

import pytest

from provender.practices.assess import assess
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
