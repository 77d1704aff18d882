"""Good packages verify clean; what was changed in the others is said, by the row or file that was changed."""

from typing import Any

import pytest

from provender.audit.recompute.verify import verify_package
from provender.problem import ProblemsError
from tests.conformance.kit import KIT, differences

HERE = KIT / "packages"


def verified(asked: dict[str, Any]) -> dict[str, str]:
    """Verify a package as the command does, with the pins and the held copies of the case."""
    held = [(name, (HERE / name).read_bytes()) for name in asked["held"]]
    pins = (HERE / asked["pins"]).read_bytes()
    try:
        found = verify_package(HERE / asked["package"], pinned=pins, pinned_name=asked["pins"], held=held).found
    except ProblemsError as refused:
        return {"verdict": "unusable", "said": str(refused)}
    said = "\n".join(map(str, [*found.problems, *found.differences]))
    return {"verdict": "same" if found.clean else "differs", "said": said}


@pytest.mark.parametrize("part", ["packages/packages", "packages/houses"])
def test_each_package_is_judged_as_it_was_made(part: str) -> None:
    assert differences(part, verified) == []
