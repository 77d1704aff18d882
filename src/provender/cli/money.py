"""The options by which a user types a price; what becomes of it is decided in ``provender.services.farm.money``."""

from typing import Annotated, Final

import typer

NAMES: Final = ("--premium-per-bushel", "--price-per-point", "--point")
"""What a refusal calls them."""
Premium = Annotated[
    str,
    typer.Option(NAMES[0], "--premium", metavar="$/BU", help="Dollars a bushel, your own assumption; kept nowhere."),
]
PerPoint = Annotated[
    str,
    typer.Option(NAMES[1], metavar="$", help="Dollars a bushel for each point of CI, your own assumption."),
]
Point = Annotated[str, typer.Option(NAMES[2], metavar="G", help="Grams CO2e a bushel that your buyer calls a point.")]
