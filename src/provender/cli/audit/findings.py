"""``provender audit finding``: findings in a log that only grows."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from provender.audit import findings
from provender.cli import output
from provender.problem import refuse

app = typer.Typer(no_args_is_help=True, help="Raise, answer and resolve findings; list how they stand.")

Log = Annotated[Path, typer.Argument(metavar="LOG", help="The audit's findings.jsonl; made when it is not there.")]
Number = Annotated[str, typer.Argument(help="The finding's number in the audit.")]
By = Annotated[str, typer.Option(help="Who does this.")]
Words = Annotated[str, typer.Option(help="In words.")]
Bushels = Annotated[str, typer.Option(help="Bushels whose claim depends on it, if known.")]
Grams = Annotated[str, typer.Option(help="Grams CO2e by which claims are wrong, if known.")]
Bears = Annotated[
    findings.Bearing | None, typer.Option(help="What it has to do with misstatement, once that is judged.")
]
Due = Annotated[date, output.day_option("Last day to answer or resolve.")]


def _read(log: Path) -> list[findings.Event]:
    return findings.read_log(output.read_bytes(log), log.name) if log.exists() else []


@output.stopping
def _add(log: Path, number: str, deed: findings.Deed, by: str, as_of: date | None, **more: str) -> None:
    """Check the event against the whole log, then add its line; lines before it are never written again."""
    event = {"deed": str(deed), "finding": number, "on": (as_of or output.today()).isoformat(), "by": by, **more}
    try:
        *_, last = findings.append(_read(log), event)
        with log.open("ab") as stream:
            stream.write(findings.write_log([last]))
    except OSError as trouble:
        cause = f"The log cannot be written ({trouble.strerror})."
        raise refuse(log.name, cause, "Check its folder.") from None
    Console().print(f"Finding {number}: {deed}.", markup=False)


@app.command("raise")
def raise_finding(
    log: Log,
    number: Number,
    by: By,
    text: Words,
    due: Due,
    severity: Annotated[findings.Severity, typer.Option(help="How much it weighs.")],
    cite: Annotated[str, typer.Option(help="The paragraph, such as 2100.051(c)(3).")],
    subject: Annotated[str, typer.Option(help="Farm, entity, unit, lot or document it is about.")],
    owner: Annotated[str, typer.Option(help="Who must answer.")],
    bushels: Bushels = "",
    grams: Grams = "",
    bearing: Bears = None,
    as_of: output.AsOf = None,
) -> None:
    """Raise a finding."""
    more = {"text": text, "due": due.isoformat(), "severity": str(severity), "cite": cite, "subject": subject}
    _add(log, number, findings.Deed.RAISED, by, as_of, **more, owner=owner, **_effects(bushels, grams, bearing))


def _effects(bushels: str, grams: str, bearing: findings.Bearing | None) -> dict[str, str]:
    said = {"effect_bushels": bushels, "effect_g_co2e": grams, "bearing": str(bearing or "")}
    return {name: value for name, value in said.items() if value}


@app.command()
def respond(
    log: Log,
    number: Number,
    by: By,
    text: Words,
    evidence: Annotated[str, typer.Option(help="Where the evidence is found.")] = "",
    as_of: output.AsOf = None,
) -> None:
    """Answer a finding, as its owner."""
    shown = {"evidence": evidence} if evidence else {}
    _add(log, number, findings.Deed.RESPONDED, by, as_of, text=text, **shown)


@app.command()
def resolve(
    log: Log,
    number: Number,
    by: By,
    text: Words,
    resolution: Annotated[findings.Resolution, typer.Option(help="How it ended.")],
    bushels: Bushels = "",
    grams: Grams = "",
    bearing: Bears = None,
    as_of: output.AsOf = None,
) -> None:
    """Resolve a finding, as the verifier."""
    effects = _effects(bushels, grams, bearing)
    _add(log, number, findings.Deed.RESOLVED, by, as_of, text=text, resolution=str(resolution), **effects)


@app.command()
def reopen(log: Log, number: Number, by: By, text: Words, due: Due, as_of: output.AsOf = None) -> None:
    """Open a resolved finding again, with the reason."""
    _add(log, number, findings.Deed.REOPENED, by, as_of, text=text, due=due.isoformat())


@app.command()
def change(
    log: Log,
    number: Number,
    by: By,
    text: Annotated[str, typer.Option(help="The reason.")],
    owner: Annotated[str, typer.Option(help="The new owner.")] = "",
    due: Annotated[date | None, output.day_option("The new last day.")] = None,
    severity: Annotated[findings.Severity | None, typer.Option(help="The new weight.")] = None,
    cite: Annotated[str, typer.Option(help="The new paragraph.")] = "",
    bushels: Bushels = "",
    grams: Grams = "",
    bearing: Bears = None,
    as_of: output.AsOf = None,
) -> None:
    """Change owner, due date, severity, paragraph or bearing, with the reason."""
    new = {"owner": owner, "due": due.isoformat() if due else "", "severity": str(severity or ""), "cite": cite}
    said = {name: value for name, value in new.items() if value}
    _add(log, number, findings.Deed.CHANGED, by, as_of, text=text, **said, **_effects(bushels, grams, bearing))


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
