"""Every test that takes ``store`` runs against every kind of store."""

import pytest

from provender.custody.model.store_view import Store
from tests.custody.world import STORES


@pytest.fixture(params=sorted(STORES))
def store(request: pytest.FixtureRequest) -> Store:
    """Return an empty store."""
    return STORES[request.param]()
