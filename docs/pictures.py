"""Take the pictures of the tutorials from the demo server: ``make pictures``.

Pages are looked at in Chromium as the people of the demo see them; drawings are what the commands of the tutorials
write. Nothing here runs in the tests: pictures are taken again when pages change, and looked at one by one.
"""

import io
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "images" / "tutorials"
PROVENDER: Final = Path(sys.executable).parent / "provender"
CHROMIUM: Final = "/usr/bin/chromium"
SIZES: Final[dict[str, ViewportSize]] = {
    "laptop": {"width": 1280, "height": 900},
    "phone": {"width": 390, "height": 844},
}
COLOURS: Final = 64
MOST_BYTES: Final = 60_000
PATIENCE: Final = 60_000
"""Milliseconds that a page may take."""


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


class Shot(NamedTuple):
    """One picture of a page.

    Attributes:
        name: of the file.
        who: e-mail address of the account.
        size: of the window.
        path: where the page is, after ``/o/``; empty for home.
        follow: names of links to follow from there, as patterns.
        top: selector of what stands at the top of the picture.
    """

    name: str
    who: str
    size: str
    path: str
    follow: tuple[str, ...] = ()
    top: str = ""


ADA, ELI, CORA = "ada@farm.example", "eli@elevator.example", "cora@crusher.example"
RAY, VIC = "ray@diesel.example", "vic@verifier.example"

SHOTS: Final = (
    Shot("farm-overview", ADA, "phone", "farm-01/"),
    Shot("farm-practices", ADA, "laptop", "farm-01/farm/"),
    Shot("farm-crop", ADA, "laptop", "farm-01/farm/", ("^S3$",), "section[aria-labelledby=cover_crop]"),
    Shot("farm-report", ADA, "phone", "farm-01/farm/reports/", ("^Field corn$",)),
    Shot("elevator-stock", ELI, "laptop", "prairie-coop/custody/"),
    Shot("elevator-stock", ELI, "phone", "prairie-coop/custody/"),
    Shot("elevator-partners", ELI, "phone", "prairie-coop/custody/partners/?find-contracts=ridge"),
    Shot("elevator-period", ELI, "laptop", "prairie-coop/custody/periods/", (r"^Jul[a-z.]* 1, 2026$",)),
    Shot("crusher-overview", CORA, "phone", "plains-crush/"),
    Shot("crusher-stock", CORA, "laptop", "plains-crush/custody/"),
    Shot("crusher-process", CORA, "phone", "plains-crush/custody/enter/process/"),
    Shot("refiner-batch", RAY, "laptop", "sod-diesel/custody/movements/", ("^Retire",)),
    Shot("refiner-trace", RAY, "laptop", "sod-diesel/custody/movements/", ("^Retire", "^Soybean oil"), ".chart"),
    Shot("verifier-home", VIC, "laptop", ""),
    Shot("verifier-overview", VIC, "phone", "verifiers/"),
    Shot("verifier-audit", VIC, "laptop", "verifiers/audits/", ("^PV-",)),
)

DRAWINGS: Final = {
    "farm-matrix.svg": ("check", "examples/bluestem-farm", "--matrix"),
    "farm-stir.svg": ("check", "examples/bluestem-farm", "--unit", "N40", "--buildup"),
}
CHAIN_DRAWINGS: Final = {
    "refiner-stock.svg": ("custody", "balance", "books/sod-diesel.jsonl", "--chart"),
}
"""Commands that draw, each but for the name of its file."""


def main() -> int:
    """Take every picture; say what was written."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        draw(Path(folder))
        with demo_server(Path(folder)) as (base, passwords, _), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
            for shot in SHOTS:
                keep(f"{shot.name}-{shot.size}.png", small(look(browser, base, shot, passwords[shot.who])))
            browser.close()
    return 0


def draw(folder: Path) -> None:
    """Let the commands draw."""
    call("demo", "chain", "--out", str(folder))
    for where, drawings in ((ROOT, DRAWINGS), (folder / "chain", CHAIN_DRAWINGS)):
        for name, words in drawings.items():
            call(*words, str(folder / name), cwd=where)
            keep(name, on_white((folder / name).read_text(encoding="utf-8")).encode())


def on_white(drawing: str) -> str:
    """Put a sheet of white under a drawing: pages are dark at night."""
    return re.sub(r"(<svg\b[^>]*>)", r'\1<rect width="100%" height="100%" fill="#fff"/>', drawing, count=1)


def call(*words: str, cwd: Path = ROOT) -> None:
    """Run a command; status 1 means that it found something to look at."""
    done = subprocess.run([PROVENDER, *words], cwd=cwd, capture_output=True, check=False)  # noqa: S603 - our own
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{words}: {done.stderr.decode()}")


def keep(name: str, content: bytes) -> None:
    """Write a picture that is small enough for a page."""
    if len(content) > MOST_BYTES:
        raise ValueError(f"{name} has {len(content):,} bytes")
    (FOLDER / name).write_bytes(content)
    print(f"{name}: {len(content):,} bytes")


def look(browser: Browser, base: str, shot: Shot, password: str) -> bytes:
    """Sign in, go to the page and take its picture."""
    context = browser.new_context(viewport=SIZES[shot.size], is_mobile=shot.size == "phone", color_scheme="light")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    sign_in(page, base, shot.who, password)
    page.goto(f"{base}/o/{shot.path}" if shot.path else base)
    for name in shot.follow:
        page.locator("main table").get_by_role("link", name=re.compile(name)).first.click()
        page.wait_for_load_state()
    if shot.top:
        page.locator(shot.top).first.evaluate("one => one.scrollIntoView({block: 'start'})")
    taken = page.screenshot()
    context.close()
    return taken


def small(taken: bytes) -> bytes:
    """Return a picture in few colours."""
    with Image.open(io.BytesIO(taken)) as picture:
        out = io.BytesIO()
        picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
