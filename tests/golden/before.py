"""Where things written by the version before lie, and how they are unpacked."""

import tarfile
from pathlib import Path
from typing import Final

BEFORE: Final = Path(__file__).parent / "before"
FILES: Final = BEFORE / "chain.tar.xz"
FARM: Final = BEFORE / "farm.tar.xz"
DATABASE: Final = BEFORE / "database.tar.xz"


def unpacked(archive: Path, folder: Path) -> Path:
    """Unpack an archive into a folder and return the folder."""
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    return folder
