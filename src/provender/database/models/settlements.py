"""What settlements said against the tickets of a grain book, as it was found on the day."""

from django.db import models

from provender.database.models.append_only import AppendOnly
from provender.database.models.handle import new_handle


class SettlementComparison(AppendOnly):
    """One file of settlements held against the tickets, with the result of that moment."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="+")
    upload = models.ForeignKey("database.Upload", on_delete=models.PROTECT, related_name="+")
    agree = models.PositiveIntegerField()
    """Tickets that are applied whole and no more."""
    off = models.PositiveIntegerField()
    """Tickets to look at."""
    found = models.JSONField()
    """One object per ticket: ``ticket``, ``settlements``, ``applied`` and ``net`` (decimal text, net or null)."""
    at = models.DateTimeField()
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        """Newest first."""

        ordering = ("-id",)

    def __str__(self) -> str:
        """Return the file's name."""
        return f"settlements {self.upload.name}"
