"""``provender audit statement``: sign a verification statement, add facts found later, check one on receipt."""

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console

from provender.audit.findings import findings_now, read_log
from provender.audit.programme import Role
from provender.audit.sampling.sample import check_sample
from provender.audit.statement import papers as work_papers
from provender.audit.statement import statement as statements
from provender.audit.statement.held import Holding, hold, in_words
from provender.audit.statement.opinion import Engagement, criteria_of, scope_of, to_fill_in
from provender.cli import output
from provender.cli.keys import open_key, read_public
from provender.formats.archive import opened
from provender.problem import Problem, ProblemsError, Weight, refuse
from provender.signing.canonical import read_json
from provender.signing.jws import check, envelope_hash, sign

# The papers that a verifier shows to sign a statement: read from files or from the zip of a server.

Period = Annotated[
    list[Path] | None,
    typer.Option("--period", "--report", help="A closed period's statement or a farm's report, .json; repeat."),
]
Sample = Annotated[Path | None, typer.Option(help="The sample file.")]
Findings = Annotated[Path | None, typer.Option(help="The findings.jsonl.")]
PackageOption = Annotated[Path | None, typer.Option("--package", help="The verification package, recomputed here.")]
Pinned = Annotated[Path | None, typer.Option(help="Your list of pinned keys (`provender audit pins`).")]
Held = Annotated[
    list[Path] | None,
    typer.Option(help="A paper as you or another party hold it: a report, another list of farms, the sample; repeat."),
]


class Shown(NamedTuple):
    """The papers that a command was given."""

    sample: Path | None
    findings: Path | None
    period: list[Path] | None
    package: Path | None
    pinned: Path | None = None
    held: list[Path] | None = None


def _read_statement(path: Path) -> statements.VerificationStatement:
    """Read a statement that is not signed yet.

    Raises:
        ProblemsError: it is no statement, or a part is missing or cannot be read.
    """
    data = output.read_document(path)
    known = {part.name for part in fields(statements.VerificationStatement)} | {"kind"}
    if strange := sorted(data.keys() - known):
        cause = f"The statement has parts that are not known: {', '.join(strange)}."
        raise refuse(path.name, cause, "Take them out: what is signed must be understood.", code="unknown_part")
    if unchosen := [name for name in ("role", "assurance", "opinion") if data.get(name) == ""]:
        cause = f"The statement does not say: {', '.join(unchosen)}."
        raise refuse(path.name, cause, "Choose; nothing is chosen for you.", cite=statements.CITE, code="incomplete")
    try:
        return statements.VerificationStatement.read(data)
    except (KeyError, TypeError, ValueError, AttributeError) as wrong:
        cause = f"This is no verification statement that can be read: {type(wrong).__name__}, {wrong}."
        raise refuse(path.name, cause, "Start from `provender audit statement draft`.") from None


def _read_papers(shown: Shown, party: str = "", signer: str = "") -> work_papers.Papers:
    """Read the papers behind a statement, and recompute its package as ``provender verify`` does.

    ``party`` is the audited one, ``signer`` the fingerprint of the key that signs; empty while nobody knows.

    Raises:
        ProblemsError: one of them cannot be used.
    """
    from provender.audit.package.layout import Pins, read_pins
    from provender.audit.sampling.draw import KIND as FROZEN_KIND
    from provender.audit.sampling.sample import KIND as SAMPLE_KIND

    raw = output.read_bytes(shown.pinned) if shown.pinned else None
    pins = read_pins(raw, str(shown.pinned), own=True) if raw is not None else Pins()
    held = [(one.name, output.read_bytes(one)) for one in shown.held or ()]
    brought = [read_json(content, file=name) for name, content in held if name.endswith(".json")]
    lists = [one for one in brought if isinstance(one, dict) and one.get("kind") in (SAMPLE_KIND, FROZEN_KIND)]
    log = findings_now(read_log(output.read_bytes(shown.findings), shown.findings.name)) if shown.findings else None
    return work_papers.Papers(
        output.read_document(shown.sample) if shown.sample else None,
        tuple(log.values()) if log is not None else None,
        [output.read_document(path) for path in shown.period or ()],
        _recomputed(shown.package, raw, str(shown.pinned), held) if shown.package else None,
        pins.keys_of(party),
        tuple(dict.fromkeys(pin.party for pin in pins.pins if pin.key.fingerprint == signer)) if raw else None,
        pins.keys_of,
        lists,
    )


def _with_papers(
    file: Path, shown: Shown, signer: str = ""
) -> tuple[statements.VerificationStatement, work_papers.Papers]:
    """Read a statement and its papers; what is named beside a zip goes before what the zip holds.

    Raises:
        ProblemsError: one of them cannot be used.
    """
    if file.suffix.lower() != ".zip":
        one = _read_statement(file)
        return one, _read_papers(shown, one.audited, signer)
    with TemporaryDirectory() as name, opened(file, file.name) as archive:
        folder = Path(name)
        (folder / work_papers.RECORDS_FOLDER).mkdir()
        wanted = (
            work_papers.STATEMENT_NAME,
            work_papers.SAMPLE_NAME,
            work_papers.FINDINGS_NAME,
            work_papers.PACKAGE_NAME,
        )
        inside = {one: folder / Path(one).name for one in wanted if one in archive.members}
        records = [one for one in archive.members if Path(one).parent == Path(work_papers.RECORDS_FOLDER)]
        inside |= {one: folder / work_papers.RECORDS_FOLDER / Path(one).name for one in records}
        for member, path in inside.items():
            path.write_bytes(archive.read(member))
        one = _read_statement(folder / work_papers.STATEMENT_NAME)
        given = Shown(
            shown.sample or inside.get(work_papers.SAMPLE_NAME),
            shown.findings or inside.get(work_papers.FINDINGS_NAME),
            shown.period or [inside[each] for each in records], shown.package or inside.get(work_papers.PACKAGE_NAME),
            shown.pinned, shown.held,
        )  # fmt: skip
        return one, _read_papers(given, one.audited, signer)


def _recomputed(
    package: Path, pinned: bytes | None, name: str, held: list[tuple[str, bytes]]
) -> work_papers.Recomputed:
    from provender.audit.package.write import open_package
    from provender.audit.recompute.verify import verify_package

    found = verify_package(package, pinned=pinned, pinned_name=name, held=held).found
    if found.facts is None:
        cause = "What the package shows of the audit cannot be read: a document in it is spoiled."
        raise refuse(package.name, cause, "See `provender verify`; ask for it again.", code="package_spoiled")
    differences = [one.as_json() for one in found.differences]
    return work_papers.Recomputed.of(open_package(package).files.mark, found.facts, found.outcomes, differences)


app = typer.Typer(no_args_is_help=True, help="Sign a verification statement, add facts found later, check one.")

KeyOption = Annotated[Path, typer.Option("--key", help="The verifier's private key, NAME.key.pem.")]
OutOption = Annotated[Path, typer.Option(help="The signed document to write, .json.")]


@app.command()
@output.stopping
def draft(
    out: Annotated[Path, typer.Argument(help="The statement to write, .json.")],
    role: Annotated[Role, typer.Option(help="As what the party is audited.")],
    also: Annotated[list[Role] | None, typer.Option(help="As what besides, such as a processor; repeat.")] = None,
    sample: Sample = None,
    findings: Findings = None,
    period: Period = None,
    package: PackageOption = None,
    pinned: Pinned = None,
    held: Held = None,
) -> None:
    """Write a statement to fill in: every part, with what its papers say; nothing else is filled in or chosen."""
    blank = dict.fromkeys(statements.TEXTS, "")
    papers = _read_papers(Shown(sample, findings, period, package, pinned, held))
    facts = papers.recomputed.facts if papers.recomputed else None
    roles = tuple(dict.fromkeys((role, *(also or (facts.roles if facts else ())))))
    document: dict[str, object] = {
        "kind": statements.KIND,
        **blank,
        "role": str(role),
        "also": list(map(str, roles[1:])),
    }
    document |= {"accreditation": {**to_fill_in(statements.Accreditation), "suspended": []}}
    document |= {"crops": [], "covered_first": "", "covered_last": "", "issued_on": "", "materiality_pct": ""}
    document |= {"criteria": list(criteria_of(facts.last if facts else output.today()))}
    document |= {"audited": facts.audited, "audited_name": facts.audited_name} if facts else {}
    document |= {"assurance": "", "opinion": "", "excepted": [], "engagement": to_fill_in(Engagement)}
    document |= _farms(papers) | {"findings": [one.public() for one in papers.findings or ()]}
    document |= {"package_mark": papers.recomputed.mark if papers.recomputed else ""}
    document |= {"work": work_papers.blank_work(roles, papers)}
    text = json.dumps(document, indent=2, ensure_ascii=False)
    output.write_new(out, f"{text}\n".encode())


def _farms(papers: work_papers.Papers) -> dict[str, Any]:
    if papers.sample is None:
        return {"farms": None, "sampled": None, "sample_hash": ""}
    if problems := check_sample(papers.sample):
        raise ProblemsError(problems)
    return work_papers.sample_part(papers.sample)


def _sound(one: statements.VerificationStatement, papers: work_papers.Papers, as_of: date) -> list[Problem]:
    """Return what is to be confirmed; raise everything when there is an error."""
    problems = work_papers.check_to_sign(one, papers, as_of)
    if any(problem.weight is Weight.ERROR for problem in problems):
        raise ProblemsError(problems)
    return problems


def _independent(one: statements.VerificationStatement, ties: Path | None, suppliers: list[str]) -> None:
    """Refuse a statement whose verifier is bound to the audited party or to a farm behind it (interpretation 55)."""
    data = output.read_document(ties) if ties is not None else {}
    known = {name.name for name in fields(statements.Ties)}
    if unknown := sorted(data.keys() - known):
        cause = f"The ties name {', '.join(unknown)}, which is not known."
        raise refuse(str(ties), cause, f"Use: {', '.join(sorted(known))}.", cite="2100.041")
    bound = statements.Ties(**{name: frozenset(map(str, parties)) for name, parties in data.items()})
    if found := statements.check_independence(one.verifier, one.audited, suppliers, bound):
        raise ProblemsError(found)


@app.command("sign")
@output.stopping
def sign_statement(
    file: Annotated[Path, typer.Argument(help="The statement as JSON, or the .zip of it with its papers.")],
    key: KeyOption,
    out: OutOption,
    passphrase_file: output.PassphraseFile = None,
    pdf: Annotated[Path | None, typer.Option(help="Print it as well.")] = None,
    ties: Annotated[
        Path | None, typer.Option(help="JSON: whom the verifier prepared records for, advises, shares people with.")
    ] = None,
    supplier: Annotated[list[str] | None, typer.Option(help="A farm that supplies the audited party; repeat.")] = None,
    sample: Sample = None,
    findings: Findings = None,
    period: Period = None,
    package: PackageOption = None,
    pinned: Pinned = None,
    held: Held = None,
    as_of: output.AsOf = None,
) -> None:
    """Check a statement against the papers it names and sign it; one with errors is not signed.

    A favorable opinion is signed only when every required line is answered, every drawn farm is audited or exempted,
    and no material difference is open (interpretation 74); never by a verifier who is not independent.
    """
    private = open_key(key, passphrase_file)
    shown = Shown(sample, findings, period, package, pinned, held)
    one, papers = _with_papers(file, shown, private.fingerprint)
    one = one if one.scope.strip() else replace(one, scope=scope_of(one))
    problems = _sound(one, papers, as_of or output.today())
    drawn = (papers.sample or {}).get("sample", ())
    _independent(one, ties, [*(supplier or ()), *drawn])
    envelope = sign(one.document(), private)
    output.write_document(out, envelope)
    if pdf is not None:
        from provender.audit.statement.held import statement_pdf

        output.write_new(pdf, statement_pdf(one, envelope, private.fingerprint))
    output.print_problems(problems)
    Console().print(f"Signed: {out}, SHA-256 {envelope_hash(envelope)}.", markup=False, soft_wrap=True)


@app.command("add")
@output.stopping
def add_fact(
    statement: Annotated[Path, typer.Argument(help="The signed statement.")],
    key: KeyOption,
    out: OutOption,
    text: Annotated[str, typer.Option(help="What was found later.")],
    effect: Annotated[statements.LaterEffect, typer.Option(help="What it does to the statement.")],
    replaced_by: Annotated[str, typer.Option(help="Hash of the new statement, where one replaces it.")] = "",
    passphrase_file: output.PassphraseFile = None,
    also: Annotated[list[Path] | None, typer.Option(help="A fact found before, to print beside it; repeat.")] = None,
    pdf: Annotated[Path | None, typer.Option(help="Print the statement with what was found later.")] = None,
    as_of: output.AsOf = None,
) -> None:
    """Sign a fact found later; the statement itself is never edited."""
    envelope = output.read_document(statement)
    if not {"document", "signature"} <= envelope.keys():
        raise refuse(statement.name, "This is no signed statement.", "Give the file that `sign` wrote.")
    try:
        document = statements.addendum(envelope_hash(envelope), as_of or output.today(), text, effect, replaced_by)
    except ValueError as wrong:
        raise refuse("addendum", f"It cannot be signed: {wrong}.", "Complete it.") from None
    made = sign(document, open_key(key, passphrase_file))
    output.write_document(out, made)
    if pdf is not None:
        _print_later(pdf, envelope, [*(output.read_document(path) for path in also or ()), made])
    Console().print(f"Signed: {out}.", markup=False, soft_wrap=True)


def _print_later(pdf: Path, envelope: dict[str, Any], later: list[dict[str, Any]]) -> None:
    from provender.audit.statement.held import statement_pdf

    mark = envelope_hash(envelope)
    if any(one.get("document", {}).get("statement") != mark for one in later):
        raise refuse("--also", "A fact given is about another statement.", "Give those about this one.")
    one = statements.VerificationStatement.read(envelope["document"])
    output.write_new(pdf, statement_pdf(one, envelope, check(envelope, {}).kid, later))


@app.command("check")
@output.stopping
def check_received(
    file: Annotated[Path, typer.Argument(help="The signed statement as received.")],
    pin: Annotated[list[Path] | None, typer.Option(help="A verifier's public key file; give it again.")] = None,
    also: Annotated[list[Path] | None, typer.Option(help="A fact found later, as received.")] = None,
    supplier: Annotated[str, typer.Option(help="Id of the party whose claim it is to cover.")] = "",
    day: Annotated[date | None, output.day_option("Day of the claim.")] = None,
    crop: Annotated[str, typer.Option(help="Crop of the claim.")] = "",
    sample: Sample = None,
    findings: Findings = None,
    period: Period = None,
    package: PackageOption = None,
    pinned: Pinned = None,
    held: Held = None,
    as_of: output.AsOf = None,
    as_json: output.Json = False,
) -> None:
    """Check a statement on receipt: signature, accreditation, opinion, and whether it covers a claim.

    With papers behind it, each field is held against them; what was held and what was not is told.
    """
    if bool(supplier) + bool(crop) + (day is not None) not in (0, 3):
        raise typer.BadParameter("Give --supplier, --day and --crop together, or none of them.")
    keys = {key.fingerprint: key for key in map(read_public, pin or [])}
    addenda = [output.read_document(path) for path in also or []]
    received = work_papers.receive(output.read_document(file), keys, addenda=addenda, as_of=as_of or output.today())
    problems = list(received.problems) if day is None else received.against(supplier, day, crop)
    holding = None
    if received.statement is not None:
        shown = Shown(sample, findings, period, package, pinned, held)
        holding = hold(received.statement, _read_papers(shown, received.statement.audited, received.kid))
        problems += holding.problems if holding else ()
    _tell(received, problems, holding, as_json=as_json)
    raise typer.Exit(output.SOMETHING_TO_LOOK_AT if problems else output.ALL_WELL)


@app.command("keep")
@output.stopping
def keep_received(
    book: Annotated[Path, typer.Argument(help="Your custody book (.jsonl).")],
    file: Annotated[Path, typer.Argument(help="The signed statement as received.")],
    pin: Annotated[list[Path] | None, typer.Option(help="A verifier's public key file; give it again.")] = None,
    also: Annotated[list[Path] | None, typer.Option(help="A fact found later, as received.")] = None,
    as_of: output.AsOf = None,
) -> None:
    """Check a statement about yourself or a supplier, enter it into the book and lay the file beside it.

    With a fact found later (--also) that takes it back, the book holds it as adverse from now on.
    """
    from provender.audit.package.layout import kept_folder
    from provender.custody.book_file import open_book
    from provender.services.custody.book_entry import post_dated
    from provender.services.custody.figures import statement_event

    day = as_of or output.today()
    keys = {key.fingerprint: key for key in map(read_public, pin or [])}
    envelope, later = output.read_document(file), [output.read_document(path) for path in also or []]
    received = work_papers.receive(envelope, keys, addenda=later, as_of=day)
    one = _holding(received)
    with open_book(book) as opened:
        event = statement_event(one, day, received.ends_on, received.kid)
        outcome = post_dated(opened.store, opened.post, event, output.today())
    if not outcome.status.well:
        raise refuse(book.name, outcome.message, "See the statuses of the reference.", code=str(outcome.status))
    folder = kept_folder(book)
    folder.mkdir(exist_ok=True)
    for path, content in ((file, envelope), *zip(also or (), later, strict=True)):
        copy = folder / f"{envelope_hash(content)[:8]}-{path.name}"
        if not copy.exists():
            output.write_document(copy, content)
    words = f"Kept in {folder}. {outcome.message}".rstrip()
    Console().print(words, markup=False, highlight=False, soft_wrap=True)


def _holding(received: work_papers.Received) -> statements.VerificationStatement:
    """Return a statement against which nothing stands but that it was taken back; raise everything else that does."""
    one = received.statement
    against = [
        problem
        for problem in received.problems
        if problem.weight is Weight.ERROR and problem.code not in work_papers.TAKEN_BACK
    ]
    if one is None or against:
        raise ProblemsError(against or received.problems)
    return one


def _tell(received: work_papers.Received, problems: list[Problem], holding: Holding | None, *, as_json: bool) -> None:
    one = received.statement
    if as_json:
        data = {
            "hash": received.hash,
            "signed_by": received.kid,
            "statement": one.document() if one else None,
            "holds": not problems,
            "problems": [problem.as_json() for problem in problems],
            "notes": [note.as_json() for note in received.notes],
            "papers": holding.as_json() if holding else None,
        }
        output.print_json(data)
        return
    output.print_problems([*problems, *received.notes])
    if one is not None:
        words = (
            f"{one.number}: {one.audited_name}, {', '.join(one.crops)}, {one.covered_first} to {one.covered_last}, "
            f"opinion {one.opinion.words}, assurance {one.assurance}."
        )
        Console().print(words, markup=False, soft_wrap=True)
    for words in _held_words(holding) if one is not None else ():
        Console().print(words, markup=False, highlight=False, soft_wrap=True)
    Console().print("Do not rely on it." if problems else "It holds.", markup=False)


def _held_words(holding: Holding | None) -> Iterator[str]:
    """Yield what was held against papers, what was not for want of one, and what nothing can be held against."""
    if holding is None:
        yield "It vouches for nothing, so nothing was checked against papers."
        return
    for source, names in holding.held.items():
        yield f"Checked against the {source}: {in_words(names)}."
    for source, names in holding.not_held.items():
        yield f"Not checked, for lack of the {source}: {in_words(names)}."
    yield f"On the verifier's word alone: {in_words(holding.word)}."
