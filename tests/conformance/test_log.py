"""Merkle trees, inclusion and consistency of RFC 6962, by the vectors of its reference implementations."""

from typing import Any

from provender.signing.merkle import grew, leaf_hash, root, root_of_path
from tests.conformance.kit import differences


def raw(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(one) for one in texts]


def rooted(asked: dict[str, Any]) -> dict[str, str]:
    return {"root": root([leaf_hash(one) for one in raw(asked["leaves"])]).hex()}


def included(asked: dict[str, Any]) -> bool:
    led = root_of_path(leaf_hash(bytes.fromhex(asked["leaf"])), asked["place"], asked["size"], raw(asked["beside"]))
    return led is not None and led.hex() == asked["root"]


def consistent(asked: dict[str, Any]) -> bool:
    old, new = raw([asked["old"], asked["new"]])
    return grew(asked["earlier"], old, asked["size"], new, raw(asked["beside"]))


def test_roots_are_those_of_the_reference() -> None:
    assert differences("log/roots", rooted) == []


def test_inclusion_holds_for_the_leaf_in_its_place_only() -> None:
    assert differences("log/inclusion", included) == []


def test_a_tree_grew_out_of_its_own_beginning_only() -> None:
    assert differences("log/consistency", consistent) == []
