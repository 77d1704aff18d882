from enum import StrEnum


class ContractEventRole(StrEnum):
    RECIPIENT = "recipient"
    SERVICE_PROVIDER = "service_provider"
    SUBCONTRACTOR = "subcontractor"
    SUPPLIER = "supplier"

    def __str__(self) -> str:
        return str(self.value)
