"""One notice as a letter to one member, in their language."""

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from provender.services.news.choices import Notice
from provender.web.said import said
from provender.web.tables import days_said


def mail_news(address: str, language: str, notice: Notice) -> None:
    """Send it.

    Raises:
        OSError: the mail server does not take it; smtplib's own errors are among them.
    """
    with translation.override(language or "en"):
        says = days_said(said(notice.says))
        lines = [f"{notice.name}: {says}.", "", *_where(notice), gettext("You chose to get this by mail."), ""]
        send_mail(says, "\n".join(lines), None, [address])


def _where(notice: Notice) -> list[str]:
    """Return where something is done about it, as far as this server knows its own address."""
    page = reverse("notices", args=(notice.organisation,))
    known = settings.ENVIRONMENT.production
    return [f"https://{settings.ENVIRONMENT.hosts[0]}{page}", ""] if known else []
