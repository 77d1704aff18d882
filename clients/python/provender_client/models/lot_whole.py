from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.lot_out import LotOut


T = TypeVar("T", bound="LotWhole")


@_attrs_define
class LotWhole:
    """A lot, the report behind it, and the kinds of event it may go into; the report is null where none is at hand.

    Attributes:
        lot (LotOut): A lot: serials of one origin, half open. Amounts are decimal text; ``amount`` is in ``unit``, bu
            or lb.
        report_version (int | None):
        report_standing (None | str):
        report_hash (None | str):
        uses (list[str]):
    """

    lot: LotOut
    report_version: int | None
    report_standing: None | str
    report_hash: None | str
    uses: list[str]

    def to_dict(self) -> dict[str, Any]:
        lot = self.lot.to_dict()

        report_version: int | None
        report_version = self.report_version

        report_standing: None | str
        report_standing = self.report_standing

        report_hash: None | str
        report_hash = self.report_hash

        uses = self.uses

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "lot": lot,
                "report_version": report_version,
                "report_standing": report_standing,
                "report_hash": report_hash,
                "uses": uses,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.lot_out import LotOut  # noqa: PLC0415

        d = dict(src_dict)
        lot = LotOut.from_dict(d.pop("lot"))

        def _parse_report_version(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        report_version = _parse_report_version(d.pop("report_version"))

        def _parse_report_standing(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        report_standing = _parse_report_standing(d.pop("report_standing"))

        def _parse_report_hash(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        report_hash = _parse_report_hash(d.pop("report_hash"))

        uses = cast(list[str], d.pop("uses"))

        lot_whole = cls(
            lot=lot,
            report_version=report_version,
            report_standing=report_standing,
            report_hash=report_hash,
            uses=uses,
        )

        return lot_whole
