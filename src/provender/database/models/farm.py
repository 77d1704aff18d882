"""Record books with their changes, imports into them, and stored files."""

from django.db import models

from provender.database.models.base import AppendOnly, new_handle


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
