"""What an event takes of a stock, in one look."""

from collections.abc import Sequence

from provender.custody.model.event import Event
from provender.custody.queries.bands import NONE_KNOWN, Band, Defaults
from provender.plain import field, view
from provender.quantity import Bushels, Ci, weighted_mean
from provender.services.custody.bands import band_in, per_mille
from provender.services.custody.context import READER
from provender.services.custody.sale_order import limits_in
from provender.services.custody.views import LotView


@view
class TakenShare:
    """Part of what an event takes: bushels of one band or carbon intensity, or of all further ones together."""

    ci_g_per_bu: Ci | None = field("CI", help="None for a band, and for all further ones.")
    band: str = field("Against the national default", help="Empty where no report behind the stock names it.")
    bushels: Bushels = field("Bushels")
    share: int = field("Share", help="In thousandths of the whole.")


@view
class TakenView:
    """What an event takes, in one look: how much, at which mean, of how many origins; lowest carbon intensity first."""

    bushels: Bushels = field("Bushels")
    mean_ci_g_per_bu: Ci = field("Mean CI")
    origins: int = field("Origins")
    lots: int = field("Lots")
    shares: tuple[TakenShare, ...] = field("By carbon intensity")


def taken_view(lots: Sequence[LotView], defaults: Defaults = NONE_KNOWN, *, most: int = 3) -> TakenView | None:
    """Return lots in one look, by band where all their defaults are known, else by at most so many intensities.

    Returns:
        None where nothing is taken.
    """
    by_ci: dict[int, int] = {}
    for lot in lots:
        by_ci[lot.ci_g_per_bu] = by_ci.get(lot.ci_g_per_bu, 0) + lot.stop_bu - lot.start_bu
    whole, mean = sum(by_ci.values()), weighted_mean(by_ci.items())
    if mean is None:
        return None
    if all((lot.crop, lot.harvest_year) in defaults for lot in lots):
        shares = _bands(lots, defaults)
    else:
        shares = _intensities(by_ci, whole, most)
    return TakenView(
        bushels=whole,
        mean_ci_g_per_bu=mean,
        origins=len({lot.origin for lot in lots}),
        lots=len(lots),
        shares=shares,
    )


def limits_of(event: Event) -> tuple[int | None, int | None]:
    """Return the carbon intensities between which an event takes lots: its own limits, and those of its contract."""
    with READER.reading() as facts:
        return limits_in(facts, event)


def _bands(lots: Sequence[LotView], defaults: Defaults) -> tuple[TakenShare, ...]:
    found = dict.fromkeys(map(str, Band), 0)
    for lot in lots:
        found[band_in(defaults, lot.crop, lot.harvest_year, lot.ci_g_per_bu)] += lot.stop_bu - lot.start_bu
    there = {band: amount for band, amount in found.items() if amount}
    return tuple(
        TakenShare(ci_g_per_bu=None, band=band, bushels=amount, share=share)
        for (band, amount), share in zip(there.items(), per_mille(list(there.values())), strict=True)
    )


def _intensities(by_ci: dict[int, int], whole: int, most: int) -> tuple[TakenShare, ...]:
    largest = sorted(by_ci, key=lambda ci: -by_ci[ci])[: most if len(by_ci) <= most else most - 1]
    parts: list[tuple[int | None, int]] = [(ci, by_ci[ci]) for ci in sorted(largest)]
    if rest := whole - sum(amount for _, amount in parts):
        parts.append((None, rest))
    return tuple(
        TakenShare(ci_g_per_bu=ci, band="", bushels=amount, share=share)
        for (ci, amount), share in zip(parts, per_mille([amount for _, amount in parts]), strict=True)
    )
