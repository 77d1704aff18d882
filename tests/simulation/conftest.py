"""The seasons run against every kind of store that the tables of cases run against, and against both databases."""

from tests.custody.conftest import store
from tests.database.conftest import (
    _lift_guards_before_emptying,
    _own_folder,
    django_db_modify_db_settings,
    postgres_server,
)

__all__ = ["_lift_guards_before_emptying", "_own_folder", "django_db_modify_db_settings", "postgres_server", "store"]
