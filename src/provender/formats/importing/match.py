"""Rows that the book has already, recognised by what they say, and records that rows are to name.

Of k equal rows of the book and m of a file, m - k are new. A row that says otherwise than a record of the same unit,
day and operation is a change of it, shown before and after; a list that stands twice in one file is asked about.
Neither is written until somebody says which it is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache, partial
from graphlib import TopologicalSorter
from typing import Any, Final

from provender.formats.columns import own_key
from provender.formats.importing.crop_entries import Entries
from provender.formats.importing.import_book import ImportBook, Key, KindTable, Texts, folded_text
from provender.formats.importing.incoming_files import Choices, IncomingTable, Source, number_of
from provender.formats.importing.references import COLUMNS
from provender.formats.parsed import doubt, note
from provender.formats.units import identifier
from provender.problem import Place, Problem, listed
from provender.records.book import NOT_YET, days_of, grouped, year_of, year_of_load
from provender.records.field import Field
from provender.records.folder import write_cell
from provender.records.kind import COMMON, KINDS, Kind
from provender.rule.law import latest_whole

Row = dict[str, object]
Record = Mapping[str, object]
Renamed = dict[tuple[str, str, str], str]
"""New identifiers by kind, farm and the identifier that a file or its row number gave."""

TWICE: Final = "entered_twice"
DIFFERS: Final = "differs_from_book"
SAME_RECORD: Final[Mapping[str, tuple[str, ...]]] = {
    "harvest": ("unit_id", "crop"),
    "planting": ("harvest_id", "planted_on"),
    "operation": ("unit_id", "day", "operation"),
    "nutrient_application": ("unit_id", "day", "product"),
    "cover_crop": ("unit_id", "seeded_on"),
    "nutrient_budget": ("harvest_id", "made_on"),
    "soil_test": ("unit_id", "sampled_on", "depth_in", "laboratory"),
    "in_season_test": ("harvest_id", "tested_on", "what"),
    "seed_purchase": ("species", "received_on", "supplier"),
    "inhibitor_purchase": ("product", "received_on", "supplier"),
    "calculator_run": ("unit_id", "harvest_id", "calculator", "version", "status"),
}
"""The columns by which a row whose identifier its file does not give is of a record that stands."""
_SAYS_NOTHING: Final = frozenset({*COMMON, "as_typed"})
"""Columns that are about a row, not of what happened."""
_NAMED: Final = {"operation": "pass", "nutrient_application": "nutrients", "cover_crop": "cover", "soil_test": "soil",
                 "nutrient_budget": "budget"}  # fmt: skip
"""What a record is called behind its unit or crop entry; others go by their kind."""
_LEAST_TWICE: Final = 3
"""From so many rows on that all stand twice, a list looks as if it was entered twice."""


@dataclass(slots=True)
class _Pool:
    """The records of one kind that a row can be: those of the book and of the files before."""

    kind: Kind
    table: KindTable  # of the book
    choices: Choices
    renamed: Renamed
    entries: Entries  # of crops, with their plantings
    records: dict[Key, Record] = field(default_factory=dict)
    by_content: dict[Key, list[Key]] = field(default_factory=dict)
    by_place: dict[Key, list[Key]] = field(default_factory=dict)
    claimed: dict[Source, set[Key]] = field(default_factory=dict)  # what rows of a file are already

    def add(self, key: Key, record: Record) -> None:
        self.records[key] = record
        self.by_content.setdefault(self.content(record), []).append(key)
        self.by_place.setdefault(self.place(record), []).append(key)

    @property
    def names(self) -> tuple[str, ...]:
        own = own_key(self.kind)
        return tuple(name for name in self.kind.typed_fields if name not in _SAYS_NOTHING and name != own)

    def content(self, row: Record) -> Key:
        return (row["farm_id"], *(folded_text(row[name]) for name in self.names))

    def place(self, row: Record) -> Key:
        """Return the first two columns of those by which a row is of a record: such as its unit and its day."""
        return (row["farm_id"], *(row[name] for name in SAME_RECORD.get(self.kind.name, ())[:2]))

    def rename(self, row: Row, name: str) -> None:
        """Give a row another identifier, by which rows that name it find it."""
        own = own_key(self.kind)
        if row[own] != name:
            self.renamed[self.kind.name, str(row["farm_id"]), str(row[own])] = name
            row[own] = name


def recognise_rows(
    tables: Sequence[IncomingTable], book: ImportBook, choices: Choices, renamed: Renamed, entries: Entries
) -> None:
    """Give rows the identifiers of the records that they are, or new ones; ask of rows that stand twice. In place."""
    for kind in _in_order():
        of_kind = [one for one in tables if one.kind is kind]
        rename_references(of_kind, renamed)
        if not own_key(kind) or not of_kind:
            continue
        pool = _Pool(kind, book.table(kind.name), choices, renamed, entries)
        for key, record in pool.table.records():
            pool.add(key, record)
        # One file after the other: what two files of an import both have is there once, as if each came by itself.
        for of_file in grouped((sifted.source, sifted) for sifted in of_kind).values():
            for sifted in of_file:
                _recognise(sifted, pool)
            _ask_of_list_entered_twice(of_file, pool)
            for sifted in of_file:
                # Of the parts of a crop the first one is called as the crop is, whatever the order of the rows.
                for row in sorted(sifted.rows, key=_cut_on) if kind is KINDS["harvest"] else sifted.rows:
                    _name(row, sifted, pool)


@cache
def _in_order() -> tuple[Kind, ...]:
    """Return the kinds so that each comes behind those it refers to."""
    before = {name: sorted({*_named_by(kind, _owners()).values()} - {name}) for name, kind in KINDS.items()}
    return tuple(KINDS[name] for name in TopologicalSorter(before).static_order())


@cache
def _owners() -> dict[str, str]:
    return {own_key(one): one.name for one in KINDS.values() if own_key(one)}


def rename_references(tables: Iterable[IncomingTable], renamed: Renamed) -> None:
    """Let rows name what they name by the identifiers that it goes by now: those that stay out too, to be mended."""
    owners, by_text = _owners(), {(kind, old): new for (kind, _, old), new in renamed.items()}
    for one in tables if renamed else ():
        named = _named_by(one.kind, owners) if one.kind is not None else {}
        for name, target in named.items():
            for row in one.rows:
                row[name] = renamed.get((target, str(row["farm_id"]), str(row[name])), row[name])
        if named:
            one.set_cells(partial(_named_now, named, by_text))


def _named_now(named: Mapping[str, str], now: Mapping[tuple[str, str], str], _: int, row: Texts) -> Texts:
    return {name: now.get((target, row[name]), row[name]) for name, target in named.items() if name in row}


def _named_by(kind: Kind, owners: Mapping[str, str]) -> dict[str, str]:
    """Return the kind of record that each column names which names one; a part of something names it by its key."""
    parts = {name: owners[name] for name in kind.key_columns if name in owners and name != own_key(kind)}
    return parts | {name: found.refers for name, found in kind.fields.items() if found.refers}


def leave_out_parts(tables: Sequence[IncomingTable]) -> None:
    """Keep out the parts of a record that stays out and has no name yet by which they could find it later."""
    owners = _owners()
    nameless = {
        (one.kind.name, row[own_key(one.kind)])
        for one in tables if one.kind is not None
        for number, row in one.numbered() if number in one.made_keys and number in one.rejected
    }  # fmt: skip
    for one in tables if nameless else ():
        named = _named_by(one.kind, owners) if one.kind is not None else {}
        for row in [row for row in one.rows for name, owner in named.items() if (owner, row[name]) in nameless]:
            cause = "The record that this row is a part of stays out."
            why = Problem(
                one.place(number_of(row)), cause, "Mend that one, and import both again.", code="part_left_out"
            )
            one.reject(number_of(row), why)  # told with the record itself


def crops_named(crops: IncomingTable, names: Iterable[str]) -> Iterator[Record]:
    """Yield the crop entries of a table as other rows may name them: those that stay out too, for they may be mended.

    One that is in no book yet and has no identifier is called as it will be, unless another is called so.
    """
    taken, sound = {*names}, {number_of(row): row for row in crops.rows}
    for row in crops.read:
        number = number_of(row)
        unnamed, stands = number in crops.made_keys, number in sound and not crops.waits
        if stands:
            yield sound[number]
        if not unnamed:
            yield row
        elif not stands and (name := called_new(row, KINDS["harvest"])) not in taken:
            yield {**sound.get(number, row), "harvest_id": name}


def _recognise(sifted: IncomingTable, pool: _Pool) -> None:
    """Find the record that each row of one table is: one that says the same, else one that it completes or changes."""
    made, kind, key_of = sifted.made_keys, pool.kind, pool.table.key_of
    claimed = pool.claimed.setdefault(sifted.source, set())
    left = []
    for row in sifted.rows:
        if row["source_row"] not in made and key_of(row) in pool.records:
            claimed.add(key_of(row))
        else:
            left.append(row)
    for finds in (_equal, _fitting, _changed):
        still_left = []
        for row in left:
            may = row["source_row"] in made or kind.name == "harvest"
            skipped = finds is _changed and pool.choices.twins == "each"
            found = finds(row, pool, claimed) if may and not skipped else None
            if found is None:
                still_left.append(row)
                continue
            claimed.add(found)
            pool.rename(row, str(pool.records[found][own_key(kind)]))
            if finds is _fitting:
                sifted.overrules.add(number_of(row))
        left = still_left


def _equal(row: Row, pool: _Pool, claimed: set[Key]) -> Key | None:
    return next((key for key in pool.by_content.get(pool.content(row), ()) if key not in claimed), None)


def _fitting(row: Row, pool: _Pool, claimed: set[Key]) -> Key | None:
    """Return the record of which a row says nothing else, and which has most in common with it."""
    found = [
        key
        for key in _same_record(row, pool, claimed)
        if all(_agrees(name, pool.records[key], row, pool.kind) for name in pool.names)
    ]
    return _nearest(row, pool, found)


def _changed(row: Row, pool: _Pool, claimed: set[Key]) -> Key | None:
    return _nearest(row, pool, _same_record(row, pool, claimed))


def _nearest(row: Row, pool: _Pool, keys: Iterable[Key]) -> Key | None:
    common = {key: sum(pool.records[key][name] == row[name] for name in pool.names) for key in keys}
    return max(common, key=lambda key: common[key]) if common else None


def _same_record(row: Row, pool: _Pool, claimed: set[Key]) -> Iterator[Key]:
    names, is_crop = SAME_RECORD.get(pool.kind.name, ()), pool.kind.name == "harvest"
    if not names or any(row[name] is None for name in names[:2]):
        return
    for key in pool.by_place.get(pool.place(row), ()):
        old = pool.records[key]
        same = _same_crop(row, old, pool) if is_crop else all(_agrees(name, old, row, pool.kind) for name in names)
        if same and key not in claimed:
            yield key


def _same_crop(row: Record, old: Record, pool: _Pool) -> bool:
    """Tell whether two entries are of one crop: field, crop and harvest year; a stand given up is one of its own.

    One that grows in the book has no day of harvest yet.
    """
    if "terminated" in (row["ending"], old["ending"]):
        return False
    if row["use"] and old["use"] and row["use"] != old["use"]:
        return False
    years, days = [year_of(*days_of(one)) for one in (row, old)], [day for day in days_of(row) if day]
    if old["ending"] == NOT_YET and years[0] and not years[1]:
        cut = days[0], days[-1], years[0]
        return pool.entries.waits_for(str(old["farm_id"]), str(old["harvest_id"]), cut, pool.choices.as_of)
    return years[0] == years[1] and years[0] is not None


def _agrees(name: str, old: Record, row: Record, kind: Kind) -> bool:
    """Tell whether two rows say the same in a column, or one of them nothing; a name may be as it was typed.

    A crop that grew and is harvested is the same crop.
    """
    there, here = folded_text(old[name]), folded_text(row[name])
    if None in (there, here) or there == here or (name, there) == ("ending", NOT_YET):
        return True
    typed = str(row.get("as_typed") or "").casefold().split("; ")
    return name in COLUMNS.get(kind.name, {}) and str(old[name]).casefold() in typed


def _name(row: Row, sifted: IncomingTable, pool: _Pool) -> None:
    """Let later files see a row, and give a new one an identifier by what it says where its file has none.

    A crop entry that is called as one that stands is asked about, unless this file has that one too.
    """
    own, key_of, claimed = own_key(pool.kind), pool.table.key_of, pool.claimed[sifted.source]
    if row["source_row"] in sifted.made_keys and key_of(row) not in pool.records:
        wanted, count = called_new(row, pool.kind), 2
        name, is_asked = wanted, pool.kind is KINDS["harvest"] and pool.choices.twins != "each"
        while (key := key_of({**row, own: name})) in pool.records and not (is_asked and key not in claimed):
            name, count = f"{wanted}-{count}", count + 1
        pool.rename(row, name)
    claimed.add(key_of(row))
    if key_of(row) not in pool.records:
        pool.add(key_of(row), row)


def _cut_on(row: Record) -> date:
    return next((day for day in days_of(row) if day), date.max)


def called_new(row: Record, kind: Kind) -> str:
    """Return what a new record is called: by its crop entry or unit, its kind and its day."""
    if kind.name == "harvest":
        year = year_of(*days_of(row))
        return identifier("-".join(str(part) for part in (row["unit_id"], row["crop"], year) if part))
    of = row.get("harvest_id") or row.get("unit_id") or ""
    if row.get("unit_id") and kind.name in _NAMED:
        of = row["unit_id"]
    day = next((value for value in row.values() if isinstance(value, date)), "")
    return identifier(
        "-".join(str(part) for part in (of, _NAMED.get(kind.name, kind.name.replace("_", "-")), day) if part)
    )


def _ask_of_list_entered_twice(of_file: Iterable[IncomingTable], pool: _Pool) -> None:
    """Keep back what stands in a file once more, where all of its rows do; rows with identifiers are no twins."""
    key_of = pool.table.key_of
    new = [
        (sifted, row)
        for sifted in of_file
        for row in sifted.rows
        if row["source_row"] in sifted.made_keys and key_of(row) not in pool.records
    ]
    # A row that says it is two passes stands there once.
    lines = {(pool.content(row), id(sifted), number_of(row)) for sifted, row in new}
    counted = Counter(content for content, *_ in lines)
    if len(counted) < _LEAST_TWICE or min(counted.values()) < 2 or pool.choices.twins == "each":  # noqa: PLR2004 - twice
        return
    seen: dict[Key, tuple[int, int]] = {}
    for sifted, row in new:
        content, number = pool.content(row), number_of(row)
        if seen.setdefault(content, (id(sifted), number)) == (id(sifted), number):
            continue
        if pool.choices.twins == "once":
            sifted.rows = [one for one in sifted.rows if one is not row]
            sifted.repeats.append(number)
            continue
        cause = f"Every row of {pool.kind.label.lower()} stands there twice: entered twice, or done twice?"
        remedy = "Say --twins once where the list was entered twice, --twins each where each row happened."
        why = Problem(sifted.place(number), cause, remedy, pool.kind.cite, code=TWICE)
        sifted.problems.append(why)
        sifted.reject(number, why)


def leave_out_differing(sifted: IncomingTable, table: KindTable, *, overrule: bool) -> None:
    """Reject every line of which a row cannot go into the book's table, before any row of it has gone there."""
    above: dict[tuple[object, ...], list[Record]] = {}
    lines, own = dict(sifted.table.rows), own_key(table.kind)
    for row in list(sifted.rows):
        same = above.setdefault(table.key_of(row), [])
        if not table.usable:
            cause = f"{table.kind.name}.csv of the book cannot be read, so nothing can be added to it."
            _keep_out(sifted, [row], cause, "Save it as CSV UTF-8, then import again.", "unusable_file")
        elif not (overrule or number_of(row) in sifted.overrules) and (columns := table.differing(row)):
            old = table.record(table.key_of(row)) or {}
            said = "; ".join(_difference(name, old.get(name), row[name], table.kind.fields[name]) for name in columns)
            cause = f"{called(table.kind.key_columns, row)} stands in the book with other values ({said})."
            remedy = "Correct the wrong one, or import with --replace to put these values into the book"
            if own and (number_of(row) in sifted.made_keys or row[own] not in lines.get(number_of(row), ())):
                remedy += "; where it is a record of its own, with --twins each"
            _keep_out(sifted, [row], cause, f"{remedy}.", DIFFERS, columns[0] if len(columns) == 1 else "")
        elif any(_contradict(table, one, row) for one in same):
            cause = f"{called(table.kind.key_columns, row)} stands there more than once, with different records."
            remedy = "Give each record an identifier of its own, or leave the wrong one out."
            _keep_out(sifted, [*same, row], cause, remedy, "doubled", own)
        same.append(row)


def _keep_out(
    sifted: IncomingTable, rows: Iterable[Record], cause: str, remedy: str, code: str, column: str = ""
) -> None:
    cite = sifted.kind.cite if sifted.kind and code != "unusable_file" else ""
    for row in rows:
        why = Problem(sifted.place(number_of(row), column), cause, remedy, cite, code=code)
        if number_of(row) not in sifted.rejected:
            sifted.problems.append(why)
        sifted.reject(number_of(row), why)


def _contradict(table: KindTable, one: Record, other: Record) -> bool:
    fields = table.kind.typed_fields.keys() - table.kind.key_columns  # two spellings of one name do not differ
    return any(None not in (one[name], other[name]) and one[name] != other[name] for name in fields)


def called(key_columns: Sequence[str], row: Record) -> str:
    """Return what a record is called: its key without the farm, or the farm where that is all."""
    return " ".join(str(row[name]) for name in key_columns if name != "farm_id") or str(row["farm_id"])


def _difference(name: str, old: object, new: object, described: Field) -> str:
    here = write_cell(old, described) or "something unreadable"
    return f"{name}: {here} in the book, {write_cell(new, described)} here"


# What the book has and no row names: photographs by field and day, papers of tests, tests of budgets, harvest years.
#
# A check asks what a row names. What lies there under the same field, in the right days and with the same values is
# named by the row that needs it: at once where nothing else can be meant, by a person's nod where it is a judgement.

LinkRow = Mapping[str, Any]
READ: Final = ("cover_crop", "evidence", "soil_test", "nutrient_budget", "harvest", "scale_ticket")
"""Kinds of record that are looked at."""
_FOUND: Final[Mapping[str, str]] = {
    "cover_crop": "photographs of the field from the time of its cover crop show that it was established",
    "soil_test": "the laboratory's file is the paper of a typed test with the same values",
    "scale_ticket": "tickets that say no harvest year were taken to be of the last harvest of their crop before them",
    "nutrient_budget": "a budget that names no basis was taken to rest on the field's latest soil test before it",
}
_STANDS: Final = timedelta(days=300)
"""How long a cover stands at most whose end is not recorded."""
_TO_THE_LABORATORY: Final = timedelta(days=21)
"""From the day of a sample, which the farm knows, to the day on which the laboratory had it."""
_VALUES: Final = ("ph", "organic_matter_pct", "nitrate_n_ppm", "p_ppm", "k_ppm")
_ENOUGH: Final = 2


@dataclass(frozen=True, slots=True)
class FoundLink:
    """What a row is to name."""

    kind: str  # of the row
    row: LinkRow
    values: Mapping[str, object]  # of its columns, which are blank
    cause: str  # what is named and for which row, in words
    is_judgement: bool  # a person says so first


def links_found(rows: Mapping[str, Iterable[LinkRow]]) -> Iterator[FoundLink]:
    """Yield what rows of one farm or several are to name, by their kinds (``READ``)."""
    photographs = [row for row in rows["evidence"] if row["what"] == "photograph" and row["taken_on"] is not None]
    for cover in rows["cover_crop"]:
        if found := _photograph_of(cover, photographs):
            cause = (
                f"{found['evidence_id']} of {found['taken_on']} for {cover['unit_id']}, seeded on {cover['seeded_on']}"
            )
            values = {"established_photo": str(found["evidence_id"])}
            # While nobody says when the cover ended, a late picture may show the crop that followed it.
            yield FoundLink("cover_crop", cover, values, cause, is_judgement=cover["terminated_on"] is None)
    tests = list(rows["soil_test"])
    for test in tests:
        if test["evidence"] is None and (twin := _same_sample(test, tests)):
            cause = f"{twin['soil_test_id']} for {test['soil_test_id']} of {test['unit_id']}"
            yield FoundLink("soil_test", test, {"evidence": str(twin["evidence"])}, cause, is_judgement=True)
    harvests = list(rows["harvest"])
    for load in rows["scale_ticket"]:
        own = (row for row in harvests if row["farm_id"] == load["farm_id"])
        year = None if load["harvest_year"] is not None else year_of_load(load, own, _year, guess=True)
        if year is not None:
            cause = f"{year} for {load['ticket_id']} of {load['day']}"
            yield FoundLink("scale_ticket", load, {"harvest_year": year}, cause, is_judgement=load["unit_id"] is None)
    units = {(row["farm_id"], row["harvest_id"]): row["unit_id"] for row in harvests}
    for budget in rows["nutrient_budget"]:
        unit = units.get((budget["farm_id"], budget["harvest_id"]))
        if found := _test_of(budget, unit, tests):
            cause = f"{found['soil_test_id']} of {found['sampled_on']} for {unit}, budget of {budget['made_on']}"
            values = {"soil_test_id": str(found["soil_test_id"]), "basis": "soil_test"}
            yield FoundLink("nutrient_budget", budget, values, cause, is_judgement=True)


def links_told(links: Iterable[FoundLink], *, accept: bool) -> Iterator[Problem]:
    """Say once a kind what rows are to name; a judgement waits for a person's nod."""
    groups: dict[tuple[str, bool], list[FoundLink]] = {}
    for link in links:
        groups.setdefault((link.kind, link.is_judgement), []).append(link)
    for (kind, is_judgement), found in groups.items():
        place = Place(f"{kind}.csv", column=next(iter(found[0].values)))
        cause = f"{_FOUND[kind]}: {listed((one.cause for one in found), 9)}."
        if is_judgement:
            remedy = "Confirm it." if accept else "Confirm it with --accept, or name another in the row."
            yield doubt(place, cause, remedy, "evidence_found")
        else:
            yield note(place, cause, "Nothing, if that is right.", "evidence_found")


def _year(entry: LinkRow) -> int | None:
    return year_of(*days_of(entry))


def _photograph_of(cover: LinkRow, photographs: Iterable[LinkRow]) -> LinkRow | None:
    first: date | None = cover["seeded_on"]
    if cover["established_photo"] is not None or first is None:
        return None
    last = cover["terminated_on"] or first + _STANDS
    fits = [
        row
        for row in photographs
        if _alike(row, cover, "farm_id", "unit_id") and row["unit_id"] is not None and first < row["taken_on"] <= last
    ]
    return max(fits, key=lambda row: (row["taken_on"], row["evidence_id"]), default=None)


def _alike(one: LinkRow, other: LinkRow, *names: str) -> bool:
    return all(one[name] == other[name] for name in names)


def _same_sample(test: LinkRow, tests: Iterable[LinkRow]) -> LinkRow | None:
    """Return the one test of the field that has a paper and says the same of one sample; None for none or several."""
    fits = []
    for one in tests:
        apart = (one["sampled_on"] - test["sampled_on"]) if one["sampled_on"] and test["sampled_on"] else None
        both = [name for name in _VALUES if one[name] is not None and test[name] is not None]
        is_near = apart is not None and -timedelta(days=1) <= apart <= _TO_THE_LABORATORY
        same = len(both) >= _ENOUGH and _alike(one, test, "farm_id", "unit_id", *both)
        if one is not test and one["evidence"] is not None and is_near and same:
            fits.append(one)
    return fits[0] if len({row["evidence"] for row in fits}) == 1 else None


def _test_of(budget: LinkRow, unit: str | None, tests: Iterable[LinkRow]) -> LinkRow | None:
    """Return the latest test of a budget's field within the years that the rule allows, where it names no basis."""
    made: date | None = budget["made_on"]
    if made is None or unit is None or budget["soil_test_id"] is not None or budget["basis"] not in (None, "soil_test"):
        return None
    oldest = made - timedelta(days=365 * latest_whole("soil_test_max_years"))
    fits = [
        row
        for row in tests
        if row["unit_id"] == unit and row["farm_id"] == budget["farm_id"]
        and row["sampled_on"] is not None and oldest <= row["sampled_on"] <= made
    ]  # fmt: skip
    return max(fits, key=lambda row: (row["sampled_on"], row["evidence"] is not None), default=None)
