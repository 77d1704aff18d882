from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="TakenIn")


@_attrs_define
class TakenIn:
    """What came of it: the change that keeps it or, for a photograph, the import that reads its place and time.

    Attributes:
        version (int | None):
        import_code (str):
    """

    version: int | None
    import_code: str

    def to_dict(self) -> dict[str, Any]:
        version: int | None
        version = self.version

        import_code = self.import_code

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "version": version,
                "import_code": import_code,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_version(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        version = _parse_version(d.pop("version"))

        import_code = d.pop("import_code")

        taken_in = cls(
            version=version,
            import_code=import_code,
        )

        return taken_in
