"""Which lots of a party somebody means: by id, or by what pages and papers print of them.

Only what the party has or had itself can be meant. To everything else there is one answer, none (interpretation 70): a
code read from another's paper opens nothing.
"""

from dataclasses import replace

from provender.custody.events.allocation import Choosing
from provender.custody.events.goods_return import ReturnEvent
from provender.custody.model.event import Event
from provender.custody.model.lot_names import PRINTED, WHOLE, lots_called, read_lot_name, whole_code
from provender.custody.model.lots import Lot
from provender.custody.model.store_view import StoreView
from provender.database.store.custody_lists import lot_named, origins_owned, origins_stored
from provender.services.custody.blinding import origin_for
from provender.services.custody.context import READER


def lots_meant(party: str, text: str) -> list[Lot]:
    """Return the lots that a party has or had and that a text means, such as ``m12/1`` or ``3f9ac2d1aa… 0-500``."""
    lot = lot_named(text)
    if lot is not None:
        # A lot of whoever bought from the party is not its own: what it sold, it asks for by its sale.
        return [lot] if party in (lot.owner, lot.custodian) else []
    asked = read_lot_name(text)
    owned = [origin for origin in origins_owned(party, asked.code) if asked.means(origin)]
    with READER.reading() as facts:
        found = [lot for name in owned for lot in lots_called(facts, name, asked, lambda one: one.owner == party)]
        # Whoever only stores serials knows their origin by a code of its own, or from the entry that brought them.
        for origin in () if found or len(asked.code) < PRINTED else origins_stored(party):
            own = asked.means(origin_for(origin, party))
            if own or asked.means(origin):
                lots = lots_called(facts, origin, asked, lambda one: party == one.custodian != one.owner)
                found += [lot for lot in lots if own or _entered(facts, lot, party)]
    return found


def _entered(facts: StoreView, lot: Lot, party: str) -> bool:
    """Tell whether a party stands in the entry that made a lot what it is, and read the code of its origin there."""
    posted = facts.posted(lot.by)
    return posted is not None and party in posted.request.parties()


def with_whole_codes(party: str, event: Event) -> Event:
    """Return an event that names lots as pages print them as one that names them by their whole codes.

    A code that means none or several of the party's origins stays as it was typed: the book answers for it.
    """
    if not isinstance(event, Choosing | ReturnEvent) or all(len(each.origin) > WHOLE for each in event.lots):
        return event
    return replace(event, lots=tuple(replace(each, origin=own_code(party, each.origin)) for each in event.lots))


def own_code(party: str, code: str) -> str:
    """Return the whole code of the party's origin that a printed one means; what means none or several as it is."""
    if len(code) > WHOLE:
        return code
    return whole_code(code, origins_owned(party, read_lot_name(code).code))
