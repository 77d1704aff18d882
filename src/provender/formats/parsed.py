"""What every reader of this room returns: a typed result, or none, beside all problems found.

The result crosses from a child process as JSON, so it is built from frozen dataclasses whose fields are text, whole
numbers, coordinates (floats), truth values, dates, string enumerations, tuples, mappings with text keys, and
dataclasses again: what ``plain`` writes and reads.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, Never, TypeVar, cast

from provender.plain import read, write
from provender.problem import Place, Problem, Weight

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Parsed(Generic[T_co]):
    """What a reader made of one file.

    Attributes:
        result: what could be read; None where nothing could.
        problems: everything a person must fix or confirm, in the order of the file.
    """

    result: T_co | None
    problems: tuple[Problem, ...] = ()


def refused(place: Place, cause: str, remedy: str, code: str) -> Parsed[Never]:
    """Return a file of which nothing can be used, for one reason."""
    return Parsed(None, (Problem(place, cause, remedy, code=code),))


def doubt(place: Place, cause: str, remedy: str, code: str) -> Problem:
    """Return a problem that a person may settle by confirming."""
    return Problem(place, cause, remedy, weight=Weight.CONFIRM, code=code)


def note(place: Place, cause: str, remedy: str, code: str) -> Problem:
    """Return something worth knowing that asks for nothing."""
    return Problem(place, cause, remedy, weight=Weight.NOTE, code=code)


def listed(names: Iterable[object], most: int = 5) -> str:
    """Write names with commas, the first few in full and the rest as a number, so that a message stays short."""
    texts = [str(name) for name in names]
    rest = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {rest} more" if rest > 0 else "")


def grouped(problems: Iterable[Problem]) -> list[Problem]:
    """Join problems that say the same of several rows into one at the first of them, naming how many rows there are."""
    groups: dict[tuple[object, ...], list[Problem]] = {}
    for each in problems:
        key = (each.place.file, each.place.column, each.cause, each.remedy, each.weight, each.code)
        groups.setdefault(key, []).append(each)
    joined = []
    for same in groups.values():
        rows = [each.place.row for each in same]
        more = f" The same holds for {len(rows) - 1} more: row {listed(rows[1:])}." if len(rows) > 1 else ""
        joined.append(replace(same[0], cause=same[0].cause + more))
    return joined


def encode(value: object) -> object:
    """Return plain JSON data for a value of the kinds above; TypeError for another."""
    return write(value, whole=True)


def decode(kind: type[object], data: object) -> object:
    """Return the value of a type that ``encode`` wrote; UnreadableError for anything else."""
    return read(kind, data)


def decode_parsed(result: object, data: Mapping[str, object]) -> Parsed[object]:
    """Build a ``Parsed`` whose result is of the type ``result``.

    Raises:
        UnreadableError, KeyError: the data is of another shape; a child that was taken over could send it.
    """
    problems = read(tuple[Problem, ...], data["problems"])
    return Parsed(None if data["result"] is None else read(cast("type[object]", result), data["result"]), problems)
