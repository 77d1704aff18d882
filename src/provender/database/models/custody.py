"""The custody book in tables: events as posted, lots, and whose steps they are.

Serials of all origins of one server lie in one space of 64-bit numbers: number of the origin times 2**36 plus the
serial, so that a single rule of the database keeps current lots from overlapping (``guards``).
"""

from typing import Final

from django.db import models

from provender.custody.model.lots import SPAN_BITS
from provender.database.models.base import AppendOnly, WithActor


class CustodyOrigin(AppendOnly):
    """The number of an origin in the space of serials."""

    name = models.CharField(max_length=400, unique=True)

    def __str__(self) -> str:
        return self.name

    @property
    def base(self) -> int:
        return int(self.pk) << SPAN_BITS


class CustodyEvent(WithActor):
    """An event that stands in the book. Its number in the book is its key here."""

    name = models.CharField(max_length=400, unique=True)
    type = models.CharField(max_length=40)
    day = models.DateField()
    digest = models.CharField(max_length=64)
    text = models.TextField()
    corrects = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="correction")

    class Meta:
        """In the order of the book. Hardly an event corrects another: only an index over those finds them quickly."""

        ordering = ("id",)
        indexes = (
            models.Index(fields=("corrects",), condition=models.Q(corrects__isnull=False), name="event_corrects"),
        )

    def __str__(self) -> str:
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
        return f"{self.party}: {self.lot_id}"


# What the custody book states: a typed table for each kind that is searched, one of texts for the others.
#
# Columns are named like the fields of the record, but for its ``id``: that is the key, or the number within the key.
# Tuples are JSON text. A row is replaced when its key is stated again and is never removed (see ``guards``).

KEY_LENGTH: Final = 400


def one_row_per_key(table: str) -> models.UniqueConstraint:
    """Return the rule by which a record that is stated again replaces the one before it."""
    return models.UniqueConstraint(fields=("key",), name=f"one_{table}_per_key")


class Stated(models.Model):
    """Base of the tables of records: in the order in which keys were first stated."""

    key = models.CharField(max_length=KEY_LENGTH)
    stated_by = models.ForeignKey(CustodyEvent, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        """No table of its own."""

        abstract = True
        ordering = ("id",)

    def __str__(self) -> str:
        return self.key


class CustodyEntity(Stated):
    """A party; its key is the entity's id."""

    name = models.TextField()
    roles = models.TextField()
    sites = models.TextField()

    class Meta(Stated.Meta):
        """Found by key."""

        constraints = (one_row_per_key("entity"),)


class CustodyContract(Stated):
    """A contract of an entity."""

    number = models.TextField()
    entity = models.TextField()
    counterparty = models.TextField()
    role = models.TextField()
    start = models.DateField()
    end = models.DateField(null=True)
    signing_key = models.TextField()

    class Meta(Stated.Meta):
        """Listed by entity."""

        constraints = (one_row_per_key("contract"),)
        indexes = (models.Index(fields=("entity", "id"), name="contract_of_entity"),)


class CustodyVerification(Stated):
    """A verification statement over an entity."""

    number = models.TextField()
    entity = models.TextField()
    verifier = models.TextField()
    start = models.DateField()
    end = models.DateField()
    crops = models.TextField()
    scope = models.TextField()
    opinion = models.TextField()
    issued = models.DateField()

    class Meta(Stated.Meta):
        """Listed by entity."""

        constraints = (one_row_per_key("verification"),)
        indexes = (models.Index(fields=("entity", "id"), name="verification_of_entity"),)


class CustodyPeriod(Stated):
    """A mass balance time period of an entity. A closed one is never replaced (see ``guards``)."""

    entity = models.TextField()
    start = models.DateField()
    end = models.DateField()
    policy = models.TextField()
    declared = models.DateField()
    closed = models.DateField(null=True)

    class Meta(Stated.Meta):
        """Listed by entity."""

        constraints = (one_row_per_key("period"),)
        indexes = (models.Index(fields=("entity", "id"), name="period_of_entity"),)


class CustodyStanding(Stated):
    """An origin as its report stands; its key is the origin's id. ``CustodyOrigin`` has the origin's serials."""

    form = models.TextField()
    issuer = models.TextField()
    crop = models.TextField()
    harvest_year = models.IntegerField()
    source = models.TextField()
    number = models.TextField()
    standing = models.TextField()
    versions = models.TextField()
    issued = models.BigIntegerField()
    resting = models.TextField()
    group = models.TextField()
    version = models.IntegerField()

    class Meta(Stated.Meta):
        """Listed by farm, crop and year; what changed since its first version is found by itself."""

        constraints = (
            one_row_per_key("origin"),
            models.UniqueConstraint(
                fields=("issuer", "crop", "harvest_year"),
                condition=models.Q(source="report"),
                name="one_report_per_harvest",
            ),
        )
        indexes = (
            models.Index(fields=("group", "id"), name="origin_of_group"),
            models.Index(
                fields=("key",),
                condition=models.Q(standing="withdrawn") | models.Q(version__gt=1),
                name="origin_changed",
            ),
        )


class CustodySlip(Stated):
    """A slip of a farm; its key is the slip's id."""

    giver = models.TextField()
    taker = models.TextField()
    origin = models.TextField()
    spans = models.TextField()
    day = models.DateField()
    open_spans = models.TextField()
    returned = models.TextField()
    open_bushels = models.BigIntegerField()

    class Meta(Stated.Meta):
        """Listed by origin; open ones by buyer."""

        constraints = (
            one_row_per_key("slip"),
            models.CheckConstraint(condition=models.Q(open_bushels__gte=0), name="slip_is_not_overdrawn"),
            models.CheckConstraint(condition=~models.Q(giver=models.F("taker")), name="slip_has_two_parties"),
        )
        indexes = (
            models.Index(fields=("origin", "id"), name="slip_of_origin"),
            models.Index(fields=("taker", "id"), condition=models.Q(open_bushels__gt=0), name="slip_open_to"),
        )


class CustodyPending(Stated):
    """A purchase whose report comes later; its key is the purchase's id."""

    giver = models.TextField()
    taker = models.TextField()
    site = models.TextField()
    crop = models.TextField()
    harvest_year = models.IntegerField()
    bushels = models.BigIntegerField()
    left = models.BigIntegerField()
    day = models.DateField()

    class Meta(Stated.Meta):
        """Listed by buyer, open ones by themselves."""

        constraints = (
            one_row_per_key("pending"),
            models.CheckConstraint(condition=models.Q(left__gte=0), name="pending_is_not_overdrawn"),
        )
        indexes = (
            models.Index(fields=("taker", "id"), name="pending_of_buyer"),
            models.Index(fields=("taker", "id"), condition=models.Q(left__gt=0), name="pending_open_to"),
        )


class CustodyGrainEntry(Stated):
    """A ticket, shipment or measurement in a grain book."""

    entity = models.TextField()
    site = models.TextField()
    form = models.TextField()
    number = models.TextField()
    day = models.DateField()
    direction = models.TextField()
    amount = models.BigIntegerField()
    claim = models.TextField()
    void = models.BooleanField()
    name = models.TextField()
    source = models.TextField(default="", db_default="")
    group = models.TextField()

    class Meta(Stated.Meta):
        """Listed by site and form."""

        constraints = (one_row_per_key("grain_entry"),)
        indexes = (models.Index(fields=("group", "id"), name="grain_entry_of_group"),)


class CustodyRecord(models.Model):
    """A record of any other kind, which is fetched by key or group only. A ``final`` one is never replaced."""

    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=KEY_LENGTH)
    group = models.CharField(max_length=400)
    text = models.TextField()
    final = models.BooleanField(default=False)
    stated_by = models.ForeignKey(CustodyEvent, on_delete=models.PROTECT, related_name="+")

    class Meta:
        """In the order in which keys were first stated."""

        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("kind", "key"), name="one_record_per_key"),)
        indexes = (models.Index(fields=("kind", "group", "id"), name="record_of_group"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class CustodyEventParty(AppendOnly):
    """A party that an event is about: by these rows its own book is taken out of the book of all."""

    party = models.TextField()
    event = models.ForeignKey(CustodyEvent, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        """Found by party, in the order of the book."""

        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("party", "event"), name="one_row_per_party_and_event"),)

    def __str__(self) -> str:
        return f"{self.party}: {self.event_id}"
