"""The fewest lots that give a mean carbon intensity, with what the policy would take beside them."""

from typing import Final

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from provender.custody.model.amounts import FORMS
from provender.paper.table import table_of
from provender.problem import ProblemsError
from provender.quantity import CI_SCALE, parse, show
from provender.services.custody.choosing import ChosenLotView, MeanChoiceView, by_mean, sale_of
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.takable_forms import forms_of_stock
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.lines import serials_line
from provender.web.custody.pages.context import at, at_desk
from provender.web.tables import page_with_tables

UNREAD: Final = 422
LONGEST: Final = 3_500
"""Signs of an address that every server on the way takes; a longer choice is copied by hand."""


@require_GET
@at_desk()
def custody_choice(request: PersonRequest, desk: CustodyContext) -> HttpResponse:
    """Choose lots by mean; nothing is entered."""
    asked = {name: request.GET.get(name, "") for name in ("form", "amount", "mean", "mean_from")}
    found, problem = None, ""
    try:
        found = _found(desk, asked) if asked["mean"] else None
    except ProblemsError as refused:
        problem = f"{refused.problems[0].cause} {refused.problems[0].remedy}"
    except ValueError as wrong:
        problem = f"{wrong}."
    lots = table_of(ChosenLotView, found.lots if found else (), name="lots", caption="Name these in the sale")
    by_policy = found.policy_mean_ci_g_per_bu if found else None
    context = {
        "asked": asked, "found": found, "problem": problem, "forms": _forms(desk),
        "mean": show(found.mean_ci_g_per_bu, CI_SCALE, group=True) if found else "",
        "policy_mean": "" if by_policy is None else show(by_policy, CI_SCALE, group=True),
        "sale": _sale(desk, found) if found and desk.may_write else "",
    }  # fmt: skip
    return page_with_tables(request, "custody/choice.html", {"lots": lots}, context, status=UNREAD if problem else 200)


def _sale(desk: CustodyContext, found: MeanChoiceView) -> str:
    """Return the address of a sale that names these lots; empty where it would be too long."""
    crop = FORMS[found.form].crop
    sites = {one.site for one in found.lots}
    known = {"site": next(iter(sites))} if len(sites) == 1 else {}
    product = {"form": found.form} if found.form != crop else {}
    to = at(
        desk,
        "custody_enter",
        "sale",
        crop=crop,
        lots="\n".join(serials_line(one, one.pounds) for one in found.lots),
        **product,
        **known,
    )
    return to if len(to) <= LONGEST else ""


def _forms(desk: CustodyContext) -> list[tuple[str, str]]:
    """Return the crops in stock with the products of each; all of them where nothing lies there."""
    return [(form, f"{words(form)}, {unit}") for form, unit in forms_of_stock(desk)]


def _found(desk: CustodyContext, asked: dict[str, str]) -> MeanChoiceView:
    sale = sale_of(desk.id, asked["form"], parse(asked["amount"]), desk.today)
    with READER.reading() as facts:
        return by_mean(facts, sale, parse(asked["mean"], CI_SCALE), parse(asked["mean_from"] or "0", CI_SCALE))
