"""Delivery of a farm's reports to their buyers: who bought, and when each was given the report (2100.031(c))."""

from datetime import date

from provender.database.models import ReportVersion
from provender.plain import field, view
from provender.practices.assess import Assessment
from provender.practices.deliveries import Delivery, deliveries
from provender.services.farm.book import FarmBook
from provender.services.farm.verdicts import cached_result


@view
class DeliveryView:
    """A buyer of reduced-CI crop, and the report's way to them."""

    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    buyer: str = field("Buyer")
    sale: str = field("Sale", help="The first to this buyer; a delivery names it.")
    sold_on: date | None = field("Sold")
    given_on: date | None = field("Report given", help="None while no delivery is recorded.")
    how: str = field("How")

    @property
    def days(self) -> tuple[date | None, date | None]:
        """Return the day of the sale and that of the delivery."""
        return self.sold_on, self.given_on


def deliveries_of(farm: FarmBook) -> list[DeliveryView]:
    """Return every buyer of the book's reduced-CI crop, the first sale first within a crop and year."""
    return [DeliveryView(**one | {name: _day(one[name]) for name in ("sold_on", "given_on")})
            for one in cached_result(farm, "deliveries 1", _told)]  # fmt: skip


def awaited(farm: FarmBook) -> list[DeliveryView]:
    """Return the buyers without a recorded delivery whose report is signed."""
    signed = set(ReportVersion.objects.filter(book=farm.book).values_list("crop", "harvest_year"))
    return [one for one in deliveries_of(farm) if one.given_on is None and (one.crop, one.harvest_year) in signed]


def _told(judged: Assessment) -> list[dict[str, object]]:
    return [_plain(one) for one in deliveries(judged.book)]


def _plain(one: Delivery) -> dict[str, object]:
    days = {
        name: day.isoformat() if day else "" for name, day in (("sold_on", one.sold_on), ("given_on", one.given_on))
    }
    how = (one.how or "").replace("_", " ")
    said = {"crop": one.crop, "harvest_year": one.harvest_year, "buyer": one.buyer, "sale": one.sale_id, "how": how}
    return said | days


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None
