from enum import StrEnum


class ChoicesInDatesType0(StrEnum):
    DMY = "dmy"
    MDY = "mdy"

    def __str__(self) -> str:
        return str(self.value)
