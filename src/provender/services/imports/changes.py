"""What a nod writes: the edits of one change, from what an import found."""

import json
from collections.abc import Iterable, Iterator, Sequence

from provender.database.models import Upload
from provender.records import KINDS
from provender.services.farm.book import Edit, key_of
from provender.services.farm.folder import FARM, FILE, SOURCE
from provender.services.imports.request import ImportResult, RowChange


def edits_of(found: ImportResult, uploads: Sequence[Upload], farm_id: str) -> Iterator[Edit]:
    """Yield an edit for each row, each further file, each source and each file kept as evidence."""
    for row in found.rows:
        yield row_edit(row, farm_id)
    for path, text in found.files.items():
        yield Edit(FILE, path, None if text is None else {"text": text})
    for path, index in found.kept.items():
        yield Edit(FILE, path, {"sha256": uploads[index].sha256, "upload": uploads[index].handle})
    yield from _source_edits(found.sources)


def row_edit(row: RowChange, farm_id: str) -> Edit:
    """Return the edit of one row; in a book of the database every row is of the organisation's farm."""
    kind = KINDS[row.kind]
    texts = {**row.texts} if kind.name == "farm" else {**row.texts, FARM: farm_id}
    return Edit(kind.name, key_of(kind, texts), texts)


def _source_edits(sources: Iterable[tuple[str, ...]]) -> Iterator[Edit]:
    for kind, key, file, sheet, row, sha256, day in sources:
        name = json.dumps([kind, key, file, sheet, row, sha256], ensure_ascii=False)
        said = {"kind": kind, "key": key, "file": file, "sheet": sheet, "row": row, "sha256": sha256}
        yield Edit(SOURCE, name, {**said, "imported_on": day})
