"""Read foreign files in a child process that may not take the house down with it.

``parse_limited("boundaries", path)`` starts ``python -I -m provender.formats.child``, which limits itself (memory,
processor time, no core, no writing), imports the one reader it needs, and answers one line of JSON per file. Whatever
happens there (a crash of a C or Rust library, an endless loop, a file that unpacks to a terabyte) comes back as a
``Problem`` about that file, and the other files of the batch are still read. The child inherits no environment but
the path of its programs, needs no network, and in isolated mode does not import from the working folder.
"""

import contextlib
import hashlib
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Final

from provender.formats.parsed import Parsed, decode_parsed, encode, find, refused, result_type
from provender.problem import Place
from provender.schema import write
from provender.whole_file import write_whole

MEBIBYTE: Final = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may take before it is stopped."""

    address_bytes: int = 2048 * MEBIBYTE  # address space of the child, libraries included
    cpu_seconds: int = 30  # processor time for each file
    wall_seconds: int = 60  # time on the wall for each file
    result_bytes: int = 128 * MEBIBYTE  # size of what comes back for each file, as JSON
    file_bytes: int = 256 * MEBIBYTE  # size of the file itself, tried before a child is started


def _limit_process(limits: Limits) -> None:
    """Limit this process for good: memory, no core dump, no file written, few files open."""
    for what, most in (
        (resource.RLIMIT_AS, limits.address_bytes),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        resource.setrlimit(what, (most, most))


def _limit_next_file(limits: Limits) -> None:
    """Allow this process ``cpu_seconds`` more from now; past them the kernel ends it with SIGXCPU."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(usage.ru_utime + usage.ru_stime)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (spent + limits.cpu_seconds, hard))


DEFAULT: Final = Limits()
_CHUNK: Final = 65536
_ONE_THREAD: Final = {"POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Each thread takes address space; with one for every core of a large machine the limit would end sound files."""

_ENDS: Final[dict[int, tuple[str, str]]] = {
    signal.SIGXCPU: ("reading_too_slow", "reading it took more processor time than a sound file needs"),
    signal.SIGKILL: ("reading_stopped", "reading it was stopped by the operating system"),
    signal.SIGABRT: ("reading_too_big", "reading it asked for more memory than a sound file needs"),
}
_BROKE: Final = ("reading_failed", "the program that reads such files broke down on it")
_REMEDY: Final = "Open the file in the program that wrote it, save it again, smaller if it can be, and bring that copy."


def parse_limited(
    reader: str, path: Path, *, name: str = "", limits: Limits = DEFAULT, **options: object
) -> Parsed[object]:
    """Read one file, called ``name`` in problems, by a reader of ``parsed.READERS`` in a limited child process.

    Raises:
        KeyError: there is no such reader (a mistake of the caller, not of the file).
    """
    (parsed,) = parse_many(reader, [(path, name or path.name)], limits=limits, **options)
    return parsed


def parse_many(
    reader: str, files: Sequence[tuple[Path, str]], *, limits: Limits = DEFAULT, **options: object
) -> list[Parsed[object]]:
    """Read several files, each a path and the name people know it by, in one child as long as that child lives.

    Returns one ``Parsed`` per file, in the same order. A file that ends its child is refused by a problem; a new child
    goes on with the next one.
    """
    kind = result_type(find(reader))
    results: dict[int, Parsed[object]] = {}
    for index, (path, name) in enumerate(files):
        unfit = _unfit(path, name, limits)
        if unfit is not None:
            results[index] = unfit
    waiting = [index for index in range(len(files)) if index not in results]
    while waiting:
        request = {
            "reader": reader,
            "files": [[str(files[index][0].resolve()), files[index][1]] for index in waiting],
            "limits": asdict(limits),
            "options": options,
        }
        answers, end = _converse(json.dumps(request), len(waiting), limits)
        for index, answer in zip(waiting, answers, strict=False):
            results[index] = _received(kind, answer, files[index][1])
        waiting = waiting[len(answers) :]
        if waiting:
            code, cause = end
            results[waiting[0]] = refused(Place(files[waiting[0]][1]), f"{cause}.", _REMEDY, code)
            waiting = waiting[1:]
    return [results[index] for index in range(len(files))]


_Key = tuple[str, str, str, str]
_Files = Sequence[tuple[Path, str]]


class BatchReader:
    """Reads as ``parse_limited`` does; files that were announced are read together when the first is asked for."""

    def __init__(self, kept: Path | None = None, tell: Callable[[str, str, int], None] | None = None) -> None:
        """Begin to read.

        Args:
            kept: a folder for what was read, so that the next process finds it there.
            tell: called before each reading with the reader, the file's name, and how many files are read at once.
        """
        self._tell = tell
        self._announced: dict[_Key, tuple[str, _Files, dict[str, object]]] = {}
        self._read: dict[_Key, Parsed[object]] = {}
        self._kept = kept

    def announce(self, reader: str, files: _Files, **options: object) -> None:
        """Say that files, each a path and the name people know it by, will be asked for with the same options."""
        new = {_key(reader, path, name, options): (reader, files, options) for path, name in files}
        self._announced |= {key: value for key, value in new.items() if key not in self._read}

    def __call__(
        self, reader: str, path: Path, *, name: str = "", limits: Limits = DEFAULT, **options: object
    ) -> Parsed[object]:
        """Read one file; see ``parse_limited``."""
        key = _key(reader, path, name or path.name, options)
        if self._tell is not None:
            together = len(self._announced[key][1]) if key in self._announced else int(key not in self._read)
            self._tell(reader, name or path.name, together)
        if key not in self._read:
            self._look_up(key)
        if key in self._announced and key not in self._read:
            _, files, same = self._announced[key]
            at_once = [each for each in files if self._announced.pop(_key(reader, *each, same), None)]
            found = parse_many(reader, at_once, limits=limits, **same)
            for each, one in zip(at_once, found, strict=True):
                self._keep(_key(reader, *each, same), one)
        if key not in self._read:
            self._keep(key, parse_limited(reader, path, name=name, limits=limits, **options))
        return self._read[key]

    def _keep(self, key: _Key, parsed: Parsed[object]) -> None:
        self._read[key] = parsed
        if self._kept is not None:
            # Who is stopped while writing leaves no half of it.
            write_whole(self._file(self._kept, key), json.dumps(encode(parsed)).encode())

    def _look_up(self, key: _Key) -> None:
        if self._kept is not None and (path := self._file(self._kept, key)).is_file():
            data = json.loads(path.read_text("utf-8"))
            self._read[key] = decode_parsed(result_type(find(key[0])), data)

    @staticmethod
    def _file(folder: Path, key: _Key) -> Path:
        """Return where an answer is kept: a link counts as what it leads to, which never changes."""
        reader, path, *rest = key
        told = repr((reader, str(Path(path).resolve()), *rest))
        return folder / f"{hashlib.sha256(told.encode()).hexdigest()}.json"


def _key(reader: str, path: Path, name: str, options: dict[str, object]) -> _Key:
    return reader, str(path), name, repr(sorted(options.items()))


def _unfit(path: Path, name: str, limits: Limits) -> Parsed[object] | None:
    place = Place(name)
    try:
        size = path.stat().st_size
        regular = path.is_file()
    except FileNotFoundError:
        remedy = "Check the name and the folder; a name with blanks needs quotation marks around it."
        return refused(place, "there is no file of this name.", remedy, "no_file")
    except (OSError, ValueError) as trouble:
        why = getattr(trouble, "strerror", None) or "it is not a file name"
        return refused(place, f"the file cannot be opened: {why}.", "Check its name and who may read it.", "no_file")
    if not regular:
        return refused(place, "this is a folder or a device, not a file.", "Name one file.", "no_file")
    if size == 0:
        return refused(place, "the file is empty.", "Export it again and check that it has a size.", "empty_file")
    if size > limits.file_bytes:
        most = limits.file_bytes // MEBIBYTE
        return refused(place, f"the file is larger than {most} MiB.", "Export one field or one season.", "file_too_big")
    return None


def _received(kind: object, answer: bytes, name: str) -> Parsed[object]:
    try:
        return decode_parsed(kind, json.loads(answer))
    except (TypeError, ValueError, KeyError, RecursionError):
        return refused(Place(name), "the reader's answer could not be understood.", _REMEDY, "reading_failed")


def _converse(request: str, expected: int, limits: Limits) -> tuple[list[bytes], tuple[str, str]]:
    """Start a child, hand it the request, and return its answers and, where some are missing, why."""
    command = [sys.executable, "-I", "-B", "-m", "provender.formats.child"]
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", **_ONE_THREAD}
    with subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as child:
        if child.stdin is None or child.stdout is None:
            raise AssertionError("both pipes were asked for")
        with contextlib.suppress(BrokenPipeError):  # a child that cannot start says so by its exit status
            child.stdin.write(request.encode())
            child.stdin.close()
        answers, end = _listen(child.stdout, expected, limits)
        if len(answers) < expected and end is not None:
            child.kill()
        child.wait()
    return answers, end or _ENDS.get(-child.returncode, _BROKE)


def _listen(pipe: IO[bytes], expected: int, limits: Limits) -> tuple[list[bytes], tuple[str, str] | None]:
    """Collect lines until all have come, the pipe closes, a file takes too long or an answer grows too long."""
    answers: list[bytes] = []
    buffer = bytearray()
    deadline = time.monotonic() + limits.wall_seconds
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while len(answers) < expected:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                return answers, ("reading_too_slow", f"reading it took more than {limits.wall_seconds} seconds")
            chunk = os.read(pipe.fileno(), _CHUNK)
            if not chunk:
                return answers, None
            buffer += chunk
            if len(buffer) > limits.result_bytes:
                return answers, ("reading_too_big", "it holds more than a sound file of this kind would")
            if b"\n" in chunk:
                *lines, rest = buffer.split(b"\n")
                answers += [bytes(line) for line in lines]
                buffer = bytearray(rest)
                deadline = time.monotonic() + limits.wall_seconds
    return answers, None


def _read_one(reader: str, path: Path, name: str, options: dict[str, object]) -> Parsed[object]:
    place = Place(name)
    try:
        return find(reader)(path, name, **options)
    except MemoryError:
        return refused(place, "reading it asked for more memory than a sound file needs.", _REMEDY, "reading_too_big")
    except RecursionError:
        return refused(place, "its parts are nested deeper than any sound file's.", _REMEDY, "reading_too_deep")
    except Exception as trouble:  # noqa: BLE001 - the last wall: a library's surprise is a problem of this file
        cause = f"the file is damaged or not of this kind ({type(trouble).__name__})."
        return refused(place, cause, _REMEDY, "reading_failed")


def serve(source: IO[str], sink: int) -> None:
    """Be the child: read one request, limit this process, answer one line of JSON per file to ``sink``."""
    request = json.load(source)
    limits = Limits(**request["limits"])
    _limit_process(limits)
    for path, name in request["files"]:
        _limit_next_file(limits)
        parsed = _read_one(request["reader"], Path(path), name, request["options"])
        answer = json.dumps(write(parsed, whole=True)).encode()
        with os.fdopen(os.dup(sink), "wb") as stream:
            stream.write(answer + b"\n")


if __name__ == "__main__":
    # Libraries that print must not write into the answers.
    answers_to = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    serve(sys.stdin, answers_to)
