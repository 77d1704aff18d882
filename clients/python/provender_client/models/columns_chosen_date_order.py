from enum import StrEnum


class ColumnsChosenDateOrder(StrEnum):
    DMY = "dmy"
    MDY = "mdy"
    VALUE_0 = ""
    YMD = "ymd"

    def __str__(self) -> str:
        return str(self.value)
