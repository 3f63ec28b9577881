"""The pure rules: which error, which price, what a response is, and that both clients are alike."""

from __future__ import annotations

import inspect
import pickle
import re
from datetime import datetime, timezone
from typing import Any, get_args

import pytest

import framegate
from framegate import errors, types
from framegate._decode import DecodeError, decode
from framegate._ended import Failed
from framegate._exchange import ApiResponse, NoResponse, Outcome
from framegate._refusals import FAMILIES, generation_failed, may_have_created, wait_timeout

from . import samples


def test_every_family_of_errors_has_a_class_of_its_own() -> None:
    assert set(FAMILIES) == set(get_args(types.ErrorType))
    assert len(set(FAMILIES.values())) == len(FAMILIES)


LOST = NoResponse(reason="cut")
NEVER_SENT = NoResponse(reason="refused", never_sent=True)


def api(status: int, code: str) -> ApiResponse:
    return ApiResponse(status=status, body=b'{"error": {"code": "%s"}}' % code.encode())


@pytest.mark.parametrize(
    ("outcomes", "unknown"),
    [
        ([LOST], True),
        ([NEVER_SENT], False),
        ([LOST, NEVER_SENT], True),
        ([api(500, "internal_error")], True),
        ([api(503, "service_unavailable")], True),
        ([api(503, "model_unavailable")], False),
        ([api(429, "rate_limited")], False),
        ([api(402, "insufficient_credits")], False),
        # The key is looked up before the credits: had it been created, it would have been answered.
        ([LOST, api(402, "insufficient_credits")], False),
        # These come before the key is looked up.
        ([LOST, api(429, "rate_limited")], True),
        ([LOST, api(401, "invalid_api_key")], True),
        ([ApiResponse(status=502, body=b"<html>")], True),
        ([ApiResponse(status=520, body=b"<html>")], True),
        ([ApiResponse(status=200, body=b"<html>")], True),
        ([ApiResponse(status=429, body=b"<html>")], False),
    ],
)
def test_knows_whether_a_create_may_have_succeeded(outcomes: list[Outcome], unknown: bool) -> None:
    known = False
    for outcome in outcomes:
        known = may_have_created(outcome, known)
    assert known is unknown


def test_errors_survive_being_sent_to_another_process() -> None:
    record = decode(Failed, samples.failed())
    for error in (generation_failed(record), wait_timeout(record.id, record)):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))


VIDEO = decode(types.Model, samples.model("video"))
IMAGE = decode(types.Model, samples.model("image"))


@pytest.mark.parametrize(
    ("model", "parameters", "credits"),
    [
        (VIDEO, {}, 70),
        (VIDEO, {"duration_seconds": 7}, 98),
        (VIDEO, {"duration_seconds": 7, "resolution": "480p"}, 49),
        # 49 and a quarter more is 61.25, rounded up.
        (VIDEO, {"duration_seconds": 7, "resolution": "480p", "generate_audio": True}, 62),
        (VIDEO, {"duration_seconds": 4, "resolution": "480p", "generate_audio": True}, 35),
        (IMAGE, {}, 6),
        (IMAGE, {"n": 3, "resolution": "2k"}, 27),
    ],
)
def test_computes_prices(model: types.Model, parameters: dict[str, Any], credits: int) -> None:
    assert framegate.price(model, **parameters) == credits


@pytest.mark.parametrize(
    ("model", "parameters", "told"),
    [
        (VIDEO, {"resolution": "4k"}, "480p, 720p"),
        (VIDEO, {"duration_seconds": 3}, "4 to 15"),
        (VIDEO, {"duration_seconds": 16}, "4 to 15"),
        (VIDEO, {"duration_seconds": 5.0}, "whole number"),
        (VIDEO, {"duration_seconds": True}, "whole number"),
        (VIDEO, {"generate_audio": "yes"}, "True or False"),
        (VIDEO, {"n": 2}, "have no n"),
        (IMAGE, {"n": 0}, "1 to 4"),
        (IMAGE, {"duration_seconds": 5}, "have no duration_seconds"),
    ],
)
def test_tells_no_price_of_what_is_not_made(
    model: types.Model, parameters: dict[str, Any], told: str
) -> None:
    with pytest.raises(errors.UsageError, match=told):
        framegate.price(model, **parameters)


def test_decodes_a_generation_and_ignores_what_it_does_not_know() -> None:
    record = decode(types.GenerationRecord, samples.generation(new_field=1, status="resting"))
    assert str(record.status) == "resting"
    assert record.created_at == datetime(2026, 11, 20, 9, 30, tzinfo=timezone.utc)
    assert isinstance(record.parameters, types.EffectiveVideoParameters)
    assert record.output is None


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"id": 5}, "GenerationRecord.id"),
        ({"created_at": "yesterday"}, "GenerationRecord.created_at"),
        ({"billing": {"unit": "credits"}}, "GenerationRecord.billing.cost_credits"),
        ({"retry_after_seconds": True}, "GenerationRecord.retry_after_seconds"),
        ({"output": {"urls": [1]}}, "GenerationRecord.output"),
    ],
)
def test_refuses_what_is_no_generation(change: dict[str, Any], place: str) -> None:
    with pytest.raises(DecodeError, match=place):
        decode(types.GenerationRecord, samples.generation() | change)


@pytest.mark.parametrize("value", [None, [], "text", 5, {"status": "ok"}])
def test_refuses_other_json(value: object) -> None:
    with pytest.raises(DecodeError):
        decode(types.GenerationRecord, value)


SPECIAL = ("__init__", "__enter__", "__exit__", "__aenter__", "__aexit__")


def surface(thing: object) -> dict[str, tuple[str, str | None]]:
    """The public methods of a client and of its parts, with signatures and docstrings."""
    found: dict[str, tuple[str, str | None]] = {}
    for name, member in inspect.getmembers(thing):
        if name.startswith("_") and name not in SPECIAL:
            continue
        if inspect.isfunction(member) or inspect.ismethod(member):
            found[name] = (str(inspect.signature(member)), member.__doc__)
        elif type(member).__module__.startswith("framegate._"):
            found |= {f"{name}.{key}": each for key, each in surface(member).items()}
    return found


def blocking(text: str) -> str:
    for word, other in (("Async", ""), ("aclose", "close"), ("__a", "__")):
        text = text.replace(word, other)
    # The function that each client sleeps by.
    return re.sub(r"<.*? sleep.*?>", "sleep", text)


def test_both_clients_have_the_same_methods() -> None:
    settings: Any = {"base_url": "https://api.example.com/v1", "api_key": samples.KEY}
    alike = [
        (framegate.Framegate(**settings), framegate.AsyncFramegate(**settings)),
        (framegate.Generation, framegate.AsyncGeneration),
    ]
    for one, other in alike:
        awaited = {
            blocking(name): (blocking(signature), doc)
            for name, (signature, doc) in surface(other).items()
        }
        waited = {
            name: (blocking(signature), doc) for name, (signature, doc) in surface(one).items()
        }
        assert waited == awaited
        assert all(doc for name, (_, doc) in waited.items() if "__" not in name)
    methods = surface(alike[0][0])
    assert set(methods) >= {
        *("videos.create", "videos.create_and_wait", "images.create", "images.create_and_wait"),
        *("generations.get", "generations.wait", "models.list", "credits.balance", "price"),
    }
    assert set(surface(framegate.Generation)) >= {"wait", "download"}


def test_everything_public_is_named() -> None:
    named = set(framegate.__all__)
    errors_there = {name for name, each in vars(errors).items() if inspect.isclass(each)}
    assert {name for name in errors_there if name.endswith("Error")} <= named
    assert all(hasattr(framegate, name) for name in named)
