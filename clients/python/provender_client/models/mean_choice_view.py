from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.chosen_lot_view import ChosenLotView


T = TypeVar("T", bound="MeanChoiceView")


@_attrs_define
class MeanChoiceView:
    """The fewest lots that give an amount at a mean of at most so much, and what the policy would take.

    Attributes:
        form (str):
        pounds (str): 0 for the crop itself.
        bushels (str): Of crop; for a product those behind it.
        ci_from_g_per_bu (str):
        ci_to_g_per_bu (str):
        mean_ci_g_per_bu (str): To the nearest hundredth; the test is exact.
        fewest (bool): Whether it is shown that no fewer lots do.
        lots (list[ChosenLotView]):
        policy (str): How the period's policy would choose; or why it would not.
        policy_mean_ci_g_per_bu (None | str):
        policy_lots (int):
    """

    form: str
    pounds: str
    bushels: str
    ci_from_g_per_bu: str
    ci_to_g_per_bu: str
    mean_ci_g_per_bu: str
    fewest: bool
    lots: list[ChosenLotView]
    policy: str
    policy_mean_ci_g_per_bu: None | str
    policy_lots: int

    def to_dict(self) -> dict[str, Any]:
        form = self.form

        pounds = self.pounds

        bushels = self.bushels

        ci_from_g_per_bu = self.ci_from_g_per_bu

        ci_to_g_per_bu = self.ci_to_g_per_bu

        mean_ci_g_per_bu = self.mean_ci_g_per_bu

        fewest = self.fewest

        lots = []
        for lots_item_data in self.lots:
            lots_item = lots_item_data.to_dict()
            lots.append(lots_item)

        policy = self.policy

        policy_mean_ci_g_per_bu: None | str
        policy_mean_ci_g_per_bu = self.policy_mean_ci_g_per_bu

        policy_lots = self.policy_lots

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "form": form,
                "pounds": pounds,
                "bushels": bushels,
                "ci_from_g_per_bu": ci_from_g_per_bu,
                "ci_to_g_per_bu": ci_to_g_per_bu,
                "mean_ci_g_per_bu": mean_ci_g_per_bu,
                "fewest": fewest,
                "lots": lots,
                "policy": policy,
                "policy_mean_ci_g_per_bu": policy_mean_ci_g_per_bu,
                "policy_lots": policy_lots,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.chosen_lot_view import ChosenLotView  # noqa: PLC0415

        d = dict(src_dict)
        form = d.pop("form")

        pounds = d.pop("pounds")

        bushels = d.pop("bushels")

        ci_from_g_per_bu = d.pop("ci_from_g_per_bu")

        ci_to_g_per_bu = d.pop("ci_to_g_per_bu")

        mean_ci_g_per_bu = d.pop("mean_ci_g_per_bu")

        fewest = d.pop("fewest")

        lots = []
        _lots = d.pop("lots")
        for lots_item_data in _lots:
            lots_item = ChosenLotView.from_dict(lots_item_data)

            lots.append(lots_item)

        policy = d.pop("policy")

        def _parse_policy_mean_ci_g_per_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        policy_mean_ci_g_per_bu = _parse_policy_mean_ci_g_per_bu(d.pop("policy_mean_ci_g_per_bu"))

        policy_lots = d.pop("policy_lots")

        mean_choice_view = cls(
            form=form,
            pounds=pounds,
            bushels=bushels,
            ci_from_g_per_bu=ci_from_g_per_bu,
            ci_to_g_per_bu=ci_to_g_per_bu,
            mean_ci_g_per_bu=mean_ci_g_per_bu,
            fewest=fewest,
            lots=lots,
            policy=policy,
            policy_mean_ci_g_per_bu=policy_mean_ci_g_per_bu,
            policy_lots=policy_lots,
        )

        return mean_choice_view
