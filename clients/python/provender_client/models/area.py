from enum import StrEnum


class Area(StrEnum):
    ACCREDITATION = "accreditation"
    AUDITS = "audits"
    BOOKS = "books"
    RECORDS = "records"
    REPORTS = "reports"

    def __str__(self) -> str:
        return str(self.value)
