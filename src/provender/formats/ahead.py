"""Files read in limited children: many of one kind in one child, and each once, however often an import asks for it.

Starting a child costs more than reading most files.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from provender.formats.child import DEFAULT, Limits, parse_limited, parse_many
from provender.formats.parsed import Parsed, decode_parsed, encode, find, result_type

_Key = tuple[str, str, str, str]
_Files = Sequence[tuple[Path, str]]


class Ahead:
    """Reads as ``parse_limited`` does; files that were announced are read together when the first is asked for."""

    def __init__(self, kept: Path | None = None) -> None:
        """Begin to read; ``kept`` is a folder for what was read, so that the next process finds it there."""
        self._announced: dict[_Key, tuple[str, _Files, dict[str, object]]] = {}
        self._read: dict[_Key, Parsed[object]] = {}
        self._kept = kept

    def announce(self, reader: str, files: _Files, **options: object) -> None:
        """Say that files, each a path and the name people know it by, will be asked for with the same options."""
        new = {_key(reader, path, name, options): (reader, files, options) for path, name in files}
        self._announced |= {key: value for key, value in new.items() if key not in self._read}

    def together(self, reader: str, path: Path, name: str, options: dict[str, object]) -> int:
        """Return how many files will be read at once when this one is asked for; nought where its answer is here."""
        key = _key(reader, path, name, options)
        return len(self._announced[key][1]) if key in self._announced else int(key not in self._read)

    def __call__(
        self, reader: str, path: Path, *, name: str = "", limits: Limits = DEFAULT, **options: object
    ) -> Parsed[object]:
        """Read one file; see ``parse_limited``."""
        key = _key(reader, path, name or path.name, options)
        if key not in self._read:
            self._look_up(key)
        if key in self._announced and key not in self._read:
            _, files, same = self._announced[key]
            together = [each for each in files if self._announced.pop(_key(reader, *each, same), None)]
            found = parse_many(reader, together, limits=limits, **same)
            for each, one in zip(together, found, strict=True):
                self._keep(_key(reader, *each, same), one)
        if key not in self._read:
            self._keep(key, parse_limited(reader, path, name=name, limits=limits, **options))
        return self._read[key]

    def _keep(self, key: _Key, parsed: Parsed[object]) -> None:
        self._read[key] = parsed
        if self._kept is not None:
            self._kept.mkdir(parents=True, exist_ok=True)
            self._file(self._kept, key).write_text(json.dumps(encode(parsed)), encoding="utf-8")

    def _look_up(self, key: _Key) -> None:
        if self._kept is not None and (path := self._file(self._kept, key)).is_file():
            data = json.loads(path.read_text("utf-8"))
            self._read[key] = decode_parsed(result_type(find(key[0])), data)

    @staticmethod
    def _file(folder: Path, key: _Key) -> Path:
        """Return where an answer is kept: a link counts as what it leads to, which never changes."""
        reader, path, *rest = key
        told = repr((reader, str(Path(path).resolve()), *rest))
        return folder / f"{hashlib.sha256(told.encode()).hexdigest()}.json"


def _key(reader: str, path: Path, name: str, options: dict[str, object]) -> _Key:
    return reader, str(path), name, repr(sorted(options.items()))
