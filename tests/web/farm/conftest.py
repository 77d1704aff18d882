"""Whoever looks at the pages of the farm finds a season of records there, of few fields where nothing else is said."""

import pytest
from django.test import Client

from tests.web.cast import Cast
from tests.web.fixtures import few_fields, whole_season
from tests.web.importing import read_here

__all__ = ["few_fields", "read_here", "whole_season"]


@pytest.fixture
def owner(season: Cast) -> Client:
    """Return a browser in which the owner of a farm with a season of records has signed in."""
    return season.client()
