"""Who an organisation deals with: contracts with their pinned keys, verifications, and what the book says of itself."""

from provender.custody.events.statement import verified
from provender.custody.model.entities import GROWERS, Contract, Entity, Verification
from provender.custody.model.pinned_keys import fingerprint_of
from provender.custody.model.store_view import StoreView
from provender.rule import Crop
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.views import ClosedSiteView, ContractView, EntityView, VerificationView


def entity(context: CustodyContext) -> EntityView:
    """Return what the book says of the organisation."""
    known = context.entity
    closed = tuple(
        ClosedSiteView(site=one.site, closed=one.closed, event=one.by)
        for one in context.closed_sites.values()
        if one.closed
    )
    roles = tuple(map(str, known.roles))
    return EntityView(entity=known.id, name=known.name, roles=roles, sites=known.sites, closed_sites=closed)


def contracts(context: CustodyContext) -> list[ContractView]:
    """Return the contracts on file in the order in which they were first stated, and each partner's verification."""
    with READER.reading() as facts:
        return [_contract(facts, context, contract) for contract in context.contracts]


def _contract(facts: StoreView, context: CustodyContext, contract: Contract) -> ContractView:
    return ContractView(
        number=contract.id, counterparty=contract.counterparty, name=context.named(contract.counterparty),
        role=str(contract.role), start=contract.start, end=contract.end, signing_key=contract.signing_key,
        fingerprint=fingerprint_of(contract.signing_key) if contract.signing_key else "",
        verified_crops=_verified_crops(facts, context, contract),
    )  # fmt: skip


def _verified_crops(facts: StoreView, context: CustodyContext, contract: Contract) -> tuple[str, ...] | None:
    """Return the crops of a partner that a statement covers today; None for a farm, whose report needs none."""
    partner = facts.one(Entity, contract.counterparty)
    if partner is None or partner.may(GROWERS):
        return None
    return tuple(str(crop) for crop in Crop if verified(facts, partner, context.today, crop))


def verifications(context: CustodyContext) -> list[VerificationView]:
    """Return the statements that cover the organisation itself, in the order in which they were entered."""
    with READER.reading() as facts:
        return [
            VerificationView(
                number=each.id, opinion=str(each.opinion), start=each.start, end=each.end,
                crops=tuple(str(crop) for crop in each.crops),
            )
            for each in facts.many(Verification, context.id)
        ]  # fmt: skip
