from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.document_line_in import DocumentLineIn


T = TypeVar("T", bound="DocumentEvent")


@_attrs_define
class DocumentEvent:
    """A sale as its transfer document states it (2100.032(c)), from a seller whose book is not in this store.

    A line with ``origin`` names blinded serials, which are held against everything seen before. Serials that lie with
    a farm of this book are taken from it only when its sale slip to somebody else stands here. A line without is a
    foreign origin: the document itself is all that stands behind it. ``day`` is the title date.

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
                receipt.
            giver (str): The seller, who wrote it.
            taker (str):
            number (str): The document's number, unique for its seller.
            lines (list[DocumentLineIn]): What it is about.
            type_ (Literal['document']):
            actor (None | str | Unset): Who entered it.
            report (None | str | Unset): Hash of the document.
            evidence (None | str | Unset): SHA-256 of the file that shows it, where product of a bushel is beyond what is
                plausible for its form.
    """

    id: str
    day: datetime.date
    giver: str
    taker: str
    number: str
    lines: list[DocumentLineIn]
    type_: Literal["document"]
    actor: None | str | Unset = UNSET
    report: None | str | Unset = UNSET
    evidence: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        giver = self.giver

        taker = self.taker

        number = self.number

        lines = []
        for lines_item_data in self.lines:
            lines_item = lines_item_data.to_dict()
            lines.append(lines_item)

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        report: None | str | Unset
        if isinstance(self.report, Unset):
            report = UNSET
        else:
            report = self.report

        evidence: None | str | Unset
        if isinstance(self.evidence, Unset):
            evidence = UNSET
        else:
            evidence = self.evidence

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "giver": giver,
                "taker": taker,
                "number": number,
                "lines": lines,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if report is not UNSET:
            field_dict["report"] = report
        if evidence is not UNSET:
            field_dict["evidence"] = evidence

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.document_line_in import DocumentLineIn  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        giver = d.pop("giver")

        taker = d.pop("taker")

        number = d.pop("number")

        lines = []
        _lines = d.pop("lines")
        for lines_item_data in _lines:
            lines_item = DocumentLineIn.from_dict(lines_item_data)

            lines.append(lines_item)

        type_ = cast(Literal["document"], d.pop("type"))
        if type_ != "document":
            raise ValueError(f"type must match const 'document', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_report(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        report = _parse_report(d.pop("report", UNSET))

        def _parse_evidence(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        evidence = _parse_evidence(d.pop("evidence", UNSET))

        document_event = cls(
            id=id,
            day=day,
            giver=giver,
            taker=taker,
            number=number,
            lines=lines,
            type_=type_,
            actor=actor,
            report=report,
            evidence=evidence,
        )

        return document_event
