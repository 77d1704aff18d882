"""What is left to do before each report can be signed, on one page: each thing opens its row and comes back here."""

from collections.abc import Callable
from datetime import date
from functools import cache, partial
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from provender.services.farm.book import FarmBook, farm_book_of
from provender.services.farm.growing_asks import growing_asked
from provender.services.farm.sown import sowing_questions_left
from provender.services.reports.drafts import ReportDraft, crop_label, draft_at_hand, harvests_of
from provender.services.reports.reopened import MOST
from provender.services.reports.things import ROW, ROWS, UPLOAD, Mark, Thing, Things
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.farm.at_field import at_field
from provender.web.farm.growing_list import growing_list
from provender.web.farm.sowing_list import sowing_list
from provender.web.organisation.next_steps import StepLink, address, steps_of

CHIPS: Final = {Mark.MISSING: "not-shown", Mark.CONTRADICTED: "not-met", Mark.WAITING: "waiting"}
ICONS: Final = {Mark.MISSING: "question", Mark.CONTRADICTED: "cross", Mark.WAITING: "dots"}


@require_GET
@of_organisation("read")
def farm_todo(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the things that keep reports from being signed, report by report, the shortest list first.

    Beside them stands whatever else the farm's overview asks for, in its words: a signature that only waits for its
    signer at its report, an amendment too; what earns nothing yet, and what is sold next, by itself.
    """
    farm = farm_book_of(access.organisation)
    drafts = [draft_at_hand(farm, crop, year) for crop, year in harvests_of(farm)]
    unsigned = [todo_of(access, one) for one in drafts if one.is_news]
    growing = growing_asked(farm)
    steps = steps_of(access, growing.needs)
    signing = {step.about: step for step in steps if step.page == "farm_report"}
    for one in unsigned:
        one["step"] = signing.get((one["draft"].crop, one["draft"].harvest_year))
    listed = {"farm_todo", "farm_report", "farm_key"} if unsigned else {"farm_todo"}
    where = partial(_where, access)
    context = {
        "growing": growing_list(farm, growing, where),
        "sowing": _sowing(farm, drafts, where),
        "lists": sorted(unsigned, key=lambda one: len(one["things"])),
        "blocked": any(one["blocked"] for one in unsigned),
        "all": drafts,
        "more": [StepLink(address(access, one), one.words, one.why) for one in steps if one.page not in listed],
    }
    return render(request, "farm/todo.html", context)


def _sowing(farm: FarmBook, drafts: list[ReportDraft], where: Callable[..., str]) -> list[dict[str, Any]]:
    """Return what is asked of what was sown and its passes; nobody is asked about what is signed and stands."""
    settled = {(one.crop, one.harvest_year) for one in drafts if not one.is_news}
    return sowing_list(sowing_questions_left(farm, settled), partial(where, ROW), where("farm_todo"))


def _where(access: Access, page: str, *about: object) -> str:
    return reverse(page, args=(access.organisation.handle, *about))


def todo_of(access: Access, draft: ReportDraft) -> dict[str, Any]:
    """Return the list of one report as the page shows it, with where each thing is done."""
    things = Things(draft, signs=access.may_sign)
    left, done = things.left(), things.done()
    name = f"{crop_label(draft.crop).lower()} {draft.harvest_year}"
    anchor = f"{draft.crop}-{draft.harvest_year}"
    # Tens of things lie behind a few addresses, and each takes Django long to put together.
    where = cache(lambda page, *about: reverse(page, args=(access.organisation.handle, *about)))
    back = where("farm_todo")  # at its head, where it says what was saved
    return {
        "draft": draft,
        "name": name,
        "anchor": anchor,
        "things": [(one, address_of(draft, one, back, where), CHIPS[one.mark], ICONS[one.mark]) for one in left],
        "blocked": things.blocks(),
        "done": done,
        "whole": done + len(left),
        "reopened": reopened_with_links(draft, where, back),
        "reopened_more": max(0, len(draft.reopened_by) - MOST),
        "report": where("farm_report", draft.crop, draft.harvest_year),
    }


def reopened_with_links(draft: ReportDraft, where: Callable[..., str], back: str) -> list[tuple[str, str, date]]:
    """Return each row that made a signed report out of date: what became of it, its page, which leads back, the day."""
    rows = draft.reopened_by[:MOST]
    return [(one.words, f"{where(ROW, one.kind)}?{urlencode({'row': one.key, 'next': back})}", one.day) for one in rows]


def address_of(draft: ReportDraft, thing: Thing, back: str, where: Callable[..., str]) -> str:
    """Return where a thing is done; a row's form returns to the list once it is saved."""
    if thing.page == ROW:
        asked = {"row": thing.row} if thing.row else dict(thing.given)
        return f"{where(ROW, thing.kind)}?{urlencode({**asked, 'next': back})}{at_field(thing.kind, thing.column)}"
    if thing.page == ROWS:
        return where(ROWS, thing.kind)
    if thing.page == UPLOAD:
        asked = {"by": "file", "kind": thing.kind, "row": thing.row, "next": back}
        return f"{where(UPLOAD)}?{urlencode(asked)}"
    if thing.page == "farm_crop":
        return f"{where('farm_crop')}?{urlencode({'crop': thing.row})}#{thing.kind}"
    about = (draft.crop, draft.harvest_year) if thing.page == "farm_report" else ()
    return where(thing.page, *about)
