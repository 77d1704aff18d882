"""``provender serve``: the web application on this machine, from nothing to ready in seconds."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False)


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine.")] = 8000,
    folder: Annotated[
        Path | None, typer.Option(help="Where database and files lie; provender-data here without it.")
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Load the prairie chain, one account per role, shown on the terminal.")
    ] = False,
) -> None:
    """Serve the pages and the API. Behind TLS for others: see the production notes."""
    from provender.web import start

    start.check_port(port)
    start.set_environment(folder, otherwise="provender-demo" if demo else "provender-data")
    for line in start.prepare(_chain if demo else None):
        typer.echo(line)
    start.become_server(port)


def _chain() -> Callable[[], Iterator[str]]:
    from django.utils import timezone

    from provender.demo.server import load_begun

    return lambda: load_begun(timezone.now().date())
