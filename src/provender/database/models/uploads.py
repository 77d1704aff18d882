"""Files that people hand in. The row says who and what; the bytes lie in a folder under their hash."""

from django.db import models

from provender.database.models.append_only import AppendOnly
from provender.database.models.handle import new_handle


class Upload(AppendOnly):
    """One file of one organisation. The same bytes are stored once, however often they are handed in."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="uploads")
    sha256 = models.CharField(max_length=64, db_index=True)
    size = models.PositiveBigIntegerField()
    name = models.CharField("file name", max_length=200)
    media_type = models.CharField(max_length=80)
    at = models.DateTimeField()
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        """Newest first."""

        ordering = ("-id",)

    def __str__(self) -> str:
        """Return the name it came with."""
        return self.name
