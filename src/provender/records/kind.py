"""A kind of record: its schema with name, label and paragraph, and the registry of all kinds."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeVar

import dataframely as dy
import polars as pl

from provender.records import field
from provender.records.field import Field, describe

# How a fact is known, strongest first (interpretation 57): a report shows the credited bushels resting on each.
BASES: Final = ("third_party", "machine", "typed_in_season", "typed_after_harvest")


AS_TYPED: Final = "What was written where a name was taken for one of the list."


class Record(dy.Schema):
    """What every record has: its farm, how it is known, its evidence, and where the row came from."""

    farm_id = field.key("Farm", "The farm's identifier; one farm's book may leave it blank, the reader fills it in.")
    known_by = field.choice(
        BASES, "How known", "Third party, machine, typed in season, or typed after harvest.", cite="2100.051(c)"
    )
    evidence = field.text("Evidence", "Identifiers of evidence records, separated by semicolons.", cite="2100.051(c)")
    note = field.text("Note", "Anything a verifier should know.")
    source_file = field.internal("File")
    source_sheet = field.internal("Sheet")
    source_row = field.internal_whole("Row")


@dataclass(frozen=True, slots=True)
class Kind:
    """A registered kind of record.

    Attributes:
        name: the file and sheet name, such as ``operation``.
        schema: the dataframely schema; its columns carry ``Field`` metadata.
        label: what a person calls it, in the plural.
        help: one sentence on what the records are.
        cite: the paragraph that asks for them.
    """

    name: str
    schema: type[Record]
    label: str
    help: str
    cite: str

    @property
    def fields(self) -> dict[str, Field]:
        """Return every column's description, in the order of the template."""
        return dict(_fields(self.schema))

    @property
    def typed_fields(self) -> dict[str, Field]:
        """Return the columns a person types, in the order of the template."""
        return dict(_typed(self.schema))

    @property
    def required(self) -> tuple[str, ...]:
        """Return the columns without which no row can be used."""
        return _required(self.schema)

    @property
    def key_columns(self) -> tuple[str, ...]:
        """Return the columns that together identify a record."""
        return _keys(self.schema)

    def empty(self) -> pl.DataFrame:
        """Return a frame of this kind without rows."""
        return _empty(self.schema)

    def nulls(self) -> pl.DataFrame:
        """Return a frame of this kind with one row, in which no column says anything."""
        return _nulls(self.schema)


# What a schema declares never changes, and asking it is slow: a book asks some thousand times.
@cache
def _typed(schema: type[Record]) -> dict[str, Field]:
    return {name: found for name, found in _fields(schema).items() if not found.internal}


@cache
def _required(schema: type[Record]) -> tuple[str, ...]:
    return tuple(name for name, found in _typed(schema).items() if found.required)


@cache
def _fields(schema: type[Record]) -> dict[str, Field]:
    columns = schema.columns()
    own = [name for name in columns if name not in Record.columns()]
    common = [name for name in Record.columns() if name != "farm_id"]
    return {name: describe(columns[name]) for name in ("farm_id", *own, *common)}


@cache
def _keys(schema: type[Record]) -> tuple[str, ...]:
    return tuple(schema.primary_key())


@cache
def _empty(schema: type[Record]) -> pl.DataFrame:
    return schema.create_empty()


@cache
def _nulls(schema: type[Record]) -> pl.DataFrame:
    # `clear(1)` plans and runs a query for each column, which is a fifth of a small farm's report.
    types = _empty(schema).schema
    return pl.DataFrame([pl.Series(name, [None], dtype=said) for name, said in types.items()])


KINDS: Final[dict[str, Kind]] = {}

_S = TypeVar("_S", bound=type[Record])


def kind(name: str, label: str, hint: str, *, cite: str) -> Callable[[_S], _S]:
    """Register a schema as a kind of record."""

    def register(schema: _S) -> _S:
        KINDS[name] = Kind(name, schema, label, hint, cite)
        return schema

    return register
