"""``provender manage``: commands of the database and the web application, such as ``check --deploy``."""

import typer

app = typer.Typer(add_completion=False)


@app.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []})
def manage(context: typer.Context) -> None:
    """Pass the rest of the line on. `provender manage help` lists the commands."""
    from django.core.management import execute_from_command_line

    from provender.web.start import set_environment

    set_environment(None)
    execute_from_command_line(["provender manage", *context.args])
