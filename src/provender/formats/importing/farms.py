"""Rows of several farms in one import: a blank farm cell is filled by what the row names, or the row stays out.

``N40`` says whose field it is where one farm alone has a unit of that name. Nobody guesses between two farms: a row
that names nothing that one farm alone has is told, and its farm is to be written.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from provender.catalog.places import find_county, zones_of
from provender.days import ANYWHERE, UNITED_STATES
from provender.formats.columns import own_key
from provender.formats.importing.incoming_files import Arrival, IncomingFile, cell_at
from provender.formats.importing.loads import with_own_loads
from provender.formats.importing.references import NAMED, folded
from provender.problem import Place, Problem, listed
from provender.records.book import RecordBook
from provender.records.kind import KINDS, Kind

FARM: Final = "farm_id"
_STEPS: Final = 4
"""A source names its budget, which names a crop entry, which names a unit, which has a farm."""
_Owners = dict[tuple[str, str], set[str]]


def with_farms(arrivals: Iterable[Arrival], farms: Sequence[str], book: RecordBook | None) -> None:
    """Fill the blank farm cells of all tables in place, where the book or the import is of several farms.

    A farm that is called by its name is the farm of that name, where one alone has it.
    """
    arrivals = list(arrivals)
    names = _called(arrivals, farms, book)
    for arrival in arrivals:
        arrival.tables = [_with_identifiers(one, names) for one in arrival.tables]
    with_own_loads(arrivals, farms, book)
    if len(farms) < 2:  # noqa: PLR2004 - between two farms one must be chosen
        return
    tables = [(one, at) for one in arrivals for at in range(len(one.tables))]
    for one, at in tables:
        one.tables[at] = _with_column(one.tables[at])
    owners = _of_book(book)
    for _ in range(_STEPS):
        for one, at in tables:
            _learn(owners, one.tables[at])
        for one, at in tables:
            one.tables[at] = _filled(one.tables[at], owners)
    for one, at in tables:
        one.tables[at] = _told(one.tables[at], owners, farms)


def no_farm(arrivals: Iterable[Arrival], folder: Path) -> Problem:
    """Return what is said where neither a book nor a file tells of a farm, or a file's farm has no identifier."""
    for table in (
        table for one in arrivals for table in one.tables if table.kind is KINDS["farm"] and table.table.rows
    ):
        place = table.place(table.table.rows[0][0], FARM)
        cause = "the farm has no identifier, and there is no record book yet that tells it."
        return Problem(place, cause, "Write a short one, such as F1.", "2100.031(c)(1)", code="no_farm")
    cause = "there is no record book yet, and no file brings a farm."
    remedy = "Begin one with `provender template --book FOLDER`, or fill in the sheet Farm."
    return Problem(Place(str(folder)), cause, remedy, "2100.031(c)(1)", code="no_farm")


def zones_of_book(book: RecordBook) -> tuple[str, ...]:
    """Return every time zone in which the units of a book can lie; see ``days.read_day``."""
    farms = list(book["farm"])
    if any((farm["country"] or "US").strip().upper() not in ("US", "USA") for farm in farms):
        return ANYWHERE
    counties = {find_county(str(fips)) for fips in (*book["unit"]["county_fips"], *book["farm"]["county_fips"]) if fips}
    places = {(county.name, county.state) for county in counties if county}
    places |= {(farm["county"] or "", farm["state"] or "") for farm in farms if not farm["county_fips"]}
    return tuple(sorted({zone for county, state in places for zone in zones_of(county, state)})) or UNITED_STATES


def _called(arrivals: Iterable[Arrival], farms: Sequence[str], book: RecordBook | None) -> dict[str, str]:
    """Return the farm that each name, or other spelling of an identifier, means; what could mean two means none."""
    said = [(farm, farm) for farm in farms]
    said += [(str(one["name"] or ""), str(one[FARM])) for one in book["farm"]] if book else []
    for table in (table for one in arrivals for table in one.tables if table.kind is KINDS["farm"]):
        said += [(row.get("name", ""), row.get(FARM, "")) for row in table.texts()]
    meant: dict[str, set[str]] = {}
    for name, farm in said:
        if folded(name) and farm:
            meant.setdefault(folded(name), set()).add(farm)
    return {name: next(iter(found)) for name, found in meant.items() if len(found) == 1}


def _with_identifiers(incoming: IncomingFile, names: Mapping[str, str]) -> IncomingFile:
    """Return a table whose farms go by their identifiers; a farm's own table says them itself."""
    at = incoming.columns.get(FARM) if incoming.kind is not KINDS["farm"] else None
    if at is None:
        return incoming

    def called(cells: tuple[str, ...]) -> tuple[str, ...]:
        text = cell_at(cells, at)
        farm = names.get(folded(text), text) if text else ""
        return (*cells[:at], farm, *cells[at + 1 :]) if text and farm != text else cells

    return incoming.with_rows((number, called(cells)) for number, cells in incoming.table.rows)


def _of_book(book: RecordBook | None) -> _Owners:
    owners: _Owners = {}
    for name, kind in KINDS.items() if book is not None else ():
        key = own_key(kind)
        for row in book[name].iter_rows(named=True) if book is not None and key else ():
            for text in (row[key], row.get(NAMED.get(name, ""))):
                if text:
                    owners.setdefault((name, folded(str(text))), set()).add(str(row[FARM]))
    return owners


def _with_column(incoming: IncomingFile) -> IncomingFile:
    """Return a table that has a column for the farm; a farm's own table has one anyhow."""
    table = incoming.table
    if incoming.kind is None or FARM in incoming.columns or not table.heading:
        return incoming
    width = len(table.heading)
    rows = tuple((number, (*cells, *[""] * (width + 1 - len(cells)))) for number, cells in table.rows)
    return replace(incoming, table=replace(table, heading=(*table.heading, FARM), rows=rows))


def _learn(owners: _Owners, incoming: IncomingFile) -> None:
    """Note which farm has which record, by identifier and by name."""
    kind = incoming.kind
    if kind is None or not own_key(kind):
        return
    for row in incoming.texts():
        farm = row.get(FARM, "")
        for column in (own_key(kind), NAMED.get(kind.name)):
            text = folded(row.get(column, "")) if column else ""
            if farm and text:
                owners.setdefault((kind.name, text), set()).add(farm)


def _candidates(
    kind: Kind, where: Mapping[str, int], cells: Sequence[str], owners: _Owners
) -> dict[tuple[str, str], set[str]]:
    """Return which farms have each record that a row names, by column and text."""
    found = {}
    for name, field in kind.fields.items():
        text = cell_at(cells, where.get(name))
        if field.refers and text:
            found[name, text] = owners.get((field.refers, folded(text)), set())
    return found


def _filled(incoming: IncomingFile, owners: _Owners) -> IncomingFile:
    kind, table = incoming.kind, incoming.table
    if kind is None or FARM not in (where := incoming.columns):
        return incoming
    rows = []
    for number, cells in table.rows:
        if cell_at(cells, where[FARM]):
            rows.append((number, cells))
            continue
        named = [farms for farms in _candidates(kind, where, cells, owners).values() if farms]
        common = set.intersection(*named) if named else set()
        farm = next(iter(common)) if len(common) == 1 else ""
        at = where[FARM]
        rows.append((number, (*cells[:at], farm, *cells[at + 1 :])))
    return incoming.with_rows(rows)


def _told(incoming: IncomingFile, owners: _Owners, farms: Sequence[str]) -> IncomingFile:
    """Tell of each row whose farm stays open: it is not put on the first farm in silence."""
    kind, table = incoming.kind, incoming.table
    if kind is None or FARM not in (where := incoming.columns):
        return incoming
    problems = []
    for number, cells in table.rows:
        if cell_at(cells, where[FARM]) or not any(cell.strip() for cell in cells):
            continue
        several = {
            text: found for (_, text), found in _candidates(kind, where, cells, owners).items() if len(found) > 1
        }
        why = "; ".join(f"{text} is one of {listed(sorted(found))}" for text, found in several.items())
        cause = f"this import is of {listed(farms)}, and the row does not say of which{f' ({why})' if why else ''}."
        place = Place(table.file, table.sheet, number, FARM)
        remedy = "Write the farm into a column farm_id."
        problems.append(Problem(place, cause, remedy, kind.cite, code="which_farm"))
    return replace(incoming, problems=(*incoming.problems, *problems))
