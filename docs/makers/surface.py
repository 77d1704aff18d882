"""The whole surface of a package: for every field of every file, what would show that somebody changed it.

The table follows the declarations: a kind of record, an event or a member of a document that is added stands in it by
itself. A field that is only *for eyes* needs its reason here; a test changes one field of each and expects its class.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import groupby
from typing import Final

from provender.audit.package.layout import ENTRIES, EVIDENCE_INDEX, FINDINGS, HEADER, KEYS, REQUEST
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.custody.events.registry import TYPES
from provender.records.kind import KINDS


class Shown(StrEnum):
    """What shows that a field was changed."""

    RECOMPUTED = "recomputed"
    """It is computed again, or held against something else in the package."""
    BOUND = "bound by signature"
    """A signature covers it, directly or by a hash, root or head in a signed document."""
    EYES = "for eyes"
    """Only a person can judge it."""
    NOTHING = "carries nothing"
    """Nothing follows from it."""


@dataclass(frozen=True, slots=True)
class SurfaceField:
    """A field of a package."""

    file: str  # the file, with ``*`` for what differs by package
    field: str  # column, member, or kind of event and member; ``*`` for all that are not named beside it
    shown: Shown  # what shows a change
    by: str  # what it is held against, or why only eyes can judge it

    @property
    def covers(self) -> re.Pattern[str]:
        """Return what matches the fields that this line stands for."""
        inner = ".*".join(map(re.escape, self.field.split("*")))
        return re.compile(f"{inner}(/.*)?")


_REPORT: Final = "reports/*.json"
_LEAVES: Final = "reports/*.leaves.json"
_PAPER: Final = "documents/*.json"
_STATEMENT: Final = "statements/*.json"
_BOOK: Final = "book.jsonl"
_ROW: Final = "its row's leaf under a root in the signed report"
_TICK: Final = "what its producer means to claim; a report credits what its records show and its runs name"
_PDF: Final = "paper for people; the signed JSON beside it is what counts"


def surface() -> tuple[SurfaceField, ...]:
    """Return the table, the more special line before the more general one of a file."""
    return (*_of_header(), *_of_records(), *_of_farm_files(), *_of_books(), *_of_papers(), *_of_audit())


def surface_of(path: str, field: str) -> SurfaceField | None:
    """Return the line of the table that a field of a file falls under; None where the table forgot it."""
    inner = re.sub(r"^(farms|entities)/[^/]+/", "", path)
    return next(
        (
            one
            for one in TABLE
            if (re.fullmatch(".*".join(map(re.escape, one.file.split("*"))), inner) is not None)
            and one.covers.fullmatch(field)
        ),
        None,
    )


def _of_header() -> Iterator[SurfaceField]:
    yes, eyes = Shown.RECOMPUTED, Shown.EYES
    for name, by in (
        ("audited", "the parties, books and records in the package"),
        ("audited_name", "the farm's record or the entity's own entry in its book"),
        ("first", "days of the records, borders of the book's periods, the request"),
        ("last", "days of the records, borders of the book's periods, the request"),
        ("rule_version", "the rule that the signed reports name"),
        ("subject", "the parts that a package of its kind must hold"),
        ("parties", "folders and what lies in them"),
        ("left_out", "the verifier's signed request"),
        ("kind", "a package of another kind is not opened"),
        ("format", "a package of another format is not opened"),
    ):
        yield SurfaceField(HEADER, name, yes, by)
    yield SurfaceField(HEADER, "made_on", eyes, "nobody else knows the day; one before its content differs")
    yield SurfaceField(HEADER, "software", Shown.NOTHING, "who made a package does not change what is in it")
    yield SurfaceField(HEADER, "*", yes, "a header that cannot be read is refused")
    yield SurfaceField(KEYS, "keys/*/source", eyes, "where a binding stands is read in the contract itself")
    for name in ("first", "last"):
        yield SurfaceField(KEYS, f"keys/*/{name}", eyes, "the days of a key are read in the contract or a rotation")
    yield SurfaceField(KEYS, "keys/*/key/*", yes, "the verifier's own list, signatures, contracts in the books")
    yield SurfaceField(KEYS, "*", yes, "a list that cannot be read, or differs from the verifier's")
    by = "a statement of a key is known by its signatures; its file may bear any name"
    yield SurfaceField("keys/*.json", "file moved", Shown.NOTHING, by)
    yield SurfaceField("keys/*.json", "*", Shown.BOUND, "the signatures of the keys that it is about")
    by = "a paper is known by its number and its hash; its file may bear any name"
    yield SurfaceField("documents/*", "file moved", Shown.NOTHING, by)
    yield SurfaceField(REQUEST, "*", Shown.BOUND, "the verifier's signature")


def _of_records() -> Iterator[SurfaceField]:
    for name, kind in KINDS.items():
        for column, declared in kind.typed_fields.items():
            shown, by = (Shown.NOTHING, _TICK) if declared.unsigned else (Shown.BOUND, _ROW)
            yield SurfaceField(f"records/{name}.csv", column, shown, by)
        yield SurfaceField(f"records/{name}.csv", "*", Shown.BOUND, _ROW)
    yield SurfaceField("records/boundaries/*", "*", Shown.BOUND, "its leaf under a root in the signed report")
    yield SurfaceField("records/rejected/*", "*", Shown.BOUND, "its leaf under a root in the signed report")
    yield SurfaceField("records/maps/*", "*", Shown.EYES, "how a file was read; the rows that it gave are bound")
    yield SurfaceField("records/sources.csv", "*", Shown.EYES, "where a row came from; the row itself is bound")


def _of_farm_files() -> Iterator[SurfaceField]:
    yield SurfaceField("evidence/*", "*", Shown.BOUND, "its hash in its record and in the signed report")
    yield SurfaceField(_LEAVES, "format", Shown.NOTHING, "another format has another type")
    yield SurfaceField(_LEAVES, "*", Shown.RECOMPUTED, "the roots in the signed report and the rows themselves")
    yield SurfaceField(_REPORT, "document/software", Shown.BOUND, "the producer's signature")
    yield SurfaceField(_REPORT, "document/*", Shown.RECOMPUTED, "the report made again from the records; the signature")
    yield SurfaceField(_REPORT, "*", Shown.BOUND, "the signature itself, against pinned keys")
    yield SurfaceField("reports/*.pdf", "*", Shown.EYES, _PDF)


def _of_books() -> Iterator[SurfaceField]:
    yield SurfaceField(_BOOK, "header book", Shown.NOTHING, "a word for people who open the file")
    yield SurfaceField(_BOOK, "header *", Shown.RECOMPUTED, "a book of another party or format does not replay")
    yield SurfaceField(_BOOK, "header", Shown.RECOMPUTED, "a book without its first line does not replay")
    for kind, event in TYPES.items():
        for one in fields(event):
            yield SurfaceField(_BOOK, f"{kind} {one.name}", Shown.BOUND, "seal of its line; heads in signed papers")
        yield SurfaceField(_BOOK, f"{kind}*", Shown.BOUND, "seal of its line; heads in signed papers")
    yield SurfaceField(ENTRIES, "*", Shown.BOUND, "seal of its line; heads in signed papers; the book itself")
    yield SurfaceField(_BOOK, "*", Shown.RECOMPUTED, "a line that cannot be replayed is named")


def _of_papers() -> Iterator[SurfaceField]:
    yield SurfaceField(_PAPER, "document/*", Shown.RECOMPUTED, "the paper made again from the book; the signature")
    yield SurfaceField(_PAPER, "*", Shown.BOUND, "the issuer's signature, against pinned keys and contracts")
    yield SurfaceField("documents/*.pdf", "*", Shown.EYES, _PDF)
    yield SurfaceField("*.tsr", "*", Shown.RECOMPUTED, "the file beside it and the verifier's roots")
    yield SurfaceField(
        "*.logproof", "grew_from*", Shown.NOTHING, "it speaks to who holds a head of that size; computed"
    )
    yield SurfaceField(
        "*.logproof", "*", Shown.RECOMPUTED, "the document beside it, the log's signature and held heads"
    )
    yield SurfaceField(_STATEMENT, "*", Shown.BOUND, "the verifier's signature; the book's entry of it")
    yield SurfaceField("statements/*.pdf", "*", Shown.EYES, _PDF)


def _of_audit() -> Iterator[SurfaceField]:
    yield SurfaceField(SAMPLE, "*", Shown.RECOMPUTED, "the draw made again; the verifier's own copy")
    yield SurfaceField(EVIDENCE_INDEX, "*", Shown.RECOMPUTED, "the index made again from records, files and findings")
    yield SurfaceField(FINDINGS, "*", Shown.RECOMPUTED, "the verifier's own log, which only grows")


TABLE: Final = surface()


def surface_page() -> str:
    """Return the table, one section a file; fields of one file with one answer share a line."""
    count = Counter(one.shown for one in TABLE)
    lines = [
        "# What shows a change in a package",
        "",
        "`provender verify` answers for every field of every file. **Recomputed**: it is computed again or held",
        "against something else. **Bound by signature**: a signature covers it, directly or by a hash, a root or a",
        "head. **For eyes**: only a person can judge it. **Carries nothing**: nothing follows from it.",
        "",
        f"Of {len(TABLE)} declared fields {count[Shown.RECOMPUTED]} are recomputed,",
        f"{count[Shown.BOUND]} bound by signature, {count[Shown.EYES]} for eyes, {count[Shown.NOTHING]} carry nothing.",
        "`*` stands for every other field of the file.",
        "",
        "| file | field | what shows a change | by |",
        "| --- | --- | --- | --- |",
    ]
    for (file, shown, by), group in groupby(TABLE, key=lambda one: (one.file, one.shown, one.by)):
        names = ", ".join(f"`{one.field}`" for one in group)
        lines.append(f"| `{file}` | {names} | {shown} | {by} |")
    return "\n".join([*lines, ""])
