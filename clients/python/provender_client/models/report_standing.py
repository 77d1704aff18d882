from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.one_problem import OneProblem
    from ..models.report_standing_official import ReportStandingOfficial
    from ..models.thing_out import ThingOut


T = TypeVar("T", bound="ReportStanding")


@_attrs_define
class ReportStanding:
    """Where a report stands: what blocks its signature, and the key that the producer's record names.

    ``things`` is what a person does about it, each with the row, page or upload where it is done; ``done`` counts the
    records asked for that are there. ``is_news`` tells that it says something else than the version in force, or rests
    on other records. ``rule_state`` and ``text_to_name`` are empty where the text is shown to be the rule in force;
    elsewhere whoever signs asks for the report with ``under``. ``official`` is three flags, each apart.

        Attributes:
            state (str):
            is_news (bool):
            signed_versions (int):
            producer_id (str):
            key_fingerprint (str):
            blocked_by (list[OneProblem]):
            things (list[ThingOut]):
            done (int):
            rule_state (str):
            text_to_name (str):
            official (ReportStandingOfficial):
    """

    state: str
    is_news: bool
    signed_versions: int
    producer_id: str
    key_fingerprint: str
    blocked_by: list[OneProblem]
    things: list[ThingOut]
    done: int
    rule_state: str
    text_to_name: str
    official: ReportStandingOfficial

    def to_dict(self) -> dict[str, Any]:
        state = self.state

        is_news = self.is_news

        signed_versions = self.signed_versions

        producer_id = self.producer_id

        key_fingerprint = self.key_fingerprint

        blocked_by = []
        for blocked_by_item_data in self.blocked_by:
            blocked_by_item = blocked_by_item_data.to_dict()
            blocked_by.append(blocked_by_item)

        things = []
        for things_item_data in self.things:
            things_item = things_item_data.to_dict()
            things.append(things_item)

        done = self.done

        rule_state = self.rule_state

        text_to_name = self.text_to_name

        official = self.official.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "state": state,
                "is_news": is_news,
                "signed_versions": signed_versions,
                "producer_id": producer_id,
                "key_fingerprint": key_fingerprint,
                "blocked_by": blocked_by,
                "things": things,
                "done": done,
                "rule_state": rule_state,
                "text_to_name": text_to_name,
                "official": official,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.one_problem import OneProblem  # noqa: PLC0415
        from ..models.report_standing_official import ReportStandingOfficial  # noqa: PLC0415
        from ..models.thing_out import ThingOut  # noqa: PLC0415

        d = dict(src_dict)
        state = d.pop("state")

        is_news = d.pop("is_news")

        signed_versions = d.pop("signed_versions")

        producer_id = d.pop("producer_id")

        key_fingerprint = d.pop("key_fingerprint")

        blocked_by = []
        _blocked_by = d.pop("blocked_by")
        for blocked_by_item_data in _blocked_by:
            blocked_by_item = OneProblem.from_dict(blocked_by_item_data)

            blocked_by.append(blocked_by_item)

        things = []
        _things = d.pop("things")
        for things_item_data in _things:
            things_item = ThingOut.from_dict(things_item_data)

            things.append(things_item)

        done = d.pop("done")

        rule_state = d.pop("rule_state")

        text_to_name = d.pop("text_to_name")

        official = ReportStandingOfficial.from_dict(d.pop("official"))

        report_standing = cls(
            state=state,
            is_news=is_news,
            signed_versions=signed_versions,
            producer_id=producer_id,
            key_fingerprint=key_fingerprint,
            blocked_by=blocked_by,
            things=things,
            done=done,
            rule_state=rule_state,
            text_to_name=text_to_name,
            official=official,
        )

        return report_standing
