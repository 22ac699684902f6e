"""Answers about Give It to the King!: objects with the keys that docs/giveit.md lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from advisor.answers import Part

Answer = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Given(Part):
    """An answer that is written as the object it is."""

    data: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the object."""
        return dict(self.data)

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key that need not be there."""
        return self.data.get(key, default)
