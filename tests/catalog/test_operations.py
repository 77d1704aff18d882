"""The operations list: whole, found by name, and decided for every operation."""

import pytest

from provender.catalog.names import lookup_name
from provender.catalog.operations import TRAFFIC_SOURCE, find_operation, operations, operations_frame
from provender.catalog.tables import rows
from provender.catalog.words import About, suggested


def test_every_name_of_the_published_list_is_found_in_any_case_and_spacing_and_its_first_row_wins() -> None:
    published = rows("stir_operations.csv")
    assert len(published) == 444
    for row in published:
        found = find_operation(row["operation"])
        assert found is not None
        assert found.published_stir >= 0
    found = find_operation("  drill,  DEEP furrow 12 to 18 in\tspacing ")
    assert found is not None
    assert found.name == "Drill, deep furrow  12 to 18 in spacing"
    found = find_operation("Chisel, twisted shovel")
    assert found is not None
    assert found.source.startswith("NRCS MOSES")
    assert found.published_stir == 455_000


def test_a_name_of_no_operation_is_not_found_but_near_ones_are_suggested() -> None:
    assert find_operation("disk, tandem secondry op.") is None
    assert suggested(About.OPERATION, "disk, tandem secondry op.")[0] == "Disk, tandem secondary op."
    assert suggested(About.OPERATION, "qqqqqqqq") == ()


def test_every_operation_is_decided_once_and_says_why() -> None:
    decided = [lookup_name(row["operation"]) for row in rows("operation_decisions.csv")]
    assert len(decided) == len(set(decided))
    assert set(decided) == {one.operation_key for one in operations()}
    assert all(one.reason and one.op_group for one in operations())


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("Roller, smooth", False),
        ("Cultipacker, roller", True),
        ("Harrow, rotary", True),
        ("Rotary hoe", True),
        ("Aerator, field surface, ground driven 0 degree offset", False),
        ("Aerator, field surface, ground driven 5 degree offset", True),
        ("Coulter caddy, with smooth coulters", False),
        ("Coulter caddy, w/ fluted coulters", True),
        ("Coulter caddy, dbl gang w/ fluted coulters", True),
        ("Reel disk vertical tiller", True),
        ("Cultivator, field 6-12 in sweeps", True),
        ("Disk, tandem light finishing", True),
        ("Chisel, st. pt.", True),
        ("Harrow, coiled tine", True),
        ("Drill or airseeder, double disk opener, w/ fert openers", False),
        ("Drill or air seeder, combo field cult, dd openers", True),
        ("Planter, double disk opnr", False),
        ("Fert. applic., strip-till 30 in", False),
        ("Manure injector, liquid high disturb.30 inch", False),
        ("Fert. applic. anhyd knife 15 in spacing, coil tine har", True),
        ("Sprayer, post emergence", False),
        ("Harvest, killing crop 50pct standing stubble", False),
        ("Roller, crimp, covercrop", False),
    ],
)
def test_full_width_is_decided_per_operation_and_not_by_its_share_of_the_surface(name: str, full: bool) -> None:
    found = find_operation(name)
    assert found is not None
    assert found.full_width is full


def test_primary_inversion_goes_by_type_and_by_name() -> None:
    inverting = {one.name for one in operations() if one.primary_inversion}
    assert "Plow, moldboard, conservation" in inverting
    assert "Plow, moldboard" in inverting
    assert all(one.primary_inversion for one in operations() if "moldboard" in one.operation_key)
    assert all(one.primary_inversion for one in operations() if one.tillage_type == "inversion")
    assert not {name for name in inverting if name.startswith(("Chisel plow", "Sweep plow", "Para-plow", "Disk"))}


def test_passes_of_our_own_only_drive_over_the_ground_and_the_frame_holds_one_row_per_name() -> None:
    own = [one for one in operations() if one.source == TRAFFIC_SOURCE]
    assert len(own) == len(rows("traffic_operations.csv")) == 27
    assert all(one.published_stir in (0, 1500) and not one.full_width for one in own)
    frame = operations_frame()
    assert frame.height == len(operations()) == frame["operation_key"].n_unique()
    assert frame["published_stir"].to_list() == [one.published_stir for one in operations()]
    assert frame["published_stir"].dtype.is_integer()


def test_recommended_values_lie_between_their_bounds_but_for_the_list_s_own_slips() -> None:
    slips = {
        one.name
        for one in operations()
        for least, usual, most in (
            (one.speed_mph_min, one.speed_mph, one.speed_mph_max),
            (one.depth_in_min, one.depth_in, one.depth_in_max),
        )
        if least is not None and usual is not None and most is not None and not least <= usual <= most
    }
    assert slips == {name for name in slips if name.startswith(("Plastic", "Stalk puller"))}
