"""The commands as a person runs them: from an empty folder to an answer, and the check before production."""

import json
import re
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.processes import PROVENDER, READY_WITHIN, free_port, plain_environment, running, until

pytestmark = pytest.mark.slow


@contextmanager
def served(folder: Path, *more: str) -> Iterator[tuple[str, Path]]:
    """Run the server; yield its address and what it writes on the terminal."""
    port, log = free_port(), folder / "log"
    command = [*PROVENDER, "serve", "--port", str(port), *more]
    with running(command, log, plain_environment(PROVENDER_FOLDER=str(folder / "data"))):
        yield f"http://127.0.0.1:{port}", log


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as answer:  # noqa: S310 - our own server
        return str(answer.read().decode())


def answers(base: str, log: Path) -> None:
    assert '"status": "ok"' in until(lambda: fetch(f"{base}/health"), log)
    assert "Sign in" in fetch(f"{base}/account/login/")
    shown = log.read_text()
    assert re.search(r"(ada@farm\.example|password) +\S{8,}", shown)
    assert f"provender answers at {base}/" in shown


def test_an_empty_one_answers_and_shows_how_to_sign_in(tmp_path: Path) -> None:
    with served(tmp_path) as (base, log):
        answers(base, log)


def test_the_demonstration_shows_how_to_sign_in_and_its_log_names_nobody(tmp_path: Path) -> None:
    with served(tmp_path, "--demo") as (base, log):
        answers(base, log)
        log_names_nobody(base, log)
        with closing(sqlite3.connect(tmp_path / "data" / "provender.sqlite3")) as database:
            (latest,) = database.execute("SELECT max(day) FROM database_custodyevent").fetchone()
            begun = wait_until_asked(database)
    assert latest <= datetime.now(UTC).date().isoformat(), "what the story dates later has not happened yet"
    assert {"population", "seed", "task", "finding", "asked"} <= begun, "the verifier has an audit to go on with"


def wait_until_asked(database: sqlite3.Connection) -> set[str]:
    """Return the kinds of entries in the audit, once the server's other process has asked for the elevator's books."""
    end = time.monotonic() + READY_WITHIN
    while True:
        begun = {kind for (kind,) in database.execute("SELECT kind FROM database_auditentry")}
        if "asked" in begun or time.monotonic() > end:
            return begun
        time.sleep(0.1)


def log_names_nobody(base: str, log: Path) -> None:
    found = re.search(r"(ada@farm\.example) +(\S{8,})", log.read_text())
    assert found is not None
    email, password = found.groups()
    jar = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    browser.open(f"{base}/account/login/", timeout=60).read()
    for tried in ("a wrong password", password):
        token = next(cookie.value or "" for cookie in jar if cookie.name == "csrftoken")
        said = {"login": email, "password": tried, "csrfmiddlewaretoken": token}
        browser.open(f"{base}/account/login/", urlencode(said).encode(), timeout=60).read()
    assert "Abel Creek Farm" in browser.open(f"{base}/o/farm-01/?token=s3cret-query", timeout=60).read().decode()
    for path in ("join/s3cret-path/", "nowhere/s3cret-path", "o/farm-01/files/s3cret-path/"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            browser.open(f"{base}/{path}", timeout=60).read()
    lines = [line for line in log.read_text().splitlines() if line.startswith("{")]
    assert {json.loads(line).get("view") for line in lines} >= {"account_login", "organisation", "join", "stored_file"}
    session = next(cookie.value or "" for cookie in jar if cookie.name == "provender")
    for private in (email, password, "Abel", "s3cret", "127.0.0.1", "a wrong password", session, "farm-01"):
        assert private not in "\n".join(lines), private


def test_the_check_before_production_is_clean(tmp_path: Path) -> None:
    variables = plain_environment(PROVENDER_FOLDER=str(tmp_path), PROVENDER_MODE="production") | {
        "PROVENDER_HOSTS": "provender.example",
        "PROVENDER_SECRET_KEY": "A9-bcDEfghIJklm_nopQRstuVWxyz0123456789abcdefghijk",
    }
    arguments = [*PROVENDER, "manage", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(arguments, env=variables, capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stdout.strip()) == (0, "System check identified no issues (1 silenced).")
