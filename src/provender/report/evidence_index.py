"""The evidence of a record book folder, file by file: what stands, what does not, and the recording of hashes."""

from collections import Counter
from pathlib import Path
from typing import Any, Final

from provender.practices.evidence_links import evidence_states
from provender.practices.evidence_problems import evidence_problems
from provender.practices.prepared_book import load
from provender.problem import Problem
from provender.records.folder import load_book, write_csv
from provender.records.table import read_csv_table

HASH: Final = "sha256"


def evidence_index(folder: Path) -> tuple[list[dict[str, Any]], list[Problem]]:
    """Return every evidence record with its ``standing`` (null where sound), and the rows whose evidence is not."""
    loaded = load(load_book(folder))
    names = ("farm_id", "evidence_id", "file", "what", "standing")
    rows = list(evidence_states(loaded.book).select(names).iter_rows(named=True))
    return rows, evidence_problems(loaded)


def record_hashes(folder: Path) -> int:
    """Write the hashes of files that have none on record into ``evidence.csv``; return how many.

    Only blank cells of the column are filled. A hash on record is never written over: a file that was changed stays
    told. A row that cannot be read stays as it is written, and so do rows of one file name that are of several units or
    kinds: nobody can tell whose the file is.

    Raises:
        ProblemsError: the book or its table cannot be read.
    """
    book, path = load_book(folder), folder / "evidence.csv"
    bare = [row for row in book["evidence"].iter_rows(named=True) if row["sha256"] is None]
    things = {(row["farm_id"], row["file"], row["unit_id"], row["what"]) for row in bare}
    named = Counter(thing[:2] for thing in things)
    new = {
        row["source_row"]: digest
        for row in bare
        if named[row["farm_id"], row["file"]] == 1 and (digest := book.files.hash_of(row["farm_id"], row["file"]))
    }
    if not new:
        return 0
    table = read_csv_table(path, path.name)
    heading = table.heading if HASH in table.heading else (*table.heading, HASH)
    at, filled, lines = heading.index(HASH), 0, [heading]
    for number, cells in table.rows:
        line = [*cells, *[""] * (len(heading) - len(cells))]
        if number in new and not line[at].strip():
            line[at] = new[number]
            filled += 1
        lines.append(tuple(line))
    path.write_text(write_csv(lines), encoding="utf-8", newline="")
    return filled
