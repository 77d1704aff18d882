"""What was sown beside the passes that sowed it: questions before a signature, and what one row lends the other's form.

Nothing of it is written unasked: a form that begins with what another row says is looked at and saved by a person.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from provender.catalog.operations import PLAIN_DRILL, PLAIN_PLANTER
from provender.catalog.plants import find_species
from provender.practices.assess import Assessment
from provender.practices.shallow import shallow_passes
from provender.records.harvest_years import ONCE
from provender.records.kind import KINDS, Kind
from provender.rule.law import latest_whole
from provender.services.farm import sowing
from provender.services.farm.book import FarmBook, once
from provender.services.farm.verdicts import cached_result
from provender.standards.season import DRILLED

WHAT: Final = "sown 1"
LENT: Final[Mapping[str, frozenset[str]]] = {
    sowing.PASSED: frozenset({"day", "operation"}), sowing.PLANTING: frozenset({"planted_on"}),
    sowing.COVER: frozenset({"seeded_on"}),
}  # fmt: skip
"""Columns of a new row that a row of the other kind may fill."""
DAYS: Final[Mapping[str, str]] = {sowing.PLANTING: "planted_on", sowing.COVER: "seeded_on"}
PLAIN: Final[Mapping[str, str]] = {sowing.PLANTING: PLAIN_PLANTER, sowing.COVER: PLAIN_DRILL}
"""What a form begins with where no earlier pass of the farm says what it sows with."""
_BY_UNIT: Final = "sowing passes"
Row = Mapping[str, object]


class RowNamed(NamedTuple):
    """A row that a question is about."""

    kind: str
    key: str


class SowingQuestion(NamedTuple):
    """What a farm is asked before it signs."""

    unit_id: str  # the field, and the crop entry it is asked about for
    harvest_id: str  # the field, and the crop entry it is asked about for
    harvest: tuple[str, int | None]  # crop and harvest year; a year of None is of a crop that is not harvested yet
    cause: str  # in sentences
    remedy: str  # in sentences
    record: RowNamed | None  # the two rows; None for the one that is missing
    sower: RowNamed | None  # the two rows; None for the one that is missing
    # the kind of row that is missing, with what is known of it; None where none is
    adds: tuple[str, Mapping[str, str]] | None

    @property
    def words(self) -> str:
        """Say what to do."""
        if self.adds is None:
            return "Say which day is right"
        if self.adds[0] == sowing.PASSED:
            drilled = self.record is not None and self.record.kind == sowing.COVER
            return "Add the pass of the drill" if drilled else "Add the pass of the planter"
        return "Add the cover crop that was drilled" if self.adds[0] == sowing.COVER else "Add the planting"


def sowing_questions(farm: FarmBook) -> list[SowingQuestion]:
    """Return what does not fit together of what was sown and its passes, field by field."""
    return once(farm, WHAT, lambda: [_question(farm, one) for one in cached_result(farm, WHAT, _doubts)])


def sowing_questions_left(farm: FarmBook, settled: Collection[tuple[str, int | None]]) -> list[SowingQuestion]:
    """Return the same without those of harvests whose report is signed as the records stand: nobody asks again."""
    return [one for one in sowing_questions(farm) if one.harvest not in settled]


def _doubts(judged: Assessment) -> list[dict[str, Any]]:
    return [
        {
            "unit_id": one.unit_id, "harvest_id": one.harvest_id, "crop": one.crop, "year": one.harvest_year,
            "cause": one.cause, "remedy": one.remedy, "record": _named(one.record), "sower": _named(one.sower),
        }
        for one in sowing.sowing_doubts(judged)
    ]  # fmt: skip


def _named(one: sowing.Sown | None) -> list[str] | None:
    return None if one is None else [one.kind, one.key]


def _question(farm: FarmBook, one: Mapping[str, Any]) -> SowingQuestion:
    record, sower = (RowNamed(*one[name]) if one[name] else None for name in ("record", "sower"))
    adds: tuple[str, Mapping[str, str]] | None = None
    if record is not None and sower is None:
        adds = (sowing.PASSED, pass_of(farm, record.kind, farm.of(KINDS[record.kind]).get(record.key, {})))
    elif record is None and sower is not None:
        adds = _what_it_sowed(one, str(farm.of(KINDS[sowing.PASSED]).get(sower.key, {}).get("day") or ""))
    asked_of = (one["unit_id"], one["harvest_id"], (one["crop"], one["year"]))
    return SowingQuestion(*asked_of, one["cause"], one["remedy"], record, sower, adds)


def _what_it_sowed(one: Mapping[str, Any], text: str) -> tuple[str, Mapping[str, str]]:
    """Return the kind of row that a lone pass lacks, with what is known of it: what is drilled late is a cover."""
    day = _day(text)
    kind = sowing.COVER if day is not None and day.month >= sowing.FALL else sowing.PLANTING
    field = {"unit_id": one["unit_id"]} if kind == sowing.COVER else {}
    return kind, {**field, "harvest_id": one["harvest_id"], DAYS[kind]: text}


def question_of(farm: FarmBook, kind: Kind, key: str) -> SowingQuestion | None:
    """Return what is asked about one row; None where nothing is."""
    mine = RowNamed(kind.name, key)
    return next((one for one in sowing_questions(farm) if mine in (one.record, one.sower)), None)


def pass_of(farm: FarmBook, kind: str, row: Row) -> dict[str, str]:
    """Return what is known of the pass that sowed a planting or a cover crop: field, day, and what it is done with."""
    known = {
        "unit_id": _unit(farm, row),
        "day": str(row.get(DAYS[kind]) or ""),
        "operation": _sown_with(farm, kind, row),
    }
    return {name: text for name, text in known.items() if text}


def _unit(farm: FarmBook, row: Row) -> str:
    entry = farm.of(KINDS["harvest"]).get(str(row.get("harvest_id") or ""), {})
    return str(row.get("unit_id") or entry.get("unit_id") or "")


def _crop(farm: FarmBook, row: Row) -> str:
    return str(farm.of(KINDS["harvest"]).get(str(row.get("harvest_id") or ""), {}).get("crop") or "")


def _near(farm: FarmBook, unit: str, day: date) -> Iterator[str]:
    """Yield the operations of a field that may have sown on a day."""
    within = latest_whole("implied_pass_days")
    passes = once(farm, _BY_UNIT, lambda: _passes(farm))
    return (name for on, name in passes.get(unit, ()) if abs((on - day).days) <= within)


def _passes(farm: FarmBook) -> dict[str, list[tuple[date, str]]]:
    """Return by field day and name of each pass that may have sown."""
    found: dict[str, list[tuple[date, str]]] = {}
    for row in farm.of(KINDS[sowing.PASSED]).values():
        day, name = _day(row.get("day")), str(row.get("operation") or "")
        if day is not None and sowing.may_sow(name):
            found.setdefault(str(row.get("unit_id") or ""), []).append((day, name))
    return found


def _sown_with(farm: FarmBook, kind: str, row: Row) -> str:
    """Return the operation by which the farm last sowed such a thing, else the plain one of the list."""
    crop = _crop(farm, row) if kind == sowing.PLANTING else ""
    alike = [
        (day, _unit(farm, one)) for one in farm.of(KINDS[kind]).values()
        if kind == sowing.PLANTING or (kind == sowing.COVER and one.get("method") in DRILLED)
        if not crop or _crop(farm, one) == crop
        if (day := _day(one.get(DAYS[kind]))) is not None
    ]  # fmt: skip
    used = (name for day, unit in sorted(alike, reverse=True) for name in _near(farm, unit, day) if sowing.sows(name))
    return next(used, PLAIN[kind])


def _day(text: object) -> date | None:
    try:
        return date.fromisoformat(str(text or ""))
    except ValueError:
        return None


# Which row closes a gap: the very one that lacks something, else what is known of the new one that would.

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
