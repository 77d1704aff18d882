"""Texts that a caller may send."""

from typing import Annotated

from pydantic import Field

OneLine = Annotated[
    str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$", description="One line of text.")
]
"""A name or label: no control characters, which PostgreSQL would refuse and a list would show wrongly."""
