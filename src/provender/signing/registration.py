"""The statement by which the holder of a key has it put on file: signed by the key itself, for one place and day."""

from datetime import date
from typing import Final

from provender.signing.jws import sign
from provender.signing.keys import PublicKey, SigningKey

REGISTRATION: Final = "provender-key-registration"


def registration(organisation: str, producer_id: str, key: PublicKey, *, on: date) -> dict[str, object]:
    """Return what the statement says: whose key it is, where it is put on file, and when."""
    return {
        "kind": "key registration",
        "organisation": organisation,
        "producer_id": producer_id,
        "new_key": key.jwk,
        "on": on.isoformat(),
    }


def register(organisation: str, producer_id: str, key: SigningKey, *, on: date) -> dict[str, object]:
    """Return the statement, signed by the key."""
    return sign(registration(organisation, producer_id, key.public, on=on), key, typ=REGISTRATION)
