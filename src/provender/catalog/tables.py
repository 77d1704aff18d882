"""Packaged CSV tables, read once."""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def rows(name: str) -> tuple[Mapping[str, str], ...]:
    """Return the rows of ``data/<name>`` as text by column."""
    text = (files("provender.catalog") / "data" / name).read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))
