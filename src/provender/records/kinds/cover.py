"""Records of cover crops and their seed."""

from datetime import date
from typing import Final

from provender.records import field
from provender.records.kind import AS_TYPED, Record, kind

_SEEDING_METHODS: Final = (
    "drilled",
    "broadcast",
    "broadcast_incorporated",
    "aerial",
    "by_hand",
    "interseeded",
    "precision",
    "other",
)
_TERMINATION_METHODS: Final = (
    "winter_kill",
    "herbicide",
    "roller_crimper",
    "mowing",
    "tillage",
    "grazing",
    "mechanical_harvest",
    "burning",
    "other",
)


@kind("cover_crop", "Cover crops", "Each cover crop, with the production crop that follows it.", cite="2100.052(b)(3)")
class CoverCrop(Record):
    """One row per seeding; it belongs to the production crop that follows (interpretation 15)."""

    cover_id: str = field.key("Cover crop")
    unit_id: str = field.refers("unit", "Management unit")
    harvest_id: str = field.refers("harvest", "Crop entry that follows", cite="2100.052(b)(7)")
    seeded_on: date | None = field.day("Seeding date", cite="2100.052(b)(3)")
    method: str | None = field.choice(_SEEDING_METHODS, "Seeding method", cite="2100.052(b)(3)")
    seeded_acres: int | None = field.quantity("acres", "Acres seeded", most="100000", cite="2100.052(b)(4)")
    depth_in: int | None = field.quantity("in", "Seeding depth", most="12", cite="2100.052(a)(1)")
    suits_site: bool | None = field.yes_no(
        "Suits soil and site", "Species, rate, date, depth and method fit this site.", cite="2100.052(a)(1)"
    )
    suits_site_source: str | None = field.text(
        "By whose guidance", "State guide, agronomist, NRCS plan.", cite="2100.052(a)(1)",
        when=field.only("suits_site", "yes"),
    )  # fmt: skip
    established_photo: str | None = field.refers(
        "evidence", "Photograph of establishment", required=False, cite="2100.052(b)(5)"
    )
    establishment_verified_by: str | None = field.choice(
        ("site_visit", "video", "remote_sensing", "photograph"), "Establishment shown by", cite="2100.052(c)"
    )
    terminated_on: date | None = field.day(
        "Termination date", "For winter kill, the day it was seen dead.", cite="2100.052(b)(6)"
    )
    termination_method: str | None = field.choice(_TERMINATION_METHODS, "Termination method", cite="2100.052(b)(6)")
    planted_green: bool | None = field.yes_no("Planted green", cite="2100.052(a)(6)")


@kind("cover_species", "Cover-crop species", "What was in the mix, and how much of it.", cite="2100.052(b)(3)")
class CoverSpecies(Record):
    """One row per cover crop and species."""

    cover_id: str = field.refers("cover_crop", "Cover crop", part=True)
    species: str = field.text("Species", "A name of the cover-crop list.", required=True, part=True)
    as_typed: str | None = field.text("As typed", AS_TYPED, later=True)
    rate_lb_per_ac: int | None = field.quantity("lb/ac", "Seeding rate", most="1000", cite="2100.052(b)(3)")


@kind(
    "seed_purchase", "Cover-crop seed", "Seed bought or kept, to hold against the area seeded.", cite="2100.052(b)(1)"
)
class SeedPurchase(Record):
    """One row per purchase, receipt or bin of own seed."""

    purchase_id: str = field.key("Purchase")
    species: str = field.text("Species", required=True)
    as_typed: str | None = field.text("As typed", AS_TYPED, later=True)
    pounds: int | None = field.quantity("lb", "Pounds", most="10000000", cite="2100.052(b)(1)")
    received_on: date | None = field.day("Received on", cite="2100.052(b)(1)")
    supplier: str | None = field.text("Supplier")
    bin_run: bool | None = field.yes_no("Own seed", "Bin-run seed counts with other evidence.")
