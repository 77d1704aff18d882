"""Trusted timestamps (RFC 3161), offline: a query is written, the answer is taken and judged.

A day that a document states is its signer's word. An answer by a timestamping authority proves that the bytes existed
at a moment, if it chains to a root that the reader chose. The chain is judged as of that moment, so a proof
outlives the certificates of its authority (interpretation 75).
"""

import hashlib
import warnings
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from provender.problem import refuse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography.x509 import Certificate
    from rfc3161_client.tsp import TimeStampResponse

_CITE: Final = "2100.030(d)"
_MOST_BYTES: Final = 2**17
"""An answer with a whole chain takes a few thousand bytes."""
SYSTEM_ROOTS: Final = Path("/etc/ssl/certs/ca-certificates.crt")
"""Where Debian's package ca-certificates keeps its list."""
UNPROVED: Final = "timestamp_not_proved"
"""The code of an answer about these bytes that no root of the reader stands behind."""
_DIGESTS: Final = {
    "2.16.840.1.101.3.4.2.1": hashlib.sha256,
    "2.16.840.1.101.3.4.2.2": hashlib.sha384,
    "2.16.840.1.101.3.4.2.3": hashlib.sha512,
}


def system_roots() -> bytes:
    """Return the list of roots of this system; nothing where it keeps none."""
    return SYSTEM_ROOTS.read_bytes() if SYSTEM_ROOTS.is_file() else b""


@dataclass(frozen=True, slots=True)
class Proof:
    """What an answer proves."""

    at: datetime  # the moment, in UTC
    authority: str  # name of who stamped, as its certificate says

    @property
    def on(self) -> date:
        """The day in UTC."""
        return self.at.date()


def query(content: bytes) -> bytes:
    """Return the query to send to an authority: the SHA-512 of the bytes, a nonce, and the wish for certificates."""
    from rfc3161_client import TimestampRequestBuilder

    return TimestampRequestBuilder().data(content).nonce(nonce=True).cert_request(cert_request=True).build().as_bytes()


def read_roots(pem: bytes, file: str = "roots") -> "list[Certificate]":
    """Read the root certificates that a reader trusts.

    Raises:
        ProblemsError: there is none that can be read.
    """
    from cryptography.x509 import load_pem_x509_certificates

    try:
        with warnings.catch_warnings():
            # Lists of roots hold old certificates with a serial number of zero; they bear nothing out, and do no harm.
            warnings.simplefilter("ignore")
            return load_pem_x509_certificates(pem)
    except ValueError:
        cause = "The file holds no root certificates in PEM."
        raise refuse(file, cause, "Give the authority's root, or your system's list.", code="no_roots") from None


def prove(content: bytes, answer: bytes, roots: "Sequence[Certificate]", *, file: str = "timestamp") -> Proof:
    """Return what an answer proves about some bytes.

    Args:
        content: the bytes that were stamped.
        answer: of the authority, in DER.
        roots: certificates that the reader trusts.
        file: what to call the answer in problems.

    Raises:
        ProblemsError: it is no answer (``no_timestamp``), a refusal (``timestamp_refused``), over a hash that proves
            nothing (``timestamp_of_weak_hash``), about other bytes (``timestamp_of_other_bytes``), or its signature or
            its chain does not hold (``UNPROVED``).
    """
    from rfc3161_client import VerificationError, VerifierBuilder

    response = _decoded(answer, file)
    imprint = response.tst_info.message_imprint
    digest = _DIGESTS.get(imprint.hash_algorithm.dotted_string)
    if digest is None:
        cause = "It is over a hash that this program does not take as proof, such as SHA-1: two files can have one."
        remedy = "Ask the authority again with the query that `provender timestamp request` writes."
        raise refuse(file, cause, remedy, cite=_CITE, code="timestamp_of_weak_hash")
    if imprint.message != digest(content).digest():
        cause = "It does not prove when these bytes existed: it is about other bytes."
        remedy = "Give the file as it was stamped, or ask the authority again."
        raise refuse(file, cause, remedy, cite=_CITE, code="timestamp_of_other_bytes")
    try:
        builder = VerifierBuilder()
        for root in roots:
            builder = builder.add_root_certificate(root)
        builder.build().verify_message(response, content)
        moment = response.tst_info.gen_time.astimezone(UTC)
        return Proof(moment, _authority(response))
    except (VerificationError, ValueError) as wrong:
        cause = f"It does not prove when these bytes existed: {wrong}."
        remedy = "Ask the authority again, or give the root that its certificate chains to (--roots)."
        raise refuse(file, cause, remedy, cite=_CITE, code=UNPROVED) from None


def _decoded(answer: bytes, file: str) -> "TimeStampResponse":
    """Return an answer that holds a token; what else was given is said in words.

    Raises:
        ProblemsError: it is damaged, the token alone, or a refusal.
    """
    from rfc3161_client import decode_timestamp_response

    ask, give = "Ask the authority again.", "Give the .tsr file as the authority sent it."
    if _SIGNED_DATA in answer[:_HEAD]:
        raise refuse(
            file, "This is the token alone, without the answer around it.", give, cite=_CITE, code="no_timestamp"
        )
    try:
        response = decode_timestamp_response(answer) if len(answer) <= _MOST_BYTES else None
        status = response.status if response else 0
        if response and status > 1:
            text = "".join(one for one in "; ".join(response.status_string) if one.isprintable()).rstrip(". ")
            words = f"The authority did not stamp it, status {status}{f': {text}' if text else ''}."
            raise refuse(file, words, ask, cite=_CITE, code="timestamp_refused")
        if response is not None and response.tst_info.message_imprint is not None:
            return response
    except ValueError:
        pass
    cause = "This is no answer of a timestamping authority, or a damaged one."
    raise refuse(file, cause, give, cite=_CITE, code="no_timestamp")


_SIGNED_DATA: Final = bytes.fromhex("06092a864886f70d010702")
"""How a token begins, after its length; in a whole answer the status stands before it."""
_HEAD: Final = 17


def _authority(response: "TimeStampResponse") -> str:
    """Return whose certificate the signature names; of the others in the set nobody signed that they are there.

    Raises:
        ValueError: there is none, or several.
    """
    from cryptography.x509 import load_der_x509_certificate

    signed = response.signed_data
    names = {(one.issuer, one.serial_number) for one in signed.signer_infos}
    read = [load_der_x509_certificate(each) for each in signed.certificates]
    found = [one for one in read if (one.issuer, one.serial_number) in names]
    if len(found) != 1:
        raise ValueError("the signature does not name one certificate")
    return found[0].subject.rfc4514_string()
