"""Papers as files: what a printout says beside its table, and invoices and blend tickets of retailers.

Of a printout only what is printed is taken: what it does not show is left blank, not filled from the book.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from provender.catalog.places import counties
from provender.catalog.words import About, listed_name, meaning
from provender.days import DayTextError, read_day
from provender.formats.columns import matched, suggest, target
from provender.formats.importing.incoming_files import PAPER_READ, Arrival
from provender.formats.mapped import map_book, shipped_maps
from provender.formats.parsed import ColumnMap, MappedRow, Sheet, WorkbookFile, doubt, note, plain_heading
from provender.formats.units import UnitError, canonical, convert, identifier, number_out, read_number
from provender.formats.work import crop_of
from provender.problem import Place, Problem
from provender.records.book import HASH_SHOWN
from provender.records.kind import Kind
from provender.rule.calculators import packaged_calculators
from provender.signing.canonical import canonical_json, sha256_hex

# What the headings of a table cannot say of its rows: the calculator and its version, a county's code, the paper.

RUN: Final = "calculator_run"
_DAYS: Final = (
    r"\d{4}-\d\d?-\d\d?|\d\d?[/.-]\d\d?[/.-](?:\d{4}|\d\d)|[a-z]{3,9}\.? \d\d?,? \d{4}|\d\d? [a-z]{3,9} \d{4}"
)
_BESIDE: Final[Mapping[str, re.Pattern[str]]] = {
    "run_on": re.compile(rf"\b(?:run|calculation|report) (?:date|on)\s*:?\s*({_DAYS})(?!\d)", re.IGNORECASE),
    "county_fips": re.compile(
        r"\bcounty\s*[:\n]\s*(?:[^\n(]*\((?=\d{5}\)))?(\d{5}\b|[a-z .']+,\s*[a-z ]+?)(?=[\n()]|\s\s|$)", re.IGNORECASE
    ),
}
"""What a printout says of all its runs, with a word before it: the day, and the county by code or by name."""


EVIDENCE_OF: Final[Mapping[str, str]] = {
    RUN: "printout",
    "soil_test": "laboratory_report",
    "reported_acres": "usda_record",
    "planting": "usda_record",
    "inhibitor_purchase": "invoice",
    "seed_purchase": "invoice",
    "scale_ticket": "ticket",
    "sale": "receipt",
}
"""What a paper is, by the kind of record that it shows; any other is kept as other."""
OF_OTHERS: Final = ("soil_test", "scale_ticket", "sale")
"""Kinds whose lists a laboratory or a buyer hands out as a table: the file is the paper."""


def is_shipped(column_map: ColumnMap) -> bool:
    """Tell whether a layout is one that a laboratory or an elevator is known to write."""
    return any(each.name == column_map.name for each in shipped_maps())


def kept_as_paper(kind: Kind, column_map: ColumnMap, file: str) -> Problem:
    """Say that a list is kept as the paper of its rows; one whose layout no map knows may be a farm's own."""
    what = EVIDENCE_OF[kind.name].replace("_", " ")
    cause = f"the file is kept as evidence of its rows, as a {what}."
    place = Place(file)
    if is_shipped(column_map):
        return note(place, cause, "Nothing to do.", "kept_as_paper")
    remedy = "Confirm that it is as the laboratory or the buyer made it; a list of your own goes into our template."
    return doubt(place, cause, remedy, "kept_as_paper")


def complete_runs(rows: Iterable[MappedRow], head: Iterable[str]) -> None:
    """Add to runs what their headings cannot say: calculator and version, the county's code, their crop entry.

    Calculator, day and county may stand beside the table, among all texts of the file. A run is of its unit's entry.
    """
    texts = [text.strip() for text in head if text.strip()]
    common = _calculator(texts) | _above_the_runs(texts)
    for row in rows:
        values = {**common, **row.values}
        values["county_fips"] = _county_code(values.get("county_fips", ""))
        values["harvest_id"] = values.get("harvest_id") or values.get("unit_id", "")
        row.values.update({name: text for name, text in values.items() if text})


def _calculator(texts: Iterable[str]) -> dict[str, str]:
    """Return calculator, version and status where a listed version stands in the file; the longest name counts."""
    whole = f" {_folded(' '.join(texts))} "
    found = {}
    versions = packaged_calculators().versions
    for (tool, version), known in sorted(versions.items(), key=lambda each: len(each[0][1])):
        if f" {_folded(tool)} " in whole and f" {_folded(version)} " in whole:
            found = {"calculator": known.calculator, "version": known.version, "status": str(known.status)}
    return found


def _above_the_runs(texts: Iterable[str]) -> dict[str, str]:
    """Return day and county that stand beside a table once for all its runs."""
    found = _said_once(["\n".join(texts)], _BESIDE)
    try:
        # The calculator is USDA's, which writes the month first.
        return found | ({"run_on": read_day(found["run_on"], "mdy").isoformat()} if "run_on" in found else {})
    except DayTextError:
        return {name: text for name, text in found.items() if name != "run_on"}


def _said_once(texts: Sequence[str], patterns: Mapping[str, re.Pattern[str]]) -> dict[str, str]:
    """Return what stands in texts once; what stands there in two ways is none."""
    said = {
        name: {found.strip(" .;|") for text in texts for found in pattern.findall(text)}
        for name, pattern in patterns.items()
    }
    return {name: found.pop() for name, found in said.items() if len(found) == 1}


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[^\w.]+", " ", text.casefold()).split())


def _county_code(named: str) -> str:
    """Return the code of a county that is named in words: ``Story County, IA``; the text where it is none."""
    if not named or named.isdigit():
        return named
    wanted = _county_called(named)
    codes = [
        one.fips
        for one in counties().values()
        if wanted in {_county_called(f"{one.name} {one.state}"), _county_called(f"{one.name} {one.state_name}")}
    ]
    return codes[0] if len(codes) == 1 else named


def _county_called(county: str) -> str:
    return " ".join(re.sub(r"\b(county|parish)\b", " ", re.sub(r"\W+", " ", county.casefold())).split())


# Invoices and blend tickets: each line of an inhibitor or of cover-crop seed is evidence of its amount.
#
# What a line names decides what it is evidence of; where it names two things, or a crop that is sown for cash too, a
# person is asked. Other lines stay on the paper, which is kept, and are told one by one: nothing bought is applied yet.

_TARGET: Final = "invoice"
INHIBITOR: Final = "inhibitor_purchase"
SEED: Final = "seed_purchase"
_ALSO: Final = ("unit", "analysis", "number", "price", "acres")
"""Beside product and amount, what a list of goods says and another list does not."""
_KEPT_UNITS: Final = ("gal", "qt", "oz", "lb", "ton")
_INTO: Final = {
    "pt": "gal",
    "fl oz": "gal",
    "l": "gal",
    "ml": "gal",
    "cwt": "lb",
    "kg": "lb",
    "g": "lb",
    "tonne": "ton",
}
_SAID: Final = {"day": "received_on", "supplier": "supplier"}
_CASH: Final = frozenset({"corn", "soybeans", "sorghum", "wheat", "oats", "barley", "canola", "sunflowers"})
"""Crops whose seed is bought for cash and for cover alike."""
_WEIGHT: Final = re.compile(
    r"(?<![\d.,])(\d[\d,]*(?:\.\d+)?)[\s-]*(?:#|(?:lbs?|pounds?)\b\.?)"
    r"(?:\s*(?:pls\b\s*)?(?:/|per\b)\s*(\w+))?", re.IGNORECASE
)  # fmt: skip
"""A weight, and of what: pounds per acre are how thick seed is sown, those per bushel a test weight."""
_OF_BAG: Final = re.compile(r"\b(?:seed|bags?|totes?|bulk|vns|untreated|certified)\b", re.IGNORECASE)
_PACKED: Final = frozenset({"bag", "bags", "bg", "sack", "sacks", "unit", "units", "ea", "each"})
_EMPTY: Final = re.compile(r"\(\s*\)")
_SHOWN: Final = 40
"""Characters of a number that its purchase shows; the mark behind it tells longer ones apart."""
_COVER: Final = re.compile(r"\bcover\b", re.IGNORECASE)
_AMOUNT: Final = re.compile(r"\s*(\(?-?[\d.,]+\)?)\s*([A-Za-z][A-Za-z. ]*)?\s*")
_PRINTED: Final[Mapping[str, re.Pattern[str]]] = {
    "day": re.compile(
        r"\b(?:invoice|ticket|ship|delivery)?\s*date\W{1,3}(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4}|"
        r"[A-Za-z]{3,9}\.? \d{1,2},? \d{4}|\d{1,2}-[A-Za-z]{3}-\d{2,4})",
        re.IGNORECASE,
    ),
    "number": re.compile(
        r"\b(?:invoice|blend ticket|ticket)\s*(?:no\.?|number|num|#)\s*:?\s*([A-Za-z0-9-]{2,20})", re.IGNORECASE
    ),
}


def _is_invoice(sheet: Sheet, file: str) -> bool:
    """Tell whether a sheet is a list of goods: a product, an amount, and what only such a list says of them.

    A list of what went on which field is none, though a column of units could be one of amounts.
    """
    found = suggest(sheet, target(_TARGET), file)
    fields = {rule.field: plain_heading(rule.heading) for rule in found.map.columns} if found else {}
    if not {"product", "amount"} <= fields.keys() or not fields.keys() & set(_ALSO):
        return False
    return fields["amount"] not in target(_TARGET).fields["amount"].weak or not matched(sheet, "nutrient_application")


def take_invoice(arrival: Arrival, sheet: Sheet, said: Iterable[Problem], *, paper: bool) -> bool:
    """Add the rows of an invoice to what a file brings; False where the sheet is none.

    What was read off a ``paper`` has rows that a person may have named; ``said`` are the problems of that reading.
    """
    source, choices = arrival.source, arrival.choices
    if not _is_invoice(sheet, source.name):
        return False
    order = choices.otherwise
    parsed = map_book(WorkbookFile(source.name, (sheet,)), _TARGET, choices.maps, choices.date_order, order)
    if parsed.result is None:
        return False
    problems = [*said, *parsed.problems]
    lines = [row for table in parsed.result.tables for row in table.rows]
    if paper and choices.rows:
        lines = [row for row in lines if row.number in choices.rows]
    # Day and number that stand once above the lines are those of lines that have none of their own.
    printed = _said_once([" ".join(filter(None, line.cells)) for line in sheet.lines], _PRINTED)
    made: dict[str, list[MappedRow]] = {INHIBITOR: [], SEED: []}
    lines_of = Counter[str]()
    for line in lines:
        place = Place(source.name, sheet.name, line.number)
        kind = _kind_of(line.values.get("product", ""), place, line.values, problems)
        whole = {**printed, **line.values}
        values = _bought(kind, whole, place, problems) if kind else None
        if values is not None:
            key = _purchase_id(whole, lines_of)
            made[kind].append(MappedRow(line.number, {**values, **({"purchase_id": key} if key else {})}))
    # What is said of a line that was not taken is the file's: in a table it would reject a row of its own.
    read_off = [each for each in problems if each.code == PAPER_READ]
    for kind, rows in made.items():
        if rows:
            arrival.add(kind, rows, sheet=sheet.name, told=read_off, waits=True, on_file=True)
    arrival.problems += [each for each in problems if not any(made.values()) or each.code != PAPER_READ]
    arrival.keep_as("invoice", waits=True)
    return True


def _purchase_id(line: Mapping[str, str], lines_of: Counter[str]) -> str:
    """Return what names a line wherever it stands in whichever copy of its invoice, and no line of another invoice.

    Numbers are a supplier's own: where neither supplier nor day is beside one, what the line says tells it (empty).
    ``lines_of`` counts those of one product.
    """
    number, *whose = (" ".join(line.get(name, "").casefold().split()) for name in ("number", "supplier", "day"))
    if not number or not any(whose):
        return ""
    mark = sha256_hex(canonical_json([number, *whose, " ".join(line["product"].casefold().split())]))[:HASH_SHOWN]
    lines_of[mark] += 1
    return f"{identifier(line['number'], _TARGET)[:_SHOWN]}-{mark}-{lines_of[mark]}"


def _kind_of(product: str, place: Place, values: Mapping[str, str], problems: list[Problem]) -> str:
    """Return the kind of record that a line is evidence for; empty for none, which is told."""
    bought = " ".join(filter(None, (values.get("amount"), values.get("unit"))))
    named = f"{product!r}" + (f" ({values['analysis']})" if values.get("analysis") else "")
    inhibitor, species = meaning(About.INHIBITOR, product).names, meaning(About.SPECIES, product).names
    fertilizer = meaning(About.PRODUCT, product).names
    if listed_name(About.INHIBITOR, product) or (inhibitor and not fertilizer and not species):
        return INHIBITOR
    sown = species and not fertilizer
    cash = {crop_of(word) for word in re.findall(r"[A-Za-z]+", product)} & _CASH
    if inhibitor:
        tell, why, code = doubt, "it names an inhibitor together with something else; it was not taken", "line_of_two"
        remedy = "Enter the amount of the inhibitor alone under Inhibitor bought."
    elif sown and (_COVER.search(product) or not cash):
        return SEED
    elif sown:
        tell, why, code = doubt, "it may be seed of a cash crop; it was not taken", "line_of_cash_crop"
        remedy = "If it was sown as a cover, enter it under Cover-crop seed."
    elif fertilizer:
        tell, why, code = note, "it is a fertilizer; it stays on the paper", "line_left"
        remedy = "Nothing: what was bought is entered when it is applied."
    else:
        tell, code = doubt, "line_left"
        why = "it is no inhibitor and no cover-crop seed of the lists; it stays on the paper"
        remedy = "Enter it, if it was one."
    problems.append(tell(place, f"{named}, {bought}: {why}.", remedy, code))
    return ""


def _bought(kind: str, line: Mapping[str, str], place: Place, problems: list[Problem]) -> dict[str, str] | None:
    """Return what a line says of a purchase; None where nothing was bought. An amount without use is told."""
    found = _amount(line, place, problems)
    if found is None:
        return None
    values = {"species": _species(line["product"])} if kind == SEED else {"product": line["product"]}
    values |= {column: line[field] for field, column in _SAID.items() if line.get(field)}
    try:
        return values | (_seed(*found, line) if kind == SEED else _inhibitor(*found))
    except UnitError as wrong:
        cause = f"{line['product']!r}, {line['amount']} {line.get('unit', '')}: {wrong}; its amount was not taken."
        problems.append(Problem(place, cause, "Type the amount in pounds or gallons.", code="line_unit"))
        return values


def _species(product: str) -> str:
    """Return what is sown without the words of its bag, where the list knows that; all that is printed otherwise."""
    bare = _EMPTY.sub(" ", _OF_BAG.sub(" ", _WEIGHT.sub(" ", product)))
    bare = " ".join(bare.split()).strip(" ,-")
    return bare if meaning(About.SPECIES, bare).one else product


def _inhibitor(value: Fraction, unit: str) -> dict[str, str]:
    into = _INTO.get(unit, unit)
    if into not in _KEPT_UNITS:
        raise UnitError(f"{unit or 'no unit'} measures nothing of an inhibitor")
    return {"amount": number_out(value if into == unit else convert(value, unit, into))[0], "amount_unit": into}


def _seed(value: Fraction, unit: str, line: Mapping[str, str]) -> dict[str, str]:
    """Return pounds of seed; bags weigh what the line prints."""
    if unit in _PACKED:
        printed = _WEIGHT.findall(f"{line['product']} {line.get('unit', '')}")
        weights = {read_number(weight) for weight, of in printed if not of or of.casefold() in _PACKED}
        if len(weights) > 1:
            raise UnitError("the line prints more than one weight of a bag")
        if not weights:
            raise UnitError("the line prints no weight of a bag")
        return {"pounds": number_out(value * weights.pop())[0]}
    return {"pounds": number_out(convert(value, unit, "lb"))[0]}


def _amount(line: Mapping[str, str], place: Place, problems: list[Problem]) -> tuple[Fraction, str] | None:
    """Return the amount of a line and its unit; None, told, where it is no amount that was bought."""
    said = _AMOUNT.fullmatch(line.get("amount", ""))
    try:
        value = read_number(said[1].strip("()")) if said else Fraction(0)
    except DayTextError:
        value = Fraction(0)
    back = said is not None and said[1].startswith("(")
    if value <= 0 or back:
        cause = f"{line['product']!r}: {line.get('amount', '')[:40]!r} is no amount that was bought; it was not taken."
        remedy = "Where goods went back, type what was kept."
        problems.append(Problem(place, cause, remedy, code="line_amount"))
        return None
    unit = line.get("unit") or (said[2] or "" if said else "")
    return value, canonical(unit) or unit.strip().casefold().rstrip(".")
