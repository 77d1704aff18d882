"""A party's package changed in one place after the other, and what verification said each time."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from provender.audit.package.layout import HEADER
from provender.audit.package.surface import Shown, surface_of
from provender.signing.canonical import canonical_json
from tests.audit.mutation.changes import Change, changes
from tests.audit.mutation.hands import Hand, tampered
from tests.audit.mutation.judge import Judge
from tests.audit.mutation.keyed import rotated_party
from tests.audit.mutation.odd import odd
from tests.audit.mutation.whole import of_files
from tests.audit.prairie import CRUSHER, ELEVATOR, Party, audit_party, farm_party, house_party, sample_of


def parties(folder: Path) -> dict[str, Party]:
    """Return a package of each kind."""
    farms = tuple(json.loads(sample_of(folder))["sample"])
    return {
        "farm": farm_party(folder, farms[0]),
        "farm of two keys": rotated_party(folder, farms[-1]),
        "elevator": house_party(folder, ELEVATOR),
        "crusher": house_party(folder, CRUSHER),
        "refiner": house_party(folder, "sod-diesel"),
        "audit": audit_party(folder, farms),
    }


@dataclass(frozen=True)
class Tried:
    """One change and its outcome.

    That is ``found``, ``told``, ``for eyes``, ``silent``, ``rests on the signer alone`` or ``no change``.
    """

    name: str
    hand: Hand
    outcome: str
    codes: tuple[str, ...]


class Run:
    """The changes of one package."""

    def __init__(self, name: str, party: Party, pins: bytes) -> None:
        self.name, self.party = name, party
        self.files = {**party.files, HEADER: canonical_json(party.header.document())}
        self.judge = Judge(self.files, pins, party.held)

    def some(self, count: int, seed: int) -> Iterator[Tried]:
        """Yield so many changes by seed, every field of every file before any of them twice."""
        rng, groups = Random(f"{seed} {self.name}"), defaultdict(list)
        for one in (*changes(self.files), *of_files(self.files), *odd(self.files)):
            groups[one.path.rpartition("/")[2] if "records" in one.path else one.path[:9], one.field, one.what].append(
                one
            )
        order = list(groups)
        rng.shuffle(order)
        for number in range(count):
            hand = list(Hand)[number % len(Hand)]
            yield self.tried(rng.choice(groups[order[number // len(Hand) % len(order)]]), hand)

    def tried(self, change: Change, hand: Hand) -> Tried:
        """Return what verification says of a change."""
        files = tampered(self.party, change, hand)
        if files == self.files or (hand is not Hand.BAGGED and _put_back(files, self.files, change)):
            return Tried(change.name, hand, "no change", ())
        found, told = self.judge.differences(files)
        codes = tuple(one.code for one in found)
        if not codes and change.name_there and any(change.name_there in one for one in told):
            return Tried(change.name, hand, "told", ())
        if codes:
            return Tried(change.name, hand, "found", codes)
        line = surface_of(change.path, change.field)
        if line is not None and line.shown in (Shown.EYES, Shown.NOTHING):
            return Tried(change.name, hand, "for eyes", ())
        return Tried(change.name, hand, "rests on the signer alone" if hand is Hand.OWN_KEY else "silent", ())


def _put_back(files: dict[str, bytes], clean: dict[str, bytes], change: Change) -> bool:
    """Tell whether sealing or signing put back what was changed: a seal or a signature has no content of its own."""
    seal = change.field.rpartition(" ")[2] in ("chain", "signature")
    return seal and files.keys() == clean.keys() and _content(files, change) == _content(clean, change)


def _content(files: dict[str, bytes], change: Change) -> object:
    text = files[change.path].decode()
    if change.path.endswith(".jsonl"):
        return [json.loads(line).get("event") for line in text.splitlines()]
    return json.loads(text).get("document")
