"""Signing a report: the document that a key signs on the page, and taking in what was signed there or elsewhere."""

from collections.abc import Mapping
from typing import Any

from provender.database.actor import Actor, today
from provender.database.models import ReportVersion
from provender.problem import ProblemsError, refuse
from provender.report.files import document_of as report_in
from provender.report.signing import RULE_NOT_CURRENT, check_salt
from provender.services.reports.drafts import ReportDraft, draft_of
from provender.services.reports.signed import keep_report
from provender.signing.canonical import canonical_json
from provender.signing.hashes import sha256_hex

CITE = "2100.031(c)(3)"


def text_to_sign(
    draft: ReportDraft, *, attested: bool, salt_signature: str, under: str = ""
) -> tuple[ReportDraft, bytes]:
    """Return a report with the salt that the first signature made, and its text as it is to be signed.

    Args:
        draft: the report.
        attested: whether the producer has attested to its statements.
        salt_signature: over the origin's name, where the report has no salt yet.
        under: the text that the signer names, where it is not shown to be the rule in force.

    Raises:
        ProblemsError: nobody has attested, something blocks the signature, or the salt is not the key's.
    """
    if not attested:
        cause = "You have not attested to the statements."
        raise refuse("attested", cause, "Read them and tick the box.", cite=CITE)
    if draft.text_to_name and under != draft.text_to_name:
        cause = f"The harvest is {draft.document['rule']['state']}."
        remedy = f"Name the text under which you sign: {draft.text_to_name}."
        raise refuse("under", cause, remedy, cite="2100.020", code=RULE_NOT_CURRENT)
    if draft.in_the_way:
        raise ProblemsError(draft.in_the_way)
    name = draft.salt_name
    salt = check_salt(name, salt_signature, draft.fingerprint_on_file) if name else ""
    draft = draft_of(draft.farm, draft.crop, draft.harvest_year, salt=salt, under=under)
    return draft, canonical_json(draft.document)


def keep_signature(draft: ReportDraft, signature: str, sha256: str, *, actor: Actor) -> ReportVersion:
    """Keep a report signed on the page.

    Args:
        draft: the report as ``text_to_sign`` gives it now.
        signature: over its text.
        sha256: of the text that was signed.
        actor: who hands it in.

    Raises:
        ProblemsError: the records have changed meanwhile, no key is on file, or ``keep_report`` refuses it.
    """
    if sha256 != sha256_hex(canonical_json(draft.document)):
        raise refuse("report", "The records have changed since you began.", "Look at the report again, then sign it.")
    return _keep(draft, signature, actor)


def keep_signed(draft: ReportDraft, content: object, *, actor: Actor) -> ReportVersion:
    """Keep a report that was signed elsewhere, if it is the one that is made here today.

    Args:
        draft: the report as it would be signed today, without a salt.
        content: what was handed in: document and detached signature.
        actor: who hands it in.

    Raises:
        ProblemsError: it is not signed, is another report, or ``keep_report`` refuses it.
    """
    signed = report_in(content, "the signed report")
    if not isinstance(content, dict) or not isinstance(content.get("signature"), str):
        raise refuse(
            "file", "The file is not signed.", "Sign it with `provender keys sign`, then upload what that wrote."
        )
    salt = signed["edition"].get("salt", "")
    made = draft_of(
        draft.farm, draft.crop, draft.harvest_year, salt=salt if isinstance(salt, str) else "", under=under_of(signed)
    )
    if made.document != signed:
        cause = "The signed report is not the one that the records give today."
        raise refuse("file", cause, "Download the unsigned report again and sign it on the same day.")
    return _keep(made, content["signature"], actor)


def under_of(signed: Mapping[str, Any]) -> str:
    """Return the text under which a report was signed elsewhere; empty where it names none."""
    rule = signed.get("rule")
    named = rule.get("signed_under") if isinstance(rule, Mapping) else ""
    return named if isinstance(named, str) else ""


def _keep(draft: ReportDraft, signature: str, actor: Actor) -> ReportVersion:
    if not draft.document["rests_on"]["records"]:
        raise TypeError(draft)  # without the roots of its records it is made to look at, never to sign
    on_file = draft.fingerprint_on_file
    if not on_file:
        cause = "The producer's record names no signing key."
        raise refuse("producer", cause, "Register the key first.", cite=CITE, code="no_key")
    return keep_report(
        draft.farm.book, draft.document, signature, fingerprint_on_file=on_file, today=today(), actor=actor
    )
