"""Call a provender server by the names of its calls. Copy this file; it needs Python 3.11 and httpx.

    with Api("https://provender.example", "pvd_...") as api:
        print(api.call("get_organisation")["name"])

The server itself says which calls it has and what each takes, at ``/api/v1/openapi.json``.
"""

import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import httpx

TRY_AGAIN = frozenset({429, 503})
LONGEST_WAIT = 60.0


class RefusedError(Exception):
    """The server refused a call; ``problem`` is its answer (RFC 9457)."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status, self.problem = status, problem
        each = [f"{one['at']} {one['cause']} {one['remedy']}".strip() for one in problem.get("problems", ())]
        super().__init__(f"{status} {'; '.join(each) or problem.get('detail', 'Refused')}")


class Api:
    """The calls of one server, with a token; ``options`` go to ``httpx.Client``, which waits a minute for an answer.

    A call that the server could not take, or that was lost on the way, is sent again, at most ``tries`` times in all.
    That is harmless: a GET changes nothing, and a POST is sent again under its Idempotency-Key.
    """

    def __init__(self, server: str, token: str, *, tries: int = 5, **options: Any) -> None:  # noqa: ANN401
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=server, headers=headers, **{"timeout": LONGEST_WAIT, **options})
        self._tries = tries
        paths = self._send("GET", "/api/v1/openapi.json").json()["paths"]
        self._calls = {one["operationId"]: (way.upper(), at, one) for at in paths for way, one in paths[at].items()}

    def call(self, name: str, body: Any = None, /, *, idempotency_key: str = "", **given: Any) -> Any:  # noqa: ANN401
        """Make a call and return its answer: data where it is JSON, else bytes.

        Args:
            name: the call's ``operationId``.
            body: what is sent; for a call that takes files, their paths by the names of its fields.
            idempotency_key: of a POST that may be sent again another day; without one each call makes its own.
            given: parameters; None leaves one out.

        Raises:
            KeyError: the server has no such call.
            TypeError: a parameter is missing, or the call does not take it.
            RefusedError: the server refuses.
        """
        method, path, described = self._calls[name]
        given = {key: value for key, value in given.items() if value is not None}
        takes = {one["name"]: one for one in described.get("parameters", ()) if one["in"] != "header"}
        needs = {key for key, one in takes.items() if one.get("required")}
        if (strange := given.keys() - takes.keys()) or (missing := needs - given.keys()):
            wrong = f"does not take {', '.join(strange)}" if strange else f"needs {', '.join(missing)}"
            raise TypeError(f"{name} {wrong}; its parameters: {', '.join(takes) or 'none'}")
        address = path.format(**{key: quote(str(value), safe="") for key, value in given.items()})
        sent: dict[str, Any] = {"params": {key: given[key] for key in given if takes[key]["in"] == "query"}}
        if method == "POST":
            sent["headers"] = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        if "multipart/form-data" in described.get("requestBody", {}).get("content", {}):
            sent["files"] = {field: (Path(file).name, Path(file).read_bytes()) for field, file in body.items()}
        elif body is not None:
            sent["json"] = body
        answer = self._send(method, address, **sent)
        return answer.json() if _is_json(answer) else answer.content

    def items(self, name: str, /, **given: Any) -> Iterator[Any]:  # noqa: ANN401
        """Yield each item of a list, page by page."""
        page = self.call(name, **given)
        yield from page["items"]
        while page["next"] is not None:
            page = self.call(name, **given | {"after": page["next"]})
            yield from page["items"]

    def _send(self, method: str, path: str, **sent: Any) -> httpx.Response:  # noqa: ANN401
        tried = 0
        while True:
            tried, answer = tried + 1, None
            try:
                answer = self._http.request(method, path, **sent)
            except httpx.TransportError:
                if tried >= self._tries:
                    raise
            if answer is not None and answer.is_success:
                return answer
            if answer is not None and (answer.status_code not in TRY_AGAIN or tried >= self._tries):
                raise RefusedError(answer.status_code, answer.json() if _is_json(answer) else {})
            asked = answer.headers.get("Retry-After", "") if answer is not None else ""
            time.sleep(min(float(asked) if asked.isdecimal() else 2.0**tried, LONGEST_WAIT))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()


def _is_json(answer: httpx.Response) -> bool:
    return "json" in answer.headers.get("Content-Type", "")
