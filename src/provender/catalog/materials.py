"""What goes on a field: fertilizers, inhibitors, crops and species, as the packaged tables name them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from provender.catalog.tables import lookup_name, number, rows
from provender.exact import parse

# Products of the list that contain a nitrification inhibitor themselves.
_BRINGS_INHIBITOR: Final[Mapping[str, str]] = {"SuperU type urea (NBPT+DCD)": "dicyandiamide"}

GAS_N_PCT: Final = 80_000
"""Thousandths of a percent of N above which a product is anhydrous ammonia, a gas: it goes into the ground or away."""

ORGANIC: Final[Mapping[str, str]] = {
    "manure": (
        r"manure|slurry|litter|lagoon|dung|\b(?:poultry|turkey|chicken|hen)\W+pellet"
        r"|\bpellet\w*\W+(?:poultry|turkey|chicken|hen)\b"
    ),
    "compost": "compost|castings",
    "biosolids": "biosolid|sludge|milorganite",
    "wastewater": "wastewater|effluent",
    "organic_by_product": (
        r"digestate|(?:meat|soy|soybean|cottonseed|seed|gluten|crab|shrimp) ?meal|\b(?:blood|bone|feather)|fish|guano"
        r"|alfalfa|kelp|seaweed|molasses|vinasse|distillers|hydroly[sz]ate"
    ),
}
"""What products that the fertilizer list does not know are called, by the source of the budget they are."""
_NO_NUTRIENT: Final = frozenset({
    "lime", "limestone", "aglime", "gypsum", "boron", "zinc", "manganese", "copper", "iron", "molybdenum", "humic",
    "humate", "humates", "fulvic", "micronutrient", "micronutrients", "sulfur", "sulphur",
})  # fmt: skip
"""Products without nitrogen, phosphorus and potassium. A chelate or a blend of them may carry some."""
_AROUND: Final = frozenset({
    "ag", "agricultural", "calcitic", "dolomitic", "hydrated", "pelletized", "pelleted", "pell", "high", "calcium",
    "bulk", "elemental", "acid", "spread", "spreading", "vrt", "and",
})  # fmt: skip
"""Words that stand around theirs and add none."""


@dataclass(frozen=True, slots=True)
class Product:
    """One product."""

    name: str  # as listed
    n_pct: int  # thousandths of a percent by weight
    p2o5_pct: int  # thousandths of a percent by weight
    k2o_pct: int  # thousandths of a percent by weight
    density_lb_per_gal: int | None  # thousandths, or None
    product_synthetic_n: bool  # whether its nitrogen is synthetic
    product_inhibitor: str | None  # the active ingredient it brings, or None


@cache
def products() -> Mapping[str, Product]:
    """Return every product by folded name; common other names lead to the same product."""
    found = {lookup_name(row["product"]): _product(row) for row in rows("fertilizer_products.csv")}
    for row in rows("product_names.csv"):
        found.setdefault(lookup_name(row["also"]), found[lookup_name(row["product"])])
    return found


def find_product(name: str) -> Product | None:
    """Return a product by its name or a common other name, without regard to case."""
    return products().get(lookup_name(name))


@dataclass(frozen=True, slots=True)
class Grade:
    """What a name says of a product: all of it, or what the several products that it can mean have in common."""

    n_pct: int  # thousandths of a percent by weight
    p2o5_pct: int | None  # thousandths of a percent by weight; None where the products differ
    k2o_pct: int | None  # thousandths of a percent by weight; None where the products differ
    density_lb_per_gal: int | None  # thousandths, or None
    product_synthetic_n: bool | None  # whether its nitrogen is synthetic
    product_inhibitor: str | None  # the active ingredient it brings, or None

    def pounds(self, nutrient: str, rate: int | None, unit: str | None) -> int | None:
        """Return thousandths of a pound per acre of ``n``, ``p2o5`` or ``k2o`` at a rate, rounded half up.

        None where rate or share is not known; a product without the nutrient gives none of it, at whatever rate.
        """
        share: int | None = getattr(self, f"{nutrient}_pct")
        if share == 0 or share is None or rate is None or unit is None:
            return 0 if share == 0 else None
        if unit not in _LIQUID:
            millionths = rate * 1000 * (_POUNDS_PER_TON if unit == "ton/ac" else 1)
        elif self.density_lb_per_gal is not None:
            millionths = rate * self.density_lb_per_gal // _LIQUID[unit]
        else:
            return None
        return (millionths * share + 50_000_000) // 100_000_000


_LIQUID: Final = {"gal/ac": 1, "qt/ac": 4, "pt/ac": 8, "oz/ac": 128}
"""Rates by volume, and how many of each make a gallon."""
_POUNDS_PER_TON: Final = 2000


def find_grade(name: str) -> Grade | None:
    """Return what the list knows of a name; of several products that it can mean, only if none has nitrogen: potash."""
    return grades().get(lookup_name(name))


PRODUCT_FACTS: Final = tuple(one.name for one in fields(Grade))


@cache
def grades() -> Mapping[str, Grade]:
    """Return what every name says; of several products that all lack nitrogen, as potash, what they have in common."""
    found = {key: Grade(*(getattr(product, column) for column in PRODUCT_FACTS)) for key, product in products().items()}
    for said, meant in _everyday():
        if len(meant) > 1 and not any(one.n_pct for one in meant):
            each = {column: {getattr(one, column) for one in meant} for column in PRODUCT_FACTS}
            common: dict[str, Any] = {of: next(iter(all_)) if len(all_) == 1 else None for of, all_ in each.items()}
            found.setdefault(lookup_name(said), Grade(**common))
    return found


def organic_source(name: str) -> str:
    """Return the source of a budget that a name outside the list says of itself, such as manure; else empty."""
    folded = lookup_name(name)
    return next((source for source, words in ORGANIC.items() if re.search(words, folded)), "")


def carries_no_nutrient(name: str) -> bool:
    """Tell whether a name says of itself that it brings no nitrogen, phosphorus or potassium: lime, gypsum, boron."""
    words = set(re.findall(r"[a-z0-9]+", name.lower()))
    return bool(words & _NO_NUTRIENT) and words <= _NO_NUTRIENT | _AROUND


_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_AS_DATES: Final = (
    re.compile(r"(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4}|\d{2})(?: .*)?", re.ASCII),
    re.compile(r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?:[ t].*)?", re.ASCII),
    re.compile(rf"(?P<d>\d{{1,2}})-(?P<m>{'|'.join(_MONTHS)})(?:-(?P<y>\d{{4}}|\d{{2}}))?", re.ASCII),
    re.compile(rf"(?P<m>{'|'.join(_MONTHS)})-(?P<y>\d{{2}})", re.ASCII),
)


def grade_of_date(text: str) -> str:
    """Return the analysis of which a spreadsheet made a date, as 6-24-6 of 6/24/2006 and 11-52-0 of Nov-52; or empty.

    It takes what was typed for month, day and year; of two numbers, the second for the year where it is no day.
    """
    found = next((match for one in _AS_DATES if (match := one.fullmatch(text.strip().lower()))), None)
    if found is None:
        return ""
    parts = found.groupdict()
    month = parts["m"] if parts["m"].isdecimal() else _MONTHS.index(parts["m"]) + 1
    day, year = parts.get("d"), int(parts["y"] or 0) % 100
    in_order = (month, year, 0) if day is None or (day == "01" and int(parts["y"]) < _CENTURY) else (month, day, year)
    return "-".join(str(int(part)) for part in in_order)


_CENTURY: Final = 2_000
"""Years before it stand for a second number above 29, and for no third one where the day is the first."""


def _in_one_word(name: str) -> str:
    """Return a name without case, blanks and signs but for the percent sign: SUPER-U and Super U are one."""
    return re.sub(r"[^a-z0-9%]", "", name.lower())


@cache
def _synthetic_words() -> frozenset[str]:
    """Return every name, in one word, whose nitrogen is synthetic whichever of its products is meant."""
    found = {_in_one_word(name) for name, product in products().items() if product.product_synthetic_n}
    for said, meant in _everyday():
        if all(one.product_synthetic_n for one in meant):
            found.add(_in_one_word(said))
    return frozenset(found)


def _everyday() -> Iterator[tuple[str, list[Product]]]:
    """Yield every everyday name of a product with the products that it can mean."""
    for row in rows("everyday_names.csv"):
        if row["about"] == "product":
            meant = [products()[lookup_name(name)] for name in row["means"].split("|")]
            yield from ((said, meant) for said in row["said"].split("|"))


def _product(row: Mapping[str, str]) -> Product:
    density = re.match(r"\d+(?:\.\d+)?", row["density_lb_gal"])
    # A range of grades counts its first number: less nutrient is never more credit.
    grade = {name: parse((re.match(r"[\d.]+", row[name]) or ["0"])[0]) for name in ("n_pct", "p2o5_pct", "k2o_pct")}
    return Product(
        name=row["product"],
        **grade,
        density_lb_per_gal=parse(density[0]) if density else None,
        product_synthetic_n=row["synthetic_n"] == "Y",
        product_inhibitor=_BRINGS_INHIBITOR.get(row["product"]),
    )


# What the names of products outside the list say of their nitrogen.

_ORGANIC_BRANDS: Final = re.compile(r"\b(?:sustane|nature\W?safe|(?:perdue )?agri\W?recycle|organic|omri)\b")
"""Names under which plant and animal matter is sold whose source a budget may call by more than one word."""
_MINED: Final = re.compile(r"\bchilean nitrate\b|\bchilean? soda\b|\bnitrate of soda\b|\bsodium nitrate\b")
"""Nitrate that is mined, or made: the rule does not define synthetic nitrogen, so the person is asked."""
_MADE: Final = re.compile(
    r"\b(?:u\W?a\W?n\W?[0-9]*|un\W?32|urea(?:\W?[0-9]+|form\w*)?|anhydrous|ammonia|ammoniated|nh[34]\w*|dap|map"
    r"|mes\W?(?:z|s?10)?|esn|ams\W?[0-9]*|ats|ammonium|calcium nitrate|potassium nitrate|thio\W?sul\w*|polyphosphate"
    r"|nitrogen solution|liquid n(?:itrogen)?|n\W?sol\w*|can\W?(?:17|27)|super\W?u|triazone)\b"
)
"""Words of products whose nitrogen is made, whatever else they are called."""
_GRADE: Final = re.compile(
    r"\b([0-9]{1,2})(?:\.[0-9]+)? ?[-\u2010-\u2013] ?[0-9]{1,2}(?:\.[0-9]+)? ?[-\u2010-\u2013] ?[0-9]{1,2}"
)
_PERCENT: Final = r"\b([0-9]{1,2})(?:\.[0-9]+)? ?%"
_WET_OR_DRY: Final = re.compile(
    rf"{_PERCENT}\W*(?:moist\w*|solids?|dry|dm|matter|organic matter|om|water|h2o|wet)\b"
    rf"|\b(?:moist\w*|solids?|matter|dm)\W*{_PERCENT}"
)
"""A percent of water or of dry matter, which is none of nitrogen."""
_PROTEIN_N: Final = 16
"""Percent of nitrogen in protein: no manure, meal or fish holds more."""


def may_be_mined(name: str) -> bool:
    """Tell whether a name outside the list is that of a nitrate which is mined, or made."""
    return bool(_MINED.search(lookup_name(name)))


@lru_cache(maxsize=4_096)
def names_synthetic_n(name: str) -> bool:
    """Tell whether a name outside the list says that its nitrogen is made: by a word, a grade, or a percent of it.

    A grade shows only that the nitrogen was weighed: beside a material that is grown it may be its own.
    """
    key = lookup_name(name)
    if _MADE.search(key) or _in_one_word(key) in _synthetic_words():
        return True
    is_grown = bool(organic_source(key) or _ORGANIC_BRANDS.search(key) or _MINED.search(key))
    grade = _GRADE.search(key)
    if grade and int(grade[1]) > (_PROTEIN_N if is_grown else 0):
        return True
    return not is_grown and bool(re.search(_PERCENT, _WET_OR_DRY.sub(" ", key)))


# Additives to nitrogen: which active ingredients are nitrification inhibitors, and under which names they are sold.
#
# A urease inhibitor alone is none (interpretation 22). Whether a State accepts a product is not packaged: the user's
# ``inhibitor_acceptance`` records say so. An ingredient whose standing is not settled counts as unknown.


@dataclass(frozen=True, slots=True)
class Inhibitor:
    """One active ingredient, or a product that contains it."""

    inhibitor_key: str  # folded name
    name: str  # as listed
    ingredient: str  # the folded active ingredient
    counts: bool | None  # whether it is a nitrification inhibitor; None where that is not settled
    # thousandths of a fluid ounce per acre below which no label goes; None where not known
    least_oz_per_ac: int | None = None


@cache
def inhibitors() -> Mapping[str, Inhibitor]:
    """Return ingredients and products by folded name."""
    found: dict[str, Inhibitor] = {}
    for row in rows("nitrification_inhibitors.csv"):
        ingredient = lookup_name(row["active_ingredient"])
        counts = _counts(row["counts_as_nitrification_inhibitor"])
        for name in (row["active_ingredient"], *row["synonyms"].split(";")):
            if name.strip():
                found[lookup_name(name)] = Inhibitor(lookup_name(name), name.strip(), ingredient, counts)
    for row in rows("inhibitor_products.csv"):
        of = found[lookup_name(row["active_ingredient"])]
        found[lookup_name(row["product"])] = Inhibitor(
            lookup_name(row["product"]),
            row["product"],
            of.ingredient,
            of.counts,
            number(row["least_oz_per_ac"]),
        )
    return {name: _with_least_of_products(one, found.values()) for name, one in found.items()}


def _with_least_of_products(one: Inhibitor, all_: Iterable[Inhibitor]) -> Inhibitor:
    """Give an ingredient, and a product without a rate of its own, the least rate of all products with it."""
    least = [each.least_oz_per_ac for each in all_ if each.ingredient == one.ingredient and each.least_oz_per_ac]
    return replace(one, least_oz_per_ac=min(least)) if one.least_oz_per_ac is None and least else one


def _counts(text: str) -> bool | None:
    """Read the list's verdict: a plain Y, a Y through an ingredient, an N with its reason; all else is not settled."""
    if text == "Y" or text.startswith("Y (through"):
        return True
    return False if text.startswith("N") else None


# Crops and cover-crop species by the names people use, and the nitrogen that legumes leave.

BUSHEL_LB: Final[Mapping[str, int]] = {"corn": 56_000, "soybeans": 60_000, "sorghum": 56_000}
"""Pounds in a bushel, thousandths: the trade's weights, which USDA's grain standards and FSA use."""


class CropUse(NamedTuple):
    """A crop and its use by the names of the ``harvest`` records."""

    crop: str
    use: str

    @property
    def is_grain(self) -> bool:
        """Whether it is cut as grain: what is called by its use, as forage sorghum is, is none without a word more."""
        return self.use == "grain"


_CROPS: Final[Mapping[str, CropUse]] = {
    **dict.fromkeys(("corn", "field corn", "yellow corn", "white corn"), CropUse("corn", "grain")),
    "seed corn": CropUse("seed_corn", "seed"),
    **dict.fromkeys(("popcorn", "pop corn"), CropUse("popcorn", "other")),
    "sweet corn": CropUse("sweet_corn", "other"),
    **dict.fromkeys(("soybean", "soybeans"), CropUse("soybeans", "grain")),
    **dict.fromkeys(("sorghum", "grain sorghum", "milo"), CropUse("sorghum", "grain")),
    **dict.fromkeys(("forage sorghum", "sorghum forage"), CropUse("sorghum", "forage")),
}


def crop_use(crop: str) -> CropUse | None:
    """Return crop and use of our records for a name of an acreage report; None where it is not known.

    Corn for seed is seed corn, which is another crop (interpretation 26); so are popcorn and sweet corn.
    """
    return _CROPS.get(lookup_name(crop))


_AT_THE_FARM: Final[Mapping[str, str]] = {
    **dict.fromkeys(("yc", "wc", "2yc", "ycorn", "maize", "grain corn", "corn grain", "corn yellow"), "corn"),
    **dict.fromkeys(("beans", "bean", "soy", "soys", "sb", "ysb", "1ysb", "soya", "soya beans"), "soybeans"),
    **dict.fromkeys(("yellow soybeans", "soybeans yellow", "yellow beans"), "soybeans"),
    **dict.fromkeys(("sorgh", "sorg", "grain milo", "sorghum grain"), "sorghum"),
}
"""What farms and elevators call a crop. They are not read on an acreage report, where beans are dry beans."""
_CROP_GRADE: Final = re.compile(r"\b(?:u\.?s\.? ?)?(?:no\.?|grade) ?[1-5]\b|# ?[1-5]\b|\bu\.?s\.?(?= )", re.IGNORECASE)
"""The grade beside a crop, as in ``US No. 2 Yellow Corn``."""


def farm_crop(crop: str) -> CropUse | None:
    """Return crop and use for the name by which a farm or its elevator calls a crop."""
    plain = lookup_name(_CROP_GRADE.sub(" ", crop))
    return crop_use(plain) or crop_use(_AT_THE_FARM.get(plain, ""))


# Cover-crop species: legume or not. Sources stand in the rows of the table.


@dataclass(frozen=True, slots=True)
class Species:
    """One species."""

    species_key: str  # folded name; ``Rye, Cereal`` is found as ``cereal rye`` too
    name: str  # as listed
    legume: bool  # whether it fixes nitrogen (family Fabaceae)


@cache
def species() -> Mapping[str, Species]:
    """Return every species by folded name, also with the parts of ``Rye, Cereal`` turned round."""
    found: dict[str, Species] = {}
    for row in rows("cover_crop_species.csv"):
        one = Species(lookup_name(row["species"]), row["species"], row["legume"] == "Y")
        found[one.species_key] = one
        head, comma, tail = row["species"].partition(",")
        if comma:
            found.setdefault(lookup_name(f"{tail} {head}"), one)
    return found


def find_species(name: str) -> Species | None:
    """Return a species by name, without regard to case."""
    return species().get(lookup_name(name))


# Nitrogen that a legume leaves to the next crop, by source. The rule holds no national table (2100.052(a)(2)).


@cache
def published_credits() -> str:
    """Return the figures that were checked at their source, in one line: a help to whoever fills in a budget."""
    legumes = [row for row in rows("legume_n_credits.csv") if "not a legume" not in row["conditions"]]
    figures = (
        f"{row['legume_or_previous_crop'].removesuffix(' cover crop')} {row['n_credit_lb_ac']}"
        for row in legumes
        if row["status"] == "checked"
    )
    return f"Published figures: {'; '.join(figures)}. The guide of your State goes before them."
