from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.accreditation_out_shown_type_0 import AccreditationOutShownType0
    from ..models.need_out import NeedOut


T = TypeVar("T", bound="AccreditationOut")


@_attrs_define
class AccreditationOut:
    """The accreditation shown last, null before, and what stands against it today.

    Attributes:
        shown (AccreditationOutShownType0 | None):
        against (list[NeedOut]):
    """

    shown: AccreditationOutShownType0 | None
    against: list[NeedOut]

    def to_dict(self) -> dict[str, Any]:
        from ..models.accreditation_out_shown_type_0 import AccreditationOutShownType0  # noqa: PLC0415

        shown: dict[str, Any] | None
        if isinstance(self.shown, AccreditationOutShownType0):
            shown = self.shown.to_dict()
        else:
            shown = self.shown

        against = []
        for against_item_data in self.against:
            against_item = against_item_data.to_dict()
            against.append(against_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "shown": shown,
                "against": against,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.accreditation_out_shown_type_0 import AccreditationOutShownType0  # noqa: PLC0415
        from ..models.need_out import NeedOut  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_shown(data: object) -> AccreditationOutShownType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                shown_type_0 = AccreditationOutShownType0.from_dict(data)

                return shown_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AccreditationOutShownType0 | None, data)

        shown = _parse_shown(d.pop("shown"))

        against = []
        _against = d.pop("against")
        for against_item_data in _against:
            against_item = NeedOut.from_dict(against_item_data)

            against.append(against_item)

        accreditation_out = cls(
            shown=shown,
            against=against,
        )

        return accreditation_out
