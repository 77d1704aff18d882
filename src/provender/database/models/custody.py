"""The custody book in tables: events as posted, lots, and whose steps they are.

Serials of all origins of one server lie in one space of 64-bit numbers: number of the origin times 2**36 plus the
serial, so that a single rule of the database keeps current lots from overlapping (``guards``).
"""

from django.db import models

from provender.custody.model.amounts import SPAN_BITS
from provender.database.models.base import AppendOnly


class CustodyOrigin(AppendOnly):
    """The number of an origin in the space of serials."""

    name = models.CharField(max_length=400, unique=True)

    def __str__(self) -> str:
        """Return the origin's id."""
        return self.name

    @property
    def base(self) -> int:
        """Return where its serials begin."""
        return int(self.pk) << SPAN_BITS


class CustodyEvent(AppendOnly):
    """An event that stands in the book. Its number in the book is its key here."""

    name = models.CharField(max_length=400, unique=True)
    type = models.CharField(max_length=40)
    day = models.DateField()
    digest = models.CharField(max_length=64)
    text = models.TextField()
    corrects = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="correction")
    at = models.DateTimeField()
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        """In the order of the book. Hardly an event corrects another: only an index over those finds them quickly."""

        ordering = ("id",)
        indexes = (
            models.Index(fields=("corrects",), condition=models.Q(corrects__isnull=False), name="event_corrects"),
        )

    def __str__(self) -> str:
        """Return type and name."""
        return f"{self.type} {self.name}"


class CustodyLot(models.Model):
    """A lot as its movement left it. Only the mark of the movement that ended it is ever added.

    ``by`` is the movement that made it what it is, which the rest of a lot that was cut keeps; ``opened_by`` is the one
    that wrote the row. ``span_start`` and ``span_stop`` are its serials in the space of the server; a lot without
    ``ended_by`` is current.
    """

    name = models.CharField(max_length=440, unique=True)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="children")
    origin = models.ForeignKey(CustodyOrigin, on_delete=models.PROTECT, related_name="+", db_index=False)
    crop = models.CharField(max_length=40)
    harvest_year = models.IntegerField()
    span_start = models.BigIntegerField()
    span_stop = models.BigIntegerField()
    owner = models.CharField(max_length=200)
    custodian = models.CharField(max_length=200)
    site = models.CharField(max_length=200)
    form = models.CharField(max_length=40)
    product = models.BigIntegerField()
    rate = models.BigIntegerField()
    ci = models.BigIntegerField()
    state = models.CharField(max_length=20)
    since = models.DateField()
    acquired = models.DateField()
    titled = models.DateField()
    supplier = models.CharField(max_length=200)
    batch = models.CharField(max_length=440)
    by = models.CharField(max_length=400)
    opened_by = models.ForeignKey(CustodyEvent, on_delete=models.PROTECT, related_name="opened")
    ended_by = models.ForeignKey(
        CustodyEvent, on_delete=models.PROTECT, null=True, related_name="ended", db_index=False
    )

    class Meta:
        """Indexes only over current lots, except by origin for traces."""

        ordering = ("id",)
        constraints = (
            models.CheckConstraint(condition=models.Q(span_start__lt=models.F("span_stop")), name="lot_has_serials"),
        )
        indexes = (
            models.Index(fields=("span_start",), condition=models.Q(ended_by=None), name="lot_current_serials"),
            models.Index(fields=("ended_by",), condition=models.Q(ended_by__isnull=False), name="lot_ended_by"),
            models.Index(
                fields=("owner", "crop"),
                condition=models.Q(ended_by=None, state__in=("held", "unverified")),
                name="lot_current_owner",
            ),
            models.Index(
                fields=("custodian", "site", "form"),
                condition=models.Q(ended_by=None, state__in=("held", "unverified")),
                name="lot_current_place",
            ),
            models.Index(
                fields=("supplier",),
                condition=models.Q(ended_by=None, state="unverified"),
                name="lot_current_unverified",
            ),
            models.Index(
                fields=("owner", "id"),
                condition=models.Q(ended_by=None, state="in_transit"),
                name="lot_in_transit_to",
            ),
            models.Index(fields=("origin", "id"), name="lot_of_origin"),
        )

    def __str__(self) -> str:
        """Return the lot's id."""
        return self.name


class CustodyStep(AppendOnly):
    """A party that is owner or custodian before or after a lot was opened: one row per party and lot."""

    party = models.CharField(max_length=200)
    day = models.DateField()
    lot = models.ForeignKey(CustodyLot, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        """Found by party and day, within a day in the order of the book."""

        ordering = ("day", "lot")
        constraints = (models.UniqueConstraint(fields=("party", "day", "lot"), name="one_step_per_party_and_lot"),)

    def __str__(self) -> str:
        """Return party and lot."""
        return f"{self.party}: {self.lot_id}"
