"""The response that contained a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TypeVar

from ._exchange import ApiResponse
from .types import GenerationRecord

R = TypeVar("R", bound=GenerationRecord)

# Not a field: only the record is compared and shown.
_ATTRIBUTE = "_response"


@dataclass(frozen=True, kw_only=True)
class RawResponse:
    """A response of the service as received."""

    request_id: str | None
    """Give it to support."""
    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    text: str


def keep_response(result: object, response: RawResponse | ApiResponse | None) -> None:
    """Attach its response to a result."""
    if isinstance(response, ApiResponse):
        response = RawResponse(
            request_id=response.headers.get("x-request-id"),
            status=response.status,
            headers=response.headers,
            text=response.body.decode(errors="replace"),
        )
    object.__setattr__(result, _ATTRIBUTE, response)


def response_of(result: object) -> RawResponse | None:
    """The response that contained a generation, a model or a balance of this client.

    After a wait it is that of the last poll. None for other objects.
    """
    found = getattr(result, _ATTRIBUTE, None)
    return found if isinstance(found, RawResponse) else None


def recast(cls: type[R], record: GenerationRecord) -> R:
    """Convert the record to another class, keeping its response."""
    made = cls(**{each.name: getattr(record, each.name) for each in fields(record)})
    keep_response(made, response_of(record))
    return made
