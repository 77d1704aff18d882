"""Files of others lie here as they were published, by version and hash, each with its licence."""

import json
from pathlib import Path
from typing import Final

import pytest

from provender.signing.canonical import hash_file

TREE: Final = Path(__file__).parent.parent.parent
FOLDERS: Final = (TREE / "src/provender/web/static/provender/vendor", TREE / "tests/web/vendor")


@pytest.mark.parametrize("folder", FOLDERS, ids=["pages", "tests"])
def test_every_file_is_in_the_manifest_with_its_hash(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    said = {
        str(Path(name) / file): digest
        for name, package in manifest.items()
        for file, digest in package["files"].items()
    }
    found = {
        str(file.relative_to(folder)): hash_file(file)
        for file in folder.rglob("*")
        if file.is_file() and file.name != "manifest.json"
    }
    assert found == said
    assert all("LICENSE" in package["files"] and package["version"] for package in manifest.values())
