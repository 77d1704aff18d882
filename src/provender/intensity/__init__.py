"""Subpart C: calculator runs, CI models, the farm-level weighted average, completeness tests (2100.020).

Decided here: which bushels count, when a result is official, and which difference is a finding. Not decided here: which
practices a unit has (``standards``), and what stops a signature (``report``).
"""

from typing import Final

# Here, since every command offers them and few load what computes them.
OFFICIAL: Final = "official"
ARGONNE: Final = "argonne-2021"
CALCULATORS: Final = (OFFICIAL, ARGONNE)
"""The names by which a calculator is asked for."""
