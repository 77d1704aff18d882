"""What lies in the bins of an entity's sites, as every door shows it."""

from collections.abc import Iterator
from datetime import date

from provender.custody.model.amounts import FORMS, unit_of
from provender.custody.model.store_view import StoreView
from provender.custody.queries.bins import UNCLAIMED, BinContents, bin_contents
from provender.plain import field, view
from provender.quantity import Amount, Ci


@view
class BinPartView:
    """What lies in a bin of one crop year and carbon intensity, commingled with the rest of it: an estimate.

    Grain goes out of everything in proportion. No claim lies in a bin, and no bushel here is that of one farm.
    """

    site: str = field("Site")
    bin: str = field("Bin")
    form: str = field("What")
    unit: str = field("Unit")
    harvest_year: int | None = field("Crop year", help="Of the claims its tickets stand behind; empty for other grain.")
    ci_g_per_bu: Ci | None = field("CI", help="Of those claims, as they came in; empty for grain without a claim.")
    amount: Amount = field("Amount", help="By proportion, commingled.")
    share: int = field("Share", unit="%", help="In thousandths of the bin.")
    short_amount: Amount = field("Out beyond what came", help="Tickets into this bin are missing.")


def bins(facts: StoreView, entity: str, day: date) -> list[BinPartView]:
    """Return what lies in each bin at the end of a day, an empty one too."""
    return [row for one in bin_contents(facts, entity, list(FORMS), day) for row in _rows(one)]


def _rows(one: BinContents) -> Iterator[BinPartView]:
    for kind, amount in one.mix or ((UNCLAIMED, 0),):
        known = kind != UNCLAIMED
        yield BinPartView(
            site=one.site, bin=one.bin, form=one.form, unit=unit_of(one.form),
            harvest_year=kind.harvest_year if known else None, ci_g_per_bu=kind.ci if known else None,
            amount=amount, share=amount * 1000 // one.amount if one.amount else 0, short_amount=one.short,
        )  # fmt: skip
