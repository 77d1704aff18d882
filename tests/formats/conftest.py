"""What the tests of readers share: the copied samples and a way to write a file."""

from pathlib import Path

import pytest

from tests.formats.workbooks import Write

BOOK = {
    "farm.csv": "farm_id,name\nF1,Blue Stem\n",
    "unit.csv": "unit_id,name,acres\nHOME80,Home 80,80\n007,River bottom,40\n",
    "harvest.csv": "harvest_id,unit_id,crop,ending\nH1,HOME80,corn,harvested\n",
}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return a small record book; some modules have another of their own."""
    folder = tmp_path / "book"
    folder.mkdir()
    for name, text in BOOK.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


@pytest.fixture(scope="session")
def kept() -> Path:
    return Path(__file__).parent / "data"
