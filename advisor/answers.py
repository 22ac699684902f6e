"""Answers as data: frozen dataclasses that become JSON objects and are built from them again.

A field without a default is always written. One with a default is left out where it has that, so
`None` as a default stands for a key that need not be there, elsewhere for `null`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import NoneType, UnionType
from typing import Any, ClassVar, Final, Self, Union, get_args, get_origin, get_type_hints


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of an answer: fields of texts, numbers, tuples, dictionaries and other parts."""

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON: tuples as lists, parts as dictionaries."""
        values = ((field, getattr(self, field.name)) for field in fields(self))
        return {field.name: _plain(value) for field, value in values if value != field.default}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the part that `to_dict` made the object of; keys of no field are passed over."""
        hints = _hints(cls)
        return cls(**{name: _built(hints[name], data[name]) for name in hints if name in data})


@dataclass(frozen=True, kw_only=True)
class Answer(Part):
    """A whole answer; `command` is the command of the command line that gives it."""

    command: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        """Return the object that the command writes with --json."""
        return {"command": self.command, **super().to_dict()}


@dataclass(frozen=True, kw_only=True)
class Failure(Part):
    """What is written in the place of an answer, of a `line` of the input where there are many."""

    error: str
    line: int | None = None


_HINTS: Final[dict[type[Part], dict[str, Any]]] = {}


def _hints(kind: type[Part]) -> dict[str, Any]:
    """Return the types of the fields by name, found out once."""
    if kind not in _HINTS:
        hints = get_type_hints(kind)
        _HINTS[kind] = {field.name: hints[field.name] for field in fields(kind)}
    return _HINTS[kind]


def _plain(value: Any) -> Any:
    match value:
        case Part():
            return value.to_dict()
        case tuple():
            return [_plain(each) for each in value]
        case dict():
            return {key: _plain(each) for key, each in value.items()}
    return value


def _built(hint: Any, value: Any) -> Any:
    """Return a value of JSON as a type hint has it."""
    kind, parts = get_origin(hint), [part for part in get_args(hint) if part is not NoneType]
    if value is None:
        return None
    if kind in (Union, UnionType):
        return _built(parts[0], value) if len(parts) == 1 else value
    if kind is tuple:
        return tuple(_built(parts[0], each) for each in value)
    if kind is dict:
        return {key: _built(parts[1], each) for key, each in value.items()}
    if isinstance(hint, type) and issubclass(hint, Part):
        return hint.from_dict(value)
    return value
