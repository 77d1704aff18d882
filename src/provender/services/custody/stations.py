"""A station of a chain as one organisation may see it."""

from datetime import date

from provender.plain import field, view
from provender.quantity import Bushels


@view
class StationView:
    """One change of hands of serials, or of their form, as the reader may see it (interpretation 45)."""

    lot: str = field("Lot")
    origin: str = field("Origin")
    day: date = field("Day")
    type: str = field("What")
    giver: str = field("From")
    taker: str = field("To")
    form: str = field("As")
    state: str = field("State")
    start_bu: Bushels = field("Serials")
    stop_bu: Bushels = field("Serial after the last")
    bushels: Bushels = field("Bushels", help="Of crop: as many as serials.")
