"""Spans of serials: what is left, what is common, what lies on each stretch, held against serial by serial."""

from hypothesis import given
from hypothesis import strategies as st

from provender.custody.model import lots
from provender.custody.model.lots import Span, common_spans, layers, subtract_spans

SPAN = st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda one: (one[0], one[0] + one[1]))
SPANS = st.lists(SPAN, max_size=12)


def serials(spans: list[Span]) -> list[int]:
    return [serial for start, stop in spans for serial in range(start, stop)]


@given(SPANS, SPANS, st.sampled_from([0, 1_000]))
def test_what_is_left_and_what_is_common_is_so_serial_by_serial(mine: list[Span], its: list[Span], few: int) -> None:
    before, lots.FEW = lots.FEW, few  # type: ignore[misc]
    try:
        left, common = subtract_spans(mine, its), common_spans(mine, its)
    finally:
        lots.FEW = before  # type: ignore[misc]
    assert serials(left) == [serial for serial in serials(mine) if serial not in set(serials(its))]
    assert serials(common) == sorted({*serials(mine)} & {*serials(its)})


@given(SPANS)
def test_each_stretch_has_what_lies_on_it_in_the_order_given(spans: list[Span]) -> None:
    found = list(layers([(*span, number) for number, span in enumerate(spans)]))
    borders = {border for span in spans for border in span}
    for low, high, here in found:
        assert not any(low < border < high for border in borders)
        assert here == [number for number, (start, stop) in enumerate(spans) if start <= low and high <= stop]
    assert serials([(low, high) for low, high, _ in found]) == sorted(set(serials(spans)))
