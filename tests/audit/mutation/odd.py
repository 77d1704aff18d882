"""Single changes that no field is named for: columns, exchanged cells, rows and lines given twice or in another order.

Of documents: a member that is not theirs, nothing or another kind of value in a place, blanks around a text.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final

from provender.audit.package.layout import HEADER, Part, part_of
from tests.audit.mutation.changes import Change, written

STRANGE: Final = "x_other"


class Again(Change):
    """A row that stands there twice: whoever reads it takes one of them and is told."""

    @property
    def name_there(self) -> str:
        """Return what is told of it: records are called by their keys."""
        return "stands there 2 times"


def odd(files: Mapping[str, bytes]) -> Iterator[Change]:
    """Yield such changes of every file; the header of a package is changed field by field already."""
    for path, content in files.items():
        ending = PurePosixPath(path).suffix
        if ending == ".csv" and part_of(path) is Part.RECORDS:
            yield from _of_table(path, content)
        elif ending == ".jsonl":
            yield from _of_lines(path, content)
        elif ending == ".json" and path != HEADER:
            yield from _of_places(path, content)


def _of_table(path: str, content: bytes) -> Iterator[Change]:
    heading, *rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    for at, name in enumerate(heading):
        if at and any(row[at] for row in rows):  # whose the records are, their folder says too
            kept = [[cell for n, cell in enumerate(row) if n != at] for row in (heading, *rows)]
            yield Change(path, "column dropped", name, name, lambda made=kept: _table(made))  # type: ignore[misc]
        for number, (one, two) in enumerate(pairwise(rows)):
            if at > 1 and one[at] != two[at]:
                swapped = [*one[:at], two[at], *one[at + 1 :]], [*two[:at], one[at], *two[at + 1 :]]
                made = [heading, *rows[:number], *swapped, *rows[number + 2 :]]
                yield Change(path, "cells exchanged", f"{one[1]}, {name}", name, lambda made=made: _table(made))  # type: ignore[misc]
    for row in rows:
        yield Again(path, "row doubled", row[1], "", lambda made=[heading, *rows, row]: _table(made))  # type: ignore[misc]


def _table(rows: list[list[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def _of_lines(path: str, content: bytes) -> Iterator[Change]:
    first, *lines = content.decode().splitlines()
    for number, line in enumerate(lines):
        kind = str(json.loads(line)["event"]["type"])
        label = f"line {number + 2}, {kind}"
        doubled = [first, *lines[: number + 1], *lines[number:]]
        yield Change(path, "line doubled", label, kind, lambda made=doubled: _lines(made))  # type: ignore[misc]
        if number:
            turned = [first, *lines[: number - 1], line, lines[number - 1], *lines[number + 1 :]]
            yield Change(path, "lines exchanged", label, kind, lambda made=turned: _lines(made))  # type: ignore[misc]
        data = json.loads(line)
        data["event"][STRANGE] = "1"
        more = [first, *lines[:number], json.dumps(data, ensure_ascii=False), *lines[number + 1 :]]
        yield Change(path, "member added", label, kind, lambda made=more: _lines(made))  # type: ignore[misc]


def _lines(lines: list[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()


def _of_places(path: str, content: bytes) -> Iterator[Change]:
    for steps, value in _places(json.loads(content), ()):
        word, field = "/".join(map(str, steps)), "/".join("*" if isinstance(one, int) else one for one in steps)
        if isinstance(value, dict):
            others: tuple[tuple[str, object], ...] = (("member added", value | {STRANGE: "1"}),)
        elif isinstance(value, str):
            others = (("padded", f" {value} "), ("nothing", None), ("other kind", [value]))
        elif isinstance(value, list):
            others = (("emptied", []), ("other kind", {})) if value else ()
        else:
            others = (("other kind", str(value)),)
        for what, other in others:
            yield Change(path, what, word, field, lambda at=steps, new=other: written(content, at, new))  # type: ignore[misc]


def _places(value: object, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], object]]:
    yield steps, value
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield from _places(one, (*steps, name))
