"""Options that the commands on a record book share: the book, the crop and harvest year, the calculator."""

from pathlib import Path
from typing import Annotated

import typer

from provender.intensity.calculator import CALCULATORS
from provender.rule.crops import Crop

Book = Annotated[Path, typer.Argument(metavar="BOOK", help="A record book folder.")]
OneCrop = Annotated[Crop | None, typer.Option("--crop", help="Only this crop.")]
Year = Annotated[int | None, typer.Option("--year", help="Only this harvest year.")]


def _calculator(text: str) -> str:
    if text not in CALCULATORS:
        raise typer.BadParameter(f"there is no calculator {text!r}. Use one of: {', '.join(CALCULATORS)}.")
    return text


Calculator = Annotated[
    str,
    typer.Option("--calculator", parser=_calculator, metavar="NAME", help=f"One of: {', '.join(CALCULATORS)}."),
]


Calculators = Annotated[
    Path | None,
    typer.Option(
        "--calculators", metavar="FILE.toml", dir_okay=False,
        help="A list of calculators beside the packaged one (`provender rule calculators`).",
    ),
]  # fmt: skip
