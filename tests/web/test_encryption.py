"""What is sealed opens with the same secret in the same context, and no other way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.web.encryption import NONCE_BYTES, SealError, seal, unseal

SECRET = b"Bearer pvd_0123456789"


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_what_was_sealed_comes_back_whole(content: bytes, context: bytes) -> None:
    assert unseal(SECRET, seal(SECRET, content, context), context) == content


def test_the_same_bytes_are_never_sealed_alike() -> None:
    first, second = seal(SECRET, b"a", b"x"), seal(SECRET, b"a", b"x")
    assert first != second
    assert first[:NONCE_BYTES] != second[:NONCE_BYTES]


@pytest.mark.parametrize(
    ("secret", "context", "cut"),
    [(b"Bearer pvd_other", b"x", None), (SECRET, b"y", None), (SECRET, b"x", -1), (SECRET, b"x", 3), (SECRET, b"x", 0)],
)
def test_another_secret_another_context_or_damage_opens_nothing(secret: bytes, context: bytes, cut: int | None) -> None:
    kept = seal(SECRET, b"content", b"x")
    with pytest.raises(SealError):
        unseal(secret, kept[:cut], context)
