"""Records as the API returns them."""

from __future__ import annotations

import dataclasses
from typing import Any

from framegate import types

GENERATION_ID = "gen_01kagw2m5t9x3q7r8v4c6e0hjn"
KEY = "fg_live_" + "a" * 38


def generation(status: str = "queued", **more: Any) -> dict[str, Any]:
    """A generation; running ones have a hint of ten seconds."""
    hint = {"retry_after_seconds": 10} if status in ("queued", "processing") else {}
    return {
        "id": GENERATION_ID,
        "object": "generation",
        "type": "video",
        "model": "alpha-2.0-pro",
        "status": status,
        "status_url": f"https://api.example.com/v1/generations/{GENERATION_ID}",
        "created_at": "2026-11-20T09:30:00.000Z",
        "parameters": {
            "duration_seconds": 5,
            "resolution": "720p",
            "aspect_ratio": "16:9",
            "generate_audio": False,
            "seed": 7,
            "real_person_mode": False,
        },
        "billing": {
            "unit": "credits",
            "cost_credits": 70,
            "policy": "same_as_pc",
            "status": "charged",
        },
        **hint,
        **more,
    }


def completed(*urls: str) -> dict[str, Any]:
    """A generation with these files."""
    return generation(
        "completed", output={"urls": list(urls), "expires_at": "2026-11-21T09:30:00.000Z"}
    )


def failed() -> dict[str, Any]:
    """A generation whose input could not be read."""
    record = generation(
        "failed",
        error={
            "type": "invalid_request_error",
            "code": "input_unreachable",
            "message": "An input could not be downloaded.",
            "param": "inputs[0].url",
            "retryable": True,
        },
    )
    record["billing"] |= {"status": "refunded", "refunded_credits": 70}
    return record


def refusal(code: str, kind: str, *, retryable: bool = False, **more: Any) -> dict[str, Any]:
    """The body of a refused request."""
    return {
        "error": {
            "type": kind,
            "code": code,
            "message": "It was refused.",
            "param": None,
            "request_id": "req_01kagw2m5ejz4v8h6t0x9c3bqd",
            "retryable": retryable,
            "details": [],
            **more,
        }
    }


def model(kind: str = "video") -> dict[str, Any]:
    """A model that makes videos or images."""
    timed = {"max_count": 0, "max_bytes": 1, "max_seconds": 1}
    video = kind == "video"
    return {
        "id": "alpha-2.0-pro" if video else "image-b-2",
        "object": "model",
        "type": kind,
        "display_name": "A model",
        "capabilities": {
            # Parameters that a model need not take.
            **dict.fromkeys(each.name for each in dataclasses.fields(types.Capabilities)),
            "modes": ["text-to-video"] if video else [],
            "duration_seconds": {"min": 4, "max": 15, "default": 5} if video else None,
            "resolutions": ["480p", "720p"] if video else ["1k", "2k"],
            "aspect_ratios": ["16:9"],
            "generate_audio": video,
            "real_person_modes": [],
            "max_prompt_length": 2500,
            "inputs": {
                "image": {"max_count": 0, "max_bytes": 1, "max_pixels": 1},
                "video": timed,
                "audio": timed,
            },
            "n": None if video else {"min": 1, "max": 4},
            "output_formats": [] if video else ["png"],
        },
        "next_pricing": None,
        "pricing": {
            "unit": "credits",
            "per": "second",
            "credits": {"480p": 7, "720p": 14},
            "audio": {"numerator": 5, "denominator": 4},
            "rounding": "up",
            "examples": [
                {
                    "parameters": {
                        "duration_seconds": 5,
                        "resolution": "720p",
                        "generate_audio": False,
                    },
                    "cost_credits": 70,
                }
            ],
        }
        if video
        else {
            "unit": "credits",
            "per": "image",
            "credits": {"1k": 6, "2k": 9},
            "rounding": "up",
            "examples": [{"parameters": {"n": 1, "resolution": "1k"}, "cost_credits": 6}],
        },
        "typical_seconds": 60,
        "max_seconds": 600,
        "deprecated_at": None,
        "sunset_at": None,
    }
