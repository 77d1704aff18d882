"""The documents of subpart D as PDF, with the signed JSON inside them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from importlib.resources import files
from typing import Any, Final

from provender.custody.documents.build import PERIOD, RESTATEMENT, SLIP, TRANSFER, form_words
from provender.custody.documents.notice import NOTICE
from provender.custody.events.consent import CONSENT
from provender.custody.model.periods import Policy
from provender.paper.pdf import Attachment, qr_svg, render
from provender.quantity import parse, show
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash

_TEMPLATES: Final = {
    TRANSFER: "transfer.typ",
    SLIP: "slip.typ",
    PERIOD: "period.typ",
    RESTATEMENT: "period.typ",
    NOTICE: "notice.typ",
    CONSENT: "consent.typ",
}
_POLICIES: Final = {
    Policy.OLDEST_FIRST: "oldest first",
    Policy.PROPORTIONAL: "proportional over carbon intensities",
    Policy.NAMED: "every sale names its lots",
}
_SUMS: Final = ("beginning_bu", "incoming_bu", "outgoing_bu", "ending_bu", "unverified_bu")


def document_pdf(
    document: Mapping[str, Any], *, envelope: Mapping[str, object] | None = None, fingerprint: str = ""
) -> bytes:
    """Print a transfer document, a sale slip, a period's statement or restatement, or a notice.

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
    if document["type"] in (PERIOD, RESTATEMENT):
        policy = document["policy"]
        words = _POLICIES[Policy(policy)] if policy else "not declared"
        again = {"restates": document.get("restates", ""), "made_on": document.get("made_on", "")}
        return {"policy_words": words, "totals": _totals(document["balance"]["lines"]), **again}
    if document["type"] == CONSENT:
        return {}
    crop = form_words(document.get("form") or document["crop"])
    return {"what": crop[:1].upper() + crop[1:]}


def _totals(lines: Sequence[Mapping[str, Any]]) -> list[dict[str, object]]:
    """Add the equations of a crop and harvest year up, where there are several; each adds up like its parts."""
    sums: dict[tuple[str, int], list[Mapping[str, Any]]] = defaultdict(list)
    for line in lines:
        sums[line["crop"], line["harvest_year"]].append(line)
    return [
        {"crop": f"All {crop}", "harvest_year": year, "ci_g_per_bu": f"{len(of)} CIs"}
        | {name: show(sum(parse(line[name]) for line in of)) for name in _SUMS}
        for (crop, year), of in sums.items()
        if len(of) > 1
    ]
