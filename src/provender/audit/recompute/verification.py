"""The result of verifying a package: differences by bushels at stake, what recomputed, what needs eyes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from provender.audit.findings.field_priorities import FieldPriority, practices_in
from provender.audit.findings.programme import TASK, Item
from provender.audit.findings.programme import programme as make_programme
from provender.audit.package.write import Header
from provender.audit.recompute.checks import CheckResult, Difference, State
from provender.audit.statement.statement import Role
from provender.problem import Problem


@dataclass(frozen=True, slots=True)
class Verification:
    """A package verified.

    Attributes:
        header: what it says of itself.
        outcomes: one per check, in the order of the table.
        problems: of the package itself: parts missing, files left out without leave.
        tasks: what only people can do, for the party's roles and the practices that count.
        roles: in which the party is audited.
        roles_asked: the verifier named them; else they are what the package shows.
        places: the ground to look at, most at stake first.
    """

    header: Header
    outcomes: tuple[CheckResult, ...]
    problems: tuple[Problem, ...]
    tasks: tuple[Item, ...]
    roles: tuple[Role, ...] = ()
    roles_asked: bool = False
    places: tuple[FieldPriority, ...] = ()

    @property
    def differences(self) -> list[Difference]:
        """Every difference, the most bushels first; those whose effect nobody can say at the end."""
        return by_stake(one for outcome in self.outcomes for one in outcome.differences)

    @property
    def clean(self) -> bool:
        """Whether nothing differs and the package is complete."""
        return not self.problems and not any(outcome.differences for outcome in self.outcomes)

    def as_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "package": self.header.document(),
            "clean": self.clean,
            "roles": [str(role) for role in self.roles],
            "roles_from": "verifier" if self.roles_asked else "package",
            "problems": [one.as_json() for one in self.problems],
            "differences": [one.as_json() for one in self.differences],
            "checks": [one.as_json() for one in self.outcomes],
            "needs_eyes": {
                "not_shown": [
                    {"check": one.check, "why": why}
                    for one in self.outcomes
                    if one.computed or one.differences
                    for why in one.not_shown
                ],
                "places": [one.document() for one in self.places],
                "tasks": [item.document() for item in self.tasks],
            },
        }


def by_stake(found: Iterable[Difference]) -> list[Difference]:
    """Sort differences by bushels at stake, then by grams, then by place; repeats of one difference stand once."""
    return sorted(
        dict.fromkeys(found),
        key=lambda one: (
            one.effect_bushels is None,
            -(one.effect_bushels or 0),
            -abs(one.effect_g_co2e or 0),
            one.place,
            one.code,
        ),
    )


def tasks(
    roles: Sequence[Role], outcomes: Sequence[CheckResult], places: Iterable[FieldPriority] = ()
) -> tuple[Item, ...]:
    """Return the work that no recomputation replaces; where places tell which practices count, only theirs."""
    items = make_programme(roles, outcomes, practices_in(places))
    return tuple(item for item in items if item.kind == TASK and item.state is State.OPEN)
