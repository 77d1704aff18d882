"""Shares the fixtures of the database and the web application."""

from tests.web.fixtures import (
    _lift_guards_before_emptying,
    _own_folder,
    browser,
    cast,
    django_db_modify_db_settings,
    postgres_server,
)

__all__ = [
    "_lift_guards_before_emptying",
    "_own_folder",
    "browser",
    "cast",
    "django_db_modify_db_settings",
    "postgres_server",
]
