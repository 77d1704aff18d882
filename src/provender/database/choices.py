"""The words that columns hold and interfaces name: roles, rights, and scopes of tokens."""

from django.db import models


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


class Scope(models.TextChoices):
    """What a token may touch. Each area is given for reading or for writing."""

    ORGANISATION_READ = "organisation:read", "Read the organization and its members"
    ORGANISATION_WRITE = "organisation:write", "Change name, place and roles"
    MEMBERS_WRITE = "members:write", "Change members and invitations"
    ACCESS_WRITE = "access:write", "Let verifiers and reviewers in and out"
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
        if self in _MANAGING:
            return Right.MANAGE
        return Right.READ if self.value.endswith(":read") else Right.WRITE


_MANAGING = frozenset({Scope.ORGANISATION_WRITE, Scope.MEMBERS_WRITE, Scope.ACCESS_WRITE, Scope.TOKENS_WRITE})


def scopes_within(right: str) -> frozenset[Scope]:
    """Return the scopes of everything that a member with a right may do."""
    return frozenset(scope for scope in Scope if RANK[scope.right] <= RANK[right])


class Area(models.TextChoices):
    """What a reviewer may be let see: what a party wrote and signed itself, never what others handed to it."""

    REPORTS = "reports", "Reports, signed or not yet, and how they stand"
    RECORDS = "records", "Records of the farm and their evidence"
    BOOKS = "books", "Periods, stock and grain by scale"
    AUDITS = "audits", "Audits of this organization, their findings and statements"
    ACCREDITATION = "accreditation", "Accreditation of this verifier"


class ReviewerKind(models.TextChoices):
    """For whom a reviewer looks."""

    BUYER = "buyer", "A buyer"
    AUTHORITY = "authority", "An authority"
    ACCREDITOR = "accreditor", "An accreditor"


ADDRESS_LENGTH = 500
"""Characters of an address at which a program listens."""


class NewsKind(models.TextChoices):
    """What somebody may want to be told of; the value is the type of event that a webhook gets."""

    ARRIVED = "document.arrived", "A delivery, sale slip, answer or decision arrived"
    CHANGED = "report.changed", "A report behind your bushels changed"
    PERIOD = "period.ends", "A period ends"
    ASKED = "evidence.asked", "A verifier asks for something"
