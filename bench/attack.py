"""What strangers who send slowly, and files that are slow to read, do to a server: ``python -m bench.attack``.

Everything stays on this machine: a server in a folder that is thrown away, on the loopback, for some minutes.
``--postgres`` runs it over the PostgreSQL that the tests use. The server is that of the Python it is run by, so that
the Python of another checkout, run here, shows that one.
"""

import argparse
import contextlib
import http.client
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from bench.servers import LOCAL, SERVE, free_port, plain_environment, running, seconds_of, wheel_postgres

PATIENCE: Final = 10.0
"""Seconds after which a visitor is counted as not answered."""
WATCHED: Final = 45.0
"""Seconds for which slow connections are watched until they end."""
ANSWERED, ENDED, READ, GONE = 2.0, 30.0, 10.0, 5.0
"""What is promised, in seconds: of pages, of slow connections, of two lines, and of what is given up."""
DRIP: Final = 0.5
"""Seconds between two pieces from a sender who never finishes."""
LOOKS: Final = 3
LOOKED_AT: Final = ("/health", "/account/login/")


@dataclass(frozen=True, slots=True)
class Slow:
    """A way of keeping a connection open."""

    name: str
    opening: bytes  # what is sent at once
    drip: bytes = b""  # what is sent again and again after it


_HEAD: Final = b"POST /csp-report HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/csp-report\r\n"
SLOW: Final = (
    Slow("silent", b""),
    Slow("half a header", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: "),
    Slow("a header byte by byte", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: ", b"a"),
    Slow("no body", _HEAD + b"Content-Length: 1000\r\n\r\n"),
    Slow("a body byte by byte", _HEAD + b"Content-Length: 1000\r\n\r\n", b"a"),
    Slow("a large body, announced", _HEAD + b"Content-Length: 100000000\r\n\r\n", b"a" * 1000),
    Slow("endless chunks", _HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\nabcde\r\n"),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a crowd of slow connections did."""

    slowest: dict[str, float]  # seconds of the slowest answer by path; infinite where none came
    ended: int  # connections that the server ended
    last: float  # seconds until the last of them ended


def crowd(port: int, slow: Slow, count: int, watched: float = WATCHED) -> Seen:
    """Keep so many slow connections open, ask for pages beside them, and see when each ends."""
    begun = dripped = time.monotonic()
    last = 0.0
    with selectors.DefaultSelector() as selector, ThreadPoolExecutor() as beside:
        for _ in range(count):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex((LOCAL, port))
            selector.register(one, selectors.EVENT_READ | selectors.EVENT_WRITE)
        looks = beside.submit(_look, port)
        while (selector.get_map() or not looks.done()) and time.monotonic() - begun < watched:
            for key, events in selector.select(0.1):
                one = cast("socket.socket", key.fileobj)
                if events & selectors.EVENT_WRITE:
                    _send(one, slow.opening)
                    selector.modify(one, selectors.EVENT_READ)
                elif _has_ended(one):
                    selector.unregister(one)
                    one.close()
                    last = time.monotonic() - begun
            left = [cast("socket.socket", key.fileobj) for key in selector.get_map().values()]
            if time.monotonic() - dripped >= DRIP:
                dripped = time.monotonic()
                for one in left:
                    _send(one, slow.drip)
        for one in left:
            one.close()
        return Seen(looks.result(), count - len(left), last)


def _look(port: int) -> dict[str, float]:
    slowest = dict.fromkeys(LOOKED_AT, 0.0)
    for _ in range(LOOKS):
        time.sleep(1)
        for path in LOOKED_AT:
            slowest[path] = max(slowest[path], seconds_of(port, path, PATIENCE))
    return slowest


def _send(one: socket.socket, content: bytes) -> None:
    with contextlib.suppress(OSError):
        one.send(content)


def _has_ended(one: socket.socket) -> bool:
    """Read what came; tell whether the other side has closed."""
    try:
        while piece := one.recv(65536):
            del piece
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


# Files that are slow to read, of two farms; and the two lines of a third.

UNREAD: Final = 150.0
"""Seconds for which two lines are waited for."""
TWO_LINES, GIVEN_UP, P95 = "two lines of another farm, s", "end of what was given up, s", "p95 of reads, s"
CLIENTS: Final = 20
FARMS: Final = ("slow-a", "slow-b", "quick")
MAKE: Final = """
import json, sys, django
django.setup()
from datetime import timedelta
from django.utils import timezone
from provender.database.actor import Actor
from provender.database.choices import Role, Scope
from provender.database.models.farm import BookKind
from provender.services.accounts.organisations import create_organisation, create_person
from provender.services.accounts.tokens import create_token
from provender.services.farm.book import open_book

by = Actor(None, "attack")
person = create_person("ada@example.org", name="Ada", password=None, actor=by)
secrets = {}
for farm in sys.argv[1:]:
    made = create_organisation(farm, roles=[Role.FARM], manager=person, handle=farm, actor=by)
    open_book(made, BookKind.FARM, actor=by)
    day = timezone.now().date() + timedelta(days=9)
    scopes = [Scope.RECORDS_READ, Scope.RECORDS_WRITE]
    secrets[farm] = create_token(made, name="attack", scopes=scopes, expires_on=day, actor=Actor(person, "attack"))[1]
print(json.dumps(secrets))
"""
SMALL: Final = "unit_id,acres\nN40,40\n"


def wide(columns: int = 10_000, rows: int = 300) -> str:
    """Return a table of more columns than any table of records has."""
    lines = [",".join(f"heading {at}" for at in range(columns))]
    return "\n".join(lines + [",".join(str(at * row % 10) for at in range(columns)) for row in range(rows)])


def long(rows: int = 49_000) -> str:
    """Return a table as long as is read, each row of which asks something."""
    line = "P{0},F{1},2025-04-{2:02d},Sprayer; kill crop\n"
    return "operation_id,unit_id,day,operation\n" + "".join(
        line.format(at, at % 997, at % 30 + 1) for at in range(rows)
    )


@dataclass(frozen=True, slots=True)
class Caller:
    """A program that hands files in for a farm."""

    port: int
    secret: str

    def call(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> dict[str, Any]:
        """Call the API.

        Raises:
            RuntimeError: it answered with a refusal.
        """
        headers = {
            "Authorization": f"Bearer {self.secret}",
            "Content-Type": kind,
            "Idempotency-Key": os.urandom(8).hex(),
        }
        connection = http.client.HTTPConnection(LOCAL, self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request(method, f"/api/v1{path}", body, headers)
            answer = connection.getresponse()
            said = answer.read()
        if answer.status >= http.client.BAD_REQUEST:
            raise RuntimeError(f"{path}: {answer.status} {said[:300]!r}")
        return cast("dict[str, Any]", json.loads(said))

    def begin(self, name: str, text: str) -> str:
        """Hand a file in and begin its import; return the import's code."""
        form = f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n{text}\r\n--x--\r\n'
        stored = self.call("POST", "/files/upload", form.encode(), "multipart/form-data; boundary=x")
        said = json.dumps({"files": [stored["file"]]}).encode()
        return str(self.call("POST", "/imports", said)["code"])

    def until_read(self, code: str) -> float:
        """Return the seconds until an import is read; infinite where it is not."""
        begun = time.monotonic()
        while time.monotonic() - begun < UNREAD:
            if self.call("GET", f"/imports/{code}")["read"]:
                return time.monotonic() - begun
            time.sleep(0.1)
        return float("inf")


def readings_of(code: str) -> list[int]:
    """Return the processes that read for an import."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"/imports/{code}/".encode() in (each / "cmdline").read_bytes():
                found.append(int(each.name))
    return found


def make_farms(folder: Path, settings: dict[str, str]) -> list[str]:
    """Make the farms in a server's database; return the secrets of their tokens."""
    told = {
        "DJANGO_SETTINGS_MODULE": "provender.web.settings",
        "PROVENDER_SECRET_KEY": (folder / "secret-key").read_text(),
    }
    command = [sys.executable, "-c", MAKE, *FARMS]
    made = subprocess.run(  # noqa: S603 - ours
        command, env={**plain_environment(), **settings, **told}, stdout=subprocess.PIPE, check=True, text=True
    )
    return list(json.loads(made.stdout.splitlines()[-1]).values())


def imports(callers: list[Caller], file: tuple[str, str], mixed: float) -> dict[str, float]:
    """Let two farms hand in two slow files each and a third one two lines; give the slow ones up.

    Meanwhile 20 clients read and write for ``mixed`` seconds.
    """
    begun = [(one, one.begin(*file)) for one in (*callers[:2], *callers[:2])]
    time.sleep(3)
    seconds = {TWO_LINES: callers[2].until_read(callers[2].begin("unit.csv", SMALL))}
    if mixed:
        seconds |= clients(callers[2], mixed)
    given_up = time.monotonic()
    for one, code in begun:
        one.call("POST", f"/imports/{code}/give-up", b"{}")
    left = [each for _, code in begun for each in readings_of(code)]
    while left and time.monotonic() - given_up < WATCHED:
        time.sleep(0.1)
        left = [each for _, code in begun for each in readings_of(code)]
    seconds[GIVEN_UP] = float("inf") if left else time.monotonic() - given_up
    for each in left:
        os.kill(each, signal.SIGKILL)
    return seconds


def clients(caller: Caller, seconds: float) -> dict[str, float]:
    """Let 20 clients read records and store files; a refusal or a write that is not there stops everything."""
    until = time.monotonic() + seconds

    def client(number: int) -> tuple[list[float], list[str]]:
        reads, stored = list[float](), list[str]()
        while time.monotonic() < until:
            content = b64encode(f"{number} {len(stored)}".encode()).decode()
            said = json.dumps({"name": "note.txt", "content": content}).encode()
            stored.append(caller.call("POST", "/files", said)["file"])
            for path in ("/records", "/records/kinds/unit/rows", "/files", "/imports"):
                begun = time.monotonic()
                caller.call("GET", path)
                reads.append(time.monotonic() - begun)
        return reads, stored

    with ThreadPoolExecutor(CLIENTS) as pool:
        found = list(pool.map(client, range(CLIENTS)))
    for _, stored in found:
        for code in stored:
            caller.call("GET", f"/files/{code}")
    reads = sorted(each for mine, _ in found for each in mine)
    return {P95: reads[len(reads) * 95 // 100], "writes, all there": sum(len(stored) for _, stored in found)}


def attack(
    counts: list[int], kinds: list[Slow], files: dict[str, str], mixed: float, *, on_postgres: bool = False
) -> bool:
    """Print what is seen, row by row; tell whether all that is promised was kept."""
    is_well = True
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        more = {"PROVENDER_WORKERS": "2", "PROVENDER_FOLDER": str(folder / "data")}
        if on_postgres:
            more["PROVENDER_DATABASE_URL"] = stack.enter_context(wheel_postgres())
        port = free_port()
        command, environment = [*SERVE, str(port)], {**plain_environment(), **more}
        stack.enter_context(running(command, environment, port, folder / "server.log"))
        _print("connections", "how", *(f"{path}, s" for path in LOOKED_AT), "ended", "last after, s")
        for count, slow in ((count, slow) for count in counts for slow in kinds):
            seen = crowd(port, slow, count)
            _print(count, slow.name, *(f"{each:.2f}" for each in seen.slowest.values()), seen.ended, f"{seen.last:.0f}")
            is_well &= max(seen.slowest.values()) < ANSWERED and seen.ended == count and seen.last < ENDED
        secrets = make_farms(folder / "data", more) if files else []
        for file, text in files.items():
            found = imports([Caller(port, secret) for secret in secrets], (file, text), mixed)
            _print(f"two farms, twice {file}", *(f"{what}: {taken:.1f}" for what, taken in found.items()))
            is_well &= found[TWO_LINES] < READ and found[GIVEN_UP] < GONE and found.get(P95, 0) < ANSWERED
    return is_well


def _print(*cells: object) -> None:
    sys.stdout.write(" | ".join(map(str, cells)) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Attack with the sizes that are promised; exit status 1 where somebody had to wait."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counts", nargs="*", type=int, default=[12, 60, 200], help="connections of each kind")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--only", default=None, help="the kind of slow connection; `imports` for none")
    args = parser.parse_args()
    kinds = [slow for slow in SLOW if args.only in (None, slow.name)]
    files = {} if args.only in {slow.name for slow in SLOW} else {"wide.csv": wide(), "long.csv": long()}
    sys.exit(not attack(args.counts, kinds, files, 60, on_postgres=args.postgres))


if __name__ == "__main__":
    main()
