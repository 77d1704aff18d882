"""Damaged files of a stranger's package: each gives a difference or is told by name, and none ends a check."""

import io
import os
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from random import Random
from typing import Final

import pytest

from provender.audit.findings import write_log
from provender.audit.package.contents import with_verifiers_files
from provender.audit.package.keys import read_pins
from provender.audit.package.layout import FINDINGS, HEADER, KEYS
from provender.audit.recompute.checks import recompute
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.custody.documents.print import document_pdf
from provender.problem import ProblemsError
from provender.signing.canonical import canonical_json, read_json, sha256_hex
from tests.audit import chain, forge
from tests.audit.findings.test_log import RAISED, RESPONDED, log
from tests.audit.forge import REPORT, Files, evidence, record
from tests.audit.recompute.test_checks import ELEVATOR, sample

SEED: Final = os.environ.get("SEED", "20261130")
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


DAMAGES: Final[tuple[Callable[[Random, bytes], bytes], ...]] = (flipped, cut, filled, gone, blank)


WORKBOOK: Final = evidence("weights.xlsx")


@cache
def farms() -> Files:
    """The example's package with a workbook, a ZIP by itself, for evidence, and a timestamp of nobody."""
    files = {**forge.clean(), HEADER: canonical_json(forge.header().document()), f"{REPORT}.tsr": STAMP}
    rows = forge.rows(files, "evidence")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("xl/workbook.xml", "<workbook/>" * 50)
    files[WORKBOOK] = out.getvalue()
    named = {"evidence_id": "EX", "file": "weights.xlsx", "sha256": sha256_hex(files[WORKBOOK])}
    forge.put(files, "evidence", [*rows, {**rows[0], **named}])
    return files


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
    "evidence as picture": (farms, lambda files: named(files, ".jpg")),
    "evidence as workbook": (farms, lambda _: WORKBOOK),
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


@pytest.mark.parametrize("count", [3, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_told_and_ends_no_check(kind: str, count: int) -> None:
    make, place = KINDS[kind]
    rng = Random(f"{SEED} {kind}")
    files = make()
    path = place(files)
    for number in range(count):
        raw = DAMAGES[number % len(DAMAGES)](rng, files[path])
        if raw.split() == files[path].split() or (path == KEYS and _same_keys(raw)):
            continue
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
