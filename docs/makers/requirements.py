"""The page of requirements: what each practice asks for, with its paragraph and what helps."""

from provender.rule.crops import Crop, Practice, claimable
from provender.standards import cover_crop, nutrients, tillage
from provender.standards.standard import Part, Requirement, of_practice

INTRO = """# Practice standards

Every requirement of subpart F as `provender check` judges it. Implementation earns the credit; records are judged
apart, and an official report asks for both. A verdict is *met*, *not met* or *not shown*; *not shown* names what is
missing, and earns nothing.

"""


def requirements_page() -> str:
    """Return the page."""
    sections = ", ".join(f"`{section.__name__}`" for section in (tillage, cover_crop, nutrients))
    made = f"They stand in {sections}, in the order of the paragraphs.\n\n"
    return INTRO + made + "\n".join(_practice(practice) for practice in Practice)


def _practice(practice: Practice) -> str:
    crops = ", ".join(crop.label.lower() for crop in Crop if practice in claimable(crop))
    parts = [f"## {practice.label}", "", f"May be claimed for {crops}.", ""]
    for part in Part:
        parts += [f"### {practice.label}: {part}", "", *map(_requirement, of_practice(practice, part)), ""]
    return "\n".join(parts)


def _requirement(one: Requirement) -> str:
    remedy = f" If not met: {one.remedy}" if one.remedy else ""
    return f"- **{one.cite}** `{one.name}`: {one.says}{remedy}"
