"""The verification statement as PDF, with the signed JSON inside it, and what was found after it was signed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any, Final

from provender.audit.statement import opinion
from provender.audit.statement.statement import ADDENDUM_KIND, KIND, LaterEffect, Opinion, VerificationStatement
from provender.exact import show
from provender.paper.pdf import Attachment, qr_svg, render
from provender.schema import infos, write
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash

# What a statement's paper prints of engagement and work: labels of the declarations, nothing where nothing is said.

AGREED: Final = ("engaged_by", "engaged_on", "addressee", "sampling_plan", "retention_years", "later_facts")
RESPONSIBLE: Final = ("party_responsibility", "verifier_responsibility", "impartiality")
_SEEN: Final = {"sites": opinion.SeenPlace, "farms": opinion.SeenFarm}


def engaged(one: VerificationStatement) -> dict[str, Any]:
    """Return the parts of the paper that tell of engagement, work, quantities and uncorrected misstatements.

    Each part is empty where the statement does not say it, or says it in a form that cannot be read.
    """
    said, _ = opinion.read_part(opinion.Engagement, one.engagement or {})
    work, _ = opinion.read_part(opinion.Work, one.work or {})
    found: dict[str, Any] = {"agreed": [], "responsible": [], "lists": [], "reviewed_on": "", "work": None}
    if said is not None:
        plain, labels = write(said), infos(opinion.Engagement)
        found["agreed"] = [[labels[name].label, str(plain[name])] for name in AGREED]
        found["responsible"] = [[labels[name].label, str(plain[name])] for name in RESPONSIBLE]
        found["lists"] = [_table(labels[name].label, part, plain[name]) for name, part in opinion.LISTS.items()]
        found["reviewed_on"] = str(plain["reviewed_on"])
    return found | ({"work": _work(one, work)} if work is not None else {})


def _table(title: str, part: type[Any], rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a table for print; a column in which no row says anything is left out."""
    given = [{name: str(value) for name, value in row.items()} for row in rows]
    columns = [
        {"key": name, "label": f"{info.label}, {info.unit}" if info.unit not in ("", "bu", "lb") else info.label}
        for name, info in infos(part).items()
        if any(row.get(name, "") not in ("", "0") for row in given)
    ]
    return {"title": title, "columns": columns, "rows": given}


def _work(one: VerificationStatement, work: opinion.Work) -> dict[str, Any]:
    plain, labels = write(work, whole=True), infos(opinion.Work)
    texts = {item.line: item.text for item in opinion.required_lines(*one.roles)}
    lines = [{**row, "line": " ".join((texts.get(row["line"], ""), row["reason"])).strip()} for row in plain["lines"]]
    answers = Counter(row["answer"] for row in lines)
    return {
        "answers": ", ".join(f"{count} {answer}" for answer, count in sorted(answers.items())),
        "asked": len(texts),
        "lines": lines,
        "seen": [_table(labels[name].label, part, plain[name]) for name, part in _SEEN.items() if plain[name]],
        "quantities": _table(labels["quantities"].label, opinion.Quantity, plain["quantities"]),
        "records": plain["records"],
        "uncorrected": [
            {"unit": unit, "wrong": show(wrong, group=True), "claimed": show(claimed, group=True)}
            for wrong, claimed, unit in opinion.uncorrected(one, work)
        ],
    }


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
        "watermark": "DRAFT"
        if envelope is None
        else next((str(fact["effect"]).upper() for fact in facts if fact["effect"] != LaterEffect.STANDS), ""),
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
