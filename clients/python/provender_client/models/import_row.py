from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.import_row_as_the_book_has_it import ImportRowAsTheBookHasIt
    from ..models.import_row_texts_by_column import ImportRowTextsByColumn


T = TypeVar("T", bound="ImportRow")


@_attrs_define
class ImportRow:
    """A row that would be written, as texts by column; ``was`` is how the book has it, empty for a new row.

    Attributes:
        kind (str):
        key (str):
        row (ImportRowTextsByColumn):
        was (ImportRowAsTheBookHasIt):
        file (str):
        sheet (str):
        line (int):
    """

    kind: str
    key: str
    row: ImportRowTextsByColumn
    was: ImportRowAsTheBookHasIt
    file: str
    sheet: str
    line: int

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        key = self.key

        row = self.row.to_dict()

        was = self.was.to_dict()

        file = self.file

        sheet = self.sheet

        line = self.line

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "key": key,
                "row": row,
                "was": was,
                "file": file,
                "sheet": sheet,
                "line": line,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.import_row_as_the_book_has_it import ImportRowAsTheBookHasIt  # noqa: PLC0415
        from ..models.import_row_texts_by_column import ImportRowTextsByColumn  # noqa: PLC0415

        d = dict(src_dict)
        kind = d.pop("kind")

        key = d.pop("key")

        row = ImportRowTextsByColumn.from_dict(d.pop("row"))

        was = ImportRowAsTheBookHasIt.from_dict(d.pop("was"))

        file = d.pop("file")

        sheet = d.pop("sheet")

        line = d.pop("line")

        import_row = cls(
            kind=kind,
            key=key,
            row=row,
            was=was,
            file=file,
            sheet=sheet,
            line=line,
        )

        return import_row
