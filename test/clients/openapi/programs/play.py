"""Makes a video, images, a failure and a refusal with the client that was generated."""

import json
import os
import time

import httpx
from framegate_generated import AuthenticatedClient
from framegate_generated.api.generations import create_image, create_video, get_generation
from framegate_generated.api.models import list_models
from framegate_generated.models import (
    CompletedImages,
    CompletedVideo,
    CreateImage,
    CreateVideo,
    CreateVideoMode,
    Error,
    FailedImages,
    FailedVideo,
    ImagePricing,
    ModelList,
    PendingImages,
    PendingVideo,
    VideoParameters,
    VideoParametersResolution,
    VideoPricing,
)

Ended = CompletedVideo | CompletedImages | FailedVideo | FailedImages

client = AuthenticatedClient(
    base_url=os.environ["FRAMEGATE_URL"], token=os.environ["FRAMEGATE_KEY"]
)


def ended(generation: Ended | PendingVideo | PendingImages | Error | None) -> Ended:
    """Polls until a generation has ended; the hints are for real services."""
    while isinstance(generation, PendingVideo | PendingImages):
        time.sleep(0.2)
        generation = get_generation.sync(generation.id, client=client)
    assert generation is not None and not isinstance(generation, Error)
    return generation


def video(prompt: str) -> Ended:
    body = CreateVideo(
        model="alpha-2.0-fast",
        mode=CreateVideoMode.TEXT_TO_VIDEO,
        prompt=prompt,
        parameters=VideoParameters(resolution=VideoParametersResolution.VALUE_0),
    )
    key = f"python-{prompt.replace(' ', '-')}"
    return ended(create_video.sync(client=client, body=body, idempotency_key=key))


models = list_models.sync(client=client)
assert isinstance(models, ModelList)
per_second, per_image = models.data[0].pricing, models.data[-1].pricing
assert isinstance(per_second, VideoPricing) and isinstance(per_image, ImagePricing)

made = video("A paper boat")
failed = video("It shall fail")
images = ended(
    create_image.sync(
        client=client,
        body=CreateImage(model="image-b-2", prompt="A lighthouse"),
        idempotency_key="python-image",
    )
)
refused = get_generation.sync("gen_none", client=client)
assert isinstance(made, CompletedVideo) and isinstance(failed, FailedVideo)
assert isinstance(images, CompletedImages) and isinstance(refused, Error)
assert isinstance(made.output.video_url, str)

print(
    json.dumps(
        {
            "video": len(httpx.get(made.output.video_url).content) > 1000,
            "seconds": made.parameters.duration_seconds,
            "image": len(httpx.get(images.output.image_urls[0]).content) > 1000,
            "format": images.parameters.output_format,
            "failed": failed.error.code,
            "refunded": failed.billing.refunded_credits,
            "refused": refused.error.code,
            "per_second": per_second.credits_["720p"],
            "per_image": per_image.credits_["2k"],
        }
    )
)
