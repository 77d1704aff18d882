"""References between records: plain anti-joins that emit problems."""

from collections.abc import Iterator, Mapping

import polars as pl

from provender.problem import Place, Problem
from provender.records.incomplete_row import IncompleteRow, beside
from provender.records.kind import KINDS, Kind
from provender.records.runs import MANY, begins


def missing_references(frames: Mapping[str, pl.DataFrame]) -> tuple[list[Problem], list[IncompleteRow]]:
    """Find rows that name a record which does not exist on their farm.

    Such a row cannot be placed, so its kind is marked incomplete on the whole farm, as an unreadable key is.
    """
    problems: list[Problem] = []
    incomplete_rows: list[IncompleteRow] = []
    for kind, column, target in _links():
        named = frames[kind.name], column, frames[target], _own_key(KINDS[target])
        if _all_known(*named):
            continue
        rows = _lost(*named)
        for row in rows.iter_rows(named=True):
            place = Place(row["source_file"] or kind.name, row["source_sheet"] or "", row["source_row"] or 0, column)
            label = KINDS[target].label
            cause = f"{row[column]!r} is not among the {label.lower()} of farm {row['farm_id']}."
            remedy = f"Write one that the {target} records name, or add it there."
            problems.append(Problem(place, cause, remedy, kind.fields[column].cite, code="unknown_reference"))
            incomplete_rows.append(IncompleteRow(kind.name, row["farm_id"], None, None, None, *beside(row)))
    return problems, incomplete_rows


def _own_key(kind: Kind) -> str:
    return next(name for name in kind.key_columns if name != "farm_id")


def _links() -> Iterator[tuple[Kind, str, str]]:
    for kind in KINDS.values():
        for name, found in kind.fields.items():
            if found.refers:
                yield kind, name, found.refers


def _all_known(frame: pl.DataFrame, column: str, target: pl.DataFrame, key: str) -> bool:
    """Return whether every name is there: the quick answer, of two narrow columns, since no name is lost as a rule."""
    nothing = frame.get_column(column).null_count()
    if nothing == frame.height:
        return True
    if frame.height < MANY and target.height < MANY:
        lost = _names(frame, column) - _names(target, key)
        return all(name is None for _, name in lost)
    named = frame.select("farm_id", column)
    if named.height >= MANY:  # neighbours mostly name one and the same
        named = named.filter(begins("farm_id", column))
    if nothing:
        named = named.filter(named.get_column(column).is_not_null())
    return named.join(target, left_on=["farm_id", column], right_on=["farm_id", key], how="anti").is_empty()


def _names(frame: pl.DataFrame, column: str) -> set[tuple[str, str | None]]:
    return set(zip(frame["farm_id"], frame[column], strict=True))


def _lost(frame: pl.DataFrame, column: str, target: pl.DataFrame, key: str) -> pl.DataFrame:
    named = frame.filter(pl.col(column).is_not_null())
    return named.join(target, left_on=["farm_id", column], right_on=["farm_id", key], how="anti", maintain_order="left")
