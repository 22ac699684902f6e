"""Random turn states for property tests, and the two solvers asked the same question."""

from __future__ import annotations

from hypothesis import strategies as st

from advisor import dice
from advisor.court.rules.cards import CARDS, BringIn, has_use, in_order
from advisor.court.rules.turn import TurnState
from advisor.court.turn.goals import card_goal, parse_goal, rank_goal
from advisor.court.turn.solver import TurnTable

MEMORY = 1 << 30
USABLE = [card.key for card in CARDS if has_use(card.key)]
BRINGING = [card.key for card in CARDS if isinstance(card.ability, BringIn)]

GOALS = [
    *(card_goal(key) for key in ("guard", "astronomer", "laborer", "maid", "philosopher",
                                 "merchant", "noblewoman", "magician")),
    parse_goal("values:farmer=1,guard=3,merchant=2.5,maid=2"),
    rank_goal(3, 4),
]  # fmt: skip


@st.composite
def turn_states(draw, most_active=3, most_cards=2, cards=USABLE, openings=True):
    """Small states of every kind: decision nodes, rolls, before the first roll, near the limit."""
    number = draw(st.integers(1, most_active))
    kind = draw(st.sampled_from(["node", "node", "node", "roll", *["opening"] * openings]))
    aside = [] if kind == "opening" else draw(st.lists(st.integers(1, 6), max_size=3))
    active = draw(st.lists(st.integers(1, 6), min_size=number, max_size=number))
    unused = draw(st.lists(st.sampled_from(cards), max_size=most_cards, unique=True))
    room = draw(st.sampled_from([12, 12, 0, 1]))
    return TurnState(
        aside=dice.of_faces(aside),
        active=dice.of_faces(active) if kind == "node" else dice.NONE,
        unused=in_order(unused),
        may_roll=kind == "node" and bool(aside) and draw(st.booleans()),
        falling=0 if kind == "node" else number,
        opening=kind == "opening",
        dice_limit=min(12, len(aside) + number + room),
    )


@st.composite
def copying_states(draw):
    """States with a copying card and up to five active dice, where early copies matter."""
    cards = draw(st.lists(st.sampled_from(USABLE), min_size=2, max_size=4, unique=True))
    values = draw(st.lists(st.integers(1, 6), min_size=2, max_size=8))
    active = draw(st.integers(2, min(5, len(values))))
    return TurnState(
        aside=dice.of_faces(values[active:]),
        active=dice.of_faces(values[:active]),
        unused=in_order({*cards, "astronomer"}),
        may_roll=len(values) > active and draw(st.booleans()),
    )


def value_of(table: TurnTable, state: TurnState):
    """The values of a table at its root, one a goal."""
    if state.opening:
        return table.opening(state.unused)
    if state.falling:
        return table.rolled(dice.NONE, state.unused)
    return table.node(state.active, state.unused)
