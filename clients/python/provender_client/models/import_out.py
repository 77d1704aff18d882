from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.counts import Counts
    from ..models.question_out import QuestionOut


T = TypeVar("T", bound="ImportOut")


@_attrs_define
class ImportOut:
    """An import and how far it is; ``found`` and ``questions`` are there once its files are ``read``.

    Attributes:
        id (int):
        code (str):
        began_at (datetime.datetime):
        by (str):
        files (list[str]):
        state (str):
        attempt (int):
        version (int | None): The change of the book that it wrote.
        read (bool):
        lost (bool): The reading broke off: ask for another.
        step (str):
        done (int):
        whole (int):
        book_version (int):
        must_look (bool): Writing it must say that somebody looked.
        found (Counts | None):
        questions (list[QuestionOut]):
    """

    id: int
    code: str
    began_at: datetime.datetime
    by: str
    files: list[str]
    state: str
    attempt: int
    version: int | None
    read: bool
    lost: bool
    step: str
    done: int
    whole: int
    book_version: int
    must_look: bool
    found: Counts | None
    questions: list[QuestionOut]

    def to_dict(self) -> dict[str, Any]:
        from ..models.counts import Counts  # noqa: PLC0415

        id = self.id

        code = self.code

        began_at = self.began_at.isoformat()

        by = self.by

        files = self.files

        state = self.state

        attempt = self.attempt

        version: int | None
        version = self.version

        read = self.read

        lost = self.lost

        step = self.step

        done = self.done

        whole = self.whole

        book_version = self.book_version

        must_look = self.must_look

        found: dict[str, Any] | None
        if isinstance(self.found, Counts):
            found = self.found.to_dict()
        else:
            found = self.found

        questions = []
        for questions_item_data in self.questions:
            questions_item = questions_item_data.to_dict()
            questions.append(questions_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "code": code,
                "began_at": began_at,
                "by": by,
                "files": files,
                "state": state,
                "attempt": attempt,
                "version": version,
                "read": read,
                "lost": lost,
                "step": step,
                "done": done,
                "whole": whole,
                "book_version": book_version,
                "must_look": must_look,
                "found": found,
                "questions": questions,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.counts import Counts  # noqa: PLC0415
        from ..models.question_out import QuestionOut  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        code = d.pop("code")

        began_at = datetime.datetime.fromisoformat(d.pop("began_at"))

        by = d.pop("by")

        files = cast(list[str], d.pop("files"))

        state = d.pop("state")

        attempt = d.pop("attempt")

        def _parse_version(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        version = _parse_version(d.pop("version"))

        read = d.pop("read")

        lost = d.pop("lost")

        step = d.pop("step")

        done = d.pop("done")

        whole = d.pop("whole")

        book_version = d.pop("book_version")

        must_look = d.pop("must_look")

        def _parse_found(data: object) -> Counts | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                found_type_0 = Counts.from_dict(data)

                return found_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Counts | None, data)

        found = _parse_found(d.pop("found"))

        questions = []
        _questions = d.pop("questions")
        for questions_item_data in _questions:
            questions_item = QuestionOut.from_dict(questions_item_data)

            questions.append(questions_item)

        import_out = cls(
            id=id,
            code=code,
            began_at=began_at,
            by=by,
            files=files,
            state=state,
            attempt=attempt,
            version=version,
            read=read,
            lost=lost,
            step=step,
            done=done,
            whole=whole,
            book_version=book_version,
            must_look=must_look,
            found=found,
            questions=questions,
        )

        return import_out
