"""What a caller may send: texts, codes, and the header that names one deed."""

import re
from typing import Annotated, Final

from ninja import Path
from pydantic import Field

OneLine = Annotated[
    str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$", description="One line of text.")
]
"""A name or label: no control characters, which PostgreSQL would refuse and a list would show wrongly."""

Handle = Annotated[str, Path(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_-]+$")]
"""A code in an address that names one thing of the organization."""

Id = Annotated[int, Path(ge=1, le=2**63 - 1)]
"""The number in an address that names one thing of the organization."""

Code = Annotated[str, Field(max_length=24, pattern=r"^[A-Za-z0-9 -]*$", description="Code of an organization here.")]
"""As people write it: case, blanks and hyphens aside."""


HEADER: Final = "Idempotency-Key"
LONGEST: Final = 100
KEY: Final = re.compile(rf"[!-~]{{1,{LONGEST}}}")
"""Visible ASCII characters."""
