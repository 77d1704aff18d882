"""What the tests of reports share: boundary files are read in this process, not in a child as on a server."""

from collections.abc import Iterator

import pytest

from provender.formats import child
from tests.reading_here import answers_here


@pytest.fixture(scope="module", autouse=True)
def _read_here() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(child, "_converse", answers_here)
        yield
