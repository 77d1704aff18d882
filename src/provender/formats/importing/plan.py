"""What an import would do: every file recognised and read, every row given its fate; and writing that into a folder."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from provender.catalog.tables import lookup_name
from provender.catalog.words import remembered_words
from provender.days import order_of_country
from provender.formats.columns import own_key
from provender.formats.importing import incoming_files, match, references
from provender.formats.importing.crop_entries import EntryAsked, rows_to_add
from provender.formats.importing.import_book import ImportBook, RowChange, RowResult
from provender.formats.importing.loads import join_shares
from provender.formats.importing.tables import read_files, sniff_files, with_crops_known
from provender.formats.parsed import ColumnMap, doubt, note
from provender.formats.units import identifiers
from provender.problem import Place, Problem, Weight, refuse
from provender.records.book import RecordBook, another_row, asks
from provender.records.folder import (
    EVIDENCE,
    SOURCES,
    UNKNOWN,
    RejectedRow,
    rejected_in,
    rejected_name,
    write_csv,
    write_rejected,
)
from provender.records.kind import KINDS, Kind
from provender.records.reading import TextTable, column_names, read_csv_table, read_table
from provender.whole_file import write_whole

if TYPE_CHECKING:
    from provender.formats.boundaries import Boundaries


_TABLES, _OUTLINES, _POINTS = range(3)
"""The turns of files: boundaries meet the units of tables, photographs and logs both."""
_TURNS: Final = {"boundaries": _OUTLINES, "photo": _POINTS, "yield_log": _POINTS}
"""When a reader has its turn; all others come first."""
_OF_UNIT: Final = "unit"
_ALIKE: Final = 2
"""A mended row at the place of the rejected one has more than one of so many cells in common with it."""


@dataclass(slots=True)
class Count:
    """How many rows of one table went which way; ``rows`` is always the sum of the others."""

    file: str  # in which the table stands
    sheet: str  # likewise; empty where a file has no sheets
    kind: str  # its kind of record, or ``unknown``
    rows: int  # rows below the heading
    added: int = 0  # new records
    completed: int = 0  # records of the book that gained cells
    replaced: int = 0  # records of the book that changed, since a person asked for it
    same: int = 0  # the book, or a row above, says so already
    waiting: int = 0  # rows that need a person's confirmation
    rejected: int = 0  # rows that stay out


@dataclass(frozen=True, slots=True)
class RecordSource:
    """Which row of which file a record came from."""

    kind: str
    key: str  # what the record is called
    place: Place
    sha256: str  # of the file
    imported_on: str  # ISO


@dataclass(slots=True)
class ImportPlan:
    """Everything an import would write."""

    book: ImportBook  # as it would stand
    files: dict[str, bytes] = field(default_factory=dict)  # boundaries for the book, by their path in it
    kept: dict[str, Path] = field(default_factory=dict)  # files to be kept as evidence, by their path in the book
    counts: list[Count] = field(default_factory=list)  # one for each table
    maps: list[ColumnMap] = field(default_factory=list)  # column maps that were suggested or used
    problems: list[Problem] = field(default_factory=list)  # all of them
    # rows read off papers that wait, each with what was read
    to_confirm: list[tuple[Place, str]] = field(default_factory=list)
    asked: list[EntryAsked] = field(default_factory=list)  # rows that stay out, since nobody can tell their crop entry
    sources: list[RecordSource] = field(default_factory=list)  # of every record that is new or changed
    names: frozenset[str] = frozenset()  # of the files
    sheets: list[incoming_files.SheetRead] = field(default_factory=list)  # of all files
    proven: list[references.ProvenWord] = field(default_factory=list)  # names whose meaning other rows prove
    settled: list[RejectedRow] = field(default_factory=list)  # rejected rows of the book that stay out no longer

    @property
    def changes(self) -> list[RowChange]:
        return self.book.changes()


@dataclass(slots=True)
class _Turn:
    """Files that are taken in together."""

    plan: ImportPlan
    choices: incoming_files.Choices
    book: RecordBook | None  # as it stands before them
    farms: tuple[str, ...] = ()


def plan_import(paths: Sequence[Path], book: ImportBook, choices: incoming_files.Choices) -> ImportPlan:
    """Work out what importing files into a book would do; the book in memory is changed, its folder is not.

    Rejected rows of the book that a person corrected or dropped are taken in first; without files, all of them.
    """
    plan, before = ImportPlan(book), list(book.rejected)
    whole = not (paths or choices.corrected or choices.dropped)
    # What is said of a place in these files is said of no row that an earlier file of that name left.
    names = {path.name for path in paths}
    said = [row for row in before if row.place.file not in names]
    named = choices.corrected.keys() | choices.dropped
    retried = [row for row in said if row.kind and row.cells and (whole or str(row.place) in named)]
    book.rejected = [
        row for row in before if row not in retried and (row not in said or str(row.place) not in choices.dropped)
    ]
    if retried:
        _take_turn(plan, _as_arrivals(retried, choices), choices)
    choices = replace(choices, units={**_remembered_units(book), **choices.units})
    sniffed = sniff_files(paths, choices)
    plan.names = frozenset(one.source.name for one in sniffed)
    choices = replace(choices, expected_units=frozenset(_outlined(sniffed, choices)))
    for turn in (_TABLES, _OUTLINES, _POINTS):
        files = [one for one in sniffed if _TURNS.get(one.reader, _TABLES) == turn]
        if files:
            choices = _read_and_take(plan, files, choices)
    stay = set(book.rejected)
    plan.settled = [row for row in before if row not in stay]
    return plan


def _remembered_units(book: ImportBook) -> dict[str, str]:
    """Return what names in files of this farm mean, as somebody said once."""
    records = book.records()
    rows = records["word"] if records is not None else ()
    return {str(row["typed"]): str(row["means"]) for row in rows if row["about"] == _OF_UNIT}


def _read_and_take(
    plan: ImportPlan, files: Sequence[incoming_files.Arrival], choices: incoming_files.Choices
) -> incoming_files.Choices:
    """Take files in; return the choices for the files behind them, which know the boundaries of these."""
    book = plan.book.records()
    if book is not None:
        order = choices.otherwise or order_of_country(_country(book, ()))
        choices = replace(choices, otherwise=order, zones=references.zones_of_book(book))
    arrivals = read_files(files, choices, book)
    with_crops_known(arrivals, choices, book)
    _take_turn(plan, arrivals, choices)
    outlines = {unit: text for one in arrivals for unit, text in one.outlines.items()}
    return replace(choices, outlines={**choices.outlines, **outlines})


def _take_turn(plan: ImportPlan, arrivals: Sequence[incoming_files.Arrival], choices: incoming_files.Choices) -> None:
    """Bring files that were read into the plan."""
    into = plan.book
    turn = _Turn(plan, choices, into.records())
    farms = turn.book.farm_ids if turn.book is not None and turn.book.farm_ids else _farms_brought(arrivals)
    if not farms and into.new_farm[0]:
        farms = (into.new_farm[0],)
        row = dict.fromkeys(KINDS["farm"].typed_fields) | dict(zip(("farm_id", "name"), into.new_farm, strict=True))
        into.farm_id = farms[0]
        into.table("farm").put(row, Place(""))
        into.touch()
        turn.book = into.records()
    turn.farms = farms[:1] if choices.one_farm else farms
    into.farm_id = into.farm_id or (turn.farms[0] if turn.farms else "")
    references.with_farms(arrivals, turn.farms, turn.book)
    turn.choices = replace(choices, otherwise=choices.otherwise or order_of_country(_country(turn.book, arrivals)))
    if not into.farm_id:
        plan.problems.append(references.no_farm(arrivals, into.folder))
        plan.problems += [problem for one in arrivals for problem in one.problems]
        plan.counts += [_count(table) for one in arrivals for table in one.tables]
        return
    found = [table for one in arrivals for table in one.tables]
    for table in found:
        _sift(turn, table)
    _settle(turn, found)
    taken = [table for one in arrivals if _take(turn, one) for table in one.tables]
    _link_evidence(turn)
    used = (one for each in arrivals for one in each.maps)
    plan.maps = list({one.fingerprint + one.target: one for one in (*plan.maps, *used)}.values())
    _drop_superseded(plan, taken)
    into.touch()


def _link_evidence(turn: _Turn) -> None:
    """Let rows name what the book has for them: photographs, papers of tests, tests of budgets."""
    book, accept = turn.plan.book, turn.choices.accept
    links = list(match.links_found({kind: [row for _, row in book.table(kind).records()] for kind in match.READ}))
    turn.plan.problems += match.links_told(links, accept=accept)
    for link in links:
        if accept or not link.is_judgement:
            book.table(link.kind).put({**link.row, **link.values}, Place(""))


def _settle(turn: _Turn, found: Sequence[incoming_files.IncomingTable]) -> None:
    """Settle what rows name: records, words of the lists, and which records of the book they are already."""
    plan, choices, into, renamed = turn.plan, turn.choices, turn.plan.book, match.Renamed()
    crops, others = ([one for one in found if (one.kind is KINDS["harvest"]) is of_crops] for of_crops in (True, False))
    known = references.known_records(turn.book, others, {"unit": choices.unit_said})
    known.year, known.said = choices.harvest_year, choices.entries_said
    known.add("unit", ({"farm_id": into.farm_id, "unit_id": unit} for unit in choices.expected_units))
    # Crops are recognised first: other rows name them by field, crop and year. What waits is no part of the book yet.
    for each in crops:
        references.settle_references(each, known)
    match.recognise_rows([one for one in crops if not one.waits], into, choices, renamed, known.entries)
    for each in crops:
        known.add("harvest", match.crops_named(each, known.names.get(("harvest", into.farm_id), ())))
    known.add("planting", (row for one in others if one.kind is KINDS["planting"] for row in one.read))
    match.rename_references(others, renamed)
    said, units = choices.new_entries, partial(known.meant, "unit")
    for new in rows_to_add(said, turn.farms, known.entries, units) if said else ():
        if isinstance(new, Problem):
            plan.problems.append(new)
        else:
            into.table("harvest").put(new, Place(""))
            known.add("harvest", [new])
    for each in others:
        references.settle_references(each, known)
        plan.asked += each.asked
    _settle_words(turn, found)
    match.recognise_rows([one for one in others if not one.waits], into, choices, renamed, known.entries)
    match.leave_out_parts(others)


def _as_arrivals(rows: Sequence[RejectedRow], choices: incoming_files.Choices) -> list[incoming_files.Arrival]:
    """Return rejected rows of a book as the files that they came from, a table for those of equal columns."""
    arrivals: dict[str, incoming_files.Arrival] = {}
    for row in (one for one in rows if one.cells):
        source = incoming_files.Source(row.place.file, "", row.sha256)
        arrival = arrivals.setdefault(f"{source}", incoming_files.Arrival(source, choices, keep=False))
        heading, cells = zip(*row.cells, strict=True)
        still = tuple(_still_true(row, choices.corrected.get(str(row.place), {})))
        same = next(
            (one for one in arrival.tables
             if (one.kind, one.table.sheet, one.table.heading) == (KINDS[row.kind], row.place.sheet, heading)), None,
        )  # fmt: skip
        if same is None:
            table = TextTable(row.place.file, row.place.sheet, heading, ())
            same = incoming_files.IncomingTable(KINDS[row.kind], table, source)
            arrival.tables.append(same)
        same.set_rows((*same.table.rows, (row.place.row, cells)))
        same.problems += still
    return list(arrivals.values())


def _still_true(row: RejectedRow, typed: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the reasons of a rejected row that its cells do not show: read anew, they would let it in.

    Whether the work was done stood in a column that no record has, so only its file can say it. A number whose unit
    did not fit left its cell blank until somebody types it. A row of too few cells, or of numbers that contradict each
    other, stays out until a person has corrected something of it.
    """
    now = {**_by_column(KINDS[row.kind], row.cells), **typed}
    for one in row.problems:
        match one.code:
            case "unknown_state":
                settled = False
            case "unit_does_not_fit":
                settled = bool(now.get(one.place.column, "").strip())
            case "unit_conflict" | "ragged_row":
                settled = bool(typed)
            case _:
                settled = True  # reading the cells tells it again, where it is so
        if not settled:
            yield replace(one, place=replace(row.place, column=one.place.column))


def _outlined(sniffed: Iterable[incoming_files.Arrival], choices: incoming_files.Choices) -> Iterable[str]:
    """Yield the units that boundaries handed in beside the tables will bring."""
    for one in sniffed:
        if one.reader == "boundaries":
            found = cast("Boundaries | None", one.parse("boundaries", limit_pct=choices.boundary_limit_pct).result)
            for label, own in identifiers(area.label for area in found.fields).items() if found else ():
                yield choices.unit_for(label) or own


def _farms_brought(arrivals: Iterable[incoming_files.Arrival]) -> tuple[str, ...]:
    """Return the farms that files bring to a new book, the first one first."""
    named: list[str] = []
    for table in incoming_files.tables_of(arrivals, "farm"):
        named += [row.farm_id for row in read_table(KINDS["farm"], table.table, farm_id="").rows if row.farm_id]
    return tuple(dict.fromkeys(named))


def _country(book: RecordBook | None, arrivals: Iterable[incoming_files.Arrival]) -> str:
    """Return the country of the farm, which says how its days are written; empty where nobody said."""
    return next((text for _, text in incoming_files.texts_of(arrivals, book, "farm", "country") if text), "")


def _take(turn: _Turn, one: incoming_files.Arrival) -> bool:
    """Bring one file's tables into the plan; return whether nothing of it waits."""
    plan = turn.plan
    plan.problems += one.problems
    plan.sheets += one.sheets
    if one.source.sha256:  # of the very same file, this reading says how its rows stand now
        plan.book.rejected = [row for row in plan.book.rejected if row.sha256 != one.source.sha256]
    if one.lost is not None:
        why = tuple(one.problems) or (Problem(Place(one.source.name), "The file cannot be read.", "Export it again."),)
        plan.book.rejected.append(RejectedRow(one.lost.name, Place(one.source.name), (), why, one.source.sha256))
    guesses = _guesses_days(turn, one)
    waits = guesses or any(table.waits for table in one.tables)
    taken = [_take_side_files(turn, one)] if one.files and not waits else []
    for each in one.tables:
        if guesses or each.waits or any(taken) or not each.paper_of_rows:
            taken.append(_take_table(turn, each, waits=guesses or each.waits))
    if one.keep and any(taken) and one.path is not None:
        plan.kept[f"{EVIDENCE}/{one.source.stored}"] = one.path
    return not waits


def _count(incoming: incoming_files.IncomingTable) -> Count:
    kind = incoming.kind.name if incoming.kind else UNKNOWN
    return Count(incoming.source.name, incoming.table.sheet, kind, len(incoming.table.rows))


def _settle_words(turn: _Turn, sifted: Sequence[incoming_files.IncomingTable]) -> None:
    """Take names for those of the lists; what a person said of one is remembered, and holds for rows of the book."""
    said, into = turn.choices.words, turn.plan.book
    remembered = remembered_words(words) if turn.book is not None and (words := turn.book["word"]) else {}
    used, named_now = set(), Counter[str]()
    proven = {
        key: one for one in references.proven_words(sifted, turn.book)
        if (key := (str(one.about), lookup_name(one.text))) not in {**remembered, **said}
    }  # fmt: skip
    turn.plan.proven += proven.values()
    known = {**{key: one.name for key, one in proven.items()}, **remembered, **said}
    for each in sifted:
        used |= references.settle_words(each, known, {key: one.why for key, one in proven.items()}, turn.plan.problems)
    meant = {key: said[key] for key in sorted(used & said.keys())}
    fields = {str(row["unit_id"]) for _, row in into.table("unit").records()}
    names = ((name, unit) for name, unit in turn.choices.units.items() if name and name not in turn.plan.names)
    meant |= {(_OF_UNIT, name): unit for name, unit in names if unit in fields and name != unit}
    for (about, typed), means in meant.items():
        texts = {"farm_id": into.farm_id, "about": about, "typed": typed, "means": means}
        into.table("word").put(dict.fromkeys(KINDS["word"].typed_fields) | texts, Place(""), replace=True)
    for kind, columns in references.COLUMNS.items() if said else ():
        table = into.table(kind)
        for _, old in list(table.records()):
            row = dict(old)
            for column, about in columns.items():
                text, before = str(old[column] or ""), row.get("as_typed")
                if new := said.get((str(about), lookup_name(text))):
                    row |= {column: new, "as_typed": f"{before}; {text}" if before else text}
            if row != old:
                table.put(row, Place(""), replace=True)
                named_now[kind] += 1
    for kind, count in named_now.items():
        rows = "1 row" if count == 1 else f"{count} rows"
        cause = f"{rows} of {KINDS[kind].label.lower()} in the book had such a name and say what it means now."
        turn.plan.problems.append(note(Place(f"{kind}.csv"), cause, "Nothing to do.", "word_in_book"))


def _sift(turn: _Turn, incoming: incoming_files.IncomingTable) -> None:
    said, farm_id = turn.choices, turn.plan.book.farm_id
    incoming_files.key_unnamed(incoming)
    _correct(incoming, said)
    if incoming.kind is KINDS["scale_ticket"]:
        join_shares(incoming, accept=said.accept)
    incoming_files.split_valid(incoming, farm_id=farm_id, farms=turn.farms, otherwise=said.otherwise, zones=said.zones)


def _correct(incoming: incoming_files.IncomingTable, choices: incoming_files.Choices) -> None:
    """Take out the rows that a person dropped, and put in the cells that a person corrected."""
    kind = incoming.kind
    if kind is None or not (choices.corrected or choices.dropped):
        return

    def typed(number: int, _: object) -> dict[str, str]:
        cells = choices.corrected.get(incoming.place_text(number), {})
        return {name: text for name, text in cells.items() if name in kind.typed_fields}

    incoming.set_rows(row for row in incoming.table.rows if incoming.place_text(row[0]) not in choices.dropped)
    incoming.set_cells(typed, fill_up=True)


def _take_table(turn: _Turn, sifted: incoming_files.IncomingTable, *, waits: bool) -> bool:
    """Give every row of one table its fate; return whether anything of it goes in."""
    plan, choices = turn.plan, turn.choices
    count = _count(sifted)
    plan.counts.append(count)
    if waits:
        if any(problem.code == incoming_files.PAPER_READ for problem in sifted.problems):
            plan.to_confirm += _read_off(sifted)
        count.waiting = count.rows
        plan.problems += sifted.problems
        return False
    if sifted.kind is not None:
        table = plan.book.table(sifted.kind.name)
        match.leave_out_differing(sifted, table, overrule=choices.replace)
    for row in sifted.rows:
        _take_row(turn, sifted, row, count)
    count.same += len(sifted.repeats)
    count.rejected = sum(1 for number, _ in sifted.table.rows if number in sifted.rejected)
    plan.problems += sifted.problems
    there = set(plan.book.rejected)
    plan.book.rejected += [row for row in sifted.rejected_rows() if row not in there]
    return bool(count.added or count.completed or count.replaced or count.rejected)


def _read_off(sifted: incoming_files.IncomingTable) -> Iterable[tuple[Place, str]]:
    """Yield each row of a paper with everything that was read off it."""
    table, made = sifted.table, sifted.made_keys
    own = own_key(sifted.kind) if sifted.kind else ""
    for number, cells in table.rows:
        read = [(name, cell) for name, cell in zip(table.heading, cells, strict=False) if cell.strip()]
        said = "; ".join(f"{name} {cell}" for name, cell in read if name != own or number not in made)
        yield sifted.place(number), said


def _guesses_days(turn: _Turn, one: incoming_files.Arrival) -> bool:
    """Tell whether a file waits, since only the farm's country says how its days are read; ask it once."""
    guessing = [each for each in one.tables if any(problem.code == "day_order" for problem in each.problems)]
    for each in guessing[1:]:
        each.problems = [problem for problem in each.problems if problem.code != "day_order"]
    if not guessing or turn.choices.accept:
        return False
    cause = "the days of this file can be read two ways; its rows wait until you say which."
    remedy = "Run the same command with --accept, or with --dates dmy where the day comes first."
    turn.plan.problems.append(doubt(Place(one.source.name), cause, remedy, "waits"))
    return True


def _take_row(turn: _Turn, sifted: incoming_files.IncomingTable, row: dict[str, object], count: Count) -> None:
    kind, plan = sifted.kind, turn.plan
    if kind is None:
        return
    table, number = plan.book.table(kind.name), incoming_files.number_of(row)
    place = sifted.place(number)
    key = match.called(kind.key_columns, row)
    if number in sifted.chosen and table.record(table.key_of(row)) is None:
        row["note"] = " ".join(filter(None, (str(row["note"] or ""), sifted.chosen[number])))
    told = another_row(kind, row, table.near(row)) if asks(kind) else None
    over = turn.choices.replace or number in sifted.overrules
    fate, columns = table.put(row, place, replace=over)
    if fate is RowResult.DIFFERS:
        raise AssertionError(place, key)  # who differs is asked about, and stays out, before this
    setattr(count, fate, getattr(count, fate) + 1)
    if fate is RowResult.SAME:
        return
    if fate is not RowResult.ADDED:
        cause = f"{key} stood in the book; {fate} in {', '.join(columns)}."
        sifted.problems.append(note(place, cause, "Nothing to do.", f"row_{fate}"))
    elif told:
        sifted.problems.append(replace(told, place=place))
    day = turn.choices.as_of.isoformat()
    plan.sources.append(RecordSource(kind.name, key, place, sifted.source.sha256, day))


def _take_side_files(turn: _Turn, one: incoming_files.Arrival) -> bool:
    """Put a file's boundaries beside the records; one that is there and differs stays, unless it is to be replaced."""
    new = False
    for path, content in one.files.items():
        there = turn.plan.book.folder / path
        old = turn.plan.files.get(path) or (there.read_bytes() if there.is_file() else None)
        if old == content:
            continue
        if old is not None and not turn.choices.replace:
            cause = f"{path} is in the book already and is another boundary; it stays."
            remedy = "Import with --replace to take the new one."
            turn.plan.problems.append(Problem(Place(one.source.name), cause, remedy, code="other_boundary"))
            continue
        turn.plan.files[path] = content
        new = True
    return new


def _drop_superseded(plan: ImportPlan, found: Sequence[incoming_files.IncomingTable]) -> None:
    """Let go of rejected rows that these files bring again, sound, the same or rejected anew, and keep the others."""
    new = {(one.kind, replace(one.place, column="")) for one in plan.sources}
    again = {row for one in found for row in one.rejected_rows()}
    brought: dict[str, list[_Brought]] = {}
    for one in found:
        kind, table = one.kind, one.table
        if kind is not None:
            for number, cells in table.rows:
                place = replace(one.place(number), column="")
                fresh = (kind.name, place) in new or number in one.rejected or number in one.repeats
                words = _by_column(kind, zip(table.heading, cells, strict=False))
                brought.setdefault(kind.name, []).append(_Brought(place, words, fresh=fresh))
    for supersedes in (_is_row, _is_mended):  # a row is one rejected row at most
        for old in [row for row in plan.book.rejected if row not in again and row.cells and row.kind]:
            rows = brought.get(old.kind, [])
            mended = next((row for row in rows if supersedes(row, old)), None)
            if mended is not None:
                rows.remove(mended)
                plan.book.rejected.remove(old)


@dataclass(slots=True)
class _Brought:
    """A row of these files."""

    place: Place
    cells: dict[str, str]  # those that are not blank, by column
    fresh: bool  # it is no row that the book has, and says so already


def _by_column(kind: Kind, cells: Iterable[tuple[str, str]]) -> dict[str, str]:
    known = column_names(kind)
    said = ((name, text.strip().casefold()) for name, text in cells)
    made = incoming_files.MADE_KEY.fullmatch
    return {known.get(name.casefold(), name): text for name, text in said if text and not made(text)}


def _is_row(new: _Brought, old: RejectedRow) -> bool:
    before = _by_column(KINDS[old.kind], old.cells)
    return new.fresh and all(new.cells.get(name) == text for name, text in before.items())


def _is_mended(new: _Brought, old: RejectedRow) -> bool:
    """Tell whether a row is a rejected one, mended: it says the same but for the columns that were wrong.

    A row at the place of the rejected one is it, too, where most of its cells are the same, and of those that tell
    what it is about all but the wrong ones. One that the book has already settles only what differed there.
    """
    kind = KINDS[old.kind]
    before, own = _by_column(kind, old.cells), own_key(kind)
    wrong = {problem.place.column for problem in old.problems}
    same = {name for name, text in before.items() if new.cells.get(name) == text}
    other = {own, *match.SAME_RECORD.get(kind.name, ())[:2]} & before.keys() - same
    sound = before.keys() - wrong
    if not (new.fresh or (new.place == old.place and all(one.code == match.DIFFERS for one in old.problems))):
        return False
    if own in same and new.fresh:
        return True
    if new.place == old.place:
        return not other - wrong and _ALIKE * len(same) > len(before)
    # Where the field or the day was wrong, little is left to know a row by.
    known = len(sound) > (2 if other else 1) and (not other or new.place.row == old.place.row)
    return known and sound <= same


def waits_or_fails(plan: ImportPlan, *, accepted: bool = False) -> bool:
    """Tell whether somebody has something to look at; what a person accepted, they have looked at."""
    settled = (Weight.NOTE, Weight.CONFIRM) if accepted else (Weight.NOTE,)
    return any(problem.weight not in settled for problem in plan.problems)


# Writing what an import worked out into a folder: each file whole, evidence before the records that name it.
#
# On a server the book itself is written by ``services.imports.job``.

_SOURCE_COLUMNS: Final = ("kind", "key", "file", "sheet", "row", "sha256", "imported_on")


def book_files(plan: ImportPlan) -> dict[str, bytes | None]:
    """Return every file of the book's folder that a plan changes, by its path there; None for one that goes."""
    book = plan.book
    files: dict[str, bytes | None] = dict(plan.files)
    files |= {f"{name}.csv": book.tables[name].text().encode() for name in KINDS if book.table(name).changed}
    before = {rejected_name(row.kind) for row in rejected_in(book.folder)}
    now = {name: text.encode() for name, text in write_rejected(book.rejected).items()}
    files |= {**dict.fromkeys(before - now.keys()), **now}
    if plan.sources:
        files[SOURCES] = _sources(book.folder, plan.sources)
    return {
        name: content
        for name, content in files.items()
        if content != ((book.folder / name).read_bytes() if (book.folder / name).is_file() else None)
    }


def _sources(folder: Path, new: Iterable[RecordSource]) -> bytes:
    """Return the book's list of sources with the new rows at its end."""
    path = folder / SOURCES
    table = read_csv_table(path, SOURCES) if path.is_file() else TextTable(SOURCES, "", _SOURCE_COLUMNS, ())
    rows = (
        [one.kind, one.key, one.place.file, one.place.sheet, str(one.place.row), one.sha256, one.imported_on]
        for one in new
    )
    return write_csv([list(_SOURCE_COLUMNS), *(cells for _, cells in table.rows), *rows]).encode()


def write_plan(plan: ImportPlan, more: dict[str, bytes] | None = None) -> list[str]:
    """Write a plan into the folder of its book, and further files with it; return the paths of what was written.

    Every file is written beside its place and then moved onto it, so that none is ever half there; kept files come
    first, records after them, and what is settled goes last.

    Raises:
        ProblemsError: the folder cannot be written.
    """
    folder, files = plan.book.folder, {**book_files(plan), **(more or {})}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, source in plan.kept.items():
            if not (folder / name).exists():
                write_whole(folder / name, source.read_bytes())
        for name, content in sorted(files.items(), key=lambda pair: pair[1] is None):
            if content is None:
                (folder / name).unlink(missing_ok=True)
            else:
                write_whole(folder / name, content)
    except OSError as trouble:
        cause = f"the book cannot be written ({trouble.strerror})."
        remedy = "Check that you may write there and that the disk is not full; then import again."
        raise refuse(str(folder), cause, remedy) from trouble
    return sorted([*(name for name, content in files.items() if content is not None), *plan.kept])
