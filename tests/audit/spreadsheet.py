"""A spreadsheet program small enough to read: it computes the formulas our workbooks use, on exact decimals.

It shares nothing with the project: cells come from the file by openpyxl, numbers as the decimals they print as.
"""

import io
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from typing import Any, TypeAlias

from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet

Value = Fraction | str | None

Result: TypeAlias = Any
"""A value, a range of values or a truth value: formulas are not typed."""

TOKEN = re.compile(
    r'\s*("[^"]*"|\$?[A-Z]+\$?\d+(?::\$?[A-Z]+\$?\d+)?|[A-Z]+(?=\()|\d+(?:\.\d+)?|<=|>=|<>|[-+*/(),=<>])'
)


class Computed:
    """A workbook whose formulas are computed when asked for."""

    def __init__(self, content: bytes) -> None:
        self.book = load_workbook(io.BytesIO(content))

    def sheet(self, name: str) -> "Sheet":
        return Sheet(self.book[name])


class Sheet:
    def __init__(self, sheet: Worksheet) -> None:
        self._sheet = sheet

    def beside(self, label: str, column: str = "B") -> Value:
        """Return the value in a column of the only row whose first cell begins with a label."""
        rows = [row[0].row for row in self._sheet.iter_rows() if str(row[0].value or "").startswith(label)]
        (row,) = rows
        return self.value(f"{column}{row}")

    def value(self, cell: str) -> Value:
        raw: Any = self._sheet[cell.replace("$", "")].value
        if isinstance(raw, str) and raw.startswith("=") and self._sheet[cell.replace("$", "")].data_type == "f":
            computed: Value = Parser(self, TOKEN.findall(raw[1:])).comparison()
            return computed
        return Fraction(Decimal(repr(raw))) if isinstance(raw, int | float) else raw

    def range(self, text: str) -> list[Value]:
        first, last = (part.replace("$", "") for part in text.split(":"))
        return [self.value(cell.coordinate) for row in self._sheet[f"{first}:{last}"] for cell in row]

    def comparisons(self) -> list[Value]:
        """Return the answer of every cell that holds a claim against a result."""
        cells = [cell for row in self._sheet.iter_rows() for cell in row if '"differs"' in str(cell.value)]
        return [self.value(cell.coordinate) for cell in cells]

    def formulas(self) -> list[str]:
        return [str(cell.value) for row in self._sheet.iter_rows() for cell in row if cell.data_type == "f"]


class Parser:
    """Recursive descent over the tokens of one formula."""

    def __init__(self, sheet: Sheet, tokens: list[str]) -> None:
        self.sheet, self.tokens = sheet, tokens

    def take(self, *expected: str) -> str:
        token = self.tokens.pop(0)
        assert not expected or token in expected, (token, expected)
        return token

    def peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def comparison(self) -> Result:
        left = self.sum()
        if self.peek() in ("<=", ">=", "=", "<>", "<", ">"):
            sign, right = self.take(), self.sum()
            compare: dict[str, Callable[[Any, Any], bool]] = {
                "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "=": lambda a, b: a == b,
                "<>": lambda a, b: a != b, "<": lambda a, b: a < b, ">": lambda a, b: a > b,
            }  # fmt: skip
            return compare[sign](left, right)
        return left

    def sum(self) -> Result:
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        return value

    def product(self) -> Result:
        value = self.atom()
        while self.peek() in ("*", "/"):
            value = value * self.atom() if self.take() == "*" else value / self.atom()
        return value

    def atom(self) -> Result:
        token = self.take()
        if token[0] == "(":
            value = self.comparison()
            self.take(")")
            return value
        if token.startswith('"'):
            return token.strip('"')
        if token[0].isdigit():
            return Fraction(token)
        if ":" in token:
            return self.sheet.range(token)
        return self.call(token) if self.peek() == "(" else self.sheet.value(token) or Fraction(0)

    def call(self, name: str) -> Result:
        self.take("(")
        given = [self.comparison()]
        while self.take(",", ")") == ",":
            given.append(self.comparison())
        return FUNCTIONS[name](*given)


def _round(value: Fraction, digits: Fraction) -> Fraction:
    with localcontext(prec=60):
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return Fraction(exact.quantize(Decimal(1).scaleb(-int(digits)), rounding=ROUND_HALF_UP))


def _sumif(where: list[Value], wanted: Value, amounts: list[Value]) -> Fraction:
    pairs = zip(where, amounts, strict=True)
    return sum((amount for one, amount in pairs if one == wanted and isinstance(amount, Fraction)), Fraction(0))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "SUM": lambda values: sum((one for one in values if isinstance(one, Fraction)), Fraction(0)),
    "ROUND": _round,
    "SUMIF": _sumif,
    "SUMPRODUCT": lambda left, right: sum(a * b for a, b in zip(left, right, strict=True)),
    "INT": lambda value: Fraction(value.numerator // value.denominator),
    "ABS": abs,
    "IF": lambda test, yes, no: yes if test else no,
}
