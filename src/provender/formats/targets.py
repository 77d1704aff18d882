"""What a mapped table can become: a kind of record, or a document of an elevator (ticket, contract)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from provender.formats.column_map import plain_heading
from provender.formats.units import canonical, unit_kind
from provender.records import KINDS, Kind
from provender.records.field import ColumnKind

# Common columns of every record that no foreign file fills.
_NOT_MAPPED: Final = frozenset({"farm_id", "known_by", "evidence"})


@dataclass(frozen=True, slots=True)
class TargetField:
    """One field that a column may fill.

    Attributes:
        name: of the field.
        kind: ``key``, ``text``, ``choice``, ``quantity``, ``whole``, ``day``, ``yes_no``.
        unit: of a quantity.
        scale: decimals kept of a quantity.
        required: a row without it cannot be used; not the kind's own key, which file and row can name.
        synonyms: headings that mean it, best first, plain.
        weak: headings that may mean it.
        words: what everyday words of its cells mean in ours, for every map.
        assumed: what it is in every row of a table that has no column for it; a person is asked.
        label: what a person reads for its name; blank where the name says it.
    """

    name: str
    kind: str
    unit: str = ""
    scale: int = 3
    required: bool = False
    synonyms: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    assumed: str = ""
    label: str = ""


class EntryColumn(NamedTuple):
    """A column that tells a crop entry: its label, headings that mean it, and the kind's own column of that sort."""

    label: str
    synonyms: tuple[str, ...]
    own: str


ENTRY_COLUMNS: Final[Mapping[str, EntryColumn]] = {
    "entry_crop": EntryColumn("Crop of the crop entry", ("crop", "crop name", "cash crop", "commodity"), "crop"),
    "entry_year": EntryColumn(
        "Harvest year of the crop entry", ("harvest year", "crop year", "crop season", "year"), "harvest_year"
    ),
}


@dataclass(frozen=True, slots=True)
class Target:
    """A target with its fields."""

    name: str
    fields: dict[str, TargetField]

    def called(self, field: str) -> str:
        """Return what a person reads for the name of a field."""
        found = self.fields.get(field)
        return (found and found.label) or field.replace("_", " ")


def unit_column(found: Target, quantity: TargetField) -> str:
    """Return the column in which rows say the unit of a quantity, as of a rate; empty where the field has one unit."""
    kind, beside = KINDS.get(found.name), f"{quantity.name}_unit"
    return beside if kind is not None and beside in kind.typed_fields and quantity.kind == "quantity" else ""


def own_unit(found: Target, quantity: TargetField, unit: str) -> str:
    """Return what that column says of a unit: the unit itself, or the first of its words that it can be turned into.

    A unit that is turned into none of them leaves the field's own word, into which nothing is converted.
    """
    options = KINDS[found.name].typed_fields[unit_column(found, quantity)].options if unit else ()
    said = canonical(unit) or unit
    alike = [one for one in options if unit_kind(one) == unit_kind(said) != ""]
    return said if said in options else next(iter(alike), quantity.unit if unit else "")


@cache
def _table() -> dict[str, dict[str, dict[str, Any]]]:
    text = (files("provender.formats") / "data" / "targets.toml").read_text("utf-8")
    return tomllib.loads(text)


def target_names() -> tuple[str, ...]:
    """Return the names of all targets."""
    return tuple(sorted({*KINDS, *_table()}))


def _plain(names: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(plain_heading(str(each)) for each in names)) if isinstance(names, (list, tuple)) else ()


def _strong(own: list[str], entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Return headings that mean a field, its own names first, but for those that may mean something else."""
    other = {*_plain(entry.get("weak", [])), *_plain(entry.get("never", []))}
    return tuple(name for name in _plain([*own, *entry.get("synonyms", [])]) if name not in other)


def own_key(kind: Kind) -> str:
    """Return the column by which a record of a kind is called, empty where other records name it."""
    own = (name for name, found in kind.fields.items() if found.kind is ColumnKind.KEY and not found.refers)
    return next((name for name in own if name in kind.key_columns and name != "farm_id"), "")


def _of_kind(name: str) -> Target:
    known = _table().get(name, {})
    fields, own = {}, own_key(KINDS[name])
    for column, found in KINDS[name].typed_fields.items():
        if column in _NOT_MAPPED:
            continue
        entry = known.get(column, {})
        synonyms = _strong([column, found.label], entry)
        fields[column] = TargetField(
            column, str(found.kind), found.unit, found.scale, found.required and column != own, synonyms,
            _plain(entry.get("weak", [])), entry.get("words", {}), entry.get("assumed", ""), found.label,
        )  # fmt: skip
    return Target(name, fields | _of_entry(name, known))


def _of_entry(kind: str, known: Mapping[str, Mapping[str, Any]]) -> dict[str, TargetField]:
    """Return what a file may say of the crop entry of a row instead of its name: crop and harvest year."""
    columns = KINDS[kind].fields
    if "harvest_id" not in columns or not columns["harvest_id"].refers:
        return {}
    found = {}
    for name, one in ENTRY_COLUMNS.items():
        if one.own not in columns:
            synonyms = (name, one.label, *known.get(name, {}).get("synonyms", one.synonyms))
            found[name] = TargetField(name, "text", synonyms=_plain(synonyms), label=one.label)
    return found


@cache
def target(name: str) -> Target:
    """Return a target by name.

    Raises:
        KeyError: there is none.
    """
    if name in KINDS:
        return _of_kind(name)
    fields = {
        name_of: TargetField(
            name_of,
            entry["kind"],
            entry.get("unit", ""),
            entry.get("scale", 3),
            required=entry.get("required", False),
            synonyms=_strong([name_of], entry),
            weak=_plain(entry.get("weak", [])),
        )
        for name_of, entry in _table()[name].items()
    }
    return Target(name, fields)
