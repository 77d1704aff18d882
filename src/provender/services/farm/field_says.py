"""What a field shows of a crop, in sentences: for whoever just saved a row of it, and where a crop has no verdict."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from provender.practices.explain import Standing
from provender.records import KINDS, Kind
from provender.records.harvest_years import ENDINGS
from provender.rule.crops import Crop, Practice
from provender.services.farm.against import why_against
from provender.services.farm.book import FarmBook
from provender.services.farm.gap_rows import gap_row
from provender.services.farm.growing import HARVEST, LATER, crop_of, named
from provender.services.farm.growing_asks import When, time_of

COVER: Final = KINDS["cover_crop"]
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
    """What a field shows.

    Attributes:
        words: in sentences.
        entry: the crop entry whose page shows it whole.
        practice: the practice it is about; empty where it is about all.
    """

    words: str
    entry: str
    practice: str = ""


def field_says(farm: FarmBook, kind: Kind, row: Mapping[str, object]) -> FieldSays | None:
    """Return what the field shows after a row was saved; None where the row is of no crop that is still to come.

    Of a cover crop it says how its practice stands, whatever crop follows.
    """
    if kind.name == "cover_species":
        kind, row = COVER, farm.of(COVER).get(str(row.get("cover_id") or ""), {})
    entry = str(row.get("harvest_id") or "")
    crop = crop_of(farm, entry) if entry else None
    if crop is None:
        return None
    if kind is COVER:
        return _of_cover(farm, crop, row)
    if not crop.get("growing"):
        return None
    return FieldSays(f"{named(crop)} on {crop['unit_id']} is not harvested yet.", crop["harvest_id"])


def _of_cover(farm: FarmBook, crop: Mapping[str, Any], row: Mapping[str, object]) -> FieldSays:
    unit, entry = crop["unit_id"], crop["harvest_id"]
    if row.get("unit_id") != unit:
        words = f"The crop that follows is of {unit}: a cover crop on {row.get('unit_id')} earns nothing there."
        return FieldSays(words, entry)
    (practice,) = [one for one in crop["practices"] if one["name"] == Practice.cover_crop]
    standing = Standing(practice["standing"])
    words = f"Cover crop on {unit} before {named(crop).lower()}: {STANDS[standing]}."
    if standing in (Standing.RULED_OUT, Standing.CONTRADICTED):
        words += f" {why_against(practice)}"
    elif lacks := _labels(_due(farm, crop, practice)):
        named_lacks = ", ".join(lacks[:MOST])
        many = len(lacks) > MOST
        words += f" Still missing, among others: {named_lacks}." if many else f" Still missing: {named_lacks}."
    return FieldSays(words, entry, str(Practice.cover_crop))


def _labels(missing: Sequence[Mapping[str, str]]) -> list[str]:
    """Return what is missing by its name in the form, of the cover itself first."""
    own = sorted(missing, key=lambda one: one["kind"] not in (COVER.name, "cover_species"))
    return list(dict.fromkeys((one["label"] or one["kind_label"]).lower() for one in own))


def _due(farm: FarmBook, crop: Mapping[str, Any], practice: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    """Return the same without what only a later step of a growing crop's season brings."""
    every = still_to_do(practice)
    if not crop.get("growing"):
        return every
    rows = ((one, gap_row(farm, crop, one)[0]) for one in every)
    return [one for one, key in rows if time_of(farm, crop, one, key).when is not When.LATER]


def still_to_do(practice: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    """Return each record that a practice lacks and that can be written before the harvest, once."""
    missing = (record for finding in practice["findings"] for record in finding["missing"])
    return list({tuple(one.items()): one for one in missing if one["kind"] not in LATER}.values())


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
