"""Laws of the literal game King Me! on random games, and its record both ways."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import AdvisorError, ImpossibleStep
from advisor.kingme.rules import goals as cards
from advisor.kingme.rules.castle import format_castle, inside, parse_castle
from advisor.kingme.rules.data import (
    NO_CARDS,
    NUMBER,
    OUT,
    PLACED,
    ROOM,
    THRONE,
    UNPLACED,
    ZERO,
)
from advisor.kingme.rules.game import Game, Phase, Place, Raise, Reveal, Votes, new_game, points
from advisor.kingme.rules.record import Header, Record, Seat, format_record, parse_record

DECK = cards.default().cards


def random_record(seed: int, refusals: float = 0.5) -> Record:
    """Play a whole game at random."""
    rng = random.Random(seed)
    players = rng.choice((3, 4, 5, 6))
    record = Record(Header(tuple(Seat("human", f"Player {n}") for n in range(players)), seed=seed))
    while not record.is_over:
        game = record.game
        if game.is_chance:
            left = [goal for goal in DECK if goal not in game.gone]
            record.add(Reveal(tuple(rng.sample(left, players))))
        elif game.phase is Phase.VOTE:
            no = tuple(left > 0 and rng.random() < refusals for left in game.no_left)
            record.add(Votes(no))
        else:
            moves = game.legal_moves()
            assert moves, "there is always a legal move"
            record.add(rng.choice(moves))
    return record


@pytest.mark.parametrize("start", range(0, 240, 40))
def test_random_games_keep_the_laws(start):
    for seed in range(start, start + 40):
        record = random_record(seed, (0.0, 0.3, 1.0)[seed % 3])
        players = record.game.players
        kings = 0
        for entry in record.entries:
            before, after = entry.before, entry.after
            assert all(before.castle.count(floor) <= ROOM for floor in range(1, 6))
            assert all(0 <= left <= NO_CARDS[players] for left in before.no_left)
            spent = NO_CARDS[players] * players - sum(before.no_left)
            assert before.castle.count(OUT) <= spent
            if isinstance(entry.move, Reveal):
                kings += 1
                gained = [new - old for new, old in zip(after.totals, before.totals, strict=True)]
                assert all(0 <= points <= ZERO for points in gained)
                assert before.castle.count(THRONE) == 1
            if isinstance(entry.move, Raise):
                assert inside(before.castle)
        assert kings == 3
        assert sum(record.game.returns()) == pytest.approx(1)
        assert max(record.game.totals) <= 3 * ZERO


def test_most_points_of_a_round_are_33():
    castle = (THRONE, 5, 5, 5, 5, 3, *[0] * 7)
    assert points(castle, frozenset(range(6))) == ZERO


def test_a_king_emerges_when_every_no_card_is_spent():
    record = random_record(2, 1.0)
    assert any(not any(entry.before.no_left) for entry in record.entries)


def test_placing_goes_round_and_the_rest_stand_below():
    for players, each in PLACED.items():
        game = new_game(players)
        for number in range(players * each):
            assert game.phase is Phase.PLACE
            assert game.seat == number % players
            game = game.apply(Place(number, 1 + number % 4))
        assert game.phase is Phase.RAISE
        assert game.seat == 0
        assert UNPLACED not in game.castle
        assert game.castle.count(0) == NUMBER - players * each


def at(castle: tuple[int, ...], **more) -> Game:
    return Game(3, (1, 1, 0), (0, 0, 0), castle=castle, **more)


def test_a_vote_with_a_no_takes_the_candidate_out_and_the_cards_away():
    game = at((5, 1, *[OUT] * 11), seat=1).apply(Raise(0))
    assert (game.phase, game.seat, game.candidate) == (Phase.VOTE, 1, 0)
    assert len(game.legal_moves()) == 4
    refused = game.apply(Votes((True, True, False)))
    assert (refused.no_left, refused.castle[0], refused.seat) == ((0, 0, 0), OUT, 2)
    crowned = game.apply(Votes((False, False, False)))
    assert crowned.phase is Phase.REVEAL
    following = crowned.apply(Reveal(DECK[:3]))
    assert (following.round, following.seat, following.no_left) == (2, 2, (4, 4, 4))
    assert following.gone == DECK[:3]


def test_exactly_no_points_count_33_in_the_last_round_only():
    castle = (THRONE, 1, *[OUT] * 11)
    goals = (frozenset(range(6)), frozenset(range(6, 12)), frozenset({1, *range(7, 12)}))
    assert at(castle).apply(Reveal(goals)).totals == (11, 0, 1)
    over = at(castle, round=3).apply(Reveal(goals))
    assert over.totals == (11, 33, 1)
    assert over.returns() == (0, 1, 0)


def test_equal_points_go_to_more_characters_in_the_castle_then_are_shared():
    castle = (THRONE, 2, 2, 0, *[OUT] * 9)
    two, three, other = frozenset({1, 4}), frozenset({1, 3}), frozenset({2, 3})
    assert at(castle, round=3).apply(Reveal((two, three, two))).returns() == (0, 1, 0)
    assert at(castle, round=3).apply(Reveal((two, three, other))).returns() == (0, 0.5, 0.5)


@pytest.mark.parametrize(
    ("game", "move", "message"),
    [
        (new_game(3), Raise(0), "still being placed"),
        (new_game(3), Place(0, 5), "floors 1 to 4"),
        (new_game(3).apply(Place(0, 1)), Place(0, 2), "on floor 1 already"),
        (at((3, 3, 3, 3, *[UNPLACED] * 9)), Place(5, 3), "has 4 characters"),
        (at((3, 3, 3, 3, 2, *[0] * 8)), Raise(4), "has 4 characters"),
        (at((OUT, *[0] * 12)), Raise(0), "out of this round"),
        (at((5, *[0] * 12)), Votes((False,) * 3), "has to go up"),
        (at((THRONE, *[0] * 12), candidate=0), Raise(1), "voted on"),
        (at((THRONE, *[0] * 12), candidate=0), Votes((False, False, True)), "no No card"),
        (at((THRONE, *[0] * 12), candidate=0), Votes((False, False)), "2 votes of 3"),
        (at((THRONE, *[0] * 12)), Reveal(DECK[:2]), "2 goals of 3"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused_with_the_reason(game, move, message):
    with pytest.raises(ImpossibleStep, match=message):
        game.apply(move)


# ---------------------------------------------------------------- texts both ways


@pytest.mark.parametrize("seed", range(12))
def test_records_are_read_back_as_they_were_written(seed):
    record = random_record(seed)
    text = format_record(record)
    again = parse_record(text)
    assert format_record(again) == text
    assert (again.game, again.header) == (record.game, record.header)
    assert [entry.line for entry in again.entries] == [entry.line for entry in record.entries]


def test_a_step_taken_back_stays_in_the_record():
    text = "kingme-record 1\n# one\nseat human Anna\nseat best\nseat best  # two\n"
    text += "place A 3  # high\nundo\n\nplace B 4\n"
    record = parse_record(text)
    assert record.header.notes == ("one", "two")
    assert record.header.titles() == ("Anna", "best 2", "best 3")
    assert record.game.castle[:2] == (UNPLACED, 4)
    assert parse_record(format_record(record)).game == record.game


def refusal(read, text):
    """Return why a text is refused, nothing if it is read; anything else that is raised fails."""
    try:
        read(text)
    except AdvisorError as error:
        return str(error)
    return ""


castles = st.lists(st.sampled_from([OUT, 0, 1, 2, 3, 4, 5]), min_size=13, max_size=13)


@given(castles)
def test_castles_both_ways(floors):
    castle = tuple(floors)
    text = format_castle(castle)
    if any(castle.count(floor) > ROOM for floor in range(1, 6)) or not inside(castle):
        with pytest.raises(AdvisorError):
            parse_castle(text)
    else:
        assert parse_castle(text) == castle


@settings(max_examples=150)
@given(st.text(alphabet="0123456789: ABCDEFGILMNOPQKabcyn#,-\n\x00é", max_size=60))
def test_any_text_is_read_or_refused_in_one_line(text):
    header = "kingme-record 1\n" + "seat human\n" * 3
    for read in (
        parse_castle,
        cards.parse_goal,
        cards.parse_goals,
        lambda text: cards.parse_deck(text, "x"),
        parse_record,
        lambda text: parse_record(header + text),
        lambda text: parse_record(header + "place " + text),
    ):
        assert "\n" not in refusal(read, text)


# ---------------------------------------------------------------- goal cards


def test_the_default_cards_are_two_sets_and_their_translations():
    deck = cards.default()
    made = {
        frozenset((number + shift) % NUMBER for number in base)
        for base in ({1, 3, 4, 9, 10, 12}, {2, 5, 6, 7, 8, 11})
        for shift in range(NUMBER)
    }
    assert set(deck.cards) == made
    assert len(deck.cards) == 26
    assert deck.invented
    assert "invented" in deck.describe()
    for one in range(NUMBER):
        assert sum(one in card for card in deck.cards) == 12
        for other in range(one):
            assert sum({one, other} <= card for card in deck.cards) == 5


def test_with_any_every_set_of_six_is_a_card():
    assert len(cards.every().cards) == 1716
    cards.every().check([DECK[0], DECK[0]], [DECK[0]])


@pytest.mark.parametrize(
    ("goals", "gone", "message"),
    [
        ([frozenset(range(6))], (), "not among"),
        ([DECK[0], DECK[0]], (), "given twice"),
        ([DECK[0]], (DECK[0],), "put away"),
    ],
)
def test_goals_that_the_deck_cannot_deal(goals, gone, message):
    with pytest.raises(AdvisorError, match=message):
        cards.default().check(goals, gone)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ABCDEF\n" * 2, "line 2: ABCDEF is there already"),
        ("ABCDEF\nABCDE", "line 2"),
        ("ABCDEF\n# nothing\nABCDEK", "line 3.*'K'"),
        ("ABCDEF", "need 18"),
    ],
)
def test_bad_goal_cards_are_refused_by_line(text, message):
    with pytest.raises(AdvisorError, match=message):
        cards.parse_deck(text, "cards.txt")
