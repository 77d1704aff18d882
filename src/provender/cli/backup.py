"""``provender backup`` and ``provender restore``: everything a server keeps, in one archive and out again."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(rich_markup_mode=None, add_completion=False)
back = typer.Typer(rich_markup_mode=None, add_completion=False)

Folder = Annotated[Path | None, typer.Option(help="Where database and files lie; provender-data here without it.")]


@app.command()
def backup(
    archive: Annotated[Path, typer.Argument(help="The archive to write, such as provender-2026-12-31.tar.gz.")],
    folder: Folder = None,
) -> None:
    """Copy database and stored files into one archive, while the server goes on."""
    _set_up(folder)
    from provender.database.backup import write_backup

    made = write_backup(archive)
    typer.echo(f"{archive}: the database and {made.files} stored files, {made.size / 1e6:,.1f} MB before packing.")
    typer.echo("It holds everything people entered. Keep it where only you can read it.")


@back.command()
def restore(
    archive: Annotated[Path, typer.Argument(help="An archive of `provender backup`.")],
    folder: Folder = None,
) -> None:
    """Put an archive back into a new folder (or an empty PostgreSQL database), after checking every hash in it."""
    _set_up(folder)
    from provender.database.backup import restore_backup

    made = restore_backup(archive)
    typer.echo(f"The database and {made.files} stored files are back. Start it with `provender serve`.")


def _set_up(folder: Path | None) -> None:
    from provender.web.start import set_environment

    set_environment(folder)
    import django

    django.setup()
