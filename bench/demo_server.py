"""The demonstration served as anybody serves it, for what is played or pictured on its pages."""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

PROVENDER: Final = Path(sys.executable).parent / "provender"


@contextmanager
def demo_server(folder: Path) -> Iterator[tuple[str, dict[str, str], str]]:
    """Start the demo and give its address, and the passwords and the passphrase that it shows."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    words = [str(PROVENDER), "serve", "--demo", "--port", port, "--folder", str(folder / "server")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:  # noqa: S603 - our own
        assert server.stdout is not None  # noqa: S101 - it is a pipe
        passwords: dict[str, str] = {}
        phrase = ""
        for line in server.stdout:
            if found := re.search(r"passphrase '(.+)'", line):
                phrase = found[1]
            if found := re.match(r"\s+(\S+@\S+)\s+(\S+)", line):
                passwords[found[1]] = found[2]
            if "answers at" in line:
                break
        try:
            yield f"http://127.0.0.1:{port}", passwords, phrase
        finally:
            server.terminate()


def sign_in(page: Page, base: str, who: str, password: str) -> None:
    """Sign in through the page."""
    page.goto(f"{base}/account/login/")
    page.get_by_label("Email").fill(who)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda url: "/account/" not in url)  # who has one place to go arrives there at once
