"""Every single change of a package: a cell, a row, a member of a document, a line of a book, a file.

A change is named by its file, the row or member in it, and the field, and by the *surface* that it belongs to: the same
words for the same field wherever it stands, such as ``records/harvest.csv bushels``.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, Final, TypeAlias

from provender.audit.package.layout import HEADER, Part, part_of

Files = dict[str, bytes]
Steps: TypeAlias = tuple[str | int, ...]
"""The way to a place in a document."""


@dataclass(frozen=True)
class Change:
    """One change.

    Attributes:
        path: the file.
        what: ``cell``, ``row dropped``, ``row doubled``, ``value``, ``member dropped``, ``line dropped``,
            ``file dropped``, ``bytes``.
        place: row, line or path of members, for people.
        field: column, or path of members with ``*`` for a place in a list, as the declared table names it.
        content: the file afterwards; None where it is gone.
    """

    path: str
    what: str
    place: str
    field: str
    make: Callable[[], bytes | None]

    @property
    def name(self) -> str:
        return f"{self.path}: {self.what} {self.place}"

    @property
    def name_there(self) -> str:
        """Return by what name verification tells of content that is there once more; empty where it must differ."""
        return ""

    def apply(self, files: Mapping[str, bytes]) -> Files:
        changed = dict(files)
        content = self.make()
        if content is None:
            del changed[self.path]
        else:
            changed[self.path] = content
        return changed


def changes(files: Mapping[str, bytes]) -> Iterator[Change]:
    """Yield every single change of every file."""
    for path, content in files.items():
        yield Change(path, "file dropped", "", "", lambda: None)
        ending = PurePosixPath(path).suffix
        if ending == ".csv" and part_of(path) is Part.RECORDS:
            yield from _of_table(path, content)
        elif ending == ".json":
            yield from _of_document(path, content)
        elif ending == ".jsonl":
            yield from _of_lines(path, content)
        else:
            yield Change(path, "bytes", "", "", lambda raw=content: _other_bytes(raw))  # type: ignore[misc]


def _other_bytes(raw: bytes) -> bytes:
    middle = len(raw) // 2
    return raw[:middle] + bytes([raw[middle] ^ 1 if raw else 1]) + raw[middle + 1 :]


def _of_table(path: str, content: bytes) -> Iterator[Change]:
    heading, *rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    for number, row in enumerate(rows):
        rest = rows[:number], rows[number + 1 :]
        key = next((cell for name, cell in zip(heading, row, strict=True) if name != "farm_id" and cell), str(number))
        yield Change(path, "row dropped", key, "", lambda rest=rest: _table([heading, *rest[0], *rest[1]]))  # type: ignore[misc]
        for at, name in enumerate(heading):
            cells = [*row[:at], other_text(row[at], name), *row[at + 1 :]]
            made = [heading, *rest[0], cells, *rest[1]]
            yield Change(path, "cell", f"{key}, {name}", name, lambda made=made: _table(made))  # type: ignore[misc]


def _table(rows: list[list[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


_SWAPS: Final = {"yes": "no", "no": "yes", "corn": "soybeans", "soybeans": "corn", "True": "False"}


def other_text(text: str, name: str = "") -> str:
    """Return another value of the same kind: a day later, a number larger, another word."""
    if not text:
        return "1" if name.endswith(("acres", "pct", "ac", "bushels", "in", "mph", "ft", "lb")) else "changed"
    if text in _SWAPS:
        return _SWAPS[text]
    if len(text) == 10 and text[4] == text[7] == "-" and text[:4].isdigit():
        day = int(text[8:])
        return f"{text[:8]}{day - 1 if day > 1 else 2:02}"
    if text.replace(".", "", 1).lstrip("-").isdigit():
        head, dot, rest = text.partition(".")
        return f"{int(head) + 1}{dot}{rest}"
    if len(text) == 64 and all(letter in "0123456789abcdef" for letter in text):
        return ("0" if text[0] != "0" else "1") + text[1:]
    return f"{text}x"


def _places(value: object, steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Yield every place of a document with what stands there, the whole first."""
    yield steps, value
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield from _places(one, (*steps, name))


def _singles(data: object) -> Iterator[tuple[Steps, str, Callable[[], object]]]:
    """Yield every change of one member or value of a document: where, how, and the document afterwards."""
    for steps, value in _places(data):
        if steps:
            yield steps, "member dropped", lambda at=steps: _changed(data, at)  # type: ignore[misc]
        if not isinstance(value, Mapping | list):
            other = other_value(value, str(steps[-1]))
            yield steps, "value", lambda at=steps, new=other: _changed(data, at, new)  # type: ignore[misc]


def _changed(data: object, steps: Steps, *value: object) -> object:
    """Return a document with another value in a place, or with none there."""
    if not steps:
        return value[0]
    copied: Any = json.loads(json.dumps(data))
    inner = copied
    for step in steps[:-1]:
        inner = inner[step]
    if value:
        inner[steps[-1]] = value[0]
    else:
        del inner[steps[-1]]
    return copied


def _of_document(path: str, content: bytes) -> Iterator[Change]:
    for steps, how, make in _singles(json.loads(content)):
        yield Change(path, how, _word(steps), _pattern(steps), lambda make=make: _written(make()))  # type: ignore[misc]


def _written(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _word(steps: Steps) -> str:
    return "/".join(map(str, steps))


def _pattern(steps: Steps) -> str:
    return "/".join("*" if isinstance(one, int) else one for one in steps)


def other_value(value: object, name: str = "") -> object:
    """Return another value of the same type."""
    if value is None:
        return "1"
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return other_text(str(value), name)


def _of_lines(path: str, content: bytes) -> Iterator[Change]:
    lines = content.decode().splitlines()
    for number, line in enumerate(lines):
        data = json.loads(line)
        event = data.get("event", {})
        kind = str(event.get("type", "header"))
        label = f"line {number + 1}, {kind} {event.get('id', '')}"
        rest = lines[:number], lines[number + 1 :]
        yield Change(path, "line dropped", label, kind, lambda rest=rest: _lines([*rest[0], *rest[1]]))  # type: ignore[misc]
        for steps, how, change in _singles(data):

            def make(change: Callable[[], object] = change, rest: tuple[list[str], list[str]] = rest) -> bytes:
                return _lines([*rest[0], json.dumps(change(), ensure_ascii=False), *rest[1]])

            yield Change(
                path, how, f"{label}, {_word(steps)}", f"{kind} {_pattern(steps).removeprefix('event/')}", make
            )


def _lines(lines: list[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()


# Changes of whole files of a package: emptied, exchanged, moved, given twice, added; and of lists: turned, doubled.
#
# A file that is moved, copied or added stands under another name, so these changes name a second path.

EMPTY_OF = {".json": b"{}", ".jsonl": b"", ".csv": b""}


@dataclass(frozen=True)
class Moved(Change):
    """A change by which content comes to stand under another name; ``kept`` leaves it where it was too."""

    to: str = ""
    kept: bool = False

    @property
    def name_there(self) -> str:
        """Return the name under which the content stands afterwards."""
        return PurePosixPath(self.to).name

    def apply(self, files: Mapping[str, bytes]) -> Files:
        changed = dict(files)
        changed[self.to] = self.make() or b""
        if not self.kept:
            del changed[self.path]
        return changed


def of_files(files: Mapping[str, bytes]) -> Iterator[Change]:
    """Yield the changes of whole files; the header of a package is no file that moves."""
    for path, content in files.items():
        where = PurePosixPath(path)
        if path == HEADER:
            continue
        empty = EMPTY_OF.get(where.suffix, b"")
        if content != empty:
            yield Change(path, "file emptied", "", "", lambda raw=empty: raw)  # type: ignore[misc]
        beside = [one for one in files if PurePosixPath(one).parent == where.parent and files[one] != content]
        alike = [one for one in beside if PurePosixPath(one).suffix == where.suffix]
        if alike:
            yield Change(path, "file exchanged", f"for {alike[0]}", "", lambda raw=files[alike[0]]: raw)  # type: ignore[misc]
        name = f"{where.parent}/{where.stem}x{where.suffix}".removeprefix("./")
        for what, kept in (("file moved", False), ("file twice", True)):
            yield Moved(path, what, f"to {name}", what, lambda raw=content: raw, name, kept)  # type: ignore[misc]
        if where.suffix == ".json":
            yield from _of_lists(path, content)


def _of_lists(path: str, content: bytes) -> Iterator[Change]:
    """Turn each list of a document round, and give its first member twice."""
    data = json.loads(content)
    for steps, found in _places(data):
        if isinstance(found, list) and found:
            for what, other in (("list turned", found[::-1]), ("member doubled", [found[0], *found])):
                if other != found:
                    yield _in_document(path, what, data, steps, other)


def _in_document(path: str, what: str, data: object, steps: Steps, value: object) -> Change:
    return Change(path, what, _word(steps), _pattern(steps), lambda: _written(_changed(data, steps, value)))


# Single changes that no field is named for: columns, exchanged cells, rows and lines given twice or in another order.
#
# Of documents: a member that is not theirs, nothing or another kind of value in a place, blanks around a text.

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
            yield from _odd_in_table(path, content)
        elif ending == ".jsonl":
            yield from _odd_lines(path, content)
        elif ending == ".json" and path != HEADER:
            yield from _of_places(path, content)


def _odd_in_table(path: str, content: bytes) -> Iterator[Change]:
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


def _odd_lines(path: str, content: bytes) -> Iterator[Change]:
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


def _of_places(path: str, content: bytes) -> Iterator[Change]:
    data = json.loads(content)
    for steps, value in _places(data):
        if isinstance(value, dict):
            others: tuple[tuple[str, object], ...] = (("member added", value | {STRANGE: "1"}),)
        elif isinstance(value, str):
            others = (("padded", f" {value} "), ("nothing", None), ("other kind", [value]))
        elif isinstance(value, list):
            others = (("emptied", []), ("other kind", {})) if value else ()
        else:
            others = (("other kind", str(value)),)
        for what, other in others:
            yield _in_document(path, what, data, steps, other)
