from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.row_change_out_after_type_0 import RowChangeOutAfterType0
    from ..models.row_change_out_before_type_0 import RowChangeOutBeforeType0


T = TypeVar("T", bound="RowChangeOut")


@_attrs_define
class RowChangeOut:
    """A change of one row: who, when, why, and the texts of the columns that it changed; null where it was not there.

    ``before`` is null for a new row, ``after`` for one that was taken out.

        Attributes:
            version (int):
            at (str):
            actor (str):
            reason (str):
            before (None | RowChangeOutBeforeType0):
            after (None | RowChangeOutAfterType0):
    """

    version: int
    at: str
    actor: str
    reason: str
    before: None | RowChangeOutBeforeType0
    after: None | RowChangeOutAfterType0

    def to_dict(self) -> dict[str, Any]:
        from ..models.row_change_out_after_type_0 import RowChangeOutAfterType0  # noqa: PLC0415
        from ..models.row_change_out_before_type_0 import RowChangeOutBeforeType0  # noqa: PLC0415

        version = self.version

        at = self.at

        actor = self.actor

        reason = self.reason

        before: dict[str, Any] | None
        if isinstance(self.before, RowChangeOutBeforeType0):
            before = self.before.to_dict()
        else:
            before = self.before

        after: dict[str, Any] | None
        if isinstance(self.after, RowChangeOutAfterType0):
            after = self.after.to_dict()
        else:
            after = self.after

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "version": version,
                "at": at,
                "actor": actor,
                "reason": reason,
                "before": before,
                "after": after,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.row_change_out_after_type_0 import RowChangeOutAfterType0  # noqa: PLC0415
        from ..models.row_change_out_before_type_0 import RowChangeOutBeforeType0  # noqa: PLC0415

        d = dict(src_dict)
        version = d.pop("version")

        at = d.pop("at")

        actor = d.pop("actor")

        reason = d.pop("reason")

        def _parse_before(data: object) -> None | RowChangeOutBeforeType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                before_type_0 = RowChangeOutBeforeType0.from_dict(data)

                return before_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RowChangeOutBeforeType0, data)

        before = _parse_before(d.pop("before"))

        def _parse_after(data: object) -> None | RowChangeOutAfterType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                after_type_0 = RowChangeOutAfterType0.from_dict(data)

                return after_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RowChangeOutAfterType0, data)

        after = _parse_after(d.pop("after"))

        row_change_out = cls(
            version=version,
            at=at,
            actor=actor,
            reason=reason,
            before=before,
            after=after,
        )

        return row_change_out
