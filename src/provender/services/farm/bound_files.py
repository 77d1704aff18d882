"""The files that belong to a farm's book, and what salts the leaves of its reports."""

from collections.abc import Iterator
from pathlib import Path

from provender.database.models import Change
from provender.records.folder import BOUNDARIES, EVIDENCE
from provender.report.record_rows import FILES
from provender.services.farm.book import FarmBook
from provender.services.farm.folder import FILE, side_files
from provender.signing.hashes import sha256_hex

LEAF_SECRET = "leaf-secret"  # noqa: S105 - the name of an entry
"""The name under which a book that came from elsewhere keeps the secret of its reports."""


def kept_files(farm: FarmBook) -> Iterator[tuple[str, Path]]:
    """Yield where the files belong that the records name, and where they lie: evidence, boundaries not in the book."""
    beside = side_files(farm.files)
    for folder, paths in ((EVIDENCE, farm.evidence_paths), (BOUNDARIES, farm.boundary_paths)):
        for (_, name), path in paths.items():
            place = f"{folder}/{name}"
            if ".." not in Path(name).parts and place not in beside and path.is_file():
                yield place, path


def bound_files(farm: FarmBook) -> dict[str, bytes]:
    """Return the boundaries and rejected rows of a book by path, as its package will hold them."""
    texts = {path: text.encode() for path, text in side_files(farm.files).items()}
    stored = {path: held.read_bytes() for path, held in kept_files(farm) if path.startswith(f"{BOUNDARIES}/")}
    return {path: content for path, content in {**texts, **stored}.items() if path.partition("/")[0] in FILES}


def leaf_secret_of_book(farm: FarmBook) -> str:
    """Return the secret behind the salted leaves of a book's reports; it stays the same as the book grows.

    It follows from the whole text of the first change, of which nothing but its hash is ever shown to others.
    """
    brought = farm.rows.get(FILE, {}).get(LEAF_SECRET)
    if brought is not None:
        return str(brought["text"])
    first = Change.objects.filter(book=farm.book, number=1).values_list("text", flat=True).first()
    return sha256_hex(f"leaves of {first}".encode())
