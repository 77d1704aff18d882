"""What is looked at closely only where something is alike at a glance is found as if all were looked at closely."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provender.custody.documents.read import FarmReport
from provender.custody.queries.claims import Claim, back_of
from provender.custody.reconcile import comparison as circular
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.comparison import circles, compared
from provender.custody.reconcile.discrepancies import at_a_glance, look_alikes, skeleton
from provender.custody.reconcile.gathered import Gathered, Weighed
from provender.custody.reconcile.legs import Leg, LegPart

NAMES: Final = st.text("0O1lI|ia-~ .b\u0430\uff11\u00e4T", max_size=6) | st.text(max_size=4)
"""Letters that are printed alike, separators, and any others."""
NUMBERS: Final = st.sampled_from(["T1", "t1", "T-1", "T2", "1-12", "11-2"])


def grouped(names: Iterable[str]) -> list[tuple[str, ...]]:
    """The groups of names with one skeleton, by looking at each."""
    groups: dict[str, set[str]] = defaultdict(set)
    for name in names:
        groups[skeleton(name)].add(name)
    return [tuple(sorted(groups[shape])) for shape in sorted(groups) if shape and len(groups[shape]) > 1]


@given(st.lists(NAMES, max_size=12))
def test_names_look_alike_by_their_skeletons(names: Sequence[str]) -> None:
    assert list(look_alikes(names)) == grouped(names)


@given(NAMES)
def test_at_a_glance_separators_do_not_count(name: str) -> None:
    assert at_a_glance(name) == skeleton(name).replace("-", "").encode()


@given(st.lists(st.tuples(st.sampled_from("ab"), NUMBERS, st.sampled_from("xy"), st.integers(1, 2)), max_size=8))
def test_one_ticket_at_two_sites_is_found_by_its_skeleton(rows: Sequence[tuple[str, str, str, int]]) -> None:
    gathered = Gathered()
    for site, number, name, bushels in rows:
        gathered.tickets[site, number][name] = bushels
    places: dict[tuple[str, str, int], list[tuple[str, str]]] = defaultdict(list)
    for (site, number), behind in gathered.tickets.items():
        for name, bushels in behind.items():
            places[skeleton(number), name, bushels].append((site, number))
    twice = [those for those in places.values() if len({site for site, _ in those}) > 1]
    wanted = {" and ".join(f"{number} of {site}" for site, number in those) for those in twice}
    found = [one.said for one in reconcile(gathered) if "one ticket at two sites" in one.said]
    assert len(found) == len(twice)
    assert {one.removeprefix("Ticket ").partition(" is one ticket")[0] for one in found} == wanted


ROWS: Final = st.tuples(
    st.sampled_from("ab"), NUMBERS, st.sampled_from(["sale 1", "sale 2", "purchase"]), st.integers(1, 2),
    st.integers(1, 2), st.booleans(),
)  # fmt: skip


@given(st.lists(ROWS, max_size=8))
def test_one_ticket_behind_two_sales_is_found_by_its_skeleton(
    rows: Sequence[tuple[str, str, str, int, int, bool]],
) -> None:
    gathered = Gathered()
    for buyer, number, name, amount, day, at_buyer in rows:
        gathered.sent[buyer, number][name] = Weighed(amount, date(2026, 1, day), at_buyer)
    behind: dict[tuple[str, str, int], dict[date | None, set[str]]] = defaultdict(lambda: defaultdict(set))
    for (buyer, number), trades in gathered.sent.items():
        for name, one in trades.items():
            for on in (one.day, None) if one.at_buyer else (one.day,):
                behind[buyer, skeleton(number), one.amount][on].add(name)
    wanted = set()
    for (buyer, shape, amount), alike in behind.items():
        several = [names for names in alike.values() if len(names) > 1 and any(one.startswith("sale") for one in names)]
        if several:
            wanted.add((buyer, shape, amount, " and ".join(sorted(set[str]().union(*several)))))
    found = [one for one in reconcile(gathered) if "stands behind" in one.said]
    told = {(f"Ticket {shape} of {buyer}, ", amount, names) for buyer, shape, amount, names in wanted}
    assert len(found) == len(told)
    for start, amount, names in told:
        assert any(
            one.said.startswith(start) and one.bushels == amount and one.said.endswith(f"stands behind {names}.")
            for one in found
        )


KEYS: Final = st.sampled_from(["s1", "s2", "s3", back_of("s1"), back_of(back_of("s1"))])
KINDS: Final = st.sampled_from(["sale", "purchase"]) | st.sampled_from(["slip", "return", "reject", "correct"])
DAYS: Final = st.integers(1, 2).map(lambda day: date(2026, 1, day))
SPANS: Final = st.tuples(st.integers(0, 2), st.integers(1, 3)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    start, stop = draw(SPANS)
    source, kind, key = draw(st.integers(0, 1)), draw(KINDS), draw(KEYS)
    giver, taker = draw(st.permutations(["farm", "house", "mill"]))[:2]
    return Claim(source, kind, key, "o", start, stop, giver, taker, draw(DAYS))


@settings(max_examples=400)
@given(st.lists(claims(), max_size=9), st.sampled_from([{}, {"o": "farm"}, {"o": "house"}]))
def test_serials_that_came_round_are_found_as_if_every_trade_were_looked_at(
    told: Sequence[Claim], roots: dict[str, str]
) -> None:
    found = [(one.bushels, one.said) for one in circles(told, roots)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(circular, "_came_first", lambda *_: False)
        assert [(one.bushels, one.said) for one in circles(told, roots)] == found


def test_a_house_that_sold_what_it_bought_that_day_did_not_go_round_and_one_that_had_sold_it_before_did() -> None:
    bought = Claim(0, "purchase", "s1", "o", 0, 10, "farm", "house", date(2026, 1, 2))
    sold = Claim(0, "sale", "s2", "o", 0, 5, "house", "mill", date(2026, 1, 2))
    assert list(circles([bought, sold], {"o": "farm"})) == []
    (early,) = circles([bought, sold._replace(day=date(2026, 1, 1))], {"o": "farm"})
    assert early.bushels == 5
    again = Claim(1, "sale", "s3", "o", 0, 4, "mill", "house", date(2026, 1, 2))
    (had,) = circles([bought._replace(day=date(2026, 1, 1)), sold, again], {"o": "farm"})
    (grew,) = circles([sold, again], {"o": "house"})
    assert had.bushels == grew.bushels == 4


PARTS: Final = st.tuples(
    st.integers(0, 2), st.sampled_from(["o", "p", ""]), SPANS, st.sampled_from(["corn", "soybeans", ""]),
    st.sampled_from([0, 2025, 2026]), st.integers(1, 3), DAYS,
)  # fmt: skip
NOTICES: Final = st.tuples(st.sampled_from("op"), st.integers(1, 3), DAYS, SPANS)
REPORTS: Final = st.tuples(st.sampled_from("op"), st.integers(1, 3))


@given(st.lists(PARTS, max_size=6), st.lists(NOTICES, max_size=2), st.lists(REPORTS, max_size=2))
def test_a_better_intensity_is_found_as_if_all_that_was_traded_were_looked_at(
    parts: Sequence[tuple[int, str, tuple[int, int], str, int, int, date]],
    notices: Sequence[tuple[str, int, date, tuple[int, int]]],
    reports: Sequence[tuple[str, int]],
) -> None:
    gathered = Gathered(names=["a", "b", "c"], owners=[frozenset()] * 3)
    traded: dict[str, list[tuple[int, int, date, int]]] = defaultdict(list)
    for number, (source, origin, span, crop, year, ci, day) in enumerate(parts):
        part = LegPart(origin, *span, crop, year, ci, "corn", 0)
        gathered.legs["house", "mill", str(number)][source] = Leg(day, (part,))
        if origin and crop:
            traded[origin].append((*span, day, ci))
    gathered.noticed += [(origin, ci, day, (span,)) for origin, ci, day, span in notices]
    for origin, ci in reports:
        gathered.reports.append((0, FarmReport("farm", "corn", 2025, 1, ci, 1, "", date(2026, 1, 1), ""), origin))
    wanted = set()
    for origin, rows in traded.items():
        known = {ci for name, ci in reports if name == origin}
        told = [(*span, day, ci) for name, ci, day, span in notices if name == origin]
        seen, heard = {row[3] for row in rows}, {row[3] for row in told}
        least = min(known | heard) if known else min(seen)
        better = [
            (one, other) for one in [*rows, *told] for other in [*rows, *told]
            if max(one[0], other[0]) < min(one[1], other[1]) and one[2] < other[2] and other[3] < one[3]
        ]  # fmt: skip
        if min(seen) < least or better:
            wanted.add(origin)
    found = [one.said.partition(" ")[0] for one in compared(gathered) if "better carbon intensity" in one.said]
    assert sorted(found) == sorted(wanted)
