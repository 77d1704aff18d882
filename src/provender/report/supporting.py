"""What a report rests on: which records of which kind, row by row and by hash, and the files of evidence."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from provender.intensity.harvests import CropUnits
from provender.problem import Place, Problem, Weight
from provender.records.book import ENDINGS, FarmRows, RecordBook, with_what_is_said
from provender.records.folder import BOUNDARIES, REJECTED, load_book, signed_row, write_csv
from provender.records.kind import KINDS
from provender.records.reading import read_csv_table
from provender.rule.crops import Practice
from provender.signing.canonical import document_hash, sha256_hex
from provender.signing.merkle import leaf_under, roots_over
from provender.standards.evidence import evidence_by_name, names_in
from provender.verdicts.assess import Assessment, evidence_problems
from provender.whole_file import write_whole

Row = Mapping[str, Any]
Leaves = dict[str, dict[str, dict[str, str]]]
"""Unit or ``farm`` -> kind -> label of the row -> leaf."""

WHOLE_FARM: Final = "farm"
PARENTS: Final = {
    "operation_tool": ("operation", "operation_id"),
    "cover_species": ("cover_crop", "cover_id"),
    "budget_source": ("nutrient_budget", "budget_id"),
}
"""Kinds whose rows belong to a row of another kind: the other, and the column that names it."""
_OF_SEASON: Final = {"operation": "day", "nutrient_application": "day"}
"""Kinds of a unit's season, by the column that says when: they belong up to the unit's harvest."""
_SOWN: Final = {"cover_crop": "seeded_on"}
"""Kinds that enter a balance of the whole farm on their day, whichever crop they name."""
BY_DAY: Final = {
    "scale_ticket": "day", "sale": "day", "soil_test": "sampled_on", "seed_purchase": "received_on",
    "inhibitor_purchase": "received_on", "expert_opinion": "given_on", "evidence": "taken_on", "control": "since",
    "enrolment": "since", "calculator_run": "run_on", "report_delivery": "day",
}  # fmt: skip
"""Kinds that belong up to the day of the report, by the column that says when."""
_OF_CROP: Final = frozenset({"reported_acres", "bushel_total", "scale_ticket", "sale", "national_default"})
GOES_ON: Final = frozenset({"scale_ticket", "sale", "report_delivery", "evidence"})
"""Kinds that grow on after the report without saying anything new of its harvest."""
FILES: Final = (BOUNDARIES, REJECTED)
"""Folders whose files are read with the records."""


@dataclass(frozen=True)
class BoundRows:
    """The rows that a report rests on."""

    assessment: Assessment  # the book, judged
    q: CropUnits  # farm, crop, harvest year and units
    made_on: date  # the day of the report
    # texts of boundaries and rejected rows by path; those of the book's folder where none are given
    files: Mapping[str, bytes] | None = None

    def leaves(self, secret: str) -> Leaves:
        """Return the salted leaf of every row and file."""
        found: Leaves = {}
        for kind, frame in self._frames.items():
            fields = {name: one for name, one in KINDS[kind].typed_fields.items() if name != "farm_id"}
            rows = sorted((self._unit(kind, row), self._label(kind, row), signed_row(row, fields)) for row in frame
                          if self._belongs(kind, row))  # fmt: skip
            for unit, label, texts in _numbered(rows):
                leaf = leaf_under(secret, (kind, label), texts)
                found.setdefault(unit if unit in self._ends else WHOLE_FARM, {}).setdefault(kind, {})[label] = leaf
        for unit, folder, name, digest in self._bound_files():
            found.setdefault(unit, {}).setdefault(folder, {})[name] = leaf_under(secret, (folder, name), digest)
        return found

    @cached_property
    def _frames(self) -> dict[str, Sequence[Row]]:
        return {kind: self.assessment.book.rows_of(kind, self.q.farm_id) for kind in KINDS}

    @cached_property
    def _ends(self) -> dict[str, date | None]:
        """The last day of the crop's harvest, by unit of the report."""
        ends: dict[str, date | None] = {unit.unit_id: None for unit in self.q.units}
        for one in self.assessment.of(self.q.farm_id, self.q.crop, self.q.harvest_year):
            if one.unit_id in ends:
                ends[one.unit_id] = max(one.last_day, ends[one.unit_id] or one.last_day)
        return ends

    @cached_property
    def _units(self) -> frozenset[str]:
        return frozenset(row["unit_id"] for row in self._frames["unit"])

    @cached_property
    def _harvests(self) -> dict[str, Row]:
        return {row["harvest_id"]: row for row in self._frames["harvest"]}

    @cached_property
    def _parents(self) -> dict[str, dict[str, Row]]:
        return {kind: {row[column]: row for row in self._frames[parent]} for kind, (parent, column) in PARENTS.items()}

    def _label(self, kind: str, row: Row) -> str:
        names = [name for name in KINDS[kind].key_columns if name != "farm_id"]
        return " ".join("" if row[name] is None else str(row[name]) for name in names)

    def _unit(self, kind: str, row: Row) -> str:
        if row.get("unit_id"):
            return str(row["unit_id"])
        if parent := self._parent(kind, row):
            return self._unit(PARENTS[kind][0], parent)
        harvest = self._harvests.get(row.get("harvest_id") or "")
        return str(harvest["unit_id"] or "") if harvest else ""

    def _parent(self, kind: str, row: Row) -> Row | None:
        return self._parents[kind].get(row[PARENTS[kind][1]]) if kind in PARENTS else None

    def _belongs(self, kind: str, row: Row) -> bool:
        if parent := self._parent(kind, row):
            return self._belongs(PARENTS[kind][0], parent)
        unit = self._unit(kind, row)
        if unit in self._units and unit not in self._ends:
            return False
        if kind == "report_delivery" and row["day"] == self.made_on:
            return False  # what was signed that day can only have been given after it
        if kind in _OF_CROP and not self._of_crop(row):
            return False
        if kind == "tillage_history" and (row["harvest_year"] or 0) > self.q.harvest_year:
            return False
        return self._in_time(kind, row, unit)

    def _in_time(self, kind: str, row: Row, unit: str) -> bool:
        """Tell whether nothing says that a row is of a later season than its unit's in this report."""
        end = self._ends.get(unit)
        harvest = row if kind == "harvest" else self._harvests.get(row.get("harvest_id") or "")
        if kind in _OF_SEASON and (harvest is None or not self._counts(harvest, unit)):
            return _until(row[_OF_SEASON[kind]], end)
        if harvest is not None:
            if not _ends_a_crop(harvest):
                return kind in _SOWN and _until(row[_SOWN[kind]], end)
            if not _until(harvest["last_day"], end):
                return False
        return kind not in BY_DAY or _until(row[BY_DAY[kind]], self.made_on)

    def _counts(self, harvest: Row, unit: str) -> bool:
        """Tell whether what is spread belongs to the entry it names: one of its own unit that ends a crop."""
        return bool(harvest["unit_id"] == unit and _ends_a_crop(harvest))

    def _of_crop(self, row: Row) -> bool:
        year = row.get("harvest_year")
        return row["crop"] in (None, str(self.q.crop)) and year in (None, self.q.harvest_year)

    def _bound_files(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield unit or farm, folder, name and hash of every file that is read with the records."""
        units = {row["boundary"]: row["unit_id"] for row in self._frames["unit"] if row["boundary"]}
        given = self.files if self.files is not None else _in_folder(self.assessment.book.folder)
        for path, content in sorted(given.items()):
            folder, _, name = path.partition("/")
            unit = units.get(name, "")
            if folder == REJECTED or unit in self._ends:
                yield unit if folder == BOUNDARIES else WHOLE_FARM, folder, name, _hash_of_text(name, content)


def _ends_a_crop(harvest: Row) -> bool:
    """Tell whether an entry is of a crop that ended: harvested, given up, or on a day whatever it says."""
    return harvest["ending"] in ENDINGS or harvest["last_day"] is not None


def _until(day: date | None, last: date | None) -> bool:
    return day is None or last is None or day <= last


def _numbered(rows: Iterable[tuple[str, str, list[str]]]) -> Iterator[tuple[str, str, list[str]]]:
    seen: Counter[str] = Counter()
    for unit, label, texts in rows:
        seen[label] += 1
        yield unit, label if seen[label] == 1 else f"{label} ({seen[label]})", texts


def _in_folder(folder: Path | None) -> dict[str, bytes]:
    if folder is None:
        return {}
    paths = [path for name in FILES for path in sorted((folder / name).rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _hash_of_text(name: str, content: bytes) -> str:
    """Return the hash of a file's lines, whatever ends them; the rows of a table may stand in any order."""
    lines = [line for line in content.removeprefix(b"\xef\xbb\xbf").splitlines() if line]
    return sha256_hex(b"\n".join(sorted(lines) if name.endswith(".csv") else lines))


# What a report rests on, by hash: evidence files, and the records of each unit, kind by kind.
#
# A signed report says which records it was computed from. Whoever holds it can later tell whether one of them was
# changed, dropped or added, and on which unit, without the records themselves standing in it. Order of rows, line ends
# and the layout of a file do not matter: a hash is over the rows as a person would type them. With a secret each hash
# is the root of salted leaves over every kind of record (``record_rows``); without one, as in drafts and in reports
# made without a key, it is over the sorted rows of the kinds below.

_BY_HARVEST: Final = (
    "harvest", "declaration", "planting", "cover_crop", "nutrient_application", "nutrient_budget", "in_season_test",
    "calculator_run",
)  # fmt: skip
"""Kinds whose rows name the crop entry they belong to."""
_OF_FARM: Final = ("reported_acres", "bushel_total")
"""Kinds of the whole farm: their rows of the report's crop and year. Others grow with later seasons."""


_SALTED: Final = "salted-rows-1"
"""How ``records`` was made, as the report says it; a report without the word has plain hashes."""


def rests_on(
    assessment: Assessment, q: CropUnits, named: frozenset[str], leaves: Leaves | None = None
) -> dict[str, Any]:
    """Return the hashes of evidence and records behind a report; ``named``: ids of the evidence of its crop.

    Returns:
        ``evidence``: one line per evidence record of the farm, sorted, its SHA-256 from the record or, where it names
        none, from the file in the book's folder; null where neither is at hand; ``of_this_crop`` tells whether rows of
        the report's crop or of the whole farm name it. ``records``: unit (``farm`` for rows
        of no unit) -> kind -> root of its leaves, or SHA-256 of its rows where there are none.
    """
    evidence = [{**one, "of_this_crop": one["evidence_id"] in named} for one in _evidence(assessment, q.farm_id)]
    if leaves is None:
        return {"evidence": evidence, "records": _records(assessment, q)}
    roots = {unit: roots_over(kinds) for unit, kinds in sorted(leaves.items())}
    return {"evidence": evidence, "records": roots, "leaves": _SALTED}


def _evidence(assessment: Assessment, farm_id: str) -> list[dict[str, Any]]:
    rows = sorted(assessment.book.rows_of("evidence", farm_id), key=lambda row: str(row["evidence_id"]))
    names = ("evidence_id", "file", "what", "unit_id")
    return [
        {
            **{name: row[name] for name in names},
            "sha256": (row["sha256"] or _hash_in(assessment, farm_id, row["file"])).lower() or None,
        }
        for row in rows
    ]


def _hash_in(assessment: Assessment, farm_id: str, file: str) -> str:
    """Return the hash of a file in the book's evidence folder, empty where it is not there or there is no folder."""
    return "" if assessment.book.folder is None else assessment.book.files.hash_of(farm_id, file)


def _records(assessment: Assessment, q: CropUnits) -> dict[str, dict[str, str]]:
    """Return the hashes unit by unit; each kind is read once and its rows are handed out by what they belong to."""
    by_harvest = {kind: _by(assessment, q, kind, "harvest_id") for kind in _BY_HARVEST}
    by_parent = {kind: _by(assessment, q, kind, column) for kind, (_, column) in PARENTS.items()}
    operations, units = _by(assessment, q, "operation", "unit_id"), _by(assessment, q, "unit", "unit_id")
    passes = season_passes(assessment, q)
    found: dict[str, dict[str, str]] = {}
    for unit in q.units:
        rows = {kind: _rows_under_keys(held, unit.harvest_ids) for kind, held in by_harvest.items()}
        rows["operation"] = [row for row in operations[unit.unit_id] if row["operation_id"] in passes]
        rows["unit"] = units[unit.unit_id]
        for kind, (parent, column) in PARENTS.items():
            rows[kind] = _rows_under_keys(by_parent[kind], [row[column] for row in rows[parent]])
        found[unit.unit_id] = _hashes(rows)
    return {**found, WHOLE_FARM: _hashes({kind: _of_farm(assessment, q, kind) for kind in _OF_FARM})}


def _hashes(rows: Mapping[str, Sequence[Row]]) -> dict[str, str]:
    return {kind: _hash(kind, of_kind) for kind, of_kind in sorted(rows.items()) if of_kind}


def _hash(kind: str, rows: Iterable[Row]) -> str:
    fields = {name: one for name, one in KINDS[kind].typed_fields.items() if name != "farm_id"}
    return document_hash(sorted(signed_row(row, fields) for row in rows))


def _by(assessment: Assessment, q: CropUnits, kind: str, column: str) -> defaultdict[str, list[Row]]:
    """Return the farm's rows of a kind by the value of a column."""
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for row in assessment.book.rows_of(kind, q.farm_id):
        found[row[column]].append(row)
    return found


def _rows_under_keys(held: Mapping[str, list[Row]], keys: Iterable[str]) -> list[Row]:
    return [row for key in dict.fromkeys(keys) for row in held.get(key, ())]


def season_passes(assessment: Assessment, q: CropUnits) -> frozenset[str]:
    """Return the keys of the passes in the seasons of a crop, and of those of its units that have no day."""
    return frozenset(
        each.id
        for one in assessment.of(q.farm_id, q.crop, q.harvest_year)
        for each in (*one.season.season_passes, *one.season.undated_passes)
    )


def _of_farm(assessment: Assessment, q: CropUnits, kind: str) -> list[Row]:
    rows = assessment.book.rows_of(kind, q.farm_id)
    return [row for row in rows if row["harvest_year"] == q.harvest_year and row["crop"] == q.crop]


# Photographs of establishment: what their files say of day and place (2100.052(b)(5), interpretation 83).

_PHOTO: Final = "2100.052(b)(5)"


def photograph_doubts(assessment: Assessment, q: CropUnits) -> Iterator[Problem]:
    """Tell of photographs behind cover-crop credits whose file has no day or place, or another day than is stated.

    The first is a note that puts the unit on the verifier's list; of the second one of the two days is wrong.
    """
    from provender.formats.photos import day_and_place

    book = assessment.book
    papers = {row["evidence_id"]: row for row in book.rows_of("evidence", q.farm_id)}
    entries = {name for unit in q.units if Practice.cover_crop in unit.credited for name in unit.harvest_ids}
    covers = [row for row in book.rows_of("cover_crop", q.farm_id) if row["harvest_id"] in entries]
    names = (name for row in covers for name in names_in(row["established_photo"]))
    for row in filter(None, map(papers.get, dict.fromkeys(names))):
        content = book.files.content_of(q.farm_id, row["file"], row["sha256"])
        if row["what"] != "photograph" or not content:
            continue
        place = Place(row.get("source_file") or "evidence", row=row.get("source_row") or 0)
        day, is_placed = day_and_place(content)
        if day is not None and row["taken_on"] not in (None, day):
            cause = f"Photograph {row['evidence_id']} is stated to be of {row['taken_on']}, and its file says {day}."
            remedy = "Correct the day, or name the photograph that was taken then."
            yield Problem(place, cause, remedy, _PHOTO, Weight.CONFIRM, "photograph_day_differs")
        elif lacking := [what for what, known in (("day", day), ("place", is_placed)) if not known]:
            cause = f"The file of photograph {row['evidence_id']} gives no {' and no '.join(lacking)}: graded stated."
            remedy = "It counts; the verifier looks at this field on site, by video or by remote sensing."
            yield Problem(place, cause, remedy, _PHOTO, Weight.NOTE, "photograph_stated")


# The evidence of a record book folder, file by file: what stands, what does not, and the recording of hashes.

_HASH: Final = "sha256"


def evidence_index(folder: Path) -> tuple[list[dict[str, Any]], list[Problem]]:
    """Return every evidence record with its ``standing`` (null where sound), and the rows whose evidence is not."""
    book = with_what_is_said(load_book(folder))
    farm_ids = dict.fromkeys((*(row.farm_id for row in book["evidence"]), *book.farm_ids))
    farms = [FarmRows(book, farm_id) for farm_id in farm_ids]
    index = [
        {"farm_id": rows.farm_id, "evidence_id": name, "file": record.file, "what": record.what, "standing": fault}
        for rows in farms
        for name, (record, fault) in evidence_by_name(rows).items()
    ]
    return index, [problem for rows in farms for problem in evidence_problems(rows)]


def record_hashes(folder: Path) -> int:
    """Write the hashes of files that have none on record into ``evidence.csv``; return how many.

    Only blank cells of the column are filled. A hash on record is never written over: a file that was changed stays
    told. A row that cannot be read stays as it is written, and so do rows of one file name that are of several units or
    kinds: nobody can tell whose the file is.

    Raises:
        ProblemsError: the book or its table cannot be read.
    """
    book, path = load_book(folder), folder / "evidence.csv"
    bare = [row for row in book["evidence"] if row["sha256"] is None]
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
    heading = table.heading if _HASH in table.heading else (*table.heading, _HASH)
    at, filled, lines = heading.index(_HASH), 0, [heading]
    for number, cells in table.rows:
        line = [*cells, *[""] * (len(heading) - len(cells))]
        if number in new and not line[at].strip():
            line[at] = new[number]
            filled += 1
        lines.append(tuple(line))
    write_whole(path, write_csv(lines).encode())
    return filled


# What of a farm's problems and evidence is about the crop of one report: a buyer reads nothing of the other crops.

_NAMES: Final = ("evidence", "established_photo")
"""Columns that name evidence, several set apart by semicolons."""
_OF_MANY: Final = frozenset({"double_key", "day_order", "known_by_not_held"})
"""What is told at one row and speaks of several, which may be of several crops."""


def of_this_crop(assessment: Assessment, q: CropUnits, papers: frozenset[str] | None = None) -> list[Problem]:
    """Return the problems of a book without those of rows that are surely of other crops.

    Whose a problem is, its place says, never the words of its cause: fields may be called 1, 2 and 3. ``papers`` is
    ``evidence_named`` where it is at hand.
    """
    if not assessment.problems:
        return []
    whose = _Whose(assessment, q, evidence_named(assessment, q) if papers is None else papers)
    return [one for one in assessment.problems if not whose.of_another(one)]


Rows = Mapping[str, Mapping[str, Any]]


class _Index:
    """The rows of a farm by name and by place: every report on it asks for them."""

    def __init__(self, book: RecordBook, farm_id: str) -> None:
        self.book: dict[str, Rows] = {}
        self.at: dict[tuple[str, int], list[tuple[str, Mapping[str, Any]]]] = {}
        shown: set[str] = set()
        for name, kind in KINDS.items():
            rows = book.rows_of(name, farm_id)
            self.book[name] = {str(row[kind.key_columns[-1]]): row for row in rows}
            for column in (one for one in _NAMES if one in kind.fields):
                said = {row[column] for row in rows}  # most rows name no paper, and many the same
                shown.update(name for text in said for name in names_in(text))
            for row in rows:
                place = row["source_file"] or name, row["source_row"] or 0
                self.at.setdefault(place, []).append((name, row))
                if place[0] != name:
                    self.at.setdefault((name, place[1]), []).append((name, row))
        self.grown: dict[str, list[str]] = defaultdict(list)
        for entry, harvest in self.book["harvest"].items():
            self.grown[harvest["unit_id"]].append(entry)
        self.shown = frozenset(shown)


class _Whose:
    """Which rows of a farm's book have no part in one report."""

    def __init__(self, assessment: Assessment, q: CropUnits, papers: frozenset[str]) -> None:
        self.q = q
        self.farms_at, self.year_of = assessment.book.farms_at, assessment.harvest_year
        self.units = {unit.unit_id for unit in q.units}
        self.entries = {entry for unit in q.units for entry in unit.harvest_ids}
        self.papers = papers
        index = assessment.once("places", q.farm_id, lambda: _Index(assessment.book, q.farm_id))
        self.book, self.at, self.grown, self.shown = index.book, index.at, index.grown, index.shown

    def of_another(self, problem: Problem) -> bool:
        """Tell whether a problem stands at a row that is surely of another crop; without such a row it does not."""
        place = problem.place
        if not place.row:
            return False
        here = self.at.get((place.file, place.row), ())
        # A row of this farm's own settles it, and asking for everybody's looks through the whole book.
        if not here and (farms := self.farms_at(place.file, place.row)) and self.q.farm_id not in farms:
            return True
        if problem.code in _OF_MANY:
            return False
        rows = [(kind, row) for kind, row in here if not place.sheet or place.sheet == row["source_sheet"]]
        return bool(rows) and all(self._other_row(kind, row, problem.weight) for kind, row in rows)

    def _other_row(self, kind: str, row: Mapping[str, Any], weight: Weight) -> bool:
        things = set(self._named(kind, row))
        if weight is Weight.NOTE:  # of the crop that stood on this field before, only what must be mended is told
            things = {one for one in things if one[0] == "harvest"} or things
        named = [self._other(*name) for name in things]
        if kind == "evidence":
            paper = row["evidence_id"]
            return paper not in self.papers and (paper in self.shown or (bool(named) and all(named)))
        return bool(named) and all(named)

    def _named(self, kind: str, row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield the units and crop entries that a row names, also by a row that it belongs to."""
        if kind in ("unit", "harvest"):
            yield kind, row[f"{kind}_id"]
        for column, field in KINDS[kind].fields.items():
            if not field.refers or not row[column]:
                continue
            if field.refers in ("unit", "harvest"):
                yield field.refers, row[column]
            if (parent := self.book[field.refers].get(row[column])) is not None and field.refers != "evidence":
                yield from self._named(field.refers, parent)

    def _other(self, kind: str, name: str) -> bool:
        """Tell whether a unit or entry is surely of another crop; one of no known crop is not."""
        if kind == "harvest":
            row = self.book["harvest"].get(name)
            return row is not None and name not in self.entries and self._other_harvest(row)
        entries = self.grown.get(name, [])
        return name not in self.units and bool(entries) and all(self._other("harvest", one) for one in entries)

    def _other_harvest(self, row: Mapping[str, Any]) -> bool:
        crop = row["crop"]
        other_year = row["last_day"] is not None and self.year_of(row) != self.q.harvest_year
        return other_year or (crop is not None and str(crop) != str(self.q.crop))


def _papers_of(row: Mapping[str, Any]) -> Iterator[str]:
    for column in _NAMES:
        yield from names_in(row.get(column))


def evidence_named(assessment: Assessment, q: CropUnits, as_of: date | None = None) -> frozenset[str]:
    """Return the ids of the evidence that rows of this crop name, or rows of the whole farm that are of no crop.

    With the day of a report, rows that were written after it, or are of another harvest year, name nothing.
    """
    rows = (row for row in _rows_behind_crop(assessment, q) if as_of is None or _of_report(row, q, as_of))
    return frozenset(name for row in rows for name in _papers_of(row))


def _of_report(row: Mapping[str, Any], q: CropUnits, as_of: date) -> bool:
    """Tell whether a row can have stood in the book on the day of a report, and is not of another harvest year."""
    days = [value for value in row.values() if isinstance(value, date)]
    return row.get("harvest_year") in (None, q.harvest_year) and (not days or min(days) <= as_of)


def _rows_behind_crop(assessment: Assessment, q: CropUnits) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of the crop's entries, of its units' seasons, and of the farm where they name no other crop."""
    frames = {name: assessment.book.rows_of(name, q.farm_id) for name in KINDS}
    entries = {entry for unit in q.units for entry in unit.harvest_ids}
    units = {unit.unit_id for unit in q.units}
    passes = season_passes(assessment, q)
    covers = {row["cover_id"] for row in frames["cover_crop"] if row["harvest_id"] in entries}
    for name, frame in frames.items():
        for row in frame:
            if name == "cover_species" and row["cover_id"] not in covers:
                continue
            if row.get("harvest_id") and row["harvest_id"] not in entries:
                continue
            if row.get("unit_id") and row["unit_id"] not in units:
                continue
            if row.get("crop") and str(row["crop"]) != str(q.crop):
                continue
            if name == "operation" and row["operation_id"] not in passes:
                continue
            yield row
