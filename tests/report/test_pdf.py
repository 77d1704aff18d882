"""The printed report, read back page by page: nothing missing, one page of summary, one of attestation."""

import ast
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from operator import add, mul, sub, truediv
from typing import Any, NamedTuple

import pytest
from pypdf import PdfReader

from bench.synthetic import synthetic_book
from provender.cli.intensity import units_table
from provender.intensity import ARGONNE
from provender.intensity.quantify import quantify
from provender.problem import Place, Problem
from provender.report.document import Edition, build
from provender.report.print import (
    ATTACHED,
    MOST_PROBLEMS,
    grouped,
    report_pdf,
    signed_json,
    state,
    view,
    watermark,
)
from provender.report.signing import is_example, lacks, refusals, sign_report
from provender.rule.crops import Crop
from provender.services.farm.intensity import quantify_all
from provender.signing.canonical import document_hash, sha256_hex
from provender.signing.keys import SigningKey
from provender.verdicts.assess import assess
from provender.verdicts.words import MOST_NAMED, requirements_of
from provender.web.farm.pages.book import _table
from tests.pdf_pages import page_texts
from tests.report.official import DAY, judged, official_rows, quantified, report_of
from tests.standards.season import Rows, changed, with_row

HOSTILE = '#let x = 1 $a^2$ \\ @ref <lab> // [*x*] _y_ `code` #panic("no") = head'
KeyFrom = Callable[[str], SigningKey]


def flat(text: str) -> str:
    return re.sub(r"[\s\u200b\u00ad]+", "", text)


def pages(report: dict[str, Any]) -> list[str]:
    return texts_of(report_pdf(report, as_of=DAY))


def texts_of(pdf: bytes) -> list[str]:
    return [flat(text) for text in page_texts(pdf)]


@pytest.fixture(scope="module")
def official() -> dict[str, Any]:
    return report_of(official_rows())


@pytest.fixture(scope="module")
def paper(official: dict[str, Any]) -> bytes:
    return report_pdf(official, as_of=DAY)


@pytest.fixture(scope="module")
def printed(paper: bytes) -> list[str]:
    return texts_of(paper)


NAMED = (
    ("farm", "name"), ("farm", "county"), ("producer", "name"), ("unit", "name"), ("operation", "operation"),
    ("operation", "equipment"), ("calculator_run", "version"), ("national_default", "version"), ("evidence", "file"),
    ("reported_acres", "source"),
)  # fmt: skip


def hostile(text: str) -> Rows:
    rows = official_rows()
    for kind, column in NAMED:
        rows = changed(rows, kind, 0, **{column: text})
    return rows


def test_two_processes_print_the_same_archival_and_accessible_bytes(paper: bytes) -> None:
    code = (
        "import hashlib\nfrom tests.report.official import *\nfrom provender.report.print import report_pdf\n"
        "report = report_of(official_rows())\nprint(hashlib.sha256(report_pdf(report, as_of=DAY)).hexdigest())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    assert done.stdout.strip() == sha256_hex(paper)
    for part, reader in (("2", PdfReader(io.BytesIO(paper))), ("3", signed().reader)):
        assert reader.xmp_metadata is not None
        assert f"<pdfaid:part>{part}</pdfaid:part>" in reader.xmp_metadata.stream.get_data().decode()


def test_each_page_of_the_paper_has_its_own_part(official: dict[str, Any], printed: list[str]) -> None:
    names = ("Blue Stem", "Ada Farmer", "Shawnee County, KS", "Field corn, harvest of 2025", "90 FR 5512", "No-till")
    values = ("4,847.39", "7,654.32", "2,806.93", "9,500", "USDA FD-CIC", "made up 9.9", "January 15, 2026")
    for text in (*names, *values):
        assert flat(text) in printed[0], text
    assert "stepbystep" in printed[1]
    assert flat("46,050,200 g CO2e ÷ 9,500 bu = 4,847.39 g CO2e/bu") in printed[1].replace("₂", "2")
    holders = [at for at, text in enumerate(printed) if "FarmProducerAttestation" in text]
    assert holders == [1, len(printed) - 1]  # the contents name it
    for one in official["attestation"]:
        assert flat(one["text"]) in printed[-1]
        assert flat(one["why"]) in printed[-1]
        assert flat(one["cite"]) in printed[-1]
    assert flat("9,500 bushels of field corn") in printed[-1]
    assert not any(word in text for text in printed for word in ("ESTIMATE", "PRELIMINARY", "DRAFT"))
    assert flat("Signature of the farm producer") in printed[-1]
    assert document_hash(official) in printed[-1]


def cited(paragraph: str, text: str) -> bool:
    """Whether a paragraph stands in a text, whole or as one more letter after a neighbour: (c)(1), (2), (3)."""
    parent, last = paragraph.rsplit("(", 1)
    before = re.escape(parent) + r"\(\w+\),(?:\(\w+\),)*"
    return paragraph in text or re.search(before + re.escape(f"({last}"), text) is not None


def test_every_unit_pass_requirement_and_finding_is_printed(official: dict[str, Any], printed: list[str]) -> None:
    whole = "".join(printed)
    for unit in official["units"]:
        assert flat(f"Unit {unit['unit_id']}") in whole
        for interval in unit["intervals"]:
            wanted = [one["operation"] for one in interval["passes"]] + [one["value"] for one in interval["facts"]]
            # What nothing is claimed for has a line in the summary of the unit.
            for practice in (one for one in interval["practices"] if one["practice"] in unit["used"]):
                rules = requirements_of(interval, practice)
                wanted += [text for one in rules for text in (one["says"], one["moot"], *lacks(one))]
                wanted += [
                    each["words"]
                    for one in rules if one["part"] == "implementation" and not one["moot"]
                    for each in (*one["shown"], *one["against"])[:MOST_NAMED] if each["kind"] != "operation"
                ]  # fmt: skip
                uncited = [one["cite"] for one in rules if not cited(one["cite"], whole)]
                assert uncited == []
            missing = [text for text in wanted if flat(grouped(text) if text.isdigit() else text) not in whole]
            assert missing == []
    for one in (*official["findings"], *official["problems"]):
        assert flat(one["cause"]) in whole


@pytest.mark.parametrize(
    ("calculator", "status", "word"), [("argonne-2021", "final", "ESTIMATE"), ("official", "beta", "PRELIMINARY")]
)
def test_the_label_stands_on_every_page(calculator: str, status: str, word: str) -> None:
    printed = pages(report_of(changed(official_rows(), "calculator_run", status=status), calculator))
    # Once in the head, once behind the text.
    assert all(text.count(word) >= 2 for text in printed)
    assert "nottobesigned" in printed[-1]


def test_states_and_watermarks_and_a_report_with_reasons_against_it_is_a_draft() -> None:
    report = report_of(changed(official_rows(), "operation", 2, equipment=""))
    printed = pages(report)
    assert all("DRAFT" in text for text in printed)
    assert flat("The equipment of each operation is recorded. Not shown") in printed[0]
    report = {"label": "official"}
    assert [state(report, signed=True, refused=()), state(report, signed=False, refused=())] == ["signed", "unsigned"]
    assert state({"label": "ESTIMATE"}, signed=False, refused=()) == "estimate"
    assert [watermark(one) for one in ("signed", "unsigned", "draft", "estimate")] == ["", "", "DRAFT", "ESTIMATE"]


def test_the_difference_is_a_share_and_no_other_printout_travels(official: dict[str, Any], key_from: KeyFrom) -> None:
    envelope = sign_report(official, key_from("ada"), fingerprint_on_file=None)
    with pytest.raises(ValueError, match="does not sign this report"):
        report_pdf({**official, "total_bushels": "1"}, as_of=DAY, envelope=envelope)
    envelope = sign_report(official, KEY, fingerprint_on_file=None)
    printed = report_pdf(official, as_of=DAY, envelope=envelope, printout=lambda *_: b"another file")
    assert list(PdfReader(io.BytesIO(printed)).attachments) == [ATTACHED]
    for (below, default), said in DIFFERENCES.items():
        report = official | {"below_national_g_per_bu": below, "national_default_g_per_bu": default}
        assert page(report)["difference"] == said, (below, default)


@pytest.mark.parametrize(
    "text",
    [
        HOSTILE,
        pytest.param("x" * 1000, marks=pytest.mark.slow),
        "very long name " * 60 + "\u0645\u0632\u0631\u0639\u0629 \U0001f33d",
    ],
)
def test_names_of_any_kind_stay_text_and_keep_the_summary_on_one_page(text: str) -> None:
    printed = pages(report_of(hostile(text)))
    assert text != HOSTILE or flat(HOSTILE) in "".join(printed)
    assert "Inshort" in printed[0]
    assert "stepbystep" in printed[1]
    assert ["FarmProducerAttestation" in one for one in printed[2:]].count(True) == 1
    assert "FarmProducerAttestation" in printed[-1]


def test_many_changes_and_a_long_reason_keep_to_one_page_and_stand_whole_elsewhere() -> None:
    changes = tuple(f"Unit U{at}, bushels: {at} becomes {at + 1}, {'for a reason ' * 20}." for at in range(60))
    edition = Edition(version=2, replaces="ab" * 32, changes=changes)
    report = report_of(changed(official_rows(), "calculator_run", acres="39"), edition=edition)
    printed = pages(report)
    assert "stepbystep" in printed[1]
    assert flat(changes[-1]) in "".join(printed[2:])
    assert "morestandbeforetheattestation" in printed[0]
    report = report_of(official_rows())
    why = "No control record names " + ", ".join(f"a unit with a long name {number}" for number in range(90)) + "."
    report["attestation"] = [{**one, "why": why} for one in report["attestation"]]
    printed = pages(report)
    assert flat(why) in "".join(printed[:-1])
    assert "FarmProducerAttestation" in printed[-1]


def test_the_estimate_rests_on_the_stricter_practice_and_what_is_unknown_is_said() -> None:
    rows = changed(official_rows(), "operation", 2, operation="moon harrow", speed_mph="", depth_in="")
    report = report_of({**rows, "calculator_run": [], "national_default": []})
    problem = Problem(Place("unit.csv", row=2), "The boundary is coarse.", "Draw it again.").as_json()
    report["problems"] = [problem] * (MOST_PROBLEMS + 7)
    printed = pages(report)
    assert flat("There is no farm CI") in printed[0]
    assert flat("N40 has no CI from the calculator.") in printed[1]
    assert flat("moon harrow 40 \u2013 \u2013 \u2013 unknown unknown") in "".join(printed)
    assert flat("7 more stand in the JSON document") in "".join(printed)
    printed = pages(report_of(changed(official_rows(), "calculator_run", ci_g_per_bu="-9321.09")))
    assert flat("\u22126,640.76") in printed[0]
    rows = official_rows()
    paper = view(report_of(rows, ARGONNE), signed=False, refused=())["behind"]
    assert on_page(rows, "estimate") == paper
    assert "No-till" in paper["N40"]
    assert "Reduced till" not in paper["N40"]


@pytest.mark.slow
def test_forty_units_are_all_there() -> None:
    assessment = assess(synthetic_book(11, farms=1, units_per_farm=40))
    forty = build(assessment, quantify(assessment, "F0", Crop.field_corn, 2025, "argonne-2021"), as_of=DAY)
    printed = pages(forty)
    assert len(forty["units"]) > 8
    names = [f"Unit{unit['unit_id']}County" for unit in forty["units"]]
    starts = [at for at, text in enumerate(printed) for name in names if name in text]
    assert len(starts) == len(set(starts)) == len(names)
    assert all("ESTIMATE" in text for text in printed)


@pytest.mark.parametrize(
    ("missing", "shown"),
    [
        ({"column_label": "Planting date"}, "Planting and emergence: Planting date"),
        ({"says": "It is not in time."}, "Planting and emergence (it is not in time)"),
        ({"column_label": "Day", "words": "P1 (2025-04-01)"}, "Planting and emergence: Day, for P1 (2025-04-01)"),
    ],
)
def test_missing_records_are_named_in_the_words_of_the_sheets(missing: dict[str, str], shown: str) -> None:
    one = {"label": "Planting and emergence", "column_label": "", "says": "", "words": "", "asked_by": ""} | missing
    assert lacks({"missing": [one, one]}) == (shown,)


def test_paper_names_the_rows_that_a_verdict_rests_on_those_against_it_and_those_that_lack_something() -> None:
    rows = with_row(official_rows(), "operation", operation_id="X1", unit_id="N40", day="2025-04-10",
                    operation="Plow, moldboard", equipment="plow")  # fmt: skip
    groups = page(report_of(rows))["groups"][0][0]
    lines = {says: more for group in groups for _, says, more, *_ in group["rows"]}
    full_width = lines["No pass disturbs the full width of the ground between two harvests."]
    assert "The pass disturbs the full width of the ground: Plow, moldboard (2025-04-10)." in full_width
    (under,) = lines["All passes of the crop interval together have a STIR of at most 80."]
    assert under == "Rests on Season declarations: H25 (2025-10-30); Field operations: all above."
    lacks_three = lines["Depth, width and average speed of each disturbing operation are recorded."]
    assert [one for one in lacks_three if "Working width" in one] == [
        "Missing: Field operations: Working width, for Plow, moldboard (2025-04-10)"
    ]


def page(report: dict[str, Any], *, signed: bool = False) -> dict[str, Any]:
    return view(report, signed=signed, refused=refusals(report))


DIFFERENCES: dict[tuple[str | None, str | None], str] = {
    ("1116.62", "9000.00"): "12.4 % below", ("-450.00", "9000.00"): "5.0 % above", ("0.00", "9000.00"): "0.0 % below",
    ("4.50", "9000.00"): "0.0 % below", ("13.50", "9000.00"): "0.2 % below", ("9000.01", "9000.00"): "100.0 % below",
    (None, "9000.00"): "", ("1.00", None): "", ("1.00", "0.00"): "",
}  # fmt: skip


def test_what_comes_next_leads_the_remarks_and_an_example_is_given_to_no_buyer(official: dict[str, Any]) -> None:
    assert page(official, signed=True)["remarks"][0]["whole"].startswith("Next step: give it to each buyer")
    assert page(official)["remarks"][0]["whole"].startswith("Not signed electronically")
    broken = report_of(changed(official_rows(), "calculator_run", 0, evidence=""))
    assert page(broken)["remarks"][0]["whole"] == f"Next step: {refusals(broken)[0].remedy}"
    assert not is_example(official)
    example = {**official, "calculator": {**official["calculator"], "example": True}}
    said = [one["whole"] for one in page(example, signed=True)["remarks"]]
    assert said[0].startswith("EXAMPLE")
    assert not any(one.startswith("Next step") for one in said)


@pytest.mark.parametrize(
    ("name", "count", "said"),
    [("findings", 0, ""), ("findings", 1, "1 finding stands"), ("findings", 2, "2 findings stand"),
     ("problems", 0, ""), ("problems", 1, "1 problem or note stands"), ("problems", 2, "2 problems and notes stand")],
)  # fmt: skip
def test_the_first_page_counts_what_stands_after_the_units(
    official: dict[str, Any], name: str, count: int, said: str
) -> None:
    one = Problem(Place("harvest.csv"), "It is so.", "Look.", "2100.020", code="x").as_json()
    counted = {**official, "findings": [], "problems": [], name: [one] * count}
    remarks = [each["whole"] for each in page(counted, signed=True)["remarks"]]
    assert [each for each in remarks if each.endswith("after the units.")] == [f"{said} after the units."] * bool(said)


RUNS: dict[str, tuple[Rows, str]] = {
    "entered as the records show": (official_rows(), "No-till"),
    "entered without the tillage": (changed(official_rows(), "calculator_run", tillage="conventional"), ""),
    "entered as the milder of two": (
        changed(official_rows(), "calculator_run", tillage="reduced_till"),
        "Reduced till",
    ),
    "without a CI": (changed(official_rows(), "calculator_run", ci_g_per_bu=""), "no CI yet"),
}


def on_page(rows: Rows, side: str) -> dict[str, str]:
    (one,) = quantify_all(judged(rows))
    return {str(row[0]): str(row[1]) for row in _texts(_table(one, side).rows)[:-1]}


def _texts(rows: Any) -> list[list[str]]:  # noqa: ANN401 - cells of either make
    return [[getattr(cell, "text", cell) for cell in row] for row in rows]


@pytest.mark.parametrize("case", RUNS)
def test_page_paper_and_command_line_say_the_same_of_each_unit(case: str) -> None:
    rows, tillage = RUNS[case]
    report = report_of(rows)
    paper = view(report, signed=False, refused=())["behind"]
    assert on_page(rows, "official") == paper
    assert {row[2]: row[4] for row in _texts(units_table(quantified(judged(rows))).rows)[:-1]} == paper
    said = paper["N40"]
    assert tillage in said
    assert ("No-till" in said, "Reduced till" in said) == (tillage == "No-till", tillage == "Reduced till")


# Whoever holds the signed paper alone has the farm's CI and every STIR to compute, and the calculator's printout.

KEY = SigningKey.generate()
PRODUCT = r"1\.625 x [\d.]+ mph x (?:\([^)]*\)|[\d.]+ x [\d.]+ in x [\d.]+ %)"
PUBLISHED = r"published ((?:\((?:[^()]|\([^()]*\))*\)|[\d.]+)(?: x [\d.]+ mph / [\d.]+ mph)?)"
SIGNS: Any = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}
SPAN = Fraction(1, 10_000)
"""Each STIR is rounded to ten-thousandths."""


def with_implements() -> Rows:
    rows = official_rows()
    for number, operation, cells in (
        (1, "Chisel plow, coulter, st. pts.", {"depth_in": "14", "speed_mph": "6"}),
        (2, "Do all", {}),
        (3, "Own seedbed machine", {"depth_in": "3", "speed_mph": "7", "full_width": "yes"}),
    ):
        day = f"2025-04-0{number}"
        rows = with_row(rows, "operation", operation_id=f"W{number}", unit_id="S12", day=day, operation=operation,
                        equipment=f"machine {number}", width_ft="20", **cells)  # fmt: skip
    for tool, kind, share in (("1", "mixing", "40"), ("2", "compression", "100")):
        rows = with_row(rows, "operation_tool", operation_id="W3", tool_no=tool, tillage_type=kind, depth_in="3",
                        surface_pct=share)  # fmt: skip
    return rows


class Signed(NamedTuple):
    report: dict[str, Any]
    envelope: dict[str, Any]
    pdf: bytes
    reader: PdfReader
    texts: list[str]


def paper_of(report: dict[str, Any], envelope: dict[str, Any]) -> bytes:
    return report_pdf(report, as_of=DAY, envelope=envelope, printout=lambda file, _: {"run.pdf": b"run.pdf"}[file])


@cache
def signed() -> Signed:
    report = report_of(with_implements(), edition=Edition(origin_id="0123456789abcdef", salt="5a1t"))
    envelope = sign_report(report, KEY, fingerprint_on_file=None)
    pdf = paper_of(report, envelope)
    reader = PdfReader(io.BytesIO(pdf))
    texts = [re.sub(r"\s+", " ", text.replace("\u200b", "")) for text in page_texts(pdf)]
    return Signed(report, envelope, pdf, reader, texts)


def test_a_signed_report_shows_key_and_hashes_and_carries_the_signed_file_and_the_printout() -> None:
    report, envelope, pdf, reader, texts = signed()
    last = flat(texts[-1])
    assert KEY.fingerprint in last
    assert document_hash(report) in last
    assert sorted(reader.attachments) == [ATTACHED, "calculator-printout-1.pdf"]
    (content,) = reader.attachments[ATTACHED]
    assert content == signed_json(envelope)
    assert json.loads(content) == envelope
    (named,) = report["units"][0]["runs"][0]["evidence"]
    assert sha256_hex(reader.attachments["calculator-printout-1.pdf"][0]) == named["sha256"]
    assert pdf == paper_of(report, envelope)


def value(text: str) -> Fraction:
    """Compute a line of the paper as a person with a pocket calculator does."""
    for unit, plain in ((" mph", ""), (" in", ""), (" %", " / 100"), ("x", "*")):
        text = text.replace(unit, plain)

    def of(node: ast.expr) -> Fraction:
        if isinstance(node, ast.BinOp):
            left, right = of(node.left), of(node.right)
            found: Fraction = SIGNS[type(node.op)](left, right)
            return found
        assert isinstance(node, ast.Constant)
        return Fraction(Decimal(str(node.value)))

    return of(ast.parse(text.strip(), mode="eval").body)


def unit_texts() -> list[str]:
    whole = " ".join(signed().texts[2:])
    return re.split(r"(?=Crop entry )", whole)[1:]


def test_stir_of_each_unit_is_computed_from_the_words_of_its_rows() -> None:
    report = signed().report
    assert len(unit_texts()) == len(report["units"]) == 2
    for text, unit in zip(unit_texts(), report["units"], strict=True):
        stated = Fraction(re.search(r"STIR by recorded values ([\d.]+)", text)[1])  # type: ignore[index]
        rows = re.findall(rf"({PRODUCT})|{PUBLISHED}", text)
        passes = unit["intervals"][0]["passes"]
        assert len(rows) == len(passes) > 0
        assert abs(sum(value(one or other) for one, other in rows) - stated) <= len(rows) * SPAN
        assert stated == sum(Fraction(one["stir_recorded"]) for one in passes)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_rows_name_implement_tillage_type_width_and_share(n: int) -> None:
    (one,) = [each for each in signed().report["units"][1]["intervals"][0]["passes"] if each["operation_id"] == f"W{n}"]
    assert f"machine {n} · {one['tillage_type']} · {one['working']}" in unit_texts()[1]
    assert one["tillage_type"] == ("mixing; compression" if n == 3 else "several tools")
    assert re.search(rf"{re.escape(one['operation'])} (?:\([^)]*\) )?20 ", unit_texts()[1])


def test_the_weighted_ci_is_computed_from_the_table_of_the_second_page() -> None:
    report, texts = signed().report, signed().texts
    default = re.search(r"National default ([\d,.]+)", texts[0])
    assert default is not None
    rows = re.findall(r"(\S+) (?:No-till|none: national default).*? ([\d,]+) ([\d,]+) ([\d,.]+) [\d,]+(?= )", texts[1])
    amounts = [(Fraction(bushels.replace(",", "")), Fraction(ci.replace(",", ""))) for _, _, bushels, ci in rows]
    assert len(amounts) == 2
    mean = sum(bushels * ci for bushels, ci in amounts) / sum(bushels for bushels, _ in amounts)
    assert round(mean, 2) == Fraction(report["farm_ci_g_per_bu"])
    assert f"{Decimal(report['farm_ci_g_per_bu']):,}" in texts[0]
    assert Fraction(default[1].replace(",", "")) in {ci for _, ci in amounts}


def test_the_first_page_has_number_origin_day_mark_and_key_and_without_a_signature_no_mark(printed: list[str]) -> None:
    first = signed().texts[0]
    for words in ("01234567 89abcdef -v1", "SIGNED", "Signed on January 15, 2026, by Ada Farmer"):
        assert words in first
    assert KEY.fingerprint in first.replace(" ", "")
    assert "SIGNED" not in printed[0]
    assert flat("not signed electronically") in printed[0]


def test_the_author_is_the_producer_the_contents_name_every_unit_and_none_takes_more_than_three_pages() -> None:
    reader, texts = signed().reader, signed().texts
    assert reader.metadata is not None
    assert reader.metadata.author == "Ada Farmer"
    contents = texts[1][: texts[1].index("step by step", texts[1].index("step by step") + 1)]
    for words in ("Contents", "Unit N40", "Unit S12", "Evidence on file", "Farm Producer Attestation"):
        assert words in contents
    starts = [n for n, text in enumerate(texts) if n > 1 and "Crop entry" in text]
    ends = [*starts[1:], next(n for n, text in enumerate(texts) if n > 1 and "Evidence on file" in text) + 1]
    assert all(end - start <= 3 for start, end in zip(starts, ends, strict=True))
    assert len(reader.pages) <= 4 + 3 * len(starts)


def test_nothing_of_another_crop_and_no_name_of_a_file_stands_on_paper() -> None:
    rows = official_rows()
    for at, cells in (
        ("unit", {"unit_id": "OTHER7", "name": "Secret", "acres": "5", "county_fips": "20177"}),
        ("harvest", {"harvest_id": "O25", "unit_id": "OTHER7", "crop": "sorghum", "use": "grain",
                     "ending": "harvested", "first_day": "2025-10-01", "last_day": "2025-10-01", "bushels": "9"}),
        ("operation", {"operation_id": "OX1", "unit_id": "OTHER7", "day": "2025-04-11", "operation": "Do all",
                       "depth_in": "0.5", "evidence": "E77"}),
        ("evidence", {"evidence_id": "E77", "file": "secret-plan.pdf", "what": "invoice", "taken_on": "2025-04-11"}),
    ):  # fmt: skip
        rows = with_row(rows, at, **cells)
    report = report_of(rows)
    whole = " ".join(page_texts(report_pdf(report, as_of=DAY)))
    for words in ("OTHER7", "O25", "E77", "secret-plan", "sorghum", ".csv", "run.pdf", "fsa-578.pdf"):
        assert words not in whole, words
    assert "E2" in whole
    assert {one["evidence_id"]: one["of_this_crop"] for one in report["rests_on"]["evidence"]}["E77"] is False
    assert document_hash(report) != document_hash(report_of(official_rows()))
    assert report["crop"] == Crop.field_corn
