from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="FileOut")


@_attrs_define
class FileOut:
    """A stored file. A row of evidence names it by ``name`` and ``sha256``.

    Attributes:
        file (str):
        name (str):
        sha256 (str):
        size (int):
        media_type (str):
        at (datetime.datetime):
    """

    file: str
    name: str
    sha256: str
    size: int
    media_type: str
    at: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        file = self.file

        name = self.name

        sha256 = self.sha256

        size = self.size

        media_type = self.media_type

        at = self.at.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "file": file,
                "name": name,
                "sha256": sha256,
                "size": size,
                "media_type": media_type,
                "at": at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        file = d.pop("file")

        name = d.pop("name")

        sha256 = d.pop("sha256")

        size = d.pop("size")

        media_type = d.pop("media_type")

        at = datetime.datetime.fromisoformat(d.pop("at"))

        file_out = cls(
            file=file,
            name=name,
            sha256=sha256,
            size=size,
            media_type=media_type,
            at=at,
        )

        return file_out
