"""``make burden``: what a season of a 40-field farm costs a person, counted by playing the real commands.

Every command line, every option that says something of the farm, every cell of a workbook and every row that is held
against a paper is counted where it is used, and so is every line that is copied into the calculator; nothing is counted
by hand. Minutes are those of the keystroke-level model (Card, Moran and Newell 1980): 0.28 s a character, 1.1 s a
click, 1.35 s a thought (its operator M: one before each command, each value and each row looked at). To these come
reading and waiting. Reading is every word that the program prints for a person, once, at the mean rate of silent
reading of adults (Brysbaert 2019, over 190 studies: 238 words a minute); waiting is the processor seconds that it
took here, which a free core takes too. All of it is an estimate of a practised person who makes no mistake.
"""

import contextlib
import io
import json
import os
import struct
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Final, cast

import openpyxl
import typst

from provender.cli.app import call
from provender.formats.template_layout import SHEETS
from provender.records.folder import load_book
from provender.verdicts.assess import assess

FIELDS: Final = 40
HARVEST_YEAR: Final = 2026
HARVEST: Final = "Harvest, killing crop 50pct standing stubble"
APPLICATOR: Final = "Fertilizer, liquid broadcast"
SECONDS_A_CHARACTER: Final = Decimal("0.28")
SECONDS_A_CLICK: Final = Decimal("1.1")
SECONDS_A_THOUGHT: Final = Decimal("1.35")
WORDS_A_MINUTE: Final = 238
CLICKS_A_COPY: Final = 3
"""A line is marked, copied and pasted."""
READ_AGAIN: Final = ("check", "intensity")
"""Verbs that change nothing: they run once more without --json, and what they print is read."""
SAYS_NOTHING: Final = frozenset({"--into", "--accept", "--short", "--out", "--inputs", "--json", "--as-of"})
"""Options that are no value of the farm; their characters count."""
DAYS_SINCE_1980: Final = (date(2026, 1, 1) - date(1980, 1, 1)).days
NORTH, EAST, SIDE = 390_000_000, -957_000_000, 36_000
CLASSES: Final = {"planter": 4, "applicator": 5, "combine": 7}
WORK: Final = (
    ("Harvest soybeans", -85, [(67, 9_144), (84, 350_000), (99, 125_000), (141, 1)], 3),
    ("Plant corn", 117, [(67, 12_192), (57, 51), (141, 1)], 1),
    ("Sidedress", 150, [(67, 18_288), (2, 2_000_000), (141, 1)], 2),
    ("Harvest corn", 290, [(67, 9_144), (84, 1_100_000), (99, 155_000), (141, 1)], 3),
)
"""Tasks: name, days from 2026-01-01, what is logged (number of the dictionary and raw value), machine."""
WARD: Final = (
    "Lab No,Cust No,Field ID,Date Recd,Date Rept,B Depth,E Depth,1:1 Soil pH,Organic Matter LOI %,Olsen P ppm P"
)
MOST_VALUES: Final = {"machine and laboratory files": 40, "the short workbook": 25 * FIELDS}
MOST_MINUTES: Final = 10


@dataclass(slots=True)
class Burden:
    """What a person did."""

    commands: int = 0
    values: int = 0
    characters: int = 0
    clicks: int = 0
    looked_at: int = 0
    confirmations: int = 0
    words: int = 0
    waited: Decimal = Decimal(0)
    lines_read: set[str] = field(default_factory=set)

    @property
    def terms(self) -> dict[str, tuple[int, Decimal]]:
        """Return how often each thing was done, and the seconds it takes; waiting is measured."""
        thoughts = self.commands + self.values + self.looked_at + self.confirmations
        return {
            "typing, characters": (self.characters, self.characters * SECONDS_A_CHARACTER),
            "pointing, clicks": (self.clicks, self.clicks * SECONDS_A_CLICK),
            "thinking, decisions": (thoughts, thoughts * SECONDS_A_THOUGHT),
            "reading, words": (self.words, self.words * Decimal(60) / WORDS_A_MINUTE),
            "waiting, processor seconds": (round(self.waited), self.waited),
        }

    @property
    def minutes(self) -> Decimal:
        """Return the minutes of the keystroke-level model: typing, pointing and thinking."""
        return self._sum(3)

    @property
    def whole_minutes(self) -> Decimal:
        """Return the minutes with reading and waiting."""
        return self._sum(len(self.terms))

    def _sum(self, count: int) -> Decimal:
        seconds = [each for _, each in self.terms.values()][:count]
        return (sum(seconds, Decimal(0)) / 60).quantize(Decimal("0.1"))

    def reads(self, text: str) -> None:
        """Read what stands on a screen; a line that was read before is not read again."""
        for line in text.splitlines():
            plain = " ".join(line.split())
            if plain and plain not in self.lines_read:
                self.lines_read.add(plain)
                self.words += sum(1 for word in plain.split() if any(letter.isalnum() for letter in word))

    def counts(self, text: str) -> None:
        """Count a value that is typed and the key that leaves it."""
        self.values += 1
        self.characters += len(text) + 1

    @property
    def cost(self) -> str:
        """Return what was clicked, looked at and confirmed, and the minutes of all of it."""
        return (
            f"{self.clicks} clicks, {self.looked_at} things looked at, {self.confirmations} confirmations: "
            f"{self.minutes} minutes of the keystroke-level model, {self.whole_minutes} with reading and waiting."
        )

    def table(self) -> str:
        """Return every term of the minutes as lines of a table."""
        rows = [f"  {name:<27}{count:>7}{seconds / 60:>8.1f} min" for name, (count, seconds) in self.terms.items()]
        return "\n".join([*rows, f"  {'together':<34}{self.whole_minutes:>8} min, an estimate"])


@dataclass(slots=True)
class Person:
    """Somebody who types commands and fills cells in, and is counted."""

    folder: Path
    did: Burden = field(default_factory=Burden)

    def types(self, *arguments: str) -> dict[str, object]:
        """Run a command as typed; return what it says with --json, which nobody types."""
        self.did.commands += 1
        self.did.characters += len("provender ") + len(" ".join(arguments)) + 1
        self.did.confirmations += arguments.count("--accept")
        for at, each in enumerate(arguments):
            if each.startswith("--") and each not in SAYS_NOTHING and at + 1 < len(arguments):
                self.did.values += 1
        began = processor_seconds()
        text = self._run(*arguments, "--json")
        self.did.waited += processor_seconds() - began
        said = json.loads(text) if text.startswith(("{", "[")) else {}
        self.did.reads(self._run(*arguments) if arguments[0] in READ_AGAIN else _printed(said))
        return said

    def _run(self, *arguments: str) -> str:
        out = io.StringIO()
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(io.StringIO()),
            contextlib.suppress(SystemExit),
            contextlib.chdir(self.folder),
        ):
            call(list(arguments))
        return out.getvalue()

    def looks(self, said: dict[str, object]) -> None:
        """Look at everything that a command asks to be confirmed, and each row that was read off a paper."""
        problems = said.get("problems", [])
        rows = said.get("to_confirm", [])
        asked = {(each["code"], each["cause"]) for each in problems if each["weight"] != "note"}  # type: ignore[attr-defined]
        self.did.looked_at += len(asked) + len(rows)  # type: ignore[arg-type]

    def copies(self, laid_out: list[dict[str, object]]) -> None:
        """Copy each unit's line into the calculator by itself: nobody here knows whether it takes several."""
        lines = [line for one in laid_out for line in cast("list[object]", one["units"])]
        self.did.clicks += CLICKS_A_COPY * len(lines)

    def fills(self, path: Path, season: dict[str, dict[str, list[str]]]) -> None:
        """Fill a short workbook in: every cell that is not blank is a value, and a key takes one to the next."""
        book = openpyxl.load_workbook(path)
        for name, lines in season.items():
            page, shape = book[name], next(sheet.shape for sheet in SHEETS if sheet.name == name)
            rows = {page.cell(row, 1).value: row for row in range(1, page.max_row + 1)}
            columns = {cell.value: cell.column for cell in page[2]}
            for label, texts in lines.items():
                if shape != "list" and label not in rows:
                    rows[label] = max(rows.values()) + 1
                    page.cell(rows[label], 1).value = label
                    self.did.counts(label)
                self.did.reads(label)
                for at, text in enumerate(texts):
                    if text:
                        where = (3 + at, columns[label]) if shape == "list" else (rows[label], 2 + at)
                        page.cell(*where).value = text
                        self.did.counts(text)
            self.did.clicks += 1
        book.save(path)
        self.did.clicks += 1


def processor_seconds() -> Decimal:
    """Return the processor time of this process and of the readers that it started and that have ended."""
    used = os.times()
    return Decimal(round(sum(used[:4]) * 100)) / 100


def _printed(said: object) -> str:
    """Return what a command that changes something prints of what it found: every problem and every row read off."""
    told = said if isinstance(said, dict) else {}
    problems = [f"{each['weight']}: {each['cause']} {each['remedy']}" for each in told.get("problems", [])]
    return "\n".join([*problems, *(" ".join(map(str, each)) for each in told.get("to_confirm", []))])


def names(fields: int) -> list[str]:
    """Return the names of the fields."""
    return [f"N{number:02d}" for number in range(1, fields + 1)]


def outlines(path: Path, fields: int) -> None:
    """Write the boundaries of all fields, a quarter mile apart."""
    features = []
    for at, name in enumerate(names(fields)):
        west, south = (EAST + at * 2 * SIDE) / 1e7, NORTH / 1e7
        east, north = west + SIDE * 1.2 / 1e7, south + SIDE / 1e7
        ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
        shape = {"type": "Polygon", "coordinates": [ring]}
        features.append({"type": "Feature", "properties": {"name": name}, "geometry": shape})
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))


def card(path: Path, fields: int) -> None:
    """Write the task data of a terminal: planter, applicator and combine on each field, with binary logs."""
    machines = "".join(
        f'<DVC A="DVC{at}" B="{name}" D="{kind << 49:016X}"><DET A="DET{at}" B="1" C="1" D="whole" E="0" F="0"/></DVC>'
        for at, (name, kind) in enumerate(CLASSES.items(), start=1)
    )
    drawn = "".join(f'<PFD A="PFD{at}" C="{name}"/>' for at, name in enumerate(names(fields), start=1))
    tasks, logs = [], {}
    for at in range(1, fields + 1):
        for job, (name, day, values, machine) in enumerate(WORK):
            log = f"TLG{at * 4 + job:05d}"
            product = '<PAN A="PDT1" E="DET2"/>' if machine == 2 else ""  # noqa: PLR2004 - the applicator
            tasks.append(f'<TSK A="TSK{at * 4 + job}" B="{name}" E="PFD{at}" G="4">{product}<TLG A="{log}"/></TSK>')
            channels = "".join(f'<DLV A="{ddi:04X}" B="" C="DET{machine}"/>' for ddi, _ in values)
            logs[f"{log}.XML"] = f'<TIM A="" D="4"><PTN A="" B="" D=""/>{channels}</TIM>'.encode()
            logs[f"{log}.BIN"] = _log(DAYS_SINCE_1980 + day, at, values)
    head = '<ISO11783_TaskData VersionMajor="4" VersionMinor="0"><PDT A="PDT1" B="UAN 32"/>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("TASKDATA/TASKDATA.XML", f"{head}{drawn}{machines}{''.join(tasks)}</ISO11783_TaskData>")
        for name, content in logs.items():
            archive.writestr(f"TASKDATA/{name}", content)


def _log(day: int, at: int, values: list[tuple[int, int]]) -> bytes:
    records = []
    for number in range(300):
        said = [(index, value) for index, (_, value) in enumerate(values)] if number == 0 else []
        head = struct.pack(
            "<IHiiBB", 28_800_000 + number * 1000, day, NORTH + number * 20, EAST + at * 2 * SIDE, 4, len(said)
        )
        records.append(head + b"".join(struct.pack("<Bi", *pair) for pair in said))
    return b"".join(records)


def laboratory(path: Path, fields: int) -> None:
    """Write a result file as Ward Laboratories lays it out."""
    rows = [
        f"{700_000 + at},24832,{name},11/{at % 18 + 13}/2025,12/13/2025,0,6,6.4,3.1,{14 + at}"
        for at, name in enumerate(names(fields))
    ]
    path.write_text("\n".join([WARD, *rows]))


def printout(path: Path, inputs: list[dict[str, object]]) -> None:
    """Write the calculator's printout of what was pasted into it."""
    heading = ("Field", "County", "Crop", "Yield", "Acres", "Tillage", "Cover crop", "N timing", "NI", "CI")
    taken = ("crop", "yield bu/ac", "acres", "tillage", "cover crop", "timing of N", "inhibitor")
    units = [unit for one in inputs for unit in one["units"] if unit["unit"] != "conventional"]  # type: ignore[attr-defined]
    printed = [(u["unit"], f"{u['county']}, {u['state']}", *(u[name] for name in taken), "24210.33") for u in units]
    rows = [heading, *printed]
    cells = ", ".join(f'"{cell}"' for row in rows for cell in row)
    text = f"#set page(width: 50cm, height: auto)\nUSDA FD-CIC beta\n\n#table(columns: {len(heading)}, {cells})"
    path.with_suffix(".typ").write_text(text)
    typst.compile(str(path.with_suffix(".typ")), output=str(path))


def from_machines(folder: Path, fields: int) -> tuple[Burden, dict[str, int]]:
    """Play a season out of machine and laboratory files, boundaries and a printout."""
    outlines(folder / "fields.geojson", fields)
    card(folder / "card.zip", fields)
    laboratory(folder / "soil.csv", fields)
    person = Person(folder)
    person.types("template", "--book", "book", "--farm-id", "F1", "--name", "Bluestem Farm", "--state", "KS")
    files = ("fields.geojson", "card.zip", "soil.csv")
    person.looks(person.types("import", *files, "--into", "book"))
    words = ("planter=Planter, double disk opnr", f"applicator={APPLICATOR}", f"combine={HARVEST}")
    named = tuple(part for word in words for part in ("--word", word))
    person.looks(person.types("import", *files, "--into", "book", "--accept", *named))
    person.types("template", "--short", "--out", "s.xlsx")
    person.fills(folder / "s.xlsx", {"Short declarations": ANSWERS})
    person.looks(person.types("import", "s.xlsx", "--into", "book", "--accept"))
    person.looks(person.types("check", "book"))
    laid_out = person.types("intensity", "book", "--inputs")
    inputs: list[dict[str, object]] = laid_out if isinstance(laid_out, list) else []
    person.copies(inputs)
    printout(folder / "ci.pdf", inputs)
    run = ("import", "ci.pdf", "--into", "book", "--kind", "calculator_run", "--year", "2026")
    person.looks(person.types(*run))
    person.types(*run, "--accept")
    return person.did, made(folder / "book")


ANSWERS: Final = {
    "Harvest year": ["2026"], "Declared on": ["2026-11-20"], "All operations are listed": ["yes"],
    "All nutrient applications are listed": ["yes"], "Residue was burned": ["no"], "Cover crop was grazed": ["no"],
    "Manure was applied": ["no"], "Irrigation water carried N": ["no"],
}  # fmt: skip


def from_workbook(folder: Path, fields: int) -> tuple[Burden, dict[str, int]]:
    """Play the same season out of the short workbook alone."""
    person = Person(folder)
    person.types("template", "--short", "--out", "s.xlsx")
    of = names(fields)
    blank = [""] * fields
    person.fills(folder / "s.xlsx", {
        "Short farm": {"Farm": ["F1"], "Farm name": ["Bluestem Farm"], "County FIPS code": ["20177"], "State": ["KS"],
                       "Producer": ["P1"], "Producer's name": ["Ann Miller"],
                       "Sources of N": ["commercial_fertilizer"]},
        "Short fields": {"Field": of, "Acres": [str(30 + at) for at in range(fields)]},
        "Short crops": {"Field": of * 2, "Crop": ["soybeans"] * fields + ["corn"] * fields,
                        "Planted": blank + ["2026-04-28"] * fields,
                        "Last day of harvest": ["2025-10-03"] * fields + ["2026-10-21"] * fields,
                        "Bushels": ["2000"] * fields + ["8000"] * fields},
        "Short passes": {"Operation": ["Sprayer, kill crop", "Planter, double disk opnr", APPLICATOR, HARVEST],
                         "Date": ["2026-04-16", "2026-04-28", "2026-06-02", "2026-10-21"],
                         "Depth, in": ["", "2"], "Speed, mph": ["", "5"],
                         "all": ["x", "x", "x", "x"]},
        "Short nutrients": {"Product": ["UAN 32"], "Date": ["2026-06-02"], "Method": ["banded"], "N, lb/ac": ["150"],
                            "Meant for": ["cash_crop"], "all": ["x"]},
        "Short budgets": {"Field": of, "Yield goal, bu/ac": ["200"] * fields, "Planned N, lb/ac": ["150"] * fields,
                          "Soil sampled on": ["2025-11-05"] * fields, "Laboratory": ["Ward"] * fields,
                          "Soil P, ppm": ["24"] * fields},
        "Short declarations": {**ANSWERS, "Declared by": ["P1"]},
    })  # fmt: skip
    person.looks(person.types("import", "s.xlsx", "--into", "book"))
    person.looks(person.types("check", "book"))
    return person.did, made(folder / "book")


def made(book: Path) -> dict[str, int]:
    """Return how many records of each kind the book holds, and how many crop intervals are judged on them."""
    kinds = ("unit", "harvest", "operation", "nutrient_application", "soil_test", "declaration", "calculator_run")
    found = load_book(book)
    verdicts = [one for one in assess(found).intervals if one.harvest_year == HARVEST_YEAR]
    credited = sum(bool(one.credited) for one in verdicts)
    return {kind: len(found[kind]) for kind in kinds} | {"judged": len(verdicts), "credited": credited}


def main() -> int:
    """Play both seasons and print what they cost."""
    over = False
    for (name, most), play in zip(MOST_VALUES.items(), (from_machines, from_workbook), strict=True):
        with tempfile.TemporaryDirectory() as folder:
            did, records = play(Path(folder), FIELDS)
        over = over or did.values > most or (play is from_machines and did.minutes > MOST_MINUTES)
        sys.stdout.write(
            f"{FIELDS} fields from {name}: {did.commands} commands, {did.values} typed values (at most {most}), "
            f"{did.characters} characters, {did.cost} USDA's estimate: 5 to 7 hours.\n{did.table()}\n"
            f"  The book: {', '.join(f'{count} {kind}' for kind, count in records.items())}.\n"
        )
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
