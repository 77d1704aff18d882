"""What a field shows of a crop, in sentences: for whoever just saved a row of it, and where a crop has no verdict."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from provender.days import iso_day
from provender.records.book import ENDINGS, NAMED_BY_YEAR, year_of
from provender.records.kind import KINDS, Kind
from provender.rule.crops import Crop, Practice
from provender.services.farm.book import FarmBook, once
from provender.services.farm.check import why_against
from provender.services.farm.growing import HARVEST, LATER, When, crop_of, growing_crops, name_of_crop, time_of
from provender.services.farm.sown import Lack, gap_row
from provender.services.farm.verdicts import lacks_of
from provender.verdicts.words import Standing, requirements_of

_COVER: Final = KINDS["cover_crop"]
MOST: Final = 6
"""Missing things that a message names; the field's page has all."""
STANDS: Final = {
    Standing.MET: "met",
    Standing.CONTRADICTED: "your records say otherwise",
    Standing.WAITING: "waiting for the producer",
    Standing.NOT_SHOWN: "not shown yet",
    Standing.RULED_OUT: "cannot be met",
    Standing.NOT_CLAIMED: "not claimed",
    Standing.NOT_FOR_CROP: "not for this crop",
}
ENDED: Final = {
    "terminated": "This crop was given up: there is no harvest to claim a practice for.",
    "prevented": "Its planting was prevented: there is no harvest to claim a practice for.",
    "fallow": "The field lay fallow: there is no harvest to claim a practice for.",
}


class FieldSays(NamedTuple):
    """What a field shows."""

    words: str  # in sentences
    entry: str  # the crop entry whose page shows it whole
    practice: str = ""  # the practice it is about; empty where it is about all


def field_says(farm: FarmBook, kind: Kind, row: Mapping[str, object]) -> FieldSays | None:
    """Return what the field shows after a row was saved; None where the row is of no crop that is still to come.

    Of a cover crop it says how its practice stands, whatever crop follows.
    """
    if kind.name == "cover_species":
        kind, row = _COVER, farm.of(_COVER).get(str(row.get("cover_id") or ""), {})
    entry = str(row.get("harvest_id") or "")
    crop = crop_of(farm, entry) if entry else None
    if crop is None:
        return None
    if kind is _COVER:
        return _of_cover(farm, crop, row)
    if not crop.get("growing"):
        return None
    return FieldSays(f"{name_of_crop(crop)} on {crop['unit_id']} is not harvested yet.", crop["harvest_id"])


def _of_cover(farm: FarmBook, crop: Mapping[str, Any], row: Mapping[str, object]) -> FieldSays:
    unit, entry = crop["unit_id"], crop["harvest_id"]
    if row.get("unit_id") != unit:
        words = f"The crop that follows is of {unit}: a cover crop on {row.get('unit_id')} earns nothing there."
        return FieldSays(words, entry)
    (practice,) = [one for one in crop["practices"] if one["practice"] == Practice.cover_crop]
    standing = Standing(practice["standing"])
    words = f"Cover crop on {unit} before {name_of_crop(crop).lower()}: {STANDS[standing]}."
    if standing in (Standing.RULED_OUT, Standing.CONTRADICTED):
        words += f" {why_against(crop, practice)}"
    elif lacks := _labels(_due(farm, crop, practice)):
        named_lacks = ", ".join(lacks[:MOST])
        many = len(lacks) > MOST
        words += f" Still missing, among others: {named_lacks}." if many else f" Still missing: {named_lacks}."
    return FieldSays(words, entry, str(Practice.cover_crop))


def _labels(missing: Sequence[Lack]) -> list[str]:
    """Return what is missing by its name in the form, of the cover itself first."""
    own = sorted(missing, key=lambda one: one["kind"] not in (_COVER.name, "cover_species"))
    return list(dict.fromkeys((one["column_label"] or one["label"]).lower() for one in own))


def _due(farm: FarmBook, crop: Mapping[str, Any], practice: Mapping[str, Any]) -> Sequence[Lack]:
    """Return each record that a practice lacks, once: what is written before the harvest and due by now."""
    every = [one for one in lacks_of(requirements_of(crop, practice)) if one["kind"] not in LATER]
    if not crop.get("growing"):
        return every
    rows = ((one, gap_row(farm, crop, one)[0]) for one in every)
    return [one for one, key in rows if time_of(farm, crop, one, key).when is not When.LATER]


def why_no_verdict(farm: FarmBook, entry: str) -> str:
    """Return why pages of practices show nothing of a crop entry; empty where there is no such entry."""
    row = farm.of(HARVEST).get(entry)
    if row is None:
        return ""
    if row.get("crop") not in {str(crop) for crop in Crop}:
        return "Practices are judged for corn, soybeans and sorghum; another crop only parts their seasons."
    ending = str(row.get("ending") or "")
    if ending in ENDED:
        return ENDED[ending]
    if ending in ENDINGS and not (row.get("last_day") or row.get("first_day")):
        return "Its harvest has no day of harvest yet: add the first and the last day to its entry."
    return "It was harvested before the rule was in force: it gets no verdict and only begins the next season."


# Years of a field between two of its crops of which no crop is entered: a season must not run over them unsaid.

READ: Final = "empty years"
_EMPTY_YEARS_MOST: Final = 10
"""Years back from the last crop of a field that are looked at: an old entry of a wrong year asks for no more."""
WORK: Final[Mapping[str, str]] = {"operation": "day", "nutrient_application": "day", "cover_crop": "seeded_on"}
"""Kinds of what is done on a field, with the column of its day."""


class EmptyYear(NamedTuple):
    """A year of a field without a crop."""

    unit_id: str  # which
    year: int  # which
    worked: bool  # whether something done on the field in that year is recorded: the next crop's season holds it

    @property
    def words(self) -> str:
        return f"{self.year}: no crop entered" if self.worked else f"{self.year}: nothing entered"


def empty_years(farm: FarmBook) -> list[EmptyYear]:
    """Return the years between the first and the last crop of each field that have none, field by field.

    A crop entry whose year nobody can tell may be of any: its field has no year that is known to be empty. A year that
    lay fallow, or whose planting was prevented, has an entry that says so.
    """
    return once(farm, READ, lambda: list(_empty(farm)))


def empty_years_of(farm: FarmBook, unit: str) -> list[EmptyYear]:
    return [one for one in empty_years(farm) if one.unit_id == unit]


def before_crop(years: Iterable[EmptyYear], unit: str, harvest_year: int | None) -> list[EmptyYear]:
    """Return the empty years over which the season of a crop would run: those right before its own, in order."""
    mine = {one.year: one for one in years if one.unit_id == unit}
    found = []
    year = (harvest_year or 0) - 1
    while year in mine:
        found.append(mine[year])
        year -= 1
    return found[::-1]


def _empty(farm: FarmBook) -> Iterable[EmptyYear]:
    to_come = {one.entry: one.year for one in growing_crops(farm)}
    years: dict[str, set[int | None]] = {}
    for entry, row in farm.of(HARVEST).items():
        year = to_come[entry] if entry in to_come else _year(entry, row)
        years.setdefault(str(row.get("unit_id") or ""), set()).add(year)
    for unit, found in years.items():
        known = sorted(year for year in found if year is not None)
        if unit and len(known) == len(found):
            first = max(known[0], known[-1] - _EMPTY_YEARS_MOST)
            missing = (year for year in range(first, known[-1]) if year not in found)
            yield from (EmptyYear(unit, year, _is_worked(farm, unit, year)) for year in missing)


def _year(entry: str, row: Mapping[str, object]) -> int | None:
    """Return the year of a crop entry by its days, else by its name."""
    year = year_of(iso_day(row.get("first_day")), iso_day(row.get("last_day")))
    if year is None and (called := NAMED_BY_YEAR.search(entry)):
        return int(called[1])
    return year


def _is_worked(farm: FarmBook, unit: str, year: int) -> bool:
    return any(
        row.get("unit_id") == unit and str(row.get(column) or "").startswith(f"{year}-")
        for kind, column in WORK.items() for row in farm.of(KINDS[kind]).values()
    )  # fmt: skip
