"""Who signs in to the demonstration: one account for each role, and the organisation it works for."""

import hashlib
from functools import cache
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.utils import timezone

from provender.database.choices import Role
from provender.database.models.accounts import Organisation, Person
from provender.database.models.audits import VerifierKey
from provender.database.models.farm import PartyKey, ProducerKey, rows_of
from provender.demo.parties import COOP, CRUSHER, DIESEL, ETHANOL, HANDLES, demo_key, private_half
from provender.services.sealed_keys import CIPHER, IV_BYTES, KDF, LEAST_ROUNDS, SALT_BYTES
from provender.signing.jws import register
from provender.signing.keys import encode_base64url

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
