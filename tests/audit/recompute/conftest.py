"""An authority for timestamps, made once for whoever stamps papers of packages."""

from pathlib import Path

import pytest

from tests.signing.authority import found_authority


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return found_authority(tmp_path_factory.mktemp("authority"))
