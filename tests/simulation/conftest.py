"""The seasons of several processes run against both databases."""

from tests.web.fixtures import _lift_guards_before_emptying, _own_folder

__all__ = ["_lift_guards_before_emptying", "_own_folder"]
