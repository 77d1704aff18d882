"""A signature makes a report official only where nothing stands against it, and any change afterwards shows.

The seven statements of the attestation: each by the records, by the producer's word, and contradicted; the no-till
promise of 2100.031(c)(3)(vi) per parcel, through history and verdicts (interpretation 14). Versions under one origin:
what an amendment replaces, and in which sentences it says what changed.
"""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest

from provender.intensity.quantify import quantify
from provender.problem import ProblemsError
from provender.report.attestation import AttestedSentence, Claim, Footing, parcels, promise_problems, statements
from provender.report.document import Edition
from provender.report.signing import SALT_LENGTH, refusals, salt_of, sign_report
from provender.report.typ import TYP
from provender.report.versions import changes, next_edition
from provender.rule.crops import Crop
from provender.signing.canonical import document_hash
from provender.signing.jws import Status, check
from provender.signing.keys import SigningKey
from tests.proof.world import reports_of
from tests.report.official import KNOWN, judged, official_rows, quantified, report_of
from tests.standards.season import Rows, changed, with_row, without

KeyFrom = Callable[[str], SigningKey]


def codes(report: dict[str, Any]) -> list[str]:
    return [problem.code for problem in refusals(report)]


BETA = changed(official_rows(), "calculator_run", status="beta")


@pytest.mark.parametrize(
    ("rows", "calculator", "label", "found"),
    [
        (official_rows(), "", "official", []),
        (official_rows(), "argonne-2021", "ESTIMATE", ["not_official", "attestation_contradicted"]),
        (BETA, "", "PRELIMINARY", ["not_official", "attestation_contradicted"]),
        (changed(official_rows(), "operation", 2, equipment=""), "", "official", ["records_incomplete"]),
    ],
    ids=["sound", "an estimate", "a beta run", "open records behind the CI"],
)
def test_what_keeps_a_report_unsigned(rows: Rows, calculator: str, label: str, found: list[str]) -> None:
    report = report_of(rows, calculator) if calculator else report_of(rows)
    assert (report["label"], codes(report)) == (label, found)


def test_open_records_are_of_their_unit_and_hinder_nothing_that_was_not_entered() -> None:
    report = report_of(changed(official_rows(), "operation", 2, equipment=""))
    assert [unit["records_met"] for unit in report["units"]] == [False, True]
    report = report_of(changed(official_rows(), "harvest", 1, bushels=""))
    assert report["total_bushels"] is None
    assert "no_total" in codes(report)
    rows = changed(official_rows(), "calculator_run", tillage="conventional")
    report = report_of(changed(rows, "operation", 2, equipment=""))
    assert "no_till" in report["units"][0]["credited"]
    assert "no_till" not in report["units"][0]["used"]
    assert codes(report) == []


def test_a_contradicted_statement_and_one_that_rests_on_silence_refuse_the_signature() -> None:
    rows = with_row(official_rows(), "enrolment", enrolment_id="X", unit_id="N40", program="Club", sells_benefit="yes")
    (problem,) = refusals(report_of(rows))
    assert problem.code == "attestation_contradicted"
    assert problem.cite == "2100.031(c)(3)(v)"
    assert "N40 is enrolled in Club" in problem.cause
    (problem,) = refusals(report_of(declared(benefit_sold="")))
    assert (problem.code, problem.cite) == ("attestation_unanswered", "2100.031(c)(3)(v)")
    assert "Benefit sold elsewhere" in problem.cause
    assert problem.remedy


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


RECORDS, WORD, CONTRADICTED, SILENT = Footing.RECORDS, Footing.WORD, Footing.CONTRADICTED, Footing.UNANSWERED
LETTERS = ("i", "ii", "iii", "iv", "v", "vi", "vii")


def statement(rows: Rows, letter: str, calculator: str = "official") -> tuple[str, str]:
    found = report_of(rows, calculator)["attestation"]
    one = next(one for one in found if one["cite"] == f"2100.031(c)(3)({letter})")
    return one["footing"], one["why"]


def enrolled(**cells: str) -> Rows:
    row = {"enrolment_id": "EN1", "unit_id": "N40", "program": "Carbon Club", "sells_benefit": "yes"}
    return with_row(official_rows(), "enrolment", **row | cells)


def declared(rows: Rows | None = None, **cells: str) -> Rows:
    return changed(rows or official_rows(), "declaration", 0, **cells)


def parcel(*history: tuple[int, str]) -> Rows:
    rows = changed(official_rows(), "unit", 0, parcel_id="L7")
    for year, tillage in history:
        rows = with_row(rows, "tillage_history", parcel_id="L7", harvest_year=str(year), tillage=tillage)
    return rows


def land(*history: tuple[int, str]) -> Rows:
    rows = without(official_rows(), "land_use")
    for year, use in history:
        rows = with_row(rows, "land_use", unit_id="N40", year=str(year), land_use=use)
    return rows


def test_a_sound_farm_makes_all_seven_statements_in_the_order_and_words_of_the_rule() -> None:
    found = report_of(official_rows())["attestation"]
    assert [one["cite"] for one in found] == [f"2100.031(c)(3)({letter})" for letter in LETTERS]
    assert [one["footing"] for one in found] == [RECORDS, RECORDS, RECORDS, WORD, WORD, WORD, RECORDS]
    report = report_of(official_rows())
    (text,) = [one["text"] for one in report["attestation"] if one["cite"] == "2100.031(c)(3)(v)"]
    assert all(words in text for words in ("CI information", "attributes", "greenhouse gas benefits"))


CONTROL = "control"
CASES = [
    ("i", without(official_rows(), "producer"), CONTRADICTED, "anyone operational control"),
    ("i", changed(official_rows(), "producer", operational_control="no"), CONTRADICTED, "anyone operational control"),
    ("i", without(official_rows(), CONTROL), WORD, "No control record names N40. Answered by P1 on 2025-10-30."),
    ("i", declared(without(official_rows(), CONTROL), in_control=""), SILENT, "Nobody answered 'In control' for N40"),
    ("i", declared(without(official_rows(), CONTROL), producer_id=""), SILENT, "with person and day"),
    ("i", declared(in_control="no"), CONTRADICTED, "not in control of N40"),
    ("i", changed(official_rows(), CONTROL, until="2025-10-21"), RECORDS, "every unit"),
    ("i", changed(official_rows(), CONTROL, until="2025-10-20"), WORD, "N40"),
    ("ii", changed(official_rows(), CONTROL, since="2025-10-22"), CONTRADICTED, "No bushel of this crop"),
    ("ii", changed(official_rows(), "operation", 2, equipment=""), WORD, "not all met on N40"),
    ("iii", without(official_rows(), "calculator_run"), CONTRADICTED, "N40 has no CI"),
    ("iii", without(official_rows(), "national_default"), CONTRADICTED, "national default CI has not been entered"),
    ("iii", changed(official_rows(), "calculator_run", status="beta"), CONTRADICTED, "PRELIMINARY"),
    ("iii", changed(official_rows(), "calculator_run", acres="39"), CONTRADICTED, "acres entered"),
    ("iii", changed(official_rows(), "calculator_run", yield_bu_per_ac="180"), CONTRADICTED, "Acres times yield"),
    ("iii", changed(official_rows(), "calculator_run", farm_ci_g_per_bu="1.00"), CONTRADICTED, "CI on the printout"),
    ("iii", changed(official_rows(), "calculator_run", farm_ci_g_per_bu="4847.39"), RECORDS, "recomputes"),
    ("iv", official_rows(), WORD, "A promise. Given with the signature."),
    ("iv", declared(records_kept="yes"), WORD, "A promise. Answered by P1 on 2025-10-30."),
    ("iv", declared(records_kept="no"), CONTRADICTED, "says no"),
    ("v", enrolled(), CONTRADICTED, "N40 is enrolled in Carbon Club"),
    ("v", official_rows(), WORD, "A promise. Answered by P1 on 2025-10-30."),
    ("v", declared(benefit_sold=""), SILENT, "Nobody answered 'Benefit sold elsewhere' for N40"),
    ("v", declared(producer_id=""), SILENT, "with person and day"),
    ("v", declared(benefit_sold="yes"), CONTRADICTED, "was sold elsewhere"),
    ("v", declared(enrolled(), benefit_sold="no"), CONTRADICTED, "Carbon Club"),
    ("v", enrolled(sells_benefit="no"), WORD, "Answered by P1"),
    ("v", enrolled(sells_benefit=""), SILENT, "does not say whether it takes the benefit"),
    ("v", enrolled(unit_id="S12"), WORD, "Answered by P1"),
    ("v", enrolled(until="2024-10-01"), WORD, "Answered by P1"),
    ("v", enrolled(until="2024-10-01", first_crop_year="2025"), CONTRADICTED, "Carbon Club"),
    ("v", enrolled(until="2024-10-01", first_crop_year="2024", last_crop_year="2026"), CONTRADICTED, "Carbon Club"),
    ("v", enrolled(first_crop_year="2023", last_crop_year="2024"), WORD, "Answered by P1"),
    ("v", enrolled(last_crop_year="2025"), CONTRADICTED, "Carbon Club"),
    ("v", enrolled(first_crop_year="2026"), WORD, "Answered by P1"),
    ("v", enrolled(until="2024-10-02"), CONTRADICTED, "Carbon Club"),
    ("vi", parcel((2022, "tilled")), WORD, "for the years to come"),
    ("vi", parcel((2020, "no_till"), (2022, "tilled")), WORD, "for the years to come"),
    ("vi", parcel((2020, "no_till"), (2022, "tilled"), (2024, "tilled")), WORD, "2022, 2024, before the first claim"),
    ("vi", parcel((2022, "tilled"), (2024, "tilled")), WORD, "tilled in 2022, 2024, before the first claim"),
    ("vi", parcel((2019, "no_till"), (2020, "tilled"), (2024, "tilled")), WORD, "for the years to come"),
    ("vi", declared(no_till_kept="no"), CONTRADICTED, "says no"),
    ("vi", declared(no_till_kept="yes"), WORD, "Answered by P1 on 2025-10-30."),
    ("vii", without(official_rows(), "land_use"), WORD, "for N40. Answered by P1 on 2025-10-30."),
    ("vii", declared(without(official_rows(), "land_use"), land_converted=""), SILENT, "'Land was converted' for N40"),
    ("vii", declared(land_converted="yes"), CONTRADICTED, "was converted"),
    ("vii", land((2024, "cropland")), RECORDS, "before that day"),
    ("vii", land((2025, "cropland")), WORD, "for N40"),
    ("vii", land((2024, "pasture")), WORD, "N40 was pasture as late as 2024"),
    ("vii", land((2023, "pasture"), (2024, "cropland")), RECORDS, "before that day"),
    ("vii", land((2024, "cropland"), (2025, "conservation_reserve")), CONTRADICTED, "conservation reserve in 2025"),
    ("vii", land((2024, "cropland"), (2026, "pasture")), RECORDS, "before that day"),
]  # fmt: skip


@pytest.fixture(scope="module")
def attested() -> list[list[dict[str, Any]]]:
    """Return the attestation of every case, each a farm of one book that is judged once."""
    reports = reports_of({f"F{at}": rows for at, (_, rows, _, _) in enumerate(CASES)}, {})
    return [one["attestation"] for one in reports.values()]


@pytest.mark.parametrize("at", range(len(CASES)), ids=[f"{i}-{c[0]}-{c[2].name}" for i, c in enumerate(CASES)])
def test_a_statement_stands_on_what_the_records_say(at: int, attested: list[list[dict[str, Any]]]) -> None:
    letter, _, footing, why = CASES[at]
    (said,) = [one for one in attested[at] if one["cite"] == f"2100.031(c)(3)({letter})"]
    assert said["footing"] == footing, said["why"]
    assert why in said["why"]


def test_another_producer_no_practice_or_an_estimate_contradicts_its_statement() -> None:
    rows = with_row(official_rows(), "producer", producer_id="P2", name="Bo", operational_control="no")
    rows = changed(rows, "control", producer_id="P2")
    assert statement(rows, "i") == (CONTRADICTED, "N40 is run by P2.")
    rows = without(
        changed(official_rows(), "declaration", all_operations_listed="", all_nutrients_listed=""), "cover_crop"
    )
    footing, why = statement(rows, "ii")
    assert (footing, why) == (CONTRADICTED, "No bushel of this crop is under a practice.")
    assert statement(official_rows(), "iii", "argonne-2021")[0] == CONTRADICTED


def test_another_signer_than_the_one_in_control_is_told() -> None:
    assessment = judged(official_rows())
    q = quantified(assessment)
    law = assessment.of("F1", q.crop, 2025)[0].rule
    first: AttestedSentence = statements(Claim(assessment, q, "consultant", law))[0]
    assert (first.footing, first.why) == (
        CONTRADICTED,
        "The producer records do not give consultant operational control.",
    )


@pytest.mark.parametrize("rows", [official_rows(), without(official_rows(), "land_use"), land((2025, "pasture"))])
def test_what_a_satellite_saw_stands_beside_the_seventh_statement_and_decides_nothing(rows: Rows) -> None:
    before = report_of(rows)["attestation"][6]
    seen = with_row(rows, "crop_history", unit_id="N40", year="2024", code="141", cover="Deciduous Forest")
    after = report_of(seen)["attestation"][6]
    assert after["footing"] == before["footing"]
    assert after["why"] == (
        f"{before['why']} Seen from above, as Crop Sequence Boundaries have it, which proves nothing: "
        "N40 2024 Deciduous Forest."
    )


LATER: Final = 4
"""By how many years the seasons are moved on, so that the rule has been in force for as long."""


def moved() -> Rows:
    """Return the rows of the farm as they would stand in 2029."""
    on = re.compile(r"\b(20\d\d)(?=-|$)")
    return {
        kind: [{name: on.sub(lambda year: str(int(year[1]) + LATER), text) for name, text in row.items()} for row in of]
        for kind, of in official_rows().items()
    }


def plowed(parcel: str, *history: tuple[int, str]) -> Rows:
    """S12 is plowed in 2029; its parcel has a history."""
    rows = changed(moved(), "unit", 1, parcel_id=parcel)
    for year, tillage in history:
        rows = with_row(rows, "tillage_history", parcel_id="L7", harvest_year=str(year), tillage=tillage)
    return rows


@pytest.mark.parametrize(
    ("written", "named"), [(None, ()), ("", ()), (" ; ", ()), ("L7", ("L7",)), ("L7; L8", ("L7", "L8"))]
)
def test_a_unit_names_the_parcels_it_lies_on(written: str | None, named: tuple[str, ...]) -> None:
    assert parcels(written) == named


CASES_PROMISE = [
    (((2025, "no_till"), (2026, "tilled")), ("2026, 2029",)),
    (((2025, "no_till"), (2028, "tilled")), ("2028, 2029",)),
    (((2025, "no_till"),), ()),
    (((2027, "no_till"), (2026, "tilled")), ()),
    (((2024, "no_till"), (2026, "tilled")), ()),
    (((2028, "tilled"),), ()),
    ((), ()),
]


@pytest.mark.parametrize(("history", "years"), CASES_PROMISE)
def test_a_second_tilled_year_in_five_is_told(history: tuple[tuple[int, str], ...], years: tuple[str, ...]) -> None:
    found = promise_problems(judged(plowed("L7", *history)))
    assert len(found) == len(years)
    assert all(f"tilled in {year}:" in problem.cause for problem, year in zip(found, years, strict=True))


def test_a_parcel_keeps_its_promise_whatever_unit_takes_it_in_and_whatever_a_row_says() -> None:
    history = ((2025, "no_till"), (2028, "tilled"))
    assert promise_problems(judged(plowed("L6; L7", *history)))
    assert not promise_problems(judged(plowed("L6", *history)))
    assert not promise_problems(judged(plowed("", *history)))
    assert promise_problems(judged(plowed("L7", (2025, "no_till"), (2028, "tilled"), (2029, "no_till"))))
    rows = plowed("L7", (2025, "no_till"), (2028, "tilled"))
    rows["operation"] = [row for row in rows["operation"] if row["unit_id"] != "S12"]
    assert not promise_problems(judged(rows))


def test_the_attestation_is_contradicted_through_any_parcel_and_a_unit_without_one_named() -> None:
    rows = changed(moved(), "unit", 0, parcel_id="L6;L7")
    for year, tillage in ((2025, "no_till"), (2026, "tilled"), (2028, "tilled")):
        rows = with_row(rows, "tillage_history", parcel_id="L7", harvest_year=str(year), tillage=tillage)
    assessment = judged(rows)
    q = quantify(assessment, "F1", Crop.field_corn, 2025 + LATER, known=KNOWN)
    found = statements(Claim(assessment, q, "P1", assessment.of("F1", q.crop, q.harvest_year)[0].rule))[5]
    assert found.footing is CONTRADICTED
    assert "Parcel L7 was tilled in 2026, 2028." in found.why
    footing, why = statement(official_rows(), "vi")
    assert footing == WORD
    assert "No parcel is named for N40" in why
    assert "No parcel" not in statement(changed(official_rows(), "unit", 0, parcel_id="L7"), "vi")[1]


FIRST = Edition(origin_id="origin", salt="0123456789abcdef")


def test_an_amendment_names_what_it_replaces_and_keeps_the_origin() -> None:
    first = report_of(official_rows(), edition=FIRST)
    later = report_of(changed(official_rows(), "harvest", 3, bushels="1400"))
    edition = next_edition(first, later)
    assert (edition.version, edition.replaces) == (2, document_hash(first))
    assert (edition.origin_id, edition.salt) == ("origin", "0123456789abcdef")
    assert edition.changes == (
        "Farm CI, g CO2e/bu: 4847.39 becomes 4817.53.",
        "Total bushels: 9500 becomes 9400.",
        "Unit S12, bushels: 1500 becomes 1400.",
    )


def test_a_report_of_another_crop_is_not_amended_and_the_same_report_changes_nothing() -> None:
    first = report_of(official_rows())
    bare = without(without(without(official_rows(), "harvest", 3), "harvest", 2), "operation", 5)
    later = report_of(changed(bare, "calculator_run", status="beta", tillage="conventional"))
    found = changes(first, later)
    assert "Status: official becomes PRELIMINARY." in found
    assert "Unit S12 is no longer in the report." in found
    assert any(one.startswith("Unit N40, practices in the CI: ") for one in found)
    assert changes(later, first)[-1] == "Unit S12 is new in the report."
    assert changes(report_of(official_rows()), report_of(official_rows())) == []
    with pytest.raises(ProblemsError, match="another farm, crop or harvest year"):
        next_edition(first, {**first, "harvest_year": 2024})


@pytest.mark.parametrize("day", ["2026-01-14", "2025-05-15"])
def test_a_version_made_before_the_one_it_replaces_is_refused(day: str) -> None:
    first = report_of(official_rows())
    assert next_edition(first, {**first, "made_on": "2026-01-15"}).version == 2
    with pytest.raises(ProblemsError, match="after this one") as refused:
        next_edition(first, {**first, "made_on": day})
    assert refused.value.problems[0].code == "version_before"
