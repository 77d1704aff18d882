"""Sale slips signed on a page: the serials are assigned in the custody book in the moment the signature is verified."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

from provender.custody.documents.build import SLIP, slip_document
from provender.custody.documents.sign import TYPS
from provender.custody.events.correction import CorrectEvent
from provender.custody.events.purchase import ShareEvent, SlipEvent
from provender.custody.model.origins import Origin, Slip, origin_name
from provender.custody.model.store_view import CustodyStep
from provender.custody.store import post
from provender.database.actor import Actor, write_log
from provender.database.models import Book, Organisation, SignedSlip
from provender.database.store.custody import SqlStore
from provender.database.store.record_books import rows_of
from provender.problem import Place, Problem, ProblemsError
from provender.quantity import show
from provender.services import transparency
from provender.services.custody.entry import register_entity
from provender.services.farm.book import Edit, change_book
from provender.services.refused import refusal
from provender.signing.canonical import canonical_json
from provender.signing.hashes import sha256_hex
from provender.signing.jws import MEANING, check

CITE = "2100.031(b)"


@dataclass(frozen=True, slots=True)
class Offer:
    """What a farm sells by a slip.

    Attributes:
        crop, harvest_year: of which report.
        buyer: a first point of aggregation, or a refiner that buys from farms.
        bushels: thousandths.
        day: the day of the sale.
        contract: its number, or empty.
    """

    crop: str
    harvest_year: int
    buyer: Organisation
    bushels: int
    day: date
    contract: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """The serials of one origin that are still with the farm, thousandths of a bushel.

    Attributes:
        issued: how many there are.
        held: how many the farm still holds.
        assigned: of those, how many an open slip has assigned to a buyer.
        shares: what went to each landowner as a share, by code: the landowner sells it by slips of its own.
    """

    issued: int
    held: int
    assigned: int
    shares: Mapping[str, int] = field(default_factory=dict)

    @property
    def free(self) -> int:
        """Return how many may still be assigned."""
        return self.held - self.assigned

    @property
    def shared(self) -> int:
        """Return how many went to landowners."""
        return sum(self.shares.values())

    @property
    def sold(self) -> int:
        """Return how many are bought or stand on an open slip of the farm."""
        return max(0, self.issued - self.free - self.shared)


def bushels_left(farm: Organisation, crop: str, harvest_year: int) -> Left | None:
    """Return what is left of an origin, or None while no report is signed."""
    with SqlStore(Actor(None, "page")).reading() as facts:
        origins = facts.many(Origin, origin_name(farm.handle, crop, harvest_year))
        if not origins:
            return None
        origin = origins[0]
        held = sum(lot.crop_amount for lot in facts.lots_of(farm.handle, crop) if lot.origin == origin.id)
        slips = [slip for slip in facts.many(Slip, origin.id) if slip.giver == farm.handle]  # a landowner signs its own
        assigned = sum(stop - start for slip in slips for start, stop in slip.open_spans)
        shares = _shares(facts.steps_of(origin.id), farm.handle) if held < origin.current.bushels else {}
        return Left(origin.current.bushels, held, assigned, shares)


def _shares(steps: Iterable[CustodyStep], farm: str) -> dict[str, int]:
    """Return what went from a farm to landowners as their share, by landowner; one that was taken back is not there."""
    found: Counter[str] = Counter()
    for step in steps:
        bushels, before = step.after.crop_amount, step.before
        if before is None or before.owner == step.after.owner:
            continue
        if step.type == ShareEvent.type and before.owner == farm:
            found[step.after.owner] += bushels
        elif step.type == CorrectEvent.type and step.after.owner == farm and before.owner in found:
            found[before.owner] -= bushels
    return {owner: bushels for owner, bushels in found.items() if bushels > 0}


def next_number(farm: Organisation) -> str:
    """Return the number of the farm's next slip."""
    return f"{farm.handle}-slip-{SignedSlip.objects.filter(organisation=farm).count() + 1:04}"


def draft_slip(book: Book, offer: Offer, *, actor: Actor) -> dict[str, Any]:
    """Return the slip that the custody book would give, and assign nothing.

    Raises:
        RefusedError: the custody book refuses it, and why.
    """
    with transaction.atomic():
        document = _posted(book, offer, actor)
        transaction.set_rollback(True)
    return document


@transaction.atomic
def sign_slip(
    book: Book, offer: Offer, signature: str, *, document_hash: str, fingerprint_on_file: str, actor: Actor
) -> SignedSlip:
    """Assign the serials, verify the producer's signature over the slip, keep it, and note the sale in the book.

    Args:
        book: the farm's book.
        offer: what is sold.
        signature: the detached JWS over the slip.
        document_hash: of the slip that was signed.
        fingerprint_on_file: the key that the producer's record names.
        actor: who hands the signature in.

    Raises:
        ProblemsError: the custody book refuses the slip, other serials are free by now, or the signature does not fit.
            Nothing is written.
    """
    document = _posted(book, offer, actor)
    text = canonical_json(document)
    if sha256_hex(text) != document_hash:
        raise refusal("overtaken", "Other serials are free than when you began.", "Look again, then sign.", cite=CITE)
    found = check({"document": document, "signature": signature}, {}, typ=TYPS[SLIP])
    if found.key is None:
        cause, remedy = MEANING[found.status]
        raise ProblemsError([Problem(Place("signature"), cause, remedy, CITE, code=str(found.status))])
    if found.kid != fingerprint_on_file:
        cause, remedy = "The producer's record names another signing key.", "Sign with that key."
        raise refusal("other_key", cause, remedy, cite="2100.031(c)(3)")
    made = SignedSlip.objects.create(
        organisation=book.organisation,
        number=document["number"],
        document=text.decode(),
        document_hash=document_hash,
        signature=signature,
        at=timezone.now(),
        actor=actor.person,
    )
    change_book(book, [_sale(book, offer, made.number)], reason=f"Sale slip {made.number} signed", actor=actor)
    new = {"document": document_hash, "bushels": document["bushels"], "buyer": offer.buyer.name}
    write_log(actor, "sign sale slip", organisation=book.organisation, about=made.number, new=new)
    transparency.append(book.organisation, "sale slip", made.number, {"document": document, "signature": signature})
    return made


def _posted(book: Book, offer: Offer, actor: Actor) -> dict[str, Any]:
    """Post the slip and return its document; the caller's transaction decides whether it stands."""
    farm, store = book.organisation, SqlStore(actor)
    register_entity(offer.buyer, day=offer.day, actor=actor)
    with store.reading() as facts:
        origins = facts.many(Origin, origin_name(farm.handle, offer.crop, offer.harvest_year))
    if not origins:
        cause = "The report of this crop and harvest year is not signed."
        raise refusal("no_report", cause, "Sign the report first: it gives the bushels their serials.", cite=CITE)
    event = SlipEvent(
        id=next_number(farm),
        day=offer.day,
        giver=farm.handle,
        taker=offer.buyer.handle,
        origin=origins[0].id,
        bushels=offer.bushels,
    )
    outcome = post(store, event)
    if not outcome.status.well:
        raise refusal(str(outcome.status), outcome.message, "Change the bushels, the day or the buyer.", cite=CITE)
    with store.reading() as facts:
        return slip_document(facts, event.id, as_of=offer.day)


def _sale(book: Book, offer: Offer, number: str) -> Edit:
    farm_ids = [row.get("farm_id") for row in rows_of(book).get("farm", {}).values()]
    row = {
        "farm_id": next((str(one) for one in farm_ids if one), book.organisation.handle),
        "sale_id": number,
        "crop": offer.crop,
        "harvest_year": str(offer.harvest_year),
        "disposition": "sold_with_ci",
        "buyer": offer.buyer.name,
        "day": offer.day.isoformat(),
        "bushels": show(offer.bushels),
        "contract": offer.contract,
    }
    return Edit("sale", number, row)
