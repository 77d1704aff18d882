"""Signing the documents of subpart D: each kind of statement has a name of its own in the signature's header."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from provender.custody.documents.build import PERIOD, RESTATEMENT, SLIP, TRANSFER
from provender.custody.documents.consents import NOTICE
from provender.custody.documents.read import document_of, type_of
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.events.trade import CONSENT
from provender.custody.model.entities import Contract, Entity, fingerprint_of
from provender.custody.model.store_view import StoreView
from provender.problem import Place, Problem, Weight
from provender.report.typ import TYP as REPORT_TYP
from provender.report.typ import TYPE as REPORT
from provender.signing.jws import MEANING, Status, check, sign
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


# Whether the documents laid beside books are signed by whom they say, as far as anybody pinned that party's key.
#
# A book pins keys in its contracts; whoever reconciles may name further keys that are known. A key that nobody named is
# *signer unknown*: the document is compared all the same, and said to be so.

_TYPS: Mapping[str, str] = {**TYPS, REPORT: REPORT_TYP}
_DAYS = ("title_date", "day", "closed_on", "made_on")
DOUBTFUL = frozenset({Status.NOT_SIGNED, Status.SIGNER_UNKNOWN})
"""What is told and still compared; a document with any other fault was not written by whom it names."""


@dataclass(slots=True)
class Pinned:
    """Keys that somebody knows."""

    # contracts that pin a key, by the party that signs with it
    by_party: dict[str, list[Contract]] = field(default_factory=lambda: defaultdict(list))
    named: set[str] = field(default_factory=set)  # fingerprints of keys named by whoever asks, whosever they are

    def add_book(self, facts: StoreView) -> None:
        """Add the keys that the contracts of a book pin."""
        for entity in facts.many(Entity, ""):
            for one in facts.many(Contract, entity.id):
                if one.signing_key:
                    self.by_party[one.counterparty].append(one)

    def add(self, other: "Pinned") -> None:
        """Add the keys that somebody else knows."""
        for party, contracts in other.by_party.items():
            self.by_party[party] += contracts
        self.named |= other.named

    def knows(self, party: str, fingerprint: str, day: date | None, made: date | None = None) -> bool:
        """Tell whether a key is that party's on a day, by a contract then in force, or was named.

        Of a paper made on a day of its own a contract with the key has not ended by then either.
        """
        mine = [one for one in self.by_party.get(party, ()) if fingerprint_of(one.signing_key) == fingerprint]
        on_day = any(day is None or one.covers(day) for one in mine)
        return fingerprint in self.named or (on_day and not all(made and one.ended_by(made) for one in mine))


def signature_of(raw: object, pinned: Pinned) -> Status | None:
    """Return what checking a document's signature found; None for a document of a kind that nobody signs here."""
    typ = _TYPS.get(type_of(raw))
    if typ is None:
        return None
    if not isinstance(raw, Mapping) or "document" not in raw:
        return Status.NOT_SIGNED
    found = check(raw, {}, typ=typ)
    inner = document_of(raw)
    if found.status is not Status.SIGNER_UNKNOWN or found.key is None or not isinstance(inner, Mapping):
        return found.status
    known = pinned.knows(_signer(inner), found.kid, _day(inner, *_DAYS), made_on(inner))
    return check(raw, {found.kid: found.key}, typ=typ).status if known else found.status


def _signer(document: Mapping[str, object]) -> str:
    for name, key in (("seller", "id"), ("farm", "farm_id"), ("entity", "id"), ("refiner", "id")):
        part = document.get(name)
        if isinstance(part, Mapping):
            return str(part.get(key, ""))
    return ""


def _day(document: Mapping[str, object], *names: str) -> date | None:
    for name in names:
        try:
            return date.fromisoformat(str(document.get(name, "")))
        except ValueError:
            continue
    return None


def made_on(document: Mapping[str, object]) -> date | None:
    """Return the day on which a paper says that it was made."""
    return _day(document, "made_on")


def signature_problem(status: Status, file: str) -> Problem | None:
    """Return what to tell about a signature: nothing where it is valid."""
    if status is Status.VALID:
        return None
    cause, remedy = MEANING[status]
    if status not in DOUBTFUL:
        cause = f"{cause} It was left out."
    weight = Weight.CONFIRM if status in DOUBTFUL else Weight.ERROR
    return Problem(Place(file), cause, remedy, "2100.032(a)", weight, code=str(status))
