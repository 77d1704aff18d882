"""What the tests of commands share."""

import pytest


@pytest.fixture(autouse=True)
def reads_without_children(parsed_here: None) -> None:
    """Read files in this process; that commands read them in a limited child, ``test_every_command`` shows."""
