"""Writing BagIt packages so that the same content and day give the same bytes."""

import hashlib
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Final

from provender.problem import Place, Problem, ProblemsError, refuse
from provender.signing.bag_sources import collision_key, name_fault, normal
from provender.signing.bags import DATA, DECLARATION, INFO, MANIFEST, TAG_MANIFEST
from provender.signing.hashes import hash_file, sha256_hex

Payload = Mapping[str, bytes | Path]
"""What goes into a bag: content, or the file that holds it, by path with ``/`` and without ``data/``."""

_DECLARATION_TEXT: Final = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_FIRST_ZIP_YEAR: Final = 1980
_FILE_MODE: Final = 0o100644 << 16
_UNIX: Final = 3
_CHUNK: Final = 1024**2


def write_folder(folder: Path, payload: Payload, *, as_of: date, info: Mapping[str, str] | None = None) -> str:
    """Write a package as a folder, which must be empty or not exist yet.

    Args:
        folder: where.
        payload: the files.
        as_of: the bagging date.
        info: further labels for ``bag-info.txt``, such as ``Source-Organization``; one line each.

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
    manifest = files[TAG_MANIFEST]
    return sha256_hex(manifest if isinstance(manifest, bytes) else manifest.read_bytes())


def _files(payload: Payload, as_of: date, info: Mapping[str, str]) -> dict[str, bytes | Path]:
    """Return every file of the bag in the order in which it is written."""
    content = {DATA + normal(path): one for path, one in payload.items()}
    _check_names(payload)
    size = sum(one.stat().st_size if isinstance(one, Path) else len(one) for one in content.values())
    labels = {"Bagging-Date": as_of.isoformat(), "Payload-Oxum": f"{size}.{len(content)}", **info}
    tags: dict[str, bytes | Path] = {
        DECLARATION: _DECLARATION_TEXT,
        INFO: "".join(_label(key, value) for key, value in sorted(labels.items())).encode("utf-8"),
        MANIFEST: _manifest(content),
    }
    return {**tags, TAG_MANIFEST: _manifest(tags), **dict(sorted(content.items()))}


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
