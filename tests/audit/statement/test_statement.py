"""A statement is whole, agrees with its findings, and is checked by whoever receives it; audits come yearly."""

import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

import pytest
from pypdf import PdfReader

from provender.audit.programme import Role
from provender.audit.statement.held import statement_pdf
from provender.audit.statement.opinion import Engagement, check_signing, exceptions, gaps_of, required_lines
from provender.audit.statement.papers import receive
from provender.audit.statement.statement import (
    SOON_DAYS,
    Alert,
    Entity,
    LaterEffect,
    Opinion,
    VerificationStatement,
    addendum,
    check_statement,
    favourable,
    rhythm,
    uncovered_days,
)
from provender.days import years_after
from provender.rule.law import rule_version
from provender.schema import infos
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.engaged import ENGAGEMENT, FINDING, WORK, answered, engaged
from tests.audit.verifier import ACCREDITATION, STATEMENT, statement
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

KEY = SigningKey.generate()
OTHER = SigningKey.generate()
PINNED = {KEY.fingerprint: KEY.public}
TODAY = date(2026, 12, 1)
DAY = date(2026, 3, 1)
MAJOR = {
    "number": "3", "severity": "major", "cite": "2100.034(d)", "stage": "open", "resolution": "", "effect_bushels": "",
}  # fmt: skip


def signed(one: VerificationStatement = STATEMENT, key: SigningKey = KEY) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(canonical_json(sign(one.document(), key)))
    return read


def codes(one: VerificationStatement) -> list[str]:
    return [problem.code for problem in check_statement(one)]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"scope": " "}, "incomplete"),
        ({"criteria": ()}, "incomplete"),
        ({"crops": ("wheat",)}, "other_crop"),
        ({"independent_reviewer": "v. moss "}, "not_reviewed"),
        ({"materiality_pct": 0}, "no_materiality"),
        ({"materiality_pct": 100_000}, "no_materiality"),
        ({"covered_last": date(2025, 9, 30)}, "days_do_not_fit"),
        ({"issued_on": date(2026, 9, 29)}, "days_do_not_fit"),
        ({"farms": None}, "no_sample"),
        ({"sampled": None}, "no_sample"),
        ({"sample_hash": ""}, "no_sample"),
        ({"sampled": 7}, "sample_too_small"),
        ({"sampled": 52}, "sample_too_small"),
        ({"findings": (MAJOR,)}, "opinion_against_findings"),
        ({"findings": ({**MAJOR, "stage": "resolved", "resolution": "stands"},)}, "opinion_against_findings"),
        ({"issued_on": date(2027, 3, 1)}, "not_accredited_on_day"),
    ],
)
def test_a_part_that_is_missing_or_wrong_is_named(changes: dict[str, Any], code: str) -> None:
    assert codes(statement(**changes)) == [code]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"issued_on": date(2026, 9, 30)},
        {"covered_first": date(2026, 9, 30)},
        {"materiality_pct": 1},
        {"materiality_pct": 99_999},
        {"findings": ({**MAJOR, "stage": "resolved", "resolution": "corrected"},)},
        {"findings": ({**MAJOR, "severity": "minor"},)},
        {"findings": (MAJOR,), "opinion": Opinion.QUALIFIED},
        {"role": Role.INTERMEDIARY, "farms": None, "sampled": None, "sample_hash": ""},
    ],
)
def test_what_lies_just_inside_the_rules_stands_and_reads_back(changes: dict[str, Any]) -> None:
    one = statement(**changes)
    assert codes(one) == []
    assert VerificationStatement.read(one.document()) == one


def test_a_signed_favourable_or_qualified_statement_alone_helps_the_buyer() -> None:
    assert [favourable([], statement(opinion=opinion)) for opinion in Opinion] == [True, True, False, False]
    received = receive(signed(), PINNED, as_of=TODAY)
    assert received.against("elevator", DAY, "corn") == []
    assert received.hash == envelope_hash(signed())
    adverse = statement(opinion=Opinion.ADVERSE)
    assert rhythm(ELEVATOR, [adverse], date(2026, 12, 1), RULE).alert is Alert.OVERDUE
    assert rhythm(ELEVATOR, [STATEMENT], date(2026, 11, 19), RULE).last_statement == ""


def against(envelope: object, addenda: Iterable[object] = (), revoked: dict[str, date] | None = None) -> list[str]:
    received = receive(envelope, PINNED, addenda=addenda, revoked=revoked, as_of=TODAY)
    return [problem.code for problem in received.against("elevator", DAY, "corn")]


LAPSED = ACCREDITATION.read({**ACCREDITATION.document(), "last": "2026-11-19"})


@pytest.mark.parametrize(
    ("envelope", "code"),
    [
        ({**signed(), "document": {**signed()["document"], "opinion": "adverse"}}, "signature_signature_wrong"),
        (signed(key=OTHER), "signature_signer_unknown"),
        (sign({"kind": "note"}, KEY), "unreadable_statement"),
        (signed(statement(opinion=Opinion.ADVERSE)), "not_favourable"),
        (signed(statement(accreditation=LAPSED)), "not_accredited_on_day"),
    ],
    ids=["changed", "nobody pinned its key", "another document", "adverse", "accreditation lapsed"],
)
def test_what_is_not_as_it_must_be_speaks_for_nothing(envelope: dict[str, Any], code: str) -> None:
    assert against(envelope) == [code]


def test_a_revoked_key_or_a_day_ahead_is_found_on_receipt() -> None:
    assert against(signed(), revoked={KEY.fingerprint: date(2026, 1, 1)}) == ["signature_key_revoked"]
    received = receive(signed(), PINNED, as_of=date(2026, 11, 19))
    assert [problem.code for problem in received.problems] == ["issued_later"]


@pytest.mark.parametrize(
    "envelope", [None, 5, [], {}, {"document": {}}, {"document": {"kind": "x"}, "signature": "a..b"}]
)
def test_anything_else_is_answered_and_speaks_for_nothing(envelope: object) -> None:
    assert against(envelope)


@pytest.mark.parametrize(
    ("supplier", "day", "crop", "code"),
    [
        ("crusher", DAY, "corn", ["other_party"]),
        ("elevator", date(2025, 9, 30), "corn", ["not_covered"]),
        ("elevator", date(2025, 10, 1), "corn", []),
        ("elevator", date(2026, 9, 30), "corn", []),
        ("elevator", date(2026, 10, 1), "corn", ["not_covered"]),
        ("elevator", DAY, "sorghum", ["not_covered"]),
    ],
)
def test_a_claim_needs_its_supplier_day_and_crop_covered(supplier: str, day: date, crop: str, code: list[str]) -> None:
    received = receive(signed(), PINNED, as_of=TODAY)
    assert [problem.code for problem in received.against(supplier, day, crop)] == code


def later(effect: LaterEffect, key: SigningKey = KEY, on: date = TODAY, of: str = "") -> dict[str, Any]:
    replaced = "cd" * 32 if effect is LaterEffect.REPLACED else ""
    return sign(addendum(of or envelope_hash(signed()), on, "A scale was wrong.", effect, replaced), key)


def test_a_fact_found_later_takes_a_statement_back_and_its_addendum_says_what_was_found() -> None:
    received = receive(signed(), PINNED, addenda=[later(LaterEffect.WITHDRAWN)], as_of=TODAY)
    assert [problem.code for problem in received.problems] == ["statement_withdrawn"]
    assert received.ends_on == TODAY
    assert against(signed(), addenda=[later(LaterEffect.REPLACED)]) == ["statement_replaced"]
    assert against(signed(), addenda=[later(LaterEffect.STANDS)]) == []
    assert against(signed(), addenda=[later(LaterEffect.WITHDRAWN, on=date(2026, 12, 2))]) == []
    with pytest.raises(ValueError, match="say what"):
        addendum("ab", TODAY, " ", LaterEffect.STANDS)
    with pytest.raises(ValueError, match="say what"):
        addendum("ab", TODAY, "text", LaterEffect.REPLACED)


@pytest.mark.parametrize(
    ("envelope", "code"),
    [
        (later(LaterEffect.WITHDRAWN, key=OTHER), "addendum_not_signed"),
        (later(LaterEffect.WITHDRAWN, of="ef" * 32), "other_addendum"),
        (5, "other_addendum"),
        (sign(later(LaterEffect.WITHDRAWN)["document"] | {"effect": "withdrawnn"}, KEY), "addendum_unreadable"),
    ],
)
def test_a_forged_or_foreign_addendum_is_named(envelope: object, code: str) -> None:
    assert against(signed(), addenda=[envelope]) == [code]


def words_of(paper: PdfReader) -> str:
    return "".join(page.extract_text() for page in paper.pages)


def paper_of(*envelope: Any) -> PdfReader:  # noqa: ANN401 - as statement_pdf takes it
    return PdfReader(io.BytesIO(statement_pdf(STATEMENT, *envelope)))


def test_the_statement_prints_with_its_signed_form_inside_and_a_draft_says_so() -> None:
    paper = paper_of(signed(), KEY.fingerprint)
    assert "Prairie Elevator" in words_of(paper)
    assert "DRAFT" not in words_of(paper)
    ((content,),) = paper.attachments.values()
    assert json.loads(content) == signed()
    assert "DRAFT" in words_of(paper_of())


def test_a_statement_taken_back_says_so_on_every_page_and_carries_the_fact() -> None:
    facts = [later(LaterEffect.STANDS), later(LaterEffect.WITHDRAWN)]
    paper = paper_of(signed(), KEY.fingerprint, facts)
    assert all("WITHDRAWN" in page.extract_text() for page in paper.pages)
    assert "A scale was wrong." in paper.pages[0].extract_text()
    assert len(paper.attachments) == 3
    assert "WITHDRAWN" not in words_of(paper_of(signed(), KEY.fingerprint, facts[:1]))


# Audits come round every year; a late one, a missing contract and uncovered days are named.

RULE = rule_version(date(2026, 6, 1))
SINCE = date(2025, 10, 1)
ELEVATOR = Entity("Prairie Elevator", Role.FIRST_POINT, SINCE, contract_until=date(2026, 12, 31))
DUE = date(2027, 11, 20)


@pytest.mark.parametrize(
    ("day", "alert"),
    [
        (DUE - timedelta(days=SOON_DAYS + 1), Alert.ON_TIME),
        (DUE - timedelta(days=SOON_DAYS), Alert.DUE_SOON),
        (DUE, Alert.DUE_SOON),
        (DUE + timedelta(days=1), Alert.OVERDUE),
    ],
)
def test_the_next_statement_is_due_a_year_after_the_last(day: date, alert: Alert) -> None:
    found = rhythm(ELEVATOR, [STATEMENT], day, RULE)
    assert (found.alert, found.due_on, found.last_statement) == (alert, DUE, "ST-14")


@pytest.mark.parametrize(
    ("contract", "day", "alert"),
    [
        (None, date(2026, 1, 1), Alert.NO_CONTRACT),
        (date(2026, 1, 1), date(2026, 1, 1), Alert.ON_TIME),
        (date(2025, 12, 31), date(2026, 1, 1), Alert.NO_CONTRACT),
        (None, date(2026, 10, 1), Alert.NO_CONTRACT),
        (None, date(2026, 10, 2), Alert.OVERDUE),
        (date(2027, 1, 1), date(2026, 10, 2), Alert.OVERDUE),
    ],
)
def test_in_the_first_year_a_contract_stands_in(contract: date | None, day: date, alert: Alert) -> None:
    entity = Entity("New Elevator", Role.FIRST_POINT, SINCE, contract)
    assert rhythm(entity, [], day, RULE).alert is alert


@pytest.mark.parametrize(
    ("role", "since"), [(Role.REFINER, None), (Role.REFINER, date(2026, 12, 2)), (Role.FARM, SINCE)]
)
def test_a_farm_and_who_handles_no_reduced_ci_crop_need_no_audit(role: Role, since: date | None) -> None:
    assert rhythm(Entity("Sleepy", role, since), [], date(2026, 12, 1), RULE).alert is Alert.NOT_NEEDED


@pytest.mark.parametrize(
    ("role", "cite"),
    [(Role.FIRST_POINT, "2100.040(a)(1)"), (Role.INTERMEDIARY, "2100.040(c)(1)"), (Role.REFINER, "2100.040(f)(1)")],
)
def test_each_role_has_its_paragraph(role: Role, cite: str) -> None:
    assert rhythm(Entity("x", role, SINCE), [], SINCE, RULE).cite == cite


def covered(one: VerificationStatement) -> tuple[date, date]:
    return one.covered_first, one.covered_last


def test_days_that_no_statement_covers_are_named_and_a_leap_day_ends_on_the_twenty_eighth() -> None:
    first = statement(covered_first=date(2025, 11, 1), covered_last=date(2026, 1, 31))
    second = statement(covered_first=date(2026, 1, 15), covered_last=date(2026, 6, 30))
    third = statement(covered_first=date(2026, 8, 1), covered_last=date(2026, 8, 31))
    assert uncovered_days(SINCE, date(2026, 9, 30), [covered(one) for one in (third, first, second)]) == (
        (date(2025, 10, 1), date(2025, 10, 31)),
        (date(2026, 7, 1), date(2026, 7, 31)),
        (date(2026, 9, 1), date(2026, 9, 30)),
    )
    assert uncovered_days(SINCE, date(2026, 9, 30), [covered(STATEMENT)]) == ()
    assert uncovered_days(SINCE, date(2025, 10, 15), [covered(third)]) == ((SINCE, date(2025, 10, 15)),)
    assert years_after(date(2024, 2, 29), 1) == date(2025, 2, 28)
    assert years_after(date(2024, 2, 29), 4) == date(2028, 2, 29)


# A favorable opinion is not signed while anything it rests on is missing; the paper tells what was done.


def kept_back_by(one: VerificationStatement) -> list[str]:
    return [problem.code for problem in check_signing(one)]


def without(whole: dict[str, Any], **changes: object) -> dict[str, Any]:
    """Return a part with some of its fields changed; None leaves one out."""
    return {name: value for name, value in {**whole, **changes}.items() if value is not None}


def test_a_statement_with_every_part_is_signed_and_one_of_before_lacks_engagement_and_work() -> None:
    assert check_signing(engaged()) == []
    assert VerificationStatement.read(engaged().document()) == engaged()
    assert {"no_engaged_by", "line_unanswered", "farm_not_audited"} <= {one.code for one in gaps_of(statement())}
    assert replace(statement(), engagement=None).document() == statement().document()


@pytest.mark.parametrize("name", infos(Engagement))
def test_no_part_of_the_engagement_may_be_missing(name: str) -> None:
    label = infos(Engagement)[name].label.casefold()
    blanks: tuple[object, ...] = (None, "", [], " ")
    for blank in blanks:
        one = engaged(engagement=without(ENGAGEMENT, **{name: blank}))
        told = [problem for problem in check_signing(one) if problem.code == f"no_{name}"]
        assert told, "the part that is missing is named"
        assert label in told[0].cause.casefold()


@pytest.mark.parametrize("part", ["team", "risks", "procedures"])
def test_no_cell_of_a_list_may_be_missing(part: str) -> None:
    for name in ENGAGEMENT[part][0]:
        rows = [{**ENGAGEMENT[part][0], name: ""}, *ENGAGEMENT[part][1:]]
        assert kept_back_by(engaged(engagement=without(ENGAGEMENT, **{part: rows}))) == [f"no_{part}"]


MISSTATEMENT = {**FINDING, "bearing": "misstatement", "effect_bushels": "5999.999"}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("no_engaged_by", {"engagement": None}),
    ("line_unanswered", {"work": None}),
    ("line_unanswered", {"work": without(WORK, lines=answered()[:-1])}),
    ("other_programme", {"work": without(WORK, lines=[*answered(), answered()[0]])}),
    ("other_programme", {"work": without(WORK, lines=[*answered()[:-1], {**answered()[-1], "line": "0" * 16}])}),
    ("not_recomputed", {"work": without(WORK, lines=[{**row, "answer": "recomputed"} for row in answered()])}),
    ("line_without_reason", {"work": without(WORK, lines=[{**row, "answer": "not needed"} for row in answered()])}),
    ("no_competence", {"work": without(WORK, sites=[{**WORK["sites"][0], "by": "A. Helper"}])}),
    ("no_competence", {"work": without(WORK, farms=[{**WORK["farms"][0], "by": "A. Helper"}, *WORK["farms"][1:]])}),
    ("no_lines", {"work": without(WORK, lines=[{**answered()[0], "answer": ""}, *answered()[1:]])}),
    ("no_sites", {"work": without(WORK, sites=[{**WORK["sites"][0], "seen": ""}])}),
    ("farm_not_audited", {"work": without(WORK, farms=WORK["farms"][1:])}),
    ("farm_not_audited", {"work": without(WORK, farms=None)}),
    ("farm_not_drawn", {"work": without(WORK, farms=[*WORK["farms"], {**WORK["farms"][0], "farm": 9}])}),
    ("farm_not_drawn", {"work": without(WORK, farms=[*WORK["farms"], WORK["farms"][0]])}),
    ("no_borrowed_audit", {"work": without(WORK, farms=[{**WORK["farms"][0], "way": "exempt"}, *WORK["farms"][1:]])}),
    ("no_borrowed_audit",
     {"work": without(WORK, farms=[{**WORK["farms"][0], "way": "exempt", "borrowed": "TBD"}, *WORK["farms"][1:]])}),
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
    assert "exceptions_not_named" not in kept_back_by(named)
    assert not {*kept_back_by(replace(one, opinion=Opinion.ADVERSE))} & {code}


def test_a_qualified_opinion_names_what_it_leaves_out_and_below_materiality_it_is_signed() -> None:
    one = engaged(opinion=Opinion.QUALIFIED, work=None)
    assert exceptions(one)
    assert "exceptions_not_named" in kept_back_by(replace(one, excepted=()))
    assert kept_back_by(engaged(findings=(MISSTATEMENT,))) == []
    mended = {**MISSTATEMENT, "effect_bushels": "90000", "resolution": "corrected"}
    assert kept_back_by(engaged(findings=(mended,))) == []
    assert kept_back_by(engaged(findings=({**mended, "stage": "open"},))) == ["material_misstatement"]


def test_other_roles_have_their_own_lines_and_one_that_is_not_needed_says_why() -> None:
    why = {"answer": "not needed", "reason": "nothing was sold"}
    sold = next(at for at, row in enumerate(answered()) if row["cite"] == "2100.032(c)(2)")
    helper = {"name": "A. Helper", "part": "agronomist", "competence": "Five audits of fields."}
    team = without(ENGAGEMENT, team=[*ENGAGEMENT["team"], helper])
    lines = [{**row, **why} if at == sold else row for at, row in enumerate(answered())]
    sites = [{**WORK["sites"][0], "by": "a. helper"}]
    one = engaged(work=without(WORK, lines=lines, sites=sites), engagement=team)
    assert kept_back_by(one) == []
    assert VerificationStatement.read(one.document()) == one
    crusher = {
        "role": Role.REFINER, "farms": None, "sampled": None, "sample_hash": "",
        "work": without(WORK, lines=answered(Role.REFINER), farms=None),
        "engagement": without(ENGAGEMENT, procedures=[{**ENGAGEMENT["procedures"][0], "cite": "2100.040(f)(2)(i)"}]),
    }  # fmt: skip
    assert kept_back_by(engaged(**crusher)) == []
    assert "line_unanswered" in kept_back_by(engaged(**{**crusher, "role": Role.INTERMEDIARY}))


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
    excepted = "Farm 3 was not seen."
    paper = printed(findings=(FINDING, LEFT), opinion=Opinion.QUALIFIED, excepted=(excepted,))
    assert flat(excepted) in paper
    for text in texts([ENGAGEMENT, WORK]):
        assert flat(text) in paper, text
    for name, info in infos(Engagement).items():
        assert flat(info.label) in paper or name == "reviewed_on", name
    for item in required_lines(Role.FIRST_POINT):
        assert flat(item.text) in paper, item.text
    for word in SUMS:
        assert flat(word) in paper, word


@pytest.mark.parametrize("part", [{"engagement": None, "work": None}, {"engagement": {"team": "x"}, "work": {}}])
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


@ROWS
def test_each_word_of_the_statement_itself_is_asked_for(blank: str) -> None:
    empty: object = () if blank in ("criteria", "crops") else " "
    told = [problem for problem in check_signing(engaged(**{blank: empty})) if problem.code == "incomplete"]
    assert [blank.replace("_", " ") in problem.cause for problem in told] == [True]
