"""Units other people write, and exact conversion between those of one kind.

Factors are fractions from the definitions (pound 0.45359237 kg, inch 2.54 cm, international acre 43,560 square feet, US
gallon 231 cubic inches), so nothing is lost before the one rounding at the end. Pounds per acre and parts per million
of soil are not interchangeable without a depth and a bulk density, and are refused.
"""

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import chain, count
from typing import Final

from provender.days import DayTextError as ValueTextError
from provender.exact import half_even, show
from provender.formats.parsed import doubt
from provender.problem import Place, Problem

_KG: Final = 1 / Fraction("0.45359237")
_CM: Final = 1 / Fraction("2.54")
_HECTARE: Final = Fraction(10_000) / (43_560 * Fraction("0.3048") ** 2)
_LITRE: Final = Fraction(1000) / (231 * Fraction("2.54") ** 3)
_KM: Final = 1 / Fraction("1.609344")
_GALLONS: Final = {
    "gal": Fraction(1),
    "qt": Fraction(1, 4),
    "pt": Fraction(1, 8),
    "fl oz": Fraction(1, 128),
    "l": _LITRE,
    "ml": _LITRE / 1000,
}
_POUNDS: Final = {
    "lb": Fraction(1),
    "oz": Fraction(1, 16),
    "cwt": Fraction(100),
    "ton": Fraction(2000),
    "kg": _KG,
    "g": _KG / 1000,
    "tonne": _KG * 1000,
}


def _per_area(masses: Iterable[str] = _POUNDS, of: str = "") -> dict[str, Fraction]:
    # *G/A* on a ticket is gallons an acre sooner than grams: it is asked.
    whole = {f"{unit}{of}/ac": _POUNDS[unit] for unit in masses if unit != "g"}
    return whole | {f"{unit}{of}/ha": _POUNDS[unit] / _HECTARE for unit in masses}


# kind of quantity -> unit -> how many of the first unit it is
KINDS_OF_UNIT: Final[dict[str, dict[str, Fraction]]] = {
    "mass": _POUNDS,
    "volume": _GALLONS,
    "length": {
        "in": Fraction(1),
        "ft": Fraction(12),
        "yd": Fraction(36),
        "cm": _CM,
        "mm": _CM / 10,
        "m": _CM * 100,
    },
    "area": {"acres": Fraction(1), "ha": _HECTARE, "m2": _HECTARE / 10_000},
    "speed": {"mph": Fraction(1), "km/h": _KM, "m/s": _KM * Fraction(36, 10), "ft/s": Fraction(15, 22)},
    "mass per area": _per_area(),
    "volume per area": {
        **{f"{unit}/ac": factor for unit, factor in _GALLONS.items()},
        **{f"{unit}/ha": factor / _HECTARE for unit, factor in _GALLONS.items()},
    },
    **{f"{nutrient} per area": _per_area(("lb", "kg"), f" {nutrient}") for nutrient in ("N", "P2O5", "K2O")},
    "share": {"ppm": Fraction(1), "pct": Fraction(10_000), "g/kg": Fraction(1000)},
    "bushels": {"bu": Fraction(1)},
    "bushels per area": {"bu/ac": Fraction(1), "bu/ha": 1 / _HECTARE},
    "weight per bushel": {"lb/bu": Fraction(1)},
    "money per bushel": {"$/bu": Fraction(1), "cents/bu": Fraction(1, 100)},
    "money": {"$": Fraction(1)},
}

_ALIASES: Final = {
    **dict.fromkeys(("lbs", "pound", "pounds", "#"), "lb"),
    **dict.fromkeys(("ounce", "ounces", "ozs"), "oz"),
    **dict.fromkeys(("tons", "short ton", "short tons"), "ton"),
    **dict.fromkeys(("mt", "tonnes", "metric ton", "metric tons"), "tonne"),
    **dict.fromkeys(("kgs", "kilogram", "kilograms"), "kg"),
    **dict.fromkeys(("inch", "inches", '"'), "in"),
    **dict.fromkeys(("feet", "foot", "'"), "ft"),
    **dict.fromkeys(("ac", "acs", "acre"), "acres"),
    **dict.fromkeys(("hectare", "hectares"), "ha"),
    **dict.fromkeys(("mi/h", "mi/hr"), "mph"),
    **dict.fromkeys(("kph", "kmh", "kmph", "km/hr"), "km/h"),
    **dict.fromkeys(("%", "percent", "pct.", "prcnt"), "pct"),
    **dict.fromkeys(("mg/kg", "ug/g", "µg/g", "parts per million"), "ppm"),
    **dict.fromkeys(("bushel", "bushels", "bu."), "bu"),
    **dict.fromkeys(("gallon", "gallons", "gals", "us gal", "us gallon", "us gallons"), "gal"),
    **dict.fromkeys(("quart", "quarts", "qts"), "qt"),
    **dict.fromkeys(("pint", "pints", "pts"), "pt"),
    **dict.fromkeys(("floz", "fl. oz", "fluid ounce", "fluid ounces"), "fl oz"),
    **dict.fromkeys(("liter", "litre", "liters", "litres"), "l"),
    **dict.fromkeys(("lbs/bu", "lb/bushel", "#/bu"), "lb/bu"),
    **dict.fromkeys(("usd/bu", "dollars/bu"), "$/bu"),
    **dict.fromkeys(("usd", "dollars"), "$"),
    "gpa": "gal/ac",
    "ppa": "lb/ac",
    **dict.fromkeys(("tpa", "t/ac", "t/acre", "t/a"), "ton/ac"),
    **dict.fromkeys(("bpa", "bu/a"), "bu/ac"),
}
_KIND_OF: Final = {unit: kind for kind, units in KINDS_OF_UNIT.items() for unit in units}


_PPM_OF_POUNDS: Final = (
    "Ask the laboratory for ppm; or divide the pounds by 0.3 for each inch of the sample's depth (by 2 for 6 to 7"
    " inches) and write that as ppm."
)
"""What to do with pounds per acre of soil: an acre-inch of it weighs 300,000 lb by the laboratories' convention."""


class UnitError(ValueError):
    """Two units of different kinds, or a unit nobody knows here; the message is for a person.

    ``remedy`` says what to do where that follows from the units; empty elsewhere.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        """Keep what to do beside what is wrong."""
        super().__init__(message)
        self.remedy = remedy


_POWER: Final = re.compile(r"(.+?)[ *]*1?[ *]*(ac|acre|acres|ha|hr?|s)[ ^]*-1")
"""``lb1ac-1``, ``kg ha-1`` and ``mi1hr-1``, as machines' programs write a rate and a speed."""
_ACRES: Final = re.compile(r"(.+) (acs?|acres?|ha|hectares?)")
_OF_PRODUCT: Final = re.compile(r"\s*\b(?:of )?(?:prod(?:uct)?|material)\b")


@lru_cache(maxsize=4096)  # the same units in every heading, of every kind
def canonical(text: str) -> str:
    """Return our spelling of a unit, or empty where it is not known."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace("\u00b7", " ")
    plain = re.sub(r"(?<=[a-z])\.", "", " ".join(plain.lower().split()))
    whole = _ALIASES.get(plain, plain)
    if whole in _KIND_OF:
        return whole
    plain = re.sub(r"\s*(?:/|\bper\b)\s*", "/", plain)
    if found := _POWER.fullmatch(plain) or (None if "/" in plain else _ACRES.fullmatch(plain)):
        plain = f"{found[1]}/{found[2]}"
    top, _, bottom = plain.partition("/")
    below = {"acres": "ac", "a": "ac"}.get(_ALIASES.get(bottom, bottom), _ALIASES.get(bottom, bottom))
    above = _OF_PRODUCT.sub("", top) if below in ("ac", "ha") else top
    above = "tonne" if (above, below) == ("t", "ha") else _ALIASES.get(above, above)
    joined = _ALIASES.get(f"{top}/{bottom}", f"{above}/{below}")
    return joined if joined in _KIND_OF else _of_nutrient(text)


_NUTRIENTS: Final = {
    "n": "N",
    "nitrogen": "N",
    "p2o5": "P2O5",
    "phosphate": "P2O5",
    "k2o": "K2O",
    "potash": "K2O",
}
"""Phosphorus and potassium as elements are none of these."""
_NUTRIENT: Final = re.compile(
    rf"(?<![a-z0-9])(?:(?:of|actual|act|total) )*({'|'.join(_NUTRIENTS)})(?: actual)?(?![a-z0-9])"
)


def _of_nutrient(text: str) -> str:
    plain = re.sub(r"[_-]+", " ", unicodedata.normalize("NFKC", text).lower())
    plain = re.sub(r"(?<=[a-z])\.", "", " ".join(plain.split()))
    found = _NUTRIENT.findall(plain)
    if len(found) != 1 or text.strip() == "#N/A":  # which is an error of a spreadsheet
        return ""
    rest = " ".join(_NUTRIENT.sub(" ", plain).replace("(", " ").replace(")", " ").split())
    top, slash, area = canonical(re.sub(r"^units?\b", "lb", rest)).partition("/")
    unit = f"{top} {_NUTRIENTS[found[0]]}{slash}{area}"
    return unit if unit in _KIND_OF else ""


def without_nutrient(unit: str) -> tuple[str, str]:
    """Return the nutrient that a unit weighs, in small letters, and the unit without it, as of ``lb N/ac``."""
    top, slash, area = canonical(unit).partition("/")
    mass, _, nutrient = top.partition(" ")
    return (nutrient.lower(), f"{mass}{slash}{area}") if nutrient in _NUTRIENTS.values() else ("", unit)


def unit_kind(unit: str) -> str:
    """Return what a unit measures, such as mass per area; empty where it is not known."""
    return _KIND_OF.get(canonical(unit), "")


def convert(value: Fraction, unit: str, wanted: str) -> Fraction:
    """Convert exactly between two units.

    Raises:
        UnitError: one is unknown, or they measure different things.
    """
    old, new = canonical(unit), canonical(wanted)
    if unit.strip().lower() == wanted.strip().lower() or old == new != "":
        return value
    if not old:
        raise UnitError(f"the unit {unit!r} is not known")
    if not new or _KIND_OF[old] != _KIND_OF[new]:
        of_soil = new == "ppm" and _KIND_OF[old] == "mass per area"
        said = f"{unit} cannot be turned into {wanted}: they measure different things"
        raise UnitError(said, _PPM_OF_POUNDS if of_soil else "")
    units = KINDS_OF_UNIT[_KIND_OF[old]]
    return value * units[old] / units[new]


# Numbers as other people write them, read only where they can mean one thing; days are read by ``provender.days``.

_POINT: Final = re.compile(r"[-+]?(?:\d{1,15}|[1-9]\d{0,2}(?:,\d{3})+)?(?:\.\d{0,15})?", re.ASCII)
_COMMA: Final = re.compile(r"[-+]?(?:\d{1,15}|[1-9]\d{0,2}(?:[. ]\d{3})+)?(?:,\d{0,15})?", re.ASCII)
_FIGURES: Final = re.compile(r"[-+]?\d[\d.,]*", re.ASCII)


def _signs_of(text: str) -> str:
    """Return the signs that can stand before the fraction of a number: both where it can be read two ways."""
    return "".join(sign for sign, pattern in ((".", _POINT), (",", _COMMA)) if pattern.fullmatch(text))


def decimal_of(texts: Iterable[str]) -> str:
    """Return the sign before the fractions of a file's numbers; empty where its cells disagree.

    ``1,5`` says comma, ``2.5`` point. ``2.500`` and ``2,500`` say nothing by themselves: beside a comma, a point is
    taken for one between thousands only where a cell shows both signs, as ``2.500,5`` does.
    """
    numbers = {found[0] for text in texts if (found := _FIGURES.match(text.strip())) and {".", ","} & set(found[0])}
    commas = [text for text in numbers if _signs_of(text) == ","]
    if not commas:
        return "."
    either = [text for text in numbers if _signs_of(text) == ".,"]
    points = any(_signs_of(text) == "." for text in numbers)
    thousands = any("." in text for text in commas)
    lone = len(commas) == 1 and not thousands and bool(either)
    return "" if points or lone or (any("." in text for text in either) and not thousands) else ","


def read_number(text: str, decimal: str = ".") -> Fraction:
    """Read a number exactly; ``decimal`` is the sign before its fraction, the other groups thousands.

    Without a sign it is read only where it can mean one number.

    Raises:
        ValueTextError: it is no number, can be two, or says only what it is less than.
    """
    clean = text.replace("\u00a0", " ").replace("\u2212", "-").strip().removeprefix("$").strip()
    if not decimal and (decimal := _signs_of(clean) or ".") == ".," and not clean.isdigit():
        cause = f"{text!r} can be two numbers, since this file writes fractions with a point and with a comma"
        raise ValueTextError(cause, "Say in the column map which sign stands before a fraction, or correct the cells.")
    if clean.startswith(("<", ">")):
        remedy = "Ask for the value, or write the number you accept and say so in the note."
        raise ValueTextError(f"{text!r} is a limit, not a value", remedy)
    pattern = _COMMA if decimal == "," else _POINT
    digits = clean.strip("+-.,")
    if not digits or not pattern.fullmatch(clean):
        raise ValueTextError(f"{text[:40]!r} is not a number", "Write a plain number such as 12.5.")
    plain = clean.replace(".", "").replace(" ", "").replace(",", ".") if decimal == "," else clean.replace(",", "")
    return Fraction(plain.rstrip(".") or "0")


_RATING: Final = (
    r"(?:v(?:ery)?\.? ?)?(?:l(?:ow)?|m(?:ed(?:ium)?)?|h(?:igh)?)|e(?:xc(?:ess(?:ive)?)?)?|o(?:pt(?:imum)?)?"
    r"|s(?:uff(?:icient)?)?|d(?:ef(?:icient)?)?|adeq(?:uate)?|[*†‡^]+"
)
_RATED: Final = re.compile(
    rf"(?:(?:{_RATING})\s+)?(\d[\d.,]*(?:\s*(?:ppm|%|mg/kg))?)\s*[-/,]?\s*[(\[]?(?:{_RATING})?[)\]]?", re.IGNORECASE
)
_LIMIT: Final = re.compile(
    r"(?:[<>≤≥]|less than|more than|below|above)\s*\d.*|nd|n\.d\.|bdl|bd|b\.d\.l\.|trace|not detected", re.IGNORECASE
)


def without_rating(text: str) -> str:
    """Return a laboratory's value without the letters by which it rates it, as of ``180 M``, ``45 VH`` and ``3.1*``."""
    found = _RATED.fullmatch(text.strip())
    return found[1].strip() if found else text


def is_limit(text: str) -> bool:
    """Tell whether a laboratory says only what a value is below or above: ``<5``, ``ND``."""
    return _LIMIT.fullmatch(text.strip()) is not None


def limit_not_value(place: Place, what: str, text: str) -> Problem:
    """Ask about what a laboratory says only the limit of."""
    cause = f"{what} is {text!r}, which is no value: it stays blank, and the note says so."
    return doubt(place, cause, "Confirm it, or ask the laboratory for the value.", "limit_not_value")


def deep_sample(place: Place, top: str, bottom: str) -> Problem:
    """Ask about a sample from below the surface."""
    cause = f"the sample was taken from {top} to {bottom}, not from the surface."
    return doubt(place, cause, "Confirm that it may stand for the unit.", "deep_sample")


def number_out(value: Fraction, scale: int = 3) -> tuple[str, bool]:
    """Write a fraction with at most ``scale`` decimals, half even; the second value tells whether digits were lost."""
    whole = half_even(value.numerator * 10**scale, value.denominator)
    return show(whole, scale), Fraction(whole, 10**scale) != value


def identifier(text: str, otherwise: str = "field") -> str:
    """Return text as an identifier of a record: letters, digits and . _ : / # - ( ), at most eighty."""
    plain = re.sub(r"[^\w ._:/#()-]+", "-", without_accents(text), flags=re.ASCII).strip(" ._:/#()-")
    return plain[:80].rstrip() or otherwise


def without_accents(text: str) -> str:
    """Return text whose letters stand without their accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return an identifier for each name; names that would share one, or have one that is taken, are numbered apart.

    A name that is an identifier itself keeps it.
    """
    wanted = dict.fromkeys(names)
    found = {name: name for name in wanted if identifier(name) == name}
    used = {*taken, *found}
    for name in wanted:
        if name not in found:
            plain = identifier(name)
            found[name] = next(one for one in chain([plain], (f"{plain}-{at}" for at in count(2))) if one not in used)
            used.add(found[name])
    return found


# How a fertilizer went on, by the words with which a file or a machine names its work; nothing where two ways differ.


_WORDS: Final = (
    (r"broadcast\w*\W+(?:and\W+)?incorporat\w+", "broadcast_incorporated"),
    (r"y\W?drops?|drop nozzles?|drop hoses?", "sidedress"),
    (r"stream(?:ed|ers?| bars?)|dribbl\w+|surface band\w*", "banded"),
    (r"inject\w*|knif(?:e|ed|ing)|knives|strip\W?till\w*", "injected"),
    (r"(?:anhydrous|nh3) (?:applicator|bar|toolbar)", "injected"),
    (r"in\W?furrow|pop\W?up", "in_furrow"),
    (r"starter band|2\W?x\W?2", "starter_band"),
    (r"top\W?dress\w*", "topdress"),
    (r"foliar\w*", "foliar"),
    (r"fertigat\w+|chemigat\w+|(?:through |thru |by )?(?:the )?pivot", "fertigation"),
    (r"broadcast\w*\W(?:seed\w*\W)?by\W(?:air\w*|planes?|drones?|helicopters?)|aerial\w*\Wbroadcast\w*", "aerial"),
    (
        r"aerial\w*|(?:by |with |ag )?(?:air\W?)?planes?|by air|aircraft|air tractor|helicopters?|drones?|ua[vs]",
        "aerial",
    ),
    (r"fl(?:own|ew|y)(?: on)?|(?:crop\W?)?dust(?:er|ed)", "aerial"),
    (r"broadcast\w*|spread\w*|spinner\w*|floaters?", "broadcast"),
)
"""Words of fields and shops, those that say more before those that say less."""
_METHODS: Final = {method for _, method in _WORDS} | {"by_hand", "with_herbicide", "other"}
"""Methods of the list; readers, which run alone, load no records to know them."""
_SIDEDRESS: Final = r"\bside\W?dress"
"""It says when rather than how: any word of the others says more."""


def method_of(*texts: str) -> str:
    """Return how a product went on by the texts about it; empty where none tells, or two of them differ.

    A method of the list, as a person writes it in a column of methods, is that method.
    """
    listed = (re.sub(r"\W+", "_", text.strip().casefold()) for text in texts)
    if said := next((each for each in listed if each in _METHODS), ""):
        return said
    whole = " | ".join(texts).casefold()
    found = _meant(whole, _WORDS)
    if not found and re.search(_SIDEDRESS, whole):
        return "sidedress"
    return found.pop() if len(found) == 1 else ""


def _meant(text: str, words_of: Iterable[tuple[str, str]]) -> set[str]:
    """Return what a text means by words; what was read is read no second time."""
    found = set()
    for words, meaning in words_of:
        pattern = rf"\b(?:{words})\b"
        if re.search(pattern, text):
            found.add(meaning)
            text = re.sub(pattern, " ", text)
    return found


_KILLED: Final = (
    (r"winter\W?kill\w*|(?:killed by )?(?:frost|cold|froze\w*)(?: out| kill\w*)?", "winter_kill"),
    (r"roll\w*|crimp\w*", "roller_crimper"),
    (r"mow\w*|shredd?\w*|flail\w*|bush\W?hog\w*", "mowing"),
    (r"graz\w*", "grazing"),
    (r"hay\w*|bal(?:e|ed|ing)|silage|chopped|haylage", "mechanical_harvest"),
    (r"burn\W?down|herbicides?|chemical\w*|glyphosate|round\W?up\w*|gramoxone|paraquat|spray\w*|liberty", "herbicide"),
    (r"burn(?:ed|ing|t)?", "burning"),
    (r"(?<!no)(?<!no.)till\w*|dis[ck](?:ed|ing)?(?: (?:in|under))?|plow\w*|field cultivat\w*", "tillage"),
)
"""How covers ended, by the words of farms and shops."""


def ending_of(text: str) -> str:
    """Return how a cover crop ended; empty where a text does not tell, or names two ways."""
    found = _meant(text.casefold(), _KILLED)
    return found.pop() if len(found) == 1 else ""
