"""What the verifier decided, as the audited party hands it back: seed, borrowed audits, findings, leave to leave out.

Whoever packs a whole audit holds the sample file, and could try seeds until the draw suits, spare a farm, or forget a
finding: the file would still agree with itself. So it is held against the verifier's own copy, and every decision in
it is told to the one whose decision it should be (interpretations 52, 53, 56).
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

from provender.audit.findings.log import Event, Finding, Stage, findings_now, read_log
from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import HELD, PackageContents
from provender.audit.package.layout import FINDINGS, REQUEST
from provender.audit.sampling.sample import KIND
from provender.audit.sampling.sample_file import PATH as SAMPLE
from provender.audit.shape import rows_of
from provender.problem import ProblemsError
from provender.signing.canonical import read_json
from provender.signing.jws import check

CITES: Final = ("2100.040(b)(2)",)
LEFT_OUT: Final = "2100.030(d)"
FOUND: Final = "2100.040(a)(2)"
_INPUTS: Final[Mapping[str, str]] = {
    "population_hash": "2100.040(a)(3)(i)",
    "seed": "2100.040(a)(3)(iii)",
    "size_asked": "2100.040(a)(3)(ii)",
    "added": "2100.040(a)(3)(iii)",
    "audited_before": "2100.040(a)(3)(iii)",
    "year": "2100.040(b)(2)",
    "treatments": "2100.040(b)(2)",
    "extensions": "2100.040(b)(1)",
}
"""What a sample follows from; all else in its file is drawn again."""
SHOWN: Final = 120


def recompute(case: PackageContents) -> CheckResult:
    """Hold sample and findings against the verifier's own copies, and tell every decision in them."""
    told: list[str] = []
    differences = [*_sample(case, told), *_findings(case, told)]
    _left_out(case, told)
    computed = (SAMPLE in case) + (FINDINGS in case) + len(case.header.left_out if case.header else ())
    return CheckResult("verifier's decisions", CITES, computed, tuple(differences), tuple(told))


def _sample(case: PackageContents, told: list[str]) -> Iterator[Difference]:
    document = _object(case, SAMPLE)
    if document is None:
        return
    own = next((one for path in _held(case, ".json") if (one := _object(case, path)) and one.get("kind") == KIND), None)
    if own is None:
        told.append("Seed and decisions are those of the sample file in the package; bring your own copy (--held).")
    told += _decided(document)
    for name, cite in _INPUTS.items():
        if own is not None and document.get(name) != own.get(name):
            words = (_brief(document.get(name)), f"{_brief(own.get(name))} in the verifier's own copy")
            yield Difference("sample_not_the_verifiers", cite, f"{SAMPLE}, {name.replace('_', ' ')}", *words)


def _decided(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the decisions about drawn farms, each with whose it is and why."""
    for farm, why in _pairs(document.get("added")):
        yield f"{farm} was added to the draw by judgment: {why}"
    for one in rows_of(document.get("treatments")):
        left = f" Still to do: {one['still_to_do']}." if one.get("still_to_do") else ""
        yield (
            f"{one.get('farm_id')} is {one.get('extent')} by decision of {one.get('decided_by')} on "
            f"{one.get('decided_on')}: {one.get('reason')}. See the audit {one.get('borrowed_audit')} of "
            f"{one.get('verifier')}.{left}"
        )
    for one in rows_of(document.get("extensions")):
        said = one.get("decision")
        decision = said if isinstance(said, Mapping) else {}
        added = ", ".join(map(str, one.get("added") or ())) or "no farm"
        yield (
            f"{decision.get('farm_id')} failed: {decision.get('reason')}. {one.get('held_bushels')} bu are on hold, "
            f"{one.get('extrapolated_bushels')} bu of farms like it may be touched; added: {added}."
        )


def _findings(case: PackageContents, told: list[str]) -> Iterator[Difference]:
    if FINDINGS not in case:
        return
    try:
        log = read_log(case[FINDINGS], FINDINGS)
        found = findings_now(log, FINDINGS)
    except ProblemsError as refused:
        for one in refused.problems:
            yield Difference("findings_damaged", FOUND, str(one.place), "a log that only grew", one.cause)
        return
    told += [_open(one) for one in found.values() if one.stage is not Stage.RESOLVED]
    for path in _held(case, ".jsonl"):
        own = read_log(case[path], path)
        yield from _other_log(log, own, path.removeprefix(HELD))
        if len(log) < len(own):
            told.append(f"The findings in the package end {len(own) - len(log)} lines before your own copy.")


def _open(one: Finding) -> str:
    return f"Finding {one.number}, {one.severity}, is {one.stage}, due {one.due}: {one.subject}. {one.text}"


def _other_log(log: Iterable[Event], own: Iterable[Event], name: str) -> Iterator[Difference]:
    """Yield the first line in which two logs differ; one that stops earlier is only the older of the two."""
    for line, (here, there) in enumerate(zip_longest(log, own), 1):
        if here is None:
            return
        if here != there:
            words = (_event(here), f"{_event(there)} in {name}")
            yield Difference("findings_differ", FOUND, f"{FINDINGS}, line {line}", *words)
            return


def _event(event: Event | None) -> str:
    return "nothing" if event is None else f"finding {event.get('finding')}, {event.get('deed')}, by {event.get('by')}"


def _left_out(case: PackageContents, told: list[str]) -> None:
    out = case.header.left_out if case.header else ()
    told += [f"Left out: {one.path} ({one.reason or 'no reason'}), SHA-256 {one.sha256[:12]}." for one in out]
    envelope = _object(case, REQUEST)
    if out and envelope is not None and not case.pins.own:
        said = envelope.get("document")
        who = said.get("verifier") if isinstance(said, Mapping) else "nobody"
        kid = check(envelope, {}).kid[:12] or "none"
        told.append(f"Leave was given in the name of {who} with key {kid}; is it yours? Bring your keys (--pinned).")


def _held(case: PackageContents, ending: str) -> Iterator[str]:
    return (path for path in case if path.startswith(HELD) and path.endswith(ending))


def _object(case: PackageContents, path: str) -> dict[str, Any] | None:
    """Return a file as a JSON object; None where there is none."""
    try:
        data = read_json(case[path], file=path) if path in case else None
    except ProblemsError:
        return None  # other checks say so
    return data if isinstance(data, dict) else None


def _pairs(value: object) -> Iterable[tuple[str, object]]:
    return value.items() if isinstance(value, Mapping) else ()


def _brief(value: object) -> str:
    text = "nothing" if value in (None, "", [], {}) else str(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."
