"""What every ladder stands on: its form, and a season with stock at an elevator, a crusher and a refiner."""

from typing import Any, Final, NamedTuple

from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, Event, bought, entity, ev, periods, report, serials


class Ladder(NamedTuple):
    """A world, a request that breaks everything, and (status, repair) rung by rung; the last repair gets it posted."""

    name: str
    world: list[Event]
    event: Event
    rungs: list[tuple[str, dict[str, Any]]]
    end: str = "posted"


OIL: Final = ev(
    "yield", "yield-1", "2026-01-01", entity="coop", site="north", made_of="soybeans", output="soybean_oil",
    campaign="C1", rate="11.07", start_day="2026-01-01", end_day="2026-02-28",
)  # fmt: skip

SHIPPED: Final = {"number": "T-out", "bushels": "100", "day": "2026-01-12"}
CAL, DOT = "cal/soybeans/2025", "dot/soybeans/2025"

NAMED_BINS: Final[list[Event]] = [
    *CAST,
    entity("bins", "first_point", "bins"),
    *periods("bins", "named"),
    *REPORTS,
    *bought("b", "ada", "bins", ADA_SOY, "900", day="2026-01-05", site="bins"),
]
"""A house whose policy is to name lots, with one to name."""

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
        "sale", "v-gone", "2026-01-12", giver="coop", taker="crush", crop="soybeans", lots=[serials(ADA_SOY, 0, 100)],
        site="north", tickets=[SHIPPED],
    ),
    *bought("b-back", "ben", "coop", BEN_SOY, "100", day="2026-01-08", site="north"),
    ev(
        "sale", "v-back", "2026-01-12", giver="coop", taker="crush", crop="soybeans",
        lots=[serials(BEN_SOY, 1000, 1100)],
    ),
    ev("accept", "a-back", "2026-01-13", taker="crush", movement="v-back"),
    ev("correct", "c-back", "2026-01-14", entity="coop", movement="v-back", reason="another buyer"),
    OIL,
    ev(
        "process", "crushed", "2026-01-20", entity="coop", site="north", crop="soybeans", output="soybean_oil",
        lots=[serials(ADA_SOY, 100, 200)],
    ),
    ev("receipt", "other", "2026-01-20", entity="coop", site="north", form="soybeans", amount="50", number="T-other"),
    ev("suspend", "cal-suspended", "2026-01-21", origin=CAL),
    ev("withdraw", "dot-withdrawn", "2026-01-21", origin=DOT),
    ev("receipt", "grain", "2026-01-20", entity="coop", site="south", form="soybeans", amount="50", number="T-south"),
    ev("close", "mill-q1", "2026-03-31", entity="mill", closed_on="2026-04-01"),
]  # fmt: skip

LOTS: Final = [
    serials(BEN_SOY, 100, 50),  # not possible
    serials(ADA_SOY, 99000, 99001),  # outside
    serials(DOT, 0, 10),  # withdrawn
    serials(CAL, 0, 10),  # suspended
    serials(ADA_SOY, 0, 10),  # sold
    serials(ADA_SOY, 3200, 3210),  # in transit
    serials(BEN_SOY, 1000, 1010),  # in dispute
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
