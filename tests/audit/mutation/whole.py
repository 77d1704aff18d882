"""Changes of whole files of a package: emptied, exchanged, moved, given twice, added; and of lists: turned, doubled.

A file that is moved, copied or added stands under another name, so these changes name a second path.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from provender.audit.package.layout import HEADER
from tests.audit.mutation.changes import Change, Files, written

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
