"""The accreditation of each statement and the decisions of the verifier, held against his own lists."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from provender.audit.findings import write_log
from provender.audit.outcome import CheckResult, State
from provender.audit.package.contents import FORUMS, HELD, PackageContents, with_verifiers_files
from provender.audit.package.layout import FINDINGS, HEADER, REQUEST, Part, farm_path
from provender.audit.package.write import Header, LeftOut, Subject
from provender.audit.recompute.statements import recompute_accreditation, recompute_decisions
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.sampling.sample import Extent, Failure, Treatment, draw_sample, sample_document
from provender.audit.statement.accreditation import read_forums
from provender.problem import ProblemsError
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from tests.audit import chain
from tests.audit.farms import alike, asked
from tests.audit.findings.test_log import RAISED, RESOLVED, RESPONDED, log
from tests.audit.recompute.test_checks import ELEVATOR

# The accreditation body of each statement, against the list of forum members that the verifier keeps.

HEAD = "forum,body,first,last,source\n"
SUCCESSOR = "Global Accreditation Cooperation Incorporated"


def judged(rows: str | None, folder: Path, **changes: object) -> CheckResult:
    files = {chain.STATEMENT_ON_COOP: canonical_json(chain.statement_on_coop(chain.KEYS_OF["verity"], **changes))}
    files |= {HEADER: canonical_json(ELEVATOR.document())}
    lists = {} if rows is None else {FORUMS: (HEAD + rows).encode()}
    return recompute_accreditation(PackageContents(with_verifiers_files(files, chain.pins(), {}, lists), folder))


def test_without_a_list_the_word_of_the_statement_is_told_as_such(tmp_path: Path) -> None:
    outcome = judged(None, tmp_path)
    assert (outcome.differences, outcome.computed) == ((), 0)
    assert "--forums" in outcome.not_shown[0]
    assert "An Accreditor accredited Verity LLC" in outcome.not_shown[0]


@pytest.mark.parametrize(
    ("rows", "differs"),
    [
        (f"{SUCCESSOR},An Accreditor,2026-01-01,,list of 2026-10-01\n", ""),
        (f"{SUCCESSOR.upper()},AN  ACCREDITOR,2026-01-01,2026-02-02,x\n", ""),
        (f"{SUCCESSOR},An Accreditor,2026-01-01,2026-02-01,x\n", "no member of a forum on 2026-02-02"),
        (f"{SUCCESSOR},An Accreditor,2026-02-03,,x\n", "no member of a forum on 2026-02-02"),
        (f"{SUCCESSOR},Another Body,2020-01-01,,x\n", "does not have it"),
        ("IAF,An Accreditor,2010-01-01,2025-06-30,x\n", "no member of a forum on 2026-02-02"),
    ],
)
def test_the_body_is_looked_up_as_of_the_day_of_issue(rows: str, differs: str, tmp_path: Path) -> None:
    outcome = judged(rows, tmp_path)
    assert outcome.computed == 1
    assert [differs in one.recomputed for one in outcome.differences] == ([True] if differs else [])


def test_a_place_at_the_forum_s_end_is_for_the_verifier_through_2026(tmp_path: Path) -> None:
    outcome = judged("IAF,An Accreditor,2010-01-01,2025-12-31,x\n", tmp_path)
    assert outcome.differences == ()
    assert "does not have it in the successor" in outcome.not_shown[0]


@pytest.mark.parametrize(
    "raw",
    [b"", b"forum,body\nIAF,A\n", b"\xff\xfe", HEAD.encode(), f"{HEAD}EA,A,2020-01-01,,x\n".encode(),
     f"{HEAD}IAF,,2020-01-01,,x\n".encode(), f"{HEAD}IAF,A,1/1/2020,,x\n".encode(), f"{HEAD}IAF,A\n".encode()],
)  # fmt: skip
def test_what_is_no_list_of_members_is_refused(raw: bytes) -> None:
    with pytest.raises(ProblemsError) as refused:
        read_forums(raw, "forums.csv")
    assert {one.code for one in refused.value.problems} == {"no_forum_list"}


# What the verifier decided comes back through the audited party: it is held against the verifier's own copy.

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
def test_a_draw_that_is_whole_but_not_the_verifiers_is_named(tmp_path: Path, forged: dict[str, Any], part: str) -> None:
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
