"""``provender demo``: the main jobs on the examples, from nothing to the documents."""

from importlib import import_module
from typing import Final

import typer

# Name of the demonstration -> module and its function of that name; its docstring is the help.
DEMONSTRATIONS: Final = {
    "farm": "provender.cli.demo.farm",
    "basswood": "provender.cli.demo.basswood",
    "chain": "provender.cli.demo.chain",
}

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
for name, module in DEMONSTRATIONS.items():
    app.command(name)(getattr(import_module(module), name))


@app.callback()
def demonstrations() -> None:
    """Run the main jobs on the examples, from records to documents."""
