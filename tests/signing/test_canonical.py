"""Canonical JSON: RFC 8785 order and spelling, and what is refused in writing and reading."""

import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from provender.problem import ProblemsError
from provender.signing import canonical

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-canonical.MAX_WHOLE, canonical.MAX_WHOLE) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def code_of(raw: bytes, **options: bool) -> str:
    with pytest.raises(ProblemsError) as refused:
        canonical.read_json(raw, **options)  # type: ignore[arg-type]
    return refused.value.problems[0].code


@given(plain)
def test_what_is_written_reads_back_and_writes_the_same_bytes(data: object) -> None:
    raw = canonical.canonical_json(data)
    assert canonical.read_json(raw) == data
    assert canonical.canonical_json(canonical.read_json(raw)) == raw


@given(plain)
def test_the_bytes_are_those_that_anothers_program_writes(data: object) -> None:
    assert canonical.canonical_json(data) == rfc8785.dumps(data)  # type: ignore[arg-type]


def test_every_case_of_the_conformance_kit_is_spelled_as_anothers_program_spells_it() -> None:
    kit = Path(__file__).parents[2] / "conformance" / "signing"
    asked = {one["id"]: one["input"] for one in json.loads((kit / "canonical.input.json").read_text("utf-8"))["cases"]}
    answers = json.loads((kit / "canonical.expected.json").read_text("utf-8"))["answers"]
    spelled = {name: answer["canonical"] for name, answer in answers.items() if "canonical" in answer}
    assert len(spelled) > 5
    for name, canonical_text in spelled.items():
        raw = bytes.fromhex(asked[name]["hex"]) if "hex" in asked[name] else asked[name]["text"].encode()
        assert rfc8785.dumps(json.loads(raw)) == canonical_text.encode(), name


@pytest.mark.parametrize("bad", ["\ud800", {"\udfff": 1}, canonical.MAX_WHOLE + 1, -canonical.MAX_WHOLE - 1])
def test_anothers_program_refuses_what_is_refused_here(bad: object) -> None:
    with pytest.raises((rfc8785.CanonicalizationError, UnicodeEncodeError)):
        rfc8785.dumps(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", [1.0, {"a": [1.5]}, {1: "a"}, {"a": {2}}, b"x", object(), math.nan])
def test_floats_and_foreign_types_are_refused_in_writing(bad: object) -> None:
    with pytest.raises(TypeError):
        canonical.canonical_json(bad)


@pytest.mark.parametrize("bad", ["\ud800", {"\udfff": 1}, canonical.MAX_WHOLE + 1, -canonical.MAX_WHOLE - 1])
def test_half_characters_and_inexact_numbers_are_refused_in_writing(bad: object) -> None:
    with pytest.raises(ValueError, match=r"surrogate|beyond"):
        canonical.canonical_json(bad)


def nested(levels: int) -> object:
    data: object = 1
    for _ in range(levels - 1):
        data = [data]
    return data


def test_the_limits_of_nesting_bytes_and_floats_hold_and_a_byte_order_mark_is_no_obstacle() -> None:
    assert canonical.read_json(canonical.canonical_json(nested(canonical.MAX_DEPTH))) == nested(canonical.MAX_DEPTH)
    with pytest.raises(ValueError, match="deeper"):
        canonical.canonical_json(nested(canonical.MAX_DEPTH + 1))
    assert code_of(b"[" * canonical.MAX_DEPTH + b"1" + b"]" * canonical.MAX_DEPTH) == "json_too_deep"
    assert code_of(b"[" * 200_000 + b"]" * 200_000) == "json_too_deep"
    assert canonical.read_json(b"1234", max_bytes=4) == 1234
    with pytest.raises(ProblemsError) as refused:
        canonical.read_json(b"12345", max_bytes=4)
    assert refused.value.problems[0].code == "json_too_large"
    assert canonical.read_json(b"\xef\xbb\xbf[]") == []
    assert canonical.read_json(b"[1.5, -2e3]", floats=True) == [1.5, -2000.0]
    assert code_of(b"1e999", floats=True) == "json_ambiguous"
    assert code_of(b"NaN", floats=True) == "json_ambiguous"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b'{"a": 1, "a": 1}', "json_ambiguous"),
        (b'{"a": {"b": 1, "b": 2}}', "json_ambiguous"),
        (b'{"a": 1, "\\u0061": 2}', "json_ambiguous"),
        (b"NaN", "json_ambiguous"),
        (b"[-Infinity]", "json_ambiguous"),
        (b"1.0", "json_ambiguous"),
        (b"1e3", "json_ambiguous"),
        (b"9007199254740992", "json_ambiguous"),
        (b"1" * 5000, "json_ambiguous"),
        (b'"\\ud800"', "json_ambiguous"),
        (b'{"\\udead": 1}', "json_ambiguous"),
        (b"\xff\xfe", "json_not_utf8"),
        (b"", "json_unreadable"),
        (b"{'a': 1}", "json_unreadable"),
        (b"[1] [2]", "json_unreadable"),
    ],
)
def test_what_two_readers_could_understand_differently_is_refused(raw: bytes, code: str) -> None:
    assert code_of(raw) == code


def test_sums_are_those_of_the_standard_and_a_blinded_name_needs_a_real_salt() -> None:
    assert canonical.sha256_hex(b"abc").startswith("ba7816bf8f01cfea")
    assert canonical.document_hash({"b": 1, "a": "x"}) == canonical.sha256_hex(b'{"a":"x","b":1}')
    salt = "0123456789abcdef"
    assert canonical.blinded("farm", salt) == canonical.blinded("farm", salt.encode())
    assert (
        len({canonical.blinded("farm", salt), canonical.blinded("farm2", salt), canonical.blinded("farm", salt + "0")})
        == 3
    )
    with pytest.raises(ValueError, match="16"):
        canonical.blinded("farm", salt[1:])


def careful(data: object) -> bytes | str:
    """Return what the careful way alone writes, or why it refuses."""
    try:
        ordered = canonical._ordered(data, 1)
        return json.dumps(ordered, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except (TypeError, ValueError) as refused:
        return str(refused)


def written(data: object) -> bytes | str:
    try:
        return canonical.canonical_json(data)
    except (TypeError, ValueError) as refused:
        return str(refused)


rough = st.recursive(
    plain | st.floats() | st.sampled_from(["\ud800", canonical.MAX_WHOLE + 1, b"x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.just(1), inner, max_size=3),
    max_leaves=8,
)


@given(plain | rough)
def test_the_quick_way_spells_and_refuses_as_the_careful_way(data: object) -> None:
    assert written(data) == careful(data)


INMOST: tuple[object, ...] = ("text", "", 1, None, [], {}, (), ["text"], {"k": "text"}, {"k": 1}, 1.5, "\ud800")
AROUND: dict[str, Callable[[object], object]] = {
    "list": lambda one: [one],
    "tuple": lambda one: (one,),
    "dict": lambda one: {"k": one},
}


@settings(max_examples=8)
@given(st.lists(st.sampled_from(sorted(AROUND)), min_size=canonical.MAX_DEPTH, max_size=canonical.MAX_DEPTH))
def test_at_the_deepest_levels_the_quick_way_answers_as_the_careful_way(around: list[str]) -> None:
    for first, inmost in itertools.product(AROUND.values(), INMOST):
        data = first(inmost)
        for level, kind in enumerate(around, start=3):
            data = AROUND[kind](data)
            if canonical.MAX_DEPTH - 2 <= level <= canonical.MAX_DEPTH + 2:
                assert written(data) == careful(data), (level, inmost)


@pytest.mark.parametrize("last", ["text", 1])
def test_a_text_counts_as_a_level_like_any_value(last: object) -> None:
    data = last
    for _ in range(canonical.MAX_DEPTH - 1):
        data = {"k": data}
    assert canonical.read_json(canonical.canonical_json(data)) == data
    with pytest.raises(ValueError, match="deeper"):
        canonical.canonical_json({"k": data})


@pytest.mark.parametrize("python", ["with", "without"])
@given(data=plain, ascii_only=st.booleans(), sort_keys=st.booleans())
def test_the_writer_made_once_writes_as_json(python: str, data: object, ascii_only: bool, sort_keys: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if python == "without":
            patch.setattr(json.encoder, "c_make_encoder", None)
        write = canonical.json_writer(ascii_only=ascii_only, sort_keys=sort_keys)
        same = json.dumps(data, ensure_ascii=ascii_only, sort_keys=sort_keys, separators=(",", ":"))
        assert (write(data), write(data)) == (same, same)
        wide = canonical.json_writer(ascii_only=ascii_only, sort_keys=sort_keys, blank=" ")
        assert wide(data) == json.dumps(data, ensure_ascii=ascii_only, sort_keys=sort_keys)


def test_the_writer_made_once_refuses_what_is_no_json() -> None:
    write = canonical.json_writer(ascii_only=True, sort_keys=False)
    for bad in (math.nan, {1, 2}):
        with pytest.raises((TypeError, ValueError)):
            write({"a": bad})
    assert write({"a": 1}) == '{"a":1}'
