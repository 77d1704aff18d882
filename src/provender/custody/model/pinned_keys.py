"""Keys that contracts pin to parties: whose signature counts as whose."""

from datetime import date

from provender.custody.model.entities import Contract
from provender.custody.model.store_view import StoreView
from provender.problem import ProblemsError
from provender.signing.canonical import read_json
from provender.signing.keys import PublicKey


def pinned_keys(facts: StoreView, me: str, counterparty: str, day: date) -> frozenset[str]:
    """Return the fingerprints that contracts in force on a day pin to a counterparty."""
    found = set()
    for one in facts.many(Contract, me):
        if one.counterparty == counterparty and one.covers(day) and one.signing_key:
            found.add(fingerprint_of(one.signing_key))
    return frozenset(found)


def fingerprint_of(pinned: str) -> str:
    """Return the fingerprint of a pinned key: it may stand as a fingerprint or as a JWK."""
    if not pinned.lstrip().startswith("{"):
        return pinned.strip()
    try:
        return PublicKey.from_jwk(read_json(pinned.encode(), file="contract")).fingerprint
    except ProblemsError:
        return ""
