"""Farms that are averaged together get what ``quantify`` says of each alone, whatever is changed in one of them."""

from collections.abc import Iterator
from datetime import date

import polars as pl
import pytest

from bench.nation.farms import averaged, held, state_frames
from provender.intensity.calculator import OFFICIAL
from provender.portfolio.export import stated_files
from provender.portfolio.farm_jobs import FARM, FINDING, UNIT, quantified, quantifier, results
from provender.portfolio.plain_farms import plain_farms
from provender.practices.evaluate import evaluate
from provender.practices.prepared_book import load
from provender.records.book import RecordBook
from provender.records.kind import KINDS
from provender.rule.calculators import packaged_calculators

FARMS = 700
READ = ("unit", "harvest", "calculator_run", "national_default", "bushel_total", "reported_acres", "evidence")
SOURCES = ("source_file", "source_sheet", "source_row")
PAPERS = ("E-RUNS", "E-TICKETS", "E-ACRES")
USED = pl.col("use").is_not_null()
Frames = dict[str, pl.DataFrame]
Change = tuple[str, pl.Expr, dict[str, pl.Expr]]
"""A kind of record, which of a farm's rows, and what they become."""


def honest(*before: tuple[int, Change]) -> Frames:
    """Return farms whose counts, acres and printed averages follow from their fields, changed by farm before that."""
    frames, _ = state_frames("KS", 7, FARMS)
    for number, change in before:
        frames = changed(frames, number, change)
    grown = frames["harvest"].filter(USED).select("farm_id", "harvest_id", "bushels")
    runs = frames["calculator_run"].join(grown, on=["farm_id", "harvest_id"], maintain_order="left")
    runs = averaged(runs.with_columns((pl.col("bushels") // pl.col("acres") * 1000).alias("yield_bu_per_ac")))
    key = ["farm_id", "crop"]
    sums = runs.group_by(key).agg(pl.col("bushels").sum(), pl.col("acres").sum())
    counts = {
        kind: frames[kind].drop(of).join(sums.select(*key, of), on=key, maintain_order="left")
        for kind, of in (("bushel_total", "bushels"), ("reported_acres", "acres"))
    }
    every = frames | counts | {"calculator_run": runs}
    return {kind: frame.select(KINDS[kind].empty().columns) for kind, frame in every.items()}


def in_turn() -> Iterator[Change]:
    """Yield every column that quantification reads: left blank, and with other values, near and far."""
    for kind in READ:
        first = pl.col("farm_id").is_first_distinct()
        rows = [USED & (pl.col("unit_id") == "U3")] if kind == "harvest" else [first]
        if kind == "evidence":
            rows = [pl.col("evidence_id") == paper for paper in PAPERS]
        for name, of in KINDS[kind].empty().schema.items():
            if name not in ("farm_id", *SOURCES):
                yield from ((kind, row, {name: made}) for row in rows for made in others(pl.col(name), of))


def others(value: pl.Expr, of: pl.DataType) -> Iterator[pl.Expr]:
    yield pl.lit(None, of)
    if isinstance(of, pl.Enum):
        yield from (pl.lit(word, of) for word in of.categories)
    elif of == pl.Boolean:
        yield ~value.fill_null(value=False)
    elif of == pl.Date:
        yield from (value.fill_null(pl.date(2025, 10, 1)).dt.offset_by(by) for by in ("-400d", "-40d", "400d"))
    elif of.is_integer():
        yield from (made.cast(of) for made in (value.fill_null(70) + 1, value * 2, value * 0))
    else:
        yield from (value.fill_null("") + "x", pl.lit("none"))


def together() -> Iterator[Change]:
    """Yield changes with which counts and averages agree all the same."""
    field = pl.col("unit_id") == "U3"
    for bushels in (pl.col("bushels") * 2, pl.col("bushels") * 4 // 10, pl.col("bushels") * 0) * 5:
        yield "harvest", USED & field, {"bushels": bushels}
    for step in (1, -90_000):
        yield "calculator_run", pl.col("farm_id").is_first_distinct(), {"ci_g_per_bu": pl.col("ci_g_per_bu") + step}
    for unit in range(5):
        yield "calculator_run", pl.col("unit_id") == f"U{unit}", {"status": pl.lit("beta")}
    yield "calculator_run", pl.lit(value=True), {"ci_g_per_bu": pl.col("ci_g_per_bu") + 90_000}
    yield "calculator_run", pl.lit(value=True), {"ci_g_per_bu": pl.lit(900_000)}


def afterwards() -> Iterator[tuple[Change, ...]]:
    """Yield changes of several rows at once, each set for a farm of its own."""
    whole, corn = pl.lit(value=True), USED & (pl.col("crop").cast(pl.String) == "corn")
    unlisted = {"version": pl.lit("of no list")}
    yield ("calculator_run", whole, unlisted), ("national_default", whole, unlisted)
    yield (("harvest", corn, {"use": pl.lit("seed")}),)
    yield (("harvest", corn, {"ending": pl.lit("terminated")}),)
    over_new_year = {"first_day": pl.lit(date(2025, 12, 20)), "last_day": pl.lit(date(2026, 1, 5))}
    yield (("harvest", USED & (pl.col("unit_id") == "U3"), over_new_year),)
    yield (("harvest", corn, over_new_year),)
    yield (("harvest", USED & (pl.col("unit_id") == "U3"), {"first_day": pl.lit(None), "last_day": pl.lit(None)}),)
    yield (("bushel_total", whole, {"evidence": pl.col("evidence") + "; E-NONE"}),)
    yield (("reported_acres", whole, {"evidence": pl.col("evidence") + "; E-RUNS"}),)
    yield (("calculator_run", whole, {"ci_g_per_bu": pl.lit(None), "farm_ci_g_per_bu": pl.lit(None)}),)
    yield (("calculator_run", whole, {"tillage": pl.lit(None), "farm_ci_g_per_bu": pl.lit(None)}),)


def changed(frames: Frames, number: int, change: Change) -> Frames:
    kind, row, made = change
    farm = pl.col("farm_id") == frames["farm"]["farm_id"][number]
    of = frames[kind].schema
    cells = (pl.when(farm & row).then(to.cast(of[name])).otherwise(name).alias(name) for name, to in made.items())
    return frames | {kind: frames[kind].with_columns(cells)}


def more(frames: Frames, number: int, kind: str, **columns: pl.Expr) -> Frames:
    """Add one row to a farm: its first again, with some columns changed."""
    rows = frames[kind].filter(USED) if kind == "harvest" else frames[kind]
    first = rows.filter(pl.col("farm_id") == frames["farm"]["farm_id"][number]).head(1)
    return frames | {kind: pl.concat([frames[kind], first.with_columns(**columns).cast(frames[kind].schema)])}


def with_more(frames: Frames, last: int) -> Frames:
    run = {"run_id": pl.lit("R-again")}
    total, report = {"total_id": pl.lit("B-again")}, {"report_id": pl.lit("A-again")}
    bushels, acres = pl.col("bushels"), pl.col("acres")
    rows: tuple[tuple[str, dict[str, pl.Expr]], ...] = (
        ("calculator_run", run),
        ("calculator_run", run | {"ci_g_per_bu": pl.col("ci_g_per_bu") + 1}),
        ("calculator_run", run | {"version": pl.lit("another")}),
        ("harvest", {"harvest_id": pl.lit("H-again")}),
        *[("harvest", {"harvest_id": pl.lit("H-again"), "first_day": pl.lit(None), "last_day": pl.lit(None)})] * 4,
        ("bushel_total", total | {"what": pl.lit("settlements")}),
        ("bushel_total", total | {"what": pl.lit("fed"), "bushels": bushels * 0}),
        ("bushel_total", total | {"bushels": bushels * 0, "evidence": pl.lit(None)}),
        ("reported_acres", report | {"acres": acres + 1}),
        ("reported_acres", report | {"acres": acres - 1}),
        ("reported_acres", report | {"what": pl.lit("other"), "acres": acres * 0}),
        ("national_default", {"version": pl.lit("another")}),
        ("evidence", {"evidence_id": pl.lit("E-again"), "what": pl.lit("photograph")}),
    )
    for number, (kind, columns) in enumerate(rows, last):
        frames = more(frames, number, kind, **columns)
    # Only together with their settlements, or with a second load of the field, are the tickets what was harvested.
    first, load_ = pl.col("farm_id").is_first_distinct(), pl.lit(1_000)
    frames = changed(frames, last - 1, ("bushel_total", first, {"bushels": bushels - load_}))
    frames = more(frames, last - 1, "bushel_total", **total, what=pl.lit("settlements"), bushels=load_)
    for number in range(last - 5, last - 1):
        frames = changed(frames, number, ("bushel_total", first, {"bushels": bushels + load_}))
        frames = changed(frames, number, ("calculator_run", pl.lit(value=True), {"farm_ci_g_per_bu": pl.lit(None)}))
        frames = more(frames, number, "harvest", harvest_id=pl.lit("H-again"), bushels=load_)
    return frames


def book_of(frames: Frames) -> RecordBook:
    return RecordBook.from_frames(frames, files=stated_files([held(frames["farm"])]))


@pytest.fixture(scope="module")
def book() -> RecordBook:
    before, after = list(together()), [*((one,) for one in in_turn()), *afterwards()]
    assert len(before) + len(after) < FARMS - 40
    frames = honest(*enumerate(before))
    for number, several in enumerate(after, len(before)):
        for change in several:
            frames = changed(frames, number, change)
    return book_of(with_more(frames, FARMS - 25))


@pytest.fixture(scope="module")
def alone(book: RecordBook) -> Frames:
    loaded = load(book)
    found = list(quantified(book, loaded, evaluate(loaded), OFFICIAL, packaged_calculators()))
    return results(found)


@pytest.mark.parametrize("data_set", [UNIT, FARM, FINDING])
def test_every_change_of_a_record_counts_as_it_does_alone(book: RecordBook, alone: Frames, data_set: str) -> None:
    together = quantifier({})(book)[data_set]
    assert alone[data_set].height >= FARMS
    assert alone[data_set].schema == together.schema
    apart = alone[data_set].hstack(together.rename(lambda name: f"{name}:")).filter(
        pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}:")) for name in together.columns)
    ) if alone[data_set].height == together.height else together  # fmt: skip
    assert apart.rows() == []


def test_farms_in_which_everything_agrees_are_not_looked_at_one_by_one(book: RecordBook, alone: Frames) -> None:
    frames = honest()
    whole = book_of(frames)
    loaded = load(whole)
    assert plain_farms(whole, loaded, evaluate(loaded), packaged_calculators()).farms.len() > FARMS * 0.9
    loaded = load(book)
    plain = set(plain_farms(book, loaded, evaluate(loaded), packaged_calculators()).farms)
    odd = alone[FINDING].filter(~pl.col("code").is_in(["no_practice", "not_below_national"]))["farm_id"]
    assert len(set(odd)) > 50
    assert not plain & set(odd)
