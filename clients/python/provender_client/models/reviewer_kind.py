from enum import StrEnum


class ReviewerKind(StrEnum):
    ACCREDITOR = "accreditor"
    AUTHORITY = "authority"
    BUYER = "buyer"

    def __str__(self) -> str:
        return str(self.value)
