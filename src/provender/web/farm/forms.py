"""Forms made from the schema of a kind of record: the same labels, help, units, words and parsers as files have."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest
from django.urls import reverse

from provender.catalog.tables import JOINING
from provender.catalog.words import Pick, asked_names, picks
from provender.formats.importing.references import COLUMNS as WORDS_COLUMNS
from provender.problem import Weight
from provender.records.book import NOT_YET
from provender.records.field import ColumnKind, Field, only
from provender.records.folder import write_cell
from provender.records.kind import KINDS, Kind, check_rows, kinds_in_groups
from provender.records.reading import CellError, read_cell
from provender.services.accounts.access import Access
from provender.services.farm import book
from provender.services.farm import edits as book_edits
from provender.services.farm.growing import year_to_come
from provender.services.reports.change_report import needs_reason
from provender.web import inputs

REASON: Final = "reason_for_change"
SEEN: Final = "seen_version"
_BOTH: Final = "both_are_meant"
_AS_TYPED: Final = "kept_as_typed"
CROP_ENTRY: Final = "harvest"
ENTRY: Final = "harvest_id"
UNIT: Final = "unit_id"
"""Records name the crop they belong to, often before anybody wrote that one down."""
_LOCKED: Final = "It names the row and cannot be changed. If it is wrong, remove this row and add it anew."
_MONTH_FIRST: Final = "mdy"
"""How a day such as 5/4/2026 is read that somebody types: as everybody in the United States writes it."""


def unsaid() -> list[tuple[str, str]]:
    """Return the choice that says nothing."""
    return [("", "Not recorded")]


class CellField(forms.CharField):
    """One column: reads its text as the core reads a cell, and gives the text the core would write.

    Attributes:
        unit: stands in the box.
        picks: names to choose from while typing, with what is said beside each; anything else may be written.
        joining: words that the search among them leaves out.
        folded: whether the form keeps it out of the way until somebody asks for it.
        when: what another field must say for it to be shown.
        law: the paragraphs that ask for it.
        adds: the page that adds a record it may name, for one that is not there yet; it leads back afterwards.
        leaves: whether the form keeps what was typed when it is left for that page; else the script of the page does.
        beside: what is said below the box, such as why it is locked.
    """

    def __init__(self, found: Field, widget: forms.Widget, choices: Mapping[str, Pick] | None = None) -> None:
        super().__init__(
            label=found.label,
            help_text=found.help,
            required=found.required,
            widget=widget,
            error_messages={"required": f"{found.label} is blank. Fill it in."},
        )
        self.template_name = "forms/cell.html"
        self.found, self.picks, self.folded = found, choices or {}, False
        self.joining = " ".join(sorted(JOINING)) if self.picks else ""
        self.unit, self.when, self.law = inputs.sign(found.unit), found.when, found.cite
        self.adds = self.beside = ""
        self.leaves = False

    def clean(self, value: Any) -> str:  # noqa: ANN401 - as Django declares it
        """Read the cell.

        Raises:
            ValidationError: it is blank and needed, or cannot be read; says why and what to write.
        """
        try:
            return write_cell(read_cell(str(super().clean(value)), self.found, _MONTH_FIRST), self.found)
        except CellError as wrong:
            raise forms.ValidationError(f"{wrong.cause}. {wrong.remedy}") from None


class ReasonField(inputs.TypedText):
    """Why something is corrected; says that it is needed, as every other field of the form that is."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - as Django declares it
        super().__init__(**options)
        self.template_name = "forms/cell.html"


class RowForm(forms.Form):
    """One row of a kind; what this farm never fills lies in a fold.

    Of a row that stands, the key is fixed and a reason is asked for.

    Args:
        kind: the kind of record.
        farm: the version of the book the writer sees.
        key: the row to correct, or None for a new one.
        initial: texts to begin with.
        data: what was sent.
        leaves: whether the page keeps what was typed when the form is left to add what it names.
    """

    template_name = "forms/row.html"

    def __init__(
        self,
        kind: Kind,
        farm: book.FarmBook,
        key: str | None,
        *,
        initial: Mapping[str, str],
        data: Any = None,  # noqa: ANN401 - as Django declares it
        leaves: bool = False,
    ) -> None:
        super().__init__(data, initial={**initial, SEEN: farm.version})
        self.kind, self.farm, self.key = kind, farm, key
        aside = book_edits.unused(farm, kind) - {name for name, text in initial.items() if text}
        for name, found in kind.typed_fields.items():
            if name == book.FARM and kind.name != book.FARM.removesuffix("_id"):
                continue
            made = CellField(found, self._widget(found, str(initial.get(name, ""))), self._picks(kind, name, found))
            if made.picks:
                made.widget.attrs["list"] = f"picks-{name}"
            made.disabled = key is not None and name in kind.key_columns
            made.beside = _LOCKED if made.disabled else ""
            made.folded = name in aside or (key is None and name in book_edits.numbered(kind))
            made.adds = self._adds(found) if found.refers == CROP_ENTRY and name not in kind.key_columns else ""
            made.leaves = leaves and bool(made.adds)
            self.fields[name] = made
        if key is not None:
            self.fields[REASON] = ReasonField(
                label="Why it is corrected",
                max_length=200,
                required=False,
                help_text="Kept in the log. What only fills in a blank needs none.",
            )
        self.fields[SEEN] = forms.IntegerField(widget=forms.HiddenInput)

    def _picks(self, kind: Kind, name: str, found: Field) -> Mapping[str, Pick]:
        """Return names to choose from: of the list that a column's texts are of, after what the farm wrote before."""
        if found.kind is not ColumnKind.TEXT or name in book_edits.OWN_WORDS:
            return {}
        about = WORDS_COLUMNS.get(kind.name, {}).get(name)
        listed = picks(about) if about else {}
        before = book_edits.values_before(self.farm, kind, name)
        own = [one for one in before if about is None or not asked_names(about, one)]
        return {one: listed.get(one, Pick(own=about is not None)) for one in (*own, *listed)}

    def _adds(self, found: Field) -> str:
        """Return the page that adds what a column may name, and comes back to this form."""
        own, other = (reverse("farm_row", args=(self.farm.farm_id, name)) for name in (self.kind.name, found.refers))
        back = f"{own}?{urlencode({'row': self.key})}" if self.key is not None else own
        return f"{other}?{urlencode({'next': back})}"

    def parts(self) -> dict[str, list[forms.BoundField]]:
        """Return the fields in view, and those that are folded and say nothing wrong."""
        found: dict[str, list[forms.BoundField]] = {"shown": [], "folded": []}
        for each in self.visible_fields():
            folded = getattr(each.field, "folded", False) and not each.errors
            found["folded" if folded else "shown"].append(each)
        return found

    def _widget(self, found: Field, now: str) -> forms.Widget:
        if found.kind is ColumnKind.DAY:
            return inputs.DayInput()
        if found.kind is ColumnKind.YES_NO:
            return forms.Select(choices=[*unsaid(), ("yes", "Yes"), ("no", "No")])
        if found.kind is ColumnKind.CHOICE:
            words = [(word, word.replace("_", " ").capitalize()) for word in found.options]
            return forms.Select(choices=[*unsaid(), *words])
        if found.refers == CROP_ENTRY and self.farm.of(KINDS[CROP_ENTRY]):
            unit = str(self.data.get(UNIT) or self.initial.get(UNIT) or "")
            fields = book.entries_by_field(self.farm, self.kind.name, unit, now)
            groups = [(field, [(one, self._entry(one)) for one in entries]) for field, entries in fields]
            return forms.Select(choices=[*unsaid(), *groups])
        others = book_edits.rows_that_fit(self.farm, found, now) if found.refers else {}
        if others:
            names = dict.fromkeys([*others, *([now] if now else [])])
            return forms.Select(
                choices=[*unsaid(), *((name, book.called(KINDS[found.refers], name)) for name in names)]
            )
        mode = {ColumnKind.QUANTITY: "decimal", ColumnKind.WHOLE: "numeric"}
        return forms.TextInput(attrs={"autocomplete": "off", "inputmode": mode.get(found.kind, "text")})

    def _entry(self, key: str) -> str:
        """Return what a crop entry is called, with its crop: a code alone says little."""
        crop = str(self.farm.of(KINDS[CROP_ENTRY]).get(key, {}).get("crop") or "").replace("_", " ")
        return f"{book.called(KINDS[CROP_ENTRY], key)}, {crop}" if crop else book.called(KINDS[CROP_ENTRY], key)

    @property
    def may_leave(self) -> bool:
        """Whether a button among the fields leads away to add what one of them names."""
        return any(getattr(one, "leaves", False) for one in self.fields.values())

    @property
    def texts(self) -> dict[str, str]:
        """Return the row as texts, once the form is valid."""
        stands = str(self.initial.get(book.FARM) or self.farm.farm_id)
        return book.in_words_of_lists(
            self.kind, {name: self.cleaned_data.get(name, stands) for name in self.kind.typed_fields}
        )

    @property
    def edits(self) -> list[book.Edit]:
        """Return what is written once the form is valid."""
        return [book.Edit(self.kind.name, self.key or book.key_of(self.kind, self.texts), self.texts)]

    def clean(self) -> dict[str, Any]:
        """Hold the whole row against its schema; a new row may not take the key of another."""
        if self.errors:
            return self.cleaned_data
        row = {name: read_cell(text, self.kind.fields[name]) for name, text in self.texts.items()}
        _, problems, _ = check_rows(self.kind, [self.kind.row_of(row)])
        for problem in (*problems, *book_edits.out_of_order(self.kind, row, self.farm, "row")):
            if problem.weight is not Weight.NOTE:
                column = problem.place.column if problem.place.column in self.fields else None
                self.add_error(column, f"{problem.cause} {problem.remedy}")
        if self.key is None and book.key_of(self.kind, self.texts) in self.farm.of(self.kind):
            column = self.kind.key_columns[-1]
            cause = "There is a row with this identifier already."
            self.add_error(column, f"{cause} Give another, or correct that row from the list.")
        else:
            self._ask()
        # A row of a file that is being read has no reason to give: nothing of it was said before.
        unsaid_why = REASON in self.fields and not self.errors and not self.cleaned_data[REASON]
        if unsaid_why and needs_reason(self.farm, self.kind, self.key or "", self.texts):
            self.add_error(REASON, "Say why. A correction without a reason is worth little to a verifier.")
        return self.cleaned_data

    def _ask(self) -> None:
        """Ask whether a new row is meant beside one of its crop, and what a name that no list has means."""
        boxes = {book.NAME: (_AS_TYPED, "Keep the name as it is typed")}
        beside = _BOTH, "It is right beside the one that stands"
        for asked in book.asked_of(self.farm, self.edits):
            name, label = boxes.get(asked.code, beside)
            self.fields[name] = forms.BooleanField(label=label, required=False)
            if not self.data.get(name):
                self.add_error(name, f"{asked.cause} {asked.remedy}")


# The form of a new cover crop, with the first species of its mix: nobody thinks of the one without the other.

_COVER: Final = KINDS["cover_crop"]
MIX: Final = KINDS["cover_species"]
COLUMNS: Final = ("species", "rate_lb_per_ac")
_HELP: Final = "Such as cereal rye. Of a mix, write one here and add the others afterwards."


class CoverForm(RowForm):
    """A new cover crop; its species and rate become a row of the mix in the same change."""

    def __init__(self, *given: Any, **options: Any) -> None:  # noqa: ANN401 - as ``RowForm`` declares it
        super().__init__(*given, **options)
        for name in COLUMNS:
            found = MIX.typed_fields[name]
            made = CellField(found, self._widget(found, ""), self._picks(MIX, name, found))
            made.required = False
            if made.picks:
                made.widget.attrs["list"] = f"picks-{name}"
            self.fields[name] = made
        self.fields["species"].help_text = _HELP
        own = [name for name in self.fields if name not in COLUMNS]
        after = own.index("harvest_id") + 1
        self.order_fields([*own[:after], *COLUMNS, *own[after:]])

    @property
    def edits(self) -> list[book.Edit]:
        """Return the cover crop, and its species where one is named."""
        if not self.cleaned_data.get("species"):
            return super().edits
        said = {name: self.cleaned_data.get(name, "") for name in COLUMNS}
        key = self.texts[_COVER.key_columns[-1]]
        texts = {name: said.get(name, "") for name in MIX.typed_fields} | {
            "cover_id": key,
            book.FARM: self.farm.farm_id,
        }
        mix = book.in_words_of_lists(MIX, texts)
        return [*super().edits, book.Edit(MIX.name, book.key_of(MIX, mix), mix)]


# The form of a new crop entry: who enters what is not harvested yet sees of which year it is, and may say another.

YEAR: Final = "harvest_year"
_LEAST, _MOST = 1980, 2100
_WRONG: Final = f"Write a year between {_LEAST} and {_MOST}, such as 2027."


class YearField(forms.IntegerField):
    """The year of a harvest to come, beside the fields of a row; no column keeps it, the entry's name does."""

    def __init__(self) -> None:
        super().__init__(
            label="Harvest year",
            help_text="The entry is named by it.",
            required=False,
            min_value=_LEAST,
            max_value=_MOST,
            widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
            error_messages={"invalid": _WRONG, "min_value": _WRONG, "max_value": _WRONG},
        )
        self.template_name = "forms/cell.html"
        self.when = only("ending", NOT_YET)


class CropForm(RowForm):
    """A new crop entry; without a name it is named by its field and the year of its harvest."""

    def __init__(self, *given: Any, **options: Any) -> None:  # noqa: ANN401 - as ``RowForm`` declares it
        super().__init__(*given, **options)
        named = self.fields[ENTRY]
        named.required = False
        named.help_text = "Such as N40-2026. Left blank, it is named from field and year."
        self.fields[YEAR] = YearField()
        unit = str(self.initial.get(UNIT) or "")
        self.initial[YEAR] = str(self.initial.get(YEAR) or year_to_come(self.farm, unit))
        own = [name for name in self.fields if name != YEAR]
        after = own.index("ending") + 1
        self.order_fields([*own[:after], YEAR, *own[after:]])

    def clean(self) -> dict[str, Any]:
        """Name the entry where nobody did, then hold it against its schema."""
        said = self.cleaned_data
        if not self.errors and not said[ENTRY]:
            said[ENTRY] = book_edits.free_entry(self.farm, said[UNIT], self._year())
        return super().clean()

    def _year(self) -> str:
        said = self.cleaned_data
        day = str(said["last_day"] or said["first_day"])
        return day[:4] if day else str(said[YEAR] or year_to_come(self.farm, said[UNIT]))


# Forms of rows that are left to add a record they name, or evidence: what was typed waits in the session.

_LEAVE: Final = "leave"
EVIDENCE: Final = "evidence"
"""Under ``leave``: a row that stands is left to add evidence for it, which writes that into the row itself."""
_KEPT: Final = "rows left"
_LONGEST: Final = 2_000
_UNIT: Final = "unit_id"
_SEEDED: Final = "seeded_on"


def leave(request: HttpRequest, form: RowForm, farm: str) -> str:
    """Keep what was typed and return the page that adds what a column names; empty where nothing is left.

    Args:
        request: the POST of the form, with the column that leads away under ``leave``.
        form: of it.
        farm: the organization's handle in addresses.
    """
    column, key = request.POST.get(_LEAVE, ""), form.key or ""
    to_evidence = column == EVIDENCE and bool(key)
    if not to_evidence and not getattr(form.fields.get(column), "adds", ""):
        return ""
    left_out = {SEEN, EVIDENCE} if to_evidence else {SEEN}
    texts = {name: request.POST.get(name, "")[:_LONGEST] for name in form.fields if name not in left_out}
    draft = inputs.keep(request, _KEPT, {"kind": form.kind.name, "key": key, "column": column, "texts": texts})
    asked = {name: text for name, text in (("row", key), ("next", inputs.back_to(request))) if text}
    back = f"{reverse('farm_row', args=(farm, form.kind.name))}?{urlencode({**asked, inputs.DRAFT: draft})}"
    if to_evidence:
        given = {"by": "file", "kind": form.kind.name, "row": key, "next": back}
        return f"{reverse('farm_evidence', args=(farm,))}?{urlencode(given)}"
    unit = texts.get(_UNIT, "")
    given = {**({_UNIT: unit} if unit else {}), **_year(form, texts), inputs.DRAFT: draft, "next": back}
    return f"{reverse('farm_row', args=(farm, CROP_ENTRY))}?{urlencode(given)}"


def _year(form: RowForm, texts: Mapping[str, str]) -> dict[str, str]:
    """Return of which year the crop is that a cover crop is followed by, where its day of seeding can be read."""
    try:
        seeded = (
            read_cell(texts.get(_SEEDED, ""), _COVER.fields[_SEEDED], _MONTH_FIRST) if form.kind is _COVER else None
        )
    except CellError:
        return {}
    return {YEAR: str(year_to_come(form.farm, "", seeded_on=seeded))} if isinstance(seeded, date) else {}


def typed_before(request: HttpRequest, kind: Kind) -> Mapping[str, str]:
    """Return what was typed into a form of this kind before it was left; nothing where the address names no draft."""
    left = inputs.kept(request, _KEPT)
    own = left is not None and (left["kind"], left["key"]) == (kind.name, request.GET.get("row", ""))
    texts: Mapping[str, str] = left["texts"] if left and own else {}
    return texts


def came_back(request: HttpRequest, kind: Kind, key: str) -> None:
    """Put a record that was added into the form that was left for it; forget a form once it is saved itself."""
    left = inputs.kept(request, _KEPT)
    if left is None:
        return
    if left["kind"] == kind.name:
        inputs.forget(request, _KEPT)
    elif kind.name == CROP_ENTRY:
        left["texts"][left["column"]] = key
        request.session.modified = True


# Which form a kind of record has on its page: of some, a new row asks for more than its columns.


def form_for(kind: Kind, *, new: bool) -> type[RowForm]:
    own: dict[str, type[RowForm]] = {_COVER.name: CoverForm, CROP_ENTRY: CropForm}
    return own.get(kind.name, RowForm) if new else RowForm


# Rows that are part of another: the species of a cover crop, the tools of a pass. Their whole shows them.

_ROW_PARTS_MIX: Final = "cover_species"
MIX_OF: Final = "cover_crop"


def parts_of_row(
    access: Access, farm: book.FarmBook, kind: Kind, key: str, *, words: Callable[[Kind, str, str], str], back: str
) -> list[dict[str, Any]]:
    """Return each kind whose rows are part of a row, with those there are, and the form that adds one.

    Args:
        access: whose pages are open, and to whom.
        farm: the book.
        kind: of the row.
        key: the row.
        words: writes what a row says in a column as pages say it.
        back: the page to return to once a part is saved.
    """
    found = []
    for part in (one for _, kinds in kinds_in_groups() for one in kinds):
        column = _column_of(part, kind)
        if column:
            address = reverse("farm_row", args=(access.organisation.handle, part.name))
            rows = [
                {"facts": _facts(part, column, row, words), "href": f"{address}?{urlencode({'row': at, 'next': back})}"}
                for at, row in farm.of(part).items()
                if row.get(column) == key
            ]
            adds = f"{address}?{urlencode({column: key, 'next': back})}"
            found.append({"kind": part, "rows": rows, "adds": adds})
    return found


def _column_of(part: Kind, whole: Kind) -> str:
    """Return the column by which a row of one kind is part of a row of another; empty where it is none."""
    named = (name for name in part.key_columns if name != book.FARM and part.fields[name].refers == whole.name)
    return next(named, "") if len(part.key_columns) > len(whole.key_columns) else ""


def _facts(
    part: Kind, column: str, row: Mapping[str, object], words: Callable[[Kind, str, str], str]
) -> list[tuple[str, str]]:
    texts = book.texts_of(part, row)
    return [
        (inputs.heading(part.fields[name]), words(part, name, text))
        for name, text in texts.items()
        if text and name not in (book.FARM, column)
    ]


def mixes(farm: book.FarmBook) -> dict[str, str]:
    """Return the species of each cover crop with their rates, in one line."""
    found: dict[str, list[str]] = {}
    for row in farm.of(KINDS[_ROW_PARTS_MIX]).values():
        texts = book.texts_of(KINDS[_ROW_PARTS_MIX], row)
        rate = f" ({texts['rate_lb_per_ac']} lb/ac)" if texts["rate_lb_per_ac"] else ""
        found.setdefault(texts["cover_id"], []).append(f"{texts['species']}{rate}")
    return {cover: "; ".join(species) for cover, species in found.items()}
