from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="Begun")


@_attrs_define
class Begun:
    """An import; ``state`` is ``open``, ``written`` or ``given_up``.

    Attributes:
        id (int):
        code (str):
        began_at (datetime.datetime):
        by (str):
        files (list[str]):
        state (str):
        attempt (int):
        version (int | None): The change of the book that it wrote.
    """

    id: int
    code: str
    began_at: datetime.datetime
    by: str
    files: list[str]
    state: str
    attempt: int
    version: int | None

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        code = self.code

        began_at = self.began_at.isoformat()

        by = self.by

        files = self.files

        state = self.state

        attempt = self.attempt

        version: int | None
        version = self.version

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "code": code,
                "began_at": began_at,
                "by": by,
                "files": files,
                "state": state,
                "attempt": attempt,
                "version": version,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        code = d.pop("code")

        began_at = datetime.datetime.fromisoformat(d.pop("began_at"))

        by = d.pop("by")

        files = cast(list[str], d.pop("files"))

        state = d.pop("state")

        attempt = d.pop("attempt")

        def _parse_version(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        version = _parse_version(d.pop("version"))

        begun = cls(
            id=id,
            code=code,
            began_at=began_at,
            by=by,
            files=files,
            state=state,
            attempt=attempt,
            version=version,
        )

        return begun
