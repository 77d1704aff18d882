"""Checking one edit that a program sends: the same parsers, bounds and messages as a file's."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import ClassVar, Final, NamedTuple

from provender.database.actor import Actor
from provender.database.models.accounts import Organisation
from provender.database.models.farm import Book, Change, Rows
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.records.book import FolderFiles, RecordBook
from provender.records.field import ColumnKind, Field
from provender.records.folder import EVIDENCE, load_book, write_cell, written_row
from provender.records.kind import COVER, KINDS, Kind, check_rows, seeded_after_harvest
from provender.records.reading import CellError, read_cell
from provender.services.farm.book import (
    FARM,
    Edit,
    FarmBook,
    called,
    called_in_file,
    change_book,
    in_words_of_lists,
    key_of,
    texts_of,
)
from provender.services.farm.folder import key_texts, raw_rows, write_rows
from provender.services.refused import MissingError
from provender.standards.evidence import HOLDS
from provender.verdicts.assess import Assessment, assess

_OUR_OWN = "farm"
"""The kind of which the farm's identifier is the key."""


def checked_edit(farm: FarmBook, kind: str, key: str, row: Mapping[str, str] | None, at: int) -> Edit:
    """Return an edit of which every cell can be read and is within its bounds.

    Args:
        farm: the version of the book.
        kind: name of the kind of record.
        key: of the row to take out.
        row: texts by column; None takes the row out.
        at: number of the edit, from 0.

    Raises:
        ProblemsError: no such kind or column, a cell that cannot be read, a value out of bounds, or no row to take out.
    """
    place = f"edits.{at}"
    found = KINDS.get(kind)
    if found is None:
        raise _refusal(place, "kind", f"There is no kind of record {kind[:60]!r}.", "See /api/v1/records/kinds.")
    if row is None:
        if key not in farm.of(found):
            raise _refusal(place, "key", f"The book holds no {found.label} {key!r}.", "See the rows of the kind.")
        return Edit(found.name, key, None)
    texts = checked_texts(found, row, farm, place)
    return Edit(found.name, key_of(found, texts), texts)


def checked_texts(kind: Kind, row: Mapping[str, str], farm: FarmBook, place: str) -> dict[str, str]:
    """Return every column of a row as the text that the core would write.

    Raises:
        ProblemsError: no such column, a cell that cannot be read or is missing, or a value out of bounds; each names
            ``place`` and its column.
    """
    unknown = [name for name in row if name not in kind.typed_fields]
    if unknown:
        known = ", ".join(kind.typed_fields)
        raise _refusal(place, unknown[0], f"{kind.label} has no column {unknown[0]!r}.", f"Its columns: {known}.")
    given = {name: row.get(name, "") for name in kind.typed_fields} | {FARM: farm.farm_id}
    if kind.name == _OUR_OWN:
        given[FARM] = row.get(FARM, "") or farm.farm_id
    problems, values = [], {}
    for name, field in kind.typed_fields.items():
        try:
            values[name] = read_cell(given[name], field)
        except CellError as wrong:
            problems.append(
                Problem(Place(place, column=name), f"{wrong.cause}.", wrong.remedy, field.cite, code="cell")
            )
            continue
        if values[name] is None and field.required:
            remedy = "Fill it in; blank means not recorded, and this column must be."
            problems.append(
                Problem(Place(place, column=name), f"{field.label} is blank.", remedy, field.cite, code="blank")
            )
    if not problems:
        _, held, _ = check_rows(kind, [kind.row_of(values)])
        problems = [
            Problem(Place(place, column=one.place.column), one.cause, one.remedy, one.cite, one.weight, one.code)
            for one in held
            if one.weight is not Weight.NOTE
        ]
        problems += out_of_order(kind, values, farm, place)
    if problems:
        raise ProblemsError(problems)
    return in_words_of_lists(kind, {name: write_cell(values[name], field) for name, field in kind.typed_fields.items()})


def out_of_order(kind: Kind, row: Mapping[str, object], farm: FarmBook, place: str) -> list[Problem]:
    """Return how a row, typed, contradicts the order of days of the row that it names."""
    crop, seeded = str(row.get("harvest_id") or ""), row.get("seeded_on")
    named = farm.texts(KINDS["harvest"], crop) if kind.name == COVER and crop else None
    if not named or not named["last_day"] or not isinstance(seeded, date):
        return []
    last = date.fromisoformat(named["last_day"])
    where = Place(place, column="harvest_id")
    found = seeded_after_harvest(where, str(row.get("cover_id") or ""), seeded, crop, last)
    return [found] if found else []


def _refusal(place: str, column: str, cause: str, remedy: str) -> ProblemsError:
    return ProblemsError([Problem(Place(place, column=column), cause, remedy, code="misfit")])


# What happened to one row of a farm's book, change by change.


@dataclass(frozen=True, slots=True)
class RowChange:
    """One change of one row."""

    change: Change  # in which it happened
    reason: str  # why, in the words of whoever made it
    before: dict[str, str]  # the texts of the row; empty where it was not there
    after: dict[str, str]  # the texts of the row; empty where it was taken out

    @property
    def columns(self) -> list[str]:
        """Return the columns that it changed, but for the farm's own; all it had, where the row was taken out."""
        names = self.after or self.before
        return [name for name in names if name != FARM and self.after.get(name, "") != self.before.get(name, "")]


def history_of(farm: FarmBook, kind: Kind, key: str) -> Iterator[RowChange]:
    """Yield every change that touched a row, the first one first."""
    before: dict[str, str] = {}
    for change in Change.objects.filter(book=farm.book).select_related("actor").order_by("number"):
        said = json.loads(change.text)
        for edit in said["edits"]:
            if (edit["kind"], edit["key"]) != (kind.name, key):
                continue
            after = {} if edit["row"] is None else texts_of(kind, edit["row"])
            yield RowChange(change, said["reason"], before, after)
            before = after


# Taking a row out of a farm's book, and putting it or an earlier state of it back.


def remove_row(farm: FarmBook, kind: Kind, key: str, *, after: int | None, actor: Actor) -> Change:
    """Take a row out of the book; it stays in the history, and its page offers to put it back.

    Raises:
        MissingError: there is no such row.
        RefusedError: somebody changed the book meanwhile.
    """
    if key not in farm.of(kind):
        raise MissingError
    reason = f"{kind.label}: {called(kind, key)} removed"
    return change_book(farm.book, [Edit(kind.name, key, None)], reason=reason, actor=actor, after=after)


def removed_texts(farm: FarmBook, kind: Kind, key: str) -> dict[str, str] | None:
    """Return what a row said that was taken out; None where it stands, or was never there."""
    if key in farm.of(kind):
        return None
    changes = list(history_of(farm, kind, key))
    return changes[-1].before if changes else None


def texts_at(farm: FarmBook, kind: Kind, key: str, version: int | None) -> dict[str, str]:
    """Return what a row said after one of its changes.

    Raises:
        MissingError: the row stands no more, or that change left none of it.
    """
    if key in farm.of(kind):
        for one in history_of(farm, kind, key):
            if one.change.number == version and one.after:
                return one.after
    raise MissingError


def put_back(
    farm: FarmBook, kind: Kind, key: str, version: int | None = None, *, after: int | None, actor: Actor
) -> Change:
    """Write what a row said after one of its changes as a new change; without one, a row that was taken out.

    Raises:
        MissingError: the row stands no more or was never taken out, or that change left none of it.
        RefusedError: somebody changed the book meanwhile.
    """
    texts = removed_texts(farm, kind, key) if version is None else texts_at(farm, kind, key, version)
    if texts is None:
        raise MissingError
    reason = f"{kind.label}: {called(kind, key)} put back{f' as of version {version}' if version else ''}"
    return change_book(farm.book, [Edit(kind.name, key, texts)], reason=reason, actor=actor, after=after)


# What a farm wrote before, for whoever writes the next row: values to pick again, and rows to begin with.

HARVEST: Final = KINDS["harvest"]
MOST_VALUES: Final = 40
_MOST_ROWS: Final = 3
_ENOUGH: Final = 3
"""Rows of a kind from which it shows which columns this farm uses."""
_OF_ONE_ROW: Final = frozenset({ColumnKind.DAY, ColumnKind.KEY})
"""What a new row does not share with one before it."""
OWN_WORDS: Final = frozenset({"evidence", "note", "as_typed", "claims"})

_NAMED_BY_PEOPLE: Final = frozenset({"farm", "unit", "harvest", "producer", "related_party"})


WORK: Final = frozenset({"operation", "nutrient_application", "cover_crop", "planting"})
"""Kinds of what is done in a field and may be written down there and then."""


def day_of_work(kind: Kind) -> str:
    """Return the column of the day on which a work was done, which evidence is held against; empty for other kinds."""
    return HOLDS[kind.name].day if kind.name in WORK else ""


class Before(NamedTuple):
    """A row that a new one may begin with: its key, and what it is called."""

    key: str
    called: str


def values_before(farm: FarmBook, kind: Kind, column: str) -> tuple[str, ...]:
    """Return what stands in a column, what was written last first."""
    said = (str(row.get(column) or "") for row in reversed(list(farm.of(kind).values())))
    return tuple(dict.fromkeys(text for text in said if text))[:MOST_VALUES]


def unused(farm: FarmBook, kind: Kind) -> frozenset[str]:
    """Return the columns that this farm never fills; until it has written some rows, those that farms seldom fill."""
    rows = list(farm.of(kind).values())
    return frozenset(
        name for name, found in kind.typed_fields.items()
        if (found.seldom or (len(rows) >= _ENOUGH and not found.required)) and not any(row.get(name) for row in rows)
    )  # fmt: skip


def rows_to_begin_with(farm: FarmBook, kind: Kind, unit: str = "") -> list[Before]:
    """Return the rows written last that differ in what a new row would take from them; those of a field it is for.

    Each names its field: the row of another one is never taken for the own.
    """
    found: dict[tuple[str, ...], Before] = {}
    for key, row in reversed(list(farm.of(kind).items())):
        field, taken = field_of(farm, row), _taken(kind, texts_of(kind, row))
        if any(taken.values()) and (not unit or field in ("", unit)):
            lead = next((text for text in taken.values() if text), "").replace("_", " ")
            where = f"{called(kind, key)}, {field}" if field and field not in called(kind, key) else called(kind, key)
            found.setdefault(tuple(taken.values()), Before(key, f"{lead} ({where})"))
        if len(found) == _MOST_ROWS:
            break
    return list(found.values())


def field_of(farm: FarmBook, row: Mapping[str, object]) -> str:
    """Return the field a row is of: its own, or that of the crop entry it names."""
    entry = farm.of(HARVEST).get(str(row.get("harvest_id") or ""), {})
    return str(row.get("unit_id") or entry.get("unit_id") or "")


def rows_that_fit(farm: FarmBook, column: Field, now: str) -> Mapping[str, Mapping[str, object]]:
    """Return the rows that a column may name: of a photograph, photographs alone, and what it names already."""
    rows = farm.of(KINDS[column.refers])
    if column.refers != "evidence" or not column.label.startswith("Photograph"):
        return rows
    return {key: row for key, row in rows.items() if row.get("what") == "photograph" or key == now}


def free_entry(farm: FarmBook, unit: str, year: str) -> str:
    """Return a name for a new crop entry, of its field and the year of its harvest, that no other has."""
    name, taken, number = f"{unit}-{year}", farm.read[1] | farm.of(HARVEST).keys(), 1
    while (key := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return key


def defaults_from_previous(farm: FarmBook, kind: Kind, key: str) -> dict[str, str]:
    """Return what a new row takes from one that stands: all but its names, its days and what is said of it alone."""
    texts = farm.texts(kind, key)
    return {} if texts is None else _taken(kind, texts)


def _taken(kind: Kind, texts: dict[str, str]) -> dict[str, str]:
    return {
        name: texts.get(name, "")
        for name, found in kind.typed_fields.items()
        if found.kind not in _OF_ONE_ROW and name not in OWN_WORDS and name != FARM
    }


def numbered(kind: Kind) -> frozenset[str]:
    """Return the identifier that a new row of a kind is given by itself: people name fields and crops, not passes."""
    own = [name for name in kind.key_columns if name != FARM]
    named = kind.name in _NAMED_BY_PEOPLE or len(own) != 1 or kind.fields[own[0]].refers
    return frozenset() if named else frozenset(own)


def free_key(farm: FarmBook, kind: Kind) -> str:
    """Return an identifier that no row has or had: the kind's first letters and the next number.

    What named a row that was taken out would else mean the new one.
    """
    letters = "".join(word[0] for word in kind.name.split("_")).upper()
    taken = farm.read[1] | farm.of(kind).keys() | _named(farm, f"{letters}-")
    number = len(farm.of(kind)) + 1
    while f"{letters}-{number}" in taken:
        number += 1
    return f"{letters}-{number}"


def _named(farm: FarmBook, start: str) -> set[str]:
    """Return what rows name that begins so, whether a row of that name stands or not."""
    cells = (cell for rows in farm.rows.values() for row in rows.values() for cell in row.values())
    lists = (cell.split(";") for cell in cells if isinstance(cell, str) and start in cell)
    return {name.strip() for names in lists for name in names}


# A record book in a folder, as the services of a farm read a book: nothing of it lies in a database, or is kept.

_SHOWN: Final = 8
"""Rows that a refusal names."""
_LEFT_BEHIND: Final = (EVIDENCE, "reports")
"""What is not copied to see a book with other rows: evidence is read where it lies, and no verdict reads reports."""


class FolderBook(FarmBook):
    """A record book in a folder."""

    supposed: ClassVar[bool] = True
    on_disk: ClassVar[bool] = True

    @classmethod
    def at(cls, folder: Path) -> "FolderBook":
        """Return the book in a folder.

        Raises:
            ProblemsError: it cannot be read, or holds several farms.
        """
        loaded = load_book(folder)
        if len(loaded.farm_ids) != 1:
            have = ", ".join(loaded.farm_ids) or "none"
            raise refuse(str(folder), f"One farm is looked at, and the book holds: {have}.", "Name the book of one.")
        return cls._over_folder(folder, loaded, loaded.farm_ids[0])

    @classmethod
    def _over_folder(cls, folder: Path, loaded: RecordBook, farm_id: str) -> "FolderBook":
        made = cls(Book(organisation=Organisation(handle=farm_id)), 0)
        made.__dict__.update(folder=folder, loaded=loaded)
        return made

    @property
    def folder(self) -> Path:
        where: Path = self.__dict__["folder"]
        return where

    @property
    def loaded(self) -> RecordBook:
        book: RecordBook = self.__dict__["loaded"]
        return book

    def records(self) -> RecordBook:
        return self.loaded

    @cached_property
    def rows(self) -> Rows:
        """Return the rows that can be read by kind and key, as texts."""
        return {name: _rows_by_key(kind, self.loaded) for name, kind in KINDS.items() if self.loaded[name]}

    @cached_property
    def judged(self) -> Assessment:
        return assess(self.loaded)

    def with_rows(self, rows: Rows) -> "FolderBook":
        """Return the book as it would be with other rows, judged: its files are changed as somebody would, in a copy.

        Whatever cannot be read stays in them as it is, and is told as before.
        """
        with TemporaryDirectory() as made:
            folder = Path(made) / "book"
            copytree(self.folder, folder, ignore=ignore_patterns(*_LEFT_BEHIND))
            for name, kind in KINDS.items():
                before, after = self.rows.get(name, {}), rows.get(name, {})
                if before != after:
                    _write(kind, folder, before, after)
            other = self._over_folder(folder, load_book(folder, FolderFiles(self.folder / EVIDENCE)), self.farm_id)
            other.__dict__.update(rows=rows, judged=assess(other.loaded))
            return other


def edit_of(farm: FarmBook, kind: Kind, key: str, texts: Mapping[str, str] | None) -> Edit:
    """Return the edit that gives a row other texts in some columns, or takes it out.

    Args:
        farm: the book.
        kind: of the row.
        key: of the row, or what its file calls it: the columns that name it, with commas.
        texts: by column; None takes it out.

    Raises:
        ProblemsError: there is no such row, or a text that cannot be read.
    """
    named = {called_in_file(kind, each): each for each in farm.of(kind)}
    key = named.get(key, key)
    stands = farm.texts(kind, key)
    if stands is None:
        have = "; ".join(list(named)[:_SHOWN]) or "none"
        cause = f"No row {key!r} of {kind.name} can be read in this book; there are: {have}."
        raise refuse(kind.name, cause, "Choose one, or mend what `provender check` says of it.")
    if texts is None:
        return Edit(kind.name, key, None)
    row = checked_texts(kind, {**stands, **texts}, farm, f"{kind.name} {key}")
    if key_of(kind, row) != key:
        raise refuse(kind.name, "What names a row would change.", "Take the row out and look at a new one by itself.")
    return Edit(kind.name, key, row)


def kind_called(name: str) -> Kind:
    """Return a kind of record.

    Raises:
        ProblemsError: there is no such kind.
    """
    if name not in KINDS:
        raise refuse(name, "There is no such kind of record.", f"Choose one of: {', '.join(KINDS)}.")
    return KINDS[name]


def _rows_by_key(kind: Kind, loaded: RecordBook) -> dict[str, Mapping[str, object]]:
    fields = kind.typed_fields
    found: dict[str, Mapping[str, object]] = {}
    for row in loaded[kind.name]:
        texts = dict(zip(fields, written_row(row, fields), strict=True))
        found[key_of(kind, texts)] = texts
    return found


def _write(
    kind: Kind, folder: Path, before: Mapping[str, Mapping[str, object]], after: Mapping[str, Mapping[str, object]]
) -> None:
    """Write into the file of a kind what differs; the other rows and columns stay as somebody typed them."""
    path = folder / f"{kind.name}.csv"
    lying = {key_of(kind, row): row for row in raw_rows(kind, path).values()} if path.is_file() else {}
    for key in before.keys() - after.keys():
        lying.pop(key, None)
    for key, row in after.items():
        known = before.get(key, {})
        changed = {name: str(row.get(name) or "") for name in kind.typed_fields if row.get(name) != known.get(name)}
        if changed:
            lying[key] = {**dict.fromkeys(kind.typed_fields, ""), **lying.get(key, {}), **changed}
    write_rows(kind, {key_texts(kind, row): row for row in lying.values()}, folder)
