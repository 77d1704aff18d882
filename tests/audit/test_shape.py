"""A document is taken for what it says only where what its readers walk through has the right form."""

from datetime import date
from typing import Final

from provender.audit.outcome import Form, fits
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

FORM: Final[Form] = {"number": str, "day": date, "lines": list, "lines/*": dict, "lines/*/bushels": int}


@ROWS
def test_a_form_holds_where_each_member_that_is_there_has_its_type(document: object, right: bool) -> None:
    assert fits(document, FORM, ("number",)) is right
