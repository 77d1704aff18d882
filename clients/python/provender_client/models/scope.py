from enum import StrEnum


class Scope(StrEnum):
    ACCESSWRITE = "access:write"
    AUDITREAD = "audit:read"
    AUDITWRITE = "audit:write"
    CUSTODYREAD = "custody:read"
    CUSTODYWRITE = "custody:write"
    MEMBERSWRITE = "members:write"
    ORGANISATIONREAD = "organisation:read"
    ORGANISATIONWRITE = "organisation:write"
    RECORDSREAD = "records:read"
    RECORDSWRITE = "records:write"
    TOKENSWRITE = "tokens:write"

    def __str__(self) -> str:
        return str(self.value)
