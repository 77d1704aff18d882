"""What was sown beside the passes that sowed it: questions before a signature, and what one row lends the other's form.

Nothing of it is written unasked: a form that begins with what another row says is looked at and saved by a person.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from provender.catalog.tables import PLAIN_DRILL, PLAIN_PLANTER
from provender.days import iso_day
from provender.records.book import ONCE
from provender.records.kind import KINDS, Kind
from provender.rule.law import latest_whole
from provender.services.farm import check
from provender.services.farm.book import FarmBook, once
from provender.services.farm.verdicts import cached_result
from provender.standards.season import DRILLED
from provender.verdicts.assess import Assessment

_WHAT: Final = "sown 2"
LENT: Final[Mapping[str, frozenset[str]]] = {
    check.PASSED: frozenset({"day", "operation"}), check.PLANTING: frozenset({"planted_on"}),
    check.COVER: frozenset({"seeded_on"}),
}  # fmt: skip
"""Columns of a new row that a row of the other kind may fill."""
_DAYS: Final[Mapping[str, str]] = {check.PLANTING: "planted_on", check.COVER: "seeded_on"}
_PLAIN: Final[Mapping[str, str]] = {check.PLANTING: PLAIN_PLANTER, check.COVER: PLAIN_DRILL}
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
        if self.adds is None:
            return "Say which day is right"
        if self.adds[0] == check.PASSED:
            drilled = self.record is not None and self.record.kind == check.COVER
            return "Add the pass of the drill" if drilled else "Add the pass of the planter"
        return "Add the cover crop that was drilled" if self.adds[0] == check.COVER else "Add the planting"


def sowing_questions(farm: FarmBook) -> list[SowingQuestion]:
    """Return what does not fit together of what was sown and its passes, field by field."""
    return once(farm, _WHAT, lambda: [_question(farm, one) for one in cached_result(farm, _WHAT, _doubts)])


def sowing_questions_left(farm: FarmBook, settled: Collection[tuple[str, int | None]]) -> list[SowingQuestion]:
    """Return the same without those of harvests whose report is signed as the records stand: nobody asks again."""
    return [one for one in sowing_questions(farm) if one.harvest not in settled]


def _doubts(judged: Assessment) -> list[dict[str, Any]]:
    shown = ("unit_id", "harvest_id", "crop", "harvest_year", "cause", "remedy")
    return [
        {name: getattr(one, name) for name in shown}
        | {name: side and [side.kind, side.key] for name, side in (("record", one.record), ("sower", one.sower))}
        for one in check.sowing_doubts(judged)
    ]


def _question(farm: FarmBook, one: Mapping[str, Any]) -> SowingQuestion:
    record, sower = (RowNamed(*one[name]) if one[name] else None for name in ("record", "sower"))
    adds: tuple[str, Mapping[str, str]] | None = None
    if record is not None and sower is None:
        adds = (check.PASSED, pass_of(farm, record.kind, farm.of(KINDS[record.kind]).get(record.key, {})))
    elif record is None and sower is not None:
        adds = _what_it_sowed(one, str(farm.of(KINDS[check.PASSED]).get(sower.key, {}).get("day") or ""))
    asked_of = (one["unit_id"], one["harvest_id"], (one["crop"], one["harvest_year"]))
    return SowingQuestion(*asked_of, one["cause"], one["remedy"], record, sower, adds)


def _what_it_sowed(one: Mapping[str, Any], text: str) -> tuple[str, Mapping[str, str]]:
    """Return the kind of row that a lone pass lacks, with what is known of it: what is drilled late is a cover."""
    day = iso_day(text)
    kind = check.COVER if day is not None and day.month >= check.FALL else check.PLANTING
    field = {"unit_id": one["unit_id"]} if kind == check.COVER else {}
    return kind, {**field, "harvest_id": one["harvest_id"], _DAYS[kind]: text}


def question_of(farm: FarmBook, kind: Kind, key: str) -> SowingQuestion | None:
    """Return what is asked about one row; None where nothing is."""
    mine = RowNamed(kind.name, key)
    return next((one for one in sowing_questions(farm) if mine in (one.record, one.sower)), None)


def pass_of(farm: FarmBook, kind: str, row: Row) -> dict[str, str]:
    """Return what is known of the pass that sowed a planting or a cover crop: field, day, and what it is done with."""
    known = {
        "unit_id": _unit(farm, row),
        "day": str(row.get(_DAYS[kind]) or ""),
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
    for row in farm.of(KINDS[check.PASSED]).values():
        day, name = iso_day(row.get("day")), str(row.get("operation") or "")
        if day is not None and check.may_sow(name):
            found.setdefault(str(row.get("unit_id") or ""), []).append((day, name))
    return found


def _sown_with(farm: FarmBook, kind: str, row: Row) -> str:
    """Return the operation by which the farm last sowed such a thing, else the plain one of the list."""
    crop = _crop(farm, row) if kind == check.PLANTING else ""
    alike = [
        (day, _unit(farm, one)) for one in farm.of(KINDS[kind]).values()
        if kind == check.PLANTING or (kind == check.COVER and one.get("method") in DRILLED)
        if not crop or _crop(farm, one) == crop
        if (day := iso_day(one.get(_DAYS[kind]))) is not None
    ]  # fmt: skip
    used = (name for day, unit in sorted(alike, reverse=True) for name in _near(farm, unit, day) if check.sows(name))
    return next(used, _PLAIN[kind])


# Which row closes a gap: the very one that lacks something, else what is known of the new one that would.

Lack = Mapping[str, Any]
"""What is missing, as ``lacks_of`` has it."""
SHOWS_PASS: Final[Mapping[str, str]] = {
    "planting_without_pass": check.PLANTING, "cover_without_pass": check.COVER,
    "nutrients_without_pass": "nutrient_application",
}  # fmt: skip
"""Reasons why a pass is missing, and the kind of the row that shows it to have been made."""
NO_SOWER: Final = "no_seeding_pass"
_ENTRY: Final = "harvest_id"
_BY_CROP: Final = "rows_by_crop"


def gap_row(farm: FarmBook, of: Mapping[str, Any], lack: Lack) -> tuple[str, dict[str, str]]:
    """Return the row that lacks what a gap names, else what is known of the row that would close it.

    Args:
        farm: the book.
        of: ``unit_id`` and ``harvest_id`` of the crop.
        lack: what is missing.
    """
    kind, asked_by = KINDS[lack["kind"]], lack["asked_by"]
    if lack["column"] and lack["rows"]:
        return key_in_book(farm, kind, lack["rows"][0]), {}
    if (part := _part_of(kind)) is not None:
        return _row_of_part(farm, of, lack, *part)
    entry = asked_by if asked_by in farm.of(KINDS["harvest"]) else of[_ENTRY]
    about = {"unit_id": of["unit_id"], _ENTRY: entry}
    given = {name: text for name, text in about.items() if name in kind.fields and kind.fields[name].refers}
    if lack["reason"] in SHOWS_PASS or lack["reason"] == NO_SOWER:
        return _pass_shown(farm, given, of[_ENTRY], RowNamed(SHOWS_PASS.get(lack["reason"], ""), asked_by))
    rows = [key for key in _rows_of(farm, kind, given) if lack["column"]] if given else []
    lacking = [key for key in rows if not farm.of(kind)[key].get(lack["column"])]
    # What a crop has one row of and that says something which does not do is mended there: a second would be another.
    mended = lacking or (rows if kind.name in ONCE and len(rows) == 1 else [])
    return (mended[0], {}) if mended else ("", given)


def key_in_book(farm: FarmBook, kind: Kind, row: str) -> str:
    """Return the key by which a book keeps the row of a finding; empty where it has no such row of that kind."""
    rows, names = farm.of(kind), [name for name in kind.key_columns if name != "farm_id"]
    if row in rows or not names[1:]:
        return row if row in rows else ""
    return next((key for key, of in rows.items() if "/".join(str(of.get(name)) for name in names) == row), "")


def _pass_shown(farm: FarmBook, given: Mapping[str, str], entry: str, shown: RowNamed) -> tuple[str, dict[str, str]]:
    """Return the pass whose day differs from what it did, else what is known of the one that is missing."""
    asked = [one for one in sowing_questions(farm) if one.record is not None and one.harvest_id == entry]
    mine = next((one for one in asked if shown in (one.record, RowNamed("", ""))), None)
    if mine is not None and mine.adds is None and mine.sower is not None:
        return mine.sower.key, {}
    if mine is not None and mine.adds is not None:
        return "", {**given, **mine.adds[1]}
    row = farm.of(KINDS[shown.kind]).get(shown.key, {}) if shown.kind else {}
    if shown.kind in _DAYS:
        return "", {**given, **pass_of(farm, shown.kind, row)}
    return "", {**given, **({"day": str(row["day"])} if row.get("day") else {})}


def _rows_of(farm: FarmBook, kind: Kind, given: Mapping[str, str]) -> list[str]:
    """Return the rows of a kind that say what is given; a page of many gaps asks hundreds of times."""
    read: dict[tuple[str, ...], dict[tuple[str, ...], list[str]]] = once(farm, _BY_CROP, dict)
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
        if whole and name in kind.key_columns and _ENTRY in whole.fields and _ENTRY not in kind.fields:
            return name, whole
    return None


def _row_of_part(
    farm: FarmBook, of: Mapping[str, Any], lack: Lack, column: str, whole: Kind
) -> tuple[str, dict[str, str]]:
    """Return what is known of a part of another row that is missing: a species of a cover crop, a source of a budget.

    The other row is the one that asks for it, else one without any such part.
    """
    rows, wholes = farm.of(KINDS[lack["kind"]]).values(), farm.of(whole)
    mine = [key for key, row in wholes.items() if row.get(_ENTRY) == of[_ENTRY]]
    bare = [one for one in mine if all(row.get(column) != one for row in rows)]
    asking = [key for key in mine if lack["asked_by"] == key or lack["asked_by"].startswith(f"{key}/")]
    found = asking or bare or mine
    return "", {column: found[0]} if found else {}
