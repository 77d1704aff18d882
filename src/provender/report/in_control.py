"""Who cannot be in control of a unit, whatever the control records say of them (2100.002, interpretation 33)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

TENANTS: Final = ("cash_tenant", "share_tenant")
_BESIDE_A_TENANT: Final = (*TENANTS, "partner", "hired_manager")
"""Who may run a unit together with a tenant, or for one: its owner does not."""


def only_advises(related: Sequence[Mapping[str, Any]], name: str) -> str:
    """Return the signer's name where the related parties give it to a consultant (interpretation 33)."""
    consultants = {_plain(one["name"]) for one in related if one["relation"] == "consultant"}
    return name if _plain(name) in consultants else ""


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def rented_to(controls: Sequence[Mapping[str, Any]], signer: str) -> dict[str, str]:
    """Return the units that another holds as a tenant: whoever rents land out does not run it (2100.002)."""
    own = {one["unit_id"] for one in controls if one["producer_id"] == signer and one["basis"] in _BESIDE_A_TENANT}
    return {
        one["unit_id"]: one["producer_id"]
        for one in controls
        if one["producer_id"] != signer and one["basis"] in TENANTS and one["unit_id"] not in own
    }
