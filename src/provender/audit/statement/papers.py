"""The papers behind a statement: what they say for it, and whether a statement says what they do.

A hash names a paper and is no paper: who signs with this program shows the sample, the log of findings, the period
statements and the package that the statement names, and each is held against it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from provender.audit.findings.log import Finding
from provender.audit.findings.programme import TASK
from provender.audit.recompute.checks import CheckResult, State, state_of
from provender.audit.sampling.drawn_farms import Extent
from provender.audit.sampling.sample_file import check_sample
from provender.audit.statement.engagement import Answer, Quantity, SeenPlace, Way, Work, read_part
from provender.audit.statement.opinion import PERIOD, required_lines
from provender.audit.statement.statement import CITE, FILE, Opinion, Role, VerificationStatement
from provender.plain import infos, write
from provender.problem import Place, Problem, refuse
from provender.quantity import CI_SCALE, parse
from provender.signing.canonical import canonical_json
from provender.signing.hashes import document_hash, sha256_hex

STATEMENT_NAME: Final = "statement.json"
SAMPLE_NAME, FINDINGS_NAME, PACKAGE_NAME = "sample.json", "findings.jsonl", "package.zip"
PERIODS_FOLDER: Final = "periods/"
"""What the papers are called in the one file that a server gives them in, the statement first."""
PERIOD_TYPE: Final = "custody-period-statement"
"""As ``provender.custody.documents.build`` names the statement of a closed period."""


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What recomputing the package gave: its mark, the answers of its checks, where differences lie."""

    mark: str
    outcomes: Sequence[CheckResult]
    differences: Sequence[str]


@dataclass(frozen=True, slots=True)
class Papers:
    """What is shown to whoever signs; None where it is not shown."""

    sample: Mapping[str, Any] | None = None
    findings: Sequence[Finding] | None = None
    records: Sequence[Mapping[str, Any]] = ()
    recomputed: Recomputed | None = None


def period_part(documents: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return records and verified quantities of ``Work`` from statements of closed periods.

    Raises:
        ProblemsError: one is no period statement, or its balance is not what its hash says.
    """
    records: list[dict[str, str]] = []
    sums: dict[tuple[str, int, int], tuple[int, int]] = {}
    for document in sorted(documents, key=lambda each: str(each.get("start"))):
        records.append(record_of(document))
        for key, bushels, pounds in _incoming(document):
            before = sums.get(key, (0, 0))
            sums[key] = (before[0] + bushels, before[1] + pounds)
    quantities = [Quantity(*key, *amounts) for key, amounts in sorted(sums.items())]
    return {"records": records, "quantities": [write(row) for row in quantities]}


def _incoming(document: Mapping[str, Any]) -> Iterator[tuple[tuple[str, int, int], int, int]]:
    """Yield crop, harvest year and CI of each line of a period statement, with bushels and pounds that came in."""
    try:
        for line in document["balance"]["lines"]:
            pounds = sum(parse(form["incoming"]) for form in line["forms"] if form["unit"] == "lb")
            key = (str(line["crop"]), int(line["harvest_year"]), parse(line["ci_g_per_bu"], CI_SCALE))
            yield key, parse(line["incoming_bu"]), pounds
    except (KeyError, TypeError, ValueError):
        cause = "A line of the period statement cannot be read."
        raise refuse("period statement", cause, "Ask the party for the signed original.", cite="2100.034(c)") from None


def record_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Return a period statement as a record behind the quantities; errors as ``period_part``."""
    try:
        sound = document["type"] == PERIOD_TYPE
        sound = sound and sha256_hex(canonical_json(document["balance"])) == document["balance_sha256"]
        record = {
            "what": PERIOD,
            "first": document["start"],
            "last": document["end"],
            "sha256": document["balance_sha256"],
        }
        sound = sound and (document["balance"]["start"], document["balance"]["end"]) == (
            record["first"],
            record["last"],
        )
    except (KeyError, TypeError, ValueError):
        sound, record = False, {}
    if not sound:
        cause = "This is no statement of a closed period, or its balance is not the one it was closed with."
        raise refuse("period statement", cause, "Ask the party for the signed original.", cite="2100.034(c)")
    return record


def farm_rows(sample: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each drawn farm, in the order of the sample file; exempted ones are answered."""
    rows = []
    for number, (_, treatment) in enumerate(_drawn(sample), 1):
        row = {"farm": number, "way": "", "on": "", "by": ""}
        if treatment:
            row |= {"way": str(Way.EXEMPT), "on": treatment["decided_on"], "by": treatment["decided_by"]}
            row |= {"borrowed": treatment["borrowed_audit"]}
        rows.append(row)
    return rows


def blank_work(role: Role, papers: Papers) -> dict[str, Any]:
    """Return the work to fill in for a role: what its papers say, and every line of the programme without an answer.

    A line that recomputation settled is answered; by whom and when the package was recomputed stays to be said.
    """
    done = papers.recomputed
    lines = []
    for item in required_lines(role):
        settled = done is not None and state_of(done.outcomes, item.cite) is State.SETTLED and item.kind != TASK
        answer = str(Answer.RECOMPUTED) if settled else ""
        lines.append({"line": item.line, "cite": item.cite, "answer": answer, "by": "", "on": ""})
    subjects = {finding.subject for finding in papers.findings or ()}
    return {
        "lines": lines,
        "sites": [dict.fromkeys(infos(SeenPlace), "")],
        "farms": farm_rows(papers.sample) if papers.sample else [],
        "differences": sum(place not in subjects for place in done.differences) if done else 0,
    } | period_part(papers.records)


def _drawn(sample: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the farms of a sample file with the audit that stands for the whole of theirs, empty without."""
    exempt = {one["farm_id"]: one for one in sample["treatments"] if one["extent"] == Extent.EXEMPT}
    return [(farm, exempt.get(farm, {})) for farm in sample["sample"]]


def against_papers(one: VerificationStatement, papers: Papers) -> list[Problem]:
    """Return where a statement that vouches for something says other than its papers, or a paper is not shown."""
    if one.opinion not in (Opinion.FAVOURABLE, Opinion.QUALIFIED):
        return []
    work, _ = read_part(Work, one.work or {})
    work = work or Work()
    found = [
        *_sample(one, work, papers),
        *_findings(one, papers),
        *_records(work, papers),
        *_package(one, work, papers),
    ]
    return [Problem(Place(FILE), cause, remedy, cite, code=code) for cause, remedy, code, cite in found]


Fault = tuple[str, str, str, str]


def _sample(one: VerificationStatement, work: Work, papers: Papers) -> Iterator[Fault]:
    cite = "2100.040(a)(3)"
    if one.farms is None:
        return
    if papers.sample is None:
        yield "The sample file that the statement names was not shown.", "Give it (--sample).", "sample_not_shown", cite
        return
    said = (one.farms, one.sampled, one.sample_hash)
    drawn = (papers.sample.get("farms"), len(papers.sample.get("sample", ())), document_hash(dict(papers.sample)))
    if said != drawn or check_sample(papers.sample):
        cause = "The statement rests on another sample than the file that was shown, or the file does not redraw."
        yield cause, "Draft the statement from this file.", "other_sample", cite
        return
    borrowed = [treatment.get("borrowed_audit", "") for _, treatment in _drawn(papers.sample)]
    for row in work.farms:
        exempt = borrowed[row.farm - 1] if 0 < row.farm <= len(borrowed) else ""
        if row.way is Way.EXEMPT and (not exempt or row.borrowed != exempt):
            cause = f"Farm {row.farm} is said to be exempted; the sample file does not say so."
            yield cause, "Decide it in the sample (--decisions), or audit the farm.", "not_exempted", "2100.040(b)(2)"


def _findings(one: VerificationStatement, papers: Papers) -> Iterator[Fault]:
    if papers.findings is None:
        remedy = "Give it (--findings); an empty file where nothing was found."
        yield "The log of findings was not shown.", remedy, "findings_not_shown", CITE
    elif [dict(row) for row in one.findings] != [finding.public() for finding in papers.findings]:
        cause = "The findings of the statement are not those of the log as they stand."
        yield cause, "Take them from the log: draft the statement again.", "other_findings", CITE


def _records(work: Work, papers: Papers) -> Iterator[Fault]:
    shown = {record_of(each)["sha256"]: each for each in papers.records}
    periods = [row for row in work.records if row.what == PERIOD]
    for row in periods:
        if row.sha256 not in shown:
            cause = f"The period statement {row.first} to {row.last} was not shown."
            yield cause, "Give it (--period).", "record_not_shown", "2100.034(c)"
    if periods and all(row.sha256 in shown for row in periods):
        again = period_part(shown[row.sha256] for row in periods)
        stated = sorted((write(row) for row in periods), key=str)
        amounts = {(row.crop, row.harvest_year, row.ci_g_per_bu): (row.bushels, row.pounds) for row in work.quantities}
        there, _ = read_part(Work, again)
        right = {(row.crop, row.harvest_year, row.ci_g_per_bu): (row.bushels, row.pounds) for row in there.quantities}
        if stated != sorted(again["records"], key=str) or amounts != right:
            cause = "The verified quantities are not what the period statements sum to."
            yield cause, "Draft them from the period statements.", "other_quantities", "2100.034(d)"


def _package(one: VerificationStatement, work: Work, papers: Papers) -> Iterator[Fault]:
    if not one.package_mark:
        return
    done = papers.recomputed
    if done is None or done.mark != one.package_mark:
        cause = "The package that the statement names was not shown, or it is another one."
        yield cause, "Give it (--package).", "package_not_shown", CITE
        return
    subjects = {finding.subject for finding in papers.findings or ()}
    open_now = sum(place not in subjects for place in done.differences)
    if open_now != work.differences:
        cause = f"{open_now} differences of the package are no findings; the statement says {work.differences}."
        yield cause, "Raise a finding for each, under the place it names.", "differences_not_stated", CITE
    asked = {item.line: item for item in required_lines(one.role)}
    for row in work.lines:
        item = asked.get(row.line)
        if row.answer is Answer.RECOMPUTED and item and state_of(done.outcomes, item.cite) is not State.SETTLED:
            cause = f"{item.cite} is said to be recomputed; the package does not settle it."
            yield cause, "Answer the line yourself.", "not_settled", item.cite
