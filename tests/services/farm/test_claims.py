"""What a farm ticks is what it claims: the rest is grey, asks for nothing and is never red.

What a claim asks for stands on one list before the signature: all that blocks it, each thing with the row it opens.
"""

import json
import re
from typing import Any

import pytest

from provender.database.models.farm import VerdictCache, rows_of
from provender.records.kind import KINDS
from provender.rule.crops import Practice
from provender.services.clients import contradicted, farm_steps, progress_of
from provender.services.farm import verdicts
from provender.services.farm.book import Edit, FarmBook, farm_book_of, texts_of
from provender.services.farm.check import why_against
from provender.services.farm.growing import claims_of, tick_claims
from provender.services.refused import RefusedError
from provender.services.reports.checklist import ChecklistItem, Mark, SigningChecklist, standings_of
from provender.services.reports.drafts import ReportDraft, draft_at_hand, draft_of, harvests_of
from provender.services.reports.signing import keep_signature
from provender.signing.canonical import canonical_json, sha256_hex
from provender.standards.standard import Verdict
from provender.verdicts.assess import assess, ticked, written
from provender.verdicts.words import Standing, requirements_of
from provender.web.organisation.deeds import address_at
from tests.standards.season import book_of, changed, clean_season
from tests.web.cast import Cast
from tests.web.farm_season import CROP, at, change, claim_covers, put


def standings(farm: FarmBook, crop: str = CROP) -> dict[str, str]:
    one = next(one for one in verdicts.verdicts_of(farm)["intervals"] if one["harvest_id"] == crop)
    return {each["practice"]: each["standing"] for each in one["practices"]}


def tick(cast: Cast, crop: str, *practices: str, seen: int | None = None) -> FarmBook:
    farm = farm_book_of(cast.farm)
    ticks = {crop: {Practice(each) for each in practices}}
    tick_claims(farm, ticks, actor=cast.actor("owner"), after=farm.version if seen is None else seen)
    return farm_book_of(cast.farm)


def test_a_crop_says_the_same_in_the_overview_alone_and_among_all(season: Cast) -> None:
    VerdictCache.objects.all().delete()
    overview, farm = verdicts.overview_of(farm_book_of(season.farm)), farm_book_of(season.farm)
    alone = {one["harvest_id"]: verdicts.crop_shown(farm, one["harvest_id"]) for one in overview["crops"]}
    assert not VerdictCache.objects.filter(what__startswith="shown"), "one crop is put into words, and not all"
    every = verdicts.verdicts_of(farm)["intervals"]
    verdicts.shown_by_crop(farm)
    assert {entry: verdicts.crop_shown(farm_book_of(season.farm), entry) for entry in alone} == alone
    assert {each["standing"] for one in overview["crops"] for each in one["practices"]} >= {"met", "not_shown"}
    for one, crop in zip(overview["crops"], every, strict=True):
        for each, practice in zip(one["practices"], crop["practices"], strict=True):
            assert each["standing"] == practice["standing"]
            assert each["waits"] == (verdicts.as_seen(crop, practice, signs=False) is Standing.WAITING)
            is_against = each["standing"] in (Standing.RULED_OUT, Standing.CONTRADICTED)
            assert each["why"] == (why_against(crop, practice) if is_against else "")


def test_a_tick_asks_for_records_and_taking_it_away_turns_them_grey(season: Cast) -> None:
    farm = farm_book_of(season.farm)
    crop = next(
        one["harvest_id"] for one in verdicts.verdicts_of(farm)["intervals"]
        if any(each["standing"] == Standing.NOT_CLAIMED and each["implementation"] != Verdict.MET
               for each in one["practices"] if each["claimable"])
    )  # fmt: skip
    before = standings(farm, crop)
    grey = next(name for name, how in before.items() if how == Standing.NOT_CLAIMED)
    mine = next(one for one in claims_of(farm) if one.harvest_id == crop)
    farm = tick(season, crop, grey, *mine.offered)
    assert rows_of(season.book)["harvest"][crop]["claims"] == written({Practice(grey), *mine.offered})
    assert standings(farm, crop)[grey] in (Standing.NOT_SHOWN, Standing.CONTRADICTED)
    assert tick(season, crop, grey, *mine.offered).version == farm.version, "saving without a change writes nothing"
    with pytest.raises(RefusedError):
        tick(season, crop, *mine.offered, seen=farm.version - 1)
    assert standings(tick(season, crop, *mine.offered), crop) == before


def test_what_cannot_be_met_says_so_whatever_else_is_claimed_and_what_a_run_names_stays_claimed(season: Cast) -> None:
    farm = farm_book_of(season.farm)
    against = [
        (one["harvest_id"], each["practice"]) for one in verdicts.verdicts_of(farm)["intervals"]
        for each in one["practices"]
        if each["standing"] == Standing.NOT_CLAIMED and each["implementation"] == Verdict.NOT_MET
    ]  # fmt: skip
    assert against
    offered = {one.harvest_id: one.may for one in claims_of(farm)}
    assert {offered[crop][Practice(name)] for crop, name in against} == {Standing.RULED_OUT}
    named = next(one for one in claims_of(farm) if one.named)
    farm = tick(season, named.harvest_id)
    after = next(one for one in claims_of(farm) if one.harvest_id == named.harvest_id)
    claimed = {each["practice"]: each["claimed"] for one in verdicts.verdicts_of(farm)["intervals"]
               if one["harvest_id"] == named.harvest_id for each in one["practices"]}  # fmt: skip
    assert after.ticks == named.named
    assert all(claimed[one] for one in named.named)


def test_ticks_of_a_harvest_in_parts_are_those_of_all_parts_and_can_be_taken_away(season: Cast) -> None:
    farm = farm_book_of(season.farm)
    one = next(one for one in claims_of(farm) if not one.named and one.ticks is None)
    practice = next(each for each, how in one.may.items() if how != Standing.MET)
    row = texts_of(KINDS["harvest"], farm.of(KINDS["harvest"])[one.harvest_id])
    farm = put(season, Edit("harvest", "part two", {**row, "harvest_id": "part two", "claims": practice}))
    again = next(each for each in claims_of(farm) if practice in (each.ticks or ()))
    assert {again.harvest_id, *again.others} == {one.harvest_id, "part two"}
    farm = tick(season, again.harvest_id)
    harvests = rows_of(season.book)["harvest"]
    assert [harvests[entry]["claims"] or "" for entry in (again.harvest_id, *again.others)] == ["none", ""]
    assert standings(farm, again.harvest_id)[practice] == Standing.NOT_CLAIMED


def test_a_report_asks_what_the_verdicts_say_and_a_claim_opens_at_its_practice(season: Cast) -> None:
    farm = tick(season, CROP, "no_till", "cover_crop")
    wanted = {
        (one["harvest_id"], each["practice"]): verdicts.Claim(each["standing"], each["named"])
        for one in verdicts.verdicts_of(farm)["intervals"] for each in one["practices"] if each["claimed"]
    }  # fmt: skip
    assert (CROP, "no_till") in wanted
    assert (
        verdicts.claimed_of(farm) == wanted == verdicts.claimed_of(farm_book_of(season.farm))
    )  # made, and read as it was kept
    (step,) = contradicted({"contradicted": [["N40", "Cover crop", "disked", "N40-2025"]]})
    where = at(season, "farm_crop", crop="N40-2025")
    assert address_at(season.farm.handle, step) == f"{where}#cover_crop"


def test_a_tick_that_its_crop_may_not_have_is_told() -> None:
    def told(text: str) -> int:
        rows = changed(clean_season("soybeans"), "harvest", 1, claims=text)
        return sum(one.code == "no_such_claim" for one in assess(book_of(rows)).problems)

    texts = ("no_till; Cover-crop", "none", "split in season", "no_tilll", "")
    assert [told(text) for text in texts] == [0, 0, 1, 1, 0]
    assert ticked("No-till;cover crop") == frozenset({Practice.no_till, Practice.cover_crop})
    assert ticked(" ") is None
    assert ticked("none") == frozenset()


def test_only_the_producers_word_missing_waits_for_whoever_cannot_give_it(season: Cast) -> None:
    def seen(*kinds: str, signs: bool) -> Standing:
        interval = {"requirements": {"asked": {"missing": [{"kind": kind} for kind in kinds]}}}
        return verdicts.as_seen(interval, {"standing": Standing.NOT_SHOWN, "requirements": ["asked"]}, signs=signs)

    assert seen("declaration", signs=False) is Standing.WAITING
    assert seen("declaration", signs=True) is Standing.NOT_SHOWN
    assert seen("declaration", "planting", signs=False) is Standing.NOT_SHOWN
    found = draft(farm_book_of(season.farm), "corn")
    marks = [[one.mark for one in SigningChecklist(found, signs=signs).left()] for signs in (True, False)]
    assert marks == [[Mark.MISSING], [Mark.WAITING]]


def test_a_farm_is_asked_no_records_of_a_silent_crop_and_learns_what_it_could_claim(season: Cast) -> None:
    gaps = verdicts.count_gaps(farm_book_of(season.farm))
    assert gaps["unsaid"]
    assert gaps["missing"] == gaps["open"] == 0
    (step, *_) = farm_steps(season.farm)
    assert (step.page, step.words) == ("farm_claims", f"Say what {gaps['unsaid'][0]} claims")
    before, *rest = (part.words for part in progress_of(season.farm).parts)
    assert re.fullmatch(r"\d+ things stand before the signatures of [^.]*\.", before), "what needs most stands first"
    assert rest == [f"What {gaps['unsaid'][0]} claims is not said."]
    rows = rows_of(season.book)
    gaps = verdicts.count_gaps(put(season, *(Edit("calculator_run", key, None) for key in rows["calculator_run"])))
    assert (bool(gaps["missing"]), gaps["unsaid"]) == (True, [])
    gone = [Edit(kind, key, None) for kind in ("operation", "nutrient_application", "cover_crop") for key in rows[kind]]
    none = [Edit("harvest", key, {**row, "claims": "none"}) for key, row in rows["harvest"].items()]
    gaps = verdicts.count_gaps(put(season, *gone, *none))
    assert (gaps["open"], gaps["asked"]) == (0, 0)
    assert progress_of(season.farm).parts[-1].words == "No practice is claimed."


def test_what_nobody_claims_is_not_missing_and_a_record_is_missing_once(season: Cast) -> None:
    claim_covers(season)
    farm, lacking = farm_book_of(season.farm), []
    assert any(part.words.startswith("Not shown yet: ") for part in progress_of(season.farm).parts)
    for interval in verdicts.verdicts_of(farm)["intervals"]:
        unshown = [one for one in interval["practices"] if one["standing"] == Standing.NOT_SHOWN]
        rules = [rule for one in unshown for rule in requirements_of(interval, one)]
        lacking.append(
            [(each["kind"], each["column"], each["reason"]) for rule in rules for each in verdicts.lacks_of([rule])]
        )
    assert any(len(set(each)) < len(each) for each in lacking), "the season has one that several ask for"
    gaps = verdicts.count_gaps(farm)
    assert not gaps["unsaid"]
    assert gaps["missing"] == sum(len(set(each)) for each in lacking)
    (step, *_) = farm_steps(season.farm)
    assert step.words == f"Add {gaps['missing']} missing record{'s' if gaps['missing'] > 1 else ''}"
    assert all(label in step.why for label in gaps["unshown"])
    assert gaps["lacks"][0][0] in step.why
    practices = [
        each for one in verdicts.verdicts_of(farm)["intervals"] for each in one["practices"] if each["claimable"]
    ]
    unshown = [each for each in practices if each["implementation"] == Verdict.NOT_SHOWN]
    asked = [each for each in unshown if each["standing"] == Standing.NOT_SHOWN]
    assert len(asked) < len(unshown), "the season has practices that nobody claims"
    assert gaps["open"] == len(asked)


def draft(farm: FarmBook, crop: str) -> ReportDraft:
    return draft_of(farm, crop, 2025)


def left(farm: FarmBook, crop: str) -> list[ChecklistItem]:
    return SigningChecklist(draft(farm, crop)).left()


def run_of(farm: FarmBook, harvest: str) -> str:
    runs = farm.of(KINDS["calculator_run"])
    return next(key for key, row in runs.items() if row.get("harvest_id") == harvest)


def test_what_blocks_a_report_is_on_its_list_and_nothing_else(season: Cast) -> None:
    farm, things = farm_book_of(season.farm), dict[str, list[ChecklistItem]]()
    for crop, year in harvests_of(farm):
        found = draft_of(farm, crop, year)
        things[crop] = SigningChecklist(found).left()
        assert [one for one in things[crop] if one.page != "farm_key"] or not found.refused, crop
        assert found.refused or [one.page for one in things[crop]] == ["farm_key"], crop
        assert all(one.words and one.why and one.cite for one in things[crop])
    every = {(one.page, one.kind, one.row, one.mark) for crop in ("soybeans", "sorghum") for one in things[crop]}
    assert ("farm_key", "", "", Mark.MISSING) in every
    pasture = [one for one in every if one[1] == "land_use"]
    assert [(one[0], one[3]) for one in pasture] == [("farm_row", Mark.CONTRADICTED)], "the very year of pasture"
    photo = next(one for one in things["soybeans"] if one.kind == "cover_crop")
    assert (photo.unit_id, photo.page, photo.mark) == ("K45", "farm_row", Mark.MISSING)
    assert (farm.texts(KINDS["cover_crop"], photo.row) or {})["unit_id"] == "K45"
    assert photo.bushels > 0


def test_a_claim_that_the_records_contradict_is_red_and_one_that_nobody_makes_is_grey(season: Cast) -> None:
    farm = farm_book_of(season.farm)
    stands = standings(farm, "W35-2025")
    assert (stands["no_till"], stands["cover_crop"]) == (Standing.MET, Standing.NOT_CLAIMED)
    assert standings(farm, "G70-2025")["no_till"] == Standing.NOT_CLAIMED
    crop = season.client().get(at(season, "farm_crop", crop="G70-2025")).content.decode()
    assert "Nobody claims it, and as recorded it is not met." in crop
    farm = change(season, "calculator_run", run_of(farm, "W35-2025"), cover_crop="yes")
    covered = standings(farm, "W35-2025")["cover_crop"]
    assert covered in (Standing.NOT_SHOWN, Standing.CONTRADICTED)
    assert [one for one in left(farm, "corn") if one.unit_id == "W35"], "what the claim asks for stands on the list"
    farm = change(season, "calculator_run", run_of(farm, "G70-2025"), tillage="no_till")
    assert standings(farm, "G70-2025")["no_till"] == Standing.CONTRADICTED
    red = [one for one in left(farm, "sorghum") if one.unit_id == "G70" and one.mark is Mark.CONTRADICTED]
    assert "no-till" in " ".join(one.words for one in red).lower()
    named = [one for one in red if re.search(r"It rests on \S.* \(2\d{3}-\d\d-\d\d\)\.", one.why)]
    assert [one.page for one in named] == ["farm_row"], "the one pass with its day, and its row opens"
    page = season.client().get(at(season, "farm")).content.decode()
    assert "Not claimed" in page
    assert page.count("Your records say otherwise") == 1 + (covered == Standing.CONTRADICTED), (
        "nothing unclaimed is red"
    )
    farm = change(season, "calculator_run", run_of(farm, "G70-2025"))
    assert standings(farm, "G70-2025")["no_till"] != Standing.CONTRADICTED, "without a run nothing is red"
    asked = [one for one in left(farm, "sorghum") if one.kind == "calculator_run" and one.unit_id == "G70"]
    assert [(one.row, dict(one.given)) for one in asked] == [("", {"unit_id": "G70", "harvest_id": "G70-2025"})]


def test_a_sentence_that_rests_on_silence_asks_for_its_answer_in_the_declaration(season: Cast) -> None:
    said = farm_book_of(season.farm).of(KINDS["declaration"])
    row = next(key for key, one in said.items() if one.get("harvest_id") == "W35-2025")
    asked = [
        one for one in left(change(season, "declaration", row, benefit_sold=""), "corn") if one.kind == "declaration"
    ]
    assert [(one.unit_id, one.row, one.mark) for one in asked] == [("W35", row, Mark.MISSING)]
    asked = [one for one in left(change(season, "declaration", row), "corn") if one.kind == "declaration"]
    assert {(one.row, one.given["harvest_id"]) for one in asked} == {("", "W35-2025")}


@pytest.mark.parametrize("lacking", [{}, {"last_day": ""}, {"bushels": ""}])
def test_a_report_that_is_only_looked_at_stands_where_the_whole_one_does(season: Cast, lacking: dict[str, str]) -> None:
    first = change(season, "harvest", CROP, **lacking) if lacking else farm_book_of(season.farm)
    stands = standings_of(first)
    assert not [one.what for one in VerdictCache.objects.filter(what__startswith="report 4 ")], "none was made whole"
    VerdictCache.objects.all().delete()
    whole = farm_book_of(season.farm)
    for crop, year in harvests_of(whole):
        seen, kept = draft_at_hand(first, crop, year), draft_of(whole, crop, year)
        shown = json.loads(json.dumps(seen.document))
        assert kept.document["rests_on"]["records"]
        assert shown == _without_working(kept.document)
    assert standings_of(whole) == stands


def _without_working(report: dict[str, Any]) -> dict[str, Any]:
    """Return what a look shows of a report: no amount, refusal or verdict on a claim is among what it leaves out."""
    for unit in report["units"]:
        for one in unit["intervals"]:
            one["practices"] = [
                each for each in one["practices"] if each["claimed"] or each["practice"] in unit["used"]
            ]
            asked = {name for each in one["practices"] for name in each["requirements"]}
            rules = ((name, rule) for name, rule in one["requirements"].items() if name in asked)
            one["requirements"] = {name: {at: rule[at] for at in rule if at != "shown"} for name, rule in rules}
    kept = ("harvest_id", "practices", "requirements")
    units = [
        {**unit, "intervals": [{name: one[name] for name in kept} for one in unit["intervals"]]}
        for unit in report["units"]
    ]
    head = {"book_head": report["rests_on"]["book_head"], "records": {}}
    rest = {name: of for name, of in report.items() if name not in ("evidence_grades", "problems")}
    return {**rest, "units": units, "rests_on": head}


def test_a_report_that_is_only_looked_at_is_never_kept_as_signed(season: Cast) -> None:
    seen = draft_at_hand(farm_book_of(season.farm), "sorghum", 2025)
    text = sha256_hex(canonical_json(seen.document))
    with pytest.raises(TypeError):
        keep_signature(seen, "anything", text, actor=season.actor("owner"))
