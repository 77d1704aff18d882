from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...models.get_log_proof_response import GetLogProofResponse
from ...models.problem_document import ProblemDocument
from ...types import UNSET, Response, Unset


def _get_kwargs(
    mark: str,
    *,
    since: list[int] | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_since: list[int] | Unset = UNSET
    if not isinstance(since, Unset):
        json_since = since

    params["since"] = json_since

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/log/proof/{mark}".format(
            mark=quote(str(mark), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> GetLogProofResponse | ProblemDocument:
    if response.status_code == 200:
        response_200 = GetLogProofResponse.from_dict(response.json())

        return response_200

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[GetLogProofResponse | ProblemDocument]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    mark: str,
    *,
    client: AuthenticatedClient,
    since: list[int] | Unset = UNSET,
) -> Response[GetLogProofResponse | ProblemDocument]:
    """Get Log Proof

     Return the proof that a document stands in the log, to lie beside it in a package.

    Args:
        mark (str):
        since (list[int] | Unset): Size of a head that you hold; repeat for another.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetLogProofResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        mark=mark,
        since=since,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    mark: str,
    *,
    client: AuthenticatedClient,
    since: list[int] | Unset = UNSET,
) -> GetLogProofResponse | ProblemDocument | None:
    """Get Log Proof

     Return the proof that a document stands in the log, to lie beside it in a package.

    Args:
        mark (str):
        since (list[int] | Unset): Size of a head that you hold; repeat for another.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetLogProofResponse | ProblemDocument
    """

    return sync_detailed(
        mark=mark,
        client=client,
        since=since,
    ).parsed


async def asyncio_detailed(
    mark: str,
    *,
    client: AuthenticatedClient,
    since: list[int] | Unset = UNSET,
) -> Response[GetLogProofResponse | ProblemDocument]:
    """Get Log Proof

     Return the proof that a document stands in the log, to lie beside it in a package.

    Args:
        mark (str):
        since (list[int] | Unset): Size of a head that you hold; repeat for another.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[GetLogProofResponse | ProblemDocument]
    """

    kwargs = _get_kwargs(
        mark=mark,
        since=since,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    mark: str,
    *,
    client: AuthenticatedClient,
    since: list[int] | Unset = UNSET,
) -> GetLogProofResponse | ProblemDocument | None:
    """Get Log Proof

     Return the proof that a document stands in the log, to lie beside it in a package.

    Args:
        mark (str):
        since (list[int] | Unset): Size of a head that you hold; repeat for another.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        GetLogProofResponse | ProblemDocument
    """

    return (
        await asyncio_detailed(
            mark=mark,
            client=client,
            since=since,
        )
    ).parsed
