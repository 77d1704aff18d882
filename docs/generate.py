"""Write the pages that are made from the code's own tables: ``python docs/generate.py``.

With ``--check`` nothing is written; the status is 1 when a page differs from what the code says. A room adds a page
by a function that returns Markdown, in ``docs/makers``, and a line here: in ``KEPT`` where the page's history shows
what became of the law, else in ``BUILT``, whose pages MkDocs makes with the site (``docs/hooks.py``).
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from makers import api, commands, custody, operations, records, requirements, rule, surface

DOCS: Final = Path(__file__).parent
KEPT: Final[dict[str, Callable[[], str]]] = {
    "reference/rule.md": rule.rule_page,
    "reference/parameters.md": rule.parameters_page,
    "reference/records.md": records.records_page,
    "reference/requirements.md": requirements.requirements_page,
    "reference/custody_events.md": custody.events_page,
    "reference/custody_statuses.md": custody.statuses_page,
    "reference/package_surface.md": surface.surface_page,
    "interpretations/index.md": rule.interpretations_page,
    "decisions/index.md": rule.decisions_page,
}
BUILT: Final[dict[str, Callable[[], str]]] = {
    "reference/field_operations.md": operations.operations_page,
    "reference/commands.md": commands.commands_page,
    "reference/api.md": api.api_page,
}
NOTICE: Final = "<!-- Written by docs/generate.py; change the tables it reads, not this page. -->\n\n"


def main(arguments: list[str]) -> int:
    """Write all pages, or with ``--check`` name those that are out of date."""
    check = arguments == ["--check"]
    if arguments and not check:
        print("Usage: python docs/generate.py [--check]", file=sys.stderr)
        return 2
    stale = []
    for name, make in KEPT.items():
        path, text = DOCS / name, NOTICE + make()
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"docs/{name} is out of date; run python docs/generate.py" if check else f"wrote docs/{name}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
