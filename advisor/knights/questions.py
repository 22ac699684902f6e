"""Questions about Knights and their answers, each of which names its model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from typing import Final

from advisor import dice
from advisor.dice import NONE, Counts
from advisor.knights.answers import (
    CardList,
    CardOdds,
    KeepAnswer,
    KeepOption,
    OddsAnswer,
    Rollouts,
    TargetAnswer,
    TargetOption,
    TournamentAnswer,
    TournamentPlayer,
)
from advisor.knights.play.rollouts import Estimate
from advisor.knights.rules.options import (
    FACES,
    MORE_THROWS,
    Combination,
    DieCards,
    RuleSet,
    format_die_cards,
)
from advisor.knights.target import Choice, Ranking
from advisor.knights.throw import advice
from advisor.knights.throw import odds as chances
from advisor.knights.throw.play import Values
from advisor.knights.throw.tournament import Thrower, win_chances
from advisor.knights.turn.position import Position

_LATER_THROWERS: Final = (
    " (in tournaments of three and more players later throwers are modelled approximately)"
)


@dataclass(frozen=True)
class Aim:
    """A card to beat with some Die cards; `defender` has those of its owner, None: no defence."""

    card: Combination
    die_cards: DieCards = ()
    defender: DieCards | None = None

    def worth(self, rules: RuleSet) -> Values:
        """Return the worth of each final holding."""
        if self.defender is None:
            return chances.beat_worth(self.card, self.die_cards, rules)
        return chances.attack_worth(self.card, self.die_cards, self.defender, rules)

    def describe(self) -> str:
        """Return the aim in words."""
        own = f" with Die cards {format_die_cards(self.die_cards)}" if self.die_cards else ""
        if self.defender is None:
            return f"beat {self.card}{own}"
        other = f" with Die cards {format_die_cards(self.defender)}" if self.defender else ""
        return f"take the castle {self.card}{own} against the best defence{other}"


def keep(
    thrown: Counts,
    aim: Aim,
    throws_left: int,
    rules: RuleSet,
    kept: Counts = NONE,
    throne: bool = False,
) -> KeepAnswer:
    """Return the answer of `advisor knights keep`."""
    advice.check(thrown, throws_left, rules, kept)
    found = advice.options(thrown, aim.worth(rules), throws_left, rules, kept)
    return KeepAnswer(
        dice=dice.format_dice(thrown),
        card=str(aim.card),
        throne=throne,
        throws_left=throws_left,
        die_cards=aim.die_cards,
        attack=aim.defender is not None,
        defender_die_cards=aim.defender or (),
        kept=dice.format_dice(kept),
        rules=asdict(rules),
        unit="probability",
        value=found[0].value,
        options=tuple(
            KeepOption(
                rank=option.rank,
                keep=dice.format_dice(option.keep),
                value=option.value,
                loss=option.loss,
                text=option.text,
            )
            for option in found
        ),
        model=f"exact for best play to {aim.describe()}; {rules.describe()}",
    )


def odds(
    cards: Sequence[Combination],
    throws: Sequence[int],
    die_cards: DieCards,
    defender: DieCards | None,
    rules: RuleSet,
) -> OddsAnswer:
    """Return the answer of `advisor knights odds`; no cards or throws given: all of them."""
    shown = cards or sorted(Combination(*pair) for pair in permutations(FACES, 2))
    numbers = throws or range(1, MORE_THROWS + 1)
    return OddsAnswer(
        attack=defender is not None,
        defender_die_cards=defender or (),
        rules=asdict(rules),
        unit="probability",
        rows=tuple(
            CardOdds(
                card=str(card),
                throws=number,
                die_cards=die_cards,
                p=_chance(card, number, die_cards, defender, rules),
            )
            for card in shown
            for number in numbers
        ),
        model=f"exact for best play for each card alone{_against(defender)}; {rules.describe()}",
    )


def _chance(
    card: Combination, throws: int, cards: DieCards, defender: DieCards | None, rules: RuleSet
) -> float:
    if defender is None:
        return chances.beat(card, throws, cards, rules)
    return chances.attack(card, throws, cards, defender, rules)


def _against(defender: DieCards | None) -> str:
    if defender is None:
        return ""
    dice_cards = f" with Die cards {format_die_cards(defender)}" if defender else ""
    return f" against the best defence of three throws{dice_cards}"


def tournament(players: Sequence[Thrower], rules: RuleSet) -> TournamentAnswer:
    """Return the answer of `advisor knights tournament`."""
    found = win_chances(players, rules)
    return TournamentAnswer(
        rules=asdict(rules),
        unit="probability",
        players=tuple(
            TournamentPlayer(
                seat=seat,
                die_cards=player.die_cards,
                champion=player.champion,
                throws=player.throws(organiser=seat == 1),
                win=win,
            )
            for seat, (player, win) in enumerate(zip(players, found, strict=True), 1)
        ),
        model=f"exact if every player maximises the own chance to win; {rules.describe()}",
    )


# ---------------------------------------------------------------- targets


def target(position: Position, ranking: Ranking, rules: RuleSet, seed: int) -> TargetAnswer:
    """Return the answer of `advisor knights target`."""
    simulated = ranking.choices[0].rollouts
    first = ranking.change_first
    return TargetAnswer(
        player=position.table.own.name,
        rules=asdict(rules),
        components=CardList(source=position.box.source, invented=position.box.invented),
        unseen=len(position.unseen),
        attempts=ranking.attempts,
        unit="probability",
        options=tuple(_choice(choice, position) for choice in ranking.choices),
        change_first=None if first is None or first.deck is None else first.deck + 1,
        why=ranking.reasons,
        model=_model(position, rules, ranking.attempts),
        simulation=None if simulated is None else _simulation(position, simulated.games, seed),
    )


def _simulation(position: Position, games: int, seed: int) -> str:
    later = "" if len(position.players) == 2 else _LATER_THROWERS
    return (
        f"{games} games after each choice, seed {seed}, all players greedy by exact odds{later}, "
        f"95 % confidence intervals; {position.box.describe()}"
    )


def _model(position: Position, rules: RuleSet, attempts: int) -> str:
    return (
        f"exact for at most {attempts} attempts in this turn, a card that comes up uniform over "
        f"the {len(position.unseen)} unseen ones unless it is known; ranges end where longer "
        f"turns could at most; {rules.describe()}; {position.box.describe()}"
    )


def _choice(choice: Choice, position: Position) -> TargetOption:
    target = choice.target
    owner = target.place if target and target.kind in ("castle", "special") else None
    deck = target.place if target and target.kind in ("deck", "tournament") else choice.deck
    return TargetOption(
        rank=choice.rank,
        kind=choice.kind,
        card=str(target.card) if target and target.card else None,
        deck=None if deck is None else deck + 1,
        owner=None if owner is None else position.players[owner].name,
        text=choice.text,
        success=choice.success,
        win=choice.win.low,
        win_at_most=choice.win.high,
        gain=choice.gain.low,
        gain_at_most=choice.gain.high,
        risk=choice.risk,
        rollouts=None if choice.rollouts is None else _rollouts(choice.rollouts),
    )


def _rollouts(found: Estimate) -> Rollouts:
    low, high = found.interval
    return Rollouts(games=found.games, win=found.win, low=low, high=high, undecided=found.undecided)
