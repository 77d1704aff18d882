"""What an organisation is told of others' deeds and of coming days; who wants it how, and what is on its way."""

from typing import ClassVar

from django.db import models

from provender.database.choices import ADDRESS_LENGTH, NewsKind
from provender.database.models.accounts import Membership, Organisation
from provender.database.models.base import AppendOnly, new_handle


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

    class Meta:
        """Newest first."""

        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=("organisation", "source"), name="news_told_once"),)

    def __str__(self) -> str:
        """Return what it says."""
        return self.says


class NewsMark(models.Model):
    """How far a table was read for news."""

    table = models.CharField(max_length=20, unique=True)
    read_up_to = models.BigIntegerField()

    def __str__(self) -> str:
        """Return which table, and how far."""
        return f"{self.table} {self.read_up_to}"


class NewsChoice(models.Model):
    """What one member wants shown and sent. Without a row: everything shown, nothing sent."""

    membership = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="news_choice")
    shown = models.JSONField(default=list)
    sent = models.JSONField(default=list)
    seen = models.BigIntegerField(default=0)
    """The newest news when the member looked last."""

    def __str__(self) -> str:
        """Return whose."""
        return str(self.membership)


class Hook(models.Model):
    """An address that a program listens at. Its secret is derived from the server's key and kept nowhere."""

    handle = models.CharField(max_length=12, unique=True, default=new_handle, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="hooks")
    address = models.CharField(max_length=ADDRESS_LENGTH)
    kinds = models.JSONField(default=list)
    made_by = models.ForeignKey("database.Person", on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        """Newest first."""

        ordering = ("-id",)

    def __str__(self) -> str:
        """Return the address."""
        return self.address


class Sending(models.Model):
    """One piece of news on its way to a hook or to a member's mailbox: the outbox."""

    news = models.ForeignKey(News, on_delete=models.PROTECT, related_name="sendings")
    hook = models.ForeignKey(Hook, on_delete=models.PROTECT, null=True, related_name="sendings")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, null=True, related_name="+")
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
        """Return what goes where."""
        return f"{self.news} to {self.hook or self.membership}"
