"""Every single change of a package: a cell, a row, a member of a document, a line of a book, a file.

A change is named by its file, the row or member in it, and the field, and by the *surface* that it belongs to: the same
words for the same field wherever it stands, such as ``records/harvest.csv bushels``.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from provender.audit.package.layout import Part, part_of

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
