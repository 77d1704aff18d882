"""The working process of an import: rows of a book in, rows as they would stand out.

``python -I -m provender.services.imports.worker FOLDER`` reads ``request.json`` there, tells how far it is in
``progress.json`` and answers in ``outcome.json``. It has no database, no settings and no network, and
it limits itself; each foreign file is read in a further child with limits of its own (``formats.child``).
"""

import contextlib
import datetime as dt
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from provender.formats.ahead import Ahead
from provender.formats.child import DEFAULT, Limits
from provender.formats.column_map import ColumnMap
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.prepare import Plan, prepare
from provender.formats.importing.references import ASKED, MISSING
from provender.formats.importing.write import commit
from provender.formats.parsed import Parsed, WorkbookFile, decode, encode
from provender.formats.units import identifiers
from provender.problem import Problem, ProblemsError
from provender.records.folder import MAPS, REJECTED, SOURCES, kind_of_file, load_book, read_rejected, write_csv
from provender.records.kind import KINDS
from provender.records.reading import column_names, read_csv_table
from provender.services.background import Tell, be_the_process
from provender.services.farm.folder import Snapshot, snapshot, write_rows
from provender.services.imports.request import (
    Counted,
    ImportRequest,
    ImportResult,
    Rejected,
    RowChange,
    layouts,
    words_said,
)

if TYPE_CHECKING:
    from provender.formats.boundaries import Boundaries
    from provender.formats.detect import Kind as FileKind

BOOK: Final = "book"
TURNS: Final = {"boundaries": 1, "photo": 2, "yield_log": 2}
"""When a reader has its turn; all others come first."""


def run(request: ImportRequest, folder: Path, tell: Tell) -> ImportResult:
    """Import the files of a request into its book, in ``folder/book`` while it works.

    Args:
        request: what is asked for.
        folder: the working folder.
        tell: called with the file at work, how many are done and how many there are.
    """
    book, said = folder / BOOK, request.said
    before = Snapshot.of(request.rows, request.beside)
    before.lay_out(book)
    stands = _problems_of(book) if (book / "farm.csv").is_file() else frozenset()
    books: dict[str, WorkbookFile] = {}
    choices = Choices(
        as_of=dt.date.fromisoformat(request.as_of),
        maps=(*(ColumnMap.from_text(text) for text in said.maps), *_kept_maps(book)),
        units=said.units,
        accept=True,
        replace=said.replace,
        skip_sheets=frozenset(name.casefold() for name in said.skip),
        boundary_limit_pct=request.boundary_limit_pct,
        date_order=said.dates,
        one_farm=True,
        words=words_said(said.words),
        new_entries=said.entries,
        parse=_Reader(books, len(request.files), tell),
    )
    plans = _prepared([folder / name for name in request.files], book, choices, request)
    kept = {name: request.files.index(str(at.relative_to(folder))) for one in plans for name, at in one.kept.items()}
    again, origins = _corrections(book, request, choices)
    _complete(book, before, request)
    after = snapshot(book)
    sources = _sources(book, origins)
    first = Plan(
        book,
        counts=[count for one in plans for count in one.counts],
        maps=[map_ for one in plans for map_ in one.maps],
        problems=[problem for one in [*plans, *again] for problem in one.problems],
    )
    rejected = tuple(_rejected(book))
    lie = {one.place for one in rejected}
    return ImportResult(
        rows=tuple(_changes(before, after, sources)),
        files=_side_files(before, after, first.maps if said.keep_maps else []),
        sources=sources,
        kept=kept,
        counts=tuple(Counted(one.file, one.sheet, one.kind, one.rows, one.same) for one in first.counts),
        layouts=layouts(first, books, said.kinds),
        rejected=rejected,
        problems=tuple(one for one in first.problems if one.code not in (ASKED, MISSING) or _row_of(one) in lie),
        asked=tuple(one for plan in [*plans, *again] for one in plan.asked if one.place in lie),
        remain=tuple(each for each in _problems_of(book) if each not in stands and each.code != "rejected_rows"),
    )


class _Reader(Ahead):
    """What reads a file in a limited child once, and tells how far the import is.

    What was handed in lies as links to what is stored, which never changes; rejected rows of the book may be corrected
    between two readings.
    """

    def __init__(self, books: dict[str, WorkbookFile], whole: int, tell: Tell) -> None:
        super().__init__()
        self._books, self._whole, self._tell = books, whole, tell
        self._seen: dict[tuple[str, ...], Parsed[object]] = {}
        self._done: set[Path] = set()

    def __call__(
        self, reader: str, path: Path, *, name: str = "", limits: Limits = DEFAULT, **options: object
    ) -> Parsed[object]:
        """Read one file, or give what it gave before."""
        asked = (reader, str(path), name, repr(sorted(options.items())))
        if asked in self._seen:
            return self._seen[asked]
        self._tell(name or path.name, min(len(self._done), self._whole), self._whole)
        found = super().__call__(reader, path, name=name, limits=limits, **options)
        if path.is_symlink():
            self._seen[asked] = found
        if reader == "sniff":
            return found
        self._done.add(path)
        if reader == "spreadsheet" and found.result is not None:
            self._books[name or path.name] = cast("WorkbookFile", found.result)
        return found


def _kept_maps(book: Path) -> Iterator[ColumnMap]:
    for path in sorted((book / MAPS).glob("*.json")):
        with contextlib.suppress(ValueError, TypeError, KeyError):
            yield ColumnMap.from_text(path.read_text("utf-8"))


def _prepared(paths: list[Path], book: Path, choices: Choices, request: ImportRequest) -> list[Plan]:
    """Work the import out and write it into the working folder, in an order in which each file knows those it needs.

    Tables come first, so that boundaries meet the units of a spreadsheet handed in with them; photographs and yield
    logs come last, so that they are held against those boundaries. A book without a farm takes the organisation.
    """
    plans = []
    choices.announce("sniff", [(path, path.name) for path in paths])
    choices = replace(choices, expected_units=frozenset(_outlined(paths, choices)))
    for turn in _turns(paths, choices):
        plan = prepare(turn, book, choices)
        if any(problem.code == "no_farm" for problem in plan.problems):
            farm = KINDS["farm"]
            texts = dict.fromkeys(farm.typed_fields, "") | {"farm_id": request.farm, "name": request.name}
            write_rows(farm, {(request.farm,): texts}, book)
            plan = prepare(turn, book, choices)
        commit(plan)
        plans.append(plan)
    return plans


def _outlined(paths: list[Path], choices: Choices) -> Iterator[str]:
    """Yield the units that boundaries handed in beside the tables will bring."""
    for path in paths:
        kind = cast("FileKind | None", choices.parse("sniff", path, name=path.name).result)
        if kind is None or kind.reader != "boundaries":
            continue
        parsed = choices.parse("boundaries", path, name=path.name, limit_pct=choices.boundary_limit_pct)
        found = cast("Boundaries | None", parsed.result)
        for label, own in identifiers(field.label for field in found.fields).items() if found else ():
            yield choices.unit_for(label) or own


def _turns(paths: list[Path], choices: Choices) -> list[list[Path]]:
    turns: dict[int, list[Path]] = {0: [], 1: [], 2: []}
    for path in paths:
        kind = cast("FileKind | None", choices.parse("sniff", path, name=path.name).result)
        turns[TURNS.get(kind.reader if kind else "", 0)].append(path)
    return [turn for turn in turns.values() if turn]


def _corrections(book: Path, request: ImportRequest, choices: Choices) -> tuple[list[Plan], dict[tuple[str, int], str]]:
    """Correct rejected rows as the person typed them, leave out those that are not to count, import them again.

    Returns the plans, and for each row of a corrected file the place it first came from.
    """
    said = request.said
    plans: list[Plan] = []
    origins: dict[tuple[str, int], str] = {}
    for name in sorted({*said.corrected, *said.dropped, *said.widened}):
        path = book / REJECTED / Path(name).name
        if not path.is_file():
            continue
        _correct(path, said.corrected.get(name, {}), said.dropped.get(name, []), widen=name in said.widened)
        if path.is_file():
            found = read_rejected(path)
            rows = found.table.rows if found.table else ()
            origins |= {(name, row[0]): place for row, (place, _) in zip(rows, found.reasons, strict=False)}
            plan = prepare([path], book, choices)
            commit(plan)
            plans.append(plan)
    return plans, origins


def _correct(path: Path, cells: dict[str, dict[str, str]], dropped: list[int], *, widen: bool) -> None:
    try:
        table = read_csv_table(path, path.name)
    except ProblemsError:
        path.unlink()  # the person was shown that nothing of it can be read, and said that it is not to count
        return
    kind = kind_of_file(path)
    known = column_names(kind) if kind else {}
    has = {known.get(each.casefold()) for each in table.heading}
    more = [name for name in kind.typed_fields if name not in has and name != "farm_id"] if kind and widen else []
    heading, rows = [*table.heading, *more], []
    for number, row in table.rows:
        if number not in dropped:
            typed = cells.get(str(number), {})
            padded = [*row, *[""] * (len(heading) - len(row))]
            rows.append([typed.get(name, cell) for name, cell in zip(heading, padded, strict=False)])
    if rows:
        path.write_text(write_csv([heading, *rows]), encoding="utf-8", newline="")
    else:
        path.unlink()


def _complete(book: Path, before: Snapshot, request: ImportRequest) -> None:
    """Put what the person typed on the page into the rows of this import."""
    said = request.said
    now = snapshot(book)
    for name in {*said.fills, *said.rows} & KINDS.keys():
        kind, rows = KINDS[name], now.rows[name]
        whole = said.rows.get(name, {})
        for key, texts in rows.items():
            if before.rows[name].get(key) == texts:
                continue
            typed = whole.get(json.dumps(key), {})
            fills = {column: text for column, text in said.fills.get(name, {}).items() if not texts[column]}
            rows[key] = {**texts, **fills, **{column: typed[column] for column in typed if column in texts}}
        if rows != before.rows[name]:
            write_rows(kind, rows, book)


def _sources(book: Path, origins: dict[tuple[str, int], str]) -> tuple[tuple[str, ...], ...]:
    """Return which row of which file each record of this import came from; the folder began without such a list.

    A row that was rejected and corrected has its first place in words.
    """
    path = book / SOURCES
    rows = read_csv_table(path, path.name).rows if path.is_file() else ()
    found = []
    for _, (kind, key, file, sheet, row, *rest) in rows:
        first = origins.get((file, int(row)))
        place = (file, sheet, row) if first is None else (first, "", "")
        found.append((kind, key, *place, *rest))
    return tuple(found)


def _changes(before: Snapshot, after: Snapshot, sources: tuple[tuple[str, ...], ...]) -> Iterator[RowChange]:
    """Yield every row that is new or differs, with where it came from."""
    places = {(kind, key): (file, sheet, int(row or 0)) for kind, key, file, sheet, row, *_ in sources}
    for name, rows in after.rows.items():
        kind = KINDS[name]
        for key, texts in rows.items():
            was = before.rows[name].get(key, {})
            if was != texts:
                file, sheet, row = places.get(
                    (
                        name,
                        " ".join(
                            tuple(texts[name] for name in kind.key_columns if name != "farm_id") or (texts["farm_id"],)
                        ),
                    ),
                    ("", "", 0),
                )
                yield RowChange(name, texts, was, file, sheet, row)


def _side_files(before: Snapshot, after: Snapshot, maps: list[ColumnMap]) -> dict[str, str | None]:
    """Return files beside the records that are new or differ, those that go, and the maps to keep."""
    files: dict[str, str | None] = {name: text for name, text in after.files.items() if before.files.get(name) != text}
    files |= dict.fromkeys(before.files.keys() - after.files.keys())
    for each in maps:
        if each.confirmed:
            files[f"{MAPS}/{each.target}-{each.fingerprint}.json"] = each.to_text()
    return {name: text for name, text in files.items() if before.files.get(name, "") != text or text is None}


def _rejected(book: Path) -> Iterator[Rejected]:
    inside = book / REJECTED
    for path in sorted(inside.iterdir()) if inside.is_dir() else ():
        found = read_rejected(path)
        name, kind = f"{REJECTED}/{path.name}", found.kind.name if found.kind else ""
        if found.table is None:
            yield Rejected(name, 0, kind, name, "These rows cannot be read.", ())
            continue
        for (number, cells), (place, why) in zip(found.table.rows, found.reasons, strict=True):
            padded = (*cells, *[""] * (len(found.table.heading) - len(cells)))
            shown = tuple(zip(found.table.heading, padded, strict=False))
            yield Rejected(name, number, kind, place, why, shown)


def _row_of(problem: Problem) -> str:
    """Return the place of the row that a problem is about, as text."""
    return str(replace(problem.place, column=""))


def _problems_of(book: Path) -> frozenset[Problem]:
    try:
        return frozenset(load_book(book).problems)
    except ProblemsError as unusable:
        return frozenset(unusable.problems)


def main(folder: Path) -> None:
    """Be the working process."""
    be_the_process(
        folder, lambda asked, tell: encode(run(cast("ImportRequest", decode(ImportRequest, asked)), folder, tell))
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
