"""Responses that are none: whatever lies between must not lose what is paid."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import framegate

from . import samples
from .conftest import Connect
from .plans import ACCEPTED, COMPLETED, PAGE, VIDEO
from .server import Reply, Server

OTHER_ID = samples.GENERATION_ID[:-1] + "m"
WHOLE = json.dumps(samples.generation("processing")).encode()


def wild(chance: random.Random, depth: int = 2) -> Any:
    """Any JSON."""
    leaves: list[Any] = [None, True, -1, 1e300, "", "completed", samples.GENERATION_ID, [], {}]
    if depth == 0 or chance.random() < 0.4:
        return chance.choice(leaves)
    if chance.random() < 0.5:
        return [wild(chance, depth - 1) for _ in range(chance.randrange(3))]
    names = ["id", "status", "error", "code", "object", "output"]
    return {name: wild(chance, depth - 1) for name in chance.sample(names, 3)}


def no_response(chance: random.Random) -> Reply:
    """A success that is no response: pages, halves, other JSON, odd parts."""
    status = chance.choice([200, 201, 202, 203])
    odd = samples.generation(chance.choice(["queued", "completed", "failed"]))
    if odd["status"] == "queued":
        odd[chance.choice(["id", "status", "billing", "parameters"])] = wild(chance)
    kinds: list[bytes] = [
        b"",
        PAGE.body,
        bytes(chance.randrange(256) for _ in range(20)),
        b"[" * 100_000,
        WHOLE[: chance.randrange(len(WHOLE))],
        json.dumps(wild(chance)).encode(),
        json.dumps(samples.generation("asleep")).encode(),
        json.dumps(odd).encode(),
    ]
    return Reply(status=status, body=chance.choice(kinds))


def tells_the_id(reply: Reply) -> bool:
    return f'"id": "{samples.GENERATION_ID}"'.encode() in reply.body


WRONG = [no_response(random.Random(seed)) for seed in range(16)]


def keys(server: Server) -> list[str]:
    return [each.headers["idempotency-key"] for each in server.posts()]


def test_a_create_is_repeated_with_its_key(connect: Connect, server: Server) -> None:
    either = connect(server.url)
    for number, wrong in enumerate(WRONG, 1):
        server.forget()
        server.plan(wrong, wrong, ACCEPTED)
        assert either(lambda c: c.videos.create(**VIDEO)).id == samples.GENERATION_ID
        assert keys(server) == [f"made-{number}"] * 3


def test_a_create_that_is_never_answered_ends_with_its_key(
    connect: Connect, server: Server
) -> None:
    either = connect(server.url, retry_seconds=5)
    for wrong in WRONG:
        server.forget()
        server.plan(wrong)
        with pytest.raises(framegate.UnexpectedResponseError) as failed:
            either(lambda c: c.videos.create(**VIDEO))
        error = failed.value
        [key] = set(keys(server))
        assert (error.idempotency_key, error.may_have_created) == (key, True)
        assert key in str(error)
        if tells_the_id(wrong):
            assert error.generation_id == samples.GENERATION_ID
            assert samples.GENERATION_ID in str(error)


def test_a_poll_is_repeated(connect: Connect, server: Server) -> None:
    other = Reply(json=samples.generation("processing", id=OTHER_ID))
    either = connect(server.url)
    for wrong in WRONG:
        server.forget()
        server.plan(wrong, other, COMPLETED)
        assert either(lambda c: c.generations.get(samples.GENERATION_ID)).status == "completed"
        server.forget()
        server.plan(ACCEPTED, method="POST")
        server.plan(wrong, other, COMPLETED, method="GET")
        assert either(lambda c: c.videos.create_and_wait(**VIDEO)).id == samples.GENERATION_ID
        assert len(server.posts()) == 1


def test_a_wait_that_is_never_answered_ends_with_id_and_key(
    connect: Connect, server: Server
) -> None:
    either = connect(server.url)
    for wrong in WRONG:
        server.forget()
        server.plan(ACCEPTED, method="POST")
        server.plan(wrong, method="GET")
        with pytest.raises(framegate.WaitTimeoutError) as late:
            either(lambda c: c.videos.create_and_wait(**VIDEO, timeout=15))
        [key] = keys(server)
        assert (late.value.id, late.value.idempotency_key) == (samples.GENERATION_ID, key)
        assert key in str(late.value)
        assert isinstance(late.value.__cause__, framegate.UnexpectedResponseError)


def test_an_id_that_was_told_outlives_a_later_refusal(connect: Connect, server: Server) -> None:
    body = samples.refusal("invalid_api_key", "authentication_error")
    odd = Reply(status=202, json=samples.generation("asleep"))
    server.plan(odd, Reply(status=401, json=body))
    with pytest.raises(framegate.AuthenticationError, match=samples.GENERATION_ID) as failed:
        connect(server.url)(lambda c: c.videos.create(**VIDEO))
    assert failed.value.generation_id == samples.GENERATION_ID


def test_a_failure_while_waiting_has_the_key(connect: Connect, server: Server) -> None:
    server.plan(ACCEPTED, method="POST")
    server.plan(Reply(json=samples.failed()), method="GET")
    with pytest.raises(framegate.GenerationFailedError, match="made-1") as failed:
        connect(server.url)(lambda c: c.videos.create_and_wait(**VIDEO))
    assert failed.value.idempotency_key == "made-1"


def test_a_page_in_place_of_a_list_ends_the_call_at_once(connect: Connect, server: Server) -> None:
    server.plan(PAGE)
    with pytest.raises(framegate.UnexpectedResponseError, match="proxy"):
        connect(server.url)(lambda c: c.models.list())
    assert len(server.seen) == 1


def test_a_result_has_the_response_that_it_came_with(connect: Connect, server: Server) -> None:
    told = {"x-request-id": "req_01kagw2m5ejz4v8h6t0x9c3bqd"}
    server.plan(ACCEPTED, method="POST")
    server.plan(Reply(json=COMPLETED.json, headers=told), method="GET")
    either = connect(server.url)
    video = either(lambda c: c.videos.create_and_wait(**VIDEO))
    response = framegate.response_of(video)
    assert response is not None
    assert (response.status, response.request_id) == (200, told["x-request-id"])
    assert json.loads(response.text) == COMPLETED.json
    assert "_response" not in repr(video)

    server.forget()
    models = {"object": "list", "data": [samples.model()]}
    server.plan(Reply(json=models, headers=told), method="GET")
    [model] = either(lambda c: c.models.list())
    assert framegate.response_of(model) is not None
    assert framegate.response_of(object()) is None
