"""The verification statement as PDF, with the signed JSON inside it."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from provender.audit.statement import KIND, Opinion, Statement
from provender.paper.pdf import Attachment, render
from provender.paper.qr import qr_svg
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash

OPINIONS = {
    Opinion.FAVOURABLE: "Favourable",
    Opinion.QUALIFIED: "Favourable, with exceptions",
    Opinion.ADVERSE: "Adverse: not to be relied on",
    Opinion.DISCLAIMED: "No opinion could be formed",
}


def statement_pdf(one: Statement, envelope: Mapping[str, object] | None = None, fingerprint: str = "") -> bytes:
    """Print a statement.

    Args:
        one: the statement.
        envelope: its signed form, carried inside the PDF; a draft without one says so on every page.
        fingerprint: of the signing key.
    """
    data: dict[str, Any] = one.document() | {
        "opinion_words": OPINIONS[one.opinion],
        "hash": envelope_hash(envelope) if envelope else "",
        "fingerprint": fingerprint if envelope else "",
        "draft": envelope is None,
        "qr": "",
    }
    attachments = []
    images = {}
    if envelope:
        attachments.append(
            Attachment("statement.json", canonical_json(envelope), "application/json", f"Signed document, {KIND}")
        )
        images["qr.svg"] = qr_svg(f"{data['hash']} {fingerprint}")
        data["qr"] = "qr.svg"
    template = files("provender.audit") / "templates" / "statement.typ"
    return render(template, data, as_of=one.issued_on, images=images, attachments=attachments)
