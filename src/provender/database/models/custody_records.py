"""What the custody book states: a typed table for each kind that is searched, one of texts for the others.

Columns are named like the fields of the record, but for its ``id``: that is the key, or the number within the key.
Tuples are JSON text. A row is replaced when its key is stated again and is never removed (see ``guards``).
"""

from typing import Final

from django.db import models

from provender.database.models.base import AppendOnly
from provender.database.models.custody import CustodyEvent

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
        """Return the key."""
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
        """Return kind and key."""
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
        """Return party and event."""
        return f"{self.party}: {self.event_id}"
