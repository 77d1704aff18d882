"""What is wrong with the evidence that rows name, as a farmer reads it: row, cause, remedy, paragraph (2100.030(d))."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import polars as pl

from provender.practices.evidence_links import NEEDS, REMEDIES, SENTENCES, Need, Trouble, evidence_states, links
from provender.practices.prepared_book import PreparedBook
from provender.problem import Place, Problem
from provender.records.kind import KINDS

KEPT: Final = "2100.030(d)"


def evidence_problems(loaded: PreparedBook) -> list[Problem]:
    """Return a problem for each piece of evidence that cannot support the row that names it.

    A row that needs a file tells of every fault; any other row only of names without a sound file behind them.
    """
    found = [one for need in NEEDS for one in _needed(loaded, need)]
    states = None
    needed = {(need.kind, need.column) for need in NEEDS}
    for kind in KINDS:
        frame = loaded.book[kind]
        if (kind, "evidence") in needed or frame.is_empty() or frame["evidence"].null_count() == frame.height:
            continue
        states = evidence_states(loaded.book) if states is None else states
        named = links(frame.with_row_index("row").select("row", "farm_id", "evidence"), "evidence", states)
        found += _told(named, frame, Need(kind, "evidence", (), KEPT, "evidence"))
    return found


def _needed(loaded: PreparedBook, need: Need) -> Iterator[Problem]:
    if loaded.links[need.kind].is_empty():
        return
    rows = loaded.supported[need.kind].with_row_index("row")
    open_ = rows.filter(~pl.col("supported")).select("row")
    yield from _told(loaded.links[need.kind].join(open_, on="row", how="semi"), rows, need)


def _told(named: pl.DataFrame, rows: pl.DataFrame, need: Need) -> Iterator[Problem]:
    for link in named.filter(pl.col("trouble").is_not_null()).iter_rows(named=True):
        row = rows.row(link["row"], named=True)
        trouble = Trouble(link["trouble"])
        place = Place(row["source_file"] or need.kind, row["source_sheet"] or "", row["source_row"] or 0, need.column)
        name = row.get(KINDS[need.kind].key_columns[-1])
        needed = f"; needed is {need.what}" if need.whats else ""
        cause = f"{name}: {sentence(link)}{needed}."
        yield Problem(place, cause, REMEDIES[trouble], need.cite, code=f"evidence_{trouble}")


def sentence(link: Mapping[str, Any]) -> str:
    """Return what is wrong with a link, without its full stop."""
    return SENTENCES[Trouble(link["trouble"])].format(
        name=link["evidence_id"], file=link["file"], what=str(link["what"]).replace("_", " "),
        unit=link["evidence_unit"], day=link["taken_on"],
    )  # fmt: skip
