"""The sample of an audit, made again from its entries: frozen farms, committed seed, decisions (2100.040(a)(3))."""

from typing import Any

from provender.audit.sampling.drawn_farms import Treatment
from provender.audit.sampling.extension import Failure
from provender.audit.sampling.sample import SampleRequest, draw_sample, merge_years
from provender.audit.sampling.sample_file import sample_document
from provender.database.models import Audit, EntryKind
from provender.database.store.audits import data_of, entries, last, population_of
from provender.problem import refuse


def sample_of(audit: Audit) -> dict[str, Any]:
    """Return the whole sample file of an audit.

    Raises:
        ProblemsError: no farms are frozen, no seed is committed, or a decision cannot stand.
    """
    return with_decisions(audit)


def with_decisions(audit: Audit, treatment: Treatment | None = None, failure: Failure | None = None) -> dict[str, Any]:
    """Return the sample file as it stands, with one more decision where one is given; errors as ``sample_of``."""
    population, seed = population_of(audit), last(audit, EntryKind.SEED)
    if population is None or seed is None:
        remedy = "Freeze the farms, then commit a seed."
        raise refuse("sample", "No sample is drawn yet.", remedy, cite="2100.040(a)(3)", code="not_drawn")
    said = data_of(seed)
    audited = {farm: tuple(years) for farm, years in said["audited_before"].items()}
    drawn = draw_sample(SampleRequest(population, said["seed"], audited, said["size"]))
    treatments = [Treatment.read(data_of(one)) for one in entries(audit, EntryKind.TREATMENT)]
    failures = [Failure.read(data_of(one)) for one in entries(audit, EntryKind.FAILURE)]
    return sample_document(
        drawn,
        year=audit.harvest_year,
        treatments=[*treatments, *([treatment] if treatment else [])],
        failures=[*failures, *([failure] if failure else [])],
    )


def drawn_farms(audit: Audit) -> list[str]:
    """Return the farms of the sample, extensions included; none before the draw."""
    if last(audit, EntryKind.SEED) is None:
        return []
    farms: list[str] = sample_of(audit)["sample"]
    return farms


def audited_before(audit: Audit) -> dict[str, tuple[int, ...]]:
    """Return the years in which audits of the party drew a farm, whoever led them, as far as they are kept here."""
    rows = []
    for earlier in Audit.objects.filter(audited=audit.audited, harvest_year__lt=audit.harvest_year):
        rows += [(farm, earlier.harvest_year) for farm in drawn_farms(earlier)]
    return merge_years(rows)
