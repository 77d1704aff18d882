"""Honest packages with statements give no alarm, with the list of forum members and without it."""

from dataclasses import replace
from random import Random

import pytest

from tests.audit.mutation.honest import alarms
from tests.audit.mutation.honest_statements import BODY, Verifier, with_statements
from tests.audit.prairie import CRUSHER, Party, chain, farm_party, house_party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("prairie")]

FARMS = 5
KINDS = ("farm", "crusher")


@pytest.fixture(scope="module", params=KINDS)
def packed(request: pytest.FixtureRequest) -> tuple[Party, Verifier]:
    folder, rng = chain(FARMS), Random(request.param)
    verifier = Verifier.of(rng)
    party = farm_party(folder, "farm-01") if request.param == "farm" else house_party(folder, CRUSHER)
    return with_statements(folder, party, verifier, rng), verifier


def test_honest_statements_give_no_alarm_with_forums_and_without(packed: tuple[Party, Verifier]) -> None:
    party, verifier = packed
    pins, rng = verifier.pins((chain(FARMS) / "pins.json").read_bytes()), Random(7)
    assert alarms(party, pins, verifier.forums(rng), 0, rng)[1] == []


def test_the_same_packages_under_a_list_without_their_body_are_told(packed: tuple[Party, Verifier]) -> None:
    party, verifier = packed
    pins, rng = verifier.pins((chain(FARMS) / "pins.json").read_bytes()), Random(7)
    others = replace(verifier, places=()).forums(rng)
    assert BODY.encode() not in others
    said = alarms(party, pins, others, 0, rng)[1]
    assert said
    assert all("your list of forum members does not have it" in one for one in said)
