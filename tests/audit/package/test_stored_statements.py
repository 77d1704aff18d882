"""An entity keeps the verifications it received: checked, entered into its book, laid beside it, counted."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.audit.package.collect import collect_entity
from provender.audit.package.contents import PackageContents, with_verifiers_files
from provender.audit.package.keys import Pin, pins_document
from provender.audit.package.layout import (
    HEADER,
    Part,
    folder_name,
    kept_folder,
    kept_statements,
    part_of,
    rhythm_entity,
)
from provender.audit.package.write import Header, Subject
from provender.audit.programme import Role
from provender.audit.recompute import statements
from provender.audit.statement.statement import LaterEffect, addendum
from provender.cli.app import run
from provender.custody.book_file import create_book, open_book
from provender.custody.events.parties import verified
from provender.custody.events.registry import read_event
from provender.custody.model.entities import Entity
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.verifier import statement

KEY = SigningKey.generate()


def called(*words: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        run([str(word) for word in words])
    return int(ended.value.code or 0)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "elevator.jsonl"
    create_book(path, "elevator")
    begins: list[dict[str, Any]] = [
        {"type": "entity", "id": "e", "day": "2025-11-01", "entity": "elevator", "name": "Prairie Elevator",
         "roles": ["first_point"], "sites": ["north"]},
        {"type": "statement", "id": "c", "day": "2025-11-02", "entity": "elevator", "verifier": "verity",
         "number": "K-1", "start_day": "2025-10-01", "end_day": "2026-09-30", "crops": ["corn"],
         "opinion": "first_audit_contracted"},
        {"type": "period", "id": "p", "day": "2025-11-03", "entity": "elevator", "start_day": "2026-01-01",
         "end_day": "2026-03-31", "policy": "oldest_first"},
    ]  # fmt: skip
    with open_book(path) as opened:
        assert all(opened.post(read_event(event)).status == "posted" for event in begins)
    return path


def signed(tmp_path: Path, key: SigningKey = KEY, **changes: object) -> Path:
    path = tmp_path / "statement.json"
    path.write_bytes(canonical_json(sign(statement(**changes).document(), key)))
    (tmp_path / "verity.json").write_text(json.dumps(KEY.public.export()), encoding="utf-8")
    return path


def keep(book: Path, file: Path, *more: str | Path, day: str = "2026-12-01") -> int:
    pin = ("--pin", file.parent / "verity.json", "--as-of", day)
    return called("audit", "statement", "keep", book, file, *pin, *more)


def test_a_statement_that_holds_is_kept_counted_and_packed(book: Path, tmp_path: Path) -> None:
    assert keep(book, signed(tmp_path)) == 0
    with open_book(book) as opened:
        assert kept_statements(book, opened.store) == [statement()]
    packed = collect_entity(book, [], [])
    assert [part_of(path) for path in packed.files] == [Part.BOOK, Part.STATEMENTS]
    assert called("audit", "status", "--book", book, "--as-of", "2026-12-02") == 0


def test_the_same_statement_twice_is_kept_once(book: Path, tmp_path: Path) -> None:
    file = signed(tmp_path)
    assert (keep(book, file), keep(book, file)) == (0, 0)
    assert len(list(kept_folder(book).iterdir())) == 1


@pytest.mark.parametrize(
    ("key", "changes"), [(SigningKey.generate(), {}), (KEY, {"sampled": 7}), (KEY, {"independent_reviewer": "V. Moss"})]
)
def test_what_does_not_hold_is_not_kept(
    book: Path, tmp_path: Path, key: SigningKey, changes: dict[str, object]
) -> None:
    assert keep(book, signed(tmp_path, key, **changes)) == 2
    with open_book(book) as opened:
        assert kept_statements(book, opened.store) == []
    assert not kept_folder(book).exists()


def test_a_statement_taken_back_is_kept_with_the_fact_and_counts_no_longer(book: Path, tmp_path: Path) -> None:
    file, later = signed(tmp_path), tmp_path / "later.json"
    mark = envelope_hash(json.loads(file.read_bytes()))
    fact = addendum(mark, date(2026, 12, 20), "A scale was wrong.", LaterEffect.WITHDRAWN)
    later.write_bytes(canonical_json(sign(fact, KEY)))
    assert keep(book, file) == 0
    assert keep(book, file, "--also", later, day="2026-12-21") == 0
    assert len(list(kept_folder(book).iterdir())) == 2
    with open_book(book) as opened:
        assert kept_statements(book, opened.store) == []
        seller = opened.store.one(Entity, "elevator")
        assert seller is not None
        assert verified(opened.store, seller, date(2026, 3, 1), "corn") is None
    files = collect_entity(book, [], []).files
    head = Header(
        Subject.ENTITY_PERIOD, "elevator", "", date(2026, 1, 1), date(2026, 12, 31), "interim-2025", "provender",
        date(2026, 12, 22), {f"entities/{folder_name('elevator')}": "elevator"},
    )  # fmt: skip
    raw = {path: one.read_bytes() if isinstance(one, Path) else one for path, one in files.items()}
    pins = canonical_json(pins_document([Pin("verity", KEY.public)]))
    case = PackageContents(
        with_verifiers_files({**raw, HEADER: canonical_json(head.document())}, pins, {}), tmp_path / "case"
    )
    found = statements.recompute_statements(case)
    assert (found.differences, sum("holds it as adverse" in one for one in found.not_shown)) == ((), 1)


def test_a_file_that_says_something_else_than_the_book_does_not_count(book: Path, tmp_path: Path) -> None:
    assert keep(book, signed(tmp_path)) == 0
    (file,) = kept_folder(book).iterdir()
    file.write_bytes(canonical_json(sign(statement(covered_last=date(2026, 10, 31)).document(), KEY)))
    with open_book(book) as opened:
        assert kept_statements(book, opened.store) == []


def test_the_rhythm_knows_role_and_contract_from_the_book(book: Path) -> None:
    with open_book(book) as opened:
        found = rhythm_entity(opened.store, "elevator")
    assert (found.name, found.role) == ("Prairie Elevator", Role.FIRST_POINT)
    assert (found.handles_since, found.contract_until) == (None, date(2026, 9, 30))
