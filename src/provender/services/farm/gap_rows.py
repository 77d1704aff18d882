"""Which row closes a gap: the very one that lacks something, else what is known of the new one that would."""

from collections.abc import Mapping
from typing import Any, Final

from provender.catalog.cover_crops import find_species
from provender.practices.assess import Assessment
from provender.practices.shallow import shallow_passes
from provender.records import KINDS, Kind
from provender.records.another_row import ONCE
from provender.services.farm.book import FarmBook
from provender.services.farm.once import once
from provender.services.farm.sown import sowing_questions
from provender.services.farm.verdicts import cached_result

SHALLOW: Final = "shallow 1"
ELSEWHERE: Final = ("(of the crop before", "(of the stand that was given up")
"""How a gap begins that a row of another crop entry would close."""
LACKS_PASS: Final = ("(a pass that other", "(a planting that no pass", "(no planting or seeding pass)")
"""How a gap begins that the pass of a planter or drill may close, which the row of what was sown knows of."""
MIX: Final = "cover_species"
ENTRY: Final = "harvest_id"
BY_CROP: Final = "rows_by_crop"


def gap_row(farm: FarmBook, of: Mapping[str, Any], record: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the row that lacks what a gap names, else what is known of the row that would close it.

    Args:
        farm: the book.
        of: ``unit_id`` and ``harvest_id`` of the crop.
        record: what is missing, as ``missing_record`` says it.
    """
    kind = KINDS[record["kind"]]
    if (part := _part_of(kind)) is not None:
        return _row_of_part(farm, of, record, *part)
    given: dict[str, str] = {
        name: of[name]
        for name in ("unit_id", ENTRY)
        if name in kind.fields and (record["column"] or kind.fields[name].refers)
    }
    if record["said"].startswith("(below the published least") and (shallow := shallow_row(farm, of["unit_id"])):
        return shallow, {}
    if record["said"].startswith(LACKS_PASS):
        return _pass_of(farm, of[ENTRY], given)
    mine = _rows_of(farm, kind, given) if given else []
    lacking = [key for key in mine if record["column"] in kind.fields and not farm.of(kind)[key].get(record["column"])]
    if lacking:
        return lacking[0], {}
    # What a crop has one row of and that says something which does not do is mended there: a second would be another.
    own = record["column"] and kind.name in ONCE and not record["said"].startswith(ELSEWHERE)
    return (mine[0], {}) if own and len(mine) == 1 else ("", given)


def _pass_of(farm: FarmBook, entry: str, given: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the pass whose day differs from what it sowed, else what is known of the one that is missing."""
    mine = next((one for one in sowing_questions(farm) if one.harvest_id == entry and one.record is not None), None)
    if mine is None or mine.adds is None:
        return (mine.sower.key, {}) if mine and mine.sower else ("", dict(given))
    return "", {**given, **mine.adds[1]}


def _rows_of(farm: FarmBook, kind: Kind, given: Mapping[str, str]) -> list[str]:
    """Return the rows of a kind that say what is given; a page of many gaps asks hundreds of times."""
    read: dict[tuple[str, ...], dict[tuple[str, ...], list[str]]] = once(farm, BY_CROP, dict)
    where = (kind.name, *given)
    if where not in read:
        rows = read[where] = {}
        for key, row in farm.of(kind).items():
            rows.setdefault(tuple(str(row.get(name) or "") for name in given), []).append(key)
    return read[where].get(tuple(given.values()), [])


def _part_of(kind: Kind) -> tuple[str, Kind] | None:
    """Return the column by which a row is part of another that names its crop entry, and the kind of that one."""
    for name, found in kind.fields.items():
        whole = KINDS.get(found.refers)
        if whole and name in kind.key_columns and ENTRY in whole.fields and ENTRY not in kind.fields:
            return name, whole
    return None


def _row_of_part(
    farm: FarmBook, of: Mapping[str, Any], record: Mapping[str, str], column: str, whole: Kind
) -> tuple[str, dict[str, str]]:
    """Return the same of a part of another row: the species of a cover crop, the tools of a pass."""
    kind = KINDS[record["kind"]]
    wholes = [key for key, row in farm.of(whole).items() if row.get(ENTRY) == of[ENTRY]]
    mine = {key: row for key, row in farm.of(kind).items() if row.get(column) in wholes}
    lacking = [key for key, row in mine.items() if _lacks(kind, row, record["column"])]
    bare = [one for one in wholes if all(row.get(column) != one for row in mine.values())]
    if lacking:
        return lacking[0], {}
    named = bare or wholes
    return "", {column: named[0]} if named else {}


def _lacks(kind: Kind, row: Mapping[str, object], column: str) -> bool:
    """Return whether a row lacks a column: seeding nothing is no rate, and a species that no list has says nothing."""
    text = str(row.get(column) or "")
    unlisted = kind.name == MIX and column == "species" and find_species(text) is None
    return column in kind.fields and (not text.strip("0.") or unlisted)


def shallow_row(farm: FarmBook, unit_id: str) -> str:
    """Return the key of the unit's first pass whose typed depth is below the published least, or empty."""
    found: list[tuple[str, str]] = cached_result(farm, SHALLOW, _shallow)
    return next((key for unit, key in found if unit == unit_id), "")


def _shallow(judged: Assessment) -> list[tuple[str, str]]:
    return shallow_passes(judged.loaded.graded["operation"]).select("unit_id", "operation_id").rows()
