"""What organisations allow each other: a verifier's dated read access, and contracts of supply."""

from datetime import date

from django.db import models

from provender.database.models.organisations import Organisation


class ReadGrant(models.Model):
    """Read access of one verifier to one audited organisation, from a first to a last day, both included.

    Given and taken back by the audited party; every look is logged.
    """

    audited = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="grants_given")
    verifier = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="grants_held")
    first_day = models.DateField("first day")
    last_day = models.DateField("last day")
    purpose = models.CharField("what for", max_length=200)
    granted_by = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="+")
    granted_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        """Newest first; the days in order."""

        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(condition=models.Q(first_day__lte=models.F("last_day")), name="grant_days_in_order"),
            models.CheckConstraint(condition=~models.Q(audited=models.F("verifier")), name="nobody_audits_itself"),
        )

    def __str__(self) -> str:
        """Return who may read whom and when."""
        return f"{self.verifier} reads {self.audited} from {self.first_day} to {self.last_day}"

    def opens_on(self, day: date) -> bool:
        """Say whether the grant lets the verifier in on a day."""
        return self.revoked_at is None and self.first_day <= day <= self.last_day


class SupplyContract(models.Model):
    """A contract by which one organisation supplies another; it binds the seller's public key (interpretation 33)."""

    seller = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="sales_contracts")
    buyer = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="purchase_contracts")
    number = models.CharField("contract number", max_length=60)
    signed_on = models.DateField("signed on")
    seller_key = models.JSONField("seller's public key", default=dict, blank=True)
    entered_by = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="+")

    class Meta:
        """A number stands once between two parties."""

        ordering = ("-signed_on", "-id")
        constraints = (
            models.UniqueConstraint(fields=("seller", "buyer", "number"), name="one_contract_per_number"),
            models.CheckConstraint(condition=~models.Q(seller=models.F("buyer")), name="nobody_supplies_itself"),
        )

    def __str__(self) -> str:
        """Return the parties and the number."""
        return f"{self.seller} to {self.buyer}, {self.number}"
