"""Write ``paper/data/glyphs.txt``: the characters that the fonts of the paper room can print.

Run after changing the fonts or the version of Typst: ``.venv/bin/python tools/paper_glyphs.py``. The answer comes from
Typst itself: PDF/A refuses a text without a glyph, so runs of characters are halved until each is known.
"""

import unicodedata
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import typst

from provender.paper.pdf import fonts
from provender.paper.svg import FAMILY

# Ideographs, Hangul and Yi are left out: no font here has them, and asking takes minutes.
ASKED: Final = (range(0x3400), range(0xA640, 0xAC00), range(0xF900, 0x11000), range(0x1D400, 0x1FB00))
RUN: Final = 512
SKIPPED: Final = frozenset({"Cc", "Cn", "Co", "Cs", "Zl", "Zp", "Mn", "Me"})
TARGET: Final = Path(__file__).parent.parent / "src" / "provender" / "paper" / "data" / "glyphs.txt"
SOURCE: Final = f"""#set document(title: "glyphs")
#set text(lang: "en", font: "{FAMILY}")
#text(sys.inputs.letters)
""".encode()


@cache
def compiler() -> typst.Compiler:
    """Return one compiler for all questions: Typst numbers the sources of a process and runs out at 65,536."""
    folder = Path(mkdtemp())
    (folder / "main.typ").write_bytes(SOURCE)
    return typst.Compiler(folder / "main.typ", root=folder, font_paths=fonts())


def printable(letters: str) -> bool:
    """Ask Typst whether every one of these characters has a glyph; blanks keep them from joining."""
    asked = {"letters": " ".join(letters)}
    day = datetime(2026, 1, 1, tzinfo=UTC)
    try:
        compiler().compile(format="pdf", pdf_standards="a-2b", timestamp=day, sys_inputs=asked)
    except typst.TypstError as error:
        if "could not be displayed" not in str(error):
            raise
        return False
    return True


def known(letters: str) -> list[int]:
    """Return the code points among these that can be printed, by halving."""
    if not letters:
        return []
    if printable(letters):
        return [ord(letter) for letter in letters]
    if len(letters) == 1:
        return []
    middle = len(letters) // 2
    return known(letters[:middle]) + known(letters[middle:])


def main() -> None:
    """Write the ranges, one a line, hexadecimal."""
    every = [chr(code) for codes in ASKED for code in codes if unicodedata.category(chr(code)) not in SKIPPED]
    codes = [code for at in range(0, len(every), RUN) for code in known("".join(every[at : at + RUN]))]
    lines = []
    for _, run in groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0]):
        members = [code for _, code in run]
        lines.append(f"{members[0]:04X} {members[-1]:04X}\n")
    TARGET.write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
