"""How far a sale reaches: the files of ours that it enters from its form to SQL, and what it looks up on the way."""

import sys
from pathlib import Path
from types import FrameType
from typing import Final

import pytest
from django.test import Client

import provender
from provender.services.custody import checks, context, stock
from tests.web.cast import Cast
from tests.web.custody.asking import TODAY, sale, where
from tests.web.custody_season import Season

pytestmark = pytest.mark.django_db

OURS: Final = str(Path(provender.__file__).parent)
MOST: Final = 30
CHOICES: Final = {context.buyers, checks.slips_left, checks.pending_left, stock.available, stock.products_in_stock}
"""What fills the boxes of a form: nobody sees them where an entry is posted."""


class Entered:
    """What a request enters of ours once it has passed the middleware: within the view."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.codes: set[object] = set()
        self._view: FrameType | None = None

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if self._view is None and event == "call" and code.co_filename == f"{OURS}/web/access.py":
            self._view = frame
        elif event == "return" and frame is self._view:
            self._view = None
        if self._view is not None and event == "call" and code.co_filename.startswith(OURS):
            self.files.add(code.co_filename.removeprefix(f"{OURS}/"))
            self.codes.add(code)


def test_a_sale_enters_few_files_and_looks_up_no_choices(cast: Cast, season: Season, owner: Client) -> None:
    body = {"do": "post", "day": TODAY, **sale(cast, "40", site="north")}
    assert owner.post(where(cast, "custody_enter", "sale"), body).status_code == 302, "what is imported late is there"
    entered = Entered()
    sys.setprofile(entered)
    try:
        answer = owner.post(where(cast, "custody_enter", "sale"), body)
    finally:
        sys.setprofile(None)
    assert answer.status_code == 302
    assert len(entered.files) <= MOST, "\n".join(sorted(entered.files))
    assert not {one.__code__ for one in CHOICES} & entered.codes
