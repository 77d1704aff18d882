"""People who sign in: an e-mail address, a name and a password; one-time codes are kept by allauth."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models


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

    def get_short_name(self) -> str:
        """Return what the page greets them with."""
        return str(self)

    def get_full_name(self) -> str:
        """Return the name as given."""
        return str(self)
