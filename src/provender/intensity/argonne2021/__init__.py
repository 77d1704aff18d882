"""Argonne FD-CIC 2021 as open code: an estimate, never a result of USDA FD-CIC.

``evaluate`` answers one row, ``answer_rows`` a JSON document of rows with its problems. The data is
a restored workbook (``data/PROVENANCE.md``): it has no coefficient for nitrification inhibitors or for the timing
of nitrogen.
"""

from typing import Final

from provender.intensity.argonne2021.inputs import column_name
from provender.intensity.argonne2021.model import Answer, answer_rows, evaluate

NAME: Final = "Argonne FD-CIC 2021"
VERSION: Final = "GREET 2021, restored workbook"
DISCLAIMER: Final = "estimate, not USDA FD-CIC"

__all__ = ["DISCLAIMER", "NAME", "VERSION", "Answer", "answer_rows", "column_name", "evaluate"]
