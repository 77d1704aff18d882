from enum import StrEnum


class CloseEventSurplusType0(StrEnum):
    AS_RULED = "as_ruled"
    REFUSED = "refused"
    RELEASED = "released"

    def __str__(self) -> str:
        return str(self.value)
