"""The cost of a generation, computed from the prices of GET /models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from .errors import UsageError
from .types import Model, VideoPricing

_PRICED = {
    "second": ("resolution", "duration_seconds", "generate_audio"),
    "image": ("resolution", "n"),
}


def price(
    model: Model,
    *,
    duration_seconds: int | None = None,
    resolution: str | None = None,
    generate_audio: bool | None = None,
    n: int | None = None,
) -> int:
    """The cost of a request with these parameters in credits; None means the model's default.

    Computed from `model.pricing` without a request; equal to the charge.

    Raises:
        UsageError: For values that the model does not offer.
    """
    return price_for(
        model,
        {
            "duration_seconds": duration_seconds,
            "resolution": resolution,
            "generate_audio": generate_audio,
            "n": n,
        },
    )


def price_for(model: Model, parameters: Mapping[str, object]) -> int:
    """The cost of a request with these `parameters` in credits; unpriced ones are ignored."""
    given = {name: value for name, value in parameters.items() if value is not None}
    pricing = model.pricing
    for name in ("duration_seconds", "generate_audio", "n"):
        if name in given and name not in _PRICED[pricing.per]:
            raise UsageError(f"{model.id} creates {model.type}s, which have no {name}.")
    # The first example has the values that the API uses for missing ones.
    usual = asdict(pricing.examples[0].parameters) if pricing.examples else {}
    chosen: dict[str, object] = {**usual, **given}
    resolution = chosen.get("resolution")
    if not isinstance(resolution, str) or resolution not in pricing.credits:
        raise _refused(model, "resolution", resolution, ", ".join(pricing.credits))
    each = pricing.credits[resolution]
    if not isinstance(pricing, VideoPricing):
        return each * _whole(model, "n", chosen.get("n"))
    base = each * _whole(model, "duration_seconds", chosen.get("duration_seconds"))
    sound = chosen.get("generate_audio", False)
    if not isinstance(sound, bool) or (sound and not model.capabilities.generate_audio):
        allowed = "True or False" if model.capabilities.generate_audio else "it makes no sound"
        raise _refused(model, "generate_audio", sound, allowed)
    # Only the total is rounded up; integers throughout.
    return -(-base * pricing.audio.numerator // pricing.audio.denominator) if sound else base


def _whole(model: Model, name: str, value: object) -> int:
    bounds = model.capabilities.duration_seconds or model.capabilities.n
    # Python treats bool as int.
    if not isinstance(value, int) or isinstance(value, bool):
        raise _refused(model, name, value, "a whole number")
    if bounds is not None and not bounds.min <= value <= bounds.max:
        raise _refused(model, name, value, f"{bounds.min} to {bounds.max}")
    return value


def _refused(model: Model, name: str, value: object, allowed: str) -> UsageError:
    return UsageError(f"{model.id} does not take {name} {value!r}: {allowed}.")
