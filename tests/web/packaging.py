"""Waiting for a package that a process beside the server makes, as the page does that asks how far it is."""

import time
from typing import Any, Final

from django.test import Client

SECONDS: Final = 300


def finished(client: Client, asked: Any) -> Any:  # noqa: ANN401 - Django has no name for a test answer
    """Return where the page of a package leads once the process is done; ``asked`` is the answer to its form."""
    assert asked.status_code == 302, asked.content.decode()[:3000]
    page = asked["Location"]
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        if "HX-Refresh" in client.get(f"{page}progress/").headers:
            return client.get(page)
        time.sleep(0.3)
    raise AssertionError(f"{page} is still at work after {SECONDS} seconds")
