from enum import StrEnum


class TokenState(StrEnum):
    ENDED = "ended"
    MAKER_LEFT = "maker left"
    REVOKED = "revoked"
    WORKS = "works"

    def __str__(self) -> str:
        return str(self.value)
