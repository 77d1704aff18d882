"""``provender keys`` as its user meets it: files, passphrases, fingerprints, and no key ever overwritten."""

import json
import stat
from datetime import date
from pathlib import Path

import pytest

from provender.cli.app import run
from provender.custody.documents.build import transfer_document
from provender.custody.documents.sign import TYPS
from provender.custody.memory_store import MemoryStore
from provender.problem import ProblemsError
from provender.signing.canonical import read_json
from provender.signing.jws import REGISTRATION, check, read_revocation, read_rotation, registration
from provender.signing.keys import SigningKey
from tests.custody.world import ADA_SOY, CAST, REPORTS, bought, ev, posted

PHRASE = "harvest rain gravel owl"


@pytest.fixture
def phrase(tmp_path: Path) -> list[str]:
    (tmp_path / "phrase.txt").write_text(PHRASE + "\nsecond line\n")
    return ["--passphrase-file", str(tmp_path / "phrase.txt")]


def call(*arguments: str) -> None:
    try:
        status: object = run(["keys", *arguments])
    except SystemExit as left:
        status = left.code
    assert status == 0


def made(tmp_path: Path, phrase: list[str], name: str = "farm") -> Path:
    call("new", str(tmp_path / name), *phrase)
    return tmp_path / f"{name}.key.pem"


def test_a_new_key_opens_with_its_passphrase_and_only_its_owner_may_read_it(tmp_path: Path, phrase: list[str]) -> None:
    private = made(tmp_path, phrase)
    key = SigningKey.unseal(private.read_bytes(), PHRASE)
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert json.loads((tmp_path / "farm.public.json").read_text()) == key.public.export()


def test_show_prints_the_same_fingerprint_for_people_and_machines(
    tmp_path: Path, phrase: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    made(tmp_path, phrase)
    capsys.readouterr()
    call("show", str(tmp_path / "farm.public.json"), "--json")
    shown = json.loads(capsys.readouterr().out)
    call("show", str(tmp_path / "farm.public.json"))
    text = capsys.readouterr().out
    assert shown["fingerprint"] in text
    assert shown["short"] in text


def test_public_writes_the_public_half_again(
    tmp_path: Path, phrase: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    private = made(tmp_path, phrase)
    call("public", str(private), "--out", str(tmp_path / "again.json"), *phrase)
    assert (tmp_path / "again.json").read_text() == (tmp_path / "farm.public.json").read_text()
    capsys.readouterr()
    call("public", str(private), *phrase)
    assert json.loads(capsys.readouterr().out)["kty"] == "OKP"


def test_no_command_overwrites_a_key(tmp_path: Path, phrase: list[str]) -> None:
    before = made(tmp_path, phrase).read_bytes()
    with pytest.raises(ProblemsError, match="never overwritten"):
        run(["keys", "new", str(tmp_path / "farm"), *phrase])
    with pytest.raises(ProblemsError, match="never overwritten"):
        run(["keys", "rotate", str(tmp_path / "farm.key.pem"), str(tmp_path / "farm"), *phrase])
    assert (tmp_path / "farm.key.pem").read_bytes() == before


def test_rotate_makes_a_key_and_a_statement_that_readers_accept(tmp_path: Path, phrase: list[str]) -> None:
    old = SigningKey.unseal(made(tmp_path, phrase).read_bytes(), PHRASE)
    call("rotate", str(tmp_path / "farm.key.pem"), str(tmp_path / "next"), "--as-of", "2026-12-01", *phrase)
    new = SigningKey.unseal((tmp_path / "next.key.pem").read_bytes(), PHRASE)
    statement = read_json((tmp_path / "next.rotation.json").read_bytes())
    rotated = read_rotation(statement, {old.fingerprint: old.public})
    assert (rotated.new, rotated.on) == (new.public, date(2026, 12, 1))


def test_revoke_writes_a_statement_that_readers_accept_and_asks_for_a_reason(tmp_path: Path, phrase: list[str]) -> None:
    key = SigningKey.unseal(made(tmp_path, phrase).read_bytes(), PHRASE)
    out = tmp_path / "gone.json"
    with pytest.raises(ProblemsError, match="reason"):
        run(["keys", "revoke", str(tmp_path / "farm.key.pem"), "--reason", " ", "--out", str(out), *phrase])
    of = ["--reason", "The laptop was stolen.", "--out", str(out), "--as-of", "2026-12-01"]
    call("revoke", str(tmp_path / "farm.key.pem"), *of, *phrase)
    found = read_revocation(read_json(out.read_bytes()), {key.fingerprint: key.public})
    assert found == (key.fingerprint, date(2026, 12, 1))


def test_register_writes_a_statement_that_the_key_itself_signed(tmp_path: Path, phrase: list[str]) -> None:
    key = SigningKey.unseal(made(tmp_path, phrase).read_bytes(), PHRASE)
    out, day = tmp_path / "statement.json", "2026-12-01"
    of = ["--organisation", "adasfarm", "--producer", "P1", "--out", str(out), "--as-of", day]
    call("register", str(tmp_path / "farm.key.pem"), *of, *phrase)
    found = check(read_json(out.read_bytes()), {}, typ=REGISTRATION)
    assert found.kid == key.fingerprint
    assert found.document == registration("adasfarm", "P1", key.public, on=date(2026, 12, 1))


def test_a_wrong_short_or_empty_passphrase_is_refused_and_leaves_nothing(tmp_path: Path, phrase: list[str]) -> None:
    made(tmp_path, phrase)
    for words, cause in (("another phrase here", "does not open"), ("", "empty")):
        (tmp_path / "phrase.txt").write_text(words)
        with pytest.raises(ProblemsError, match=cause):
            run(["keys", "public", str(tmp_path / "farm.key.pem"), *phrase])
    (tmp_path / "phrase.txt").write_text("short")
    with pytest.raises(ProblemsError, match="5 characters"):
        run(["keys", "new", str(tmp_path / "second"), *phrase])
    assert not (tmp_path / "second.key.pem").exists()


def test_files_that_are_not_there_or_no_keys_are_named(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[1]")
    with pytest.raises(ProblemsError, match="cannot be read"):
        run(["keys", "show", str(tmp_path / "none.json")])
    with pytest.raises(ProblemsError, match="not a key"):
        run(["keys", "show", str(tmp_path / "list.json")])


def test_no_option_takes_a_passphrase_as_an_argument(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as left:
        run(["keys", "new", str(tmp_path / "farm"), "--passphrase", PHRASE])
    assert left.value.code == 2


def test_sign_takes_a_server_s_unsigned_report_and_gives_what_report_would_have_signed(
    tmp_path: Path, phrase: list[str]
) -> None:
    private = made(tmp_path, phrase)
    book = str(Path(__file__).parents[2] / "examples" / "bluestem-farm")
    only = ["--crop", "corn", "--as-of", "2025-12-20", "--out", str(tmp_path)]
    for more in ([], ["--key", str(private), *phrase]):
        with pytest.raises(SystemExit) as left:
            run(["report", book, *only, *more])
        assert left.value.code in (0, None)
    unsigned = tmp_path / "BLUESTEM-corn-2025-v1-unsigned.json"
    call("sign", str(unsigned), "--key", str(private), "--out", str(tmp_path / "signed.json"), *phrase)
    by_hand, at_once = (
        json.loads((tmp_path / name).read_bytes())["document"] for name in ("signed.json", "BLUESTEM-corn-2025-v1.json")
    )
    # Only a key salts the roots of the records: a report that was unsigned here binds plain hashes.
    assert at_once.pop("rests_on")["leaves"]
    assert "leaves" not in by_hand.pop("rests_on")
    assert by_hand == at_once


def test_sign_takes_a_transfer_document_of_a_server(tmp_path: Path, phrase: list[str]) -> None:
    private = made(tmp_path, phrase)
    sale = ev("sale", "S-1", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="100")
    buy = bought("b", "ada", "coop", ADA_SOY, "2000", day="2026-01-05", site="north")
    store = posted(MemoryStore(), [*CAST, *REPORTS, *buy, sale])
    with store.reading() as facts:
        document = transfer_document(facts, "S-1", as_of=date(2026, 2, 1))
    unsigned, signed = tmp_path / "S-1.json", tmp_path / "S-1-signed.json"
    unsigned.write_text(json.dumps(document))
    call("sign", str(unsigned), "--key", str(private), "--out", str(signed), *phrase)
    found = check(json.loads(signed.read_text()), {}, typ=TYPS[str(document["type"])])
    assert (found.status, found.document) == ("signer_unknown", document)
