from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="FileIn")


@_attrs_define
class FileIn:
    """A file to store: its name, and its bytes in Base64.

    Attributes:
        name (str): One line of text.
        content (str): Base64. The whole call holds at most 5 MB; a larger file goes through `/files/upload`.
    """

    name: str
    content: str

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        content = self.content

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "content": content,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name")

        content = d.pop("content")

        file_in = cls(
            name=name,
            content=content,
        )

        return file_in
