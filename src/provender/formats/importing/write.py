"""Writing what an import worked out into a folder: each file whole, evidence before the records that name it.

On a server the book itself is written by ``services.imports.job``.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from provender.formats.importing.plan import ImportPlan, RecordSource
from provender.problem import refuse
from provender.records.folder import SOURCES, write_csv
from provender.records.kind import KINDS
from provender.records.reading import TextTable, read_csv_table
from provender.records.rejected import rejected_in, rejected_name, write_rejected

SOURCE_COLUMNS: Final = ("kind", "key", "file", "sheet", "row", "sha256", "imported_on")


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
    table = read_csv_table(path, SOURCES) if path.is_file() else TextTable(SOURCES, "", SOURCE_COLUMNS, ())
    rows = (
        [one.kind, one.key, one.place.file, one.place.sheet, str(one.place.row), one.sha256, one.imported_on]
        for one in new
    )
    return write_csv([list(SOURCE_COLUMNS), *(cells for _, cells in table.rows), *rows]).encode()


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
            target = _target(folder, name)
            if not target.exists():
                shutil.copyfile(source, _beside(target))
                os.replace(_beside(target), target)  # noqa: PTH105 - one call that never leaves half a file
        for name, content in files.items():
            if content is not None:
                target = _target(folder, name)
                _beside(target).write_bytes(content)
                os.replace(_beside(target), target)  # noqa: PTH105 - likewise
        for name in (name for name, content in files.items() if content is None):
            (folder / name).unlink(missing_ok=True)
    except OSError as trouble:
        cause = f"the book cannot be written ({trouble.strerror})."
        remedy = "Check that you may write there and that the disk is not full; then import again."
        raise refuse(str(folder), cause, remedy) from trouble
    return sorted([*(name for name, content in files.items() if content is not None), *plan.kept])


def _target(folder: Path, name: str) -> Path:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.new")
