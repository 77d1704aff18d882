from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.periods_due_close_type_0 import PeriodsDueCloseType0
    from ..models.periods_due_declare import PeriodsDueDeclare


T = TypeVar("T", bound="PeriodsDue")


@_attrs_define
class PeriodsDue:
    """What an event would hold that declares the next period, and one that closes the period that is due, if one is.

    Attributes:
        declare (PeriodsDueDeclare):
        close (None | PeriodsDueCloseType0):
    """

    declare: PeriodsDueDeclare
    close: None | PeriodsDueCloseType0

    def to_dict(self) -> dict[str, Any]:
        from ..models.periods_due_close_type_0 import PeriodsDueCloseType0  # noqa: PLC0415

        declare = self.declare.to_dict()

        close: dict[str, Any] | None
        if isinstance(self.close, PeriodsDueCloseType0):
            close = self.close.to_dict()
        else:
            close = self.close

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "declare": declare,
                "close": close,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.periods_due_close_type_0 import PeriodsDueCloseType0  # noqa: PLC0415
        from ..models.periods_due_declare import PeriodsDueDeclare  # noqa: PLC0415

        d = dict(src_dict)
        declare = PeriodsDueDeclare.from_dict(d.pop("declare"))

        def _parse_close(data: object) -> None | PeriodsDueCloseType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                close_type_0 = PeriodsDueCloseType0.from_dict(data)

                return close_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | PeriodsDueCloseType0, data)

        close = _parse_close(d.pop("close"))

        periods_due = cls(
            declare=declare,
            close=close,
        )

        return periods_due
