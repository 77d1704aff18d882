"""Sales of a farm on pages: where every bushel of a report went, what is left, and the slip that sells by serials."""

import json
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from provender.custody.documents import SLIP
from provender.custody.documents_paper import document_pdf
from provender.custody.documents_sign import TYPS
from provender.database.deeds.keys import key_named
from provender.database.deeds.slips import Left, Offer, do_draft_slip, do_sign_slip, left_of
from provender.database.models import Organisation, SignedSlip, SupplyContract
from provender.problem import Problem, ProblemsError, refuse
from provender.quantity import parse, show
from provender.records import KINDS
from provender.records.cells import CellError, read_cell
from provender.report.pdf import signed_json
from provender.signing.canonical import canonical_json
from provender.signing.hashes import sha256_hex
from provender.signing.jws import check
from provender.signing.keys import PublicKey
from provender.web.access import Access, PersonRequest, access_owned, of_organisation
from provender.web.pages.farm_kept import today
from provender.web.pages.farm_records import FarmBook, farm_book
from provender.web.pages.farm_report_drafts import Standing, crop_label, on_file, standings_of
from provender.web.pages.farm_report_json import answered, asked, text_of
from provender.web.tables import Cell, Column, Table, page_with_tables

SALE: Final = KINDS["sale"]
COLUMNS: Final = (
    Column("Crop"),
    Column("Harvest year", number=True),
    Column("Harvested, bu", number=True),
    Column("Gone, bu", number=True),
    Column("Left, bu", number=True),
    Column("Serials free, bu", number=True),
    Column("Serials"),
)
NO_SALE: Final = (
    "No sale or other use is recorded yet. A signed slip records its sale by itself; add what was fed, kept for seed "
    "or sold without a slip."
)
NO_SLIP: Final = "No sale slip is signed yet. Sign the report first, then sell its bushels by slips."
SALES: Final = (
    Column("Day"),
    Column("Crop"),
    Column("Bushels", number=True),
    Column("Disposition"),
    Column("Buyer"),
    Column("Contract"),
    Column("Row"),
)
SLIPS: Final = (
    Column("Slip"),
    Column("Day"),
    Column("Buyer"),
    Column("Bushels", number=True),
    Column("Serials"),
    Column("PDF", page_only=True),
    Column("JSON", page_only=True),
)


@require_GET
@of_organisation("read")
def farm_sales(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show what is left of every report's bushels, every sale, the signed slips, and the form that signs one."""
    farm = farm_book(access)
    drafts = standings_of(farm)
    left = {(one.crop, one.harvest_year): left_of(access.organisation, one.crop, one.harvest_year) for one in drafts}
    sellable = [one for one in drafts if (found := left[one.crop, one.harvest_year]) and found.free > 0]
    key = key_named(access.organisation, on_file(farm, sellable[0].producer_id)) if sellable else None
    mine = key is not None and key.holder_id == access.person.pk and bool(key.sealed)
    tables = {"left": _left(farm, drafts, left), "sales": _sales(access, farm), "slips": _slips(access)}
    context = {
        "sellable": [(f"{one.crop} {one.harvest_year}", crop_label(one.crop), one.harvest_year) for one in sellable],
        "may_sign": access.may_sign,
        "key": key if mine else None,
        "jwk": PublicKey.from_jwk(key.public).jwk if key and mine else None,
        "typ": TYPS[SLIP],
        "buyers": _buyers(access),
        "today": today().isoformat(),
    }
    return page_with_tables(request, "farm/sales.html", tables, context)


def _buyers(access: Access) -> list[Organisation]:
    """Return the buyers with whom the farm has a contract."""
    contracts = SupplyContract.objects.filter(seller=access.organisation).select_related("buyer")
    return list({one.buyer.pk: one.buyer for one in contracts}.values())


def _gone(farm: FarmBook, crop: str, year: int) -> int | None:
    """Add up the bushels that went somewhere, thousandths; None where one row's bushels cannot be read."""
    rows = [row for row in farm.of(SALE).values() if (row.get("crop"), row.get("harvest_year")) == (crop, str(year))]
    try:
        return sum(parse(str(row.get("bushels") or "")) for row in rows if row.get("disposition") != "in_storage")
    except ValueError:
        return None


def _left(farm: FarmBook, drafts: list[Standing], left: dict[tuple[str, int], Left | None]) -> Table:
    rows = []
    for one in drafts:
        whole, gone = one.total_bushels, _gone(farm, one.crop, one.harvest_year)
        serials = left[one.crop, one.harvest_year]
        rest = None if whole is None or gone is None else parse(whole) - gone
        rows.append(
            [
                Cell(crop_label(one.crop)),
                Cell(str(one.harvest_year)),
                Cell("not recorded" if whole is None else show(parse(whole), group=True)),
                Cell("not readable" if gone is None else show(gone, group=True), note=_unrecorded(gone, serials)),
                Cell("not known" if rest is None else show(rest, group=True), note=_over(rest)),
                Cell("" if serials is None else show(serials.free, group=True)),
                Cell("none: sign the report first" if serials is None else _serials(serials)),
            ]
        )
    empty = "Nothing harvested yet that a report could cover."
    return Table("bushels left", COLUMNS, rows, empty=empty, caption="Bushels left")


def _unrecorded(gone: int | None, left: Left | None) -> str:
    """Say when buyers hold more by the serials than the sale records say has gone."""
    sold = left.issued - left.held if left else 0
    return "" if gone is None or sold <= gone else f"sale records lack {show(sold - gone, group=True)} bu with buyers"


def _over(rest: int | None) -> str:
    return "more went away than was harvested" if rest is not None and rest < 0 else ""


def _serials(left: Left) -> str:
    sold = left.issued - left.held
    return f"{show(sold, group=True)} with buyers, {show(left.assigned, group=True)} on open slips"


def _sales(access: Access, farm: FarmBook) -> Table:
    where = reverse("farm_row", args=(access.organisation.handle, SALE.name))
    rows = [
        [
            Cell(str(row.get("day") or "")),
            Cell(f"{row.get('crop') or ''} {row.get('harvest_year') or ''}".strip()),
            Cell(str(row.get("bushels") or "")),
            Cell(str(row.get("disposition") or "").replace("_", " ")),
            Cell(str(row.get("buyer") or "")),
            Cell(str(row.get("contract") or "")),
            Cell(key, f"{where}?{urlencode({'row': key})}"),
        ]
        for key, row in farm.of(SALE).items()
    ]
    return Table("sales", SALES, rows, empty=NO_SALE, caption="Sales and dispositions")


def _slips(access: Access) -> Table:
    rows = []
    for one in SignedSlip.objects.filter(organisation=access.organisation):
        said = json.loads(one.document)
        files = [
            Cell(form.upper(), reverse("farm_slip_file", args=(access.organisation.handle, one.handle, form)))
            for form in ("pdf", "json")
        ]
        spans = "; ".join(f"{span['start']} to {span['stop']}" for span in said["spans"])
        rows.append(
            [
                Cell(one.number),
                Cell(said["day"]),
                Cell(said["buyer"]["name"]),
                Cell(show(parse(said["bushels"]), group=True)),
                Cell(spans),
                *files,
            ]
        )
    return Table("slips", SLIPS, rows, empty=NO_SLIP, caption="Signed sale slips")


@require_POST
@of_organisation("write")
def farm_slip_sign(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Give the page the slip to sign, and then take its signature.

    Raises:
        PermissionDenied: a consultant asks: only the farm producer signs.
    """
    if not access.may_sign:
        raise PermissionDenied
    farm = farm_book(access)
    return answered(lambda: _sign(request, access, farm))


def _sign(request: PersonRequest, access: Access, farm: FarmBook) -> dict[str, Any]:
    found = asked(request)
    fields = found.get("fields")
    offer, draft = _offer(fields if isinstance(fields, dict) else {}, farm)
    fingerprint = on_file(farm, draft.producer_id)
    if not fingerprint:
        raise refuse("key", "The producer's record names no signing key.", "Register the key first.")
    signature = text_of(found, "signature")
    if not signature:
        document = do_draft_slip(farm.book, offer, actor=access.actor)
        text = canonical_json(document)
        return {"document": text.decode(), "sha256": sha256_hex(text)}
    made = do_sign_slip(
        farm.book,
        offer,
        signature,
        document_hash=text_of(found, "sha256"),
        fingerprint_on_file=fingerprint,
        actor=access.actor,
    )
    messages.success(request, f"Slip {made.number} is signed: its serials are assigned to {offer.buyer}.")
    return {"location": reverse("farm_sales", args=(access.organisation.handle,)), "number": made.number}


def _offer(fields: dict[str, Any], farm: FarmBook) -> tuple[Offer, Standing]:
    """Read the form of a slip.

    Raises:
        ProblemsError: every field that cannot be used.
    """
    crop, _, year = text_of(fields, "report").partition(" ")
    draft = next((one for one in standings_of(farm) if (one.crop, str(one.harvest_year)) == (crop, year)), None)
    code = text_of(fields, "buyer").strip().lower()
    buyer = Organisation.objects.filter(handle=code).first()
    problems: list[Problem] = []
    if draft is None:
        problems += refuse("report", "No such report.", "Choose the crop again.").problems
    if buyer is None:
        problems += refuse("buyer", "No organisation has this code.", "Ask the buyer for theirs.").problems
    values: dict[str, Any] = {}
    for name in ("bushels", "day"):
        try:
            values[name] = read_cell(text_of(fields, name), SALE.fields[name])
        except CellError as wrong:
            problems += refuse(name, f"{wrong.cause}.", wrong.remedy).problems
        else:
            if values[name] is None:
                problems += refuse(name, f"{SALE.fields[name].label}: nothing is written.", "Fill it in.").problems
    if problems or draft is None or buyer is None:
        raise ProblemsError(problems)
    contract = text_of(fields, "contract").strip()
    return Offer(crop, draft.harvest_year, buyer, values["bushels"], values["day"], contract), draft


@require_GET
@of_organisation("read")
def farm_slip_file(request: PersonRequest, access: Access, slip: str, form: str) -> HttpResponseBase:
    """Send a signed slip as PDF or signed JSON.

    Raises:
        Http404: there is no such slip or form.
    """
    if form not in ("pdf", "json"):
        raise Http404
    one = access_owned(access, SignedSlip, handle=slip)
    document = json.loads(one.document)
    envelope: dict[str, object] = {"document": document, "signature": one.signature}
    if form == "json":
        content, media = signed_json(envelope), "application/json"
    else:
        kid = check(envelope, {}, typ=TYPS[SLIP]).kid
        content, media = document_pdf(document, envelope=envelope, fingerprint=kid), "application/pdf"
    response = HttpResponse(content, content_type=media)
    response.headers["Content-Disposition"] = f'attachment; filename="{one.number}.{form}"'
    return response
