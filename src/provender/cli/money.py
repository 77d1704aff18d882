"""The options by which a user types a price; what becomes of it is decided in ``provender.services.farm.money``."""

from typing import Annotated

import typer

Premium = Annotated[
    str,
    typer.Option(
        "--premium-per-bushel", "--premium", metavar="$/BU", help="Dollars a bushel, your own assumption; kept nowhere."
    ),
]
PerPoint = Annotated[
    str,
    typer.Option("--price-per-point", metavar="$", help="Dollars a bushel for each point of CI, your own assumption."),
]
Point = Annotated[str, typer.Option("--point", metavar="G", help="Grams CO2e a bushel that your buyer calls a point.")]
