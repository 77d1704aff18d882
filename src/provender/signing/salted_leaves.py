"""Salted leaves: content bound by a root that tells nothing of it, each piece showable without the others.

The salt of a leaf follows from a secret and the leaf's name, so that a secret of 16 bytes opens all of them and the
salt of one leaf opens only that one (2100.030(d): records are kept; whom they are shown to is their owner's choice).
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping

from provender.signing.canonical import canonical_json
from provender.signing.merkle import leaf_hash, root


def salt_of_leaf(secret: str, name: tuple[str, ...]) -> str:
    """Return the salt of one leaf, hexadecimal."""
    return hmac.new(secret.encode(), canonical_json(name), hashlib.sha256).hexdigest()


def salted_leaf(salt: str, name: tuple[str, ...], content: object) -> str:
    """Return a leaf over a name and plain content, hexadecimal."""
    return leaf_hash(canonical_json([salt, list(name), content])).hex()


def leaf_under(secret: str, name: tuple[str, ...], content: object) -> str:
    """Return the leaf of a name and its content under a secret."""
    return salted_leaf(salt_of_leaf(secret, name), name, content)


def root_over(leaves: Iterable[str]) -> str:
    """Return the root over leaves, whatever their order: they stand sorted in the tree."""
    return root([bytes.fromhex(one) for one in sorted(leaves)]).hex()


def roots_over(leaves: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the root of each group of named leaves."""
    return {group: root_over(of_group.values()) for group, of_group in sorted(leaves.items()) if of_group}
