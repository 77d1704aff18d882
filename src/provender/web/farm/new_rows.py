"""Which form a kind of record has on its page: of some, a new row asks for more than its columns."""

from provender.records import Kind
from provender.web.farm.cover_form import COVER, CoverForm
from provender.web.farm.crop_form import CropForm
from provender.web.farm.forms import CROP_ENTRY, RowForm


def form_for(kind: Kind, *, new: bool) -> type[RowForm]:
    """Return the form of a kind of record."""
    own: dict[str, type[RowForm]] = {COVER.name: CoverForm, CROP_ENTRY: CropForm}
    return own.get(kind.name, RowForm) if new else RowForm
