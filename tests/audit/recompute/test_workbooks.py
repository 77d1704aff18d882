"""The workbooks of a package give our numbers by formulas that are not our code."""

from fractions import Fraction
from pathlib import Path

from provender.audit.package.contents import PackageContents
from provender.audit.package.layout import HEADER
from provender.audit.recompute.workbooks import workbooks
from provender.signing.canonical import canonical_json
from tests.audit.forge import DAY, clean, header
from tests.audit.spreadsheet import Computed


def test_stir_split_and_mean_of_every_corn_unit_come_out_as_we_have_them(tmp_path: Path) -> None:
    case = PackageContents({**clean(), HEADER: canonical_json(header().document())}, tmp_path)
    (farm,) = case.farms
    made = dict(workbooks(case, DAY))
    corn = [one for one in farm.assessment.intervals if (one.crop, one.harvest_year) == ("corn", 2025)]
    shares = 0
    for one in corn:
        book = Computed(made[f"BLUESTEM-corn-2025-{one.unit_id}.xlsx"])
        stir = book.sheet(f"STIR {one.unit_id}").beside("STIR of the interval")
        assert stir == Fraction(one.facts["stir_recorded"], 10**4), one.unit_id
        need = one.facts["synthetic_n_need_lb_per_ac"]
        if need and one.facts["n_band"] == 0:
            sheet = book.sheet(f"Split N {one.unit_id}")
            after = round(Fraction(100 * one.facts["n_after_with_reductions"], need), 9)
            before = round(Fraction(100 * one.facts["n_before"], need), 9)
            assert sheet.beside("After emergence with reductions") == after, one.unit_id
            assert sheet.beside("Before emergence, %") == before, one.unit_id
            assert sheet.beside("Claimed", "C") == "agrees", one.unit_id
            shares += 1
    assert shares >= 4
    mean = Computed(made["BLUESTEM-corn-2025.xlsx"]).sheet("Weighted mean")
    assert mean.beside("Farm-level CI [7") == Fraction("7883.38")
