"""What the database itself keeps true of the custody book, on SQLite and PostgreSQL.

- Current lots never overlap: a range exclusion constraint in PostgreSQL; in SQLite a trigger that looks at the one
  current lot which could overlap, the last that begins before the new one ends.
- A lot is opened current, is changed only once, by the mark of the movement that ended it, and is never removed.
- A final record (a closed period and its statement) is never replaced; no record is removed.

Events, steps, origins and parties are append-only like every other written row.
"""

from collections.abc import Sequence
from typing import Final

from provender.database.guards import Guard
from provender.database.models.custody import CustodyLot, CustodyRecord

LOT: Final = CustodyLot._meta.db_table  # noqa: SLF001 - Django has no other name for it
RECORD: Final = CustodyRecord._meta.db_table  # noqa: SLF001
KEPT: Final = tuple(field.column for field in CustodyLot._meta.local_fields if field.column != "ended_by_id")  # noqa: SLF001

OVERLAP: Final = "a current lot holds some of these serials already"
LOT_STAYS: Final = "a lot is changed once, by the movement that ends it"
RECORD_STAYS: Final = "a closed period stays as it was closed"


def guards_of(vendor: str) -> Sequence[Guard]:
    """Return the guards of the custody tables."""
    return _sqlite() if vendor == "sqlite" else _postgres()


def _sqlite_trigger(table: str, name: str, when: str, body: str) -> Guard:
    drop = f'DROP TRIGGER IF EXISTS "{name}"'
    return Guard(name, table, (drop, f'CREATE TRIGGER "{name}" {when} ON "{table}" {body}'), (drop,))


def _abort(words: str, condition: str) -> str:
    return f"BEGIN SELECT RAISE(ABORT, '{words}') WHERE {condition}; END"


def _sqlite() -> list[Guard]:
    # Existing current lots do not overlap each other, so of those that begin before the new one ends, the last is the
    # only one that can reach into it.
    before = "WHERE ended_by_id IS NULL AND span_start < NEW.span_stop ORDER BY span_start DESC LIMIT 1"
    overlaps = f'NEW.span_start < (SELECT span_stop FROM "{LOT}" {before})'  # noqa: S608 - our own names
    changed = " OR ".join(f'OLD."{column}" IS NOT NEW."{column}"' for column in KEPT)
    marked_once = f"OLD.ended_by_id IS NOT NULL OR NEW.ended_by_id IS NULL OR {changed}"
    return [
        _sqlite_trigger(LOT, "guard_lot_overlap", "BEFORE INSERT", _abort(OVERLAP, overlaps)),
        _sqlite_trigger(LOT, "guard_lot_current", "BEFORE INSERT", _abort(LOT_STAYS, "NEW.ended_by_id IS NOT NULL")),
        _sqlite_trigger(LOT, "guard_lot_update", "BEFORE UPDATE", _abort(LOT_STAYS, marked_once)),
        _sqlite_trigger(LOT, "guard_lot_delete", "BEFORE DELETE", _abort(LOT_STAYS, "1")),
        _sqlite_trigger(RECORD, "guard_record_update", "BEFORE UPDATE", _abort(RECORD_STAYS, "OLD.final")),
        _sqlite_trigger(RECORD, "guard_record_delete", "BEFORE DELETE", _abort(RECORD_STAYS, "1")),
    ]


def _postgres_trigger(table: str, name: str, when: str, words: str, condition: str) -> Guard:
    function = f"provender_{name}"
    each = "STATEMENT" if when == "BEFORE TRUNCATE" else "ROW"
    create_function = (
        f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF {condition} THEN RAISE EXCEPTION '{words}' USING ERRCODE = 'integrity_constraint_violation'; END IF; "
        "RETURN NEW; END $$"
    )
    drop = f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"'
    create = f'CREATE TRIGGER "{name}" {when} ON "{table}" FOR EACH {each} EXECUTE FUNCTION {function}()'
    return Guard(name, table, (create_function, drop, create), (drop,))


def _postgres() -> list[Guard]:
    changed = " OR ".join(f'OLD."{column}" IS DISTINCT FROM NEW."{column}"' for column in KEPT)
    marked_once = f"OLD.ended_by_id IS NOT NULL OR NEW.ended_by_id IS NULL OR {changed}"
    exclude = "guard_lot_overlap"
    drop = f'ALTER TABLE "{LOT}" DROP CONSTRAINT IF EXISTS "{exclude}"'
    create = (
        f'ALTER TABLE "{LOT}" ADD CONSTRAINT "{exclude}" EXCLUDE USING gist '
        "(int8range(span_start, span_stop) WITH &&) WHERE (ended_by_id IS NULL)"
    )
    return [
        Guard(exclude, LOT, (create,), (drop,), once=True),
        _postgres_trigger(LOT, "guard_lot_current", "BEFORE INSERT", LOT_STAYS, "NEW.ended_by_id IS NOT NULL"),
        _postgres_trigger(LOT, "guard_lot_update", "BEFORE UPDATE", LOT_STAYS, marked_once),
        _postgres_trigger(LOT, "guard_lot_delete", "BEFORE DELETE", LOT_STAYS, "true"),
        _postgres_trigger(LOT, "guard_lot_truncate", "BEFORE TRUNCATE", LOT_STAYS, "true"),
        _postgres_trigger(RECORD, "guard_record_update", "BEFORE UPDATE", RECORD_STAYS, "OLD.final"),
        _postgres_trigger(RECORD, "guard_record_delete", "BEFORE DELETE", RECORD_STAYS, "true"),
        _postgres_trigger(RECORD, "guard_record_truncate", "BEFORE TRUNCATE", RECORD_STAYS, "true"),
    ]
