"""A party's package changed in one place after the other, and what verification said each time."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from docs.makers.surface import Shown, surface_of
from provender.audit.outcome import Difference
from provender.audit.package.contents import with_verifiers_files
from provender.audit.package.layout import HEADER
from provender.audit.package.write import Header, check_content
from provender.audit.recompute.verify import recompute
from provender.signing.canonical import canonical_json
from tests.audit.mutation.changes import Change, Files, changes, odd, of_files
from tests.audit.mutation.hands import Hand, rotated_party, tampered
from tests.audit.prairie import CRUSHER, ELEVATOR, Party, audit_party, farm_party, house_party, sample_of

KINDS: Final = ("farm", "farm of two keys", "elevator", "crusher", "refiner", "audit")


def party_of(kind: str, folder: Path) -> Party:
    farms = tuple(json.loads(sample_of(folder))["sample"])
    if kind == "audit":
        return audit_party(folder, farms)
    if kind.startswith("farm"):
        return farm_party(folder, farms[0]) if kind == "farm" else rotated_party(folder, farms[-1])
    return house_party(folder, {"elevator": ELEVATOR, "crusher": CRUSHER, "refiner": "sod-diesel"}[kind])


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

    def __init__(self, kind: str, folder: Path) -> None:
        self.name, self.party = kind, party_of(kind, folder)
        self.files = {**self.party.files, HEADER: canonical_json(self.party.header.document())}
        self._pins = (folder / "pins.json").read_bytes()

    def differences(self, files: Files) -> tuple[list[Difference], list[str]]:
        """Return what verification says of changed files, without the container: differences, and what needs eyes."""
        try:
            problems = check_content(Header.read(json.loads(files[HEADER])), files, None)
        except (KeyError, TypeError, ValueError, AttributeError):
            return [Difference("unreadable_header", "2100.030(d)", HEADER, "a header", "")], []
        found = [Difference(one.code, one.cite, str(one.place), one.cause, "") for one in problems]
        outcomes = recompute(with_verifiers_files(files, self._pins, self.party.held))
        differences = [*found, *(one for outcome in outcomes for one in outcome.differences)]
        return differences, [why for outcome in outcomes for why in outcome.not_shown]

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
        files = tampered(self.party, change, hand)
        if files == self.files or (hand is not Hand.BAGGED and _put_back(files, self.files, change)):
            return Tried(change.name, hand, "no change", ())
        found, told = self.differences(files)
        codes = tuple(one.code for one in found)
        if not codes and change.name_there and any(change.name_there in one for one in told):
            return Tried(change.name, hand, "told", ())
        if codes:
            return Tried(change.name, hand, "found", codes)
        line = surface_of(change.path, change.field)
        if line is not None and line.shown in (Shown.EYES, Shown.NOTHING):
            return Tried(change.name, hand, "for eyes", ())
        return Tried(change.name, hand, "rests on the signer alone" if hand is Hand.OWN_KEY else "silent", ())


def _put_back(files: Files, clean: Files, change: Change) -> bool:
    """Tell whether sealing or signing put back what was changed: a seal or a signature has no content of its own."""
    seal = change.field.rpartition(" ")[2] in ("chain", "signature")
    return seal and files.keys() == clean.keys() and _content(files, change) == _content(clean, change)


def _content(files: Files, change: Change) -> object:
    text = files[change.path].decode()
    if change.path.endswith(".jsonl"):
        return [json.loads(line).get("event") for line in text.splitlines()]
    return json.loads(text).get("document")
