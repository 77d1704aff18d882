from enum import StrEnum


class Assurance(StrEnum):
    LIMITED = "limited"
    REASONABLE = "reasonable"

    def __str__(self) -> str:
        return str(self.value)
