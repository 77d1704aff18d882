from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.engagement_out_engagement import EngagementOutEngagement


T = TypeVar("T", bound="EngagementOut")


@_attrs_define
class EngagementOut:
    """What verifier and client agreed on, as it was said last; empty before.

    Attributes:
        said (EngagementOutEngagement):
    """

    said: EngagementOutEngagement

    def to_dict(self) -> dict[str, Any]:
        said = self.said.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "said": said,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.engagement_out_engagement import EngagementOutEngagement  # noqa: PLC0415

        d = dict(src_dict)
        said = EngagementOutEngagement.from_dict(d.pop("said"))

        engagement_out = cls(
            said=said,
        )

        return engagement_out
