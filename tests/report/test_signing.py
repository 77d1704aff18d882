"""A signature makes a report official only where nothing stands against it, and any change afterwards shows."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from provender.problem import ProblemsError
from provender.report.signing import SALT_LENGTH, refusals, salt_of, sign_report
from provender.report.typ import TYP
from provender.signing.jws import Status, check
from provender.signing.keys import SigningKey
from tests.report.official import official_rows, report_of
from tests.standards.season import Rows, changed, with_row, without

KeyFrom = Callable[[str], SigningKey]


def codes(report: dict[str, Any]) -> list[str]:
    return [problem.code for problem in refusals(report)]


BETA = changed(official_rows(), "calculator_run", status="beta")


@pytest.mark.parametrize(
    ("rows", "calculator", "label", "found"),
    [
        (official_rows(), (), "official", []),
        (official_rows(), ("argonne-2021",), "ESTIMATE", ["not_official", "attestation_contradicted"]),
        (BETA, (), "PRELIMINARY", ["not_official", "attestation_contradicted"]),
        (changed(official_rows(), "operation", 2, equipment=""), (), "official", ["records_incomplete"]),
    ],
    ids=["sound", "an estimate", "a beta run", "open records behind the CI"],
)
def test_what_keeps_a_report_from_being_signed(
    rows: Rows, calculator: tuple[str, ...], label: str, found: list[str]
) -> None:
    report = report_of(rows, *calculator)
    assert (report["label"], codes(report)) == (label, found)


def test_open_records_are_of_their_unit_and_one_without_bushels_leaves_no_total() -> None:
    report = report_of(changed(official_rows(), "operation", 2, equipment=""))
    assert [unit["records_met"] for unit in report["units"]] == [False, True]
    report = report_of(changed(official_rows(), "harvest", 1, bushels=""))
    assert report["total_bushels"] is None
    assert "no_total" in codes(report)


def test_a_contradicted_statement_is_refused_with_its_reason_and_paragraph() -> None:
    rows = with_row(official_rows(), "enrolment", enrolment_id="X", unit_id="N40", program="Club", sells_benefit="yes")
    (problem,) = refusals(report_of(rows))
    assert problem.code == "attestation_contradicted"
    assert problem.cite == "2100.031(c)(3)(v)"
    assert "N40 is enrolled in Club" in problem.cause


def test_open_records_of_a_practice_that_was_not_entered_are_no_hindrance() -> None:
    rows = changed(official_rows(), "calculator_run", tillage="conventional")
    report = report_of(changed(rows, "operation", 2, equipment=""))
    assert "no_till" in report["units"][0]["credited"]
    assert "no_till" not in report["units"][0]["used"]
    assert codes(report) == []


def test_a_signed_report_is_valid_for_whoever_pinned_the_key(key_from: KeyFrom) -> None:
    key = key_from("ada")
    envelope = sign_report(report_of(official_rows()), key, fingerprint_on_file=key.fingerprint)
    assert check(envelope, {key.fingerprint: key.public}, typ=TYP).status is Status.VALID
    assert check(envelope, {}, typ=TYP).status is Status.SIGNER_UNKNOWN


def test_every_reason_is_given_at_once_also_another_key_than_the_one_on_file(key_from: KeyFrom) -> None:
    report = report_of(official_rows())
    with pytest.raises(ProblemsError) as refused:
        sign_report(report, key_from("somebody else"), fingerprint_on_file=key_from("ada").fingerprint)
    assert [problem.code for problem in refused.value.problems] == ["other_key"]
    rows = without(changed(official_rows(), "calculator_run", status="beta"), "producer")
    with pytest.raises(ProblemsError) as refused:
        sign_report(report_of(without(rows, "control")), key_from("a"), fingerprint_on_file=key_from("b").fingerprint)
    found = [problem.code for problem in refused.value.problems]
    assert found == ["not_official", *["attestation_contradicted"] * 3, "other_key"]


@pytest.mark.parametrize(
    "path",
    [("total_bushels",), ("farm_ci_g_per_bu",), ("farm", "name"), ("attestation", 4, "text"), ("units", 0, "used", 0)],
)
def test_any_change_after_signing_shows(path: tuple[str | int, ...], key_from: KeyFrom) -> None:
    key = key_from("ada")
    envelope = copy.deepcopy(sign_report(report_of(official_rows()), key, fingerprint_on_file=None))
    inside: Any = envelope["document"]
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = "9501"
    assert check(envelope, {key.fingerprint: key.public}, typ=TYP).status is Status.SIGNATURE_WRONG


def test_the_salt_is_the_same_for_one_key_and_harvest_and_differs_otherwise(key_from: KeyFrom) -> None:
    salt = salt_of(key_from("ada"), "F1/corn/2025")
    assert salt == salt_of(key_from("ada"), "F1/corn/2025")
    assert len(salt) == SALT_LENGTH
    others = {salt_of(key_from("bo"), "F1/corn/2025"), salt_of(key_from("ada"), "F1/corn/2026")}
    assert len(others | {salt}) == 3


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"format": 0}, ["unknown_format"]),
        ({"format": 2}, ["unknown_format"]),
        ({"format": "1"}, ["unknown_format"]),
        ({"format": None}, ["unknown_format"]),
        ({"rule": {"id": "interim-2025"}}, ["no_rule_state"]),
    ],
)
def test_a_report_of_another_format_is_not_signed(said: dict[str, Any], code: list[str]) -> None:
    report = {**report_of(official_rows()), **said}
    assert codes(report) == code
