from enum import StrEnum


class YieldEventBasisType0(StrEnum):
    FINAL = "final"
    PROVISIONAL = "provisional"

    def __str__(self) -> str:
        return str(self.value)
