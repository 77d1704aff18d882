"""The stored files that a book's evidence records name, read again from the disk whenever verdicts are made anew."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from provender.database.models import Organisation, Upload
from provender.records.evidence_files import HeldFiles
from provender.services.farm.uploads import path_of


def stored_files(organisation: Organisation, farm_id: str, rows: Mapping[str, Mapping[str, object]]) -> HeldFiles:
    """Return the files of evidence by the names that the records give them: by hash, else by the name uploaded.

    Args:
        organisation: whose uploads.
        farm_id: as the records name the farm.
        rows: of the kind ``evidence``, by key.
    """
    uploads = list(Upload.objects.filter(organisation=organisation).order_by("id").values_list("sha256", "name"))
    by_name = {name: digest for digest, name in uploads}
    kept = {digest for digest, _ in uploads}
    found: dict[tuple[str, str], Callable[[], bytes]] = {}
    for row in rows.values():
        file, digest = str(row.get("file") or ""), str(row.get("sha256") or "").lower()
        held = digest if digest in kept else by_name.get(file, "")
        if file and held:
            found[farm_id, file] = partial(_read, path_of(held))
    return HeldFiles(found)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
