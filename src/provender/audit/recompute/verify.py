"""A package verified: opened, recomputed, and what only people can do (2100.040)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from provender.audit.findings.field_priorities import FieldPriority, places_of
from provender.audit.package.contents import PackageContents, with_verifiers_files
from provender.audit.package.pins import Pins, read_pins
from provender.audit.package.roles import roles_of
from provender.audit.package.write import Package, open_package
from provender.audit.recompute.checks import SPOILED, CheckResult, recompute_case
from provender.audit.recompute.verification import Verification, tasks
from provender.audit.statement.statement import Role
from provender.problem import Place as Spot
from provender.problem import Problem, ProblemsError
from provender.rule.parameters import parameters


@dataclass(frozen=True, slots=True)
class Verified:
    """What verifying gave, and the files it rests on: those of the package with what the verifier brought."""

    found: Verification
    files: Mapping[str, bytes]


def verify_package(
    package: Path,
    *,
    pinned: bytes | None = None,
    pinned_name: str = "",
    held: Sequence[tuple[str, bytes]] = (),
    roles: Iterable[Role] = (),
) -> Verified:
    """Open a package and recompute everything in it.

    Args:
        package: folder or zip.
        pinned: the verifier's list of pinned keys.
        pinned_name: what to call it.
        held: name and content of signed documents as other parties hold them.
        roles: in which the party is audited; those the package shows where none is given.

    Raises:
        ProblemsError: the package or the list of keys cannot be used.
    """
    pins = read_pins(pinned, pinned_name, own=True) if pinned is not None else Pins()
    opened = open_package(package, pins)
    files = with_verifiers_files(
        opened.files, pinned, {f"{number}-{name}": content for number, (name, content) in enumerate(held)}
    )
    outcomes, places = judged(files)
    problems = tuple(_problems(opened, own_keys=pins.own))
    asked = tuple(roles)
    used = asked or roles_of(opened.header, opened.files)
    found = Verification(
        opened.header, outcomes, problems, tasks(used, outcomes, places), used, bool(asked), places
    )  # fmt: skip
    return Verified(found, files)


def judged(files: Mapping[str, bytes]) -> tuple[tuple[CheckResult, ...], tuple[FieldPriority, ...]]:
    """Recompute files, and say which ground to look at; none where the reports are spoiled, as the checks say."""
    with TemporaryDirectory() as folder:
        case = PackageContents(files, Path(folder))
        outcomes = tuple(recompute_case(case))
        try:
            return outcomes, places_of(case)
        except (ProblemsError, *SPOILED):
            return outcomes, ()


def _problems(opened: Package, *, own_keys: bool) -> list[Problem]:
    """Return what is wrong with the package itself.

    Who signed the request matters where it allows anything, and only with keys to tell by.
    """
    asks = own_keys and opened.request is not None and opened.request.allowances
    found = [one for one in opened.problems if asks or one.code != "signature_signer_unknown"]
    known = [text.id for text in parameters().texts]
    # Every number of the rule is dated and chosen by the day of harvest: an earlier text judges what it governed.
    if opened.header.rule_version not in known:
        cause = f"The package was made under rule version {opened.header.rule_version!r}; loaded: {', '.join(known)}."
        remedy = "Verify it with the version of provender that made it."
        found.append(Problem(Spot(opened.files.name), cause, remedy, "2100.020", code="other_rule_version"))
    return found
