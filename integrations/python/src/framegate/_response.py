"""The answer that a result came with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TypeVar

from ._exchange import Answer
from .types import GenerationRecord

R = TypeVar("R", bound=GenerationRecord)

# Not a field: what is compared and shown is the record alone.
_ATTRIBUTE = "_response"


@dataclass(frozen=True, kw_only=True)
class RawResponse:
    """An answer of the service, as it came."""

    request_id: str | None
    """Tell it to support."""
    status: int
    headers: Mapping[str, str]
    """By names in lower case."""
    text: str


def keep_response(result: object, response: RawResponse | Answer | None) -> None:
    """Keep the answer of a result with it."""
    if isinstance(response, Answer):
        response = RawResponse(
            request_id=response.headers.get("x-request-id"),
            status=response.status,
            headers=response.headers,
            text=response.body.decode(errors="replace"),
        )
    object.__setattr__(result, _ATTRIBUTE, response)


def response_of(result: object) -> RawResponse | None:
    """The answer that a generation, a model or a balance of this client came with.

    After a wait it is that of the last look. None for other objects.
    """
    found = getattr(result, _ATTRIBUTE, None)
    return found if isinstance(found, RawResponse) else None


def recast(cls: type[R], record: GenerationRecord) -> R:
    """Make the same record of another class, with its answer."""
    made = cls(**{each.name: getattr(record, each.name) for each in fields(record)})
    keep_response(made, response_of(record))
    return made
