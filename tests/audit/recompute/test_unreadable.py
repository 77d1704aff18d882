"""A row that could not be read when the report was signed either is no change of the book, whosever crop it is."""

from datetime import date
from pathlib import Path

from provender.audit.package.contents import PackageContents, ReportFile
from provender.audit.package.layout import HEADER
from provender.audit.recompute.reports import unreadable_rows
from provender.intensity.quantify import quantify
from provender.report.document import Edition, build
from provender.rule.crops import Crop
from provender.signing.canonical import canonical_json
from tests.audit import forge


def damaged() -> forge.Files:
    """Return records in which the soybeans of field B50 are wrong: an entry twice, a tool as deep as a well."""
    files = dict(forge.clean())
    harvests = forge.rows(files, "harvest")
    twice = next(row for row in harvests if row["harvest_id"] == "B50-2025")
    forge.put(files, "harvest", [*harvests, {**twice, "bushels": "7"}])
    passes = forge.rows(files, "operation")
    deep = next(row for row in passes if row["unit_id"] == twice["unit_id"])
    forge.put(files, "operation", [{**row, "depth_in": "700"} if row is deep else row for row in passes])
    return files


def causes(signed_over: forge.Files, now: forge.Files, folder: Path) -> list[str]:
    """Return what is said to be unreadable now of a report on corn that was made over these records."""
    header = canonical_json(forge.header().document())
    (farm,) = PackageContents({**signed_over, HEADER: header}, folder / "then").farms
    q = quantify(farm.assessment, forge.FARM, Crop.field_corn, 2025)
    made = build(farm.assessment, q, as_of=date(2026, 1, 10), producer_id="P1", edition=Edition(), leaves={})
    (farm,) = PackageContents({**now, HEADER: header}, folder / "now").farms
    return [one.claimed for one in unreadable_rows(farm, ReportFile("corn.json", made, made))]


def test_an_untouched_book_with_faults_of_another_crop_is_not_called_changed(tmp_path: Path) -> None:
    assert causes(damaged(), damaged(), tmp_path) == []


def test_what_became_unreadable_of_this_crop_since_is_named(tmp_path: Path) -> None:
    files = damaged()
    passes = forge.rows(files, "operation")
    corn = next(row for row in passes if row["unit_id"] == "N40")
    forge.put(files, "operation", [{**row, "depth_in": "700"} if row is corn else row for row in passes])
    assert len(causes(damaged(), files, tmp_path)) == 1


def test_a_row_given_twice_is_named_whatever_a_report_says_of_problems(tmp_path: Path) -> None:
    files = dict(forge.clean())
    units = forge.rows(files, "unit")
    forge.put(files, "unit", [*units, units[0]])
    forge.signed_by_forger(files, lambda document: document.update(problems=7))
    assert any("unit.csv" in one for one in forge.verify(files, tmp_path).told)
