"""How an organisation calls those it deals with, whom a typed text means, and to whom it may sell.

People say names; the book knows codes. A name shows only beside a code that stands in the organisation's own entries:
whoever types a code that it does not deal with learns nothing.
"""

from collections.abc import Iterable
from typing import Final

from provender.custody.model.entities import TRADERS, ContractKind, Entity
from provender.database.store.custody_lists import met_today, names_of, open_pending, open_slips
from provender.database.store.custody_movements import Wanted, movements_page
from provender.services.custody.context import READER, CustodyContext

SOLD_TO: Final = ("sale",)


def party_names(parties: Iterable[str]) -> dict[str, str]:
    """Return how parties of the organisation's own entries are called; one that nobody named goes by its code."""
    return names_of(parties)


def dealt_with(context: CustodyContext) -> dict[str, str]:
    """Return the names by code of all it deals with: by contract, by what it owns now, or by what waits for it."""
    more = met_today(context.id)
    if context.buys_from_farms:
        more |= {one.giver for one in open_slips(context.id)} | {one.giver for one in open_pending(context.id)}
    more -= context.partners.keys()
    return {**context.partners, **names_of(more)}


def known_as(context: CustodyContext, party: str) -> str:
    """Return the name of somebody it deals with; of a code that came from elsewhere nothing but the code."""
    return context.partners.get(party) or dealt_with(context).get(party, party)


def parties_meant(context: CustodyContext, text: str) -> frozenset[str]:
    """Return the codes of those it deals with whose name or code has every word of a text; a whole code means itself.

    Args:
        context: who asks.
        text: a name, a code, or a part of either; in any case.
    """
    wanted = text.casefold().split()
    said = ((code, f"{name} {code}".casefold()) for code, name in dealt_with(context).items())
    return frozenset(code for code, words in said if all(word in words for word in wanted)) | {text.strip()}


def buyers(context: CustodyContext) -> dict[str, str]:
    """Return the partners that may take crop from a trader: those it sold to lately first, then its recipients.

    A farm sells and never takes: it is left out. Whose own book is not open here may be one that takes.
    """
    with READER.reading() as facts:
        known = {party: facts.one(Entity, party) for party in context.partners}
    takes = {
        party: name for party, name in context.partners.items() if (one := known[party]) is None or one.may(TRADERS)
    }
    lately = [
        one.taker for one in movements_page(context.id, wanted=Wanted(SOLD_TO)).movements if one.giver == context.id
    ]
    recipients = {one.counterparty for one in context.contracts if one.role is ContractKind.RECIPIENT}
    order = list(dict.fromkeys(lately))

    def place(party: str) -> tuple[int, bool]:
        return order.index(party) if party in order else len(order), party not in recipients

    return dict(sorted(takes.items(), key=lambda pair: place(pair[0])))
