"""A cover that was seeded after the crop it names was harvested is not taken in, typed or sent."""

import datetime as dt

import pytest

from provender.problem import ProblemsError
from provender.records.kind import KINDS
from provender.services.farm.book import farm_book_of
from provender.services.farm.edits import checked_texts
from provender.web.farm.forms import RowForm
from tests.web.cast import Cast
from tests.web.farm_season import fill_season


@pytest.mark.parametrize(("days", "refused"), [(-1, False), (0, False), (1, True)])
def test_it_is_refused_where_it_is_typed_or_sent(cast: Cast, days: int, refused: bool) -> None:
    fill_season(cast)
    farm = farm_book_of(cast.farm)
    kind = KINDS["cover_crop"]
    crop, row = next((key, one) for key, one in farm.of(KINDS["harvest"]).items() if one["last_day"])
    seeded = dt.date.fromisoformat(str(row["last_day"])) + dt.timedelta(days=days)
    texts = {"cover_id": "CX", "unit_id": str(row["unit_id"]), "harvest_id": crop, "seeded_on": seeded.isoformat()}
    form = RowForm(kind, farm, None, initial={}, data={**texts, "seen_version": str(farm.version)})
    assert ("which should follow it, was harvested" in str(form.errors)) is refused
    if refused:
        with pytest.raises(ProblemsError, match="which should follow it, was harvested"):
            checked_texts(kind, texts, farm, "row")
    else:
        assert checked_texts(kind, texts, farm, "row")["harvest_id"] == crop
