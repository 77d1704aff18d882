"""An Arrow schema in which some columns are never null.

Polars frames have no such mark, and ``write_parquet`` takes it from any object with the Arrow PyCapsule interface
(https://arrow.apache.org/docs/format/CDataInterface.html). The schema that Polars exports is taken, and in it the flag
is cleared; so no Arrow library is needed for one bit.
"""

import ctypes
from collections.abc import Container
from typing import Final

import polars as pl

_NULLABLE: Final = 2


class _ArrowSchema(ctypes.Structure):
    """The beginning of the C structure; what follows is not looked at."""


_ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_ArrowSchema))),
]


class RequiredColumns:
    """The Arrow schema of a frame, with the named columns marked as never null."""

    def __init__(self, schema: pl.Schema, required: Container[str]) -> None:
        self._schema, self._required = schema, required

    def __arrow_c_schema__(self) -> object:
        """Return the schema as a capsule."""
        capsule: object = self._schema.__arrow_c_schema__()
        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        top = ctypes.cast(pointer_of(capsule, b"arrow_schema"), ctypes.POINTER(_ArrowSchema)).contents
        for index in range(top.n_children):
            child = top.children[index].contents
            if child.name.decode() in self._required:
                child.flags &= ~_NULLABLE
        return capsule
