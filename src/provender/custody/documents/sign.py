"""Signing the documents of subpart D: each kind of statement has a name of its own in the signature's header."""

from collections.abc import Mapping
from typing import Final

from provender.custody.documents.build import PERIOD, RESTATEMENT, SLIP, TRANSFER
from provender.custody.documents.notice import NOTICE
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.events.consent import CONSENT
from provender.signing.jws import sign
from provender.signing.keys import SigningKey

TYPS: Final[Mapping[str, str]] = {
    name: f"{name}+json" for name in (TRANSFER, SLIP, PERIOD, RESTATEMENT, NOTICE, CONSENT, FIGURES)
}
"""The ``typ`` under which each type of document is signed, so that one never counts as another."""


def sign_document(document: Mapping[str, object], key: SigningKey) -> dict[str, object]:
    """Return the signed envelope of a document of this room.

    Raises:
        KeyError: the document is of another type.
    """
    return sign(document, key, typ=TYPS[str(document["type"])])
