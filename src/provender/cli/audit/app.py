"""``provender audit``: subpart E for verifiers and for those they audit."""

import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from datetime import date
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, get_args

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from provender.audit import findings
from provender.audit.outcome import CheckResult, State
from provender.audit.package.layout import Part, Pin, kept_statements, pins_document, rhythm_entity
from provender.audit.package.write import Allowance, Header, PackageRequest, Subject, make_package, open_package
from provender.audit.programme import TASK, Item, Role, Visit, season_calendar
from provender.audit.programme import programme as make_programme
from provender.audit.statement.papers import receive
from provender.audit.statement.statement import Alert, Entity, Rhythm, VerificationStatement, read_entities, rhythm
from provender.cli import output
from provender.cli.audit import sample, statement
from provender.cli.keys import open_key, read_public
from provender.cli.output import read_document, stopping, write_new
from provender.custody.book_file import open_book
from provender.problem import Problem, Weight, counted, refuse
from provender.rule.crops import Practice
from provender.rule.law import NotInForceError, RuleVersion, rule_version
from provender.schema import infos, is_day, is_required, types_of, write
from provender.signing.jws import sign

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
    from provender.audit.fieldwork import Heading, programme_pdf, programme_xlsx

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


_NO_BREAK: Final = "\u00a0"
_PLACES: Final = 12
"""Units named on the screen; a farm of forty fields has more than anybody reads there."""


def places_table(places: Sequence["FieldPriority"]) -> Table:
    """Return the ground to look at first, as many lines as a screen bears."""
    table = Table("Where to look first", "Practices", "At stake", "What to see", show_lines=True)
    for one in places[:_PLACES]:
        unit, _ = one.where
        spot = "\n".join(filter(None, (unit, one.county, one.at.replace(" ", _NO_BREAK))))
        bushels = one.bushel_words and f"{one.bushel_words} bu"
        stake = "\n".join(filter(None, (bushels, one.tonnes and f"{one.tonnes} t CO2e")))
        practices = one.practice_words.replace(", ", "\n")
        table.add_row(*(Text(output.visible(text)) for text in (spot, practices, stake, "\n".join(one.see))))
    more = len(places) - _PLACES
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


Pinned = Annotated[
    list[str] | None,
    typer.Option(
        "--pin",
        metavar="PARTY=FILE[@FIRST..LAST]",
        help="A party's public key file, and the days on which it signs where you know them; repeat.",
    ),
]
_DAYS: Final = re.compile(r"(?P<file>.+)@(?P<first>\d{4}-\d\d-\d\d)?\.\.(?P<last>\d{4}-\d\d-\d\d)?")
Files = list[Path] | None


def _pins(texts: list[str] | None, source: str = "") -> list[Pin]:
    found = []
    for text in texts or ():
        party, equals, file = text.partition("=")
        if not equals:
            raise typer.BadParameter(f"{text!r} is not PARTY=FILE.")
        within = _DAYS.fullmatch(file)
        first, last = (
            output.parse_day(within[name]) if within and within[name] else None for name in ("first", "last")
        )
        found.append(Pin(party, read_public(Path(within["file"] if within else file)), source, first, last))
    return found


def _wanted(texts: list[str] | None) -> list[tuple[Part, str]]:
    found = []
    for text in texts or ():
        part, _, below = text.partition(":")
        if part not in set(Part):
            raise typer.BadParameter(f"{part!r} is no part; use one of: {', '.join(Part)}.")
        found.append((Part(part), below))
    return found


@output.stopping
def pins(
    out: Annotated[Path, typer.Argument(help="The list to write, .json.")],
    pin: Pinned = None,
    source: Annotated[str, typer.Option(help="Where the binding stands, such as a supply contract.")] = "",
) -> None:
    """Write a list of pinned keys, for `provender verify --pinned`."""
    output.write_document(out, pins_document(_pins(pin, source)))


@output.stopping
def package(
    book: Annotated[Path, typer.Argument(help="A record book folder, or an entity's custody book (.jsonl).")],
    out: Annotated[Path, typer.Option("--out", help="The package to write: .zip, else a new folder.")],
    report: Annotated[Files, typer.Option(help="Farm: a report or a folder of them; else BOOK/reports.")] = None,
    document: Annotated[Files, typer.Option(help="Entity: a document given or received, or a folder.")] = None,
    statement: Annotated[Files, typer.Option(help="Entity: a verification statement, or a folder.")] = None,
    farm: Annotated[Files, typer.Option("--farm", help="Whole audit: the package of a sampled farm; repeat.")] = None,
    sample: Annotated[Path | None, typer.Option(help="Whole audit: the sample file.")] = None,
    findings: Annotated[Path | None, typer.Option(help="Whole audit: the findings so far.")] = None,
    pin: Pinned = None,
    key_statement: Annotated[Files, typer.Option(help="What a key said of itself: `keys rotate`, `revoke`.")] = None,
    log_proof: Annotated[Files, typer.Option(help="Proof from a log (`provender log prove`), or a folder.")] = None,
    request: Annotated[Path | None, typer.Option(help="The verifier's signed request.")] = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--leave-out", metavar="PART[:PATH]", help="Leave out what the request allows; repeat."),
    ] = None,
    first: Annotated[date | None, output.day_option("First day covered.")] = None,
    last: Annotated[date | None, output.day_option("Last day covered.")] = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Make the verification package of a farm, of an entity's period, or of a whole audit."""
    from provender.audit.package import collect

    days = (first, last) if first and last else None
    if book.is_dir():
        content = collect.collect_farm(book, report or [book / "reports"])
    else:
        content = collect.collect_entity(book, document or (), statement or (), days)
    if sample is not None:
        content = collect.collect_audit(content, [open_package(path) for path in farm or ()], sample, findings)
    collect.with_keys(content, _pins(pin), key_statement or ())
    collect.with_log_proofs(content, log_proof or ())
    envelope = output.read_document(request) if request is not None else None
    asked = _request(envelope)
    collect.leave_out(content, _wanted(without), asked.allowances if asked else ())
    collect.with_index(content)
    header = collect.header_of(content, first or content.first, last or content.last, as_of or output.today())
    mark = make_package(out, header, content.files, envelope, zipped=out.suffix.lower() == ".zip")
    _tell(header, out, mark, len(content.files), as_json=as_json)


def _request(envelope: dict[str, Any] | None) -> PackageRequest | None:
    try:
        return PackageRequest.read(envelope["document"]) if envelope else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None  # ``make_package`` refuses it with the reason


def _tell(header: Header, out: Path, mark: str, count: int, *, as_json: bool) -> None:
    if as_json:
        output.print_json({"package": str(out), "mark": mark, "files": count, **header.document()})
        return
    console = Console()
    words = f"{header.subject} of {header.audited_name}, {header.first} to {header.last}: {count} files in {out}."
    console.print(words, markup=False, highlight=False, soft_wrap=True)
    for one in header.left_out:
        console.print(f"Left out: {one.path} ({one.reason}).", markup=False, highlight=False, soft_wrap=True)
    console.print(f"Hash of the whole package: {mark}", markup=False, highlight=False, soft_wrap=True)


@output.stopping
def request(
    out: Annotated[Path, typer.Argument(help="The signed request to write, .json.")],
    verifier: Annotated[str, typer.Option(help="Your id, as it stands in lists of pinned keys.")],
    audited: Annotated[str, typer.Option(help="Id of the party that is asked.")],
    first: Annotated[date, output.day_option("First day to cover.")],
    last: Annotated[date, output.day_option("Last day to cover.")],
    key: Annotated[Path, typer.Option("--key", help="Your private key, NAME.key.pem.")],
    subject: Annotated[Subject, typer.Option(help="Kind of package.")] = Subject.FARM_REPORT,
    allow: Annotated[
        list[str] | None, typer.Option(metavar="PART[:PATH]=REASON", help="What may be left out, and why; repeat.")
    ] = None,
    passphrase_file: output.PassphraseFile = None,
    as_of: output.AsOf = None,
) -> None:
    """Ask a party for a package. Without --allow nothing may be left out; only the verifier's leave counts."""
    if verifier == audited:
        cause = f"{audited} cannot ask itself: only the verifier says what may be left out."
        raise refuse("--verifier", cause, "Name the verifier.", cite="2100.040")
    if first > last:
        raise refuse("--last", f"{last} is before {first}.", "Check the days.", cite="2100.030(d)")
    allowed = tuple(_allowance(text) for text in allow or ())
    asked = PackageRequest(verifier, audited, subject, first, last, allowed, as_of or output.today())
    output.write_document(out, sign(asked.document(), open_key(key, passphrase_file)))
    words = f"Signed: {out}. {audited} uses it with `provender audit package --request`."
    Console().print(words, markup=False, highlight=False, soft_wrap=True)


def _allowance(text: str) -> Allowance:
    what, _, reason = text.partition("=")
    part, _, below = what.partition(":")
    if part not in set(Part) or not reason.strip():
        cause = f"{text!r} is not PART[:PATH]=REASON."
        raise refuse("--allow", cause, f"Say which part and why; parts are {', '.join(Part)}.", cite="2100.030(d)")
    return Allowance(Part(part), below, reason.strip())


_finding_app = typer.Typer(no_args_is_help=True, help="Raise, answer and resolve findings; list how they stand.")

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
    _finding_app.command(_name)(_command(_deed, _says))


@_finding_app.command("list")
@output.stopping
def list_findings(log: Log, as_of: output.AsOf = None, as_json: output.Json = False) -> None:
    """List findings as they stand; exit 1 when one is overdue."""
    day = as_of or output.today()
    output.read_bytes(log)
    found = list(findings.findings_now(_read(log), log.name).values())
    if as_json:
        output.print_json([one.document() | {"overdue": one.overdue(day)} for one in found])
    else:
        _show_findings(found, day)
    if any(one.overdue(day) for one in found):
        raise typer.Exit(output.SOMETHING_TO_LOOK_AT)


def _show_findings(found: list[findings.Finding], day: date) -> None:
    table = Table("No.", "Finding", "Owner", "Due", "Stage")
    for one in found:
        due = f"{one.due}\nOVERDUE" if one.overdue(day) else str(one.due)
        stage = f"{one.stage},\n{one.resolution}" if one.resolution else str(one.stage)
        words = Text(f"{one.severity} [7 CFR {one.cite}] {one.subject}: {one.text}")
        table.add_row(one.number, words, Text(one.owner), due, stage)
    Console().print(table)


app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Draw the farm sample, work through an audit, state its result (7 CFR 2100.040, .041).",
)
app.command()(sample.population)
app.command()(sample.seed)
app.command("freeze")(sample.freeze_farms)
app.command()(sample.sample)
app.command()(sample.redraw)
app.command()(programme)
app.command()(request)
app.command()(package)
app.command()(pins)
app.add_typer(_finding_app, name="finding")
app.add_typer(statement.app, name="statement")
app.command()(status)
