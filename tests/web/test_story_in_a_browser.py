"""A season from field to fuel in a real browser: five people, five desks; on a phone too where all is asked for."""

import sys
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser
from pytest_django.live_server_helper import LiveServer

from bench.counted_pages import told_by_role
from tests.web.story import farm, trade, verifier
from tests.web.story.stage import TAKES_SHOTS, Stage, raise_curtain
from tests.web.watch import WHOLE, WINDOWS, Window

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.xdist_group("browser")]

MOST_FARM_MINUTES: Final = 6
"""Of a season from its files to the sale; the cells of the workbook come out of the farm's own files."""


@pytest.mark.parametrize("size", WINDOWS if WHOLE or TAKES_SHOTS else WINDOWS[:1])
def test_a_season_goes_from_the_field_to_the_fuel_and_back(
    live_server: LiveServer, browser: Browser, tmp_path: Path, size: Window
) -> None:
    stage = Stage(live_server.url, browser, size, tmp_path / "machines")
    raise_curtain(stage)
    farm.tell(stage)
    trade.tell_elevator(stage)
    trade.tell_mill(stage)
    trade.tell_refiner(stage)
    verifier.tell(stage)
    sys.stdout.write(f"{told_by_role(stage.did)}\n")
    assert all(did.clicks and did.characters and did.waited for did in stage.did.values())
    assert stage.did["farm"].minutes <= MOST_FARM_MINUTES
