from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.drawn_out_decision_type_0 import DrawnOutDecisionType0
    from ..models.drawn_out_risk import DrawnOutRisk


T = TypeVar("T", bound="DrawnOut")


@_attrs_define
class DrawnOut:
    """A farm of the sample; ``decision`` is the borrowed audit that stands for it, null where it is visited.

    Attributes:
        farm (str):
        name (str):
        stratum (str):
        risk (DrawnOutRisk):
        decision (DrawnOutDecisionType0 | None):
        lets_in (bool):
    """

    farm: str
    name: str
    stratum: str
    risk: DrawnOutRisk
    decision: DrawnOutDecisionType0 | None
    lets_in: bool

    def to_dict(self) -> dict[str, Any]:
        from ..models.drawn_out_decision_type_0 import DrawnOutDecisionType0  # noqa: PLC0415

        farm = self.farm

        name = self.name

        stratum = self.stratum

        risk = self.risk.to_dict()

        decision: dict[str, Any] | None
        if isinstance(self.decision, DrawnOutDecisionType0):
            decision = self.decision.to_dict()
        else:
            decision = self.decision

        lets_in = self.lets_in

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "farm": farm,
                "name": name,
                "stratum": stratum,
                "risk": risk,
                "decision": decision,
                "lets_in": lets_in,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.drawn_out_decision_type_0 import DrawnOutDecisionType0  # noqa: PLC0415
        from ..models.drawn_out_risk import DrawnOutRisk  # noqa: PLC0415

        d = dict(src_dict)
        farm = d.pop("farm")

        name = d.pop("name")

        stratum = d.pop("stratum")

        risk = DrawnOutRisk.from_dict(d.pop("risk"))

        def _parse_decision(data: object) -> DrawnOutDecisionType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                decision_type_0 = DrawnOutDecisionType0.from_dict(data)

                return decision_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(DrawnOutDecisionType0 | None, data)

        decision = _parse_decision(d.pop("decision"))

        lets_in = d.pop("lets_in")

        drawn_out = cls(
            farm=farm,
            name=name,
            stratum=stratum,
            risk=risk,
            decision=decision,
            lets_in=lets_in,
        )

        return drawn_out
