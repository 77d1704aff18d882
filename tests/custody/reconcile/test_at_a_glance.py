"""What is looked at closely only where something is alike at a glance is found as if all were looked at closely."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.gathered import Gathered
from provender.custody.reconcile.look_alikes import at_a_glance, look_alikes, skeleton
from provender.custody.reconcile.noted import Weighed

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
