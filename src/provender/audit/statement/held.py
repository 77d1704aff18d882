"""What each field of a verification statement is held against, or why nothing can be (interpretation 90).

Whoever signs shows every paper; whoever receives a statement may hold some of them, and is told field by field what was
held against papers and what rests on the verifier's word.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from provender.audit.statement.papers import Papers, against_papers
from provender.audit.statement.statement import VerificationStatement, vouches
from provender.problem import Problem


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


def hold(one: VerificationStatement, papers: Papers) -> Holding | None:
    """Hold a statement against the papers that somebody has; one that is not shown is no fault of the statement.

    None for one that vouches for nothing: it is held against no paper.
    """
    if not vouches(one):
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
