from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.extent import Extent
from ..types import UNSET, Unset

T = TypeVar("T", bound="TreatmentIn")


@_attrs_define
class TreatmentIn:
    """A completed audit that stands for a drawn farm's, wholly or in part (2100.040(b)(2)).

    Attributes:
        farm (str): Code of a drawn farm.
        extent (Extent): How much of the audit is done again.
        borrowed_audit (str): Number or hash of its statement.
        verifier (str): Who completed it.
        reason (str): Why it is accepted.
        still_to_do (str | Unset): For a part: what is audited all the same. Default: ''.
    """

    farm: str
    extent: Extent
    borrowed_audit: str
    verifier: str
    reason: str
    still_to_do: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        farm = self.farm

        extent = self.extent.value

        borrowed_audit = self.borrowed_audit

        verifier = self.verifier

        reason = self.reason

        still_to_do = self.still_to_do

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "farm": farm,
                "extent": extent,
                "borrowed_audit": borrowed_audit,
                "verifier": verifier,
                "reason": reason,
            }
        )
        if still_to_do is not UNSET:
            field_dict["still_to_do"] = still_to_do

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        farm = d.pop("farm")

        extent = Extent(d.pop("extent"))

        borrowed_audit = d.pop("borrowed_audit")

        verifier = d.pop("verifier")

        reason = d.pop("reason")

        still_to_do = d.pop("still_to_do", UNSET)

        treatment_in = cls(
            farm=farm,
            extent=extent,
            borrowed_audit=borrowed_audit,
            verifier=verifier,
            reason=reason,
            still_to_do=still_to_do,
        )

        return treatment_in
