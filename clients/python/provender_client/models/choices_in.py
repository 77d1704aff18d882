from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.choices_in_dates_type_0 import ChoicesInDatesType0
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.choices_in_units import ChoicesInUnits
    from ..models.columns_chosen import ColumnsChosen
    from ..models.entry_chosen import EntryChosen
    from ..models.fill_chosen import FillChosen
    from ..models.kind_chosen import KindChosen
    from ..models.rejected_chosen import RejectedChosen
    from ..models.row_chosen import RowChosen
    from ..models.word_chosen import WordChosen


T = TypeVar("T", bound="ChoicesIn")


@_attrs_define
class ChoicesIn:
    """Choices that are kept together, or none of them; then the files are read again.

    Attributes:
        attempt (int): The attempt you have seen.
        kinds (list[KindChosen] | Unset):
        columns (list[ColumnsChosen] | Unset):
        units (ChoicesInUnits | Unset): Unit by the name a file has; empty takes it back.
        words (list[WordChosen] | Unset):
        entries (list[EntryChosen] | Unset):
        dates (ChoicesInDatesType0 | None | Unset): How a day such as 5/4/2026 is meant, where nothing tells.
        replace (bool | None | Unset): Where book and files differ, the files count.
        fills (list[FillChosen] | Unset):
        rejected (list[RejectedChosen] | Unset):
        widen (list[str] | Unset): Rejected files that lack columns.
        rows (list[RowChosen] | Unset):
    """

    attempt: int
    kinds: list[KindChosen] | Unset = UNSET
    columns: list[ColumnsChosen] | Unset = UNSET
    units: ChoicesInUnits | Unset = UNSET
    words: list[WordChosen] | Unset = UNSET
    entries: list[EntryChosen] | Unset = UNSET
    dates: ChoicesInDatesType0 | None | Unset = UNSET
    replace: bool | None | Unset = UNSET
    fills: list[FillChosen] | Unset = UNSET
    rejected: list[RejectedChosen] | Unset = UNSET
    widen: list[str] | Unset = UNSET
    rows: list[RowChosen] | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        attempt = self.attempt

        kinds: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.kinds, Unset):
            kinds = []
            for kinds_item_data in self.kinds:
                kinds_item = kinds_item_data.to_dict()
                kinds.append(kinds_item)

        columns: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.columns, Unset):
            columns = []
            for columns_item_data in self.columns:
                columns_item = columns_item_data.to_dict()
                columns.append(columns_item)

        units: dict[str, Any] | Unset = UNSET
        if not isinstance(self.units, Unset):
            units = self.units.to_dict()

        words: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.words, Unset):
            words = []
            for words_item_data in self.words:
                words_item = words_item_data.to_dict()
                words.append(words_item)

        entries: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.entries, Unset):
            entries = []
            for entries_item_data in self.entries:
                entries_item = entries_item_data.to_dict()
                entries.append(entries_item)

        dates: None | str | Unset
        if isinstance(self.dates, Unset):
            dates = UNSET
        elif isinstance(self.dates, ChoicesInDatesType0):
            dates = self.dates.value
        else:
            dates = self.dates

        replace: bool | None | Unset
        if isinstance(self.replace, Unset):
            replace = UNSET
        else:
            replace = self.replace

        fills: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.fills, Unset):
            fills = []
            for fills_item_data in self.fills:
                fills_item = fills_item_data.to_dict()
                fills.append(fills_item)

        rejected: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.rejected, Unset):
            rejected = []
            for rejected_item_data in self.rejected:
                rejected_item = rejected_item_data.to_dict()
                rejected.append(rejected_item)

        widen: list[str] | Unset = UNSET
        if not isinstance(self.widen, Unset):
            widen = self.widen

        rows: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.rows, Unset):
            rows = []
            for rows_item_data in self.rows:
                rows_item = rows_item_data.to_dict()
                rows.append(rows_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "attempt": attempt,
            }
        )
        if kinds is not UNSET:
            field_dict["kinds"] = kinds
        if columns is not UNSET:
            field_dict["columns"] = columns
        if units is not UNSET:
            field_dict["units"] = units
        if words is not UNSET:
            field_dict["words"] = words
        if entries is not UNSET:
            field_dict["entries"] = entries
        if dates is not UNSET:
            field_dict["dates"] = dates
        if replace is not UNSET:
            field_dict["replace"] = replace
        if fills is not UNSET:
            field_dict["fills"] = fills
        if rejected is not UNSET:
            field_dict["rejected"] = rejected
        if widen is not UNSET:
            field_dict["widen"] = widen
        if rows is not UNSET:
            field_dict["rows"] = rows

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.choices_in_units import ChoicesInUnits  # noqa: PLC0415
        from ..models.columns_chosen import ColumnsChosen  # noqa: PLC0415
        from ..models.entry_chosen import EntryChosen  # noqa: PLC0415
        from ..models.fill_chosen import FillChosen  # noqa: PLC0415
        from ..models.kind_chosen import KindChosen  # noqa: PLC0415
        from ..models.rejected_chosen import RejectedChosen  # noqa: PLC0415
        from ..models.row_chosen import RowChosen  # noqa: PLC0415
        from ..models.word_chosen import WordChosen  # noqa: PLC0415

        d = dict(src_dict)
        attempt = d.pop("attempt")

        _kinds = d.pop("kinds", UNSET)
        kinds: list[KindChosen] | Unset = UNSET
        if _kinds is not UNSET:
            kinds = []
            for kinds_item_data in _kinds:
                kinds_item = KindChosen.from_dict(kinds_item_data)

                kinds.append(kinds_item)

        _columns = d.pop("columns", UNSET)
        columns: list[ColumnsChosen] | Unset = UNSET
        if _columns is not UNSET:
            columns = []
            for columns_item_data in _columns:
                columns_item = ColumnsChosen.from_dict(columns_item_data)

                columns.append(columns_item)

        _units = d.pop("units", UNSET)
        units: ChoicesInUnits | Unset
        if isinstance(_units, Unset):
            units = UNSET
        else:
            units = ChoicesInUnits.from_dict(_units)

        _words = d.pop("words", UNSET)
        words: list[WordChosen] | Unset = UNSET
        if _words is not UNSET:
            words = []
            for words_item_data in _words:
                words_item = WordChosen.from_dict(words_item_data)

                words.append(words_item)

        _entries = d.pop("entries", UNSET)
        entries: list[EntryChosen] | Unset = UNSET
        if _entries is not UNSET:
            entries = []
            for entries_item_data in _entries:
                entries_item = EntryChosen.from_dict(entries_item_data)

                entries.append(entries_item)

        def _parse_dates(data: object) -> ChoicesInDatesType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                dates_type_0 = ChoicesInDatesType0(data)

                return dates_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ChoicesInDatesType0 | None | Unset, data)

        dates = _parse_dates(d.pop("dates", UNSET))

        def _parse_replace(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        replace = _parse_replace(d.pop("replace", UNSET))

        _fills = d.pop("fills", UNSET)
        fills: list[FillChosen] | Unset = UNSET
        if _fills is not UNSET:
            fills = []
            for fills_item_data in _fills:
                fills_item = FillChosen.from_dict(fills_item_data)

                fills.append(fills_item)

        _rejected = d.pop("rejected", UNSET)
        rejected: list[RejectedChosen] | Unset = UNSET
        if _rejected is not UNSET:
            rejected = []
            for rejected_item_data in _rejected:
                rejected_item = RejectedChosen.from_dict(rejected_item_data)

                rejected.append(rejected_item)

        widen = cast(list[str], d.pop("widen", UNSET))

        _rows = d.pop("rows", UNSET)
        rows: list[RowChosen] | Unset = UNSET
        if _rows is not UNSET:
            rows = []
            for rows_item_data in _rows:
                rows_item = RowChosen.from_dict(rows_item_data)

                rows.append(rows_item)

        choices_in = cls(
            attempt=attempt,
            kinds=kinds,
            columns=columns,
            units=units,
            words=words,
            entries=entries,
            dates=dates,
            replace=replace,
            fills=fills,
            rejected=rejected,
            widen=widen,
            rows=rows,
        )

        return choices_in
