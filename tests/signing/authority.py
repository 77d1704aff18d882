"""A timestamping authority of ``openssl ts`` with a root of its own, and a second root that signed nothing."""

import subprocess
from pathlib import Path

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


def found_authority(at: Path) -> Path:
    """Make keys and certificates in a folder: ``root.pem``, ``other.pem``, ``tsa.pem``; return it."""
    (at / "tsa.cnf").write_text(CONFIG.format(folder=at))
    (at / "serial").write_text("01")
    new = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    for name in ("root", "other"):
        openssl("req", "-x509", *new, "-keyout", at / f"{name}.key", "-out", at / f"{name}.pem", "-subj", f"/CN={name}")
    openssl("req", *new, "-keyout", at / "tsa.key", "-out", at / "tsa.csr", "-subj", "/CN=stamps")
    signing = ("-CA", at / "root.pem", "-CAkey", at / "root.key", "-CAcreateserial", "-extfile", at / "tsa.cnf")
    openssl("x509", "-req", "-in", at / "tsa.csr", *signing, "-extensions", "stamps", "-out", at / "tsa.pem")
    return at


def answer(at: Path, query: Path, out: Path) -> None:
    signer = ("-config", at / "tsa.cnf", "-signer", at / "tsa.pem", "-inkey", at / "tsa.key")
    openssl("ts", "-reply", "-queryfile", query, *signer, "-out", out)


def stamp(at: Path, content: bytes) -> bytes:
    """Return an answer about some bytes."""
    from provender.signing.timestamps import query

    (at / "query.tsq").write_bytes(query(content))
    answer(at, at / "query.tsq", at / "answer.tsr")
    return (at / "answer.tsr").read_bytes()
