"""The signing keys of farm producers and of parties of custody, slips and documents as signed, and the log of it.

A private key made on a page is sealed there under its holder's passphrase; what lies here is the sealed text, which
the server cannot open (interpretation 33).
"""

from django.db import models

from provender.database.models.base import AppendOnly, OrganisationKey, new_handle


class ProducerKey(AppendOnly):
    """One Ed25519 key of one producer of a farm. Another key is another row; which one signs, the record book says.

    ``statement`` is what the key's holder signed when it was registered: that the key is theirs, or, by the key
    before, that this one takes over. ``sealed`` is empty for a key that stays on its holder's own machine.
    """

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="producer_keys")
    holder = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="producer_keys")
    producer_id = models.CharField("producer", max_length=80)
    fingerprint = models.CharField(max_length=43)
    public = models.JSONField("public key")
    sealed = models.JSONField("sealed private key", default=dict)
    statement = models.JSONField("signed statement")
    replaces = models.CharField("fingerprint of the key before", max_length=43, blank=True)
    at = models.DateTimeField()

    class Meta:
        """Newest first; a key belongs to a farm once."""

        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=("organisation", "fingerprint"), name="one_row_per_key"),)

    def __str__(self) -> str:
        """Return whose key it is."""
        return f"key of {self.producer_id}, {self.organisation}"


class PartyKey(OrganisationKey):
    """The public key under which a party of custody signs its documents: a first point, a processor, a refiner."""

    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="party_keys")

    class Meta:
        """Newest first; a key is registered once, so that one given up does not come back."""

        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=("organisation", "fingerprint"), name="one_row_per_party_key"),)

    def __str__(self) -> str:
        """Return whose it is."""
        return f"key of {self.organisation}"


class SignedSlip(AppendOnly):
    """A sale slip as the farm signed it: the serials it assigns stand in the custody book."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="signed_slips")
    number = models.CharField(max_length=80, unique=True)
    document = models.TextField()
    document_hash = models.CharField(max_length=64)
    signature = models.TextField()
    at = models.DateTimeField()
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        """Newest first."""

        ordering = ("-id",)

    def __str__(self) -> str:
        """Return the number of the slip."""
        return self.number


class SignedDocument(AppendOnly):
    """One document in its signed envelope. The key that signed stays with its holder; here is only what it made.

    ``number`` is the sale, or the period; signing again with another key adds a row, and the newest counts.
    """

    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="signed_documents")
    kind = models.CharField(max_length=40)
    number = models.CharField(max_length=200)
    text = models.TextField()
    fingerprint = models.CharField(max_length=43)
    at = models.DateTimeField()
    actor = models.ForeignKey("database.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        """Newest first; one signature of a key on a document."""

        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("organisation", "kind", "number", "fingerprint"), name="one_signature_per_document_and_key"
            ),
        )

    def __str__(self) -> str:
        """Return kind and number."""
        return f"{self.kind} {self.number}"


class LogLeaf(AppendOnly):
    """One document in the server's transparency log: the leaf of that number, from 0, of its Merkle tree (RFC 6962).

    ``mark`` is the hash of the document with its signature (``transparency.mark_of``).
    """

    number = models.BigIntegerField(unique=True)
    mark = models.CharField(max_length=64, unique=True)
    organisation = models.ForeignKey("database.Organisation", on_delete=models.PROTECT, related_name="log_leaves")
    kind = models.CharField(max_length=60)
    about = models.CharField(max_length=200)
    at = models.DateTimeField()

    class Meta:
        """Oldest first: places in the tree count from the first."""

        ordering = ("number",)

    def __str__(self) -> str:
        """Return what the document is."""
        return f"{self.kind} {self.about}"


class LogHeadSigned(AppendOnly):
    """A head of the transparency log, as its operator signed it with a key that the server never has."""

    size = models.BigIntegerField(unique=True)
    text = models.TextField()
    fingerprint = models.CharField(max_length=43)
    at = models.DateTimeField()

    class Meta:
        """Newest first."""

        ordering = ("-size",)

    def __str__(self) -> str:
        """Return how many documents it covers."""
        return f"head over {self.size} documents"
