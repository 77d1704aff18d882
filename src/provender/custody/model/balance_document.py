"""Balances as plain documents: what ``--json`` prints, what a closed period signs, what a verifier reads."""

from collections.abc import Iterable

from provender.custody.model.amounts import unit_of
from provender.custody.model.balances import Balance, BalanceLine
from provender.quantity import CI_SCALE, show

EQUATION = "beginning + incoming = outgoing + ending"


def line_document(line: BalanceLine) -> dict[str, object]:
    """Return one equation in decimal text, bushels throughout, with its sheets per form beneath."""
    return {
        "crop": line.key.crop,
        "harvest_year": line.key.harvest_year,
        "ci_g_per_bu": show(line.key.ci, CI_SCALE),
        "beginning_bu": show(line.beginning),
        "incoming_bu": show(line.total_incoming),
        "outgoing_bu": show(line.total_outgoing),
        "ending_bu": show(line.ending),
        "incoming": {name: show(amount) for name, amount in sorted(line.incoming.items())},
        "outgoing": {name: show(amount) for name, amount in sorted(line.outgoing.items())},
        "unverified_bu": show(line.unverified),
        "forms": [
            {
                "form": form,
                "unit": unit_of(form),
                "beginning": show(sheet.beginning),
                "incoming": show(sheet.incoming),
                "outgoing": show(sheet.outgoing),
                "ending": show(sheet.ending),
            }
            for form, sheet in sorted(line.sheets.items())
        ],
    }


def balance_document(balance: Balance) -> dict[str, object]:
    """Return all equations of an entity for a period; an account without any says so and claims nothing."""
    return {
        "entity": balance.entity,
        "start": balance.start.isoformat(),
        "end": balance.end.isoformat(),
        "equation": EQUATION,
        "cite": "2100.034(d)",
        "lines": [line_document(line) for line in balance.lines],
    }


def balance_documents(balances: Iterable[Balance]) -> list[dict[str, object]]:
    """Return several periods."""
    return [balance_document(one) for one in balances]


def interim_document(balance: Balance) -> dict[str, object]:
    """Return equations over days that are no closed period, with what that means."""
    told = "Not a period statement: nothing is closed by it, and what is entered later may change it."
    return {**balance_document(balance), "interim": told}
