"""Records of quantification and sale: calculator runs, totals to check against, every disposition."""

from datetime import date
from typing import Final

from provender.records import field
from provender.records.kind import Record, kind

FEEDSTOCKS: Final = ("corn", "soybeans", "sorghum")
_TILLAGES: Final = ("conventional", "reduced_till", "no_till")
_TIMINGS: Final = ("as_usual", "no_fall_application", "split_in_season")
_STATUSES: Final = ("final", "beta")
COUNTS: Final = ("scale_tickets", "settlements", "bin_measurement")
"""What is a count of its own."""
_TOTALS: Final = (*COUNTS, "fed", "kept_for_seed", "on_hand", "landlord_share", "silage", "lost")
_ACREAGES: Final = ("report", "silage", "abandoned", "landlord_share", "other")
"""An acreage report, and what explains that the units have other acres."""
_DISPOSITIONS: Final = (
    "sold_with_ci",
    "sold_without_claim",
    "fed",
    "kept_for_seed",
    "lost",
    "in_storage",
    "landlord_share",
)
HANDED: Final = ("in_person", "by_post", "by_email", "by_link")


@kind("calculator_run", "Calculator runs", "Results of USDA FD-CIC, each with its printout.", cite="2100.031(c)(2)(i)")
class CalculatorRun(Record):
    """One row per unit, crop and run; the printout is evidence."""

    run_id: str = field.key("Run")
    unit_id: str = field.refers("unit", "Management unit", cite="2100.020(a)")
    harvest_id: str = field.refers("harvest", "Crop entry")
    calculator: str = field.text("Calculator", "USDA FD-CIC.", cite="2100.020(a)", required=True)
    version: str = field.text("Version", "As the printout shows it.", required=True)
    status: str = field.choice(_STATUSES, "Status of the version", required=True)
    run_on: date | None = field.day("Run on")
    county_fips: str | None = field.text("County FIPS code entered", cite="2100.020(a)(1)")
    crop: str | None = field.choice(FEEDSTOCKS, "Crop entered", cite="2100.020(a)(2)")
    acres: int | None = field.quantity("acres", "Acres entered", most="100000", cite="2100.020(a)(4)")
    yield_bu_per_ac: int | None = field.quantity("bu/ac", "Yield entered", most="1000", cite="2100.020(a)(3)")
    tillage: str | None = field.choice(_TILLAGES, "Tillage entered", cite="2100.020(a)(5)")
    cover_crop: bool | None = field.yes_no("Cover crop entered", cite="2100.020(a)(6)")
    n_timing: str | None = field.choice(_TIMINGS, "Timing of N entered", cite="2100.020(a)(7)")
    inhibitor: bool | None = field.yes_no("Nitrification inhibitor entered", cite="2100.020(a)(8)")
    ci_g_per_bu: int | None = field.quantity(
        "g CO2e/bu", "CI of the unit", scale=2, least="-100000", most="100000", cite="2100.031(c)(2)(i)"
    )
    farm_ci_g_per_bu: int | None = field.quantity(
        "g CO2e/bu",
        "Farm CI printed",
        "The weighted average on the printout.",
        scale=2,
        least="-100000",
        most="100000",
        cite="2100.020(c)",
    )


@kind("national_default", "National default CI", "The calculator's value for conventional crop.", cite="2100.020(b)")
class NationalDefault(Record):
    """One row per crop, calculator and version, entered once with its source."""

    crop: str = field.choice(FEEDSTOCKS, "Crop", required=True, part=True)
    calculator: str = field.text("Calculator", required=True, part=True)
    version: str = field.text("Version", required=True, part=True)
    ci_g_per_bu: int = field.quantity("g CO2e/bu", "Default CI", scale=2, least="-100000", most="100000", required=True)
    source: str = field.text("Source", "Printout or page it was read from.", required=True)


@kind("reported_acres", "Reported acres", "FSA-578 or crop insurance, to check completeness.", cite="2100.020")
class ReportedAcres(Record):
    """One row per crop, harvest year and report."""

    report_id: str = field.key("Report")
    crop: str = field.choice(FEEDSTOCKS, "Crop", required=True)
    harvest_year: int = field.whole("Harvest year", least=2020, most=2100, required=True)
    acres: int = field.quantity("acres", "Acres reported", most="10000000", required=True)
    source: str | None = field.text("Source", "FSA-578, insurance.")
    what: str | None = field.choice(
        _ACREAGES, "What it is", "Blank for the report; the others explain, with evidence, acres not harvested.",
        later=True,
    )  # fmt: skip


@kind("bushel_total", "Bushel totals", "Tickets, bins, feed and seed, to check completeness.", cite="2100.020")
class BushelTotal(Record):
    """One row per crop, harvest year and source."""

    total_id: str = field.key("Total")
    crop: str = field.choice(FEEDSTOCKS, "Crop", required=True)
    harvest_year: int = field.whole("Harvest year", least=2020, most=2100, required=True)
    what: str = field.choice(
        _TOTALS, "Source", "On hand: bushels of this crop still in storage at the count.", required=True
    )
    bushels: int = field.quantity("bu", "Bushels", most="1000000000", required=True)


@kind("scale_ticket", "Scale tickets", "Loads over a scale, as printed.", cite="2100.031(b)")
class ScaleTicket(Record):
    """One row per load; the same ticket behind two origins is a finding (interpretation 34)."""

    ticket_id: str = field.key("Ticket")
    buyer: str = field.text("Where weighed", required=True)
    day: date | None = field.day("Date")
    crop: str | None = field.choice(FEEDSTOCKS, "Crop")
    harvest_year: int | None = field.whole("Harvest year", least=2020, most=2100)
    net_lb: int | None = field.quantity("lb", "Net weight", most="1000000")
    moisture_pct: int | None = field.quantity("pct", "Moisture", most="60", share=True)
    net_bushels: int | None = field.quantity("bu", "Net bushels printed", most="100000")
    unit_id: str | None = field.refers("unit", "Management unit of origin", required=False)


@kind("sale", "Sales and dispositions", "Where every bushel went.", cite="2100.031(b)")
class Sale(Record):
    """One row per sale or other use."""

    sale_id: str = field.key("Sale")
    crop: str = field.choice(FEEDSTOCKS, "Crop", required=True)
    harvest_year: int = field.whole("Harvest year", least=2020, most=2100, required=True)
    disposition: str = field.choice(_DISPOSITIONS, "Disposition", required=True)
    buyer: str | None = field.text("Buyer", cite="2100.031(b)")
    day: date | None = field.day("Date", cite="2100.031(b)")
    bushels: int = field.quantity("bu", "Bushels", most="1000000000", cite="2100.031(b)", required=True)
    contract: str | None = field.text("Contract")


@kind("report_delivery", "Reports delivered", "To which buyer the signed report went, and when.", cite="2100.031(c)")
class ReportDelivery(Record):
    """One row per delivery; the sale says which buyer, crop and year. A receipt may be its evidence."""

    delivery_id: str = field.key("Delivery")
    sale_id: str = field.refers("sale", "Sale", "The sale to this buyer; one delivery serves all to the same buyer.")
    day: date = field.day("Date", required=True)
    how: str = field.choice(HANDED, "How it was given", required=True)
