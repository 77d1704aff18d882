"""The log of an organisation: every deed in it, as ``database.actor.write_log`` wrote it down."""

from django.db.models import QuerySet

from provender.database.models import LogRow, Organisation


def deeds_in(organisation: Organisation) -> QuerySet[LogRow]:
    """Return the rows of the log, newest first."""
    return LogRow.objects.filter(organisation=organisation).select_related("actor").order_by("-id")
