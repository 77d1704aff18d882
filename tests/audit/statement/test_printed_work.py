"""The paper of a statement tells what it was engaged for, what was done, and what was left uncorrected."""

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pypdf import PdfReader

from provender.audit.programme import Role
from provender.audit.statement.opinion import Engagement, check_signing, required_lines
from provender.audit.statement.print import statement_pdf
from provender.audit.statement.statement import Opinion
from provender.schema import infos
from tests.audit.engaged import ENGAGEMENT, FINDING, WORK, answered, engaged
from tests.audit.verifier import statement

SUMS = (
    "100,000", "20,000", "6,000", "g CO2e/bu", "cdcdcdcd", "agreed on 2026-11-18", "Environmental information",
    "321.5 of 120,000 verified bushels", "110 of 110 lines", "materiality of 5 %", "misstatement",
)  # fmt: skip
LEFT = {**FINDING, "number": "2", "bearing": "misstatement", "effect_bushels": "321.5"}


def printed(**changes: object) -> str:
    pages = PdfReader(io.BytesIO(statement_pdf(engaged(**changes)))).pages
    return flat("".join(page.extract_text() for page in pages))


def flat(text: object) -> str:
    return "".join(str(text).replace("\u200b", "").split())


def texts(value: Any) -> Iterator[str]:  # noqa: ANN401 - a part as it is written
    if isinstance(value, dict):
        for name, one in value.items():
            if name not in ("line", "sha256", "bushels", "pounds", "ci_g_per_bu"):
                yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)
    else:
        yield str(value)


def test_every_word_of_engagement_and_work_is_printed() -> None:
    paper = printed(findings=(FINDING, LEFT))
    for text in texts([ENGAGEMENT, WORK]):
        assert flat(text) in paper, text
    for name, info in infos(Engagement).items():
        assert flat(info.label) in paper or name == "reviewed_on", name
    for item in required_lines(Role.FIRST_POINT):
        assert flat(item.text) in paper, item.text
    for word in SUMS:
        assert flat(word) in paper, word


def test_what_a_qualified_opinion_excepts_is_printed() -> None:
    assert flat("Farm 3 was not seen.") in printed(opinion=Opinion.QUALIFIED, excepted=("Farm 3 was not seen.",))


@pytest.mark.parametrize("part", [{"engagement": None}, {"work": None}, {"engagement": {"team": "x"}}, {"work": {}}])
def test_a_statement_that_says_less_still_prints(part: dict[str, object]) -> None:
    assert flat("Prairie Elevator") in printed(**part)


@pytest.mark.parametrize("role", list(Role))
def test_each_line_of_a_role_s_programme_keeps_a_favourable_opinion_back(role: Role) -> None:
    lines = answered(role)
    for at, row in enumerate(lines):
        one = engaged(role=role, work={**WORK, "lines": [*lines[:at], *lines[at + 1 :]]})
        told = [problem.cause for problem in check_signing(one) if problem.code == "line_unanswered"]
        assert told, row
        assert row["cite"] in told[0]


@pytest.mark.parametrize(
    "blank",
    ["number", "audited", "audited_name", "verifier", "lead_verifier", "independent_reviewer", "objectives", "scope",
     "materiality", "basis", "criteria", "crops"],
)  # fmt: skip
def test_each_word_of_the_statement_itself_is_asked_for(blank: str) -> None:
    empty: object = () if blank in ("criteria", "crops") else " "
    told = [problem for problem in check_signing(engaged(**{blank: empty})) if problem.code == "incomplete"]
    assert [blank.replace("_", " ") in problem.cause for problem in told] == [True]


def test_a_statement_without_engagement_reads_as_before() -> None:
    assert replace(statement(), engagement=None).document() == statement().document()
