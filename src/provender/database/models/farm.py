"""Record books with their changes, imports into them, and stored files; reading the rows of any version."""

import json
from collections.abc import Mapping
from typing import Final

import orjson
from django.db import models

from provender.database.models.base import AppendOnly, NewestFirst, OrganisationKey, WithActor, new_handle
from provender.problem import Place, Problem
from provender.signing.canonical import sha256_hex


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
        return f"{self.get_kind_display()} of {self.organisation}"


class Change(WithActor):
    """One write to one book: number, hash of the change before, and the canonical text that is hashed.

    ``text`` is canonical JSON of the whole change (book, number, previous, actor, at, reason, edits); ``hash`` is its
    SHA-256. The hash of the last change is the head of the book and is printed in what gets signed.
    """

    book = models.ForeignKey(Book, on_delete=models.PROTECT, related_name="changes")
    number = models.PositiveIntegerField()
    previous = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64, unique=True)
    text = models.TextField()
    prepared_by = models.ForeignKey(
        "database.Organisation", on_delete=models.PROTECT, null=True, related_name="prepared_changes"
    )

    class Meta:
        """In order; no two changes with one number, so two writers cannot both follow the same head."""

        ordering = ("book", "number")
        constraints = (models.UniqueConstraint(fields=("book", "number"), name="one_change_per_number"),)

    def __str__(self) -> str:
        return f"change {self.number} of book {self.book_id}"


class ReportVersion(WithActor):
    """One version of a Biofuel Feedstock Report: the document as signed, under (book, crop, harvest year)."""

    book = models.ForeignKey(Book, on_delete=models.PROTECT, related_name="reports")
    crop = models.CharField(max_length=40)
    harvest_year = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    book_head = models.CharField(max_length=64)
    document = models.TextField()
    document_hash = models.CharField(max_length=64)
    signature = models.TextField(blank=True)

    class Meta:
        """One number once per crop and harvest year."""

        ordering = ("book", "crop", "harvest_year", "number")
        constraints = (
            models.UniqueConstraint(fields=("book", "crop", "harvest_year", "number"), name="one_report_per_number"),
        )

    def __str__(self) -> str:
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
        return f"{self.what} of book {self.book_id} version {self.book_version} under {self.rule_version}"


class BookImport(NewestFirst):
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

    def __str__(self) -> str:
        return f"import {self.handle}"


class Upload(WithActor):
    """One file of one organisation. The same bytes are stored once, however often they are handed in."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="uploads")
    sha256 = models.CharField(max_length=64, db_index=True)
    size = models.PositiveBigIntegerField()
    name = models.CharField("file name", max_length=200)
    media_type = models.CharField(max_length=80)

    def __str__(self) -> str:
        return self.name


# The signing keys of farm producers and of parties of custody, slips and documents as signed, and the log of it.
#
# A private key made on a page is sealed there under its holder's passphrase; what lies here is the sealed text, which
# the server cannot open (interpretation 33).


class ProducerKey(AppendOnly):
    """One Ed25519 key of one producer of a farm. Another key is another row; which one signs, the record book says.

    ``statement`` is what the key's holder signed when it was registered: that the key is theirs, or, by the key
    before, that this one takes over. ``sealed`` is empty for a key that stays on its holder's own machine.
    """

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="producer_keys")
    holder = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="producer_keys")
    producer_id = models.CharField("producer", max_length=80)
    fingerprint = models.CharField(max_length=43)
    public = models.JSONField("public key")
    sealed = models.JSONField("sealed private key", default=dict)
    statement = models.JSONField("signed statement")
    replaces = models.CharField("fingerprint of the key before", max_length=43, blank=True)
    at = models.DateTimeField()

    class Meta:
        """Newest first; a key belongs to a farm once."""

        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=("organisation", "fingerprint"), name="one_row_per_key"),)

    def __str__(self) -> str:
        return f"key of {self.producer_id}, {self.organisation}"


class PartyKey(OrganisationKey):
    """The public key under which a party of custody signs its documents: a first point, a processor, a refiner."""

    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="party_keys")


class SignedSlip(WithActor):
    """A sale slip as the farm signed it: the serials it assigns stand in the custody book."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="signed_slips")
    number = models.CharField(max_length=80, unique=True)
    document = models.TextField()
    document_hash = models.CharField(max_length=64)
    signature = models.TextField()

    def __str__(self) -> str:
        return self.number


class SignedDocument(WithActor):
    """One document in its signed envelope. The key that signed stays with its holder; here is only what it made.

    ``number`` is the sale, or the period; signing again with another key adds a row, and the newest counts.
    """

    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="signed_documents")
    kind = models.CharField(max_length=40)
    number = models.CharField(max_length=200)
    text = models.TextField()
    fingerprint = models.CharField(max_length=43)

    class Meta:
        """Newest first; one signature of a key on a document."""

        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("organisation", "kind", "number", "fingerprint"), name="one_signature_per_document_and_key"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class LogLeaf(AppendOnly):
    """One document in the server's transparency log: the leaf of that number, from 0, of its Merkle tree (RFC 6962).

    ``mark`` is the hash of the document with its signature (``transparency.mark_of``).
    """

    number = models.BigIntegerField(unique=True)
    mark = models.CharField(max_length=64, unique=True)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="log_leaves")
    kind = models.CharField(max_length=60)
    about = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        """Oldest first: places in the tree count from the first."""

        ordering = ("number",)

    def __str__(self) -> str:
        return f"{self.kind} {self.about}"


class LogHeadSigned(AppendOnly):
    """A head of the transparency log, as its operator signed it with a key that the server never has."""

    size = models.BigIntegerField(unique=True)
    text = models.TextField()
    fingerprint = models.CharField(max_length=43)
    at = models.DateTimeField()

    class Meta:
        """Newest first."""

        ordering = ("-size",)

    def __str__(self) -> str:
        return f"head over {self.size} documents"


# Reading record books: the rows of any version, and whether the chain holds.

FORMAT: Final = "provender change 1"
Rows = dict[str, dict[str, Mapping[str, object]]]
"""Kind of record, key, row."""


def rows_of(book: Book, version: int | None = None) -> Rows:
    """Return the rows of a book as they stood after change ``version`` (the last one without it), by kind and key."""
    return rows_and_taken_out(book, version)[0]


def rows_and_taken_out(book: Book, version: int | None = None) -> tuple[Rows, set[str]]:
    """Return the same rows, and the keys of all rows of any kind that were ever taken out."""
    changes = Change.objects.filter(book=book).order_by("number")
    if version is not None:
        changes = changes.filter(number__lte=version)
    rows: Rows = {}
    out: set[str] = set()
    for text in changes.values_list("text", flat=True):
        for edit in orjson.loads(text)["edits"]:
            kind = rows.setdefault(edit["kind"], {})
            if edit["row"] is None:
                kind.pop(edit["key"], None)
                out.add(edit["key"])
            else:
                kind[edit["key"]] = edit["row"]
    return rows, out


def check_chain(book: Book) -> list[Problem]:
    """Recompute every hash of a book; return one problem per change that does not fit."""
    problems = []
    previous = ""
    for expected, change in enumerate(Change.objects.filter(book=book).order_by("number"), start=1):
        cause = _misfit(book, change, expected, previous)
        if cause:
            place = Place(f"book {book.handle}", row=change.number)
            remedy = "Restore the book from a backup made before this change was touched."
            problems.append(Problem(place, cause, remedy, cite="2100.030(d)", code="broken_chain"))
        previous = change.hash
    return problems


def _misfit(book: Book, change: Change, expected: int, previous: str) -> str:
    if change.number != expected:
        return f"Change {expected} is missing."
    if sha256_hex(change.text.encode()) != change.hash:
        return "The text of this change is not what was hashed."
    said = json.loads(change.text)
    if said["format"] != FORMAT or said["book"] != book.handle or said["number"] != change.number:
        return "The text of this change belongs to another place."
    if said["previous"] != previous or change.previous != previous:
        return "This change does not follow the one before it."
    if said["actor"] != change.actor_id or said["at"] != change.at.isoformat():
        return "Actor or time of this change differ from its text."
    return ""
