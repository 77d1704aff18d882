from enum import StrEnum


class GetWorkFileEnding(StrEnum):
    PDF = "pdf"
    XLSX = "xlsx"

    def __str__(self) -> str:
        return str(self.value)
