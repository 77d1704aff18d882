"""Evidence: a photograph taken in the field or any document, kept under its hash and named in a record."""

from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from provender.database.deeds.books import Edit, do_change_book
from provender.database.deeds.imports import do_begin_import
from provender.database.deeds.uploads import do_store_upload
from provender.database.models import Change, Upload
from provender.records import KINDS
from provender.records.folder import EVIDENCE
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.imports.folder import FARM, FILE
from provender.web.imports.start import file_name, start
from provender.web.pages.deed import attempt
from provender.web.pages.farm_forms import UNSAID
from provender.web.pages.farm_records import FarmBook, called, farm_book, key_of, kind_named
from provender.web.tables import Cell, Column, Table, page_with_tables

KIND: Final = KINDS["evidence"]
PHOTO: Final = "photograph"
PHOTOGRAPHS: Final = (".jpg", ".jpeg", ".heic", ".heif")
HASH_SHOWN: Final = 12


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
    note = forms.CharField(label="Note", max_length=500, required=False)

    def __init__(self, farm: FarmBook, *, camera: bool, **options: Any) -> None:  # noqa: ANN401 - as Django declares it
        super().__init__(**options)
        words = [(word, word.replace("_", " ").capitalize()) for word in KIND.fields["what"].options]
        units = [(unit, unit) for unit in farm.of(KINDS["unit"])]
        self.fields["what"] = forms.ChoiceField(label="What it is", choices=words)
        self.fields["unit_id"] = forms.ChoiceField(label="Management unit", required=False, choices=[UNSAID, *units])
        if camera:
            self.fields["file"].widget.attrs |= {"accept": "image/*", "capture": "environment"}


@require_http_methods(["GET", "POST"])
@of_organisation("read")
def farm_evidence(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List evidence; POST takes a photograph or document in, for a record where the address names one.

    Raises:
        Http404: the address names a record that is not in the book.
    """
    farm, asked = farm_book(access), request.GET
    record = _record(farm, asked.get("kind", ""), asked.get("row", ""))
    camera = asked.get("by") != "file"
    initial = {"what": PHOTO if camera else None, "unit_id": asked.get("unit_id", "") or record.get("unit_id", "")}
    form = EvidenceForm(farm, camera=camera, initial=initial, data=request.POST or None, files=request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        stored = attempt(form, lambda: do_store_upload(access.organisation, file.name, file.read(), actor=access.actor))
        if stored is not None and stored.name.lower().endswith(PHOTOGRAPHS):
            said = {"units": {file_name(stored.name): form.cleaned_data["unit_id"]}}
            begun = do_begin_import(farm.book, [stored], actor=access.actor, said=said)
            start(begun)
            return redirect("farm_import", access.organisation.handle, begun.handle)
        if stored is not None and _kept(access, farm, stored, form, asked.dict()):
            messages.success(request, f"{stored.name} is kept as evidence.")
            return redirect("farm_evidence", access.organisation.handle)
    context = {"form": form, "camera": camera, "record": record, "query": _query(asked.dict())}
    tables = {"evidence": _list(access, farm)}
    return page_with_tables(request, "farm/evidence.html", tables, context)


def _query(asked: dict[str, str]) -> str:
    return urlencode({name: asked[name] for name in ("kind", "row", "unit_id") if asked.get(name)})


def _record(farm: FarmBook, kind: str, row: str) -> dict[str, str]:
    """Return the record that evidence is for, as texts with what it is called; empty where none is named."""
    if not kind:
        return {}
    found = kind_named(kind)
    texts = farm.texts(found, row)
    if texts is None:
        raise Http404
    return {**texts, "called": f"{found.label}: {called(found, row)}"}


def _kept(access: Access, farm: FarmBook, stored: Upload, form: EvidenceForm, asked: dict[str, str]) -> Change | None:
    return attempt(form, lambda: _keep(access, farm, stored, form, asked))


def _keep(access: Access, farm: FarmBook, stored: Upload, form: EvidenceForm, asked: dict[str, str]) -> Change:
    """Write the evidence record, the file it names and its place in the record it is for, as one change."""
    said = form.cleaned_data
    name, stem = f"file-{stored.sha256[:HASH_SHOWN]}", file_name(stored.name)
    path = f"{EVIDENCE}/{stored.sha256[:HASH_SHOWN]}-{stem}"
    texts = dict.fromkeys(KIND.typed_fields, "") | {
        FARM: farm.farm_id,
        "evidence_id": name,
        "file": path.removeprefix(f"{EVIDENCE}/"),
        "what": said["what"],
        "unit_id": said["unit_id"],
        "taken_on": said["taken_on"].isoformat() if said["taken_on"] else "",
        "sha256": stored.sha256,
        "note": said["note"],
    }
    edits = [
        Edit(FILE, path, {"sha256": stored.sha256, "upload": stored.handle}),
        Edit(KIND.name, key_of(KIND, texts), texts),
    ]
    if asked.get("kind"):
        kind = kind_named(asked["kind"])
        row = farm.texts(kind, asked.get("row", "")) or {}
        named = [each for each in row["evidence"].split(";") if each.strip() and each.strip() != name]
        edits.append(Edit(kind.name, asked["row"], {**row, "evidence": "; ".join([*named, name])}))
    return do_change_book(
        farm.book, edits, reason=f"Evidence: {stored.name}"[:200], actor=access.actor, after=farm.version
    )


def _list(access: Access, farm: FarmBook) -> Table:
    columns = [Column("Evidence"), Column("What it is"), Column("Unit"), Column("Day"), Column("How known")]
    columns += [Column("Note"), Column("File", page_only=True)]
    handles = dict(Upload.objects.filter(organisation=access.organisation).values_list("sha256", "handle"))
    rows = []
    for key, row in farm.of(KIND).items():
        texts = {name: str(row.get(name) or "") for name in KIND.typed_fields}
        own = f"{reverse('farm_row', args=(access.organisation.handle, KIND.name))}?{urlencode({'row': key})}"
        file = handles.get(texts["sha256"])
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
    empty = "No evidence yet. Photograph a cover crop that has come up, or hand in a seed tag or a laboratory report."
    return Table("evidence", columns, rows, empty=empty, caption="Evidence in the book")
