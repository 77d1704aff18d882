"""Ladders: requests that break many conditions at once, and the repairs that mend them in order of precedence."""

from typing import Any, Final, NamedTuple

from tests.custody.world import (
    ADA_CORN,
    ADA_SOY,
    BEN_SOY,
    CAST,
    REPORTS,
    Event,
    bought,
    entity,
    ev,
    period,
    periods,
    report,
)


class Ladder(NamedTuple):
    """A world, a request that breaks everything, and (status, repair) rung by rung; the last repair gets it posted."""

    name: str
    world: list[Event]
    event: Event
    rungs: list[tuple[str, dict[str, Any]]]
    end: str = "posted"


def serials(origin: str, start: int, stop: int) -> dict[str, Any]:
    return {"origin": origin, "start": str(start), "stop": str(stop)}


OIL: Final = ev(
    "yield",
    "yield-1",
    "2026-01-01",
    entity="coop",
    site="north",
    made_of="soybeans",
    output="soybean_oil",
    campaign="C1",
    rate="11.07",
    start_day="2026-01-01",
    end_day="2026-02-28",
)

SHIPPED: Final = {"number": "T-out", "bushels": "100", "day": "2026-01-12"}
CAL, DOT = "cal/soybeans/2025", "dot/soybeans/2025"

STOCKED: Final[list[Event]] = [
    *CAST,
    entity("cal", "farm"),
    entity("dot", "farm"),
    *REPORTS,
    report("cal", "soybeans", "3000", "5100"),
    report("dot", "soybeans", "3000", "5200"),
    *bought("b-north", "ada", "coop", ADA_SOY, "2000", day="2026-01-05", site="north"),
    *bought("b-south", "ada", "coop", ADA_SOY, "500", day="2026-01-06", site="south"),
    *bought("b-late", "ada", "coop", ADA_SOY, "300", day="2026-03-20", site="north"),
    *bought("b-mill", "ada", "mill", ADA_SOY, "700", day="2026-01-05", site="mill"),
    *bought("b-ben", "ben", "coop", BEN_SOY, "1000", day="2026-01-07", site="north"),
    *bought("b-cal", "cal", "coop", CAL, "100", day="2026-01-07", site="north"),
    *bought("b-dot", "dot", "coop", DOT, "100", day="2026-01-07", site="north"),
    ev(
        "sale", "v-mill", "2026-01-10", giver="mill", taker="coop", crop="soybeans", lots=[serials(ADA_SOY, 2800, 3200)]
    ),
    ev("accept", "a-mill", "2026-01-11", taker="coop", movement="v-mill", site="north"),
    ev("sale", "v-mill2", "2026-01-12", giver="mill", taker="coop", crop="soybeans", bushels="200"),
    ev(
        "sale",
        "v-gone",
        "2026-01-12",
        giver="coop",
        taker="crush",
        crop="soybeans",
        lots=[serials(ADA_SOY, 0, 100)],
        site="north",
        tickets=[SHIPPED],
    ),
    OIL,
    ev(
        "process",
        "crushed",
        "2026-01-20",
        entity="coop",
        site="north",
        crop="soybeans",
        output="soybean_oil",
        lots=[serials(ADA_SOY, 100, 200)],
    ),
    ev("receipt", "other", "2026-01-20", entity="coop", site="north", form="soybeans", amount="50", number="T-other"),
    ev("suspend", "cal-suspended", "2026-01-21", origin=CAL),
    ev("withdraw", "dot-withdrawn", "2026-01-21", origin=DOT),
    ev("receipt", "grain", "2026-01-20", entity="coop", site="south", form="soybeans", amount="50", number="T-south"),
    ev("close", "mill-q1", "2026-03-31", entity="mill", closed_on="2026-04-01"),
]

LOTS: Final = [
    serials(BEN_SOY, 100, 50),  # not possible
    serials(ADA_SOY, 99000, 99001),  # outside
    serials(DOT, 0, 10),  # withdrawn
    serials(CAL, 0, 10),  # suspended
    serials(ADA_SOY, 0, 10),  # sold
    serials(ADA_SOY, 3200, 3210),  # in transit
    serials(ADA_SOY, 110, 120),  # oil by now
    serials(ADA_SOY, 2000, 2010),  # at the other site
    serials(ADA_SOY, 2800, 2810),  # unverified
    serials(ADA_SOY, 2500, 2510),  # bought later
    serials(BEN_SOY, 0, 10),  # another CI
    serials(ADA_SOY, 300, 400),
]

WRONG_TICKET: Final = {"number": "T-other", "bushels": "49", "day": "2026-01-20"}
WRONG_OUT: Final = {**SHIPPED, "bushels": "99"}
USED_TICKET: Final = {"number": "T-b-ben", "bushels": "1000", "day": "2026-01-07"}

SALE: Final = Ladder(
    "sale of named lots",
    STOCKED,
    ev(
        "sale",
        "ladder",
        "2024-12-31",
        giver="nobody",
        taker="coop",
        crop="wheat",
        form="ethanol",
        bushels="-1",
        site="west",
        ci_max="5000",
        lots=LOTS,
        tickets=[WRONG_OUT, SHIPPED, {"number": "T-new", "bushels": "0"}],
    ),
    [
        ("rule_not_in_force", {"day": "2025-12-31"}),
        ("entity_not_found", {"giver": "coop"}),
        ("parties_are_one", {"taker": "ada"}),
        ("role_not_allowed", {"taker": "crush"}),
        ("site_not_found", {"site": "north"}),
        ("crop_not_covered", {"crop": "soybeans"}),
        ("form_not_possible", {"form": "soybean_meal"}),
        ("form_carries_no_claim", {"form": "soybeans"}),
        ("amount_not_positive", {"bushels": "99999999", "tickets": [WRONG_OUT, SHIPPED]}),
        ("amount_too_large", {"bushels": "500"}),
        ("span_not_possible", {"lots": LOTS[1:]}),
        ("period_not_declared", {"day": "2026-02-01"}),
        ("ticket_differs", {"tickets": [SHIPPED]}),
        ("ticket_used", {"tickets": []}),
        ("outside_origin", {"lots": LOTS[2:]}),
        ("report_withdrawn", {"lots": LOTS[3:]}),
        ("report_suspended", {"lots": LOTS[4:]}),
        ("not_held", {"lots": LOTS[5:]}),
        ("in_transit", {"lots": LOTS[6:]}),
        ("other_form", {"lots": LOTS[7:]}),
        ("other_site", {"lots": LOTS[8:]}),
        ("unverified", {"lots": LOTS[9:]}),
        ("not_held_yet", {"lots": LOTS[10:]}),
        ("outside_ci_range", {"lots": LOTS[11:]}),
        ("exceeds_stock", {"bushels": "100"}),
    ],
)

# coop's beans at north before the late ones: 1800 of ada's, 1000 of ben's, 400 unverified, 100 suspended; 500 at south.
BY_POLICY: Final = Ladder(
    "sale by policy",
    STOCKED,
    ev(
        "sale",
        "ladder",
        "2026-02-01",
        giver="coop",
        taker="crush",
        crop="soybeans",
        bushels="4060",
        site="north",
        ci_max="5000",
    ),
    [
        ("report_suspended", {"bushels": "3900"}),
        ("other_site", {"bushels": "3450"}),
        ("unverified", {"bushels": "3050"}),
        ("not_held_yet", {"bushels": "2800"}),
        ("outside_ci_range", {"bushels": "9000"}),
        ("exceeds_stock", {"bushels": "1800"}),
    ],
)

NAMED_ONLY: Final = Ladder(
    "sale where the policy is to name lots",
    [
        *CAST,
        entity("bins", "first_point", "bins"),
        *periods("bins", "named"),
        *REPORTS,
        *bought("b", "ada", "bins", ADA_SOY, "900", day="2026-01-05", site="bins"),
    ],
    ev("sale", "ladder", "2026-02-01", giver="bins", taker="crush", crop="soybeans", bushels="901"),
    [
        ("exceeds_stock", {"bushels": "100"}),
        ("lots_not_named", {"lots": [serials(ADA_SOY, 0, 900)]}),
    ],
)

CLOSED: Final = Ladder(
    "sale in a closed period",
    STOCKED,
    ev("sale", "ladder", "2026-03-01", giver="mill", taker="coop", crop="soybeans", bushels="1"),
    [("period_closed", {"day": "2026-04-01", "bushels": "200"}), ("exceeds_stock", {"giver": "coop", "taker": "mill"})],
)

REPORT: Final = Ladder(
    "report",
    STOCKED,
    ev(
        "report",
        "ladder",
        "2026-01-02",
        entity="nobody",
        crop="oats",
        harvest_year=2025,
        bushels="0",
        ci="1000000",
        version=3,
    ),
    [
        ("entity_not_found", {"entity": "coop"}),
        ("role_not_allowed", {"entity": "dot"}),
        ("crop_not_covered", {"crop": "soybeans"}),
        ("amount_not_positive", {"bushels": "70000000"}),
        ("amount_too_large", {"bushels": "2900"}),
        ("ci_not_possible", {"ci": "5200", "version": 1}),
        ("second_origin", {"version": 3}),
        ("version_out_of_order", {"version": 2}),
        ("report_withdrawn", {"entity": "ben"}),
        ("not_held_yet", {"day": "2026-04-02"}),
    ],
)

REPORT_CLOSED: Final = Ladder(
    "an amendment dated in a holder's closed period",
    STOCKED,
    ev(
        "report",
        "ladder",
        "2026-03-30",
        entity="ada",
        crop="soybeans",
        harvest_year=2025,
        bushels="9900",
        ci="5000",
        version=3,
    ),
    [("period_closed", {"day": "2026-04-02"}), ("version_out_of_order", {"version": 2})],
)

SLIP: Final = Ladder(
    "slip",
    [*STOCKED, ev("slip", "other-slip", "2026-01-25", giver="ada", taker="mill", origin=ADA_SOY, bushels="100")],
    ev(
        "slip", "ladder", "2026-01-01", giver="ada", taker="ada", origin="nothing", spans=[["20", "10"], ["0", "99000"]]
    ),
    [
        ("parties_are_one", {"taker": "crush"}),
        ("role_not_allowed", {"taker": "coop"}),
        ("record_not_found", {"origin": BEN_SOY}),
        ("parties_differ", {"origin": ADA_SOY}),
        ("span_not_possible", {"spans": [["3550", "99000"]]}),
        ("outside_origin", {"spans": [["3400", "3550"]]}),
        ("serials_assigned", {"spans": [["3400", "3500"]]}),
        ("not_held", {"spans": [["3700", "3800"]]}),
        ("not_held_yet", {"day": "2026-01-25", "bushels": "99"}),
        ("exceeds_stock", {"bushels": "100"}),
    ],
)

SHARE: Final = Ladder(
    "share",
    STOCKED,
    ev("share", "ladder", "2026-01-25", giver="ada", taker="coop", origin=CAL, bushels="0"),
    [
        ("role_not_allowed", {"taker": "lena"}),
        ("parties_differ", {"giver": "cal"}),
        ("amount_not_positive", {"bushels": "50"}),
        ("report_suspended", {"giver": "ada", "origin": ADA_SOY, "bushels": "9000"}),
        ("exceeds_stock", {"bushels": "50"}),
    ],
)

OPEN_SLIPS: Final = [
    ev("slip", "slip-open", "2026-01-25", giver="ada", taker="coop", origin=ADA_SOY, bushels="100"),
    ev("slip", "slip-cal", "2026-01-20", giver="cal", taker="coop", origin=CAL, bushels="100"),
]

PURCHASE: Final = Ladder(
    "purchase",
    [*STOCKED[:-4], *OPEN_SLIPS, *STOCKED[-4:]],
    ev(
        "purchase",
        "ladder",
        "2025-12-31",
        giver="ada",
        taker="ada",
        slip="slip-none",
        bushels="-1",
        site="",
        terms="delayed_price",
        delivered="2025-12-30",
        tickets=[WRONG_TICKET, USED_TICKET],
    ),
    [
        ("parties_are_one", {"taker": "crush"}),
        ("role_not_allowed", {"taker": "coop"}),
        ("site_not_found", {"site": "north"}),
        ("record_not_found", {"slip": "slip-cal"}),
        ("parties_differ", {"slip": "slip-b-north"}),
        ("already_answered", {"slip": "slip-cal", "giver": "cal"}),
        ("amount_not_positive", {"bushels": "200"}),
        ("period_not_declared", {"day": "2026-01-22"}),
        ("ticket_differs", {"tickets": [USED_TICKET]}),
        ("ticket_used", {"tickets": [{"number": "T-new", "bushels": "199"}]}),
        ("tickets_below_claim", {"tickets": [{"number": "T-new", "bushels": "200"}]}),
        ("title_not_at_delivery", {"delivered": "2026-01-22"}),
        ("report_suspended", {"giver": "ada", "slip": "slip-open"}),
        ("exceeds_stock", {"bushels": "100"}),
    ],
)

STORAGE: Final = Ladder(
    "storage",
    STOCKED,
    ev("storage", "ladder", "2026-01-22", owner="ada", custodian="ada", lots=[serials("nothing", 0, 5)]),
    [
        ("parties_are_one", {"custodian": "ben"}),
        ("role_not_allowed", {"custodian": "coop"}),
        ("site_not_found", {"site": "north"}),
        ("record_not_found", {"lots": [serials(ADA_SOY, 0, 5)]}),
        ("not_held", {"lots": [serials(ADA_SOY, 5000, 5005)]}),
    ],
)

PENDING: Final[list[Event]] = [
    *CAST,
    period("coop", "2026-07-01", "2026-09-30"),
    ev(
        "purchase_pending",
        "pend",
        "2026-01-05",
        giver="ada",
        taker="coop",
        crop="soybeans",
        harvest_year=2025,
        bushels="500",
        site="north",
        tickets=[{"number": "P1", "bushels": "500"}],
    ),
    *REPORTS,
    ev("slip", "slip-p", "2026-02-01", giver="ada", taker="coop", origin=ADA_SOY, bushels="700"),
    ev("slip", "slip-c", "2026-02-01", giver="ada", taker="coop", origin=ADA_CORN, bushels="700"),
    ev("shipment", "gone", "2026-02-02", entity="coop", site="north", form="soybeans", amount="200", number="S1"),
]

ASSIGN: Final = Ladder(
    "assignment of a pending purchase",
    PENDING,
    ev("assign", "ladder", "2027-07-02", giver="ada", taker="coop", pending="nothing", slip="slip-c", bushels="-1"),
    [
        ("record_not_found", {"pending": "pend"}),
        ("parties_differ", {"slip": "slip-p"}),
        ("amount_not_positive", {"bushels": "800"}),
        ("period_not_declared", {"day": "2026-07-02"}),
        ("exceeds_stock", {"bushels": "600"}),
        ("pending_too_late", {"day": "2026-04-02"}),
        ("exceeds_pending", {"bushels": "500"}),
        ("claims_exceed_grain", {"bushels": "300"}),
    ],
)

BOUGHT_PENDING: Final = Ladder(
    "purchase with CI pending",
    CAST,
    ev(
        "purchase_pending",
        "ladder",
        "2026-01-05",
        giver="ada",
        taker="crush",
        crop="oats",
        harvest_year=2025,
        bushels="500",
        tickets=[{"number": "P1", "bushels": "499"}],
    ),
    [
        ("role_not_allowed", {"taker": "coop"}),
        ("site_not_found", {"site": "north"}),
        ("crop_not_covered", {"crop": "soybeans"}),
        ("tickets_below_claim", {"bushels": "499"}),
    ],
)

ACCEPT: Final = Ladder(
    "acceptance",
    STOCKED,
    ev("accept", "ladder", "2025-12-31", taker="nobody", custodian="ben", movement="nothing"),
    [
        ("entity_not_found", {"taker": "coop"}),
        ("role_not_allowed", {"custodian": "coop"}),
        ("site_not_found", {"site": "north"}),
        ("record_not_found", {"movement": "v-gone"}),
        ("parties_differ", {"movement": "v-mill"}),
        ("already_answered", {"movement": "v-mill2"}),
        ("period_not_declared", {"day": "2026-01-11"}),
        ("not_held_yet", {"day": "2026-01-12"}),
    ],
)

REJECT: Final = Ladder(
    "rejection",
    STOCKED,
    ev("reject", "ladder", "2026-03-30", giver="coop", taker="coop", movement="v-mill2", site="north"),
    [("parties_differ", {"giver": "mill", "site": ""}), ("period_closed", {"day": "2026-04-02"})],
)

MOVE: Final = Ladder(
    "move",
    STOCKED,
    ev("move", "ladder", "2026-02-01", entity="coop", site="north", to_site="north", crop="soybeans", bushels="0"),
    [("parties_are_one", {"to_site": "south"}), ("amount_not_positive", {"bushels": "10"})],
)

PROCESS: Final = Ladder(
    "processing",
    [
        *STOCKED,
        ev(
            "yield",
            "yield-2",
            "2026-01-01",
            entity="coop",
            site="north",
            made_of="soybeans",
            output="refined_soybean_oil",
            campaign="R1",
            rate="0.9",
            start_day="2026-02-01",
            end_day="2026-02-02",
        ),
        ev(
            "crush",
            "crush-2",
            "2026-02-03",
            entity="coop",
            site="north",
            made_of="soybeans",
            output="refined_soybean_oil",
            campaign="R1",
            crop_crushed="1000",
            product_made="800",
        ),
    ],
    ev(
        "process",
        "ladder",
        "2026-06-01",
        entity="coop",
        site="north",
        crop="soybeans",
        output="ethanol",
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
)

YIELD: Final = Ladder(
    "yield",
    STOCKED,
    {**OIL, "id": "ladder", "rate": "0", "start_day": "2026-02-28", "end_day": "2026-02-01", "campaign": "C2"},
    [
        ("amount_not_positive", {"rate": "11"}),
        ("dates_reversed", {"end_day": "2026-03-31"}),
        ("yields_overlap", {"start_day": "2026-03-01"}),
    ],
)

TRUE_UP: Final = Ladder(
    "true-up",
    STOCKED,
    ev(
        "true_up",
        "ladder",
        "2026-01-19",
        entity="coop",
        site="north",
        made_of="soybeans",
        output="soybean_oil",
        campaign="C1",
    ),
    [
        (
            "yield_not_found",
            {"type": "release", "crop": "soybeans", "bushels": "1", "made_of": None, "output": None, "campaign": None},
        )
    ],
)

NOTHING_LEFT: Final = Ladder(
    "true-up of nothing",
    [*STOCKED, {**OIL, "id": "final", "rate": "11", "basis": "final"}],
    ev(
        "true_up",
        "ladder",
        "2026-01-19",
        entity="coop",
        site="north",
        made_of="soybeans",
        output="soybean_oil",
        campaign="C1",
    ),
    [
        ("not_held_yet", {"day": "2026-01-21", "entity": "crush", "plant": "coop"}),
        ("nothing_to_adjust", {"entity": "coop"}),
    ],
)

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
    ],
    ev("close", "ladder", "2026-03-31", entity="coop", closed_on="2026-04-02", surplus="refused"),
    [("claims_exceed_grain", {"surplus": "released"})],
)

OPENING: Final = Ladder(
    "opening stock",
    [
        *CAST,
        ev(
            "opening",
            "o1",
            "2025-12-31",
            entity="coop",
            site="north",
            crop="corn",
            harvest_year=2025,
            ci="7000",
            bushels="10",
            number="1",
            evidence="count",
        ),
    ],
    ev(
        "opening",
        "ladder",
        "2026-01-01",
        entity="coop",
        site="north",
        crop="corn",
        harvest_year=2025,
        ci="7000",
        bushels="20",
        number="1",
        evidence="count",
    ),
    [("opening_too_late", {"day": "2025-12-31"}), ("document_seen", {"number": "2"})],
)


def line(origin: str, start: str, bushels: str, **more: object) -> dict[str, Any]:
    base = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybeans", "bushels": bushels}
    return {**base, "origin": origin, "start": start, **more}


BLIND: Final = line("blind", "0", "5", ci="5001")
AWAY: Final = line("away", "0", "5")
"""Last seen with a house whose book is elsewhere."""

DOCUMENT: Final = Ladder(
    "document",
    [
        *STOCKED,
        ev(
            "document", "doc-1", "2026-02-01", giver="mill", taker="coop", number="D1", lines=[line("blind", "0", "10")]
        ),
        entity("east", "first_point"),
        ev("document", "doc-2", "2026-01-20", giver="mill", taker="east", number="D2", lines=[line("away", "0", "10")]),
    ],
    ev(
        "document",
        "ladder",
        "2026-01-31",
        giver="coop",
        taker="mill",
        number="D9",
        lines=[
            line(ADA_SOY, "9999", "2"),
            line(DOT, "0", "1"),
            line(CAL, "0", "1"),
            line("blind", "0", "5"),
            line("blind", "5", "5", ci="5001"),
            line("blind", "20", "1", form="soybean_oil", pounds="12", rate="11.07"),
            AWAY,
        ],
    ),
    [
        ("outside_origin", {"lines": [line(DOT, "0", "1"), line(CAL, "0", "1"), BLIND, AWAY]}),
        ("report_withdrawn", {"lines": [line(CAL, "0", "1"), BLIND, AWAY]}),
        ("report_suspended", {"lines": [BLIND, AWAY], "giver": "mill", "taker": "crush"}),
        ("broken_chain", {"giver": "coop", "taker": "mill"}),
        ("chain_not_shown", {"lines": [BLIND]}),
        ("ci_differs", {"lines": [line("blind", "0", "5", form="soybean_oil", pounds="12", rate="1")]}),
        (
            "other_form",
            {"lines": [line("blind", "0", "5"), line("new", "0", "1", form="soybean_oil", pounds="12", rate="11.07")]},
        ),
        ("not_held_yet", {"day": "2026-02-01"}),
        (
            "beyond_crop",
            {
                "lines": [
                    line("blind", "0", "5"),
                    line("new", "0", "1", form="soybean_oil", pounds="11.07", rate="11.07"),
                ]
            },
        ),
    ],
)

RETURN: Final = Ladder(
    "return",
    STOCKED,
    ev(
        "return",
        "ladder",
        "2026-01-10",
        giver="coop",
        taker="mill",
        movement="v-gone",
        lots=[serials(ADA_SOY, 2790, 2810)],
    ),
    [
        ("parties_differ", {"movement": "v-mill"}),
        ("period_closed", {"day": "2026-04-02"}),
        ("outside_movement", {"lots": [serials(ADA_SOY, 2800, 2810)], "amount": "11"}),
        ("exceeds_stock", {"amount": "10"}),
    ],
)

CORRECT: Final = Ladder(
    "correction",
    [
        *STOCKED,
        ev("slip", "s-void", "2026-02-01", giver="ada", taker="coop", origin=ADA_SOY, bushels="10"),
        ev("correct", "c-void", "2026-02-02", entity="ada", movement="s-void", reason="typed twice"),
    ],
    ev("correct", "ladder", "2025-12-01", entity="ben", movement="nothing", reason="typed twice"),
    [
        ("record_not_found", {"movement": "yield-1"}),
        ("parties_differ", {"entity": "coop"}),
        ("not_correctable", {"movement": "s-void"}),
        ("already_answered", {"movement": "b-north"}),
        ("period_not_declared", {"day": "2026-01-06"}),
        ("not_held", {"movement": "b-south", "day": "2026-01-05"}),
        ("not_held_yet", {"day": "2026-02-05"}),
    ],
)

TICKET: Final = Ladder(
    "voiding a ticket",
    STOCKED,
    ev(
        "receipt",
        "ladder",
        "2026-01-07",
        entity="coop",
        site="north",
        form="soybeans",
        amount="999",
        number="none",
        void=True,
    ),
    [
        ("record_not_found", {"number": "T-b-ben"}),
        ("ticket_differs", {"amount": "1000"}),
        ("ticket_used", {"number": "T-other", "amount": "50", "day": "2026-01-20"}),
    ],
)


def told(name: str, day: str, **fields: object) -> Event:
    """A notice of the mill to the crusher, whose book has no report behind what it bought."""
    return ev("notice", name, day, **{"giver": "mill", "taker": "crush", "number": name, **fields})


def papers_in(origin: str) -> list[Event]:
    line = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybeans", "bushels": "1000"}
    name = f"doc-{origin}"
    ticket = {"number": f"T-{origin}", "bushels": "1000"}
    return [
        ev(
            "document", name, "2026-01-10", giver="mill", taker="crush", number=name, lines=[{**line, "origin": origin}]
        ),
        ev("accept", f"a-{origin}", "2026-01-12", taker="crush", movement=name, tickets=[ticket]),
    ]


HANDED: Final = [*CAST, REPORTS[0], *papers_in("blind"), *papers_in("gone")]

NOTICE: Final = Ladder(
    "notice of a changed report",
    [
        *HANDED,
        told("n-gone", "2026-01-20", origin="gone", reason="withdrawn", spans=[["0", "1000"]]),
        ev("close", "crush-q1", "2026-03-31", entity="crush", closed_on="2026-04-01"),
        ev("statement", "v-mill", "2026-04-01", entity="mill", verifier="v", number="1", start_day="2026-01-01",
           end_day="2026-12-31", crops=["soybeans"], opinion="favourable"),
        ev("sale", "v-on", "2026-04-10", giver="crush", taker="fuel", crop="soybeans", bushels="10"),
    ],
    told("ladder", "2026-03-01", giver="nobody", taker="crush", origin="none", reason="worse_ci", spans=[["9", "5"]]),
    [
        ("entity_not_found", {"giver": "crush"}),
        ("parties_are_one", {"giver": "ada"}),
        ("role_not_allowed", {"giver": "mill"}),
        ("record_not_found", {"origin": ADA_SOY}),
        ("parties_differ", {"origin": "gone"}),
        ("already_answered", {"origin": "blind"}),
        ("span_not_possible", {"spans": [["900", "1000.001"]]}),
        ("ci_not_possible", {"ci": "5100"}),
        ("period_closed", {"day": "2026-04-02"}),
        ("outside_origin", {"spans": [["0", "1000"]]}),
        ("not_held_yet", {"day": "2026-04-10"}),
    ],
)  # fmt: skip

LADDERS: Final = [value for value in list(globals().values()) if isinstance(value, Ladder)]
