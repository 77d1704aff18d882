from enum import StrEnum


class PeriodEventPolicy(StrEnum):
    NAMED = "named"
    OLDEST_FIRST = "oldest_first"
    PROPORTIONAL = "proportional"

    def __str__(self) -> str:
        return str(self.value)
