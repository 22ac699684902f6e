"""Sizes of memory, read and written."""

from __future__ import annotations

import pytest

from advisor.errors import InvalidOption
from advisor.units import default_limit, parse_bytes, show_bytes


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1", 1),
        ("100k", 100 << 10),
        ("500M", 500 << 20),
        ("500MB", 500 << 20),
        ("8G", 8 << 30),
        ("1.5GiB", 3 << 29),
        (" 2 t ", 2 << 40),
        ("7B", 7),
    ],
)
def test_sizes_are_read(text, size):
    assert parse_bytes(text) == size


@pytest.mark.parametrize(
    "text", ["", "0", "0.0G", "-1", "8X", "G", "1e9", "nan", "8 G B", pytest.param("9" * 400)]
)
def test_senseless_sizes_are_refused_with_a_mend(text):
    with pytest.raises(InvalidOption, match=f"'{text[:60]}'.*8G"):
        parse_bytes(text)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (1023, "1023 bytes"),
        (1536, "1.5 KiB"),
        (256 << 20, "256.0 MiB"),
        (3 << 40, "3.0 TiB"),
    ],
)
def test_sizes_are_written(size, text):
    assert show_bytes(size) == text


def test_the_default_is_some_memory():
    assert default_limit() > 1 << 20
