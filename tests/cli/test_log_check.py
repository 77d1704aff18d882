"""``provender log check`` asks of a log's key what ``verify`` asks: its days, its revocation, and heads that agree."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner

from provender.audit.package.keys import Pin, pins_document
from provender.cli.log import app
from provender.signing.canonical import canonical_json
from provender.signing.jws import revoke, rotate
from provender.signing.keys import SigningKey
from provender.signing.transparency import head_of, mark_of, prove, sign_head

KEY, NEXT = SigningKey.generate(), SigningKey.generate()
MARCH, JUNE, AUTUMN = date(2026, 3, 1), date(2026, 6, 1), date(2026, 9, 1)
PAPER = b'{"report": 1}'
ENTRIES = [mark_of(PAPER), *(mark_of(bytes([number])) for number in range(8))]


def head(size: int, on: date, entries: Sequence[str] = ENTRIES) -> dict[str, object]:
    return sign_head(head_of(entries[:size], "coop", on), KEY)


PROOF = prove(ENTRIES, ENTRIES[0], head(6, JUNE), [5])
FORGED = json.loads(canonical_json(revoke(KEY, on=AUTUMN, reason="lost")))
FORGED["document"]["on"] = "2020-01-01"


def said(folder: Path, *held: object, **days: date) -> list[str]:
    """Return what speaks against the proof, for a reader who pinned the key for some days and holds some files."""
    pins = canonical_json(pins_document([Pin("coop", KEY.public, "its board", **days)]))
    files = {"proof.json": canonical_json(PROOF), "paper.json": PAPER, "pins.json": pins}
    files |= {f"held{number}.json": canonical_json(one) for number, one in enumerate(held)}
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    words = ["check", str(folder / "proof.json"), str(folder / "paper.json"), "--json"]
    words += ["--pinned", str(folder / "pins.json")]
    words += [word for name in files if name.startswith("held") for word in ("--held", str(folder / name))]
    answer = CliRunner().invoke(app, words)
    found = json.loads(answer.stdout)
    assert (answer.exit_code, found["holds"]) == (int(bool(found["against"])), not found["against"])
    against: list[str] = found["against"]
    return against


@pytest.mark.parametrize("days", [{}, {"first": JUNE}, {"last": JUNE}, {"first": MARCH, "last": AUTUMN}])
def test_a_head_of_the_days_of_its_key_holds(days: dict[str, date], tmp_path: Path) -> None:
    assert said(tmp_path, head(5, MARCH), **days) == []


@pytest.mark.parametrize("days", [{"first": AUTUMN}, {"last": MARCH}])
def test_a_head_of_other_days_than_its_keys_is_told(days: dict[str, date], tmp_path: Path) -> None:
    (words,) = said(tmp_path, **days)
    assert "not of the days of its key" in words


def test_a_key_revoked_or_rotated_out_before_the_head_is_told(tmp_path: Path) -> None:
    assert "was revoked from 2026-09-01" in said(tmp_path, revoke(KEY, on=AUTUMN, reason="lost"), head(5, MARCH))[0]
    assert "not of the days of its key" in said(tmp_path, rotate(KEY, NEXT, on=MARCH))[0]
    assert said(tmp_path, rotate(KEY, NEXT, on=AUTUMN)) == []
    assert "changed after it was signed" in said(tmp_path, FORGED)[0]


def test_heads_in_hand_that_cannot_both_be_are_told(tmp_path: Path) -> None:
    assert any("cut short" in words for words in said(tmp_path, head(5, AUTUMN)))
    assert any("cut short" in words for words in said(tmp_path, head(9, AUTUMN), head(8, date(2026, 10, 1))))
    assert any("another root" in words for words in said(tmp_path, head(9, AUTUMN), head(9, AUTUMN, ENTRIES[::-1])))
