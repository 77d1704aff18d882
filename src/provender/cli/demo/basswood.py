"""``provender demo basswood``: the main job on a real boundary and a real yield log, with operations entered by hand.

The real harvest is of 2012, before the rule; its day is moved to 2025, and everything printed says so.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from provender.cli.demo.steps import DEFAULT_OUT, Out, Steps, files_below, fresh_folder
from provender.cli.output import ALL_WELL, SOMETHING_TO_LOOK_AT, AsOf, Json, example, print_json, print_problems
from provender.exact import show
from provender.formats.child import parse_limited
from provender.problem import ProblemsError, refuse

if TYPE_CHECKING:
    from provender.formats.boundaries import Boundaries
    from provender.formats.yields import YieldLog
    from provender.records.book import RecordBook

DAY: Final = "2025-12-20"
BOUNDARY: Final = "boundary.shp"
YIELD_LOG: Final = "2012-basswood.txt"
FIELD: Final = "basswood.geojson"
HARVEST: Final = "BASSWOOD-2025"
YEAR: Final = 2025
MOVED: Final = "Real boundary and bushels of 2012; the season is moved to 2025 and its operations were entered by hand."

Samples = Annotated[
    Path | None,
    typer.Option("--samples", metavar="DIR", file_okay=False, help="The folder with the boundary and the yield log."),
]


def basswood(samples: Samples = None, out: Out = DEFAULT_OUT, as_of: AsOf = None, json: Json = False) -> None:
    """Report a real Iowa field, from its boundary and yield log; operations by hand."""
    from provender.records.folder import BOUNDARIES, save_book

    boundary, log = real_input(_folder(samples))
    folder = fresh_folder(out / "basswood")
    book = folder / "book"
    save_book(joined(boundary, log), book)
    (book / BOUNDARIES).mkdir()
    (book / BOUNDARIES / FIELD).write_text(boundary.fields[0].geojson + "\n", encoding="utf-8")
    steps = Steps(quiet=json)
    steps.say(MOVED)
    acres, bushels = show(boundary.fields[0].acres), show(log.dry_bushels, group=True)
    wet = show(log.wet_bushels, group=True)
    if not json:
        typer.echo(f"{BOUNDARY}: {acres} acres on the ellipsoid.")
        typer.echo(f"{YIELD_LOG}: {wet} wet bushels, {bushels} at 15.5 % moisture.")
    day = as_of.isoformat() if as_of else DAY
    statuses = [
        steps.run("check", book, "--matrix", folder / "practices.svg"),
        steps.run("intensity", book, "--calculator", "argonne-2021", "--chart", folder / "ci.svg"),
        steps.run("report", book, "--calculator", "argonne-2021", "--out", folder / "reports", "--as-of", day),
    ]
    made = [name for name in files_below(folder) if book not in Path(name).parents]
    if json:
        input_ = {"acres": acres, "wet_bushels": show(log.wet_bushels), "dry_bushels": show(log.dry_bushels)}
        print_json(
            {"as_of": day, "book": str(book), **input_, "moved": MOVED, "steps": steps.done, "files": made},
        )
    else:
        steps.say(f"The records are in {book}; written from them:")
        for name in made:
            typer.echo(f"  {name}")
    # An estimate cannot be official, so a status of 1 is what these verbs should say.
    raise typer.Exit(ALL_WELL if max(statuses) <= SOMETHING_TO_LOOK_AT else SOMETHING_TO_LOOK_AT)


def _folder(samples: Path | None) -> Path:
    """Return the folder that holds the two files.

    Raises:
        ProblemsError: no folder is named, or the files are not in it.
    """
    named = samples or (Path(os.environ["PROVENDER_SAMPLES"]) if os.environ.get("PROVENDER_SAMPLES") else None)
    if named is None:
        cause = "The field's files may not be copied into this project, and no folder is named that holds them."
        raise refuse(
            "--samples", cause, "Name it with --samples or PROVENDER_SAMPLES; see examples/basswood/README.md."
        )
    for place in (named, named / "yield"):
        if (place / BOUNDARY).is_file() and (place / YIELD_LOG).is_file():
            return place
    cause = f"There is no {BOUNDARY} with a {YIELD_LOG} here."
    raise refuse(str(named), cause, "See examples/basswood/README.md for where they are from.", code="no_samples")


def real_input(folder: Path) -> "tuple[Boundaries, YieldLog]":
    """Read boundary and yield log, each in a limited child process.

    Raises:
        ProblemsError: one of them cannot be used, with every reason.
    """
    from provender.formats.boundaries import Boundaries
    from provender.formats.yields import YieldLog

    outline = parse_limited("boundaries", folder / BOUNDARY)
    if not isinstance(outline.result, Boundaries) or not outline.result.fields:
        raise ProblemsError(outline.problems)
    log = parse_limited("yield_log", folder / YIELD_LOG, boundary=outline.result.fields[0].geojson)
    if not isinstance(log.result, YieldLog):
        raise ProblemsError(log.problems)
    print_problems((*outline.problems, *log.problems))
    return outline.result, log.result


def joined(boundary: "Boundaries", log: "YieldLog") -> "RecordBook":
    """Return the hand-entered book with the real acres, boundary and bushels in it."""
    import polars as pl

    from provender.records.book import RecordBook
    from provender.records.folder import load_book

    book = load_book(example("basswood"))
    acres = pl.lit(boundary.fields[0].acres)
    this = pl.col("harvest_id") == HARVEST
    corn = log.fields[0]
    real = {
        "bushels": log.dry_bushels,
        "harvested_acres": boundary.fields[0].acres,
        "moisture_pct": corn.base_moisture_pct,
        "first_day": corn.first_day.replace(year=YEAR),
        "last_day": corn.last_day.replace(year=YEAR),
    }
    frames = dict(book.frames)
    frames["unit"] = frames["unit"].with_columns(acres.alias("acres"), pl.lit(FIELD).alias("boundary"))
    frames["cover_crop"] = frames["cover_crop"].with_columns(acres.alias("seeded_acres"))
    frames["harvest"] = frames["harvest"].with_columns(
        pl.when(this).then(pl.lit(value)).otherwise(name).alias(name) for name, value in real.items()
    )
    return RecordBook.from_frames(frames, files=book.files)
