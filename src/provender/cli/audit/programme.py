"""``provender audit programme``: the checklist and season calendar of an audit."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from provender.audit.findings.calendar import Visit, season_calendar
from provender.audit.findings.programme import TASK, Item
from provender.audit.findings.programme import programme as make_programme
from provender.audit.recompute.checks import CheckResult, State
from provender.audit.statement.statement import Role
from provender.cli.audit.files import stop, write_new
from provender.cli.audit.places import places_table
from provender.cli.output import AsOf, Json, parse_day, print_json, print_problems, today
from provender.problem import Problem, ProblemsError, refuse
from provender.rule.crops import Practice
from provender.rule.parameters import NotInForceError
from provender.rule.version import RuleVersion, rule_version

if TYPE_CHECKING:
    from provender.audit.findings.field_priorities import FieldPriority


def programme(
    harvested: Annotated[
        date, typer.Option(parser=parse_day, metavar="DAY", help="Last day of the harvest under audit.")
    ],
    role: Annotated[
        list[Role] | None, typer.Option(help="Role of the audited party; repeat. Else what --package shows.")
    ] = None,
    practice: Annotated[list[Practice] | None, typer.Option(help="Only these practices are claimed; else all.")] = None,
    party: Annotated[str, typer.Option(help="Name of the audited party; else that of --package.")] = "",
    verifier: Annotated[str, typer.Option(help="Name of the verifier.")] = "",
    state: Annotated[str, typer.Option(help="Two letters: windows a State set for itself.")] = "",
    package: Annotated[Path | None, typer.Option(help="A verification package: prefill what recomputes.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write an .xlsx or a .pdf.")] = None,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Make the work programme of an audit from the rule, and say when things can be seen."""
    from provender.audit.findings.field_priorities import practices_in

    try:
        rule = _rule(harvested)
        shown = _of_package(package)
        problems, party = shown.problems, party or shown.party
        if not (roles := role or shown.roles):
            raise refuse("--role", "Nobody said as what the party is audited.", "Give --role, or --package.")
        items = make_programme(roles, shown.outcomes, practice or practices_in(shown.places))
        calendar = season_calendar(items, harvested.year, rule, state)
        if out is not None:
            heading = (party, verifier, harvested.year, as_of or today(), rule.warning)
            _write(out, items, calendar, heading, shown.places)
    except ProblemsError as refused:
        raise stop(refused, as_json=as_json) from None
    print_problems(problems)
    if as_json:
        day = as_of or today()
        document = {
            "party": party,
            "harvest_year": harvested.year,
            "rule_version": rule.id,
            "warning": rule.warning,
            "items": [item.document() for item in items],
            "calendar": [visit.document(day) for visit in calendar],
            "places": [one.document() for one in shown.places],
        }
        print_json(document)
    elif out is None:
        _show(items, calendar, as_of or today(), rule.warning, shown.places)


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
    places: "Sequence[FieldPriority]" = ()


def _of_package(package: Path | None) -> _Shown:
    if package is None:
        return _Shown()
    from provender.audit.package.roles import roles_of
    from provender.audit.package.write import open_package
    from provender.audit.recompute.verify import judged

    opened = open_package(package)
    head = opened.header
    outcomes, places = judged(opened.files)
    return _Shown(outcomes, opened.problems, head.audited_name, roles_of(head, opened.files), places)


def _write(
    out: Path,
    items: list[Item],
    calendar: list[Visit],
    words: tuple[str, str, int, date, str],
    places: "Sequence[FieldPriority]",
) -> None:
    from provender.audit.findings.programme_print import Heading, programme_pdf, programme_xlsx

    makers = {".xlsx": programme_xlsx, ".pdf": programme_pdf}
    if out.suffix.lower() not in makers:
        raise refuse(out.name, "The programme is written as .xlsx or .pdf.", "Choose one of these endings.")
    write_new(out, makers[out.suffix.lower()](Heading(*words), items, calendar, places))


def _show(items: list[Item], calendar: list[Visit], day: date, warning: str, places: "Sequence[FieldPriority]") -> None:
    console = Console()
    if warning:
        console.print(f"{warning}.", markup=False)
    when = Table("What can be seen", "First day", "Last day", "As of this day", "Window from")
    for visit in calendar:
        when.add_row(visit.label, visit.first.isoformat(), visit.last.isoformat(), visit.when(day), visit.source)
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
    words = f"{len(rest)} paragraphs: {counts[State.SETTLED]} recomputed and agree, {counts[State.DIFFERS]} differ, "
    console.print(f"{words}{counts[State.OPEN]} to verify from documents (--out lists them).", markup=False)
