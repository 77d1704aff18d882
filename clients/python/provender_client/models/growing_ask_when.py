from enum import StrEnum


class GrowingAskWhen(StrEnum):
    BY = "by"
    LATER = "later"
    NOW = "now"

    def __str__(self) -> str:
        return str(self.value)
