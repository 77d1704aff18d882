"""What a statement's paper prints of engagement and work: labels of the declarations, nothing where nothing is said."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from provender.audit.statement.engagement import LISTS, Engagement, Quantity, SeenFarm, SeenPlace, Work, read_part
from provender.audit.statement.opinion import required_lines, uncorrected
from provender.audit.statement.statement import VerificationStatement
from provender.plain import infos, write
from provender.quantity import show

AGREED: Final = ("engaged_by", "engaged_on", "addressee", "sampling_plan", "retention_years", "later_facts")
RESPONSIBLE: Final = ("party_responsibility", "verifier_responsibility", "impartiality")
_SEEN: Final = {"sites": SeenPlace, "farms": SeenFarm}


def engaged(one: VerificationStatement) -> dict[str, Any]:
    """Return the parts of the paper that tell of engagement, work, quantities and uncorrected misstatements.

    Each part is empty where the statement does not say it, or says it in a form that cannot be read.
    """
    said, _ = read_part(Engagement, one.engagement or {})
    work, _ = read_part(Work, one.work or {})
    found: dict[str, Any] = {"agreed": [], "responsible": [], "lists": [], "reviewed_on": "", "work": None}
    if said is not None:
        plain, labels = write(said), infos(Engagement)
        found["agreed"] = [[labels[name].label, str(plain[name])] for name in AGREED]
        found["responsible"] = [[labels[name].label, str(plain[name])] for name in RESPONSIBLE]
        found["lists"] = [_table(labels[name].label, part, plain[name]) for name, part in LISTS.items()]
        found["reviewed_on"] = str(plain["reviewed_on"])
    return found | ({"work": _work(one, work)} if work is not None else {})


def _table(title: str, part: type[Any], rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a table for print; a column in which no row says anything is left out."""
    given = [{name: str(value) for name, value in row.items()} for row in rows]
    columns = [
        {"key": name, "label": f"{info.label}, {info.unit}" if info.unit else info.label}
        for name, info in infos(part).items()
        if any(row.get(name, "") not in ("", "0") for row in given)
    ]
    return {"title": title, "columns": columns, "rows": given}


def _work(one: VerificationStatement, work: Work) -> dict[str, Any]:
    plain, labels = write(work, whole=True), infos(Work)
    texts = {item.line: item.text for item in required_lines(one.role)}
    lines = [{**row, "line": " ".join((texts.get(row["line"], ""), row["reason"])).strip()} for row in plain["lines"]]
    answers = Counter(row["answer"] for row in lines)
    return {
        "answers": ", ".join(f"{count} {answer}" for answer, count in sorted(answers.items())),
        "asked": len(texts),
        "lines": lines,
        "seen": [_table(labels[name].label, part, plain[name]) for name, part in _SEEN.items() if plain[name]],
        "quantities": _table(labels["quantities"].label, Quantity, plain["quantities"]),
        "records": plain["records"],
        "uncorrected": [
            {"unit": unit, "wrong": show(wrong, group=True), "claimed": show(claimed, group=True)}
            for wrong, claimed, unit in uncorrected(one, work)
        ],
    }
