"""Texts of the rooms below, said in the reader's language as they are rendered.

The rooms write English sentences, with what somebody typed inside them; they know no page. The catalogue holds each
as a pattern, ``{kind} {key} has no day.``, with its Spanish. A text is held against the patterns, and what stood in
its places is put into the Spanish. A place that the Spanish writes with a tilde, ``{kind~}``, holds a word of ours and
is said too; every other place holds what somebody typed, and stays. A text that no pattern fits stays English.
"""

import re
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from django.utils.translation import get_language

CATALOGUE: Final = Path(__file__).parent / "locale" / "es" / "LC_MESSAGES" / "django.mo"
SPANISH: Final = "es"
PLACE: Final = re.compile(r"\{(\w+)(~?)\}")
LONGEST: Final = 4_000
"""Characters of a text that is looked up; what is longer is no sentence of ours."""
_MAGIC: Final = 0x950412DE
_SENTENCE: Final = re.compile(r"(?<=[.?!…:;,]) (?=\S)")
_NUMBERED: Final = re.compile(r"([$+-]?\d[\d,.]*(?: %| bu)? )(\D.*)", re.DOTALL)
_WITH_TAIL: Final = re.compile(r"(.*\S)( \d{4}| \([^()]*\))", re.DOTALL)
"""A text before a year or a unit in brackets, which stay."""
_JOINS: Final = {"; or ": "; o ", ", and ": " y ", ", or ": " o ", " and ": " y ", " or ": " o "}
_LONG_NAME: Final = 80
_LONG_PARTS: Final = 300
"""Letters up to which a text is taken apart; what is longer fits as a whole or not at all."""
_STEPS: Final = 4_000
"""Patterns that are held against one text and its parts; what somebody typed may look like ours all over."""
_KEY: Final = 6
_TAIL: Final = 4
_WEAK: Final = 4
"""Fixed letters up to which a pattern says next to nothing."""
_MOST_LISTED: Final = 41
_DOT: Final = " · "
_LOWER: Final = re.compile(r"[a-z]{3}")
_REASON: Final = re.compile(r"[a-z_.]+(?:,? (?:and |or |y |o )?[\w.]+)* \((.*)\)")
_LISTED: Final = re.compile(r"(; or |; |, and |, or |, | and | or | · | \+ )")
_NESTED: Final = 4


def is_spanish() -> bool:
    """Whether the reader of this request reads Spanish."""
    return get_language() == SPANISH


def said(text: str) -> str:
    """Return a text of ours in the reader's language; as it is where it is English or nobody wrote its Spanish."""
    return (spanish(text) or text) if text and is_spanish() else text


def spanish(text: str) -> str | None:
    """Return the Spanish of an English text; None where the catalogue has none, or finding it takes too long."""
    return _looked_up(text) if 0 < len(text) <= LONGEST else None


@lru_cache(maxsize=20_000)
def _looked_up(text: str) -> str | None:
    with suppress(_SpentError):
        return _Search().of(text, 0)
    return None


@dataclass(frozen=True, slots=True)
class Pattern:
    """One English sentence with places, and its Spanish.

    Attributes:
        literals: the words around the places, one more than there are places.
        names: of the places, in order.
        into: the Spanish, with the same names.
        weight: how many characters are fixed: of several that fit, the one that says most is meant.
        weak: whether hardly a letter is fixed.
    """

    literals: tuple[str, ...]
    names: tuple[str, ...]
    into: str
    weight: int
    weak: bool

    def places(self, text: str, least: int = 1) -> dict[str, str] | None:
        """Return what stands in the places of a text; None where the pattern does not fit. Time grows with the text.

        Args:
            text: to fit.
            least: characters of a place; with 0 a part that was left out fits too.
        """
        first, last = self.literals[0], self.literals[-1]
        if len(text) < self.weight or not text.startswith(first) or not text.endswith(last):
            return None
        found: dict[str, str] = {}
        at, end = len(first), len(text) - len(last)
        for name, literal in zip(self.names[:-1], self.literals[1:-1], strict=True):
            stop = text.find(literal, at + least, end)
            if stop < 0 or (name in found and found[name] != text[at:stop]):
                return None
            found[name] = text[at:stop]
            at = stop + len(literal)
        rest = text[at:end]
        if len(rest) < least or at > end or found.setdefault(self.names[-1], rest) != rest:
            return None
        return found


def pattern_of(english: str, into: str) -> Pattern:
    """Return the pattern of an entry of the catalogue."""
    parts = PLACE.split(english)
    fixed = "".join(parts[::3])
    return Pattern(tuple(parts[::3]), tuple(parts[1::3]), into, len(fixed), sum(map(str.isalpha, fixed)) <= _WEAK)


@cache
def catalogue() -> Mapping[str, str]:
    """Return every English text with its Spanish, as compiled; plural forms and the head are left out.

    The file is read here because the library that reads it for Django does not list what it holds.
    """
    data = CATALOGUE.read_bytes()
    magic, _, count, english, into = struct.unpack_from("<5I", data)
    if magic != _MAGIC:
        raise ValueError(f"{CATALOGUE.name} is no catalog: run python tools/spanish.py.")

    def texts(table: int) -> Iterator[str]:
        for index in range(count):
            length, start = struct.unpack_from("<2I", data, table + 8 * index)
            yield data[start : start + length].decode()

    pairs = zip(texts(english), texts(into), strict=True)
    found = {one: other for one, other in pairs if one and other and "\0" not in one}
    # A gap such as "operation (no pass is recorded at all)" is also shown as its kind and its reason, apart.
    reasons = [(_REASON.fullmatch(one), _REASON.fullmatch(other)) for one, other in found.items()]
    return {one[1]: other[1] for one, other in reasons if one and other} | found


@cache
def patterns() -> tuple[Pattern, ...]:
    """Return the entries with places, those that say most first."""
    made = [pattern_of(english, into) for english, into in catalogue().items() if PLACE.search(english)]
    return tuple(sorted(made, key=lambda one: (-one.weight, one.literals)))


@lru_cache(maxsize=8_000)
def _of_letters(first: str, last: str, *, weak: bool) -> tuple[Pattern, ...]:
    """Return the patterns, weak or not, that begin with a letter or a place and end with one, in their order."""
    return tuple(
        one for one in patterns() if one.weak is weak and one.literals[0][:1] in ("", first)
        and one.literals[-1][-1:] in ("", last)
    )  # fmt: skip


@lru_cache(maxsize=8_000)
def _between(start: str, end: str, *, weak: bool) -> tuple[Pattern, ...]:
    """Return the patterns, weak or not, that a text can fit which begins and ends so, in their order."""
    return tuple(
        one for one in _of_letters(start[0], end[-1], weak=weak)
        if start.startswith(one.literals[0][:_KEY]) and end.endswith(one.literals[-1][-_TAIL:])
    )  # fmt: skip


class _SpentError(Exception):
    """The steps of one text are used up."""


@dataclass(slots=True)
class _Search:
    """The search for the Spanish of one text: what was found of its parts, and how many steps are left.

    Attributes:
        left: steps that it may still take.
        found: of parts, by the part and how deep it lies.
    """

    left: int = _STEPS
    found: dict[tuple[str, int], str | None] = field(default_factory=dict)

    def of(self, text: str, depth: int) -> str | None:
        """Return the Spanish of a text, or of a part of one that lies so deep.

        Raises:
            _SpentError: no step is left.
        """
        bare = text.strip()
        if not bare or depth > _NESTED:
            return None
        key = bare, depth
        if key not in self.found:
            self.found[key] = (
                self._beside(bare, depth + 1) or self._whole(bare, depth) or _cased(bare)
                or self._in_parts(bare, depth) or self._weakly(bare, depth + 1)
            )  # fmt: skip
        found = self.found[key]
        return found and text.replace(bare, found, 1)

    def _places(self, pattern: Pattern, text: str, least: int = 1) -> dict[str, str] | None:
        if self.left == 0:
            raise _SpentError
        self.left -= 1
        return pattern.places(text, least)

    def _whole(self, text: str, depth: int) -> str | None:
        entry = catalogue().get(text)
        if entry is not None and not PLACE.search(entry):
            return entry
        for least in (1, 0):
            for pattern in _between(text[:_KEY], text[-_TAIL:], weak=False):
                if (places := self._places(pattern, text, least)) is not None:
                    return self._filled(pattern.into, places, depth)
        return None

    def _weakly(self, text: str, depth: int) -> str | None:
        """Return the Spanish by a pattern of hardly a word, ``{name~} with {besides~}``, where its words are ours."""
        for pattern in _between(text[:_KEY], text[-_TAIL:], weak=True):
            places = self._places(pattern, text)
            if places is None or max(map(len, places.values())) > _LONG_NAME:
                continue
            ours = [places[place[1]] for place in PLACE.finditer(pattern.into) if place[2]]
            if all(self._put(value, "~", depth) != value or _LOWER.search(value) is None for value in ours):
                return self._filled(pattern.into, places, depth)
        return None

    def _filled(self, into: str, places: Mapping[str, str], depth: int) -> str:
        return PLACE.sub(lambda place: self._put(places[place[1]], place[2], depth), into)

    def _put(self, value: str, mark: str, depth: int) -> str:
        """Return what stands in a place: what somebody typed as it is, a word of ours or a list of them said."""
        if not mark or depth >= _NESTED:
            return value
        whole = self.of(value, depth + 1)
        if whole is not None:
            return whole
        parts = _LISTED.split(value)
        if len(parts) == 1 or len(value) > _LONG_PARTS:
            return value
        told = (_JOINS.get(one, one) if at % 2 else self._put(one, mark, depth + 1) for at, one in enumerate(parts))
        return "".join(told)

    def _beside(self, text: str, depth: int) -> str | None:
        """Return texts that stand beside each other with a dot between; figures and signs stay."""
        parts = text.split(_DOT)
        if len(parts) == 1 or len(text) > _LONG_PARTS:
            return None
        into = [self.of(part, depth) or ("" if _LOWER.search(part) else part) for part in parts]
        return _DOT.join(into) if all(into) else None

    def _in_parts(self, text: str, depth: int) -> str | None:
        """Return a text put together of ours: sentences in a row, a name before a colon, a number, a full stop or none.

        Every part must be ours but the name and the number, which stay.
        """
        if len(text) > _LONG_PARTS:
            return None
        if (counted := _NUMBERED.fullmatch(text)) is not None:
            rest = self.of(counted[2], depth + 1)
            return None if rest is None else counted[1] + rest
        # Only a text as it was handed in is taken apart at its sentences: within a part of one the ways would multiply.
        if depth == 0 and (row := self._in_a_row(text)) is not None:
            return row
        if text[0] == "(" and text[-1] == ")":
            inside = self.of(text[1:-1], depth + 1)
            return None if inside is None else f"({inside})"
        if (sentence := catalogue().get(f"{text}.")) and not PLACE.search(sentence):
            return sentence.removesuffix(".")
        parts = _LISTED.split(text)
        into = [self.of(part, depth + 1) for part in parts[::2]] if 1 < len(parts) <= _MOST_LISTED else [None]
        if all(into):
            joins = [*(_JOINS.get(one, one) for one in parts[1::2]), ""]
            return "".join(f"{one}{join}" for one, join in zip(into, joins, strict=True))
        name, colon, after = text.partition(": ")
        if colon and len(name) < _LONG_NAME and (rest := self.of(after, depth + 1)) is not None:
            return f"{name}: {rest}"
        if (found := _WITH_TAIL.fullmatch(text)) is not None and (rest := self.of(found[1], depth + 1)) is not None:
            return rest + found[2]
        if text.endswith(".") and (rest := self.of(text[:-1], depth + 1)) is not None:
            return f"{rest}."
        return None

    def _in_a_row(self, text: str) -> str | None:
        """Return sentences in a row: from the last on, what follows each place where one may end."""
        starts = [0, *(found.end() for found in _SENTENCE.finditer(text))]
        rows: dict[int, str | None] = {}
        for start in reversed(starts[1:]):
            rows[start] = self._from(text, start, rows) or self.of(text[start:], 1)
        return self._from(text, 0, rows)

    def _from(self, text: str, start: int, rows: Mapping[int, str | None]) -> str | None:
        """Return a sentence that begins here, the longest there is, with the row behind it that is known already."""
        for middle, row in rows.items():
            if row is not None and (sentence := self._whole(text[start : middle - 1], 0)) is not None:
                return f"{sentence} {row}"
        return None


def _cased(text: str) -> str | None:
    """Return the Spanish of a word that stands in the catalogue with its other first letter."""
    first = text[0]
    other = catalogue().get((first.lower() if first.isupper() else first.upper()) + text[1:])
    if other is None or PLACE.search(other):
        return None
    return (other[0].upper() if first.isupper() else other[0].lower()) + other[1:]
