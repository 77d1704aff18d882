"""Which evidence a row may rest on: a file that is there, unchanged, of its kind, unit and day (interpretation 59).

A name is not evidence. Each requirement for a file is declared once, as a ``Need``; verdicts, problems and the report
ask ``linked`` for the rows of its kind with what their evidence is worth.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

import polars as pl

from provender.catalog.names import collected, without
from provender.practices import verdict as v
from provender.records.book import RecordBook
from provender.records.kind import KINDS

PAPERS: Final = ("invoice", "receipt", "seed_tag", "contract", "form", "ticket")
"""What may show a purchase, or a named substitute of one."""


class Trouble(StrEnum):
    """Why a link to evidence supports nothing, in the order in which it is looked at."""

    NOTHING = "nothing"
    """The name stands in no evidence record."""
    MISSING = "missing"
    """The file is not there."""
    UNHASHED = "unhashed"
    """No hash was recorded, so nobody can say whether the file was changed."""
    CHANGED = "changed"
    """The file is not the one whose hash was recorded."""
    TWO_KINDS = "two_kinds"
    """Another row says that the same file is another kind of thing, which one of them cannot be."""
    KIND = "kind"
    """It is another kind of thing than the fact needs."""
    UNIT = "unit"
    """It belongs to another management unit."""
    SHARED = "shared"
    """Rows of several units rest on it: on one record without a unit, or on one picture under several names."""
    DAY = "day"
    """It was made on a day on which it cannot have been made."""


@dataclass(frozen=True, slots=True)
class Need:
    """A fact that needs a file."""

    kind: str  # the record, and its column that names evidence
    column: str  # the record, and its column that names evidence
    whats: tuple[str, ...]  # kinds of evidence that can show it
    cite: str  # the paragraph
    what: str  # what is needed, in words
    own_unit: bool = False  # whether a file without a unit counts only for one unit
    first: str = ""  # columns with the first and last possible day; empty for no border
    last: str = ""  # columns with the first and last possible day; empty for no border
    # a column with a day from which the paper may differ by the rule version's number of days; or empty
    around: str = ""


PHOTO: Final = Need(
    "cover_crop", "established_photo", ("photograph",), "2100.052(b)(5)",
    "a photograph of this unit, taken between seeding and termination", own_unit=True, first="seeded_on",
    last="terminated_on",
)  # fmt: skip
SEED: Final = Need(
    "seed_purchase", "evidence", PAPERS, "2100.052(b)(1)", "the paper of the purchase, or a note on own seed",
    around="received_on",
)  # fmt: skip
SOIL: Final = Need(
    "soil_test", "evidence", ("laboratory_report", "form"), "2100.053(e)(2)",
    "the laboratory's report, not older than the sample", first="sampled_on",
)  # fmt: skip
OPINION: Final = Need(
    "expert_opinion", "evidence", ("form", "contract", "laboratory_report"), "2100.053(a)(2)",
    "the written opinion", around="given_on",
)  # fmt: skip
INHIBITOR: Final = Need(
    "inhibitor_purchase", "evidence", PAPERS, "2100.053(b)(1)", "the paper of the purchase", around="received_on"
)
PRINTOUT: Final = Need(
    "calculator_run", "evidence", ("printout",), "2100.031(c)(2)(i)",
    "the calculator's printout, screenshot or workbook, not older than the run", first="run_on",
)  # fmt: skip
ONE_THING: Final = ("photograph", "printout", "machine_file")
"""What is nothing else: a file under one of these and under another word is told of twice, and one is wrong."""
NEEDS: Final = (PHOTO, SEED, SOIL, OPINION, INHIBITOR, PRINTOUT)

SENTENCES: Final[Mapping[Trouble, str]] = {
    Trouble.NOTHING: "{name} is the name of no evidence record",
    Trouble.MISSING: "the file {file} of {name} is not there",
    Trouble.UNHASHED: "no SHA-256 of the file {file} is on record, so nobody can tell whether it was changed",
    Trouble.CHANGED: "the file {file} is not the one whose SHA-256 is on record: it was changed or exchanged",
    Trouble.TWO_KINDS: "{name} is called a {what}, and another row calls the same file something else",
    Trouble.KIND: "{name} is a {what}, which cannot show it",
    Trouble.UNIT: "{name} belongs to unit {unit}",
    Trouble.SHARED: "{name} stands for several units: rows of several units name it or the same picture",
    Trouble.DAY: "{name} is of {day}, a day on which it cannot have been made",
}
REMEDIES: Final[Mapping[Trouble, str]] = {
    Trouble.NOTHING: "Add the evidence record with its file, or correct the name.",
    Trouble.MISSING: "Put the file back, or upload it again.",
    Trouble.UNHASHED: "Record it with `provender evidence BOOK --record`, or upload the file.",
    Trouble.CHANGED: "Put the original file back, or enter the new one as evidence of its own.",
    Trouble.TWO_KINDS: "Correct what the two evidence records say the file is, or remove one of them.",
    Trouble.KIND: "Name the evidence that shows it, or correct what the evidence record says it is.",
    Trouble.UNIT: "Name the evidence of this unit.",
    Trouble.SHARED: "Give each unit a picture of its own, and name the unit in its evidence record.",
    Trouble.DAY: "Correct the day of the evidence or of the row, or name other evidence.",
}


def evidence_states(book: RecordBook) -> pl.DataFrame:
    """Return every evidence record with its standing.

    Returns:
        ``farm_id``, ``evidence_id``, ``file``, ``what``, ``evidence_unit``, ``taken_on``, ``content`` (the hash on
        record) and ``standing``: a ``Trouble``, or null where the file is there and unchanged.
    """
    rows = book["evidence"].select(
        "farm_id", "evidence_id", "file", pl.col("what").cast(pl.String), pl.col("unit_id").alias("evidence_unit"),
        "taken_on", "sha256",
    )  # fmt: skip
    found = [
        _standing(book.files.hash_of(farm, file, sha256), sha256)
        for farm, file, sha256 in rows.select("farm_id", "file", "sha256").iter_rows()
    ]
    content = pl.col("sha256").str.strip_chars().str.to_lowercase().alias("content")
    of_one = v.count_true(pl.col("what").is_in(ONE_THING)).over("farm_id", "content") > 0
    # Other says that nobody said what the file is, which contradicts nothing.
    called = pl.col("what").replace("other", None)
    several = (called.drop_nulls().n_unique() > 1).over("farm_id", "content") & pl.col("content").is_not_null()
    twofold = pl.when(of_one & several).then(pl.lit(Trouble.TWO_KINDS))
    judged = without(rows.with_columns(content, pl.Series("standing", found, pl.String)), "sha256")
    return judged.with_columns(pl.coalesce("standing", twofold).alias("standing"))


def _standing(held: str, recorded: str | None) -> str | None:
    if not held:
        return Trouble.MISSING
    if not recorded:
        return Trouble.UNHASHED
    return None if held == recorded.strip().lower() else Trouble.CHANGED


def evidence_standings(book: RecordBook, farm_id: str, names: Iterable[str]) -> dict[str, str | None]:
    """Return the standing of some of a farm's evidence by name; null where its file is there and unchanged."""
    wanted = list(names)
    if not wanted:
        return {}
    found = {
        row["evidence_id"]: _standing(book.files.hash_of(farm_id, row["file"], row["sha256"]), row["sha256"])
        for row in book.rows_of("evidence", farm_id)
        if row["evidence_id"] in wanted
    }
    return {name: found.get(name, str(Trouble.NOTHING)) for name in wanted}


def links(rows: pl.DataFrame, column: str, states: pl.DataFrame) -> pl.DataFrame:
    """Return one row per row and evidence it names, with that evidence's standing (``trouble``; null is sound).

    ``rows`` carries ``row``, a number of its own, ``farm_id`` and ``column``: names set apart by semicolons.
    """
    named = (
        rows.lazy()
        .filter(pl.col(column).is_not_null())
        .with_columns(pl.col(column).str.split(";").alias("evidence_id"))
        .explode("evidence_id")
        .with_columns(pl.col("evidence_id").str.strip_chars())
        .filter(pl.col("evidence_id") != "")
    )
    joined = named.join(states.lazy(), on=["farm_id", "evidence_id"], how="left", maintain_order="left")
    unknown = pl.when(pl.col("file").is_null()).then(pl.lit(Trouble.NOTHING))
    told = joined.with_columns(pl.coalesce(unknown, "standing").alias("trouble")).drop("standing")
    return collected(told, rows.height)


def linked(book: RecordBook, need: Need, states: pl.DataFrame, *, paper_days: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the rows of a need's kind with ``supported``, and every link of theirs with its ``trouble``.

    Args:
        book: the records.
        need: which fact.
        states: ``evidence_states`` of the book.
        paper_days: by how many days a paper may differ from the day of what it shows.
    """
    return _judged(book[need.kind], need, states, paper_days) if book[need.kind].height else _nothing_linked(need)


@cache
def _nothing_linked(need: Need) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what comes of a kind without rows: each query costs, though it reads nothing."""
    return _judged(KINDS[need.kind].empty(), need, evidence_states(RecordBook.from_frames({})), 0)


def _judged(
    records: pl.DataFrame, need: Need, states: pl.DataFrame, paper_days: int
) -> tuple[pl.DataFrame, pl.DataFrame]:
    rows = records.with_row_index("row")
    days = [name for name in (need.first, need.last, need.around) if name]
    keys = ["unit_id"] if "unit_id" in rows.columns else []
    cells = rows.select("row", "farm_id", need.column, *keys, *(pl.col(name).alias(f"_{name}") for name in days))
    named = links(cells, need.column, states)
    what, taken = pl.col("what"), pl.col("taken_on")
    kind = pl.when(~what.is_in(need.whats)).then(pl.lit(Trouble.KIND))
    named = named.with_columns(pl.coalesce("trouble", kind, *_of_another(keys)).alias("trouble"))
    trouble = pl.coalesce(
        "trouble",
        *_shared(need, keys),
        pl.when(_out_of_days(need, taken, paper_days)).then(pl.lit(Trouble.DAY)),
    )
    judged = named.with_columns(trouble.alias("trouble"))
    good = judged.filter(pl.col("trouble").is_null()).select("row").unique()
    supported = pl.col("row").is_in(good["row"].implode()).alias("supported")
    return without(rows.with_columns(supported), "row"), judged


def _of_another(keys: list[str]) -> list[pl.Expr]:
    """Return where evidence belongs to another unit than the row that names it."""
    if not keys:
        return []
    return [pl.when((pl.col("evidence_unit") != pl.col("unit_id")).fill_null(False)).then(pl.lit(Trouble.UNIT))]


def _shared(need: Need, keys: list[str]) -> list[pl.Expr]:
    """Return where rows of several units rest on one picture; one that supports nothing anyway takes it from nobody."""
    if not keys or not need.own_unit:
        return []
    unit = pl.col("unit_id").filter(pl.col("trouble").is_null())
    units, pictured = (unit.n_unique().over("farm_id", name) for name in ("evidence_id", "content"))
    shared = (pl.col("evidence_unit").is_null() & (units > 1)) | (pictured > 1)
    return [pl.when(shared).then(pl.lit(Trouble.SHARED))]


def _out_of_days(need: Need, taken: pl.Expr, paper_days: int) -> pl.Expr:
    """Return where the evidence's own day cannot be; one without a day takes the day of its row."""
    marks = []
    if need.first:
        marks.append(taken < pl.col(f"_{need.first}"))
    if need.last:
        marks.append(taken > pl.col(f"_{need.last}"))
    if need.around:
        marks.append((taken - pl.col(f"_{need.around}")).dt.total_days().abs() > paper_days)
    return v.any_mark(marks)
