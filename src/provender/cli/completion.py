"""``provender completion``: the script by which a shell completes verbs, options and files, and its answers."""

import os
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

app = typer.Typer(rich_markup_mode=None, add_completion=False)
ASKED: Final = "_PROVENDER_COMPLETE"
"""What a shell sets when it asks for completions: ``complete_bash`` and the like."""
_SHELLS: Final = ("bash", "zsh", "fish", "powershell", "pwsh")


def _shell(text: str) -> str:
    if text not in _SHELLS:
        raise typer.BadParameter(f"there is no script for {text!r}. Name one of: {', '.join(_SHELLS)}.")
    return text


@app.command()
def completion(
    shell: Annotated[str, typer.Argument(parser=_shell, metavar="SHELL", help=f"One of: {', '.join(_SHELLS)}.")],
) -> None:
    """Print the script for your shell. In bash: `provender completion bash >> ~/.bashrc`, then open a new one."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined] # Typer does not list it

    typer.echo(get_completion_script(prog_name="provender", complete_var=ASKED, shell=shell))


class _Verbs(TyperGroup):
    """All verbs as one group, which only completion asks: each is imported when its own line is completed."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - as Typer's own
        from provender.cli.app import VERBS

        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as Typer's own
        from provender.cli.app import VERBS

        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        if ctx.info_name == "provender" and ctx.meta.get(ASKED) == "verbs":
            return TyperCommand(cmd_name, help=verb.help)
        return typer.main.get_command(getattr(import_module(verb.module), verb.app))

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:  # noqa: ANN401 - as Typer's own
        ctx.meta[ASKED] = "verbs"  # their names and help stand in the table: nothing is imported for them
        return super().shell_complete(ctx, incomplete)


def answer() -> int:
    """Print the completions of the line that a shell is asked to complete."""
    from typer.completion import completion_init, shell_complete  # type: ignore[attr-defined] # Typer lists neither

    completion_init()
    return shell_complete(_Verbs(name="provender"), {}, "provender", ASKED, os.environ[ASKED])
