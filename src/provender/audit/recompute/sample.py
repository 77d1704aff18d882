"""The draw of the farm sample, computed again from its own file (2100.040(a)(3))."""

from typing import Final

from provender.audit.outcome import CheckResult, Difference, Files
from provender.audit.sampling.sample_file import PATH, check_sample
from provender.problem import refuse
from provender.signing.canonical import read_json

CITES: Final = ("2100.040(a)(3)(ii)", "2100.040(a)(3)(iii)")


def recompute(files: Files) -> CheckResult:
    """Draw again; a package without a sample settles nothing.

    Raises:
        ProblemsError: the file is not JSON or no object.
    """
    if PATH not in files:
        return CheckResult("sample", CITES, 0, not_shown=("The package holds no farm sample.",))
    document = read_json(files[PATH], file=PATH)
    if not isinstance(document, dict):
        raise refuse(PATH, "The file holds no JSON object.", "Use the file as the program wrote it.")
    differences = tuple(
        Difference("sample_differs", problem.cite, f"{PATH}, {problem.place.column}", "see cause", problem.cause)
        for problem in check_sample(document)
    )
    return CheckResult("sample", CITES, 1, differences)
