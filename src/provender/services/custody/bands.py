"""Stock in bands of carbon intensity: one function for tables, charts and calls.

The national default is the one by which the reports behind the stock were reckoned, as far as they lie on this server.
"""

import json
from collections.abc import Mapping, Sequence

from provender.custody.model.origins import Origin
from provender.custody.queries.bands import Band, band_of
from provender.database.models import CustodyLot, ReportVersion
from provender.plain import field, view
from provender.quantity import CI_SCALE, Bushels, Ci, half_even, parse
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.views import StockView

Crops = Mapping[tuple[str, int], int]
"""National defaults by crop and harvest year, hundredths of a gram per bushel."""


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


def defaults_of(context: CustodyContext) -> dict[tuple[str, int], int]:
    """Return the national defaults that the reports behind the stock name, the last signed one of each crop."""
    stock = CustodyLot.objects.filter(owner=context.id, ended_by=None)
    names = stock.values_list("origin__name", flat=True).distinct()
    with READER.reading() as facts:
        origins = facts.named(Origin, list(names))
        hashes = [one.current.report for one in origins if one.current.report]
    found: dict[tuple[str, int], int] = {}
    for version in ReportVersion.objects.filter(document_hash__in=hashes).order_by("at"):
        said = json.loads(version.document).get("national_default_g_per_bu")
        if said and (default := parse(said, CI_SCALE)) > 0:
            found[version.crop, version.harvest_year] = default
    return found


def band_in(defaults: Crops, crop: str, harvest_year: int, ci: int) -> str:
    """Return the band of a carbon intensity in words; empty where no report behind the stock names a default."""
    default = defaults.get((crop, harvest_year))
    return str(band_of(ci, default)) if default else ""


def banded(rows: Sequence[StockView], defaults: Crops) -> list[BandView]:
    """Return stock by crop, harvest year and band, each crop's sum before its bands; nothing of crops without one."""
    found = []
    for crop, year in sorted({(row.crop, row.harvest_year) for row in rows} & defaults.keys()):
        mine = [row for row in rows if (row.crop, row.harvest_year) == (crop, year)]
        whole = sum(row.bushels for row in mine)
        found.append(_view(crop, year, "", mine, whole))
        for band in Band:
            within = [row for row in mine if band_in(defaults, crop, year, row.ci_g_per_bu) == band]
            if within:
                found.append(_view(crop, year, str(band), within, whole))
    return found


def _view(crop: str, year: int, band: str, rows: Sequence[StockView], whole: int) -> BandView:
    bushels = sum(row.bushels for row in rows)
    mean = half_even(sum(row.ci_g_per_bu * row.bushels for row in rows), bushels) if bushels else 0
    share = bushels * 1000 // whole if whole else 0
    lots = sum(row.lots for row in rows)
    return BandView(
        crop=crop, harvest_year=year, band=band, bushels=bushels, share=share, mean_ci_g_per_bu=mean, lots=lots
    )
