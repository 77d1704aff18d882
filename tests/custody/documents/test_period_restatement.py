"""A closed period whose reports changed gets a signed restatement beside its statement, which stays as it was."""

import json
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner

from provender.cli.custody.app import app
from provender.custody.documents.build import PERIOD, RESTATEMENT, period_document, restatement_document
from provender.custody.documents.print import document_pdf
from provender.custody.documents.sign import sign_document
from provender.custody.memory_store import MemoryStore
from provender.custody.model.store_view import Store
from provender.problem import ProblemsError
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import Status, check
from tests.custody.first_sale import BUY, SELL, base
from tests.custody.papers import key_of
from tests.custody.world import Event, ev, posted, report

START, LATER = date(2026, 1, 1), date(2026, 4, 5)
CLOSE = ev("close", "c", "2026-03-31", entity="coop", closed_on="2026-04-01")
WORSE: Event = {**report("ada", "soybeans", "900", "5200", day="2026-04-02"), "id": "w", "version": 2}
STATED = ("0", "1000", "600", "400")
RESTATED = ("0", "900", "500", "400")


def equation(document: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    names = ("beginning_bu", "incoming_bu", "outgoing_bu", "ending_bu")
    return [(line["ci_g_per_bu"], tuple(line[name] for name in names)) for line in document["balance"]["lines"]]


def both(store: Store) -> tuple[dict[str, Any], dict[str, Any]]:
    with store.reading() as facts:
        return period_document(facts, "coop", START), restatement_document(facts, "coop", START, as_of=LATER)


def test_35_the_statement_stays_and_the_restatement_names_it_by_its_hash(store: Store) -> None:
    posted(store, base(*BUY, SELL, CLOSE))
    with store.reading() as facts:
        before = period_document(facts, "coop", START)
    posted(store, [WORSE])
    stated, restated = both(store)
    assert stated == before
    assert (equation(stated), equation(restated)) == ([("5000", STATED)], [("5200", RESTATED)])
    assert restated["restates"] == stated["balance_sha256"] == sha256_hex(canonical_json(stated["balance"]))
    assert restated["balance_sha256"] == sha256_hex(canonical_json(restated["balance"]))
    assert (restated["number"], restated["made_on"]) == (
        f"coop/2026-01-01/{restated['balance_sha256'][:8]}",
        "2026-04-05",
    )


def test_35_a_restatement_is_signed_as_its_own_kind_and_never_counts_as_the_statement() -> None:
    store, key = posted(MemoryStore(), base(*BUY, SELL, CLOSE, WORSE)), key_of("coop")
    envelope = sign_document(both(store)[1], key)
    pinned = {key.fingerprint: key.public}
    assert check(envelope, pinned, typ=f"{RESTATEMENT}+json").valid
    assert check(envelope, pinned, typ=f"{PERIOD}+json").status is Status.MALFORMED
    printed = PdfReader(BytesIO(document_pdf(both(store)[1], envelope=envelope, fingerprint=key.fingerprint)))
    words = " ".join(" ".join(page.extract_text() for page in printed.pages).replace("\u200b", "").split())
    assert "Restatement of a closed period" in words
    assert "restated on 2026-04-05" in words
    assert "stands as it was signed" in words
    plain = PdfReader(BytesIO(document_pdf(both(store)[0])))
    assert "estate" not in " ".join(page.extract_text() for page in plain.pages)


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([], "no closed period"),
        ([CLOSE], "changed since it was closed"),
        ([CLOSE, {**WORSE, "bushels": "10000", "ci": "5000"}], "changed since it was closed"),
        ([CLOSE, {**WORSE, "bushels": "10000", "ci": "4999.99"}], "changed since it was closed"),
    ],
)
def test_35_where_nothing_changed_for_the_worse_there_is_nothing_to_restate(events: list[Event], words: str) -> None:
    store = MemoryStore()
    posted(store, base(*BUY, SELL, *events))
    with pytest.raises(ProblemsError, match=words):
        restatement_document(store, "coop", START, as_of=LATER)


def test_35_reconcile_takes_both_and_finds_nothing_wrong_with_them(tmp_path: Path) -> None:
    store, key = posted(MemoryStore(), base(*BUY, SELL, CLOSE, WORSE)), key_of("coop")
    files = [tmp_path / "stated.json", tmp_path / "restated.json"]
    for file, document in zip(files, both(store), strict=True):
        file.write_text(json.dumps(sign_document(document, key)), encoding="utf-8")
    public = tmp_path / "coop.json"
    public.write_text(json.dumps(key.public.export()), encoding="utf-8")
    result = CliRunner().invoke(app, ["reconcile", *map(str, files), "--key", str(public), "--json"])
    found = json.loads(result.stdout)
    assert (found["findings"], found["problems"], found["files"]) == ([], [], ["stated.json"])
