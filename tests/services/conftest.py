"""Shares the fixtures of the database and the web application."""

from tests.web.fixtures import _lift_guards_before_emptying, _own_folder, cast, producer, registered, season, signed

__all__ = ["_lift_guards_before_emptying", "_own_folder", "cast", "producer", "registered", "season", "signed"]
