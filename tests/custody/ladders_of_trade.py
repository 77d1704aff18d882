"""Ladders of reports, slips, purchases, sales and what follows on them."""

from typing import Final

from tests.custody.ladders_stock import (
    CAL,
    LOTS,
    NAMED_BINS,
    SHIPPED,
    STOCKED,
    USED_TICKET,
    WRONG_OUT,
    WRONG_TICKET,
    Ladder,
)
from tests.custody.world import ADA_CORN, ADA_SOY, BEN_SOY, CAST, REPORTS, Event, ev, period, serials

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
        form="distillers_grains",
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
        ("in_dispute", {"lots": LOTS[7:]}),
        ("other_form", {"lots": LOTS[8:]}),
        ("other_site", {"lots": LOTS[9:]}),
        ("unverified", {"lots": LOTS[10:]}),
        ("not_held_yet", {"lots": LOTS[11:]}),
        ("outside_ci_range", {"lots": LOTS[12:]}),
        ("exceeds_stock", {"bushels": "100"}),
    ],
)

# coop's beans at north before the late ones: 1800 of ada's, 1000 of ben's, 400 unverified, 100 suspended; 500 at south.
BY_POLICY: Final = Ladder(
    "sale by policy",
    STOCKED,
    ev(
        "sale", "ladder", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="4060", site="north",
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
)  # fmt: skip

NAMED_ONLY: Final = Ladder(
    "sale where the policy is to name lots",
    NAMED_BINS,
    ev("sale", "ladder", "2026-02-01", giver="bins", taker="crush", crop="soybeans", bushels="900", ci_max="4999.99"),
    [
        ("outside_ci_range", {"ci_max": None, "bushels": "901"}),
        ("exceeds_stock", {"bushels": "100"}),
        ("lots_not_named", {"lots": [serials(ADA_SOY, 0, 900)]}),
    ],
)

CLOSED: Final = Ladder(
    "sale in a closed period",
    STOCKED,
    ev("sale", "ladder", "2026-03-01", giver="mill", taker="coop", crop="soybeans", bushels="200"),
    [("period_closed", {"day": "2026-04-01"}), ("exceeds_stock", {"giver": "coop", "taker": "mill"})],
)

REPORT: Final = Ladder(
    "report",
    STOCKED,
    ev(
        "report", "ladder", "2026-01-02", entity="nobody", crop="oats", harvest_year=2028, bushels="0", ci="1000000",
        version=3,
    ),
    [
        ("harvest_year_not_possible", {"harvest_year": 2025}),
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
)  # fmt: skip

REPORT_CLOSED: Final = Ladder(
    "an amendment dated in a holder's closed period",
    STOCKED,
    ev(
        "report", "ladder", "2026-03-30", entity="ada", crop="soybeans", harvest_year=2025, bushels="9900", ci="5000",
        version=3,
    ),
    [("period_closed", {"day": "2026-04-02"}), ("version_out_of_order", {"version": 2})],
)  # fmt: skip

SLIP: Final = Ladder(
    "slip",
    [*STOCKED, ev("slip", "other-slip", "2026-01-25", giver="ada", taker="mill", origin=ADA_SOY, bushels="100")],
    ev("slip", "ladder", "2026-01-01", giver="ada", taker="ada", origin="nothing", bushels="99",
       spans=[["20", "10"], ["0", "99000"]]),
    [
        ("parties_are_one", {"taker": "crush"}),
        ("role_not_allowed", {"taker": "coop"}),
        ("record_not_found", {"origin": BEN_SOY}),
        ("parties_differ", {"origin": ADA_SOY}),
        ("span_not_possible", {"spans": [["3550", "99000"]]}),
        ("outside_origin", {"spans": [["3400", "3550"]]}),
        ("serials_assigned", {"spans": [["3400", "3500"]]}),
        ("not_held", {"spans": [["3700", "3800"]]}),
        ("not_held_yet", {"day": "2026-01-25"}),
        ("exceeds_stock", {"bushels": "100"}),
    ],
)  # fmt: skip

SHARE: Final = Ladder(
    "share",
    STOCKED,
    ev("share", "ladder", "2026-01-25", giver="ada", taker="coop", origin=CAL, bushels="0"),
    [
        ("role_not_allowed", {"taker": "lena"}),
        ("parties_differ", {"giver": "cal"}),
        ("amount_not_positive", {"bushels": "9000"}),
        ("report_suspended", {"giver": "ada", "origin": ADA_SOY}),
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
        "purchase", "ladder", "2025-12-31", giver="ada", taker="ada", slip="slip-none", bushels="-1", site="",
        terms="delayed_price", delivered="2025-12-30", tickets=[WRONG_TICKET, USED_TICKET],
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
)  # fmt: skip

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
        "purchase_pending", "pend", "2026-01-05", giver="ada", taker="coop", crop="soybeans", harvest_year=2025,
        bushels="500", site="north", tickets=[{"number": "P1", "bushels": "500"}],
    ),
    *REPORTS,
    ev("slip", "slip-p", "2026-02-01", giver="ada", taker="coop", origin=ADA_SOY, bushels="700"),
    ev("slip", "slip-c", "2026-02-01", giver="ada", taker="coop", origin=ADA_CORN, bushels="700"),
    ev("shipment", "gone", "2026-02-02", entity="coop", site="north", form="soybeans", amount="200", number="S1"),
]  # fmt: skip

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
        "purchase_pending", "ladder", "2026-01-05", giver="ada", taker="crush", crop="oats", harvest_year=2025,
        bushels="500", tickets=[{"number": "P1", "bushels": "499"}],
    ),
    [
        ("role_not_allowed", {"taker": "coop"}),
        ("site_not_found", {"site": "north"}),
        ("crop_not_covered", {"crop": "soybeans"}),
        ("tickets_below_claim", {"bushels": "499"}),
    ],
)  # fmt: skip

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

LADDERS: Final = [value for value in list(globals().values()) if isinstance(value, Ladder)]
