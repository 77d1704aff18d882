"""``provender verify`` and ``provender timestamp``: packages recomputed offline, and days on which files existed."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from provender.audit.outcome import State
from provender.audit.programme import Role
from provender.cli import output
from provender.exact import show
from provender.signing.timestamps import SYSTEM_ROOTS, Proof, prove, query, read_roots

if TYPE_CHECKING:
    from provender.audit.recompute.verify import Cause, Verification


_FOLLOWING: Final = 3
"""Differences shown of those that follow from one."""
MANY: Final = 12
"""Documents of which none is listed by name when nothing proves their day."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
@output.stopping
def verify(
    package: Annotated[Path, typer.Argument(help="A verification package, folder or zip.")],
    pinned: Annotated[Path | None, typer.Option(help="Your list of pinned keys (`provender audit pins`).")] = None,
    held: Annotated[
        list[Path] | None, typer.Option(help="A signed document as another party holds it, such as a buyer's copy.")
    ] = None,
    role: Annotated[list[Role] | None, typer.Option(help="Role of the audited party; repeat for another.")] = None,
    calculators: Annotated[
        Path | None, typer.Option(help="Your list of calculators (`provender rule calculators`), not the farm's.")
    ] = None,
    roots: Annotated[
        Path, typer.Option(help="Root certificates you trust for timestamps, PEM; else those of this system.")
    ] = SYSTEM_ROOTS,
    forums: Annotated[
        Path | None,
        typer.Option(help="Your list of the members of accreditation forums: CSV of forum, body, first, last, source."),
    ] = None,
    workbooks: Annotated[Path | None, typer.Option(help="Folder for an XLSX per unit with live formulas.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show every difference, also those that follow from others.")
    ] = False,
    as_json: output.Json = False,
) -> None:
    """Recompute every number of a package. Exit status 0: nothing differs; 1: differences; 2: not usable."""
    from provender.audit.package.contents import CALCULATORS, FORUMS, ROOTS
    from provender.audit.recompute.verify import verify_package

    verified = verify_package(
        package,
        pinned=output.read_bytes(pinned) if pinned is not None else None,
        pinned_name=str(pinned),
        held=[(one.name, output.read_bytes(one)) for one in held or ()],
        roles=role or (),
        today=output.today(),
        lists=_lists({CALCULATORS: calculators, FORUMS: forums, ROOTS: roots if roots != SYSTEM_ROOTS else None}),
    )
    found = verified.found
    if workbooks is not None:
        _write_workbooks(verified.files, found.header.made_on, workbooks)
    if as_json:
        output.print_json(found.as_json())
    else:
        _show(found, Console(), everything=everything)
    raise typer.Exit(output.ALL_WELL if found.clean else output.SOMETHING_TO_LOOK_AT)


def _lists(given: Mapping[str, Path | None]) -> dict[str, bytes]:
    return {name: output.read_bytes(path) for name, path in given.items() if path is not None}


def _write_workbooks(files: Mapping[str, bytes], day: date, folder: Path) -> None:
    from provender.audit.package.contents import PackageContents
    from provender.audit.recompute.workbooks import workbooks

    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        for name, content in workbooks(PackageContents(files, Path(scratch)), day):
            output.write_new(folder / name, content)


def _show(found: "Verification", console: Console, *, everything: bool) -> None:
    head = found.header
    about = (
        f"{head.subject} of {head.audited_name}, {head.first} to {head.last}, rule {head.rule_version}, "
        f"made by {head.software} on {head.made_on}."
    )
    console.print(output.visible(about), markup=False, highlight=False, soft_wrap=True)
    output.print_problems(found.problems)
    differences = found.differences
    causes = found.causes
    for cause in causes:
        console.print(output.visible(f"- {cause.leading}"), markup=False, highlight=False, soft_wrap=True)
        shown = cause.follows if everything else cause.follows[:_FOLLOWING]
        for one in shown:
            console.print(output.visible(f"    so too {one}"), markup=False, highlight=False, soft_wrap=True)
        if more := len(cause.follows) - len(shown):
            console.print(f"    and {more} more that follow from it (--all).", markup=False, highlight=False)
    _checks(found, console)
    _days(found, console)
    _eyes(found, console)
    at_stake = max((one.effect_bushels or 0 for one in differences), default=0)
    words = (
        f"{_count(causes)}; the largest concerns {show(at_stake, group=True)} bu."
        if differences
        else "The package is not complete."
        if found.problems
        else "Nothing differs."
    )
    console.print(words, markup=False, highlight=False)


def _count(causes: "list[Cause]") -> str:
    following = sum(len(cause.follows) for cause in causes)
    words = f"{len(causes) + following} differences"
    return f"{words}, {following} of them following from {len(causes)} others" if following else words


def _checks(found: "Verification", console: Console) -> None:
    table = Table("Recomputed", "Claims", "Result")
    for one in found.outcomes:
        if one.computed or one.differences:
            result = f"{len(one.differences)} differ" if one.state is State.DIFFERS else "agrees"
            table.add_row(one.check, str(one.computed), result)
    console.print(table)


def _days(found: "Verification", console: Console) -> None:
    """Show each proved day, what stands in a log, and each stated day where there are few."""
    proved = [one for one in found.days if one.proof]
    stated = [one for one in found.days if not one.proof]
    for one in [*proved, *found.logged, *(stated if len(stated) <= MANY else [])]:
        console.print(output.visible(f"- {one}"), markup=False, highlight=False, soft_wrap=True)
    if len(stated) > MANY:
        console.print(f"Day stated by the signer: {len(stated)} documents (--json lists them).", highlight=False)


def _eyes(found: "Verification", console: Console) -> None:
    from provender.cli.audit.app import places_table

    console.print("What needs eyes:", highlight=False)
    for _, why in found.not_shown:
        console.print(output.visible(f"- {why}"), markup=False, highlight=False, soft_wrap=True)
    if found.places:
        console.print(places_table(found.places))
    roles = " and ".join(found.roles)
    source = "as you asked" if found.roles_asked else "as the package shows; --role names another"
    console.print(f"Tasks for the audit of a {roles} ({source}):", markup=False, highlight=False, soft_wrap=True)
    for item in found.tasks:
        words = f"- {item.text} ({item.how}) [7 CFR {item.cite}]"
        console.print(words, markup=False, highlight=False, soft_wrap=True)


# ``provender timestamp``: ask for a trusted timestamp of a file, take the answer, and say what it proves.

timestamp_app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Prove on which day a file existed (RFC 3161)."
)

File = Annotated[Path, typer.Argument(help="The document: a report, a statement, a frozen list, a book.")]
Roots = Annotated[Path, typer.Option(help="Root certificates you trust, PEM; else those of this system.")]


def beside(file: Path, ending: str) -> Path:
    """Return the name of a file that belongs to another."""
    return file.with_name(f"{file.name}.{ending}")


@timestamp_app.command()
@output.stopping
def request(file: File) -> None:
    """Write the query FILE.tsq, to send to a timestamping authority; nothing is sent from here."""
    output.write_new(beside(file, "tsq"), query(output.read_bytes(file)))
    words = f"Written: {beside(file, 'tsq')}. Send it to an authority, and take the answer with `timestamp attach`."
    Console().print(words, markup=False, soft_wrap=True)


@timestamp_app.command()
@output.stopping
def attach(
    file: File,
    answer: Annotated[Path, typer.Argument(help="What the authority answered, .tsr.")],
    roots: Roots = SYSTEM_ROOTS,
    as_json: output.Json = False,
) -> None:
    """Check the answer and lay it beside the document as FILE.tsr."""
    content = output.read_bytes(answer)
    found = prove(output.read_bytes(file), content, read_roots(output.read_bytes(roots), roots.name), file=answer.name)
    output.write_new(beside(file, "tsr"), content)
    _tell(found, as_json=as_json)


@timestamp_app.command()
@output.stopping
def check(file: File, roots: Roots = SYSTEM_ROOTS, as_json: output.Json = False) -> None:
    """Say on which day a document is proved to have existed, by the answer beside it."""
    if not beside(file, "tsr").exists():
        output.read_bytes(file)
        _tell(None, as_json=as_json)
        return
    content = output.read_bytes(beside(file, "tsr"))
    found = prove(
        output.read_bytes(file), content, read_roots(output.read_bytes(roots), roots.name), file=f"{file.name}.tsr"
    )
    _tell(found, as_json=as_json)


def _tell(found: Proof | None, *, as_json: bool) -> None:
    if as_json:
        at, by = (found.at.isoformat(), found.authority) if found else (None, "")
        output.print_json({"proved_on": str(found.on) if found else None, "at": at, "authority": by})
        return
    words = (
        f"Proved to exist on {found.on} ({found.authority})." if found else "Day stated by the signer: no timestamp."
    )
    Console().print(words, markup=False, soft_wrap=True)
