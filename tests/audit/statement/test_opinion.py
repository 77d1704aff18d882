"""A favorable opinion is not signed while anything it rests on is missing; the paper tells what was done."""

import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from pypdf import PdfReader

from provender.audit.programme import Role
from provender.audit.statement.opinion import Engagement, check_signing, exceptions, gaps_of, required_lines
from provender.audit.statement.print import statement_pdf
from provender.audit.statement.statement import Opinion, VerificationStatement
from provender.schema import infos
from tests.audit.engaged import ENGAGEMENT, FINDING, WORK, answered, engaged
from tests.audit.verifier import ACCREDITATION, statement


def codes(one: VerificationStatement) -> list[str]:
    return [problem.code for problem in check_signing(one)]


def without(whole: dict[str, Any], **changes: object) -> dict[str, Any]:
    """Return a part with some of its fields changed; None leaves one out."""
    return {name: value for name, value in {**whole, **changes}.items() if value is not None}


def test_a_statement_with_every_part_is_signed() -> None:
    assert check_signing(engaged()) == []
    assert VerificationStatement.read(engaged().document()) == engaged()


@pytest.mark.parametrize("name", infos(Engagement))
@pytest.mark.parametrize("blank", [None, "", [], " "])
def test_no_part_of_the_engagement_may_be_missing(name: str, blank: object) -> None:
    one = engaged(engagement=without(ENGAGEMENT, **{name: blank}))
    label = infos(Engagement)[name].label.casefold()
    told = [problem for problem in check_signing(one) if problem.code == f"no_{name}"]
    assert told, "the part that is missing is named"
    assert label in told[0].cause.casefold()


@pytest.mark.parametrize("part", ["team", "risks", "procedures"])
def test_no_cell_of_a_list_may_be_missing(part: str) -> None:
    for name in ENGAGEMENT[part][0]:
        rows = [{**ENGAGEMENT[part][0], name: ""}, *ENGAGEMENT[part][1:]]
        assert codes(engaged(engagement=without(ENGAGEMENT, **{part: rows}))) == [f"no_{part}"]


MISSTATEMENT = {**FINDING, "bearing": "misstatement", "effect_bushels": "5999.999"}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("no_engaged_by", {"engagement": None}),
    ("line_unanswered", {"work": None}),
    ("line_unanswered", {"work": without(WORK, lines=answered()[:-1])}),
    ("other_programme", {"work": without(WORK, lines=[*answered(), answered()[0]])}),
    ("other_programme", {"work": without(WORK, lines=[*answered()[:-1], {**answered()[-1], "line": "0" * 16}])}),
    ("not_recomputed", {"work": without(WORK, lines=[{**row, "answer": "recomputed"} for row in answered()])}),
    ("line_without_reason", {"work": without(WORK, lines=[{**row, "answer": "not needed"} for row in answered()])}),
    ("line_without_reason",
     {"work": without(WORK, lines=[{**answered()[0], "answer": "not needed", "reason": " "}, *answered()[1:]])}),
    ("line_without_reason",
     {"work": without(WORK, lines=[{**answered()[0], "answer": "not needed", "reason": "n/a"}, *answered()[1:]])}),
    ("no_competence", {"work": without(WORK, sites=[{**WORK["sites"][0], "by": "A. Helper"}])}),
    ("no_competence", {"work": without(WORK, farms=[{**WORK["farms"][0], "by": "A. Helper"}, *WORK["farms"][1:]])}),
    ("no_lines", {"work": without(WORK, lines=[{**answered()[0], "answer": ""}, *answered()[1:]])}),
    ("no_site_seen", {"work": without(WORK, sites=[])}),
    ("no_sites", {"work": without(WORK, sites=[{**WORK["sites"][0], "seen": ""}])}),
    ("farm_not_audited", {"work": without(WORK, farms=WORK["farms"][1:])}),
    ("farm_not_audited", {"work": without(WORK, farms=None)}),
    ("farm_not_drawn", {"work": without(WORK, farms=[*WORK["farms"], {**WORK["farms"][0], "farm": 9}])}),
    ("farm_not_drawn", {"work": without(WORK, farms=[*WORK["farms"], WORK["farms"][0]])}),
    ("no_borrowed_audit", {"work": without(WORK, farms=[{**WORK["farms"][0], "way": "exempt"}, *WORK["farms"][1:]])}),
    ("no_borrowed_audit",
     {"work": without(WORK, farms=[{**WORK["farms"][0], "way": "exempt", "borrowed": "TBD"}, *WORK["farms"][1:]])}),
    ("no_sites", {"work": without(WORK, sites=[{**WORK["sites"][0], "seen": "-"}])}),
    ("no_impartiality", {"engagement": without(ENGAGEMENT, impartiality="none")}),
    ("no_risks", {"engagement": without(ENGAGEMENT, risks=[{**ENGAGEMENT["risks"][0], "response": "TBD"}])}),
    ("no_records", {"work": without(WORK, records=[])}),
    ("no_hash", {"work": without(WORK, records=[{**WORK["records"][0], "sha256": "x"}, WORK["records"][1]])}),
    ("period_not_closed", {"work": without(WORK, records=WORK["records"][:1])}),
    ("no_quantities", {"work": without(WORK, quantities=[])}),
    ("quantity_twice", {"work": without(WORK, quantities=[*WORK["quantities"], WORK["quantities"][0]])}),
    ("other_crop_verified", {"crops": ("corn",)}),
    ("no_bearing", {"findings": ({**FINDING, "bearing": ""},)}),
    ("misstatement_unmeasured", {"findings": ({**MISSTATEMENT, "effect_bushels": ""},)}),
    ("misstatement_unmeasured",
     {"findings": ({**MISSTATEMENT, "effect_bushels": "about 5,000 bushels", "effect_g_co2e": "1"},)}),
    ("misstatement_unmeasured", {"findings": ({**MISSTATEMENT, "effect_g_co2e": "much"},)}),
    ("material_misstatement", {"findings": ({**MISSTATEMENT, "effect_bushels": "6000"},)}),
    ("material_misstatement", {"findings": (MISSTATEMENT, {**MISSTATEMENT, "number": "2", "effect_bushels": "0.001"})}),
    ("material_misstatement", {"findings": ({**MISSTATEMENT, "effect_bushels": "", "effect_g_co2e": "41000000"},)}),
    ("difference_open", {"work": without(WORK, differences=1)}),
    ("no_scope_of_accreditation", {"accreditation": ACCREDITATION}),
    ("no_competence", {"lead_verifier": "N. Body"}),
    ("reviewer_took_part", {"work": without(WORK, sites=[{**WORK["sites"][0], "by": "r.  lind"}])}),
    ("assertion_not_tested", {"engagement": without(ENGAGEMENT, procedures=ENGAGEMENT["procedures"][1:])}),
    ("unknown_paragraph", {"engagement": without(ENGAGEMENT, risks=[{**ENGAGEMENT["risks"][0], "cite": "all"}])}),
    ("retention_too_short", {"engagement": without(ENGAGEMENT, retention_years=4)}),
    ("work_before_engagement", {"engagement": without(ENGAGEMENT, engaged_on="2026-10-21")}),
    ("days_of_work_do_not_fit", {"engagement": without(ENGAGEMENT, reviewed_on="2026-10-20")}),
    ("days_of_work_do_not_fit", {"engagement": without(ENGAGEMENT, reviewed_on="2026-11-21")}),
    ("no_rule_then", {"covered_first": date(2023, 1, 1), "covered_last": date(2023, 12, 31)}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "changes"), CASES)
def test_each_gap_keeps_a_favourable_opinion_from_being_signed(code: str, changes: dict[str, Any]) -> None:
    one = engaged(**changes)
    problems = check_signing(one)
    told = [problem for problem in problems if problem.code == code]
    assert told, [problem.code for problem in problems]
    assert all(problem.cause.strip() and problem.remedy.strip() and problem.cite for problem in told)
    named = replace(one, opinion=Opinion.QUALIFIED, excepted=tuple(exceptions(one)))
    assert codes(replace(named, excepted=())) != [], "a qualified opinion names what it leaves out"
    assert "exceptions_not_named" not in codes(named)
    assert not {*codes(replace(one, opinion=Opinion.ADVERSE))} & {code}


def test_a_line_that_is_not_needed_says_why_and_a_helper_stands_in_the_team() -> None:
    why = {"answer": "not needed", "reason": "No product is processed."}
    helper = {"name": "A. Helper", "part": "agronomist", "competence": "Five audits of fields."}
    team = without(ENGAGEMENT, team=[*ENGAGEMENT["team"], helper])
    lines, sites = [{**answered()[0], **why}, *answered()[1:]], [{**WORK["sites"][0], "by": "a. helper"}]
    one = engaged(work=without(WORK, lines=lines, sites=sites), engagement=team)
    assert codes(one) == []
    assert VerificationStatement.read(one.document()) == one


def test_just_below_the_materiality_it_is_signed_and_what_was_corrected_does_not_count() -> None:
    assert codes(engaged(findings=(MISSTATEMENT,))) == []
    mended = {**MISSTATEMENT, "effect_bushels": "90000", "resolution": "corrected"}
    assert codes(engaged(findings=(mended,))) == []
    assert codes(engaged(findings=({**mended, "stage": "open"},))) == ["material_misstatement"]


def test_other_roles_ask_for_their_own_lines() -> None:
    crusher = {
        "role": Role.REFINER, "farms": None, "sampled": None, "sample_hash": "",
        "work": without(WORK, lines=answered(Role.REFINER), farms=None),
        "engagement": without(ENGAGEMENT, procedures=[{**ENGAGEMENT["procedures"][0], "cite": "2100.040(f)(2)(i)"}]),
    }  # fmt: skip
    assert codes(engaged(**crusher)) == []
    assert "line_unanswered" in codes(engaged(**{**crusher, "role": Role.INTERMEDIARY}))


def test_a_statement_of_before_lacks_engagement_and_work_and_says_so() -> None:
    assert {"no_engaged_by", "line_unanswered", "farm_not_audited"} <= {one.code for one in gaps_of(statement())}


# The paper of a statement tells what it was engaged for, what was done, and what was left uncorrected.

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
