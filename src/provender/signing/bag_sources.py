"""Where a bag's files lie: a folder or a zip that somebody sent.

Everything about the container (names, kinds, sizes, overlaps) is checked before a file is read.
"""

import os
import re
import stat
import unicodedata
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol

from provender.problem import Place, Problem, ProblemsError, refuse

MAX_NAME_BYTES: Final = 240
MAX_SEGMENTS: Final = 16

_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE)
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_LEFT_BEHIND: Final = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
_FORBIDDEN: Final = frozenset('\\:*?"<>|')


def name_fault(path: str) -> str:
    """Say what is wrong with a path inside a bag, or return an empty text.

    The path uses ``/``. Refused: absolute paths, ``..`` and ``.``, empty steps, backslashes, drives and streams
    (``:``), characters that some systems forbid or nobody can see, names that Windows reserves, trailing dots and
    spaces, and excessive length.
    """
    if path.startswith("/"):
        return "it is an absolute path"
    for letter in path:
        if letter in _FORBIDDEN:
            return f"it contains {letter!r}"
        if unicodedata.category(letter) in _INVISIBLE:
            return f"it contains the invisible character U+{ord(letter):04X}"
    segments = path.split("/")
    if len(segments) > MAX_SEGMENTS:
        return f"it lies more than {MAX_SEGMENTS} folders deep"
    return next((fault for fault in map(_segment_fault, segments) if fault), "")


def _segment_fault(segment: str) -> str:
    if segment in ("", ".", ".."):
        return f"it has the step {segment!r}, which leads elsewhere"
    if segment[-1] in ". ":
        return "a step ends with a dot or a space"
    if _RESERVED.fullmatch(segment):
        return f"{segment!r} is a device name on Windows"
    if len(segment.encode("utf-8")) > MAX_NAME_BYTES:
        return f"a step is longer than {MAX_NAME_BYTES} bytes"
    return ""


def left_by_system(path: str) -> bool:
    """Tell whether a file is one that a system leaves behind where somebody looked into a folder or packed a zip."""
    name = path.rpartition("/")[2]
    return path.startswith("__MACOSX/") or name in _LEFT_BEHIND or name.startswith("._")


def normal(path: str) -> str:
    """Return the path in Unicode form NFC, which is how bags here spell names; some systems decompose them on disk."""
    return unicodedata.normalize("NFC", path)


def collision_key(path: str) -> str:
    """Return what two paths share when a system somewhere takes them for the same file."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


AGAIN: Final = "Ask the sender to make the package again with provender, and do not change it on the way."


@dataclass(frozen=True, slots=True)
class Limits:
    """What a package may ask of the machine that reads it.

    Attributes:
        files: how many files.
        one: bytes of one file, unpacked.
        total: bytes of all files, unpacked.
        ratio: how many times larger than the zip its content may be, beyond ``free`` bytes.
        free: bytes of content below which the ratio does not matter.
    """

    files: int = 50_000
    one: int = 512 * 1024**2
    total: int = 4 * 1024**3
    ratio: int = 100
    free: int = 16 * 1024**2


class Source(Protocol):
    """A container that passed its checks."""

    sizes: dict[str, int]
    """Bytes by path, in NFC, with ``/``."""

    def open(self, path: str) -> Iterator[BinaryIO]:
        """Give the stream of one file as a context manager."""


def open_source(path: Path, limits: Limits) -> "FolderSource | ZipSource":
    """Open a folder or a zip.

    Raises:
        ProblemsError: not there, not a container, or one with names, links, sizes or tricks that are refused; codes
            ``bag_...``.
    """
    if path.is_dir():
        return FolderSource(path, limits)
    if path.is_file():
        return ZipSource(path, limits)
    raise refuse(str(path), "There is no such package.", "Check the path.", code="bag_not_found")


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    size: int
    fault: str = ""
    folder: bool = False


def _problem(container: Path, cause: str, code: str, remedy: str = AGAIN) -> Problem:
    return Problem(Place(container.name), cause, remedy, code=code)


def _check_entries(container: Path, entries: list[_Entry], limits: Limits) -> None:
    """Raise every problem with names, kinds, doubles and sizes at once."""
    problems: list[Problem] = []
    for entry in entries:
        fault = name_fault(entry.path)
        if fault:
            cause = f"The name {entry.path!r} is not allowed: {fault}."
            problems.append(_problem(container, cause, "bag_unsafe_name"))
        if entry.fault:
            problems.append(_problem(container, f"{entry.path!r} {entry.fault}.", "bag_link"))
        if entry.size > limits.one:
            cause = f"{entry.path!r} is {entry.size:,} bytes large; at most {limits.one:,} are read."
            problems.append(_problem(container, cause, "bag_too_large"))
    total = sum(entry.size for entry in entries)
    if total > limits.total:
        cause = f"The package holds {total:,} bytes; at most {limits.total:,} are read."
        problems.append(_problem(container, cause, "bag_too_large"))
    problems.extend(_problem(container, cause, "bag_same_name") for cause in _shared_names(entries))
    if problems:
        raise ProblemsError(problems)


def _shared_names(entries: Iterable[_Entry]) -> Iterator[str]:
    """Say of each name that some system takes for another's, which files share it."""
    same: defaultdict[str, list[str]] = defaultdict(list)
    folders: set[str] = set()
    for entry in entries:
        parent = entry.path
        if not entry.folder:
            same[collision_key(entry.path)].append(entry.path)
            parent = entry.path.rpartition("/")[0]
        while parent and (key := collision_key(parent)) not in folders:
            folders.add(key)
            parent = parent.rpartition("/")[0]
    for key, paths in same.items():
        if len(paths) > 1 or key in folders:
            names = ", ".join(map(repr, paths))
            yield f"Two files, or a file and a folder, share a name on some systems: {names}."


def _too_many(container: Path, limits: Limits) -> ProblemsError:
    return ProblemsError(
        [_problem(container, f"The package holds more than {limits.files:,} files.", "bag_too_many_files")]
    )


class FolderSource:
    """A bag as a folder. Links, devices and pipes are refused, and none is followed."""

    def __init__(self, root: Path, limits: Limits) -> None:
        self._root = root
        self._disk: dict[str, Path] = {}
        self.sizes: dict[str, int] = {}
        entries: list[_Entry] = []
        for path in self._walk():
            if len(entries) >= limits.files:
                raise _too_many(root, limits)
            state = path.lstat()
            name = normal(path.relative_to(root).as_posix())
            fault = "" if stat.S_ISREG(state.st_mode) else "is a link or a device, not a file"
            entries.append(_Entry(name, 0 if fault else state.st_size, fault))
            self._disk[name] = path
            self.sizes[name] = state.st_size
        _check_entries(root, entries, limits)

    def _walk(self) -> Iterator[Path]:
        for folder, folders, files in os.walk(self._root, followlinks=False):
            links = [name for name in folders if (Path(folder) / name).is_symlink()]
            for name in sorted([*files, *links]):
                yield Path(folder) / name

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """Give the stream of one file; a link put there meanwhile is not followed."""
        handle = os.open(self._disk[path], os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(handle, "rb") as stream:
            yield stream


class ZipSource:
    """A bag as a zip: its directory is checked before anything is unpacked; nothing nested is unpacked ever."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path = path
        self._members: dict[str, zipfile.ZipInfo] = {}
        self.sizes: dict[str, int] = {}
        with self._damage_told():
            # Opened once for all files: the directory of a zip is read anew at every opening.
            self._archive = zipfile.ZipFile(path)
            members = self._archive.infolist()
            if len(members) > limits.files:
                raise _too_many(path, limits)
            _check_entries(path, [_zip_entry(one) for one in members], limits)
            self._check_density(members, limits)
            self._check_layout(members, self._archive.start_dir)
        for one in members:
            if not one.is_dir():
                name = normal(one.filename)
                self._members[name] = one
                self.sizes[name] = one.file_size

    @contextmanager
    def _damage_told(self) -> Iterator[None]:
        try:
            yield
        except _UNREADABLE as error:
            cause = f"The package is not a whole zip; it was cut off or damaged on the way ({error})."
            raise ProblemsError([_problem(self._path, cause, "bag_damaged")]) from None

    def _check_density(self, members: list[zipfile.ZipInfo], limits: Limits) -> None:
        total = sum(one.file_size for one in members)
        packed = self._path.stat().st_size
        if total > limits.free and total > packed * limits.ratio:
            cause = f"The zip of {packed:,} bytes would unpack to {total:,}, more than {limits.ratio} times as much."
            raise ProblemsError([_problem(self._path, cause, "bag_too_dense")])

    def _check_layout(self, members: list[zipfile.ZipInfo], directory: int) -> None:
        """Refuse entries that share bytes, and bytes that belong to no entry's place: both hide content."""
        at = 0
        for one in sorted(members, key=lambda member: member.header_offset):
            if one.header_offset < at or (at == 0 and one.header_offset != 0):
                cause = f"The entries of the zip overlap or hide something at {one.filename!r}."
                raise ProblemsError([_problem(self._path, cause, "bag_damaged")])
            at = one.header_offset + one.compress_size + _LOCAL_HEADER
        if at > directory:
            raise ProblemsError([_problem(self._path, "The entries of the zip run past its end.", "bag_damaged")])

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """Give the stream of one file; it ends at the size that was declared."""
        with self._damage_told(), self._archive.open(self._members[path]) as stream:
            yield stream  # type: ignore[misc]  # ZipExtFile reads like any binary stream


# What zipfile raises on bytes that are no zip, on damage and on what it cannot unpack.
_UNREADABLE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
)
_LOCAL_HEADER: Final = 30
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
_PLAIN_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


def _zip_entry(one: zipfile.ZipInfo) -> _Entry:
    # The name as stored: zipfile cuts names at a NUL and turns separators round.
    name = one.orig_filename
    kind = stat.S_IFMT(one.external_attr >> 16)
    fault = ""
    if one.flag_bits & _ENCRYPTED:
        fault = "is encrypted"
    elif one.compress_type not in _PLAIN_METHODS:
        fault = "is packed with a method other than deflate"
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        fault = "is a link or a device, not a file"
    elif name.endswith("/") and one.file_size:
        fault = "is a folder with content of its own"
    return _Entry(normal(name.removesuffix("/")), one.file_size, fault, folder=name.endswith("/"))
