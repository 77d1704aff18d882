"""The example chain as its parties pack it, and a tamperer who packs again and signs again with keys of his own."""

import contextlib
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from provender.audit.package.collect import Content, collect_entity, collect_farm, with_keys
from provender.audit.package.write import Header, Subject
from provender.audit.sampling.population import freeze, incoming_farms, listed
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.sampling.sample import draw_sample, sample_document
from provender.cli.app import run
from provender.custody.book_file import open_book
from provender.signing.canonical import canonical_json
from tests.audit.farms import asked

SEED: Final = 2100
DAY: Final = date(2027, 1, 11)
ELEVATOR, CRUSHER = "prairie-coop", "plains-crush"
Event = dict[str, Any]


@cache
def chain(farms: int, seed: int = SEED) -> Path:
    """Return the folder that ``provender demo chain`` writes, made once a run."""
    where = Path(mkdtemp(prefix="prairie-"))
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        run(["demo", "chain", "--farms", str(farms), "--seed", str(seed), "--out", str(where), "--json"])
    return where / "chain"


@dataclass(frozen=True)
class Party:
    """One party's clean package: its files and header, and copies of its papers that others hold."""

    name: str
    files: Mapping[str, bytes]
    header: Header
    held: Mapping[str, bytes]


@cache
def farm_party(folder: Path, farm: str) -> Party:
    """Return a farm's package; its buyers hold its reports."""
    copies = sorted((folder / "papers").glob(f"*/{farm}-*.json"))
    return packed(collect_farm(folder / "farms" / farm, [folder / "farms" / farm / "reports"]), copies)


@cache
def house_party(folder: Path, house: str) -> Party:
    """Return a house's package; its customers hold its transfer documents."""
    own = folder / "papers" / house
    sold = sorted(path for path in own.glob("sale-*.json") if _seller(path) == house)
    return packed(collect_entity(folder / "books" / f"{house}.jsonl", [own], []), sold)


@cache
def sample_of(folder: Path, seed: str = "20270108") -> bytes:
    """Return the sample drawn from the elevator's own book."""
    with open_book(folder / "books" / f"{ELEVATOR}.jsonl") as book:
        found = incoming_farms(book.store, ELEVATOR)
    papers = sorted((folder / "papers" / ELEVATOR).glob("farm-*.json"))
    rows, problems = listed(found, [json.loads(path.read_bytes())["document"] for path in papers], ELEVATOR)
    assert not problems
    return canonical_json(sample_document(draw_sample(asked(freeze(rows), seed))))


@cache
def audit_party(folder: Path, farms: tuple[str, ...]) -> Party:
    """Return the whole audit of the elevator: its package, the draw, the packages of these farms."""
    elevator, drawn = house_party(folder, ELEVATOR), [farm_party(folder, farm) for farm in farms]
    files = {**elevator.files, SAMPLE: sample_of(folder)}
    parties = dict(elevator.header.parties)
    for one in drawn:
        files |= {path: content for path, content in one.files.items() if path.startswith("farms/")}
        parties |= one.header.parties
    return Party("audit", files, replace(elevator.header, subject=Subject.AUDIT, parties=parties), elevator.held)


def _seller(path: Path) -> str:
    return str(json.loads(path.read_bytes())["document"]["seller"]["id"])


def packed(content: Content, copies: Iterable[Path]) -> Party:
    """Return collected files as a clean package."""
    with_keys(content, [])
    files = {name: one.read_bytes() if isinstance(one, Path) else one for name, one in content.files.items()}
    header = Header(
        content.subject, content.audited, content.name, content.first, content.last, "interim-2025", "provender",
        DAY, content.parties,
    )  # fmt: skip
    held = {f"{number}-{path.name}": path.read_bytes() for number, path in enumerate(copies)}
    return Party(content.audited, files, header, held)
