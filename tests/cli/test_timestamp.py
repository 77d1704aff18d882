"""A trusted timestamp proves that a file existed on a day; ``openssl ts`` is the authority."""

import json
import subprocess
from pathlib import Path

import pytest

from provender.cli.app import run

CONFIG = """
[tsa]
default_tsa = own
[own]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
accuracy = secs:1
ess_cert_id_alg = sha256
[stamps]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
"""


def openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)  # noqa: S603, S607 - our own words


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a timestamping authority with a root of its own."""
    at = tmp_path_factory.mktemp("authority")
    (at / "tsa.cnf").write_text(CONFIG.format(folder=at))
    (at / "serial").write_text("01")
    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    for name in ("root", "other"):
        openssl("req", "-x509", *new, "-keyout", at / f"{name}.key", "-out", at / f"{name}.pem", "-subj", f"/CN={name}")
    openssl("req", *new, "-keyout", at / "tsa.key", "-out", at / "tsa.csr", "-subj", "/CN=stamps")
    signing = ("-CA", at / "root.pem", "-CAkey", at / "root.key", "-CAcreateserial", "-extfile", at / "tsa.cnf")
    openssl("x509", "-req", "-in", at / "tsa.csr", *signing, "-extensions", "stamps", "-out", at / "tsa.pem")
    return at


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
    signer = ("-config", authority / "tsa.cnf", "-signer", authority / "tsa.pem", "-inkey", authority / "tsa.key")
    openssl("ts", "-reply", "-queryfile", f"{paper}.tsq", *signer, "-out", tmp_path / "answer.tsr")
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
    answer = stamped.parent / "answer.tsr"
    roots = ("--roots", authority / "root.pem")
    status, _, err = call(capsys, "attach", stamped, answer, "--roots", authority / "other.pem")
    assert (status, "does not prove when" in err) == (2, True)
    whole = answer.read_bytes()
    for spoiled in (b"", b"no answer", whole[:-40], whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:], whole * 200):
        answer.write_bytes(spoiled)
        assert call(capsys, "attach", stamped, answer, *roots)[0] == 2
    answer.write_bytes(whole)
    stamped.write_bytes(b'{"crop": "soybeans"}')
    status, _, err = call(capsys, "attach", stamped, answer, *roots)
    assert (status, "does not prove when" in err) == (2, True)
    answer.with_name("none.pem").write_text("none")
    assert call(capsys, "attach", stamped, answer, "--roots", answer.with_name("none.pem"))[0] == 2
    assert not stamped.with_name("report.json.tsr").exists()
