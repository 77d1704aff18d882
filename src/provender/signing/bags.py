"""BagIt packages (RFC 8493): files with a manifest of SHA-256 sums, as a folder or as a zip.

Reading trusts nothing: the container is checked first (``bag_sources``), then every file against the manifest, and a
file is checked again when it is taken. A bag proves that it is whole, not who made it: signatures do that. Packages
are written in ``bag_writing``.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from provender.problem import Place, Problem, ProblemsError, refuse
from provender.signing.bag_sources import (
    AGAIN,
    FolderSource,
    Limits,
    ZipSource,
    left_by_system,
    name_fault,
    normal,
    open_source,
)
from provender.signing.hashes import sha256_hex

DATA: Final = "data/"
DECLARATION: Final = "bagit.txt"
INFO: Final = "bag-info.txt"
MANIFEST: Final = "manifest-sha256.txt"
TAG_MANIFEST: Final = "tagmanifest-sha256.txt"

_TAGS: Final = frozenset({DECLARATION, INFO, MANIFEST, TAG_MANIFEST})
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
        with self._source.open(f"{self._prefix}{DATA}{path}") as stream:
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
        self._source = open_source(path, limits)
        self._problems: list[Problem] = []
        self._prefix = self._find_prefix()

    def read(self) -> Bag:
        names = {path.removeprefix(self._prefix) for path in self._source.sizes}
        left = self._left_by_systems(names)
        names -= left
        self._check_tag_names({name for name in names if not name.startswith(DATA)})
        declared = self._tag(DECLARATION)
        if not _DECLARED.fullmatch(declared):
            raise self._refuse("bag_not_a_bag", "The file bagit.txt does not declare a BagIt package in UTF-8.")
        tag_sums = self._sums(TAG_MANIFEST)
        sums = self._sums(MANIFEST)
        self._compare(tag_sums, names & (_TAGS - {TAG_MANIFEST}))
        self._compare(sums, {name for name in names if name.startswith(DATA)})
        info = self._info(self._tag(INFO))
        if self._problems:
            raise ProblemsError(self._problems)
        bag = Bag(self._name, self._source, self._prefix, {name.removeprefix(DATA): one for name, one in sums.items()})
        bag.info, bag.ignored = info, tuple(sorted(left))
        bag.mark = sha256_hex(self._tag(TAG_MANIFEST).encode())
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
            path = normal(_decode(found[2])) if found else ""
            if found is None or name_fault(path) or path.startswith(DATA) != (name == MANIFEST):
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
