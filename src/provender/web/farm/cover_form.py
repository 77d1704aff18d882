"""The form of a new cover crop, with the first species of its mix: nobody thinks of the one without the other."""

from typing import Any, Final

from provender.records import KINDS
from provender.services.farm.asked import in_words_of_lists
from provender.services.farm.book import FARM, Edit, key_of
from provender.web.farm.forms import CellField, RowForm

COVER: Final = KINDS["cover_crop"]
MIX: Final = KINDS["cover_species"]
COLUMNS: Final = ("species", "rate_lb_per_ac")
HELP: Final = "Such as cereal rye. Of a mix, write one here and add the others afterwards."


class CoverForm(RowForm):
    """A new cover crop; its species and rate become a row of the mix in the same change."""

    def __init__(self, *given: Any, **options: Any) -> None:  # noqa: ANN401 - as ``RowForm`` declares it
        super().__init__(*given, **options)
        for name in COLUMNS:
            found = MIX.typed_fields[name]
            made = CellField(found, self._widget(found, ""), self._picks(MIX, name, found))
            made.required = False
            if made.picks:
                made.widget.attrs["list"] = f"picks-{name}"
            self.fields[name] = made
        self.fields["species"].help_text = HELP
        own = [name for name in self.fields if name not in COLUMNS]
        after = own.index("harvest_id") + 1
        self.order_fields([*own[:after], *COLUMNS, *own[after:]])

    @property
    def edits(self) -> list[Edit]:
        """Return the cover crop, and its species where one is named."""
        if not self.cleaned_data.get("species"):
            return super().edits
        said = {name: self.cleaned_data.get(name, "") for name in COLUMNS}
        key = self.texts[COVER.key_columns[-1]]
        texts = {name: said.get(name, "") for name in MIX.typed_fields} | {"cover_id": key, FARM: self.farm.farm_id}
        mix = in_words_of_lists(MIX, texts)
        return [*super().edits, Edit(MIX.name, key_of(MIX, mix), mix)]
