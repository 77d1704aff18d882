"""What the example chain comes to: how many farms, events and papers, and where every bushel is."""

from datetime import date
from typing import Any

from provender.custody.batch import all_balances
from provender.custody.model.entities import Entity
from provender.custody.model.lots import LotState
from provender.custody.reconcile.discrepancies import Discrepancy
from provender.demo.books import Papers
from provender.demo.chain import QUARTERS, TRADERS, Chain
from provender.demo.farms import Report
from provender.quantity import show


def figures_of(made: Chain, reports: list[Report], papers: Papers, findings: list[Discrepancy]) -> dict[str, Any]:
    """Return what the example chain comes to: how much of what, and whether every serial is accounted for."""
    balances = all_balances(made.store)
    lots = [lot for one in reports for lot in made.store.lots_at(one.origin, 0, one.bushels)]
    states = {str(state): show(sum(lot.crop_amount for lot in lots if lot.state is state)) for state in LotState}
    grown = sum(one.bushels for one in reports)
    rows: list[dict[str, Any]] = [dict(one) for one in balances]
    return {
        "seed": made.seed,
        "farms": len({one.farm for one in reports}),
        "reports": len(reports) + sum(1 for one in reports if one.amended),
        "events": len(made.events),
        "slips": len(papers.slips),
        "transfer_documents": len(papers.transfers),
        "periods_closed": len(TRADERS) * len(QUARTERS),
        "bushels_grown": show(grown),
        "bushels_by_state": states,
        "every_serial_accounted_for": sum(lot.crop_amount for lot in lots) == grown,
        "equations": sum(len(one["lines"]) for one in rows),
        "findings": len(findings),
        "entities": [_entity(made, name, rows) for name in TRADERS],
        "as_of": str(date(2027, 1, 5)),
    }


def _entity(made: Chain, name: str, balances: list[dict[str, Any]]) -> dict[str, Any]:
    mine = [line for one in balances if one["entity"] == name for line in one["lines"]]
    entity = made.store.one(Entity, name)
    steps = [one for one in made.store.steps(name) if one.day <= QUARTERS[-1][1]]
    return {
        "entity": name,
        "name": entity.name if entity else name,
        "incoming_bu": show(sum(s.after.crop_amount for s in steps if s.came and s.after.owner == name)),
        "outgoing_bu": show(sum(s.after.crop_amount for s in steps if s.left and s.before and s.before.owner == name)),
        "carbon_intensities": len({line["ci_g_per_bu"] for line in mine}),
    }
