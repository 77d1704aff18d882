"""What hundreds of tests begin with, made once a process and played back: its SQL, its files, what it returned.

Making the cast takes a tenth of a second and the farm's season three: as long as what most tests do with them. Both are
made by the application's own services the first time; after that the statements that they sent are sent again, to a
database that stands where it stood then.
"""

import atexit
import copy
import shutil
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from provender.database.models.farm import Change

Made = TypeVar("Made")

READS: Final = ("SELECT", "SAVEPOINT", "RELEASE")
COUNTED: Final = "SELECT name, seq FROM sqlite_sequence WHERE seq > 0 AND name NOT LIKE 'django%' ORDER BY name"
"""The last key of each table; Django fills its own again whenever all are emptied."""


@dataclass(frozen=True, slots=True)
class _Played:
    """What one making sent and left.

    Attributes:
        statements: those that write, with their values and whether there were many.
        files: a copy of the folder of uploads afterwards.
        returned: what the maker returned.
    """

    statements: list[tuple[str, Any, bool]]
    files: Path
    returned: object


_played: dict[Hashable, _Played] = {}


def replayed(name: Hashable, make: Callable[[], Made]) -> Made:
    """Return what ``make`` returns and leave what it leaves, playing back an earlier making where that gives the same.

    Args:
        name: what is made, with everything that it depends on beside the database.
        make: writes into the default database and into the folder of uploads, and nowhere else.
    """
    if connection.vendor != "sqlite":
        return make()
    with transaction.atomic():
        return _played_or_made(name, make)


def _played_or_made(name: Hashable, make: Callable[[], Made]) -> Made:
    key = (name, timezone.localdate(), _stand())
    if key not in _played:
        found, played = _recorded(make)
        if played is not None:
            _played[key] = played
        return found
    played = _played[key]
    with connection.cursor() as cursor:
        for sql, values, many in played.statements:
            (cursor.executemany if many else cursor.execute)(sql, values)
    shutil.copytree(played.files, settings.UPLOAD_FOLDER, dirs_exist_ok=True)
    return copy.deepcopy(played.returned)  # type: ignore[return-value]


def _stand() -> tuple[object, ...]:
    """Return how many rows each table ever got, which says the keys of the next ones, and what was last written."""
    last = Change.objects.order_by("pk").values_list("hash", flat=True).last()
    with connection.cursor() as cursor:
        cursor.execute(COUNTED)
        return (last, *cursor.fetchall())


def count_from_one() -> None:
    """Give the next rows of emptied tables the keys that they would have in new ones."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("UPDATE sqlite_sequence SET seq = 0 WHERE name NOT LIKE 'django%'")


def _kept(values: Any) -> Any:  # noqa: ANN401 - whatever a statement takes
    """Return a copy of the values of a statement, and bytes of what only lies in memory."""
    if isinstance(values, list | tuple):
        return tuple(_kept(one) for one in values)
    return bytes(values) if isinstance(values, memoryview) else copy.deepcopy(values)


def _recorded(make: Callable[[], Made]) -> tuple[Made, _Played | None]:
    sent: list[tuple[str, Any, bool]] = []

    def record(execute: Callable[..., object], sql: str, params: object, many: bool, context: object) -> object:
        if not sql.startswith(READS):
            sent.append((sql, _kept(params), many))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(record):
        found = make()
    if any(sql.startswith("ROLLBACK") for sql, _, _ in sent):
        return found, None
    files = Path(mkdtemp(prefix="provender-played-"))
    atexit.register(shutil.rmtree, files, ignore_errors=True)
    if settings.UPLOAD_FOLDER.is_dir():
        shutil.copytree(settings.UPLOAD_FOLDER, files, dirs_exist_ok=True)
    return found, _Played(sent, files, copy.deepcopy(found))
