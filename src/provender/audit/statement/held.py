"""What each field of a verification statement is held against, or why nothing can be (interpretation 90).

Whoever signs shows every paper; whoever receives a statement may hold some of them, and is told field by field what was
held against papers and what rests on the verifier's word.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any, Final

from provender.audit.statement import opinion, statement
from provender.audit.statement.papers import Papers, against_papers
from provender.exact import show
from provender.paper.pdf import Attachment, qr_svg, render
from provender.problem import Problem
from provender.schema import infos, write
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash


class Source(StrEnum):
    """What a field is held against."""

    PACKAGE = "package"
    SAMPLE = "sample"
    FINDINGS = "log of findings"
    RECORDS = "period statements and reports"
    KEY = "signature"
    """With the key that is pinned to the verifier."""
    RULE = "rule"
    CLOCK = "day of the check"
    PARTS = "other parts of the statement"
    WORD = "verifier's word"
    """Nothing can be held against it: names, judgments, and what happened before nobody but the verifier."""


PAPERS: Final = (Source.PACKAGE, Source.SAMPLE, Source.FINDINGS, Source.RECORDS)
"""What is shown beside a statement; the others are always at hand."""


def _fields(names: str, *sources: Source) -> dict[str, tuple[Source, ...]]:
    return dict.fromkeys(names.split(), sources)


FIELDS: Final[Mapping[str, tuple[Source, ...]]] = {
    # Whose statement about whom, as what, over what.
    **_fields("number objectives assurance materiality basis", Source.WORD),
    **_fields("audited", Source.PACKAGE, Source.SAMPLE, Source.RECORDS),
    **_fields("audited_name role also", Source.PACKAGE),
    **_fields("verifier", Source.KEY, Source.PACKAGE, Source.PARTS),
    **_fields("verifier_name lead_verifier independent_reviewer scope excepted", Source.PARTS),
    **_fields("criteria materiality_pct", Source.RULE),
    **_fields("crops covered_first covered_last", Source.PACKAGE, Source.RECORDS),
    **_fields("issued_on", Source.CLOCK, Source.PACKAGE, Source.PARTS),
    **_fields("farms sampled sample_hash draw", Source.SAMPLE, Source.PACKAGE),
    **_fields("package_mark", Source.PACKAGE),
    **_fields("findings", Source.FINDINGS, Source.PACKAGE),
    **_fields("opinion", Source.FINDINGS, Source.PACKAGE, Source.PARTS),
    # The certificate that the verifier shows.
    **_fields("accreditation.verifier accreditation.verifier_id", Source.PARTS),
    **_fields("accreditation.standard accreditation.body", Source.RULE),
    **_fields("accreditation.number accreditation.scope", Source.WORD),
    **_fields("accreditation.first accreditation.last accreditation.suspended", Source.CLOCK, Source.PARTS),
    **_fields("accreditation.memberships", Source.RULE, Source.CLOCK),
    # What was agreed and planned.
    **_fields(
        "engagement.engaged_by engagement.addressee engagement.party_responsibility engagement.verifier_responsibility "
        "engagement.impartiality engagement.sampling_plan engagement.later_facts", Source.WORD,
    ),
    **_fields("engagement.engaged_on", Source.SAMPLE, Source.PARTS, Source.CLOCK),
    **_fields("engagement.reviewed_on", Source.PACKAGE, Source.PARTS, Source.CLOCK),
    **_fields("engagement.retention_years engagement.risks.cite engagement.procedures.cite", Source.RULE),
    **_fields("engagement.team.name", Source.PARTS),
    **_fields(
        "engagement.team.part engagement.team.competence engagement.risks.risk engagement.risks.level "
        "engagement.risks.response engagement.procedures.procedure engagement.procedures.evidence "
        "engagement.procedures.result", Source.WORD,
    ),
    # What was done.
    **_fields("work.lines.line work.lines.cite", Source.RULE, Source.PACKAGE),
    **_fields("work.lines.answer work.lines.reason", Source.PACKAGE),
    **_fields("work.lines.by work.sites.by work.farms.by", Source.PARTS),
    **_fields("work.lines.on work.sites.on", Source.PACKAGE, Source.PARTS, Source.CLOCK),
    **_fields("work.sites.site", Source.PACKAGE),
    **_fields("work.sites.way work.sites.seen work.farms.way", Source.WORD),
    **_fields("work.farms.farm work.farms.borrowed", Source.SAMPLE),
    **_fields("work.farms.on", Source.SAMPLE, Source.PARTS, Source.CLOCK),
    **_fields(
        "work.records.what work.records.first work.records.last work.records.sha256", Source.RECORDS, Source.PACKAGE,
    ),
    **_fields(
        "work.quantities.crop work.quantities.harvest_year work.quantities.ci_g_per_bu work.quantities.bushels "
        "work.quantities.pounds", Source.RECORDS,
    ),
    **_fields("work.quantities.gallons", Source.WORD),
    **_fields("work.differences", Source.PACKAGE, Source.FINDINGS),
}  # fmt: skip
"""By the path of a field in the schema of the statement: what it is held against."""


@dataclass(frozen=True, slots=True)
class Holding:
    """What a statement was held against."""

    problems: tuple[Problem, ...]  # where it says other than the papers shown
    held: Mapping[Source, tuple[str, ...]]  # fields by the paper shown that they were held against
    not_held: Mapping[Source, tuple[str, ...]]  # fields that no paper shown was held against, by a paper that would be
    word: tuple[str, ...]  # fields that nothing can be held against

    def as_json(self) -> dict[str, object]:
        held, not_held = ({str(one): list(names) for one, names in each.items()} for each in (self.held, self.not_held))
        return {"held": held, "not_held": not_held, "verifiers_word": list(self.word)}


def hold(one: statement.VerificationStatement, papers: Papers) -> Holding | None:
    """Hold a statement against the papers that somebody has; one that is not shown is no fault of the statement.

    None for one that vouches for nothing: it is held against no paper.
    """
    if not statement.vouches(one):
        return None
    absent = {
        "package_not_shown": papers.recomputed is None, "sample_not_shown": papers.sample is None,
        "findings_not_shown": papers.findings is None, "record_not_shown": not papers.records,
    }  # fmt: skip
    problems = tuple(each for each in against_papers(one, papers) if not absent.get(each.code))
    # Another package than the one it names, or a sample where it names none, shows nothing of it.
    is_compared = {
        Source.PACKAGE: papers.recomputed is not None and papers.recomputed.mark == one.package_mark,
        Source.SAMPLE: papers.sample is not None and one.farms is not None,
        Source.FINDINGS: papers.findings is not None,
        Source.RECORDS: bool(papers.records),
    }
    shown = [source for source in PAPERS if is_compared[source]]
    held = {source: tuple(name for name, by in FIELDS.items() if source in by) for source in shown}
    left = {name for name, sources in FIELDS.items() if set(sources) & set(PAPERS) and not set(sources) & set(shown)}
    of_paper = {
        source: tuple(name for name, by in FIELDS.items() if name in left and source in by) for source in PAPERS
    }
    not_held = {source: names for source, names in of_paper.items() if names}
    return Holding(problems, held, not_held, tuple(name for name, by in FIELDS.items() if by == (Source.WORD,)))


def in_words(names: Iterable[str]) -> str:
    """Return fields as people read them, those of one part together: *number, work lines (by, on)*."""
    parts: dict[str, list[str]] = {}
    for name in names:
        part, _, field = name.replace("_", " ").rpartition(".")
        parts.setdefault(part.replace(".", " "), []).append(field)
    told = [", ".join(parts.pop("", []))] + [f"{part} ({', '.join(fields)})" for part, fields in parts.items()]
    return ", ".join(filter(None, told))


# The verification statement as PDF, with the signed JSON inside it, and what was found after it was signed.

# What a statement's paper prints of engagement and work: labels of the declarations, nothing where nothing is said.

_AGREED: Final = ("engaged_by", "engaged_on", "addressee", "sampling_plan", "retention_years", "later_facts")
_RESPONSIBLE: Final = ("party_responsibility", "verifier_responsibility", "impartiality")
_SEEN: Final = {"sites": opinion.SeenPlace, "farms": opinion.SeenFarm}


def engaged(one: statement.VerificationStatement) -> dict[str, Any]:
    """Return the parts of the paper that tell of engagement, work, quantities and uncorrected misstatements.

    Each part is empty where the statement does not say it, or says it in a form that cannot be read.
    """
    said, _ = opinion.read_part(opinion.Engagement, one.engagement or {})
    work, _ = opinion.read_part(opinion.Work, one.work or {})
    found: dict[str, Any] = {"agreed": [], "responsible": [], "lists": [], "reviewed_on": "", "work": None}
    if said is not None:
        plain, labels = write(said), infos(opinion.Engagement)
        found["agreed"] = [[labels[name].label, str(plain[name])] for name in _AGREED]
        found["responsible"] = [[labels[name].label, str(plain[name])] for name in _RESPONSIBLE]
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


def _work(one: statement.VerificationStatement, work: opinion.Work) -> dict[str, Any]:
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


_OPINIONS = {
    statement.Opinion.FAVOURABLE: "Favorable",
    statement.Opinion.QUALIFIED: "Favorable, with exceptions",
    statement.Opinion.ADVERSE: "Adverse: not to be relied on",
    statement.Opinion.DISCLAIMED: "No opinion could be formed",
}

_EFFECTS = {
    statement.LaterEffect.STANDS: "The statement stands.",
    statement.LaterEffect.REPLACED: "Replaced by the statement with hash",
    statement.LaterEffect.WITHDRAWN: "The statement is withdrawn from this day.",
}


def statement_pdf(
    one: statement.VerificationStatement,
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
    ended = (str(fact["effect"]).upper() for fact in facts if fact["effect"] != statement.LaterEffect.STANDS)
    data: dict[str, Any] = one.document() | {
        "opinion_words": _OPINIONS[one.opinion],
        "hash": envelope_hash(envelope) if envelope else "",
        "fingerprint": fingerprint if envelope else "",
        "watermark": "DRAFT" if envelope is None else next(ended, ""),
        **engaged(one),
        "later": [{**fact, "words": _EFFECTS[statement.LaterEffect(fact["effect"])]} for fact in facts],
        "qr": "",
    }
    attachments = []
    images = {}
    if envelope:
        attachments.append(
            Attachment(
                "statement.json", canonical_json(envelope), "application/json", f"Signed document, {statement.KIND}"
            )
        )
        attachments += [
            Attachment(
                f"later-{number}.json", canonical_json(added), "application/json", f"Signed, {statement.ADDENDUM_KIND}"
            )
            for number, added in enumerate(later, 1)
        ]
        images["qr.svg"] = qr_svg(f"{data['hash']} {fingerprint}")
        data["qr"] = "qr.svg"
    template = files("provender.audit") / "templates" / "statement.typ"
    return render(template, data, as_of=one.issued_on, images=images, attachments=attachments)
