"""The page of requirements: what each practice asks for, with the paragraph and what may be missing."""

from provender.practices import evaluate
from provender.practices.requirement import Part, Requirement, of_practice
from provender.rule.crops import Crop, Practice, claimable

INTRO = """# Practice standards

Every requirement of subpart F as `provender check` judges it. Implementation earns the credit; records are judged
apart, and an official report asks for both. A verdict is *met*, *not met* or *not shown*; *not shown* names what is
missing, and earns nothing.

"""


def requirements_page() -> str:
    """Return the page."""
    rooms = ", ".join(room.__name__.rpartition(".")[2] for room in evaluate.ROOMS)
    made = f"They stand in `provender.practices`: {rooms}.\n\n"
    return INTRO + made + "\n".join(_practice(practice) for practice in Practice)


def _practice(practice: Practice) -> str:
    crops = ", ".join(crop.label.lower() for crop in Crop if practice in claimable(crop))
    parts = [f"## {practice.label}", "", f"May be claimed for {crops}.", ""]
    for part in Part:
        parts += [f"### {practice.label}: {part}", "", *map(_requirement, of_practice(practice, part)), ""]
    return "\n".join(parts)


def _requirement(one: Requirement) -> str:
    gaps = "; ".join(f"`{gap.record}`" for gap in one.gaps)
    missing = f" Not shown without: {gaps}." if gaps else ""
    remedy = f" If not met: {one.remedy}" if one.remedy else ""
    return f"- **{one.cite}** `{one.name}`: {one.says}{missing}{remedy}"
