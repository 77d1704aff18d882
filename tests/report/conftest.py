"""What the tests of reports share: boundary files are read in this process, not in a child as on a server."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def _read_here(readers_here: None) -> None:
    """Start no child."""
