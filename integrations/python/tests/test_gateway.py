"""Against the gateway of FRAMEGATE_URL, also over a line that breaks."""

from __future__ import annotations

import asyncio
import io
import os
import re
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import framegate

from .conftest import Connect, Either
from .plans import SHORT_VIDEO as VIDEO
from .server import CUT, Reply, Server, serving

COST = 20


def hurry(seconds: float) -> None:
    """The hints are meant for real providers, which take minutes."""
    time.sleep(min(seconds, 0.1))


async def hurry_async(seconds: float) -> None:
    await asyncio.sleep(min(seconds, 0.1))


@pytest.fixture
def line(gateway_url: str) -> Iterator[Server]:
    """A line to the gateway that breaks where a test plans it."""
    with serving(gateway_url.removesuffix("/v1")) as made:
        yield made


@pytest.fixture
def either(connect: Connect, line: Server, request: pytest.FixtureRequest) -> Either:
    """A client at the end of the line."""
    blocks = "blocking" in request.node.name
    return connect(
        line.url,
        api_key=os.environ["FRAMEGATE_KEY"],
        sleep=hurry if blocks else hurry_async,
        system=framegate.System(),
    )


def available(either: Either) -> int:
    return int(either(lambda c: c.credits.balance()).available)


def test_makes_a_video_and_downloads_it(either: Either, line: Server, tmp_path: Path) -> None:
    before = available(either)
    seen: list[framegate.GenerationRecord] = []
    video = either(
        lambda c: c.videos.create_and_wait(**VIDEO, max_credits=COST, on_update=seen.append)
    )
    assert seen[0].status == "queued"
    assert seen[-1] == video
    assert available(either) == before - COST
    size = either(lambda _: video.download(tmp_path / "boat.mp4"))
    assert (tmp_path / "boat.mp4").stat().st_size == size
    assert (tmp_path / "boat.mp4").read_bytes()[4:8] == b"ftyp"
    # The files come from their own host, without the key.
    assert all("authorization" in each.headers for each in line.seen)


def test_makes_images(either: Either) -> None:
    parameters = {"n": 3, "resolution": "1k", "output_format": "webp"}
    images = either(
        lambda c: c.images.create_and_wait(
            model="image-b-2", prompt="A paper boat", parameters=parameters
        )
    )
    assert len(images.output.image_urls) == 3
    file = io.BytesIO()
    either(lambda _: images.download(file, index=2))
    assert file.getvalue()[8:12] == b"WEBP"


def test_a_key_of_the_callers_own_gives_the_same_generation(either: Either) -> None:
    before, key = available(either), f"order-{uuid.uuid4()}"
    first = either(lambda c: c.videos.create(**VIDEO, idempotency_key=key))
    again = either(lambda c: c.videos.create_and_wait(**VIDEO, idempotency_key=key))
    assert (again.id, again.status) == (first.id, "completed")
    assert available(either) == before - COST
    other = VIDEO | {"prompt": "Another boat"}
    with pytest.raises(framegate.IdempotencyError) as refused:
        either(lambda c: c.videos.create(**other, idempotency_key=key))
    assert refused.value.code == "idempotency_key_reused"


CREATE = """
import sys, framegate
made = framegate.Framegate().videos.create(
    model="alpha-2.0-fast",
    mode="text-to-video",
    prompt="A paper boat",
    parameters={"duration_seconds": 4, "resolution": "480p"},
    idempotency_key=sys.argv[1],
)
print(made.id)
"""


def test_a_program_that_is_killed_in_the_middle_pays_once(
    connect: Connect, either: Either, line: Server
) -> None:
    before, key = available(either), f"order-{uuid.uuid4()}"
    environment = os.environ | {
        "FRAMEGATE_URL": line.url,
        "PYTHONPATH": str(Path(framegate.__file__).parents[1]),
    }
    accepted, never = threading.Event(), threading.Event()
    line.plan(Reply(forwarded=True, sent=accepted, silent=never), method="POST")
    with subprocess.Popen([sys.executable, "-c", CREATE, key], env=environment) as program:
        assert accepted.wait(60)
        program.kill()
    never.set()
    again = subprocess.run(
        [sys.executable, "-c", CREATE, key],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert available(either) == before - COST
    assert either(lambda c: c.generations.wait(again.stdout.strip())).status == "completed"


def test_a_timeout_loses_nothing(either: Either, line: Server) -> None:
    line.plan(*[CUT] * 50, method="GET")
    with pytest.raises(framegate.WaitTimeoutError) as late:
        either(lambda c: c.videos.create_and_wait(**VIDEO, timeout=0.3))
    line.forget()
    assert either(lambda c: c.generations.wait(late.value.id)).status == "completed"


def test_a_generation_that_failed_is_refunded(either: Either) -> None:
    before = available(either)
    with pytest.raises(framegate.GenerationFailedError) as failed:
        either(lambda c: c.videos.create_and_wait(**VIDEO | {"prompt": "It shall fail"}))
    assert (failed.value.refunded, failed.value.refunded_credits) == (True, COST)
    assert failed.value.code == "generation_failed"
    assert available(either) == before


def test_too_few_credits(either: Either, connect: Connect, line: Server) -> None:
    poor = connect(line.url, api_key=os.environ["FRAMEGATE_POOR_KEY"])
    with pytest.raises(framegate.InsufficientCreditsError) as refused:
        poor(lambda c: c.videos.create(**VIDEO))
    assert refused.value.required == COST
    assert refused.value.available is not None
    assert refused.value.available < COST


def test_prices_are_those_of_the_examples_and_of_the_bill(either: Either) -> None:
    models: list[framegate.Model] = either(lambda c: c.models.list())
    for model in models:
        for example in model.pricing.examples:
            parameters: dict[str, Any] = vars(example.parameters)
            assert framegate.price(model, **parameters) == example.cost_credits
    numbers = count()
    for chosen in (
        {"duration_seconds": 5, "resolution": "480p", "generate_audio": True},
        {"duration_seconds": 7, "resolution": "720p", "generate_audio": True},
        {"resolution": "720p"},
        {},
    ):
        order = VIDEO | {"parameters": chosen, "prompt": f"Boat {next(numbers)}"}
        made = either(lambda c: c.videos.create(**order))  # noqa: B023
        price = either(lambda c: c.price("alpha-2.0-fast", **chosen))  # noqa: B023
        assert made.billing.cost_credits == price
    image = either(lambda c: c.images.create(model="image-b-2", prompt="A boat"))
    assert image.billing.cost_credits == either(lambda c: c.price("image-b-2"))


def test_a_download_over_a_bad_line(either: Either, line: Server, tmp_path: Path) -> None:
    video = either(lambda c: c.videos.create_and_wait(**VIDEO))
    good = io.BytesIO()
    size = either(lambda _: video.download(good))
    url = re.sub(r"^https?://[^/]+", line.origin, video.output.urls[0])
    object.__setattr__(video.output, "urls", [url])
    line.forget()
    half = {"content-type": "video/mp4", "content-length": str(size)}
    line.plan(
        CUT,
        Reply(body=good.getvalue()[: size // 2], headers=half, cut=True),
        Reply(status=503, body=b"<html>"),
    )
    assert either(lambda _: video.download(tmp_path / "boat.mp4")) == size
    assert (tmp_path / "boat.mp4").read_bytes() == good.getvalue()
    assert line.seen[-1].headers["range"] == f"bytes={size // 2}-"
    assert all("authorization" not in each.headers for each in line.seen)
