"""Evidence: a photograph taken in the field or any document, kept under its hash and named in a record."""

from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.database.actor import today
from provender.database.choices import Area
from provender.formats.adapt_out import packed
from provender.paper.tables import Cell, Column, Table, heads
from provender.records.kind import KINDS
from provender.services.accounts.access import Access
from provender.services.farm.book import FarmBook, called, farm_book_of, kind_named
from provender.services.farm.boundaries import exchange_of, left_first
from provender.services.farm.files import store_upload
from provender.services.farm.keys import fingerprints_in_force, key_held_by, keys_of, register_key, signing_producers
from provender.services.imports.evidence import KIND, EvidenceDetails, EvidenceTaken, evidence_of, store_evidence
from provender.signing.keys import PublicKey
from provender.web.access import PersonRequest, of_organisation
from provender.web.farm.forms import unsaid
from provender.web.farm.lists import form_address
from provender.web.inputs import TypedText, attempt, back_to
from provender.web.signing_pages import answered, asked, text_of
from provender.web.tables import ZIP, cause_said, download, moment, page_with_tables, place_said

PHOTO: Final = "photograph"


class EvidenceForm(forms.Form):
    """What is handed in, what it is and where it belongs."""

    file = forms.FileField(
        label="Photograph or document",
        widget=forms.FileInput(attrs={"class": "files"}),
        help_text="JPEG or HEIC photographs show their place and time; other files are kept as they are.",
    )
    what = forms.ChoiceField(label="What it is")
    unit_id = forms.ChoiceField(label="Management unit", required=False)
    taken_on = forms.DateField(
        label="Day", required=False, widget=forms.DateInput(attrs={"type": "date"}), help_text="Photographs say it."
    )
    note = TypedText(label="Note", max_length=500, required=False)

    def __init__(self, farm: FarmBook, *, camera: bool, **options: Any) -> None:  # noqa: ANN401 - as Django declares it
        super().__init__(**options)
        words = [(word, word.replace("_", " ").capitalize()) for word in KIND.fields["what"].options]
        units = [(unit, unit) for unit in farm.of(KINDS["unit"])]
        self.fields["what"] = forms.ChoiceField(label="What it is", choices=words)
        self.fields["unit_id"] = forms.ChoiceField(label="Management unit", required=False, choices=[*unsaid(), *units])
        if camera:
            self.fields["file"].widget.attrs |= {"accept": "image/*", "capture": "environment"}


@require_http_methods(["GET", "POST"])
@of_organisation("read", areas=(Area.RECORDS,))
def farm_evidence(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List evidence; POST takes a photograph or document in, for a record where the address names one.

    Raises:
        Http404: the address names a record that is not in the book.
    """
    farm, asked = farm_book_of(access.organisation), request.GET
    record = _record(farm, asked.get("kind", ""), asked.get("row", ""))
    camera = asked.get("by") != "file"
    initial = {"what": PHOTO if camera else None, "unit_id": asked.get("unit_id", "") or record.get("unit_id", "")}
    form = EvidenceForm(farm, camera=camera, initial=initial, data=request.POST or None, files=request.FILES or None)
    if request.method == "POST" and form.is_valid():
        taken = attempt(form, lambda: _take_in(access, farm, form, asked.dict()))
        if taken is not None and taken.import_code:
            return redirect("farm_import", access.organisation.handle, taken.import_code)
        if taken is not None:
            messages.success(request, f"{taken.name} is kept as evidence.")
            return redirect(back_to(request) or reverse("farm_evidence", args=(access.organisation.handle,)))
    query = urlencode({name: asked[name] for name in ("kind", "row", "unit_id") if asked.get(name)})
    context = {"form": form, "camera": camera, "record": record, "query": query}
    tables = {"evidence": _list(access, farm)}
    return page_with_tables(request, "farm/evidence.html", tables, context)


def _record(farm: FarmBook, kind: str, row: str) -> dict[str, str]:
    """Return the record that evidence is for, as texts with what it is called; empty where none is named."""
    if not kind:
        return {}
    found = kind_named(kind)
    texts = farm.texts(found, row)
    if texts is None:
        raise Http404
    return {**texts, "called": f"{found.label}: {called(found, row)}"}


def _take_in(access: Access, farm: FarmBook, form: EvidenceForm, asked: dict[str, str]) -> EvidenceTaken:
    given = form.cleaned_data
    details = EvidenceDetails(
        given["what"], given["unit_id"], given["taken_on"], given["note"], asked.get("kind", ""), asked.get("row", "")
    )
    stored = store_upload(access.organisation, given["file"].name, given["file"].read(), actor=access.actor)
    return store_evidence(farm, stored, details, actor=access.actor)


def _list(access: Access, farm: FarmBook) -> Table:
    columns = heads("Evidence", "What it is", "Unit", "Day", "How known")
    columns += [Column("Note"), Column("File", page_only=True)]
    rows = []
    for key, texts, file in evidence_of(farm):
        own = form_address(access.organisation.handle, KIND.name, {"row": key})
        rows.append(
            [
                Cell(key, own),
                Cell(texts["what"].replace("_", " ")),
                Cell(texts["unit_id"]),
                Cell(texts["taken_on"]),
                Cell(texts["known_by"].replace("_", " ")),
                Cell(texts["note"]),
                Cell(
                    "Download" if file else "",
                    reverse("stored_file", args=(access.organisation.handle, file)) if file else "",
                ),
            ]
        )
    empty = "No evidence yet. Photograph a cover crop that has come up, or upload a seed tag or a laboratory report."
    return Table("evidence", columns, rows, empty=empty, caption="Evidence in the book")


# The page where a farm producer makes a signing key: sealed in the browser, registered with proof, unreadable here.

COLUMNS: Final = heads("Key", "Producer", "Registered", "By", "Private half", "Now")


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def farm_key(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show the keys of the farm; a POST registers one that the page has made.

    Raises:
        PermissionDenied: somebody registers who may not sign for the farm.
    """
    farm = farm_book_of(access.organisation)
    if request.method == "POST":
        if not access.may_sign:
            raise PermissionDenied
        return answered(lambda: _register(request, access, farm))
    producers = signing_producers(farm)
    own = key_held_by(access.person, farm, (producer for producer, _ in producers))
    context = {
        "producers": producers,
        "today": today().isoformat(),
        "own": own,
        "own_jwk": PublicKey.from_jwk(own.public).jwk if own else None,
    }
    return page_with_tables(request, "farm/key.html", {"keys": _keys(farm)}, context)


def _register(request: PersonRequest, access: Access, farm: FarmBook) -> dict[str, Any]:
    found = asked(request)
    made = register_key(
        farm.book,
        text_of(found, "producer_id"),
        sealed=found.get("sealed"),
        statement=found.get("statement"),
        holder=access.person,
        today=today(),
        actor=access.actor,
    )
    short = PublicKey.from_jwk(made.public).short
    messages.success(request, f"The key {short} is registered. Tell your buyers these letters and digits by telephone.")
    return {"location": reverse("farm_key", args=(access.organisation.handle,)), "fingerprint": made.fingerprint}


def _keys(farm: FarmBook) -> Table:
    named = fingerprints_in_force(farm)
    rows = [
        [
            Cell(PublicKey.from_jwk(key.public).short, saved=key.fingerprint),
            Cell(key.producer_id),
            Cell(moment(key.at)),
            Cell(str(key.holder)),
            Cell("sealed here" if key.sealed else "on the holder's machine"),
            Cell("signs" if key.fingerprint in named else "replaced"),
        ]
        for key in keys_of(farm)
    ]
    empty = "No key yet. The farm producer makes one below, and signs reports and sale slips with it."
    return Table("keys", COLUMNS, rows, empty=empty, caption="Signing keys: compare letters and digits by telephone")


# A farm's book for another system: what goes out, what stays behind and why, and the file.


@require_GET
@of_organisation("read")
def farm_exchange(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Show what of the book stays behind, row by row, and offer the data set."""
    made = exchange_of(farm_book_of(access.organisation))
    columns = heads("Where", "What stays behind", "What to do")
    rows = [
        [
            Cell(place_said(one.place), saved=str(one.place)),
            Cell(cause_said(one), saved=one.cause),
            Cell(one.remedy),
        ]
        for one in left_first(made)
    ]
    table = Table("left", columns, rows, empty="Everything goes out.", caption="Stays in the book", sorts=True)
    return page_with_tables(request, "farm/exchange.html", {"left": table}, {})


@require_GET
@of_organisation("read")
def farm_exchange_file(_request: PersonRequest, access: Access) -> HttpResponseBase:
    """Return the book as a data set of the ADAPT Standard in a zip."""
    made = exchange_of(farm_book_of(access.organisation))
    return download(packed(made.files), ZIP, "adapt.zip")
