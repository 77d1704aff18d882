"""BagIt packages (RFC 8493): files with a manifest of SHA-256 sums, as a folder or as a zip.

Reading trusts nothing: the container is checked first (``bag_sources``), then every file against the manifest, and a
file is checked again when it is taken. A bag proves that it is whole, not who made it: signatures do that. Packages
are written in ``bag_writing``.
"""

import hashlib
import os
import re
import shutil
import stat
import unicodedata
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import BinaryIO, Final

from provender.problem import Place, Problem, ProblemsError, refuse
from provender.signing.canonical import hash_file, sha256_hex

# Where a bag's files lie: a folder or a zip that somebody sent.
#
# Everything about the container (names, kinds, sizes, overlaps) is checked before a file is read.

_MAX_NAME_BYTES: Final = 240
_MAX_SEGMENTS: Final = 16

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
    if len(segments) > _MAX_SEGMENTS:
        return f"it lies more than {_MAX_SEGMENTS} folders deep"
    return next((fault for fault in map(_segment_fault, segments) if fault), "")


def _segment_fault(segment: str) -> str:
    if segment in ("", ".", ".."):
        return f"it has the step {segment!r}, which leads elsewhere"
    if segment[-1] in ". ":
        return "a step ends with a dot or a space"
    if _RESERVED.fullmatch(segment):
        return f"{segment!r} is a device name on Windows"
    if len(segment.encode("utf-8")) > _MAX_NAME_BYTES:
        return f"a step is longer than {_MAX_NAME_BYTES} bytes"
    return ""


def left_by_system(path: str) -> bool:
    """Tell whether a file is one that a system leaves behind where somebody looked into a folder or packed a zip."""
    name = path.rpartition("/")[2]
    return path.startswith("__MACOSX/") or name in _LEFT_BEHIND or name.startswith("._")


def _normal(path: str) -> str:
    """Return the path in Unicode form NFC, which is how bags here spell names; some systems decompose them on disk."""
    return unicodedata.normalize("NFC", path)


def collision_key(path: str) -> str:
    """Return what two paths share when a system somewhere takes them for the same file."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


AGAIN: Final = "Ask the sender to make the package again with provender, and do not change it on the way."


@dataclass(frozen=True, slots=True)
class Limits:
    """What a package may ask of the machine that reads it."""

    files: int = 50_000  # how many files
    one: int = 512 * 1024**2  # bytes of one file, unpacked
    total: int = 4 * 1024**3  # bytes of all files, unpacked
    ratio: int = 100  # how many times larger than the zip its content may be, beyond ``free`` bytes
    free: int = 1024**2  # bytes of content below which the ratio does not matter


def _open_source(path: Path, limits: Limits) -> "FolderSource | ZipSource":
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
            name = _normal(path.relative_to(root).as_posix())
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
                name = _normal(one.filename)
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
    return _Entry(_normal(name.removesuffix("/")), one.file_size, fault, folder=name.endswith("/"))


_DATA: Final = "data/"
DECLARATION: Final = "bagit.txt"
INFO: Final = "bag-info.txt"
MANIFEST: Final = "manifest-sha256.txt"
_TAG_MANIFEST: Final = "tagmanifest-sha256.txt"

_TAGS: Final = frozenset({DECLARATION, INFO, MANIFEST, _TAG_MANIFEST})
_MAX_TAG_BYTES: Final = 32 * 1024**2
_CHUNK: Final = 1024**2
_DECLARED: Final = re.compile(r"BagIt-Version: ?(?:0\.97|1\.0)\r?\nTag-File-Character-Encoding: ?UTF-8\s*")
_SUM: Final = re.compile(r"([0-9a-fA-F]{64})[ \t]+\*?(\S.*)")
_LABEL: Final = re.compile(r"([^\s:][^:]*):[ \t]?(.*)")


class Bag(Mapping[str, bytes]):
    """A package whose every file agreed with its manifest: path (without ``data/``, in NFC) to content.

    Attributes:
        name: name of the folder or zip.
        info: the labels of ``bag-info.txt``.
        sums: SHA-256 by path.
        mark: SHA-256 of the tag manifest: it stands for the whole package.
        ignored: what a system left beside the files on the way, and nobody packed.
    """

    def __init__(self, name: str, source: FolderSource | ZipSource, prefix: str, sums: Mapping[str, str]) -> None:
        self.name = name
        self.sums = dict(sorted(sums.items()))
        self.info: Mapping[str, str] = {}
        self.mark = ""
        self.ignored: tuple[str, ...] = ()
        self._source = source
        self._prefix = prefix

    def __getitem__(self, path: str) -> bytes:
        """Return a file's content, checked against the manifest once more.

        Raises:
            KeyError: the bag has no such file.
            ProblemsError: the file was changed since the bag was opened (``bag_changed_file``).
        """
        expected = self.sums[path]
        with self._source.open(f"{self._prefix}{_DATA}{path}") as stream:
            content = stream.read()
        if sha256_hex(content) != expected:
            raise refuse(
                self.name, f"The file {path!r} changed while the package was read.", AGAIN, code="bag_changed_file"
            )
        return content

    def __iter__(self) -> Iterator[str]:
        return iter(self.sums)

    def __len__(self) -> int:
        return len(self.sums)


def read_bag(path: Path, limits: Limits | None = None) -> Bag:
    """Open a package and check all of it.

    The bag may be the folder or zip itself or the one folder inside it.

    Raises:
        ProblemsError: everything found wrong; codes: ``bag_not_found``, ``bag_damaged``, ``bag_too_many_files``,
            ``bag_too_large``, ``bag_too_dense``, ``bag_unsafe_name``, ``bag_same_name``, ``bag_link``,
            ``bag_not_a_bag``, ``bag_fetch``, ``bag_malformed_manifest``, ``bag_missing_file``, ``bag_added_file``,
            ``bag_changed_file``.
    """
    return _Reader(path, limits or Limits()).read()


class _Reader:
    """Checks one bag, collecting problems until nothing more can be said."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._name = path.name
        self._source = _open_source(path, limits)
        self._problems: list[Problem] = []
        self._prefix = self._find_prefix()

    def read(self) -> Bag:
        names = {path.removeprefix(self._prefix) for path in self._source.sizes}
        left = self._left_by_systems(names)
        names -= left
        self._check_tag_names({name for name in names if not name.startswith(_DATA)})
        declared = self._tag(DECLARATION)
        if not _DECLARED.fullmatch(declared):
            raise self._refuse("bag_not_a_bag", "The file bagit.txt does not declare a BagIt package in UTF-8.")
        tag_sums = self._sums(_TAG_MANIFEST)
        sums = self._sums(MANIFEST)
        self._compare(tag_sums, names & (_TAGS - {_TAG_MANIFEST}))
        self._compare(sums, {name for name in names if name.startswith(_DATA)})
        info = self._info(self._tag(INFO))
        if self._problems:
            raise ProblemsError(self._problems)
        bag = Bag(self._name, self._source, self._prefix, {name.removeprefix(_DATA): one for name, one in sums.items()})
        bag.info, bag.ignored = info, tuple(sorted(left))
        bag.mark = sha256_hex(self._tag(_TAG_MANIFEST).encode())
        return bag

    def _left_by_systems(self, names: set[str]) -> set[str]:
        """Return what systems leave in folders and zips that people open, but for what the package itself names."""
        left = {name for name in names if left_by_system(name)}
        named = set(self._tag(MANIFEST).split()) if left and MANIFEST in names else set()
        return left - named

    def _find_prefix(self) -> str:
        if DECLARATION in self._source.sizes:
            return ""
        tops = {name.partition("/")[0] for name in self._source.sizes if not left_by_system(name)}
        if len(tops) == 1:
            prefix = f"{tops.pop()}/"
            if prefix + DECLARATION in self._source.sizes:
                return prefix
        raise self._refuse("bag_not_a_bag", "There is no bagit.txt at its top, or other files lie beside the package.")

    def _check_tag_names(self, tags: set[str]) -> None:
        for name in sorted(tags - _TAGS):
            if name == "fetch.txt":
                self._add("bag_fetch", "The package wants files fetched from elsewhere, which is never done.")
            else:
                self._add("bag_added_file", f"The file {name!r} does not belong to the package.")
        missing = sorted(_TAGS - tags)
        if missing:
            raise self._refuse("bag_missing_file", f"The package lacks {', '.join(missing)}.")

    def _tag(self, name: str) -> str:
        if self._source.sizes[self._prefix + name] > _MAX_TAG_BYTES:
            raise self._refuse("bag_too_large", f"The file {name} is too large for what it is.")
        with self._source.open(self._prefix + name) as stream:
            content = stream.read()
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError:
            raise self._refuse("bag_malformed_manifest", f"The file {name} is not UTF-8 text.") from None

    def _sums(self, name: str) -> dict[str, str]:
        """Read a manifest: SHA-256 by path."""
        sums: dict[str, str] = {}
        for number, line in enumerate(self._tag(name).splitlines(), start=1):
            found = _SUM.fullmatch(line)
            path = _normal(_decode(found[2])) if found else ""
            if found is None or name_fault(path) or path.startswith(_DATA) != (name == MANIFEST):
                self._add("bag_malformed_manifest", f"Line {number} of {name} is not a sum and a path of this package.")
            elif path in sums:
                self._add("bag_malformed_manifest", f"Line {number} of {name} names {path!r} for the second time.")
            else:
                sums[path] = found[1].lower()
        return sums

    def _compare(self, sums: Mapping[str, str], present: set[str]) -> None:
        for name in sorted(sums.keys() - present):
            self._add("bag_missing_file", f"The file {name!r} stands in the manifest but is not in the package.")
        for name in sorted(present - sums.keys()):
            self._add("bag_added_file", f"The file {name!r} is in the package but not in the manifest.")
        for name in sorted(present & sums.keys()):
            if self._sum(name) != sums[name]:
                self._add("bag_changed_file", f"The file {name!r} is not what the manifest says: it was changed.")

    def _sum(self, name: str) -> str:
        digest = hashlib.sha256()
        with self._source.open(self._prefix + name) as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()

    def _info(self, text: str) -> dict[str, str]:
        info: dict[str, str] = {}
        last = ""
        for number, line in enumerate(text.splitlines(), start=1):
            found = _LABEL.fullmatch(line)
            if line[:1] in (" ", "\t") and last:
                info[last] = f"{info[last]} {line.strip()}"
            elif found and found[1] not in info:
                last = found[1]
                info[last] = found[2]
            elif line.strip():
                self._add("bag_malformed_manifest", f"Line {number} of {INFO} is not a new label and its value.")
        return info

    def _add(self, code: str, cause: str) -> None:
        self._problems.append(Problem(Place(self._name), cause, AGAIN, code=code))

    def _refuse(self, code: str, cause: str) -> ProblemsError:
        return ProblemsError([*self._problems, Problem(Place(self._name), cause, AGAIN, code=code)])


def _decode(path: str) -> str:
    # RFC 8493 escapes these and no others; line ends are refused as names afterwards.
    return re.sub("%(0A|0D|25)", lambda found: chr(int(found[1], 16)), path, flags=re.IGNORECASE)


# Writing BagIt packages so that the same content and day give the same bytes.

Payload = Mapping[str, bytes | Path]
"""What goes into a bag: content, or the file that holds it, by path with ``/`` and without ``data/``."""

_DECLARATION_TEXT: Final = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_FIRST_ZIP_YEAR: Final = 1980
_FILE_MODE: Final = 0o100644 << 16
_UNIX: Final = 3


def write_folder(folder: Path, payload: Payload, *, as_of: date, info: Mapping[str, str] | None = None) -> str:
    """Write a package as a folder, which must be empty or not exist yet.

    ``info`` are further labels for ``bag-info.txt``, such as ``Source-Organization``; one line each.

    Returns:
        The SHA-256 of the tag manifest: it stands for the whole package.

    Raises:
        ProblemsError: the folder is not empty, or a name is unsafe; codes as in ``read_bag``, and
            ``bag_target_exists``.
        ValueError: a label or its value cannot stand on one line.
    """
    files = _files(payload, as_of, info or {})
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise refuse(str(folder), "The folder is not empty.", "Choose a new one.", code="bag_target_exists")
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            shutil.copyfile(content, target)
        else:
            target.write_bytes(content)
    return _mark(files)


def write_zip(target: Path, payload: Payload, *, name: str, as_of: date, info: Mapping[str, str] | None = None) -> str:
    """Write a package as one zip with one folder ``name`` in it; an existing file is replaced.

    Arguments, result and errors otherwise as for ``write_folder``. Same content, day and zlib: same bytes.
    """
    files = _files(payload, as_of, info or {})
    fault = name_fault(name)
    if fault or "/" in name:
        raise ValueError(f"{name!r} cannot name a package: {fault or 'it is a path'}")
    day = (max(as_of.year, _FIRST_ZIP_YEAR), as_of.month, as_of.day, 0, 0, 0)
    with zipfile.ZipFile(target, "w", compression=zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(f"{name}/{path}", day)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = _UNIX
            entry.external_attr = _FILE_MODE
            entry.file_size = content.stat().st_size if isinstance(content, Path) else len(content)
            with archive.open(entry, "w") as stream:
                for chunk in _chunks(content):
                    stream.write(chunk)
    return _mark(files)


def _chunks(content: bytes | Path) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _mark(files: Payload) -> str:
    manifest = files[_TAG_MANIFEST]
    return sha256_hex(manifest if isinstance(manifest, bytes) else manifest.read_bytes())


def _files(payload: Payload, as_of: date, info: Mapping[str, str]) -> dict[str, bytes | Path]:
    """Return every file of the bag in the order in which it is written."""
    content = {_DATA + _normal(path): one for path, one in payload.items()}
    _check_names(payload)
    size = sum(one.stat().st_size if isinstance(one, Path) else len(one) for one in content.values())
    labels = {"Bagging-Date": as_of.isoformat(), "Payload-Oxum": f"{size}.{len(content)}", **info}
    tags: dict[str, bytes | Path] = {
        DECLARATION: _DECLARATION_TEXT,
        INFO: "".join(_label(key, value) for key, value in sorted(labels.items())).encode("utf-8"),
        MANIFEST: _manifest(content),
    }
    return {**tags, _TAG_MANIFEST: _manifest(tags), **dict(sorted(content.items()))}


def _check_names(payload: Payload) -> None:
    faults = [(path, name_fault(path)) for path in payload]
    problems = [
        Problem(Place(path), f"The name {path!r} is not allowed: {fault}.", "Rename the file.", code="bag_unsafe_name")
        for path, fault in faults
        if fault
    ]
    first: dict[str, str] = {}
    for path in payload:
        other = first.setdefault(collision_key(path), path)
        if other != path:
            cause = f"{other!r} and {path!r} are one name on some systems."
            problems.append(Problem(Place(path), cause, "Rename one of the two files.", code="bag_same_name"))
    if problems:
        raise ProblemsError(problems)


def _label(key: str, value: str) -> str:
    if ":" in key or not key.strip() or not f"{key}{value}".isprintable():
        raise ValueError(f"{key!r}: {value!r} cannot stand on one line of {INFO}")
    return f"{key}: {value}\n"


def _manifest(files: Payload) -> bytes:
    lines = []
    for path, content in sorted(files.items()):
        digest = hash_file(content) if isinstance(content, Path) else hashlib.sha256(content).hexdigest()
        lines.append(f"{digest}  {path.replace('%', '%25')}\n")
    return "".join(lines).encode("utf-8")
