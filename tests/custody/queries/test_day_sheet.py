"""The sheet of a day where claims lie in another's house: what the close would say, and nothing of what is its own."""

from datetime import date

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.queries.alerts import AlertKind, alerts
from provender.custody.queries.day_sheet import Light, day_sheet, sheet_document, sheet_text
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, bought, ev, posted, run, serials

DAY = date(2026, 2, 1)


def in_the_tank(measured: str | None) -> MemoryStore:
    """Two houses have beans in the tank of a third: 100 bushels of coop, 50 of mill."""
    store = MemoryStore()
    posted(store, [*CAST, *REPORTS])
    posted(store, bought("b1", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north"))
    posted(store, bought("b2", "ben", "mill", BEN_SOY, "50", day="2026-01-05", site="mill"))
    for owner, origin, bushels in (("coop", ADA_SOY, 100), ("mill", BEN_SOY, 50)):
        away = {"custodian": "tank", "lots": [serials(origin, 0, bushels)]}
        posted(store, [ev("storage", f"st-{owner}", "2026-01-06", owner=owner, **away)])
    if measured is not None:
        entry = ev("measurement", "m1", "2026-01-20", entity="tank", site="tank", form="soybeans", amount=measured)
        posted(store, [{**entry, "number": "M-1"}])
    return store


@pytest.mark.parametrize(
    ("measured", "light"),
    [(None, Light.NO_GRAIN_BOOK), ("149.999", Light.SHORT), ("150", Light.COVERED), ("0", Light.SHORT)],
)
def test_the_light_in_another_house_is_that_of_its_close_and_tells_no_amount(
    measured: str | None, light: Light
) -> None:
    store = in_the_tank(measured)
    with store.reading() as facts:
        coop = facts.one(Entity, "coop")
        assert coop is not None
        sheet = day_sheet(facts, coop, DAY)
    (there,) = [one for one in sheet.places if one.place[0] == "tank"]
    assert (there.light, there.claims, there.grain, there.measured) == (light, 100_000, None, None)
    said = f"{sheet_document(sheet)} {sheet_text(sheet)}"
    assert not any(secret in said for secret in ("150", "149.999", "'50'")), "what others have there is theirs"


def test_in_its_own_house_all_claims_are_held_against_the_grain() -> None:
    store = in_the_tank("149.999")
    with store.reading() as facts:
        tank = facts.one(Entity, "tank")
        assert tank is not None
        (there,) = day_sheet(facts, tank, DAY).places
    assert (there.light, there.claims, there.grain) == (Light.SHORT, 150_000, 149_999)


def refused_close(store: MemoryStore, owner: str) -> str:
    """Return what the refusal of a close says that releases nothing."""
    close = ev("close", f"close-{owner}", "2026-03-31", entity=owner, closed_on="2026-04-02", surplus="refused")
    [answer] = run(store, [close])
    assert answer.status == "claims_exceed_grain"
    return answer.message


@pytest.mark.parametrize(("owner", "own", "others"), [("coop", "100 bu", "50"), ("mill", "50 bu", "100")])
def test_a_refused_close_and_an_alert_over_another_house_name_only_what_is_the_askers(
    owner: str, own: str, others: str
) -> None:
    store = in_the_tank("77.777")
    said = [refused_close(store, owner)]
    with store.reading() as facts:
        entity = facts.one(Entity, owner)
        assert entity is not None
        told = [one for one in alerts(facts, entity, DAY) if one.kind is AlertKind.CLAIMS_WITHOUT_GRAIN]
    said += [one.said for one in told]
    assert [own in one and "tank has less soybeans than there are claims" in one for one in said] == [True, True]
    secrets = ("77.777", "150", f" {others} bu", "72.223", "mill" if owner == "coop" else "coop")
    assert not [(one, secret) for one in said for secret in secrets if secret in one]
    assert [one.bushels for one in told] == [int(own.split(maxsplit=1)[0]) * 1000], (
        "what is at stake is the asker's own"
    )


def test_the_keeper_of_the_house_is_told_its_own_grain() -> None:
    store = in_the_tank("77.777")
    posted(store, bought("b3", "ada", "coop", ADA_SOY, "10", day="2026-01-07", site="south"))
    posted(store, [ev("measurement", "m2", "2026-01-20", entity="coop", site="south", form="soybeans", amount="4",
                      number="M-2")])  # fmt: skip
    with store.reading() as facts:
        coop = facts.one(Entity, "coop")
        assert coop is not None
        said = [one.said for one in alerts(facts, coop, DAY) if one.kind is AlertKind.CLAIMS_WITHOUT_GRAIN]
    assert "south holds 4 bu, claims are 10 bu." in said
