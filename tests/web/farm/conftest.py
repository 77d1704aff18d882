"""Whoever looks at the pages of the farm finds a season of records there."""

import pytest
from django.test import Client

from tests.web.cast import Cast


@pytest.fixture
def owner(season: Cast) -> Client:
    """Return a browser in which the owner of a farm with a season of records has signed in."""
    return season.client()
