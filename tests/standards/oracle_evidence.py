"""What a plain reading of interpretation 59 makes of a row's evidence, and of what was bought for what was used."""

import datetime as dt
from typing import Final

from tests.standards.oracle_rows import Row
from tests.standards.season import content_hash

Book = dict[str, list[Row]]
PAPERS: Final = ("invoice", "receipt", "seed_tag", "contract", "form", "ticket")
HALF_A_YEAR: Final = 180


def sound(book: Book, name: str) -> Row | None:
    """Return the evidence of a name if its file is there and is the one that was recorded."""
    found = next((one for one in book["evidence"] if one["evidence_id"] == name), None)
    there = found and not found["file"].startswith("gone") and found["sha256"] == content_hash(found["file"])
    return found if there else None


def named(book: Book, row: Row, *kinds: str) -> list[Row]:
    """Return the sound evidence of some kinds that a row names."""
    names = [one.strip() for one in (row["evidence"] or "").split(";")]
    return [one for name in names if (one := sound(book, name)) and one["what"] in kinds]


def of_unit(one: Row, unit: str) -> bool:
    """Tell whether evidence belongs to a unit or to no other."""
    return one["unit_id"] in (None, unit)


def not_before(one: Row, day: dt.date | None) -> bool:
    """Tell whether evidence is of no earlier day, as far as days are known."""
    return one["taken_on"] is None or day is None or one["taken_on"] >= day


def not_after(one: Row, day: dt.date | None) -> bool:
    """Tell whether evidence is of no later day, as far as days are known."""
    return one["taken_on"] is None or day is None or one["taken_on"] <= day


def near(one: Row, day: dt.date | None) -> bool:
    """Tell whether a paper is of about the day of what it shows."""
    return one["taken_on"] is None or day is None or abs((one["taken_on"] - day).days) <= HALF_A_YEAR


def held(book: Book, row: Row) -> Row:
    """Return a pass as its evidence bears it out: how it is known, and whether any evidence counts (62)."""
    every = ("photograph", "machine_file", "laboratory_report", "other", *PAPERS)
    counts = [one for one in named(book, row, *every) if of_unit(one, row["unit_id"])]
    logs = [one for one in counts if one["what"] == "machine_file" and not_before(one, row["day"])]
    papers = [one for one in counts if one["what"] in ("invoice", "receipt") and near(one, row["day"])]
    known_by = row["known_by"]
    if known_by == "third_party" and not papers:
        known_by = "machine"
    if known_by == "machine" and not logs:
        known_by = "typed_after_harvest"
    return {**row, "known_by": known_by, "evidence": "held" if counts else None}


def photographed(book: Book, cover: Row) -> bool:
    """Tell whether a cover crop has its photograph."""
    one = sound(book, cover["established_photo"] or "")
    if one is None or one["what"] != "photograph" or not of_unit(one, cover["unit_id"]):
        return False
    units = {
        row["unit_id"] for row in book["cover_crop"]
        if row["established_photo"] == one["evidence_id"] and of_unit(one, row["unit_id"])
    }  # fmt: skip
    own = one["unit_id"] is not None or len(units) == 1
    return (
        own
        and one["taken_on"] is not None
        and not_before(one, cover["seeded_on"])
        and not_after(one, cover["terminated_on"])
    )


def soil_paper(book: Book, test: Row) -> bool:
    """Tell whether the laboratory's report of a soil test is there."""
    return any(
        of_unit(one, test["unit_id"]) and not_before(one, test["sampled_on"])
        for one in named(book, test, "laboratory_report", "form")
    )


def opinion_paper(book: Book, opinion: Row | None) -> bool:
    """Tell whether an expert's written opinion is there."""
    if opinion is None:
        return False
    kinds = ("form", "contract", "laboratory_report")
    return any(near(one, opinion["given_on"]) for one in named(book, opinion, *kinds))


def bought(book: Book, row: Row, *, own: bool = False) -> bool:
    """Tell whether a purchase has day, supplier (or is own seed) and paper."""
    paper = any(near(one, row["received_on"]) for one in named(book, row, *PAPERS))
    return bool(paper and row["received_on"] and (row["supplier"] or own))


Dated = list[tuple[dt.date | None, int | None]]


def lasted(uses: Dated, received: Dated) -> bool:
    """Tell whether on every day of use there was enough of what had come by then."""
    for day, amount in uses:
        if day is None or amount is None:
            return False
        used = sum(one or 0 for when, one in uses if when is not None and when <= day)
        if sum(one or 0 for when, one in received if when is not None and when <= day) < used:
            return False
    return True
