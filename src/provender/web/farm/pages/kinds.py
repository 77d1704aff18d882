"""The kinds of record of a farm's book, in groups with their counts, and the rows of one kind."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Final

from django.http import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_GET

from provender.catalog.counties import county_said
from provender.database.choices import Area
from provender.records import Kind
from provender.records.groups import kinds_in_groups
from provender.services.farm.book import FARM, FarmBook, called, called_in_file, farm_book_of, kind_named, texts_of
from provender.web.access import Access, PersonRequest, of_organisation
from provender.web.farm.pages.rows import COUNTY, row_address
from provender.web.farm.row_parts import MIX_OF, mixes
from provender.web.inputs import heading
from provender.web.tables import Cell, Column, Table, on_page, page_with_tables

GROUP: Final = Column("Group", file_only=True)
RECORDS: Final = Column("Records")
ROWS: Final = Column("Rows", number=True)
WHAT: Final = Column("What they are")
CITE: Final = Column("Paragraph", file_only=True)
SPECIES: Final = Column("Species", page_only=True)
"""Of a cover crop: each has rows of its own, and a file of cover crops is read without them."""
ROOM: Final = 950
"""Points across which a table has on a screen of 1280."""
LETTER, BETWEEN, WRAPPED, WRAPS_FROM, DAY_ROOM = 8, 16, 176, 26, 90
"""Points of a letter, between columns, and of a text that wraps since it has more letters than that; of a day."""


@require_GET
@of_organisation("read", areas=(Area.RECORDS,))
def farm_records(request: PersonRequest, access: Access) -> HttpResponseBase:
    """List the kinds of record group by group with how many rows there are, those that the farm uses first."""
    farm = farm_book_of(access.organisation)
    groups = [(group, _counted(access, farm, kinds)) for group, kinds in kinds_in_groups()]
    saved = [[Cell(group), *row] for group, rows in groups for row in rows]
    whole = Table("records", [GROUP, RECORDS, ROWS, WHAT, CITE], saved, caption="Kinds of record")
    tables = [Table(group, [RECORDS, ROWS, WHAT, CITE], rows, caption=group) for group, rows in groups]
    shown = {"groups": [on_page(one, request.GET) for one in tables]}
    return page_with_tables(request, "farm/records.html", {"kinds": whole}, shown)


def _counted(access: Access, farm: FarmBook, kinds: Iterable[Kind]) -> list[list[Cell]]:
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
    found, farm = kind_named(kind), farm_book_of(access.organisation)
    stored = {key: texts_of(found, row) for key, row in farm.of(found).items()}
    hidden = {FARM, *found.key_columns}
    used = [name for name in found.typed_fields if name not in hidden and any(row[name] for row in stored.values())]
    # Who looked for a row comes back to what they looked for: the rows of an earlier year stand pages down.
    back = request.get_full_path() if request.GET else ""
    columns = [Column("Row"), *(_column(found, name) for name in used)]
    rows = [
        [
            Cell(called(found, key), row_address(access, found, key, back), saved=called_in_file(found, key)),
            *(_cell(name, row[name], number=column.number)
              for name, column in zip(used, columns[1:], strict=True)),
        ]
        for key, row in stored.items()
    ]  # fmt: skip
    if found.name == MIX_OF and rows:
        columns.insert(1, SPECIES)
        mix = mixes(farm)
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
    if column == COUNTY:
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
    words = max((len(word) for word in column.label.split()), default=0) * LETTER
    return max(words, *(_text_width(text) for text in texts), 0) + BETWEEN


def _text_width(text: str) -> int:
    if Cell(text).is_day:
        return DAY_ROOM
    word = max((len(word) for word in text.split()), default=0) * LETTER
    return max(word, WRAPPED) if len(text) > WRAPS_FROM else word
