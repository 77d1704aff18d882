"""Silences and honest reports that were refused, each beside its neighbor."""

import re
from typing import Final

from tests.proof import changes as c
from tests.proof.outcome import COVER, NO, NUTRIENTS, YES, Cases

SYNTHETIC: Final = (
    "Super U", "SUPER-U", "28%", "Thio-Sul", "CAN 17", "Fish UAN 28", "Urea46", "NH4NO3", "AMS 21", "15-15-15",
    "U.A.N. 32", "UN-32", "Fish 28-0-0", "32% N", "N-Sol 32", "28% at 30% moisture",
    "Sustane urea 8-2-4", "Nature Safe 28-0-0", "Chilean nitrate and UAN",
)  # fmt: skip
ORGANIC: Final = (
    "Fish emulsion 5-1-1", "Feather meal 13-0-0", "Poultry litter 3-2-2", "Poultry litter, 30% moisture",
    "Dairy manure 28% solids", "Compost 32 % moisture", "Beef manure 46% dry matter", "Sustane 8-2-4",
    "Nature Safe 13-0-0", "Perdue AgriRecycle 4-3-2", "Turkey pellets 4-2-3", "Pelletized chicken 5-4-3",
    "Soy meal 7-1-2", "Alfalfa meal 3-1-2", "Blood 12-0-0", "Chilean nitrate 15-0-2",
)  # fmt: skip
"""Products whose nitrogen is said not to be synthetic; of each kind a case below is a whole farm."""
NOWHERE: Final = (
    "North 40", "back 40", "Field 1", "Quarter horse pasture", "Route 12, box 4", "East 80 and West 40",
    "behind the barn", "785-555-0123", "2026-04-01", "Parcel 4",
)  # fmt: skip
SOMEWHERE: Final = (
    "NE1/4 of section 12, T11S R15E", "NW4 12-11-16", "SW1/4 12-110N-35W", "N½ 12-11S-15E", "NW4 12-11S-15E",
    "12-11S-15E", "Southeast Quarter of Section Twelve", "Parcel 12-34-400-005", "Sec. 12, Twp 11 S, Rge 15 E",
    "Lot 4, Block 2 of Hill", "Abstract 123, J. Smith Survey", "S 12 T11S R15E",
)  # fmt: skip
"""A unit placed by words alone."""
NO_NUMBER: Final = (
    "2026-04-01", "4/1/2026", "785-555-0123", "1-785-555-0123", "(785) 555-0123", "1 785 555 0123", "0-0-0",
    "4711-1203", "Tract 1203 Field 2", "10/12/24",
)  # fmt: skip
NUMBER: Final = (
    "4711-1203-2", "farm 4711, tract 1203, field 2A", "20-177-4711-1203-2", "4711-1203-2, 3",
    "4711-1203-2, 4711-1203-3", "Tract 1203 Field 2 Farm 4711", "KS 20177 4711 1203 2", "20177-4711-1203-2",
    "Farm 4711 Tract 1203 CLU 2 (2025)", "10-12-24", "4711 1203 0002", "4711-1203-2 and 4711-1203-3", "Farm 26 T4 F1",
)  # fmt: skip
"""A unit placed by farm, tract and field alone."""


def killed(day: str) -> c.Change:
    """Let frost kill the cover."""
    return c.of("cover_crop", termination_method="winter_kill", terminated_on=day)


def grown(product: str) -> c.Change:
    """Spread what is said not to be synthetic, beside a budget that knows it."""
    manure = re.search("(?i)litter|manure|pellet", product)
    source = "manure" if manure else "compost" if "Compost" in product else "organic_by_product"
    knows = c.source(source, present="yes", n_lb_per_ac="30")
    declared = c.of("declaration", manure_applied="yes" if manure else "no")
    return c.both(c.spread(product, "30"), knows, declared)


def sprayed(n: str) -> c.Change:
    """Put ammonium sulfate into the tank of a spray."""
    row = {"application_id": "A3", "product": "AMS", "method": "with_herbicide", "n_lb_per_ac": n,
           "day": "2025-06-10", "inhibitor": "none", "inhibitor_rate": ""}  # fmt: skip
    return c.both(c.like("nutrient_application", 0, **row), c.a_pass("2025-06-10", c.SPRAYER))


def cut(use: str, bushels: str, **cells: str) -> c.Change:
    """Cut a third unit for another use."""
    row = {"harvest_id": "W25", "unit_id": "W10", "crop": "corn", "use": use, "ending": "harvested",
           "first_day": "2025-10-18", "last_day": "2025-10-18", "bushels": bushels}  # fmt: skip
    field = {"unit_id": "W10", "name": "West", "acres": "10", "county_fips": "20177", "boundary": "w.geojson"}
    whole = c.both(c.more("unit", **field), c.more("harvest", **row | cells), c.of("reported_acres", acres="62"))
    if use == "silage":
        return c.both(whole, c.like("reported_acres", report_id="A2", what="silage", acres="10"))
    # Corn at 30 % is as much dry matter as 70 / 84.5 of it at 15.5 %.
    return c.both(whole, c.like("bushel_total", total_id="B5", what="fed", bushels="1656.804"))


def used(bushels: str, disposition: str) -> c.Change:
    """Use some of it otherwise than by a sale with its CI."""
    return c.sold(sale_id="S2", disposition=disposition, buyer="", bushels=bushels)


def neighbors_slip() -> c.Change:
    """Let a cover crop of the other unit name this one's photograph."""
    mine = c.of("evidence", c.COVER, unit_id="N40")
    return c.both(mine, c.like("cover_crop", cover_id="C9", unit_id="S12", harvest_id="S25"), c.more_rye())


WHERE: Final = "where it lies and its acres"
BINS: Final = c.stored("bin_measurement", "3500")
CORE: Final[Cases] = {
    "1.7 a name of urea, said not to be synthetic": (grown("Super U"), NO, "denies what"),
    "1.7 a grade, said not to be synthetic": (grown("15-15-15"), NO, "denies what"),
    "1.7 litter": (grown("Poultry litter 3-2-2"), YES, ""),
    "1.7 compost": (grown("Compost 32 % moisture"), YES, ""),
    "1.7 meal": (grown("Feather meal 13-0-0"), YES, ""),
    "1.7 mined nitrate": (grown("Chilean nitrate 15-0-2"), YES, "and the rule does not define the word"),
    "1.7 a reduction beside traces": (
        c.both(c.left_out(), sprayed("1.9"), c.of("nutrient_budget", planned_n_lb_per_ac="150")), YES, "",
    ),
    "1.8 winter kill on the day of seeding": (killed("2024-10-09"), NO, COVER),
    "1.8 winter kill before seeding": (killed("2024-10-01"), NO, COVER),
    "1.8 winter kill in September": (
        c.both(c.of("cover_crop", seeded_on="2024-09-20"), c.of("operation", c.DRILL, day="2024-09-20"),
               killed("2024-09-28")), NO, COVER,
    ),
    "1.8 winter kill after the photograph": (killed("2024-12-12"), YES, ""),
    "1.1 a neighbor's slip": (neighbors_slip(), YES, ""),
    "1.3 bins measured within their own allowance": (
        c.both(c.counted("settlements", "9650", "6000"), BINS), YES, "",
    ),
    "1.3 and beyond both allowances": (
        c.both(c.counted("settlements", "9740", "6000"), BINS), NO, "Settlements are for 240 bu more",
    ),
    "1.3 one harvest over two scales": (
        c.both(c.weighed(buyer="Own scale", net_bushels="9500"), c.weighed(ticket_id="T2", net_bushels="9500"),
               c.sold()), YES, "",
    ),
    "1.3 two buyers' scales beyond it": (
        c.both(c.weighed(net_bushels="9000"), c.weighed(ticket_id="T2", buyer="Mill", net_bushels="9000"), c.sold(),
               c.sold(sale_id="S2", buyer="mill", bushels="500")), NO, "The scale tickets weigh 18,000 bu",
    ),
    "1.10 grain sold and silage fed": (
        c.both(cut("silage", "1800"), c.sold(bushels="9500"), used("1800", "fed")), YES, "",
    ),
    "1.10 grain sold and silage fed that nobody weighed": (
        c.both(cut("silage", ""), c.sold(bushels="9500"), used("900", "fed")), YES, "",
    ),
    "1.10 wet corn fed by its wet bushels": (
        c.both(cut("high_moisture", "2000", moisture_pct="30"), c.sold(bushels="9500"), used("2000", "fed")), YES, "",
    ),
    "1.10 more fed than was cut": (
        c.both(cut("silage", "1800"), c.sold(bushels="9500"), used("2000", "fed")), NO, "sold, used or lost of a",
    ),
    "1.10 sold by tickets within their allowance": (
        c.both(c.sold(bushels="9500"), used("95", "sold_without_claim")), YES, "",
    ),
    "1.10 and beyond it": (
        c.both(c.sold(bushels="9500"), used("96", "sold_without_claim")), NO, "9,596 bu are sold of a harvest of",
    ),
    "1.10 a claim beyond the report": (c.sold(bushels="9501"), NO, "9,501 bu are sold as reduced-CI crop of a"),
    "1.10 placed by a name": (c.of("unit", boundary="", legal_description=NOWHERE[0]), NO, WHERE),
    "1.10 placed by its section": (c.of("unit", boundary="", legal_description=SOMEWHERE[0]), YES, ""),
    "1.10 numbered by a telephone": (c.of("unit", boundary="", fsa_field=NO_NUMBER[2]), NO, WHERE),
    "1.10 numbered by farm, tract and field": (c.of("unit", boundary="", fsa_field=NUMBER[0]), YES, ""),
    **{f"1.10 an expert of {work}": (c.opinion(works_on=work), NO, NUTRIENTS) for work in
       ("soybeans", "plant_disease", "weeds", "other")},
    **{f"1.10 an expert of all crops, {work}": (c.opinion(works_on=work), YES, "") for work in
       ("field_crops", "soil_fertility", "nutrient_management")},
}  # fmt: skip
