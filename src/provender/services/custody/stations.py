"""A station of a chain as one organisation may see it."""

from datetime import date

from provender.plain import field, view
from provender.quantity import Bushels, Ci


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


@view
class FarmShareView:
    """What of the bushels of a trace is of one origin; ``ci_g_per_bu`` is None where it is not the viewer's to know."""

    farm: str = field("Farm", help="By name where the viewer dealt with it itself.")
    origin: str = field("Origin")
    harvest_year: int = field("Harvest year")
    bushels: Bushels = field("Bushels", help="Of crop: as many as serials.")
    share_pct: str = field("Share", unit="%", help="With one decimal; all shares add up to 100.")
    ci_g_per_bu: Ci | None = field("CI", unit="g CO2e/bu")
