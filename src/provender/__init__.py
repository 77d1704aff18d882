"""provender: 7 CFR part 2100 as a working system, from the field's records to the refiner's books."""

from typing import Final

__version__: Final = "0.1.0"
