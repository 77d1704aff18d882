"""A refiner's figures as the refiner signs them: made for its pages and its programs, kept as they were signed."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from typing import Any, NamedTuple, cast

from provender.custody.documents.build import MARK
from provender.custody.documents.refiner_figures import FIGURES, Energy
from provender.database.models.accounts import Person
from provender.database.models.farm import PartyKey, SignedDocument
from provender.problem import refuse
from provender.services.custody import documents
from provender.services.custody.context import READER, CustodyContext
from provender.services.custody.figures import energy_of, figures, figures_pdf
from provender.signing.canonical import read_json


class FiguresAsked(NamedTuple):
    """Which figures somebody asks for."""

    days: tuple[date, date]  # the first and the last
    energy: Energy | None = None  # the plant's own yield, to say them by energy, too


class FiguresPaper(documents.Paper):
    """A refiner's figures, signed or not."""

    def pdf(self) -> bytes:
        """Return them to print; a signature that was kept stands on them."""
        return figures_pdf(self.document, self.envelope, self.signed.fingerprint if self.signed else "")


def figures_here(
    context: CustodyContext, asked: FiguresAsked, *, day: date | None = None, lines: int | None = None
) -> dict[str, Any]:
    """Return a refiner's figures as the book of this server has them now, made as the command makes them.

    Args:
        context: the refiner.
        asked: which figures.
        day: on which they are made; today without it.
        lines: how many of its entries they are to be marked with; all that there are where None.

    Raises:
        ProblemsError: nothing was retired on these days.
    """
    with READER.reading() as facts:
        mark = partial(documents.mark_on_server, party=context.id, lines=lines)
        made_on = day or context.today
        return figures(facts, context.entity, asked.days, as_of=made_on, mark=mark, energy=asked.energy)


def figures_paper(context: CustodyContext, asked: FiguresAsked) -> FiguresPaper:
    """Return figures as they were signed, where the book still says the same, else as they would be signed today.

    Raises:
        ProblemsError: nothing was retired on these days.
    """
    made = figures_here(context, asked)
    signed = documents.kept_signed(context, FIGURES, documents.kept_number(made))
    return FiguresPaper(made, None) if signed is None else _paper_of(signed)


def signed_before(context: CustodyContext, paper: FiguresPaper) -> Iterator[SignedDocument]:
    """Yield other figures that were signed of days that begin with the same one, newest first."""
    begun = f"{context.id}/{paper.document['start']}/"
    for one in SignedDocument.objects.filter(
        organisation=context.organisation, kind=FIGURES, number__startswith=begun
    ):  # fmt: skip
        if paper.signed is None or one.number != paper.signed.number:
            yield one


def signed_figures(context: CustodyContext, key: int) -> FiguresPaper | None:
    """Return figures that the organisation signed, by the key of their row; None where it signed none of it."""
    found = SignedDocument.objects.filter(organisation=context.organisation, kind=FIGURES, pk=key).first()
    return None if found is None else _paper_of(found)


def figures_to_sign(
    context: CustodyContext, asked: FiguresAsked, shown: documents.Shown, *, holder: Person
) -> tuple[PartyKey, dict[str, Any]]:
    """Return the figures that somebody has read, for its reader to sign, and the key to sign them with.

    Raises:
        ProblemsError: no key lies sealed for the holder; they are signed, of another day, or say something else by now.
    """
    key = documents.key_of(context, holder)
    document = figures_here(context, asked, lines=shown.lines)
    if documents.kept_signed(context, FIGURES, documents.kept_number(document)) is not None:
        raise documents.signed_already()
    documents.check_read(context, document, shown)
    return key, document


def sign_figures(
    context: CustodyContext, asked: FiguresAsked, shown: documents.Shown, signature: str, *, holder: Person
) -> SignedDocument:
    """Keep the figures that somebody has read under the signature of the key that lies sealed for them.

    Raises:
        ProblemsError: as ``figures_to_sign``, or the signature is another key's, or over another text.
    """
    return documents.keep_read(context, *figures_to_sign(context, asked, shown, holder=holder), signature)


def expected_figures(context: CustodyContext, raw: object) -> dict[str, Any]:
    """Return what signed figures have to say that somebody brings: what the book says of their days, on their day.

    Raises:
        ProblemsError: they name no days, or the book retired nothing on them.
    """
    document = raw.get("document") if isinstance(raw, dict) else None
    if not isinstance(document, Mapping) or document.get("type") != FIGURES:
        raise _unread()
    try:
        first, last, made_on = (date.fromisoformat(str(document.get(name))) for name in ("start", "end", "made_on"))
    except ValueError:
        raise _unread() from None
    told, mark = document.get("energy"), document.get(MARK)
    plant = told if isinstance(told, Mapping) else {}
    texts = (str(plant.get(name) or "") for name in ("gallons_per_bu", "btu_per_gallon", "source"))
    lines = mark.get("lines") if isinstance(mark, Mapping) else None
    asked = FiguresAsked((first, last), energy_of(*texts))
    return figures_here(context, asked, day=made_on, lines=lines if isinstance(lines, int) else None)


def _unread() -> Exception:
    remedy = "Download the figures as JSON, sign that file, and bring it back unchanged."
    return refuse("document", "These are no figures of a refiner.", remedy, code="no_figures")


def _paper_of(signed: SignedDocument) -> FiguresPaper:
    kept = cast("dict[str, Any]", read_json(signed.text.encode()))
    return FiguresPaper(kept["document"], signed)
