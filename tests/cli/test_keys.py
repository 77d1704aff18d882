"""``provender keys``, ``log check`` and ``timestamp`` as their user meets them; no key ever leaves its file."""

import json
import stat
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from provender.audit.package.layout import Pin, pins_document
from provender.cli.app import run
from provender.cli.log import app
from provender.problem import ProblemsError
from provender.signing.canonical import canonical_json, read_json
from provender.signing.jws import read_revocation, read_rotation, revoke, rotate
from provender.signing.keys import SigningKey
from provender.signing.timestamps import prove, read_roots
from provender.signing.transparency import LogTree, mark_of, sign_head
from tests.cli.calling import called
from tests.signing.authority import answer, found_authority, openssl

# ``provender keys`` as its user meets it: files, passphrases, fingerprints, and no key ever overwritten.

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


def test_a_new_key_is_its_owners_alone_and_never_overwritten(tmp_path: Path, phrase: list[str]) -> None:
    private = made(tmp_path, phrase)
    key = SigningKey.unseal(private.read_bytes(), PHRASE)
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert json.loads((tmp_path / "farm.public.json").read_text()) == key.public.export()
    before = private.read_bytes()
    with pytest.raises(ProblemsError, match="never overwritten"):
        run(["keys", "new", str(tmp_path / "farm"), *phrase])
    with pytest.raises(ProblemsError, match="never overwritten"):
        run(["keys", "rotate", str(tmp_path / "farm.key.pem"), str(tmp_path / "farm"), *phrase])
    assert (tmp_path / "farm.key.pem").read_bytes() == before


def test_rotate_and_revoke_write_statements_that_readers_accept(tmp_path: Path, phrase: list[str]) -> None:
    old = SigningKey.unseal(made(tmp_path, phrase).read_bytes(), PHRASE)
    call("rotate", str(tmp_path / "farm.key.pem"), str(tmp_path / "next"), "--as-of", "2026-12-01", *phrase)
    new = SigningKey.unseal((tmp_path / "next.key.pem").read_bytes(), PHRASE)
    statement = read_json((tmp_path / "next.rotation.json").read_bytes())
    rotated = read_rotation(statement, {old.fingerprint: old.public})
    assert (rotated.new, rotated.on) == (new.public, date(2026, 12, 1))
    out = tmp_path / "gone.json"
    with pytest.raises(ProblemsError, match="reason"):
        run(["keys", "revoke", str(tmp_path / "farm.key.pem"), "--reason", " ", "--out", str(out), *phrase])
    of = ["--reason", "The laptop was stolen.", "--out", str(out), "--as-of", "2026-12-01"]
    call("revoke", str(tmp_path / "farm.key.pem"), *of, *phrase)
    found = read_revocation(read_json(out.read_bytes()), {old.fingerprint: old.public})
    assert found == (old.fingerprint, date(2026, 12, 1))


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


def test_files_that_are_no_keys_are_named_and_no_option_takes_a_passphrase(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[1]")
    with pytest.raises(ProblemsError, match="cannot be read"):
        run(["keys", "show", str(tmp_path / "none.json")])
    with pytest.raises(ProblemsError, match="not a key"):
        run(["keys", "show", str(tmp_path / "list.json")])
    with pytest.raises(SystemExit) as left:
        run(["keys", "new", str(tmp_path / "farm"), "--passphrase", PHRASE])
    assert left.value.code == 2


def test_sign_takes_a_server_s_unsigned_report_and_gives_what_report_signs(tmp_path: Path, phrase: list[str]) -> None:
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


# ``provender log check`` asks of a log's key what ``verify`` asks: its days, its revocation, and heads that agree.

KEY, NEXT = SigningKey.generate(), SigningKey.generate()
MARCH, JUNE, AUTUMN = date(2026, 3, 1), date(2026, 6, 1), date(2026, 9, 1)
PAPER = b'{"report": 1}'
ENTRIES = [mark_of(PAPER), *(mark_of(bytes([number])) for number in range(8))]


def head(size: int, on: date, entries: Sequence[str] = ENTRIES) -> dict[str, object]:
    return sign_head(LogTree(entries[:size]).head("coop", on), KEY)


PROOF = LogTree(ENTRIES).prove(ENTRIES[0], head(6, JUNE), [5])
FORGED_LOG = json.loads(canonical_json(revoke(KEY, on=AUTUMN, reason="lost")))
FORGED_LOG["document"]["on"] = "2020-01-01"


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


def test_pins_with_days_statements_and_heads_that_are_held_count(tmp_path: Path) -> None:
    assert said(tmp_path, head(5, MARCH), first=MARCH, last=AUTUMN) == []
    assert "not of the days of its key" in said(tmp_path, first=AUTUMN)[0]
    assert "was revoked from 2026-09-01" in said(tmp_path, revoke(KEY, on=AUTUMN, reason="lost"), head(5, MARCH))[0]
    assert "not of the days of its key" in said(tmp_path, rotate(KEY, NEXT, on=MARCH))[0]
    assert "changed after it was signed" in said(tmp_path, FORGED_LOG)[0]
    assert any("cut short" in words for words in said(tmp_path, head(9, AUTUMN), head(8, date(2026, 10, 1))))


# A trusted timestamp proves that a file existed on a day; ``openssl ts`` is the authority.


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return found_authority(tmp_path_factory.mktemp("authority"))


def stamp_call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status, out, err = called(capsys, "timestamp", *arguments)
    return status, out, " ".join(err.split())


@pytest.fixture
def stamped(tmp_path: Path, authority: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a file with an answer beside it that was not attached yet."""
    paper = tmp_path / "report.json"
    paper.write_bytes(b'{"crop": "corn"}')
    assert stamp_call(capsys, "request", paper)[0] == 0
    answer(authority, Path(f"{paper}.tsq"), tmp_path / "answer.tsr")
    return paper


def test_an_answer_proves_the_day_of_a_file(stamped: Path, authority: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Day stated by the signer" in stamp_call(capsys, "check", stamped)[1]
    roots = ("--roots", authority / "root.pem", "--json")
    status, out, _ = stamp_call(capsys, "attach", stamped, stamped.parent / "answer.tsr", *roots)
    said = json.loads(out)
    assert (status, said["proved_on"], said["authority"]) == (0, said["at"][:10], "CN=stamps")
    assert json.loads(stamp_call(capsys, "check", stamped, *roots)[1]) == said
    assert stamp_call(capsys, "attach", stamped, stamped.parent / "answer.tsr", *roots)[0] == 2, "never written over"


def test_other_bytes_and_roots_are_no_proof(stamped: Path, authority: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = stamped.parent / "answer.tsr"
    roots = ("--roots", authority / "root.pem")
    status, _, err = stamp_call(capsys, "attach", stamped, given, "--roots", authority / "other.pem")
    assert (status, "does not prove when" in err) == (2, True)
    whole = given.read_bytes()
    for spoiled in (b"", b"no answer", whole[:-40], whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:], whole * 200):
        given.write_bytes(spoiled)
        assert stamp_call(capsys, "attach", stamped, given, *roots)[0] == 2
    given.write_bytes(whole)
    stamped.write_bytes(b'{"crop": "soybeans"}')
    status, _, err = stamp_call(capsys, "attach", stamped, given, *roots)
    assert (status, "does not prove when" in err) == (2, True)
    given.with_name("none.pem").write_text("none")
    assert stamp_call(capsys, "attach", stamped, given, "--roots", given.with_name("none.pem"))[0] == 2
    assert not stamped.with_name("report.json.tsr").exists()


def test_a_refusal_a_token_alone_and_a_damaged_answer_are_said_in_words(
    stamped: Path, authority: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, folder = stamped.parent / "answer.tsr", stamped.parent
    asked = ("ts", "-query", "-data", stamped, "-sha512", "-tspolicy", "1.2.3.9", "-cert", "-out", folder / "q.tsq")
    openssl(*asked)
    answer(authority, folder / "q.tsq", folder / "no.tsr")
    openssl("ts", "-reply", "-in", given, "-token_out", "-out", folder / "token.tsr")
    (folder / "cut.tsr").write_bytes(given.read_bytes()[:7])
    (folder / "empty.tsr").write_bytes(b"")
    for name, words in {
        "no": "The authority did not stamp it, status 2: Requested policy is not supported.",
        "token": "This is the token alone",
        "cut": "a damaged one",
        "empty": "a damaged one",
    }.items():
        attach = ("attach", stamped, folder / f"{name}.tsr", "--roots", authority / "root.pem")
        status, _, err = stamp_call(capsys, *attach)
        assert (status, words in " ".join(err.split())) == (2, True), err


@pytest.mark.samples
def test_who_stamped_stands_in_the_certificate_that_the_signature_names(samples: Path) -> None:
    """A certificate put into the set, which nobody signs, names nobody; a SHA-1 imprint proves nothing."""
    folder = samples / "field_reports"
    roots, content = read_roots((folder / "stamp_root.pem").read_bytes()), (folder / "stamped.txt").read_bytes()
    found = prove(content, (folder / "stamp_injected_certificate.tsr").read_bytes(), roots)
    assert (found.authority, str(found.on)) == ("CN=good", "2026-11-29")
    for name, code in (("sha1", "of_weak_hash"), ("rejected", "refused")):
        with pytest.raises(ProblemsError) as refused:
            prove(content, (folder / f"stamp_{name}.tsr").read_bytes(), roots)
        assert refused.value.problems[0].code == f"timestamp_{code}"


@pytest.mark.samples
def test_no_damage_to_an_answer_ends_more_than_its_proof(samples: Path) -> None:
    folder, chance = samples / "field_reports", Random(20261121)
    roots, content = read_roots((folder / "stamp_root.pem").read_bytes()), (folder / "stamped.txt").read_bytes()
    for path in sorted(folder.glob("stamp_*.tsr")):
        for _ in range(100):
            damaged = bytearray(path.read_bytes())
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            with suppress(ProblemsError):
                prove(content, bytes(damaged[: chance.choice((len(damaged), chance.randrange(len(damaged))))]), roots)
