"""What the doors offer to enter."""

from provender.custody.events.registry import TYPES
from provender.services.custody.book_entry import OFFERS


def test_every_event_that_declares_a_title_is_offered_with_a_verb_and_no_other() -> None:
    assert set(OFFERS) == {kind for kind, cls in TYPES.items() if cls.title}
    assert all(cls.verb for cls in OFFERS.values())
