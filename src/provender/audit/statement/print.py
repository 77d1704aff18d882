"""The verification statement as PDF, with the signed JSON inside it, and what was found after it was signed."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from provender.audit.statement.printed_work import engaged
from provender.audit.statement.statement import ADDENDUM_KIND, KIND, LaterEffect, Opinion, VerificationStatement
from provender.paper.pdf import Attachment, qr_svg, render
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash

OPINIONS = {
    Opinion.FAVOURABLE: "Favorable",
    Opinion.QUALIFIED: "Favorable, with exceptions",
    Opinion.ADVERSE: "Adverse: not to be relied on",
    Opinion.DISCLAIMED: "No opinion could be formed",
}

EFFECTS = {
    LaterEffect.STANDS: "The statement stands.",
    LaterEffect.REPLACED: "Replaced by the statement with hash",
    LaterEffect.WITHDRAWN: "The statement is withdrawn from this day.",
}


def statement_pdf(
    one: VerificationStatement,
    envelope: Mapping[str, object] | None = None,
    fingerprint: str = "",
    later: Sequence[Mapping[str, Any]] = (),
) -> bytes:
    """Print a statement.

    Args:
        one: the statement.
        envelope: its signed form, carried inside the PDF; a draft without one says so on every page.
        fingerprint: of the signing key.
        later: signed addenda, carried inside too; one that takes the statement back says so on every page.
    """
    facts = [dict(added["document"]) for added in later]
    data: dict[str, Any] = one.document() | {
        "opinion_words": OPINIONS[one.opinion],
        "hash": envelope_hash(envelope) if envelope else "",
        "fingerprint": fingerprint if envelope else "",
        "watermark": "DRAFT" if envelope is None else _taken_back(facts),
        **engaged(one),
        "later": [{**fact, "words": EFFECTS[LaterEffect(fact["effect"])]} for fact in facts],
        "qr": "",
    }
    attachments = []
    images = {}
    if envelope:
        attachments.append(
            Attachment("statement.json", canonical_json(envelope), "application/json", f"Signed document, {KIND}")
        )
        attachments += [
            Attachment(f"later-{number}.json", canonical_json(added), "application/json", f"Signed, {ADDENDUM_KIND}")
            for number, added in enumerate(later, 1)
        ]
        images["qr.svg"] = qr_svg(f"{data['hash']} {fingerprint}")
        data["qr"] = "qr.svg"
    template = files("provender.audit") / "templates" / "statement.typ"
    return render(template, data, as_of=one.issued_on, images=images, attachments=attachments)


def _taken_back(facts: Sequence[Mapping[str, Any]]) -> str:
    return next((str(fact["effect"]).upper() for fact in facts if fact["effect"] != LaterEffect.STANDS), "")
