"""Accounts: who may make one, and the form for it; failed tries count against the device that made them."""

import secrets
from collections.abc import Mapping
from typing import Any, Final

from allauth.account import forms as account
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import SignupForm
from allauth.account.internal.flows.signup import complete_signup
from allauth.account.utils import get_next_redirect_url, has_verified_email
from allauth.core import context
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base import forms as mfa
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from allauth.mfa.utils import is_mfa_enabled
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from provender.database.actor import today
from provender.services.accounts.organisations import exists_any, is_among, open_invitation, signed_in
from provender.services.clients import destinations
from provender.services.news.hooks import post_letter
from provender.web.client_address import client_address
from provender.web.inputs import TypedText


def ask_for_letter(request: HttpRequest, kind: str, **said: object) -> None:
    """Have a letter about an account written outside the request, with links to where it was asked for."""
    post_letter({"kind": kind, "host": request.get_host(), "secure": request.is_secure(), **said})


# The forms of the account pages in the words of the house: labels say what to type, nothing hides in a placeholder.

_LABELS: Final[Mapping[str, str]] = {
    "login": "Email",
    "email": "Email",
    "password": "Password",
    "remember": "Stay signed in on this machine",
    "oldpassword": "Password until now",
    "password1": "New password",
    "password2": "New password once more",
    "code": "Code",
}
_NEW: Final = "password1"
_NEW_HELP: Final = "At least 12 characters, not digits alone, nothing that many people use. A short sentence is good."


class Plain(forms.Form):
    """Says its fields plainly: comes before the form whose fields it says."""

    own: Mapping[str, str] = {}  # labels of this form alone

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # allauth has no types
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = {**_LABELS, **self.own}.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)
        if _NEW in self.fields:
            self.fields[_NEW].help_text = _NEW_HELP


def plainly(form: type[forms.Form], **own: str) -> type[forms.Form]:
    """Return a form of the library that says its fields plainly; ``own`` are labels of this form alone."""
    return type(form.__name__, (Plain, form), {"own": own})


LoginForm = plainly(account.LoginForm)
AddEmailForm = plainly(account.AddEmailForm)
ChangePasswordForm = plainly(account.ChangePasswordForm)
SetPasswordForm = plainly(account.SetPasswordForm)
ResetPasswordKeyForm = plainly(account.ResetPasswordKeyForm)
ReauthenticateForm = plainly(account.ReauthenticateForm)
AuthenticateForm = plainly(mfa.AuthenticateForm)
ReauthenticateCodeForm = plainly(mfa.ReauthenticateForm)
EditPasskeyForm = plainly(webauthn.EditWebAuthnForm, name="Name")
ActivateTOTPForm = plainly(totp.ActivateTOTPForm)


class ResetPasswordForm(Plain, account.ResetPasswordForm):  # type: ignore[misc]  # allauth has no types
    """Asks for a link to set a new password; whether there is an account is looked up when the letter goes out."""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def save(self, request: HttpRequest, **_told: Any) -> str:  # noqa: ANN401  # allauth has no types
        email = str(self.cleaned_data["email"])
        ask_for_letter(request, "reset", email=email)
        return email


class AddPasskeyForm(Plain, webauthn.AddWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    """What a passkey is called, and whether it stands for the password."""

    own: Mapping[str, str] = {"name": "Name", "passwordless": "It signs me in without my password"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # allauth has no types
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].initial = True
        self.fields["passwordless"].help_text = "Phone or key then asks for finger, face or PIN."


_WRONG_CODE: Final = "This code is not right, or it was used. The app shows a new one every 30 seconds; type that."
INVITATION: Final = "invitation"
"""The key of the session under which an opened invitation's secret waits for sign-up."""
_DEVICE: Final = "provender-device"
"""The signed cookie of a browser: its own name, and who has signed in there."""
_DEVICE_SECONDS: Final = 400 * 24 * 3600
_MOST_PEOPLE: Final = 12
LINK: Final = "provender-browser-link"
_LINK_SECONDS: Final = 3600
_TOO_MANY: Final = "Too many tries. Wait a few minutes, then try again."
_LINK_MAILED: Final = (
    "Too many tries. If address and password are right, a link that lets you sign in is on its way to you by mail. "
    "Open it in this browser."
)
_SECOND_FACTORS: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Lets the first person, invited people and, if the server is open, anybody make an account; says what is wrong."""

    error_messages: Mapping[str, object] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": "This account is closed. Ask whoever runs this server.",
        "duplicate_email": "This address is yours already.",
        "email_password_mismatch": "Address and password do not belong together. Type both again.",
        "email_taken": "Another account has this address.",
        "enter_current_password": "This is not your password until now.",
        "incorrect_code": _WRONG_CODE,
        "incorrect_password": "This is not your password.",
        "invalid_password_reset": "This link no longer works. Ask for a new one.",
        "too_many_login_attempts": _TOO_MANY,
        "rate_limited": _TOO_MANY,
        "same_as_current": "This is what it was already. Choose another.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Say whether this browser may make an account now."""
        if settings.SIGNUP_OPEN:
            return True
        secret = request.session.get(INVITATION, "")
        if secret and open_invitation(secret) is not None:
            return True
        return not exists_any()

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return where somebody arrives: at the one place there is to go, else at the list of places."""
        places = destinations(signed_in(request.user), today())
        return reverse("organisation", args=places) if len(places) == 1 else reverse("home")

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return whose tries are counted together: those of one address, or of a device that has signed in before.

        Of somebody who is in, it is the address of the network: it stands in the list of their devices.
        """
        device = "" if request.user.is_authenticated else _device(request, request.POST.get("login", ""))
        return device or _address(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:  # noqa: ANN401
        """Count tries on an account apart for each device that it knows, and for each address of all others."""
        apart = _device(request, str(credentials.get("email", ""))) or _address(request)
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}:{apart}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:  # noqa: ANN401
        """Count the try; ``authenticate`` decides what follows from too many."""
        email = str(credentials.get("email", ""))
        self._many_here = self._many_anywhere = False
        self._tries_anywhere = None
        if not _device(request, email):
            counted = {"app": "allauth.account", "action": "login_failed_anywhere", "key": email.lower()}
            self._tries_anywhere = ratelimit.consume(request, **counted)
            self._many_anywhere = self._tries_anywhere is None
        try:
            super().pre_authenticate(request, **credentials)
        except forms.ValidationError:
            self._many_here = True

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:  # noqa: ANN401
        """Return who has this address and password, or None.

        After too many tries the password alone opens nothing, so that no stranger's tries keep the owner out: a second
        factor follows it, or a mailed link comes before it. Where there is neither, only tries from the same address
        count.

        Raises:
            ValidationError: there were too many tries.
        """
        user = super().authenticate(request, **credentials)
        if user is not None and self._tries_anywhere:
            self._tries_anywhere.rollback()
        if not (self._many_here or self._many_anywhere):
            return user
        if not request.user.is_authenticated:
            if user is not None and is_mfa_enabled(user, _SECOND_FACTORS):
                return user
            if settings.MAIL_WORKS:
                # Also for a wrong password: nobody shall tell by the time which it was.
                ask_for_letter(request, "browser", person=user.pk if user else None)
                raise forms.ValidationError(_LINK_MAILED)
        if self._many_here:
            raise self.validation_error("too_many_login_attempts")
        return user

    def post_login(self, request: HttpRequest, user: Any, **told: Any) -> HttpResponse:  # noqa: ANN401
        response: HttpResponse = super().post_login(request, user, **told)
        _remember(request, response, user.pk)
        return response

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:  # noqa: ANN401
        ask_for_letter(request, "confirm", address=emailconfirmation.email_address.pk, signup=signup)

    def send_account_already_exists_mail(self, email: str) -> None:
        ask_for_letter(context.request, "exists", email=email)


@require_GET
def let_browser_in(request: HttpRequest, key: str) -> HttpResponse:
    """Know this browser as one of somebody who opened the link that was mailed to them after too many tries."""
    try:
        person = signing.loads(key, salt=LINK, max_age=_LINK_SECONDS)
    except signing.BadSignature:
        raise Http404 from None
    messages.success(request, "This browser is known now. Sign in.")
    response = redirect("account_login")
    _remember(request, response, person)
    return response


def _remember(request: HttpRequest, response: HttpResponse, person: int) -> None:
    name, people = _remembered(request)
    people = [person, *(each for each in people if each != person)][:_MOST_PEOPLE]
    response.set_cookie(
        _DEVICE, signing.dumps([name or secrets.token_urlsafe(16), people], salt=_DEVICE), max_age=_DEVICE_SECONDS,
        httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE,
    )  # fmt: skip


def _address(request: HttpRequest) -> str:
    return client_address(request.META, proxies=settings.PROXY_COUNT, header=settings.PROXY_HEADER)


def _remembered(request: HttpRequest) -> tuple[str, list[int]]:
    """Return the name of a device and who has signed in on it; nothing for one that is new here."""
    try:
        name, people = signing.loads(request.COOKIES.get(_DEVICE, ""), salt=_DEVICE, max_age=_DEVICE_SECONDS)
    except signing.BadSignature:
        return "", []
    return name, people


def _device(request: HttpRequest, login: str) -> str:
    """Return the name of the device if the account of this address has been opened on it; otherwise nothing."""
    name, people = _remembered(request)
    if not name or not is_among(people, login):
        return ""
    return f"device-{name}"


class CodesAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """Says what is wrong with a one-time code."""

    error_messages: Mapping[str, object] = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _WRONG_CODE,
        "unverified_email": "Confirm your address first, then turn codes on.",
        "add_email_blocked": "With codes on, no address can be added. Turn them off, add it, turn them on.",
    }


class SignUpForm(Plain, SignupForm):  # type: ignore[misc]  # allauth has no types
    """E-mail address, password and the name that others will see beside what this person writes."""

    name = TypedText(
        label="Your name",
        max_length=120,
        help_text="Stands beside everything you write.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    own: Mapping[str, str] = {"password1": "Password"}
    account_already_exists: bool
    field_order = ("name", "email", "password1")

    def try_save(self, request: HttpRequest) -> Any:  # noqa: ANN401  # allauth has no types
        """Create the person and go on, unless the address has an account: then the same work is done and undone.

        Both write through to the disk as often, so that the time tells nobody which it was.
        """
        if self.account_already_exists:
            email, self.account_already_exists = self.cleaned_data["email"], False
            with transaction.atomic():
                self.cleaned_data["email"] = f"{secrets.token_hex(16)}@nobody.invalid"
                nobody = self.save(request)
                has_verified_email(nobody)
                transaction.set_rollback(True)
            self.cleaned_data["email"], self.account_already_exists = email, True
        with transaction.atomic():
            person, response = super().try_save(request)
            if response is None:
                response = complete_signup(request, user=person, redirect_url=get_next_redirect_url(request))
        return person, response

    def save(self, request: HttpRequest) -> Any:  # noqa: ANN401  # allauth has no types
        """Create the person with their name."""
        person = super().save(request)
        if person is not None:
            person.name = self.cleaned_data["name"].strip()
            person.save(update_fields=["name"])
        return person
