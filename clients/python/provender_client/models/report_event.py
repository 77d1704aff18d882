from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ReportEvent")


@_attrs_define
class ReportEvent:
    """A farm's signed report, or a later version of it. It makes the origin ``farm/crop/year``, or its blinded id.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        entity (str): The farm.
        crop (str): `corn`, `soybeans` or `sorghum`.
        harvest_year (int): Year of harvest.
        bushels (str): The whole harvest of the crop and year.
        ci (str): The farm-level carbon intensity.
        type_ (Literal['report']):
        actor (None | str | Unset): Who entered it.
        version (int | None | Unset): 1, 2, ...; a later one amends.
        salt (None | str | Unset): The secret that blinds the origin's id; it stands in the report.
        report (None | str | Unset): Hash of the signed report.
        spans (list[list[str]] | None | Unset): For a later version with fewer bushels, the serials that bear them where
            a book that holds more parties found them; left out, this book finds them by the order of interpretation 35.
            Example: [['0', '500']].
        sold (list[list[str]] | None | Unset): For a later version with a better carbon intensity, serials that others
            had when it came, where a book that holds more parties knows of them: they keep the worse one, though this book
            sees them with the farm.
    """

    id: str
    day: datetime.date
    entity: str
    crop: str
    harvest_year: int
    bushels: str
    ci: str
    type_: Literal["report"]
    actor: None | str | Unset = UNSET
    version: int | None | Unset = UNSET
    salt: None | str | Unset = UNSET
    report: None | str | Unset = UNSET
    spans: list[list[str]] | None | Unset = UNSET
    sold: list[list[str]] | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        crop = self.crop

        harvest_year = self.harvest_year

        bushels = self.bushels

        ci = self.ci

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        version: int | None | Unset
        if isinstance(self.version, Unset):
            version = UNSET
        else:
            version = self.version

        salt: None | str | Unset
        if isinstance(self.salt, Unset):
            salt = UNSET
        else:
            salt = self.salt

        report: None | str | Unset
        if isinstance(self.report, Unset):
            report = UNSET
        else:
            report = self.report

        spans: list[list[str]] | None | Unset
        if isinstance(self.spans, Unset):
            spans = UNSET
        elif isinstance(self.spans, list):
            spans = []
            for spans_type_0_item_data in self.spans:
                spans_type_0_item = []
                for spans_type_0_item_item_data in spans_type_0_item_data:
                    spans_type_0_item_item: str
                    spans_type_0_item_item = spans_type_0_item_item_data
                    spans_type_0_item.append(spans_type_0_item_item)

                spans.append(spans_type_0_item)

        else:
            spans = self.spans

        sold: list[list[str]] | None | Unset
        if isinstance(self.sold, Unset):
            sold = UNSET
        elif isinstance(self.sold, list):
            sold = []
            for sold_type_0_item_data in self.sold:
                sold_type_0_item = []
                for sold_type_0_item_item_data in sold_type_0_item_data:
                    sold_type_0_item_item: str
                    sold_type_0_item_item = sold_type_0_item_item_data
                    sold_type_0_item.append(sold_type_0_item_item)

                sold.append(sold_type_0_item)

        else:
            sold = self.sold

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "crop": crop,
                "harvest_year": harvest_year,
                "bushels": bushels,
                "ci": ci,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if version is not UNSET:
            field_dict["version"] = version
        if salt is not UNSET:
            field_dict["salt"] = salt
        if report is not UNSET:
            field_dict["report"] = report
        if spans is not UNSET:
            field_dict["spans"] = spans
        if sold is not UNSET:
            field_dict["sold"] = sold

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        bushels = d.pop("bushels")

        ci = d.pop("ci")

        type_ = cast(Literal["report"], d.pop("type"))
        if type_ != "report":
            raise ValueError(f"type must match const 'report', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_version(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        version = _parse_version(d.pop("version", UNSET))

        def _parse_salt(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        salt = _parse_salt(d.pop("salt", UNSET))

        def _parse_report(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        report = _parse_report(d.pop("report", UNSET))

        def _parse_spans(data: object) -> list[list[str]] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                spans_type_0 = []
                _spans_type_0 = data
                for spans_type_0_item_data in _spans_type_0:
                    spans_type_0_item = []
                    _spans_type_0_item = spans_type_0_item_data
                    for spans_type_0_item_item_data in _spans_type_0_item:

                        def _parse_spans_type_0_item_item(data: object) -> str:
                            return cast(str, data)

                        spans_type_0_item_item = _parse_spans_type_0_item_item(spans_type_0_item_item_data)

                        spans_type_0_item.append(spans_type_0_item_item)

                    spans_type_0.append(spans_type_0_item)

                return spans_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[list[str]] | None | Unset, data)

        spans = _parse_spans(d.pop("spans", UNSET))

        def _parse_sold(data: object) -> list[list[str]] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                sold_type_0 = []
                _sold_type_0 = data
                for sold_type_0_item_data in _sold_type_0:
                    sold_type_0_item = []
                    _sold_type_0_item = sold_type_0_item_data
                    for sold_type_0_item_item_data in _sold_type_0_item:

                        def _parse_sold_type_0_item_item(data: object) -> str:
                            return cast(str, data)

                        sold_type_0_item_item = _parse_sold_type_0_item_item(sold_type_0_item_item_data)

                        sold_type_0_item.append(sold_type_0_item_item)

                    sold_type_0.append(sold_type_0_item)

                return sold_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[list[str]] | None | Unset, data)

        sold = _parse_sold(d.pop("sold", UNSET))

        report_event = cls(
            id=id,
            day=day,
            entity=entity,
            crop=crop,
            harvest_year=harvest_year,
            bushels=bushels,
            ci=ci,
            type_=type_,
            actor=actor,
            version=version,
            salt=salt,
            report=report,
            spans=spans,
            sold=sold,
        )

        return report_event
