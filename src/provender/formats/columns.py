"""What the columns of a table mean: what it can become, and a first guess for a person to confirm."""

import datetime as dt
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from provender.catalog.materials import crop_use
from provender.days import ORDERS, orders_of
from provender.formats.happened import (
    HEADINGS,
    IN_PASSES,
    OF_PASSES,
    OF_WORK,
    PASSES,
    STATE,
    WEAK,
    is_state,
    reads_as_day,
)
from provender.formats.parsed import (
    ColumnMap,
    ColumnRule,
    MappedTable,
    Sheet,
    TextRow,
    doubt,
    fingerprint,
    note,
    plain_heading,
    position_names,
    without_future,
)
from provender.formats.units import canonical, decimal_of, unit_kind, without_nutrient
from provender.problem import Place, Problem, listed
from provender.records.field import ColumnKind
from provender.records.kind import KINDS, Kind

# Common columns of every record that no foreign file fills.
_NOT_MAPPED: Final = frozenset({"farm_id", "known_by", "evidence"})


@dataclass(frozen=True, slots=True)
class TargetField:
    """One field that a column may fill."""

    name: str  # of the field
    kind: str  # ``key``, ``text``, ``choice``, ``quantity``, ``whole``, ``day``, ``yes_no``
    unit: str = ""  # of a quantity
    scale: int = 3  # decimals kept of a quantity
    required: bool = False  # a row without it cannot be used; not the kind's own key, which file and row can name
    synonyms: tuple[str, ...] = ()  # headings that mean it, best first, plain
    weak: tuple[str, ...] = ()  # headings that may mean it
    # what everyday words of its cells mean in ours, for every map
    words: Mapping[str, str] = field(default_factory=dict)
    assumed: str = ""  # what it is in every row of a table that has no column for it; a person is asked
    label: str = ""  # what a person reads for its name; blank where the name says it


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


@dataclass(frozen=True)
class Target:
    """A target with its fields."""

    name: str
    fields: dict[str, TargetField]

    @cached_property
    def means(self) -> Mapping[str, Sequence[tuple["_Rank", str]]]:
        """What each heading means: fields, and how well it fits them."""
        found: dict[str, list[tuple[_Rank, str]]] = {}
        for one in self.fields.values():
            for is_weak, texts in ((False, one.synonyms), (True, one.weak)):
                for at, text in enumerate(texts):
                    found.setdefault(text, []).append(((is_weak, at), one.name))
        found.pop("", None)
        return found

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
    fields |= _of_entry(name, known)
    if name in OF_WORK:
        fields[STATE] = TargetField(STATE, "text", synonyms=HEADINGS, weak=WEAK, label="Whether it was done")
        fields[GROWER] = TargetField(GROWER, "text", synonyms=_GROWERS, label="Grower")
    if name in IN_PASSES:
        fields[PASSES] = TargetField(PASSES, "text", synonyms=OF_PASSES, label="Number of passes")
    if name == "harvest":
        fields[YIELD] = TargetField(YIELD, "quantity", "bu/ac", synonyms=_YIELDS, label="Yield")
    if name == SOIL:
        fields[TOP] = TargetField(TOP, "quantity", "in", synonyms=tuple(_TOPS.split("|")), label="Top of the sample")
    if name == "scale_ticket":
        # A farm in a list of its own loads is a field as often as a customer.
        fields |= {each: replace(target("ticket").fields[each], weak=()) for each in LOAD_COLUMNS}
    if name == "cover_crop":
        fields |= {each: replace(target("cover_species").fields[each], required=False) for each in SOWN_COLUMNS}
    return Target(name, fields)


GROWER: Final = "grower"
_GROWERS: Final = ("grower", "grower name", "client", "client name", "customer", "customer name")
"""Whose work a row of a list of several growers is; their farms are the parts of each."""
YIELD: Final = "yield_bu_per_ac"
_YIELDS: Final = ("yield", "bu/ac", "bu/acre", "bpa", "dry yield", "avg yield", "average yield", "yield per acre")
SOIL: Final = "soil_test"
TOP: Final = "top_in"
"""The field of a soil test that says how deep its sample begins."""


def is_rated(found: Target, measured: TargetField) -> bool:
    """Tell whether laboratories rate the values of a field by letters, as they do all but the depth."""
    return found.name == SOIL and measured.kind == "quantity" and measured.unit != "in"


_TOPS: Final = (
    "top in|top depth|depth from|from depth|start depth|starting depth|beginning depth|begin depth|upper depth"
    "|depth top|depth start|b depth|s depth|sample top|top"
)


LOAD_COLUMNS: Final = ("direction", "customer", "split_pct", "void", "status", "gross_lb", "tare_lb")
"""What an elevator's list says of a load, by which a farm's own deliveries are told from the others."""


SOWN_COLUMNS: Final = ("species", "rate_lb_per_ac")
"""What a list of cover crops says of the mix that was sown, which has records of its own."""


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


_AHEAD: Final = frozenset({"first_day", "last_day", "until"})
"""Days that may lie ahead: delivery windows, ends of agreements."""


def without_days_ahead(table: MappedTable, as_of: dt.date) -> tuple[MappedTable, list[Problem]]:
    """Take out days after ``as_of`` on which something is said to have happened; see ``without_future``."""
    days = [each.name for each in target(table.target).fields.values() if each.kind == "day"]
    return without_future(table, [name for name in days if name not in _AHEAD], as_of)


# The row of units that laboratories write under their headings, and units written behind a number in its cell.

MARKS: Final = ("units", "unit")
_BRACKET: Final = re.compile(r"[\[(]([^\])]{1,20})[\])]")
_BEHIND: Final = re.compile(r"\s*([-+]?[\d.,\u00a0 ]*\d)\s*([^\d\s].*)", re.DOTALL)


def unit_in(text: str) -> str:
    """Return the unit that a heading or a unit cell names: in brackets, or as its last word; empty for none."""
    for found in reversed(_BRACKET.findall(text)):
        if unit := canonical(found):
            return unit
    words = text.replace("\u00a0", " ").replace("_", " ").split()
    return next((unit for at in range(len(words)) if (unit := canonical(" ".join(words[at:])))), "")


def without_unit(text: str) -> str:
    """Return a heading without the unit that stands in brackets at its end; the text as it is where none does."""
    bare, _, unit = text.rstrip(" )]").replace("[", "(").rpartition("(")
    return bare.strip() if bare.strip() and canonical(unit) else text


def behind(text: str) -> tuple[str, str]:
    """Return a number and the unit written behind it, as ``62 lb/ac``; the text and nothing where it is no such."""
    found = _BEHIND.fullmatch(text)
    unit = canonical(found[2]) if found else ""
    return (found[1].strip(), unit) if found and unit else (text, "")


def units_row(below: Sequence[TextRow], numbers: Iterable[int]) -> TextRow | None:
    """Return the row under the headings that states units, or None.

    It says so in its first cell, or in the columns of numbers it holds units and nothing else, two at least.
    """
    if not below:
        return None
    first = below[0]
    if plain_heading(first.cell(0)) in MARKS:
        return first
    said = [first.cell(at) for at in numbers if first.cell(at)]
    # A value with its unit behind it begins with a figure; it is a row of values.
    return first if len(said) > 1 and all(unit_in(text) and not text[0].isdigit() for text in said) else None


# A first guess at what the columns of a table mean, for a person to confirm.
#
# The heading row is the one among the first rows that knows most headings. Units are taken from brackets in a heading
# or from a row of units under it. The order of day and month, and a decimal comma, are taken from values that can be
# read only one way.

_SEARCHED: Final = 30
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""Between the words of ``NetWeight`` and ``QTYBushels``."""
_ENOUGH: Final = 3
_MARKS: Final = (*MARKS, "comment", "total", "grand total", "subtotal", "sub total")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A suggested map with what to ask the person about it."""

    map: ColumnMap
    heading: TextRow
    problems: tuple[Problem, ...]


def _bare(plain: str) -> str:
    """Return a plain heading without a unit at its end."""
    words = plain.split()
    units = (at for at in range(1, len(words)) if canonical(" ".join(words[at:])))
    return " ".join(words[: next(units, len(words))])


@lru_cache(maxsize=16_384)  # each heading is held against every kind
def _names(heading: str) -> frozenset[str]:
    found = set[str]()
    for text in {heading, _CAMEL.sub(" ", heading)}:
        unbracketed = plain_heading(_BRACKET.sub(" ", text))
        found |= {plain_heading(text), unbracketed, _bare(unbracketed)}
    return frozenset(found)


@cache
def _all_names() -> frozenset[str]:
    return frozenset(name for each in target_names() for name in target(each).means)


@lru_cache(maxsize=2 * _SEARCHED)
def _known_cells(line: TextRow) -> tuple[str, ...]:
    """Return the cells that are headings of anything that is read here; a row is asked for it by every kind."""
    return tuple(cell for cell in line.cells if cell.strip() and not _names(cell).isdisjoint(_all_names()))


def _knows_headings(line: TextRow) -> bool:
    """Tell whether a row holds two headings of anything that is read here."""
    return len({cell.casefold() for cell in _known_cells(line)}) > 1


_Rank = tuple[bool, int]
"""Whether a heading only may mean a field, and its place among those that do, or may; the lower fits better."""


def _fits(heading: str, target: Target) -> dict[str, _Rank]:
    """Return the fields of a target that a heading means or may mean."""
    found: dict[str, _Rank] = {}
    for name in _names(heading):
        for rank, means in target.means.get(name, ()):
            found[means] = min(rank, found.get(means, rank))
    return found


def _count_known_headings(line: TextRow, target: Target) -> int:
    return sum(not _names(cell).isdisjoint(target.means) for cell in _known_cells(line))


def best_heading(line: TextRow, target: Target, field: str) -> str:
    """Return the heading that fits a field best, as written; empty where none does."""
    fits = [(_fits(cell, target).get(field), at) for at, cell in enumerate(line.cells) if cell in _known_cells(line)]
    best = min(((rank, at) for rank, at in fits if rank is not None), default=None)
    return line.cell(best[1]) if best else ""


def _find_heading(sheet: Sheet, target: Target) -> TextRow | None:
    """Return the row that knows most headings of the target, at least two; None where there is no such row."""
    candidates = sheet.lines[:_SEARCHED]
    if candidates and candidates[0].number == 0:
        return candidates[0]  # the places of columns that have no headings
    best = max(candidates, key=lambda line: _count_known_headings(line, target), default=None)
    return best if best is not None and _count_known_headings(best, target) > 1 else None


def _misfits(heading: str, field: TargetField) -> bool:
    """Tell whether a heading names a unit that a quantity is not measured in: pounds per acre are no ppm."""
    said, wanted = unit_kind(_unit_of(heading, field)), unit_kind(field.unit)
    return field.kind == "quantity" and bool(said and wanted) and said != wanted


def _choose(heading: TextRow, target: Target, filled: Sequence[int]) -> dict[str, int]:
    """Give each field the best heading: filled columns first, then the better synonym, then the left one."""
    offers = [
        (filled[index] == 0, _misfits(cell, target.fields[name]), rank, index, name)
        for index, cell in enumerate(heading.cells)
        for name, rank in _fits(cell, target).items()
    ]
    chosen: dict[str, int] = {}
    for *_, index, name in sorted(offers):
        if name not in chosen and index not in chosen.values():
            chosen[name] = index
    for *_, index, name in sorted(offers):  # what no row may lack takes the column of what may be blank
        holder = next((other for other, at in chosen.items() if at == index), "")
        if target.fields[name].required and name not in chosen and not target.fields[holder].required:
            del chosen[holder]
            chosen[name] = index
    return chosen


def _by_content(heading: TextRow, data: Sequence[TextRow], target: Target, chosen: dict[str, int]) -> dict[str, int]:
    """Return fields that no heading names, by what one column alone can be: crops, days, ways in or out."""
    found = {}
    for name, is_one in _CONTENT.items():
        if name in chosen or name not in target.fields:
            continue
        free = [index for index, cell in enumerate(heading.cells) if cell.strip() and index not in chosen.values()]
        fits = []
        for index in free:
            texts = [line.cell(index) for line in data if line.cell(index)]
            if len(texts) >= (min(_ENOUGH, len(data)) if name == STATE else _ENOUGH) and all(map(is_one, texts)):
                fits.append(index)
        if len(fits) == 1:
            found[name] = fits[0]
    return found


def _drop_weak_state(heading: TextRow, data: Sequence[TextRow], chosen: dict[str, int]) -> None:
    """Let a column that may say whether work was done go where its cells do not: a State is one of the country too."""
    at = chosen.get(STATE)
    if at is not None and plain_heading(heading.cell(at)) in WEAK:
        texts = [line.cell(at) for line in data if line.cell(at)]
        if not texts or not all(map(is_state, texts)):
            del chosen[STATE]


_WAYS: Final = frozenset({"i", "o", "in", "out", "inbound", "outbound"})
_CONTENT: Final[Mapping[str, Callable[[str], bool]]] = {
    "crop": lambda text: crop_use(text) is not None,
    "day": lambda text: _is_day(text) and not text.isdigit(),
    "direction": lambda text: text.strip().casefold() in _WAYS,
    STATE: is_state,
}


def _units(heading: TextRow, data: Sequence[TextRow], chosen: dict[str, int], target: Target) -> dict[str, str]:
    row = units_row(data, (index for name, index in chosen.items() if target.fields[name].kind == "quantity"))
    units = {}
    for name, index in chosen.items():
        if target.fields[name].kind != "quantity":
            continue
        measured = unit_kind(target.fields[name].unit)
        offers = [_unit_of(heading.cell(index), target.fields[name]), unit_in(row.cell(index)) if row else ""]
        units[name] = next((unit for unit in offers if unit and (not measured or unit_kind(unit))), "")
    return units


def _unit_of(heading: str, field: TargetField) -> str:
    """Return the unit that a heading names; our own name of a column says its own, ``n_lb_per_ac`` no acres."""
    said = unit_in(heading)
    first = canonical(heading.partition(" ")[0])  # as of Acres seeded
    if not said and unit_kind(first) == unit_kind(field.unit) != "":
        return first
    return field.unit if said and plain_heading(heading) == plain_heading(field.name) else unit_for(field, said)


def unit_for(field: TargetField, unit: str) -> str:
    """Return a unit as it is meant in a field: pounds of nitrogen are pounds in a column of nitrogen."""
    if field.unit == "rate" and unit_kind(unit) == "area":
        return ""  # of a rate per acre
    nutrient, plain = without_nutrient(unit)
    return plain if nutrient in field.name.split("_") and unit_kind(field.unit) == unit_kind(plain) else unit


def suggest(sheet: Sheet, target: Target, file: str) -> Suggestion | None:
    """Suggest a map for a sheet; None where no row looks like headings of the target."""
    heading = _find_heading(sheet, target)
    if heading is None:
        return None
    place = Place(file, sheet.name, heading.number)
    data = [line for line in sheet.lines if line.number > heading.number]
    width = len(heading.cells)
    filled = [sum(bool(line.cell(index)) for line in data) for index in range(width)]
    chosen = _choose(heading, target, filled)
    _drop_weak_state(heading, data, chosen)
    guessed = _by_content(heading, data, target, chosen)
    chosen |= guessed
    units = _units(heading, data, chosen, target)
    days = [index for name, index in chosen.items() if target.fields[name].kind == "day"]
    numbers = [index for name, index in chosen.items() if target.fields[name].kind == "quantity"]
    said = (orders_of(line.cell(index)) for index in days for line in data if line.cell(index))
    orders = frozenset(("mdy", "dmy")).intersection(*said)
    used = set(chosen.values())
    ignored = tuple(cell.strip() for index, cell in enumerate(heading.cells) if cell.strip() and index not in used)
    columns = tuple(
        ColumnRule(heading.cell(index), name, units.get(name, ""))
        for name, index in sorted(chosen.items(), key=lambda pair: pair[1])
    )
    found = ColumnMap(
        f"{target.name} from {file}",
        target.name,
        fingerprint(heading.cells),
        columns,
        ignored,
        _MARKS,
        date_order=next(iter(orders)) if len(orders) == 1 else "",
        decimal=decimal_of(line.cell(index) for index in numbers for line in data),
        constants={name: each.assumed for name, each in target.fields.items() if each.assumed and name not in chosen},
    )
    asked = list(_questions(found, heading, target, chosen, filled, place))
    for name, index in guessed.items():
        text = heading.cell(index)
        cause = f"the column {text!r} was taken for {target.called(name)} by what its cells hold."
        asked.append(doubt(replace(place, column=text), cause, "Confirm it.", "matched_by_content"))
    return Suggestion(found, heading, tuple(asked))


def weak_match(place: Place, called: str) -> Problem:
    """Ask about a heading that may mean something else."""
    cause = f"the column {place.column!r} may not be {called}."
    return doubt(place, cause, f"Confirm it, or supply {called} from the report.", "weak_match")


def several_columns(place: Place, taken: str, called: str, others: Iterable[str]) -> Problem:
    cause = f"{taken!r} was taken for {called}, though {listed(others)} could be it too."
    return doubt(place, cause, "Confirm which of them it is.", "several_columns")


def ignored_columns(place: Place, headings: Iterable[str]) -> Problem:
    cause = f"these columns are not imported: {listed(headings, most=60)}."
    return note(place, cause, "No action needed, unless one of them is.", "ignored_columns")


def _rivals(other: str, chosen: str, field: TargetField, target: Target) -> bool:
    """Tell whether another heading could mean a field too: one that may mean it does not rival one that does."""
    rank, taken = _fits(other, target).get(field.name), _fits(chosen, target).get(field.name)
    if rank is None or (_misfits(other, field) and not _misfits(chosen, field)):
        return False
    (is_weak, _) = rank
    return not is_weak or taken is None or taken[0]


def _questions(
    found: ColumnMap, heading: TextRow, target: Target, chosen: dict[str, int], filled: Sequence[int], place: Place
) -> Iterable[Problem]:
    pairs = listed((f"{each.heading} = {target.called(each.field)}" for each in found.columns), most=40)
    if heading.number:
        cause = f"check these columns: {pairs}."
        yield doubt(place, cause, "Confirm or correct the map.", "suggested_map")
    if not found.decimal:
        cause = "the numbers write fractions in two ways, with a point and with a comma; each was read by its own sign."
        remedy = "Look at them, or say in the map which sign it is; a number that could be two was not read."
        yield doubt(place, cause, remedy, "mixed_decimals")
    for name, text in found.constants.items():
        cause = f"no column says {target.called(name)}; it was taken to be {text} in every row."
        yield doubt(place, cause, "Confirm or correct the map.", "suggested_constant")
    if found.ignored and heading.number:
        yield ignored_columns(place, found.ignored)
    for name, index in chosen.items():
        field, text, called = target.fields[name], heading.cell(index), target.called(name)
        here = replace(place, column=text)
        if plain_heading(text) in field.weak or _bare(plain_heading(_BRACKET.sub(" ", text))) in field.weak:
            yield weak_match(here, called)
        others = [
            heading.cell(other)
            for other in range(len(heading.cells))
            if other != index
            and other not in chosen.values()
            and filled[other]
            and _rivals(heading.cell(other), text, field, target)
        ]
        if others:
            yield several_columns(here, text, called, others)


# Which kind of record a table holds that neither a name nor a key nor a known layout tells: what its headings say.
#
# A few headings together are said by one kind only, such as a field, a day and an implement. The kind whose columns
# have most headings is suggested, and a person confirms it: nothing goes in before.


@dataclass(frozen=True, slots=True)
class Telling:
    """Columns by which a kind is known."""

    all: tuple[str, ...]  # each of them has a heading
    some: tuple[str, ...] = ()  # at least ``least`` of them have one
    least: int = 0  # how many
    or_heading: str = ""  # a heading that stands for one of ``some``, as a pattern


TELLING: Final[Mapping[str, Telling]] = {
    "soil_test": Telling(("unit_id",), ("ph", "organic_matter_pct", "nitrate_n_ppm", "p_ppm", "k_ppm"), 3),
    "scale_ticket": Telling(("ticket_id", "day"), ("net_lb", "net_bushels"), 1),
    "nutrient_application": Telling(("unit_id", "day", "product"), ("rate", "n_lb_per_ac"), 1),
    "operation": Telling(("unit_id", "day", "operation")),
    "harvest": Telling(("unit_id", "crop", "bushels")),
    "cover_crop": Telling(
        ("unit_id", "seeded_on"), ("terminated_on", "termination_method"), 1, or_heading=r"\bcover\b"
    ),
    "planting": Telling(("harvest_id", "planted_on")),
    "nutrient_budget": Telling(("harvest_id", "yield_goal_bu_per_ac", "planned_n_lb_per_ac")),
    "reported_acres": Telling(("report_id", "crop", "harvest_year", "acres")),
    "calculator_run": Telling(("unit_id", "crop", "ci_g_per_bu")),
    "unit": Telling(("unit_id", "acres"), ("county_fips", "fsa_field", "legal_description", "parcel_id"), 1),
}
"""By kind; of two whose columns have as many headings the first counts."""


def matched(sheet: Sheet, kind: str) -> int:
    """Return how many columns of a kind the headings of a sheet name; 0 where they do not tell it."""
    found = suggest(sheet, target(kind), "")
    named = {rule.field for rule in found.map.columns} if found else set()
    telling = TELLING.get(kind)
    if telling is None or found is None or not set(telling.all) <= named:
        return 0
    heads = found.heading.cells if telling.or_heading else ()
    said = any(re.search(telling.or_heading, cell, re.IGNORECASE) for cell in heads)
    if len(named & set(telling.some)) + said < telling.least:
        return 0
    return len(named)


def kind_by_headings(sheet: Sheet, file: str) -> tuple[Kind, Problem] | None:
    """Return the kind that the headings of a sheet tell together, with what to ask about it; None where none do."""
    written = {cell.strip().casefold() for line in sheet.lines[:_SEARCHED] for cell in line.cells}
    if written & {own_key(kind) for kind in KINDS.values()} - {""}:
        return None  # a table of ours, in which some columns are not
    found = {kind: matched(sheet, kind) for kind in TELLING}
    best = max(found, key=lambda kind: found[kind])
    if not found[best]:
        return None
    others = [KINDS[kind].label.lower() for kind, count in found.items() if count and kind != best]
    taken = KINDS[best].label.lower()
    cause = f"the headings were taken for those of {taken}."
    if others:
        cause = f"the headings were taken for those of {taken}, though they could be those of {listed(others)} too."
    asked = doubt(
        Place(file, sheet.name), cause, "Confirm it, or say what its rows are with --kind.", "kind_by_headings"
    )
    return KINDS[best], asked


# Tables without headings: their columns are called by their place, and a person says once what each is.

VALUE: Final = re.compile(r"[-+$]?[.]?\d[\d.,/:-]*(?!\S)")
"""A number or a day in figures, which is no heading."""
_NUMBER: Final = re.compile(r"[-+$]?[\d.,]*\d[\d.,]*%?", re.ASCII)
_SHOWN: Final = 3


def positioned(sheet: Sheet) -> Sheet:
    """Return a sheet without headings with the places of its columns for headings, on a row 0; another as it is.

    Its first row holds a day, or values mostly, and no row near it knows two headings of anything that is read here.
    """
    if not sheet.lines or sheet.lines[0].number == 0:
        return sheet
    filled = [cell.strip() for cell in sheet.lines[0].cells if cell.strip()]
    numbers = sum(_NUMBER.fullmatch(text) is not None for text in filled)
    values = any(map(_is_day, filled)) or 2 * numbers > len(filled)
    if not values or len(filled) < 2:  # noqa: PLR2004 - one column is no table
        return sheet
    if any(map(_knows_headings, sheet.lines[:_SEARCHED])):
        return sheet
    width = max(len(line.cells) for line in sheet.lines)
    lines = (replace(line, cells=(*line.cells, *[""] * (width - len(line.cells)))) for line in sheet.lines)
    return replace(sheet, lines=(TextRow(0, position_names(width)), *lines))


def is_positioned(sheet: Sheet) -> bool:
    """Tell whether the columns of a sheet are called by their places."""
    return bool(sheet.lines) and sheet.lines[0].number == 0


def fits_position(sheet: Sheet, column_map: ColumnMap) -> bool:
    """Tell whether the columns that a map takes for days hold days: a table of another layout hardly does."""
    fields, heading = target(column_map.target).fields, sheet.lines[0]
    days = [rule for rule in column_map.columns if rule.field in fields and fields[rule.field].kind == "day"]
    at = {cell: index for index, cell in enumerate(heading.cells)}
    shown = sheet.lines[1 : 1 + _SHOWN]
    return all(
        rule.heading in at and all(_is_day(text) for line in shown if (text := line.cell(at[rule.heading])))
        for rule in days
    )


def asked_by_position(sheet: Sheet, file: str) -> Problem:
    """Ask what each column is, and show what stands in the first rows."""
    first = sheet.lines[1 : 1 + _SHOWN]
    shown = "; ".join(
        f"{name}: {', '.join(line.cell(at) or 'blank' for line in first)}"
        for at, name in enumerate(sheet.lines[0].cells)
    )
    cause = f"the table has no headings. Its first {len(first)} rows hold {shown}."
    remedy = "Say in the column map what each column is; the next file of this layout is then read by it."
    return doubt(Place(file, sheet.name), cause, remedy, "columns_by_position")


def _is_day(text: str) -> bool:
    return reads_as_day(text, *ORDERS[:2])
