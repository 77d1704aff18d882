"""The page of records: every kind with its columns, as they are declared."""

from provender.exact import show
from provender.records.field import ColumnKind, Field
from provender.records.kind import KINDS, Kind

INTRO = """# Records

What a farm keeps, kind by kind. Each kind is a CSV file of that name in a record book folder, a sheet of the XLSX
template and a form in the pages; all of them come from the same declaration. Quantities are exact decimals in the
unit of the column's name; dates are written 2026-05-14; yes and no in words. Blank means that the record does not say.

Every kind also has the columns *known_by* (third_party, machine, typed_in_season, typed_after_harvest), *evidence*
(identifiers of evidence records, separated by semicolons) and *note*; *farm_id* may be blank in a book of one farm.

"""
COMMON = ("farm_id", "known_by", "evidence", "note")


def records_page() -> str:
    """Return the page."""
    return INTRO + "\n".join(_kind(kind) for kind in KINDS.values())


def _kind(kind: Kind) -> str:
    rows = [_row(kind, name, field) for name, field in kind.typed_fields.items() if name not in COMMON]
    head = ["| column | label | holds | 7 CFR | help |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([f"## {kind.name}", "", f"{kind.label}. {kind.help} (7 CFR {kind.cite})", "", *head, *rows, ""])


def _row(kind: Kind, name: str, field: Field) -> str:
    marks = "**" if name in kind.key_columns else ""
    required = " *" if field.required else ""
    cells = (f"{marks}{name}{marks}{required}", field.label, _holds(field), field.cite, field.help)
    return f"| {' | '.join(cells)} |"


def _holds(field: Field) -> str:
    match field.kind:
        case ColumnKind.QUANTITY:
            least, most = (show(end, field.scale, group=True) for end in (field.least, field.most))
            return f"{field.unit}, {least} to {most}, {field.scale} decimals"
        case ColumnKind.CHOICE:
            return ", ".join(field.options)
        case ColumnKind.KEY:
            return f"names a [{field.refers}](#{field.refers})" if field.refers else "identifier"
        case _:
            return str(field.kind).replace("_", " ")
