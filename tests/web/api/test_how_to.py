"""The examples of the how-to are run as they stand: each call is answered, and with what the page shows."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.web.api.test_every_room import token
from tests.web.cast import make_cast
from tests.web.custody_season import opened_mill
from tests.web.farm_season import fill_season
from tests.web.importing import read_here

__all__ = ["read_here"]

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "api.md"
SETS_THE_STAGE = "export "


def examples() -> tuple[list[str], list[Any]]:
    """Return the scripts of the page but for the one that names server and token, and the answers it shows."""
    blocks = re.findall(r"```(sh|json)\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    scripts = [text for name, text in blocks if name == "sh" and not text.startswith(SETS_THE_STAGE)]
    return scripts, [json.loads(text) for name, text in blocks if name == "json"]


def answers(text: str) -> Iterator[Any]:
    """Yield the JSON documents that stand one after the other."""
    decoder = json.JSONDecoder()
    while text := text.lstrip():
        found, end = decoder.raw_decode(text)
        yield found
        text = text[end:]


@pytest.mark.usefixtures("read_here")
def test_every_example_of_the_page_is_answered_as_the_page_says(live_server: LiveServer) -> None:
    cast = make_cast()
    fill_season(cast)
    scripts, shown = examples()
    stage = {
        "API": f"{live_server.url}/api/v1",
        "TOKEN": cast.token_secret,
        "MILL_TOKEN": token(cast, cast.mill, "owner"),
        "MILL": opened_mill(cast),
        "PATH": os.environ["PATH"],
    }
    given = []
    for script in scripts:
        done = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, check=True, env=stage)  # noqa: S603, S607 - our own page
        given += list(answers(done.stdout))
    organisation, verdicts, units, more, written, refused, asked, nodded, _, kind, posted, made = given
    assert organisation["name"] == shown[0]["name"]
    assert len(verdicts["items"]) == 1
    assert (len(units["items"]), units["next"]) == (5, 5)
    assert not {one["key"] for one in units["items"]} & {one["key"] for one in more["items"]}
    assert written["version"] > 1
    assert refused["status"] in (409, 422)
    assert set(shown[1]["problems"][0]) <= set(refused["problems"][0])
    assert {name: asked[name] for name in shown[2]} == shown[2]
    assert (nodded["version"], nodded["rows"]) == (written["version"] + 1, 1)
    assert {one["name"] for one in kind["fields"] if one["needed"]} == {"day", "start_day", "end_day", "policy"}
    assert {name: posted[name] for name in shown[3]} == shown[3]
    assert {name: made[name] for name in shown[4]} == shown[4]
