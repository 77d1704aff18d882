"""Names of implements, products, species and inhibitors in an import: taken for those of the lists, or asked."""

from collections.abc import Mapping
from typing import Final

from provender.catalog.materials import carries_no_nutrient, grade_of_date, organic_source
from provender.catalog.tables import lookup_name
from provender.catalog.words import About, listed_name, listed_names, meaning, suggested
from provender.formats.importing.validate import Sifted, number_of
from provender.formats.parsed import doubt, note
from provender.problem import Place, Problem, listed

COLUMNS: Final[Mapping[str, Mapping[str, About]]] = {
    "operation": {"operation": About.OPERATION},
    "nutrient_application": {"product": About.PRODUCT, "inhibitor": About.INHIBITOR},
    "cover_species": {"species": About.SPECIES},
    "seed_purchase": {"species": About.SPECIES},
    "inhibitor_purchase": {"product": About.INHIBITOR},
}
"""By kind of record and column: what its texts are names of."""
NO_NAME: Final = frozenset({"none", "no", "n/a", "na", "-"})
NO_INHIBITOR: Final = frozenset({
    "no inhibitor", "without inhibitor", "none used", "not used", "no stabilizer", "no ni", "untreated",
})  # fmt: skip
_SHOWN: Final = 8
_ALL: Final = 60
"""Names of a list that is shown whole where nothing is near: of products, species and inhibitors, not of operations."""


def settle_words(
    sifted: Sifted, remembered: Mapping[tuple[str, str], str], problems: list[Problem]
) -> set[tuple[str, str]]:
    """Take names in sound rows for those of the lists, keep what was typed beside them, ask where it is not clear.

    Returns the names of ``remembered`` that were used.
    """
    kind = sifted.incoming.kind
    columns = COLUMNS.get(kind.name, {}) if kind else {}
    used: set[tuple[str, str]] = set()
    told: dict[tuple[About, str], list[int]] = {}
    for column, about in columns.items():
        for row in sifted.rows:
            text = row[column]
            if about is About.INHIBITOR and isinstance(text, str) and lookup_name(text) in NO_INHIBITOR:
                row[column] = text = "none"
            if about is About.PRODUCT and isinstance(text, str) and (grade := grade_of_date(text)):
                place = sifted.incoming.place(number_of(row), column)
                cause = f"{text!r} was taken for the analysis {grade}, of which a spreadsheet made a date."
                problems.append(doubt(place, cause, "Confirm it, or write the product.", "analysis_became_date"))
                row[column], row["as_typed"] = grade, text
                text = grade
            if not isinstance(text, str) or text.casefold() in NO_NAME or listed_name(about, text):
                continue
            told.setdefault((about, text), []).append(number_of(row))
            name = meaning(about, text, remembered).one
            if name:
                before = row.get("as_typed")
                row[column], row["as_typed"] = name, f"{before}; {text}" if before else text
                used |= {(str(about), lookup_name(text))} & remembered.keys()
        for (of, text), rows in told.items():
            if of is about:
                place = sifted.incoming.place(rows[0], column)
                problems.append(_said(about, text, len(rows), place, remembered))
    return used


def _said(about: About, text: str, rows: int, place: Place, remembered: Mapping[tuple[str, str], str]) -> Problem:
    found = meaning(about, text, remembered)
    count = "1 row" if rows == 1 else f"{rows} rows"
    if found.one:
        cause = f"{text!r} was taken for {found.one!r} in {count}."
        return note(place, cause, "Nothing, if that is right.", "word_taken")
    say = f"Say which with --word '{text}=NAME'; it is remembered."
    if found.names:
        cause = f"{text!r} ({count}) can be: {listed(map(repr, found.names), _SHOWN)}."
        return doubt(place, cause, say, "word_asked")
    if about is About.PRODUCT and (own := _own_product(text, count, place)):
        return own
    cause = f"{text!r} ({count}) is no name of the list of {_LISTS[about]}."
    return doubt(place, cause, f"{_near(about, text)}{say}{_OWN[about]}", "word_unknown")


def _own_product(text: str, count: str, place: Place) -> Problem | None:
    """Return what there is to say of a product that is known and has no place in a list of grades."""
    if source := organic_source(text):
        cause = f"{text!r} ({count}) is {source.replace('_', ' ')}: no list knows what it carries."
        return note(
            place, cause, "It stays as typed. State its N, P2O5 and K2O per acre from its test.", "own_analysis"
        )
    if carries_no_nutrient(text):
        cause = f"{text!r} ({count}) carries no nitrogen, phosphorus or potassium."
        return note(place, cause, "Nothing; it needs no row among nutrient applications.", "no_nutrient")
    return None


def _near(about: About, text: str) -> str:
    """Return what of the list is nearest to a name, or the way to all of it."""
    names = suggested(about, text, _SHOWN)
    if names:
        return f"Nearest: {listed(map(repr, names), _SHOWN)}. "
    whole = listed_names(about)
    return f"The list: {'; '.join(whole)}. " if len(whole) <= _ALL else "`provender stir --list` prints the list. "


_OWN: Final = {
    About.OPERATION: " What was no pass over the ground needs no row.",
    About.PRODUCT: (
        " A product that the list lacks stays as typed: state its N, P2O5 and K2O per acre and whether its N is"
        " synthetic; one without any of them needs no row."
    ),
    About.SPECIES: " Of a mix, write a row for each species; one that the list lacks stays as typed.",
    About.INHIBITOR: " Where the list lacks the product, name its active ingredient.",
}
"""What to do about a name that means nothing of the list."""
_LISTS: Final = {
    About.OPERATION: "operations",
    About.PRODUCT: "fertilizers",
    About.SPECIES: "cover crops",
    About.INHIBITOR: "inhibitors",
}
