"""Audits that verifiers carry out here: what was opened, and everything that happened in it. All of it only grows."""

import json
from typing import Any

from django.db import models

from provender.audit.programme import Role as AuditRole
from provender.database.models.base import AppendOnly, OrganisationKey, WithActor, new_handle


class VerifierAccreditation(WithActor):
    """What a verifier shows of its accreditation (2100.041); the last row counts.

    ``text`` is canonical JSON of ``provender.audit.statement.statement.Accreditation``.
    """

    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="accreditations")
    text = models.TextField()

    def __str__(self) -> str:
        return f"accreditation of {self.organisation}"


class VerifierKey(OrganisationKey):
    """The public key under which a verifier signs its statements."""

    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="verifier_keys")


class Audit(AppendOnly):
    """One audit of one party by one verifier. The row never changes; what happens in it are its entries."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    verifier = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="audits_led")
    audited = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="audits_of_it")
    role = models.CharField(max_length=40, choices=[(str(one), str(one).capitalize()) for one in AuditRole])
    number = models.CharField("verifier's number", max_length=40)
    harvest_year = models.PositiveIntegerField()
    covered_first = models.DateField()
    covered_last = models.DateField()
    due_on = models.DateField("statement due")
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        """Newest first; a verifier uses a number once."""

        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=("verifier", "number"), name="one_audit_per_number"),)

    def __str__(self) -> str:
        return f"{self.number}, {self.audited}"


class EntryKind(models.TextChoices):
    """What an entry of an audit says."""

    POPULATION = "population", "Population frozen"
    PROOF = "proof", "Proof of an earlier audit brought"
    COMMITMENT = "commitment", "Part of the seed committed"
    OPENING = "opening", "Part of the seed opened"
    SEED = "seed", "Seed committed, sample drawn"
    TREATMENT = "treatment", "Borrowed audit decided"
    FAILURE = "failure", "Failed farm, sample extended"
    ENGAGEMENT = "engagement", "Engagement recorded"
    VISIT = "visit", "Visit logged"
    TASK = "task", "Work done"
    ASKED = "asked", "Package asked for"
    PACKAGE = "package", "Package made"
    RESULT = "result", "Package recomputed"
    FINDING = "finding", "Finding"
    DRAFT = "draft", "Statement drafted"
    STATEMENT = "statement", "Statement signed"
    ADDENDUM = "addendum", "Fact found later"


class AuditEntry(WithActor):
    """One thing that happened in an audit, numbered within it: canonical JSON, written once.

    Shapes of ``text``, by kind: population ``{"rows", "sha256", "source"}``; proof as
    ``audit.sampling.population.Proof``; seed ``{"seed", "size", "sha256"}``; treatment and failure as their core
    classes; task ``{"key", "state", "note", "evidence"}``; asked ``{"what", "verify", "allowed"}``, or ``{"asked",
    "problems"}`` where what entry ``asked`` wants cannot be made; package ``{"what", "mark", "files", "first",
    "last", "asked"}``; result as ``Verification.as_json`` with ``made`` and ``asked``; finding one event of
    ``audit.findings``; draft a statement's document; statement and addendum their signed envelopes.
    """

    audit = models.ForeignKey(Audit, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=EntryKind.choices)
    text = models.TextField()

    class Meta:
        """In order; two writers cannot both add the same number."""

        ordering = ("audit", "number")
        constraints = (models.UniqueConstraint(fields=("audit", "number"), name="one_entry_per_number"),)
        indexes = (models.Index(fields=("audit", "kind", "number"), name="entry_of_kind"),)

    @property
    def said(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"
