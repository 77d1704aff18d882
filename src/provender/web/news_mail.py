"""One notice as a letter to one member."""

from django.conf import settings
from django.core.mail import send_mail
from django.urls import reverse

from provender.services.news.told import Notice
from provender.web.tables import days_said


def mail_news(address: str, notice: Notice) -> None:
    """Send it.

    Raises:
        OSError: the mail server does not take it; smtplib's own errors are among them.
    """
    says = days_said(notice.says)
    lines = [f"{notice.name}: {says}.", "", *_where(notice), "You chose to get this by mail.", ""]
    send_mail(says, "\n".join(lines), None, [address])


def _where(notice: Notice) -> list[str]:
    """Return where something is done about it, as far as this server knows its own address."""
    page = reverse("notices", args=(notice.organisation,))
    known = settings.ENVIRONMENT.production
    return [f"https://{settings.ENVIRONMENT.hosts[0]}{page}", ""] if known else []
