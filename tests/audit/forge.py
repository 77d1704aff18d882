"""A clean package of the example farm, and a forger who changes one thing, bags it again and signs with his own key."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from provender.audit.outcome import Difference
from provender.audit.package.collect import collect_farm, rule_of, with_keys
from provender.audit.package.contents import with_verifiers_files
from provender.audit.package.layout import Part, Pin, farm_path, folder_name, pins_document
from provender.audit.package.write import Header, make_package, open_package
from provender.audit.recompute.verify import by_stake, recompute
from provender.custody.model.lots import origin_id
from provender.intensity.quantify import quantify
from provender.records.folder import load_book
from provender.report.document import Edition, build
from provender.report.typ import TYP
from provender.rule.crops import Crop
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from provender.verdicts.assess import assess

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "bluestem-farm"
FARM: Final = "BLUESTEM"
DAY: Final = date(2026, 11, 21)
SALT: Final = "5f0d0f3d2f3b4c1b9a7e6d5c4b3a2910"
ADA: Final = SigningKey.generate()
FORGER: Final = SigningKey.generate()
REPORT: Final = farm_path(FARM, Part.REPORTS, "corn-2025-v1.json")
REPORTS: Final = {"corn": REPORT}
PINS: Final = canonical_json(pins_document([Pin(FARM, ADA.public, "supply contract 12")]))

Files = dict[str, bytes]


def record(kind: str) -> str:
    return farm_path(FARM, Part.RECORDS, f"{kind}.csv")


def evidence(name: str) -> str:
    return farm_path(FARM, Part.EVIDENCE, name)


def moved(text: str, amount: str) -> str:
    """Return a decimal text with an amount added, exactly."""
    return str(Decimal(text) + Decimal(amount))


def later(day: str, days: int) -> str:
    """Return a day so many days later, or earlier."""
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def reports_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the reports of a book, by where they lie in the package."""
    assessment = assess(load_book(folder))
    found = {}
    for crop, path in REPORTS.items():
        q = quantify(assessment, FARM, Crop(crop), 2025)
        edition = Edition(origin_id=origin_id(FARM, crop, 2025, SALT), salt=SALT)
        found[path] = build(assessment, q, as_of=date(2026, 1, 10), producer_id="P1", edition=edition)
    return found


@cache
def clean() -> Mapping[str, bytes]:
    """Return every file of the clean package but its header."""
    signed = {path: canonical_json(sign(one, ADA, typ=TYP)) for path, one in reports_of(EXAMPLE).items()}
    content = collect_farm(EXAMPLE, [])
    with_keys(content, [Pin(FARM, ADA.public, "supply contract 12")])
    files = {name: one.read_bytes() if isinstance(one, Path) else one for name, one in content.files.items()}
    runs = files[record("calculator_run")].splitlines(keepends=True)
    # The other crops have no report here: they were not run through a calculator.
    files[record("calculator_run")] = b"".join(line for line in runs if not re.search(rb",(soybeans|sorghum),", line))
    return {**files, **signed}


def envelope() -> dict[str, Any]:
    """Return the clean report as signed."""
    found: dict[str, Any] = json.loads(clean()[REPORT])
    return found


@cache
def header() -> Header:
    content = collect_farm(EXAMPLE, [])
    return Header(
        content.subject, FARM, content.name, content.first, content.last, rule_of(clean(), ""), "provender", DAY,
        content.parties,
    )  # fmt: skip


def rows(files: Mapping[str, bytes], kind: str) -> list[dict[str, str]]:
    """Read a CSV of records as text."""
    return list(csv.DictReader(io.StringIO(files[record(kind)].decode())))


def put(files: Files, kind: str, found: list[dict[str, str]]) -> None:
    """Write rows as the CSV of a kind."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(found[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    files[record(kind)] = out.getvalue().encode()


def change(files: Files, kind: str, key: str, **cells: str) -> None:
    """Change cells of the row whose first column is ``key``."""
    found = rows(files, kind)
    first = next(iter(found[0]))
    touched = [row.update(cells) for row in found if row[first] == key]
    assert touched, f"no {key} in {kind}"
    put(files, kind, found)


def drop(files: Files, kind: str, key: str) -> None:
    """Remove the rows whose first column is ``key``."""
    found = rows(files, kind)
    first = next(iter(found[0]))
    kept = [row for row in found if row[first] != key]
    assert len(kept) < len(found), f"no {key} in {kind}"
    put(files, kind, kept)


def add(files: Files, kind: str, like: str, **cells: str) -> None:
    found = rows(files, kind)
    first = next(iter(found[0]))
    put(files, kind, [*found, next(row for row in found if row[first] == like) | cells])


def swap(files: Files, name: str, content: bytes, evidence_id: str) -> None:
    """Put another file in place of evidence, and its hash into the records."""
    files[evidence(name)] = content
    change(files, "evidence", evidence_id, sha256=sha256_hex(content))


def signed_by_forger(files: Files, edit: Callable[[dict[str, Any]], object]) -> None:
    """Edit the report and sign it with the forger's key."""
    document = json.loads(files[REPORT])["document"]
    edit(document)
    files[REPORT] = canonical_json(sign(document, FORGER, typ=TYP))


@contextmanager
def book_of(farm: str, files: Files) -> Iterator[Path]:
    """Lay out the records and evidence of a farm's package as the record book they come from."""
    prefix = f"farms/{folder_name(farm)}/"
    with TemporaryDirectory() as name:
        for path, content in files.items():
            inner = path.removeprefix(prefix).removeprefix("records/")
            if path.startswith(prefix) and not inner.startswith("reports/"):
                (Path(name) / inner).parent.mkdir(parents=True, exist_ok=True)
                (Path(name) / inner).write_bytes(content)
        yield Path(name)


def remade_by_forger(files: Files) -> None:
    """Make the report anew from the changed records and sign it with the forger's key: nothing inside disagrees."""
    with book_of(FARM, files) as folder:
        made = reports_of(folder)
    files |= {path: canonical_json(sign(document, FORGER, typ=TYP)) for path, document in made.items() if path in files}


@dataclass
class Found:
    """What verification said.

    Attributes:
        differences: by stake.
        told: what could not be judged.
    """

    differences: list[Difference]
    told: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(f"{one.code} {one}" for one in self.differences)


def verify(
    files: Mapping[str, bytes], folder: Path, *, pins: bytes | None = PINS, held: Mapping[str, bytes] | None = None
) -> Found:
    """Bag files as anyone can, open the bag as a verifier does, recompute."""
    target = folder / "package.zip"
    make_package(target, header(), files)
    return found_in(target, pins, held)


def found_in(package: Path, pins: bytes | None, held: Mapping[str, bytes] | None) -> Found:
    """Open a package as a verifier does and recompute it."""
    outcomes = recompute(with_verifiers_files(open_package(package).files, pins, held or {}))
    return Found(
        by_stake(one for outcome in outcomes for one in outcome.differences),
        [why for outcome in outcomes for why in outcome.not_shown],
    )


def forged(tamperings: Sequence[Any], seed: str) -> str:
    """Tamper as told, verify once, and return what verification failed to say; empty when it named everything."""
    files, held = dict(clean()), {}
    named = [(one, one.apply(Random(f"{seed} {one.name}"), files)) for one in tamperings]
    if remade := any(one.remake for one in tamperings):
        remade_by_forger(files)
        held = {"buyer.json": clean()[REPORT]}
    with TemporaryDirectory() as folder:
        found = verify(files, Path(folder), held=held)
    missed = [
        f"{one.name}, seed {seed!r}: {name!r} of {one.codes} is not in:"
        for one, name in named
        if not any(name in str(other) and other.code.startswith(one.codes) for other in found.differences)
    ]
    if remade and not any(one.code == "signed_with_other_key" for one in found.differences):
        missed.append(f"seed {seed!r}: the forger's key was not named:")
    if remade and any(one.code.startswith("report_differs") for one in found.differences):
        missed.append(f"seed {seed!r}: the forger did not remake the report:")
    return "\n".join([*missed, found.text] if missed else [])
