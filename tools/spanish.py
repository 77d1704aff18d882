"""The Spanish catalogue: which texts need an entry, and the file that Django reads made of it.

``python tools/spanish.py`` reads every text that a farm's pages can show (their templates, and with ``ast`` the modules
below that make sentences, and what the scripts of the pages say by themselves), adds to ``django.po`` what is missing
with an empty Spanish, takes out what nobody says any more, and compiles ``django.mo`` for pages and ``words.es.js`` for
scripts. Write the Spanish into the ``.po`` and run it again.
"""

import ast
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

SOURCE: Final = Path(__file__).parent.parent / "src" / "provender"
PO: Final = SOURCE / "web" / "locale" / "es" / "LC_MESSAGES" / "django.po"
MO: Final = PO.with_suffix(".mo")
TEMPLATES: Final = SOURCE / "web" / "templates"
SCRIPTS: Final = SOURCE / "web" / "static" / "provender"
WORDS: Final = SCRIPTS / "words.es.js"
SHOWN: Final = (
    "base.html", "base_english.html", "account", "allauth", "errors", "farm", "field", "forms", "mfa", "pages", "parts",
    "audit/base_our.html", "audit/our.html", "audit/ours.html", "audit/our_finding.html", "audit/finding_parts.html",
    "audit/statement_signed.html",
)  # fmt: skip
"""Templates that a person of a farm can reach."""
ROOMS: Final[Mapping[str, tuple[str, ...]]] = {
    "shell": (
        "web/navigation.py", "web/access.py", "web/errors.py", "web/inputs.py", "web/templatetags", "web/organisation",
        "audit/statement/independence.py", "services/audits/next_steps.py", "services/audits/to_answer.py",
        "services/custody/next_steps.py", "services/clients.py",
        "services/steps.py", "services/glance.py", "services/farm_steps.py", "services/places.py",
        "services/expiry.py", "services/search.py", "services/refused.py", "services/names.py", "services/accounts",
        "services/news", "web/news_mail.py",
        "database/choices.py", "database/models/accounts.py", "catalog/time_zones.py", "problem.py", "quantity.py",
        "days.py", "paper/table.py", "web/tables.py", "web/middleware",
    ),
    "farm pages": (
        "web/farm/pages", "web/farm/forms.py", "web/farm/cover_form.py", "web/farm/growing_list.py",
        "web/farm/row_parts.py", "web/farm/lanes.py", "services/farm",
        "services/field", "services/sealed_keys.py", "services/key_holders.py",
    ),
    "records": ("records",),
    "practices": ("practices",),
    "imports": ("services/imports", "formats"),
    "report": ("report", "services/reports", "rule"),
    "intensity": ("intensity",),
    "audits of us": ("web/audit/pages/ours.py", "web/audit/pages/findings.py", "services/audits/days_said.py"),
    "sales": ("services/custody/farm_sales.py", "services/reports/slip_signing.py"),
}  # fmt: skip
"""Which modules make the texts of which room, in the order in which a farm meets them."""
ON_PAPER: Final = frozenset({
    "report/pdf.py", "report/print_view.py", "report/gap_map.py", "report/document.py",
    "report/unit_working.py", "report/record_rows.py",
    "report/passes.py", "report/outlines.py", "report/leaves_file.py", "report/supporting_records.py",
    "web/middleware/headers.py", "web/middleware/idempotency.py", "web/organisation/api/grants.py",
    "web/organisation/api/members.py", "web/organisation/api/notices.py",
    "services/news/posting.py", "web/organisation/api/organisation.py", "services/farm/verdicts.py",
    "records/json_schema.py", "formats/child.py", "formats/template_layout.py",
    "report/verdict_tables.py", "services/farm/check.py", "services/farm/judged.py", "services/farm/stir_rows.py",
    "services/reports/on_disk.py", "intensity/county_yields.py",
})  # fmt: skip
"""Modules whose texts stand on signed papers, in files or on the command line, which are English."""
SILENT: Final = frozenset({
    "cast", "compile", "debug", "encode", "endswith", "fullmatch", "get", "getLogger", "getattr", "joinpath",
    "partition", "path", "read_csv", "read_text", "removeprefix", "removesuffix", "replace", "reverse", "split",
    "startswith", "strftime", "TypeVar",
})  # fmt: skip
"""Calls whose texts nobody reads."""
UNHELD: Final = (
    "and no file that could hold it is linked (needed: {what}, there and unchanged, of this unit and day): "
    "counted as {shown}."
)
ASKED: Final = (
    "The list of names has no {text}. Did you mean {names}? Write that one, or keep what is typed: no list knows"
    " more of it."
)
PUT_TOGETHER: Final[Mapping[str, tuple[str, ...]]] = {
    "audits of us": (
        "{agreed}, {apart} from now", "days", "Major", "Minor", "Observation", "Raised", "Responded", "Resolved",
        "Reopened", "Changed", "Corrected", "Explained", "Stands", "misstatement", "no misstatement", "Favorable",
        "Qualified", "Adverse", "Disclaimed", "Reasonable", "Limited", "Stated: {opinion}", "Due soon", "Running",
        "Not needed", "On time", "No contract", "Your answer", "Where it shows",
        "Records you corrected, files you added.", "Records or entries you corrected, papers.",
        "Your commitment", "The secret behind your commitment",
        "As “provender audit seed” shows it. Without one the server makes your part.", "Farm", "First point",
        "First point of aggregation", "Intermediary", "Processor", "Refiner",
    ),
    "shell": (
        *(
            f"{{practice}} {how}: {{why}} It rests on {{first}}{more}."
            for how in ("cannot be met on {unit}", "is claimed on {unit}, and your records say otherwise")
            for more in ("", " (and {more} more)")
        ),
        "sealed here", "no practice", "and method",
        "January",
        "calculator final",
            "records complete", "rule current", "signs", "replaced",
        "calculator final: {one}, records complete: {two}, rule current: {three}",
        "{tons}\u00a0t over {bushels} bu", "${dollars} at your ${price} a ton",
        "${dollars} at your ${price} a ton, {cents}¢ a bushel",
        "rows", "number", "hash", "first day", "last day", "purpose", "verifier", "signed on", "seller",
        "buyer", "files", "roles", "name",
        "yes", "no", "not shown", "not met", "met", "not recorded", "nothing", "not known", "none claimed",
        "{met} of {claimed} met",
        "Chrome on {system}", "Edge on {system}", "Firefox on {system}", "Opera on {system}", "Safari on {system}",
        "Samsung Internet on {system}", "A browser on {system}",
    ),
    "intensity": ("none entered", "EXAMPLE", "PRELIMINARY", "UNLISTED", "ESTIMATE", "official"),
    "farm pages": (
        ASKED,
        *(
            f"{why}Recorded in the field{moment}"
            for why in ("", "{why}. ")
            for moment in ("", " {when}", " at {where}", " {when} at {where}", " {when} at {where} within {meters} m")
        ),
    ),
    "practices": (
        "The {what} row does not count: {evidence} is of {day}, before {since}.",
        "The {what} row does not count: {evidence} is a {value}, which counts nothing.",
        "at least {bound}", "at most {bound}", "acres seeded", "acre seeded", "lb N/ac planned",
        "sources without an answer", "source without an answer", "lb N/ac with inhibitor",
        "applications of synthetic N in the fall",
        "application of synthetic N in the fall", "full-width passes", "full-width pass", "inversion passes",
        "inversion pass", "full-width passes between termination and planting", "acres", "acre", "pass", "passes",
        "full-width pass between termination and planting", "lb N/ac after emergence, reductions included",
        "days from planting to first synthetic N", "day from planting to first synthetic N",
        "days from first synthetic N to planting", "day from first synthetic N to planting", "intensive tillage",
        "{names} says {word}, " + UNHELD,
        "{names} say {word}, " + UNHELD,
        "trace nitrogen", "Answered by {producer_id} on {made_on}.",
        "{what} in {rows} rows.", "{what} in 1 row.", "{cause}; needed is {what}.", "bushels", "row",
        "or Expert opinions: Employed or approved by and given on", "(by whose guidance)", "zero is an answer",
        "and synthetic N need (they show the adjustment)", "where nothing is taken off for the legume",
        "rows", "invoice", "receipt", "photograph", "field operations", "with inhibitor", "the county",
    ),
}  # fmt: skip
"""What rooms put together of parts that alone are too short to be known as words."""
NO_WORDS: Final = frozenset({
    "{unit} and {across}", "Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp",
    "Rest", "Access", "Lax", "Pp", "Calibri", "General", "Edit", "field {pk} {handle}", "field account {person}",
    "the last try returns or raises", "a dataclass becomes a mapping", "farm.county_fips unit.county_fips",
    "!entry soil_test.unit_id", "{unit_id} drawn.geojson",
})  # fmt: skip
"""Names of types, caches, fonts, columns and kinds of characters that look like words."""
MOST: Final = 16
"""Wordings that one sentence with choices in it is written out in."""
_WORD: Final = re.compile(r"[A-Za-zÀ-ÿ]{2,}")
_PLACE: Final = re.compile(r"\{\w+\}")
_CODE: Final = re.compile(
    r"[\\<>|=*^]|%s|%\(|://|^\s*[-#(]|\bSELECT\b|\w\(\)|^[\w./-]+$|^[a-z_]+( [a-z_]+)?$|\$\{|_[a-z]+_|\w\[\w"
    r"|^[a-z]+( [a-z]+)* \d+ *$|^EPSG"
)
_QUOTED: Final = r"u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
SAID: Final = re.compile(r"(?:\bsaid|Said)`((?:[^`$]|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*)`")
VALUE: Final = re.compile(r"\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\}")
_GETTEXT: Final = re.compile(rf"(?:\b(n?)gettext|[ (]_)\({_QUOTED}(?:,\s*{_QUOTED})?")


class Texts(ast.NodeVisitor):
    """The texts of a module that a person may read, as patterns."""

    def __init__(self) -> None:
        self.found: dict[str, None] = {}

    def visit_Expr(self, node: ast.Expr) -> None:
        """Pass by docstrings."""
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Pass by what is written for machines."""
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in SILENT:
            self.visit(node.func)
            return
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Take a text."""
        if isinstance(node.value, str):
            self._take(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Take a text with places in it, in each of its wordings, and the texts within its places."""
        for wording in wordings(node):
            self._take(wording)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def _take(self, text: str) -> None:
        text = text.strip()
        if is_said(text) and text not in NO_WORDS:
            self.found[text] = None


def is_said(text: str) -> bool:
    """Tell whether a text is written for people: words, with a space or a capital, and no code."""
    bare = _PLACE.sub("", text)
    if not _WORD.search(bare) or _CODE.search(bare) or "\n" in text:
        return bool(re.fullmatch(r"[A-Z][a-z]+(-[a-z]+)*", text))
    letters = sum(map(len, _WORD.findall(bare)))
    return letters > 2 and (" " in text.strip() or text[0].isupper())  # noqa: PLR2004 - "an", "of", "at"


def wordings(node: ast.JoinedStr) -> Iterator[str]:
    """Yield a formatted text with names for its places; a choice between fixed words is written out."""
    names: dict[str, str] = {}
    parts = [_wordings_of(part, names) for part in node.values]
    for number, chosen in enumerate(product(*parts)):
        if number < MOST:
            yield "".join(chosen)


def _wordings_of(part: ast.expr, names: dict[str, str]) -> list[str]:
    if isinstance(part, ast.Constant):
        return [str(part.value)]
    if isinstance(part, ast.FormattedValue):
        fixed = _fixed(part.value, names)
        return fixed or [_place(part.value, names)]
    return [_place(part, names)]


def _fixed(value: ast.expr, names: dict[str, str]) -> list[str]:
    """Return the texts between which an expression chooses; nothing where it holds anything else."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return [value.value]
    if isinstance(value, ast.JoinedStr):
        parts = [_wordings_of(part, names) for part in value.values]
        return ["".join(chosen) for chosen in product(*parts)]
    if isinstance(value, ast.IfExp):
        one, other = _fixed(value.body, names), _fixed(value.orelse, names)
        return [*one, *other] if one and other else []
    return []


def _place(value: ast.expr, names: dict[str, str]) -> str:
    written, name = ast.unparse(value), _name(value)
    while names.get(name, written) != written:
        digits = re.search(r"\d*$", name)
        at = digits.start() if digits else len(name)
        name = f"{name[:at]}{int(name[at:] or 1) + 1}"
    names[name] = written
    return "{" + name + "}"


def _name(value: ast.expr) -> str:
    """Return what a place is called after: the last name of its expression."""
    if isinstance(value, ast.Name):
        return value.id
    if isinstance(value, ast.Attribute):
        return value.attr
    if isinstance(value, ast.Subscript):
        key = value.slice.value if isinstance(value.slice, ast.Constant) else None
        return key if isinstance(key, str) and key.isidentifier() else _name(value.value)
    if isinstance(value, ast.Call):
        return _name(value.args[0]) if value.args else _name(value.func)
    if isinstance(value, ast.IfExp):
        return _name(value.body)
    first: ast.expr | None = next((one for one in ast.iter_child_nodes(value) if isinstance(one, ast.expr)), None)
    return _name(first) if first is not None else "value"


def modules(room: str) -> Iterator[Path]:
    """Yield the modules of a room."""
    for name in ROOMS[room]:
        place = SOURCE / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            if str(path.relative_to(SOURCE)) not in ON_PAPER:
                yield path


@cache
def texts_of(path: Path) -> tuple[str, ...]:
    """Return the texts of a module, in their order."""
    walk = Texts()
    walk.visit(ast.parse(path.read_text(encoding="utf-8")))
    return tuple(walk.found)


@cache
def of_rooms() -> Mapping[str, Mapping[str, str]]:
    """Return for each room its texts, each with the module that says it first; the first that has one keeps it."""
    seen: set[str] = set()
    found: dict[str, dict[str, str]] = {"templates": {}}
    for one in of_templates():
        seen.update(one)
    for room in ROOMS:
        of_room = found.setdefault(room, {})
        for path in modules(room):
            for text in texts_of(path):
                if text not in seen:
                    seen.add(text)
                    of_room[text] = str(path.relative_to(SOURCE))
        for text in PUT_TOGETHER.get(room, ()):
            if text not in seen:
                seen.add(text)
                of_room[text] = f"{room}, put together"
        if room == "records":
            _take_choices(of_room, seen)
    return found


def _take_choices(of_room: dict[str, str], seen: set[str]) -> None:
    """Add the words of choices as forms write them."""
    from provender.records.kind import KINDS
    from provender.web.inputs import sign

    for kind in KINDS.values():
        for name, found in kind.fields.items():
            words = [each.replace("_", " ").capitalize() for each in found.options]
            for text in [
                found.label,
                found.help,
                *words,
                *([sign(found.unit)] if _WORD.search(sign(found.unit)) else []),
            ]:
                if text and text not in seen:
                    seen.add(text)
                    of_room[text] = f"records, {kind.name}.{name}"


@cache
def of_templates() -> Mapping[tuple[str, ...], str]:
    """Return the texts of the templates, each alone or with its plural, with the template that says it first."""
    found: dict[tuple[str, ...], str] = {}
    for name in SHOWN:
        place = TEMPLATES / name
        for path in sorted(place.rglob("*.html")) if place.is_dir() else [place]:
            read = templatize(path.read_text(encoding="utf-8"))
            for many, one, more in _GETTEXT.findall(read):
                said = ast.literal_eval(one), *([ast.literal_eval(more)] if many and more else [])
                found.setdefault(said, str(path.relative_to(TEMPLATES)))
    return found


def scripts() -> Iterator[Path]:
    """Yield the scripts of the pages that are our own and written by hand."""
    yield from (one for one in sorted(SCRIPTS.rglob("*.js")) if "vendor" not in one.parts and one != WORDS)


@cache
def of_scripts() -> Mapping[str, str]:
    """Return what scripts say, ``{1}`` for its first value, each with the script that says it first."""
    found: dict[str, str] = {}
    for path in scripts():
        for text in said_in(path.read_text(encoding="utf-8")):
            found.setdefault(text, str(path.relative_to(SOURCE)))
    return found


def said_in(script: str) -> Iterator[str]:
    """Yield the texts after ``said`` in a script, and those within their values."""
    for found in SAID.finditer(script):
        first, *parts = VALUE.split(found[1])
        yield first + "".join(f"{{{number}}}{part}" for number, part in enumerate(parts, 1))
        for value in VALUE.findall(found[1]):
            yield from said_in(value)


def words_of(made: Catalog) -> str:
    """Return the script that Spanish pages load before the others: each text of a script with its Spanish."""
    pairs = {text: made[text].string for text in of_scripts() if made[text].string}
    lines = ",\n".join(f"  {json.dumps(one)}: {json.dumps(into, ensure_ascii=False)}" for one, into in pairs.items())
    head = "// What scripts say in Spanish: python tools/spanish.py writes it from the catalogue."
    return f"{head}\nwindow.provenderWords = {{\n{lines}\n}};\n"


def read() -> Catalog:
    """Return the catalogue as it is written."""
    with PO.open("rb") as file:
        return read_po(file, locale="es")


def wanted() -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every text with where it is said: templates first, then the rooms."""
    yield from ((said, f"templates/{path}") for said, path in of_templates().items())
    for texts in of_rooms().values():
        yield from (((text,), path) for text, path in texts.items())
    known = {
        text for one in (*of_templates(), *((text,) for texts in of_rooms().values() for text in texts)) for text in one
    }
    yield from (((text,), path) for text, path in of_scripts().items() if text not in known)


def merged(old: Catalog) -> Catalog:
    """Return the catalogue with every text that is said, in their order, and the Spanish it had."""
    had = {key_of(one.id): one.string for one in old if one.id}
    made = Catalog(locale="es", project="provender", header_comment=old.header_comment, fuzzy=False,
                   creation_date=old.creation_date, revision_date=old.revision_date, charset="utf-8")  # fmt: skip
    for said, path in wanted():
        blank: Any = tuple("" for _ in said) if len(said) > 1 else ""
        made.add(said if len(said) > 1 else said[0], had.get(said, blank), auto_comments=[path])
    return made


def key_of(identifier: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the texts of an entry: one, or a text and its plural."""
    return (identifier,) if isinstance(identifier, str) else tuple(identifier or ())


def main() -> int:
    """Bring the catalogue up to date and compile it; say what is still blank."""
    made = merged(read())
    with PO.open("wb") as file:
        write_po(file, made, width=130, omit_header=False, include_previous=False)
    compile_catalogue(made)
    WORDS.write_text(words_of(made), encoding="utf-8")
    blank = [one for one in made if one.id and not all(key_of(one.string))]
    sys.stdout.write(f"{len(made)} texts, {len(blank)} without Spanish.\n")
    return 0


def compile_catalogue(made: Catalog, path: Path = MO) -> None:
    """Write what Django reads."""
    with path.open("wb") as file:
        write_mo(file, made)


if __name__ == "__main__":
    sys.path.insert(0, str(SOURCE.parent))
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "provender.web.settings")
    django.setup()
    sys.exit(main())
