"""Tokens of the REST API, and the answers kept so that a repeated request is not a second deed."""

from django.db import models

from provender.database.models.organisations import Organisation


class Scope(models.TextChoices):
    """What a token may touch. Each area is given for reading or for writing."""

    ORGANISATION_READ = "organisation:read", "Read the organisation and its members"
    MEMBERS_WRITE = "members:write", "Change members and invitations"
    RECORDS_READ = "records:read", "Read records, verdicts and reports"
    RECORDS_WRITE = "records:write", "Write records"
    CUSTODY_READ = "custody:read", "Read lots, movements and balances"
    CUSTODY_WRITE = "custody:write", "Post movements and close periods"
    AUDIT_READ = "audit:read", "Read audits and packages"
    AUDIT_WRITE = "audit:write", "Draw samples, record findings"


class ApiToken(models.Model):
    """A machine's key to one organisation. Only a hash of the secret is kept."""

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="tokens")
    name = models.CharField("what for", max_length=80)
    secret_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=8)
    scopes = models.JSONField("scopes", default=list)
    created_by = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_on = models.DateField("last day")
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        """Newest first."""

        ordering = ("-id",)

    def __str__(self) -> str:
        """Return what it is for."""
        return self.name


class IdempotentAnswer(models.Model):
    """The answer given to one POST with an ``Idempotency-Key``, so that a repeat gets the same answer."""

    caller = models.CharField(max_length=64)
    key = models.CharField(max_length=100)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    content_type = models.CharField(max_length=80, blank=True)
    body = models.BinaryField(default=b"")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A caller uses a key once."""

        constraints = (models.UniqueConstraint(fields=("caller", "key"), name="one_answer_per_key"),)

    def __str__(self) -> str:
        """Return the key."""
        return self.key
