"""A server that speaks TLS on a farm's own network: who trusts it, and what its authority may vouch for."""

import ssl
import subprocess
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import load_pem_x509_certificate

from provender.problem import ProblemsError
from provender.web.tls import _kept, _make_server, own_tls
from tests.web.test_serve import served, wait_for

NAMES = ("192.168.1.20", "barn.local", "localhost", "127.0.0.1")
LONG = f"{'barn-' * 10}.{'farm-' * 10}x.example".replace("-.", "b.")


def openssl(*words: str) -> tuple[int, str]:
    done = subprocess.run(["openssl", *words], capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.returncode, done.stdout + done.stderr


def test_phones_that_trust_the_authority_trust_each_name_of_the_server(tmp_path: Path) -> None:
    made = own_tls(tmp_path, NAMES)
    for name in NAMES:
        what = "-verify_ip" if name[0].isdigit() else "-verify_hostname"
        status, said = openssl(
            "verify", "-x509_strict", "-CAfile", str(made.authority), what, name, str(made.certificate)
        )
        assert status == 0, said
    assert made.fingerprint in openssl("x509", "-in", str(made.authority), "-noout", "-fingerprint", "-sha256")[1]


def test_its_authority_vouches_for_nothing_beyond_the_farm(tmp_path: Path) -> None:
    made = own_tls(tmp_path, NAMES)
    stolen = _kept(made.authority.parent, "authority")
    assert stolen is not None
    for foreign, what in (("bank.example", "-verify_hostname"), ("8.8.8.8", "-verify_ip")):
        forged = tmp_path / f"{foreign}.pem"
        forged.write_bytes(_make_server(stolen, (foreign,))[1].public_bytes(Encoding.PEM))
        status, said = openssl("verify", "-CAfile", str(made.authority), what, foreign, str(forged))
        assert status != 0
        assert "permitted subtree violation" in said


def test_an_operator_s_own_name_is_vouched_for_by_an_authority_that_may(tmp_path: Path) -> None:
    before = own_tls(tmp_path, NAMES)
    made = own_tls(tmp_path, ("farm.example", "203.0.113.9"))
    assert made.fingerprint != before.fingerprint
    status, said = openssl("verify", "-CAfile", str(made.authority), "-verify_ip", "203.0.113.9", str(made.certificate))
    assert status == 0, said


def test_what_phones_trust_stays_when_the_server_moves(tmp_path: Path) -> None:
    first = own_tls(tmp_path, NAMES)
    kept = first.certificate.read_bytes()
    assert own_tls(tmp_path, NAMES).certificate.read_bytes() == kept
    moved = own_tls(tmp_path, ("192.168.1.77", *NAMES[1:]))
    assert moved.fingerprint == first.fingerprint
    assert moved.certificate.read_bytes() != kept


def test_keys_are_their_owner_s_alone_and_damage_makes_new_ones(tmp_path: Path) -> None:
    first = own_tls(tmp_path, NAMES)
    assert [file.name for file in first.key.parent.iterdir() if file.stat().st_mode & 0o077] == []
    first.key.write_text("damaged")
    again = own_tls(tmp_path, NAMES)
    assert again.fingerprint == first.fingerprint
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(again.certificate, again.key)


@pytest.mark.parametrize("name", ["authority", "server"])
def test_a_key_beside_another_s_certificate_is_made_anew(tmp_path: Path, name: str) -> None:
    own_tls(tmp_path / "other", NAMES)
    made = own_tls(tmp_path, NAMES)
    (tmp_path / "other" / "tls" / f"{name}-key.pem").replace(made.key.parent / f"{name}-key.pem")
    if name == "authority":
        made.certificate.unlink()  # as when it ends
    again = own_tls(tmp_path, NAMES)
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(again.certificate, again.key)
    status, said = openssl("verify", "-x509_strict", "-CAfile", str(again.authority), str(again.certificate))
    assert status == 0, said


@pytest.mark.parametrize(
    ("name", "said"),
    [("hof-m\xfcller.example", "xn--hof-mller-u9a.example"), ("Barn.Local", "barn.local"), (LONG, LONG)],
)
def test_a_certificate_says_a_name_as_browsers_ask_for_it(tmp_path: Path, name: str, said: str) -> None:
    made = own_tls(tmp_path, (name,))
    assert made.names == (said,)
    assert own_tls(tmp_path, (name,)).certificate.read_bytes() == made.certificate.read_bytes()
    status, shown = openssl("verify", "-x509_strict", "-CAfile", str(made.authority), "-verify_hostname", said,
                            str(made.certificate))  # fmt: skip
    assert status == 0, shown


@pytest.mark.parametrize("name", ["*", "*.example", ".example", "farm.example:8443", "farm example", "a" * 64])
def test_a_name_that_no_certificate_can_say_is_refused_in_words(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProblemsError, match="PROVENDER_HOSTS: No certificate can be made for"):
        own_tls(tmp_path, ("localhost", name))


def test_a_certificate_ends_before_phones_refuse_it(tmp_path: Path) -> None:
    made = load_pem_x509_certificate(own_tls(tmp_path, NAMES).certificate.read_bytes())
    assert made.not_valid_after_utc - made.not_valid_before_utc <= timedelta(days=398)
    assert made.not_valid_before_utc < datetime.now(UTC)


def test_a_server_answers_over_tls_and_gives_its_authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path, "--tls") as (plain, log):
        base = plain.replace("http:", "https:")
        untrusting = ssl.create_default_context()
        untrusting.check_hostname, untrusting.verify_mode = False, ssl.CERT_NONE
        opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=untrusting))
        monkeypatch.setattr("urllib.request.urlopen", opener.open)
        assert '"status": "ok"' in wait_for(f"{base}/health", log)
        given = opener.open(f"{base}/field/certificate").read().decode()
        assert given == (tmp_path / "data" / "tls" / "authority.pem").read_text()
        trusting = ssl.create_default_context(cadata=given)
        with urllib.request.build_opener(urllib.request.HTTPSHandler(context=trusting)).open(
            f"{base}/health"
        ) as answer:
            assert answer.status == 200
        signing_in = opener.open(f"{base}/account/login/")
        assert "secure" in str(signing_in.headers["Set-Cookie"]).lower()
        shown = log.read_text()
        assert openssl("x509", "-in", str(tmp_path / "data" / "tls" / "authority.pem"), "-noout", "-fingerprint",
                       "-sha256")[1].strip().partition("=")[2] in shown  # fmt: skip
        assert "provender answers at https://" in shown


def test_an_address_of_ipv6_has_brackets_only_where_a_browser_asks(tmp_path: Path) -> None:
    made = own_tls(tmp_path, ("[::1]", "fd00::0:7"))
    assert made.names == ("[::1]", "[fd00::7]")
    status, said = openssl("verify", "-CAfile", str(made.authority), "-verify_ip", "fd00::7", str(made.certificate))
    assert status == 0, said
