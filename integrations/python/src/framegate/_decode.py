"""Converts responses to the dataclasses of `types`."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


class DecodeError(Exception):
    """A value contradicts the API's document."""


def decode(cls: type[T], value: object) -> T:
    """Build a dataclass from JSON; unknown fields and words are accepted.

    Raises:
        DecodeError: With the place of the contradiction.
    """
    return cast("T", _read(cls, value, cls.__name__))


def _read(expected: Any, value: object, place: str) -> object:
    origin, args = get_origin(expected), get_args(expected)
    if origin in (Union, types.UnionType):
        return _read_any(args, value, place)
    if origin is list and isinstance(value, list):
        items = cast("list[object]", value)
        return [_read(args[0], item, f"{place}[{index}]") for index, item in enumerate(items)]
    if origin is dict and isinstance(value, Mapping):
        entries = cast("Mapping[str, object]", value)
        return {key: _read(args[1], entry, f"{place}.{key}") for key, entry in entries.items()}
    if origin is Literal and isinstance(value, str):
        return value
    if is_dataclass(expected) and isinstance(value, Mapping):
        return _read_object(cast("type", expected), cast("Mapping[str, object]", value), place)
    if expected is datetime and isinstance(value, str):
        return _read_time(value, place)
    # Python treats bool as int; here it is not a number.
    if expected in (str, int, bool, type(None)) and type(value) is expected:
        return value
    raise DecodeError(f"{place} is not as documented")


def _read_any(options: tuple[Any, ...], value: object, place: str) -> object:
    problem = DecodeError(f"{place} is not as documented")
    for option in options:
        try:
            return _read(option, value, place)
        except DecodeError as error:
            problem = error
    raise problem


def _read_object(cls: type, value: Mapping[str, object], place: str) -> object:
    hints = _hints(cls)
    known: dict[str, object] = {}
    for each in fields(cast("Any", cls)):
        if each.name in value:
            known[each.name] = _read(hints[each.name], value[each.name], f"{place}.{each.name}")
        elif each.default is MISSING:
            raise DecodeError(f"{place}.{each.name} is missing")
    return cls(**known)


def _read_time(text: str, place: str) -> datetime:
    try:
        # Python 3.10 does not support the Z.
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError as error:
        raise DecodeError(f"{place} is not a time") from error


_hints = cache(get_type_hints)
