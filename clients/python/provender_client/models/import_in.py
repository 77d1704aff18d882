from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.import_in_units import ImportInUnits


T = TypeVar("T", bound="ImportIn")


@_attrs_define
class ImportIn:
    """What to begin: stored files, by the codes that ``POST /files`` gave.

    Attributes:
        files (list[str]):
        replace (bool | Unset): Where book and files differ, the files count. Default: False.
        units (ImportInUnits | Unset): Management unit by the name a file has for it; of a photograph, by the file's
            name.
    """

    files: list[str]
    replace: bool | Unset = False
    units: ImportInUnits | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        files = self.files

        replace = self.replace

        units: dict[str, Any] | Unset = UNSET
        if not isinstance(self.units, Unset):
            units = self.units.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "files": files,
            }
        )
        if replace is not UNSET:
            field_dict["replace"] = replace
        if units is not UNSET:
            field_dict["units"] = units

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.import_in_units import ImportInUnits  # noqa: PLC0415

        d = dict(src_dict)
        files = cast(list[str], d.pop("files"))

        replace = d.pop("replace", UNSET)

        _units = d.pop("units", UNSET)
        units: ImportInUnits | Unset
        if isinstance(_units, Unset):
            units = UNSET
        else:
            units = ImportInUnits.from_dict(_units)

        import_in = cls(
            files=files,
            replace=replace,
            units=units,
        )

        return import_in
