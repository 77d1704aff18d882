"""The working process of an import: rows of a book in, rows as they would stand out.

``python -I -m provender.services.imports.worker FOLDER`` reads ``request.json`` there, tells how far it is in
``progress.json`` and answers in ``outcome.json``. It has no database, no settings and no network, and it limits itself;
each foreign file is read in a further child with limits of its own (``formats.child``), once for all attempts.
"""

import contextlib
import datetime as dt
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast

from provender.formats.child import BatchReader
from provender.formats.importing.import_book import ImportBook, RowChange
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.plan import Count, ImportPlan, RecordSource, plan_import
from provender.formats.importing.questions import Answers, Question, asked_of, causes_first, with_answers
from provender.formats.parsed import ColumnMap, decode, encode
from provender.problem import Place, Problem, Weight
from provender.records.folder import MAPS, REJECTED, RejectedRow, read_rejected
from provender.services.background import Tell, Turn, Work, be_the_process, progress_in
from provender.services.farm.folder import write_files

READ: Final = "read"
"""In the folder of an import: what was read out of its files, kept from one attempt to the next."""

_CPU_SECONDS: Final = 120
_RESIDENT_BYTES: Final = 2 * 2**30
_SMALL_BYTES: Final = 2**16
"""Of all files together."""
_SMALL_SECONDS: Final = 20


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What the working process is asked for."""

    as_of: str  # today, ISO
    farm: str  # the organisation's code, for a book without a farm's record
    name: str  # the organisation's name, likewise
    boundary_limit_pct: int  # see ``Choices``
    files: tuple[str, ...]  # what to import, by path in the working folder
    units: dict[str, str]  # management unit by the name a file has for it, as it was begun
    replace: bool  # the files count where they differ from the book, as it was begun
    said: Answers  # what was answered
    rows: dict[str, list[dict[str, str]]]  # of the book, as texts by column, by kind
    beside: dict[str, str]  # texts of the files that lie beside the records of the book, by path


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Everything that is shown of an import, and what writing it writes."""

    rows: tuple[RowChange, ...]  # that would be written
    files: dict[str, str]  # texts of further files of the book by path, but for those of the rows that stay out
    sources: tuple[RecordSource, ...]  # which row of which file each record came from
    kept: dict[str, int]  # files that the book keeps as evidence: path in the book and index into the request's files
    counts: tuple[Count, ...]  # the tables
    questions: tuple[Question, ...]  # what is asked
    rejected: tuple[RejectedRow, ...]  # rows that stay out
    problems: tuple[Problem, ...]  # what was said, causes first
    remain: tuple[Problem, ...]  # problems of the book as it would stand that it does not have now

    @property
    def must_look(self) -> bool:
        """Tell whether something is doubtful, so that the person has to say that they looked at it."""
        return any(one.weight is Weight.CONFIRM for one in [*self.problems, *self.remain])


def run(request: ImportRequest, folder: Path, tell: Tell) -> ImportResult:
    """Plan the import of the files of a request into its book."""
    beside = {path: text for path, text in request.beside.items() if not path.startswith(f"{REJECTED}/")}
    write_files(beside, folder)
    rejected = read_rejected({path: text for path, text in request.beside.items() if path not in beside})
    farm_id = next((row["farm_id"] for row in request.rows.get("farm", ())), "")
    book = ImportBook.of_rows(folder, farm_id, request.rows, rejected)
    book.new_farm = ("", "") if farm_id else (request.farm, request.name)
    stands = _problems_of(book)
    paths = [folder / name for name in request.files]
    done: set[str] = set()

    def reading(reader: str, name: str, _together: int) -> None:
        tell(name, min(len(done), len(paths)), len(paths))
        if reader != "sniff":
            done.add(name)

    kept_maps = {path: text for path, text in beside.items() if path.startswith(f"{MAPS}/")}
    choices = Choices(
        as_of=dt.date.fromisoformat(request.as_of), maps=tuple(_maps(kept_maps)), units=request.units, accept=True,
        replace=request.replace, boundary_limit_pct=request.boundary_limit_pct, one_farm=True,
        parse=BatchReader(folder.parent / READ, reading),
    )  # fmt: skip
    choices = with_answers(choices, request.said)
    plan = plan_import(paths, book, choices)
    rows = tuple(_filled(plan, request.said))
    return ImportResult(
        rows=rows,
        files=_files(plan, request),
        sources=tuple(plan.sources),
        kept={name: paths.index(path) for name, path in plan.kept.items()},
        counts=tuple(plan.counts),
        questions=tuple(asked_of(plan, choices)),
        rejected=tuple(book.rejected),
        problems=tuple(causes_first(plan.problems)),
        remain=tuple(one for one in _problems_of(book) if one not in stands and one.code != "rejected_rows"),
    )


def _maps(kept: dict[str, str]) -> Iterator[ColumnMap]:
    for text in kept.values():
        with contextlib.suppress(ValueError, TypeError, KeyError):
            yield ColumnMap.from_text(text)


def _problems_of(book: ImportBook) -> tuple[Problem, ...]:
    found = book.records()
    return () if found is None else found.problems


def _filled(plan: ImportPlan, said: Answers) -> Iterator[RowChange]:
    """Yield the rows that would be written, with what the person typed once for a column where it is blank."""
    for change in plan.changes:
        blank = {name: text for name, text in said.fills.get(change.kind, {}).items() if not change.texts[name]}
        yield replace(change, texts={**change.texts, **blank})


def _files(plan: ImportPlan, request: ImportRequest) -> dict[str, str]:
    """Return the files beside the records that are new or differ."""
    files = {name: content.decode() for name, content in plan.files.items()}
    for each in plan.maps:
        if each.confirmed:
            files[f"{MAPS}/{each.target}-{each.fingerprint}.json"] = each.to_text()
    return {name: text for name, text in files.items() if request.beside.get(name) != text}


def main(folder: Path) -> None:
    def work_of(asked: object) -> Work:
        request = cast("ImportRequest", decode(ImportRequest, asked))
        soon = is_small([folder / name for name in request.files])
        turn = Turn(request.farm, soon, _SMALL_SECONDS if soon else _CPU_SECONDS, _RESIDENT_BYTES)
        return Work(turn, lambda tell: encode(run(request, folder, tell)), lambda why: encode(_spent(folder, why)))

    be_the_process(folder, work_of)


def is_small(files: Iterable[Path]) -> bool:
    """Tell whether files are read in a second or two, and may have the place that is kept for such."""
    return sum(each.stat().st_size for each in files) <= _SMALL_BYTES


def _spent(folder: Path, why: str) -> ImportResult:
    """Return what is shown of a reading that took more than it may."""
    cause, remedy = f"reading it, or what came before it, took more than {why}.", "Hand in fewer and smaller files."
    problem = Problem(Place(progress_in(folder).step), cause, remedy, code="reading_too_much")
    return ImportResult((), {}, (), {}, (), (), (), (problem,), ())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
