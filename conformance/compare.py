"""Hold answers against the expected files of the conformance kit: ``python compare.py ANSWERS_FOLDER``.

For each part ``a/b`` the folder holds ``a/b.json``: one object of answers by the id of the case. Python's own library
is all it needs. Exit status 0: every part that was answered agrees; 1: something differs; 2: nothing was answered. CC0.
"""

import json
import sys
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

KIT = Path(__file__).parent


def near(mine: object, theirs: object, how: str, amount: Decimal) -> bool:
    """Tell whether two answers agree; objects member by member, null only with null."""
    if isinstance(theirs, dict):
        same = isinstance(mine, dict) and mine.keys() == theirs.keys()
        return same and all(near(mine[name], theirs[name], how, amount) for name in theirs)  # type: ignore[index]
    if mine is None or theirs is None or isinstance(mine, bool):
        return mine is theirs
    try:
        one, other = Decimal(str(mine)), Decimal(str(theirs))
    except InvalidOperation:
        return False
    return abs(one - other) <= (amount if how == "within" else amount * abs(other))


def agrees(mine: Any, theirs: Any, compare: dict[str, str]) -> bool:  # noqa: ANN401 - any JSON
    """Compare one answer in the way the expected file names."""
    how = compare["how"]
    if how == "exact":
        return json.dumps(mine, sort_keys=True) == json.dumps(theirs, sort_keys=True)
    if how == "says":
        named = isinstance(mine, dict) and all(text in mine.get("said", "") for text in theirs["names"])
        return named and mine.get("verdict") == theirs["verdict"]
    return near(mine, theirs, how, Decimal(compare["amount"]))


def differences(expected: Path, answers: dict[str, Any]) -> list[str]:
    """Return one sentence for each case that is missing, unknown or answered otherwise."""
    file = json.loads(expected.read_text(encoding="utf-8"))
    wanted, part = file["answers"], file["part"]
    found = [f"{part}: no case is called {name!r}" for name in answers if name not in wanted]
    for name, theirs in wanted.items():
        if name not in answers:
            found.append(f"{part}: {name!r} was not answered")
        elif not agrees(answers[name], theirs, file["compare"]):
            found.append(f"{part}: {name!r} is {json.dumps(theirs)}, not {json.dumps(answers[name])}")
    return found


def main(folder: Path) -> int:
    """Compare every part that was answered and print the result."""
    parts = [one["name"] for one in json.loads((KIT / "kit.json").read_text(encoding="utf-8"))["parts"]]
    answered = [part for part in parts if (folder / f"{part}.json").exists()]
    wrong = []
    for part in answered:
        answers = json.loads((folder / f"{part}.json").read_text(encoding="utf-8"))
        wrong += differences(KIT / f"{part}.expected.json", answers)
    print("\n".join([*wrong, f"{len(answered)} of {len(parts)} parts answered, {len(wrong)} differences"]))
    return 2 if not answered else 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
