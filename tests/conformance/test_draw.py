"""The size of the sample and the draw, of which the kit's answers are an independent script's."""

from typing import Any

import pytest

from provender.audit.sampling.population import minimum_farms
from provender.audit.sampling.sample import redraw
from tests.audit.sampling import stranger
from tests.conformance.kit import differences


def drawn(asked: dict[str, Any]) -> dict[str, object]:
    found = redraw({**asked, "treatments": [], "extensions": []})
    return {"seed": found["seed"], "sample": found["sample"]}


def by_the_stranger(asked: dict[str, Any]) -> dict[str, object]:
    seed = stranger.seed_of(asked)
    return {"seed": seed, "sample": stranger.redraw({**asked, "seed": seed, "extensions": []})}


def test_the_minimum_is_the_square_root_rounded_up() -> None:
    assert differences("draw/minimum", lambda asked: str(minimum_farms(int(asked["farms"])))) == []


@pytest.mark.parametrize("reader", [drawn, by_the_stranger])
def test_seed_and_sample_follow_from_the_frozen_list_and_what_was_opened(reader: Any) -> None:  # noqa: ANN401
    assert differences("draw/draws", reader) == []
