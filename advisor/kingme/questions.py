"""Questions about King Me! and their answers, each of which names its model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from advisor import units as sizes
from advisor.errors import InvalidOption, InvalidPosition, TooLarge
from advisor.kingme.answers import (
    AdviseAnswer,
    AdvisedOption,
    AnalyzeAnswer,
    Cards,
    Decision,
    GoalChance,
    InferAnswer,
    MoveAnswer,
    Player,
    RaiseOption,
    Round,
    Suspect,
)
from advisor.kingme.rules.castle import Castle, check_no, format_castle, inside
from advisor.kingme.rules.data import CHARACTERS, INITIALS, ROUNDS, THRONE
from advisor.kingme.rules.game import Game, Phase, Place, Raise, Reveal
from advisor.kingme.rules.goals import Deck, Goal, format_goal
from advisor.kingme.rules.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from advisor.kingme.belief.posterior import Posterior
    from advisor.kingme.play.advise import Advice, Ranked
    from advisor.kingme.play.analysis import Judged, PlayedRound
    from advisor.kingme.round.payoff import Payoff
    from advisor.kingme.round.solve import Choice

NO_CARDS_GONE: Final = (
    "nobody has a No left, so whoever first steps onto the throne is king; everybody knows all "
    "goals"
)
CONVENTION: Final = (
    "votes by a convention: whoever gains by the candidate, or has no No left, says Yes, of the "
    "others the first from the mover's left plays one No; everybody knows all goals"
)


@dataclass(frozen=True)
class EndOfRound:
    """A castle in which the seat `turn` (from 0) moves, all goals known, No cards left by seat.

    `totals`: the points of the first two rounds, if this is the third one.
    """

    castle: Castle
    turn: int
    goals: tuple[Goal, ...]
    no_left: tuple[int, ...]
    totals: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.turn < len(self.goals):
            raise InvalidOption(
                f"turn {self.turn + 1}: with {len(self.goals)} goals the seats are 1 to "
                f"{len(self.goals)}"
            )
        if not inside(self.castle):
            raise InvalidPosition("nobody is in the castle; write for example 5:CE 4:FG")
        if self.totals is not None and len(self.totals) != len(self.goals):
            raise InvalidOption(
                f"--totals: {len(self.totals)} numbers for {len(self.goals)} players; write the "
                "points of the first two rounds for each"
            )
        check_no(self.castle, self.no_left)

    @property
    def payoff(self) -> Payoff:
        """What everybody maximises."""
        from advisor.kingme.round.payoff import Payoff

        return Payoff(totals=self.totals)


def move(asked: EndOfRound, memory: int | None = None) -> MoveAnswer:
    """Return the answer of `advisor kingme move`; raises TooLarge beyond the memory."""
    from advisor.kingme.round.solve import TIE, solve

    check_memory(asked, sizes.default_limit() if memory is None else memory)
    payoff = asked.payoff
    found = solve(asked.castle, asked.turn, [asked.goals], asked.no_left, payoff)
    worth = {choice.character: float(choice.values[0, asked.turn]) for choice in found.choices}
    best = max(worth.values())
    ranked = sorted(
        found.choices,
        # Equal values differ by rounding.
        key=lambda choice: (round((best - worth[choice.character]) / TIE), choice.character),
    )
    return MoveAnswer(
        castle=format_castle(asked.castle),
        players=len(asked.goals),
        turn=asked.turn + 1,
        goals=tuple(map(format_goal, asked.goals)),
        no=asked.no_left,
        totals=asked.totals,
        unit=payoff.unit,
        values=tuple(map(float, found.values[0])),
        options=tuple(
            _option(rank, choice, asked.turn, best) for rank, choice in enumerate(ranked, 1)
        ),
        states=found.states,
        model=_model(asked),
    )


def check_memory(asked: EndOfRound, limit: int) -> None:
    """Raise TooLarge if a solution would take more memory than the limit."""
    from advisor.kingme.round.solve import bytes_needed, states_at_most

    states = states_at_most(asked.castle, asked.goals, asked.no_left)
    needed = bytes_needed(states, players=len(asked.goals))
    if needed > limit:
        raise TooLarge(
            f"about {states:,} states need {sizes.show_bytes(needed)}, more than the "
            f"{sizes.show_bytes(limit)} allowed: allow more with --memory, or ask later in a round"
        )


def _option(rank: int, choice: Choice, turn: int, best: float) -> RaiseOption:
    value = float(choice.values[0, turn])
    refusing = None if choice.by is None else int(choice.by[0])
    return RaiseOption(
        rank=rank,
        character=INITIALS[choice.character],
        to="throne" if choice.to == THRONE else choice.to,
        values=tuple(map(float, choice.values[0])),
        value=value,
        loss=max(best - value, 0.0),
        king=None if refusing is None else refusing < 0,
        refused_by=None if refusing is None or refusing < 0 else refusing + 1,
        text=_move_text(choice, refusing),
    )


def _move_text(choice: Choice, refusing: int | None) -> str:
    name = CHARACTERS[choice.character]
    if refusing is None:
        return f"{name} to floor {choice.to}"
    end = "king" if refusing < 0 else f"No of seat {refusing + 1}"
    return f"{name} to the throne: {end}"


def _model(asked: EndOfRound) -> str:
    votes = CONVENTION if any(asked.no_left) else NO_CARDS_GONE
    aim = (
        "the own points of this round"
        if asked.totals is None
        else "the own chance to win the game (third round, exactly no points count 33)"
    )
    return f"exact; {votes} and maximises {aim}, equal choices averaged"


# ---------------------------------------------------------------- who has which favourites


@dataclass(frozen=True)
class Seen:
    """A game as a seat (from 0) has seen it: the record, its goal or None, cards, strength."""

    record: Record
    me: int
    goal: Goal | None
    deck: Deck
    strength: float

    def posterior(self) -> Posterior:
        """Return what the others have, by what they did."""
        from advisor.kingme.belief.posterior import posterior

        return posterior(self.record, self.me, self.goal, self.deck, self.strength)


def infer(seen: Seen, top: int) -> InferAnswer:
    """Return the answer of `advisor kingme infer`, with the `top` likeliest cards of each."""
    found = seen.posterior()
    characters, cards = found.characters(), found.deals.marginals
    titles = seen.record.header.titles()
    return InferAnswer(
        me=seen.me + 1,
        round=seen.record.game.round,
        goal=None if seen.goal is None else format_goal(seen.goal),
        goals=_cards(seen.deck),
        strength=seen.strength,
        deals=found.deals.number,
        players=tuple(
            Suspect(
                seat=seat + 1,
                name=titles[seat],
                cards=_likeliest(found, [float(p) for p in cards[row]], top),
                characters={
                    initial: min(float(p), 1.0)
                    for initial, p in zip(INITIALS, characters[row], strict=True)
                },
            )
            for row, seat in enumerate(found.seats)
            if seat != seen.me
        ),
        model=f"exact for {_belief(seen)}",
    )


def _likeliest(found: Posterior, chances: list[float], top: int) -> tuple[GoalChance, ...]:
    order = sorted(range(len(chances)), key=lambda card: (-chances[card], card))
    return tuple(
        GoalChance(goal=format_goal(found.deck.cards[card]), probability=chances[card])
        for card in order[:top]
    )


def _cards(deck: Deck) -> Cards:
    return Cards(source=deck.source, invented=deck.invented)


def _belief(seen: Seen) -> str:
    return (
        f"players who choose by their own goal alone, softmax of strength {seen.strength:g} "
        f"(docs/kingme.md); {seen.deck.describe()}"
    )


# ---------------------------------------------------------------- advice


def playouts_wanted(seen: Seen, games: int | None) -> int:
    """Return how many play-outs advice takes where it is not exact, for a bar of progress."""
    from advisor.kingme.play.advise import GAMES

    game = seen.record.game
    options = 2 if game.phase is Phase.VOTE else len(game.legal_moves())
    return (games or GAMES) * options


def advise(
    seen: Seen,
    games: int | None,
    seed: int,
    processes: int,
    progress: Callable[[int], None] = lambda games: None,
) -> AdviseAnswer:
    """Return the answer of `advisor kingme advise`; raises ImpossibleStep if nothing is due."""
    from advisor.kingme.play import advise as advice
    from advisor.kingme.play.options import View

    if seen.goal is None:
        raise InvalidOption("no --goal: advice depends on the own goal, for example --goal ACDGLO")
    game = seen.record.game
    view = View(game, seen.me, seen.goal, seen.posterior(), seen.strength)
    found = advice.advise(view, games, seed, processes, progress)
    return AdviseAnswer(
        me=seen.me + 1,
        round=game.round,
        due=game.phase.value,
        castle=format_castle(game.castle),
        candidate=None if game.candidate is None else INITIALS[game.candidate],
        no=game.no_left,
        goal=format_goal(seen.goal),
        goals=_cards(seen.deck),
        unit=view.payoff.unit,
        value=found.ranked[0].value,
        options=tuple(_advised(rank, ranked, game) for rank, ranked in enumerate(found.ranked, 1)),
        another_no=found.another_no,
        method="exact" if found.solved else "play-outs",
        games=found.games,
        seed=None if found.solved else seed,
        model=_advice_model(seen, found),
    )


def _advised(rank: int, ranked: Ranked, game: Game) -> AdvisedOption:
    from advisor.kingme.play.options import Vote, text_of

    option, estimate = ranked.option, ranked.estimate
    what: dict[str, Any] = {}
    match option:
        case Place(character, floor):
            what = {"character": INITIALS[character], "to": floor}
        case Raise(character):
            to = game.castle[character] + 1
            what = {"character": INITIALS[character], "to": "throne" if to == THRONE else to}
        case Vote(no):
            what = {"vote": "no" if no else "yes"}
    return AdvisedOption(
        **what,
        rank=rank,
        value=ranked.value,
        low=None if estimate is None else estimate.low,
        high=None if estimate is None else estimate.high,
        loss=ranked.loss,
        text=text_of(option, game),
    )


def _advice_model(seen: Seen, found: Advice) -> str:
    what = (
        "the chance to win the game (third round, exactly no points count 33)"
        if seen.record.game.round == ROUNDS
        else "the own points of this round"
    )
    if found.solved is None:
        return (
            f"estimated: {what}, {found.games} play-outs of each option, 95 % intervals; everybody "
            f"goes on by the model of play, deals drawn by {_belief(seen)}"
        )
    votes = "" if not any(seen.record.game.no_left) else f"; {CONVENTION.partition(';')[0]}"
    return (
        f"exact: {what}, the mean over {found.solved.deals} deals, each solved as if all goals "
        f"were open{votes}; deals weighted by {_belief(seen)}"
    )


# ---------------------------------------------------------------- a game judged


def analyze(record: Record, deck: Deck) -> AnalyzeAnswer:
    """Return the answer of `advisor kingme analyze`; raises if goals are not in the deck."""
    from advisor.kingme.play import analysis

    titles = record.header.titles()
    for entry in record.entries:
        if isinstance(entry.move, Reveal):
            deck.check(entry.move.goals, entry.before.gone)
    game = record.game
    return AnalyzeAnswer(
        players=tuple(Player(seat=seat, name=name) for seat, name in enumerate(titles, 1)),
        rounds=tuple(map(_round, analysis.rounds(record))),
        totals=game.totals,
        result=game.result,
        model="exact; every position of a round whose goals were shown and that has at most "
        f"{analysis.MOST:,} states, as if all goals had been open; {CONVENTION.partition(';')[0]}; "
        f"equal choices averaged; {deck.describe()}",
    )


def _round(played: PlayedRound) -> Round:
    king = played.before.castle.index(THRONE)
    gained = zip(played.after.totals, played.before.totals, strict=True)
    return Round(
        round=played.before.round,
        king=INITIALS[king],
        led_by=played.before.seat + 1,
        castle=format_castle(played.before.castle),
        goals=tuple(map(format_goal, played.goals)),
        points=tuple(new - old for new, old in gained),
        unit=played.payoff.unit,
        decisions=tuple(map(_decision, played.judged)),
        not_judged=played.left_out,
    )


def _decision(judged: Judged) -> Decision:
    from advisor.kingme.play.options import text_of

    game, move = judged.entry.before, judged.entry.move
    assert isinstance(move, Raise)
    return Decision(
        line=judged.entry.line,
        seat=game.seat + 1,
        character=INITIALS[move.character],
        text=text_of(move, game),
        value=judged.value,
        best=INITIALS[judged.best_move.character],
        best_text=text_of(judged.best_move, game),
        best_value=judged.best,
        loss=judged.loss,
    )
