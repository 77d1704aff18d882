"""Documents of the chain of custody as their maker signed them: transfer documents and statements of periods."""

from django.db import models

from provender.database.models.append_only import AppendOnly


class SignedDocument(AppendOnly):
    """One document in its signed envelope. The key that signed stays with its holder; here is only what it made.

    ``number`` is the sale, or the period; signing again with another key adds a row, and the newest counts.
    """

    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="signed_documents")
    kind = models.CharField(max_length=40)
    number = models.CharField(max_length=200)
    text = models.TextField()
    fingerprint = models.CharField(max_length=43)
    at = models.DateTimeField()
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        """Newest first; one signature of a key on a document."""

        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("organisation", "kind", "number", "fingerprint"), name="one_signature_per_document_and_key"
            ),
        )

    def __str__(self) -> str:
        """Return kind and number."""
        return f"{self.kind} {self.number}"
