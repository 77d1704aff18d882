"""Pages of the rule: its paragraphs with what answers them, its parameters, and the list of interpretations."""

from makers.citations import cited_pages

from provender.rule import paragraphs
from provender.rule.law import Parameter, ParameterKind, parameters

WORDS = {
    paragraphs.AnswerKind.requirement: "requirement",
    paragraphs.AnswerKind.record: "record",
    paragraphs.AnswerKind.document: "document",
    paragraphs.AnswerKind.procedure: "procedure",
}


def cell(text: str) -> str:
    """Make a text fit one cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def answer_text(answer: paragraphs.Answer, *, alone: bool) -> str:
    """Write one answer for a reader."""
    if answer.kind is paragraphs.AnswerKind.below:
        return "the paragraphs below"
    if answer.kind is paragraphs.AnswerKind.reason:
        return f"{'nothing' if alone else 'not wholly'}: {paragraphs.reasons()[answer.name]}"
    return f"{WORDS[answer.kind]} `{answer.name}`"


def paragraph_row(one: paragraphs.Paragraph) -> str:
    """Write one paragraph as a row."""
    answers = "; ".join(answer_text(answer, alone=len(one.answers) == 1) for answer in one.answers)
    cells = (str(one.cite), one.summary, str(one.force), ", ".join(one.subjects), answers)
    return f"| {' | '.join(map(cell, cells))} |"


def coverage_table() -> list[str]:
    """Write the counts of ``provender rule coverage``."""
    lines = [
        f"| Section | All | {' | '.join(kind.capitalize() for kind in paragraphs.AnswerKind)} |",
        "| --- |" + " --: |" * 7,
    ]
    for one in paragraphs.coverage():
        numbers = " | ".join(str(number or "") for number in one.by_kind.values())
        lines.append(f"| {one.section.number} {one.section.title} | {one.paragraphs} | {numbers} |")
    return lines


def rule_page() -> str:
    """Write every paragraph, section by section, with the coverage before them."""
    text = parameters()
    lines = [
        "# The rule, paragraph by paragraph",
        "",
        f"7 CFR part 2100 as published in {text.citation}, in force from {text.start}, read up to {text.read_up_to}.",
        "The summaries are ours and no substitute for the text. `provender rule show` prints one paragraph,",
        "`provender rule coverage` the table that follows.",
        "",
        f"Harvests from {text.later_start} on fall under a later rule ({text.later_citation}) whose text is not",
        "loaded; they are computed under this one and say so.",
        "",
        "## Coverage",
        "",
        "A paragraph counts under each kind of answer it has. *Below*: it introduces the paragraphs under it.",
        "",
        *coverage_table(),
        "",
        "Paragraphs with no answer but a reason:",
        "",
    ]
    for name, group in paragraphs.not_modelled().items():
        lines.append(f"- {paragraphs.reasons()[name]} {', '.join(str(one.cite) for one in group)}.")
    lines += ["", "Paragraphs with an answer, and a reason why it is not whole:", ""]
    for name, group in paragraphs.answered_in_part().items():
        lines.append(f"- {paragraphs.reasons()[name]} {', '.join(str(one.cite) for one in group)}.")
    for section in paragraphs.sections():
        lines += ["", f"## {section.number} {section.title}", "", f"Subpart {section.subpart}.", ""]
        lines += ["| Paragraph | Says | Force | For | Answered by |", "| --- | --- | --- | --- | --- |"]
        lines += [paragraph_row(one) for one in section.paragraphs]
    return "\n".join(lines) + "\n"


def parameter_row(one: Parameter) -> str:
    """Write one parameter as a row."""
    values = "; ".join(f"{one.show(dated.value)} from {dated.start}" for dated in one.history)
    source = f"interpretation {one.reading}" if one.reading else "the rule"
    unit = "" if one.unit in ("word", "day", "month and day") else one.unit
    cells = (one.label, f"`{one.name}`", values, unit, str(one.cite), source)
    return f"| {' | '.join(map(cell, cells))} |"


def parameters_page() -> str:
    """Write every parameter: first the numbers of the rule, then those of our readings."""
    heading = ["| What it is | Name | Value | Unit | Paragraph | Source |", "| --- | --- | --- | --- | --- | --- |"]
    lines = [
        "# Parameters",
        "",
        "Every number, window and choice that a result depends on. Software takes them from a `RuleVersion`, chosen by",
        "the day of harvest; amounts are kept there as whole numbers (percent and pounds in thousandths, STIR in",
        "ten-thousandths).",
    ]
    for kind, title in (
        (ParameterKind.rule, "Numbers of the rule"),
        (ParameterKind.reading, "Numbers of our readings"),
    ):
        chosen = [one for one in parameters().by_name.values() if one.kind is kind]
        lines += ["", f"## {title}", "", *heading, *map(parameter_row, chosen)]
    lines += [
        "",
        "## Windows by State",
        "",
        "A State or zone can have windows of its own. None is packaged; a user adds them under `state_windows` in a",
        "copy of the parameters, and the window used is printed with the result.",
    ]
    return "\n".join(lines) + "\n"


def decisions_page() -> str:
    """Write the list of decisions."""
    lines = [
        "# Decisions",
        "",
        "Why the software is built as it is: one page a decision. How the rule is read stands under",
        "[Interpretations](../interpretations/index.md).",
        "",
    ]
    lines += [f"{number}. [{title}]({name})" for number, (title, name) in cited_pages("decisions").items()]
    return "\n".join(lines) + "\n"


def interpretations_page() -> str:
    """Write the list of interpretations."""
    lines = [
        "# Interpretations",
        "",
        "The rule is short and life is long. Where it is silent or doubtful, these decisions hold until a better one",
        "is written down: each with the passage, our reading, other readings and why not, and what it governs. *Must*",
        "can fail; *should* is reported and never fails.",
        "",
        "A later page may amend an earlier one, which then says so below its title. Some run ahead of the program:",
        "they say what it does today and what it does not do yet.",
        "",
    ]
    lines += [f"{number}. [{title}]({name})" for number, (title, name) in cited_pages("interpretations").items()]
    return "\n".join(lines) + "\n"
