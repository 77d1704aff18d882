"""Names that people and lists write differently: one folding for look-ups, over text and over columns."""

import polars as pl


def fold(name: str) -> str:
    """Return a name for look-up: no case, single spaces."""
    return " ".join(name.split()).casefold()


def folded(column: str) -> pl.Expr:
    """Return a column of names for look-up, folded as ``fold`` does."""
    return pl.col(column).str.replace_all(r"\s+", " ").str.strip_chars().str.to_lowercase()
