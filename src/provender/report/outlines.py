"""The areas of a book's boundary files: of a folder read at once, of what others keep in a limited process.

What lies on a server was uploaded by strangers under names of their own: its bytes are read by a child that may fail,
under a name of ours. An answer is remembered by the hash of the file, since starting a child takes a second: by this
process, and by whoever keeps the files where they can (``evidence_files.Memory``).
"""

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, cast

from provender import __version__
from provender.records.book import EvidenceFiles, HeldFiles, Memory, RecordBook, file_inside
from provender.records.folder import BOUNDARIES
from provender.signing.canonical import sha256_hex

if TYPE_CHECKING:
    from provender.formats.boundaries import Boundaries

_REMEMBERED: Final = 256
_LETTERS: Final = 2**20
"""Of outlines longer than this the answer is not remembered."""
_PASSING: Final = frozenset({"reading_too_slow", "reading_stopped"})
"""Said of a machine that was busy, not of a file."""
_ENDING: Final = re.compile(r"\.[A-Za-z0-9]{1,12}")
_SHAPE: Final = "outlines-1"
"""Name and shape of what is remembered; another shape takes another number."""
_known: "dict[tuple[str, str], Boundaries | None]" = {}


def outlines_of(book: RecordBook, farm_id: str, names: Iterable[str]) -> "dict[str, Boundaries | None]":
    """Return the areas of each boundary file; None where no such file is there, or none can be read out of it.

    Args:
        book: in a folder, or one whose files somebody keeps.
        farm_id: whose files.
        names: as the units write them.
    """
    if book.folder is None:
        contents = {name: book.boundaries.content_of(farm_id, name) for name in dict.fromkeys(names)}
        return _kept({name: content for name, content in contents.items() if content}, _memory_of(book.boundaries))
    # Reading outlines takes a geometry library: only books with outlines need it.
    from provender.formats.boundaries import read_boundaries

    inside = book.folder / BOUNDARIES
    paths = {name: file_inside(inside, name) for name in dict.fromkeys(names)}
    return {name: read_boundaries(path, name).result for name, path in paths.items() if path is not None}


def read_ahead(book: RecordBook) -> None:
    """Read the boundary files of all farms of a book at once, where each report would start a child for its own."""
    rows = book["unit"].select("farm_id", "boundary").drop_nulls().head(_REMEMBERED).iter_rows()
    contents = {f"{farm}/{name}": book.boundaries.content_of(farm, name) for farm, name in rows}
    _kept({name: content for name, content in contents.items() if content}, _memory_of(book.boundaries))


def twins_of(outlines: "Mapping[str, Boundaries | None]", units: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the other units whose areas of one file are the same as a unit's, or overlap them, by unit.

    One file may draw a whole farm: each unit then has its own areas of it.
    """
    from shapely import from_geojson
    from shapely.ops import unary_union

    from provender.formats.boundaries import ground_shared, of_unit

    of_file: dict[str, list[Mapping[str, Any]]] = {}
    for row in units:
        of_file.setdefault(row["boundary"], []).append(row)
    twins: dict[str, list[str]] = {}
    for name, bearing in of_file.items():
        found = outlines.get(name)
        if found is None or len(bearing) == 1:
            continue
        areas = [of_unit(found, row["unit_id"], row["name"]) for row in bearing]
        shapes = [unary_union([from_geojson(one.geojson) for one in mine]) for mine in areas]
        for (one, left), (other, right) in combinations(zip(bearing, shapes, strict=True), 2):
            if left.intersects(right) and ground_shared(left, right) is not None:
                twins.setdefault(one["unit_id"], []).append(other["unit_id"])
                twins.setdefault(other["unit_id"], []).append(one["unit_id"])
    return twins


def _memory_of(files: EvidenceFiles) -> Memory | None:
    return files.memory if isinstance(files, HeldFiles) else None


def _kept(contents: dict[str, bytes], memory: Memory | None) -> "dict[str, Boundaries | None]":
    keys = {name: (sha256_hex(content), _ending(name)) for name, content in contents.items()}
    by_key = {keys[name]: content for name, content in contents.items()}
    found = {key: _known[key] for key in by_key if key in _known}
    found |= _recalled(by_key.keys() - found.keys(), memory)
    found |= _read({key: content for key, content in by_key.items() if key not in found}, memory)
    return {name: found[key] for name, key in keys.items()}


def _recalled(keys: Iterable[tuple[str, str]], memory: Memory | None) -> "dict[tuple[str, str], Boundaries | None]":
    """Return what the keeper of the files remembers of some."""
    from provender.formats.boundaries import Boundaries
    from provender.formats.parsed import decode

    found: dict[tuple[str, str], Boundaries | None] = {}
    for key in keys:
        text = memory.get(_name(key)) if memory is not None else None
        if text is None:
            continue
        # What cannot be understood was written by another program, and is read anew.
        with suppress(ValueError):
            said = json.loads(text)
            found[key] = None if said is None else cast("Boundaries", decode(Boundaries, said))
            _remember(key, found[key])
    return found


def _name(key: tuple[str, str]) -> str:
    return f"{_SHAPE}-{__version__}-{key[0]}{key[1]}"


def _read(contents: dict[tuple[str, str], bytes], memory: Memory | None) -> "dict[tuple[str, str], Boundaries | None]":
    """Read files in a limited child, all in one, and remember what it answered."""
    from provender.formats.boundaries import Boundaries
    from provender.formats.child import parse_many
    from provender.formats.parsed import encode

    if not contents:
        return {}
    with TemporaryDirectory() as folder:
        files = [(Path(folder) / f"boundary{number}{ending}", f"boundary{ending}")
                 for number, (_, ending) in enumerate(contents)]  # fmt: skip
        for (path, _), content in zip(files, contents.values(), strict=True):
            path.write_bytes(content)
        answers = parse_many("boundaries", files)
    found = {}
    for key, answer in zip(contents, answers, strict=True):
        result = found[key] = answer.result if isinstance(answer.result, Boundaries) else None
        length = sum(len(one.geojson) for one in result.fields) if result else 0
        if length <= _LETTERS and not any(one.code in _PASSING for one in answer.problems):
            _remember(key, result)
            if memory is not None:
                memory.put(_name(key), json.dumps(None if result is None else encode(result)))
    return found


def _remember(key: tuple[str, str], result: "Boundaries | None") -> None:
    _known[key] = result
    for earliest in list(_known)[: max(0, len(_known) - _REMEMBERED)]:
        _known.pop(earliest, None)


def _ending(name: str) -> str:
    """Return the ending of a name where it is one: letters and digits that tell a reader what the file may be."""
    ending = Path(name).suffix
    return ending.lower() if _ENDING.fullmatch(ending) else ""
