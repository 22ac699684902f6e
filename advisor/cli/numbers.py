"""Numbers of options: ASCII digits and nothing else, so that they mean what they look like.

Python itself also reads digits of other scripts, underscores, nan and inf.
"""

from __future__ import annotations

import copy
import math
import re
from typing import Any

import click

WHOLE = re.compile(r"[+-]?[0-9]{1,40}")
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


class _Whole(click.ParamType[Any]):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not WHOLE.fullmatch(value):
            self.fail(f"{value[:60]!r} is not a whole number; write digits, say 3", param, ctx)
        return super().convert(value, param, ctx)


class _Decimal(click.ParamType[Any]):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        wrong = isinstance(value, str) and not DECIMAL.fullmatch(value)
        if wrong or math.isinf(float(value)):
            self.fail(f"{value[:60]!r} is not a number; write digits, say 0.5", param, ctx)
        return super().convert(value, param, ctx)


class _Int(_Whole, click.types.IntParamType):
    """A whole number."""


class _IntRange(_Whole, click.IntRange):
    """A whole number with limits."""


class _Float(_Decimal, click.types.FloatParamType):
    """A number."""


class _FloatRange(_Decimal, click.FloatRange):
    """A number with limits."""


PLAIN: dict[type[click.ParamType[Any]], type[click.ParamType[Any]]] = {
    click.types.IntParamType: _Int,
    click.IntRange: _IntRange,
    click.types.FloatParamType: _Float,
    click.FloatRange: _FloatRange,
}


def plain(kind: click.ParamType[Any]) -> click.ParamType[Any]:
    """Return the type of an option that takes plain digits only, if it is one of numbers."""
    if type(kind) not in PLAIN:
        return kind
    # A copy: click shares one object among all options of a kind.
    found = copy.copy(kind)
    found.__class__ = PLAIN[type(kind)]
    return found
