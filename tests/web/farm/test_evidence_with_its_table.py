"""A photograph handed in together with the table that names it is the evidence that the table means."""

import pytest
from django.urls import reverse

from provender.services.farm.book import latest
from provender.services.imports.evidence import evidence_of
from tests.web.cast import Cast
from tests.web.farm.test_evidence import photograph
from tests.web.farm_season import fill_season
from tests.web.importing import file, hand_in, read_here, stored, table, wait, write

__all__ = ["read_here"]

pytestmark = pytest.mark.usefixtures("read_here")


def named(**changed: str) -> str:
    row = {"evidence_id": "EV-9", "file": "stand.jpg", "what": "photograph", "unit_id": "G70", "note": "The stand."}
    return table("evidence", row | changed)


def new_rows(cast: Cast, before: set[str]) -> dict[str, dict[str, object]]:
    return {key: row for key, row in stored(cast, "evidence").items() if key not in before}


def test_a_photograph_that_comes_with_its_table_is_linked(cast: Cast) -> None:
    fill_season(cast)
    before = set(stored(cast, "evidence"))
    begun = hand_in(cast, file("stand.jpg", photograph()), file("evidence.csv", named(file="photos\\Stand.JPG")))
    assert not [one for one in wait(begun).problems if one.code == "photo_unit"], "the table says which unit it shows"
    assert write(cast, begun) == 302
    ((key, row),) = new_rows(cast, before).items()
    assert (key, row["unit_id"], row["note"]) == ("EV-9", "G70", "The stand.")
    assert row["taken_on"] == "2025-05-04", "what the table leaves blank the file says"
    handles = {key: handle for key, _, handle in evidence_of(latest(cast.book))}
    assert handles["EV-9"]
    page = cast.client().get(reverse("farm_evidence", args=(cast.farm.handle,))).content.decode()
    assert reverse("stored_file", args=(cast.farm.handle, handles["EV-9"])) in page


def test_what_names_two_files_or_another_one_stays_as_it_is(cast: Cast) -> None:
    fill_season(cast)
    before = set(stored(cast, "evidence"))
    rows = (named(), named(evidence_id="EV-10"), named(evidence_id="EV-11", file="other.jpg"))
    lines = [rows[0].splitlines()[0], *(row.splitlines()[1] for row in rows)]
    text = "\n".join(lines) + "\n"
    write(cast, hand_in(cast, file("stand.jpg", photograph()), file("evidence.csv", text)))
    found = new_rows(cast, before)
    assert {"EV-9", "EV-10", "EV-11"} < set(found)
    assert len(found) == 4
    assert {found[key]["sha256"] for key in ("EV-9", "EV-10", "EV-11")} == {""}
