"""A season as a crop consultant keeps it, imported as the pages import it: what it asks, and what it leads to.

The files are the samples of the folder ``consultant``; their place is said by ``PROVENDER_SAMPLES``. What the words of
the log mean is what the consultant knows of the season; nothing that the samples do not hold is typed. ``EXPECTED`` was
written by hand from the files: a record that is not there, or that is there in vain, is out of place.
"""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Final

from bench.burden import Burden, processor_seconds
from provender.formats.child import BatchReader
from provender.formats.importing.import_book import ImportBook
from provender.formats.importing.incoming_files import Choices
from provender.formats.importing.plan import ImportPlan, plan_import, write_plan
from provender.formats.importing.questions import Answers, Question, answer, asked_of, with_answers
from provender.problem import Weight
from provender.report.document import Edition, build
from provender.report.signing import refusals, text_to_name
from provender.rule.law import rule_version
from provender.services.farm.check import judged, quantified, still_needed

DAY: Final = date(2026, 11, 21)
FILES: Final = (
    "fields.geojson", "walnut_ridge_v3.xlsx", "short_wr.xlsx", "ward_walnut.csv", "heartland_scale.csv",
    "IMG_2041.jpg", "IMG_2042.jpg", "IMG_2050.jpg", "fdcic.pdf",
)  # fmt: skip
MOST_ANSWERS, MOST_SCREENS, MOST_ROUNDS = 12, 2, 6
_PLANTER: Final = "Planter, double disk opnr"
_DRILL: Final = "Drill or airseeder, double disk"
WORDS: Final = {
    "drilled rye 60 lb": _DRILL, "drilled rye": _DRILL, "strip-till bar w/ P&K": "Fert. applic., strip-till 30 in",
    "sprayed burndown": "Sprayer, kill crop", "planted P1185": f"{_PLANTER} with starter fertilizer",
    "planted DKC62-69": _PLANTER, "planted beans AG27XF2": _PLANTER, "planted milo": _PLANTER,
    "sidedress 32%": "Fert. applic. single disk opener, low disturbance, 30 inch spac",
    "fall chisel": "Chisel, twisted shovel", "knifed NH3": "Fert. applic. anhyd knife 30 in",
    "field cultivated": "Cultivator, field 6-12 in sweeps", "flew on rye & clover": "Aerial seeding",
    "no-tilled corn P1185": f"{_PLANTER} w/fluted coulter", "Y-dropped 32%": "Sprayer, post emergence",
    "no-till drill beans": "Drill or air seeder single disk openers 7-10 in spac.",
    "disked": "Disk, tandem secondary op.", "urea w/ Agrotain": "Urea", "N-Serve 24 1 qt": "N-Serve",
}  # fmt: skip
_SHOWN: Final = {
    "unit": ("unit_id", "acres"), "harvest": ("unit_id", "crop", "last_day", "bushels"),
    "planting": ("harvest_id", "planted_on"), "nutrient_application": ("unit_id", "day", "product"),
    "cover_crop": ("unit_id", "harvest_id", "seeded_on"), "soil_test": ("unit_id", "sampled_on"),
    "calculator_run": ("unit_id", "crop"), "operation": ("unit_id", "day"),
}  # fmt: skip
"""By which columns a record is held against ``EXPECTED``."""
_PASSES: Final = {
    "Home 80": "2025-09-27 2025-10-03 2025-11-05 2026-04-22 2026-04-29 2026-06-12 2026-05-28 2026-10-09",
    "Creek 40": "2025-09-29 2025-10-28 2025-11-08 2026-04-25 2026-04-30 2026-05-30 2026-10-12",
    "Miller 60": "2025-09-25 2025-09-28 2026-04-28 2026-05-06 2026-06-18 2026-10-14",
    "East 120": "2025-10-06 2025-10-12 2026-05-09 2026-05-10 2026-06-20 2026-10-02",
    "Church 55": "2025-10-10 2026-04-27 2026-05-11 2026-06-22 2026-10-03",
    "South 35": "2025-09-30 2026-05-15 2026-05-18 2026-05-20 2026-10-20",
}
EXPECTED: Final[dict[str, tuple[str, ...]]] = {
    "unit": ("Home 80|78.4", "Creek 40|38.2", "Miller 60|58.9", "East 120|117.5", "Church 55|54.1", "South 35|34"),
    "harvest": (
        "Home 80|soybeans|2025-09-27|4782", "Creek 40|soybeans|2025-09-29|2216", "Miller 60|soybeans|2025-09-25|3357",
        "East 120|corn|2025-10-06|24440", "Church 55|corn|2025-10-10|10766", "South 35|soybeans|2025-09-30|1768",
        "Home 80|corn|2026-10-09|16072", "Creek 40|corn|2026-10-12|7564", "Miller 60|corn|2026-10-14|11839",
        "East 120|soybeans|2026-10-02|7050", "Church 55|soybeans|2026-10-03|3138", "South 35|sorghum|2026-10-20|4012",
    ),
    "planting": (
        "Home 80-corn-2026|2026-04-29", "Creek 40-corn-2026|2026-04-30", "Miller 60-corn-2026|2026-05-06",
        "East 120-soybeans-2026|2026-05-09", "Church 55-soybeans-2026|2026-05-11", "South 35-sorghum-2026|2026-05-20",
    ),
    "nutrient_application": (
        "Home 80|2025-11-05|0-0-60", "Home 80|2025-11-05|Monoammonium phosphate (MAP)", "Home 80|2026-04-29|10-34-0",
        "Home 80|2026-06-12|UAN 32", "Creek 40|2025-11-08|NH3", "Miller 60|2026-05-06|10-34-0",
        "Miller 60|2026-05-06|UAN 32", "Miller 60|2026-06-18|UAN 32", "South 35|2026-05-18|Urea",
    ),
    "cover_crop": (
        "Home 80|Home 80-corn-2026|2025-10-03", "Miller 60|Miller 60-corn-2026|2025-09-28",
        "East 120|East 120-soybeans-2026|2025-10-12",
    ),
    "soil_test": tuple(
        f"{unit}|2025-10-{day}" for day in (22, 24) for unit in ("Home 80", "Creek 40", "Miller 60", "South 35")
    ),
    "calculator_run": (
        "Home 80|corn", "Miller 60|corn", "South 35|sorghum", "East 120|soybeans", "Church 55|soybeans",
    ),
    "operation": tuple(f"{unit}|{day}" for unit, days in _PASSES.items() for day in days.split()),
}  # fmt: skip


@dataclass(slots=True)
class Season:
    """What importing the season cost, and what came of it."""

    did: Burden = field(default_factory=Burden)
    answers: int = 0
    screens: int = 0
    unanswered: tuple[str, ...] = ()
    rows: Counter[str] = field(default_factory=Counter)  # by kind
    misplaced: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    lacking: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by crop, why its report is not signed
    waiting: tuple[str, ...] = ()  # what the book still lacks


def samples() -> Path | None:
    """Return the folder of the consultant's files, where the environment says it."""
    said = os.environ.get("PROVENDER_SAMPLES", "")
    folder = Path(said) / "consultant"
    return folder if said and folder.is_dir() else None


def play(folder: Path, files: Path) -> Season:
    """Import the season into a new book of a folder, screen by screen, until nothing more is asked that is known."""
    season, said = Season(), Answers()
    began, did = processor_seconds(), season.did
    paths, book = [files / name for name in FILES], folder / "book"
    did.clicks += len(paths) + 2  # each file is chosen; the page is opened and the reading begun
    choices = Choices(
        as_of=DAY, accept=True, one_farm=True, parse=BatchReader(folder / "read"),
        boundary_limit_pct=rule_version(DAY).boundary_difference_pct_max,
    )  # fmt: skip
    for _ in range(MOST_ROUNDS):
        now = with_answers(choices, said)
        plan = plan_import(paths, ImportBook.in_folder(book), now)
        asked = [one for one in asked_of(plan, now) if not one.settled]
        given = dict(_known(asked))
        season.unanswered = tuple(one.says for one in asked if one.name not in given)
        if not given:
            break
        season.screens += 1
        season.answers += _answers(asked, given, did)
        answer(said, asked, given)
    _look(plan, did)
    write_plan(plan)
    did.waited += processor_seconds() - began
    season.rows = Counter(one.kind for one in plan.changes)
    season.misplaced = tuple(_misplaced(plan))
    season.left_out = tuple(f"{one.place}: {one.why}" for one in plan.book.rejected)
    season.waiting = still_needed(book, DAY).things
    season.lacking = dict(_lacking(book))
    return season


def _known(asked: list[Question]) -> Iterator[tuple[str, str]]:
    for one in asked:
        for name in (one.name, *one.also):
            if (means := WORDS.get(name.rpartition("|")[2])) is not None:
                yield name, means


def _answers(asked: list[Question], given: dict[str, str], did: Burden) -> int:
    """Count the answers of a screen: a likely one stands there already, another is chosen from its list or typed."""
    count = 0
    for one in asked:
        first = given.get(one.name)
        apart = [given[name] for name in one.also if name in given and given[name] != first]
        texts = apart if first is None else [first, *apart]
        if texts:
            did.reads("\n".join([one.says, one.example, *(label for _, label in one.options)]))
        for text in texts:
            count += 1
            did.looked_at += 1
            did.clicks += 0 if text == one.guess else 2
            if text not in dict(one.options):
                did.counts(text)
    did.clicks += 1  # Use these answers
    return count


def _look(plan: ImportPlan, did: Burden) -> None:
    """Look at what is doubtful, tick it and write."""
    doubtful = {(one.code, one.cause) for one in plan.problems if one.weight is Weight.CONFIRM}
    did.reads("\n".join(cause for _, cause in sorted(doubtful)))
    did.looked_at += len(doubtful)
    did.confirmations += 1
    did.clicks += 2


def _misplaced(plan: ImportPlan) -> Iterator[str]:
    for kind, expected in EXPECTED.items():
        found = Counter("|".join(one.texts[name] for name in _SHOWN[kind]) for one in plan.changes if one.kind == kind)
        yield from (f"{kind} {text}: in vain" for text in found - Counter(expected))
        yield from (f"{kind} {text}: not there" for text in Counter(expected) - found)


def _lacking(book: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    assessment = judged(book)
    for one in quantified(assessment, None, DAY.year):
        text = text_to_name(build(assessment, one, as_of=DAY))
        document = build(assessment, one, as_of=DAY, edition=Edition(under=text))
        yield str(one.crop), tuple(f"{each.cause} [7 CFR {each.cite}]" for each in refusals(document))


def told(season: Season) -> str:
    """Return what a season cost and came to, as lines."""
    did = season.did
    rows = ", ".join(f"{count} {kind}" for kind, count in sorted(season.rows.items()))
    lines = [
        (
            f"A consultant's season: {season.answers} answers (at most {MOST_ANSWERS}) on {season.screens} screens "
            f"(at most {MOST_SCREENS}), {did.values} typed values, {did.cost}"
        ),
        did.table(), f"  The book: {rows}.", f"  Rows out of place: {len(season.misplaced)} (0 is right).",
        *(f"    {each}" for each in season.misplaced),
        *(f"  Left out: {each}" for each in season.left_out),
        *(f"  Not answered: {each}" for each in season.unanswered),
    ]  # fmt: skip
    for crop, causes in season.lacking.items():
        lines += [f"  {crop}: {'not signed' if causes else 'can be signed'}", *(f"    {each}" for each in causes)]
    return "\n".join([*lines, "  Still needed:", *(f"    {each}" for each in season.waiting)]) + "\n"


def main() -> int:
    """Play the season where its files are, and print it; return 1 where it asks more than it may."""
    files = samples()
    if files is None:
        sys.stdout.write("A consultant's season is left out: PROVENDER_SAMPLES names no folder with its files.\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        season = play(Path(folder), files)
    sys.stdout.write(told(season))
    return int(season.answers > MOST_ANSWERS or season.screens > MOST_SCREENS or bool(season.misplaced))


if __name__ == "__main__":
    sys.exit(main())
