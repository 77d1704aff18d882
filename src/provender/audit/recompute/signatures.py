"""Who signed each report, statement and request, against the keys pinned to the parties (interpretation 33).

Whoever changes a report can sign it again, but only with a key of his own: that key is not the one the supply contract
binds to the farm. Keys are asked for in three places, each held by somebody else: the verifier's own list, the
contracts in the books of those who bought the crop, and the producer's record in the farm's package.
"""

from collections.abc import Iterator
from typing import Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import PackageContents
from provender.audit.package.custody_section import contract_keys
from provender.audit.package.farm_section import FarmPart, ReportFile
from provender.intensity.calculator import SIGNABLE
from provender.report.typ import TYP
from provender.signing.jws import MEANING, Checked, Status, check

CITES: Final = ("2100.031(c)(3)",)
CITE: Final = "2100.031(c)(3)"
_WHOLE: Final = frozenset({Status.VALID, Status.SIGNER_UNKNOWN})


def recompute(case: PackageContents) -> CheckResult:
    """Check every report's signature against every key that is known of its farm."""
    differences: list[Difference] = []
    told: list[str] = []
    computed = 0
    for farm in case.farms:
        differences += _unreadable(farm)
    mine = [(one, farm) for farm in case.farms for one in farm.reports]
    for one, owner in [*mine, *((copy, None) for copy in case.held_reports)]:
        checked = check(one.envelope, case.pins.keys, typ=TYP)
        if checked.status is Status.NOT_SIGNED or "document" not in one.envelope:
            told += _unsigned(one)
            differences += _should_be_signed(one)
            continue
        computed += 1
        differences += _signature(case, owner, one, checked)
        if not _pinned(case, one.key[0]):
            told.append(f"{one.name}: no key is pinned to {one.key[0]}; compare {checked.kid[:12]} with the farm.")
    if computed and not case.pins.own:
        told.append("Keys were taken from the package's own word; bring those of the supply contracts (--pinned).")
    return CheckResult("signatures", CITES, computed, tuple(differences), tuple(told))


def _unreadable(farm: FarmPart) -> Iterator[Difference]:
    read = {one.path for one in farm.reports}
    for path in farm.report_paths:
        if path not in read:
            yield Difference("report_unreadable", "2100.031(c)", path, "a Biofuel Feedstock Report", "not readable")
    for path in farm.idle_openings:
        words = ("what opens the roots of a report", "not readable, or of no report here")
        yield Difference("leaves_unreadable", "2100.031(c)", path, *words)


def _unsigned(one: ReportFile) -> list[str]:
    return [f"{one.name} is {one.document.get('label')} and not signed."]


def _should_be_signed(one: ReportFile) -> list[Difference]:
    if one.document.get("label") not in SIGNABLE:
        return []
    return [Difference("not_signed", CITE, one.name, "an official report", "it carries no signature", one.bushels)]


def _pinned(case: PackageContents, farm_id: str) -> bool:
    return bool(case.pins.of(farm_id) or contract_keys(case, farm_id))


def _signature(
    case: PackageContents, owner: FarmPart | None, one: ReportFile, checked: Checked
) -> Iterator[Difference]:
    if checked.status not in _WHOLE:
        cause = MEANING[checked.status][0]
        yield Difference(f"signature_{checked.status}", CITE, one.name, "signed by the producer", cause, one.bushels)
        return
    pinned = case.pins.of(one.key[0])
    if pinned and checked.kid not in pinned:
        yield _other_key(one, checked.kid, pinned, "the list of pinned keys")
    elif others := case.pins.others(checked.kid, one.key[0]):
        words = (f"signed by {one.key[0]}", f"signed with the key of {', '.join(others)}")
        yield Difference("signed_with_other_key", CITE, one.name, *words, one.bushels)
    elif case.pins.pins and not pinned and checked.status is Status.SIGNER_UNKNOWN:
        words = (f"signed with key {checked.kid}", "nobody pinned this key to anyone")
        yield Difference("signer_unknown", CITE, one.name, *words, one.bushels)
    for where, keys in contract_keys(case, one.key[0]):
        if checked.kid not in keys:
            yield _other_key(one, checked.kid, keys, where)
    on_file = _key_of_producer(owner, one) if owner else ""
    if on_file and checked.kid not in case.key_statements.family([on_file]):
        yield _other_key(one, checked.kid, frozenset({on_file}), "the producer's record")


def _other_key(one: ReportFile, kid: str, keys: frozenset[str], where: str) -> Difference:
    words = (f"signed with key {kid}", f"{where} has {', '.join(sorted(keys))}")
    return Difference("signed_with_other_key", CITE, one.name, *words, one.bushels)


def _key_of_producer(farm: FarmPart, one: ReportFile) -> str:
    producer = one.document["producer"]["producer_id"]
    return next((row["key_fingerprint"] or "" for row in farm.rows("producer") if row["producer_id"] == producer), "")
