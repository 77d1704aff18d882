"""What goes out by mail: one notice to one member, and the letters about an account."""

from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.core.context import request_context
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.core.mail import send_mail
from django.http import HttpRequest
from django.urls import reverse

from provender.services.news.told import Notice
from provender.web.organisation.accounts import LINK, AccountAdapter
from provender.web.tables import days_said


def mail_news(address: str, what: Notice | Mapping[str, Any]) -> None:
    """Send a notice to an address, or a letter to whom it concerns.

    Raises:
        OSError: the mail server does not take it; smtplib's own errors are among them.
    """
    if not isinstance(what, Notice):
        _write_letter(what)
        return
    says = days_said(what.says)
    lines = [f"{what.name}: {says}.", "", *_where(what), "You chose to get this by mail.", ""]
    send_mail(says, "\n".join(lines), None, [address])


def _where(notice: Notice) -> list[str]:
    """Return where something is done about it, as far as this server knows its own address."""
    page = reverse("notices", args=(notice.organisation,))
    known = settings.ENVIRONMENT.production
    return [f"https://{settings.ENVIRONMENT.hosts[0]}{page}", ""] if known else []


def _write_letter(letter: Mapping[str, Any]) -> None:
    """Write and send a letter that ``ask_for_letter`` asked for; none where there is nobody to get it."""
    request = HttpRequest()
    request.user = AnonymousUser()
    scheme = "https" if letter["secure"] else "http"
    request.META = {"HTTP_HOST": letter["host"], "HTTP_X_FORWARDED_PROTO": scheme}
    adapter = AccountAdapter(request)
    with request_context(request):
        if letter["kind"] == "reset":
            users = filter_users_by_email(letter["email"], is_active=True, prefer_verified=True, for_login=True)
            request_password_reset(request, letter["email"], users, default_token_generator)
        elif letter["kind"] == "exists":
            DefaultAccountAdapter.send_account_already_exists_mail(adapter, letter["email"])
        elif letter["kind"] == "confirm":
            if address := EmailAddress.objects.filter(pk=letter["address"], verified=False).first():
                confirmation = EmailConfirmationHMAC(address)
                DefaultAccountAdapter.send_confirmation_mail(adapter, request, confirmation, letter["signup"])
        elif person := get_user_model().objects.filter(pk=letter["person"]).first():
            where = reverse("account_browser", args=(signing.dumps(person.pk, salt=LINK),))
            adapter.send_mail("account/email/browser", person.email, {"link": request.build_absolute_uri(where)})
