"""Accounts: who may make one, and the form for it."""

from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import SignupForm
from django import forms
from django.conf import settings
from django.http import HttpRequest

from provender.database.deeds.invitations import open_invitation
from provender.database.models import Person

INVITATION: Final = "invitation"
"""The key of the session under which an opened invitation's secret waits for sign-up."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Lets the first person, invited people and, if the server is open, anybody make an account."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Say whether this browser may make an account now."""
        if settings.SIGNUP_OPEN:
            return True
        secret = request.session.get(INVITATION, "")
        if secret and open_invitation(secret) is not None:
            return True
        return not Person.objects.exists()


class SignUpForm(SignupForm):  # type: ignore[misc]  # allauth has no types
    """E-mail address, password and the name that others will see beside what this person writes."""

    name = forms.CharField(
        label="Your name",
        max_length=120,
        help_text="Stands beside everything you write.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    field_order = ("name", "email", "password1")

    def save(self, request: HttpRequest) -> Any:  # noqa: ANN401  # allauth has no types
        """Create the person with their name."""
        person = super().save(request)
        if person is not None:
            person.name = self.cleaned_data["name"].strip()
            person.save(update_fields=["name"])
        return person
