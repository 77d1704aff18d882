"""A document is taken for what it says only where what its readers walk through has the right form."""

from datetime import date
from typing import Final

import pytest

from provender.audit.outcome import Form, fits

FORM: Final[Form] = {"number": str, "day": date, "lines": list, "lines/*": dict, "lines/*/bushels": int}


@pytest.mark.parametrize(
    ("document", "right"),
    [
        ({"number": "1"}, True),
        ({"number": "1", "day": "2026-11-21", "lines": [{"bushels": 5}, {}], "more": 5}, True),
        ({"number": "1", "day": None, "lines": None}, True),
        ({"number": 1}, False),
        ({"number": None}, False),
        ({}, False),
        ({"number": "1", "day": "2026-13-21"}, False),
        ({"number": "1", "day": 20261121}, False),
        ({"number": "1", "lines": {"0": {}}}, False),
        ({"number": "1", "lines": [[]]}, False),
        ({"number": "1", "lines": [{"bushels": True}]}, False),
        ([{"number": "1"}], False),
        (None, False),
    ],
)
def test_a_form_holds_where_each_member_that_is_there_has_its_type(document: object, right: bool) -> None:
    assert fits(document, FORM, ("number",)) is right
