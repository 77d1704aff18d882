"""``provender audit finding``: findings in a log that only grows."""

from collections.abc import Callable
from dataclasses import fields
from datetime import date
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, Final, get_args

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from provender.audit import findings
from provender.cli import output
from provender.problem import refuse
from provender.schema import infos, is_day, is_required, types_of

app = typer.Typer(no_args_is_help=True, help="Raise, answer and resolve findings; list how they stand.")

Log = Annotated[Path, typer.Argument(metavar="LOG", help="The audit's findings.jsonl; made when it is not there.")]
Number = Annotated[str, typer.Argument(help="The finding's number in the audit.")]
By = Annotated[str, typer.Option(help="Who does this.")]
SHORT: Final = {"effect_bushels": "--bushels", "effect_g_co2e": "--grams"}
VERBS: Final = {
    "raise": (findings.Deed.RAISED, "Raise a finding."),
    "respond": (findings.Deed.RESPONDED, "Answer a finding, as its owner."),
    "resolve": (findings.Deed.RESOLVED, "Resolve a finding, as the verifier."),
    "reopen": (findings.Deed.REOPENED, "Open a resolved finding again, with the reason."),
    "change": (findings.Deed.CHANGED, "Change owner, due date, severity, paragraph or bearing, with the reason."),
}


def _read(log: Path) -> list[findings.Event]:
    return findings.read_log(output.read_bytes(log), log.name) if log.exists() else []


@output.stopping
def _add(log: Path, number: str, deed: findings.Deed, by: str, as_of: date | None, **said: object) -> None:
    """Check the event against the whole log, then add its line; lines before it are never written again."""
    event = {"deed": str(deed), "finding": number, "on": (as_of or output.today()).isoformat(), "by": by}
    event |= {name: str(value) for name, value in said.items() if value}
    try:
        *_, last = findings.append(_read(log), event)
        with log.open("ab") as stream:
            stream.write(findings.write_log([last]))
    except OSError as trouble:
        cause = f"The log cannot be written ({trouble.strerror})."
        raise refuse(log.name, cause, "Check its folder.") from None
    Console().print(f"Finding {number}: {deed}.", markup=False)


def _command(deed: findings.Deed, says: str) -> Callable[..., None]:
    """Return the command of a deed: an option for each part that the deed is declared with."""

    def run(log: Path, number: str, by: str, as_of: date | None = None, **said: object) -> None:
        _add(log, number, deed, by, as_of, **said)

    takes: dict[str, Any] = {"log": Log, "number": Number, "by": By}
    kinds, parts = types_of(findings.DEEDS[deed]), infos(findings.DEEDS[deed])
    needed = [each.name for each in fields(findings.DEEDS[deed]) if is_required(each)]
    for name, info in parts.items():
        told = f"{info.label}. {info.help}".strip()
        names = (SHORT.get(name, f"--{name}"),)
        plain = get_args(kinds[name])[0] if get_args(kinds[name]) else kinds[name]
        option = output.day_option(told, *names) if is_day(kinds[name]) else typer.Option(*names, help=told)
        kind = date if is_day(kinds[name]) else plain
        takes[name] = Annotated[kind if name in needed else kind | None, option]
    takes["as_of"] = output.AsOf
    asked = ("log", "number", "by", *needed)
    order = sorted(takes, key=lambda name: name not in asked)
    run.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(
                name, Parameter.KEYWORD_ONLY, annotation=takes[name], default=Parameter.empty if name in asked else None
            )
            for name in order
        ]
    )
    run.__doc__ = says
    return run


for _name, (_deed, _says) in VERBS.items():
    app.command(_name)(_command(_deed, _says))


@app.command("list")
@output.stopping
def list_findings(log: Log, as_of: output.AsOf = None, as_json: output.Json = False) -> None:
    """List findings as they stand; exit 1 when one is overdue."""
    day = as_of or output.today()
    output.read_bytes(log)
    found = list(findings.findings_now(_read(log), log.name).values())
    if as_json:
        output.print_json([one.document() | {"overdue": one.overdue(day)} for one in found])
    else:
        _show(found, day)
    if any(one.overdue(day) for one in found):
        raise typer.Exit(output.SOMETHING_TO_LOOK_AT)


def _show(found: list[findings.Finding], day: date) -> None:
    table = Table("No.", "Finding", "Owner", "Due", "Stage")
    for one in found:
        due = f"{one.due}\nOVERDUE" if one.overdue(day) else str(one.due)
        stage = f"{one.stage},\n{one.resolution}" if one.resolution else str(one.stage)
        words = Text(f"{one.severity} [7 CFR {one.cite}] {one.subject}: {one.text}")
        table.add_row(one.number, words, Text(one.owner), due, stage)
    Console().print(table)
