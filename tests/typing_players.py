"""A human who types what a bot would do: scripts of whole games for `advisor play`."""

from __future__ import annotations

from advisor.court.asking import Asking
from advisor.court.coach.coach import Coach
from advisor.court.play.bots import make_bot
from advisor.court.play.record import Header, Record, format_record, short
from advisor.court.play.session import Players, steps_of
from advisor.court.rules.cards import BY_KEY
from advisor.court.rules.game import Buy, Fall, Pass
from advisor.court.rules.options import RULEBOOK
from advisor.court.rules.turn import CHANGE_NOTHING, Roll, SetAside, Use
from advisor.dice import format_dice, of_faces


def typed_game(seats, seed, thinks="best", rules=RULEBOOK):
    """Return the lines that the humans type, and the record that comes of them.

    `seats` as read by `session.read_seats`; the humans play as the bot `thinks`.
    """
    record = Record(Header(rules, seats, seed))
    players = Players(record, Coach(Asking(rules)))
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
    """Return what a player types for the next moves: `66r`, `As 4>2`, `Hu`, `n`."""
    dice = format_dice(of_faces([move.face for move in moves if isinstance(move, SetAside)]))
    match moves[-1]:
        case Roll():
            return f"{dice}r"
        case Use(card, effect):
            how = "0" if effect == CHANGE_NOTHING else short(effect)
            use = f"{BY_KEY[card].code} {how}".strip()
            return f"{dice}\n{use}" if dice else use
        case Buy(key):
            return BY_KEY[key].code if key else "n"
        case Pass():
            return "p"
    return dice
