"""Options by which farms are frozen and drawn: one list by ``audit freeze``, all by ``portfolio sample``."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from provender.cli.output import parse_day

Previous = Annotated[Path | None, typer.Option(help="CSV: farm_id, year of farms audited before.")]
Commitments = Annotated[
    list[str] | None, typer.Option("--commitment", help="verifier=HASH or audited=HASH, as `audit seed` gave it.")
]
BeaconSource = Annotated[str, typer.Option("--beacon", help="In their place: source of a public beacon.")]
BeaconRound = Annotated[str, typer.Option(help="Its round.")]
BeaconDay = Annotated[
    date | None, typer.Option(parser=parse_day, metavar="DAY", help="Day of that round, after today.")
]
