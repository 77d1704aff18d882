"""A trusted timestamp proves that a file existed on a day; ``openssl ts`` is the authority."""

import json
from pathlib import Path

import pytest

from provender.cli.app import run
from tests.signing.authority import answer, found_authority


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a timestamping authority with a root of its own."""
    return found_authority(tmp_path_factory.mktemp("authority"))


def call(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        run(["timestamp", *map(str, arguments)])
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, " ".join(shown.err.split())


@pytest.fixture
def stamped(tmp_path: Path, authority: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a file with an answer beside it that was not attached yet."""
    paper = tmp_path / "report.json"
    paper.write_bytes(b'{"crop": "corn"}')
    assert call(capsys, "request", paper)[0] == 0
    answer(authority, Path(f"{paper}.tsq"), tmp_path / "answer.tsr")
    return paper


def test_an_answer_proves_the_day_and_stays_beside_the_file(
    stamped: Path, authority: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "Day stated by the signer" in call(capsys, "check", stamped)[1]
    roots = ("--roots", authority / "root.pem", "--json")
    status, out, _ = call(capsys, "attach", stamped, stamped.parent / "answer.tsr", *roots)
    said = json.loads(out)
    assert (status, said["proved_on"], said["authority"]) == (0, said["at"][:10], "CN=stamps")
    assert json.loads(call(capsys, "check", stamped, *roots)[1]) == said
    assert call(capsys, "attach", stamped, stamped.parent / "answer.tsr", *roots)[0] == 2, "never written over"


def test_other_bytes_another_root_and_a_changed_answer_prove_nothing(
    stamped: Path, authority: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = stamped.parent / "answer.tsr"
    roots = ("--roots", authority / "root.pem")
    status, _, err = call(capsys, "attach", stamped, given, "--roots", authority / "other.pem")
    assert (status, "does not prove when" in err) == (2, True)
    whole = given.read_bytes()
    for spoiled in (b"", b"no answer", whole[:-40], whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:], whole * 200):
        given.write_bytes(spoiled)
        assert call(capsys, "attach", stamped, given, *roots)[0] == 2
    given.write_bytes(whole)
    stamped.write_bytes(b'{"crop": "soybeans"}')
    status, _, err = call(capsys, "attach", stamped, given, *roots)
    assert (status, "does not prove when" in err) == (2, True)
    given.with_name("none.pem").write_text("none")
    assert call(capsys, "attach", stamped, given, "--roots", given.with_name("none.pem"))[0] == 2
    assert not stamped.with_name("report.json.tsr").exists()
