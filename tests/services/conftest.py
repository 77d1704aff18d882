"""Shares the fixtures of the database and the web application; the farm has few fields."""

from tests.web.fixtures import (
    _lift_guards_before_emptying,
    _own_folder,
    cast,
    few_fields,
    producer,
    registered,
    signed,
)

__all__ = ["_lift_guards_before_emptying", "_own_folder", "cast", "few_fields", "producer", "registered", "signed"]
