"""What an organisation does next, with the pages on which it is done: services say what, here are the addresses."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from provender.database.actor import today
from provender.services.audits.next_steps import verifier_steps
from provender.services.audits.to_answer import answer_steps
from provender.services.custody.context import context_of, trades
from provender.services.custody.next_steps import trade_steps
from provender.services.expiry import Ending
from provender.services.farm.growing_asks import GrowingNeeds
from provender.services.farm_steps import farm_steps
from provender.services.glance import Tile
from provender.services.search import Found
from provender.services.steps import NextStep
from provender.web.access import Access


class StepLink(NamedTuple):
    """One thing to do: where it is done, what it is, and why."""

    href: str
    words: str
    why: str


def next_steps(access: Access) -> list[StepLink]:
    """Return what the organisation does next with where it is done, the first thing first."""
    return [StepLink(address(access, step), step.words, step.why) for step in steps_of(access)]


def steps_of(access: Access, growing: GrowingNeeds | None = None) -> list[NextStep]:
    """Return what the organisation does next, the first thing first; ``growing`` where a page has counted it."""
    organisation, day = access.organisation, today()
    context = context_of(organisation, actor=access.actor, today=day) if trades(organisation) else None
    own = [*farm_steps(organisation, growing), *trade_steps(organisation, context), *verifier_steps(organisation, day)]
    # Who only looks at the organisation answers nothing in its name.
    return [*answer_steps(organisation), *own] if access.membership is not None else own


def address(access: Access, step: NextStep | Tile | Ending | Found) -> str:
    """Return where a thing is done, or a number comes from."""
    return address_at(access.organisation.handle, step)


def address_at(handle: str, step: NextStep | Tile | Ending | Found) -> str:
    """Return where a thing of an organisation is done that somebody looks at from outside."""
    query = f"?{urlencode(step.query)}" if step.query else ""
    anchor = f"#{step.anchor}" if isinstance(step, NextStep) and step.anchor else ""
    return f"{reverse(step.page, args=(handle, *step.about))}{query}{anchor}"
