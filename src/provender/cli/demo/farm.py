"""``provender demo farm``: the main job on the Bluestem example, from records to a signed report."""

import secrets
import shutil
from pathlib import Path
from typing import Final

import typer

from provender.cli.demo.steps import DEFAULT_OUT, Out, Steps, files_below, fresh_folder
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, console, example, print_json

DAY: Final = "2025-12-20"
"""The day on which the example's producer makes her reports; another with ``--as-of``."""

NOT_USDA: Final = "The calculator runs of the example are made up; no number of it is USDA's."
EXPECTED: Final = {"plan": {ALL_WELL}, "keys": {ALL_WELL}, "signature": {ALL_WELL}}
OTHERWISE: Final = {ALL_WELL, SOMETHING_TO_LOOK_AT}


def farm(out: Out = DEFAULT_OUT, as_of: AsOf = None, json: Json = False) -> None:
    """Report a made-up Kansas farm, from its records to a signature."""
    folder = fresh_folder(out / "farm")
    day = as_of.isoformat() if as_of else DAY
    book = shutil.copytree(example("bluestem-farm"), folder / "book")
    steps = Steps(quiet=json)
    well = _judge_and_quantify(steps, book, folder)
    well &= _report(steps, book, folder, day)
    made = [name for name in files_below(folder) if book not in Path(name).parents]
    if json:
        print_json({"as_of": day, "book": str(book), "steps": steps.done, "files": made})
    else:
        _end(steps, book, made)
    raise typer.Exit(ALL_WELL if well else SOMETHING_TO_LOOK_AT)


def _run(steps: Steps, *arguments: str | Path, into: Path | None = None) -> bool:
    """Run a step and return whether it ended as it should."""
    return steps.run(*arguments, into=into) in EXPECTED.get(str(arguments[0]), OTHERWISE)


def _judge_and_quantify(steps: Steps, book: Path, folder: Path) -> bool:
    steps.say("Which practice standards does each unit meet, and what is missing?")
    tables = ("--csv", folder / "practices.csv", "--xlsx", folder / "practices.xlsx")
    well = _run(steps, "check", book, "--matrix", folder / "practices.svg", *tables, into=folder / "check.txt")
    well &= _run(
        steps, "check", book, "--unit", "G70", "--buildup", folder / "stir-G70.svg", into=folder / "check-G70.txt"
    )
    steps.say(f"What is the carbon intensity of each crop? {NOT_USDA}")
    well &= _run(steps, "intensity", book, "--chart", folder / "ci.svg", "--xlsx", folder / "ci.xlsx")
    steps.say("The same by the open model: an estimate.")
    well &= _run(steps, "intensity", book, "--calculator", "argonne-2021", "--chart", folder / "ci-estimate.svg")
    steps.say("What would other practices do to unit K45? An estimate.")
    return well & _run(steps, "plan", book, "--unit", "K45", "--csv", folder / "plan-K45.csv")


def _report(steps: Steps, book: Path, folder: Path, day: str) -> bool:
    steps.say("The producer makes her key, and signs the report on corn.")
    secret = folder / "key" / "passphrase.txt"
    secret.parent.mkdir()
    secret.touch(mode=0o600)
    secret.write_text(secrets.token_urlsafe(24) + "\n", encoding="utf-8")
    key = ("--passphrase-file", secret)
    well = _run(steps, "keys", "new", folder / "key" / "ada", *key)
    sign = ("--key", folder / "key" / "ada.key.pem", *key)
    reports, day_option = folder / "reports", ("--as-of", day)
    well &= _run(steps, "report", book, "--crop", "corn", "--out", reports, *sign, *day_option)
    steps.say("Her buyer, who holds her public key, checks the signature.")
    corn = reports / "BLUESTEM-corn-2025-v1.json"
    well &= _run(steps, "signature", corn, "--pinned", folder / "key" / "ada.public.json")
    steps.say("Sorghum cannot be signed: a unit was pasture in 2025. The reason is told, and a DRAFT printed.")
    well &= _run(steps, "report", book, "--crop", "sorghum", "--out", reports, *sign, *day_option)
    steps.say("Soybeans rest on a beta version of the calculator: PRELIMINARY on every page.")
    well &= _run(steps, "report", book, "--crop", "soybeans", "--out", reports, *day_option)
    steps.say("Reports by the open model: ESTIMATE on every page.")
    return well & _run(
        steps, "report", book, "--calculator", "argonne-2021", "--out", folder / "estimates", *day_option
    )


def _end(steps: Steps, book: Path, made: list[str]) -> None:
    from provender.cli.check import print_matrix
    from provender.services.farm.check import judged
    from provender.verdicts.words import screens

    steps.say("Practice standards by management unit")
    print_matrix(console(), screens(judged(book).intervals))
    steps.say(f"The records are in {book} (README.md there tells each unit's story); written from them:")
    for name in made:
        typer.echo(f"  {name}")
    typer.echo(NOT_USDA)
