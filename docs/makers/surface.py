"""The page that says, for every field of a package, what would show that it was changed."""

from collections import Counter
from itertools import groupby

from provender.audit.package.surface import TABLE, Shown


def surface_page() -> str:
    """Return the table, one section a file; fields of one file with one answer share a line."""
    count = Counter(one.shown for one in TABLE)
    lines = [
        "# What shows a change in a package",
        "",
        "`provender verify` answers for every field of every file. **Recomputed**: it is computed again or held",
        "against something else. **Bound by signature**: a signature covers it, directly or by a hash, a root or a",
        "head. **For eyes**: only a person can judge it. **Carries nothing**: nothing follows from it.",
        "",
        f"Of {len(TABLE)} declared fields {count[Shown.RECOMPUTED]} are recomputed,",
        f"{count[Shown.BOUND]} bound by signature, {count[Shown.EYES]} for eyes, {count[Shown.NOTHING]} carry nothing.",
        "`*` stands for every other field of the file.",
        "",
        "| file | field | what shows a change | by |",
        "| --- | --- | --- | --- |",
    ]
    for (file, shown, by), group in groupby(TABLE, key=lambda one: (one.file, one.shown, one.by)):
        names = ", ".join(f"`{one.field}`" for one in group)
        lines.append(f"| `{file}` | {names} | {shown} | {by} |")
    return "\n".join([*lines, ""])
