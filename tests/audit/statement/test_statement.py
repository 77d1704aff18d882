"""A statement is whole, agrees with its findings, and is checked by whoever receives it; audits come yearly."""

import io
import json
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

import pytest
from pypdf import PdfReader

from provender.audit.programme import Role
from provender.audit.statement.papers import receive
from provender.audit.statement.print import statement_pdf
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
    years_later,
)
from provender.rule.law import rule_version
from provender.signing.canonical import canonical_json
from provender.signing.jws import envelope_hash, sign
from provender.signing.keys import SigningKey
from tests.audit.verifier import ACCREDITATION, STATEMENT, statement

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


def test_a_sound_statement_has_no_problem_and_reads_back_as_written() -> None:
    assert codes(STATEMENT) == []
    assert VerificationStatement.read(STATEMENT.document()) == STATEMENT


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
def test_what_lies_just_inside_the_rules_stands(changes: dict[str, Any]) -> None:
    assert codes(statement(**changes)) == []


def test_only_a_favourable_or_qualified_opinion_helps_the_buyer() -> None:
    assert [favourable([], statement(opinion=opinion)) for opinion in Opinion] == [True, True, False, False]


def against(envelope: object, addenda: Iterable[object] = (), revoked: dict[str, date] | None = None) -> list[str]:
    received = receive(envelope, PINNED, addenda=addenda, revoked=revoked, as_of=TODAY)
    return [problem.code for problem in received.against("elevator", DAY, "corn")]


def test_a_signed_statement_of_a_known_verifier_speaks_for_the_claim() -> None:
    received = receive(signed(), PINNED, as_of=TODAY)
    assert received.against("elevator", DAY, "corn") == []
    assert received.hash == envelope_hash(signed())


def test_a_changed_statement_is_refused() -> None:
    envelope = signed()
    envelope["document"]["opinion"] = "adverse"
    assert "signature_signature_wrong" in against(envelope)


def test_a_statement_by_a_key_nobody_pinned_speaks_for_nothing() -> None:
    assert against(signed(key=OTHER)) == ["signature_signer_unknown"]


def test_a_revoked_key_speaks_for_nothing() -> None:
    assert against(signed(), revoked={KEY.fingerprint: date(2026, 1, 1)}) == ["signature_key_revoked"]


@pytest.mark.parametrize(
    "envelope", [None, 5, [], {}, {"document": {}}, {"document": {"kind": "x"}, "signature": "a..b"}]
)
def test_anything_else_is_answered_and_speaks_for_nothing(envelope: object) -> None:
    assert against(envelope)


def test_another_document_of_the_same_verifier_is_no_statement() -> None:
    assert against(sign({"kind": "note"}, KEY)) == ["unreadable_statement"]


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


def test_an_adverse_opinion_speaks_for_nothing() -> None:
    assert against(signed(statement(opinion=Opinion.ADVERSE))) == ["not_favourable"]


def test_a_lapsed_accreditation_is_found_on_receipt() -> None:
    lapsed = statement(accreditation=ACCREDITATION.read({**ACCREDITATION.document(), "last": "2026-11-19"}))
    assert against(signed(lapsed)) == ["not_accredited_on_day"]


def test_a_statement_from_the_future_is_found_on_receipt() -> None:
    received = receive(signed(), PINNED, as_of=date(2026, 11, 19))
    assert [problem.code for problem in received.problems] == ["issued_later"]


def later(effect: LaterEffect, key: SigningKey = KEY, on: date = TODAY, of: str = "") -> dict[str, Any]:
    replaced = "cd" * 32 if effect is LaterEffect.REPLACED else ""
    return sign(addendum(of or envelope_hash(signed()), on, "A scale was wrong.", effect, replaced), key)


def test_a_fact_found_later_can_take_a_statement_back_from_its_day() -> None:
    received = receive(signed(), PINNED, addenda=[later(LaterEffect.WITHDRAWN)], as_of=TODAY)
    assert [problem.code for problem in received.problems] == ["statement_withdrawn"]
    assert received.ends_on == TODAY
    assert against(signed(), addenda=[later(LaterEffect.REPLACED)]) == ["statement_replaced"]


def test_a_fact_that_changes_nothing_or_lies_ahead_leaves_it_standing() -> None:
    assert against(signed(), addenda=[later(LaterEffect.STANDS)]) == []
    assert against(signed(), addenda=[later(LaterEffect.WITHDRAWN, on=date(2026, 12, 2))]) == []


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


def test_an_addendum_says_what_was_found_and_what_replaces_the_statement() -> None:
    with pytest.raises(ValueError, match="say what"):
        addendum("ab", TODAY, " ", LaterEffect.STANDS)
    with pytest.raises(ValueError, match="say what"):
        addendum("ab", TODAY, "text", LaterEffect.REPLACED)


def test_the_statement_prints_with_its_signed_form_inside_and_a_draft_says_so() -> None:
    envelope = signed()
    paper = PdfReader(io.BytesIO(statement_pdf(STATEMENT, envelope, KEY.fingerprint)))
    words = "".join(page.extract_text() for page in paper.pages)
    assert "Prairie Elevator" in words
    assert "DRAFT" not in words
    ((content,),) = paper.attachments.values()
    assert json.loads(content) == envelope
    draft = PdfReader(io.BytesIO(statement_pdf(STATEMENT)))
    assert "DRAFT" in "".join(page.extract_text() for page in draft.pages)


def test_a_statement_taken_back_says_so_on_every_page_and_carries_the_fact() -> None:
    facts = [later(LaterEffect.STANDS), later(LaterEffect.WITHDRAWN)]
    paper = PdfReader(io.BytesIO(statement_pdf(STATEMENT, signed(), KEY.fingerprint, facts)))
    assert all("WITHDRAWN" in page.extract_text() for page in paper.pages)
    assert "A scale was wrong." in paper.pages[0].extract_text()
    assert len(paper.attachments) == 3
    standing = PdfReader(io.BytesIO(statement_pdf(STATEMENT, signed(), KEY.fingerprint, facts[:1])))
    assert "WITHDRAWN" not in "".join(page.extract_text() for page in standing.pages)


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


def test_an_adverse_statement_and_one_not_issued_yet_do_not_count() -> None:
    adverse = statement(opinion=Opinion.ADVERSE)
    assert rhythm(ELEVATOR, [adverse], date(2026, 12, 1), RULE).alert is Alert.OVERDUE
    assert rhythm(ELEVATOR, [STATEMENT], date(2026, 11, 19), RULE).last_statement == ""


@pytest.mark.parametrize("since", [None, date(2026, 12, 2)])
def test_who_handles_no_reduced_ci_crop_needs_no_audit(since: date | None) -> None:
    entity = Entity("Sleepy Elevator", Role.REFINER, since)
    assert rhythm(entity, [], date(2026, 12, 1), RULE).alert is Alert.NOT_NEEDED


def test_a_farm_has_no_rhythm_of_its_own() -> None:
    assert rhythm(Entity("Farm", Role.FARM, SINCE), [], date(2026, 12, 1), RULE).alert is Alert.NOT_NEEDED


@pytest.mark.parametrize(
    ("role", "cite"),
    [(Role.FIRST_POINT, "2100.040(a)(1)"), (Role.INTERMEDIARY, "2100.040(c)(1)"), (Role.REFINER, "2100.040(f)(1)")],
)
def test_each_role_has_its_paragraph(role: Role, cite: str) -> None:
    assert rhythm(Entity("x", role, SINCE), [], SINCE, RULE).document()["cite"] == cite


def test_days_that_no_statement_covers_are_named() -> None:
    first = statement(covered_first=date(2025, 11, 1), covered_last=date(2026, 1, 31))
    second = statement(covered_first=date(2026, 1, 15), covered_last=date(2026, 6, 30))
    third = statement(covered_first=date(2026, 8, 1), covered_last=date(2026, 8, 31))
    assert uncovered_days(SINCE, date(2026, 9, 30), [third, first, second]) == (
        (date(2025, 10, 1), date(2025, 10, 31)),
        (date(2026, 7, 1), date(2026, 7, 31)),
        (date(2026, 9, 1), date(2026, 9, 30)),
    )
    assert uncovered_days(SINCE, date(2026, 9, 30), [STATEMENT]) == ()
    assert uncovered_days(SINCE, date(2025, 10, 15), [third]) == ((SINCE, date(2025, 10, 15)),)


def test_a_year_after_a_leap_day_is_the_twenty_eighth() -> None:
    assert years_later(date(2024, 2, 29), 1) == date(2025, 2, 28)
    assert years_later(date(2024, 2, 29), 4) == date(2028, 2, 29)
