"""What the verifier decided comes back through the audited party: it is held against the verifier's own copy."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.audit.findings import write_log
from provender.audit.outcome import CheckResult, State
from provender.audit.package.contents import HELD, PackageContents
from provender.audit.package.layout import FINDINGS, HEADER, REQUEST, Part, farm_path
from provender.audit.package.write import Header, LeftOut, Subject
from provender.audit.recompute.statements import recompute_decisions
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.sampling.sample import Extent, Failure, Treatment, draw_sample, sample_document
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit.farms import alike, asked
from tests.audit.findings.test_log import RAISED, RESOLVED, RESPONDED, log

DAY = date(2026, 11, 21)
OWN = f"{HELD}0-sample.json"


def sample(seed: str = "7", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as sample_document takes it
    return sample_document(draw_sample(asked(alike(25), seed)), **more)


def spared(extent: Extent = Extent.EXEMPT, still: str = "") -> Treatment:
    farm = sample()["sample"][0]
    return Treatment(farm, extent, "ST-9", "Verity LLC", 2026, "audited in June", "V. Moss", DAY, still)


def found(folder: Path, **files: Any) -> CheckResult:  # noqa: ANN401 - documents and bytes
    """Recompute over files; ``sample``, ``own``, ``findings``, ``own_log``, ``header`` and ``request`` say where."""
    names = {
        "sample": SAMPLE, "own": OWN, "findings": FINDINGS, "own_log": f"{HELD}1-findings.jsonl", "header": HEADER,
        "request": REQUEST,
    }  # fmt: skip
    made = {names[name]: one if isinstance(one, bytes) else canonical_json(one) for name, one in files.items()}
    return recompute_decisions(PackageContents(made, folder))


def test_the_verifiers_own_copy_settles_the_draw_and_without_it_the_verifier_is_told(tmp_path: Path) -> None:
    assert found(tmp_path, sample=sample(), own=sample()).state is State.SETTLED
    alone = found(tmp_path, sample=sample())
    assert (alone.state, alone.differences) == (State.OPEN, ())
    assert "bring your own copy" in alone.not_shown[0]


@pytest.mark.parametrize(
    ("forged", "part"),
    [
        (sample("8"), "seed"),
        (sample(treatments=[spared()]), "treatments"),
        ({**sample(), "audited_before": {"F003": [2025]}}, "audited before"),
    ],
)
def test_a_draw_that_agrees_with_itself_but_is_not_the_verifiers_is_named(
    tmp_path: Path, forged: dict[str, Any], part: str
) -> None:
    places = [one.place for one in found(tmp_path, sample=forged, own=sample()).differences]
    assert places == [f"{SAMPLE}, {part}"]


def test_every_decision_about_a_farm_is_told(tmp_path: Path) -> None:
    farm = sample()["sample"][1]
    failed = Failure(farm, "finding 1", "V. Moss", DAY)
    document = sample(treatments=[spared(Extent.PARTIAL, "cover crops")], failures=[failed])
    told = " ".join(found(tmp_path, sample=document, own=document).not_shown)
    assert "is partial by decision of V. Moss on 2026-11-21: audited in June. See the audit ST-9 of Verity LLC." in told
    assert "Still to do: cover crops." in told
    assert f"{farm} failed: finding 1. 19000 bu are on hold" in told


def test_an_open_finding_is_told_and_a_resolved_one_is_not(tmp_path: Path) -> None:
    whole = write_log(log(RAISED, RESPONDED))
    assert "Finding 1, major, is responded, due 2026-11-30" in found(tmp_path, findings=whole).not_shown[0]
    assert found(tmp_path, findings=write_log(log(RAISED, RESPONDED, RESOLVED))).not_shown == ()


def test_findings_that_do_not_hang_together_or_are_not_the_verifiers_are_named(tmp_path: Path) -> None:
    own = write_log(log(RAISED, RESPONDED))
    torn = own.splitlines(keepends=True)[1]
    assert [one.code for one in found(tmp_path, findings=torn).differences] == ["findings_damaged"]
    milder = write_log(log({**RAISED, "severity": "observation"}, RESPONDED))
    (other,) = found(tmp_path, findings=milder, own_log=own).differences
    assert (other.code, other.place) == ("findings_differ", f"{FINDINGS}, line 1")
    earlier = found(tmp_path, findings=write_log(log(RAISED)), own_log=own)
    assert (earlier.differences, "end 1 lines before" in earlier.not_shown[-1]) == ((), True)


def test_what_was_left_out_is_told_and_in_whose_name(tmp_path: Path) -> None:
    out = LeftOut(farm_path("F1", Part.EVIDENCE, "stand.jpg"), "ab" * 32, "seen on site")
    header = Header(
        Subject.FARM_REPORT, "F1", "One", DAY, DAY, "interim-2025", "provender", DAY, {}, (out,)
    ).document()  # fmt: skip
    asked = sign({"verifier": "verity"}, SigningKey.generate())
    told = found(tmp_path, header=header, request=asked).not_shown
    assert "stand.jpg (seen on site), SHA-256 abababababab." in told[0]
    assert "Leave was given in the name of verity with key" in told[1]
