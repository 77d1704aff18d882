"""A season from field to fuel in a real browser: five people, five desks, on a laptop and on a phone."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from tests.web.story import elevator, farm, mill, refiner, verifier
from tests.web.story.stage import Stage, raise_curtain
from tests.web.watch import TOLD_ON, Window

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize("size", TOLD_ON)
def test_a_season_goes_from_the_field_to_the_fuel_and_back(
    live_server: LiveServer, browser: Browser, tmp_path: Path, size: Window
) -> None:
    stage = Stage(live_server.url, browser, size, tmp_path / "machines")
    raise_curtain(stage)
    farm.tell(stage)
    elevator.tell(stage)
    mill.tell(stage)
    refiner.tell(stage)
    verifier.tell(stage)
