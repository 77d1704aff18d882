"""Which listed names a person is asked about who writes one that no list has, in English or in Spanish.

Nothing is taken for another name here: nobody but the person who wrote it can say that it is the same.
"""

import unicodedata
from functools import cache
from typing import Final

from provender.catalog.names import JOINING, in_full
from provender.catalog.picks import spanish_names
from provender.catalog.words import About, in_all_words, listed_name, listed_names, words_of

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
    plain = "".join(sign for sign in unicodedata.normalize("NFD", in_full(text)) if not unicodedata.combining(sign))
    return frozenset(word for word in words_of(plain) if word not in JOINING)


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
