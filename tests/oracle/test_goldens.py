"""Every value of the independent solver, met by the kernel."""

import json
from pathlib import Path

import pytest

from advisor import dice
from advisor.court.rules.cards import in_order
from advisor.court.rules.notation import Position, before_first_roll, check_position, to_state
from advisor.court.rules.options import RULE_SETS, RULEBOOK
from advisor.court.rules.turn import CHANGE_NOTHING, may_change_nothing
from advisor.court.turn import advice
from advisor.court.turn.goals import card_goal, parse_goal

GOLDEN = json.loads((Path(__file__).parents[1] / "golden/court-turn.json").read_text())
MEMORY = 4 << 30
CLOSE = {"rel": 1e-9, "abs": 1e-12}


def goal_of(entry):
    if "goal" in entry:
        return card_goal(*entry["goal"])
    if "rank" in entry:
        return parse_goal(f"rank:{entry['rank']}")
    worths = (f"{key}={worth}" for key, worth in entry["values"].items())
    return parse_goal("values:" + ",".join(worths))


def label(entry):
    return "+".join(entry["cards"]) or "no cards"


@pytest.mark.parametrize("entry", GOLDEN["starts"], ids=label)
def test_value_before_the_first_roll(entry):
    rules = RULE_SETS[entry.get("rules", "rulebook")]
    state = to_state(before_first_roll(entry["cards"], rules), rules)
    adviser = advice.Adviser(state, [goal_of(entry)], MEMORY)
    assert adviser.values()[0] == pytest.approx(entry["value"], **CLOSE)


def position_of(entry):
    unused = list(entry["cards"])
    for key in entry["used"]:
        unused.remove(key)
    position = Position(
        dice.parse_dice(entry["aside"]), dice.parse_dice(entry["active"]),
        in_order(unused), in_order(entry["used"]), 0, entry["set_aside_since_roll"],
    )  # fmt: skip
    check_position(position, RULEBOOK)
    return position


@pytest.mark.parametrize("entry", GOLDEN["positions"], ids=label)
def test_value_and_options_in_the_middle_of_a_turn(entry):
    answer = advice.keep(position_of(entry), RULEBOOK, goal_of(entry), MEMORY)
    assert answer.value == pytest.approx(entry["value"], **CLOSE)
    options = answer.options
    keeps = {o.dice: o.value for o in options if o.kind == "set_aside"}
    assert keeps == {key: pytest.approx(value, **CLOSE) for key, value in entry["keeps"].items()}
    if "best_use" in entry:
        uses = {o.card: o.value for o in options if o.kind == "use"}
        for key, value in entry["best_use"].items():
            # A card spent for nothing counts there, but is no option here.
            found = max(uses.get(key, 0.0), spent_for_nothing(entry, key))
            assert found == pytest.approx(value, **CLOSE)


def spent_for_nothing(entry, key):
    state = to_state(position_of(entry), RULEBOOK)
    if not may_change_nothing(key, state):
        return 0.0
    adviser = advice.Adviser(state, [goal_of(entry)], MEMORY)
    return float(adviser.use_value(state, key, CHANGE_NOTHING)[0])


def test_the_goldens_are_all_there():
    assert (len(GOLDEN["starts"]), len(GOLDEN["positions"])) == (58, 30)
