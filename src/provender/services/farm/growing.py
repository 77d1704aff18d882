"""Crops that are not harvested yet: what the records show of them so far, for pages that look ahead.

Such a crop has no verdict and stands in no report: no interval is closed by it. To show what its records say so far, it
is judged as if it were harvested at the end of its year. Whatever can only follow then, bushels and the declaration,
stays open; nothing of this enters a sum of acres, a quantity or a signature.
"""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from provender.database.actor import today
from provender.practices.assess import Assessment
from provender.practices.explain import Standing
from provender.records import KINDS
from provender.records.harvest_years import ENDINGS, NAMED_BY_YEAR, NOT_YET
from provender.report.season import COVER, COVER_ENDED, CROP, pictures, seasons
from provender.rule.crops import Crop, Practice
from provender.services.farm.book import FarmBook
from provender.services.farm.once import once
from provender.services.farm.verdicts import cached_result, judge, verdicts_of

WHAT: Final = "growing 2"
PICTURES: Final = "growing pictures 1"
HARVEST: Final = KINDS["harvest"]
LATER: Final = frozenset({"harvest", "declaration"})
"""Kinds of record that can only be written once a crop is harvested."""
NOT_HARVESTED: Final = "not harvested yet"
_TURN: Final = 7
"""The month from which a cover is seeded for the crop of the next year."""
_HARVESTED: Final = 11
"""The month from which a crop that is not harvested yet is of the next year, unless more is known."""
_LAST: Final = (12, 31)
Row = Mapping[str, object]


class Growing(NamedTuple):
    """A crop in the ground, or planned.

    Attributes:
        entry: its crop entry.
        unit: the management unit.
        crop: as its entry says it.
        year: of its harvest; None where nothing recorded says it.
    """

    entry: str
    unit: str
    crop: str
    year: int | None


def growing_crops(farm: FarmBook) -> list[Growing]:
    """Return the crops of the rule that are still to be harvested, in the order they were written."""
    return once(farm, WHAT, lambda: list(_growing(farm)))


def _growing(farm: FarmBook) -> Iterator[Growing]:
    known = {str(crop) for crop in Crop}
    for entry, row in farm.of(HARVEST).items():
        if row.get("ending") == NOT_YET and row.get("crop") in known and row.get("unit_id"):
            yield Growing(entry, str(row["unit_id"]), str(row["crop"]), _year(farm, entry, str(row["unit_id"])))


def _year(farm: FarmBook, entry: str, unit: str) -> int | None:
    """Return the year of a harvest to come: of its planting, its cover or its name, else the next of its field."""
    planted = [day for day in _days(farm, "planting", "planted_on", entry) if day]
    if planted:
        return max(planted).year
    ended = [day.year for day in _days(farm, "cover_crop", "terminated_on", entry)]
    seeded = [day.year + (day.month >= _TURN) for day in _days(farm, "cover_crop", "seeded_on", entry)]
    if ended or seeded:
        return max([*ended, *seeded])
    if called := NAMED_BY_YEAR.search(entry):
        return int(called[1])
    return _after_the_last(farm, unit)


def year_to_come(farm: FarmBook, unit: str, *, seeded_on: date | None = None) -> int:
    """Return of which year a crop is that somebody enters before it is harvested.

    Args:
        farm: the book.
        unit: its field; empty where that is not known.
        seeded_on: of the cover crop that it follows, where the entry is made for one.
    """
    if seeded_on is not None:
        return seeded_on.year + (seeded_on.month >= _TURN)
    now = today()
    return max(now.year + (now.month >= _HARVESTED), _after_the_last(farm, unit) or 0)


def _after_the_last(farm: FarmBook, unit: str) -> int | None:
    """Return the year after the last harvest of a field."""
    mine = (row for row in farm.of(HARVEST).values() if row.get("unit_id") == unit and row.get("ending") in ENDINGS)
    last = [day.year for row in mine if (day := _day(row.get("last_day") or row.get("first_day")))]
    return max(last) + 1 if last else None


def _days(farm: FarmBook, kind: str, column: str, entry: str) -> list[date]:
    rows = (row for row in farm.of(KINDS[kind]).values() if row.get("harvest_id") == entry)
    return [day for row in rows if (day := _day(row.get(column)))]


def _day(text: object) -> date | None:
    try:
        return date.fromisoformat(str(text or ""))
    except ValueError:
        return None


def growing_of(farm: FarmBook) -> list[dict[str, Any]]:
    """Return what the records show of every crop that is not harvested yet, as ``verdicts_of`` has intervals.

    Each has ``growing`` beside it, and a ``harvest_year`` of None where nothing recorded says it.
    """
    return _found(farm)["intervals"]


def growing_seasons(farm: FarmBook) -> list[dict[str, Any]]:
    """Return the season so far of every crop that is not harvested yet, as ``seasons_of`` has them."""
    return _found(farm)["seasons"]


def growing_pictures(farm: FarmBook) -> dict[str, dict[str, str]]:
    """Return the pictures of the same seasons, as ``pictures_of`` has them."""
    if not growing_crops(farm):
        return {}
    found: dict[str, dict[str, str]] = cached_result(farm, PICTURES, lambda _: _pictures(farm))
    return found


def _found(farm: FarmBook) -> dict[str, list[dict[str, Any]]]:
    if not growing_crops(farm):
        return {"intervals": [], "seasons": []}
    found: dict[str, list[dict[str, Any]]] = cached_result(farm, WHAT, lambda _: _judged(farm))
    return found


def _judged(farm: FarmBook) -> dict[str, list[dict[str, Any]]]:
    supposed, years = _supposed(farm), {one.entry: one.year for one in growing_crops(farm)}
    return {
        "intervals": [
            _lacking(farm, _of(one, years)) for one in judge(supposed)["intervals"] if one["harvest_id"] in years
        ],
        "seasons": [_so_far(_of(one, years)) for one in seasons(supposed) if one["harvest_id"] in years],
    }


def _pictures(farm: FarmBook) -> dict[str, dict[str, str]]:
    mine = {one.entry for one in growing_crops(farm)}
    return {entry: {**drawn, "lanes": ""} for entry, drawn in pictures(_supposed(farm)).items() if entry in mine}


def _of(one: dict[str, Any], years: Mapping[str, int | None]) -> dict[str, Any]:
    return {**one, "harvest_year": years[one["harvest_id"]], "growing": True}


def _lacking(farm: FarmBook, one: dict[str, Any]) -> dict[str, Any]:
    """Return a crop whose gaps do not name what its rows say already: a day waits for another that is still to come.

    What nobody claims of it and nothing was done for yet is not claimed: a crop just planted lacks nothing of it.
    """
    entry = one["harvest_id"]
    covered = any(row.get("harvest_id") == entry for row in farm.of(KINDS["cover_crop"]).values())
    practices = [
        {
            **practice,
            "standing": _standing(practice, begun=covered and practice["name"] == Practice.cover_crop),
            "findings": [
                {**each, "missing": [lack for lack in each["missing"] if not _is_said(farm, entry, lack)]}
                for each in practice["findings"]
            ],
        }
        for practice in one["practices"]
    ]
    return {**one, "practices": practices}


def _standing(practice: Mapping[str, Any], *, begun: bool) -> Standing:
    standing = Standing(practice["standing"])
    open_to_all = standing is Standing.NOT_SHOWN and practice["claimed"] is None
    return Standing.NOT_CLAIMED if open_to_all and not begun else standing


def _is_said(farm: FarmBook, entry: str, lack: Mapping[str, str]) -> bool:
    rows = [row for row in farm.of(KINDS[lack["kind"]]).values() if row.get("harvest_id") == entry]
    return bool(rows) and bool(lack["column"]) and not lack["said"] and all(row.get(lack["column"]) for row in rows)


def _so_far(one: dict[str, Any]) -> dict[str, Any]:
    """Return a season without the end that was supposed of it; a cover without a last day still stands."""
    harvested = (CROP, one["last_day"], HARVEST.name)
    ended = (event for event in one["events"] if event["lane"] != COVER or event["day"] or event["what"] != COVER_ENDED)
    kept = [event for event in ended if (event["lane"], event["day"], event["kind"]) != harvested]
    return {**one, "events": kept, "last_day": None}


def _supposed(farm: FarmBook) -> Assessment:
    """Return the book judged as if every such crop were harvested at the end of its year, one after the other."""
    rows = dict(farm.of(HARVEST))
    seen: dict[tuple[str, int], int] = {}
    for one in reversed(growing_crops(farm)):
        year = one.year or today().year
        later = seen[one.unit, year] = seen.get((one.unit, year), -1) + 1
        day = (date(year, *_LAST) - timedelta(days=later)).isoformat()
        rows[one.entry] = {**rows[one.entry], "ending": "harvested", "first_day": day, "last_day": day}
    return farm.with_rows({**farm.rows, HARVEST.name: rows}).judged


def every_crop(farm: FarmBook) -> list[dict[str, Any]]:
    """Return the crops that pages of practices show: those that were judged, then those not harvested yet."""
    return [*verdicts_of(farm)["intervals"], *growing_of(farm)]


def crop_of(farm: FarmBook, entry: str) -> dict[str, Any] | None:
    """Return the crop that an entry is of, judged or not harvested yet; None where pages of practices show none."""
    return next((one for one in every_crop(farm) if entry in one["harvest_ids"]), None)


def named(one: Mapping[str, Any]) -> str:
    """Return crop and year of an interval as pages say them."""
    return f"{one['crop']} {one['harvest_year']}" if one["harvest_year"] else str(one["crop"])


def growing_by_crop(farm: FarmBook) -> list[tuple[str, list[Growing]]]:
    """Return crop and year of what is not harvested yet as pages say them, each with its fields."""
    found: dict[str, list[Growing]] = {}
    for one in growing_crops(farm):
        found.setdefault(named({"crop": Crop(one.crop).label, "harvest_year": one.year}), []).append(one)
    return sorted(found.items())
