"""What the organisation is told, what each member wants shown and sent, and the addresses of its programs."""

from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.audit.package.layout import LOG_PROOF
from provender.database.actor import Actor
from provender.database.choices import Area, NewsKind
from provender.paper.tables import Cell, Row, Table, heads, numeric
from provender.problem import ProblemsError
from provender.services import transparency as service
from provender.services.accounts.access import Access, owned
from provender.services.accounts.organisations import signed_in
from provender.services.accounts.tokens import end_hook, end_other_sessions, end_session, sessions_of
from provender.services.news.hooks import hook_numbered, last_answer, make_hook
from provender.services.news.told import Notice, all_news, choice_of, choose, look, news_for, notice_of, unseen
from provender.services.refused import MissingError
from provender.signing.canonical import canonical_json
from provender.web.access import PersonRequest, of_organisation
from provender.web.inputs import HookForm, NoticesForm, number_in
from provender.web.organisation.pages.members import button_that_ends, page_that_makes
from provender.web.tables import JSON, download, moment, page_with_tables, rows_wanted

FINDINGS: Final = {"audits": "audit_finding", "audits_of_us": "audit_of_us_finding"}
"""By the page that lists audits, that of one finding."""


def _place(one: Notice) -> str:
    told = dict(one.query)
    if one.page in FINDINGS and {"audit", "finding"} <= told.keys():
        return reverse(FINDINGS[one.page], args=(one.organisation, told["audit"], told["finding"]))
    query = f"?{urlencode(one.query)}" if one.query else ""
    return f"{reverse(one.page, args=(one.organisation,))}{query}"


def _row(one: Notice) -> Row:
    return [moment(one.at), Cell(one.says, _place(one)), str(one.kind.label), one.about]


COLUMNS: Final = heads("When", "What", "Kind", "About")


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
    rows: list[Row] = []
    for hook in access.organisation.hooks.all():
        works = hook.ended_at is None
        state = Cell("works" if works else "ended", chip="met" if works else "plain")
        end = reverse("hook_end", args=(access.organisation.handle, hook.pk))
        kinds = "; ".join(str(NewsKind(kind).label) for kind in hook.kinds)
        rows.append([hook.address, kinds, state, last_answer(hook), Cell("End it", form=end) if works else Cell("")])
    columns = heads("Address", "Events", "State", "Last answer", "")
    return Table("webhooks", columns, rows, empty="No webhook yet. A program needs one to be told at once.")


hooks = page_that_makes(HookForm, make_hook, "pages/hooks.html", "hooks", _hooks)
hook_end = button_that_ends(hook_numbered, end_hook, "Nothing goes there any more.", "hooks")


# The devices on which somebody is signed in, and signing them out.

_OTHERS = "others"


@login_required
@require_http_methods(["GET", "POST"])
def account_sessions(request: PersonRequest) -> HttpResponseBase:
    """List where the person is signed in; POST signs one device out, or all others.

    Raises:
        Http404: the person has no such session.
    """
    person, key = signed_in(request.user), request.session.session_key
    if request.method == "GET":
        return render(request, "pages/sessions.html", {"sessions": sessions_of(person, key)})
    actor, asked = Actor(person, "web"), request.POST.get("end", "")
    if asked == _OTHERS:
        count = end_other_sessions(person, key, actor=actor)
        messages.success(request, f"{count} other device{'' if count == 1 else 's'} signed out.")
    else:
        number = number_in(asked)
        try:
            device = end_session(person, -1 if number is None else number, actor=actor)
        except MissingError as gone:
            raise Http404 from gone
        messages.success(request, f"{device} is signed out.")
    return redirect("account_sessions")


# The server's transparency log as an organisation sees it: its size, its head, and proofs of its own documents.

_TRANSPARENCY_COLUMNS: Final = heads(numeric("Place"), "Document", "About", "Since", "Proof")


@require_GET
@of_organisation("read", areas=tuple(Area))
def transparency(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show size and head of the log, and which documents of the organisation stand in it, newest first."""
    state = service.state()
    page = Paginator(service.leaves_of(access.organisation), rows_wanted(request)).get_page(request.GET.get("page"))
    rows = [_transparency_row(access, leaf, state.signed) for leaf in page.object_list]
    table = Table("transparency log", _TRANSPARENCY_COLUMNS, rows, empty="No document of yours stands in the log yet.")
    context = {"page": page, "state": state}
    return page_with_tables(request, "pages/transparency.html", {"documents": table}, context)


def _transparency_row(access: Access, leaf: service.Leaf, signed: int) -> Row:
    href = reverse("transparency_proof", args=(access.organisation.handle, leaf.mark))
    proof = Cell("Download the proof", href=href) if leaf.number < signed else Cell("with the next signed head")
    about = Cell(leaf.about, note=leaf.mark[:12], saved=f"{leaf.about} {leaf.mark}")
    return [str(leaf.number), leaf.kind, about, moment(leaf.at), proof]


@require_GET
@of_organisation("read", areas=tuple(Area))
def transparency_head(request: PersonRequest, access: Access) -> HttpResponse:
    """Hand the newest signed head over.

    Raises:
        Http404: none was signed yet.
    """
    try:
        return download(canonical_json(service.signed_head()), JSON, "log-head.json")
    except (ProblemsError, MissingError):
        raise Http404 from None


@require_GET
@of_organisation("read", areas=tuple(Area))
def transparency_proof(request: PersonRequest, access: Access, mark: str) -> HttpResponse:
    """Hand the proof of a document over, to lie beside it.

    Raises:
        Http404: the organisation has no such document in the log, or no signed head covers it yet.
    """
    try:
        leaf = owned(access.organisation, service.Leaf, mark=mark)
        return download(
            canonical_json(service.proof(mark)), JSON, f"{leaf.kind}-{leaf.number}.json{LOG_PROOF}".replace(" ", "-")
        )
    except (ProblemsError, MissingError):
        raise Http404 from None
