from enum import StrEnum


class Part(StrEnum):
    BOOK = "book"
    DOCUMENTS = "documents"
    EVIDENCE = "evidence"
    FINDINGS = "findings"
    KEYS = "keys"
    RECORDS = "records"
    REPORTS = "reports"
    SAMPLE = "sample"
    STATEMENTS = "statements"

    def __str__(self) -> str:
        return str(self.value)
