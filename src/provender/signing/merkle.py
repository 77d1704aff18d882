"""Merkle trees over hashes, built as RFC 6962 section 2.1 builds them: one root for many leaves, short proofs for each.

A leaf is hashed behind a zero byte and an inner node behind a one, so that neither passes for the other.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence

from provender.signing.canonical import canonical_json

_LEAF = b"\x00"
_NODE = b"\x01"


def leaf_hash(content: bytes) -> bytes:
    return hashlib.sha256(_LEAF + content).digest()


class Tree:
    """A tree over leaf hashes; each inner node is hashed once, however many proofs are asked for."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self._leaves = leaves
        self._nodes: dict[tuple[int, int], bytes] = {}

    def root(self, count: int, first: int = 0) -> bytes:
        """Return the root over the leaves from ``first`` up to ``count``; over none the hash of nothing."""
        if count <= first:
            return hashlib.sha256().digest()
        if count == first + 1:
            return self._leaves[first]
        known = self._nodes.get((first, count))
        if known is None:
            middle = first + _left_half(count - first)
            known = self._nodes[first, count] = _node(self.root(middle, first), self.root(count, middle))
        return known

    def path(self, place: int, count: int, first: int = 0) -> tuple[bytes, ...]:
        """Return the hashes beside the way from a leaf to the root over the first ``count``, the nearest first.

        Raises:
            IndexError: there is no such leaf.
        """
        if not first <= place < count <= len(self._leaves):
            raise IndexError(f"no leaf {place} of {count}")
        if count == first + 1:
            return ()
        middle = first + _left_half(count - first)
        if place < middle:
            return (*self.path(place, middle, first), self.root(count, middle))
        return (*self.path(place, count, middle), self.root(middle, first))

    def growth(self, earlier: int, count: int) -> tuple[bytes, ...]:
        """Return the hashes that show that the first ``count`` leaves grew out of the first ``earlier`` (2.1.2).

        Raises:
            IndexError: the earlier tree has no leaf, or more than there are.
        """
        if not 0 < earlier <= count <= len(self._leaves):
            raise IndexError(f"no tree of {earlier} in one of {count}")
        return self._growth(earlier, count, 0, whole=True)

    def _growth(self, earlier: int, count: int, first: int, *, whole: bool) -> tuple[bytes, ...]:
        if earlier == count:
            return () if whole else (self.root(count, first),)
        middle = first + _left_half(count - first)
        if earlier <= middle:
            return (*self._growth(earlier, middle, first, whole=whole), self.root(count, middle))
        return (*self._growth(earlier, count, middle, whole=False), self.root(middle, first))


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes in their order; over none the hash of nothing."""
    return Tree(leaves).root(len(leaves))


def root_of_path(leaf: bytes, place: int, count: int, beside: Sequence[bytes]) -> bytes | None:
    """Return the root that a leaf's path leads to; None where the path is not one of a tree of this size."""
    if count == 1:
        return leaf if not beside and place == 0 else None
    if not beside or not 0 <= place < count:
        return None
    middle = _left_half(count)
    if place < middle:
        inner = root_of_path(leaf, place, middle, beside[:-1])
        return _node(inner, beside[-1]) if inner is not None else None
    inner = root_of_path(leaf, place - middle, count - middle, beside[:-1])
    return _node(beside[-1], inner) if inner is not None else None


def grew(earlier: int, old: bytes, count: int, new: bytes, beside: Sequence[bytes]) -> bool:
    """Tell whether hashes show that the tree of ``count`` leaves begins with the earlier one, leaf by leaf."""
    return 0 < earlier <= count and _grown(earlier, old, count, beside, whole=True) == (old, new)


def _grown(earlier: int, old: bytes, count: int, beside: Sequence[bytes], *, whole: bool) -> tuple[bytes, bytes] | None:
    """Return the roots of both trees as the hashes give them; None where there are too many or too few."""
    if earlier == count:
        if whole:
            return (old, old) if not beside else None
        return (beside[0], beside[0]) if len(beside) == 1 else None
    if not beside:
        return None
    middle, last = _left_half(count), beside[-1]
    if earlier <= middle:
        inner = _grown(earlier, old, middle, beside[:-1], whole=whole)
        return (inner[0], _node(inner[1], last)) if inner else None
    inner = _grown(earlier - middle, old, count - middle, beside[:-1], whole=False)
    return (_node(last, inner[0]), _node(last, inner[1])) if inner else None


def _left_half(count: int) -> int:
    """Return the size of the left half: the largest power of two below the count."""
    return 1 << ((count - 1).bit_length() - 1)


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_NODE + left + right).digest()


# Salted leaves: content bound by a root that tells nothing of it, each piece showable without the others.
#
# The salt of a leaf follows from a secret and the leaf's name, so that a secret of 16 bytes opens all of them and the
# salt of one leaf opens only that one (2100.030(d): records are kept; whom they are shown to is their owner's choice).


def salt_of_leaf(secret: str, name: tuple[str, ...]) -> str:
    """Return the salt of one leaf, hexadecimal."""
    return hmac.new(secret.encode(), canonical_json(name), hashlib.sha256).hexdigest()


def salted_leaf(salt: str, name: tuple[str, ...], content: object) -> str:
    """Return a leaf over a name and plain content, hexadecimal."""
    return leaf_hash(canonical_json([salt, list(name), content])).hex()


def leaf_under(secret: str, name: tuple[str, ...], content: object) -> str:
    return salted_leaf(salt_of_leaf(secret, name), name, content)


def root_over(leaves: Iterable[str]) -> str:
    """Return the root over leaves, whatever their order: they stand sorted in the tree."""
    return root([bytes.fromhex(one) for one in sorted(leaves)]).hex()


def roots_over(leaves: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    return {group: root_over(of_group.values()) for group, of_group in sorted(leaves.items()) if of_group}
