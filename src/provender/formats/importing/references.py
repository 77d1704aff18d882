"""What rows name, found blind to case and blanks, or told: units, crop entries, other records, words of lists, farms.

``home 80`` is HOME80, and so is ``Home Eighty`` where the book has a unit of that name; ``7`` is 007, as a spreadsheet
writes it. Where two records or farms could be meant, or none, nobody guesses.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple

from provender.catalog.materials import carries_no_nutrient, grade_of_date, organic_source
from provender.catalog.places import find_county, zones_of
from provender.catalog.tables import SEEDING, find_operation, lookup_name
from provender.catalog.words import About, listed_name, listed_names, meaning, suggested, words_of
from provender.days import ANYWHERE, UNITED_STATES
from provender.formats.columns import own_key
from provender.formats.importing import crop_entries
from provender.formats.importing.incoming_files import Arrival, IncomingTable, number_of, tables_of, texts_of
from provender.formats.importing.loads import with_own_loads
from provender.formats.parsed import doubt, note
from provender.formats.units import without_accents
from provender.problem import Place, Problem, Weight, listed
from provender.records.book import RecordBook, grouped, with_years
from provender.records.field import Field
from provender.records.kind import KINDS, Kind

NAMED: Final = {"unit": "name", "producer": "name", "evidence": "file", "related_party": "name"}
"""The column by which people call a record that has an identifier too."""
_ENTRY: Final = "harvest"
_CHOSEN: Final = "entry_chosen"
ASKED: Final = "entry_asked"
MISSING: Final = "entry_missing"
OPEN: Final = "entry_open"
_NEAR: Final = 0.6


def folded(text: str) -> str:
    """Return a name for comparing: no case, accents, blanks and signs, no zeros before a number."""
    plain = re.sub(r"[\W_]+", "", without_accents(text).casefold())
    return re.sub(r"(?<!\d)0+(?=\d)", "", plain)


@dataclass(slots=True)
class Known:
    """The records that rows may refer to: name by identifier, by kind and farm."""

    # what a record is called by its identifier, empty where it has no name: by kind and farm
    names: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    # by kind, what a person said a name in the files means; empty where nothing was said
    told: dict[str, Callable[[str], str]] = field(default_factory=dict)
    # the crop entries, which rows may name by their field
    entries: crop_entries.Entries = field(default_factory=crop_entries.Entries)
    year: int = 0  # of the crop entry that is meant where a row names its unit only; 0 for any
    said: Mapping[str, str] = field(default_factory=dict)  # see ``Choices.entries_said``

    def add(self, kind: str, rows: Iterable[Mapping[str, object]]) -> None:
        rows = list(rows)
        if rows and kind in (_ENTRY, "planting"):
            self.entries.add(kind, rows)
        own, called = own_key(KINDS[kind]), NAMED.get(kind, "")
        for row in rows:
            if own and row.get(own):
                self.names.setdefault((kind, str(row["farm_id"])), {})[str(row[own])] = str(row.get(called) or "")

    def entry_meant(
        self, farm: str, text: str, kind: str, row: Mapping[str, object]
    ) -> tuple[crop_entries.Chosen, str, crop_entries.Named]:
        """Return the crop entries that a row can mean which names an entry or a field, with a crop or year or without.

        With them come the field, empty where not one alone is meant, and what the text says.
        """
        for said in crop_entries.readings(text):
            exact = [
                name
                for name in self.meant(_ENTRY, farm, said.unit)
                if said.crop in ("", self.entries.known[farm, name].crop)
            ]
            if exact:
                return crop_entries.Chosen(tuple(exact), "its name"), "", said
            units = self.meant("unit", farm, said.unit)
            if units:
                unit = units[0] if len(units) == 1 else ""
                return self.entries.choose(farm, units, said, kind, row, self.year), unit, said
        return crop_entries.Chosen(()), "", crop_entries.Named(text)

    def meant(self, kind: str, farm: str, text: str) -> tuple[str, ...]:
        """Return the identifiers that a text can mean: one where it is clear, several, or none."""
        there = self.names.get((kind, farm), {})
        text = (self.told[kind](text) if kind in self.told else "") or text
        if text in there:
            return (text,)
        if len(exact := [one for one, name in there.items() if name == text]) == 1:
            return (exact[0],)
        wanted = folded(text)
        by_id = [one for one in there if folded(one) == wanted]
        if kind == _ENTRY and " " in text:  # field, crop and year, as people write them, name no stand of two
            by_id = [one for one in by_id if not self.entries.is_of_two_stands(farm, one)]
        return tuple(by_id or [one for one, name in there.items() if name and folded(name) == wanted])

    def near(self, kind: str, farm: str, text: str) -> list[str]:
        """Return the records most like a name, best first, with what they are called."""
        there, spelled = self.names.get((kind, farm), {}), dict[str, str]()
        for one, name in there.items():
            for text_of in filter(None, (one, name)):
                spelled.setdefault(folded(text_of), one)
        close = get_close_matches(folded(text), list(spelled), n=3, cutoff=_NEAR)
        found = list(dict.fromkeys(spelled[each] for each in close)) or (list(there) if len(there) <= 3 else [])  # noqa: PLR2004 - so few are named
        return [f"{one} ({there[one]})" if there[one] and there[one] != one else one for one in found]


def known_records(
    book: RecordBook | None, sifted: Iterable[IncomingTable], units: Mapping[str, Callable[[str], str]]
) -> Known:
    """Return what the rows of an import may refer to: records of the book, and of the import, rejected ones too.

    A row that names a rejected record is sound itself; it stands as soon as the other one is mended.
    """
    known = Known(told=dict(units))
    for name in KINDS:
        if book is not None:
            known.add(name, with_years(book) if name == "harvest" else book[name])
    for one in sifted:
        if one.kind is not None:
            known.add(one.kind.name, one.read)
    return known


@dataclass(frozen=True, slots=True)
class _Link:
    """A column in which a row names another record."""

    sifted: IncomingTable
    row: dict[str, object]
    name: str  # of the column
    described: Field
    text: str  # what the row says
    known: Known

    @property
    def farm(self) -> str:
        return str(self.row["farm_id"])

    @property
    def kind(self) -> str:
        return self.sifted.kind.name if self.sifted.kind else ""

    @property
    def place(self) -> Place:
        return self.sifted.place(number_of(self.row), self.name)


def settle_references(sifted: IncomingTable, known: Known) -> None:
    """Put the identifiers that are meant in place of what rows name; a row that names nothing known stays out."""
    kind = sifted.kind
    taken: dict[tuple[str, str, str], list[int]] = {}
    links = [(name, found) for name, found in kind.fields.items() if found.refers] if kind is not None else []
    for row in list(sifted.rows):
        named = [_Link(sifted, row, name, found, str(row[name]), known) for name, found in links if row[name]]
        lost = [one for link in named for one in _settle(link, taken)]
        sifted.problems += lost
        if lost:
            sifted.reject(number_of(row), *lost)
    for (name, text, meant_one), rows in taken.items():
        cause = f"{text!r} was taken for {meant_one} in {len(rows)} {'row' if len(rows) == 1 else 'rows'}."
        place = sifted.place(rows[0], name)
        sifted.problems.append(note(place, cause, "Nothing, if that is right.", "taken_for"))


def _settle(link: _Link, taken: dict[tuple[str, str, str], list[int]]) -> list[Problem]:
    """Settle what a row names in one column; return why it stays out."""
    meant = link.known.meant(link.described.refers, link.farm, link.text)
    if link.described.refers == _ENTRY and not meant:
        return _settle_entry(link)
    if len(meant) != 1:
        return [_lost(link, meant)]
    link.row[link.name] = meant[0]
    if meant[0] != link.text:
        taken.setdefault((link.name, link.text, meant[0]), []).append(number_of(link.row))
    return []


def _settle_entry(link: _Link) -> list[Problem]:
    """Put the one crop entry into a row that it can be about; else ask which it is, or offer to add it.

    A row that need not name one goes in without, and is counted by its day.
    """
    known, sifted, text = link.known, link.sifted, link.text
    found, unit, said = known.entry_meant(link.farm, text, link.kind, link.row)
    if (answer := known.said.get(f"{text}|{' '.join(found.entries)}")) in found.entries:
        found = crop_entries.Chosen((answer,), "what was answered")
    if len(found.entries) == 1 and found.sure:
        _take_entry(link, found)
        return []
    if not unit and not found.entries:
        return [_lost(link, ())]
    offered = None
    if len(found.entries) < 2:  # noqa: PLR2004 - the only one need not be the one that is meant
        offered = crop_entries.offer(known.entries, link.farm, unit, said, link.kind, link.row, known.year)
    told = _open_entry(link, found, unit, offered)
    if not link.described.required:
        link.row[link.name] = None
        remedy = f"It goes in without a crop entry, and its day decides. {told.remedy}"
        sifted.problems.append(replace(told, remedy=remedy, weight=Weight.CONFIRM, code=OPEN))
        return []
    sifted.asked.append(crop_entries.EntryAsked(str(sifted.place(told.place.row)), link.name, found.entries, offered))
    return [told]


def _take_entry(link: _Link, found: crop_entries.Chosen) -> None:
    """Put the crop entry into a row that alone fits, say so, and keep by what it was chosen.

    A short workbook names no crop entries: its sheets say that each row is of the crop that the calendar tells.
    """
    sifted, number, (one,) = link.sifted, number_of(link.row), found.entries
    link.row[link.name] = one
    if number in sifted.cells:
        return
    entry = crop_entries.said_of(link.known.entries.known[link.farm, one])
    cause = f"{link.text!r} was taken for the crop entry {entry}: the only one that fits by {found.by}."
    sifted.problems.append(note(link.place, cause, "Nothing, if that is right.", _CHOSEN))
    sifted.chosen[number] = f"Crop entry chosen by {found.by}, from {link.text!r}."


def _open_entry(link: _Link, found: crop_entries.Chosen, unit: str, offered: crop_entries.Crop | None) -> Problem:
    """Return what is said of a row that several crop entries fit, or none."""
    entries, text, place, cite = link.known.entries, link.text, link.place, link.described.cite
    option = f"--add-entry '{unit}, {offered.crop or 'CROP'}, {offered.year}'" if offered else ""
    if found.entries:
        choices = listed(crop_entries.labels({one: entries.known[link.farm, one] for one in found.entries}), most=20)
        if len(found.entries) > 1:
            return Problem(place, f"{text!r} can be {choices}.", "Write which of them it is.", cite, code=ASKED)
        cause = f"{text!r}: only {choices} is known there, and nothing shows that it is the one that is meant."
        remedy = "Write it as that if it is."
        remedy += f" If not, add the one that is missing: {option}." if option else ""
        return Problem(place, cause, remedy, cite, code=ASKED)
    there = crop_entries.beside(entries, link.farm, unit)
    day = link.row.get(crop_entries.DAY_OF.get(link.kind, ""))
    has = f"It has {there}." if there else "It has none."
    cause = f"no crop entry of {unit} fits {text!r} on {day}." if day else f"no crop entry of {unit} fits {text!r}."
    remedy = "Add the one that is missing first, or name another."
    if option:
        remedy = f"Add the one that is missing: {option}. Or name another."
    return Problem(place, f"{cause} {has}", remedy, cite, code=MISSING)


def _lost(link: _Link, meant: tuple[str, ...]) -> Problem:
    """Return what is said of a row that names several records, or none."""
    target, text = link.described.refers, link.text
    if meant:
        cause = f"{text!r} can be {listed(meant)}."
        remedy = "Write which of them it is."
    else:
        near = link.known.near(target, link.farm, text)
        cause = f"{text!r} is not among the {KINDS[target].label.lower()} of farm {link.farm}."
        remedy = f"Nearest: {listed(near)}. Correct it" if near else "Correct it"
        remedy += f", say --unit '{text}=UNIT', or add it first." if target == "unit" else ", or add it first."
    return Problem(link.place, cause, remedy, link.described.cite, code="unknown_reference")


# Names of implements, products, species and inhibitors in an import: taken for those of the lists, or asked.

COLUMNS: Final[Mapping[str, Mapping[str, About]]] = {
    "operation": {"operation": About.OPERATION},
    "nutrient_application": {"product": About.PRODUCT, "inhibitor": About.INHIBITOR},
    "cover_species": {"species": About.SPECIES},
    "seed_purchase": {"species": About.SPECIES},
    "inhibitor_purchase": {"product": About.INHIBITOR},
}
"""By kind of record and column: what its texts are names of."""
NO_NAME: Final = frozenset({"none", "no", "n/a", "na", "-"})
_NO_INHIBITOR: Final = frozenset({
    "no inhibitor", "without inhibitor", "none used", "not used", "no stabilizer", "no ni", "untreated",
})  # fmt: skip
_SHOWN: Final = 8
_ALL: Final = 60
"""Names of a list that is shown whole where nothing is near: of products, species and inhibitors, not of operations."""


class ProvenWord(NamedTuple):
    """A name that can mean several of a list, of which other rows of the same field and day prove one."""

    about: About
    text: str  # as typed
    name: str  # of the list
    why: str  # what proves it
    rows: int  # that name it
    place: Place  # of the first of them


_At = tuple[object, object, object]
"""Farm, field and day."""
_NO_PLANT: Final = frozenset(
    words_of("winter spring summer fall annual perennial forage field red white black hairy common")
)
"""Words of species that name no plant by themselves."""


def proven_words(sifted: Iterable[IncomingTable], book: RecordBook | None) -> Iterator[ProvenWord]:
    """Yield the names that every row which has them proves, by what other rows of files and book say.

    Of what was done on a field and day on which a cover crop was seeded, and that names its species, the one operation
    that seeds; where it was killed by herbicide, the one that sprays to kill: each only where no other pass of that
    field and day can be meant. Of a product with an inhibitor that the row names too, the product alone.
    """
    tables = [one for one in sifted if not one.waits]
    sown, killed = _covers(tables, book)
    passes = grouped(
        ((row[FARM], row["unit_id"], row["day"]), row) for row in _of_files_and_book(tables, book, "operation")
    )
    found: dict[tuple[About, str], list[tuple[tuple[str, str], str, Place]]] = {}
    for one in tables:
        kind = one.kind.name if one.kind else ""
        for about in {About.OPERATION, About.PRODUCT} & {*COLUMNS.get(kind, {}).values()}:
            for row in one.rows:
                text = str(row[about] or "")
                if text and not meaning(about, text).one:
                    is_pass = about is About.OPERATION
                    proof = _operation(row, text, sown, killed, passes) if is_pass else _product(row, text)
                    place = one.place(number_of(row), about)
                    found.setdefault((about, lookup_name(text)), []).append((proof, text, place))
    for (about, _), proofs in found.items():
        (name, why), text, place = proofs[0]
        if name and all(proof == (name, why) for proof, _, _ in proofs):
            yield ProvenWord(about, text, name, why, len(proofs), place)


def _of_files_and_book(tables: Iterable[IncomingTable], book: RecordBook | None, kind: str) -> list[Mapping[str, Any]]:
    """Return the rows of a kind as they would stand: a row of the files takes the place of the book's of its key."""
    rows: list[Mapping[str, Any]] = [row for one in tables if one.kind is KINDS[kind] for row in one.rows]
    keys = KINDS[kind].key_columns
    brought = {tuple([row[name] for name in keys]) for row in rows}
    stand = (row for row in book[kind]) if book is not None else ()
    return [*rows, *(row for row in stand if tuple([row[name] for name in keys]) not in brought)]


def _covers(tables: Sequence[IncomingTable], book: RecordBook | None) -> tuple[dict[_At, set[str]], set[_At]]:
    """Return where covers were seeded, with the plants of each, and where one was killed by herbicide."""
    covers = _of_files_and_book(tables, book, "cover_crop")
    species: dict[tuple[object, ...], set[str]] = {}
    for row in _of_files_and_book(tables, book, "cover_species"):
        plants = {*words_of(str(row["species"]))} - _NO_PLANT
        species.setdefault((row[FARM], row["cover_id"]), set()).update(plants)
    sown: dict[_At, set[str]] = {}
    killed: set[_At] = set()
    for row in covers:
        if row["seeded_on"] is not None:
            at = row[FARM], row["unit_id"], row["seeded_on"]
            sown.setdefault(at, set()).update(species.get((row[FARM], row["cover_id"]), set()))
        if row["terminated_on"] is not None and row["termination_method"] == "herbicide":
            killed.add((row[FARM], row["unit_id"], row["terminated_on"]))
    return sown, killed


def _operation(
    row: Mapping[str, Any],
    text: str,
    sown: Mapping[_At, AbstractSet[str]],
    killed: AbstractSet[_At],
    passes: Mapping[_At, Sequence[Mapping[str, Any]]],
) -> tuple[str, str]:
    """Return the operation that the cover crops of a row's field and day prove, and why; empty for none."""
    at = row[FARM], row["unit_id"], row["day"]
    if row["day"] is None:
        return "", ""
    listed_ones = [one for name in can_be_meant(About.OPERATION, text) if (one := find_operation(name))]
    seed = [one.name for one in listed_ones if one.op_group in SEEDING]
    kill = [one.name for one in listed_ones if one.op_group == "spraying" and "kill" in words_of(one.name)]
    # The book's own row of this pass, named when it came in, is no other pass.
    others = [one for one in passes.get(at, ()) if one is not row and one.get("as_typed") != text]
    taken = {name for one in others for name in can_be_meant(About.OPERATION, str(one["operation"] or ""))}
    if taken & {*seed, *kill}:
        return "", ""
    if sown.get(at, set()) & set(words_of(text)) and len(seed) == 1:
        return seed[0], "a cover crop of that kind was seeded there on that day"
    if at in killed and len(kill) == 1:
        return kill[0], "a cover crop was killed there by herbicide on that day"
    return "", ""


def _product(row: Mapping[str, object], text: str) -> tuple[str, str]:
    """Return the product of a name such as ``urea w/ Agrotain`` whose row names the inhibitor too, and why."""
    product, _, beside_it = text.replace("w/", "with").partition("with")
    inhibitor, own = (meaning(About.INHIBITOR, name.strip()).one for name in (beside_it, str(row["inhibitor"] or "")))
    name = meaning(About.PRODUCT, product.strip()).one
    return (name, f"the row names {inhibitor} beside it") if name and inhibitor == own != "" else ("", "")


def can_be_meant(about: About, text: str) -> tuple[str, ...]:
    """Return the listed names that a name can mean, else those that are like it."""
    return meaning(about, text).names or suggested(about, text, _SHOWN)


def settle_words(
    sifted: IncomingTable,
    known: Mapping[tuple[str, str], str],
    why: Mapping[tuple[str, str], str],
    problems: list[Problem],
) -> set[tuple[str, str]]:
    """Take names in sound rows for those of the lists, keep what was typed beside them, ask where it is not clear.

    ``known`` is the name of the list by what it is a name of and the folded name; ``why`` is said of those that other
    rows prove. Returns those of ``known`` that were used.
    """
    kind = sifted.kind
    columns = COLUMNS.get(kind.name, {}) if kind else {}
    used: set[tuple[str, str]] = set()
    told: dict[tuple[About, str], list[int]] = {}
    for column, about in columns.items():
        for row in sifted.rows:
            text = row[column]
            if about is About.INHIBITOR and isinstance(text, str) and lookup_name(text) in _NO_INHIBITOR:
                row[column] = text = "none"
            if about is About.PRODUCT and isinstance(text, str) and (grade := grade_of_date(text)):
                place = sifted.place(number_of(row), column)
                cause = f"{text!r} was taken for the analysis {grade}, of which a spreadsheet made a date."
                problems.append(doubt(place, cause, "Confirm it, or write the product.", "analysis_became_date"))
                row[column], row["as_typed"] = grade, text
                text = grade
            if not isinstance(text, str) or text.casefold() in NO_NAME or listed_name(about, text):
                continue
            told.setdefault((about, text), []).append(number_of(row))
            name = meaning(about, text, known).one
            if name:
                before = row.get("as_typed")
                row[column], row["as_typed"] = name, f"{before}; {text}" if before else text
                used |= {(str(about), lookup_name(text))} & known.keys()
        for (of, text), rows in told.items():
            if of is about:
                place = sifted.place(rows[0], column)
                problems.append(_word_told(about, text, len(rows), place, known, why))
    return used


def _word_told(
    about: About, text: str, rows: int, place: Place, remembered: Mapping[tuple[str, str], str],
    why: Mapping[tuple[str, str], str],
) -> Problem:  # fmt: skip
    found = meaning(about, text, remembered)
    count = "1 row" if rows == 1 else f"{rows} rows"
    if proof := why.get((about, lookup_name(text))):
        cause = f"{text!r} was taken for {found.one!r} in {count}, since {proof}."
        return doubt(place, cause, "Confirm it, or say what else it means.", "word_proven")
    if found.one:
        cause = f"{text!r} was taken for {found.one!r} in {count}."
        return note(place, cause, "Nothing, if that is right.", "word_taken")
    say = f"Say which with --word '{text}=NAME'; it is remembered."
    if found.names:
        cause = f"{text!r} ({count}) can be: {listed(map(repr, found.names), _SHOWN)}."
        return doubt(place, cause, say, "word_asked")
    if about is About.PRODUCT and (own := _own_product(text, count, place)):
        return own
    cause = f"{text!r} ({count}) is no name of the list of {_LISTS[about]}."
    return doubt(place, cause, f"{_nearest_names(about, text)}{say}{_OWN[about]}", "word_unknown")


def _own_product(text: str, count: str, place: Place) -> Problem | None:
    if source := organic_source(text):
        cause = f"{text!r} ({count}) is {source.replace('_', ' ')}: no list knows what it carries."
        return note(
            place, cause, "It stays as typed. State its N, P2O5 and K2O per acre from its test.", "own_analysis"
        )
    if carries_no_nutrient(text):
        cause = f"{text!r} ({count}) carries no nitrogen, phosphorus or potassium."
        return note(place, cause, "Nothing; it needs no row among nutrient applications.", "no_nutrient")
    return None


def _nearest_names(about: About, text: str) -> str:
    names = suggested(about, text, _SHOWN)
    if names:
        return f"Nearest: {listed(map(repr, names), _SHOWN)}. "
    whole = listed_names(about)
    return f"The list: {'; '.join(whole)}. " if len(whole) <= _ALL else "`provender stir --list` prints the list. "


_OWN: Final = {
    About.OPERATION: " What was no pass over the ground needs no row.",
    About.PRODUCT: (
        " A product that the list lacks stays as typed: state its N, P2O5 and K2O per acre and whether its N is"
        " synthetic; one without any of them needs no row."
    ),
    About.SPECIES: " Of a mix, write a row for each species; one that the list lacks stays as typed.",
    About.INHIBITOR: " Where the list lacks the product, name its active ingredient.",
}
"""What to do about a name that means nothing of the list."""
_LISTS: Final = {
    About.OPERATION: "operations",
    About.PRODUCT: "fertilizers",
    About.SPECIES: "cover crops",
    About.INHIBITOR: "inhibitors",
}


# Rows of several farms in one import: a blank farm cell is filled by what the row names, or the row stays out.
#
# ``N40`` says whose field it is where one farm alone has a unit of that name. Nobody guesses between two farms: a row
# that names nothing that one farm alone has is told, and its farm is to be written.

FARM: Final = "farm_id"
_STEPS: Final = 4
"""A source names its budget, which names a crop entry, which names a unit, which has a farm."""
_Owners = dict[tuple[str, str], set[str]]


def with_farms(arrivals: Iterable[Arrival], farms: Sequence[str], book: RecordBook | None) -> None:
    """Fill the blank farm cells of all tables in place, where the book or the import is of several farms.

    A farm that is called by its name is the farm of that name, where one alone has it.
    """
    arrivals = list(arrivals)
    names = _farms_called(arrivals, farms, book)
    tables = [table for one in arrivals for table in one.tables]
    for table in tables:
        _set_identifiers(table, names)
    if any(table.beside for table in tables):
        with_own_loads(arrivals, farms, book)
    if len(farms) < 2:  # noqa: PLR2004 - between two farms one must be chosen
        return
    owners: _Owners = {}
    for name, kind in KINDS.items() if book is not None else ():
        _learn(owners, kind, book[name] if book is not None else ())
    for _ in range(_STEPS):
        for table in tables:
            _learn(owners, table.kind, table.texts())
        for table in tables:
            _fill(table, owners)
    for table in tables:
        _tell_open(table, owners, farms)


def no_farm(arrivals: Iterable[Arrival], folder: Path) -> Problem:
    """Return what is said where neither a book nor a file tells of a farm, or a file's farm has no identifier."""
    for table in (one for one in tables_of(arrivals, "farm") if one.table.rows):
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
    counties = {find_county(fips) for kind in ("unit", "farm") for row in book[kind] if (fips := row["county_fips"])}
    places = {(county.name, county.state) for county in counties if county}
    places |= {(farm["county"] or "", farm["state"]) for farm in farms if farm["state"] and not farm["county_fips"]}
    return tuple(sorted({zone for county, state in places for zone in zones_of(county, state)})) or UNITED_STATES


def _farms_called(arrivals: Iterable[Arrival], farms: Sequence[str], book: RecordBook | None) -> dict[str, str]:
    """Return the farm that each name, or other spelling of an identifier, means; what could mean two means none."""
    said = [(farm, farm) for farm in farms]
    said += [(name, farm) for farm, name in texts_of(arrivals, book, "farm", "name")]
    meant: dict[str, set[str]] = {}
    for name, farm in said:
        if folded(name) and farm:
            meant.setdefault(folded(name), set()).add(farm)
    return {name: next(iter(found)) for name, found in meant.items() if len(found) == 1}


def _set_identifiers(table: IncomingTable, names: Mapping[str, str]) -> None:
    """Let the farms of a table go by their identifiers; a farm's own table says them itself."""
    if table.kind is not KINDS["farm"] and FARM in table.columns:
        table.set_cells(lambda _, row: {FARM: names.get(folded(row[FARM]), row[FARM])} if row[FARM] else {})


def _learn(owners: _Owners, kind: Kind | None, rows: Iterable[Mapping[str, object]]) -> None:
    """Note which farm has which record, by identifier and by name."""
    columns = [own_key(kind), NAMED.get(kind.name, "")] if kind is not None and own_key(kind) else []
    for row in rows if columns else ():
        for column in filter(None, columns):
            text, farm = folded(str(row.get(column) or "")), str(row.get(FARM) or "")
            if farm and text and kind is not None:
                owners.setdefault((kind.name, text), set()).add(farm)


def _candidates(kind: Kind, row: Mapping[str, str], owners: _Owners) -> list[tuple[str, set[str]]]:
    """Return each record that a row names, as written, with the farms that have it: N40 may be a field or a crop."""
    texts = [(described.refers, row.get(name, "")) for name, described in kind.fields.items() if described.refers]
    return [(text, owners.get((target, folded(text)), set())) for target, text in texts if text]


def _fill(table: IncomingTable, owners: _Owners) -> None:
    kind = table.kind
    if kind is None:
        return

    def farm_of(_: int, row: Mapping[str, str]) -> dict[str, str]:
        named = [farms for _, farms in _candidates(kind, row, owners) if farms]
        common = set.intersection(*named) if named else set()
        return {} if row.get(FARM) else {FARM: next(iter(common)) if len(common) == 1 else ""}

    table.set_cells(farm_of)


def _tell_open(table: IncomingTable, owners: _Owners, farms: Sequence[str]) -> None:
    """Tell of each row whose farm stays open: it is not put on the first farm in silence."""
    kind = table.kind
    for (number, cells), row in zip(table.table.rows, table.texts(), strict=True) if kind is not None else ():
        if kind is None or row.get(FARM) or not any(cell.strip() for cell in cells):
            continue
        several = {text: found for text, found in _candidates(kind, row, owners) if len(found) > 1}
        why = "; ".join(f"{text} is one of {listed(sorted(found))}" for text, found in several.items())
        cause = f"this import is of {listed(farms)}, and the row does not say of which{f' ({why})' if why else ''}."
        place = Place(table.table.file, table.table.sheet, number, FARM)
        remedy = "Write the farm into a column farm_id."
        table.problems.append(Problem(place, cause, remedy, kind.cite, code="which_farm"))
