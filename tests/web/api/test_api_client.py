"""The guide to the API runs as it stands, its calls and its Python; what the client does when one has trouble."""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pytest_django.live_server_helper import LiveServer

from examples.api_client import Api, RefusedError
from tests.web.api.test_every_call import token
from tests.web.cast import make_cast
from tests.web.custody_season import opened_mill
from tests.web.farm_season import FEW, fill_season
from tests.web.importing import read_here

__all__ = ["read_here"]

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "how-to" / "api.md"
PARAMETERS = [
    {"name": "kind", "in": "path", "required": True},
    {"name": "after", "in": "query"},
    {"name": "Idempotency-Key", "in": "header", "required": True},
]
DESCRIPTION = {
    "paths": {
        "/api/v1/kinds/{kind}": {
            "get": {"operationId": "list_rows", "parameters": PARAMETERS[:2]},
            "post": {"operationId": "write_row", "parameters": PARAMETERS},
        },
        "/api/v1/file": {
            "post": {"operationId": "upload_file", "requestBody": {"content": {"multipart/form-data": {}}}},
        },
    }
}
REFUSAL = {"detail": "A slip.", "problems": [{"at": "Z9", "cause": "Acres are no number.", "remedy": "Mend them."}]}
Answer = httpx.Response | httpx.TransportError
Server = Callable[..., tuple[Api, list[httpx.Request]]]


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr("examples.api_client.time.sleep", seconds.append)
    return seconds


@pytest.fixture
def server() -> Server:
    """Return what makes a client of a server that describes itself, and then gives the answers one by one."""

    def made(*answers: Answer) -> tuple[Api, list[httpx.Request]]:
        asked: list[httpx.Request] = []
        left = iter((httpx.Response(200, json=DESCRIPTION), *answers))

        def answer(request: httpx.Request) -> httpx.Response:
            asked.append(request)
            given = next(left)
            if isinstance(given, httpx.TransportError):
                raise given
            return given

        return Api("https://provender.example", "pvd_x", transport=httpx.MockTransport(answer)), asked

    return made


@pytest.mark.slow
def test_the_guides_lines_run_against_a_server(live_server: LiveServer, tmp_path: Path) -> None:
    cast = make_cast()
    fill_season(cast, fields=FEW)
    (lines,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert "http://127.0.0.1:8000" in lines
    with zipfile.ZipFile(tmp_path / "yield.zip", "w") as packed:
        packed.writestr("yield.csv", "a,b\n")
    check = "\nimport pathlib\nassert content == pathlib.Path('yield.zip').read_bytes()\n"
    done = subprocess.run(  # noqa: S603 - our own page
        [sys.executable, "-c", lines.replace("http://127.0.0.1:8000", live_server.url) + check],
        env={"PATH": os.environ["PATH"], "TOKEN": cast.token_secret, "PYTHONPATH": str(ROOT / "examples")},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    name, *units, refused = done.stdout.splitlines()
    assert name == "Ada's Farm"
    with Api(live_server.url, cast.token_secret) as api:
        listed = list(api.items("list_rows", kind="unit"))
    assert [f"{one['row']['unit_id']} {one['row']['acres']}" for one in listed if one["key"] != "Z10"] == units
    assert len(units) > 5, "more than one page"
    assert refused.startswith("409 ")


def test_a_call_says_who_it_is_and_pages_follow_one_another(server: Server) -> None:
    pages = [{"items": [1, 2], "next": 2}, {"items": [3], "next": 0}, {"items": [4], "next": None}]
    api, asked = server(*(httpx.Response(200, json=page) for page in pages))
    assert list(api.items("list_rows", kind="soil test/1")) == [1, 2, 3, 4]
    assert {one.headers["Authorization"] for one in asked} == {"Bearer pvd_x"}
    assert [one.url.raw_path.decode() for one in asked[1:]] == [
        "/api/v1/kinds/soil%20test%2F1",
        "/api/v1/kinds/soil%20test%2F1?after=2",
        "/api/v1/kinds/soil%20test%2F1?after=0",
    ]


def test_what_the_server_does_not_know_is_not_sent(server: Server) -> None:
    api, asked = server()
    with pytest.raises(KeyError):
        api.call("strange")
    with pytest.raises(TypeError, match="list_rows does not take colour; its parameters: kind, after"):
        api.call("list_rows", kind="unit", colour="red")
    with pytest.raises(TypeError, match="needs kind"):
        api.call("list_rows", kind=None)
    assert len(asked) == 1


def test_a_post_is_sent_again_under_its_key_when_it_was_lost(server: Server, waited: list[float]) -> None:
    busy = [httpx.Response(503, headers={"Retry-After": "7"}), httpx.Response(429), httpx.Response(503, text="<html>")]
    api, asked = server(httpx.ReadTimeout("lost"), *busy, httpx.Response(201, json={"version": 2}))
    assert api.call("write_row", {"acres": "1"}, kind="unit") == {"version": 2}
    keys = {one.headers["Idempotency-Key"] for one in asked[1:]}
    assert (len(asked), len(keys)) == (6, 1)
    assert {one.content for one in asked[1:]} == {b'{"acres":"1"}'}
    assert waited == [2.0, 7.0, 8.0, 16.0]


def test_each_post_has_a_key_of_its_own_unless_one_is_given(server: Server) -> None:
    api, asked = server(*(httpx.Response(201, json={}) for _ in range(3)))
    for key in ("", "", "scale-7"):
        api.call("write_row", {}, kind="unit", idempotency_key=key)
    keys = [one.headers["Idempotency-Key"] for one in asked[1:]]
    assert len(set(keys)) == 3
    assert keys[2] == "scale-7"


def test_it_gives_up_after_its_tries_and_waits_a_minute_at_most(server: Server, waited: list[float]) -> None:
    api, asked = server(*(httpx.Response(503, headers={"Retry-After": "9999"}) for _ in range(5)))
    with pytest.raises(RefusedError, match="503 Refused"):
        api.call("list_rows", kind="unit")
    assert (len(asked), waited) == (6, [60.0] * 4)
    api, _ = server(*(httpx.ConnectError("no route") for _ in range(5)))
    with pytest.raises(httpx.ConnectError):
        api.call("list_rows", kind="unit")


@pytest.mark.parametrize("status", [302, 400, 403, 409, 422, 500, 502])
def test_a_refusal_is_raised_at_once_with_its_reasons(server: Server, waited: list[float], status: int) -> None:
    api, asked = server(httpx.Response(status, headers={"Content-Type": "application/problem+json"}, json=REFUSAL))
    with pytest.raises(RefusedError, match=f"{status} Z9 Acres are no number. Mend them.") as refused:
        api.call("write_row", {}, kind="unit")
    assert (refused.value.status, refused.value.problem) == (status, REFUSAL)
    assert (len(asked), waited) == (2, [])


def test_files_go_as_a_form_sends_them_and_what_is_no_json_comes_back_as_bytes(server: Server, tmp_path: Path) -> None:
    (tmp_path / "yield.zip").write_bytes(b"PK\x00")
    api, asked = server(httpx.Response(201, content=b"\x00raw", headers={"Content-Type": "application/zip"}))
    assert api.call("upload_file", {"file": tmp_path / "yield.zip"}) == b"\x00raw"
    assert asked[1].headers["Content-Type"].startswith("multipart/form-data")
    assert b'name="file"; filename="yield.zip"' in asked[1].content
    assert b"PK\x00" in asked[1].content


SETS_THE_STAGE = "export "


def scripts_of_the_page() -> tuple[list[str], list[Any]]:
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


@pytest.mark.slow
@pytest.mark.usefixtures("read_here")
def test_every_example_of_the_page_is_answered_as_the_page_says(live_server: LiveServer) -> None:
    cast = make_cast()
    fill_season(cast)
    scripts, shown = scripts_of_the_page()
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
