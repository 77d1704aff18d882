"""The sample as a file that stands alone: written whole, drawn again from itself, compared.

The file holds the population, the seed, earlier audits, the verifier's decisions and what came out of them. ``redraw``
uses only the former to make the latter again; ``check`` lists every difference.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from provender.audit.sampling.chances import representation, table
from provender.audit.sampling.drawn_farms import Failure, Treatment, check_treatments, extend
from provender.audit.sampling.population import FarmCrop, freeze
from provender.audit.sampling.sample import CITE, KIND, Sample, SampleRequest, draw_sample
from provender.audit.sampling.seed import Frozen, Opened
from provender.audit.sampling.weighted import METHOD
from provender.problem import Place, Problem, ProblemsError, refuse
from provender.quantity import CI_SCALE, parse

FILE = "farm sample"
PATH: Final = "audit/sample.json"
"""Where it lies in a package."""


def sample_document(
    sample: Sample, *, treatments: Iterable[Treatment] = (), failures: Iterable[Failure] = ()
) -> dict[str, Any]:
    """Return the whole sample file as plain data, ready for ``canonical_json``.

    Args:
        sample: the draw.
        treatments: decisions about borrowed audits.
        failures: decisions after failed farms, in their order.

    Raises:
        ProblemsError: a decision that cannot stand.
    """
    decided = list(treatments)
    extensions = extend(sample, failures)
    farm_ids = sorted({*sample.farm_ids, *(farm for one in extensions for farm in one.farm_ids)})
    problems = check_treatments(decided, farm_ids, sample.request.frozen.year, FILE)
    if problems:
        raise ProblemsError(problems)
    return sample.document() | {
        "risk": [sample.risks[farm].document() for farm in farm_ids],
        "sample": farm_ids,
        "detection": table(len(sample.request.population.farms), len(farm_ids)),
        "representation": representation(sample.request.population, sample.risks, frozenset(farm_ids)),
        "treatments": [one.document() for one in sorted(decided, key=lambda one: one.farm_id)],
        "extensions": [one.document() for one in extensions],
    }


def row_of(data: Mapping[str, Any]) -> FarmCrop:
    """Read a row that ``FarmCrop.document`` wrote."""
    late = data.get("late_evidence_pct")
    read = {
        "bushels": parse(data["bushels"]),
        "ci_g_per_bu": parse(data["ci_g_per_bu"], CI_SCALE),
        "acres": parse(data["acres"]),
        "late_evidence_pct": None if late is None else parse(late),
    }
    return FarmCrop(**{**data, **read})


def redraw(document: Mapping[str, Any]) -> dict[str, Any]:
    """Draw the sample again from what its own file says, and return the whole file anew.

    Raises:
        ProblemsError: it is no sample file, was drawn by another method, or states a request that is refused.
    """
    if document.get("kind") != KIND or document.get("method") != METHOD:
        cause = f"This is no farm sample drawn by method {METHOD}."
        raise refuse(FILE, cause, "Use the program version that the file names.", cite=CITE, code="other_method")
    try:
        request = SampleRequest(
            freeze(row_of(row) for row in document["population"]),
            Frozen.read(document["frozen"]),
            Opened.read(document["opened"]),
            {farm: tuple(years) for farm, years in document["audited_before"].items()},
            document["size_asked"],
            document["added"],
        )
        treatments = [Treatment.read(one) for one in document["treatments"]]
        failures = [Failure.read(one["decision"]) for one in document["extensions"]]
        sample = draw_sample(request)
    except (KeyError, TypeError, ValueError, AttributeError) as trouble:
        cause = f"The file cannot be drawn again: {type(trouble).__name__}, {trouble}."
        raise refuse(FILE, cause, "Ask the verifier for the file as it was written.", cite=CITE) from None
    return sample_document(sample, treatments=treatments, failures=failures)


def check_sample(document: Mapping[str, Any], population_hash: str | None = None) -> list[Problem]:
    """Draw a sample file again and list what differs.

    Args:
        document: the file.
        population_hash: the hash frozen before the seed was committed, where the checker holds it.

    Returns:
        One problem for each part that differs; none when the file stands.
    """
    try:
        again = redraw(document)
    except ProblemsError as refused:
        return list(refused.problems)
    problems = []
    if population_hash is not None and population_hash not in (again["population_hash"], again.get("frozen_hash")):
        cause = "The farms are not those that were frozen before the seed was committed."
        problems.append(_differs("population", cause, f"frozen {population_hash}"))
    for part in sorted(again.keys() | document.keys()):
        # A part that is nothing stands in the file all the same; one that is gone was taken out.
        if part not in document or again.get(part) != document[part]:
            cause = f"Drawn again, {part} is {_brief(again.get(part))}; the file says {_brief(document.get(part))}."
            problems.append(_differs(part, cause, "the draw follows from population and seed"))
    return problems


def _differs(part: str, cause: str, why: str) -> Problem:
    remedy = f"Ask who changed it; {why}."
    return Problem(Place(FILE, column=part), cause, remedy, CITE, code="sample_differs")


def _brief(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 12:  # noqa: PLR2004 - one line of text
        return f"{len(value)} entries"
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]} ..."  # noqa: PLR2004 - one line of text
