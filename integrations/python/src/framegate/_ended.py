"""Ended generations, with the parts that only they have."""

from __future__ import annotations

from typing import Literal

from .types import GenerationError, GenerationRecord


class Failed(GenerationRecord):
    """A generation that was accepted and then failed."""

    status: Literal["failed"]
    error: GenerationError
