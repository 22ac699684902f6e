"""Answers as data: frozen dataclasses that become JSON objects and are built from them again.

A field without a default is always written. One with a default is left out where it has that, so
`None` as a default stands for a key that need not be there, elsewhere for `null`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from html import escape
from types import NoneType, UnionType
from typing import Any, ClassVar, Final, Self, Union, get_args, get_origin, get_type_hints


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of an answer: fields of texts, numbers, tuples, dictionaries and other parts."""

    columns: ClassVar[tuple[str, ...]] = ()
    """The fields that a table shows of it; (): all that are no parts themselves."""

    def to_dict(self) -> dict[str, Any]:
        """Return the object of JSON: tuples as lists, parts as dictionaries."""
        values = ((field, getattr(self, field.name)) for field in fields(self))
        return {field.name: _plain(value) for field, value in values if value != field.default}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the part that `to_dict` made the object of; keys of no field are passed over."""
        hints = _hints(cls)
        return cls(**{name: _built(hints[name], data[name]) for name in hints if name in data})


@dataclass(frozen=True, kw_only=True, repr=False)
class Answer(Part):
    """A whole answer; `command` is the command of the command line that gives it."""

    command: ClassVar[str]
    listed: ClassVar[str] = ""
    """The field with the rows of its table; "": the first one that holds parts."""

    def to_dict(self) -> dict[str, Any]:
        """Return the object that the command writes with --json."""
        return {"command": self.command, **super().to_dict()}

    def __repr__(self) -> str:
        heads, rows = self._table()
        shown = rows[:SHOWN]
        numbers = [all(map(_is_number, column)) for column in zip(*shown, strict=True)]
        sizes = [max(map(len, column)) for column in zip(heads, *shown, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(size) if number else cell.ljust(size)
                for cell, size, number in zip(row, sizes, numbers, strict=True)
            ).rstrip()
            for row in ([heads, *shown] if rows else [])
        ]
        more = [f"... {len(rows) - SHOWN} more"] if len(rows) > SHOWN else []
        return "\n".join([self._title(), *lines, *more])

    def _repr_html_(self) -> str:
        """Return the same as a table of HTML, for notebooks."""
        heads, rows = self._table()
        head = "".join(f"<th>{escape(each)}</th>" for each in heads)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
        )
        return (
            f"<table><caption>{escape(self._title())}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )

    def _title(self) -> str:
        facts = ((field.name, getattr(self, field.name)) for field in fields(self))
        shown = (f"{name} {_cell(value)}" for name, value in facts if _is_scalar(value))
        return f"{self.command}: {', '.join(shown)}"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        names = [self.listed] if self.listed else [field.name for field in fields(self)]
        found = [getattr(self, name) for name in names]
        rows = next((value for value in found if _are_parts(value)), ())
        heads = [name for name in _columns(rows) if any(_is_shown(row, name) for row in rows)]
        return heads, [[_cell(getattr(row, name)) for name in heads] for row in rows]


@dataclass(frozen=True, kw_only=True)
class Failure(Part):
    """What is written in the place of an answer, of a `line` of the input where there are many."""

    error: str
    line: int | None = None


SHOWN: Final = 10
"""Rows that the text of an answer has at most."""


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float)


def _is_shown(row: Part, name: str) -> bool:
    value = getattr(row, name)
    if isinstance(value, tuple):
        return all(map(_is_scalar, value))
    return _is_scalar(value) and value != ""


def _are_parts(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], Part)


def _columns(rows: tuple[Part, ...]) -> tuple[str, ...]:
    return rows[0].columns or tuple(f.name for f in fields(rows[0])) if rows else ()


def _cell(value: Any) -> str:
    match value:
        case float():
            return f"{value:.6g}"
        case tuple():
            return ",".join(map(_cell, value))
    return "" if value is None else str(value)


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).replace("e-", "", 1).removeprefix("-").isdigit() or not cell


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
