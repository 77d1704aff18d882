"""Damaged files of a stranger's package: each gives a difference or is told by name, and none ends a check."""

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import pytest
from typer.testing import CliRunner

from provender.audit.findings import write_log
from provender.audit.package.contents import with_verifiers_files
from provender.audit.package.custody_section import MOST_FAULTS, EntityBook, replayed
from provender.audit.package.layout import FINDINGS, HEADER, KEYS, read_pins
from provender.audit.recompute.verify import recompute
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.cli.custody.app import app
from provender.custody.documents.print import document_pdf
from provender.problem import ProblemsError
from provender.records.kind import KINDS as KINDS_OF_RECORDS
from provender.report.typ import TYP
from provender.report.versions import ENDING
from provender.signing.canonical import canonical_json, document_hash, read_json
from provender.signing.jws import sign
from tests.audit import chain, forge
from tests.audit.findings.test_log import RAISED, RESPONDED, log
from tests.audit.forge import REPORT, Files, record
from tests.audit.mutation.hands import remake_reports
from tests.audit.recompute.test_checks import ELEVATOR, sample

SEED: Final = os.environ.get("SEED", "20261130")
UNIT: Final = "N40"
OPENING: Final = REPORT.replace(".json", ENDING)
STAMP: Final = bytes.fromhex("3003020100") * 40
PERIOD: Final = chain.paper("coop", "period-2026-01-01.json")


def flipped(rng: Random, raw: bytes) -> bytes:
    at = rng.randrange(len(raw))
    return raw[:at] + bytes([raw[at] ^ (1 << rng.randrange(8))]) + raw[at + 1 :]


def cut(rng: Random, raw: bytes) -> bytes:
    return raw[: rng.randrange(len(raw))]


def filled(rng: Random, raw: bytes) -> bytes:
    at = rng.randrange(len(raw))
    return raw[:at] + rng.randbytes(rng.randrange(1, 40)) + raw[at:]


def gone(rng: Random, raw: bytes) -> bytes:
    at, size = rng.randrange(len(raw)), rng.randrange(1, 200)
    return raw[:at] + raw[at + size :]


def blank(rng: Random, raw: bytes) -> bytes:
    at = rng.randrange(len(raw))
    return raw[:at] + bytes(len(raw[at : at + 50])) + raw[at + 50 :]


DEEP: Final = b"[" * 100_000 + b"]" * 100_000
VALUE: Final = re.compile(rb'(?<=[:\[,\n])("(?:[^"\\]|\\.)*"|[^\[\]{}",\n]+)(?=[,\]}\n])')
VALUES: Final = (
    b"null", b"true", b"-1", b"1.5", b'""', b"[]", b"{}", b"[[]]", b"[{}]", b'"x"', b'{"a":{"b":[1]}}', b'"0001-01-01"',
    b'"9999-12-31"', b'"2025-02-30"', b'"NaN"', b'"1e999999999"', b'"-1e-999999999"', b"9" * 9_999, DEEP,
    b'"%s"' % (b"9" * 200_000), b"[%s[]]" % (b"[]," * 50_000), b'"\\u202e\\u0000"', b'{%s"0":1}' % b"".join(
        b'"%d":0,' % number for number in range(50_000)),
)  # fmt: skip
"""What stands where something else was asked for: of another kind, no day, no amount, or too deep, long or often."""


def other(rng: Random, raw: bytes) -> bytes:
    """Put another value in the place of one in JSON or a table; in other files, put a piece a thousand times."""
    places = list(VALUE.finditer(raw)) if raw[:1] in b"{[f" else []
    if not places:
        at = rng.randrange(len(raw))
        return raw[:at] + raw[at : at + rng.randrange(1, 200)] * 1_000 + raw[at:]
    start, end = rng.choice(places).span()
    value = rng.choice(VALUES)
    return raw[:start] + (value if raw[:1] in b"{[" else b'"%s"' % value.replace(b'"', b'""')) + raw[end:]


DAMAGES: Final[tuple[Callable[[Random, bytes], bytes], ...]] = (flipped, cut, filled, gone, blank, other)
MOST_SECONDS: Final = 5
"""Of the processor, for one damaged file; each of these takes a tenth of one."""
MOST_MEBIBYTES: Final = 400
"""More than before, for one damaged file; each of these is below one mebibyte."""


@cache
def farms() -> Files:
    """One field of the example's package, with a timestamp of nobody.

    As in every report that the program signs, each row of the records is bound.
    """
    files = {**forge.clean(), HEADER: canonical_json(forge.header().document())}
    for kind in (kind for kind in KINDS_OF_RECORDS if record(kind) in files):
        if kept := [row for row in forge.rows(files, kind) if row.get("unit_id", UNIT) in (UNIT, "")]:
            forge.put(files, kind, kept)
        else:
            del files[record(kind)]
    files[OPENING] = canonical_json({"secret": "5" * 64})
    remake_reports(forge.FARM, files, forge.ADA)
    return {**files, f"{REPORT}.tsr": STAMP}


@cache
def houses() -> Files:
    """An elevator's package with a printed statement, a draw and findings."""
    envelope = read_json(chain.clean("coop")[PERIOD], file=PERIOD)
    assert isinstance(envelope, dict)
    pdf = document_pdf(envelope["document"], envelope=envelope, fingerprint=chain.KEYS_OF["coop"].fingerprint)
    more = {PERIOD.replace(".json", ".pdf"): pdf, FINDINGS: write_log(log(RAISED, RESPONDED)),
            SAMPLE: canonical_json(sample())}  # fmt: skip
    return {**chain.clean("coop"), **more, HEADER: canonical_json(ELEVATOR.document())}


def named(files: Files, ending: str) -> str:
    return next(path for path in sorted(files) if path.endswith(ending))


KINDS: Final[dict[str, tuple[Callable[[], Files], Callable[[Files], str]]]] = {
    "report": (farms, lambda _: REPORT),
    "records": (farms, lambda _: record("farm")),
    "evidence as picture": (farms, lambda files: named(files, "n40-rye-2024-11-06.jpg")),
    "opening of the records": (farms, lambda _: OPENING),
    "boundary": (farms, lambda files: named(files, "n40.geojson")),
    "header": (houses, lambda _: HEADER),
    "timestamp": (farms, lambda _: f"{REPORT}.tsr"),
    "keys": (houses, lambda _: KEYS),
    "book": (houses, lambda _: chain.book("coop")),
    "paper": (houses, lambda _: PERIOD),
    "farm report in other hands": (houses, lambda _: chain.paper("coop", "report-ada.json")),
    "printed paper": (houses, lambda _: PERIOD.replace(".json", ".pdf")),
    "sample": (houses, lambda _: SAMPLE),
    "findings": (houses, lambda _: FINDINGS),
}  # fmt: skip


@cache
def untouched(kind: str) -> tuple[frozenset[str], frozenset[str]]:
    return told(KINDS[kind][0]())


def told(files: Files) -> tuple[frozenset[str], frozenset[str]]:
    """Return differences and notes; what a check could not read names a file."""
    pins = chain.pins() if any(path.startswith("entities/") for path in files) else forge.PINS
    own = {"own-findings.jsonl": houses()[FINDINGS], "own-sample.json": houses()[SAMPLE]} if FINDINGS in files else {}
    outcomes = recompute(with_verifiers_files(files, pins, own))
    lost = [one.place for each in outcomes for one in each.differences if one.code == "not_recomputed"]
    assert all(any(path in place for path in files) or ".csv" in place for place in lost), lost
    return (frozenset(str(one) for each in outcomes for one in each.differences),
            frozenset(why for each in outcomes for why in each.not_shown))  # fmt: skip


@contextmanager
def bounded() -> Iterator[None]:
    """Hold what is done within the limits of time and memory."""
    Path("/proc/self/clear_refs").write_text("5")  # what was the most so far counts anew
    start, before = time.process_time(), _most_memory()
    yield
    assert time.process_time() - start < MOST_SECONDS
    assert _most_memory() - before < MOST_MEBIBYTES


def _most_memory() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024


def is_same(path: str, one: bytes, other: bytes) -> bool:
    """Tell whether two files say the same: blanks, the case of headings, and how a number is spelled, are nothing."""
    case = bytes.lower if path.endswith(".csv") else bytes
    if case(one).split() == case(other).split() or (path == KEYS and _same_keys(one)):
        return True
    with suppress(ValueError, RecursionError):
        return bool(json.loads(one) == json.loads(other))
    return False


@pytest.mark.parametrize("count", [len(DAMAGES), pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_told_and_ends_no_check(kind: str, count: int) -> None:
    make, place = KINDS[kind]
    rng = Random(f"{SEED} {kind}")
    files = make()
    path = place(files)
    for number in range(count):
        raw = DAMAGES[number % len(DAMAGES)](rng, files[path])
        if is_same(path, raw, files[path]):
            continue
        with bounded():
            found = told({**files, path: raw})
        by_name = any(path.rpartition("/")[2].removesuffix(".tsr") in line for lines in found for line in lines)
        assert by_name or found != untouched(kind), f"{number}: {DAMAGES[number % len(DAMAGES)].__name__}"


def _same_keys(raw: bytes) -> bool:
    """Tell whether a list binds the same keys: where that stands is the party's word, compared with nothing."""
    with suppress(ProblemsError):
        keys = [[(pin.party, pin.key, pin.first, pin.last) for pin in read_pins(one, KEYS).pins]
                for one in (raw, houses()[KEYS])]  # fmt: skip
        return keys[0] == keys[1]
    return False


@pytest.mark.parametrize(
    "value", [None, [], "x", {"bushels": {}}, [{"farm_id": "F000"}], [{"farm_id": "F000", "crop": 1}]]
)
def test_a_sample_that_is_no_sample_is_named_by_each_check_that_reads_it(value: object) -> None:
    document = read_json(houses()[SAMPLE], file=SAMPLE)
    assert isinstance(document, dict)
    for member in document:
        told({**houses(), SAMPLE: canonical_json({**document, member: value})})


def test_what_opens_an_earlier_version_of_a_report_is_held_against_it() -> None:
    document, opening = json.loads(farms()[REPORT])["document"], json.loads(farms()[OPENING])
    document["edition"] |= {"version": 2, "replaces": document_hash(document)}
    later = {path.replace("-v1", "-v2"): canonical_json(one) for path, one in (
        (REPORT, sign(document, forge.ADA, typ=TYP)), (OPENING, {**opening, "version": 2}))}  # fmt: skip
    opening["leaves"][UNIT]["harvest"].popitem()
    lines = {name: told({**farms(), **later, **more})[0] for name, more in (
        ("whole", {}), ("cut", {OPENING: canonical_json(opening)}))}  # fmt: skip
    (line,) = lines["cut"] - lines["whole"]
    assert "version 1: claimed the roots in the signed report" in line


@pytest.mark.parametrize(("more", "behind"), [(1, ""), (2, "from here on no line was read")])
def test_of_a_book_so_many_faults_are_told(more: int, behind: str) -> None:
    raw = houses()[chain.book("coop")] + b"x\n" * (MOST_FAULTS + more)
    faults = replayed(EntityBook("coop", ""), raw).faults
    assert (len(faults), behind in faults[-1].message) == (MOST_FAULTS + more, True)


# The same beside books, by the command.


@cache
def beside() -> Files:
    coop, crush = chain.clean("coop"), chain.clean("crush")
    names = ("report-ada.json", "slip-ada.json", "transfer-s1.json", "period-2026-01-01.json")
    books = {f"{me}.jsonl": files[chain.book(me)] for me, files in (("coop", coop), ("crush", crush))}
    events = b"".join(
        canonical_json(json.loads(line)["event"]) + b"\n" for line in books["crush.jsonl"].splitlines()[1:]
    )
    return {**books, **{name: coop[chain.paper("coop", name)] for name in names},
            "statement.json": crush[chain.STATEMENT_ON_COOP],
            "events.jsonl": events, "printed.pdf": houses()[PERIOD.replace(".json", ".pdf")]}  # fmt: skip


UNSEALED: Final = ("events.jsonl", "printed.pdf")
"""Nothing binds an event that stands in no book, nor what is printed beside the original."""


def reconciled(folder: Path, files: Files) -> str:
    for name, content in files.items():
        (folder / name).write_bytes(content)
    result = CliRunner().invoke(app, ["reconcile", *(str(folder / name) for name in files), "--json"])
    assert isinstance(result.exception, SystemExit | None), result.exc_info
    return result.stdout


@pytest.mark.parametrize("count", [len(DAMAGES), pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", beside())
def test_a_damaged_file_beside_others_is_told_and_reconcile_goes_on(name: str, count: int, tmp_path: Path) -> None:
    rng = Random(f"{SEED} {name}")
    whole = reconciled(tmp_path, beside())
    for number in range(count):
        raw = DAMAGES[number % len(DAMAGES)](rng, beside()[name])
        if not is_same(name, raw, beside()[name]):
            with bounded():
                found = reconciled(tmp_path, {**beside(), name: raw})
            assert found != whole or name in UNSEALED, number
