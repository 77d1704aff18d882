"""What the pages show: text, fields, and the tables as they are saved; the forms of every event and record."""

import re
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urljoin, urlsplit

from django.db import transaction
from django.test import Client

from tests.golden.answers_api import ALL
from tests.golden.reading import Page
from tests.golden.world import World

READERS: Final = {"owner": "/", "stranger": "/o/elevator/", "verifier_in": "/o/vic/"}
NEVER: Final = ("/account/", "/api/", "/static/", "/o/past/", "/join/", "/health")
FORMS: Final = re.compile(r"/custody/enter/|/farm/records/\w+/row/")
"""Pages that are forms are recorded once, without what a link fills in."""
SEEN_BY_OTHERS: Final = {"verifier_in": ("/o/ada-farm/farm/", "/o/mill/custody/")}
NONSENSE: Final = dict.fromkeys(
    ("day", "start_day", "end_day", "bushels", "pounds", "ci", "rate", "lots", "tickets"), "x"
)
EACH: Final = {"/o/mill/custody/movement/": 30}
"""How many addresses that differ only after the question mark are asked: one, if nothing stands here."""


class Shown(NamedTuple):
    """What one reader is shown: by address the text and fields, by address and table its rows."""

    pages: dict[str, Any]
    tables: dict[str, list[str]]


def shown(world: World, part: str) -> Shown:
    """Follow every link from a reader's first page."""
    client, found = world.browser(part), Shown({}, {})
    waiting, seen = [READERS[part]], {READERS[part]}
    while waiting:
        address = waiting.pop(0)
        response = client.get(address)
        name = f"{part} {world.masked(address)}"
        if "html" not in response.headers.get("Content-Type", ""):
            found.pages[name] = {"http": response.status_code, "type": response.headers.get("Content-Type", "")}
            b"".join(getattr(response, "streaming_content", ()))
            # Closing the whole response would end the connection that holds the world.
            if stream := getattr(response, "file_to_stream", None):
                stream.close()
            continue
        page = Page(response.content.decode())
        texts = [world.masked(text) for text in page.sentences]
        found.pages[name] = {"http": response.status_code, "text": texts, "fields": page.fields}
        for link in page.links:
            where = urljoin(f"http://testserver{address}", link).partition("#")[0].removeprefix("http://testserver")
            if "save=csv" in where:
                table = parse_qs(urlsplit(where).query)["table"][0]
                found.tables[f"{name} {table}"] = _rows(world, client, where)
            elif where not in seen and _is_asked(where, part, seen):
                seen.add(where)
                waiting.append(where)
    return found


def _rows(world: World, client: Client, address: str) -> list[str]:
    return [world.masked(line) for line in client.get(address).content.decode("utf-8-sig").splitlines()]


def _is_asked(address: str, part: str, seen: set[str]) -> bool:
    if not address.startswith("/") or "save=" in address or "sort-" in address or FORMS.search(address):
        return False
    if address.startswith((*NEVER, *SEEN_BY_OTHERS.get(part, ()))):
        return False
    path, _, query = address.partition("?")
    alike = sum(one.partition("?")[0] == path and "?" in one for one in seen)
    return not query or alike < EACH.get(path, 1)


def refused_forms(world: World) -> dict[str, Any]:
    """Return what the form of every event says when nothing, or nonsense, is typed; whatever was written is undone."""
    client, found = world.browser("owner"), {}
    for kind in _events(world):
        for name, typed in (("empty", {}), ("nonsense", NONSENSE)):
            with transaction.atomic():
                response = client.post(f"/o/mill/custody/enter/{kind}/", {**typed, "do": "post"})
                transaction.set_rollback(True)
            texts = [world.masked(text) for text in Page(response.content.decode()).sentences]
            found[f"{kind} {name}"] = {"http": response.status_code, "text": texts}
    return found


def _events(world: World) -> list[str]:
    return [one["kind"] for one in world.asked("mill", f"/custody/events/kinds?{ALL}")["items"]]


def forms(world: World) -> dict[str, Any]:
    """Return title and fields of the form of every event and of every kind of record."""
    client = world.browser("owner")
    kinds = [one["name"] for one in world.asked("farm", f"/records/kinds?{ALL}")["items"]]
    addresses = {f"event {kind}": f"/o/mill/custody/enter/{kind}/" for kind in _events(world)}
    addresses |= {f"record {kind}": f"/o/ada-farm/farm/records/{kind}/row/" for kind in kinds}
    found = {}
    for name, address in addresses.items():
        response = client.get(address)
        page = Page(response.content.decode())
        found[name] = {"http": response.status_code, "text": page.sentences, "fields": page.fields}
    return found
