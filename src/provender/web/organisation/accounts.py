"""Accounts: who may make one, and the form for it."""

from collections.abc import Mapping
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import SignupForm
from allauth.mfa.adapter import DefaultMFAAdapter
from django import forms
from django.conf import settings
from django.http import HttpRequest

from provender.database.models import Person
from provender.services.accounts.invitations import open_invitation
from provender.web.organisation.forms import Plain

WRONG_CODE: Final = "This code is not right, or it was used. The app shows a new one every 30 seconds; type that."
INVITATION: Final = "invitation"
"""The key of the session under which an opened invitation's secret waits for sign-up."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Lets the first person, invited people and, if the server is open, anybody make an account; says what is wrong."""

    error_messages: Mapping[str, object] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": "This account is closed. Ask whoever runs this server.",
        "duplicate_email": "This address is yours already.",
        "email_password_mismatch": "Address and password do not belong together. Type both again.",
        "email_taken": "Another account has this address.",
        "enter_current_password": "This is not your password until now.",
        "incorrect_code": WRONG_CODE,
        "incorrect_password": "This is not your password.",
        "invalid_password_reset": "This link no longer works. Ask for a new one.",
        "too_many_login_attempts": "Too many tries. Wait a few minutes, then try again.",
        "rate_limited": "Too many tries. Wait a few minutes, then try again.",
        "same_as_current": "This is what it was already. Choose another.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Say whether this browser may make an account now."""
        if settings.SIGNUP_OPEN:
            return True
        secret = request.session.get(INVITATION, "")
        if secret and open_invitation(secret) is not None:
            return True
        return not Person.objects.exists()


class CodesAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """Says what is wrong with a one-time code."""

    error_messages: Mapping[str, object] = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": WRONG_CODE,
        "unverified_email": "Confirm your address first, then turn codes on.",
        "add_email_blocked": "With codes on, no address can be added. Turn them off, add it, turn them on.",
    }


class SignUpForm(Plain, SignupForm):  # type: ignore[misc]  # allauth has no types
    """E-mail address, password and the name that others will see beside what this person writes."""

    name = forms.CharField(
        label="Your name",
        max_length=120,
        help_text="Stands beside everything you write.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    own: Mapping[str, str] = {"password1": "Password"}
    field_order = ("name", "email", "password1")

    def save(self, request: HttpRequest) -> Any:  # noqa: ANN401  # allauth has no types
        """Create the person with their name."""
        person = super().save(request)
        if person is not None:
            person.name = self.cleaned_data["name"].strip()
            person.save(update_fields=["name"])
        return person
