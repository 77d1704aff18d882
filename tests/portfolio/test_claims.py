"""Claims of many books: planted faults are found, each once and by its kind, and no honest chain is."""

import datetime as dt
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
import shapely

from provender.custody.model.balances import Balance, period_balances
from provender.custody.queries.claims import back_of
from provender.custody.reconcile.gathered import ReconcileInput
from provender.custody.store import MemoryStore
from provender.exact import CI_SCALE, show
from provender.portfolio import custody
from provender.portfolio.claims import claims, claims_and_problems
from provender.portfolio.export import export_books
from provender.portfolio.jobs import open_portfolio
from provender.portfolio.validating import same_ground
from tests.custody.papers import told_of
from tests.simulation.cast import BOOKS
from tests.simulation.season import season

BUSHEL: Final = 1000
DAY: Final = dt.date(2026, 1, 5)


@pytest.fixture(scope="module")
def played() -> MemoryStore:
    """Return a season of the simulation's, entered movement by movement."""
    store = MemoryStore()
    season(store, 7, 220)
    return store


def gathered_of(played: MemoryStore) -> tuple[ReconcileInput, custody.Movements]:
    gathered, movements = ReconcileInput(), custody.Movements()
    gathered.add_book("book", played, played.events())
    movements.add("book", played, "")
    return gathered, movements


def periods_of(played: MemoryStore) -> list[Balance]:
    return [one for name in BOOKS for one in period_balances(played, name)]


Rows = list[dict[str, Any]]
Span = tuple[int, int]


def claim(key: str, origin: str, span: tuple[int, int], hands: tuple[str, str], **more: object) -> dict[str, Any]:
    start, stop = (bushels * BUSHEL for bushels in span)
    row = {"source": hands[0], "kind": "sale", "key": key, "origin": origin, "start": start, "stop": stop,
           "giver": hands[0], "taker": hands[1], "day": DAY}  # fmt: skip
    return row | more


def honest(origins: int) -> list[dict[str, Any]]:
    """Return chains of three hands, each transfer told by both parties, in no order of days."""
    rows = []
    for number in range(origins):
        farm, origin = f"F{number}", f"O{number}"
        for key, span, hands, day in (
            (f"a{number}", (0, 600), (farm, "coop"), 1),
            (f"b{number}", (600, 1000), (farm, "mill"), 2),
            (f"c{number}", (100, 300), ("coop", "crusher"), 20),
        ):
            row = claim(key, origin, span, hands, day=dt.date(2026, 1, day))
            rows += [row, row | {"source": hands[1]}]
    return rows


def frame(name: str, rows: list[Any]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict(custody.SCHEMAS[name]), orient="row")


def found(tmp_path: Path, rows: list[dict[str, Any]], more: dict[str, pl.DataFrame] | None = None) -> pl.DataFrame:
    origins = sorted({row["origin"] for row in rows})
    roots = frame(custody.ORIGIN, [(name, f"F{name[1:]}") for name in origins])
    books = frame(custody.BOOK, [(name, name) for name in sorted({row["source"] for row in rows})])
    export_books(
        [],
        tmp_path / "p",
        custody={custody.CLAIM: frame(custody.CLAIM, rows), custody.ORIGIN: roots, custody.BOOK: books, **(more or {})},
    )
    return claims(open_portfolio(tmp_path / "p"), part=50)


def told_twice(key: str, hands: tuple[str, str], day: int, kind: str = "sale", span: Span = (0, 600)) -> Rows:
    row = claim(key, "O1", span, hands, day=dt.date(2026, 1, day), kind=kind)
    return [row, row | {"source": hands[1]}]


BOUGHT: Final = told_twice("a", ("F1", "coop"), 2)


@pytest.mark.parametrize(("rows", "kind"), [
    (told_twice("a", ("F1", "coop"), 20) + told_twice("b", ("coop", "mill"), 5), "overlap"),
    (BOUGHT + told_twice("b", ("coop", "mill"), 5) + told_twice("c", ("coop", "other"), 7)
     + told_twice(back_of("b"), ("mill", "coop"), 9, "return"), "double_sale"),
    (BOUGHT + told_twice("x", ("X", "Y"), 5) + told_twice("y", ("Y", "X"), 6), "broken_chain"),
    (BOUGHT + told_twice("b", ("coop", "mill"), 1, span=(500, 600)), "overlap"),
], ids=["sold before bought", "sold twice, one back later", "a circle of strangers", "a part too early"])  # fmt: skip
def test_hands_out_of_order_are_found(tmp_path: Path, rows: Rows, kind: str) -> None:
    stake = 100 if rows[-1]["start"] else 600
    assert found(tmp_path, rows).select("kind", "bushels").rows() == [(kind, stake * BUSHEL)]


@pytest.mark.parametrize("books", [[("coop", "coop")], [("mill", "mill"), ("F1", "F1")]])
def test_who_gave_too_soon_is_said_only_where_its_book_is_there(tmp_path: Path, books: list[tuple[str, str]]) -> None:
    """What the coop sold before it bought this it may have had from somebody whose book is not here."""
    rows = told_twice("a", ("F1", "coop"), 20) + told_twice("b", ("coop", "mill"), 5)
    there = {name for name, _ in books}
    kept = [row for row in rows if row["source"] in there]
    result = found(tmp_path, kept, {custody.BOOK: frame(custody.BOOK, books)})
    assert result["kind"].to_list() == (["overlap"] if "coop" in there else [])


@pytest.mark.parametrize("first", [0, 1])
def test_a_transfer_told_of_two_days_has_the_earlier_whichever_book_comes_first(tmp_path: Path, first: int) -> None:
    """The coop gave on the third what came on the fifth, also where its buyer's book has it on the ninth."""
    told = told_twice("b", ("coop", "mill"), 3)
    told[1] |= {"day": dt.date(2026, 1, 9)}
    rows = [*told_twice("a", ("F1", "coop"), 5), told[first], told[1 - first]]
    assert found(tmp_path, rows).select("kind", "bushels").rows() == [("overlap", 600 * BUSHEL)]


LOADS: Final = [
    row for number in range(12)
    for row in told_twice(f"a{number}", ("F1", "coop"), 2 * number + 1, span=(10 * number, 10 * number + 10))
    + told_twice(f"b{number}", ("coop", "mill"), 2 * number + 2, span=(10 * number, 10 * number + 10))
]  # fmt: skip
"""Bought and sold on load by load: the coop gives before it gets, and never the same serials."""


@pytest.mark.parametrize("rows", [
    LOADS,
    told_twice("a", ("F1", "coop"), 5) + told_twice("b", ("coop", "mill"), 5),
    BOUGHT + told_twice("b", ("coop", "mill"), 5) + told_twice(back_of("b"), ("mill", "coop"), 20, "correct")
    + told_twice("c", ("coop", "other"), 6),
    BOUGHT + told_twice("b", ("coop", "mill"), 5) + told_twice(back_of("b"), ("mill", "coop"), 20, "return")
    + told_twice("c", ("coop", "other"), 21),
    [BOUGHT[0] | {"day": dt.date(2026, 1, 8), "kind": "slip"}, BOUGHT[1], *told_twice("b", ("coop", "mill"), 5)],
    honest(200),
], ids=["load by load", "on one day", "corrected", "returned", "bought before the slip was written",
        "resold 200 times"])  # fmt: skip
def test_honest_hands_in_any_order_of_entry_are_no_finding(tmp_path: Path, rows: Rows) -> None:
    assert found(tmp_path, rows).height == 0


def test_serials_that_no_report_has_are_found_and_those_of_an_earlier_version_are_not(tmp_path: Path) -> None:
    version = ("F1", "corn", 2025, "O1", 1, 600 * BUSHEL, 2_900_000, DAY, "d", "F1")
    smaller = ("F1", "corn", 2025, "O1", 2, 500 * BUSHEL, 2_900_000, DAY, "e", "F1")
    reports = {custody.REPORT: frame(custody.REPORT, [version, smaller])}
    assert found(tmp_path / "within", BOUGHT, reports).height == 0
    more = told_twice("b", ("F1", "mill"), 3, span=(600, 610))
    assert found(tmp_path / "beyond", BOUGHT + more, reports).select("kind", "bushels").rows() == [
        ("broken_chain", 10 * BUSHEL)
    ]
    added = ("F1", "corn", 2025, "O1", 3, 510 * BUSHEL, 2_900_000, DAY, "f", "F1")
    reports = {custody.REPORT: frame(custody.REPORT, [version, smaller, added])}
    assert found(tmp_path / "added", BOUGHT + more, reports).height == 0


@pytest.mark.parametrize("blank", ["day", "key", "kind"])
def test_a_claim_that_lacks_what_every_claim_has_is_left_out_and_told(tmp_path: Path, blank: str) -> None:
    again = claim("b", "O1", (0, 600), ("F1", "mill")) | {blank: None}
    assert found(tmp_path, [*BOUGHT, again]).height == 0
    _, problems = claims_and_problems(open_portfolio(tmp_path / "p"))
    assert [one.code for one in problems] == ["unusable_rows"]


def test_the_search_in_parts_says_what_reconcile_says(tmp_path: Path, played: MemoryStore) -> None:
    gathered, movements = gathered_of(played)
    export_books([], tmp_path / "p", custody=custody.custody_frames(gathered, movements))
    portfolio = open_portfolio(tmp_path / "p")
    kinds = {"double_sale", "overlap", "broken_chain", "second_origin", "same_ticket", "link_not_shown"}
    assert set(claims(portfolio)["message"]) == {one.said for one in told_of(gathered) if str(one.kind) in kinds}
    lines = custody.balances(portfolio)
    assert set(lines.select("entity", "start", "crop", "crop_year", "ci", "beginning", "ending").iter_rows()) == {
        (one.entity, one.start, *line.key, line.beginning, line.ending)
        for one in periods_of(played)
        for line in one.lines
    }
    assert lines["stated"].count() == 0


def test_the_balances_of_several_books_at_once_are_the_cores_of_each(tmp_path: Path) -> None:
    moved, periods = list[pl.DataFrame](), list[tuple[object, ...]]()
    expected = set[tuple[object, ...]]()
    for seed in range(11, 18):
        store, own = MemoryStore(), custody.Movements()
        assert season(store, seed, 100).movements >= 100
        own.add("book", store, "")
        moved += [rows.with_columns((pl.lit(f"{seed} ") + pl.col("entity")).alias("entity")) for rows in own.frames]
        periods += [(f"{seed} {entity}", *rest) for entity, *rest in own.periods]
        expected |= {
            (f"{seed} {name}", one.start, *line.key, line.beginning, line.total_incoming, line.total_outgoing,
             line.ending)
            for name in BOOKS
            for one in period_balances(store, name)
            for line in one.lines
        }  # fmt: skip
    declared = pl.DataFrame(periods, schema=dict(custody.SCHEMAS[custody.PERIOD]), orient="row")
    frames = {custody.MOVEMENT: pl.concat(moved), custody.PERIOD: declared}
    export_books([], tmp_path / "p", custody=frames)
    columns = ("entity", "start", "crop", "crop_year", "ci", "beginning", "incoming", "outgoing", "ending")
    found = set(custody.balances(open_portfolio(tmp_path / "p")).select(columns).iter_rows())
    assert len(expected) > 10
    assert found == expected


def test_balances_are_held_against_the_signed_statements(tmp_path: Path, played: MemoryStore) -> None:
    gathered, movements = gathered_of(played)
    period = next(one for one in periods_of(played) if one.lines)
    line = period.lines[0]
    amounts = {"beginning_bu": line.beginning, "incoming_bu": line.total_incoming, "outgoing_bu": line.total_outgoing}
    said = {"crop": line.key.crop, "harvest_year": line.key.harvest_year, "ci_g_per_bu": show(line.key.ci, CI_SCALE)}
    said |= {name: show(amount) for name, amount in amounts.items()}
    head = {"entity": period.entity, "start": period.start.isoformat(), "end": period.end.isoformat()}
    for number, (off, lines) in enumerate(((0, len(period.lines) - 1), (1_000, len(period.lines)))):
        gathered.periods = [(0, {**head, "lines": [{**said, "ending_bu": show(line.ending + off)}]})]
        root = tmp_path / f"p{number}"
        export_books([], root, custody=custody.custody_frames(gathered, movements))
        table = custody.balances(open_portfolio(root))
        # A closed period states all its equations: those it leaves out are stated as nothing.
        ended = table.filter((pl.col("entity") == period.entity) & (pl.col("start") == period.start))
        assert ended["stated"].null_count() == 0
        wrong = ended.filter("differs")
        assert wrong.height == lines - sum(other.ending == 0 for other in period.lines[1:])


MOVED: Final = [("coop", "corn", 2025, 1, DAY, 9 * BUSHEL, 2 * BUSHEL, "coop")]
STATED: Final = (0, 9 * BUSHEL, 2 * BUSHEL, 7 * BUSHEL)


@pytest.mark.parametrize(("statements", "differs"), [
    ([STATED], False), ([STATED, STATED], False), ([(None, None, None, STATED[3])], False),
    ([(0, 10 * BUSHEL, 3 * BUSHEL, STATED[3])], True), ([(1 * BUSHEL, 9 * BUSHEL, 3 * BUSHEL, STATED[3])], True),
    ([(*STATED[:3], 8 * BUSHEL)], True), ([STATED, (*STATED[:3], 8 * BUSHEL)], True),
    ([(*STATED[:3], 8 * BUSHEL), STATED], True),
])  # fmt: skip
def test_a_statement_differs_in_any(tmp_path: Path, statements: list[tuple[int | None, ...]], *, differs: bool) -> None:
    rows = [("coop", DAY, DAY, "corn", 2025, 1, *amounts, "coop") for amounts in statements]
    frames: dict[str, list[Any]] = {
        custody.MOVEMENT: MOVED,
        custody.PERIOD: [("coop", DAY, DAY, "coop")],
        custody.STATEMENT: rows,
    }
    export_books([], tmp_path / "p", custody={name: frame(name, of) for name, of in frames.items()})
    assert custody.balances(open_portfolio(tmp_path / "p"))["differs"].to_list() == [differs]


def square(west: float, south: float, size: float = 0.004) -> bytes:
    return bytes(shapely.to_wkb(shapely.box(west, south, west + size, south + size)))


def units(*rows: tuple[str, str, bytes]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"farm_id": pl.String, "unit_id": pl.String, "geometry": pl.Binary}, orient="row")


def test_outlines_in_metres_are_compared_with_nothing() -> None:
    """A square metre that two share would be thousands of acres were it degrees."""
    boxes = [shapely.box(-10_686_000, 4_721_000, -10_685_500, 4_721_500),
             shapely.box(-10_685_501, 4_721_000, -10_685_000, 4_721_500)]  # fmt: skip
    units = pl.DataFrame({"farm_id": ["F1", "F2"], "unit_id": ["U", "U"], "geometry": list(shapely.to_wkb(boxes))})
    assert same_ground(units).height == 0


def test_neighbours_that_share_borders_are_no_finding_and_an_acre_of_overlap_is() -> None:
    grid = [(f"F{x}", f"U{y}", square(-96 + 0.004 * x, 39 + 0.004 * y)) for x in range(20) for y in range(20)]
    assert same_ground(units(*grid)).height == 0
    # A strip of 444 m is an acre where it is 9.1 m wide: 0.000105 degrees of longitude there.
    east = -96 + 0.004 * 20
    over, under = ("F77", "X", square(east - 0.000_107, 39)), ("F78", "Y", square(east - 0.000_104, 39.02))
    found_pairs = same_ground(units(*grid, over, under))
    assert found_pairs.select("farm_a", "unit_a", "farm_b", "unit_b").rows() == [("F19", "U0", "F77", "X")]
    assert 1_000 < found_pairs["acres"][0] < 1_100


@pytest.mark.parametrize("wkb", [b"", b"\x01\x06\x00", shapely.to_wkb(shapely.MultiPolygon())])
def test_what_is_no_outline_is_passed_over(wkb: bytes) -> None:
    assert same_ground(units(("F1", "U1", wkb), ("F2", "U2", square(-96, 39)), ("F3", "U3", wkb))).height == 0
