"""Laws of the whole game, under random legal play."""

from __future__ import annotations

from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.court.cards import CARDS
from advisor.court.game import Buy, Fall, Game, in_play
from advisor.court.record import Header, Record, Seat, format_record, parse_record
from advisor.court.rules import RULE_SETS, dice_in_reach, start_dice
from advisor.dice import of_faces


@st.composite
def plays(draw, most_moves=60):
    """A record of random legal play, steps taken back now and then."""
    rules = draw(st.sampled_from(list(RULE_SETS.values())))
    seats = tuple(Seat("human") for _ in range(draw(st.integers(1, 5))))
    record = Record(Header(rules, seats, draw(st.none() | st.integers(0, 99))))
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, most_moves))):
        if record.is_over:
            break
        if record.entries and rng.random() < 0.05:
            record.add("undo")
            continue
        record.add(chosen(record.game, rng))
    return record


def chosen(game: Game, rng):
    if game.is_chance:
        # Alike dice, so that games get somewhere.
        face = rng.randint(1, 6)
        fallen = [face if rng.random() < 0.7 else rng.randint(1, 6) for _ in range(falling(game))]
        return (Fall(of_faces(fallen)),)
    moves = game.legal_moves()
    if isinstance(moves[0], Buy):
        return (rng.choice(moves[-3:]),)
    move = rng.choice(moves)
    rolls = type(move).__name__ == "Roll"
    after = game.apply(move)
    return (move, Fall(of_faces([1] * falling(after)))) if rolls else (move,)


def falling(game: Game) -> int:
    assert game.turn
    return game.turn.falling


@settings(max_examples=150, deadline=None)
@given(plays())
def test_no_move_breaks_what_always_holds(record):
    for entry in record.entries:
        check(entry.after, record.header)


def check(game: Game, header: Header) -> None:
    players = len(header.seats)
    assert len(game.hands) == players
    for card in CARDS:
        owned = sum(hand.count(card.key) for hand in game.hands)
        if card.comes_with:
            assert owned == (game.claimed is not None)
        elif not card.requires:
            assert game.left(card.key) >= 0
            if card.row:
                assert owned <= in_play(card.key, players, header.rules)
    fools = [sum(hand.count(k) for k in ("fool", "charlatan")) for hand in game.hands]
    assert sum(fools) <= in_play("fool", players, header.rules) <= inf
    assert sorted(game.order) == list(range(players))
    assert 0 <= game.done <= players
    if not game.final:
        assert game.start == -(game.round - 1) % players
    if game.turn is not None:
        least, most = start_dice(game.hand, game.rules), dice_in_reach(game.hand, game.rules)
        assert least <= game.turn.total <= most
        assert game.is_chance or game.legal_moves()
    else:
        assert game.final
        assert game.winner is not None


@settings(max_examples=100, deadline=None)
@given(plays())
def test_a_record_reads_and_writes_back(record):
    text = format_record(record)
    again = parse_record(text)
    assert again.game == record.game
    assert [entry.text for entry in again.entries] == [entry.text for entry in record.entries]
    assert format_record(again) == text


@settings(max_examples=50, deadline=None)
@given(plays(), st.integers(0, 200))
def test_a_record_cut_off_anywhere_is_read_up_to_there(record, back):
    text = format_record(record)
    head = len("\n".join(record.header.lines())) + 1
    cut = text[: max(head, len(text) - back)]
    again = parse_record(cut, warn=lambda message: None)
    assert format_record(again) == cut[: cut.rfind("\n") + 1]
