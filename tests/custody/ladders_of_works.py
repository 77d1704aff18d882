"""Ladders of processing, yields, periods, closes and opening stock."""

from typing import Any, Final

from tests.custody.ladders_stock import NAMED_BINS, OIL, STOCKED, Ladder
from tests.custody.world import ADA_SOY, CAST, REPORTS, bought, ev, serials

PROCESS: Final = Ladder(
    "processing",
    [
        *STOCKED,
        ev(
            "yield", "yield-2", "2026-01-01", entity="coop", site="north", made_of="soybeans",
            output="refined_soybean_oil", campaign="R1", rate="0.9", start_day="2026-02-01", end_day="2026-02-02",
        ),
        ev(
            "crush", "crush-2", "2026-02-03", entity="coop", site="north", made_of="soybeans",
            output="refined_soybean_oil", campaign="R1", crop_crushed="1000", product_made="800",
        ),
    ],
    ev(
        "process", "ladder", "2026-06-01", entity="coop", site="north", crop="soybeans", output="distillers_grains",
        bushels="9000",
    ),
    [
        ("form_not_possible", {"output": "gums"}),
        ("form_carries_no_claim", {"output": "degummed_soybean_oil"}),
        ("yield_not_found", {"output": "refined_soybean_oil"}),
        ("yield_out_of_date", {"day": "2026-02-01"}),
        ("exceeds_stock", {"bushels": "0.001"}),
        ("no_product", {"bushels": "1200"}),
        ("beyond_crop_crushed", {"bushels": "1000"}),
        ("beyond_actual_product", {"output": "soybean_oil"}),
    ],
)  # fmt: skip

REFINING: Final[dict[str, Any]] = {**OIL, "output": "refined_soybean_oil", "campaign": "R1", "rate": "0.9"}
ALL_CRUSHED: Final = [
    *STOCKED,
    {**REFINING, "id": "yield-2"},
    ev("process", "ten", "2026-01-21", entity="coop", site="north", crop="soybeans", output="refined_soybean_oil",
       bushels="10"),
    ev("crush", "crush-2", "2026-02-03", entity="coop", site="north", made_of="soybeans", output="refined_soybean_oil",
       campaign="R1", crop_crushed="10", product_made="9"),
]  # fmt: skip
"""The claims of a campaign have used up all that the plant put in."""

NEXT_TO_NOTHING: Final = Ladder(
    "processing of next to nothing",
    ALL_CRUSHED,
    ev("process", "ladder", "2026-02-01", entity="coop", site="north", crop="soybeans", output="refined_soybean_oil",
       bushels="0.001"),
    [("no_product", {"bushels": "0.002"}), ("beyond_crop_crushed", {"output": "soybean_oil"})],
)  # fmt: skip

NAMED_PROCESS: Final = Ladder(
    "processing where the policy is to name lots",
    [*NAMED_BINS, {**REFINING, "id": "yield-2", "entity": "bins", "site": "bins"}],
    ev("process", "ladder", "2026-02-01", entity="bins", crop="soybeans", output="refined_soybean_oil",
       bushels="0.001"),
    [
        ("lots_not_named", {"lots": [serials(ADA_SOY, 0, 900)]}),
        ("no_product", {"bushels": "0.002"}),
    ],
)  # fmt: skip

YIELD: Final = Ladder(
    "yield",
    STOCKED,
    {**OIL, "id": "ladder", "rate": "0", "start_day": "2026-02-28", "end_day": "2026-02-01", "campaign": "C2"},
    [
        ("amount_not_positive", {"rate": "11"}),
        ("dates_reversed", {"end_day": "2026-03-31", "rate": "14"}),
        ("yield_beyond_bounds", {"rate": "11"}),
        ("yields_overlap", {"start_day": "2026-03-01"}),
    ],
)

CAMPAIGN: Final[dict[str, Any]] = {
    "entity": "coop", "site": "north", "made_of": "soybeans", "output": "soybean_oil", "campaign": "C1",
}  # fmt: skip
NO_CAMPAIGN: Final = dict.fromkeys(("made_of", "output", "campaign"))

TRUE_UP: Final = Ladder(
    "true-up",
    STOCKED,
    ev("true_up", "ladder", "2026-01-19", **CAMPAIGN),
    [("yield_not_found", {"type": "release", "crop": "soybeans", "bushels": "1", **NO_CAMPAIGN})],
)

NOTHING_LEFT: Final = Ladder(
    "true-up of nothing",
    [
        *STOCKED,
        {**OIL, "id": "final", "rate": "11", "basis": "final"},
        ev("true_up", "trued", "2026-01-21", **CAMPAIGN),
    ],
    ev("true_up", "ladder", "2026-01-19", **CAMPAIGN),
    [
        ("not_held_yet", {"day": "2026-01-21"}),
        ("nothing_to_adjust", {"type": "move", "to_site": "south", "crop": "soybeans", "bushels": "1", **NO_CAMPAIGN}),
    ],
)

CONVERT: Final = Ladder(
    "conversion record",
    [*STOCKED, ev("convert", "batch-1", "2026-01-31", **CAMPAIGN, number="1", put_in="500", made="5500")],
    ev("convert", "ladder", "2026-05-01", **{**CAMPAIGN, "entity": "ada", "output": "ground_corn", "campaign": "none"},
       number="1", put_in="0", made="11", start_day="2026-06-01"),
    [
        ("role_not_allowed", {"entity": "coop"}),
        ("form_not_possible", {"output": "soybean_meal"}),
        ("form_carries_no_claim", {"output": "soybean_oil"}),
        ("amount_not_positive", {"put_in": "1"}),
        ("dates_reversed", {"start_day": "2026-01-01"}),
        ("period_too_long", {"day": "2026-02-28"}),
        ("yield_not_found", {"campaign": "C1"}),
        ("document_seen", {"number": "2"}),
    ],
)  # fmt: skip

PERIOD: Final = Ladder(
    "period",
    CAST,
    ev("period", "ladder", "2026-08-01", entity="ada", start_day="2026-07-02", end_day="2026-07-01", policy="named"),
    [
        ("role_not_allowed", {"entity": "coop"}),
        ("dates_reversed", {"end_day": "2026-10-02"}),
        ("period_too_long", {"end_day": "2026-10-01"}),
        ("period_not_continuous", {"start_day": "2026-07-01", "end_day": "2026-09-30"}),
        ("period_declared_late", {"day": "2026-06-30"}),
    ],
)

CLOSE: Final = Ladder(
    "close",
    STOCKED,
    ev("close", "ladder", "2026-06-29", entity="coop", closed_on="2026-03-30", surplus="refused"),
    [
        ("period_not_declared", {"day": "2026-03-31", "entity": "mill"}),
        ("period_closed", {"day": "2026-06-30", "entity": "coop"}),
        ("close_out_of_order", {"day": "2026-03-31"}),
        ("period_not_ended", {"closed_on": "2026-04-01"}),
        ("no_grain_book", {"entity": "crush"}),
    ],
)

CLOSE_SHORT: Final = Ladder(
    "close with less grain than claims",
    [
        *CAST,
        *REPORTS,
        *bought("b", "ada", "coop", ADA_SOY, "900", day="2026-01-05", site="north"),
        ev("measurement", "m", "2026-03-30", entity="coop", site="north", form="soybeans", amount="899", number="M1"),
        {**bought("bare", "ada", "coop", ADA_SOY, "1", day="2026-01-05", site="south")[0]},
        {**bought("bare", "ada", "coop", ADA_SOY, "1", day="2026-01-05", site="south")[1], "tickets": []},
        *bought("b-mill", "ada", "mill", ADA_SOY, "900", day="2026-01-05", site="mill"),
        ev("measurement", "mm", "2026-03-30", entity="mill", site="mill", form="soybeans", amount="899", number="M1"),
    ],
    ev("close", "ladder", "2026-03-31", entity="coop", closed_on="2026-04-02", surplus="refused"),
    [("no_grain_book", {"entity": "mill"}), ("claims_exceed_grain", {"surplus": "released"})],
)

OPENING: Final = Ladder(
    "opening stock",
    [
        *CAST,
        ev(
            "opening", "o1", "2025-12-31", entity="coop", site="north", crop="corn", harvest_year=2025, ci="7000",
            bushels="10", number="1", evidence="count",
        ),
    ],
    ev(
        "opening", "ladder", "2026-01-01", entity="coop", site="north", crop="corn", harvest_year=2025, ci="7000",
        bushels="20", number="1", evidence="count",
    ),
    [("opening_too_late", {"day": "2025-12-31"}), ("document_seen", {"number": "2"})],
)  # fmt: skip

LADDERS: Final = [value for value in list(globals().values()) if isinstance(value, Ladder)]
