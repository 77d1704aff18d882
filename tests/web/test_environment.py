"""Variables are read strictly; what a server keeps is its own; files of others lie here as published; seals hold."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from django.core import checks
from hypothesis import given
from hypothesis import strategies as st

from provender.database.address import AddressError
from provender.signing.canonical import hash_file
from provender.web.environment import EnvironmentRefusedError, read_environment
from provender.web.middleware import NONCE_BYTES, SealError, seal, unseal
from provender.web.start import check_port, keep_secret_key, make_private
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)


def test_embedded_needs_nothing_and_one_variable_chooses_postgresql(tmp_path: Path) -> None:
    found = read_environment({"PROVENDER_FOLDER": str(tmp_path)})
    assert not found.production
    assert found.hosts == ("localhost", "127.0.0.1", "[::1]")
    assert found.database["NAME"] == str(tmp_path / "provender.sqlite3")
    assert len(found.secret_key) >= 50
    assert not found.signup_open
    assert found.mail == {}
    assert read_environment({}).secret_key != read_environment({}).secret_key
    with pytest.raises(AddressError):
        read_environment({"PROVENDER_DATABASE_URL": "postgresql://nowhere"})
    found = read_environment({"PROVENDER_DATABASE_URL": "postgresql://a:b@c/d"})
    assert found.database["ENGINE"] == "django.db.backends.postgresql"
    assert checks.run_checks() == []


@ROWS
def test_what_is_missing_is_named(variables: dict[str, str], named: str) -> None:
    with pytest.raises(EnvironmentRefusedError, match=named):
        read_environment(variables)


def test_proxies_are_counted_and_named_by_variables() -> None:
    assert (read_environment({}).proxies, read_environment({}).client_header) == (0, "X-Forwarded-For")
    said = read_environment({"PROVENDER_PROXY_COUNT": "2", "PROVENDER_PROXY_HEADER": "forwarded"})
    assert (said.proxies, said.client_header) == (2, "Forwarded")


@ROWS
def test_a_browser_is_told_of_https_what_the_variable_says(said: str | None, header: str | None) -> None:
    variables = {
        "PROVENDER_MODE": "production",
        "PROVENDER_HOSTS": "a.example",
        "PROVENDER_SECRET_KEY": "0123456789" * 5,
    }
    variables |= {"DJANGO_SETTINGS_MODULE": "provender.web.settings"} | (
        {} if said is None else {"PROVENDER_HSTS": said}
    )
    ask = (
        "from django.core.checks.security.base import *\n"
        "from django.http import HttpResponse\n"
        "from django.middleware.security import SecurityMiddleware\n"
        "from django.test import RequestFactory\n"
        "told = SecurityMiddleware(lambda request: HttpResponse())(RequestFactory().get('/', secure=True)).headers\n"
        "asked = (check_sts, check_sts_include_subdomains, check_sts_preload)\n"
        "found = [each for check in asked for each in check(None)]\n"
        "print(told.get('Strict-Transport-Security'), [each.id for each in found if not each.is_silenced()])"
    )
    run = [sys.executable, "-c", ask]
    done = subprocess.run(run, env=os.environ | variables, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.stdout.strip() == f"{header} []", done.stderr


@pytest.mark.parametrize(
    ("security", "port", "starttls", "tls"),
    [(None, 587, True, False), ("starttls", 587, True, False), ("tls", 465, False, True), ("none", 25, False, False)],
)
def test_mail_is_private_unless_said_otherwise(security: str | None, port: int, starttls: bool, tls: bool) -> None:
    said = {"PROVENDER_MAIL_HOST": "mail.example"} | ({"PROVENDER_MAIL_SECURITY": security} if security else {})
    mail = read_environment(said).mail
    assert (mail["EMAIL_PORT"], mail["EMAIL_USE_TLS"], mail["EMAIL_USE_SSL"]) == (port, starttls, tls)
    assert read_environment({**said, "PROVENDER_MAIL_PORT": "2525"}).mail["EMAIL_PORT"] == 2525


def test_the_kept_key_stays_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first = keep_secret_key(tmp_path)
    assert keep_secret_key(tmp_path) == first
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600


def test_a_port_in_use_is_refused_with_a_remedy() -> None:
    import socket

    from provender.problem import ProblemsError

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(ProblemsError, match="Choose another with --port"):
            check_port(other.getsockname()[1])


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def test_a_new_database_is_its_owners_alone(tmp_path: Path) -> None:
    assert make_private(tmp_path) == []
    database = tmp_path / "provender.sqlite3"
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE one (row)")
    modes = {file.name: mode(file) for file in tmp_path.iterdir()}
    connection.close()
    assert "provender.sqlite3-wal" in modes
    assert set(modes.values()) == {0o600}


def test_a_database_that_others_could_read_is_closed_to_them_and_told(tmp_path: Path) -> None:
    for name in ("provender.sqlite3", "provender.sqlite3-wal", "provender.sqlite3-shm"):
        (tmp_path / name).touch()
    assert mode(tmp_path / "provender.sqlite3") == 0o644
    assert make_private(tmp_path) == ["provender.sqlite3", "provender.sqlite3-shm", "provender.sqlite3-wal"]
    assert {mode(file) for file in tmp_path.iterdir()} == {0o600}
    assert make_private(tmp_path) == []


SECRET = b"Bearer pvd_0123456789"


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_what_was_sealed_comes_back_whole(content: bytes, context: bytes) -> None:
    assert unseal(SECRET, seal(SECRET, content, context), context) == content


def test_the_same_bytes_are_never_sealed_alike() -> None:
    first, second = seal(SECRET, b"a", b"x"), seal(SECRET, b"a", b"x")
    assert first != second
    assert first[:NONCE_BYTES] != second[:NONCE_BYTES]


@pytest.mark.parametrize(
    ("secret", "context", "cut"),
    [(b"Bearer pvd_other", b"x", None), (SECRET, b"y", None), (SECRET, b"x", -1), (SECRET, b"x", 3), (SECRET, b"x", 0)],
)
def test_another_secret_another_context_or_damage_opens_nothing(secret: bytes, context: bytes, cut: int | None) -> None:
    kept = seal(SECRET, b"content", b"x")
    with pytest.raises(SealError):
        unseal(secret, kept[:cut], context)


TREE: Final = Path(__file__).parent.parent.parent
FOLDERS: Final = (TREE / "src/provender/web/static/provender/vendor", TREE / "tests/web/vendor")


@pytest.mark.parametrize("folder", FOLDERS, ids=["pages", "tests"])
def test_every_file_is_in_the_manifest_with_its_hash(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    said = {
        str(Path(name) / file): digest
        for name, package in manifest.items()
        for file, digest in package["files"].items()
    }
    found = {
        str(file.relative_to(folder)): hash_file(file)
        for file in folder.rglob("*")
        if file.is_file() and file.name != "manifest.json"
    }
    assert found == said
    assert all("LICENSE" in package["files"] and package["version"] for package in manifest.values())
