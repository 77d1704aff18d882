"""The log: who did what, when, and what stood there before and after. It only grows."""

from django.db import models

from provender.database.models.append_only import AppendOnly


class LogRow(AppendOnly):
    """One deed. ``actor`` is empty when the program itself acted (first start, an import on the command line)."""

    at = models.DateTimeField("when", db_index=True)
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")
    via = models.CharField("by way of", max_length=40)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, null=True, related_name="log")
    deed = models.CharField("deed", max_length=80)
    about = models.CharField("about", max_length=120, blank=True)
    old = models.JSONField("before", null=True)
    new = models.JSONField("after", null=True)

    class Meta:
        """Oldest first, read from the end."""

        ordering = ("id",)
        indexes = (models.Index(fields=("organisation", "id"), name="log_of_organisation"),)

    def __str__(self) -> str:
        """Return the deed and what it was about."""
        return f"{self.deed} {self.about}".strip()
