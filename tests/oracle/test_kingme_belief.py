"""Beliefs about goals against plain enumeration, play-outs and advice against literal twins."""

from __future__ import annotations

import random
from itertools import permutations, product
from math import exp, log

import numpy as np
import pytest

from advisor.kingme.belief import model
from advisor.kingme.belief.deals import Deals
from advisor.kingme.belief.posterior import (
    Evidence,
    Posterior,
    chance_of_a_no,
    members,
    posterior,
    this_round,
)
from advisor.kingme.play import playouts
from advisor.kingme.play.advise import advise
from advisor.kingme.play.estimate import estimate, interval, sample
from advisor.kingme.play.exact import exact
from advisor.kingme.play.options import View, Vote
from advisor.kingme.play.playouts import Rounds
from advisor.kingme.round import reference
from advisor.kingme.rules import goals as cards
from advisor.kingme.rules.data import OUT, THRONE, TOP, UNPLACED
from advisor.kingme.rules.game import Game, Phase, Place, Raise, Reveal, Votes, new_game, points
from advisor.kingme.rules.record import Header, Record, Seat

DECK = cards.default()


def played(players: int, seed: int, steps: int) -> Record:
    """Return a record of a game at random, at a decision."""
    rng = random.Random(seed)
    record = Record(Header(tuple(Seat("human") for _ in range(players))))
    while len(record.entries) < steps or record.game.is_chance:
        game = record.game
        if game.is_chance:
            left = [card for card in DECK.cards if card not in game.gone]
            record.add(Reveal(tuple(rng.sample(left, players))))
        elif game.phase is Phase.VOTE:
            no = tuple(left > 0 and rng.random() < 0.4 for left in game.no_left)
            record.add(Votes(no))
        else:
            record.add(rng.choice(game.legal_moves()))
    return record


# ---------------------------------------------------------------- the model, read literally


def worth(castle, goal):
    """What a castle is worth to a goal while the round goes on."""
    total = 0.0
    for character in goal:
        floor = castle[character]
        total += {UNPLACED: model.WORTH[0], OUT: 0.0}.get(floor, 0.0)
        total += model.WORTH[floor] if 0 <= floor <= TOP else 0.0
    return total


def option_worth(game, move, goal):
    if isinstance(move, Place):
        castle = list(game.castle)
        castle[move.character] = move.floor
        return worth(castle, goal)
    after = game.apply(move)
    if after.phase is not Phase.VOTE:
        return worth(after.castle, goal)
    others = sum(left > 0 for seat, left in enumerate(game.no_left) if seat != game.seat)
    accepted = (6 / 13) ** others
    refused = list(after.castle)
    refused[move.character] = OUT
    return accepted * points(after.castle, goal) + (1 - accepted) * worth(refused, goal)


def vote_worth(game, goal):
    refused = list(game.castle)
    refused[game.candidate] = OUT
    return points(game.castle, goal), worth(refused, goal) - model.PRICE


def chance(values, chosen, strength):
    weights = [exp(strength * (value - max(values))) for value in values]
    return weights[chosen] / sum(weights)


def likelihood(record, seat, goal, strength):
    """The chance of what a seat did in the round, with a goal."""
    found = 1.0
    for entry in this_round(record):
        game, move = entry.before, entry.move
        if isinstance(move, Votes):
            if game.no_left[seat]:
                found *= chance(vote_worth(game, goal), move.no[seat], strength)
        elif game.seat == seat:
            options = game.legal_moves()
            values = [option_worth(game, option, goal) for option in options]
            found *= chance(values, options.index(move), strength)
    return found


@pytest.mark.parametrize(("players", "steps"), [(3, 5), (3, 33), (4, 45), (6, 30)])
def test_the_evidence_is_the_chance_of_what_was_done(players, steps):
    record = played(players, steps, steps)
    strength = 0.7
    evidence = Evidence(DECK, players, strength)
    for entry in this_round(record):
        evidence.see(entry.before, entry.move)
    for seat in range(players):
        for card in (0, 11, 25):
            expected = log(likelihood(record, seat, DECK.cards[card], strength))
            assert evidence.logs[seat, card] == pytest.approx(expected, abs=1e-9)


def test_only_the_round_that_is_on_counts():
    record = played(3, 4, 4)
    while record.game.round < 2 or len(this_round(record)) < 8:
        record = played(3, 4, len(record.entries) + 1)
    goal = next(card for card in DECK.cards if card not in record.game.gone)
    found = posterior(record, 0, goal, DECK)
    gone = [DECK.cards.index(card) for card in (*record.game.gone, goal)]
    assert len(gone) == 4
    assert not found.deals.weights[:, gone].any()
    assert found.deals.number == 22 * 21
    assert found.deals.marginals.sum(axis=1) == pytest.approx(1)


# ---------------------------------------------------------------- deals


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize(("players", "number"), [(2, 3), (3, 5), (4, 6)])
def test_chances_of_deals_equal_enumeration(single, players, number):
    weights = np.random.default_rng(players).random((players, number))
    weights[:, 1] = 0
    deals = Deals(weights, single)
    every = (
        permutations(range(number), players) if single else product(range(number), repeat=players)
    )
    products = {deal: np.prod([weights[p, c] for p, c in enumerate(deal)]) for deal in every}
    total = sum(products.values())
    expected = np.zeros_like(weights)
    for deal, weight in products.items():
        for player, card in enumerate(deal):
            expected[player, card] += weight / total
    assert deals.total == pytest.approx(total, rel=1e-12)
    assert deals.marginals == pytest.approx(expected, abs=1e-12)
    assert deals.number == sum(weight > 0 for weight in products.values())
    listed = dict(deals.each())
    assert sum(listed.values()) == pytest.approx(1, abs=1e-12)
    assert listed == pytest.approx({d: w / total for d, w in products.items() if w}, abs=1e-12)


@pytest.mark.parametrize("single", [True, False])
def test_deals_are_drawn_by_their_chances(single):
    weights = np.random.default_rng(5).random((3, 6))
    deals = Deals(weights, single)
    drawn = deals.sample(np.random.default_rng(1), 40_000)
    shares = np.stack([np.bincount(column, minlength=6) / len(drawn) for column in drawn.T])
    assert shares == pytest.approx(deals.marginals, abs=0.012)
    if single:
        assert (np.sort(drawn, axis=1)[:, 1:] != np.sort(drawn, axis=1)[:, :-1]).all()


def test_five_others_are_no_more_work_than_their_cards():
    record = played(6, 1, 30)
    found = posterior(record, 2, DECK.cards[3], DECK)
    assert found.deals.number == 6_375_600
    assert found.deals.marginals.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert found.characters().sum(axis=1) == pytest.approx(6, abs=1e-9)


def test_with_any_goals_are_independent():
    record = played(4, 1, 20)
    found = posterior(record, 0, DECK.cards[3], cards.every())
    weights = [likelihood(record, 2, goal, 1.0) for goal in cards.every().cards[::143]]
    chances = found.deals.marginals[1, ::143]
    assert chances / chances.sum() == pytest.approx(np.array(weights) / sum(weights), abs=1e-9)
    assert found.deals.marginals.shape == (3, 1716)


def test_the_own_goal_is_not_needed():
    record = played(3, 2, 20)
    found = posterior(record, 1, None, DECK)
    assert found.seats == (0, 1, 2)
    left = 26 - len(record.game.gone)
    assert found.deals.number == left * (left - 1) * (left - 2)


# ---------------------------------------------------------------- play-outs


@pytest.mark.parametrize("steps", [3, 20, 36])
def test_play_outs_choose_as_the_model_says(steps):
    record = played(3, steps, steps)
    while record.game.phase is Phase.VOTE:
        record = played(3, steps, len(record.entries) + 1)
    game = record.game
    own = np.stack([members(DECK)[[7, 12, 20]], members(DECK)[[1, 2, 3]]])
    rounds = Rounds.of(game, own)
    step = playouts.placing if game.phase is Phase.PLACE else playouts.climbing
    values, legal = step(rounds, game.seat)
    expected = model.decision(game).worth(own[:, game.seat])
    for row in range(2):
        found = values[row][legal[row]]
        assert len(found) == len(game.legal_moves())
        assert found - found[0] == pytest.approx(expected[row] - expected[row, 0], abs=1e-12)


def test_play_outs_vote_as_the_model_says():
    record = played(4, 9, 30)
    while record.game.phase is not Phase.VOTE:
        record = played(4, 9, len(record.entries) + 1)
    game = record.game
    own = members(DECK)[[7, 12, 20, 3]][None]
    found = playouts.no_chances(Rounds.of(game, own), np.array([game.candidate]), 0.8)[0]
    for seat, left in enumerate(game.no_left):
        expected = chance(vote_worth(game, DECK.cards[(7, 12, 20, 3)[seat]]), 1, 0.8)
        assert found[seat] == pytest.approx(expected if left else 0.0, abs=1e-12)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_rounds_played_out_keep_the_laws(players):
    """2,500 rounds a number of players: a king always emerges, at most 33 points."""
    rng = np.random.default_rng(players)
    game = new_game(players)
    deals = np.stack([rng.permutation(26)[:players] for _ in range(2500)])
    rounds = Rounds.of(game, members(DECK)[deals])
    playouts.play_out(rounds, game, rng, 0.3)
    floors = rounds.places + UNPLACED
    assert ((floors == THRONE).sum(axis=1) == 1).all()
    assert (floors >= OUT).all()
    assert all(((floors == floor).sum(axis=1) <= 4).all() for floor in range(1, 6))
    assert (rounds.no_left >= 0).all()
    found = rounds.points()
    assert ((found >= 0) & (found <= 33)).all()
    castle = tuple(int(floor) for floor in floors[0])
    assert found[0] == pytest.approx([points(castle, DECK.cards[card]) for card in deals[0]])


def test_values_of_the_last_round_are_shares_of_the_victory():
    rng = np.random.default_rng(3)
    deals = members(DECK)[np.stack([rng.permutation(26)[:3] for _ in range(40)])]
    game = Game(3, (1, 0, 2), (30, 31, 29), 3, (4, 4, 3, 2, *[OUT] * 9), 0)
    rounds = Rounds.of(game, deals)
    playouts.play_out(rounds, game, rng, 1.0)
    found = playouts.values(rounds, game)
    for row in range(40):
        castle = tuple(int(place) + UNPLACED for place in rounds.places[row])
        end = Game(3, (1, 0, 2), (30, 31, 29), 3, castle, 0)
        goals = [frozenset(np.flatnonzero(card).tolist()) for card in deals[row]]
        assert found[row] == pytest.approx(end.apply(Reveal(tuple(goals))).returns(), abs=1e-12)


# ---------------------------------------------------------------- advice


def view_of(game, me, number=5, drawn=1):
    """Return what a seat sees: so many cards, some evidence."""
    deck = cards.Deck(DECK.cards[:number], "small")
    weights = np.random.default_rng(drawn).random((game.players - 1, number))
    weights[:, 0] = 0
    seats = tuple(seat for seat in range(game.players) if seat != me)
    return View(
        game, me, deck.cards[0], Posterior(deck, seats, Deals(weights, True), members(deck)), 1.0
    )


def weighted(view, value):
    """Return the mean of a value of a deal's goals, over all deals."""
    total = 0.0
    for deal, weight in view.found.deals.each():
        goals = {seat: DECK.cards[card] for seat, card in zip(view.found.seats, deal, strict=True)}
        goals[view.me] = view.goal
        total += weight * value([goals[seat] for seat in range(view.game.players)])
    return total


@pytest.mark.parametrize("last", [False, True])
def test_exact_advice_is_the_mean_over_solved_deals(last):
    castle = (5, 4, OUT, 5, 3, *[OUT] * 8)
    game = Game(3, (0, 1, 1), (20, 25, 22), 3 if last else 1, castle, 1)
    view = view_of(game, 1)
    found = exact(view)
    what = reference.win_shares if last else reference.own_points
    for option, value in found.values.items():
        after = game.apply(option)
        if after.phase is Phase.VOTE:
            continue
        expected = weighted(view, lambda goals, at=after: reference.values(at, goals, what)[1])
        assert value == pytest.approx(expected, abs=1e-12)
    assert found.deals <= 12


@pytest.mark.parametrize("me", [0, 1, 2])
def test_exact_votes_meet_the_others_by_the_convention(me):
    castle = (THRONE, 4, OUT, 5, 3, *[OUT] * 8)
    game = Game(3, (1, 1, 1), (0, 0, 0), 1, castle, 1, candidate=0)
    view = view_of(game, me, 6, me)
    found = exact(view)

    def outcome(goals, own):
        crowned = reference.own_points(game, goals)

        def refused(*seats):
            after = game.apply(Votes(tuple(seat in seats for seat in range(3))))
            return reference.values(after, goals)

        others = ((game.seat + distance) % 3 for distance in (1, 2, 3))
        by = next((s for s in others if s != me and refused(s)[s] > crowned[s] + 1e-11), None)
        says = {seat for seat in (by, me if own else None) if seat is not None}
        return (refused(*says)[me] if says else crowned[me]), by is not None

    for no in (False, True):
        expected = weighted(view, lambda goals, no=no: outcome(goals, no)[0])
        assert found.values[Vote(no)] == pytest.approx(expected, abs=1e-12)
    another = weighted(view, lambda goals: outcome(goals, False)[1])
    assert found.another_no == pytest.approx(another, abs=1e-12)


def test_the_chance_of_anothers_no_is_the_mean_over_deals():
    castle = (THRONE, 4, 2, 5, 3, *[OUT] * 8)
    game = Game(3, (1, 0, 1), (0, 0, 0), 1, castle, 1, candidate=0)
    view = view_of(game, 1, 6)

    def somebody(goals):
        yes = 1.0
        for seat in (0, 2):
            yes *= chance(vote_worth(game, goals[seat]), 0, 1.0)
        return 1 - yes

    assert chance_of_a_no(game, view.found, 1.0) == pytest.approx(
        weighted(view, somebody), abs=1e-12
    )


def test_too_much_work_is_left_to_play_outs():
    record = played(3, 3, 6)
    game = record.game
    goal = DECK.cards[4]
    view = View(game, game.seat, goal, posterior(record, game.seat, goal, DECK), 1.0)
    assert exact(view, 1000) is None
    found = advise(view, games=20, seed=3)
    assert found.solved is None
    values = [one.value for one in found.ranked]
    assert values == sorted(values, reverse=True)
    for one in found.ranked:
        assert one.estimate.low <= one.value <= one.estimate.high
    assert {one.option for one in found.ranked} == set(game.legal_moves())


def test_play_outs_are_the_same_whatever_the_processes():
    record = played(3, 3, 6)
    game = record.game
    view = View(
        game, game.seat, DECK.cards[4], posterior(record, game.seat, DECK.cards[4], DECK), 1.0
    )
    options = view.options()[:3]
    told = []
    one = estimate(view, options, 150, 5, 1, told.append)
    assert sum(told) == 450
    assert one == estimate(view, options, 150, 5, 2)
    assert one != estimate(view, options, 150, 6, 1)


def test_play_outs_agree_with_what_is_certain():
    """One character is left: it goes up and is king, whoever moves it."""
    game = Game(3, (0, 0, 0), (0, 0, 0), 1, (2, *[OUT] * 12), 1)
    view = view_of(game, 1)
    expected = 10.0 if 0 in view.goal else 0.0
    assert (sample(view, view.options(), 1, range(9)) == expected).all()
    assert exact(view).values[Raise(0)] == expected


def test_intervals_are_never_empty():
    same = interval(np.full(100, 12.0), 33.0)
    assert same.low < 12 < same.high
    never = interval(np.zeros(100), 1.0)
    assert (never.low, never.value) == (0, 0)
    assert never.high > 0.02
    mixed = interval(np.array([10.0, 20.0] * 50), 33.0)
    assert mixed.low == pytest.approx(15 - 1.96 * 5.025 / 10, abs=0.01)
