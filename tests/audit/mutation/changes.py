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
from typing import Any, Final

from provender.audit.package.layout import HEADER, Part, part_of

Files = dict[str, bytes]


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
        """Return what a person calls it."""
        return f"{self.path}: {self.what} {self.place}"

    @property
    def name_there(self) -> str:
        """Return by what name verification tells of content that is there once more; empty where it must differ."""
        return ""

    def apply(self, files: Mapping[str, bytes]) -> Files:
        """Return the files after the change."""
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
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    if not rows:
        return
    for number, row in enumerate(rows):
        key = next((cell for name, cell in row.items() if name != "farm_id" and cell), str(number))

        def without(n: int = number) -> bytes:
            return _table([*rows[:n], *rows[n + 1 :]], rows[0])

        yield Change(path, "row dropped", key, "", without)
        for name, cell in row.items():
            if name is None:
                continue

            def make(n: int = number, column: str = name, text: str = cell) -> bytes:
                changed = [dict(one) for one in rows]
                changed[n][column] = other_text(text, column)
                return _table(changed, rows[0])

            yield Change(path, "cell", f"{key}, {name}", name, make)


def _table(rows: list[dict[str, str]], heading: Mapping[str, str]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(heading), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
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


def _of_document(path: str, content: bytes) -> Iterator[Change]:
    data = json.loads(content)
    for steps, kind in _places(data, ()):
        word = "/".join(str(one) for one in steps)

        def make(at: tuple[str | int, ...] = steps, how: str = kind) -> bytes:
            return _write(_changed(data, at, how))

        yield Change(path, kind, word, _pattern(steps), make)


def _write(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def written(content: bytes, steps: tuple[str | int, ...], value: object) -> bytes:
    """Return a document with another value in a place."""
    data = json.loads(content)
    if not steps:
        return _write(value)
    inner = data
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value
    return _write(data)


def _pattern(steps: tuple[str | int, ...]) -> str:
    return "/".join("*" if isinstance(one, int) else one for one in steps)


def _places(value: object, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield (*steps, name), "member dropped"
            yield from _places(inner, (*steps, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield (*steps, number), "member dropped"
            yield from _places(inner, (*steps, number))
    else:
        yield steps, "value"


def _changed(data: object, steps: tuple[str | int, ...], kind: str) -> object:
    copied: Any = json.loads(json.dumps(data))
    inner = copied
    for step in steps[:-1]:
        inner = inner[step]
    if kind == "member dropped":
        del inner[steps[-1]]
    else:
        inner[steps[-1]] = other_value(inner[steps[-1]], str(steps[-1]))
    return copied


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
        rest = (lines[:number], lines[number + 1 :])

        def dropped(parts: tuple[list[str], list[str]] = rest) -> bytes:
            return "\n".join([*parts[0], *parts[1], ""]).encode()

        yield Change(path, "line dropped", label, kind, dropped)
        for steps, how in _places(data, ()):

            def make(
                at: tuple[str | int, ...] = steps,
                what: str = how,
                parts: tuple[list[str], list[str]] = rest,
                old: object = data,
            ) -> bytes:
                changed = json.dumps(_changed(old, at, what), ensure_ascii=False)
                return "\n".join([*parts[0], changed, *parts[1], ""]).encode()

            inner = _pattern(steps).removeprefix("event/")
            yield Change(path, how, f"{label}, {'/'.join(map(str, steps))}", f"{kind} {inner}", make)


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
        """Return the files after the change."""
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
    for steps, found in _lists(json.loads(content), ()):
        word = "/".join(map(str, steps))
        field = "/".join("*" if isinstance(one, int) else one for one in steps)
        for what, other in (("list turned", found[::-1]), ("member doubled", [found[0], *found])):
            if other != found:
                yield Change(path, what, word, field, lambda at=steps, new=other: written(content, at, new))  # type: ignore[misc]


def _lists(value: object, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], list[object]]]:
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, list) and value:
        yield steps, value
    for name, one in inner:
        yield from _lists(one, (*steps, name))


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
            yield Change(path, "column dropped", name, name, lambda made=kept: _odd_table(made))  # type: ignore[misc]
        for number, (one, two) in enumerate(pairwise(rows)):
            if at > 1 and one[at] != two[at]:
                swapped = [*one[:at], two[at], *one[at + 1 :]], [*two[:at], one[at], *two[at + 1 :]]
                made = [heading, *rows[:number], *swapped, *rows[number + 2 :]]
                yield Change(path, "cells exchanged", f"{one[1]}, {name}", name, lambda made=made: _odd_table(made))  # type: ignore[misc]
    for row in rows:
        yield Again(path, "row doubled", row[1], "", lambda made=[heading, *rows, row]: _odd_table(made))  # type: ignore[misc]


def _odd_table(rows: list[list[str]]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


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


def _lines(lines: list[str]) -> bytes:
    return "\n".join([*lines, ""]).encode()


def _of_places(path: str, content: bytes) -> Iterator[Change]:
    for steps, value in _odd_places(json.loads(content), ()):
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


def _odd_places(value: object, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], object]]:
    yield steps, value
    inner = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield from _odd_places(one, (*steps, name))
