"""Many files of one kind read in one limited child, though each is asked for by itself.

Starting a child costs more than reading most files.
"""

from collections.abc import Sequence
from pathlib import Path

from provender.formats.child import DEFAULT, Limits, parse_limited, parse_many
from provender.formats.parsed import Parsed

_Key = tuple[str, str, str, str]
_Files = Sequence[tuple[Path, str]]


class Ahead:
    """Reads as ``parse_limited`` does; files that were announced are read together when the first is asked for.

    An answer that was read ahead is given once: who asks again may have changed the file.
    """

    def __init__(self) -> None:
        self._announced: dict[_Key, tuple[str, _Files, dict[str, object]]] = {}
        self._read: dict[_Key, Parsed[object]] = {}

    def announce(self, reader: str, files: _Files, **options: object) -> None:
        """Say that files, each a path and the name people know it by, will be asked for with the same options."""
        self._announced |= {_key(reader, path, name, options): (reader, files, options) for path, name in files}

    def together(self, reader: str, path: Path, name: str, options: dict[str, object]) -> int:
        """Return how many files will be read at once when this one is asked for; nought where its answer is here."""
        key = _key(reader, path, name, options)
        return len(self._announced[key][1]) if key in self._announced else int(key not in self._read)

    def __call__(
        self, reader: str, path: Path, *, name: str = "", limits: Limits = DEFAULT, **options: object
    ) -> Parsed[object]:
        """Read one file; see ``parse_limited``."""
        key = _key(reader, path, name or path.name, options)
        if key in self._announced:
            _, files, same = self._announced[key]
            together = [each for each in files if self._announced.pop(_key(reader, *each, same), None)]
            found = parse_many(reader, together, limits=limits, **same)
            self._read |= {_key(reader, *each, same): one for each, one in zip(together, found, strict=True)}
        if key in self._read:
            return self._read.pop(key)
        return parse_limited(reader, path, name=name, limits=limits, **options)


def _key(reader: str, path: Path, name: str, options: dict[str, object]) -> _Key:
    return reader, str(path), name, repr(sorted(options.items()))
