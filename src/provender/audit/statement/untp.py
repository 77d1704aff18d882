"""A verification statement as a Digital Conformity Credential (UNTP 0.6.0): a view for others' systems.

It is made by the verifier whose key signed the statement, carries the statement's hash, and says that the statement
governs. Nothing of it is read back. The vocabularies are named by their addresses and none is copied; our own few words
stand in a context of their own. Conformance is told only of an opinion without exceptions.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final
from urllib.parse import quote

from provender.audit.statement.receive import READABLE, UNSURE, receive
from provender.audit.statement.statement import Opinion, VerificationStatement
from provender.problem import ProblemsError, refuse
from provender.rule import NotInForceError, RuleVersion, rule_version
from provender.signing import credentials
from provender.signing.jws import Status, check, envelope_hash
from provender.signing.keys import PublicKey
from provender.signing.terms import context

CONTEXT: Final = "https://test.uncefact.org/vocabulary/untp/dcc/0.6.0/"
LAW: Final = "https://www.ecfr.gov/current/title-7/part-2100"
GOVERNS: Final = (
    "A view for other systems. The signed verification statement whose hash stands here is the original and governs; "
    "where the two differ, this view is wrong."
)
TOPIC: Final = "environment.emissions"
"""What UNTP's list of topics calls a carbon intensity."""


def conformity_credential(
    envelope: Mapping[str, Any], key: PublicKey, *, addenda: Iterable[object] = (), as_of: date, terms: str = ""
) -> dict[str, Any]:
    """Return the credential that the signer of a statement may give of it, to be signed.

    Args:
        envelope: the signed statement.
        key: of whoever makes the credential.
        addenda: signed facts found later.
        as_of: the day it is made.
        terms: the address of the context of our own words; empty to write it out.

    Raises:
        ProblemsError: it is no statement, another key signed it, it was taken back, or an addendum cannot be relied on.
    """
    one = _signed_by(envelope, key)
    law = _law_of(one)
    # As of the last day there is, so that an end that is still to come is told as well.
    received = receive(envelope, {key.fingerprint: key}, addenda=addenda, as_of=date.max)
    if unsure := [problem for problem in received.problems if problem.code in UNSURE]:
        raise ProblemsError(unsure)
    if received.ends_on is not None and received.ends_on <= as_of:
        cause = f"The statement was taken back from {received.ends_on} on."
        raise refuse(one.number, cause, "Give a credential of the statement that replaces it.", code="taken_back")
    mark = envelope_hash(envelope)
    return {
        "@context": [credentials.CONTEXT, CONTEXT, context(terms)],
        "type": ["DigitalConformityCredential", "VerifiableCredential"],
        "id": f"urn:provender:credential:{mark}",
        "issuer": {"type": ["CredentialIssuer"], "id": credentials.did_key(key), "name": one.accreditation.verifier},
        "validFrom": f"{one.issued_on}T00:00:00Z",
        **({"validUntil": f"{received.ends_on}T00:00:00Z"} if received.ends_on else {}),
        "credentialSubject": _attestation(one, mark, law),
        "provender:original": {"provender:kind": envelope["document"]["kind"], "provender:number": one.number,
                               "provender:sha256": mark},
        "provender:governs": GOVERNS,
    }  # fmt: skip


def _signed_by(envelope: Mapping[str, Any], key: PublicKey) -> VerificationStatement:
    checked = check(envelope, {key.fingerprint: key})
    if checked.status is Status.SIGNER_UNKNOWN:
        cause = "This key did not sign the statement."
        remedy = "Use the key that signed it: nobody else speaks for its signer."
        raise refuse("statement", cause, remedy, code="not_the_signer")
    try:
        return VerificationStatement.read(checked.document or {})
    except READABLE:
        cause = "This is no verification statement as its verifier signed it."
        raise refuse("statement", cause, "Give the file that `provender audit statement sign` wrote.") from None


def _law_of(one: VerificationStatement) -> RuleVersion:
    """Return the rule under which a statement was given, or refuse days of which there was none."""
    try:
        return rule_version(one.covered_last)
    except NotInForceError as wrong:
        remedy = "Cover days on which the rule was in force."
        raise refuse(one.number, str(wrong), remedy, cite="2100.040", code="no_rule_then") from None


def _attestation(one: VerificationStatement, mark: str, law: RuleVersion) -> dict[str, Any]:
    shown = one.accreditation
    name = f"Verification of {one.audited_name or one.audited} under 7 CFR part 2100"
    return {
        "type": ["ConformityAttestation", "Attestation"],
        "id": f"urn:provender:attestation:{mark}",
        "name": f"{name}, {one.number}",
        "assessorLevel": "3rdParty",
        "assessmentLevel": "Accredited",
        "attestationType": "verification",
        "description": one.scope,
        "issuedToParty": {"id": _party(one.audited), "name": one.audited_name or one.audited,
                          "registeredId": one.audited},
        "authorisation": [{
            "type": ["Endorsement"],
            "id": f"urn:provender:accreditation:{quote(shown.body)}:{quote(shown.number)}",
            "name": f"{shown.standard} {shown.number}",
            "issuingAuthority": {"id": _party(shown.body), "name": shown.body},
        }],
        "scope": {"type": ["ConformityAssessmentScheme", "Standard"], "id": LAW, "name": "7 CFR part 2100"},
        "assessment": [_assessment(one, mark, law, crop) for crop in one.crops],
    }  # fmt: skip


def _assessment(one: VerificationStatement, mark: str, law: RuleVersion, crop: str) -> dict[str, Any]:
    words = f"{one.opinion.words}, {one.assurance} assurance, as {one.role}, {one.covered_first} to {one.covered_last}"
    return {
        "type": ["ConformityAssessment", "Declaration"],
        "id": f"urn:provender:assessment:{mark}:{crop}",
        "name": f"Carbon intensity claims on {crop}",
        "description": " ".join((f"Opinion: {words}.", one.basis, *one.excepted)).strip(),
        "assessmentDate": one.issued_on.isoformat(),
        "referenceRegulation": {"type": ["Regulation"], "id": LAW, "name": law.citation, "jurisdictionCountry": "US"},
        "conformance": one.opinion is Opinion.FAVOURABLE,
        "conformityTopic": TOPIC,
        "assessedOrganisation": {"id": _party(one.audited), "name": one.audited_name or one.audited},
    }


def _party(name: str) -> str:
    return f"urn:provender:party:{quote(name)}"
