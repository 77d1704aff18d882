"""One change each from a farm whose report can be signed, as functions from rows to rows."""

from collections.abc import Callable
from typing import Final

from provender.records.kinds.nutrients import N_SOURCES
from tests.standards.season import Rows, changed, content_hash, evidence, with_row, without

Change = Callable[[Rows], Rows]

SPRAYER: Final = "Sprayer, kill crop"
COMBINE: Final = "Harvest, killing crop 50pct standing stubble"
DRILL, KILL, PLANT, INJECT, CUT = range(5)
COVER, SEED, SOIL, INHIBITOR, LOG, RUN, ACRES, TICKETS = range(8)
"""Rows of passes, and of evidence."""


def of(kind: str, row: int = 0, **cells: str) -> Change:
    return lambda rows: changed(rows, kind, row, **cells)


def more(kind: str, **cells: str) -> Change:
    return lambda rows: with_row(rows, kind, **cells)


def like(kind: str, row: int = 0, **cells: str) -> Change:
    """Add a row that is another one but for some cells."""
    return lambda rows: with_row(rows, kind, **rows[kind][row] | cells)


def less(kind: str, row: int | None = None) -> Change:
    return lambda rows: without(rows, kind, row)


def both(*changes: Change) -> Change:
    def made(rows: Rows) -> Rows:
        for change in changes:
            rows = change(rows)
        return rows

    return made


def source(name: str, **cells: str) -> Change:
    return of("budget_source", N_SOURCES.index(name), **cells)


def a_pass(day: str, operation: str, depth: str = "", speed: str = "", width: str = "") -> Change:
    return more("operation", operation_id="O7", unit_id="N40", day=day, operation=operation, equipment="another one",
                depth_in=depth, speed_mph=speed, width_ft=width)  # fmt: skip


def plow(day: str) -> Change:
    return a_pass(day, "Plow, moldboard", "8", "4.5", "8")


def spread(product: str, n: str, **cells: str) -> Change:
    """Add an application without inhibitor whose nitrogen is said not to be synthetic, and the pass that put it on."""
    row = {"application_id": "A3", "inhibitor": "none", "inhibitor_rate": "", "synthetic_n": "no", "product": product,
           "day": "2025-04-20", "method": "broadcast", "n_lb_per_ac": n}  # fmt: skip
    drive = more("operation", operation_id="O9", unit_id="N40", day=(row | cells)["day"], operation=SPRAYER,
                 equipment="sprayer")  # fmt: skip
    return both(drive, like("nutrient_application", 0, **row | cells))


def no_knives(**cells: str) -> Change:
    """Let a sprayer have driven where the ammonia was knifed in, with another word for how it went on."""
    drive = of("operation", INJECT, operation=SPRAYER, depth_in="", speed_mph="", width_ft="")
    return both(drive, of("nutrient_application", 1, **cells))


def left_out(**cells: str) -> Change:
    """Put 100 lb on after emergence instead of 130, 20 of them left out by scouting."""
    row = {"in_season_test_id": "I1", "harvest_id": "H25", "tested_on": "2025-06-01", "what": "scouting",
           "result": "dark green at V6", "planned_on": "2025-06-02", "n_reduction_lb_per_ac": "20"}  # fmt: skip
    return both(of("nutrient_application", 1, n_lb_per_ac="100"), more("in_season_test", **row | cells))


def zones(west: str, acres: str = "20") -> Change:
    """Split the second application into two zones of the unit."""
    east = of("nutrient_application", 1, zone="east", treated_acres="20")
    return both(
        east, like("nutrient_application", 1, application_id="A3", zone="west", n_lb_per_ac=west, treated_acres=acres)
    )


def cut_in_spring(crop: str, day: str, planted: str = "") -> Change:
    """Harvest another crop between cover and corn."""
    row = more("harvest", harvest_id="H25w", unit_id="N40", crop=crop, ending="harvested", first_day=day, last_day=day,
               bushels="1000")  # fmt: skip
    return both(row, more("planting", planting_id="P9", harvest_id="H25w", planted_on=planted)) if planted else row


def clover(**budget: str) -> Change:
    """Grow crimson clover for rye, with 40 lb of N from it, and change the budget."""
    species = of("cover_species", species="Clover, Crimson"), of("seed_purchase", species="Clover, Crimson")
    return both(*species, of("nutrient_budget", 0, **{"legume_n_lb_per_ac": "40"} | budget))


def enrolled(**cells: str) -> Change:
    """Enroll the credited unit in a program."""
    return more("enrolment", **{"enrolment_id": "X1", "unit_id": "N40", "program": "Carbon bank"} | cells)


def sold(**cells: str) -> Change:
    """Sell some of the harvest."""
    row = {"sale_id": "S1", "crop": "corn", "harvest_year": "2025", "disposition": "sold_with_ci", "buyer": "Co-op",
           "day": "2025-12-20", "bushels": "9000"}  # fmt: skip
    return more("sale", **row | cells)


def weighed(**cells: str) -> Change:
    row = {"ticket_id": "T1", "buyer": "Co-op", "day": "2025-10-21", "crop": "corn", "harvest_year": "2025",
           "net_lb": "50000", "net_bushels": "900"}  # fmt: skip
    return more("scale_ticket", **row | cells)


def opinion(**cells: str) -> Change:
    """Rest the budget on an expert instead of the soil test, which stays on file."""
    row = {"opinion_id": "X1", "expert": "A. Fields", "employer": "cooperative_extension", "given_on": "2025-02-01",
           "works_on": "corn", "specialty": "Corn agronomy", "evidence": "E10"}  # fmt: skip
    paper = more("evidence", **evidence("E10", "opinion.pdf", "form", "2025-02-01"))
    basis = of("nutrient_budget", basis="expert_opinion", opinion_id="X1")
    return both(more("expert_opinion", **row | cells), paper, basis)


def counted(what: str, bushels: str, total: str = "9500", **cells: str) -> Change:
    """Count something beside the tickets."""
    row = {"total_id": "B2", "crop": "corn", "harvest_year": "2025", "what": what, "bushels": bushels, "evidence": "E9"}
    return both(of("bushel_total", bushels=total), more("bushel_total", **row | cells))


def stored(what: str, bushels: str) -> Change:
    """Count what lies in store beside what else is counted."""
    return like("bushel_total", total_id="B3", what=what, bushels=bushels)


def reported(what: str, acres: str, total: str, **cells: str) -> Change:
    row = {"report_id": "A2", "crop": "corn", "harvest_year": "2025", "acres": acres, "source": what, "what": what,
           "evidence": "E8"}  # fmt: skip
    return both(of("reported_acres", acres=total), more("reported_acres", **row | cells))


def dry() -> Change:
    """Write the moisture of dry corn on what was cut of both units."""
    return both(of("harvest", 1, moisture_pct="15.5"), of("harvest", 3, moisture_pct="15.5"))


def in_two_hybrids() -> Change:
    """Harvest the unit in two rows, hybrid by hybrid."""
    second = more("harvest", harvest_id="H25b", unit_id="N40", crop="corn", use="grain", ending="harvested",
                  first_day="2025-10-27", last_day="2025-10-27", bushels="3000", harvested_acres="15")  # fmt: skip
    return both(of("harvest", 1, bushels="5000", harvested_acres="25"), second, a_pass("2025-10-27", COMBINE))


def replanted() -> Change:
    """Give the stand up on 12 May, with the adjuster's form, and plant again."""
    return both(
        more("harvest", harvest_id="H25f", unit_id="N40", crop="corn", ending="terminated", first_day="2025-05-12",
             termination_record="adjuster form 12"),
        more("planting", planting_id="P2", harvest_id="H25", planted_on="2025-05-14", replant="yes",
             emerged_on="2025-05-23"),
        a_pass("2025-05-14", "Planter, double disk opnr with starter fertilizer", "2.5", "5", "40"),
    )  # fmt: skip


def unlisted(**cells: str) -> Change:
    """Plant with an implement that the list does not know, its one tool recorded."""
    tool = {"operation_id": "O3", "tool_no": "1", "tillage_type": "mixing_some_inversion", "depth_in": "2.5",
            "surface_pct": "20"}  # fmt: skip
    planter = of("operation", PLANT, operation="Home-built planter", full_width="no", primary_inversion="no")
    return both(planter, more("operation_tool", **tool | cells))


def same_picture() -> Change:
    """Let one picture stand for two units, under two names."""
    return both(
        more("evidence", **evidence("E1b", "rye.jpg", "photograph", "2024-11-04", unit_id="S12")),
        like("cover_crop", cover_id="C9", unit_id="S12", harvest_id="S25", established_photo="E1b"),
        more_rye(),
    )


def more_rye() -> Change:
    """Sow the second cover crop with the same rye, and buy enough for both."""
    return both(like("cover_species", cover_id="C9"), of("seed_purchase", pounds="4800"))


def exchanged(row: int) -> Change:
    """Put another file in the place of a piece of evidence."""
    return of("evidence", row, sha256=content_hash("another file"))
