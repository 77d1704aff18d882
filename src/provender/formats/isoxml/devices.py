"""Machines and implements as task data names them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


class Practice(StrEnum):
    """What a machine does, as far as its class tells."""

    TILLAGE = "tillage"
    SEEDING = "seeding"
    FERTILIZING = "fertilizing"
    SPRAYING = "spraying"
    HARVEST = "harvest"
    MANURE = "manure"
    OTHER = "other"


_OF_CLASS: Final = {
    2: Practice.TILLAGE,
    3: Practice.TILLAGE,
    4: Practice.SEEDING,
    5: Practice.FERTILIZING,
    6: Practice.SPRAYING,
    7: Practice.HARVEST,
    8: Practice.HARVEST,
    9: Practice.HARVEST,
    25: Practice.MANURE,
}
"""Device classes of agriculture in the NAME of ISO 11783-1."""
_OF_CULTURAL_PRACTICE: Final = {
    1: Practice.FERTILIZING,
    2: Practice.SEEDING,
    3: Practice.SPRAYING,
    4: Practice.TILLAGE,
    8: Practice.HARVEST,
    9: Practice.HARVEST,
    12: Practice.MANURE,
}
"""Values of the process data 179, the actual cultural practice."""
_CLASS_BITS: Final = 49
_CLASS_MASK: Final = 0x7F


@dataclass(frozen=True, slots=True)
class Machine:
    """One device.

    Attributes:
        id: its id in the file.
        name: what the terminal calls it.
        practice: what its class says it does.
        elements: ids of its elements with what each is called.
    """

    id: str
    name: str
    practice: Practice
    elements: dict[str, str]


def machines(root: "Element") -> dict[str, Machine]:
    """Return the machine of every device element, by the element's id."""
    found: dict[str, Machine] = {}
    for device in root.findall("DVC"):
        elements = {part.get("A", ""): part.get("D", "") for part in device.findall("DET")}
        practice = practice_of_name(device.get("D", ""))
        name = " ".join(device.get("B", "").split())
        machine = Machine(device.get("A", ""), name, practice, elements)
        found |= dict.fromkeys(elements, machine)
    return found


def practice_of_name(name: str) -> Practice:
    """Return what the device class in a NAME (16 hexadecimal digits) says a machine does."""
    try:
        return _OF_CLASS.get(int(name, 16) >> _CLASS_BITS & _CLASS_MASK, Practice.OTHER)
    except ValueError:
        return Practice.OTHER


def practice_of_value(value: int) -> Practice:
    """Return what a logged cultural practice says."""
    return _OF_CULTURAL_PRACTICE.get(value, Practice.OTHER)
