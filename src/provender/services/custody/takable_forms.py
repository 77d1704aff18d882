"""Forms that an entry may take from stock: for boxes that offer them."""

from provender.custody.events.allocation import Choosing
from provender.custody.model.amounts import FORMS
from provender.custody.model.event import Event
from provender.services.custody.context import CustodyContext
from provender.services.custody.stock import USES, available


def takes_from_stock(cls: type[Event]) -> bool:
    """Tell whether a type of event takes claims from stock, of a crop or of a product of it."""
    return cls.type in USES and issubclass(cls, Choosing)


def products_in_stock(context: CustodyContext, crop: str) -> set[str]:
    """Return the products in stock that are made of a crop; of any where none is said."""
    here = {form for form, _, _ in available(context)}
    return {form for form in here if form != FORMS[form].crop and crop in ("", FORMS[form].crop)}
