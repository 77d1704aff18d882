"""Records of the custody book as rows of their tables, and back: ``TABLES`` says which kind lies where.

A row is read and written by the types of the record's fields: days, numbers and truth values as SQL has them, words as
their value, tuples as JSON text. Plain SQL, as for lots: building each small question with the ORM costs more than
answering it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import fields
from datetime import date
from enum import StrEnum
from functools import lru_cache, partial
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast, get_origin, get_type_hints

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

from provender import schema
from provender.custody.events.closing import Closing, TruedUp
from provender.custody.events.farm_trade import Pending
from provender.custody.events.footing import FileOnRecord, Footed, OpeningStock
from provender.custody.events.outside import Document
from provender.custody.events.plant import CampaignTotals, Conversion, Crush, Yield
from provender.custody.events.reports import Notice, QuestionedBushels, ReportPaper
from provender.custody.model.entities import Contract, Delivery, Entity, Period, SiteClosure, Verification
from provender.custody.model.event import Record
from provender.custody.model.grain import GrainEntry, MovementTickets
from provender.custody.model.lots import Origin, Slip
from provender.custody.model.store_view import R
from provender.database.models import custody
from provender.signing.canonical import canonical_json

# Several statements in one message to the database.
#
# PostgreSQL answers them one after the other without waiting for the caller in between; each sees what was committed
# before it began. A statement asked often is planned once in a connection: planning the questions of a sale takes
# longer than answering them. SQLite has no distance to its caller and takes them one by one.

T = TypeVar("T")

AT_ONCE: Final = 500
"""Rows of one statement: SQLite takes about 32,000 parameters."""


class SqlStatement(NamedTuple):
    """One statement with its parameters and, where it writes, how many rows it must change."""

    sql: str
    parameters: Sequence[Any]
    rows: int = 0


def marks(values: Sequence[Any]) -> str:
    return ", ".join(["%s"] * len(values))


def inserts(head: str, row: str, rows: Sequence[Sequence[Any]], tail: str = "") -> Iterator[SqlStatement]:
    """Yield what inserts rows.

    Args:
        head: what comes before the rows.
        row: the places of one row's values.
        rows: their values.
        tail: what comes after the rows.
    """
    for some in parts(rows):
        sql = head + ", ".join([row] * len(some)) + tail
        yield SqlStatement(sql, [value for values in some for value in values], len(some))


def parts(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield rows in as many parts as there are statements."""
    return (rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE))


def ask(connection: BaseDatabaseWrapper, questions: Sequence[SqlStatement]) -> list[list[tuple[Any, ...]]]:
    """Return the rows of each question; none for one that has no answer, such as a lock."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            found = []
            for one in questions:
                cursor.execute(one.sql, one.parameters)
                found.append(list(cursor.fetchall()))
            return found
    return [cursor.fetchall() for cursor in _sent(connection, questions)]


def write(connection: BaseDatabaseWrapper, statements: Sequence[SqlStatement]) -> bool:
    """Execute statements in their order; return whether each changed as many rows as it must."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for one in statements:
                cursor.execute(one.sql, one.parameters)
                if cursor.rowcount != one.rows:
                    return False
            return True
    sent = _sent(connection, statements)
    return all(cursor.rowcount == one.rows for cursor, one in zip(sent, statements, strict=True))


def _sent(connection: BaseDatabaseWrapper, statements: Sequence[SqlStatement]) -> list[Any]:
    """Send statements to PostgreSQL in one message, and return a cursor with the answer to each.

    Django's own cursors write parameters into the text, so that no plan could be kept; what Django does around its
    cursors is done here: broken transactions, errors in its own classes, wrappers.
    """
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    run: Any = partial(_run, connection, statements)
    for wrapper in reversed(connection.execute_wrappers):
        run = partial(wrapper, run)
    texts, values = "; ".join(one.sql for one in statements), [one.parameters for one in statements]
    cursors: list[Any] = run(texts, values, False, {"connection": connection, "cursor": None})
    return cursors


def _run(connection: BaseDatabaseWrapper, statements: Sequence[SqlStatement], *_wrapped: object) -> list[Any]:
    from psycopg import Cursor

    with connection.wrap_database_errors:
        cursors = [Cursor(connection.connection) for _ in statements]
        with connection.connection.pipeline() if len(statements) > 1 else nullcontext():
            for cursor, one in zip(cursors, statements, strict=True):
                cursor.execute(one.sql, _typed(one.parameters))
        return cursors


def _typed(parameters: Sequence[Any]) -> list[Any]:
    """Return parameters in which every whole number has one type: else a plan would belong to a size of number."""
    from psycopg.types.numeric import Int8

    return [Int8(value) if type(value) is int else value for value in parameters]


Row = tuple[Any, ...]
Reader = Callable[[Any], Any]
_REMEMBERED: Final = 4_096
"""Rows of each kind that were read before and need not be read again: the same row is the same record."""
EVENT_ID: Final = "(SELECT id FROM database_custodyevent WHERE name = %s)"


class RecordTable(Generic[R]):
    """The table of one kind of record.

    Args:
        cls: the record.
        model: its table, with a column for each field of the record.
        group: the column by which records are listed; without one all rows are one group.
        number: the column of the record's ``id``.
        asked: columns for properties of the record that queries ask for.
    """

    def __init__(
        self, cls: type[R], model: type[Model], *, group: str = "", number: str = "key", asked: Sequence[str] = ()
    ) -> None:
        hints = get_type_hints(cls)
        names = [each.name for each in fields(cast("Any", cls))]
        self._fields = {name: _reader(hints[name]) for name in names}
        self._cls, self._group = cls, group
        own = {number if name == "id" else name: name for name in names}
        self._prepare(model, own, {**own, "key": "key", **{name: name for name in asked}})

    def _prepare(self, model: type[Model], shown: Iterable[str], written: Mapping[str, str], within: str = "") -> None:
        """Make the statements that differ by nothing but their values."""
        table = model._meta.db_table  # noqa: SLF001 - Django has no other name for it
        self.columns, self._written = tuple(shown), written
        self._select = f"SELECT {_quoted(shown)} FROM {table} WHERE {within}"  # noqa: S608 - our own words
        unique = _quoted(["kind", "key"] if "kind" in written else ["key"])
        changed = ", ".join(f"{name} = excluded.{name}" for name in (*map(_quote, written), "stated_by_id"))
        self._insert = f"INSERT INTO {table} ({_quoted(written)}, stated_by_id) VALUES "  # noqa: S608
        self._values = f"({', '.join(['%s'] * len(written))}, {EVENT_ID})"
        self._replace = f" ON CONFLICT ({unique}) DO UPDATE SET {changed}"
        self.read: Callable[[Row], R] = lru_cache(maxsize=_REMEMBERED)(self._record)

    def named(self, keys: Sequence[str]) -> SqlStatement:
        """Return what asks for the records under some keys, at least one."""
        return self.where("key", keys)

    def listed(self, groups: Sequence[str]) -> SqlStatement:
        """Return what asks for the records of some groups in the order in which their keys were first stated."""
        return self.where(self._group, groups) if self._group else SqlStatement(self.select("1 = 1"), ())

    def where(self, column: str, values: Sequence[str], more: str = "") -> SqlStatement:
        """Return what asks for the records with one of some values in a column, in the order of their first statement.

        Args:
            column: of the table.
            values: at least one.
            more: a further condition, our own words.
        """
        return SqlStatement(self.select(f"{_quote(column)} IN ({marks(values)}){more}"), values)

    def select(self, condition: str) -> str:
        """Return the question for the records of which a condition holds, in the order of their first statement."""
        return f"{self._select}{condition} ORDER BY id"

    def stated(self, records: Iterable[Record], event: str) -> Iterator[SqlStatement]:
        """Yield what writes records of this kind with different keys, stated by an event."""
        rows = [(*self._row(each), event) for each in records]
        return inserts(self._insert, self._values, rows, self._replace)

    def _row(self, record: Record) -> Row:
        return tuple(_sql(getattr(record, name)) for name in self._written.values())

    def _record(self, row: Row) -> R:
        values = (read(value) if read else value for read, value in zip(self._fields.values(), row, strict=True))
        return self._cls(**dict(zip(self._fields, values, strict=True)))


class TextTable(RecordTable[R]):
    """Records of a kind that are fetched by key or group only: JSON text in the table that such kinds share.

    Args:
        cls: the record.
        final: whether a record stays as it was stated first.
    """

    def __init__(self, cls: type[R], *, final: bool = False) -> None:
        self._cls, self._group, self._final = cls, "group", final
        columns = ("kind", "key", "group", "text", "final")
        self._prepare(custody.CustodyRecord, ["text"], {name: name for name in columns}, f"kind = '{cls.kind}' AND ")

    def _row(self, record: Record) -> Row:
        text = canonical_json(schema.write(record, whole=True)).decode()
        return record.kind, record.key, record.group, text, self._final

    def _record(self, row: Row) -> R:
        return schema.read(self._cls, json.loads(row[0]))


def _reader(hint: Any) -> Reader | None:  # noqa: ANN401 - any annotation
    """Return what makes a field's value of its column's, None where it is that already."""
    if get_origin(hint) is tuple:
        return lambda text: schema.read(hint, json.loads(text))
    if hint in (date, date | None):
        return _day
    return hint if isinstance(hint, type) and issubclass(hint, StrEnum | bool) else None


def _day(value: date | str | None) -> date | None:
    return date.fromisoformat(value) if isinstance(value, str) else value  # SQLite keeps days as text


def _sql(value: Any) -> Any:  # noqa: ANN401 - of any field
    """Return a field's value as its column takes it."""
    if isinstance(value, tuple):
        return canonical_json(schema.write(value, whole=True)).decode()
    return value.value if isinstance(value, StrEnum) else value


def _quote(name: str) -> str:
    return f'"{name}"'


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(map(_quote, names))


ENTITIES: Final = RecordTable(Entity, custody.CustodyEntity)
PERIODS: Final = RecordTable(Period, custody.CustodyPeriod, group="entity")
VERIFICATIONS: Final = RecordTable(Verification, custody.CustodyVerification, group="entity", number="number")
ORIGINS: Final = RecordTable(Origin, custody.CustodyStanding, group="group", asked=("group", "version"))
SLIPS: Final = RecordTable(Slip, custody.CustodySlip, group="origin", asked=("open_bushels",))
PENDING: Final = RecordTable(Pending, custody.CustodyPending, group="taker")
GRAIN: Final = RecordTable(GrainEntry, custody.CustodyGrainEntry, group="group", asked=("group",))
_CONTRACTS: Final = RecordTable(Contract, custody.CustodyContract, group="entity", number="number")
_NOTICES: Final = TextTable(Notice)
CLOSURES: Final = TextTable(SiteClosure)

TABLES: Final[Mapping[type[Record], RecordTable[Any]]] = {
    Entity: ENTITIES,
    Contract: _CONTRACTS,
    Verification: VERIFICATIONS,
    Period: PERIODS,
    Origin: ORIGINS,
    Slip: SLIPS,
    Pending: PENDING,
    GrainEntry: GRAIN,
    Notice: _NOTICES,
    SiteClosure: CLOSURES,
    Closing: TextTable(Closing, final=True),
    **{
        cls: TextTable(cls)
        for cls in (
            MovementTickets,
            CampaignTotals,
            Conversion,
            Crush,
            Delivery,
            Document,
            FileOnRecord,
            Footed,
            OpeningStock,
            QuestionedBushels,
            ReportPaper,
            TruedUp,
            Yield,
        )
    },
}
"""Where each kind of record lies."""


def stated(records: Iterable[Record], event: str) -> Iterator[SqlStatement]:
    """Yield what an event states; of several records under one key the last."""
    last: dict[type[Record], dict[str, Record]] = {}
    for record in records:
        last.setdefault(type(record), {})[record.key] = record
    for kind, by_key in last.items():
        yield from TABLES[kind].stated(by_key.values(), event)
