"""``python -m bench.nation --size small``: build a synthetic nation, run the jobs over it, count what they find."""

import resource
import shutil
import time
from pathlib import Path
from typing import Annotated, Final

import typer

from bench.nation.build import build
from bench.nation.farms import STATES, UNITS
from bench.nation.judge import judge
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT

SIZES: Final = {"county": (1, 500, 1), "small": (10, 1_000, 3), "state": (10, 10_000, 30)}
"""States, farms in each, planted faults of a kind in each."""
ON_PAPER: Final = "nation"

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def nation(
    size: Annotated[str, typer.Option(help="small, county, state; nation stands on paper.")] = "small",
    seed: Annotated[int, typer.Option(help="Another seed, other farms.")] = 20261121,
    to: Annotated[Path, typer.Option(help="Where portfolio and results go, written anew.")] = Path("out/nation"),
) -> None:  # fmt: skip
    """Exit status 1 when a planted fault is missed or an honest farm is accused."""
    if size == ON_PAPER:
        typer.echo("The nation stands on paper: docs/how-to/us_scale.md has its arithmetic and the curves under it.")
        raise typer.Exit(ALL_WELL)
    if size not in SIZES:
        raise typer.BadParameter(f"there is no size {size!r}. Use one of: {', '.join((*SIZES, ON_PAPER))}.")
    states, farms, each = SIZES[size]
    root, out = to / size / "portfolio", to / size / "results"
    shutil.rmtree(to / size, ignore_errors=True)
    start = time.perf_counter()
    planted = build(root, seed, farms=farms, each=each, states=STATES[:states])
    units = states * farms * UNITS
    typer.echo(f"{states * farms:,} farms, {units:,} fields, {units * 12:,} passes in {root}, seed {seed}: "
               f"{time.perf_counter() - start:.0f} s")  # fmt: skip
    outcome = judge(root, out, planted)
    for line in outcome.lines:
        typer.echo(f"{line.found:>6,} of {line.planted:<6,} {line.kind} ({line.code})")
    for name, (wall, own) in outcome.seconds.items():
        typer.echo(f"{wall:8.1f} s wall, {own:8.1f} s processor: {name}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    missed = sum(line.planted - line.found for line in outcome.lines)
    typer.echo(
        f"{len(outcome.lines)} kinds, {missed} missed, {len(outcome.false_alarms)} false alarms; peak {peak:.1f} GiB"
    )
    for code, where in outcome.false_alarms[:20]:
        typer.echo(f"false alarm: {code} {where}")
    raise typer.Exit(SOMETHING_TO_LOOK_AT if missed or outcome.false_alarms else ALL_WELL)


if __name__ == "__main__":
    app(prog_name="python -m bench.nation")
