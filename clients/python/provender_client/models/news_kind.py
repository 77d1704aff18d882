from enum import StrEnum


class NewsKind(StrEnum):
    DOCUMENT_ARRIVED = "document.arrived"
    EVIDENCE_ASKED = "evidence.asked"
    PERIOD_ENDS = "period.ends"
    REPORT_CHANGED = "report.changed"

    def __str__(self) -> str:
        return str(self.value)
