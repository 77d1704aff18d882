"""Packages made to harm whoever opens them: answered in words, with status 1 or 2, no worse."""

import io
import json
import os
import struct
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from provender.audit.package.layout import HEADER
from provender.audit.package.write import Header, make_package, open_package
from provender.audit.recompute.verify import verify_package
from provender.cli.app import call
from provender.cli.output import visible
from provender.problem import ProblemsError
from provender.report.typ import TYP
from provender.signing.bags import write_zip
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from tests.audit import chain, forge
from tests.audit.forge import ADA, REPORT, Files, evidence, record
from tests.audit.recompute.test_checks import ELEVATOR
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)


@ROWS
def test_a_header_whose_paths_lead_out_is_refused_first(change: dict[str, object], tmp_path: Path) -> None:
    document = {**forge.header().document(), **change}
    with pytest.raises(ValueError, match=r"no (folder|path)"):
        Header.read(document)
    write_zip(tmp_path / "x.zip", {HEADER: canonical_json(document)}, name="x", as_of=forge.DAY, info={})
    with pytest.raises(ProblemsError) as refused:
        open_package(tmp_path / "x.zip")
    assert [one.code for one in refused.value.problems] == ["unreadable_header"]


def with_more(target: Path, *names: str) -> Path:
    """Write the clean package with files that its manifest does not have."""
    make_package(target, forge.header(), dict(forge.clean()))
    with zipfile.ZipFile(target, "a") as opened:
        top = opened.namelist()[0].partition("/")[0]
        for name in names:
            opened.writestr(name.format(top), b"left")
    return target


def test_what_systems_leave_in_a_zip_is_told_and_ignored_and_a_strangers_file_is_refused(tmp_path: Path) -> None:
    left = with_more(tmp_path / "left.zip", "__MACOSX/._farm", "{}/.DS_Store", "{}/data/Thumbs.db")
    found = verify_package(left, pinned=forge.PINS).found
    assert found.clean
    assert sum("left by a system" in why for _, why in found.not_shown) == 3
    with pytest.raises(ProblemsError, match="not in the manifest"):
        open_package(with_more(tmp_path / "farm.zip", "{}/data/more.txt"))


def test_control_characters_are_written_out_on_a_terminal() -> None:
    assert visible("Ada\x1b[2J\u202eexe.\x9b") == "Ada\\x1b[2J\\u202eexe.\\x9b"
    assert visible("Åse, 5 µg\nnext") == "Åse, 5 µg\nnext"


# Packages whose files are made to break whoever reads them: answered in words, with status 1 or 2, no worse.

DEEP = b"[" * 100_000 + b"]" * 100_000
HEAD = canonical_json(forge.header().document())
UNSEEN = {*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), "\u202e"} - {"\n"}
MOST_SECONDS = 20
"""Of the processor; each of these takes about one."""


def farm(path: str, content: bytes, **others: bytes) -> Callable[[], Files]:
    """Put content into a file, and into the tables that are named."""
    more = {record(kind): raw for kind, raw in others.items()}
    return lambda: {**forge.clean(), HEADER: HEAD, path: content, **more}


def cells(*changes: tuple[str, int, str, str]) -> Callable[[], Files]:
    """Change cells: of which table and row, which column, and to what."""

    def made() -> Files:
        files = {**forge.clean(), HEADER: HEAD}
        for kind, number, column, content in changes:
            rows = forge.rows(files, kind)
            rows[number][column] = content
            forge.put(files, kind, rows)
        return files

    return made


def report(**changes: Any) -> Callable[[], Files]:  # noqa: ANN401 - members of a report
    document = {**forge.envelope()["document"], **changes}
    return farm(REPORT, canonical_json(sign(document, ADA, typ=TYP)))


def book(more: bytes, head: bytes = b"") -> Callable[[], Files]:
    files = chain.clean("coop")
    whole = {**files, chain.book("coop"): head + files[chain.book("coop")] + more}
    return lambda: whole | {HEADER: canonical_json(ELEVATOR.document())}


def picture() -> bytes:
    """Return a PNG that says it is of ten thousand million pixels."""

    def part(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    size = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", size) + part(b"IDAT", zlib.compress(bytes(999))) + part(b"IEND", b"")


CASES: dict[str, tuple[int, Callable[[], Files]]] = {
    "a zero byte, another alphabet, no end of a quotation, twenty thousand columns, and nothing in tables": (1, farm(
        record("operation"), b"farm_id,operation_id\0,day\nBLUESTEM,\0,x\n",
        planting="farm_id,planting_id\nÄ,1\n".encode("utf-16"), cover_crop=b'farm_id,cover_crop_id\n"BLUESTEM,1\n' * 99,
        land_use=",".join(map(str, range(20_000))).encode() + b"\n", calculator_run=b"",
    )),
    "no farm": (1, farm(record("farm"), b"farm_id\n")),
    "an empty table of harvests": (1, farm(record("harvest"), b"")),
    "numbers that are too long and the last day there is": (1, cells(
        ("harvest", 0, "bushels", "9" * 5000), ("harvest", 1, "bushels", "1e400000000"),
        ("harvest", 2, "last_day", "9999-12-31"),
    )),
    "files that lie elsewhere and a name that writes to the terminal": (1, cells(
        ("evidence", 0, "file", "../../../../etc/passwd"), ("unit", 0, "boundary", "/etc/passwd"),
        ("farm", 0, "name", "Ada\x1b]0;owned\x07\x9b31m\u202e"),
    )),
    "a report nested without end": (1, farm(REPORT, b'{"document":' + DEEP + b"}")),
    "a report that is a list": (1, farm(REPORT, b"[]")),
    "half a letter": (1, farm(REPORT, b'{"document":{"type":"biofuel-feedstock-report","crop":"\\ud800"}}')),
    "the first day there is": (1, report(made_on="0001-01-01")),
    "units that are nothing": (1, report(units=None)),
    "a crop that writes to the terminal": (1, report(crop="kale\x1b[2J")),
    "papers nested without end, a picture of ten thousand million pixels, an answer that is none": (1, lambda: {
        **forge.clean(), HEADER: HEAD, REPORT.replace(".json", ".leaves.json"): DEEP, "audit/sample.json": DEEP,
        "keys/a.json": b'{"kind":"key rotation","a":' + DEEP + b"}", f"{REPORT}.tsr": b"0\x82" * 999,
        evidence("n40-rye-2024-11-06.jpg"): picture(),
    }),
    "a header that writes to the terminal": (1, farm(HEADER, canonical_json(
        {**forge.header().document(), "audited_name": "Ada\x1b]0;owned\x07"}
    ))),
    "a header of the last day there is": (2, farm(HEADER, canonical_json(
        {**forge.header().document(), "last": "9999-12-31"}
    ))),
    "half a letter in the header": (2, farm(HEADER, HEAD.replace(b'"audited_name":"', b'"audited_name":"\\ud800'))),
    "a header nested without end": (2, farm(HEADER, DEEP)),
    "a line nested without end": (1, book(b'{"event":{"type":"process","a":' + DEEP + b'},"chain":"x"}\n')),
    "a line with a huge number": (1, book(b'{"event":{"type":"sale","id":' + b"9" * 9999 + b'},"chain":"x"}\n')),
    "a book that begins with a list": (1, book(b"", b"[]\n")),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_package_is_answered_in_words(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, made = CASES[name]
    write_zip(tmp_path / "x.zip", made(), name="x", as_of=forge.DAY, info={})
    for words in (
        ["verify", str(tmp_path / "x.zip")],
        *([["verify", "--json", str(tmp_path / "x.zip")]] if name == "a header that writes to the terminal" else []),
    ):
        start = time.process_time()
        try:
            ended = call(words)
        except SystemExit as left:
            ended = int(left.code or 0)
        shown = capsys.readouterr()
        said = shown.out + shown.err
        assert ended == status, said[-500:]
        assert "Traceback" not in said
        assert not UNSEEN & set(said), UNSEEN & set(said)
        assert time.process_time() - start < MOST_SECONDS
    assert [path.name for path in tmp_path.iterdir()] == ["x.zip"], "nothing was written beside it"


@pytest.mark.slow
def test_a_terminal_of_another_alphabet_gets_the_letters_written_out(tmp_path: Path) -> None:
    files = {**forge.clean(), HEADER: canonical_json({**forge.header().document(), "audited_name": "Åse Ærø 麦"})}
    write_zip(tmp_path / "x.zip", files, name="x", as_of=forge.DAY, info={})
    alphabet = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", "from provender.cli import main; main()", "verify", tmp_path / "x.zip"],
        capture_output=True, check=False, env={**os.environ, **alphabet},
    )  # fmt: skip
    assert (done.returncode, b"Traceback" in done.stderr) == (1, False)
    assert b"\\xc5se \\xc6r\\xf8 \\u9ea6" in done.stdout


def test_json_writes_out_what_a_terminal_would_obey(capsys: pytest.CaptureFixture[str]) -> None:
    from provender.cli.output import print_json

    told = {"a": "x\x9b\u202e\x7fÅ\ud800"}
    print_json(told)
    shown = capsys.readouterr().out
    assert '"x\\u009b\\u202e\\u007fÅ\\ud800"' in shown
    assert json.load(io.StringIO(shown)) == told
