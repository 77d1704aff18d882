"""The header by which a caller names one deed."""

import re
from typing import Final

HEADER: Final = "Idempotency-Key"
LONGEST: Final = 100
KEY: Final = re.compile(rf"[!-~]{{1,{LONGEST}}}")
"""Visible ASCII characters."""
