"""One row of a farm's book: its form and history, taking it out, and putting an earlier state back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender.catalog.places import county_said
from provender.database.choices import Area
from provender.paper.tables import Cell, Column, Table
from provender.records.field import ColumnKind
from provender.records.kind import Kind, kinds_in_groups
from provender.services.accounts.access import Access
from provender.services.farm import book, edits
from provender.services.farm.field_says import field_says
from provender.services.farm.sown import LENT, question_of
from provender.services.farm.views import RowChangeView, row_history
from provender.services.reports.change_report import Removal, change_by, moved_between, removal_of
from provender.web.access import PersonRequest, of_organisation
from provender.web.farm import forms
from provender.web.farm.lists import crop_address, form_address, form_of
from provender.web.inputs import attempt, back_to, heading, number_in
from provender.web.tables import moment, on_page, page_with_tables

_COUNTY: Final = "county_fips"
LIKE: Final = "like"
_LOOKED: Final = "looked"
AGAIN: Final = "no"
"""What *looked* says of somebody who goes back to change what they typed."""
TOKEN: Final = "csrfmiddlewaretoken"  # noqa: S105 - the name of a field
_OURS: Final = (ColumnKind.CHOICE, ColumnKind.YES_NO)
"""Columns whose texts are words of ours: without underscores on a page."""


def _row_address(access: Access, kind: Kind, key: str, back: str = "") -> str:
    """Return the address of the page of a row; its form returns to ``back``, else to the list of its kind."""
    return form_address(access.organisation.handle, kind.name, {"row": key}, back)


@require_http_methods(["GET", "POST"])
@of_organisation("read", areas=(Area.RECORDS,))
def farm_row(request: PersonRequest, access: Access, kind: str) -> HttpResponseBase:
    """Show one row with its history and the form that corrects it; without ``row`` the form that adds one.

    Raises:
        Http404: there is no such row.
    """
    found, farm, key = book.kind_named(kind), book.farm_book_of(access.organisation), request.GET.get("row")
    if key is None and request.method == "GET" and (stands := _existing_row_key(found, farm, request.GET.dict())):
        return redirect(_row_address(access, found, stands, back_to(request)))
    initial = _new(farm, found, request.GET.dict()) if key is None else farm.texts(found, key)
    if initial is None:
        return _removed(request, access, farm, found, key or "")
    initial = {**initial, **forms.typed_before(request, found)}
    data = request.POST if request.method == "POST" and LIKE not in request.POST else None
    if key is None and LIKE in request.POST:
        initial = {**initial, **_typed_over(farm, found, request.POST)}
    made = forms.form_for(found, new=key is None)
    form = made(found, farm, key, initial=initial, data=data, leaves=True)
    if data and access.may_write and (away := forms.leave(request, form, access.organisation.handle)):
        return redirect(away)
    looked = request.POST.get(_LOOKED, "")
    if form.is_valid() and not looked and (would := _would_change(farm, form)) is not None:
        return _asked(request, farm, form, would)
    if form.is_valid() and looked != AGAIN and _write(access, farm, form):
        forms.came_back(request, found, key or book.key_of(found, form.texts))
        _tell(request, farm, f"{found.label}: {book.called(found, book.key_of(found, form.texts))} is saved.")
        for words in book.understood(farm, form.edits):
            messages.info(request, words)
        _tell_of_field(request, access, found, form.texts)
        _tell_of_sowing(request, access, found, key or book.key_of(found, form.texts))
        return redirect(back_to(request) or reverse("farm_kind", args=(access.organisation.handle, found.name)))
    context: dict[str, object] = {
        "kind": found,
        "key": key,
        "called": book.called(found, key or ""),
        "form": form,
        "seen": farm.version,
        "before": edits.rows_to_begin_with(farm, found, edits.field_of(farm, initial)) if key is None else [],
        "lent": key is None and any(request.GET.get(name) for name in LENT.get(found.name, ())),
    }
    if key is not None:
        context["facts"] = _facts(found, farm.texts(found, key) or {})
        context["parts"] = forms.parts_of_row(access, farm, found, key, words=_in_words, back=request.get_full_path())
    tables = {} if key is None else {"history": _history(access, farm, found, key)}
    return page_with_tables(request, "farm/row.html", tables, context)


def _would_change(farm: book.FarmBook, form: forms.RowForm) -> Removal | None:
    """Return what a correction would change; None where no verdict, CI or report rests on it, or the row is new.

    Nobody is asked about what another change of the book has overtaken: that is refused as it is written.
    """
    if (
        form.key is None
        or form.cleaned_data[forms.SEEN] != farm.version
        or form.texts == farm.texts(form.kind, form.key)
    ):
        return None
    would = change_by(farm, book.Edit(form.kind.name, form.key, form.texts))
    return would if would.moves_what_stands else None


def _asked(request: PersonRequest, farm: book.FarmBook, form: forms.RowForm, would: Removal) -> HttpResponseBase:
    """Show what a correction would change, with what was typed: one button saves it, the other leads back to it."""
    key = form.key or ""
    kept = [(name, text) for name, texts in request.POST.lists() for text in texts if name != TOKEN]
    context = {
        "kind": form.kind, "key": key, "called": book.called(form.kind, key), "removal": would, "kept": kept,
        "back": back_to(request),
        "changes": _changes(form.kind, farm.texts(form.kind, key) or {}, form.texts),
    }  # fmt: skip
    return render(request, "farm/row_correct.html", context)


def _new(farm: book.FarmBook, kind: Kind, asked: dict[str, str]) -> dict[str, str]:
    """Return what a new row begins with: as last time where that is asked for, what the address names, a free name."""
    own = {name: edits.free_key(farm, kind) for name in edits.numbered(kind)}
    return {**edits.defaults_from_previous(farm, kind, asked.get("like", "")), **own, **_given(kind, asked)}


def _typed_over(farm: book.FarmBook, kind: Kind, sent: Mapping[str, str]) -> dict[str, str]:
    """Return what a row takes from the one it begins with, under what was typed already."""
    typed = {name: sent[name] for name in kind.typed_fields if sent.get(name)}
    return {**edits.defaults_from_previous(farm, kind, sent[LIKE]), **typed}


def _given(kind: Kind, asked: dict[str, str]) -> dict[str, str]:
    """Keep from an address what names other records, a year, and what another row lends (``LENT``)."""
    year = (
        {forms.YEAR: asked[forms.YEAR]}
        if kind.name == forms.CROP_ENTRY and asked.get(forms.YEAR, "").isdecimal()
        else {}
    )
    lent = LENT.get(kind.name, frozenset())
    kept = (name for name in asked if name in kind.fields and (kind.fields[name].refers or name in lent))
    return year | {name: asked[name] for name in kept}


def _existing_row_key(kind: Kind, farm: book.FarmBook, asked: dict[str, str]) -> str:
    """Return the key of the row that an address names in full and that stands already, or nothing."""
    own = [name for name in kind.key_columns if name != book.FARM]
    if not own or not all(asked.get(name) for name in own):
        return ""
    key = book.key_of(kind, asked)
    return key if key in farm.of(kind) else ""


def _write(access: Access, farm: book.FarmBook, form: forms.RowForm) -> bool:
    reason = form.cleaned_data.get(forms.REASON) or f"{form.kind.label}: typed on the page"
    seen = form.cleaned_data[forms.SEEN]
    written = attempt(
        form, lambda: book.change_book(farm.book, form.edits, reason=reason, actor=access.actor, after=seen)
    )
    return written is not None


def _removed(request: PersonRequest, access: Access, farm: book.FarmBook, kind: Kind, key: str) -> HttpResponseBase:
    """Show a row that was taken out: what it said, its history, and the button that puts it back.

    Raises:
        Http404: there never was such a row.
    """
    texts = edits.removed_texts(farm, kind, key)
    if texts is None:
        raise Http404
    context = {
        "kind": kind,
        "key": key,
        "called": book.called(kind, key),
        "seen": farm.version,
        "facts": _facts(kind, texts),
    }
    return page_with_tables(request, "farm/row_removed.html", {"history": _history(access, farm, kind, key)}, context)


def _facts(kind: Kind, texts: dict[str, str]) -> list[tuple[str, str]]:
    return [
        (heading(kind.fields[name]), _in_words(kind, name, text))
        for name, text in texts.items()
        if text and name != book.FARM
    ]


def _in_words(kind: Kind, name: str, text: str | None) -> str:
    """Return what a row says in a column as a page says it: a choice in words, a county by its name."""
    if not text:
        return "nothing"
    if name == _COUNTY:
        return county_said(text)
    return text.replace("_", " ") if kind.fields[name].kind in _OURS else text


@require_http_methods(["GET", "POST"])
@of_organisation("write")
def farm_row_remove(request: PersonRequest, access: Access, kind: str) -> HttpResponseBase:
    """Show what goes with a row; POST takes it out, and with ``do=restore`` puts it back. Its page and history stay.

    Raises:
        MissingError: there is no such row.
        ProblemsError: somebody changed the book meanwhile.
    """
    found, farm, key = book.kind_named(kind), book.farm_book_of(access.organisation), request.GET.get("row", "")
    if request.method == "GET":
        context = {"kind": found, "key": key, "called": book.called(found, key), "seen": farm.version}
        context |= {"removal": removal_of(farm, found, key), "facts": _facts(found, farm.texts(found, key) or {})}
        return render(request, "farm/row_remove.html", context)
    after = number_in(request.POST.get("seen", ""))
    label, name = found.label, book.called(found, key)
    if request.POST.get("do") == "restore":
        edits.put_back(farm, found, key, after=after, actor=access.actor)
        _tell(request, farm, f"{label}: {name} is back.")
    else:
        edits.remove_row(farm, found, key, after=after, actor=access.actor)
        _tell(request, farm, f"{label}: {name} is removed. You can put it back here.")
    return redirect(_row_address(access, found, key))


def _tell(request: PersonRequest, before: book.FarmBook, done: str) -> None:
    """Say what was done and what it moved; what the records speak against since stands by itself."""
    moved = moved_between(before, book.farm_book_of(before.book.organisation))
    messages.success(request, " ".join([done, *moved.left]))
    for one in moved.rest:
        messages.info(request, one)
    for one in moved.against:
        messages.warning(request, one)


def _tell_of_field(request: PersonRequest, access: Access, kind: Kind, texts: Mapping[str, str]) -> None:
    """Say what the field shows of the crop since, with a link to its page."""
    if says := field_says(book.farm_book_of(access.organisation), kind, texts):
        where = crop_address(access.organisation.handle, says.entry) + (f"#{says.practice}" if says.practice else "")
        messages.info(request, says.words, extra_tags=where)


def _tell_of_sowing(request: PersonRequest, access: Access, kind: Kind, key: str) -> None:
    """Say what does not fit together of the row that was saved and the pass that sowed it, with where that is done."""
    farm = book.farm_book_of(access.organisation)
    asked = question_of(farm, kind, key) if kind.name in LENT else None
    if asked is not None:
        messages.warning(request, asked.cause, extra_tags=form_of(farm.farm_id, asked, back_to(request), key))


@require_http_methods(["GET", "POST"])
@of_organisation("write")
def farm_row_put_back(request: PersonRequest, access: Access, kind: str) -> HttpResponseBase:
    """Show what an earlier state of a row would change; POST writes that state as a new change.

    Raises:
        MissingError: there is no such row, or no such state of it.
        ProblemsError: somebody changed the book meanwhile.
    """
    found, farm, key = book.kind_named(kind), book.farm_book_of(access.organisation), request.GET.get("row", "")
    version = number_in(request.GET.get("version", ""))
    texts = edits.texts_at(farm, found, key, version)
    if request.method == "GET":
        now = farm.texts(found, key) or {}
        context = {
            "kind": found, "key": key, "called": book.called(found, key), "seen": farm.version, "version": version,
            "removal": change_by(farm, book.Edit(found.name, key, texts)), "facts": _facts(found, texts),
            "changes": _changes(found, now, texts),
        }  # fmt: skip
        return render(request, "farm/row_put_back.html", context)
    edits.put_back(farm, found, key, version, after=number_in(request.POST.get("seen", "")), actor=access.actor)
    _tell(request, farm, f"{found.label}: {book.called(found, key)} says again what it said in version {version}.")
    return redirect(_row_address(access, found, key))


def _history(access: Access, farm: book.FarmBook, kind: Kind, key: str) -> Table:
    """List what happened to a row; who may write can put each state back that it no longer has."""
    columns = [Column("When"), Column("Who"), Column("Why"), Column("What changed")]
    offers = access.may_write and key in farm.of(kind)
    rows = [
        [
            Cell(moment(datetime.fromisoformat(one.at))),
            Cell(one.actor),
            Cell(one.reason),
            Cell(_difference(kind, one)),
            *([_offer(access, kind, key, one)] if offers else []),
        ]
        for one in row_history(farm, kind, key)
    ]
    if offers:
        columns.append(Column("", page_only=True))
        rows[-1][-1] = Cell("")  # as it says today
    return Table("history", columns, rows[::-1], caption="History, newest first")


def _offer(access: Access, kind: Kind, key: str, one: RowChangeView) -> Cell:
    if one.after is None:
        return Cell("")
    where = reverse("farm_row_put_back", args=(access.organisation.handle, kind.name))
    return Cell("Put back …", f"{where}?{urlencode({'row': key, 'version': one.version})}")


def _difference(kind: Kind, one: RowChangeView) -> str:
    before = one.before or {}
    if one.after is None:
        return "Removed: " + "; ".join(
            f"{kind.fields[name].label}: {_in_words(kind, name, text)}" for name, text in before.items()
        )
    return _changes(kind, before, one.after) or "Nothing"


def _changes(kind: Kind, before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Say what differs between two states of a row, column by column."""
    return "; ".join(
        f"{kind.fields[name].label}: {_in_words(kind, name, before.get(name))} → {_in_words(kind, name, text)}"
        for name, text in after.items() if name != book.FARM and text != before.get(name, "")
    )  # fmt: skip


# The kinds of record of a farm's book, in groups with their counts, and the rows of one kind.

_GROUP: Final = Column("Group", file_only=True)
RECORDS: Final = Column("Records")
ROWS: Final = Column("Rows", number=True)
_WHAT: Final = Column("What they are")
_CITE: Final = Column("Paragraph", file_only=True)
SPECIES: Final = Column("Species", page_only=True)
"""Of a cover crop: each has rows of its own, and a file of cover crops is read without them."""
ROOM: Final = 950
"""Points across which a table has on a screen of 1280."""
_LETTER, _BETWEEN, _WRAPPED, _WRAPS_FROM, _DAY_ROOM = 8, 16, 176, 26, 90
"""Points of a letter, between columns, and of a text that wraps since it has more letters than that; of a day."""


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def farm_records(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the kinds of record group by group with how many rows there are, those that the farm uses first."""
    farm = book.farm_book_of(access.organisation)
    groups = [(group, _counted(access, farm, kinds)) for group, kinds in kinds_in_groups()]
    saved = [[Cell(group), *row] for group, rows in groups for row in rows]
    whole = Table("records", [_GROUP, RECORDS, ROWS, _WHAT, _CITE], saved, caption="Kinds of record")
    tables = [Table(group, [RECORDS, ROWS, _WHAT, _CITE], rows, caption=group) for group, rows in groups]
    shown = {"groups": [on_page(one, request.GET) for one in tables]}
    return page_with_tables(request, "farm/records.html", {"kinds": whole}, shown)


def _counted(access: Access, farm: book.FarmBook, kinds: Iterable[Kind]) -> list[list[Cell]]:
    used = sorted(kinds, key=lambda kind: not farm.of(kind))
    return [
        [
            Cell(kind.label, reverse("farm_kind", args=(access.organisation.handle, kind.name))),
            Cell(f"{count:,}", saved=str(count)),
            Cell(kind.help),
            Cell(kind.cite),
        ]
        for kind in used for count in (len(farm.of(kind)),)
    ]  # fmt: skip


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def farm_kind(request: PersonRequest, access: Access, kind: str) -> HttpResponseBase:
    """List the rows of one kind with the columns that a screen has room for; each row, and a file, has all of them."""
    found, farm = book.kind_named(kind), book.farm_book_of(access.organisation)
    stored = {key: book.texts_of(found, row) for key, row in farm.of(found).items()}
    hidden = {book.FARM, *found.key_columns}
    used = [name for name in found.typed_fields if name not in hidden and any(row[name] for row in stored.values())]
    # Who looked for a row comes back to what they looked for: the rows of an earlier year stand pages down.
    back = request.get_full_path() if request.GET else ""
    columns = [Column("Row"), *(_column(found, name) for name in used)]
    rows = [
        [
            Cell(
                book.called(found, key), _row_address(access, found, key, back), saved=book.called_in_file(found, key)
            ),
            *(_cell(name, row[name], number=column.number)
              for name, column in zip(used, columns[1:], strict=True)),
        ]
        for key, row in stored.items()
    ]  # fmt: skip
    if found.name == forms.MIX_OF and rows:
        columns.insert(1, SPECIES)
        mix = forms.mixes(farm)
        for key, row in zip(stored, rows, strict=True):
            row.insert(1, Cell(mix.get(key, "")))
    columns = fitting(columns, rows)
    empty = f"No rows yet. {found.help} Add one, or upload a file that has them."
    table = Table(found.name, columns, rows, empty=empty, caption=found.label, sorts=True)
    left = [column.label for column in columns if column.file_only]
    return page_with_tables(request, "farm/kind.html", {"rows": table}, {"kind": found, "left_out": left})


def _column(kind: Kind, name: str) -> Column:
    field = kind.fields[name]
    return Column(heading(field), number=bool(field.unit))


def _cell(column: str, text: str, *, number: bool) -> Cell:
    """Return what a row says in a column: a county by its name, which a file keeps as its code; digits in groups."""
    if column == _COUNTY:
        return Cell(county_said(text), saved=text)
    return Cell(_grouped(text), saved=text) if number else Cell(text.replace("_", " "))


def _grouped(text: str) -> str:
    try:
        return f"{Decimal(text):,}"
    except InvalidOperation:
        return text  # blank, or a bound such as <5


def fitting(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> list[Column]:
    """Return columns of which a page shows those that have room together, and a file has all.

    What every row says alike tells no two apart: it gives way first, and then the last in order.
    """
    texts = [[row[at].text for row in rows] for at in range(len(columns))]
    alike = [len(rows) > 1 and len(set(of)) == 1 for of in texts]
    room, kept = ROOM, list(columns)
    for at in sorted(range(len(columns)), key=lambda at: (at > 0, alike[at], at)):
        room -= _width(columns[at], texts[at])
        if room < 0 and at:
            kept[at] = replace(columns[at], file_only=True)
    return kept


def _width(column: Column, texts: Iterable[str]) -> int:
    """Return about how many points a column takes: its longest word, or a text that wraps."""
    words = max((len(word) for word in column.label.split()), default=0) * _LETTER
    return max(words, *(_text_width(text) for text in texts), 0) + _BETWEEN


def _text_width(text: str) -> int:
    if Cell(text).is_day:
        return _DAY_ROOM
    word = max((len(word) for word in text.split()), default=0) * _LETTER
    return max(word, _WRAPPED) if len(text) > _WRAPS_FROM else word
