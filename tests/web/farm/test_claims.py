"""What a farm ticks is what it claims: the rest is grey, asks for nothing and is never red."""

import re

from django.urls import reverse

from provender.database.store.record_books import rows_of
from provender.practices.claims import claim_problems, ticked, written
from provender.practices.explain import Standing
from provender.records.kind import KINDS
from provender.records.reading import rows_to_frame
from provender.rule.crops import Practice
from provender.services.clients import contradicted, farm_steps, progress_of
from provender.services.farm.book import Edit, FarmBook, change_book, latest, texts_of
from provender.services.farm.growing import claims_of
from provender.services.farm.verdicts import Claim, as_seen, claimed_of, count_gaps, verdicts_of
from provender.web.organisation.deeds import address_at
from tests.web.cast import Cast
from tests.web.farm_season import CROP, claim_covers, fill_season


def standings(farm: FarmBook, crop: str = CROP) -> dict[str, str]:
    one = next(one for one in verdicts_of(farm)["intervals"] if one["harvest_id"] == crop)
    return {each["name"]: each["standing"] for each in one["practices"]}


def tick(cast: Cast, crop: str, *practices: str, part: str = "owner", seen: int | None = None) -> int:
    farm = latest(cast.book)
    said = {"seen": farm.version if seen is None else seen, "crop": crop}
    where = reverse("farm_claims", args=(cast.farm.handle,))
    return cast.client(part).post(where, {**said, "claim": [f"{crop}/{each}" for each in practices]}).status_code


def test_a_tick_asks_for_records_and_taking_it_away_turns_them_grey(cast: Cast) -> None:
    fill_season(cast)
    crop = next(
        one["harvest_id"] for one in verdicts_of(latest(cast.book))["intervals"]
        if any(each["standing"] == Standing.NOT_CLAIMED and each["implementation"] is not True
               for each in one["practices"] if each["claimable"])
    )  # fmt: skip
    before = standings(latest(cast.book), crop)
    grey = next(name for name, how in before.items() if how == Standing.NOT_CLAIMED)
    mine = next(one for one in claims_of(latest(cast.book)) if one.harvest_id == crop)
    assert tick(cast, crop, grey, *mine.offered) == 302
    assert rows_of(cast.book)["harvest"][crop]["claims"] == written({Practice(grey), *mine.offered})
    assert standings(latest(cast.book), crop)[grey] in (Standing.NOT_SHOWN, Standing.CONTRADICTED)
    assert tick(cast, crop, *mine.offered) == 302
    assert standings(latest(cast.book), crop) == before


def test_what_cannot_be_met_says_so_whatever_else_is_claimed(cast: Cast) -> None:
    fill_season(cast)
    against = [
        (one["harvest_id"], each["name"]) for one in verdicts_of(latest(cast.book))["intervals"]
        for each in one["practices"] if each["standing"] == Standing.NOT_CLAIMED and each["implementation"] is False
    ]  # fmt: skip
    assert against
    offered = {one.harvest_id: one.may for one in claims_of(latest(cast.book))}
    assert {offered[crop][Practice(name)] for crop, name in against} == {Standing.RULED_OUT}


def test_what_a_run_names_stays_claimed(cast: Cast) -> None:
    fill_season(cast)
    named = next(one for one in claims_of(latest(cast.book)) if one.named)
    assert tick(cast, named.harvest_id) == 302
    after = next(one for one in claims_of(latest(cast.book)) if one.harvest_id == named.harvest_id)
    claimed = {each["name"]: each["claimed"] for one in verdicts_of(latest(cast.book))["intervals"]
               if one["harvest_id"] == named.harvest_id for each in one["practices"]}  # fmt: skip
    assert after.ticks == named.named
    assert all(claimed[one] for one in named.named)


def test_ticks_of_a_harvest_in_parts_are_those_of_all_parts_and_can_be_taken_away(cast: Cast) -> None:
    fill_season(cast)
    farm = latest(cast.book)
    one = next(one for one in claims_of(farm) if not one.named and one.ticks is None)
    practice = next(each for each, how in one.may.items() if how != Standing.MET)
    row = texts_of(KINDS["harvest"], farm.of(KINDS["harvest"])[one.harvest_id])
    part = {**row, "harvest_id": "part two", "claims": practice}
    change_book(farm.book, [Edit("harvest", "part two", part)], reason="a part", actor=cast.actor("owner"))
    again = next(each for each in claims_of(latest(cast.book)) if practice in (each.ticks or ()))
    assert {again.harvest_id, *again.others} == {one.harvest_id, "part two"}
    assert tick(cast, again.harvest_id) == 302
    harvests = rows_of(cast.book)["harvest"]
    assert [harvests[entry]["claims"] or "" for entry in (again.harvest_id, *again.others)] == ["none", ""]
    assert standings(latest(cast.book), again.harvest_id)[practice] == Standing.NOT_CLAIMED


def test_what_a_report_asks_of_the_claims_is_what_the_verdicts_say(cast: Cast) -> None:
    fill_season(cast)
    tick(cast, CROP, "no_till", "cover_crop")
    wanted = {
        (one["harvest_id"], each["name"]): Claim(each["standing"], each["named"])
        for one in verdicts_of(latest(cast.book))["intervals"]
        for each in one["practices"]
        if each["claimed"]
    }
    assert (CROP, "no_till") in wanted
    assert claimed_of(latest(cast.book)) == wanted == claimed_of(latest(cast.book))  # made, and read as it was kept


def test_nobody_ticks_who_may_not_write_or_has_seen_another_version(cast: Cast) -> None:
    fill_season(cast)
    before = rows_of(cast.book)["harvest"]
    assert tick(cast, CROP, "no_till", part="reader") == 403
    assert tick(cast, CROP, "no_till", seen=0) == 409
    tick(cast, "no-such-crop", "no_till")
    assert rows_of(cast.book)["harvest"] == before


def test_saving_without_a_change_writes_nothing(cast: Cast) -> None:
    fill_season(cast)
    tick(cast, CROP, "no_till")
    version = latest(cast.book).version
    tick(cast, CROP, "no_till")
    assert latest(cast.book).version == version


def test_what_is_saved_as_it_was_offered_is_written_nowhere(cast: Cast) -> None:
    fill_season(cast)
    found, version = claims_of(latest(cast.book)), latest(cast.book).version
    where = reverse("farm_claims", args=(cast.farm.handle,))
    said = {"seen": version, "crop": [one.harvest_id for one in found]}
    claim = [f"{one.harvest_id}/{each}" for one in found for each in one.offered]
    assert cast.client().post(where, {**said, "claim": claim}).status_code == 302
    assert latest(cast.book).version == version, "nobody changed a tick"
    mine, other = next((one, each) for one in found for each in one.may if each not in one.offered)
    cast.client().post(where, {**said, "claim": [*claim, f"{mine.harvest_id}/{other}"]})
    rows = rows_of(cast.book)["harvest"]
    assert {key for key, row in rows.items() if row.get("claims")} == {mine.harvest_id}


def test_a_crop_with_nothing_to_untick_may_claim_nothing(cast: Cast) -> None:
    fill_season(cast)
    rows = rows_of(cast.book)
    gone = [Edit("calculator_run", key, None) for key in rows["calculator_run"]]
    gone += [Edit(kind, key, None) for kind in ("operation", "nutrient_application") for key in rows[kind]]
    change_book(cast.book, gone, reason="taken out", actor=cast.actor("owner"))
    crop = next(one.harvest_id for one in claims_of(latest(cast.book)) if one.may_say_none)
    where = reverse("farm_claims", args=(cast.farm.handle,))
    assert f'name="nothing" value="{crop}"' in cast.client().get(where).content.decode()
    cast.client().post(where, {"seen": latest(cast.book).version, "crop": crop, "nothing": crop})
    assert rows_of(cast.book)["harvest"][crop]["claims"] == "none"


def test_a_tick_that_its_crop_may_not_have_is_told() -> None:
    kind = KINDS["harvest"]
    row = dict.fromkeys(kind.fields) | {"farm_id": "F", "harvest_id": "S-2025", "unit_id": "S", "crop": "soybeans"}
    said = [list(claim_problems(rows_to_frame(kind, [{**row, "claims": text}]))) for text in (
        "no_till; Cover-crop", "none", "split in season", "no_tilll", None)]  # fmt: skip
    assert [len(one) for one in said] == [0, 0, 1, 1, 0]
    assert ticked("No-till;cover crop") == frozenset({Practice.no_till, Practice.cover_crop})
    assert ticked(" ") is None
    assert ticked("none") == frozenset()


def test_only_the_producers_word_missing_waits_for_whoever_cannot_give_it() -> None:
    word = {"standing": Standing.NOT_SHOWN, "findings": [{"missing": [{"kind": "declaration"}]}]}
    more = {"standing": Standing.NOT_SHOWN, "findings": [{"missing": [{"kind": "declaration"}, {"kind": "planting"}]}]}
    assert as_seen(word, signs=False) is Standing.WAITING
    assert as_seen(word, signs=True) is Standing.NOT_SHOWN
    assert as_seen(more, signs=False) is Standing.NOT_SHOWN


def test_who_is_asked_what_a_field_claims_arrives_at_its_row(cast: Cast) -> None:
    fill_season(cast)
    (step,) = [one for one in farm_steps(cast.farm) if one.page == "farm_claims"]
    where = address_at(cast.farm.handle, step)
    unit = count_gaps(latest(cast.book))["unsaid"][0]
    assert where == f"{reverse('farm_claims', args=(cast.farm.handle,))}?unit={unit}#asked"
    (part,) = [one for one in progress_of(cast.farm).parts if one.page == "farm_claims"]
    assert address_at(cast.farm.handle, part) == where
    text = cast.client().get(where).content.decode()
    row = re.search(r'<tr id="asked" tabindex="-1" class="asked">.*?</tr>', text, re.DOTALL)
    assert row
    assert f"<b>{unit}</b>" in row[0]
    assert text.count('id="asked"') == 1
    assert 'id="asked"' not in cast.client().get(where.partition("?")[0]).content.decode()


def test_a_claim_against_the_records_opens_at_its_practice(cast: Cast) -> None:
    gaps = {"contradicted": [["N40", "Cover crop", "disked", "N40-2025"]]}
    (step,) = contradicted(gaps)
    where = reverse("farm_crop", args=(cast.farm.handle,))
    assert address_at(cast.farm.handle, step) == f"{where}?crop=N40-2025#cover_crop"


def test_a_farm_that_claims_nothing_is_not_told_that_everything_is_shown(cast: Cast) -> None:
    fill_season(cast)
    claim_covers(cast)
    assert any(part.words.startswith("Not shown yet: ") for part in progress_of(cast.farm).parts)
    rows = rows_of(cast.book)
    gone = [Edit("calculator_run", key, None) for key in rows["calculator_run"]]
    gone += [
        Edit(kind, key, None) for kind in ("operation", "nutrient_application", "cover_crop") for key in rows[kind]
    ]
    gone += [Edit("harvest", key, {**row, "claims": "none"}) for key, row in rows["harvest"].items()]
    change_book(cast.book, gone, reason="none", actor=cast.actor("owner"))
    gaps = count_gaps(latest(cast.book))
    assert (gaps["open"], gaps["asked"]) == (0, 0)
    assert progress_of(cast.farm).parts[-1].words == "No practice is claimed."


def test_what_nobody_claims_is_not_counted_as_missing(cast: Cast) -> None:
    fill_season(cast)
    claim_covers(cast)
    farm = latest(cast.book)
    practices = [each for one in verdicts_of(farm)["intervals"] for each in one["practices"] if each["claimable"]]
    unshown = [each for each in practices if each["implementation"] is None]
    asked = [each for each in unshown if each["standing"] == Standing.NOT_SHOWN]
    assert len(asked) < len(unshown), "the season has practices that nobody claims"
    assert count_gaps(farm)["open"] == len(asked)
