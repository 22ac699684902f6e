"""A human who types what a bot would do: scripts of whole games for `advisor play`."""

from __future__ import annotations

from advisor.court.play.bots import make_bot
from advisor.court.play.header import Header
from advisor.court.play.moves import format_move, steps_of
from advisor.court.play.players import Players
from advisor.court.play.record import Record, format_record
from advisor.court.rules.game import Fall, Pass
from advisor.court.rules.options import RULEBOOK
from advisor.court.rules.turn import Roll, Use
from advisor.court.turn.playing import Kept


def typed_game(seats, seed, thinks="best", rules=RULEBOOK):
    """Return the lines that the humans type, and the record that comes of them.

    `seats` as read by `session.read_seats`; the humans play as the bot `thinks`.
    """
    record = Record(Header(rules, seats, seed))
    players = Players(record, None, Kept())
    mind, lines = make_bot(thinks, rules), []
    while not record.is_over:
        game = record.game
        if game.is_chance and Pass() not in game.legal_moves():
            record.add((Fall(record.seeded()),))
            continue
        human = players.is_human(game)
        if human:
            moves = (Roll(),) if game.is_chance else mind.moves(game)
            lines.append(typed(moves))
        else:
            moves = players.moves()
        for step in steps_of(moves):
            if step == (Roll(),):
                fall = Fall(record.seeded())
                step = (fall,) if record.game.is_chance else (Roll(), fall)
            record.add(step)
    return [line for text in lines for line in text.split("\n")], format_record(record)


def typed(moves):
    """Return what a player types for the next moves, a card on a line of its own."""
    *before, last = moves
    if before and isinstance(last, Use):
        return f"{format_move(before)}\n{format_move([last])}"
    return format_move(moves)
