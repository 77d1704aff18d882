"""Who accredited the verifiers of a package's statements, against the forum list that a verifier keeps (2100.041)."""

from collections.abc import Iterator
from typing import Final

from provender.audit.outcome import CheckResult, Difference
from provender.audit.package.contents import FORUMS, PackageContents
from provender.audit.recompute.statements import statements_of
from provender.audit.statement.accreditation import CITE
from provender.audit.statement.forum_list import ForumList, read_forums
from provender.audit.statement.statement import VerificationStatement

CITES: Final = (CITE,)


def recompute(case: PackageContents) -> CheckResult:
    """Look up the accreditation body of every statement, as of the day on which the statement was issued."""
    stated = [(path, one.statement) for path, one in statements_of(case).items() if one.statement is not None]
    if FORUMS not in case:
        told = tuple(dict.fromkeys(_word_alone(one) for _, one in stated))
        return CheckResult("accreditation", CITES, 0, (), told)
    known, told_ = read_forums(case[FORUMS], "the list of forum members"), list[str]()
    differences = [one for path, statement in stated for one in _looked_up(path, statement, known, told_)]
    return CheckResult("accreditation", CITES, len(stated), tuple(differences), tuple(told_))


def _word_alone(one: VerificationStatement) -> str:
    shown = one.accreditation
    return (
        f"{shown.body or 'The body'} accredited {shown.verifier}; that it belongs to a forum is the statement's word. "
        "Bring the list that you keep (--forums)."
    )


def _looked_up(path: str, one: VerificationStatement, known: ForumList, told: list[str]) -> Iterator[Difference]:
    shown, day = one.accreditation, one.issued_on
    places = known.of(shown.body)
    if any(place.holds(day) for place in places):
        return
    if any(place.carried_over(day) for place in places):
        told.append(
            f"{path}: {shown.body} was a member of the IAF when it ended; your list does not have it in the successor."
        )
        return
    words = (f"{shown.verifier} accredited by {shown.body or 'nobody'}", _not_there(one, known))
    yield Difference("body_not_on_list", CITE, path, *words)


def _not_there(one: VerificationStatement, known: ForumList) -> str:
    if known.of(one.accreditation.body):
        return f"by your list it was no member of a forum on {one.issued_on}"
    return "your list of forum members does not have it"
