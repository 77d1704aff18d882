"""Tokens of the REST API, and the answers kept so that a repeated request is not a second deed."""

from django.db import models

from provender.database.models.organisations import RANK, Organisation, Right


class Scope(models.TextChoices):
    """What a token may touch. Each area is given for reading or for writing."""

    ORGANISATION_READ = "organisation:read", "Read the organisation and its members"
    ORGANISATION_WRITE = "organisation:write", "Change name, place and roles"
    MEMBERS_WRITE = "members:write", "Change members and invitations"
    ACCESS_WRITE = "access:write", "Let verifiers in and out"
    TOKENS_WRITE = "tokens:write", "Make narrower tokens, and revoke tokens"
    RECORDS_READ = "records:read", "Read records, verdicts and reports"
    RECORDS_WRITE = "records:write", "Write records"
    CUSTODY_READ = "custody:read", "Read lots, movements and balances"
    CUSTODY_WRITE = "custody:write", "Post movements and close periods"
    AUDIT_READ = "audit:read", "Read audits and packages"
    AUDIT_WRITE = "audit:write", "Lead and answer audits: samples, packages, findings, statements, signing key"

    @property
    def right(self) -> Right:
        """Return the right that a person needs for the same on the pages."""
        if self in MANAGING:
            return Right.MANAGE
        return Right.READ if self.value.endswith(":read") else Right.WRITE


MANAGING = frozenset({Scope.ORGANISATION_WRITE, Scope.MEMBERS_WRITE, Scope.ACCESS_WRITE, Scope.TOKENS_WRITE})


def scopes_within(right: str) -> frozenset[Scope]:
    """Return the scopes of everything that a member with a right may do."""
    return frozenset(scope for scope in Scope if RANK[scope.right] <= RANK[right])


class ApiToken(models.Model):
    """A machine's key to one organisation. Only a hash of the secret is kept.

    ``made_with`` is the token by which a program made it, null where a person did on the page.
    """

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="tokens")
    name = models.CharField("what for", max_length=80)
    secret_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=8)
    scopes = models.JSONField("scopes", default=list)
    created_by = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="+")
    made_with = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="made")
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
    """The answer given to one POST with an ``Idempotency-Key``, so that a repeat gets the same answer.

    ``body`` is sealed under the caller's secret, which the server does not keep: an answer may hold secrets.
    """

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
