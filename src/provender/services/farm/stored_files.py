"""The stored files that a book's evidence records name, read again from the disk whenever verdicts are made anew."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from provender.database.models import Organisation, Upload
from provender.services.farm.uploads import path_of


def stored_paths(
    organisation: Organisation, farm_id: str, rows: Mapping[str, Mapping[str, object]]
) -> dict[tuple[str, str], Path]:
    """Return where the files of evidence lie by the names that the records give them: by hash, else by name uploaded.

    Args:
        organisation: whose uploads.
        farm_id: as the records name the farm.
        rows: of the kind ``evidence``, by key.
    """
    uploads = list(Upload.objects.filter(organisation=organisation).order_by("id").values_list("sha256", "name"))
    by_name = {name: digest for digest, name in uploads}
    kept = {digest for digest, _ in uploads}
    found: dict[tuple[str, str], Path] = {}
    for row in rows.values():
        file, digest = str(row.get("file") or ""), str(row.get("sha256") or "").lower()
        held = digest if digest in kept else by_name.get(file, "")
        if file and held:
            found[farm_id, file] = path_of(held)
    return found


def readers(paths: Mapping[tuple[str, str], Path]) -> dict[tuple[str, str], Callable[[], bytes]]:
    """Return what reads each file from where it lies."""
    return {name: partial(_read, path) for name, path in paths.items()}


def as_they_lie(paths: Mapping[tuple[str, str], Path]) -> list[tuple[str, str, int, int, int]]:
    """Return of each file its name, its place, its size and when it was changed; of one that is gone, zeros.

    It moves when a file comes, goes or is written over, without reading any.
    """
    return [(file, path.name, *_stamp(path)) for (_, file), path in sorted(paths.items())]


def _stamp(path: Path) -> tuple[int, int, int]:
    try:
        now = path.stat()
    except OSError:
        return 0, 0, 0
    return now.st_size, now.st_mtime_ns, now.st_ctime_ns


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
