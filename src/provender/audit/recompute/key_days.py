"""Each signed document against the days of its key: pinned days, rotations, revocations (interpretation 33).

A day is stated by the signer unless a trusted timestamp, or the counter-signature of somebody known, proves that the
document existed on it. After its last day a key signs nothing; what a revoked key signed counts only where it is proved
to be older than the revocation.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import HELD, PackageContents
from provender.audit.package.custody_section import contract_keys, papers, signatures_of
from provender.audit.package.layout import KEYS, Part, part_of
from provender.audit.recompute.statements import statements_of
from provender.audit.recompute.timestamps import days_of
from provender.report.typ import TYP
from provender.signing.jws import Checked, Status, check
from provender.signing.rotation import Span

CITE: Final = "2100.031(c)(3)"
CITES: Final = (CITE,)
_WHOLE: Final = frozenset({Status.VALID, Status.SIGNER_UNKNOWN})


@dataclass(frozen=True, slots=True)
class _Signed:
    """A signed document: what a person calls it, its file, whose it is, what its signature is."""

    name: str
    path: str
    party: str
    checked: Checked
    bushels: int | None = None


def recompute(case: PackageContents) -> CheckResult:
    """Hold every signature against the days of its key; follow what keys say of themselves."""
    told: list[str] = []
    said = case.key_statements
    differences = [Difference(one.code, CITE, one.path, one.claimed, one.found) for one in said.faults]
    differences += [*_unreadable(case), *_strangers(case, told)]
    undated: Counter[tuple[str, str, date]] = Counter()
    signed = [one for one in _signed(case) if one.checked.status in _WHOLE]
    stated = {day.path: (day.stated, day.proof.on if day.proof else None) for day in days_of(case)}
    for one in signed:
        day, proved = stated.get(one.path, (None, None))
        proofs = [at for at in (proved, one.checked.proved_on) if at is not None]
        differences += _judged(case, one, day, min(proofs, default=None), undated, told)
    for (party, kid, last), count in sorted(undated.items()):
        told.append(
            f"Key {kid[:12]} of {party} signed until {last}: nothing but its own word shows that "
            f"{count} documents under it are as old as that."
        )
    return CheckResult("days of keys", CITES, len(signed), tuple(differences), tuple(told))


def _signed(case: PackageContents) -> Iterator[_Signed]:
    keys = case.pins.keys
    for one in [*(one for farm in case.farms for one in farm.reports), *case.held_reports]:
        yield _Signed(one.name, one.path, one.key[0], check(one.envelope, keys, typ=TYP), one.bushels)
    for paper in papers(case):
        yield _Signed(f"{paper.name}, in {paper.path}", paper.path, paper.issuer, signatures_of(case)[paper.path])
    for path, received in statements_of(case).items():
        if received.statement is not None:
            yield _Signed(path, path, received.statement.verifier, check(case.json(path), keys))


def _judged(
    case: PackageContents, one: _Signed, day: date | None, proved: date | None,
    undated: Counter[tuple[str, str, date]], told: list[str],
) -> Iterator[Difference]:  # fmt: skip
    kid, by = one.checked.kid, f"signed with key {one.checked.kid[:12]}"
    gone = case.key_statements.revoked.get(kid)
    spans = case.pins.days_of(kid, one.party) or [case.key_statements.days(kid)]
    last = _ended(spans, day) if day else None
    if gone is not None and (proved is None or proved >= gone):
        words = (by, f"the key was revoked from {gone} on, and nothing proves that this is older")
        yield Difference("signed_with_revoked_key", CITE, one.name, *words, one.bushels)
    elif last is not None:
        words = (f"{by} on {day}", f"its last day was {last}")
        yield Difference("signed_after_last_day", CITE, one.name, *words, one.bushels)
    elif (until := _ended(spans, proved)) is not None:
        undated[one.party, kid, until] += 1
    first = min((start or date.min for start, _ in spans), default=date.min)
    if day is not None and day < first:
        told.append(f"{one.name}: dated {day}, {by}, which signs from {first} on: it was signed later than its date.")


def _ended(spans: Sequence[Span], day: date | None) -> date | None:
    """Return the last day of a key where it had ended by a day, or ends at all for None; None while it signs."""
    begun = [span for span in spans if day is None or min(span[0] or date.min, span[1] or date.max) <= day]
    last = max((end or date.max for _, end in begun), default=date.max)
    return last if last < (day or date.max) else None


def _unreadable(case: PackageContents) -> Iterator[Difference]:
    """Yield files that lie among the statements of keys and are none."""
    known = case.key_statements.read
    for path in case:
        if part_of(path) is Part.KEYS and path != KEYS and path.endswith(".json") and path not in known:
            words = ("what a key says of itself", "it cannot be read as that")
            yield Difference("key_statement_unreadable", CITE, path, *words)


def _strangers(case: PackageContents, told: list[str]) -> Iterator[Difference]:
    """Yield rotations between keys that nobody bound to anyone."""
    bound = set(case.pins.keys)
    for farm in case.farms:
        bound |= {row["key_fingerprint"] for row in farm.rows("producer") if row["key_fingerprint"]}
        bound |= {kid for _, keys in contract_keys(case, farm.farm_id) for kid in keys}
    issuers = {paper.issuer for paper in papers(case)} if case.key_statements.rotations else set()
    bound |= {kid for issuer in issuers for _, keys in contract_keys(case, issuer) for kid in keys}
    known = case.key_statements.family(bound)
    for one in case.key_statements.rotations:
        if one.old.fingerprint in known:
            continue
        words = (f"{one.new.fingerprint[:12]} takes over from {one.old.fingerprint[:12]}", "nobody pinned either key")
        if case.pins.own or one.path.startswith(HELD):
            yield Difference("rotation_by_stranger", CITE, one.path, *words)
        else:
            told.append(f"{one.path}: {words[0]}; {words[1]}.")
