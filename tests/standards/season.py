"""A clean season of one unit that meets every practice its crop may claim, and a way to change one thing of it.

Every date, amount and name differs from every other, so that a test cannot pass by mixing two of them up.
"""

import json
import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.mark import ParameterSet

from provender.records.book import HeldFiles, RecordBook
from provender.records.kind import KINDS
from provender.records.kinds.nutrients import N_SOURCES
from provender.records.reading import TextTable, read_table
from provender.signing.canonical import sha256_hex
from provender.standards.judge import IntervalJudged, judge
from provender.standards.standard import Verdict

Rows = dict[str, list[dict[str, str]]]


def clean_season(crop: str = "corn") -> Rows:
    """Return the text rows of a unit that no-tills its crop into a legume-free cover and splits inhibited nitrogen."""
    return {
        "farm": [{"farm_id": "F1", "name": "Blue Stem", "county_fips": "20177", "county": "Shawnee", "state": "KS"}],
        "unit": [{"unit_id": "N40", "acres": "40", "county_fips": "20177", "boundary": "n40.geojson"}],
        "evidence": [
            evidence("E1", "rye.jpg", "photograph", "2024-11-04", unit_id="N40"),
            evidence("E3", "seed.pdf", "invoice", "2024-09-20"),
            evidence("E4", "soil.pdf", "laboratory_report", ""),
            evidence("E5", "inhibitor.pdf", "invoice", "2025-03-13"),
            evidence("E7", "log.zip", "machine_file", "2025-06-02"),
        ],
        "harvest": [
            {"harvest_id": "H24", "unit_id": "N40", "crop": "soybeans", "ending": "harvested",
             "first_day": "2024-10-02", "last_day": "2024-10-03", "bushels": "2000"},
            {"harvest_id": "H25", "unit_id": "N40", "crop": crop, "use": "grain", "ending": "harvested",
             "first_day": "2025-10-20", "last_day": "2025-10-21", "bushels": "8000"},
        ],
        "operation": [
            _pass("O1", "2024-10-09", "Drill or airseeder, double disk, w/ fluted coulters", "2", "5", "15"),
            _pass("O2", "2025-04-16", "Sprayer, kill crop"),
            _pass("O3", "2025-04-28", "Planter, double disk opnr with starter fertilizer", "2.5", "5", "40"),
            _pass("O4", "2025-06-02", "Fert. applic. anhyd knife 30 in", "4", "5", "42"),
            _pass("O5", "2025-10-20", "Harvest, killing crop 50pct standing stubble"),
        ],
        "declaration": [
            {"harvest_id": "H25", "made_on": "2025-10-30", "all_operations_listed": "yes",
             "all_nutrients_listed": "yes", "residue_burned": "no", "cover_grazed": "no", "cover_harvested": "no",
             "cover_fertilized": "no", "manure_applied": "no", "irrigation_n": "no"},
        ],
        "planting": [
            {"planting_id": "P1", "harvest_id": "H25", "planted_on": "2025-04-28", "emerged_on": "2025-05-08"},
        ],
        "cover_crop": [
            {"cover_id": "C1", "unit_id": "N40", "harvest_id": "H25", "seeded_on": "2024-10-09", "method": "drilled",
             "seeded_acres": "40", "depth_in": "1", "suits_site": "yes", "suits_site_source": "State guide 2024",
             "established_photo": "E1", "terminated_on": "2025-04-16", "termination_method": "herbicide"},
        ],
        "cover_species": [{"cover_id": "C1", "species": "Cereal Rye, Winter", "rate_lb_per_ac": "60"}],
        "seed_purchase": [
            {"purchase_id": "S1", "species": "Cereal Rye, Winter", "pounds": "2400", "received_on": "2024-09-19",
             "supplier": "Seed house", "evidence": "E3"},
        ],
        **_fertilised(),
    }  # fmt: skip


def evidence(name: str, file: str, what: str, day: str, **cells: str) -> dict[str, str]:
    """Return an evidence record whose file holds its own name (``files_of``)."""
    return {"evidence_id": name, "file": file, "what": what, "taken_on": day, "sha256": content_hash(file), **cells}


def content_hash(file: str) -> str:
    """Return the hash of what a file of a test holds: its name."""
    return sha256_hex(file.encode())


def files_of(rows: Rows) -> HeldFiles:
    """Return the files of evidence that the rows name; one called ``gone...`` is not there."""
    named = [(one.get("farm_id") or "F1", one["file"]) for one in rows.get("evidence", ())]
    return HeldFiles({key: key[1].encode for key in named if not key[1].startswith("gone")})


def boundaries_of(rows: Rows) -> HeldFiles:
    """Return a square in Shawnee County of each unit's acres under its boundary's name; ``gone...`` is not there."""
    drawn = {
        (one.get("farm_id") or "F1", one["boundary"]): square(float(one.get("acres") or 1)).encode
        for one in rows.get("unit", ())
        if one.get("boundary") and not one["boundary"].startswith("gone")
    }
    return HeldFiles(drawn)


def draw(rows: Rows, folder: Path) -> None:
    """Write the outline of each unit beside a book on disk."""
    (folder / "boundaries").mkdir(exist_ok=True)
    for unit in rows["unit"]:
        (folder / "boundaries" / unit["boundary"]).write_text(square(float(unit["acres"])), encoding="utf-8")


def square(acres: float, *, west: float = -95.7, south: float = 39.05) -> str:
    """Return a square field as GeoJSON, its area right to a thousandth; degrees."""
    side = math.sqrt(acres * 4046.8564224)
    tall, wide = side / 111_035, side / (111_320 * math.cos(math.radians(south)) * 1.0007)
    ring = [[west, south], [west + wide, south], [west + wide, south + tall], [west, south + tall], [west, south]]
    return json.dumps({"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}})


def _fertilised() -> Rows:
    """Return the nitrogen of the season: what went on, the plan and tests behind it, and the inhibitor in it."""
    return {
        "nutrient_application": [
            _application("A1", "2025-04-28", "UAN 28", "30", "banded"),
            _application("A2", "2025-06-02", "Anhydrous ammonia", "130", "injected"),
        ],
        "nutrient_budget": [
            {"budget_id": "B1", "harvest_id": "H25", "made_on": "2025-03-01", "yield_goal_bu_per_ac": "200",
             "planned_n_lb_per_ac": "160", "planned_p2o5_lb_per_ac": "0", "planned_k2o_lb_per_ac": "0",
             "synthetic_n_need_lb_per_ac": "160", "need_source": "State guide MF-2586",
             "removal_n_lb_per_ac": "134", "removal_p2o5_lb_per_ac": "70", "removal_k2o_lb_per_ac": "50",
             "basis": "soil_test", "soil_test_id": "T1"},
        ],
        "budget_source": [
            {"budget_id": "B1", "source": source, "present": "yes" if source == "commercial_fertilizer" else "no",
             "n_lb_per_ac": "160" if source == "commercial_fertilizer" else ""}
            for source in N_SOURCES
        ],
        "soil_test": [
            {"soil_test_id": "T1", "unit_id": "N40", "sampled_on": "2023-11-05", "laboratory": "State lab",
             "method": "Mehlich-3", "p_ppm": "22", "evidence": "E4"},
        ],
        "inhibitor_purchase": [
            {"purchase_id": "I1", "product": "Instinct", "amount": "20", "amount_unit": "gal",
             "received_on": "2025-03-12", "supplier": "Fertilizer house", "evidence": "E5"},
        ],
        "inhibitor_acceptance": [
            {"state": "KS", "inhibitor": "Nitrapyrin", "accepted": "yes", "source": "list of 2025"},
        ],
    }  # fmt: skip


def _pass(key: str, day: str, operation: str, depth: str = "", speed: str = "", width: str = "") -> dict[str, str]:
    return {"operation_id": key, "unit_id": "N40", "day": day, "operation": operation, "equipment": f"implement {key}",
            "depth_in": depth, "speed_mph": speed, "width_ft": width}  # fmt: skip


def _application(key: str, day: str, product: str, n: str, method: str) -> dict[str, str]:
    return {"application_id": key, "unit_id": "N40", "harvest_id": "H25", "intended_for": "cash_crop", "day": day,
            "product": product, "method": method, "n_lb_per_ac": n, "p2o5_lb_per_ac": "0", "k2o_lb_per_ac": "0",
            "inhibitor": "Instinct", "inhibitor_rate": "24", "inhibitor_rate_unit": "oz/ac"}  # fmt: skip


def book_of(rows: Rows) -> RecordBook:
    """Read text rows as a book, as if they stood in CSV files."""
    readings = []
    for kind, of_kind in rows.items():
        heading = tuple(KINDS[kind].typed_fields)
        cells = tuple((i, tuple(row.get(name, "") for name in heading)) for i, row in enumerate(of_kind, start=2))
        table = TextTable(f"{kind}.csv", "", heading, cells)
        readings.append((kind, read_table(KINDS[kind], table, farm_id="F1")))
    return RecordBook.from_readings(readings, files=files_of(rows), boundaries=boundaries_of(rows))


def intervals(rows: Rows) -> tuple[IntervalJudged, ...]:
    """Judge the season: every closed interval of a feedstock crop."""
    return _judged(json.dumps(rows))


@lru_cache(maxsize=256)
def _judged(said: str) -> tuple[IntervalJudged, ...]:
    """Judge a season once: tests ask it for several answers, and most of them for those of the clean one."""
    return judge(book_of(json.loads(said)))


ANSWERS: Final = {Verdict.MET: True, Verdict.NOT_MET: False, Verdict.NOT_SHOWN: None}


def verdicts(rows: Rows) -> dict[str, dict[str, bool | None]]:
    """Return by crop entry the answer of each requirement, each practice, and the records of each practice."""
    return {one.harvest_id: answers(one) for one in intervals(rows)}


def answers(one: IntervalJudged) -> dict[str, bool | None]:
    told = {name: each.verdict for name, each in one.requirements.items()}
    told |= {str(each.practice): each.implementation for each in one.practices}
    told |= {f"{each.practice}_records": each.records for each in one.practices}
    return {name: ANSWERS[verdict] for name, verdict in told.items()}


def verdict_of(rows: Rows, name: str, harvest_id: str = "H25") -> bool | None:
    """Return one requirement's or practice's answer for one crop."""
    return verdicts(rows)[harvest_id][name]


def changed(rows: Rows, kind: str, row: int = 0, /, **cells: str) -> Rows:
    return {name: [dict(one) | (cells if (name, i) == (kind, row) else {}) for i, one in enumerate(of)]
            for name, of in rows.items()}  # fmt: skip


def without(rows: Rows, kind: str, row: int | None = None) -> Rows:
    return {
        name: [one for i, one in enumerate(of) if name != kind or (row is not None and i != row)]
        for name, of in rows.items()
    }


def with_row(rows: Rows, kind: str, **cells: str) -> Rows:
    return {**rows, kind: [*rows.get(kind, []), cells]}


def edited(base: Rows, edits: Iterable[Mapping[str, Any]]) -> Rows:
    """Return rows with edits made in their order; one that removes a kind without a row removes all of it."""
    rows = base
    for one in edits:
        if "set" in one:
            rows = changed(rows, one["set"], one["row"], **one["cells"])
        elif "remove" in one:
            rows = without(rows, one["remove"], one.get("row"))
        else:
            rows = with_row(rows, one["add"], **one["cells"])
    return rows


HERE: Final = Path(__file__).parent


def cases_in(file: str, folder: Path = HERE / "cases") -> list[dict[str, Any]]:
    """Return the cases of a file, one a line: name, edits as in the conformance kit, and what is so then."""
    return [json.loads(line) for line in (folder / file).read_text(encoding="utf-8").splitlines()]


def cases(file: str) -> list[ParameterSet]:
    """Return cases as parameters: the edited clean season, and the case."""
    return [
        pytest.param(
            edited(clean_season(), one["edits"]), one, id=": ".join(filter(None, (one["case"], one.get("ask"))))
        )
        for one in cases_in(file)
    ]
