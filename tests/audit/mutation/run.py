"""A party's package changed in one place after the other, and what verification said each time."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, Final, TypeVar
from weakref import finalize

from provender.audit.outcome import CheckResult, Difference, Files
from provender.audit.package.contents import REPORTS, FarmPart, PackageContents, with_verifiers_files
from provender.audit.package.layout import HEADER
from provender.audit.package.surface import Shown, surface_of
from provender.audit.package.write import Header, check_content
from provender.audit.recompute.checks import CHECKS, Check, recompute_case
from provender.signing.canonical import canonical_json
from tests.audit.mutation.changes import Change, changes, odd, of_files
from tests.audit.mutation.hands import Hand, rotated_party, tampered
from tests.audit.prairie import CRUSHER, ELEVATOR, Party, audit_party, farm_party, house_party, sample_of

# A verifier who judged the untouched package once, and judges anew only what a change touches.
#
# A check, and whatever ``PackageContents.once`` makes for several, is a function of the files it reads. Each read is
# noted; where every file read is as it was, the answer is as it was too. ``test_mutation`` holds that
# against judging all anew.

T = TypeVar("T")
Made = tuple[Any, frozenset[str]]
NAMES: Final = "names of all files"
"""Stands for having looked which files there are."""
OF_RECORDS: Final = ("book", "evidence", "assessment")
"""What a farm's records and evidence alone decide."""


class Reread(PackageContents):
    """A package of which only what was touched is made anew.

    Args:
        files: content by path.
        folder: an empty folder of this machine.
        clean: the untouched package, judged before; None for that itself.
    """

    def __init__(self, files: Mapping[str, bytes], folder: Path, clean: "Reread | None" = None) -> None:
        super().__init__(files, folder)
        self._reads: list[set[str]] = [set()]
        self._known: dict[object, Made] = {}
        self._clean = clean
        self._touched: frozenset[str] = frozenset()
        if clean is not None:
            self._touched = _touched(clean._files, files)

    def __getitem__(self, path: str) -> bytes:
        self._reads[-1].add(path)
        return super().__getitem__(path)

    def __iter__(self) -> Iterator[str]:
        self._reads[-1].add(NAMES)
        return super().__iter__()

    def __len__(self) -> int:
        self._reads[-1].add(NAMES)
        return super().__len__()

    def json(self, path: str) -> object:
        """Return what a JSON file holds."""
        self._reads[-1].add(path)
        return self._once(("json", path), lambda case: PackageContents.json(case, path))

    def once(self, make: Callable[[PackageContents], T]) -> T:
        """Return what a function makes of this package, or made of the clean one from the same files."""
        return self._once(make, make)

    def _once(self, name: object, make: Callable[[PackageContents], T]) -> T:
        if name not in self._known:
            before = self._clean._known.get(name) if self._clean else None
            if before is not None and before[1].isdisjoint(self._touched):
                self._known[name] = before
            else:
                with self._reading() as reads:
                    made = make(self)
                self._known[name] = made, frozenset(reads)
        found, read = self._known[name]
        self._reads[-1] |= read
        return found  # type: ignore[no-any-return]  # made by the same function

    @contextmanager
    def _reading(self) -> Iterator[set[str]]:
        """Note what is read, for what is made here and for what asked for it."""
        self._reads.append(set())
        try:
            yield self._reads[-1]
        finally:
            inner = self._reads.pop()
            self._reads[-1] |= inner

    def _farm(self, prefix: str, farm_id: str) -> FarmPart:
        """Return a farm; what its untouched files decide is not made again."""
        self._reads[-1] |= {path for path in self if path.startswith(f"{prefix}/")}
        before = next((one for one in self._clean.farms if one.prefix == prefix), None) if self._clean else None
        mine = {path for path in self._touched if path.startswith(f"{prefix}/")}
        if before is None or HEADER in self._touched or any(f"/{REPORTS}/" not in path for path in mine):
            return super()._farm(prefix, farm_id)
        if not mine:
            return before
        part = replace(before, files=self)
        part.__dict__ |= {name: before.__dict__[name] for name in OF_RECORDS if name in before.__dict__}
        return part


def _shared(name: str) -> property:
    """Return a cached property of packages as one that notes what it reads."""
    make = PackageContents.__dict__[name].func
    return property(lambda case: case.once(make))


for _name in ("header", "pins", "key_statements", "farms", "calculators", "entities", "held_reports"):
    setattr(Reread, _name, _shared(_name))


def _touched(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> frozenset[str]:
    changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    return frozenset(changed | ({NAMES} if list(before) != list(after) else set()))


class OnceCheck(Check):
    """A check whose answer is made once, like anything else that is made of a package."""

    def find(self) -> Callable[[Files], CheckResult]:
        """Return the check's function."""
        check = super().find()
        return lambda case: case.once(check)  # type: ignore[attr-defined]  # a Reread


class Judge:
    """What verification says of a package and of what becomes of it.

    Args:
        files: the untouched package.
        pins: the verifier's list of keys.
        held: copies of signed papers that others hold.
    """

    def __init__(self, files: Files, pins: bytes, held: Mapping[str, bytes]) -> None:
        self._beside = pins, held
        folder = Path(mkdtemp(prefix="judge-"))
        finalize(self, rmtree, folder)
        self._clean = Reread(with_verifiers_files(files, *self._beside), folder)
        recompute_case(self._clean, _CHECKS)

    def differences(self, files: Files) -> tuple[list[Difference], list[str]]:
        """Return what verification says of changed files, without the container: differences, and what needs eyes."""
        try:
            problems = check_content(Header.read(json.loads(files[HEADER])), files, None)
        except (KeyError, TypeError, ValueError, AttributeError):
            return [Difference("unreadable_header", "2100.030(d)", HEADER, "a header", "")], []
        found = [Difference(one.code, one.cite, str(one.place), one.cause, "") for one in problems]
        outcomes = self.outcomes(files)
        return (
            [*found, *(one for outcome in outcomes for one in outcome.differences)],
            [why for outcome in outcomes for why in outcome.not_shown],
        )

    def outcomes(self, files: Files) -> list[CheckResult]:
        """Return the answer of every check on changed files."""
        with TemporaryDirectory() as folder:
            return recompute_case(
                Reread(with_verifiers_files(files, *self._beside), Path(folder), self._clean), _CHECKS
            )


_CHECKS: Final = tuple(OnceCheck(one.name, one.cites, one.lives_in) for one in CHECKS)


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
