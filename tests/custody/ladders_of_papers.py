"""Ladders of documents from outside, returns, corrections, tickets and notices."""

from typing import Any, Final

from tests.custody.ladders_stock import CAL, DOT, STOCKED, Ladder
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, bought, entity, ev, periods, serials


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
        ev("document", "doc-3", "2026-01-20", giver="coop", taker="east", number="D9", lines=[line("", "0", "10")]),
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
        ("document_seen", {"number": "D10"}),
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
        "return", "ladder", "2026-01-10", giver="coop", taker="mill", movement="v-gone", amount="11",
        lots=[serials(ADA_SOY, 2790, 2810)],
    ),
    [
        ("parties_differ", {"movement": "v-mill"}),
        ("period_closed", {"day": "2026-04-02"}),
        ("outside_movement", {"lots": [serials(ADA_SOY, 2800, 2810)]}),
        ("exceeds_stock", {"amount": "10"}),
    ],
)  # fmt: skip

CORRECT: Final = Ladder(
    "correction",
    [
        *STOCKED,
        *bought("b-void", "ada", "coop", ADA_SOY, "10", day="2026-02-01", site="north"),
        ev("correct", "c-void", "2026-02-02", entity="ada", movement="b-void", reason="typed twice"),
    ],
    ev("correct", "ladder", "2025-12-01", entity="ben", movement="nothing", reason="typed twice"),
    [
        ("record_not_found", {"movement": REPORTS[0]["id"]}),
        ("parties_differ", {"entity": "ada"}),
        ("not_correctable", {"movement": "b-void"}),
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
        "receipt", "ladder", "2026-01-07", entity="coop", site="north", form="soybeans", amount="0", number="none",
        void=True,
    ),
    [
        ("record_not_found", {"number": "T-b-ben"}),
        ("amount_not_positive", {"amount": "999"}),
        ("ticket_differs", {"amount": "1000"}),
        ("ticket_used", {"number": "T-other", "amount": "50", "day": "2026-01-20"}),
    ],
)  # fmt: skip


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

SETTLE: Final = Ladder(
    "settlement of a dispute",
    STOCKED,
    ev("settle", "ladder", "2024-12-31", entity="nobody", movement="nothing"),
    [
        ("rule_not_in_force", {"day": "2026-01-13"}),
        ("entity_not_found", {"entity": "coop"}),
        ("record_not_found", {"movement": "v-gone"}),
        ("already_answered", {"movement": "c-back"}),
        ("paper_not_shown", {"entity": "crush"}),
        ("not_held_yet", {"day": "2026-01-15"}),
    ],
)

YARD: Final[list[Event]] = [
    *CAST,
    entity("yard", "first_point", "yard", "annex", "shed"),
    *periods("yard"),
    ev("receipt", "in-yard", "2026-01-05", entity="yard", site="yard", form="corn", amount="100", number="T1"),
    ev("close_site", "shut", "2026-01-10", entity="yard", site="shed"),
]
"""A house with grain at one site, nothing at the second, and a third that is closed."""

CLOSE_SITE: Final = Ladder(
    "closing of a site",
    YARD,
    ev("close_site", "ladder", "2024-12-31", entity="nobody", site="attic"),
    [
        ("rule_not_in_force", {"day": "2026-01-13"}),
        ("entity_not_found", {"entity": "yard"}),
        ("site_not_found", {"site": "shed"}),
        ("already_answered", {"site": "yard"}),
        ("site_in_use", {"site": "annex"}),
    ],
)

AT_CLOSED: Final = Ladder(
    "ticket of a closed site",
    YARD,
    ev("receipt", "ladder", "2026-01-10", entity="nobody", site="shed", form="corn", amount="100", number="T1"),
    [("entity_not_found", {"entity": "yard"}), ("site_closed", {"day": "2026-01-09"})],
)

LADDERS: Final = [value for value in list(globals().values()) if isinstance(value, Ladder)]
