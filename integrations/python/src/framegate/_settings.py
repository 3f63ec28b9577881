"""A client's settings, checked before anything is sent."""

from __future__ import annotations

import ipaddress
import random
import re
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import httpx

from ._pace import Paces
from ._progress import Waits
from .errors import UsageError

T = TypeVar("T")

USUAL_TIMEOUT = 3600.0
"""Default time limit of a wait, in seconds."""

_KEY = re.compile(r"fg_live_[0-9A-Za-z]{38}")
_PRIVATE_NAME = re.compile(r"(^|\.)(localhost|local|internal|lan|home\.arpa)$")
_VISIBLE_ASCII = re.compile(r"[!-~]{1,255}")


def _new_key() -> str:
    return str(uuid.uuid4())


@dataclass(frozen=True, kw_only=True)
class System:
    """Time and randomness, which tests replace."""

    monotonic: Callable[[], float] = time.monotonic
    """Seconds of a monotonic clock; the time of day is never used."""
    random: Callable[[], float] = random.random
    """A random number from 0 to 1, which spreads the retries of many clients."""
    new_key: Callable[[], str] = _new_key
    """A new idempotency key."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The checked settings of a client."""

    base_url: str
    """Ends in `/v1`."""
    api_key: str = field(repr=False)
    request_timeout: float
    """Time limit of a request, in seconds."""
    retry_seconds: float
    """Seconds for which a call retries after temporary faults."""
    system: System
    paces: Paces = field(default_factory=Paces, repr=False, compare=False)
    waits: Waits = field(default_factory=Waits, repr=False, compare=False)


def read_settings(
    *,
    base_url: str | None,
    api_key: str | None,
    request_timeout: float,
    retry_seconds: float,
    system: System,
    environment: Mapping[str, str],
) -> Settings:
    """Check a client's arguments; the environment replaces None.

    Raises:
        UsageError: With advice; it never contains the key.
    """
    return Settings(
        base_url=read_base_url(
            environment.get("FRAMEGATE_URL", "") if base_url is None else base_url
        ),
        api_key=read_api_key(environment.get("FRAMEGATE_KEY", "") if api_key is None else api_key),
        request_timeout=_positive("request_timeout", request_timeout),
        retry_seconds=read_seconds("retry_seconds", retry_seconds),
        system=system,
    )


def open_http(http: Callable[[], T]) -> T:
    """Open an HTTP client, which reads settings of the machine by itself.

    Raises:
        UsageError: If it cannot use them.
    """
    try:
        return http()
    except Exception as error:
        raise UsageError(
            f"httpx cannot use the settings of this machine ({type(error).__name__}: {error})."
            " Correct HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE or SSL_CERT_DIR,"
            " or pass an http_client with trust_env=False."
        ) from error


def read_base_url(text: str) -> str:
    """Check a base URL, and drop its trailing slash.

    Without TLS the key could be intercepted, so plain http is only for this machine and private
    networks.
    """
    if text == "":
        raise UsageError(
            "The base URL is missing. Pass base_url, or set FRAMEGATE_URL, to the address of your"
            " gateway's API, such as https://api.example.com/v1."
        )
    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, TypeError):
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or url.host == "" or re.search(r"[\s?#@]", text.strip()):
        raise UsageError(
            "The base URL is not an API address. It must look like https://api.example.com/v1,"
            " without a user name, a query or a fragment."
        )
    if url.scheme == "http" and not _is_private(url.host):
        raise UsageError(
            f"The base URL of {url.host} must begin with https://: otherwise others on the network"
            " could read the API key. Plain http is for this machine and private networks only."
        )
    address = text.strip().rstrip("/")
    if not address.endswith("/v1"):
        raise UsageError(f"The base URL must end in /v1. Did you mean {address}/v1?")
    return address


def read_api_key(text: str) -> str:
    """Check the form of an API key."""
    if text == "":
        raise UsageError(
            "The API key is missing. Pass api_key, or set FRAMEGATE_KEY, to a key from your account"
            " settings."
        )
    if re.search(r"\s", text):
        raise UsageError("The API key contains spaces or line breaks. Copy it again without them.")
    if not _KEY.fullmatch(text):
        raise UsageError(
            "This is not an API key: it must be fg_live_ followed by 38 letters and digits."
            " Copy all of it from your account settings."
        )
    return text


def read_idempotency_key(text: str) -> str:
    """Check the caller's idempotency key."""
    if not _VISIBLE_ASCII.fullmatch(text):
        raise UsageError(
            "idempotency_key must be 1 to 255 visible ASCII characters without spaces."
        )
    return text


def read_timeout(timeout: float | None) -> float:
    """Seconds to wait; infinite for None."""
    return float("inf") if timeout is None else read_seconds("timeout", timeout)


def read_seconds(name: str, value: float) -> float:
    """Check a number of seconds; 0 is valid."""
    # NaN compares false with everything.
    if not value >= 0:
        raise UsageError(f"{name} must be a number of seconds, 0 or more.")
    return float(value)


def _positive(name: str, value: float) -> float:
    if not 0 < value < float("inf"):
        raise UsageError(f"{name} must be a number of seconds above 0.")
    return float(value)


def _is_private(host: str) -> bool:
    """Whether a host is on this machine or in a private network; names without a dot count."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        name = host.lower().rstrip(".")
        return "." not in name or _PRIVATE_NAME.search(name) is not None
    carriers = ipaddress.ip_network("100.64.0.0/10")
    return address.is_private or (address.version == 4 and address in carriers)
