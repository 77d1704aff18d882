"""The server's transparency log as an organisation sees it: its size, its head, and proofs of its own documents."""

from typing import Final

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_GET

from provender.audit.package.layout import LOG_PROOF
from provender.database.choices import Area
from provender.problem import ProblemsError
from provender.services import transparency as service
from provender.services.refused import MissingError
from provender.signing.canonical import canonical_json
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.download import JSON, download
from provender.web.tables import Cell, Column, Table, moment, page_with_tables, rows_wanted

COLUMNS: Final = (
    Column("Place", number=True),
    Column("Document"),
    Column("About"),
    Column("Since"),
    Column("Proof"),
)


@require_GET
@of_organisation("read", areas=tuple(Area))
def transparency(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show size and head of the log, and which documents of the organisation stand in it, newest first."""
    state = service.state()
    page = Paginator(service.leaves_of(access.organisation), rows_wanted(request)).get_page(request.GET.get("page"))
    rows = [_row(access, leaf, state.signed) for leaf in page.object_list]
    table = Table("transparency log", COLUMNS, rows, empty="No document of yours stands in the log yet.")
    context = {"page": page, "state": state}
    return page_with_tables(request, "pages/transparency.html", {"documents": table}, context)


def _row(access: Access, leaf: service.Leaf, signed: int) -> list[Cell]:
    href = reverse("transparency_proof", args=(access.organisation.handle, leaf.mark))
    proof = Cell("Download the proof", href=href) if leaf.number < signed else Cell("with the next signed head")
    about = Cell(leaf.about, note=leaf.mark[:12], saved=f"{leaf.about} {leaf.mark}")
    return [Cell(str(leaf.number)), Cell(leaf.kind), about, Cell(moment(leaf.at)), proof]


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
        leaf = service.leaf_of(access.organisation, mark)
        return download(
            canonical_json(service.proof(mark)), JSON, f"{leaf.kind}-{leaf.number}.json{LOG_PROOF}".replace(" ", "-")
        )
    except (ProblemsError, MissingError):
        raise Http404 from None
