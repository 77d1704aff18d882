"""What an import asks and says, each once: by what an answer decides, with the best guess, how many rows, an example.

Pages, programs and the command line show these questions and take answers by their names; ``with_answers`` turns the
answers into ``Choices``, with which the same plan is made again.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Final

from provender.catalog.tables import SEEDING, find_operation, lookup_name
from provender.catalog.words import (
    About,
    in_all_words,
    listed_name,
    listed_names,
    meaning,
    suggested,
    with_facts,
    words_of,
)
from provender.formats.columns import suggest, target
from provender.formats.importing.crop_entries import NewEntry, entry_of, labels
from provender.formats.importing.import_book import RowChange
from provender.formats.importing.incoming_files import Choices, SheetRead
from provender.formats.importing.match import DIFFERS, TWICE
from provender.formats.importing.plan import ImportPlan
from provender.formats.importing.references import COLUMNS, NO_NAME, can_be_meant, folded
from provender.formats.mapped import heading_of
from provender.formats.parsed import ColumnMap, ColumnRule, TextRow, fingerprint
from provender.formats.units import canonical
from provender.problem import Place, Problem, ProblemsError, Weight, listed
from provender.records.book import NOT_YET
from provender.records.kind import KINDS
from provender.records.reading import CellError

NONE: Final = "none"
"""The answer that a sheet holds no records, or that a crop is not added."""
ROWS_ARE: Final = (*((one.name, one.label) for one in KINDS.values()), (NONE, "No records: leave it out"))
"""What the rows of a sheet can be, by name, with their labels."""
_DOUBTED_BY: Final = frozenset({"unknown_column", "missing_column", "no_headings", "unknown_sheet", "double_column"})
"""Codes of problems for which a person looks at the columns of a sheet; what they say is shown beside the question."""
ASKED: Final = frozenset({
    "word_asked", "word_unknown", "entry_asked", "entry_missing", "day_order", "differs_from_book", "other_boundary",
    "entered_twice", "suggested_map", "kind_by_headings", "unknown_sheet", "photo_unit", "waits",
})  # fmt: skip
"""Codes of problems that a question asks about: where questions are shown, these are not told once more."""
_SAMPLES: Final = 3
_SEARCHED: Final = 30
_CHOICES: Final = 8
_NEAR: Final = 0.75
_BOUNDARY: Final = "other_boundary"


@dataclass(frozen=True, slots=True)
class AskedColumn:
    """A column of a sheet whose columns somebody should look at."""

    heading: str  # as written
    samples: tuple[str, ...]  # the first cells below it that are not blank
    field: str = ""  # what it is taken for; empty for nothing
    unit: str = ""  # in which it is taken to be; empty for the field's own


@dataclass(frozen=True, slots=True)
class Question:
    """One question."""

    # ``sheet``, ``columns``, ``unit``, ``word``, ``entry``, ``new_entry``, ``dates``, ``differs`` or ``twins``
    about: str
    subject: str  # which sheet, name or rows
    says: str  # the question
    options: tuple[tuple[str, str], ...] = ()  # what can be answered, and how it is shown; the columns have their own
    guess: str = ""  # the answer where the evidence is clear
    rows: int = 0  # how many rows it settles
    example: str = ""
    also: tuple[str, ...] = ()  # names of further questions that have this answer, unless they are answered apart
    settled: bool = False  # the guess is taken as long as nobody says otherwise: nothing waits for an answer
    columns: tuple[AskedColumn, ...] = ()  # of a sheet
    target: str = ""  # of a sheet, the kind of record that its rows are

    @property
    def name(self) -> str:
        return f"{self.about}|{self.subject}"


@dataclass(slots=True)
class Answers:
    """What a person said about an import, as plain data."""

    answers: dict[str, str] = field(default_factory=dict)  # by the name of the question
    corrected: dict[str, dict[str, str]] = field(default_factory=dict)  # cells of rows by column, by place of the row
    dropped: list[str] = field(default_factory=list)  # places of rows that are not to count
    fills: dict[str, dict[str, str]] = field(default_factory=dict)  # text for the blank cells of a column, by kind


def asked_of(plan: ImportPlan, choices: Choices) -> list[Question]:
    """Return everything that an import asks: what decides most first."""
    changes = plan.changes
    return [
        *_sheets(plan, choices), *_units(plan, changes), *_proven(plan), *_odd_names(changes), *_entries(plan, choices),
        *_dates(plan), *_twins(plan),
    ]  # fmt: skip


def _sheets(plan: ImportPlan, choices: Choices) -> Iterator[Question]:
    """Yield the sheets that are read through a column map that nobody confirmed, or of which nobody knows the kind."""
    doubted = {(one.place.file, one.place.sheet) for one in plan.problems if one.code in _DOUBTED_BY}
    for one in plan.sheets:
        doubts = (one.file, one.sheet.name) in doubted
        if one.map is not None or doubts:
            yield from _sheet(one, choices, taken=choices.accept and not doubts)


def _sheet(read: SheetRead, choices: Choices, *, taken: bool) -> Iterator[Question]:
    """Yield what is asked of one sheet: what its rows are, or its columns; ``taken`` where the guess counts so far."""
    sheet, subject = read.sheet, f"{read.file}|{read.sheet.name}"
    where = ", ".join(part for part in (read.file, sheet.name) if part)
    kind, guess = choices.kinds.get(subject) or read.kind, read.map
    if guess is None and kind:
        made = suggest(sheet, target(kind), read.file)
        guess = made.map if made else None
    heading = heading_of(sheet, guess) if guess is not None else None
    if heading is None:  # the first row with two cells, else the first row
        lines = sheet.lines[:_SEARCHED]
        heading = next((line for line in lines if sum(bool(cell.strip()) for cell in line.cells) > 1), lines[0])
    below = [line for line in sheet.lines if line.number > heading.number]
    if guess is None and kind:
        guess = ColumnMap(f"{kind} from {read.file}", kind, fingerprint(heading.cells), ())
    if guess is None:
        example = listed(cell for cell in heading.cells if cell.strip())
        yield Question("sheet", subject, f"{where}: what are its rows?", ROWS_ARE, "", len(below), example)
    elif not guess.confirmed:
        meant = {rule.heading.strip(): (rule.field, rule.unit) for rule in guess.columns}
        columns = tuple(
            AskedColumn(text.strip(), _first(below, at), *meant.get(text.strip(), ("", "")))
            for at, text in enumerate(heading.cells)
            if text.strip()
        )
        says = f"{where}: is each of its columns what it was taken for?"
        yield Question("columns", subject, says, (), guess.to_text(), len(below), settled=taken, columns=columns,
                       target=guess.target)  # fmt: skip


def _first(lines: Iterable[TextRow], at: int) -> tuple[str, ...]:
    texts = (text for line in lines if (text := line.cell(at)))
    return tuple(text for _, text in zip(range(_SAMPLES), texts, strict=False))


def _units(plan: ImportPlan, changes: Iterable[RowChange]) -> Iterator[Question]:
    """Yield each name that files have for a field and that no unit has, and each photograph that shows no unit."""
    units = {str(row["unit_id"]): str(row["name"] or "") for _, row in plan.book.table("unit").records()}
    counted: dict[str, list[str]] = {}
    for change in changes:
        if change.texts.get("what") == "photograph" and not change.texts["unit_id"] and change.place.file:
            counted.setdefault(change.place.file, []).append("")
    options = tuple((unit, f"{unit} ({name})" if name and name != unit else unit) for unit, name in units.items())
    names = {folded(text): unit for unit, name in units.items() for text in (unit, name) if text}
    for row in plan.book.rejected:
        text = dict(row.cells).get("unit_id", "").strip() if row.kind and row.kind != "unit" else ""
        if text and folded(text) not in names:
            counted.setdefault(text, []).append(str(row.place))
    for text, places in counted.items():
        near = {names[one] for one in get_close_matches(folded(text), list(names), n=3, cutoff=_NEAR)}
        guess = next(iter(near)) if len(near) == 1 else ""
        yield Question("unit", text, f"Which field is {text!r}?", options, guess, len(places), places[0])


def _proven(plan: ImportPlan) -> Iterator[Question]:
    """Yield each name whose meaning other rows prove, to be changed by whoever knows better."""
    for one in plan.proven:
        names = dict.fromkeys((one.name, *can_be_meant(one.about, one.text)))
        options = tuple((name, with_facts(one.about, name)) for name in names)
        says = f"What is {one.text!r}? It was read from the rows beside it, since {one.why}. "
        says += "Another answer counts for every row of this name."
        subject = f"{one.about}|{one.text}"
        yield Question("word", subject, says, options, one.name, one.rows, str(one.place), settled=True)


def _odd_names(changes: Sequence[RowChange]) -> Iterator[Question]:
    """Yield each name of an implement, product, species or inhibitor that is no name of its list."""
    applied = {(one.texts["unit_id"], one.texts["day"]) for one in changes if one.kind == "nutrient_application"}
    counted: dict[tuple[About, str], list[tuple[str, str]]] = {}
    with_fertilizer: dict[tuple[About, str], bool] = {}
    for change in changes:
        for column, about in COLUMNS.get(change.kind, {}).items():
            text = change.texts.get(column, "")
            new = text and text != change.was.get(column) and text.casefold() not in NO_NAME
            if new and not listed_name(about, text):
                key = about, lookup_name(text)
                counted.setdefault(key, []).append((text, str(change.place)))
                fed = (change.texts.get("unit_id"), change.texts.get("day")) in applied
                with_fertilizer[key] = fed and with_fertilizer.get(key, True)
    alike: dict[tuple[About, tuple[str, ...], object], list[tuple[str, str]]] = {}
    for (about, folded_text), found in counted.items():
        text = found[0][0]
        can_be = meaning(about, text).names
        choices = can_be or suggested(about, text, _CHOICES) or listed_names(about)
        # Names of one beginning that can be the same are one question: *planted P1185* and *planted milo*. What was
        # done on a day on which fertilizer went on the field may have put it on: it is asked apart.
        alike_as = (words_of(text)[:1], with_fertilizer[about, folded_text]) if len(can_be) > 1 else text
        together = (about, choices, alike_as)
        alike.setdefault(together, []).extend(found)
    for (about, choices, _), found in alike.items():
        texts = list(dict.fromkeys(text for text, _ in found))
        options = tuple((name, with_facts(about, name)) for name in choices)
        names = [f"word|{about}|{text}" for text in texts]
        says = f"What {'is' if len(texts) == 1 else 'are'} {listed(map(repr, texts))}?"
        guess = _likely(about, texts, choices, changes)
        subject = names[0].partition("|")[2]
        yield Question("word", subject, says, options, guess, len(found), found[0][1], tuple(names[1:]))


_DENIED: Final = re.compile(
    r"\b(?:no(?!\W?till)|not|non|never|without|w/o|didn.?t|skip\w*|ran out|instead|fail\w*|cancel\w*|planned)\b"
)
"""What says of a name that it was not so; nothing is then likely."""


def _likely(about: About, texts: Sequence[str], choices: Sequence[str], changes: Sequence[RowChange]) -> str:
    """Return the listed name that is likely.

    It is the one that the texts can mean or with which all begin; the only one that seeds, of what was done in the
    field and on the day of a cover's seeding; or the winter kind of a cover that was seeded in fall.
    """
    if any(_DENIED.search(text.casefold()) for text in texts):
        return ""
    begins = [name for name in choices if all(lookup_name(text).startswith(lookup_name(name)) for text in texts)]
    means = {name for text in texts for name in in_all_words(about, text) or meaning(about, text).names}
    for clear in (begins, [*means], _seeding(about, texts, choices, changes)):
        if len(clear) == 1:
            return clear[0]
    winter = [name for name in choices if name.endswith(", Winter")]
    if about is not About.SPECIES or len(winter) != 1 or {name.partition(",")[0] for name in choices} != {
        winter[0].partition(",")[0]
    }:  # fmt: skip
        return ""
    mixes = [one for one in changes if one.kind == "cover_species" and one.texts["species"] in texts]
    covers = {one.texts["cover_id"]: one.texts["seeded_on"] for one in changes if one.kind == "cover_crop"}
    days = [covers.get(one.texts["cover_id"], "") for one in mixes]
    return winter[0] if days and all(day[5:7] >= "08" for day in days) else ""


def _seeding(about: About, texts: Sequence[str], choices: Sequence[str], changes: Sequence[RowChange]) -> list[str]:
    """Return the operations that seed, where a cover was seeded in the field and on the day of each row."""
    covers = [one.texts for one in changes if one.kind == "cover_crop"]
    sown = {(one["unit_id"], one["seeded_on"]) for one in covers if one["seeded_on"]}
    rows = [one.texts for one in changes if one.kind == "operation" and one.texts["operation"] in texts]
    if about is not About.OPERATION or not rows or not all((row["unit_id"], row["day"]) in sown for row in rows):
        return []
    return [name for name in choices if (listed := find_operation(name)) and listed.op_group in SEEDING]


def _entries(plan: ImportPlan, choices: Choices) -> Iterator[Question]:
    """Yield which crop rows are of that several fit, and each crop that rows need and that the book does not have."""
    left_out = {str(row.place): row for row in plan.book.rejected}
    asked = [one for one in plan.asked if one.place in left_out]
    several: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    offered: dict[str, list[str]] = {}
    offers = {one.offered.name: one.offered for one in asked if one.offered}
    for one in asked:
        if one.entries:
            text = dict(left_out[one.place].cells).get(one.column, "")
            several.setdefault((text, one.entries), []).append(one.place)
        elif one.offered:
            offered.setdefault(one.offered.name, []).append(one.place)
    entries = {str(row["harvest_id"]): entry_of(row) for _, row in plan.book.table("harvest").records()}
    for (text, names), places in several.items():
        known = {name: entries[name] for name in names if name in entries}
        called = dict(zip(known, labels(known), strict=True))
        options = tuple((name, called.get(name, name)) for name in names)
        says = f"Which crop is {text!r}?"
        yield Question("entry", f"{text}|{' '.join(names)}", says, options, "", len(places), places[0])
    for name, places in offered.items():
        new = offers[name]
        crop = new.crop.replace("_", " ") or "a crop that is not said"
        still = f"{new.crop}, {NOT_YET}"
        options = ((still, f"Add it: {crop}, not harvested yet"), (NONE, "Do not add it")) if new.crop else ()
        says = f"{new.unit} has no {crop} of {new.year}: add it?"
        guess = still if new.crop and int(new.year) >= choices.as_of.year else ""
        yield Question("new_entry", f"{name}|{new.unit}", says, options, guess, len(places), places[0])


def _dates(plan: ImportPlan) -> Iterator[Question]:
    asked = [one for one in plan.problems if one.code == "day_order"]
    if asked:
        options = (("mdy", "5/4/2026 is May 4"), ("dmy", "5/4/2026 is April 5"))
        guess = "mdy" if "the month was taken" in asked[0].cause else ""
        yield Question("dates", "", "Does the month or the day come first?", options, guess, len(asked), asked[0].cause)


def _twins(plan: ImportPlan) -> Iterator[Question]:
    """Yield what to do with rows that say otherwise than the book, and with a list that stands twice."""
    lying = [one for row in plan.book.rejected for one in row.problems]
    differs = [one for one in [*lying, *(one for one in plan.problems if one.code == _BOUNDARY)]
               if one.code in (DIFFERS, _BOUNDARY)]  # fmt: skip
    if differs:
        options = (
            ("book", "The book's: rows that differ stay out"),
            ("file", "The file's: they correct the book, and the history keeps both"),
            ("each", "Both: each row is a record of its own"),
        )
        says = "Book and file say different things of the same record: which counts?"
        yield Question("differs", "", says, options, "", len(differs), differs[0].cause)
    twice = [one for one in lying if one.code == TWICE]
    if twice:
        ways = (("once", "Entered twice: it counts once"), ("each", "Done twice: each row counts"))
        says = "A list stands in its file twice: was it entered twice, or done twice?"
        yield Question("twins", "", says, ways, "", len(twice), str(twice[0].place))


def with_answers(choices: Choices, said: Answers) -> Choices:
    by: dict[str, dict[str, str]] = defaultdict(dict)
    for name, text in said.answers.items():
        about, _, subject = name.partition("|")
        by[about][subject] = text
    skipped = {subject.partition("|") for subject, text in by["sheet"].items() if text == NONE}
    words = {(of, lookup_name(typed)): text for (of, _, typed), text in _parted(by["word"])}
    new = {name: _new_entry(unit, text) for (name, _, unit), text in _parted(by["new_entry"]) if text != NONE}
    maps = [replace(ColumnMap.from_text(text), confirmed=True) for text in by["columns"].values()]
    differs, twins = by["differs"].get("", ""), by["twins"].get("", choices.twins)
    return replace(
        choices, units={**choices.units, **by["unit"]}, words={**choices.words, **words},
        kinds={subject: text for subject, text in by["sheet"].items() if text != NONE},
        skip_sheets=choices.skip_sheets | {(sheet or file).casefold() for file, _, sheet in skipped},
        new_entries={**choices.new_entries, **new}, entries_said=by["entry"], maps=(*maps, *choices.maps),
        date_order=by["dates"].get("", choices.date_order), replace=choices.replace or differs == "file",
        twins="each" if differs == "each" else twins, corrected=said.corrected, dropped=frozenset(said.dropped),
    )  # fmt: skip


def _parted(said: Mapping[str, str]) -> Iterator[tuple[tuple[str, str, str], str]]:
    for subject, text in said.items():
        yield subject.partition("|"), text


def answer(said: Answers, asked: Iterable[Question], given: Mapping[str, str]) -> None:
    """Put answers by the names of their questions into what was said; an empty one is taken back.

    Raises:
        ProblemsError: nothing is asked by a name, or an answer is none of its question; then nothing is put.
    """
    by_name = {name: one for each in asked for name, one in _answerable(each)}
    problems = []
    for name, text in given.items():
        question, cause = by_name.get(name), ""
        if question is None and name not in said.answers:
            cause, remedy = "Nothing is asked by this name.", "See the questions of the import."
        elif text:
            cause, remedy = _misfit(name, text, question)
        if cause:
            problems.append(Problem(Place("answers", column=name), cause, remedy, code="unfit_answer"))
    if problems:
        raise ProblemsError(problems)
    for name, text in given.items():
        question = by_name.get(name)
        also = question.also if question is not None and question.name == name else ()
        for each in (name, *(one for one in also if one not in given)):
            if text:
                said.answers[each] = text
            else:
                said.answers.pop(each, None)


def _answerable(one: Question) -> Iterator[tuple[str, Question]]:
    """Yield each name by which a question can be answered: of a sheet's columns also what its rows are."""
    yield from ((name, one) for name in (*one.also, one.name))
    if one.about == "columns":
        sheet = Question("sheet", one.subject, one.says, ROWS_ARE)
        yield sheet.name, sheet


def _misfit(name: str, text: str, question: Question | None) -> tuple[str, str]:
    """Return why an answer cannot be, and what to do; empty where it can."""
    about, _, subject = name.partition("|")
    options = [value for value, _ in question.options] if question else []
    if text in options:
        return "", ""
    if about == "columns":
        return _misfit_map(text)
    if about == "word":
        of = About(subject.partition("|")[0])
        near = listed(suggested(of, text))
        return ("", "") if listed_name(of, text) else (f"No list has {text[:80]!r}.", f"Nearest: {near}.")
    if about == "new_entry":
        try:
            new = _new_entry("", text)
        except CellError as wrong:
            return f"{wrong.cause}.", wrong.remedy
        if new.wrong:
            return f"The {new.wrong} of the crop is not said.", "Say CROP, ENDING, DAY: corn, harvested, 2025-10-02."
        return "", ""
    return ("", "") if not options else (f"{text[:80]!r} is no answer to that.", f"Say one of: {listed(options, 20)}.")


def _misfit_map(text: str) -> tuple[str, str]:
    try:
        said = ColumnMap.from_text(text)
        fields = target(said.target).fields
    except (ValueError, TypeError, KeyError):
        return "This is no map of columns.", "Send back the one that was asked about, with what is wrong corrected."
    taken = [rule.field for rule in said.columns]
    unknown = [name for name in taken if name not in fields]
    doubled = [name for name in taken if taken.count(name) > 1]
    if unknown:
        return f"No column can be {unknown[0][:60]!r}.", f"It can be one of: {', '.join(fields)}."
    if doubled:
        return f"Two columns cannot both be {target(said.target).called(doubled[0])}.", "Choose one."
    return ("", "") if taken else ("No column is chosen.", "Choose at least one column.")


def chosen_map(question: Question, meant: Mapping[str, tuple[str, str]], order: str, decimal: str) -> str:
    """Return the answer to a question about columns.

    Args:
        question: which.
        meant: field and unit by heading; a heading that is not there is left out.
        order: which of two numbers of a day is the month; empty where every day tells.
        decimal: the sign before a fraction.
    """
    said = [(one.heading, *meant.get(one.heading, ("", ""))) for one in question.columns]
    rules = tuple(ColumnRule(heading, name, canonical(unit)) for heading, name, unit in said if name)
    used = {rule.heading for rule in rules}
    ignored = tuple(one.heading for one in question.columns if one.heading not in used)
    known = ColumnMap.from_text(question.guess)
    return replace(known, columns=rules, ignored=ignored, date_order=order, decimal=decimal).to_text()


def _new_entry(unit: str, text: str) -> NewEntry:
    """Read ``corn, not_yet`` or ``corn, harvested, 2025-10-02``.

    Raises:
        CellError: the day is none.
    """
    crop, ending, day = [*(part.strip() for part in text.split(",")), "", "", ""][:3]
    entry = NewEntry(unit, crop, ending or NOT_YET, day)
    return entry if entry.wrong else entry.read("mdy")


# What an import says, at most once a cause: causes first, then what follows from them, repeats counted.

_COUNTED: Final = ("unreadable_", "blank_required", "out_of_bounds", "error_cell", "another_row")
"""How codes begin of which each row has a cause of its own, though a column has one reason for all of them."""
_NO_UNIT: Final = "no_unit"
_UNREAD: Final = frozenset({"unknown_column", "double_column"})
_FOLLOWS: Final = frozenset({"blank_required", "missing_column"})
"""What is said of cells that may stand in a column that was not recognised."""


def causes_first(problems: Iterable[Problem]) -> list[Problem]:
    """Return one problem for each cause: errors before doubts and notes, tables before their rows."""
    groups: dict[tuple[object, ...], list[Problem]] = {}
    for one in problems:
        alike = (one.place.column, one.cite) if one.code.startswith(_COUNTED) else (one.cause, one.remedy)
        alike = alike if one.code != _NO_UNIT else ("", "")
        groups.setdefault((one.place.file, one.place.sheet, one.code, one.weight, alike), []).append(one)
    unread: dict[tuple[str, str], list[str]] = {}
    for found in groups.values():
        if found[0].code in _UNREAD:
            unread.setdefault((found[0].place.file, found[0].place.sheet), []).append(found[0].place.column)
    said = [_counted(found, unread.get((found[0].place.file, found[0].place.sheet), [])) for found in groups.values()]
    weights = list(Weight)
    return sorted(said, key=lambda one: (weights.index(one.weight), one.place.row > 0, one.code in _FOLLOWS))


def _counted(found: list[Problem], unread: list[str]) -> Problem:
    """Return what is said of several rows as one sentence, with the columns that it may come from."""
    one = found[0]
    if one.code == _NO_UNIT and len(found) > 1:
        read = listed(
            (f"{each.place.column!r} in {each.cause.rpartition(' as ')[2].rstrip('.')}" for each in found), 20
        )
        cause = f"the file states no unit for {len(found)} columns; they were read: {read}."
        return replace(one, cause=cause, place=replace(one.place, row=0, column=""))
    rows = sorted({each.place.row for each in found if each.place.row})
    why = f", since the column {listed(map(repr, unread))} was not recognized" if unread else ""
    if one.code == "blank_required" and (len(rows) > 1 or why):
        name = next((kind.fields[one.place.column].label for kind in KINDS.values() if one.place.column in kind.fields),
                    one.place.column)  # fmt: skip
        count = f"in {len(rows)} rows" if len(rows) > 1 else f"in row {rows[0]}"
        return replace(one, cause=f"{name} is blank {count}{why}.")
    if len(rows) < 2:  # noqa: PLR2004 - one row is said as it is
        return one
    return replace(one, cause=f"{one.cause} So it is in {len(rows)} rows: {listed(rows, 12)}.")
