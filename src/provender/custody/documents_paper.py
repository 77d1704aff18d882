"""The documents of subpart D as PDF, with the signed JSON inside them."""

from collections.abc import Mapping
from datetime import date
from importlib.resources import files
from typing import Any, Final

from provender.custody.documents import PERIOD, SLIP, TRANSFER, form_words
from provender.custody.documents_notice import NOTICE
from provender.custody.periods import Policy
from provender.paper.pdf import Attachment, render
from provender.paper.qr import qr_svg
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash

_TEMPLATES: Final = {TRANSFER: "transfer.typ", SLIP: "slip.typ", PERIOD: "period.typ", NOTICE: "notice.typ"}
_POLICIES: Final = {
    Policy.OLDEST_FIRST: "oldest first",
    Policy.PROPORTIONAL: "proportional over carbon intensities",
    Policy.NAMED: "every sale names its lots",
}


def document_pdf(
    document: Mapping[str, Any], *, envelope: Mapping[str, object] | None = None, fingerprint: str = ""
) -> bytes:
    """Print a transfer document, a sale slip, a period's statement or a notice.

    Args:
        document: what ``documents`` built.
        envelope: its signed form, carried inside the PDF; without one every page says NOT SIGNED.
        fingerprint: of the signing key.

    Raises:
        KeyError: the document is of another type.
    """
    kind = document["type"]
    data = {**document, **_words(document), "fingerprint": fingerprint if envelope else "", "qr": ""}
    data["hash"] = envelope_hash(envelope) if envelope else ""
    images, attachments = {}, []
    if envelope:
        images["qr.svg"] = qr_svg(f"{data['hash']} {fingerprint}")
        data["qr"] = "qr.svg"
        attachments.append(
            Attachment(f"{kind}.json", canonical_json(envelope), "application/json", f"Signed document, {kind}")
        )
    template = files("provender.custody") / "templates" / _TEMPLATES[kind]
    day = date.fromisoformat(document.get("made_on") or document["closed_on"])
    return render(template, data, as_of=day, images=images, attachments=attachments)


def _words(document: Mapping[str, Any]) -> dict[str, object]:
    if document["type"] == PERIOD:
        policy = document["policy"]
        return {"policy_words": _POLICIES[Policy(policy)] if policy else "not declared"}
    crop = form_words(document.get("form") or document["crop"])
    return {"what": crop[:1].upper() + crop[1:]}
