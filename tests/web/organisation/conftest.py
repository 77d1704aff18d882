"""Makes the cast once for the tests of a module."""

from tests.web.standing import _standing_cast, cast

__all__ = ["_standing_cast", "cast"]
