"""Who signs in to the demonstration: one account for each role, and the organisation it works for."""

from typing import Final, NamedTuple

from provender.database.choices import Role
from provender.demo.handles import COOP, CRUSHER, DIESEL, ETHANOL, HANDLES

VERIFIER, CONSULTANT = "verifiers", "tall-grass"
PASSPHRASE: Final = "prairie demo passphrase"  # noqa: S105 - it opens nothing but made-up keys


class DemoPart(NamedTuple):
    """One organisation that somebody may sign in to, and who that is."""

    handle: str
    organisation: str
    roles: tuple[Role, ...]
    county: str
    person: str
    email: str
    what: str


CAST: Final[tuple[DemoPart, ...]] = (
    DemoPart("farm-01", "Abel Creek Farm", (Role.FARM,), "Pottawatomie", "Ada Abel", "ada@farm.example", "farm"),
    DemoPart(
        COOP, "Prairie Cooperative Elevator", (Role.FIRST_POINT,), "Riley", "Eli Bins", "eli@elevator.example",
        "elevator",
    ),
    DemoPart(
        CRUSHER, "Plains Crushing", (Role.PROCESSOR, Role.INTERMEDIARY), "Shawnee", "Cora Press",
        "cora@crusher.example", "crusher",
    ),
    DemoPart(DIESEL, "Sod Renewable Diesel", (Role.REFINER,), "Geary", "Ray Fuel", "ray@diesel.example", "oil refiner"),
    DemoPart(
        HANDLES[ETHANOL], "Bluestem Ethanol", (Role.FIRST_POINT, Role.REFINER), "Dickinson", "Etta Still",
        "etta@ethanol.example", "ethanol refiner",
    ),
    DemoPart(
        VERIFIER, "Prairie Verification (made up)", (Role.VERIFIER,), "Shawnee", "Vic Check", "vic@verifier.example",
        "verifier",
    ),
    DemoPart(
        CONSULTANT, "Tall Grass Agronomy", (), "Riley", "Connie Walker", "connie@agronomy.example", "consultant",
    ),
)  # fmt: skip
