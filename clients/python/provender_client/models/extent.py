from enum import StrEnum


class Extent(StrEnum):
    EXEMPT = "exempt"
    PARTIAL = "partial"

    def __str__(self) -> str:
        return str(self.value)
