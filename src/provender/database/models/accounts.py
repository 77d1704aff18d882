"""Organisations, people, who may read what of whom, tokens of the API, and the log of every write."""

from datetime import date
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models

from provender.database.choices import ADDRESS_LENGTH, RANK, NewsKind, ReviewerKind, Right, Role
from provender.database.models.base import AppendOnly, NewestFirst, new_handle


class Organisation(models.Model):
    """A farm, elevator, crusher, refiner or verifier: the owner of books and the unit of access."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    name = models.CharField("name", max_length=120)
    county = models.CharField("county", max_length=80, blank=True)
    state = models.CharField("state", max_length=2, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Ordered as a list of names reads."""

        ordering = ("name", "id")

    def __str__(self) -> str:
        return self.name


class OrganisationRole(models.Model):
    """One role of one organisation."""

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="roles")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        """A role is held once."""

        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("organisation", "role"), name="one_row_per_role"),)

    def __str__(self) -> str:
        return str(self.get_role_display())


class Membership(models.Model):
    """One person's right in one organisation.

    ``on_behalf_of`` names the firm of a consultant: they may keep the records but never sign for the farm
    (2100.031: only the farm producer), and their firm counts as having prepared the records (interpretation 55).
    ``ton_price`` is what they reckon a metric ton of CO2e with here, in cents: an assumption of theirs alone.
    """

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="memberships")
    person = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="memberships")
    right = models.CharField("right", max_length=10, choices=Right.choices)
    on_behalf_of = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, null=True, blank=True, related_name="consultants_abroad"
    )
    since = models.DateTimeField(auto_now_add=True)
    ton_price = models.PositiveIntegerField("cents a metric ton of CO2e", null=True, blank=True)

    class Meta:
        """A person is a member once."""

        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("organisation", "person"), name="one_membership_per_person"),)

    def __str__(self) -> str:
        return f"{self.person} in {self.organisation}: {self.right}"

    @property
    def is_consultant(self) -> bool:
        """Whether the person works for the organisation from another firm."""
        return self.on_behalf_of_id is not None

    def may(self, right: str) -> bool:
        """Say whether this membership holds ``right`` (read, write or manage)."""
        return RANK[self.right] >= RANK[right]


class Invitation(NewestFirst):
    """An offer of membership or of a review, opened with a secret link that only its hash is kept of."""

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="invitations")
    label = models.CharField("for whom", max_length=120)
    right = models.CharField("right", max_length=10, choices=Right.choices)
    as_consultant_of = models.CharField("consultant's firm", max_length=12, blank=True)
    secret_hash = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    review = models.OneToOneField("database.Review", on_delete=models.PROTECT, null=True, related_name="invitation")

    def __str__(self) -> str:
        return f"{self.label} to {self.organisation}"


class PersonManager(BaseUserManager["Person"]):
    """Makes people and finds them by e-mail address, whatever its case."""

    def create_user(self, email: str, password: str | None = None, **more: Any) -> "Person":  # noqa: ANN401 - fields
        """Create a person. Without a password nobody can sign in as them until one is set.

        Raises:
            ValueError: the e-mail address is empty.
        """
        if not email:
            raise ValueError("A person needs an e-mail address.")
        person = self.model(email=self.normalize_email(email).lower(), **more)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def get_by_natural_key(self, username: str | None) -> "Person":
        """Find a person by e-mail address."""
        return self.get(email__iexact=username)


class Person(AbstractBaseUser):
    """Somebody with an account. What they may do hangs on their memberships, never on the account itself."""

    email = models.EmailField("e-mail address", unique=True)
    name = models.CharField("name", max_length=120, blank=True)
    is_active = models.BooleanField("may sign in", default=True)
    created_at = models.DateTimeField("created", auto_now_add=True)

    objects: ClassVar[PersonManager] = PersonManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        """Ordered as a list of people reads."""

        ordering = ("name", "email")

    def __str__(self) -> str:
        """Return the name; of somebody who gave none, what stands before the @ of their address, never all of it."""
        return self.name or self.email.partition("@")[0]


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
        return f"{self.verifier} reads {self.audited} from {self.first_day} to {self.last_day}"

    def opens_on(self, day: date) -> bool:
        """Say whether the grant lets the verifier in on a day."""
        return self.revoked_at is None and self.first_day <= day <= self.last_day


class Review(NewestFirst):
    """What one person from outside may read of an organisation until a last day: a buyer's, an authority's reviewer.

    Given and taken back by the organisation; every look is logged. ``person`` is empty until the link was opened.
    """

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="reviews")
    label = models.CharField("for whom", max_length=120)
    kind = models.CharField("kind", max_length=10, choices=ReviewerKind.choices)
    areas = models.JSONField("may see", default=list)
    purpose = models.CharField("what for", max_length=200)
    last_day = models.DateField("last day")
    person = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="reviews")
    given_by = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.label} reviews {self.organisation} until {self.last_day}"

    def opens_on(self, day: date) -> bool:
        return self.revoked_at is None and day <= self.last_day


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
        return f"{self.seller} to {self.buyer}, {self.number}"


class ApiToken(NewestFirst):
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

    def __str__(self) -> str:
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
    rights = models.JSONField(default=list)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A caller uses a key once."""

        constraints = (models.UniqueConstraint(fields=("caller", "key"), name="one_answer_per_key"),)

    def __str__(self) -> str:
        return self.key


class LogRow(AppendOnly):
    """One deed. ``actor`` is empty when the program itself acted (first start, an import on the command line)."""

    at = models.DateTimeField("when", db_index=True)
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")
    via = models.CharField("by way of", max_length=40)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, null=True, related_name="log")
    deed = models.CharField("deed", max_length=80)
    about = models.CharField("about", max_length=120, blank=True)
    old = models.JSONField("before", null=True)
    new = models.JSONField("after", null=True)

    class Meta:
        """Oldest first, read from the end."""

        ordering = ("id",)
        indexes = (models.Index(fields=("organisation", "id"), name="log_of_organisation"),)

    def __str__(self) -> str:
        return f"{self.deed} {self.about}".strip()


# What an organisation is told of others' deeds and of coming days; who wants it how, and what is on its way.


class News(AppendOnly):
    """One thing that an organisation is told, once.

    ``source`` names what it comes from (a row of the log, a record of the book, a day): one that is read twice is told
    once. ``page`` and ``query`` lead to where something is done about it.
    """

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="news")
    kind = models.CharField(max_length=20, choices=NewsKind.choices)
    source = models.CharField(max_length=80)
    says = models.CharField(max_length=300)
    about = models.CharField(max_length=400, blank=True)
    page = models.CharField(max_length=40)
    query = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta(AppendOnly.Meta):
        """Told once."""

        constraints = (models.UniqueConstraint(fields=("organisation", "source"), name="news_told_once"),)

    def __str__(self) -> str:
        return self.says


class NewsMark(models.Model):
    """How far a table was read for news."""

    table = models.CharField(max_length=20, unique=True)
    read_up_to = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.table} {self.read_up_to}"


class NewsChoice(models.Model):
    """What one member wants shown and sent. Without a row: everything shown, nothing sent."""

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="news_choice")
    shown = models.JSONField(default=list)
    sent = models.JSONField(default=list)
    seen = models.BigIntegerField(default=0)
    """The newest news when the member looked last."""

    def __str__(self) -> str:
        return str(self.membership)


class Hook(NewestFirst):
    """An address that a program listens at. Its secret is derived from the server's key and kept nowhere."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="hooks")
    address = models.CharField(max_length=ADDRESS_LENGTH)
    kinds = models.JSONField(default=list)
    made_by = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.address


class Sending(models.Model):
    """One piece of news on its way to a hook or to a member's mailbox, or a letter about an account: the outbox."""

    news = models.ForeignKey(News, on_delete=models.PROTECT, null=True, related_name="sendings")
    hook = models.ForeignKey(Hook, on_delete=models.PROTECT, null=True, related_name="sendings")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, null=True, related_name="+")
    letter = models.JSONField(null=True)
    """What a letter is written from when it goes out: its kind, the server's name, whose address or account."""
    tries = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True)
    """When it is tried next; null once it arrived or was given up."""
    done_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=120, blank=True)

    class Meta:
        """Each receiver gets each news once; what is due is found quickly."""

        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("news", "hook"), name="hook_is_told_once"),
            models.UniqueConstraint(fields=("news", "membership"), name="member_is_told_once"),
        )
        indexes: ClassVar[tuple[models.Index, ...]] = (
            models.Index(fields=("next_at",), condition=models.Q(next_at__isnull=False), name="sending_due"),
        )

    def __str__(self) -> str:
        return f"{self.news or 'a letter'} to {self.hook or self.membership or 'an account'}"
