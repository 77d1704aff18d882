"""``provender audit status``: which audits are due or overdue, and which days no statement covers."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from provender.audit.package.stored_statements import kept_statements, rhythm_entity
from provender.audit.statement.audit_cycle import Alert, Entity, Rhythm, rhythm
from provender.audit.statement.entity_list import read_entities
from provender.audit.statement.receive import receive
from provender.audit.statement.statement import VerificationStatement
from provender.cli.audit.files import read_document, stop
from provender.cli.keys import read_public
from provender.cli.output import SOMETHING_TO_LOOK_AT, AsOf, Json, print_json, print_problems, today
from provender.custody.book_file import open_book
from provender.problem import Problem, ProblemsError, Weight
from provender.rule.version import rule_version


def status(
    entities: Annotated[Path | None, typer.Argument(help="CSV: id, name, role, handles_since, contract_until.")] = None,
    book: Annotated[list[Path] | None, typer.Option(help="A custody book with the statements kept; repeat.")] = None,
    statement: Annotated[list[Path] | None, typer.Option(help="A signed statement on file; give it again.")] = None,
    pin: Annotated[list[Path] | None, typer.Option(help="A verifier's public key file; give it again.")] = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Show the yearly audit cycle of each entity; exit 1 when an audit is overdue or a contract is missing."""
    day = as_of or today()
    try:
        keys = {key.fingerprint: key for key in map(read_public, pin or [])}
        found, notes = _statements(statement or [], keys, day)
        listed, more = read_entities(entities) if entities is not None else ({}, [])
        for path in book or ():
            owner, entity, kept = _of_book(path)
            listed[owner] = entity
            found += kept
        rule = rule_version(day)
    except ProblemsError as refused:
        raise stop(refused, as_json=as_json) from None
    if not listed:
        raise typer.BadParameter("Name a list of parties, or --book.")
    rows = [
        (identifier, rhythm(entity, [one for one in found if one.audited == identifier], day, rule))
        for identifier, entity in listed.items()
    ]
    print_problems([*notes, *more])
    if as_json:
        print_json([{"id": identifier, **one.document()} for identifier, one in rows])
    else:
        _show([one for _, one in rows])
    if any(one.alert in (Alert.OVERDUE, Alert.NO_CONTRACT) for _, one in rows):
        raise typer.Exit(SOMETHING_TO_LOOK_AT)


def _of_book(path: Path) -> tuple[str, Entity, list[VerificationStatement]]:
    with open_book(path) as opened:
        return opened.entity, rhythm_entity(opened.store, opened.entity), kept_statements(path, opened.store)


def _statements(
    paths: list[Path], keys: dict[str, Any], day: date
) -> tuple[list[VerificationStatement], list[Problem]]:
    """Return the statements that hold; one that does not is reported and does not count."""
    good: list[VerificationStatement] = []
    problems: list[Problem] = []
    for path in paths:
        received = receive(read_document(path), keys, as_of=day)
        problems += received.problems
        if received.statement and not any(problem.weight is Weight.ERROR for problem in received.problems):
            good.append(received.statement)
    return good, problems


def _show(rows: list[Rhythm]) -> None:
    table = Table("Entity", "Role", "State", "Next statement due", "Last statement", "Days no statement covers")
    for one in rows:
        gaps = ", ".join(f"{first} to {last}" for first, last in one.uncovered)
        due = str(one.due_on) if one.due_on else ""
        table.add_row(Text(one.entity.name), str(one.entity.role), str(one.alert), due, Text(one.last_statement), gaps)
    Console().print(table)
