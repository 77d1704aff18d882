"""The parties of the example: their keys, what a server calls them, and their made-up square fields."""

import hashlib
import math
import subprocess
import sys
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.utils import timezone

from provender.database.choices import Role
from provender.database.models.accounts import Organisation, Person
from provender.database.models.audits import VerifierKey
from provender.database.models.farm import PartyKey, ProducerKey
from provender.database.store.record_books import rows_of
from provender.services.background import give_way
from provender.services.sealed_keys import CIPHER, IV_BYTES, KDF, LEAST_ROUNDS, SALT_BYTES
from provender.signing.jws import register
from provender.signing.keys import SigningKey, encode_base64url

FARMS: Final = 51
"""Farms of the whole chain, each with a key and a salt."""


def demo_key(party: str) -> SigningKey:
    """Return the demonstration key of a party of the example chain, the same in every run."""
    return SigningKey(private_half(party))


def private_half(party: str) -> Ed25519PrivateKey:
    """Return the private half of ``demo_key``."""
    seed = hashlib.sha256(f"provender prairie-chain demonstration key of {party}".encode()).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def demo_leaf_secret(farm: str) -> str:
    """Return the demonstration secret behind the salted leaves of a farm's reports."""
    return hashlib.sha256(f"provender prairie-chain demonstration leaves {farm}".encode()).hexdigest()


def demo_salt(seed: int, farm: str) -> str:
    """Return the demonstration salt that blinds a farm's origins."""
    return hashlib.sha256(f"provender prairie-chain demonstration salt {seed} {farm}".encode()).hexdigest()[:32]


# What the parties of the chain are called on a server: by the code of their organisation, where the id is too long.

COOP, CRUSHER, DIESEL, ETHANOL = "prairie-coop", "plains-crush", "sod-diesel", "bluestem-ethanol"
HANDLES: Final = {ETHANOL: "bluestem"}
"""Codes of parties whose id is longer than a code may be."""
PARTY_FIELDS: Final = ("entity", "giver", "taker", "counterparty")
_IDS: Final = {code: party for party, code in HANDLES.items()}


def as_posted(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event of the chain with the codes of organisations for its parties."""
    return {
        name: HANDLES.get(value, value) if name in PARTY_FIELDS and isinstance(value, str) else value
        for name, value in event.items()
    }


def key_of(code: str) -> SigningKey:
    """Return the demonstration key of a party by its code: the one that the chain's contracts name."""
    return demo_key(_IDS.get(code, code))


# Made-up square fields of the example farms.

_METRES_PER_DEGREE: Final = 111_035.0
"""Of latitude, near 39 degrees north."""
_SQUARE_METRES_PER_ACRE: Final = 4046.8564224


def square(latitude: float, longitude: float, acres: int) -> dict[str, Any]:
    """Return a square field as GeoJSON.

    Args:
        latitude: of its middle, degrees.
        longitude: of its middle, degrees.
        acres: its size, thousandths of an acre.
    """
    half = math.sqrt(acres / 1000 * _SQUARE_METRES_PER_ACRE) / 2
    tall = half / _METRES_PER_DEGREE
    wide = half / (111_320 * math.cos(math.radians(latitude)))
    west, east, south, north = longitude - wide, longitude + wide, latitude - tall, latitude + tall
    ring = (
        (west, south), (east, south), (east, north), (west, north), (west, south),
    )  # fmt: skip
    corners = [[round(x, 6), round(y, 6)] for x, y in ring]
    return {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [corners]}}


# The process in which the example's verifier asks for the elevator's books: ``python -m provender.demo.parties DAY``.


def ask_soon(day: date) -> None:
    """Start the process on the database of this one, after whatever else there is to do; does not wait for it."""
    command = [sys.executable, "-B", "-m", __name__, day.isoformat()]
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
    )
    give_way(process.pid)


def main() -> None:
    """Be that process."""
    import django

    django.setup()
    from provender.database.actor import Actor
    from provender.database.models.accounts import Person
    from provender.database.models.audits import Audit
    from provender.demo.parties import CAST, VERIFIER
    from provender.services.audits.package_worker import WHOLE
    from provender.services.audits.packages import ask, order_of

    verifier = next(one for one in CAST if one.handle == VERIFIER)
    actor = Actor(Person.objects.get(email=verifier.email), "demo")
    audit = Audit.objects.get(verifier__handle=VERIFIER)
    ask(audit, order_of(audit, WHOLE, (), date.fromisoformat(sys.argv[1]), verify=True), actor=actor)


if __name__ == "__main__":
    main()


# Who signs in to the demonstration: one account for each role, and the organisation it works for.

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


# The demonstration keys as people of the example find them in a browser: sealed under a passphrase all may know.


@cache
def _wrapping() -> tuple[bytes, bytes]:
    """Return salt and wrapping key of the example: one passphrase that all may know makes one, and slowly by design."""
    salt = hashlib.sha256(b"provender demonstration salt").digest()[:SALT_BYTES]
    return salt, hashlib.pbkdf2_hmac("sha256", PASSPHRASE.encode(), salt, LEAST_ROUNDS)


def sealed_demo_key(party: str) -> dict[str, object]:
    """Return the demonstration key of a party as a browser seals one (``signing.js``)."""
    salt, under = _wrapping()
    iv = hashlib.sha256(f"provender demonstration iv of {party}".encode()).digest()[:IV_BYTES]
    text = private_half(party).private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    sealed = AESGCM(under).encrypt(iv, text, demo_key(party).fingerprint.encode())
    made = {"salt": salt, "iv": iv, "sealed": sealed}
    return {"kdf": KDF, "rounds": LEAST_ROUNDS, "cipher": CIPHER} | {
        name: encode_base64url(value) for name, value in made.items()
    }


def seal_for_farm(farm: Organisation, holder: Person) -> None:
    """Keep the key that signed a farm's reports sealed for the person who sells there."""
    key, now = demo_key(farm.handle), timezone.now()
    rows = rows_of(farm.books.get())["producer"]
    producer = next(name for name, row in rows.items() if row.get("key_fingerprint") == key.fingerprint)
    ProducerKey.objects.create(
        organisation=farm, holder=holder, producer_id=producer, fingerprint=key.fingerprint,
        public=key.public.export(), sealed=sealed_demo_key(farm.handle),
        statement=register(farm.handle, producer, key, on=timezone.localdate()), at=now,
    )  # fmt: skip


def seal_for(rows: type[PartyKey | VerifierKey], firm: Organisation, holder: Person) -> None:
    """Register the key that signs a verifier's statements or a party's documents, sealed for the person who signs."""
    key = demo_key(firm.handle)
    rows._default_manager.create(  # noqa: SLF001 - Django has no other name for it
        organisation=firm, fingerprint=key.fingerprint, public=key.public.export(),
        sealed=sealed_demo_key(firm.handle), at=timezone.now(), actor=holder,
    )  # fmt: skip
