from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="ContractOut")


@_attrs_define
class ContractOut:
    """A contract as the book has it; ``end`` is null while it runs on.

    ``verified_crops`` are those that a statement covers today, null for a partner that needs none.

        Attributes:
            number (str):
            counterparty (str):
            name (str):
            role (str):
            start (datetime.date):
            end (datetime.date | None):
            signing_key (str):
            fingerprint (str):
            verified_crops (list[str] | None):
    """

    number: str
    counterparty: str
    name: str
    role: str
    start: datetime.date
    end: datetime.date | None
    signing_key: str
    fingerprint: str
    verified_crops: list[str] | None

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        counterparty = self.counterparty

        name = self.name

        role = self.role

        start = self.start.isoformat()

        end: None | str
        if isinstance(self.end, datetime.date):
            end = self.end.isoformat()
        else:
            end = self.end

        signing_key = self.signing_key

        fingerprint = self.fingerprint

        verified_crops: list[str] | None
        if isinstance(self.verified_crops, list):
            verified_crops = self.verified_crops

        else:
            verified_crops = self.verified_crops

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "counterparty": counterparty,
                "name": name,
                "role": role,
                "start": start,
                "end": end,
                "signing_key": signing_key,
                "fingerprint": fingerprint,
                "verified_crops": verified_crops,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        counterparty = d.pop("counterparty")

        name = d.pop("name")

        role = d.pop("role")

        start = datetime.date.fromisoformat(d.pop("start"))

        def _parse_end(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                end_type_0 = datetime.date.fromisoformat(data)

                return end_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        end = _parse_end(d.pop("end"))

        signing_key = d.pop("signing_key")

        fingerprint = d.pop("fingerprint")

        def _parse_verified_crops(data: object) -> list[str] | None:
            if data is None:
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                verified_crops_type_0 = cast(list[str], data)

                return verified_crops_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None, data)

        verified_crops = _parse_verified_crops(d.pop("verified_crops"))

        contract_out = cls(
            number=number,
            counterparty=counterparty,
            name=name,
            role=role,
            start=start,
            end=end,
            signing_key=signing_key,
            fingerprint=fingerprint,
            verified_crops=verified_crops,
        )

        return contract_out
