from enum import StrEnum


class StatementEventOpinion(StrEnum):
    ADVERSE = "adverse"
    FAVOURABLE = "favourable"
    FIRST_AUDIT_CONTRACTED = "first_audit_contracted"
    NEXT_AUDIT_CONTRACTED = "next_audit_contracted"

    def __str__(self) -> str:
        return str(self.value)
