"""The accreditation body of each statement, against the list of forum members that the verifier keeps."""

from pathlib import Path

import pytest

from provender.audit.outcome import CheckResult
from provender.audit.package.contents import FORUMS, PackageContents, with_verifiers_files
from provender.audit.package.layout import HEADER
from provender.audit.recompute.statements import recompute_accreditation
from provender.audit.statement.accreditation import read_forums
from provender.problem import ProblemsError
from provender.signing.canonical import canonical_json
from tests.audit import chain
from tests.audit.recompute.test_silence import ELEVATOR

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
