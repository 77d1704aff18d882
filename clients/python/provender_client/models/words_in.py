from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.assurance import Assurance
from ..models.crop import Crop
from ..models.opinion import Opinion

T = TypeVar("T", bound="WordsIn")


@_attrs_define
class WordsIn:
    """What people say in a statement; party, days, sample, findings and accreditation come from the audit.

    Attributes:
        lead_verifier (str): One line of text.
        independent_reviewer (str): Somebody who took no part in the audit.
        crops (list[Crop]):
        objectives (str):
        scope (str):
        criteria (list[str]):
        assurance (Assurance): How sure the verifier is.
        materiality_pct (str): Percent, such as 5.
        materiality (str): How it was applied.
        opinion (Opinion): The result, best first.
        basis (str):
    """

    lead_verifier: str
    independent_reviewer: str
    crops: list[Crop]
    objectives: str
    scope: str
    criteria: list[str]
    assurance: Assurance
    materiality_pct: str
    materiality: str
    opinion: Opinion
    basis: str

    def to_dict(self) -> dict[str, Any]:
        lead_verifier = self.lead_verifier

        independent_reviewer = self.independent_reviewer

        crops = []
        for crops_item_data in self.crops:
            crops_item = crops_item_data.value
            crops.append(crops_item)

        objectives = self.objectives

        scope = self.scope

        criteria = self.criteria

        assurance = self.assurance.value

        materiality_pct = self.materiality_pct

        materiality = self.materiality

        opinion = self.opinion.value

        basis = self.basis

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "lead_verifier": lead_verifier,
                "independent_reviewer": independent_reviewer,
                "crops": crops,
                "objectives": objectives,
                "scope": scope,
                "criteria": criteria,
                "assurance": assurance,
                "materiality_pct": materiality_pct,
                "materiality": materiality,
                "opinion": opinion,
                "basis": basis,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        lead_verifier = d.pop("lead_verifier")

        independent_reviewer = d.pop("independent_reviewer")

        crops = []
        _crops = d.pop("crops")
        for crops_item_data in _crops:
            crops_item = Crop(crops_item_data)

            crops.append(crops_item)

        objectives = d.pop("objectives")

        scope = d.pop("scope")

        criteria = cast(list[str], d.pop("criteria"))

        assurance = Assurance(d.pop("assurance"))

        materiality_pct = d.pop("materiality_pct")

        materiality = d.pop("materiality")

        opinion = Opinion(d.pop("opinion"))

        basis = d.pop("basis")

        words_in = cls(
            lead_verifier=lead_verifier,
            independent_reviewer=independent_reviewer,
            crops=crops,
            objectives=objectives,
            scope=scope,
            criteria=criteria,
            assurance=assurance,
            materiality_pct=materiality_pct,
            materiality=materiality,
            opinion=opinion,
            basis=basis,
        )

        return words_in
