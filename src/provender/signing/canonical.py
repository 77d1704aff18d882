"""JSON in one spelling only, so that a hash or a signature means the content and not its layout.

Writing follows RFC 8785 (JSON Canonicalization Scheme) for texts, whole numbers, true, false, null, lists and objects.
Floats are refused: amounts travel as decimal strings made by ``provender.exact.show``. Reading refuses what two
readers could understand differently: doubled keys, numbers that are no numbers, half characters.
"""

import hashlib
import hmac
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Never

from provender.problem import ProblemsError, refuse

MAX_BYTES: Final = 64 * 1024 * 1024
MAX_DEPTH: Final = 64
MAX_WHOLE: Final = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly (RFC 7493)."""


def json_writer(*, ascii_only: bool, sort_keys: bool, blank: str = "") -> Callable[[object], str]:
    """Return what writes data without circles as JSON of one line; floats that are no numbers are refused.

    ``blank`` stands after each comma and colon.

    Python's own encoder is set up anew for each text, which takes longer than writing one of a few fields.
    """
    comma, colon = f",{blank}", f":{blank}"
    encoder = json.JSONEncoder(
        ensure_ascii=ascii_only, allow_nan=False, separators=(comma, colon), sort_keys=sort_keys, check_circular=False
    )
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is None:  # a Python without it writes the same, slower
        return encoder.encode
    text = json.encoder.encode_basestring_ascii if ascii_only else json.encoder.encode_basestring
    pieces = make(None, encoder.default, text, None, colon, comma, sort_keys, False, False)

    def write(data: object) -> str:
        return "".join(pieces(data, 0))

    return write


_plainly: Final = json_writer(ascii_only=False, sort_keys=True)


def canonical_json(data: object) -> bytes:
    """Write plain data in its one canonical spelling, UTF-8, without a line end.

    Tuples are written as lists and any mapping as an object; everything else outside str, int, bool, None, list and
    dict is refused.

    Raises:
        TypeError: a float, a key that is not text, or a type JSON has no word for.
        ValueError: a whole number beyond 2**53 - 1, half a surrogate pair, or more than ``MAX_DEPTH`` levels.
    """
    if _is_plain(data):
        try:  # every line of a book comes here, and a context for it would take as long as the encoding
            return _plainly(data).encode("utf-8")
        except UnicodeEncodeError:  # half a surrogate pair: the careful way says so
            pass
    text = json.dumps(_ordered(data, 1), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8")


def _is_plain(data: object) -> bool:
    """Tell whether nothing needs to be refused or changed and keys sort the same by letters as by UTF-16 units.

    Nearly every document is so, and a verifier hashes thousands: what the encoder can do by itself is left to it.
    """
    level: list[object] = [data]
    # Texts in an object are not looked at and are a level all the same: what has the deepest goes the careful way.
    for _ in range(MAX_DEPTH - 1):
        below: list[object] = []
        for one in level:
            kind = type(one)
            if kind is dict:
                held: dict[Any, Any] = one  # type: ignore[assignment]  # its type was asked
                if not _plain_keys(held):
                    return False
                below += [value for value in held.values() if type(value) is not str]
            elif isinstance(one, list | tuple) and kind in (list, tuple):
                below += one
            elif not (
                isinstance(one, str)
                or one is None
                or kind is bool
                or (isinstance(one, int) and kind is int and -MAX_WHOLE <= one <= MAX_WHOLE)
            ):
                return False
        if not below:
            return True
        level = below
    return False


def _plain_keys(one: dict[Any, Any]) -> bool:
    try:
        return "".join(one).isascii()
    except TypeError:  # a key that is not text
        return False


def _ordered(data: object, depth: int) -> object:
    if depth > MAX_DEPTH:
        raise ValueError(f"the data is nested deeper than {MAX_DEPTH} levels")
    if data is None or isinstance(data, bool):
        return data
    if isinstance(data, str):
        return _whole_text(data)
    if isinstance(data, int):
        return _exact(int(data))
    if isinstance(data, Mapping):
        pairs = sorted(((_key(key), value) for key, value in data.items()), key=_utf16)
        return {key: _ordered(value, depth + 1) for key, value in pairs}
    if isinstance(data, list | tuple):
        return [_ordered(one, depth + 1) for one in data]
    raise TypeError(f"{type(data).__name__} cannot stand in a signed document: write amounts and days as text")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"the key {key!r} is not text")
    return _whole_text(key)


def _utf16(pair: tuple[str, object]) -> bytes:
    # RFC 8785 sorts by UTF-16 code units, which differs from Python's order for characters beyond the basic plane.
    return pair[0].encode("utf-16-be")


def _whole_text(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as half:
        raise ValueError("a text holds half of a surrogate pair") from half
    return text


def _exact(number: int) -> int:
    if abs(number) > MAX_WHOLE:
        raise ValueError(f"the whole number {number} is beyond 2**53 - 1; write it as text")
    return number


def read_json(raw: bytes, *, file: str = "document", floats: bool = False, max_bytes: int = MAX_BYTES) -> object:
    """Read JSON that came from somebody else, strictly.

    Args:
        raw: UTF-8 text, with or without a byte order mark.
        file: what to call it in a problem.
        floats: accept finite numbers with a fraction or exponent; signed documents have none.
        max_bytes: refuse anything longer, unread.

    Raises:
        ProblemsError: not UTF-8, not JSON, too long, too deep, a doubled key, NaN or infinity, a number too large to be
            exact, half a surrogate pair, or (unless ``floats``) a fraction; codes ``json_...``.
    """
    if len(raw) > max_bytes:
        raise _refuse(file, "too_large", f"is {len(raw):,} bytes long; at most {max_bytes:,} are read.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refuse(file, "not_utf8", f"is not UTF-8 text (byte {error.start + 1}).") from None
    try:
        data = json.loads(
            text,
            object_pairs_hook=_pairs,
            parse_constant=_no_constant,
            parse_float=_fraction if floats else _no_float,
            parse_int=lambda digits: _exact(int(digits)),
        )
        _walk(data)
    except json.JSONDecodeError as error:
        raise _refuse(file, "unreadable", f"is not JSON: {error.msg} in line {error.lineno}.") from None
    except RecursionError:
        raise _refuse(file, "too_deep", f"is nested deeper than {MAX_DEPTH} levels.") from None
    except ValueError as error:
        raise _refuse(file, "ambiguous", f"cannot be read safely: {error}.") from None
    return data


def _refuse(file: str, code: str, cause: str) -> ProblemsError:
    remedy = "Ask the sender for the original file, as the program wrote it."
    return refuse(file, f"The file {cause}", remedy, code=f"json_{code}")


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def _no_constant(word: str) -> Never:
    raise ValueError(f"{word} is not a number")


def _no_float(digits: str) -> Never:
    raise ValueError(f"{digits[:40]} is not a whole number, and amounts are written as text")


def _fraction(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:40]} is too large")
    return number


def _walk(data: object) -> None:
    """Raise ValueError for half characters and RecursionError for too many levels, without recursing."""
    level: list[object] = [data]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for one in level:
            if isinstance(one, str):
                _whole_text(one)
            elif isinstance(one, dict):
                below.extend(one)
                below.extend(one.values())
            elif isinstance(one, list):
                below.extend(one)
        if not below:
            return
        level = below
    raise RecursionError


# SHA-256 of bytes, files and documents, and the blinded form of a name.

_MIN_SALT: Final = 16
"""Bytes of salt below which a blinded name could be found by trying names."""


def is_hash(text: str) -> bool:
    """Tell whether a text is written as a SHA-256 is."""
    return len(text) == 64 and not set(text) - set("0123456789abcdef")  # noqa: PLR2004 - of 256 bits


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of bytes as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file's content, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def document_hash(data: object) -> str:
    """Return the SHA-256 of plain data in canonical JSON: the same for every layout of the same content.

    Raises:
        TypeError, ValueError: the data is not plain; see ``canonical_json``.
    """
    return sha256_hex(canonical_json(data))


def blinded(text: str, salt: str | bytes) -> str:
    """Return a name in a form that only holders of the salt can connect to it: HMAC-SHA-256, hexadecimal.

    The same name and salt give the same result in every book, so overlaps stay visible while the name does not.

    Raises:
        ValueError: the salt is shorter than 16 bytes.
    """
    key = salt.encode("utf-8") if isinstance(salt, str) else salt
    if len(key) < _MIN_SALT:
        raise ValueError(f"a salt needs at least {_MIN_SALT} bytes; this one has {len(key)}")
    return hmac.new(key, text.encode("utf-8"), hashlib.sha256).hexdigest()
