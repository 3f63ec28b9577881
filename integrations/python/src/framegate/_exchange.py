"""Requests as they are sent, and what came back: values only, nothing is sent here."""

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
    """One request to the API. Every try sends the very same one."""

    method: Literal["GET", "POST"]
    path: str
    body: bytes | None = None
    idempotency_key: str | None = None
    generation_id: str | None = None

    def headers(self, api_key: str) -> dict[str, str]:
        """The headers that it is sent with."""
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
class Answer:
    """An answer, whoever gave it."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """By names in lower case, as httpx gives them."""
    body: bytes = b""
    garbled: bool = False
    """A success that does not tell the generation it is about, such as the page of a proxy."""

    @property
    def is_success(self) -> bool:
        """Whether the status says that the request was carried out."""
        return 200 <= self.status <= 299

    def json(self) -> object:
        """The body as JSON; None when it is not, or is nested without end."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True, kw_only=True)
class NoAnswer:
    """That no answer arrived."""

    reason: str
    never_sent: bool = False
    """Whether there was no connection, so that the request cannot have arrived."""


Outcome: TypeAlias = Answer | NoAnswer

MODELS = Request(method="GET", path="/models")
BALANCE = Request(method="GET", path="/credits/balance")


def create_request(kind: Kind, body: Mapping[str, object], idempotency_key: str) -> Request:
    """A create, its body made once so that every try sends the same bytes."""
    try:
        text = json.dumps(body, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"The request cannot be written as JSON: {error}") from error
    return Request(
        method="POST", path=f"/{kind}", body=text.encode(), idempotency_key=idempotency_key
    )


def get_request(generation_id: str) -> Request:
    """The read of a generation; nothing but an id ever gets into a path."""
    if not is_generation_id(generation_id):
        raise UsageError(
            "This is not the id of a generation: one begins with gen_ and has 30 characters."
        )
    path = f"/generations/{generation_id}"
    return Request(method="GET", path=path, generation_id=generation_id)


def is_generation_id(text: str) -> bool:
    """Whether this is the id of a generation."""
    return _GENERATION_ID.fullmatch(text) is not None


def id_within(outcome: Outcome) -> str | None:
    """The id in a success that is odd in other ways, or cut: what is paid must not get lost."""
    if not isinstance(outcome, Answer) or not outcome.is_success:
        return None
    found = _TOLD_ID.search(outcome.body)
    return None if found is None else found[1].decode()


def answer_of(response: httpx.Response, body: bytes = b"") -> Answer:
    """The answer that httpx got."""
    return Answer(status=response.status_code, headers=dict(response.headers), body=body)


def no_answer(error: Exception) -> NoAnswer:
    """What an error of httpx means for a request."""
    return NoAnswer(
        reason=f"{type(error).__name__}: {error}".removesuffix(": "),
        never_sent=isinstance(error, _BEFORE_THE_FIRST_BYTE),
    )


NETWORK_ERRORS = (httpx.HTTPError, httpx.InvalidURL)
"""What httpx raises when an exchange comes to nothing."""

MOST_BYTES = 8_000_000
"""No answer of the API is nearly as long."""

_BEFORE_THE_FIRST_BYTE = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.InvalidURL,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)
