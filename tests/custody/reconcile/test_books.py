"""Books side by side show double sales by sorting; an honest book with many resales is never called one."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provender.custody.documents.build import transfer_document
from provender.custody.documents.read import read_transfer
from provender.custody.events.reports import ReportEvent
from provender.custody.queries.claims import Claim, Leg, LegPart, back_of, differences
from provender.custody.queries.double_claims import Fault, _looked_at, counted_once, double_claims, frame, suspects
from provender.custody.reconcile.books import rewritten
from provender.custody.reconcile.comparison import circles
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind, look_alikes, skeleton
from provender.custody.reconcile.gathered import PaperMark, ReconcileInput, Seals, without_shown_twice
from provender.custody.store import MemoryStore
from provender.problem import ProblemsError
from tests.custody.papers import ADA, DAY, buyer_book, elevator_book, gather_books, letter, salted, take, told_of
from tests.custody.world import CAST, Event, ev, posted
from tests.draws import part_of_draws

START = date(2026, 1, 1)


def claim(giver: str, taker: str, start: int, stop: int, *, key: str, day: int = 0, source: int = 0) -> Claim:
    return Claim(source, "sale", key, "o1", start, stop, giver, taker, START + timedelta(days=day))


def faults(*claims: Claim, root: str | None = "farm") -> list[tuple[str, int]]:
    found = double_claims(counted_once(frame(claims)), {"o1": root} if root else {})
    return [(str(one.fault), one.stop - one.start) for one in found]


GOT, GAVE = claim("farm", "a", 0, 100, key="p"), claim("a", "b", 0, 60, key="s", day=1)
CHAINS: Final[dict[str, tuple[list[Claim], list[tuple[str, int]]]]] = {
    "two buyers, by the overlap": ([GOT, GAVE, claim("a", "c", 59, 100, key="t", day=1)], [("double_sale", 1)]),
    "two buyers of parts that touch": ([GOT, GAVE, claim("a", "c", 60, 100, key="t", day=1)], []),
    "the same buyer twice": ([GOT, GAVE, claim("a", "b", 50, 60, key="t", day=1)], [("double_sale", 10)]),
    "sold after it was retired": (
        [GOT, claim("a", "", 0, 10, key="r", day=1), claim("a", "b", 0, 10, key="s", day=2)], [("double_sale", 10)]),
    "given by a stranger": ([GOT, GAVE, claim("c", "d", 0, 10, key="t", day=2)], [("broken_chain", 10)]),
    "one transfer in two books, cut differently": (
        [GOT, GAVE, claim("a", "b", 0, 40, key="s", source=2), claim("a", "b", 40, 60, key="s", source=2)], []),
    "gone, back and elsewhere on one day, then given by a stranger": (
        [claim("farm", "b", 0, 10, key="q"), claim("a", "farm", 0, 10, key=back_of("p")),
         claim("farm", "a", 0, 10, key="p"), claim("c", "d", 0, 10, key="t", day=2)], [("broken_chain", 10)]),
}  # fmt: skip


@pytest.mark.parametrize("chain", CHAINS)
def test_what_changes_hands_twice_or_from_nowhere_is_told_by_its_bushels(chain: str) -> None:
    claims, told = CHAINS[chain]
    assert faults(*claims) == told


def test_that_a_party_gave_what_had_not_come_is_said_only_where_its_whole_book_is_there() -> None:
    steps = counted_once(frame([claim("farm", "a", 0, 10, key="p", day=2), claim("a", "b", 0, 10, key="s")]))
    assert double_claims(steps, {"o1": "farm"}, {"farm", "b"}) == []
    for books in ({"a"}, None):
        assert [one.fault for one in double_claims(steps, {"o1": "farm"}, books)] == [Fault.OVERLAP]


@pytest.mark.parametrize(
    "after",
    [
        [claim("d", "e", 0, 10, key="u", day=3)],
        [claim("d", "c", 0, 10, key="u", day=3), claim("c", "d", 0, 10, key=back_of("u"), day=3)],
        [claim("d", "", 0, 10, key="u", day=3)],
    ],
    ids=["sold on", "given to the stranger and back in a day", "ended"],
)
def test_what_follows_on_a_missing_link_does_not_make_it_a_double_claim(after: list[Claim]) -> None:
    steps = [claim("farm", "a", 0, 10, key="p"), claim("c", "d", 0, 10, key="t", day=2), *after]
    assert faults(*steps) == [(Fault.BROKEN_CHAIN, 10)]
    assert faults(*steps, claim("c", "x", 0, 10, key="w", day=4)) == [(Fault.DOUBLE_SALE, 10)]
    assert faults(*steps, claim("a", "x", 0, 10, key="w", day=4)) == [(Fault.OVERLAP, 10)]


def test_two_chains_that_never_meet_overlap() -> None:
    chain = [claim("u", "v", 0, 10, key="1"), claim("v", "w", 0, 10, key="2", day=5)]
    assert faults(*chain, claim("x", "y", 5, 15, key="3", day=4), root=None) == [(Fault.OVERLAP, 5)]
    assert faults(*chain, claim("x", "y", 5, 15, key="3", day=5), root=None) == [(Fault.BROKEN_CHAIN, 5)]


def honest(seed: int) -> tuple[list[Claim], list[tuple[str, int, int]]]:
    """Random resales, splits, circles, endings, each row in one or both books; and who holds what in the end."""
    chance = random.Random(seed)
    held = [("farm", 0, 1000)]
    rows: list[Claim] = []
    for number in range(chance.randint(1, 60)):
        owner, start, stop = held.pop(chance.randrange(len(held)))
        if owner == "":
            held.append((owner, start, stop))
            continue
        middle = chance.randint(start + 1, stop)
        taker = chance.choice([name for name in ("a", "b", "c", "d", "e", "") if name != owner])
        sources = chance.choice([(1,), (2,), (1, 2)])
        rows += [claim(owner, taker, start, middle, key=f"m{number}", day=number // 5, source=one) for one in sources]
        held.append((taker, start, middle))
        if middle < stop:
            held.append((owner, middle, stop))
    chance.shuffle(rows)
    return rows, held


@settings(max_examples=part_of_draws(4))
@given(st.integers(0, 2**32))
def test_an_honest_book_with_many_resales_is_never_called_a_double_sale(seed: int) -> None:
    rows, _ = honest(seed)
    assert faults(*rows) == []
    assert faults(*rows, root=None) == []


@settings(max_examples=part_of_draws(4))
@given(st.integers(0, 2**32))
def test_one_row_too_many_among_many_resales_is_always_found(seed: int) -> None:
    rows, held = honest(seed)
    holder, start, stop = random.Random(seed).choice(held)
    forger = next(name for name in ("a", "b") if name != holder)
    assert faults(*rows, claim(forger, "z", start, stop, key="forged", day=99)) != []


def side_by_side(*books: tuple[str, MemoryStore], letters: tuple[dict[str, Any], ...] = ()) -> list[Discrepancy]:
    gathered = gather_books(*books)
    for number, one in enumerate(letters):
        found, _ = read_transfer(one, f"letter-{number}.json")
        assert found
        gathered.add_transfer(f"letter-{number}.json", found)
    return told_of(gathered)


def test_both_books_and_the_document_between_them_agree() -> None:
    seller, buyer = elevator_book(), buyer_book()
    take(buyer, letter(seller))
    document = transfer_document(seller, "s1", as_of=DAY)
    assert side_by_side(("coop", seller), ("crush", buyer), letters=(document,)) == []


def test_a_resale_and_a_return_across_books_are_honest() -> None:
    seller, buyer = elevator_book(), buyer_book()
    take(buyer, letter(seller))
    posted(seller, [ev("accept", "acc", "2026-02-02", taker="crush", movement="s1")])
    for store, movement in ((seller, "s1"), (buyer, "document-coop-s1")):
        ids = {"giver": "crush", "taker": "coop", "movement": movement}
        amount = {"amount": "500"}
        posted(store, [ev("return", f"back-{movement}", "2026-02-10", site="north", **ids, **amount)])
    assert side_by_side(("coop", seller), ("crush", buyer)) == []


def test_a_paper_taken_back_leaves_no_counterpart_missing_and_no_second_chain() -> None:
    seller, buyer = elevator_book(), buyer_book()
    document = transfer_document(seller, "s1", as_of=DAY)
    take(buyer, letter(seller))
    for store, who, movement in ((seller, "coop", "s1"), (buyer, "crush", "document-coop-s1")):
        posted(store, [ev("correct", "c1", "2026-02-10", entity=who, movement=movement, reason="typed twice")])
    assert side_by_side(("crush", buyer), letters=(document,)) == []
    assert side_by_side(("coop", seller), ("crush", buyer), letters=(document,)) == []


def taken_back(seller: MemoryStore, *movements: str) -> None:
    for number, movement in enumerate(movements):
        again = ev("correct", f"c{number}", "2026-02-02", entity="coop", movement=movement, reason="typed twice")
        posted(seller, [again])


def test_a_sale_that_only_its_seller_took_back_leaves_the_same_bushels_in_two_books() -> None:
    seller, buyer = elevator_book(), buyer_book()
    take(buyer, letter(seller))
    taken_back(seller, "s1")
    found = side_by_side(("coop", seller), ("crush", buyer))
    assert [(one.kind, one.bushels) for one in found] == [(DiscrepancyKind.MISSING_COUNTERPART, 2_500_500)]
    assert "took it back as entered in error, and the buyer's (crush.jsonl) has 2,500.5 bu of it still" in found[0].said


def test_what_the_buyer_gave_back_of_a_sale_taken_back_is_not_counted_twice() -> None:
    seller, buyer = elevator_book(), buyer_book()
    take(buyer, letter(seller))
    taken_back(seller, "s1")
    given = ev(
        "return", "r1", "2026-02-10", giver="crush", taker="coop", movement="document-coop-s1", amount="2500",
        site="north",
    )  # fmt: skip
    posted(buyer, [given])
    assert [one.bushels for one in side_by_side(("coop", seller), ("crush", buyer))] == [500]


def test_a_sale_whose_correction_was_taken_back_stands_in_both_books_and_has_its_paper() -> None:
    seller, buyer = elevator_book(), buyer_book()
    taken_back(seller, "s1")
    with pytest.raises(ProblemsError, match="taken back by c0"):
        transfer_document(seller, "s1", as_of=DAY)
    taken_back_twice = elevator_book()
    taken_back(taken_back_twice, "s1", "c0")
    take(buyer, letter(taken_back_twice))
    assert side_by_side(("coop", taken_back_twice), ("crush", buyer)) == []
    found = side_by_side(("coop", taken_back_twice), ("crush", buyer_book()))
    assert [one.kind for one in found] == [DiscrepancyKind.MISSING_COUNTERPART]
    taken_back(third := elevator_book(), "s1", "c0", "c1")
    with pytest.raises(ProblemsError, match="taken back by c0"):
        transfer_document(third, "s1", as_of=DAY)


def test_a_seller_who_writes_two_documents_over_the_same_serials_is_found_by_the_bushels() -> None:
    seller = elevator_book()
    document = transfer_document(seller, "s1", as_of=DAY)
    twin = {**document, "number": "s9", "buyer": {"id": "mill", "name": "Mill"}}
    found = side_by_side(("coop", seller), letters=(document, twin))
    assert [(one.kind, one.bushels) for one in found] == [
        (DiscrepancyKind.DOUBLE_SALE, 2_500_500),
        (DiscrepancyKind.MISSING_COUNTERPART, 2_500_500),
    ]


def test_fewer_bushels_hide_no_other_difference() -> None:
    """A value that each leg has alone is told, whatever the bushels; one that the shorter leg lacks is not."""

    def leg(*parts: tuple[int, int]) -> Leg:
        day = date(2026, 2, 1)
        return Leg(day, tuple(LegPart("", 0, size, "corn", 2025, ci, "corn", 0) for size, ci in parts))

    whole = leg((1_000_000, 560_000))
    assert list(differences(whole, leg((1_000_001, 300_000)))) == ["carbon intensity 5600 and 3000"]
    assert list(differences(whole, leg((1_000_000, 300_000)))) == ["carbon intensity 5600 and 3000"]
    assert list(differences(whole, leg((1_000_000, 560_000), (1, 300_000)))) == []
    assert list(differences(whole, leg((999_999, 560_000)))) == []


def report(farm: str, origin: str, bushels: int, **more: Any) -> tuple[ReportEvent, str]:  # noqa: ANN401
    fields = {"version": 1, "salt": "", "day": DAY, "ci": 500_000, **more}
    return ReportEvent(
        id=f"report of {farm}", entity=farm, crop="corn", harvest_year=2025, bushels=bushels, **fields
    ), origin


@pytest.mark.parametrize(
    ("second", "kinds"),
    [
        (report("ada", "o1", 9_000), []),
        (report("ada", "o2", 9_000), [DiscrepancyKind.SECOND_ORIGIN]),
        (report("ada", "o1", 8_999), [DiscrepancyKind.REPORTS_DIFFER]),
        (report("ada", "o1", 9_000, ci=500_001), [DiscrepancyKind.REPORTS_DIFFER]),
        (report("ada", "o1", 8_000, version=2), []),
        (report("ben", "o2", 9_000), []),
    ],
)
def test_a_farm_has_one_origin_a_crop_and_year(second: tuple[ReportEvent, str], kinds: list[DiscrepancyKind]) -> None:
    gathered = ReconcileInput()
    gathered.add_report("first.json", *report("ada", "o1", 9_000))
    gathered.add_report("second.json", *second)
    assert [one.kind for one in told_of(gathered)] == kinds


def test_a_ticket_or_a_field_behind_two_farms_is_found() -> None:
    gathered = ReconcileInput()
    gathered.tickets["coop/north", "T-1"].update({"o1": 900, "o2": 800})
    gathered.fields["f00d"].update({"ada": 5_000, "ben": 4_000})
    assert [(one.kind, one.bushels) for one in told_of(gathered)] == [
        (DiscrepancyKind.SAME_FIELD, 4_000),
        (DiscrepancyKind.SAME_TICKET, 800),
    ]


def test_serials_that_come_back_to_their_seller_are_a_circle_and_no_double_sale() -> None:
    gathered = ReconcileInput(names=["x"], owners=[frozenset()], roots={"o1": "farm"})
    gathered.claims = [
        claim("farm", "a", 0, 10, key="p"),
        claim("a", "b", 0, 10, key="s1", day=1),
        claim("b", "c", 0, 8, key="s2", day=2),
        claim("c", "a", 0, 6, key="s3", day=3),
    ]
    assert [(one.kind, one.bushels) for one in told_of(gathered)] == [(DiscrepancyKind.CIRCULAR_TRADE, 6)]
    gathered.claims.append(claim("a", "c", 2, 6, key=back_of("s3"), day=4)._replace(kind="reject"))
    assert [(one.kind, one.bushels) for one in told_of(gathered)] == [(DiscrepancyKind.CIRCULAR_TRADE, 2)]
    again = claim("c", "a", 2, 4, key=back_of(back_of("s3")), day=5)._replace(kind="correct")
    gathered.claims.append(again)
    assert [(one.kind, one.bushels) for one in told_of(gathered)] == [(DiscrepancyKind.CIRCULAR_TRADE, 4)]


def period(start: str, end: str, beginning: str, incoming: str, outgoing: str, ending: str) -> dict[str, Any]:
    amounts = {"beginning_bu": beginning, "incoming_bu": incoming, "outgoing_bu": outgoing, "ending_bu": ending}
    line = {"crop": "corn", "harvest_year": 2025, "ci_g_per_bu": "5000", **amounts}
    return {
        "type": "custody-period-statement",
        "entity": {"id": "coop"},
        "balance": {"entity": "coop", "start": start, "end": end, "lines": [line]},
    }


FIRST = period("2026-01-01", "2026-03-31", "0", "100", "60", "40")


@pytest.mark.parametrize(
    ("second", "bushels"),
    [
        (period("2026-04-01", "2026-06-30", "40", "0", "40", "0"), []),
        (period("2026-04-01", "2026-06-30", "40.001", "0", "40.001", "0"), [1]),
        (period("2026-04-01", "2026-06-30", "40", "0", "39.999", "0"), [1]),
        (period("2026-04-01", "2026-06-30", "0", "0", "0", "0"), [40_000]),
        (period("2026-04-01", "2026-06-30", "40", "0", "45", "-5"), [5_000]),
        (period("2026-04-02", "2026-06-30", "40", "0", "40", "0"), [0]),
        ({**FIRST, "balance": {"entity": "coop"}}, [0]),
    ],
)
def test_periods_balance_and_begin_with_what_the_last_ended_with(second: dict[str, Any], bushels: list[int]) -> None:
    gathered = ReconcileInput()
    gathered.add_paper("one.json", FIRST)
    gathered.add_paper("two.json", second)
    found = told_of(gathered)
    assert [one.bushels for one in found] == bushels
    assert all(one.kind is DiscrepancyKind.UNBALANCED_PERIOD for one in found)


def test_a_book_alone_has_nothing_to_say_against_itself() -> None:
    assert side_by_side(("coop", elevator_book())) == []


@settings(max_examples=part_of_draws(4))
@given(st.integers(0, 2**32))
def test_the_search_leaves_no_honest_serial_to_be_looked_at(seed: int) -> None:
    rows, _ = honest(seed)
    once = counted_once(frame(rows)).with_columns(origin=pl.lit(0, pl.Int64))
    for root in ("farm", None):
        known = pl.DataFrame({"origin": [0], "root": [root]}, schema={"origin": pl.Int64, "root": pl.String})
        assert suspects(once, known).is_empty()


def test_the_hands_of_a_double_sale_are_told_in_the_order_of_their_days_with_what_ended() -> None:
    hands = [("zoe", "coop", 3), ("coop", "mill", 5), ("coop", "bay", 7), ("mill", "", 9)]
    claims = [
        Claim(0, "sale", f"k{day}", "o", 0, 1_000, giver, taker, date(2026, 1, day)) for giver, taker, day in hands
    ]
    (found,) = double_claims(counted_once(frame(claims)), {"o": "zoe"})
    assert found.parties == (
        "zoe to coop (k3, 2026-01-03)", "coop to mill (k5, 2026-01-05)", "coop to bay (k7, 2026-01-07)",
        "mill ended it (k9, 2026-01-09)",
    )  # fmt: skip


def test_what_comes_back_in_parts_has_the_days_of_the_parts_also_where_two_books_tell_of_it() -> None:
    told_by_both = [
        one
        for source in (0, 1)
        for one in (
            claim("a", "c", 0, 100, key="s1", day=5, source=source),
            claim("c", "a", 0, 40, key=back_of("s1"), day=10, source=source),
            claim("c", "a", 40, 100, key=back_of("s1"), day=20, source=source),
        )
    ]
    on = [claim("c", "d", 50, 60, key="s2", day=12), claim("d", "c", 50, 60, key=back_of("s2"), day=15)]
    assert faults(claim("farm", "a", 0, 100, key="p"), *told_by_both, *on) == []


class Asked(dict[int, Seals]):
    """Seals that count how often all of them are gone through."""

    times = 0

    def items(self) -> Any:  # noqa: ANN401 - of the dict
        self.times += 1
        return super().items()


def test_many_papers_are_held_each_against_the_books_of_its_own_party() -> None:
    gathered, parties = ReconcileInput(), [f"party {number}" for number in range(20)]
    gathered.names = [*(f"{party}.jsonl" for party in parties), "paper.json"]
    asked = Asked({number: Seals(party, f"{number:016d}") for number, party in enumerate(parties)})
    gathered.seals = asked
    gathered.marks = [(20, PaperMark(party, 1, f"{number:016d}")) for number, party in enumerate(parties)]
    assert list(rewritten(gathered)) == []
    gathered.marks[7] = (20, PaperMark("party 7", 1, "another"))
    assert [one.said for one in rewritten(gathered)] == [
        "paper.json was made from 1 lines of the book of party 7: party 7.jsonl differs up to there."
    ]
    assert asked.times == 2


class Row(dict[str, Any]):
    """A claim that counts how often its serials are asked for."""

    asked = 0

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - of the dict
        Row.asked += name in ("start", "stop")
        return super().__getitem__(name)


def test_many_honest_returns_of_one_origin_are_each_looked_at_a_few_times() -> None:
    """Each by each, four hundred rows would be asked for theirs some hundred thousand times."""
    rows = [
        Row(one._asdict())
        for number in range(100)
        for one in (
            claim("farm", "a", number, number + 1, key=f"p{number}"),
            claim("a", "b", number, number + 1, key=f"s{number}", day=1),
            claim("b", "a", number, number + 1, key=back_of(f"s{number}"), day=2),
            claim("a", "c", number, number + 1, key=f"t{number}", day=3),
        )
    ]
    Row.asked = 0
    assert list(_looked_at("o1", rows, [(0, 100)], "farm", None)) == []
    assert Row.asked < 10 * len(rows)


# A landowner's share stands in the books of farm and landowner alike, and no third book has more of it.

SHARE: Final = ev("share", "sh", "2026-01-05", giver="ada", taker="lena", origin=ADA, spans=[["5000", "8000"]])
MORE: Final = {**SHARE, "spans": [["5000", "9000"]]}
AGAIN: Final = {**SHARE, "id": "sh2", "spans": [["8000", "9000"]]}
BACK: Final = ev("correct", "c", "2026-01-06", entity="ada", movement="sh", reason="x")
SOLD: Final = [
    ev("slip", "sl", "2026-01-08", giver="lena", taker="mill", origin=ADA, spans=[["5000", "6000"]]),
    ev("purchase", "buy", "2026-01-08", giver="lena", taker="mill", slip="sl", site="mill"),
]
SEEN: Final = {**SHARE, "id": "sh-sl", "spans": [["5000", "6000"]]}
"""What a buyer's book keeps of the share: under a name of its own, no more than it bought of it."""


def book(owner: str, *events: Event) -> tuple[str, MemoryStore]:
    store = posted(MemoryStore(owner), [*CAST, salted(), *events])
    return owner, store


DIFFER: Final[dict[str, tuple[list[Event], list[Event], tuple[str, int]]]] = {
    "other bushels": ([SHARE], [MORE], ("missing_counterpart", 1_000_000)),
    "a second share": ([SHARE], [SHARE, AGAIN], ("missing_counterpart", 1_000_000)),
    "other serials": ([SHARE], [{**SHARE, "spans": [["4999", "7999"]]}], ("missing_counterpart", 2_000)),
    "not in the landowner's": ([SHARE], [], ("missing_counterpart", 3_000_000)),
    "not in the farm's": ([], [SHARE], ("missing_counterpart", 3_000_000)),
    "taken back in one": ([SHARE, BACK], [SHARE], ("missing_counterpart", 3_000_000)),
    "another day": ([SHARE], [{**SHARE, "day": "2026-01-04"}], ("legs_differ", 3_000_000)),
}


@pytest.mark.parametrize("name", DIFFER)
def test_a_share_that_farm_and_landowner_tell_differently_is_told_once(name: str) -> None:
    mine, its, told = DIFFER[name]
    found = side_by_side(book("ada", *mine), book("lena", *its))
    assert [(str(one.kind), one.bushels) for one in found if one.kind is not DiscrepancyKind.IN_DISPUTE] == [told]


@pytest.mark.parametrize("pair", [([SHARE], [SHARE]), ([MORE], [SHARE, AGAIN])])
def test_a_share_told_alike_in_one_entry_or_two_is_not_told(pair: tuple[list[Event], list[Event]]) -> None:
    assert side_by_side(book("ada", *pair[0]), book("lena", *pair[1])) == []


def test_a_buyers_book_may_name_a_part_of_the_share_for_itself_and_may_not_have_more_of_it() -> None:
    ada, lena = book("ada", SHARE), book("lena", SHARE, SOLD[0])
    assert side_by_side(ada, lena, book("mill", SEEN, *SOLD)) == []
    found = side_by_side(book("ada", {**SHARE, "spans": [["5500", "8000"]]}), book("mill", SEEN, *SOLD))
    assert [(str(one.kind), one.bushels) for one in found] == [("legs_differ", 500_000)]


@pytest.mark.parametrize("told", [True, False])
def test_a_return_that_a_book_further_on_was_shown_as_a_part_of_a_document_counts_once(told: bool) -> None:
    """Which is all that a server shows of how serials came back to whoever sold them on."""

    def claim(source: int, kind: str, key: str, giver: str, taker: str, number: int) -> Claim:
        return Claim(source, kind, key, "o", 0, 10, giver, taker, date(2026, 1, number))

    rows = [
        claim(0, "sale", "s1", "coop", "mill", 2),
        claim(0, "return", back_of("s1"), "mill", "coop", 3),
        claim(0, "sale", "s2", "coop", "fuel", 5),
    ]
    shown = claim(1, "document", "r1 at 0", "mill", "coop", 3)
    owners = [frozenset({"coop"}), frozenset({"fuel"})]
    found = list(without_shown_twice([*(rows if told else rows[:1] + rows[2:]), shown], owners))
    assert [one.key for one in found if one.giver == "mill"] == ([back_of("s1")] if told else ["r1"])


def test_a_book_that_is_shown_more_of_a_slip_between_others_than_the_farm_signed_is_told() -> None:
    slip = ev("slip", "s1", "2026-01-05", giver="ada", taker="coop", origin=ADA, spans=[["0", "100"]])
    shown = {**slip, "id": "s1-d7"}
    assert side_by_side(book("ada", slip), book("mill", shown)) == []
    found = side_by_side(book("ada", slip), book("mill", {**shown, "spans": [["50", "200"]]}))
    assert [(str(one.kind), one.bushels) for one in found] == [("legs_differ", 100_000)]


# Names look alike where their skeletons are one.

NAMES: Final = st.text("0O1lI|ia-~ .b\u0430\uff11\u00e4T", max_size=6) | st.text(max_size=4)
"""Letters that are printed alike, separators, and any others."""


def grouped(names: Iterable[str]) -> list[tuple[str, ...]]:
    groups: dict[str, set[str]] = defaultdict(set)
    for name in names:
        groups[skeleton(name)].add(name)
    return [tuple(sorted(groups[shape])) for shape in sorted(groups) if shape and len(groups[shape]) > 1]


@given(st.lists(NAMES, max_size=12))
def test_names_look_alike_by_their_skeletons(names: Sequence[str]) -> None:
    assert list(look_alikes(names)) == grouped(names)


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
