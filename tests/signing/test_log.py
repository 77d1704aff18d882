"""Merkle trees by RFC 6962, and a log of documents: an exchanged report, a log cut short and a forked one are told."""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from provender.audit.package.layout import Pin, pins_document
from provender.cli.app import run
from provender.problem import ProblemsError
from provender.signing import merkle
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from provender.signing.keys import PublicKey, SigningKey, decode_base64url
from provender.signing.transparency import (
    HEAD,
    LogHead,
    LogTree,
    apart,
    check_proof,
    mark_of,
    read_log,
    sign_head,
)

SECRET = "ab" * 16


def _sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def test_a_root_is_that_of_the_definition_and_one_row_can_be_shown_with_its_salt_and_opens_no_other() -> None:
    a, b, c, d, e = leaves = [merkle.leaf_hash(bytes([number])) for number in range(5)]
    left = _sha(b"\1" + _sha(b"\1" + a + b) + _sha(b"\1" + c + d))
    assert merkle.root(leaves) == _sha(b"\1" + left + e)
    assert merkle.leaf_hash(b"\0") == _sha(b"\0\0")
    assert merkle.root([]) == _sha(b"")
    name, other = ("operation", "OP-1"), ("operation", "OP-2")
    assert merkle.salted_leaf(merkle.salt_of_leaf(SECRET, name), name, ["2025"]) == merkle.leaf_under(
        SECRET, name, ["2025"]
    )
    assert merkle.salted_leaf(merkle.salt_of_leaf(SECRET, name), other, ["2025"]) != merkle.leaf_under(
        SECRET, other, ["2025"]
    )
    assert merkle.leaf_under("cd" * 16, name, ["2025"]) != merkle.leaf_under(SECRET, name, ["2025"])
    one, two = (merkle.leaf_under(SECRET, ("farm", name), []) for name in "ab")
    assert merkle.root_over([one, two]) == merkle.root_over([two, one])
    assert merkle.roots_over({"x": {}, "y": {"a": one}}) == {"y": merkle.root_over([one])}


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 9])
def test_every_leaf_has_a_way_to_the_root_and_no_other_leaf_takes_it(count: int) -> None:
    leaves = [merkle.leaf_hash(bytes([number])) for number in range(count)]
    for place, leaf in enumerate(leaves):
        beside = merkle.Tree(leaves).path(place, len(leaves))
        assert merkle.root_of_path(leaf, place, count, beside) == merkle.root(leaves)
        assert merkle.root_of_path(merkle.leaf_hash(b"another"), place, count, beside) != merkle.root(leaves)
        assert merkle.root_of_path(leaf, place, count, beside[:-1]) != merkle.root(leaves) or count == 1


DAY = date(2026, 11, 23)
PAPERS = [mark_of(json.dumps({"report": number}).encode()) for number in range(9)]


def told(log: list[str], place: int, key: SigningKey, *held: LogHead, mark: str = "") -> str:
    """Return what speaks against a proof from a log, to somebody who holds heads."""
    proof = LogTree(log).prove(log[place], sign_head(LogTree(log).head("coop", DAY), key), [one.size for one in held])
    pins = {key.fingerprint: key.public}
    return "\n".join(map(str, check_proof(json.loads(json.dumps(proof)), mark or log[place], pins, held)))


def test_holders_of_earlier_heads_are_shown_a_document_or_an_exchange(
    key_from: Callable[[str], SigningKey],
) -> None:
    heads = [LogTree(PAPERS[:size]).head("coop", DAY) for size in range(1, len(PAPERS) + 1)]
    assert [told(PAPERS, place, key_from("log"), *heads) for place in range(len(PAPERS))] == [""] * len(PAPERS)
    text = LogTree(PAPERS).head("coop", DAY).on_paper()
    assert "2026-11-23, 9 documents" in text
    assert text.splitlines()[1].replace(" ", "") == LogTree(PAPERS).head("coop", DAY).root
    assert "exchanged" in told(PAPERS, 3, key_from("log"), mark=mark_of(b"another report"))
    proof = LogTree(PAPERS).prove(PAPERS[3], sign_head(LogTree(PAPERS).head("coop", DAY), key_from("log")), [])
    assert "exchanged" in str(check_proof({**proof, "place": 4}, PAPERS[3], {})[1])
    proof = LogTree(PAPERS).prove(PAPERS[0], sign_head(LogTree(PAPERS).head("coop", DAY), key_from("log")), [])
    key = key_from("log")
    said = check_proof(proof, PAPERS[0], {key.fingerprint: key.public}, [LogTree(PAPERS[:2]).head("coop", DAY)])
    assert "ask for a proof" in str(said[0])


def test_another_layout_is_the_same_document_and_growth_shown_between_any_two_sizes() -> None:
    book = b'{"event": {"bushels": "1"}}\n{"event": {"bushels": "2"}}\n'
    assert mark_of(book) == mark_of(b'{"event":{"bushels":"1"}}\r\n\r\n{ "event": {"bushels": "2"}}')
    changed = (book.replace(b"2", b"3"), book[::-1], book.splitlines()[0], b"\n".join(book.splitlines()[::-1]))
    assert len({mark_of(book), *map(mark_of, changed), mark_of(b""), mark_of(b"%PDF")}) == 7
    leaves = [merkle.leaf_hash(bytes([number])) for number in range(9)]
    for size in range(1, 10):
        for earlier in range(1, size + 1):
            beside = merkle.Tree(leaves).growth(earlier, size)
            old, new = merkle.root(leaves[:earlier]), merkle.root(leaves[:size])
            assert merkle.grew(earlier, old, size, new, beside)
            assert not merkle.grew(earlier, merkle.leaf_hash(b"x"), size, new, beside)
            assert not beside or not merkle.grew(earlier, old, size, new, beside[:-1])


def test_a_log_cut_short_is_told_and_an_older_proof_is_none(key_from: Callable[[str], SigningKey]) -> None:
    assert "cut short" in told(PAPERS[:5], 3, key_from("log"), LogTree(PAPERS[:6]).head("coop", DAY))
    later = date(2026, 11, 24)
    for size in range(1, len(PAPERS)):
        assert "cut short" in told(PAPERS, 3, key_from("log"), LogTree(PAPERS[:size]).head("coop", later))
    assert told(PAPERS, 3, key_from("log"), LogTree(PAPERS).head("coop", later)) == "", "nothing was entered since"
    old = LogTree(PAPERS[:5]).head("coop", DAY)
    compared = [apart(old, LogTree(PAPERS[:size]).head("coop", later)) for size in (4, 5, 6)]
    assert [[one.code for one in each] for each in compared] == [["log_cut_short"], [], []]
    assert [one.code for one in apart(old, LogTree(PAPERS[1:6]).head("coop", later))] == ["log_forked"]
    said = told(PAPERS[:5], 3, key_from("log"), LogTree(PAPERS[:6]).head("coop", date(2026, 11, 24)))
    assert "ask for a proof under that head" in said
    assert "cut short" not in said


@pytest.mark.parametrize("size", [4, 5, 6, 9])
def test_a_forked_log_is_told_whichever_head_is_held(key_from: Callable[[str], SigningKey], size: int) -> None:
    forked = [*PAPERS[:3], mark_of(b"another report"), *PAPERS[4:]]
    assert "forked" in told(forked, 2, key_from("log"), LogTree(PAPERS[:size]).head("coop", DAY))
    assert told(forked, 2, key_from("log"), LogTree(PAPERS[:3]).head("coop", DAY)) == ""


def test_heads_of_others_and_a_damaged_log_are_refused(key_from: Callable[[str], SigningKey]) -> None:
    log, thief = key_from("log"), key_from("thief")
    head = LogTree(PAPERS).head("coop", DAY)
    for signed in (sign_head(head, thief), sign(head.document(), log)):
        said = check_proof(LogTree(PAPERS).prove(PAPERS[0], signed, []), PAPERS[0], {log.fingerprint: log.public})
        assert "not signed by a key you have pinned" in str(said[0])
    with pytest.raises(ProblemsError, match="Line 2"):
        read_log(f"{PAPERS[0]}\nnonsense\n", "log.txt")
    with pytest.raises(ProblemsError, match="not of this log"):
        LogTree(PAPERS).prove(PAPERS[0], sign_head(LogTree(PAPERS[::-1]).head("coop", DAY), key_from("log")), [])
    assert HEAD == "provender-log-head"


@pytest.mark.parametrize("bad", [{}, {"kind": "x"}, {"kind": "provender/log-proof", "head": 1, "place": 0,
                                                   "inclusion": [], "grew_from": {}}])  # fmt: skip
def test_what_is_no_proof_is_said_to_be_none(bad: dict[str, object]) -> None:
    assert check_proof(bad, PAPERS[0], {}) != []


def _header(head: Path) -> Mapping[str, object]:
    found: Mapping[str, object] = json.loads(
        decode_base64url(json.loads(head.read_text())["signature"].partition(".")[0])
    )
    return found


def test_by_command_a_report_exchanged_after_the_head_was_given_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pass").write_text("a long test passphrase\n")
    for name, text in (("a.json", '{"bushels": "1"}'), ("b.pdf", "%PDF"), ("other.json", '{"bushels": "9"}')):
        (tmp_path / name).write_text(text)

    def call(words: str) -> int:
        try:
            return run(words.split())
        except SystemExit as left:
            return int(left.code or 0)

    opened = "--passphrase-file pass"
    assert call(f"keys new k {opened}") == 0
    assert call("log append log.txt a.json") == 0
    assert call(f"log head log.txt --name coop --key k.key.pem --out one.json {opened}") == 0
    log = tmp_path / "log.txt"
    log.write_text(log.read_text(encoding="ascii").rstrip("\n"), encoding="ascii")  # as an editor may leave it
    assert call("log append log.txt b.pdf a.json") == 0
    assert [len(line) for line in log.read_text(encoding="ascii").splitlines()] == [64, 64]
    assert call(f"log head log.txt --name coop --key k.key.pem --out two.json {opened}") == 0
    assert call("log prove log.txt a.json --head two.json --held one.json --out proof.json") == 0
    capsys.readouterr()
    call("log check proof.json a.json --held one.json --json")
    assert json.loads(capsys.readouterr().out)["against"] == [
        "The head of the log is not signed by a key you have pinned (signer_unknown)."
    ]
    public = PublicKey.from_jwk(_header(tmp_path / "one.json")["jwk"])
    (tmp_path / "pins.json").write_bytes(canonical_json(pins_document([Pin("coop", public, "test")])))
    assert call("log check proof.json a.json --held one.json --pinned pins.json") == 0
    assert "nothing speaks against it" in capsys.readouterr().out
    assert call("log check proof.json other.json --held one.json") == 1
    assert "exchanged" in capsys.readouterr().out
