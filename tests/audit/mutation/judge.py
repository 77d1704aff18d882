"""A verifier who judged the untouched package once, and judges anew only what a change touches.

A check, and whatever ``PackageContents.once`` makes for several, is a function of the files it reads. Each read is
noted; where every file read is as it was, the answer is as it was too. ``test_judge`` holds that
against judging all anew.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, Final, TypeVar
from weakref import finalize

from provender.audit.outcome import CheckResult, Difference, Files
from provender.audit.package.contents import REPORTS, FarmPart, PackageContents, with_verifiers_files
from provender.audit.package.layout import HEADER
from provender.audit.package.write import Header, check_content
from provender.audit.recompute.checks import CHECKS, Check, recompute_case

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
