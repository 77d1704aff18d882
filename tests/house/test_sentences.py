"""Sentences with numbers group thousands and have a form for one and for several: no "1 tickets", no "33317 bu"."""

from typing import Final

import pytest

from provender.custody.events.grain import tickets_show
from provender.exact import grouped
from tests.house.source import found, modules

pytestmark = pytest.mark.xdist_group("house")

GROUPED: Final = (
    "custody/events", "custody/queries", "custody/reconcile", "services/custody", "services/audits", "web/custody",
    "web/audit", "audit/statement", "audit/programme.py",
)  # fmt: skip
COUNTED: Final = (*GROUPED, "custody", "cli/custody", "cli/audit", "audit/recompute", "audit/package")


def test_sentences_of_trade_and_audits_have_both_forms_and_the_searches_find_them() -> None:
    source = 'f"{len(a)} tickets were"; f"{len(a)} ticket(s)" if a else f"{len(a)} lots"; f"{len(a)} was"'
    assert found(source).counts == [(1, " tickets were")]
    assert found('f"{show(a)} bu and {show(b, group=True)} bu, {show(c)} %"').ungrouped == [(1, " bu and ")]
    assert {path: one.counts for path, one in modules(*COUNTED, holding="len").items() if one.counts} == {}
    assert {path: one.ungrouped for path, one in modules(*GROUPED, holding="show").items() if one.ungrouped} == {}


@pytest.mark.parametrize(
    ("tickets", "said"), [(0, "0 tickets show 12 bu."), (1, "1 ticket shows 12 bu."), (2, "2 tickets show 12 bu.")]
)
def test_what_tickets_show_has_both_forms(tickets: int, said: str) -> None:
    assert tickets_show(tickets, 12_000) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [("33317", "33,317"), ("-1234567.125", "-1,234,567.125"), ("999", "999"), ("0.5", "0.5"), ("", ""),
     ("2026-01-05", "2026-01-05"), ("T-33317", "T-33317"), ("33,317", "33,317"), ("12345.", "12345.")],
)  # fmt: skip
def test_an_amount_s_text_is_grouped_and_nothing_else_is(text: str, said: str) -> None:
    assert grouped(text) == said
