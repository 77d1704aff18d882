"""Merkle trees over hashes, built as RFC 6962 section 2.1 builds them: one root for many leaves, short proofs for each.

A leaf is hashed behind a zero byte and an inner node behind a one, so that neither passes for the other.
"""

import hashlib
from collections.abc import Sequence

LEAF = b"\x00"
NODE = b"\x01"


def leaf_hash(content: bytes) -> bytes:
    """Return the hash of a leaf."""
    return hashlib.sha256(LEAF + content).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes in their order; over none the hash of nothing."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    middle = _left(len(leaves))
    return _node(root(leaves[:middle]), root(leaves[middle:]))


def path(leaves: Sequence[bytes], place: int) -> tuple[bytes, ...]:
    """Return the hashes beside the way from a leaf to the root, the nearest first.

    Raises:
        IndexError: there is no such leaf.
    """
    if not 0 <= place < len(leaves):
        raise IndexError(f"no leaf {place} of {len(leaves)}")
    if len(leaves) == 1:
        return ()
    middle = _left(len(leaves))
    if place < middle:
        return (*path(leaves[:middle], place), root(leaves[middle:]))
    return (*path(leaves[middle:], place - middle), root(leaves[:middle]))


def root_of_path(leaf: bytes, place: int, count: int, beside: Sequence[bytes]) -> bytes | None:
    """Return the root that a leaf's path leads to; None where the path is not one of a tree of this size."""
    if count == 1:
        return leaf if not beside and place == 0 else None
    if not beside or not 0 <= place < count:
        return None
    middle = _left(count)
    if place < middle:
        inner = root_of_path(leaf, place, middle, beside[:-1])
        return _node(inner, beside[-1]) if inner is not None else None
    inner = root_of_path(leaf, place - middle, count - middle, beside[:-1])
    return _node(beside[-1], inner) if inner is not None else None


def growth(leaves: Sequence[bytes], earlier: int) -> tuple[bytes, ...]:
    """Return the hashes that show that a tree grew out of its first ``earlier`` leaves (RFC 6962, 2.1.2).

    Raises:
        IndexError: the earlier tree has no leaf, or more than there are.
    """
    if not 0 < earlier <= len(leaves):
        raise IndexError(f"no tree of {earlier} in one of {len(leaves)}")
    return _growth(leaves, earlier, whole=True)


def _growth(leaves: Sequence[bytes], earlier: int, *, whole: bool) -> tuple[bytes, ...]:
    if earlier == len(leaves):
        return () if whole else (root(leaves),)
    middle = _left(len(leaves))
    if earlier <= middle:
        return (*_growth(leaves[:middle], earlier, whole=whole), root(leaves[middle:]))
    return (*_growth(leaves[middle:], earlier - middle, whole=False), root(leaves[:middle]))


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
    middle, last = _left(count), beside[-1]
    if earlier <= middle:
        inner = _grown(earlier, old, middle, beside[:-1], whole=whole)
        return (inner[0], _node(inner[1], last)) if inner else None
    inner = _grown(earlier - middle, old, count - middle, beside[:-1], whole=False)
    return (_node(last, inner[0]), _node(last, inner[1])) if inner else None


def _left(count: int) -> int:
    """Return the size of the left half: the largest power of two below the count."""
    return 1 << ((count - 1).bit_length() - 1)


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(NODE + left + right).digest()
