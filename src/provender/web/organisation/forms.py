"""The forms of the account pages in the words of the house: labels say what to type, nothing hides in a placeholder."""

from collections.abc import Mapping
from typing import Any, Final

from allauth.account import forms as account
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms

LABELS: Final[Mapping[str, str]] = {
    "login": "Email",
    "email": "Email",
    "password": "Password",
    "remember": "Stay signed in on this machine",
    "oldpassword": "Password until now",
    "password1": "New password",
    "password2": "New password once more",
    "code": "Code",
}
NEW: Final = "password1"
NEW_HELP: Final = "At least 12 characters, not digits alone, nothing that many people use. A short sentence is good."


class Plain(forms.Form):
    """Says its fields plainly: comes before the form whose fields it says.

    Attributes:
        own: labels of this form alone.
    """

    own: Mapping[str, str] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # allauth has no types
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = {**LABELS, **self.own}.get(name, field.label)
            field.widget.attrs.pop("placeholder", None)
        if NEW in self.fields:
            self.fields[NEW].help_text = NEW_HELP


class LoginForm(Plain, account.LoginForm):  # type: ignore[misc]  # allauth has no types
    """Address and password."""


class AddEmailForm(Plain, account.AddEmailForm):  # type: ignore[misc]  # allauth has no types
    """One more address."""


class ChangePasswordForm(Plain, account.ChangePasswordForm):  # type: ignore[misc]  # allauth has no types
    """The password until now and the new one, twice."""


class SetPasswordForm(Plain, account.SetPasswordForm):  # type: ignore[misc]  # allauth has no types
    """A first password, twice."""


class ResetPasswordForm(Plain, account.ResetPasswordForm):  # type: ignore[misc]  # allauth has no types
    """The address to which the link goes."""


class ResetPasswordKeyForm(Plain, account.ResetPasswordKeyForm):  # type: ignore[misc]  # allauth has no types
    """The new password behind the link, twice."""


class ReauthenticateForm(Plain, account.ReauthenticateForm):  # type: ignore[misc]  # allauth has no types
    """The password once more."""


class AuthenticateForm(Plain, mfa.AuthenticateForm):  # type: ignore[misc]  # allauth has no types
    """A code when signing in."""


class ReauthenticateCodeForm(Plain, mfa.ReauthenticateForm):  # type: ignore[misc]  # allauth has no types
    """A code once more."""


class AddPasskeyForm(Plain, webauthn.AddWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    """What a passkey is called, and whether it stands for the password."""

    own: Mapping[str, str] = {"name": "Name", "passwordless": "It signs me in without my password"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  # allauth has no types
        super().__init__(*args, **kwargs)
        self.fields["passwordless"].initial = True
        self.fields["passwordless"].help_text = "Phone or key then asks for finger, face or PIN."


class EditPasskeyForm(Plain, webauthn.EditWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    """Another name for a passkey."""

    own: Mapping[str, str] = {"name": "Name"}


class ActivateTOTPForm(Plain, totp.ActivateTOTPForm):  # type: ignore[misc]  # allauth has no types
    """The first code of an app."""
