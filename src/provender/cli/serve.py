"""``provender serve``, ``manage``, ``backup`` and ``restore``: the web application, its database and its archive."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

app = typer.Typer(add_completion=False)
manage_app = typer.Typer(add_completion=False)
backup_app = typer.Typer(rich_markup_mode=None, add_completion=False)
restore_app = typer.Typer(rich_markup_mode=None, add_completion=False)


Folder = Annotated[Path | None, typer.Option(help="Where database and files lie; provender-data here without it.")]


@app.command()
def serve(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on this machine.")] = 8000,
    folder: Folder = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Load the prairie chain, one account per role, shown on the terminal.")
    ] = False,
) -> None:
    """Serve the pages and the API on this machine. For others, a proxy that speaks TLS stands in front."""
    from provender.web import start

    start.in_haste()
    start.check_port(port)
    start.set_environment(folder, otherwise="provender-demo" if demo else "provender-data", demonstration=demo)
    for line in start.prepare(_chain if demo else None):
        typer.echo(line)
    start.become_server(port)


def _chain() -> Callable[[], Iterator[str]]:
    from provender.database.actor import today
    from provender.demo.loading import load_begun

    return lambda: load_begun(today())


@manage_app.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
)
def manage(context: typer.Context) -> None:
    """Pass the rest of the line on. `provender manage help` lists the commands."""
    from django.core.management import execute_from_command_line

    from provender.web.start import set_environment

    words = ["provender manage", *context.args]
    if not context.args or {"--help", "-h", "help", "--version"} & set(context.args):
        with TemporaryDirectory() as nowhere:  # help reads settings, and they want a folder and a key
            set_environment(Path(nowhere))
            execute_from_command_line(words)
        return
    set_environment(None)
    execute_from_command_line(words)


@backup_app.command()
def backup(
    archive: Annotated[Path, typer.Argument(help="The archive to write, such as provender-2026-12-31.tar.gz.")],
    folder: Folder = None,
) -> None:
    """Copy database and stored files into one archive, while the server goes on."""
    set_up(folder)
    from provender.database.backup import write_backup

    made = write_backup(archive)
    typer.echo(f"{archive}: the database and {made.files} stored files, {made.size / 1e6:,.1f} MB before packing.")
    typer.echo("It holds everything people entered. Keep it where only you can read it.")


@restore_app.command()
def restore(
    archive: Annotated[Path, typer.Argument(help="An archive of `provender backup`.")],
    folder: Folder = None,
) -> None:
    """Put an archive back into a new folder (or an empty PostgreSQL database), after checking every hash in it."""
    set_up(folder)
    from provender.database.backup import restore_backup

    made = restore_backup(archive)
    typer.echo(f"The database and {made.files} stored files are back. Start it with `provender serve`.")


def set_up(folder: Path | None) -> None:
    """Let this process speak to the database in a folder."""
    from provender.web.start import set_environment

    set_environment(folder)
    import django

    django.setup()
