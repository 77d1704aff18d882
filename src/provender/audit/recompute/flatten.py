"""Plain documents as one text per named place, so that two of them can be laid side by side.

A member of a list is named by what it is about (unit, crop entry, requirement, serials), not by its place, so the order
of rows never matters.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

Path = tuple[str, ...]

NAMED_BY: Final[tuple[tuple[str, ...], ...]] = (
    ("unit_id",),
    ("harvest_id",),
    ("run_id",),
    ("operation_id",),
    ("evidence_id",),
    ("practice",),
    ("grade",),
    ("name",),
    ("unit",),
    ("origin", "start"),
    ("crop", "harvest_year", "ci_g_per_bu"),
    ("ci_g_per_bu",),
    ("ticket",),
    ("number",),
    ("start",),
    ("form",),
    ("cite",),
    ("step",),
)
"""What tells the members of a list apart: the first of these that all of them carry."""


LEFT_OUT_DEPTH: Final = 2
AS_LIST: Final = " (as a list)"


class Listed(str):
    """The text of a list of plain values: a value in a list is none by itself, though both are spelled the same."""

    __slots__ = ()


def kinds_told(left: dict[Path, str], right: dict[Path, str]) -> None:
    """Let the texts of one place say which is a list, where only that tells them apart."""
    for path in left.keys() & right.keys():
        of_list = isinstance(left[path], Listed), isinstance(right[path], Listed)
        if of_list[0] is not of_list[1] and left[path] == right[path]:
            one = left if of_list[0] else right
            one[path] += AS_LIST


def flat(document: Mapping[str, Any], leave_out: Collection[str] = ()) -> dict[Path, str]:
    """Return a document as one text per named place; what is null has no line.

    Args:
        document: plain data.
        leave_out: names at the top, or of the next level joined by ``/``, that are not compared.
    """
    return dict(_lines((), document, leave_out))


def unlike(left: Mapping[str, Any], right: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two documents without the members at the top that both spell the same: nearly all of an honest one."""
    same = {name for name in left.keys() & right.keys() if _text(left[name]) == _text(right[name])}
    kept, again = ({name: value for name, value in one.items() if name not in same} for one in (left, right))
    return kept, again


def _lines(path: Path, value: Any, leave_out: Collection[str]) -> Iterator[tuple[Path, str]]:  # noqa: ANN401 - any JSON
    if 0 < len(path) <= LEFT_OUT_DEPTH and "/".join(path) in leave_out:
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _lines((*path, str(name)), inner, leave_out)
    elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        for name, one in _named(value):
            yield from _lines((*path, name), one, leave_out)
    elif isinstance(value, list):
        members = sorted(map(str, value))
        plain = not any(", " in one for one in members)  # else where one ends and the next begins is not to be seen
        yield path, Listed(", ".join(members) if plain else json.dumps(members, ensure_ascii=False))
    elif value is not None:
        yield path, ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _named(rows: list[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Name the members of a list; those of one name are counted in the order of their content."""
    by = next((names for names in NAMED_BY if all(set(names) <= set(row) for row in rows)), None)
    seen: dict[str, int] = {}
    for row in sorted(rows, key=_text):
        name = " ".join(_short(row[part]) for part in by) if by else "line"
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name} ({seen[name]})"), row


def _text(row: object) -> str:
    return json.dumps(row, sort_keys=True)


def _short(value: object) -> str:
    text = str(value)
    return f"{text[:HASH_SHOWN]}..." if len(text) == HASH_DIGITS and text.isalnum() else text


HASH_DIGITS: Final = 64
HASH_SHOWN: Final = 12


def differing(left: Mapping[Path, str], right: Mapping[Path, str]) -> list[Path]:
    """Return the places at which two flat documents differ, in the order of the first."""
    return [path for path in dict.fromkeys([*left, *right]) if left.get(path) != right.get(path)]
