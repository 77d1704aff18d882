"""Everyday names of implements, products, species and inhibitors, and which listed name each can mean.

``disk`` can be five operations of the list, so a person is asked; ``burndown`` can be one. A name is compared word by
word: makers, sizes and model numbers around a known name leave a question, never a guess. Sources stand in the rows of
``data/everyday_names.csv``.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from typing import Final

from provender.catalog import tables
from provender.catalog.materials import find_product, find_species, inhibitors, products, species
from provender.catalog.tables import text as text_of
from provender.exact import SCALE, show


class About(StrEnum):
    """What a name is a name of."""

    OPERATION = "operation"
    PRODUCT = "product"
    SPECIES = "species"
    INHIBITOR = "inhibitor"


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name can mean."""

    # listed names: one where it is clear; several where somebody must say which; none where it is not known
    names: tuple[str, ...]
    near: tuple[str, ...] = ()  # listed names that share a word with one that is not known, best first

    @property
    def one(self) -> str:
        """Return the only listed name it can mean, or empty."""
        return self.names[0] if len(self.names) == 1 else ""


_MOST: Final = 8
_NPK: Final = re.compile(r"\d+(?:\.\d+)?(?:-\d+(?:\.\d+)?){2,4}(?:s|zn)?")
_NP: Final = re.compile(r"(?<![\d.-])(\d+)-(\d+)(?![\d.-])")
_AMOUNT: Final = re.compile(
    r"[\s,@-]+\d+(?:\.\d+)?\s*(?:#|lbs?|pounds?|qts?|quarts?|pts?|pints?|oz|ounces?|gal|gallons?|bu|bushels?)?\.?(?:\s*/\s*ac(?:re)?)?$"
)
"""How much of it, behind a name: ``rye 45``, ``N-Serve 24 1 qt``."""
_HYBRID: Final = re.compile(r"\b(?=\w*\d)(?=\w*[a-z])[a-z]{1,4}\d[\w-]*\b")
"""What a seed is sold as: ``P1185``, ``DKC62-69``, ``AG27XF2``."""
_SOWN: Final = re.compile(
    r"\b(?:and|corn|(?:soy)?beans?|milo|sorghum|wheat|oats?|barley|canola|sunflowers?|rye|ryegrass|clover|vetch|radish|"
    r"turnips?|peas?|triticale|camelina|flax|covers?|cover crops?|mix)\b"
)
"""What was sown or cut, which says nothing of how."""
_WORD: Final = re.compile(r"\d+(?:\.\d+)?(?:-\d+(?:\.\d+)?)+[a-z]*|\d+(?:\.\d+)?%?|[a-z]+")
_SIZE: Final = re.compile(
    r"\b\d+(?:\.\d+)?\s*(?:\"|'|ft|feet|foot|in\b|inch(?:es)?|rows?|r\d*|bottom|shanks?|x)\s*", re.ASCII
)
_EMPTY: Final = frozenset(text_of("idle_words.txt").split())
"""Words that say nothing of what was done, but for names in which they stand."""
_KEEP: Final = frozenset({"field", "crop", "second", "spring", "fall", "late", "early", "in", "on"})
_SAME: Final[Mapping[str, str]] = {
    "disc": "disk", "plough": "plow", "mould": "mold", "mouldboard": "moldboard", "cult": "cultivat",
    "anhyd": "anhydrou", "sulphate": "sulfat", "sulphur": "sulfur", "w": "with", "fert": "fertiliz", "hoed": "hoe",
    "flew": "fly", "flown": "fly", "sown": "sow", "mown": "mow", "dug": "dig", "spraye": "spray",
}  # fmt: skip
_ENDINGS: Final = ("ings", "ing", "ers", "er", "ors", "or", "ed", "es", "s", "e")
_SHORTEST: Final = 3
_TYPO: Final = 0.8
"""How alike the letters of two names must be, where they share no word."""


def _stem(word: str) -> str:
    """Return a word without its ending, so that disking, disks and disked are disk."""
    word = _SAME.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST and word.isalpha():
            word = word[: -len(ending)]
            break
    if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return _SAME.get(word, word)


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a name for comparing: no case, endings or signs."""
    plain = tables.lookup_name(text).replace("&", " and ")
    return tuple(_stem(word) for word in _WORD.findall(re.sub(r"[^\w\s.%+-]+", " ", plain)))


def _core(text: str) -> tuple[str, ...]:
    """Return the words that are left without sizes, makers and words that say nothing."""
    return tuple(word for word in words_of(_SIZE.sub(" ", tables.lookup_name(text))) if word not in _idle())


@cache
def _idle() -> frozenset[str]:
    return frozenset(_stem(word) for word in _EMPTY - _KEEP)


@cache
def _seasons() -> frozenset[str]:
    return frozenset(_stem(word) for word in _KEEP)


@cache
def listed_names(about: About) -> tuple[str, ...]:
    """Return all names of a list, each once."""
    match about:
        case About.OPERATION:
            return tuple(one.name for one in tables.operations())
        case About.PRODUCT:
            return tuple(dict.fromkeys(one.name for one in products().values()))
        case About.SPECIES:
            return tuple(dict.fromkeys(one.name for one in species().values()))
        case About.INHIBITOR:
            return tuple(dict.fromkeys(one.name for one in inhibitors().values()))


def listed_name(about: About, text: str) -> str:
    """Return the name of the list that a text is, without regard to case, or empty."""
    finders: dict[About, Callable[[str], object | None]] = {
        About.OPERATION: tables.find_operation,
        About.PRODUCT: find_product,
        About.SPECIES: find_species,
        About.INHIBITOR: lambda name: inhibitors().get(tables.lookup_name(name)),
    }
    found = finders[about](text)
    return str(getattr(found, "name", "")) if found is not None else ""


@cache
def _spelled(about: About) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the names of a list by all their words, in their order: commas and dots say nothing."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for name in listed_names(about):
        found[words_of(name)] = (*found.get(words_of(name), ()), name)
    return found


@cache
def _turned(about: About) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return what names mean by all their words in any order: listed names, in full what the list shortens, first."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for name in listed_names(about):
        found[_unordered(name)] = (*found.get(_unordered(name), ()), name)
    said = {_unordered(name): names for name, names in _everyday_names(about)}
    return said | found


def _everyday_names(about: About) -> Iterator[tuple[str, tuple[str, ...]]]:
    for row in tables.rows("everyday_names.csv"):
        if row["about"] == about:
            yield from ((said, tuple(row["means"].split("|"))) for said in row["said"].split("|"))


def _unordered(text: str) -> tuple[str, ...]:
    return tuple(sorted(word for word in words_of(tables.in_full(text)) if word not in tables.JOINING))


@cache
def _everyday(about: About) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return what each everyday name can mean, by its words."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for said, means in _everyday_names(about):
        for words in {words_of(said), _core(said)} - {()}:
            found[words] = tuple(dict.fromkeys((*found.get(words, ()), *means)))
    return found


def everyday_names(about: About) -> tuple[str, ...]:
    return tuple(said for said, _ in _everyday_names(about))


def meaning(about: About, text: str, remembered: Mapping[tuple[str, str], str] | None = None) -> Meaning:
    """Return what a name can mean.

    Args:
        about: what it is a name of.
        text: as typed.
        remembered: what a farm said before: listed name by (about, folded name).
    """
    said = (remembered or {}).get((about, tables.lookup_name(text)), "")
    exact = said or listed_name(about, text)
    if exact:
        return Meaning((exact,))
    if text.rstrip().endswith("?"):  # who wrote it was not sure
        unsure = meaning(about, text.rstrip("? "))
        return Meaning((), unsure.names or unsure.near)
    names, turned = _in_all_words(about, text)
    if names or turned:
        return Meaning(names, turned)
    if about is About.PRODUCT and (grades := _NPK.findall(tables.lookup_name(text))):
        return _of_grade(grades[0], tables.lookup_name(text).replace(grades[0], " "))
    return _without_object(about, text) or _within(about, text)


def _without_object(about: About, text: str) -> Meaning | None:
    """Return what a name means without what was sown or cut, or how much of it; None where that says no more."""
    plain = tables.lookup_name(text)
    if about is About.PRODUCT and (grade := _NP.search(plain)):
        near = meaning(about, _NP.sub(" ", plain)).names
        fitting = tuple(name for name in _graded([*grade.groups(), "0"]) if name in near)
        return Meaning(fitting) if fitting else None
    bare = _AMOUNT.sub("", plain)
    if about is About.OPERATION:
        if not (_SOWN.search(plain.replace("&", "and")) or _HYBRID.search(plain)):
            return None
        bare = _SOWN.sub(" ", _HYBRID.sub(" ", bare.replace("&", "and")))
    bare = " ".join(bare.split())
    if not bare or bare == plain:
        return None
    if listed := listed_name(about, bare):
        return Meaning((listed,))
    names, _ = _in_all_words(about, bare)
    if bare.endswith(" on"):  # what was flown on rye may be its seed, or a spray
        names = tuple(dict.fromkeys((*names, *_in_all_words(about, bare.removesuffix(" on"))[0])))
    if about is About.OPERATION and len(names) == 1 and (only := tables.find_operation(names[0])):
        # What is topdressed or sprayed on a crop may be dry or liquid: only seeding and cutting have a crop as object.
        names = names if only.op_group in (*tables.SEEDING, "harvest") else ()
    if names:
        return Meaning(names)
    return meaning(about, bare) if about in (About.SPECIES, About.INHIBITOR) else None


def in_all_words(about: About, text: str) -> tuple[str, ...]:
    """Return the listed names that all words of a name mean, in whatever order they stand."""
    names, turned = _in_all_words(about, text)
    return names or turned


def _in_all_words(about: About, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a name means by all its words, and else the listed names that have them in another order."""
    spelled, turned = _spelled(about).get(words_of(text), ()), _turned(about).get(_unordered(text), ())
    if len(spelled) == 1 == len(turned):
        return spelled, ()
    table = _everyday(about)
    if words_of(text) in table:
        return table[words_of(text)], ()
    if turned:
        return (turned, ()) if len(turned) > 1 else ((), turned)
    bare = tuple(word for word in _core(text) if word not in _seasons())
    return next((table[words] for words in (_core(text), bare) if words in table), ()), ()


def _of_grade(grade: str, beside: str) -> Meaning:
    """Return the products of an analysis such as 10-34-0; one that nobody lists may be a blend of the farm's own.

    Sulfur or zinc behind N, P and K leaves it open, unless the words beside the grade name a product that has it.
    """
    parts = re.findall(r"\d+(?:\.\d+)?", grade)
    names = _graded(parts[:3])
    around = meaning(About.PRODUCT, beside).names if beside.strip() else ()
    alone = _everyday(About.PRODUCT).get(words_of(grade), ())
    named = [name for name in around if name in (*names, *alone)]
    if len(named) == 1:
        return Meaning(tuple(named))
    more = len(parts) > 3  # noqa: PLR2004 - sulfur or zinc behind N, P and K
    return Meaning((), names) if more else Meaning(names)


def _graded(npk: Sequence[str]) -> tuple[str, ...]:
    """Return the products of these percents of N, P2O5 and K2O."""
    said = [Decimal(part) * 10**SCALE for part in npk]
    return tuple(
        dict.fromkeys(one.name for one in products().values() if [one.n_pct, one.p2o5_pct, one.k2o_pct] == said)
    )


def _within(about: About, text: str) -> Meaning:
    """Return the everyday names that stand within a longer one: what else it says leaves a question."""
    has = set(words_of(text)) | set(_core(text))
    inside = [words for words in _everyday(about) if set(words) <= has and any(_tells(word) for word in words)]
    longest = max((len(words) for words in inside), default=0)
    clear = {_everyday(about)[words] for words in inside if _core_covered(about, text, inside)}
    if len(clear) == 1 and len(next(iter(clear))) == 1:
        return Meaning(next(iter(clear)))
    rest = {name for words in inside for name in _everyday(about)[words] if _says_the_rest(about, text, words, name)}
    if about is About.OPERATION and len(rest) == 1:
        return Meaning(tuple(rest))
    names = dict.fromkeys(name for words in inside if len(words) == longest for name in _everyday(about)[words])
    shared = _sharing(about, text, _MOST)
    if names:
        several = tuple(dict.fromkeys((*names, *shared)))[:_MOST]
        return Meaning(several) if len(several) > 1 else Meaning((), several)
    return Meaning((), shared)


def _says_the_rest(about: About, text: str, words: tuple[str, ...], name: str) -> bool:
    """Tell whether an everyday name can mean one listed name alone, which has every other word of a text."""
    alone = len(_everyday(about)[words]) == 1
    return alone and bool(left := set(_core(text)) - set(words)) and left <= set(words_of(name))


def _core_covered(about: About, text: str, inside: list[tuple[str, ...]]) -> bool:
    """Tell whether everyday names say all that a product or an inhibitor is called: ``NH3 82%`` is said twice."""
    said = {word for words in inside for word in words}
    return about in (About.PRODUCT, About.INHIBITOR) and set(_core(text)) <= said


def _tells(word: str) -> bool:
    """Tell whether a word names something by itself, as letters and percents do and a bare number does not."""
    return word.isalpha() or word.endswith("%")


def _sharing(about: About, text: str, most: int) -> tuple[str, ...]:
    """Return listed names that share words with a text, those that share most first."""
    has = set(_core(text))
    scored = [(len(has & set(words_of(name))), -len(words_of(name)), name) for name in listed_names(about)]
    return tuple(name for shared, _, name in sorted(scored, key=lambda one: (-one[0], -one[1])) if shared)[:most]


def suggested(about: About, text: str, count: int = 3) -> tuple[str, ...]:
    """Return listed names for one that is not known: by its words, and by its letters only where they differ little."""
    found = meaning(about, text)
    near: Sequence[str] = found.names or found.near
    if not near:
        near = get_close_matches(
            tables.lookup_name(text), list(map(tables.lookup_name, listed_names(about))), count, _TYPO
        )
    return tuple(listed_name(about, name) or name for name in near[:count])


def remembered_words(records: Iterable[Mapping[str, object]]) -> dict[tuple[str, str], str]:
    """Return what a farm said of names, from its ``word`` records."""
    return {(str(row["about"]), tables.lookup_name(str(row["typed"]))): str(row["means"]) for row in records}


# What stands beside a listed name where one is picked, and by which other words it is found.
#
# The name that is recorded stays the list's own. Spanish names are common ones and ours (``data/spanish_names.csv``):
# whoever types one finds the name.


@dataclass(frozen=True, slots=True)
class Pick:
    """A name to pick."""

    # what is said beside it, with the name itself, since some browsers show this alone; empty for nothing
    beside: str = ""
    words: str = ""  # by which it is found too
    own: bool = False  # whether only the book has it and no list
    also: str = ""  # common names that are recorded as this one, with a stroke between them
    far: int = 0  # how far it is from what whoever picks is after; nearer ones are offered first


@cache
def picks(about: About) -> Mapping[str, Pick]:
    return {name: _pick(about, name) for name in listed_names(about)}


def with_facts(about: About, name: str) -> str:
    """Return a listed name with what tells it from those beside it: a product's grade; else the name as it is."""
    product = find_product(name) if about is About.PRODUCT else None
    return name if product is None else f"{name} ({_grade(name)})"


def spanish_names(about: About, name: str) -> tuple[str, ...]:
    """Return the common Spanish names of a listed name, the usual one first; none where the list has none."""
    folded = tables.lookup_name(name)
    if about is not About.OPERATION:
        return _spanish(about).get(folded, ())
    heads = (head for head in _spanish(about) if folded.startswith(head))
    return _spanish(about).get(max(heads, key=len, default=""), ())


@cache
def _spanish(about: About) -> Mapping[str, tuple[str, ...]]:
    return {
        tables.lookup_name(row["listed"]): tuple(row["spanish"].split("|"))
        for row in tables.rows("spanish_names.csv")
        if row["about"] == about
    }


def _pick(about: About, name: str) -> Pick:
    facts = []
    if about is About.OPERATION and (listed := tables.find_operation(name)):
        facts.append(tables.stir_pictured(listed))
    if about is About.PRODUCT:
        facts.append(_grade(name))
    full = "" if tables.in_full(name) == tables.lookup_name(name) else tables.in_full(name)
    said = " ".join(part for part in (full, *spanish_names(about, name)) if part)
    return Pick(f"{name}: {', '.join(facts)}" if facts else "", said, also="|".join(_also(about).get(name, ())))


@cache
def _also(about: About) -> Mapping[str, tuple[str, ...]]:
    """Return the common names of each species that mean it alone; other names are asked about."""
    found: dict[str, tuple[str, ...]] = {}
    for said in everyday_names(about) if about is About.SPECIES else ():
        if name := meaning(about, said).one:
            found[name] = (*found.get(name, ()), said)
    return found


def _grade(name: str) -> str:
    """Return N, P2O5 and K2O of a product as its bag says them."""
    product = find_product(name)
    parts = (product.n_pct, product.p2o5_pct, product.k2o_pct) if product else ()
    return "-".join(show(part) for part in parts)


# Which listed names a person is asked about who writes one that no list has, in English or in Spanish.
#
# Nothing is taken for another name here: nobody but the person who wrote it can say that it is the same.

_FEW: Final = 8
"""Listed names that may hold a name's words and be asked about; in more of them the words say too little."""


def asked_names(about: About, text: str) -> tuple[str, ...]:
    """Return the listed names that a name outside the list may mean; none where it is listed or unknown.

    Its words may be those of a listed name in another order, an everyday or a Spanish name, or some words of a few.
    """
    if listed_name(about, text):
        return ()
    return in_all_words(about, text) or _called(about).get(_telling(text), ()) or _holding(about, _telling(text))


def _telling(text: str) -> frozenset[str]:
    """Return the words of a name, English or Spanish, without accents and the words that only join others."""
    plain = "".join(
        sign for sign in unicodedata.normalize("NFD", tables.in_full(text)) if not unicodedata.combining(sign)
    )
    return frozenset(word for word in words_of(plain) if word not in tables.JOINING)


@cache
def _called(about: About) -> dict[frozenset[str], tuple[str, ...]]:
    """Return what each Spanish name means by all its words; the names it is the usual one of stand first."""
    found: dict[frozenset[str], tuple[str, ...]] = {}
    several = [
        (at, called, name) for name in listed_names(about) for at, called in enumerate(spanish_names(about, name))
    ]
    for _, called, name in sorted(several, key=lambda one: one[0]):
        found[_telling(called)] = (*found.get(_telling(called), ()), name)
    return found


@cache
def _worded(about: About) -> dict[str, frozenset[str]]:
    """Return the words of each listed name and of its Spanish ones, as the pickers search them."""
    return {name: _telling(" ".join((name, *spanish_names(about, name)))) for name in listed_names(about)}


def _holding(about: About, words: frozenset[str]) -> tuple[str, ...]:
    """Return the few listed names that have all of some words, those that say least besides first."""
    found = [name for name, has in _worded(about).items() if words <= has]
    if not any(word.isalpha() for word in words) or len(found) > _FEW:
        return ()
    return tuple(sorted(found, key=lambda name: len(words_of(name))))
