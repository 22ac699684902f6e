"""Laws of the whole game, under random legal play."""

from __future__ import annotations

from collections import Counter
from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.court.play.header import Header, Seat
from advisor.court.play.record import Record, format_record, parse_record
from advisor.court.rules.cards import CARDS, in_order
from advisor.court.rules.game import Buy, Fall, Game, dealt
from advisor.court.rules.options import RULE_SETS, dice_in_reach, start_dice
from advisor.court.rules.supply import in_play
from advisor.court.rules.turn import Roll
from advisor.dice import of_faces, rank_number


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


def chosen(game: Game, rng, hurried=False):
    """A random choice of what can happen next; `hurried`: for sevens alike and the King."""
    if game.is_chance:
        # Alike dice, so that games get somewhere.
        face = rng.randint(1, 6)
        alike = 0.95 if hurried else 0.7
        fallen = [face if rng.random() < alike else rng.randint(1, 6) for _ in range(falling(game))]
        return (Fall(of_faces(fallen)),)
    moves = game.legal_moves()
    if isinstance(moves[0], Buy):
        return (Buy("king") if hurried and Buy("king") in moves else rng.choice(moves[-3:]),)
    move = rng.choice(moves)
    return (
        (move, Fall(of_faces([1] * falling(game.apply(move)))))
        if isinstance(move, Roll)
        else (move,)
    )


def falling(game: Game) -> int:
    assert game.turn
    return game.turn.falling


@settings(max_examples=150, deadline=None)
@given(plays())
def test_no_move_breaks_what_always_holds(record):
    for entry in record.entries:
        check(entry.after, len(record.header.seats))
        check_turns(entry.before, entry.after)


STRONG = [
    ("farmer", "guard", "hunter", "bishop", "general"),
    ("charlatan", "charlatan", "farmer", "laborer", "guard", "pawnbroker"),
]
"""Hands with more than seven dice, of which the box has one each for any number of players."""
WEAK = [(), ("maid",), ("knight",)]


@st.composite
def ripe(draw):
    """Games in which some can take the King at once."""
    rules = draw(st.sampled_from(list(RULE_SETS.values())))
    others = draw(st.lists(st.sampled_from(WEAK), max_size=3))
    hands = draw(st.permutations([*STRONG, *others]))
    return dealt([in_order(hand) for hand in hands], rules)


def test_no_move_breaks_what_always_holds_once_the_king_is_taken():
    ends = Counter()

    @settings(max_examples=100, deadline=None)
    @given(ripe(), st.randoms(use_true_random=False))
    def play_on(game, rng):
        lost = False
        for _ in range(200):
            if game.is_over:
                break
            for move in chosen(game, rng, hurried=True):
                after = game.apply(move)
                check(after, len(game.hands))
                check_turns(game, after)
                game = after
                lost |= game.final and game.claimed.holder != game.claimed.owner
        ends.update(games=1, final=game.final, over=game.is_over, lost=lost)

    play_on()
    assert ends["final"] > ends["games"] / 2, ends
    assert ends["over"] > ends["games"] / 2, ends
    assert ends["lost"], ends


def check(game: Game, players: int) -> None:
    """What holds wherever a game stands: the supply, the order, the dice."""
    assert len(game.hands) == players
    for card in CARDS:
        owned = sum(hand.count(card.key) for hand in game.hands)
        if card.comes_with:
            assert owned == (game.claimed is not None)
        elif not card.requires:
            assert game.copies.left[card.key] >= 0
            if card.row:
                assert owned <= in_play(card.key, players, game.rules)
    fools = [sum(hand.count(k) for k in ("fool", "charlatan")) for hand in game.hands]
    assert sum(fools) <= in_play("fool", players, game.rules) <= inf
    assert 0 <= game.done <= players
    assert game.order == expected_order(game, players)
    if game.turn is not None:
        least, most = start_dice(game.hand, game.rules), dice_in_reach(game.hand, game.rules)
        assert least <= game.turn.total <= most <= game.rules.dice_limit
        assert game.is_chance or game.legal_moves()
        # The Queen's owner rolls only for a King that was lost (E5).
        if game.final and game.seat == game.claimed.owner:
            assert game.claimed.holder != game.seat
    else:
        assert game.final
        assert game.winner is not None


def expected_order(game: Game, players: int) -> tuple[int, ...]:
    """The seats clockwise; in the final round from the start player's right, the owner last."""
    if not game.final:
        assert game.start == -(game.round - 1) % players
        return tuple((game.start + place) % players for place in range(players))
    clockwise = [(game.start - 1 + place) % players for place in range(players)]
    owner = game.claimed.owner
    return (*(seat for seat in clockwise if seat != owner), owner)


def check_turns(before: Game, after: Game) -> None:
    """What one move may change of whose turn it is, of the round and of the King."""
    if before.claimed:
        assert after.claimed.owner == before.claimed.owner
    if before.final:
        assert after.final
        assert after.hands == before.hands
        assert rank_number(after.claimed.best) >= rank_number(before.claimed.best)
        assert after.is_over or after.done - before.done in (0, 1)
    elif after.final:
        assert before.done == len(after.hands) - 1
        assert after.done == 0
        assert (after.start, after.round) == (before.start, before.round)
    elif after.round != before.round:
        assert after.claimed is None
        assert before.done == len(after.hands) - 1
        assert after.round == before.round + 1
        # The last of a round is the first of the next (E7).
        assert after.seat == before.seat
    elif after.done != before.done:
        assert after.done == before.done + 1
        assert after.seat == (before.seat + 1) % len(after.hands)


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
