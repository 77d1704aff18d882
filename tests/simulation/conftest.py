"""The seasons run against every kind of store that the tables of cases run against."""

from tests.custody.conftest import store

__all__ = ["store"]
