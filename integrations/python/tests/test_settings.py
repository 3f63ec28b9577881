from __future__ import annotations

import pytest

from framegate import AsyncFramegate, Framegate, UsageError

from .samples import KEY

URL = "https://api.example.com/v1"


@pytest.mark.parametrize(
    "url",
    [
        URL,
        f"{URL}/",
        " https://api.example.com/v1 ",
        "https://example.com/media/v1",
        "http://localhost:8080/v1",
        "http://127.0.0.1:8080/v1",
        "http://[::1]:8080/v1",
        "http://10.1.2.3/v1",
        "http://100.64.0.1/v1",
        "http://gateway:8080/v1",
        "http://gateway.internal/v1",
    ],
)
def test_takes_the_base_urls_of_gateways(url: str) -> None:
    with Framegate(base_url=url, api_key=KEY) as client:
        assert repr(client) == f"Framegate(base_url={url.strip().rstrip('/')!r})"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "FRAMEGATE_URL"),
        ("https://api.example.com", "Did you mean https://api.example.com/v1?"),
        ("https://api.example.com/v1/videos", "must end in /v1"),
        ("api.example.com/v1", "like https://api.example.com/v1"),
        ("ftp://api.example.com/v1", "like https://api.example.com/v1"),
        ("https:///v1", "like https://api.example.com/v1"),
        ("https://api.example.com/v1?key=1", "without a user name, a query"),
        ("https://ada:secret@api.example.com/v1", "without a user name, a query"),
        ("https://api.exa mple.com/v1", "like https://api.example.com/v1"),
        ("https://api.example.com:port/v1", "like https://api.example.com/v1"),
        ("http://api.example.com/v1", "must begin with https://"),
        ("http://8.8.8.8/v1", "must begin with https://"),
    ],
)
def test_says_what_is_wrong_with_other_base_urls(
    url: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FRAMEGATE_URL", raising=False)
    for client in (Framegate, AsyncFramegate):
        with pytest.raises(UsageError) as refused:
            client(base_url=url, api_key=KEY)
        assert told in str(refused.value)
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("", "FRAMEGATE_KEY"),
        (f"{KEY}\n", "spaces"),
        (f" {KEY}", "spaces"),
        (KEY[:20] + " " + KEY[20:], "spaces"),
        (KEY[:-1], "must be fg_live_"),
        (f"{KEY}0", "must be fg_live_"),
        ("sk-" + "a" * 40, "must be fg_live_"),
        ("Bearer" + KEY, "must be fg_live_"),
        (KEY[:-1] + "ä", "must be fg_live_"),
    ],
)
def test_says_what_is_wrong_with_a_key_and_never_repeats_it(
    key: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FRAMEGATE_KEY", raising=False)
    with pytest.raises(UsageError) as refused:
        Framegate(base_url=URL, api_key=key)
    assert told in str(refused.value)
    assert key.strip() == "" or key.strip() not in str(refused.value)


def test_takes_both_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRAMEGATE_URL", URL)
    monkeypatch.setenv("FRAMEGATE_KEY", KEY)
    with Framegate() as client:
        assert URL in repr(client)
        assert KEY not in repr(client)
        assert KEY not in repr(vars(client))


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_a_request_needs_some_time(value: float) -> None:
    with pytest.raises(UsageError, match="request_timeout"):
        Framegate(base_url=URL, api_key=KEY, request_timeout=value)


@pytest.mark.parametrize("value", [-1, float("nan")])
def test_a_timeout_is_no_less_than_nothing(value: float) -> None:
    with Framegate(base_url=URL, api_key=KEY) as client, pytest.raises(UsageError, match="timeout"):
        client.generations.wait("gen_01kagw2m5t9x3q7r8v4c6e0hjn", timeout=value)


@pytest.mark.parametrize("key", ["", "with blanks", "näme", "a" * 256, "line\n"])
def test_an_idempotency_key_of_another_form_is_refused_before_anything_is_sent(key: str) -> None:
    with Framegate(base_url=URL, api_key=KEY) as client, pytest.raises(UsageError, match="ASCII"):
        client.images.create(model="image-b-2", prompt="A boat", idempotency_key=key)


@pytest.mark.parametrize("given", ["", "gen_1", "../models", "gen_01kagw2m5t9x3q7r8v4c6e0hjn/.."])
def test_nothing_but_an_id_gets_into_a_path(given: str) -> None:
    with Framegate(base_url=URL, api_key=KEY) as client, pytest.raises(UsageError, match="gen_"):
        client.generations.get(given)
