"""``provender audit programme`` and ``status``: checklist and season calendar; who is due for its yearly audit."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from provender.audit.outcome import CheckResult, State
from provender.audit.package.layout import kept_statements, rhythm_entity
from provender.audit.programme import TASK, Item, Role, Visit, season_calendar
from provender.audit.programme import programme as make_programme
from provender.audit.statement.papers import receive
from provender.audit.statement.statement import Alert, Entity, Rhythm, VerificationStatement, read_entities, rhythm
from provender.cli import output
from provender.cli.keys import read_public
from provender.cli.output import read_document, stopping, write_new
from provender.custody.book_file import open_book
from provender.problem import Problem, Weight, counted, refuse
from provender.rule.crops import Practice
from provender.rule.law import NotInForceError, RuleVersion, rule_version
from provender.schema import write

if TYPE_CHECKING:
    from provender.audit.fieldwork import FieldPriority


@stopping
def programme(
    harvested: Annotated[date, output.day_option("Last day of the harvest under audit.")],
    role: Annotated[
        list[Role] | None, typer.Option(help="Role of the audited party; repeat. Else what --package shows.")
    ] = None,
    practice: Annotated[list[Practice] | None, typer.Option(help="Only these practices are claimed; else all.")] = None,
    party: Annotated[str, typer.Option(help="Name of the audited party; else that of --package.")] = "",
    verifier: Annotated[str, typer.Option(help="Name of the verifier.")] = "",
    state: Annotated[str, typer.Option(help="Two letters: windows a State set for itself.")] = "",
    package: Annotated[Path | None, typer.Option(help="A verification package: prefill what recomputes.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write an .xlsx or a .pdf.")] = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Make the work program of an audit from the rule, and say when things can be seen."""
    from provender.audit.fieldwork import practices_in

    day = as_of or output.today()
    rule = _rule(harvested)
    shown = _of_package(package)
    problems, party = shown.problems, party or shown.party
    if not (roles := role or shown.roles):
        raise refuse("--role", "Nobody said as what the party is audited.", "Give --role, or --package.")
    items = make_programme(roles, shown.outcomes, practice or practices_in(shown.places))
    calendar = season_calendar(items, harvested.year, rule, day, state)
    if out is not None:
        heading = (party, verifier, harvested.year, day, rule.warning)
        _write(out, items, calendar, heading, shown.places)
    output.print_problems(problems)
    if as_json:
        document = {
            "party": party,
            "harvest_year": harvested.year,
            "rule_version": rule.id,
            "warning": rule.warning,
            "items": [item.document() for item in items],
            "calendar": [write(visit, whole=True) for visit in calendar],
            "places": [one.document() for one in shown.places],
        }
        output.print_json(document)
    elif out is None:
        _show(items, calendar, rule.warning, shown.places)


def _rule(harvested: date) -> RuleVersion:
    try:
        return rule_version(harvested)
    except NotInForceError as wrong:
        raise refuse("--harvested", str(wrong), "Check the day.") from None


class _Shown(NamedTuple):
    """What a package shows: what recomputes, what is wrong with it, whose it is, in which roles, where to look."""

    outcomes: Sequence[CheckResult] = ()
    problems: Sequence[Problem] = ()
    party: str = "Audited party"
    roles: Sequence[Role] = ()
    places: Sequence["FieldPriority"] = ()


def _of_package(package: Path | None) -> _Shown:
    if package is None:
        return _Shown()
    from provender.audit.package.contents import roles_of
    from provender.audit.package.write import open_package
    from provender.audit.recompute.verify import judged

    opened = open_package(package)
    head = opened.header
    outcomes, places, *_ = judged(opened.files)
    return _Shown(outcomes, opened.problems, head.audited_name, roles_of(head, opened.files), places)


def _write(
    out: Path,
    items: list[Item],
    calendar: list[Visit],
    words: tuple[str, str, int, date, str],
    places: Sequence["FieldPriority"],
) -> None:
    from provender.audit.programme_print import Heading, programme_pdf, programme_xlsx

    makers = {".xlsx": programme_xlsx, ".pdf": programme_pdf}
    if out.suffix.lower() not in makers:
        raise refuse(out.name, "The program is written as .xlsx or .pdf.", "Choose one of these endings.")
    write_new(out, makers[out.suffix.lower()](Heading(*words), items, calendar, places))


def _show(items: list[Item], calendar: list[Visit], warning: str, places: Sequence["FieldPriority"]) -> None:
    console = Console()
    if warning:
        console.print(f"{warning}.", markup=False)
    when = Table("What can be seen", "First day", "Last day", "As of this day", "Window from")
    for visit in calendar:
        when.add_row(visit.label, visit.first.isoformat(), visit.last.isoformat(), visit.when, visit.source)
    if calendar:
        console.print(when)
    if places:
        console.print(places_table(places))
    tasks = Table("7 CFR", "What needs eyes", "How")
    for item in items:
        if item.kind == TASK:
            tasks.add_row(item.cite, item.text, item.how)
    console.print(tasks)
    rest = [item for item in items if item.kind != TASK]
    counts = {state: sum(item.state is state for item in rest) for state in State}
    words = f"{counted(len(rest), 'paragraph')}: "
    words += f"{counts[State.SETTLED]} recomputed and agree, {counts[State.DIFFERS]} differ, "
    console.print(f"{words}{counts[State.OPEN]} to verify from documents (--out lists them).", markup=False)


NO_BREAK: Final = "\u00a0"
PLACES: Final = 12
"""Units named on the screen; a farm of forty fields has more than anybody reads there."""


def places_table(places: Sequence["FieldPriority"]) -> Table:
    """Return the ground to look at first, as many lines as a screen bears."""
    table = Table("Where to look first", "Practices", "At stake", "What to see", show_lines=True)
    for one in places[:PLACES]:
        unit, _ = one.where
        spot = "\n".join(filter(None, (unit, one.county, one.at.replace(" ", NO_BREAK))))
        bushels = one.bushel_words and f"{one.bushel_words} bu"
        stake = "\n".join(filter(None, (bushels, one.tonnes and f"{one.tonnes} t CO2e")))
        practices = one.practice_words.replace(", ", "\n")
        table.add_row(*(Text(output.visible(text)) for text in (spot, practices, stake, "\n".join(one.see))))
    more = len(places) - PLACES
    table.caption = f"and {more} more units with less at stake; --json names them all" if more > 0 else None
    return table


@stopping
def status(
    entities: Annotated[Path | None, typer.Argument(help="CSV: id, name, role, handles_since, contract_until.")] = None,
    book: Annotated[list[Path] | None, typer.Option(help="A custody book with the statements kept; repeat.")] = None,
    statement: Annotated[list[Path] | None, typer.Option(help="A signed statement on file; give it again.")] = None,
    pin: Annotated[list[Path] | None, typer.Option(help="A verifier's public key file; give it again.")] = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Show the yearly audit cycle of each entity; exit 1 when an audit is overdue or a contract is missing."""
    day = as_of or output.today()
    keys = {key.fingerprint: key for key in map(read_public, pin or [])}
    found, notes = _statements(statement or [], keys, day)
    listed, more = read_entities(entities) if entities is not None else ({}, [])
    for path in book or ():
        owner, entity, kept = _of_book(path)
        listed[owner] = entity
        found += kept
    rule = rule_version(day)
    if not listed:
        raise typer.BadParameter("Name a list of parties, or --book.")
    rows = [
        (identifier, entity.name, rhythm(entity, [one for one in found if one.audited == identifier], day, rule))
        for identifier, entity in listed.items()
    ]
    output.print_problems([*notes, *more])
    if as_json:
        output.print_json(
            [{"id": identifier, "entity": name, **write(one, whole=True)} for identifier, name, one in rows]
        )
    else:
        _show_cycles([(name, one) for _, name, one in rows])
    if any(one.alert in (Alert.OVERDUE, Alert.NO_CONTRACT) for *_, one in rows):
        raise typer.Exit(output.SOMETHING_TO_LOOK_AT)


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


def _show_cycles(rows: list[tuple[str, Rhythm]]) -> None:
    table = Table(
        "Entity", "Role", "State", "Yearly statement due by the rule", "Last statement", "Days no statement covers"
    )
    for name, one in rows:
        gaps = ", ".join(f"{first} to {last}" for first, last in one.uncovered)
        due = str(one.due_on) if one.due_on else ""
        table.add_row(Text(name), str(one.role), str(one.alert), due, Text(one.last_statement), gaps)
    Console().print(table)
