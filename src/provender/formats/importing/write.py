"""Writing what an import worked out into a folder: each file whole, evidence before the records that name it.

On a server that folder is the copy of the process that reads; the book itself is written by ``services.imports.steps``.
"""

import os
import shutil
from pathlib import Path

from provender.formats.importing.prepare import Plan
from provender.problem import refuse


def commit(plan: Plan) -> None:
    """Write a plan into its book.

    Every file is written beside its place and then moved onto it, so that none is ever half there; kept files come
    first, records after them, and what is settled goes last.

    Raises:
        ProblemsError: the folder cannot be written.
    """
    try:
        plan.folder.mkdir(parents=True, exist_ok=True)
        for name, source in plan.kept.items():
            target = _target(plan.folder, name)
            if not target.exists():
                shutil.copyfile(source, _beside(target))
                os.replace(_beside(target), target)  # noqa: PTH105 - one call that never leaves half a file
        for name, content in plan.files.items():
            target = _target(plan.folder, name)
            _beside(target).write_bytes(content)
            os.replace(_beside(target), target)  # noqa: PTH105 - likewise
        for name in plan.removed:
            (plan.folder / name).unlink(missing_ok=True)
    except OSError as trouble:
        cause = f"the book cannot be written ({trouble.strerror})."
        remedy = "Check that you may write there and that the disk is not full; then import again."
        raise refuse(str(plan.folder), cause, remedy) from trouble


def _target(folder: Path, name: str) -> Path:
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.new")
