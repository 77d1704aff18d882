"""Forms that an entry may take from stock, and crops with what is made of them: for boxes that offer them."""

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


def forms_of_stock(context: CustodyContext) -> list[tuple[str, str]]:
    """Return the crops in stock and the products of each, with their units; all of them where nothing lies there."""
    here = {FORMS[form].crop for form, _, _ in available(context)}
    return [(one.name, one.unit) for one in FORMS.values() if one.claims and (not here or one.crop in here)]
