"""Where the examples are: beside the source in a checkout, inside the package when it was installed as a wheel."""

from pathlib import Path
from typing import Final

import provender
from provender.problem import refuse

_PACKAGE: Final = Path(provender.__file__).parent
PLACES: Final = (_PACKAGE.parents[1] / "examples", _PACKAGE / "examples")


def example(name: str) -> Path:
    """Return the folder of an example.

    Raises:
        ProblemsError: this installation came without the examples.
    """
    for place in PLACES:
        if (place / name / "README.md").is_file():
            return place / name
    cause = f"The example {name} did not come with this installation."
    raise refuse(name, cause, "Run it from a checkout of the source, or install the wheel.", code="no_example")
