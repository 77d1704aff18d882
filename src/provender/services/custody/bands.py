"""Stock in bands of carbon intensity: one function for tables, charts and calls.

The national default is the one by which the reports behind the stock were reckoned, as far as they lie on this server.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from django.core.cache import cache

from provender.custody.events.allocation import shares
from provender.custody.model.origins import Origin
from provender.custody.queries.bands import Band, Defaults, band_of
from provender.database.models import CustodyLot, ReportVersion
from provender.plain import field, view
from provender.quantity import CI_SCALE, Bushels, Ci, parse, weighted_mean
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.views import StockView

KEPT_SECONDS: Final = 7 * 24 * 3600
WHOLE: Final = 1000
"""Tenths of a percent in all."""
"""How long the default of a report is kept after it was read."""


@view
class BandView:
    """What is in stock of one crop within one band of carbon intensity; without a band, of the whole crop."""

    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    band: str = field("Carbon intensity", help="Against the national default; empty for the sum of the crop.")
    bushels: Bushels = field("Bushels")
    share: int = field("Share", unit="%", help="In thousandths of the crop.")
    mean_ci_g_per_bu: Ci = field("Mean CI")
    lots: int = field("Lots")


def defaults_of(context: CustodyContext, ever: Collection[tuple[str, int]] = ()) -> dict[tuple[str, int], int]:
    """Return the national defaults that the reports behind the stock name; none of a crop where they differ.

    Args:
        context: whose stock.
        ever: crops and harvest years of which all that was ever owned counts: a period tells of what is gone too.
    """
    lots = CustodyLot.objects.filter(owner=context.id)
    if ever:
        lots = lots.filter(crop__in={crop for crop, _ in ever}, harvest_year__in={year for _, year in ever})
    else:
        lots = lots.filter(ended_by=None)
    names = lots.values_list("origin__name", flat=True).distinct()
    with READER.reading() as facts:
        origins = facts.named(Origin, list(names))
        hashes = [one.current.report for one in origins if one.current.report]
    return agreed(_named(hashes))


def agreed(named: Iterable[tuple[str, int, int]]) -> dict[tuple[str, int], int]:
    """Return the defaults of crops and years on which reports agree.

    Of two neither is more right: the stock of that crop is told by its carbon intensities.
    """
    found: dict[tuple[str, int], set[int]] = {}
    for crop, year, default in named:
        found.setdefault((crop, year), set()).add(default)
    return {what: said.pop() for what, said in found.items() if len(said) == 1}


def _named(hashes: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Yield crop, year and national default of the signed reports that name one; what is signed never changes.

    A whole report is megabytes: it is read once, and what it names is kept.
    """
    keys = {f"custody-default-{one}": one for one in hashes}
    known = cache.get_many(keys)
    absent = [one for key, one in keys.items() if key not in known]
    read = {}
    for version in ReportVersion.objects.filter(document_hash__in=absent).iterator(1) if absent else ():
        said = json.loads(version.document).get("national_default_g_per_bu")
        default = parse(said, CI_SCALE) if said else 0
        read[f"custody-default-{version.document_hash}"] = version.crop, version.harvest_year, default
    if read:
        cache.set_many(read, KEPT_SECONDS)
    yield from (one for one in (known | read).values() if one[2] > 0)


def band_in(defaults: Defaults, crop: str, harvest_year: int, ci: int) -> str:
    """Return the band of a carbon intensity in words; empty where no report behind the stock names a default."""
    default = defaults.get((crop, harvest_year))
    return str(band_of(ci, default)) if default else ""


def banded(rows: Sequence[StockView], defaults: Defaults) -> list[BandView]:
    """Return stock by crop, harvest year and band, each crop's sum before its bands; nothing of crops without one."""
    found = []
    for crop, year in sorted({(row.crop, row.harvest_year) for row in rows} & defaults.keys()):
        mine = [row for row in rows if (row.crop, row.harvest_year) == (crop, year)]
        in_bands = {
            band: within
            for band in Band
            if (within := [row for row in mine if band_in(defaults, crop, year, row.ci_g_per_bu) == band])
        }
        found.append(_view(crop, year, "", mine, WHOLE))
        parts = per_mille([sum(row.bushels for row in within) for within in in_bands.values()])
        for (band, within), share in zip(in_bands.items(), parts, strict=True):
            found.append(_view(crop, year, str(band), within, share))
    return found


def per_mille(parts: Sequence[int]) -> list[int]:
    """Return the tenths of a percent that each part is of all: they add up to the whole, as whoever reads them adds."""
    return list(shares(dict(enumerate(parts)), WHOLE).values()) if any(parts) else [0] * len(parts)


def _view(crop: str, year: int, band: str, rows: Sequence[StockView], share: int) -> BandView:
    bushels = sum(row.bushels for row in rows)
    mean = weighted_mean((row.ci_g_per_bu, row.bushels) for row in rows) or 0
    lots = sum(row.lots for row in rows)
    return BandView(
        crop=crop, harvest_year=year, band=band, bushels=bushels, share=share, mean_ci_g_per_bu=mean, lots=lots
    )
