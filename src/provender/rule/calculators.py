"""Which versions of the calculator are known, and which of them are final: a dated list, never a word in a record.

The packaged list can be added to, not overruled: a list of somebody else's speaks only of versions that the packaged
one does not hold. Its name, supplier and hash are stated wherever it decided (interpretation 61).
"""

import datetime as dt
import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from provender.exact import CI_SCALE, parse
from provender.problem import refuse

_VERSION_KEYS: Final = {
    "version", "also", "status", "example", "source", "first_day", "defaults", "county_tables",
}  # fmt: skip
_CALCULATOR_KEYS: Final = {"name", "also", "version"}
_REMEDY: Final = "See src/provender/rule/data/calculators.toml for the form, or ask whoever supplied the list."


class CalculatorStatus(StrEnum):
    """Whether the publisher calls a version finished."""

    FINAL = "final"
    BETA = "beta"


@dataclass(frozen=True, slots=True)
class ListSource:
    """Who says which calculators are known."""

    name: str  # of the list
    supplier: str  # who wrote it
    sha256: str  # of the file
    read_up_to: dt.date  # the last day up to which its writer looked

    def as_json(self) -> dict[str, str]:
        """Return plain data for documents."""
        return {"name": self.name, "supplier": self.supplier, "sha256": self.sha256,
                "read_up_to": self.read_up_to.isoformat()}  # fmt: skip


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """One version of a calculator as a list has it."""

    calculator: str  # their names in the list
    version: str  # their names in the list
    status: CalculatorStatus  # final or beta
    example: bool  # made up for the examples
    source: str  # where the list has it from
    first_day: dt.date | None  # before which no run can be; None where not known
    defaults: Mapping[str, int]  # national default CI by crop, hundredths of g CO2e/bu; empty where not known
    county_tables: tuple[str, ...]  # SHA-256 of published tables of unit CIs
    listed_by: ListSource  # the list


@dataclass(frozen=True)
class Calculators:
    """The known versions by folded names; see ``find``."""

    versions: Mapping[tuple[str, str], KnownVersion]
    sources: tuple[ListSource, ...]

    def find(self, calculator: str, version: str) -> KnownVersion | None:
        """Return a version by the names of a printout; case and spaces do not matter."""
        return self.versions.get((_folded(calculator), _folded(version)))

    def with_list(self, content: bytes, file: str) -> "Calculators":
        """Return these and the versions of another list that they do not hold.

        Raises:
            ProblemsError: the file is no list of calculators.
        """
        other = _read_calculators(content, file)
        merged = {**other.versions, **self.versions}
        return Calculators(MappingProxyType(merged), (*self.sources, *other.sources))


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _read_calculators(content: bytes, file: str) -> Calculators:
    """Read a list from the bytes of its TOML file.

    Raises:
        ProblemsError: it cannot be read, lacks name or supplier, or holds something it does not know.
    """
    try:
        data = tomllib.loads(content.decode("utf-8"))
        head = data["list"]
        digest = hashlib.sha256(content).hexdigest()
        source = ListSource(_text(head, "name"), _text(head, "supplier"), digest, _day(head["read_up_to"]))
        found = {
            (_folded(name), _folded(version)): known
            for entry in data["calculator"]
            for names, known in _versions(entry, source)
            for name, version in names
        }
    except (KeyError, TypeError, ValueError) as wrong:
        said = f"{wrong} is missing" if isinstance(wrong, KeyError) else str(wrong)
        cause = f"This is no list of calculators: {said}."
        raise refuse(file, cause, _REMEDY, cite="2100.020(a)", code="calculator_list") from None
    return Calculators(MappingProxyType(found), (source,))


def _versions(entry: Mapping[str, Any], source: ListSource) -> list[tuple[list[tuple[str, str]], KnownVersion]]:
    if unknown := set(entry) - _CALCULATOR_KEYS:
        raise ValueError(f"unknown {', '.join(sorted(unknown))}")
    names = [_text(entry, "name"), *entry.get("also", ())]
    found = []
    for one in entry["version"]:
        if unknown := set(one) - _VERSION_KEYS:
            raise ValueError(f"unknown {', '.join(sorted(unknown))}")
        first = one.get("first_day")
        known = KnownVersion(
            names[0], _text(one, "version"), CalculatorStatus(one["status"]), one.get("example", False) is True,
            _text(one, "source"), None if first is None else _day(first),
            MappingProxyType({crop: parse(ci, CI_SCALE) for crop, ci in one.get("defaults", {}).items()}),
            tuple(one.get("county_tables", ())), source,
        )  # fmt: skip
        written = [known.version, *one.get("also", ())]
        found.append(([(name, version) for name in names for version in written], known))
    return found


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry[name]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} is not a text")
    return value.strip()


def _day(value: object) -> dt.date:
    if not isinstance(value, dt.date) or isinstance(value, dt.datetime):
        raise ValueError("a day is written like 2026-07-28, without quotes")  # noqa: TRY004 - told as a wrong file
    return value


@cache
def packaged_calculators() -> Calculators:
    """Return the list that comes with the program, read once."""
    path = files("provender.rule") / "data" / "calculators.toml"
    return _read_calculators(path.read_bytes(), "calculators.toml")


def known_calculators(path: Path | None) -> Calculators:
    """Return the packaged list, with that of a file where one is named.

    Raises:
        ProblemsError: the file cannot be read or is no list of calculators.
    """
    if path is None:
        return packaged_calculators()
    try:
        content = path.read_bytes()
    except OSError as error:
        raise refuse(str(path), f"The list cannot be read: {error.strerror}.", "Check the path.") from None
    return packaged_calculators().with_list(content, path.name)
