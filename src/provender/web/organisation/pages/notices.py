"""What the organisation is told, what each member wants shown and sent, and the addresses of its programs."""

from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from provender.database.choices import NewsKind
from provender.services.news.choices import Notice, all_news, choice_of, choose, look, news_for, notice_of, unseen
from provender.services.news.hooks import end_hook, hook_numbered, last_answer, make_hook
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.inputs import HookForm, NoticesForm, attempt
from provender.web.tables import Cell, Column, Table, moment, page_with_tables, rows_wanted

FINDINGS: Final = {"audits": "audit_finding", "audits_of_us": "audit_of_us_finding"}
"""By the page that lists audits, that of one finding."""


def _place(one: Notice) -> str:
    told = dict(one.query)
    if one.page in FINDINGS and {"audit", "finding"} <= told.keys():
        return reverse(FINDINGS[one.page], args=(one.organisation, told["audit"], told["finding"]))
    query = f"?{urlencode(one.query)}" if one.query else ""
    return f"{reverse(one.page, args=(one.organisation,))}{query}"


def _row(one: Notice) -> list[Cell]:
    return [Cell(moment(one.at)), Cell(one.says, _place(one)), Cell(str(one.kind.label)), Cell(one.about)]


COLUMNS = (Column("When"), Column("What"), Column("Kind"), Column("About"))


@require_http_methods(["GET", "POST"])
@of_organisation("read", to_post="read")
def notices(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List what the organisation was told, newest first; POST keeps what the member wants shown and sent.

    Raises:
        PermissionDenied: a verifier's visit chooses nothing here.
    """
    member = access.membership
    if member is None:
        if request.method == "POST":
            raise PermissionDenied
        form, found = None, all_news(access.organisation)
    else:
        kept = choice_of(member)
        asked = request.POST if request.method == "POST" else None
        form = NoticesForm(asked, initial={"shown": kept.shown, "sent": kept.sent})
        if request.method == "POST" and form.is_valid():
            choose(member, shown=form.cleaned_data["shown"], sent=form.cleaned_data["sent"])
            messages.success(request, "Saved.")
            return redirect("notices", access.organisation.handle)
        found = news_for(member)
    page = Paginator(found, rows_wanted(request)).get_page(request.GET.get("page"))
    table = Table("notices", COLUMNS, [_row(notice_of(one)) for one in page.object_list], empty="Nothing was told yet.")
    if member is not None and unseen(member):
        look(member, max((one.pk for one in page.object_list), default=0))
    context = {"page": page, "form": form, "mail_works": settings.MAIL_WORKS}
    return page_with_tables(request, "pages/notices.html", {"notices": table}, context)


@require_GET
@of_organisation("read")
def notices_count(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Answer with the bell alone, which a page that stays open asks for."""
    return render(request, "parts/bell.html", {"organisation": access.organisation})


def _hooks(access: Access) -> Table:
    columns = [
        Column("Address"),
        Column("Events"),
        Column("State"),
        Column("Last answer"),
        Column("", page_only=True),
    ]
    rows = []
    for hook in access.organisation.hooks.all():
        works = hook.ended_at is None
        state = Cell("works" if works else "ended", chip="met" if works else "plain")
        end = reverse("hook_end", args=(access.organisation.handle, hook.pk))
        kinds = "; ".join(str(NewsKind(kind).label) for kind in hook.kinds)
        rows.append([
            Cell(hook.address), Cell(kinds), state, Cell(last_answer(hook)),
            Cell("End it", form=end) if works else Cell(""),
        ])  # fmt: skip
    return Table("webhooks", columns, rows, empty="No webhook yet. A program needs one to be told at once.")


@require_http_methods(["GET", "POST"])
@of_organisation("manage", to_post="manage")
def hooks(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List webhooks; make one and show its secret once."""
    form = HookForm(request.POST or None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        made = attempt(form, lambda: make_hook(access.organisation, actor=access.actor, **form.cleaned_data))
        secret = made[1] if made else ""
    context = {"form": HookForm() if secret else form, "secret": secret}
    return page_with_tables(request, "pages/hooks.html", {"hooks": _hooks(access)}, context)


@require_POST
@of_organisation("manage", to_post="manage")
def hook_end(request: PersonRequest, access: Access, pk: int) -> HttpResponseBase:
    """End a webhook at once."""
    end_hook(hook_numbered(access.organisation, pk), actor=access.actor)
    messages.success(request, "Nothing goes there any more.")
    return redirect("hooks", access.organisation.handle)
