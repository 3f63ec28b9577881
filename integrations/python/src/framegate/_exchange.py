"""Requests and responses as values; nothing is sent here."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import httpx

from ._version import __version__
from .errors import UsageError

Kind: TypeAlias = Literal["videos", "images"]

USER_AGENT = f"framegate-python/{__version__} (Python/{platform.python_version()})"

_GENERATION_ID = re.compile(r"gen_[0-9a-hjkmnp-tv-z]{26}")
_TOLD_ID = re.compile(rb'"id"\s*:\s*"(gen_[0-9a-hjkmnp-tv-z]{26})"')


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request to the API, identical on every attempt."""

    method: Literal["GET", "POST"]
    path: str
    body: bytes | None = None
    idempotency_key: str | None = None
    generation_id: str | None = None

    def headers(self, api_key: str) -> dict[str, str]:
        """The headers of the request."""
        headers = {
            "Authorization": f"Bearer {api_key}",
            "Accept": "application/json",
            "User-Agent": USER_AGENT,
        }
        if self.body is not None:
            headers["Content-Type"] = "application/json"
        if self.idempotency_key is not None:
            headers["Idempotency-Key"] = self.idempotency_key
        return headers


@dataclass(frozen=True, kw_only=True)
class ApiResponse:
    """A response from any server."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """By lower-case name, as httpx provides them."""
    body: bytes = b""
    garbled: bool = False
    """A success without its generation, such as a proxy's page."""

    @property
    def is_success(self) -> bool:
        """Whether the status is a success."""
        return 200 <= self.status <= 299

    def json(self) -> object:
        """The body as JSON; None if it is not JSON or is nested too deeply."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True, kw_only=True)
class NoResponse:
    """No response arrived."""

    reason: str
    never_sent: bool = False
    """Whether there was no connection, so that the request cannot have arrived."""
    final: bool = False
    """Whether another attempt ends in the same way."""


Outcome: TypeAlias = ApiResponse | NoResponse

MODELS = Request(method="GET", path="/models")
BALANCE = Request(method="GET", path="/credits/balance")


def create_request(kind: Kind, body: Mapping[str, object], idempotency_key: str) -> Request:
    """A create whose body is made once, so that every attempt sends the same bytes."""
    try:
        text = json.dumps(body, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"The request cannot be written as JSON: {error}") from error
    return Request(
        method="POST", path=f"/{kind}", body=text.encode(), idempotency_key=idempotency_key
    )


def get_request(generation_id: str) -> Request:
    """The read of a generation; only an id ever gets into a path."""
    if not is_generation_id(generation_id):
        raise UsageError(
            "This is not a generation ID: it must begin with gen_ and have 30 characters."
        )
    path = f"/generations/{generation_id}"
    return Request(method="GET", path=path, generation_id=generation_id)


def is_generation_id(text: str) -> bool:
    """Whether this is the id of a generation."""
    return _GENERATION_ID.fullmatch(text) is not None


def id_within(outcome: Outcome) -> str | None:
    """The id in a malformed or truncated success: paid generations must not be lost."""
    if not isinstance(outcome, ApiResponse) or not outcome.is_success:
        return None
    found = _TOLD_ID.search(outcome.body)
    return None if found is None else found[1].decode()


def api_response(response: httpx.Response, body: bytes = b"") -> ApiResponse:
    """Convert an httpx response."""
    return ApiResponse(status=response.status_code, headers=dict(response.headers), body=body)


def no_response(error: Exception) -> NoResponse:
    """The meaning of an error for a request.

    Other errors than those of the network are about the HTTP client itself.
    """
    if not isinstance(error, NETWORK_ERRORS):
        return NoResponse(
            reason=f"httpx: {type(error).__name__}: {error}. A client given as http_client must be"
            " open, and serves only the event loop in which it was used first",
            final=True,
        )
    return NoResponse(
        reason=f"{type(error).__name__}: {error}".removesuffix(": "),
        never_sent=isinstance(error, _BEFORE_THE_FIRST_BYTE),
    )


NETWORK_ERRORS = (httpx.HTTPError, httpx.InvalidURL)
"""The errors that httpx raises for a failed exchange."""

MAX_BYTES = 8_000_000
"""Far longer than any response of the API."""

_BEFORE_THE_FIRST_BYTE = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.InvalidURL,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)
