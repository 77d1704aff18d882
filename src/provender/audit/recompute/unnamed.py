"""Files of a farm's package that none of its records names: nothing is passed over in silence (2100.030(d)).

They prove nothing and contradict nothing, so they are told, not counted as differences: a farmer keeps more papers than
a rule asks for, and whoever put one there may have meant it to be read.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from provender.audit.package.farm_section import FarmPart
from provender.audit.package.layout import BESIDE
from provender.records.folder import BOUNDARIES, EVIDENCE, SOURCES
from provender.records.kind import KINDS

_SHOWN: Final = 5
_READ: Final = frozenset({*(f"{name}.csv" for name in KINDS), SOURCES, "README.md"})


def unnamed(farm: FarmPart) -> str:
    """Return what is told of a farm's files that nothing names; empty where each is named."""
    found = sorted(_unnamed(farm))
    if not found:
        return ""
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    count = "1 file" if len(found) == 1 else f"{len(found)} files"
    return f"{farm.farm_id}: no record names {count} of the package: {', '.join(found[:_SHOWN])}{more}."


def _unnamed(farm: FarmPart) -> Iterator[str]:
    places = (farm.evidence.path_of(row["file"], row["sha256"]) for row in farm.rows("evidence") if row["file"])
    root = farm.folder / EVIDENCE
    papers = {
        place.relative_to(root).as_posix() for place in places if place is not None and place.is_relative_to(root)
    }
    outlines = {PurePosixPath(str(row["boundary"])).name for row in farm.rows("unit") if row["boundary"]}
    for path in farm.files:
        if not path.startswith(f"{farm.prefix}/") or path.endswith(BESIDE):
            continue
        part, _, inner = path.removeprefix(f"{farm.prefix}/").partition("/")
        folder, _, name = inner.rpartition("/")
        if part == EVIDENCE:
            named = inner in papers
        elif part == "records" and folder == BOUNDARIES:
            named = name in outlines
        else:
            named = part != "records" or bool(folder) or name in _READ
        if not named:
            yield f"{part}/{inner}"
