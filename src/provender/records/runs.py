"""Rows in runs: those of one farm or unit mostly lie beside each other, so that names are looked at once a run."""

from typing import Final

import polars as pl

MANY: Final = 10_000
"""Rows from which looking for runs is worth its queries."""


def begins(*names: str) -> pl.Expr:
    """Return where a row differs from the one before in one of these columns; a null is like another.

    The first row begins a run unless all of its are null. Never null itself.
    """
    return pl.any_horizontal(pl.col(name).ne_missing(pl.col(name).shift(1)) for name in names)
