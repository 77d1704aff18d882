"""The papers behind a statement: what they say for it, and whether a statement says what they do.

A hash names a paper and is no paper: who signs with this program shows the sample, the log of findings, the period
statements and the package that the statement names, and each is held against it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final

from provender.audit.findings import Bearing, Finding, Resolution, Told, dealt_with, open_of, words_of
from provender.audit.outcome import Speaks, State, inside, rows_of, state_of
from provender.audit.programme import TASK, Role
from provender.audit.sampling.population import Judge, sample_hash
from provender.audit.sampling.sample import KIND as SAMPLE_KIND
from provender.audit.sampling.sample import Extent, check_sample, draw_notes
from provender.audit.statement import opinion
from provender.audit.statement import statement as statements
from provender.audit.statement.opinion import PackageFacts, against_package, check_signing
from provender.audit.statement.opinion import problem as _problem
from provender.days import iso_day
from provender.exact import CI_SCALE, parse, show
from provender.problem import Problem, Weight, counted, listed, refuse
from provender.schema import infos, write
from provender.signing.canonical import canonical_json, document_hash, sha256_hex
from provender.signing.jws import MEANING, Checked, Status, check
from provender.signing.keys import PublicKey

STATEMENT_NAME: Final = "statement.json"
SAMPLE_NAME, FINDINGS_NAME, PACKAGE_NAME = "sample.json", "findings.jsonl", "package.zip"
RECORDS_FOLDER: Final = "records/"
"""What the papers are called in the one file that a server gives them in, the statement first."""
PERIOD_TYPE: Final = "custody-period-statement"
"""As ``provender.custody.documents.build`` names the statement of a closed period."""
REPORT_TYPE: Final = "biofuel-feedstock-report"
"""As ``provender.report.document`` names a farm's report."""
_RECORD: Final = "2100.034(c)"
KeysOf = Callable[[str], Mapping[str, PublicKey]]
UNKNOWN_SIGNER: Final = "signature_signer_unknown"
REPORT: Final = "report"
"""What ``Record.what`` calls a farm's report."""


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What recomputing the package gave."""

    mark: str  # of the package
    facts: PackageFacts  # what it shows of the audit
    outcomes: Sequence[Speaks]  # the answers of its checks; differences: their place and words
    differences: Sequence[Told]
    off: frozenset[Told] = frozenset()  # those by which a claim is wrong by so many grams

    @classmethod
    def of(
        cls, mark: str, facts: PackageFacts, outcomes: Sequence[Speaks], differences: Iterable[Mapping[str, Any]]
    ) -> "Recomputed":
        """Return what recomputing gave, of differences as ``Difference.as_json`` writes them."""
        told = {
            (one["place"], words_of(one["claimed"], one["recomputed"])): one["effect_g_co2e"] for one in differences
        }
        off = frozenset(name for name, grams in told.items() if grams not in (None, "0"))
        return cls(mark, facts, outcomes, list(told), off)

    def settles(self, cite: str) -> bool:
        """Tell whether a line of the programme is answered by recomputation.

        Without keys that the verifier pinned, what comes from others rests on the package's own word.
        """
        own = [one for one in self.outcomes if self.facts.own_keys or getattr(one, "check", "") in _WITHOUT_KEYS]
        spoken = [one for one in self.outcomes if state_of([one], cite) is not State.OPEN]
        return state_of(self.outcomes, cite) is State.SETTLED and all(one in own for one in spoken)


_WITHOUT_KEYS: Final = frozenset(
    {"records", "stir", "verdicts", "calculator runs", "same inputs, same CI", "weighted average", "completeness",
     "evidence", "evidence index", "photographs", "sample"}
)  # fmt: skip
"""Checks that judge a farm's own records or redraw a sample; every other rests on whose a signature is."""


@dataclass(frozen=True, slots=True)
class Papers:
    """What is shown to whoever signs; None where it is not shown.

    ``records`` are period statements and reports, in their signed envelopes or bare; ``keys`` are those of the audited
    party that the verifier knows.
    """

    sample: Mapping[str, Any] | None = None
    findings: Sequence[Finding] | None = None
    records: Sequence[Mapping[str, Any]] = ()
    recomputed: Recomputed | None = None
    keys: Mapping[str, PublicKey] = field(default_factory=dict)
    signers: tuple[str, ...] | None = None  # to whom the key that signs is pinned; None where there is no list of keys
    keys_of: KeysOf = lambda _: {}  # of a verifier by its id, as far as they are pinned
    lists: Sequence[Mapping[str, Any]] = ()  # other lists of farms, frozen or drawn from, that the verifier holds
    replaced: Sequence[Mapping[str, Any]] = ()  # lists of this audit that were frozen anew in the open, before the draw


def period_part(papers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return records and verified quantities of ``Work`` from statements of closed periods, or from a farm's reports.

    Raises:
        ProblemsError: one is neither, or its balance is not what its hash says.
    """
    records: list[dict[str, str]] = []
    sums: dict[tuple[str, int, int], tuple[int, int]] = {}
    for document in sorted(map(inside, papers), key=lambda each: str(each.get("start"))):
        records.append(_record_of(document))
        for key, bushels, pounds in _amounts(document):
            before = sums.get(key, (0, 0))
            sums[key] = (before[0] + bushels, before[1] + pounds)
    quantities = [opinion.Quantity(*key, *amounts) for key, amounts in sorted(sums.items())]
    return {"records": records, "quantities": [write(row) for row in quantities]}


def _amounts(document: Mapping[str, Any]) -> Iterator[tuple[tuple[str, int, int], int, int]]:
    """Yield crop, harvest year and CI of each line of a record, with bushels and pounds that came in or were grown."""
    try:
        if document["type"] == REPORT_TYPE:
            ci = parse(document["farm_ci_g_per_bu"], CI_SCALE)
            yield (str(document["crop"]), int(document["harvest_year"]), ci), parse(document["total_bushels"]), 0
            return
        for line in document["balance"]["lines"]:
            pounds = sum(parse(form["incoming"]) for form in line["forms"] if form["unit"] == "lb")
            key = (str(line["crop"]), int(line["harvest_year"]), parse(line["ci_g_per_bu"], CI_SCALE))
            yield key, parse(line["incoming_bu"]), pounds
    except (AttributeError, KeyError, TypeError, ValueError):
        cause = "A line of the record cannot be read."
        raise refuse("record", cause, "Ask the party for the signed original.", cite="2100.034(c)") from None


def _record_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Return a period statement or a report as a record behind the quantities; errors as ``period_part``."""
    try:
        if document["type"] == REPORT_TYPE:
            day = str(document["made_on"])
            return {"what": REPORT, "first": day, "last": day, "sha256": document_hash(dict(document))}
        balance, mark = document["balance"], document["balance_sha256"]
        record = {"what": opinion.PERIOD, "first": document["start"], "last": document["end"], "sha256": mark}
        sound = document["type"] == PERIOD_TYPE and sha256_hex(canonical_json(balance)) == mark
        sound = sound and (balance["start"], balance["end"]) == (record["first"], record["last"])
    except (KeyError, TypeError, ValueError):
        sound, record = False, {}
    if not sound:
        cause = "This is no statement of a closed period with the balance it was closed with, and no report of a farm."
        raise refuse("record", cause, "Ask the party for the signed original.", cite="2100.034(c)")
    return record


def _party_of(document: Mapping[str, Any]) -> str:
    """Return whose record a document is, by its own words; empty where it does not say."""
    part, name = ("farm", "farm_id") if document.get("type") == REPORT_TYPE else ("entity", "id")
    named = document.get(part)
    return str(named.get(name, "")) if isinstance(named, Mapping) else ""


def sample_part(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a statement says of the sample that it rests on."""
    drawn = {"farms": sample["farms"], "sampled": len(sample["sample"]), "sample_hash": sample_hash(sample)}
    return {**drawn, "draw": tuple(draw_notes(sample))}


def farm_rows(sample: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each drawn farm, in the order of the sample file; exempted ones are answered."""
    rows = []
    for number, (_, treatment) in enumerate(_drawn(sample), 1):
        row = {"farm": number, "way": "", "on": "", "by": ""}
        if treatment:
            row |= {"way": str(opinion.Way.EXEMPT), "on": treatment["decided_on"], "by": treatment["decided_by"]}
            row |= {"borrowed": treatment["borrowed_audit"]}
        rows.append(row)
    return rows


def blank_work(roles: Iterable[Role], papers: Papers) -> dict[str, Any]:
    """Return the work to fill in for a party's roles: what its papers say, and every line of the programme.

    One that recomputation settled is answered; by whom and when the package was recomputed stays to be said.
    """
    done = papers.recomputed
    lines = []
    for item in opinion.required_lines(*roles):
        settled = done is not None and item.kind != TASK and done.settles(item.cite)
        answer = str(opinion.Answer.RECOMPUTED) if settled else ""
        lines.append({"line": item.line, "cite": item.cite, "answer": answer, "by": "", "on": ""})
    return {
        "lines": lines,
        "sites": [dict.fromkeys(infos(opinion.SeenPlace), "")],
        "farms": farm_rows(papers.sample) if papers.sample else [],
        "differences": len(open_of(done.differences, papers.findings or ())) if done else 0,
    } | period_part(papers.records)


def _drawn(sample: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the farms of a sample file with the audit that stands for the whole of theirs, empty without."""
    exempt = {one["farm_id"]: one for one in sample["treatments"] if one["extent"] == Extent.EXEMPT}
    return [(farm, exempt.get(farm, {})) for farm in sample["sample"]]


def check_to_sign(one: statements.VerificationStatement, papers: Papers, as_of: date) -> list[Problem]:
    """Return all that stands against signing a statement on a day; commands, pages and the API ask nothing else."""
    return [*check_signing(one), *against_papers(one, papers), *_against_clock(one, papers, as_of)]


def against_papers(one: statements.VerificationStatement, papers: Papers) -> list[Problem]:
    """Return where a statement that vouches for something says other than its papers, or a paper is not shown."""
    if not statements.vouches(one):
        return []
    if papers.recomputed and papers.recomputed.mark != one.package_mark:
        papers = replace(papers, recomputed=None)  # another package shows nothing of what this one is about
    work, _ = opinion.read_part(opinion.Work, one.work or {})
    work = work or opinion.Work()
    return [
        *_signer(one, papers),
        *_sample(one, work, papers),
        *_findings(one, papers),
        *_records(work, papers),
        *_bound(one, papers),
        *_package(one, work, papers),
        *_days(one, work, papers),
    ]


def _signer(one: statements.VerificationStatement, papers: Papers) -> Iterator[Problem]:
    if papers.signers is not None and one.verifier not in papers.signers:
        whose = f"{listed(papers.signers)}'s" if papers.signers else "pinned to nobody"
        cause = f"The key that signs is {whose}; {one.verifier} states the opinion."
        weight = Weight.ERROR if papers.signers else Weight.CONFIRM
        yield _problem(cause, "Sign with the verifier's own key.", "key_of_another", "2100.041", weight)


def _days(one: statements.VerificationStatement, work: opinion.Work, papers: Papers) -> Iterator[Problem]:
    """Yield where the days of the papers and of the work are not in their order."""
    said, _ = opinion.read_part(opinion.Engagement, one.engagement or {})
    facts = papers.recomputed.facts if papers.recomputed else None
    frozen, drawn = draw_days(papers.sample)
    made = facts.made_on if facts else None
    reviewed = said.reviewed_on if said else None
    pairs: list[opinion.Ordered] = []
    closed = facts.closed_on(one.covered_first, one.covered_last) if facts else None
    for name, day in (("the last covered day", one.covered_last), ("the close", closed)):
        pairs += [(name, day, "The freeze of the farms", frozen), (name, day, "The package", made)]
    pairs += [("the engagement", said.engaged_on if said else None, "The freeze of the farms", frozen)]
    pairs += [("the draw", drawn, f"The visit to farm {row.farm}", row.on) for row in work.farms]
    pairs += [("the draw", drawn, "The package with the sample", made)] if facts and facts.sample_hash else []
    told = [day for each in papers.findings or () for day in (each.raised_on, each.resolved_on) if day is not None]
    pairs += [("a finding", max(told), "The review", reviewed)] if told else []
    by_machine = [row.on for row in work.lines if row.answer is opinion.Answer.RECOMPUTED]
    pairs += [("the package", made, "Its recomputation", min(by_machine))] if by_machine else []
    pairs += [("the package", made, "The review", reviewed), ("the package", made, "The issue", one.issued_on)]
    seen = [row.on for row in work.sites]
    seen += [row.on for row in work.farms if row.way is not opinion.Way.EXEMPT]
    pairs += [("the last visit", max(seen), "The package", made)] if seen else []
    yield from opinion.out_of_order(pairs, "days_out_of_order")


def draw_days(sample: Mapping[str, Any] | None) -> tuple[date | None, date | None]:
    """Return the day on which the farms were frozen, and the first on which they can have been drawn."""
    frozen = sample.get("frozen") if sample else None
    if not isinstance(frozen, Mapping):
        return None, None
    opened = sample.get("opened") if sample else None
    parts = [one for one in (frozen.get("beacon"), opened) if isinstance(one, Mapping)]
    days = [frozen.get("frozen_on"), *(one.get("on") for one in parts)]
    known = [day for day in map(iso_day, days) if day is not None]
    return iso_day(frozen.get("frozen_on")), max(known, default=None)


def _against_clock(one: statements.VerificationStatement, papers: Papers, as_of: date) -> list[Problem]:
    """Return the days that are to come, and that the accreditation does not hold today as well."""
    said, _ = opinion.read_part(opinion.Engagement, one.engagement or {})
    work, _ = opinion.read_part(opinion.Work, one.work or {})
    facts = papers.recomputed.facts if papers.recomputed else None
    done = [day for _, day in opinion.deeds(work)] if work else []
    days = [("Issued", one.issued_on), ("Work was done", max(done, default=date.min))]
    days += [("Engaged", said.engaged_on), ("Reviewed", said.reviewed_on)] if said else []
    days += [("The package was made", facts.made_on)] if facts else []
    frozen, drawn = draw_days(papers.sample)
    days += [("The farms were frozen", frozen or date.min), ("The farms were drawn", drawn or date.min)]
    ahead = [f"{words} on {day}" for words, day in days if day > as_of]
    found = [_problem(f"{', '.join(ahead)}: after {as_of}.", "Check the days.", "ahead_of_clock")] if ahead else []
    known = {each.code for each in statements.check_accreditation(one.accreditation, one.issued_on)}
    return found + [each for each in statements.check_accreditation(one.accreditation, as_of) if each.code not in known]


def _sample(one: statements.VerificationStatement, work: opinion.Work, papers: Papers) -> Iterator[Problem]:
    cite = "2100.040(a)(3)"
    if one.farms is None:
        return
    if papers.sample is None:
        cause = "The sample file that the statement names was not shown."
        yield _problem(cause, "Give it (--sample).", "sample_not_shown", cite)
        return
    drawn = {} if check_sample(papers.sample) else sample_part(papers.sample)
    if (one.farms, one.sampled, one.sample_hash) != tuple(map(drawn.get, ("farms", "sampled", "sample_hash"))):
        cause = "The statement rests on another sample than the file that was shown, or the file does not redraw."
        yield _problem(cause, "Draft the statement from this file.", "other_sample", cite)
        return
    if tuple(drawn["draw"]) != one.draw:
        cause = f"The statement tells other than the sample of its draw: {' '.join(drawn['draw']) or 'nothing is told'}"
        yield _problem(cause, "Draft the statement from this file.", "draw_not_told", cite)
    bound_to = papers.sample["frozen"].get("audited", one.audited)
    if bound_to != one.audited:
        cause = f"The sample was drawn for an audit of {bound_to}."
        yield _problem(cause, "Show this party's.", "sample_of_another", cite)
    years = {*range(one.covered_first.year, one.covered_last.year + 1), *(row.harvest_year for row in work.quantities)}
    if papers.sample["year"] not in years:
        cause = f"The sample is of {papers.sample['year']}; the statement of {', '.join(map(str, sorted(years)))}."
        yield _problem(cause, "Draw for the year of this audit.", "sample_of_other_year", cite)
    yield from _drawn_twice(one, papers)
    for signer, wrong in proof_problems(papers.sample, papers.keys_of, one.issued_on):
        weight = Weight.CONFIRM if papers.signers is None and wrong.code == UNKNOWN_SIGNER else Weight.ERROR
        cause = f"By {signer}'s statement farms of the sample are drawn less often. {wrong.cause}"
        yield _problem(cause, wrong.remedy, "audited_before_not_proved", wrong.cite, weight)
    if papers.recomputed:
        facts = papers.recomputed.facts
        if facts.sample_hash not in ("", one.sample_hash):
            cause = (
                f"The package holds the sample {facts.sample_hash[:12]}; the statement names {one.sample_hash[:12]}."
            )
            yield _problem(cause, "Rest on the sample of the package.", "sample_not_in_package", cite)
        yield from _other_population(papers.sample, facts)
    yield from _not_exempted(work, papers.sample)


def _other_population(sample: Mapping[str, Any], facts: PackageFacts) -> Iterator[Problem]:
    """Yield where the farms of a sample are not those that supplied by the book, or not with their bushels."""
    drawn = {(str(row["farm_id"]), str(row["crop"])): parse(str(row["bushels"])) for row in sample["population"]}
    booked = {(row.farm, row.crop): row.bushels for row in facts.supplied}
    if drawn == booked:
        return
    farms, there = ({farm for farm, _ in rows} for rows in (booked, drawn))
    wrong = sorted({key for key in {*drawn, *booked} if drawn.get(key) != booked.get(key)})
    each = ((" ".join(key), _said(booked.get(key)), _said(drawn.get(key))) for key in wrong)
    told = listed((f"{key}: {right} by the book, {said} in the sample" for key, right, said in each), 3, "; ")
    cause = f"By its book {facts.audited} has {counted(len(farms), 'supplying farm')}; the sample was drawn from "
    cause += f"{len(there)}. {told}."
    yield _problem(
        cause,
        "Draw from the farms that supplied: `provender audit population`.",
        "other_population",
        "2100.040(a)(3)(i)",
    )


def _said(bushels: int | None) -> str:
    return "nothing" if bushels is None else f"{show(bushels, group=True)} bu"


def _not_exempted(work: opinion.Work, sample: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield each farm that the statement calls exempted and the sample file does not."""
    borrowed = [treatment.get("borrowed_audit", "") for _, treatment in _drawn(sample)]
    for row in work.farms:
        exempt = borrowed[row.farm - 1] if 0 < row.farm <= len(borrowed) else ""
        if row.way is opinion.Way.EXEMPT and (not exempt or row.borrowed != exempt):
            cause = f"Farm {row.farm} is said to be exempted; the sample file does not say so."
            yield _problem(
                cause, "Decide it in the sample (--decisions), or audit the farm.", "not_exempted", "2100.040(b)(2)"
            )


def _drawn_twice(one: statements.VerificationStatement, papers: Papers) -> Iterator[Problem]:
    """Yield every other list of farms of this point and year: one frozen anew could be drawn until it suits."""
    mine = papers.sample or {}
    told = [(other, Weight.ERROR) for other in papers.lists] + [(other, Weight.CONFIRM) for other in papers.replaced]
    for other, weight in told:
        frozen = other.get("frozen") if other.get("kind") == SAMPLE_KIND else other
        if not isinstance(frozen, Mapping):
            continue
        mark = document_hash(dict(frozen))
        carried = mark in mine["frozen"].get("earlier", ())  # the sample tells of it and keeps what it drew
        # Another verifier that came later and carries this draw changes nothing of it.
        of_other = frozen.get("verifier") not in (None, mine["frozen"].get("verifier"))
        carried |= of_other and mine["frozen_hash"] in frozen.get("earlier", ())
        alike = frozen.get("year") == mine["year"] or frozen.get("population_hash") == mine["population_hash"]
        if frozen.get("audited", one.audited) != one.audited or not alike or mark == mine["frozen_hash"]:
            continue
        by = f" by another verifier, {frozen.get('verifier')}" if of_other else ""
        cause = (
            f"The farms of {one.audited} for {mine['year']} were frozen twice: {mine['farms']} farms on "
            f"{mine['frozen']['frozen_on']} ({mine['frozen_hash'][:12]}), {frozen.get('farms')} on "
            f"{frozen.get('frozen_on')} ({mark[:12]}){by}."
        )
        remedy = "Rest on the first, or carry it (--earlier); a point is drawn from once a year."
        yield _problem(cause, remedy, "frozen_twice", "2100.040(a)(3)", Weight.CONFIRM if carried else weight)


def _findings(one: statements.VerificationStatement, papers: Papers) -> Iterator[Problem]:
    if papers.findings is None:
        remedy = "Give it (--findings); an empty file where nothing was found."
        yield _problem("The log of findings was not shown.", remedy, "findings_not_shown")
    elif [dict(row) for row in one.findings] != [finding.public() for finding in papers.findings]:
        cause = "The findings of the statement are not those of the log as they stand."
        yield _problem(cause, "Take them from the log: draft the statement again.", "other_findings")


def _records(work: opinion.Work, papers: Papers) -> Iterator[Problem]:
    """Yield each record that no shown paper is, and that the quantities are not what the papers sum to."""
    shown = {_record_of(inside(each))["sha256"]: each for each in papers.records}
    left = [row for row in work.records if row.sha256 not in shown]
    for row in left:
        cause = f"The {row.what} {row.first} to {row.last} was not shown."
        yield _problem(cause, "Give it (--period).", "record_not_shown", "2100.034(c)")
    if left or not (work.records or work.quantities):
        return
    again = period_part(shown[row.sha256] for row in work.records)
    stated, records = (sorted(rows, key=str) for rows in (map(write, work.records), again["records"]))
    amounts = {(row.crop, row.harvest_year, row.ci_g_per_bu): (row.bushels, row.pounds) for row in work.quantities}
    there, _ = opinion.read_part(opinion.Work, again)
    right = {(row.crop, row.harvest_year, row.ci_g_per_bu): (row.bushels, row.pounds) for row in there.quantities}
    if stated != records or amounts != right:
        cause = "The verified quantities are not what the records shown sum to."
        yield _problem(cause, "Draft them from the period statements or reports.", "other_quantities", "2100.034(d)")


def _borne_out(paper: Mapping[str, Any], papers: Papers) -> bool:
    """Tell whether the recomputed package of the party whose record it is shows it too."""
    done, document = papers.recomputed, inside(paper)
    return (
        done is not None
        and done.facts.audited == _party_of(document)
        and _record_of(document)["sha256"] in done.facts.records
    )


def _bound(one: statements.VerificationStatement, papers: Papers) -> Iterator[Problem]:
    """Yield each record that nothing binds to the audited party, or that is the party's by its own word alone.

    What binds one is its signature by a pinned key, or the recomputed package of the party.
    """
    for paper in papers.records:
        record, party = _record_of(inside(paper)), _party_of(inside(paper))
        name = f"The {record['what']} {record['first']} to {record['last']}"
        status = check(paper, papers.keys, typ=f"{inside(paper).get('type')}+json").status
        signed, borne_out = "signature" in paper, _borne_out(paper, papers)
        if papers.recomputed and party == one.audited and record["sha256"] not in papers.recomputed.facts.records:
            cause = f"{name} is not in the books of the package, or not with this balance."
            yield _problem(cause, "Show the record that the books bear out.", "record_not_in_package", _RECORD)
        if party != one.audited:
            cause = f"{name} is {party or 'nobody'}'s; {one.audited} is audited."
            yield _problem(cause, "Show the audited party's own.", "record_of_another", _RECORD)
        elif not signed and one.opinion is statements.Opinion.FAVOURABLE and not borne_out:
            cause = f"{name} carries no signature, and no recomputed package of {one.audited} bears it out."
            remedy = "Have the party sign it, or show the package (--package)."
            yield _problem(cause, remedy, "record_not_signed", _RECORD)
        elif signed and status is not Status.VALID and (papers.keys or status is not UNKNOWN):
            cause, remedy = MEANING[status]
            yield _problem(f"{name}: {cause}", remedy, f"record_{status}", _RECORD)
        if not signed and not borne_out:
            cause = f"{name} is not signed by the party; it is what whoever keeps its book says of it."
            yield _problem(cause, "Have the party sign it.", "record_not_signed", _RECORD, Weight.CONFIRM)
        elif signed and not borne_out and not papers.keys and status is UNKNOWN:
            cause = f"{name} is signed by a key that is not pinned."
            yield _problem(cause, "Pin the party's key (--pinned).", "record_key_unknown", _RECORD, Weight.CONFIRM)


UNKNOWN: Final = Status.SIGNER_UNKNOWN
"""The signature is whole, by a key that is not known to be the party's."""


def _package(one: statements.VerificationStatement, work: opinion.Work, papers: Papers) -> Iterator[Problem]:
    if not one.package_mark:
        return
    done = papers.recomputed
    if done is None or done.mark != one.package_mark:
        cause = "The package that the statement names was not shown, or it is another one."
        yield _problem(cause, "Give it (--package).", "package_not_shown")
        return
    yield from against_package(one, work, done.facts)
    # A statement may tell of more: packages of drawn farms that were recomputed apart differ too.
    left = open_of(done.differences, papers.findings or ())
    if len(left) > work.differences:
        lacking = counted(
            len(left), "difference of the package is no finding", "differences of the package are no findings"
        )
        cause = f"{lacking}; the statement says {work.differences}."
        first = f" The first: --subject {left[0][0]!r}, --text {left[0][1]!r}." if left else ""
        remedy = f"Raise a finding for each, with the place and the words of the difference.{first}"
        yield _problem(cause, remedy, "differences_not_stated")
    yield from _judged_otherwise(done, papers.findings or ())
    asked = {item.line: item for item in opinion.required_lines(*one.roles)}
    by_machine = [row.line for row in work.lines if row.answer is opinion.Answer.RECOMPUTED]
    for item in (asked[line] for line in by_machine if line in asked):
        if not done.settles(item.cite):
            without = "" if done.facts.own_keys else " without keys that you pinned"
            cause = f"{item.cite} is said to be recomputed; the package does not settle it{without}."
            remedy = "Answer the line yourself." if not without else "Pin the keys of the parties (--pinned)."
            yield _problem(cause, remedy, "not_settled", item.cite)


def _judged_otherwise(done: Recomputed, findings: Iterable[Finding]) -> Iterator[Problem]:
    """Yield each finding about a difference that the package still shows, and that was judged as if it did not."""
    for told, dealing in dealt_with(done.differences, findings):
        for one in dealing:
            answered = one.resolution is Resolution.EXPLAINED and one.response
            if one.resolution is Resolution.CORRECTED:
                cause = f"Finding {one.number} is called corrected; the package still shows the difference."
                yield _problem(cause, "Recompute a package of the corrected records.", "finding_contradicted")
            elif one.bearing is Bearing.NONE and told in done.off and not answered:
                cause = f"Finding {one.number} is called no misstatement; by the package a claim is wrong by grams."
                remedy = "Have the party explain it and end it as explained, or count the misstatement."
                yield _problem(cause, remedy, "finding_contradicted")


# Checking a verification statement that came with a transfer document, and keeping it (2100.030(d), .032(b)(2)).
#
# A statement speaks for the incoming claim of a day and crop only if the verifier's key is pinned and stands, the
# statement itself is sound, it is about the supplier, covers the day and crop, its opinion is favourable, and no
# addendum has taken it back. Everything else leaves the claim *unverified*, with the reason (interpretation 46).

TAKEN_BACK: Final = frozenset(
    {f"statement_{one}" for one in statements.LaterEffect if one is not statements.LaterEffect.STANDS}
)
"""Codes of the problem that an addendum made of a statement that was sound."""
_READABLE: Final = (KeyError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True, slots=True)
class Received:
    """A statement as received."""

    hash: str  # what addenda and transfer documents name it by; empty when it cannot be read
    kid: str  # fingerprint of the key that signed it, empty unless the signature fits
    # its content, None when signature or content cannot be relied on
    statement: statements.VerificationStatement | None
    problems: tuple[Problem, ...]  # everything that stands against it, whatever claim it is to cover
    ends_on: date | None = None  # the day from which addenda take it back, None while it stands
    notes: tuple[Problem, ...] = ()  # what it does not state; nothing of it stands against it

    def against(self, supplier: str, day: date, crop: str) -> list[Problem]:
        """Return why it does not speak for a claim from a supplier; nothing when the claim is verified."""
        problems = list(self.problems)
        one = self.statement
        if one is None:
            return problems or [_problem("No statement can be read.", "Ask the supplier for it.", "no_statement")]
        if one.audited != supplier:
            cause = f"The statement is about {one.audited}, not about {supplier}."
            problems.append(_problem(cause, "Ask for the supplier's own.", "other_party"))
        if not one.covers(day, crop):
            cause = (
                f"It covers {', '.join(one.crops)} from {one.covered_first} to {one.covered_last}, not {crop} on {day}."
            )
            problems.append(_problem(cause, "Wait for the statement that covers it.", "not_covered"))
        if not statements.favourable([], one):
            cause = f"Its opinion is {one.opinion.words}."
            problems.append(_problem(cause, "Do not resell the claim as reduced-CI.", "not_favourable"))
        return problems


def receive(
    envelope: object,
    pinned: Mapping[str, PublicKey],
    *,
    addenda: Iterable[object] = (),
    revoked: Mapping[str, date] | None = None,
    as_of: date,
) -> Received:
    """Check a signed statement and the addenda that came with it.

    Args:
        envelope: what ``read_json`` gave; anything at all is answered.
        pinned: keys of verifiers, by fingerprint.
        addenda: signed facts found later, in any order.
        revoked: the day from which a key no longer counts, by fingerprint.
        as_of: the day of receipt; later addenda are not effective yet.
    """
    checked = check(envelope, pinned, revoked=revoked)
    problems = [] if checked.valid else [_problem(*MEANING[checked.status], f"signature_{checked.status}")]
    statement = None
    try:
        statement = statements.VerificationStatement.read(checked.document) if checked.document is not None else None
    except _READABLE:
        cause = "What was signed is no verification statement, or parts of it cannot be read."
        problems.append(_problem(cause, f"Ask for a document of the kind {statements.KIND}.", "unreadable_statement"))
    if statement is not None:
        problems += _stated(statement)
        if statement.issued_on > as_of:
            cause = f"It is dated {statement.issued_on}, after {as_of}."
            problems.append(_problem(cause, "Check the days.", "issued_later"))
    later, ends_on = _addenda(addenda, checked, pinned, revoked, as_of)
    notes = tuple(problem for problem in problems if problem.weight is Weight.NOTE)
    against = tuple(problem for problem in (*problems, *later) if problem.weight is not Weight.NOTE)
    return Received(checked.hash, checked.kid, statement, against, ends_on, notes)


def signed_by(pinned: Mapping[str, PublicKey], as_of: date) -> Judge:
    """Return what tells what stands against a statement as proof of an earlier audit: its signer, its accreditation."""

    def judge(envelope: Mapping[str, Any]) -> list[Problem]:
        return [one for one in receive(envelope, pinned, as_of=as_of).problems if one.weight is Weight.ERROR]

    return judge


def proof_problems(sample: Mapping[str, Any], keys_of: KeysOf, day: date) -> Iterator[tuple[str, Problem]]:
    """Yield what stands against each statement that lowers the chance of farms, with its verifier."""
    for proof in rows_of(sample.get("proofs")):
        signer = str(inside(proof["statement"]).get("verifier"))
        yield from ((signer, one) for one in signed_by(keys_of(signer), day)(proof["statement"]))


_UNSAID: Final = frozenset({"incomplete", "no_sample", "no_materiality"})
"""Parts whose absence is told and decides nothing: a statement made elsewhere enters with what it states."""


def _stated(one: statements.VerificationStatement) -> list[Problem]:
    """Return what stands against a statement, and as a note what it does not state (interpretation 74).

    What it says against itself counts as it did; opinion, days, crops and accreditation decide what it vouches for.
    """
    found = statements.check_statement(one)
    problems = [replace(problem, weight=Weight.NOTE) if problem.code in _UNSAID else problem for problem in found]
    unsaid = [name for name, said in (("engagement", one.engagement), ("work done", one.work)) if not said]
    if unsaid:
        cause = f"It does not state: {', '.join(unsaid)}."
        note = _problem(cause, "Ask the verifier where you need it.", "not_stated")
        problems.append(replace(note, weight=Weight.NOTE))
    return problems


def _addenda(
    addenda: Iterable[object],
    statement: Checked,
    pinned: Mapping[str, PublicKey],
    revoked: Mapping[str, date] | None,
    as_of: date,
) -> tuple[list[Problem], date | None]:
    problems: list[Problem] = []
    ends: list[date] = []
    for envelope in addenda:
        checked = check(envelope, pinned, revoked=revoked)
        found: Mapping[str, Any] = checked.document or {}
        if found.get("kind") != statements.ADDENDUM_KIND or found.get("statement") != statement.hash:
            cause = "An addendum beside it is about another document or cannot be read."
            problems.append(_problem(cause, "Ask for the right one.", "other_addendum"))
            continue
        if not checked.valid or checked.kid != statement.kid:
            cause = "An addendum was not signed by the verifier of the statement."
            problems.append(_problem(cause, "Ask the verifier.", "addendum_not_signed"))
            continue
        try:
            day, effect = date.fromisoformat(found["on"]), statements.LaterEffect(found["effect"])
        except _READABLE:
            problems.append(_problem("An addendum has no day or effect.", "Ask the verifier.", "addendum_unreadable"))
            continue
        if effect is not statements.LaterEffect.STANDS and day <= as_of:
            ends.append(day)
            cause = f"The verifier has it {effect} from {day}: {found.get('text', '')}"
            problems.append(_problem(cause, "Ask for the statement that replaces it.", f"statement_{effect}"))
    return problems, min(ends, default=None)
