"""The example chain as its parties pack it, and a tamperer who packs again and signs again with keys of his own."""

import contextlib
import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, Final

from provender.audit.outcome import Difference
from provender.audit.package.collect import Content, collect_entity, collect_farm, with_keys
from provender.audit.package.contents import with_verifiers_files
from provender.audit.package.layout import HEADER, Part, entity_path, farm_path, folder_name
from provender.audit.package.write import Header, Subject, open_package
from provender.audit.recompute.checks import recompute
from provender.audit.recompute.verify import by_stake
from provender.audit.sampling.population import freeze, incoming_farms, listed
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.sampling.sample import draw_sample, row_of, sample_document
from provender.cli.app import run
from provender.custody.book_file import Header as BookHeader
from provender.custody.book_file import open_book, seal
from provender.custody.documents.build import PERIOD, TRANSFER, period_document, transfer_document
from provender.custody.documents.sign import sign_document
from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.model.event import Refusal
from provender.custody.store import post
from provender.demo.parties import demo_key
from provender.intensity.quantify import quantify
from provender.practices.assess import assess
from provender.problem import ProblemsError
from provender.records.folder import load_book
from provender.report.document import Edition, build
from provender.report.supporting import BoundRows
from provender.report.typ import TYP
from provender.report.versions import ENDING, leaves_document
from provender.rule.crops import Crop
from provender.signing.bags import write_zip
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit.farms import asked
from tests.audit.forge import FORGER, Files, Found

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


def verify(folder: Path, party: Party, files: Mapping[str, bytes], *, held: bool = False) -> Found:
    """Bag files as anyone can, open the bag as the verifier does who has his own list of keys, recompute."""
    pins = (folder / "pins.json").read_bytes()
    with TemporaryDirectory() as name:
        target = Path(name) / "package.zip"
        bagged = {**files, HEADER: canonical_json(party.header.document())}
        write_zip(target, bagged, name="package", as_of=DAY, info={"Source-Organization": party.name})
        opened = open_package(target)
        outcomes = recompute(with_verifiers_files(opened.files, pins, party.held if held else {}))
    incomplete = [Difference(one.code, one.cite, str(one.place), "", one.cause) for one in opened.problems]
    return Found(
        by_stake([*incomplete, *(one for outcome in outcomes for one in outcome.differences)]),
        [why for outcome in outcomes for why in outcome.not_shown],
    )


class FarmFiles:
    """The files of a farm's package in the hands of a tamperer."""

    def __init__(self, farm: str, files: Files, rng: Random) -> None:
        self.farm, self.files, self.rng = farm, files, rng

    def path(self, kind: str) -> str:
        """Return where a kind of record lies."""
        return farm_path(self.farm, Part.RECORDS, f"{kind}.csv")

    def evidence(self, name: str) -> str:
        """Return where a file of evidence lies."""
        return farm_path(self.farm, Part.EVIDENCE, name)

    def rows(self, kind: str) -> list[dict[str, str]]:
        """Read a kind of record as text; none where the farm has none."""
        raw = self.files.get(self.path(kind), b"")
        return list(csv.DictReader(io.StringIO(raw.decode())))

    def pick(self, kind: str, **wanted: str) -> dict[str, str]:
        """Pick a row with these cells."""
        return self.rng.choice([r for r in self.rows(kind) if all(r[name] == cell for name, cell in wanted.items())])

    def put(self, kind: str, found: list[dict[str, str]]) -> None:
        """Write rows."""
        out = io.StringIO()
        writer = csv.DictWriter(out, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
        self.files[self.path(kind)] = out.getvalue().encode()

    def change(self, kind: str, row: Mapping[str, str], **cells: str) -> None:
        """Change cells of a row."""
        self.put(kind, [one | cells if one == row else one for one in self.rows(kind)])

    def drop(self, kind: str, row: Mapping[str, str]) -> None:
        """Remove a row, which must not be the only one."""
        self.put(kind, [one for one in self.rows(kind) if one != row])

    def swap(self, row: Mapping[str, str], content: bytes) -> None:
        """Put another file in place of evidence, and its hash into the records."""
        self.files[self.evidence(row["file"])] = content
        self.change("evidence", row, sha256=sha256_hex(content))

    def reports(self) -> dict[str, dict[str, Any]]:
        """Return the last version of each report, as signed, by path."""
        start = f"farms/{folder_name(self.farm)}/reports/"
        paths = [path for path in sorted(self.files) if path.startswith(start) and not path.endswith(ENDING)]
        read = {path: json.loads(self.files[path]) for path in paths}
        latest = {one["document"]["crop"]: path for path, one in read.items()}
        return {path: read[path] for path in latest.values()}

    def sign(self, path: str, document: Mapping[str, Any], key: SigningKey = FORGER) -> None:
        """Sign a report."""
        self.files[path] = canonical_json(sign(dict(document), key, typ=TYP))

    def remake(self, key: SigningKey) -> None:
        """Make the last version of each report anew from the changed records: nothing inside disagrees any more."""
        prefix = f"farms/{folder_name(self.farm)}/"
        with TemporaryDirectory() as name:
            for path, content in self.files.items():
                inner = path.removeprefix(prefix).removeprefix("records/")
                if path.startswith(prefix) and not inner.startswith("reports/"):
                    (Path(name) / inner).parent.mkdir(parents=True, exist_ok=True)
                    (Path(name) / inner).write_bytes(content)
            judged = assess(load_book(Path(name)))
            for path, envelope in self.reports().items():
                old = envelope["document"]
                found = quantify(judged, self.farm, Crop(old["crop"]), old["harvest_year"])
                edition = Edition(**{**old["edition"], "changes": tuple(old["edition"]["changes"])})
                day, opening = date.fromisoformat(old["made_on"]), path.replace(".json", ENDING)
                secret = json.loads(self.files[opening])["secret"]
                leaves = BoundRows(judged, found, day).leaves(secret)
                made = build(judged, found, as_of=day, producer_id="P1", edition=edition, leaves=leaves)
                self.sign(path, made, key)
                self.files[opening] = canonical_json(leaves_document(made, secret, leaves))


class AuditFiles:
    """The files of a whole audit in the hands of the elevator, which knows the verifier's seed by now."""

    def __init__(self, files: Files, rng: Random) -> None:
        self.files, self.rng = files, rng
        self.sample: dict[str, Any] = json.loads(files[SAMPLE])

    def write(self) -> None:
        """Write the sample as it stands."""
        self.files[SAMPLE] = canonical_json(self.sample)

    def draw(self, rows: list[dict[str, Any]]) -> None:
        """Draw again from another list, so that list, hash and draw agree."""
        population = [row_of(row) for row in rows]
        self.sample = sample_document(draw_sample(asked(freeze(population))))
        self.write()

    def without(self, farm: str) -> None:
        """Take a farm's whole folder out."""
        start = f"farms/{folder_name(farm)}/"
        self.files = {path: content for path, content in self.files.items() if not path.startswith(start)}


class HouseFiles:
    """The files of a house's package in the hands of a tamperer: the house itself, with its own key."""

    def __init__(self, house: str, files: Files, rng: Random) -> None:
        self.house, self.files, self.rng = house, files, rng
        lines = files[entity_path(house, Part.BOOK)].decode().splitlines()[1:]
        self.events: list[Event] = [json.loads(line)["event"] for line in lines]

    def pick(self, kind: str, **wanted: object) -> Event:
        """Pick an event."""
        return self.rng.choice(self.of(kind, **wanted))

    def of(self, kind: str, **wanted: object) -> list[Event]:
        """Return the events of a type with these fields."""
        return [
            one
            for one in self.events
            if one["type"] == kind and all(one.get(name) == value for name, value in wanted.items())
        ]

    def seal(self) -> None:
        """Write the events as a book, sealed line by line, whether they would stand or not."""
        header = BookHeader(self.house)
        head, lines = header.head, [header.line().rstrip()]
        for event in self.events:
            head = seal(head, event)
            lines.append(json.dumps({"event": event, "chain": head}))
        self.files[entity_path(self.house, Part.BOOK)] = "\n".join([*lines, ""]).encode()

    def papers(self, kind: str) -> dict[str, dict[str, Any]]:
        """Return the house's own papers of a type, by path."""
        start = f"entities/{folder_name(self.house)}/documents/"
        read = {path: json.loads(raw) for path, raw in self.files.items() if path.startswith(start)}
        by = "entity" if kind == PERIOD else "seller"
        return {
            path: one
            for path, one in read.items()
            if one["document"]["type"] == kind and one["document"][by]["id"] == self.house
        }

    def paper_of(self, number: str) -> str:
        """Return where the paper of a number lies."""
        (path,) = [path for path in self.files if path.endswith(f"-{number}.json")]
        return path

    def forge(self, path: str, **fields: object) -> None:
        """Change fields of a paper and sign it with the forger's key."""
        document = json.loads(self.files[path])["document"] | fields
        self.files[path] = canonical_json(sign(document, FORGER, typ=f"{document['type']}+json"))

    def remake(self) -> None:
        """Make the house's own papers anew from the changed book and sign them with its own key."""
        store = MemoryStore()
        for event in self.events:
            with contextlib.suppress(Refusal):
                post(store, read_event(event))
        key = demo_key(self.house)
        for path, envelope in {**self.papers(TRANSFER), **self.papers(PERIOD)}.items():
            old = envelope["document"]
            with contextlib.suppress(ProblemsError):
                made = (
                    period_document(store, self.house, date.fromisoformat(old["start"]))
                    if old["type"] == PERIOD
                    else transfer_document(store, old["number"], as_of=date.fromisoformat(old["made_on"]))
                )
                self.files[path] = canonical_json(sign_document(made, key))
