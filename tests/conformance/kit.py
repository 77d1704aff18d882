"""The conformance kit as our own tests read it: a part's cases, and the comparison that a stranger's checker makes."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

KIT: Final = Path(__file__).parents[2] / "conformance"
Answer = Callable[[dict[str, Any]], object]


def part(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((KIT / f"{name}.input.json").read_text(encoding="utf-8"))
    return found


def workbook() -> list[dict[str, Any]]:
    """Return the cases of the open model with the workbook's answers: id, label, crop, inputs, outputs."""
    file, found = KIT / "intensity/open_model.expected.json", []
    answers = json.loads(file.read_text(encoding="utf-8"))["answers"]
    for one in part("intensity/open_model")["cases"]:
        inputs = {name: value for name, value in one["input"].items() if name != "crop"}
        named = {"id": one["id"], "label": one["about"], "crop": one["input"]["crop"]}
        found.append({**named, "inputs": inputs, "outputs": answers[one["id"]]})
    return found


def comparer() -> ModuleType:
    """Return the kit's own comparing script, which knows nothing of provender."""
    spec = importlib.util.spec_from_file_location("compare", KIT / "compare.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def differences(name: str, answer: Answer) -> list[str]:
    """Answer every case of a part and return what differs from the expected file."""
    answers = {one["id"]: answer(one["input"]) for one in part(name)["cases"]}
    found: list[str] = comparer().differences(KIT / f"{name}.expected.json", answers)
    return found
