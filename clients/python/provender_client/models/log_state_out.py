from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="LogStateOut")


@_attrs_define
class LogStateOut:
    """How large the log is, and what was signed of it last.

    Attributes:
        documents (int): Documents that stand in the log.
        log (str): What the log calls itself in its signed head; empty before the first.
        signed (int): Documents under the newest signed head; later ones wait for the next.
        signed_on (datetime.date | None): The day of the newest signed head.
        root (str): The root of the newest signed head, 64 hexadecimal digits.
        key (str): Fingerprint of the key that signed it; compare it with what the operator gave out.
    """

    documents: int
    log: str
    signed: int
    signed_on: datetime.date | None
    root: str
    key: str

    def to_dict(self) -> dict[str, Any]:
        documents = self.documents

        log = self.log

        signed = self.signed

        signed_on: None | str
        if isinstance(self.signed_on, datetime.date):
            signed_on = self.signed_on.isoformat()
        else:
            signed_on = self.signed_on

        root = self.root

        key = self.key

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "documents": documents,
                "log": log,
                "signed": signed,
                "signed_on": signed_on,
                "root": root,
                "key": key,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        documents = d.pop("documents")

        log = d.pop("log")

        signed = d.pop("signed")

        def _parse_signed_on(data: object) -> datetime.date | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                signed_on_type_0 = datetime.date.fromisoformat(data)

                return signed_on_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None, data)

        signed_on = _parse_signed_on(d.pop("signed_on"))

        root = d.pop("root")

        key = d.pop("key")

        log_state_out = cls(
            documents=documents,
            log=log,
            signed=signed,
            signed_on=signed_on,
            root=root,
            key=key,
        )

        return log_state_out
