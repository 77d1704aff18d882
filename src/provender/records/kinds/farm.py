"""Records about the farm itself: who runs it, on what land, with what history."""

from datetime import date
from typing import Final

from provender.records import field
from provender.records.kind import Record, kind

_CONTROL_BASES: Final = ("owner", "hired_manager", "cash_tenant", "share_tenant", "partner")
_PARTY_RELATIONS: Final = (
    "landlord",
    "partner",
    "household",
    "consultant",
    "custom_operator",
    "common_members",
    "service_provider",
)
_LAND_USES: Final = ("cropland", "hay", "pasture", "rangeland", "forest", "conservation_reserve", "wetland", "other")
_TILLAGE_HISTORY: Final = ("no_till", "tilled")


@kind("farm", "Farm", "The business that grows and harvests the crop.", cite="2100.031(c)(1)")
class Farm(Record):
    """One row per farm."""

    name: str = field.text("Farm name", cite="2100.031(c)(1)", required=True)
    county_fips: str | None = field.text(
        "County FIPS code", "Five digits, such as 20177; not the FSA code.", cite="2100.020(a)(1)"
    )
    county: str | None = field.text("County", cite="2100.031(c)(1)")
    state: str | None = field.text("State", "Two letters, such as KS.", cite="2100.031(c)(1)")
    country: str | None = field.text(
        "Country", "Two letters; it says how 5/4/2026 is read. Blank stands for US.", later=True
    )


@kind("producer", "Farm producers", "People who make decisions for the farm operation.", cite="2100.031(c)(1)")
class Producer(Record):
    """One row per person."""

    producer_id: str = field.key("Producer", "A short name, such as P1.")
    name: str = field.text("Full name", cite="2100.031(c)(1)", required=True)
    role: str | None = field.choice(_CONTROL_BASES, "Role", cite="2100.002")
    operational_control: bool | None = field.yes_no(
        "Operational control", "Makes the day-to-day decisions.", cite="2100.031(c)(3)(i)"
    )
    key_fingerprint: str | None = field.text(
        "Signing key", "The fingerprint of the key that signs; making a key on the page fills it."
    )


@kind("control", "Operational control", "Who runs which unit, since when.", cite="2100.031(c)(3)(i)")
class Control(Record):
    """One row per unit, person and period of control."""

    control_id: str = field.key("Entry")
    unit_id: str = field.refers("unit", "Management unit")
    producer_id: str = field.refers("producer", "Farm producer")
    basis: str | None = field.choice(_CONTROL_BASES, "Basis", cite="2100.002")
    since: date = field.day("Since", required=True)
    until: date | None = field.day("Until", "Blank while it lasts.")


@kind("related_party", "Related parties", "Landlords, partners, consultants, common members.", cite="2100.041")
class RelatedParty(Record):
    """One row per person or organisation that is not the farm but touches its crop or its records."""

    party_id: str = field.key("Party")
    name: str = field.text("Name", required=True)
    relation: str = field.choice(_PARTY_RELATIONS, "Relation", required=True)
    share_pct: int | None = field.quantity(
        "pct", "Share of the crop", "A landlord's share, in percent.", most="100",
        when=field.only("relation", "landlord", "partner"),
    )  # fmt: skip


@kind(
    "unit", "Management units", "Fields or groups of fields managed alike; each in one county.", cite="2100.020(a)(4)"
)
class Unit(Record):
    """One row per field or management unit."""

    unit_id: str = field.key("Management unit", "Unique for the farm, such as N40.", cite="2100.031(c)(2)(i)")
    name: str | None = field.text("Name")
    acres: int | None = field.quantity("acres", "Acres", least="0.001", most="100000", cite="2100.020(a)(4)")
    county_fips: str | None = field.text(
        "County FIPS code", "Five digits; a unit in two counties is split.", cite="2100.020(a)(1)"
    )
    boundary: str | None = field.text(
        "Boundary file", "A GeoJSON or zipped shapefile in boundaries/.", cite="2100.051(c)(1)"
    )
    parcel_id: str | None = field.text(
        "Parcel",
        "The land itself, which keeps its promises when units split or merge; several are set apart by semicolons.",
        cite="2100.031(c)(3)(vi)",
    )
    fsa_field: str | None = field.text(
        "FSA farm, tract and field", "Three numbers, such as 4711-1203-2.", cite="2100.051(c)(1)", later=True
    )
    legal_description: str | None = field.text(
        "Legal description", "Such as NE1/4 of section 12, T11S R15E.", cite="2100.051(c)(1)", later=True
    )


@kind("land_use", "Land-use history", "What the land was used for, year by year.", cite="2100.031(c)(3)(vii)")
class LandUse(Record):
    """One row per unit and year."""

    unit_id: str = field.refers("unit", "Management unit", part=True)
    year: int = field.whole("Year", least=1980, most=2100, required=True, part=True)
    land_use: str = field.choice(_LAND_USES, "Land use", required=True)


@kind(
    "crop_history", "Crop history from above", "What a satellite saw on a unit, year by year; it proves nothing.",
    cite="2100.031(c)(3)(vii)",
)  # fmt: skip
class CropHistory(Record):
    """One row per unit and year, out of USDA's Crop Sequence Boundaries; it is shown and never judged."""

    unit_id: str = field.refers("unit", "Management unit", part=True)
    year: int = field.whole("Year", least=1980, most=2100, required=True, part=True)
    code: int = field.whole("Code", "Of the Cropland Data Layer.", least=0, most=255, required=True)
    cover: str | None = field.text("What was seen")
    share_pct: int | None = field.quantity(
        "pct", "Share of the unit", "On which the area with this history lies.", most="100"
    )


@kind("tillage_history", "Tillage history", "No-till or tilled, by parcel and year.", cite="2100.031(c)(3)(vi)")
class TillageHistory(Record):
    """One row per parcel and harvest year before or beside this book."""

    parcel_id: str = field.text("Parcel", required=True, part=True)
    harvest_year: int = field.whole("Harvest year", least=1980, most=2100, required=True, part=True)
    tillage: str = field.choice(_TILLAGE_HISTORY, "Tillage", required=True)


@kind(
    "enrolment", "Program enrollments", "Other programs a unit is in; cost share is no sale.", cite="2100.031(c)(3)(v)"
)
class Enrolment(Record):
    """One row per unit and program."""

    enrolment_id: str = field.key("Enrolment")
    unit_id: str = field.refers("unit", "Management unit")
    program: str = field.text("Program", required=True)
    sells_benefit: bool | None = field.yes_no(
        "Sells the GHG benefit", "Yes when the program buys or retires it.", cite="2100.031(c)(3)(v)"
    )
    since: date | None = field.day("Since")
    until: date | None = field.day("Until")
    first_crop_year: int | None = field.whole(
        "First crop year", "Of those whose benefit it takes; they count before the days.", least=2020, most=2100,
        cite="2100.031(c)(3)(v)", later=True,
    )  # fmt: skip
    last_crop_year: int | None = field.whole(
        "Last crop year", "Blank where only the first was sold.", least=2020, most=2100, cite="2100.031(c)(3)(v)",
        later=True,
    )  # fmt: skip


@kind("word", "Words of the farm", "What the farm calls implements, products, species.", cite="2100.051(c)(2)")
class Word(Record):
    """One row per name: asked once, and remembered for every file to come. A field goes by what files call it."""

    about: str = field.choice(
        ("operation", "product", "species", "inhibitor", "unit"), "Name of", required=True, part=True
    )
    typed: str = field.text("As typed", "As the farm writes it.", required=True, part=True)
    means: str = field.text("Means", "The name of the list, or the field.", required=True)


@kind("evidence", "Evidence", "Photographs, papers and machine files that rows rest on.", cite="2100.051(c)")
class Evidence(Record):
    """One row per file in the evidence folder."""

    evidence_id: str = field.key("Evidence number")
    file: str = field.text("File", "A name inside evidence/.", required=True)
    what: str = field.choice(
        (
            "photograph",
            "invoice",
            "receipt",
            "seed_tag",
            "printout",
            "machine_file",
            "laboratory_report",
            "form",
            "map",
            "usda_record",
            "contract",
            "ticket",
            "other",
        ),
        "What it is",
        required=True,
    )
    unit_id: str | None = field.refers(
        "unit", "Management unit", "The unit it shows, when it shows one.", required=False
    )
    taken_on: date | None = field.day("Day of the document or photograph")
    sha256: str | None = field.text(
        "SHA-256", "Filled when the file is taken in; a later change of the file is then visible."
    )
