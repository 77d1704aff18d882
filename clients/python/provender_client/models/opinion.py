from enum import StrEnum


class Opinion(StrEnum):
    ADVERSE = "adverse"
    DISCLAIMED = "disclaimed"
    FAVOURABLE = "favourable"
    QUALIFIED = "qualified"

    def __str__(self) -> str:
        return str(self.value)
