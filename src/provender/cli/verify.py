"""``provender verify``: recompute everything in a package, offline, and say what differs."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from provender.audit.case import Case, brought
from provender.audit.package import Package, Subject, open_package
from provender.audit.pins import Pins, read_pins
from provender.audit.recompute import State, recompute
from provender.audit.statement import Role
from provender.audit.verification import Verification, tasks
from provender.cli.audit_files import read_bytes, stop, write_new
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, Json, print_json, print_problems
from provender.problem import Place, Problem, ProblemsError
from provender.quantity import show
from provender.rule.parameters import parameters

app = typer.Typer(add_completion=False, rich_markup_mode=None)

ROLES = {
    Subject.FARM_REPORT: (Role.FARM,),
    Subject.ENTITY_PERIOD: (Role.FIRST_POINT,),
    Subject.AUDIT: (Role.FIRST_POINT,),
}
"""As what the party of a package is audited, where nothing else is said."""


@app.command()
def verify(
    package: Annotated[Path, typer.Argument(help="A verification package, folder or zip.")],
    pinned: Annotated[Path | None, typer.Option(help="Your list of pinned keys (`provender audit pins`).")] = None,
    held: Annotated[
        list[Path] | None, typer.Option(help="A signed document as another party holds it, such as a buyer's copy.")
    ] = None,
    role: Annotated[list[Role] | None, typer.Option(help="Role of the audited party; repeat for another.")] = None,
    workbooks: Annotated[Path | None, typer.Option(help="Folder for an XLSX per unit with live formulas.")] = None,
    as_json: Json = False,
) -> None:
    """Recompute every number of a package. Exit status 0: nothing differs; 1: differences; 2: not usable."""
    try:
        keys = read_bytes(pinned) if pinned is not None else None
        pins = read_pins(keys, str(pinned), own=True) if keys is not None else Pins()
        opened = open_package(package, pins.keys)
        files = brought(opened.files, keys, {f"{n}-{one.name}": read_bytes(one) for n, one in enumerate(held or ())})
        outcomes = tuple(recompute(files))
        found = Verification(
            opened.header,
            outcomes,
            tuple(_problems(opened, own_keys=pins.own)),
            tasks(role or ROLES[opened.header.subject], outcomes),
        )
        if workbooks is not None:
            _write_workbooks(files, opened.header.made_on, workbooks)
    except ProblemsError as refused:
        raise stop(refused, as_json=as_json) from None
    if as_json:
        print_json(found.as_json())
    else:
        _show(found, Console())
    raise typer.Exit(ALL_WELL if found.clean else SOMETHING_TO_LOOK_AT)


def _write_workbooks(files: Mapping[str, bytes], day: date, folder: Path) -> None:
    from provender.audit.workbooks import workbooks

    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        for name, content in workbooks(Case(files, Path(scratch)), day):
            write_new(folder / name, content)


def _problems(opened: Package, *, own_keys: bool) -> list[Problem]:
    """Return what is wrong with the package itself; who signed the request matters only with keys to tell by."""
    found = [one for one in opened.problems if own_keys or one.code != "signature_signer_unknown"]
    known = parameters().id
    if opened.header.rule_version != known:
        cause = f"The package was made under rule version {opened.header.rule_version!r}; loaded here is {known!r}."
        remedy = "Verify it with the version of provender that made it."
        found.append(Problem(Place(opened.files.name), cause, remedy, "2100.020", code="other_rule_version"))
    return found


def _show(found: Verification, console: Console) -> None:
    head = found.header
    console.print(
        f"{head.subject} of {head.audited_name}, {head.first} to {head.last}, rule {head.rule_version}, "
        f"made by {head.software} on {head.made_on}.",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    print_problems(found.problems)
    differences = found.differences
    for one in differences:
        console.print(f"- {one}", markup=False, highlight=False, soft_wrap=True)
    _checks(found, console)
    _eyes(found, console)
    at_stake = max((one.effect_bushels or 0 for one in differences), default=0)
    words = (
        f"{len(differences)} differences; the largest concerns {show(at_stake, group=True)} bu."
        if differences
        else "The package is not complete."
        if found.problems
        else "Nothing differs."
    )
    console.print(words, markup=False, highlight=False)


def _checks(found: Verification, console: Console) -> None:
    table = Table("Recomputed", "Claims", "Result")
    for one in found.outcomes:
        if one.computed or one.differences:
            result = f"{len(one.differences)} differ" if one.state is State.DIFFERS else "agrees"
            table.add_row(one.check, str(one.computed), result)
    console.print(table)


def _eyes(found: Verification, console: Console) -> None:
    console.print("What needs eyes:", highlight=False)
    for one in found.outcomes:
        for why in one.not_shown if one.computed or one.differences else ():
            console.print(f"- {why}", markup=False, highlight=False, soft_wrap=True)
    for item in found.tasks:
        words = f"- {item.text} ({item.how}) [7 CFR {item.cite}]"
        console.print(words, markup=False, highlight=False, soft_wrap=True)
