"""Record books as chains of changes, the reports made from them, and verdicts kept for speed."""

from django.db import models

from provender.database.models.append_only import AppendOnly
from provender.database.models.handle import new_handle


class BookKind(models.TextChoices):
    """Whose records a book keeps."""

    FARM = "farm", "Farm records"
    ENTITY = "entity", "Records of an elevator, processor or refiner"


class Book(AppendOnly):
    """One organisation's record book. Its content is its changes; the row itself never changes."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="books")
    kind = models.CharField(max_length=10, choices=BookKind.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """One book of a kind per organisation."""

        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("organisation", "kind"), name="one_book_of_a_kind"),)

    def __str__(self) -> str:
        """Return whose book it is."""
        return f"{self.get_kind_display()} of {self.organisation}"


class Change(AppendOnly):
    """One write to one book: number, hash of the change before, and the canonical text that is hashed.

    ``text`` is canonical JSON of the whole change (book, number, previous, actor, at, reason, edits); ``hash`` is its
    SHA-256. The hash of the last change is the head of the book and is printed in what gets signed.
    """

    book = models.ForeignKey(Book, on_delete=models.PROTECT, related_name="changes")
    number = models.PositiveIntegerField()
    previous = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64, unique=True)
    text = models.TextField()
    at = models.DateTimeField()
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")
    prepared_by = models.ForeignKey(
        "database.Organisation", on_delete=models.PROTECT, null=True, related_name="prepared_changes"
    )

    class Meta:
        """In order; no two changes with one number, so two writers cannot both follow the same head."""

        ordering = ("book", "number")
        constraints = (models.UniqueConstraint(fields=("book", "number"), name="one_change_per_number"),)

    def __str__(self) -> str:
        """Return the book and the number."""
        return f"change {self.number} of book {self.book_id}"


class ReportVersion(AppendOnly):
    """One version of a Biofuel Feedstock Report: the document as signed, under (book, crop, harvest year)."""

    book = models.ForeignKey(Book, on_delete=models.PROTECT, related_name="reports")
    crop = models.CharField(max_length=40)
    harvest_year = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    book_head = models.CharField(max_length=64)
    document = models.TextField()
    document_hash = models.CharField(max_length=64)
    signature = models.TextField(blank=True)
    at = models.DateTimeField()
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        """One number once per crop and harvest year."""

        ordering = ("book", "crop", "harvest_year", "number")
        constraints = (
            models.UniqueConstraint(fields=("book", "crop", "harvest_year", "number"), name="one_report_per_number"),
        )

    def __str__(self) -> str:
        """Return crop, harvest year and version."""
        return f"{self.crop} {self.harvest_year} version {self.number}"


class VerdictCache(models.Model):
    """Results computed from one version of a book under one rule version and day: may be removed at any time."""

    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="verdicts")
    book_version = models.PositiveIntegerField()
    rule_version = models.CharField(max_length=80)
    what = models.CharField(max_length=40)
    content = models.BinaryField()

    class Meta:
        """One result per question."""

        constraints = (
            models.UniqueConstraint(
                fields=("book", "book_version", "rule_version", "what"), name="one_result_per_question"
            ),
        )

    def __str__(self) -> str:
        """Return what was computed and from which version."""
        return f"{self.what} of book {self.book_id} version {self.book_version} under {self.rule_version}"
