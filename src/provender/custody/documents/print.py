"""The documents of subpart D as PDF, with the signed JSON inside them."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

from provender.custody.documents.build import PERIOD, RESTATEMENT, SLIP, TRANSFER, form_words
from provender.custody.documents.consents import NOTICE
from provender.custody.events.trade import CONSENT
from provender.custody.model.entities import Policy
from provender.custody.queries.manual import is_right
from provender.exact import CI_SCALE, parse, show, weighted_mean
from provender.paper.pdf import Attachment, qr_svg, render
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
    document: Mapping[str, Any],
    *,
    envelope: Mapping[str, object] | None = None,
    fingerprint: str = "",
    address: str = "",
) -> bytes:
    """Print a transfer document, a sale slip, a period's statement or restatement, or a notice.

    The envelope, its signed form, is carried inside the PDF; without one every page says NOT SIGNED. The QR code holds
    the hash, behind the address where the paper is found on a server, if it is on one.

    Raises:
        KeyError: the document is of another type.
    """
    kind = document["type"]
    data = {**document, **_template_values(document), "fingerprint": fingerprint if envelope else "", "qr": ""}
    data["hash"] = envelope_hash(envelope) if envelope else ""
    images, attachments = {}, []
    if envelope:
        images["qr.svg"] = qr_svg(f"{address} {data['hash']}" if address else f"{data['hash']} {fingerprint}")
        data["qr"] = "qr.svg"
        attachments.append(
            Attachment(f"{kind}.json", canonical_json(envelope), "application/json", f"Signed document, {kind}")
        )
    template = files("provender.custody") / "templates" / _TEMPLATES[kind]
    day = date.fromisoformat(document.get("made_on") or document["closed_on"])
    return render(template, data, as_of=day, images=images, attachments=attachments)


def _template_values(document: Mapping[str, Any]) -> dict[str, object]:
    if document["type"] in (PERIOD, RESTATEMENT):
        policy = document["policy"]
        words = _POLICIES[Policy(policy)] if policy else "not declared"
        again = {"restates": document.get("restates", ""), "made_on": document.get("made_on", "")}
        again["typed"] = document.get("typed", ())
        return {"policy_words": words, "totals": _totals(document["balance"]["lines"]), **again}
    if document["type"] == CONSENT:
        return {}
    crop = form_words(document.get("form") or document["crop"])
    mean, lading = mean_ci(document, show), document.get("bill_of_lading", "")
    return {"what": crop[:1].upper() + crop[1:], "mean": mean, "lading": lading}


def mean_ci(document: Mapping[str, Any], write: Callable[[int, int], str]) -> str:
    """Write the mean carbon intensity of what was sold, by crop used; empty for other papers."""
    parts = [(parse(one["ci_g_per_bu"], CI_SCALE), parse(one["crop_used_bu"])) for one in document.get("cis", ())]
    mean = weighted_mean(parts)
    return "" if mean is None else write(mean, CI_SCALE)


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


# The manual of 2100.032(a) as PDF: what ``manual`` wrote as Markdown, laid out for people who keep paper.

_NUMBERED: Final = re.compile(r"\d+\. ")
_CELLS: Final = re.compile(r"(?<!\\)\|")


def manual_pdf(
    text: str,
    as_of: date,
    kind: str = "Documented system, 7 CFR 2100.032(a)",
    *,
    attachments: Sequence[Attachment] = (),
    picture: str = "",
) -> bytes:
    """Print a manual, or another paper that is written as one.

    The text is Markdown as ``manual`` writes it: headings, lists, tables and paragraphs, nothing else; a picture (SVG)
    stands below the title.
    """
    title, *lines = text.splitlines()
    data = {
        "kind": kind,
        "title": title.removeprefix("# "),
        "blocks": list(_blocks(lines)),
        "picture": "picture.svg" if picture else "",
    }
    return render(
        files("provender.custody") / "templates" / "manual.typ",
        data,
        as_of=as_of,
        attachments=attachments,
        images={"picture.svg": picture} if picture else {},
    )


def _blocks(lines: list[str]) -> Iterator[dict[str, object]]:
    """Return runs of lines of one kind, each as the template takes it."""
    for kind, run in groupby(lines, key=_kind):
        words = list(run)
        match kind:
            case "heading":
                for one in words:
                    yield {"kind": kind, "items": [one.removeprefix("## ")]}
            case "bullets":
                yield {"kind": kind, "items": [one.removeprefix("- ") for one in words]}
            case "steps":
                yield {"kind": kind, "items": [_NUMBERED.sub("", one, count=1) for one in words]}
            case "table":
                rows = [[cell.strip().replace("\\|", "|") for cell in _CELLS.split(one)[1:-1]] for one in words]
                yield {"kind": kind, "head": rows[0], "right": list(map(is_right, rows[1])), "rows": rows[2:]}
            case "text":
                yield {"kind": kind, "items": [" ".join(words)]}


def _kind(line: str) -> str:
    if line.startswith("## "):
        return "heading"
    if line.startswith("- "):
        return "bullets"
    if _NUMBERED.match(line):
        return "steps"
    return "table" if line.startswith("|") else "text" if line else ""
