from enum import StrEnum


class Right(StrEnum):
    MANAGE = "manage"
    READ = "read"
    WRITE = "write"

    def __str__(self) -> str:
        return str(self.value)
