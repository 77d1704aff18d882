"""A verification statement as a Digital Conformity Credential: by its signer only, no better than its opinion."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from provender.audit.statement.statement import LaterEffect, Opinion, VerificationStatement, addendum
from provender.audit.statement.untp import CONTEXT, GOVERNS, conformity_credential
from provender.problem import ProblemsError
from provender.signing.credentials import did_key, enveloped
from provender.signing.jws import envelope_hash, sign
from provender.signing.keys import PublicKey, SigningKey, decode_base64url
from provender.signing.terms import context, terms
from tests.audit.verifier import STATEMENT, statement

KEY = SigningKey.generate()
DAY = date(2027, 1, 4)


def credential(
    one: VerificationStatement = STATEMENT, key: SigningKey = KEY, addenda: Sequence[object] = ()
) -> dict[str, Any]:
    return conformity_credential(sign(one.document(), KEY), key.public, addenda=addenda, as_of=DAY)


def test_the_shape_is_that_of_a_conformity_credential_and_names_the_original() -> None:
    made = credential()
    assert made["@context"][:2] == ["https://www.w3.org/ns/credentials/v2", CONTEXT]
    assert made["type"] == ["DigitalConformityCredential", "VerifiableCredential"]
    assert made["issuer"]["id"] == did_key(KEY.public)
    assert made["provender:original"]["provender:sha256"] == envelope_hash(sign(STATEMENT.document(), KEY))
    assert made["provender:governs"] == GOVERNS
    subject = made["credentialSubject"]
    assert subject["type"] == ["ConformityAttestation", "Attestation"]
    assert (subject["assessorLevel"], subject["attestationType"]) == ("3rdParty", "verification")
    assert [one["conformityTopic"] for one in subject["assessment"]] == ["environment.emissions"] * len(STATEMENT.crops)
    assert all(word.startswith(("urn:", "did:", "https://")) for word in names_in(made))


def test_our_own_words_are_written_out_or_named_by_the_address_at_which_somebody_serves_them() -> None:
    served = json.loads((Path(__file__).parents[3] / "docs/reference/terms.jsonld").read_text(encoding="utf-8"))
    assert credential()["@context"][2] == served["@context"] == terms()
    assert context("https://example.org/terms.jsonld") == "https://example.org/terms.jsonld"
    for wrong in ("http://example.org/t", "terms.jsonld", "https://example.org/a b"):
        with pytest.raises(ProblemsError, match="no address"):
            context(wrong)
    address = "https://example.org/terms.jsonld"
    made = conformity_credential(sign(STATEMENT.document(), KEY), KEY.public, as_of=DAY, terms=address)
    assert made["@context"][2] == address
    assert made | {"@context": credential()["@context"]} == credential()


def names_in(data: object) -> list[str]:
    """Return every ``id`` within, each of which must be an address."""
    if isinstance(data, list):
        return [name for each in data for name in names_in(each)]
    if not isinstance(data, dict):
        return []
    return [name for key, each in data.items() for name in ([each] if key == "id" else names_in(each))]


@pytest.mark.parametrize("opinion", list(Opinion))
def test_only_an_opinion_without_exceptions_is_told_as_conformance(opinion: Opinion) -> None:
    made = credential(statement(opinion=opinion))
    told = {one["conformance"] for one in made["credentialSubject"]["assessment"]}
    assert told == {opinion is Opinion.FAVOURABLE}
    assert all(opinion.words in one["description"] for one in made["credentialSubject"]["assessment"])


def test_the_envelope_is_a_compact_jws_that_others_check_with_the_key_in_its_name() -> None:
    made = credential()
    wrapped = enveloped(made, KEY)
    assert wrapped["type"] == "EnvelopedVerifiableCredential"
    head, payload, signature = wrapped["id"].removeprefix("data:application/vc+jwt,").split(".")
    header = json.loads(decode_base64url(head))
    assert (header["alg"], header["typ"], header["cty"]) == ("EdDSA", "vc+jwt", "vc")
    name = made["issuer"]["id"]
    assert header["kid"] == f"{name}#{name.removeprefix('did:key:')}"
    assert json.loads(decode_base64url(payload)) == made
    key = Ed25519PublicKey.from_public_bytes(KEY.public.raw)
    key.verify(decode_base64url(signature), f"{head}.{payload}".encode())
    with pytest.raises(InvalidSignature):
        key.verify(decode_base64url(signature), f"{head}.{payload}x".encode())


def test_a_key_s_identifier_is_that_of_the_did_key_method() -> None:
    # First Ed25519 vector of the method's test suite (W3C Credentials Community Group).
    raw = bytes.fromhex("3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29")
    assert did_key(PublicKey(raw)) == "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp"


def test_another_s_key_gives_no_credential_of_a_statement() -> None:
    with pytest.raises(ProblemsError, match="did not sign"):
        credential(key=SigningKey.generate())


@pytest.mark.parametrize("document", [{"kind": "letter"}, {**STATEMENT.document(), "opinion": "splendid"}])
def test_what_is_no_statement_gives_no_credential(document: dict[str, Any]) -> None:
    with pytest.raises(ProblemsError, match="no verification statement"):
        conformity_credential(sign(document, KEY), KEY.public, as_of=DAY)


def test_a_statement_that_was_changed_since_gives_no_credential() -> None:
    changed = {**sign(STATEMENT.document(), KEY), "document": statement(opinion=Opinion.ADVERSE).document()}
    with pytest.raises(ProblemsError, match="no verification statement"):
        conformity_credential(changed, KEY.public, as_of=DAY)


@pytest.mark.parametrize(("day", "given"), [(date(2027, 1, 4), False), (date(2027, 1, 5), True)])
def test_a_statement_that_was_taken_back_gives_no_credential_from_that_day(day: date, *, given: bool) -> None:
    mark = envelope_hash(sign(STATEMENT.document(), KEY))
    later = sign(addendum(mark, day, "The bins were measured twice.", LaterEffect.WITHDRAWN), KEY)
    if given:
        assert credential(addenda=[later])["validUntil"] == f"{day}T00:00:00Z"
    else:
        with pytest.raises(ProblemsError, match="taken back"):
            credential(addenda=[later])


def unsure_addenda() -> dict[str, object]:
    """Return addenda that cannot be relied on, by the code that says why."""
    day = date(2027, 1, 2)
    mark = envelope_hash(sign(STATEMENT.document(), KEY))
    withdrawn = addendum(mark, day, "The bins were measured twice.", LaterEffect.WITHDRAWN)
    return {
        "other_addendum": {**sign(withdrawn, KEY), "payload": "damaged", "document": None},
        "addendum_not_signed": {**sign(withdrawn, KEY), "document": {**withdrawn, "on": "2027-02-01"}},
        "addendum_unreadable": sign({**withdrawn, "effect": "withdrawnn"}, KEY),
    }


@pytest.mark.parametrize("code", sorted(unsure_addenda()))
def test_an_addendum_that_cannot_be_relied_on_is_never_passed_over(code: str) -> None:
    with pytest.raises(ProblemsError, match="addendum") as refused:
        credential(addenda=[unsure_addenda()[code]])
    assert {problem.code for problem in refused.value.problems} <= set(unsure_addenda())


def test_a_statement_that_stands_has_no_end() -> None:
    assert "validUntil" not in credential()


def test_a_statement_of_days_before_the_rule_is_refused_with_its_cause() -> None:
    early = statement(covered_first=date(2024, 1, 1), covered_last=date(2024, 12, 31))
    with pytest.raises(ProblemsError) as refused:
        credential(early)
    assert [one.code for one in refused.value.problems] == ["no_rule_then"]
