"""Organisations, what they are under the rule, who works in them, and invitations to join."""

from django.db import models

from provender.database.models.handle import new_handle


class Role(models.TextChoices):
    """What an organisation is under 7 CFR part 2100. One organisation may be several."""

    FARM = "farm", "Farm producer"
    FIRST_POINT = "first_point", "First point of aggregation"
    INTERMEDIARY = "intermediary", "Intermediary entity"
    PROCESSOR = "processor", "Processor"
    REFINER = "refiner", "Biofuel refiner"
    VERIFIER = "verifier", "Third-party verifier"


class Right(models.TextChoices):
    """What a member may do. Each right holds those before it."""

    READ = "read", "Read"
    WRITE = "write", "Read and write"
    MANAGE = "manage", "Manage: write, members, access, tokens"


RANK = {Right.READ.value: 1, Right.WRITE.value: 2, Right.MANAGE.value: 3}


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
        """Return the name."""
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
        """Return the role in the words of the rule."""
        return str(self.get_role_display())


class Membership(models.Model):
    """One person's right in one organisation.

    ``on_behalf_of`` names the firm of a consultant: they may keep the records but never sign for the farm
    (2100.031: only the farm producer), and their firm counts as having prepared the records (interpretation 55).
    """

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="memberships")
    person = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="memberships")
    right = models.CharField("right", max_length=10, choices=Right.choices)
    on_behalf_of = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, null=True, blank=True, related_name="consultants_abroad"
    )
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A person is a member once."""

        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("organisation", "person"), name="one_membership_per_person"),)

    def __str__(self) -> str:
        """Return who may do what where."""
        return f"{self.person} in {self.organisation}: {self.right}"

    @property
    def is_consultant(self) -> bool:
        """Whether the person works for the organisation from another firm."""
        return self.on_behalf_of_id is not None

    def may(self, right: str) -> bool:
        """Say whether this membership holds ``right`` (read, write or manage)."""
        return RANK[self.right] >= RANK[right]


class Invitation(models.Model):
    """An offer of membership, opened with a secret link that only its hash is kept of."""

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

    class Meta:
        """Newest first."""

        ordering = ("-id",)

    def __str__(self) -> str:
        """Return for whom and where to."""
        return f"{self.label} to {self.organisation}"
