"""The files of task data: found in any folder of a zip, in any case of letters, and joined to one tree."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from provender.formats.archive import Archive, is_zip, opened
from provender.formats.child import MEBIBYTE
from provender.formats.parsed import doubt
from provender.problem import Place, Problem, ProblemsError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

ROOT: Final = "ISO11783_TaskData"
_EXTERNAL: Final = "XFR"
_ZIPS_DEEP: Final = 2
_MOST_XML: Final = 64 * MEBIBYTE
_AGAIN: Final = "Export the tasks again, with all files of the TASKDATA folder."


@dataclass(frozen=True, slots=True)
class TaskData:
    """One TASKDATA.XML with the files beside it.

    Attributes:
        name: what problems call it.
        root: its tree, the files it refers to joined in.
        logs: content of the files beside it, by name in capitals.
        problems: what is missing or cannot be read.
    """

    name: str
    root: "Element"
    logs: Mapping[str, bytes]
    problems: list[Problem] = field(default_factory=list)


def task_data(path: Path, name: str) -> list[TaskData]:
    """Return all task data in a file or zip, the one nearest to the top first.

    Raises:
        ProblemsError: a zip that is damaged or hostile.
    """
    if not is_zip(path):
        beside = {each.name.upper(): each for each in path.parent.iterdir() if each.is_file()}
        return [_joined(name, path.read_bytes(), _Files(beside))]
    with opened(path, name) as archive:
        return list(_in_zip(archive, 1))


def _in_zip(archive: Archive, deep: int) -> Iterator[TaskData]:
    found = [each for each in archive.members if PurePosixPath(each).name.upper() == "TASKDATA.XML"]
    for member in sorted(found, key=lambda each: (each.count("/"), each)):
        folder = str(PurePosixPath(member).parent)
        beside = {
            PurePosixPath(each).name.upper(): each
            for each in archive.members
            if str(PurePosixPath(each).parent) == folder
        }
        files = {upper: archive.read(each) for upper, each in beside.items() if upper != "TASKDATA.XML"}
        yield _joined(f"{archive.name}/{member}", archive.read(member), _Files(files))
    for member in archive.members:
        if member.lower().endswith(".zip") and deep < _ZIPS_DEEP:
            with opened(archive.read(member), f"{archive.name}/{member}") as inner:
                yield from _in_zip(inner, deep + 1)


class _Files(Mapping[str, bytes]):
    """Files beside the task data by their names in capitals, read when they are asked for."""

    def __init__(self, files: Mapping[str, bytes] | Mapping[str, Path]) -> None:
        self._files = files

    def __getitem__(self, name: str) -> bytes:
        held = self._files[name]
        return held.read_bytes() if isinstance(held, Path) else held

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def _joined(name: str, xml: bytes, files: Mapping[str, bytes]) -> TaskData:
    root = parse_xml(xml, name)
    if root.tag != ROOT:
        cause = f"the file is XML, but not task data: it begins with {root.tag!r}."
        raise ProblemsError([Problem(Place(name), cause, _AGAIN, code="not_task_data")])
    problems: list[Problem] = []
    for reference in root.findall(_EXTERNAL):
        root.remove(reference)
        stem = reference.get("A", "").strip().upper()
        if f"{stem}.XML" not in files:
            cause = f"the task data refers to {stem}.XML, which is not beside it; what stands there was not read."
            problems.append(doubt(Place(name), cause, _AGAIN, "missing_part"))
            continue
        try:
            root.extend(list(parse_xml(files[f"{stem}.XML"], f"{stem}.XML beside {name}")))
        except ProblemsError as trouble:
            problems += trouble.problems
    return TaskData(name, root, files, problems)


def parse_xml(xml: bytes, name: str) -> "Element":
    """Return the tree of a small XML file from a stranger.

    Raises:
        ProblemsError: it is damaged, too large, or declares entities.
    """
    if len(xml) > _MOST_XML:
        cause = f"the XML is larger than {_MOST_XML // MEBIBYTE} MiB."
        raise ProblemsError([Problem(Place(name), cause, _AGAIN, code="file_too_big")])
    try:
        root: Element = fromstring(xml, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as trouble:
        cause = f"the XML is damaged or not allowed ({type(trouble).__name__}: {trouble})."
        raise ProblemsError([Problem(Place(name), cause, _AGAIN, code="bad_xml")]) from None
    return root
