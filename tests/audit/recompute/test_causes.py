"""Root causes first: what follows from one change is folded under one line, and nothing with a cause of its own is."""

from dataclasses import replace
from time import process_time

import pytest

from provender.audit.outcome import Difference
from provender.audit.recompute.checks import Cause, causes_of
from provender.audit.recompute.verify import by_stake
from tests.audit.mutation.changes import Change, changes
from tests.audit.mutation.hands import Hand, tampered
from tests.audit.mutation.run import Run, parties
from tests.audit.prairie import chain

pytestmark = pytest.mark.xdist_group("prairie")


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    folder = chain(5)
    pins = (folder / "pins.json").read_bytes()
    return {name: Run(name, party, pins) for name, party in parties(folder).items()}


def change_of(run: Run, path: str, field: str, place: str = "") -> Change:
    return next(
        one for one in changes(run.files)
        if one.path.endswith(path) and one.field == field and one.what in ("value", "cell") and place in one.place
    )  # fmt: skip


def led(run: Run, change: Change, hand: Hand) -> list[Cause]:
    found, _ = run.judge.differences(tampered(run.party, change, hand))
    causes = causes_of(by_stake(found))
    assert sum(1 + len(one.follows) for one in causes) == len(by_stake(found)), "each difference stands once"
    return causes


@pytest.mark.parametrize("hand", list(Hand))
def test_a_changed_crushing_yield_gives_one_leading_line(hand: Hand, runs: dict[str, Run]) -> None:
    run = runs["crusher"]
    (cause,) = led(run, change_of(run, "book.jsonl", "yield rate"), hand)
    first = "line 18, yield yield-2026-Q1" if hand is Hand.BAGGED else "book of plains-crush, lines "
    assert first in cause.leading.place
    assert len(cause.follows) > 100


def test_a_changed_harvest_leads_with_its_row_and_a_count_that_disagrees_stands_beside_it(
    runs: dict[str, Run],
) -> None:
    run = runs["farm"]
    causes = led(run, change_of(run, "harvest.csv", "bushels", "2025"), Hand.BAGGED)
    assert [one.leading.code for one in causes] == ["record_changed:harvest", "bushels_differ"]
    assert {one.code.partition(":")[2] for one in causes[0].follows} >= {"unit", "totals", "average"}


def difference(code: str, *about: str) -> Difference:
    return Difference(code, "2100.020", " ".join((*about, code)), "a", code, about=(about,))


def test_what_is_about_another_unit_report_or_book_is_not_folded() -> None:
    given = [
        difference("record_changed:operation", "report", "U1"),
        difference("report_differs:stir", "report", "U2"),
        difference("report_differs:totals", "report"),
        difference("report_differs:stir", "another report", "U1"),
    ]
    assert [len(one.follows) for one in causes_of(given)] == [1, 0, 0]
    assert causes_of(given)[0].follows == (given[2],)


def test_two_changed_rows_a_bad_signature_and_a_paper_without_its_sale_each_lead() -> None:
    first = difference("record_changed:operation", "report", "U1")
    rows = [first, replace(first, place="another row")]
    others = [
        difference("transfer_differs:yield_lb_per_bu", "coop"),
        difference("transfer_differs:missing", "coop"),
        difference("signature_changed", "coop"),
    ]
    assert [one.leading for one in causes_of([*rows, *others])] == [*rows, *others]
    assert len(causes_of([*others[:2], difference("book_seal", "coop")])) == 1


def test_many_differences_are_folded_in_one_pass() -> None:
    """A report whose units are nothing made five thousand lines lead; each was held against all before it."""
    alone = [replace(difference("report_differs:average", "report"), place=str(each)) for each in range(20_000)]
    papers = [replace(difference("transfer_differs:ci_g_per_bu", "coop"), claimed=str(each)) for each in range(20_000)]
    start = process_time()
    assert len(causes_of([*alone, *papers])) == 40_000
    assert process_time() - start < 4
