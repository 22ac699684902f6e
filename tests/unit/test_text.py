"""Text from outside: what messages repeat of it, and that no parser chokes on much of it."""

from __future__ import annotations

import pytest

from advisor.court.play.players import read_seats
from advisor.court.play.record import parse_record
from advisor.court.rules.names import parse_card, parse_cards
from advisor.court.rules.notation import check_position, parse_position
from advisor.court.rules.options import RULEBOOK
from advisor.court.turn.goals import parse_goal
from advisor.dice import parse_dice, parse_rank
from advisor.errors import AdvisorError
from advisor.knights.rules.options import parse_combination, parse_die_cards
from advisor.text import printable, quoted
from advisor.units import parse_bytes


def test_quoted_escapes_and_cuts():
    assert quoted("Hu 4") == "'Hu 4'"
    assert quoted("\x1b[31mred") == r"'\x1b[31mred'"
    assert quoted("x" * 60) == repr("x" * 60)
    assert quoted("x" * 61) == repr("x" * 60) + "..."
    assert quoted(["x" * 99]) == "['" + "x" * 58 + "..."
    assert printable("a\x1b[31m \x00b") == "a [31m b"


PARSERS = [
    parse_dice,
    parse_rank,
    parse_card,
    parse_cards,
    parse_goal,
    lambda text: parse_goal(f"rank:{text}"),
    lambda text: parse_goal(f"values:{text}=1"),
    lambda text: parse_goal(f"values:hunter={text}"),
    parse_position,
    lambda text: check_position(parse_position(f"/{text}:Fa-"), RULEBOOK),
    lambda text: parse_position(f"/555:{text}-"),
    parse_record,
    lambda text: parse_record(f"court-record 1\n{text}\n"),
    lambda text: parse_record(f"court-record 1\nseat {text}\n"),
    lambda text: parse_record(f"court-record 1\nseat human {text}#\x1b\n"),
    lambda text: parse_record(f"court-record 1\nseed {text}\nseat best\n"),
    lambda text: parse_record(f"court-record 1\nrules {text}\nseat best\n"),
    lambda text: parse_record(f"court-record 1\nturn {text}\n"),
    lambda text: parse_record(f"court-record 1\nturn /{text}:-\n"),
    *(
        lambda text, kind=kind: parse_record(f"court-record 1\nseat human\n{kind} {text}\n")
        for kind in ("roll", "aside", "use", "use Hu", "buy", "pass", "what")
    ),
    read_seats,
    parse_bytes,
    parse_combination,
    parse_die_cards,
]
TEXTS = ["x", "7", "5", "5 ", "5>", "Hu", "\x1b", "\u0300", "𝟙", " ,", "9", "*", "-/:"]


@pytest.mark.parametrize("parse", PARSERS)
def test_much_text_is_refused_with_little(parse):
    refused = 0
    for text in TEXTS:
        try:
            parse(text * (200_000 // len(text)))
        except AdvisorError as error:
            message = str(error)
            refused += 1
            assert len(message) < 500, message[:600]
            assert message.isprintable(), message
    assert refused >= len(TEXTS) - 2
