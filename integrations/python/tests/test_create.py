"""Creates over a real line, for both clients."""

from __future__ import annotations

import platform
import threading
from itertools import count
from typing import Any

import pytest

import framegate

from . import samples
from .conftest import Connect
from .plans import ACCEPTED, HOUR, VIDEO, limited
from .server import CUT, Reply, Server, serving


def keys(server: Server) -> set[str]:
    return {each.headers["idempotency-key"] for each in server.posts()}


def test_sends_a_create_with_its_key(connect: Connect, server: Server) -> None:
    server.plan(ACCEPTED)
    made = connect(server.url)(lambda c: c.videos.create(**VIDEO, idempotency_key="order-7"))
    assert (made.id, made.status) == (samples.GENERATION_ID, "queued")
    [seen] = server.seen
    assert (seen.method, seen.path) == ("POST", "/v1/videos")
    assert seen.headers["authorization"] == f"Bearer {samples.KEY}"
    assert seen.headers["idempotency-key"] == "order-7"
    assert seen.headers["content-type"] == "application/json"
    runtime = f"Python/{platform.python_version()}"
    assert seen.headers["user-agent"] == f"framegate-python/{framegate.__version__} ({runtime})"


@pytest.mark.parametrize(
    "fault",
    [
        CUT,
        Reply(status=202, body=b'{"id": ', headers={"content-length": "700"}, cut=True),
        Reply(status=502, body=b"<html>Bad gateway</html>"),
        Reply(status=503, json=samples.refusal("service_unavailable", "api_error")),
        Reply(status=500, json=samples.refusal("internal_error", "api_error")),
        limited(20),
    ],
)
def test_tries_again_with_the_same_key_and_the_same_bytes(
    connect: Connect, server: Server, fault: Reply
) -> None:
    server.plan(fault, fault, ACCEPTED)
    connect(server.url)(lambda c: c.videos.create(**VIDEO))
    assert keys(server) == {"made-1"}
    assert len({each.body for each in server.posts()}) == 1
    assert len(server.posts()) == 3


def test_every_create_has_a_key_of_its_own(connect: Connect, server: Server) -> None:
    server.plan(ACCEPTED)
    either = connect(server.url)
    for _ in range(3):
        either(lambda c: c.videos.create(**VIDEO))
    assert keys(server) == {"made-1", "made-2", "made-3"}


def test_a_line_that_is_always_cut_ends_with_the_key(connect: Connect, server: Server) -> None:
    server.plan(CUT)
    either = connect(server.url, retry_seconds=100)
    with pytest.raises(framegate.APIConnectionError) as failed:
        either(lambda c: c.videos.create(**VIDEO))
    assert failed.value.may_have_created
    assert failed.value.idempotency_key == "made-1"
    assert "idempotency_key='made-1'" in str(failed.value)
    assert keys(server) == {"made-1"}
    assert 50 < sum(either.time.slept) <= 100


def test_a_server_that_is_not_there_has_created_nothing(connect: Connect) -> None:
    with serving() as gone:
        url = gone.url
    either = connect(url, retry_seconds=10)
    with pytest.raises(framegate.APIConnectionError, match="Nothing was created") as failed:
        either(lambda c: c.videos.create(**VIDEO))
    assert not failed.value.may_have_created
    assert sum(either.time.slept) <= 10


def test_silence_ends_with_the_key(connect: Connect, server: Server) -> None:
    answered = threading.Event()
    server.plan(Reply(status=202, json=samples.generation(), silent=answered))
    either = connect(server.url, request_timeout=0.05, retry_seconds=0)
    with pytest.raises(framegate.APIConnectionError, match="ReadTimeout") as failed:
        either(lambda c: c.videos.create(**VIDEO))
    answered.set()
    assert failed.value.may_have_created


@pytest.mark.parametrize("endless", [b'"' + b"a" * 9_000_000 + b'"'])
def test_an_response_without_end_is_not_read_for_ever(
    connect: Connect, server: Server, endless: bytes
) -> None:
    server.plan(Reply(body=endless))
    with pytest.raises(framegate.APIConnectionError, match="did not end"):
        connect(server.url, retry_seconds=0)(lambda c: c.models.list())


def test_an_response_that_drips_is_not_read_for_ever(connect: Connect, server: Server) -> None:
    server.plan(Reply(json={"object": "list", "data": []}))
    ticks = count(step=40)
    system = framegate.System(monotonic=lambda: next(ticks))
    with pytest.raises(framegate.APIConnectionError, match="did not end"):
        connect(server.url, system=system, retry_seconds=0)(lambda c: c.models.list())


def test_the_key_does_not_follow_a_redirect(connect: Connect, server: Server) -> None:
    with serving() as other:
        other.plan(ACCEPTED)
        server.plan(Reply(status=307, headers={"location": f"{other.url}/videos"}))
        with pytest.raises(framegate.UnexpectedResponseError):
            connect(server.url)(lambda c: c.videos.create(**VIDEO))
        assert other.seen == []


def test_limits_for_an_hour_end_with_what_to_do(connect: Connect, server: Server) -> None:
    server.plan(limited(600))
    either = connect(server.url)
    with pytest.raises(framegate.RateLimitError, match="Nothing was created") as failed:
        either(lambda c: c.videos.create(**VIDEO))
    assert failed.value.retry_after == 600
    assert either.time.slept == []
    with pytest.raises(framegate.RateLimitError):
        either(lambda c: c.videos.create_and_wait(**VIDEO, timeout=HOUR))
    assert len(either.time.slept) == 5
    assert all(600 <= each <= 601 for each in either.time.slept)
    assert len(keys(server)) == 2


@pytest.mark.parametrize(
    ("status", "code", "kind", "expected"),
    [
        (400, "invalid_request", "invalid_request_error", framegate.InvalidRequestError),
        (401, "invalid_api_key", "authentication_error", framegate.AuthenticationError),
        (402, "key_limit_reached", "billing_error", framegate.BillingError),
        (403, "account_suspended", "permission_error", framegate.PermissionDeniedError),
        (404, "model_not_found", "not_found_error", framegate.NotFoundError),
        (422, "idempotency_key_reused", "idempotency_error", framegate.IdempotencyError),
        (422, "content_policy_violation", "content_policy_error", framegate.ContentPolicyError),
        (418, "something_new", "new_error", framegate.APIError),
    ],
)
def test_a_refusal_is_an_error_of_its_class(
    connect: Connect,
    server: Server,
    status: int,
    code: str,
    kind: str,
    expected: type[framegate.APIError],
) -> None:
    details = [
        {"param": "mode", "code": "required", "message": "Say how."},
        {"param": "inputs[0].url", "code": "too_long", "message": "Too long."},
    ]
    body = samples.refusal(code, kind, param="mode", details=details)
    server.plan(Reply(status=status, json=body))
    with pytest.raises(expected, match=r"inputs\[0\].url: Too long.") as failed:
        connect(server.url)(lambda c: c.videos.create(**VIDEO))
    error = failed.value
    assert type(error) is expected
    assert (error.status, error.code, error.type, error.param) == (status, code, kind, "mode")
    assert error.request_id == "req_01kagw2m5ejz4v8h6t0x9c3bqd"
    assert [each.param for each in error.details] == ["mode", "inputs[0].url"]
    assert not error.may_have_created


def test_too_few_credits_are_told_in_numbers(connect: Connect, server: Server) -> None:
    sums = {"required": 70, "available": 12}
    body = samples.refusal("insufficient_credits", "billing_error", credits=sums)
    server.plan(Reply(status=402, json=body))
    with pytest.raises(framegate.InsufficientCreditsError) as failed:
        connect(server.url)(lambda c: c.videos.create(**VIDEO))
    assert (failed.value.required, failed.value.available) == (70, 12)


def plan_prices(server: Server) -> None:
    server.plan(ACCEPTED, method="POST")
    models = {"object": "list", "data": [samples.model("video"), samples.model("image")]}
    server.plan(Reply(json=models), method="GET")


def test_costs_no_more_than_allowed(connect: Connect, server: Server) -> None:
    either = connect(server.url)
    plan_prices(server)
    with pytest.raises(framegate.PriceLimitError, match="70 credits") as refused:
        either(lambda c: c.videos.create_and_wait(**VIDEO, max_credits=69))
    assert (refused.value.price, refused.value.max_credits) == (70, 69)
    assert server.posts() == []
    either(lambda c: c.videos.create(**VIDEO, max_credits=70))
    assert len(server.posts()) == 1


def test_tells_the_price_of_a_model_by_its_id(connect: Connect, server: Server) -> None:
    either = connect(server.url)
    plan_prices(server)
    assert either(lambda c: c.price("image-b-2", n=4)) == 24
    [video, _] = either(lambda c: c.models.list())
    sent = len(server.seen)
    assert either(lambda c: c.price(video, resolution="480p")) == 35
    assert len(server.seen) == sent
    with pytest.raises(framegate.UsageError, match=r"alpha-2\.0-pro, image-b-2"):
        either(lambda c: c.price("alpha"))


@pytest.mark.parametrize("body", [{"seed": {1}}, {"seed": float("nan")}])
def test_what_is_no_json_is_refused_before_anything_is_sent(
    connect: Connect, server: Server, body: dict[str, Any]
) -> None:
    with pytest.raises(framegate.UsageError, match="JSON"):
        connect(server.url)(lambda c: c.videos.create(**VIDEO, parameters=body))
    assert server.seen == []
