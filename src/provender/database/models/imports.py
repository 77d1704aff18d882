"""Imports at work: files handed in on a page, and what the person said about them, until their nod writes them."""

from django.db import models

from provender.database.models.handle import new_handle


class BookImport(models.Model):
    """Files on their way into a book. The book is changed once, by the nod; that change is its lasting record."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    book = models.ForeignKey("database.Book", on_delete=models.CASCADE, related_name="imports")
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")
    began_at = models.DateTimeField(auto_now_add=True)
    files = models.JSONField(default=list)
    """Handles of the uploads, in order."""
    said = models.JSONField(default=dict)
    """What the person chose, as plain data."""
    attempt = models.PositiveIntegerField(default=1)
    """Counts how often the files were read: each choice reads them again."""
    book_version = models.PositiveIntegerField(default=0)
    """The number of the book's last change when the files were read."""
    change = models.ForeignKey("database.Change", on_delete=models.SET_NULL, null=True, related_name="imports")
    """The change that the nod wrote."""
    ended_at = models.DateTimeField(null=True)
    """When it was written or given up."""

    class Meta:
        """Newest first."""

        ordering = ("-id",)

    def __str__(self) -> str:
        """Return when it began."""
        return f"import {self.handle}"
