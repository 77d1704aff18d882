"""Sales of a farm on pages: where every bushel of a report went, what is left, and the slip that sells by serials."""

import json
from collections.abc import Iterator
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from provender.custody.documents.build import SLIP
from provender.custody.documents.receive import TYPS
from provender.database.actor import today
from provender.exact import parse, show
from provender.paper.tables import Cell, Column, Table, heads, numeric
from provender.report.print import signed_json
from provender.rule.crops import Crop
from provender.services.accounts.access import Access
from provender.services.custody.context import party_names
from provender.services.custody.entry import OriginRemaining
from provender.services.farm.book import FarmBook, farm_book_of
from provender.services.farm.keys import key_held_by
from provender.services.reports import signing
from provender.services.reports.drafts import crop_label
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.keys import PublicKey
from provender.web.access import PersonRequest, of_organisation
from provender.web.farm.lists import form_address
from provender.web.signing_pages import answered, asked, text_of
from provender.web.tables import JSON, PDF, download, page_with_tables

COLUMNS: Final = heads(
    "Crop",
    numeric("Harvest year"),
    numeric("Harvested, bu"),
    numeric("Gone, bu"),
    numeric("Left, bu"),
    numeric("Serials free, bu"),
    "Serials",
)
_NO_RECORD: Final = (
    "No row of the record book names a sale or another use yet. The signed slips above count without one; add what was "
    "fed, kept for seed or sold without a slip."
)
NO_SALE: Final = (
    "No sale or other use is recorded yet. A signed slip records its sale by itself; add what was fed, kept for seed "
    "or sold without a slip."
)
_NO_SLIP: Final = "No sale slip is signed yet. Sign the report first, then sell its bushels by slips."
_SALES: Final = heads("Day", "Crop", numeric("Bushels"), "Disposition", "Buyer", "Contract", "Row")
_NOBODY: Final = "Nothing is sold as reduced-CI crop yet; each buyer gets the signed report."
_NOBODY_RECORDED: Final = (
    "The sale records name no buyer of reduced-CI crop yet, so no delivery can be noted here. Give the signed report "
    "to each buyer on the slips below; once a sale record names the buyer, the day of delivery is noted here."
)
_GIVEN: Final = (
    Column("Buyer"),
    Column("Crop"),
    Column("Sold"),
    Column("Report given"),
    Column("How"),
    Column("Record", page_only=True),
)
_SLIPS: Final = (
    Column("Slip"),
    Column("Day"),
    Column("Crop"),
    Column("Buyer"),
    Column("Contract"),
    Column("Bushels", number=True),
    Column("Serials"),
    Column("PDF", page_only=True),
    Column("JSON", page_only=True),
)


@require_GET
@of_organisation("read")
def farm_sales(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show what is left of every report's bushels, every sale, the signed slips, and the form that signs one."""
    farm = farm_book_of(access.organisation)
    left = signing.bushels_left(farm)
    sellable = [one.standing for one in left if one.serials is not None and one.serials.free > 0]
    key = key_held_by(access.person, farm, (each.producer_id for each in sellable[:1]))
    slips = _slips(access, farm)
    tables = {
        "left": _bushels_left_table(left),
        "sales": _sales(farm, _NO_RECORD if slips.rows else NO_SALE),
        "given": _given(access, farm, _NOBODY_RECORDED if slips.rows else _NOBODY),
        "slips": slips,
    }
    context = {
        "sellable": [(f"{one.crop} {one.harvest_year}", crop_label(one.crop), one.harvest_year) for one in sellable],
        "shares": list(_shares(left)),
        "may_sign": access.may_sign,
        "key": key,
        "jwk": PublicKey.from_jwk(key.public).jwk if key else None,
        "typ": TYPS[SLIP],
        "buyers": signing.buyers_of(access.organisation),
        "today": today().isoformat(),
    }
    return page_with_tables(request, "farm/sales.html", tables, context)


def _bushels_left_table(found: list[signing.BushelsLeft]) -> Table:
    rows = [
        [
            Cell(crop_label(one.standing.crop)),
            Cell(str(one.standing.harvest_year)),
            Cell("not recorded" if one.harvested is None else show(one.harvested, group=True)),
            Cell("not readable" if one.gone is None else show(one.gone, group=True), note=_unrecorded(one)),
            Cell("not known" if one.left is None else show(one.left, group=True), note=_over(one.rest)),
            Cell("" if one.serials is None else show(one.serials.free, group=True)),
            Cell("none: sign the report first" if one.serials is None else _serials(one.serials)),
        ]
        for one in found
    ]
    empty = "Nothing harvested yet that a report could cover."
    return Table("bushels left", COLUMNS, rows, empty=empty, caption="Bushels left")


def _unrecorded(one: signing.BushelsLeft) -> str:
    """Say how much of what has gone stands in no sale record: on slips signed elsewhere, or with a landowner."""
    more = one.without_record
    return f"{show(more, group=True)} bu of it by slip or share, without a sale record" if more else ""


def _over(rest: int | None) -> str:
    return f"{show(-rest, group=True)} bu more went away than were harvested" if rest is not None and rest < 0 else ""


def _serials(left: OriginRemaining) -> str:
    bought, opened = (show(each, group=True) for each in (left.sold - left.assigned, left.assigned))
    if left.shared:
        return f"{bought} with buyers, {opened} on open slips, {show(left.shared, group=True)} with landowners"
    return f"{bought} with buyers, {opened} on open slips"


def _shares(found: list[signing.BushelsLeft]) -> Iterator[str]:
    """Say what landowners got: it is gone from the report's bushels, and stands in none of the farm's slips."""
    shares = [(one.standing, one.serials.shares) for one in found if one.serials is not None]
    names = party_names(owner for _, each in shares for owner in each)
    for report, each in shares:
        for owner, bushels in each.items():
            crop = f"{crop_label(report.crop).lower()} {report.harvest_year}"
            yield (
                f"{show(bushels, group=True)} bu of {crop} went to {names[owner]} as the landowner's share. "
                "The landowner sells it by slips of its own, which are not among yours below."
            )


def _sales(farm: FarmBook, empty: str) -> Table:
    rows = [
        [
            Cell(str(row.get("day") or "")),
            Cell(f"{_crop(str(row.get('crop') or ''))} {row.get('harvest_year') or ''}".strip()),
            Cell(str(row.get("bushels") or "")),
            Cell(str(row.get("disposition") or "").replace("_", " ")),
            Cell(str(row.get("buyer") or "")),
            Cell(str(row.get("contract") or "")),
            Cell(key, form_address(farm.farm_id, signing.SALE.name, {"row": key})),
        ]
        for key, row in farm.of(signing.SALE).items()
    ]
    return Table("sales", _SALES, rows, empty=empty, caption="Sales and dispositions", sorts=True)


def _crop(written: str) -> str:
    """Return a crop by its name, or what else a row has in its place."""
    return crop_label(written) if written in set(Crop) else written


def _given(access: Access, farm: FarmBook, empty: str) -> Table:
    here = reverse("farm_sales", args=(access.organisation.handle,))
    rows = []
    for one in signing.deliveries_of(farm):
        asked = {"sale_id": one.sale}
        ask = form_address(farm.farm_id, "report_delivery", asked, here) if access.may_write else ""
        days = (str(day or "not recorded") for day in (one.sold_on, one.given_on))
        said = one.buyer, f"{_crop(one.crop)} {one.harvest_year}", *days, (one.how or "").replace("_", " ")
        waits = ask and one.given_on is None
        rows.append([*map(Cell, said), Cell("Record the delivery", ask) if waits else Cell("")])
    return Table("reports to buyers", _GIVEN, rows, empty=empty, caption="Reports given to buyers")


def _slips(access: Access, farm: FarmBook) -> Table:
    """Return the signed slips; the contract of each stands in the sale record that signing wrote."""
    rows, recorded = [], farm.of(signing.SALE)
    for one in signing.slips_of(access.organisation):
        said = json.loads(one.document)
        files = [
            Cell(form.upper(), reverse("farm_slip_file", args=(access.organisation.handle, one.handle, form)))
            for form in ("pdf", "json")
        ]
        ends = [[show(parse(span[end]), group=True) for end in ("start", "stop")] for span in said["spans"]]
        spans = "; ".join("\N{EN DASH}".join(each) for each in ends)
        rows.append(
            [
                Cell(one.number),
                Cell(said["day"]),
                Cell(f"{_crop(said['crop'])} {said['harvest_year']}"),
                Cell(said["buyer"]["name"]),
                Cell(str(recorded.get(one.number, {}).get("contract") or "")),
                Cell(show(parse(said["bushels"]), group=True)),
                Cell(spans),
                *files,
            ]
        )
    return Table("slips", _SLIPS, rows, empty=_NO_SLIP, caption="Signed sale slips")


@require_POST
@of_organisation("write")
def farm_slip_sign(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Give the page the slip to sign, and then take its signature.

    Raises:
        PermissionDenied: a consultant asks: only the farm producer signs.
    """
    if not access.may_sign:
        raise PermissionDenied
    farm = farm_book_of(access.organisation)
    return answered(lambda: _sign(request, access, farm))


def _sign(request: PersonRequest, access: Access, farm: FarmBook) -> dict[str, Any]:
    found = asked(request)
    told = _slip_fields(found.get("fields"))
    signature = text_of(found, "signature")
    if not signature:
        text = canonical_json(signing.draft_slip(farm, told, actor=access.actor))
        return {"document": text.decode(), "sha256": sha256_hex(text)}
    made, buyer = signing.sign_slip(farm, told, signature, text_of(found, "sha256"), actor=access.actor)
    messages.success(request, f"Slip {made.number} is signed: its serials are assigned to {buyer}.")
    return {"location": reverse("farm_sales", args=(access.organisation.handle,)), "number": made.number}


def _slip_fields(fields: object) -> dict[str, str]:
    """Return what the form of a slip says; its report is a crop and a year."""
    given: dict[str, Any] = fields if isinstance(fields, dict) else {}
    crop, _, year = text_of(given, "report").partition(" ")
    more = {name: text_of(given, name) for name in ("buyer", "bushels", "day", "contract")}
    return {"crop": crop, "harvest_year": year, **more}


@require_GET
@of_organisation("read")
def farm_slip_file(request: PersonRequest, access: Access, slip: str, form: str) -> HttpResponseBase:
    """Send a signed slip as PDF or signed JSON.

    Raises:
        Http404: there is no such slip or form.
    """
    if form not in ("pdf", "json"):
        raise Http404
    one = signing.slip_named(access.organisation, slip)
    content, media = (signed_json(signing.envelope_of(one)), JSON) if form == "json" else (signing.slip_pdf(one), PDF)
    return download(content, media, f"{one.number}.{form}")
