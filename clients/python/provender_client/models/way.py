from enum import StrEnum


class Way(StrEnum):
    EXEMPT = "exempt"
    RECORDS = "records"
    VIDEO = "video"
    VISIT = "visit"

    def __str__(self) -> str:
        return str(self.value)
