"""What the tests of readers share: the copied samples and a way to write a file."""

from pathlib import Path

import pytest

from tests.formats.workbooks import Write


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
