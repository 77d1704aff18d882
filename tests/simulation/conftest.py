"""The seasons run against every kind of store that the tables of cases run against, and against both databases."""

from tests.custody.conftest import store
from tests.web.fixtures import _lift_guards_before_emptying, _own_folder

__all__ = ["_lift_guards_before_emptying", "_own_folder", "store"]
