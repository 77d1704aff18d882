from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="WrittenOut")


@_attrs_define
class WrittenOut:
    """What the nod wrote.

    Attributes:
        code (str):
        version (int):
        hash_ (str):
        rows (int):
    """

    code: str
    version: int
    hash_: str
    rows: int

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        version = self.version

        hash_ = self.hash_

        rows = self.rows

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "code": code,
                "version": version,
                "hash": hash_,
                "rows": rows,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        code = d.pop("code")

        version = d.pop("version")

        hash_ = d.pop("hash")

        rows = d.pop("rows")

        written_out = cls(
            code=code,
            version=version,
            hash_=hash_,
            rows=rows,
        )

        return written_out
