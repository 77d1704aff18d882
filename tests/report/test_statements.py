"""The seven statements of the attestation: each by the records, by the producer's word, and contradicted."""

from typing import Any

import pytest

from provender.report.attestation import AttestedSentence, Claim, Footing, statements
from provender.report.signing import refusals
from tests.proof.world import reports_of
from tests.report.official import judged, official_rows, quantified, report_of
from tests.standards.season import Rows, changed, with_row, without

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


def test_a_sentence_that_rests_on_silence_refuses_the_signature_and_names_the_row() -> None:
    (problem,) = refusals(report_of(declared(benefit_sold="")))
    assert (problem.code, problem.cite) == ("attestation_unanswered", "2100.031(c)(3)(v)")
    assert "Benefit sold elsewhere" in problem.cause
    assert problem.remedy


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
