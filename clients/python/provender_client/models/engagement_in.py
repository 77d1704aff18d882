from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.engagement_in_procedures_item import EngagementInProceduresItem
    from ..models.engagement_in_risks_item import EngagementInRisksItem
    from ..models.engagement_in_team_item import EngagementInTeamItem


T = TypeVar("T", bound="EngagementIn")


@_attrs_define
class EngagementIn:
    """What verifier and client agreed on, who audited, how it was planned and reviewed; null is not said yet.

    Attributes:
        engaged_by (str | Unset):  Default: ''.
        engaged_on (datetime.date | None | Unset):
        addressee (str | Unset):  Default: ''.
        party_responsibility (str | Unset):  Default: ''.
        verifier_responsibility (str | Unset):  Default: ''.
        impartiality (str | Unset):  Default: ''.
        team (list[EngagementInTeamItem] | Unset): name, part, competence
        risks (list[EngagementInRisksItem] | Unset): risk, cite, level, response
        sampling_plan (str | Unset):  Default: ''.
        procedures (list[EngagementInProceduresItem] | Unset): cite, procedure, evidence, result
        reviewed_on (datetime.date | None | Unset):
        later_facts (str | Unset):  Default: ''.
        retention_years (int | None | Unset):
    """

    engaged_by: str | Unset = ""
    engaged_on: datetime.date | None | Unset = UNSET
    addressee: str | Unset = ""
    party_responsibility: str | Unset = ""
    verifier_responsibility: str | Unset = ""
    impartiality: str | Unset = ""
    team: list[EngagementInTeamItem] | Unset = UNSET
    risks: list[EngagementInRisksItem] | Unset = UNSET
    sampling_plan: str | Unset = ""
    procedures: list[EngagementInProceduresItem] | Unset = UNSET
    reviewed_on: datetime.date | None | Unset = UNSET
    later_facts: str | Unset = ""
    retention_years: int | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        engaged_by = self.engaged_by

        engaged_on: None | str | Unset
        if isinstance(self.engaged_on, Unset):
            engaged_on = UNSET
        elif isinstance(self.engaged_on, datetime.date):
            engaged_on = self.engaged_on.isoformat()
        else:
            engaged_on = self.engaged_on

        addressee = self.addressee

        party_responsibility = self.party_responsibility

        verifier_responsibility = self.verifier_responsibility

        impartiality = self.impartiality

        team: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.team, Unset):
            team = []
            for team_item_data in self.team:
                team_item = team_item_data.to_dict()
                team.append(team_item)

        risks: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.risks, Unset):
            risks = []
            for risks_item_data in self.risks:
                risks_item = risks_item_data.to_dict()
                risks.append(risks_item)

        sampling_plan = self.sampling_plan

        procedures: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.procedures, Unset):
            procedures = []
            for procedures_item_data in self.procedures:
                procedures_item = procedures_item_data.to_dict()
                procedures.append(procedures_item)

        reviewed_on: None | str | Unset
        if isinstance(self.reviewed_on, Unset):
            reviewed_on = UNSET
        elif isinstance(self.reviewed_on, datetime.date):
            reviewed_on = self.reviewed_on.isoformat()
        else:
            reviewed_on = self.reviewed_on

        later_facts = self.later_facts

        retention_years: int | None | Unset
        if isinstance(self.retention_years, Unset):
            retention_years = UNSET
        else:
            retention_years = self.retention_years

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if engaged_by is not UNSET:
            field_dict["engaged_by"] = engaged_by
        if engaged_on is not UNSET:
            field_dict["engaged_on"] = engaged_on
        if addressee is not UNSET:
            field_dict["addressee"] = addressee
        if party_responsibility is not UNSET:
            field_dict["party_responsibility"] = party_responsibility
        if verifier_responsibility is not UNSET:
            field_dict["verifier_responsibility"] = verifier_responsibility
        if impartiality is not UNSET:
            field_dict["impartiality"] = impartiality
        if team is not UNSET:
            field_dict["team"] = team
        if risks is not UNSET:
            field_dict["risks"] = risks
        if sampling_plan is not UNSET:
            field_dict["sampling_plan"] = sampling_plan
        if procedures is not UNSET:
            field_dict["procedures"] = procedures
        if reviewed_on is not UNSET:
            field_dict["reviewed_on"] = reviewed_on
        if later_facts is not UNSET:
            field_dict["later_facts"] = later_facts
        if retention_years is not UNSET:
            field_dict["retention_years"] = retention_years

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.engagement_in_procedures_item import EngagementInProceduresItem  # noqa: PLC0415
        from ..models.engagement_in_risks_item import EngagementInRisksItem  # noqa: PLC0415
        from ..models.engagement_in_team_item import EngagementInTeamItem  # noqa: PLC0415

        d = dict(src_dict)
        engaged_by = d.pop("engaged_by", UNSET)

        def _parse_engaged_on(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                engaged_on_type_0 = datetime.date.fromisoformat(data)

                return engaged_on_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        engaged_on = _parse_engaged_on(d.pop("engaged_on", UNSET))

        addressee = d.pop("addressee", UNSET)

        party_responsibility = d.pop("party_responsibility", UNSET)

        verifier_responsibility = d.pop("verifier_responsibility", UNSET)

        impartiality = d.pop("impartiality", UNSET)

        _team = d.pop("team", UNSET)
        team: list[EngagementInTeamItem] | Unset = UNSET
        if _team is not UNSET:
            team = []
            for team_item_data in _team:
                team_item = EngagementInTeamItem.from_dict(team_item_data)

                team.append(team_item)

        _risks = d.pop("risks", UNSET)
        risks: list[EngagementInRisksItem] | Unset = UNSET
        if _risks is not UNSET:
            risks = []
            for risks_item_data in _risks:
                risks_item = EngagementInRisksItem.from_dict(risks_item_data)

                risks.append(risks_item)

        sampling_plan = d.pop("sampling_plan", UNSET)

        _procedures = d.pop("procedures", UNSET)
        procedures: list[EngagementInProceduresItem] | Unset = UNSET
        if _procedures is not UNSET:
            procedures = []
            for procedures_item_data in _procedures:
                procedures_item = EngagementInProceduresItem.from_dict(procedures_item_data)

                procedures.append(procedures_item)

        def _parse_reviewed_on(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reviewed_on_type_0 = datetime.date.fromisoformat(data)

                return reviewed_on_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        reviewed_on = _parse_reviewed_on(d.pop("reviewed_on", UNSET))

        later_facts = d.pop("later_facts", UNSET)

        def _parse_retention_years(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        retention_years = _parse_retention_years(d.pop("retention_years", UNSET))

        engagement_in = cls(
            engaged_by=engaged_by,
            engaged_on=engaged_on,
            addressee=addressee,
            party_responsibility=party_responsibility,
            verifier_responsibility=verifier_responsibility,
            impartiality=impartiality,
            team=team,
            risks=risks,
            sampling_plan=sampling_plan,
            procedures=procedures,
            reviewed_on=reviewed_on,
            later_facts=later_facts,
            retention_years=retention_years,
        )

        return engagement_in
