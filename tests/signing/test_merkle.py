"""Merkle trees by RFC 6962, against its own definition written out, and salted leaves over them."""

import hashlib

import pytest

from provender.signing.merkle import Tree, leaf_hash, root, root_of_path
from provender.signing.salted_leaves import leaf_under, root_over, roots_over, salt_of_leaf, salted_leaf

SECRET = "ab" * 16


def _sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def test_the_root_of_five_leaves_is_that_of_the_definition() -> None:
    a, b, c, d, e = leaves = [leaf_hash(bytes([number])) for number in range(5)]
    left = _sha(b"\1" + _sha(b"\1" + a + b) + _sha(b"\1" + c + d))
    assert root(leaves) == _sha(b"\1" + left + e)
    assert leaf_hash(b"\0") == _sha(b"\0\0")
    assert root([]) == _sha(b"")


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 9])
def test_every_leaf_has_a_way_to_the_root_and_no_other_leaf_takes_it(count: int) -> None:
    leaves = [leaf_hash(bytes([number])) for number in range(count)]
    for place, leaf in enumerate(leaves):
        beside = Tree(leaves).path(place, len(leaves))
        assert root_of_path(leaf, place, count, beside) == root(leaves)
        assert root_of_path(leaf_hash(b"another"), place, count, beside) != root(leaves)
        assert root_of_path(leaf, place, count, beside[:-1]) != root(leaves) or count == 1


def test_one_row_can_be_shown_with_its_salt_and_opens_no_other() -> None:
    name, other = ("operation", "OP-1"), ("operation", "OP-2")
    assert salted_leaf(salt_of_leaf(SECRET, name), name, ["2025"]) == leaf_under(SECRET, name, ["2025"])
    assert salted_leaf(salt_of_leaf(SECRET, name), other, ["2025"]) != leaf_under(SECRET, other, ["2025"])
    assert leaf_under("cd" * 16, name, ["2025"]) != leaf_under(SECRET, name, ["2025"])


def test_the_order_of_leaves_does_not_matter_and_an_empty_group_has_no_root() -> None:
    one, two = (leaf_under(SECRET, ("farm", name), []) for name in "ab")
    assert root_over([one, two]) == root_over([two, one])
    assert roots_over({"x": {}, "y": {"a": one}}) == {"y": root_over([one])}
