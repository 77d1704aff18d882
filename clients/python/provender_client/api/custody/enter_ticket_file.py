from http import HTTPStatus
from typing import Any

import httpx

from ...client import AuthenticatedClient, Client
from ...models.problem_document import ProblemDocument
from ...models.ticket_file_in import TicketFileIn
from ...models.tickets_entered import TicketsEntered
from ...types import Response


def _get_kwargs(
    *,
    body: TicketFileIn,
    idempotency_key: str,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/custody/tickets",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> ProblemDocument | TicketsEntered:
    if response.status_code == 201:
        response_201 = TicketsEntered.from_dict(response.json())

        return response_201

    response_default = ProblemDocument.from_dict(response.json())

    return response_default


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[ProblemDocument | TicketsEntered]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: TicketFileIn,
    idempotency_key: str,
) -> Response[ProblemDocument | TicketsEntered]:
    """Enter Ticket File

     Enter the tickets of a stored file whose columns were confirmed; those that are in the book stay as
    they are.

    Where loads are not taken, nothing is entered until `leave_out` repeats what the reading said of
    them.

    Args:
        idempotency_key (str):
        body (TicketFileIn): A stored file of tickets to be entered.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | TicketsEntered]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    body: TicketFileIn,
    idempotency_key: str,
) -> ProblemDocument | TicketsEntered | None:
    """Enter Ticket File

     Enter the tickets of a stored file whose columns were confirmed; those that are in the book stay as
    they are.

    Where loads are not taken, nothing is entered until `leave_out` repeats what the reading said of
    them.

    Args:
        idempotency_key (str):
        body (TicketFileIn): A stored file of tickets to be entered.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | TicketsEntered
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: TicketFileIn,
    idempotency_key: str,
) -> Response[ProblemDocument | TicketsEntered]:
    """Enter Ticket File

     Enter the tickets of a stored file whose columns were confirmed; those that are in the book stay as
    they are.

    Where loads are not taken, nothing is entered until `leave_out` repeats what the reading said of
    them.

    Args:
        idempotency_key (str):
        body (TicketFileIn): A stored file of tickets to be entered.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[ProblemDocument | TicketsEntered]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: TicketFileIn,
    idempotency_key: str,
) -> ProblemDocument | TicketsEntered | None:
    """Enter Ticket File

     Enter the tickets of a stored file whose columns were confirmed; those that are in the book stay as
    they are.

    Where loads are not taken, nothing is entered until `leave_out` repeats what the reading said of
    them.

    Args:
        idempotency_key (str):
        body (TicketFileIn): A stored file of tickets to be entered.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        ProblemDocument | TicketsEntered
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).parsed
